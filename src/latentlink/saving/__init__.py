"""Records and settings on disk, without pickle: loading a hostile file raises, and never executes it."""

from latentlink.saving.atomic import write_atomically
from latentlink.saving.fingerprint import fingerprint
from latentlink.saving.store import load_file, load_tree, save_file, save_tree

__all__ = ["fingerprint", "load_file", "load_tree", "save_file", "save_tree", "write_atomically"]
