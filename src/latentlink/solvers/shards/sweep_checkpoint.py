"""The state of a fit in shards at the beginning of a sweep, from which it continues to the same bits."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.saving import load_file, save_file
from latentlink.validation.wording import shown_path

__all__ = ["SECONDS", "SweepCheckpoint"]

SECONDS = 60.0
"""Time between two stored sweeps, which is lost at most."""

_KIND = "sweep under way"

Array = NDArray[Any]


class SweepCheckpoint:
    """The stored sweep of a block of members, if there is one, and a place for later ones.

    Each shard stores its rows, in files of their own; then the columns and the losses of all sweeps before
    are stored, with the number of the sweep, which makes it the one to continue from.

    Parameters
    ----------
    folder : path
        All processes have to see it.
    name : str
        The block of members.

    Attributes
    ----------
    sweep : int
        The stored sweep, counted from 0; -1 if there is none.
    losses : array, shape (sweeps, members)
        The losses that all sweeps before have returned.
    columns : dict of arrays
        The state of the columns.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._path, self._name = folder / f"{name}-sweep.npz", name
        self.sweep, self.losses, self.columns = -1, np.zeros((0, 0)), dict[str, Array]()
        self._last = time.monotonic()
        if self._path.exists():
            stored = load_file(self._path, _KIND, {})
            if not isinstance(stored, dict) or stored.keys() != {"losses", "columns"}:
                raise InputError(f"{shown_path(self._path)} is no stored sweep. Delete it to begin anew.")
            self.losses, self.columns = stored["losses"], stored["columns"]
            self.sweep = len(self.losses)

    def is_due(self, sweep: int) -> bool:
        """Return whether a sweep is to be stored."""
        return sweep > max(0, self.sweep) and time.monotonic() - self._last >= SECONDS

    def path(self, sweep: int) -> str:
        """Return how the names of the files of all shards begin."""
        return str(self._path.with_name(f"{self._name}-sweep-{sweep:06d}"))

    def store(self, losses: list[Array], columns: dict[str, Array]) -> None:
        """Store the columns at the beginning of a sweep whose rows are stored, given the losses before."""
        save_file(self._path, _KIND, {"losses": np.array(losses), "columns": columns})
        self.sweep, self._last = len(losses), time.monotonic()
        self._clean(Path(self.path(self.sweep)).name)

    def clear(self) -> None:
        """Delete all files."""
        self._path.unlink(missing_ok=True)
        self._clean(None)

    def _clean(self, kept: str | None) -> None:
        for path in self._path.parent.glob(f"{self._name}-sweep-*-rows-*.npz"):
            if kept is None or not path.name.startswith(kept):
                path.unlink(missing_ok=True)
