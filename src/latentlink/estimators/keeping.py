"""Folders in which fits are kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from latentlink.estimators.settings import seed_of
from latentlink.rank.keeping import kept_seed

__all__ = ["kept_or_new_seed", "part_of"]


def part_of(folder: str | Path | None, name: str) -> Path | None:
    """Return the folder of one of several fits."""
    return None if folder is None else Path(folder) / name


def kept_or_new_seed(random_state: Any, folder: str | Path | None) -> int:
    """Return the seed of a fit: without a random state that of the fit which is kept, if there is one."""
    kept = kept_seed(folder) if folder is not None and random_state is None else None
    return seed_of(random_state) if kept is None else kept
