"""Saving records, settings and arrays without pickle; loading validates everything and executes nothing."""

from latentlink.saving.atomic import remove_remains, storage_errors, write_atomically
from latentlink.saving.fingerprint import fingerprint
from latentlink.saving.store import create_file, load_file, load_tree, save_file, save_tree

__all__ = [
    "create_file",
    "fingerprint",
    "load_file",
    "load_tree",
    "remove_remains",
    "save_file",
    "save_tree",
    "storage_errors",
    "write_atomically",
]
