"""Triples (head, relation, tail): which columns they are, and one of their relations as a network."""
