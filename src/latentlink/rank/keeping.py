"""A folder that keeps what a search has done, so that it can go on after a kill."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

from latentlink.errors import IncompatibleError
from latentlink.factors import Factors
from latentlink.network import Network
from latentlink.rank.engine import Plan
from latentlink.rank.results import Member
from latentlink.rank.ridge import RidgeChoice
from latentlink.saving import fingerprint, load_file, save_file

__all__ = ["Keeper"]

_RECORDS = {"Factors": Factors, "Member": Member, "RidgeChoice": RidgeChoice}


class Keeper:
    """Finished tasks of one search, each in a file of its own.

    A file is written whole or not at all. Whoever comes again with the same data and settings finds it;
    whoever comes with others is refused, since results of two searches would be mixed.

    Parameters
    ----------
    folder : path
        Made if it does not exist.
    plan : Plan
        What the search is told.
    more : object
        What else must be the same.
    """

    def __init__(self, folder: str | Path, plan: Plan, more: object = None) -> None:
        self.folder = Path(folder)
        if self.folder.exists() and not self.folder.is_dir():
            raise IncompatibleError(f"{self.folder} is a file; expected a folder, or a name for a new one.")
        self.folder.mkdir(parents=True, exist_ok=True)
        self._claim(
            {
                "data": _data_mark(plan.network),
                "settings": fingerprint(plan.solver, plan.regime, plan.n_members, plan.seed, more),
                "library": version("latentlink"),
            }
        )

    def _claim(self, marks: dict[str, str]) -> None:
        path = self.folder / "search.npz"
        if not path.exists():
            # Hidden files are remnants of a write that was killed.
            if any(not each.name.startswith(".") for each in self.folder.iterdir()):
                raise IncompatibleError(
                    f"The folder {self.folder} holds other files and no search; expected an empty folder, or "
                    "one that a search has begun. Name another one."
                )
            save_file(path, "search", marks)
            return
        found = load_file(path, "search", {})
        other = [name for name, mark in marks.items() if found.get(name) != mark]
        if other:
            what = {"data": "other data", "settings": "other settings", "library": "another version"}
            raise IncompatibleError(
                f"The folder {self.folder} holds a search with {' and '.join(what[name] for name in other)}: "
                "its results cannot be mixed with these. Name another folder, or delete that one."
            )

    def members(self, rank: int, block: range) -> list[Member] | None:
        """Return the members that a finished task has left here, if it was finished."""
        path = self._path(rank, block)
        return list(load_file(path, "members", _RECORDS)) if path.exists() else None

    def keep_members(self, rank: int, block: range, members: list[Member]) -> None:
        """Write what a task has found."""
        save_file(self._path(rank, block), "members", members)

    def ridge(self) -> RidgeChoice | None:
        """Return the ridge that was chosen before, if it was."""
        path = self.folder / "ridge.npz"
        found: RidgeChoice | None = load_file(path, "ridge", _RECORDS) if path.exists() else None
        return found

    def keep_ridge(self, choice: RidgeChoice) -> None:
        """Write which ridge was chosen."""
        save_file(self.folder / "ridge.npz", "ridge", choice)

    def _path(self, rank: int, block: range) -> Path:
        return self.folder / f"rank-{rank:04d}-members-{block[0]:03d}-{block[-1]:03d}.npz"


def _data_mark(network: Network) -> str:
    """Return what tells these data from all others; names do not count."""
    return fingerprint(
        network.shape,
        network.symmetric,
        float(network.background),
        network.rows,
        network.cols,
        network.values,
        network.weights,
    )
