"""Readers of files and objects: each returns a listing of entries, from which a Network is made."""
