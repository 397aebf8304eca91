"""Costs of calls: in processes of their own, in alternating rounds, with medians; and what they ran on."""
