"""Saving records, settings and arrays without pickle; loading validates everything and executes nothing."""

from latentlink.saving.atomic import write_atomically
from latentlink.saving.fingerprint import fingerprint
from latentlink.saving.store import load_file, load_tree, save_file, save_tree

__all__ = ["fingerprint", "load_file", "load_tree", "save_file", "save_tree", "write_atomically"]
