"""Readers: files and objects turned into a listing, and the listing into a Network."""
