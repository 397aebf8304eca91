"""A folder that keeps what a search has done, so that it can go on after a kill."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Any

from latentlink.errors import IncompatibleError, InputError
from latentlink.factors import Factors
from latentlink.network import Network
from latentlink.rank.engine import Plan
from latentlink.rank.results import Member
from latentlink.rank.ridge import RidgeChoice
from latentlink.saving import fingerprint, load_file, save_file

__all__ = ["Keeper", "stored_seed"]

_CLAIM = "search.npz"

_RECORDS = {"Factors": Factors, "Member": Member, "RidgeChoice": RidgeChoice}


class Keeper:
    """Finished tasks of one search, each in a file of its own.

    A file is written whole or not at all. Whoever comes again with the same data and settings finds it;
    whoever comes with others is refused, since results of two searches would be mixed. Other ranks are no
    other search: they go on with the ridge that was chosen for the first.

    Parameters
    ----------
    folder : path
        Made if it does not exist.
    plan : Plan
        What the search is told.
    """

    def __init__(self, folder: str | Path, plan: Plan) -> None:
        self.folder = Path(folder)
        self._shape = plan.network.shape
        if self.folder.exists() and not self.folder.is_dir():
            raise IncompatibleError(f"{self.folder} is a file; expected a folder, or a name for a new one.")
        self.folder.mkdir(parents=True, exist_ok=True)
        self._claim(
            {
                "data": _data_mark(plan.network),
                "settings": _settings(plan),
                "seed": plan.seed,
                "library": version("latentlink"),
            }
        )

    def _claim(self, marks: dict[str, Any]) -> None:
        path = self.folder / _CLAIM
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
        if found != marks:
            raise IncompatibleError(
                f"The folder {self.folder} holds a search with {' and '.join(_differences(found, marks))}: "
                "its results cannot be mixed with these. Name another folder, or delete that one."
            )

    def members(self, rank: int, block: range) -> list[Member] | None:
        """Return the members that a finished task has left here, if it was finished."""
        path = self._path(rank, block)
        if not path.exists():
            return None
        members: list[Member] = list(load_file(path, "members", _RECORDS))
        expected = [(self._shape[0], rank, self._shape[1])] * len(block)
        if [
            (len(each.factors.W), each.factors.rank, each.factors.H.shape[1]) for each in members
        ] != expected:
            raise InputError(
                f"{path} does not hold the {len(block)} members of rank {rank} that its name says. "
                "Delete it, and they are fitted again."
            )
        return members

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


def stored_seed(folder: str | Path) -> int | None:
    """Return the seed of the search that a folder holds, if it holds one."""
    path = Path(folder) / _CLAIM
    return int(load_file(path, "search", {})["seed"]) if path.is_file() else None


def _settings(plan: Plan) -> dict[str, str]:
    """Return every setting by name: ``solver__max_iter``, ``regime__perturb__epsilon``, ..."""
    said = {"n_perturbs": repr(plan.n_members)}
    for name, part in (("solver", plan.solver), ("regime", plan.regime)):
        said[name] = type(part).__name__
        for key, value in part.get_params(deep=True).items():
            said[f"{name}__{key}"] = type(value).__name__ if hasattr(value, "get_params") else repr(value)
    return said


def _differences(found: dict[str, Any], marks: dict[str, Any]) -> list[str]:
    """Say in what two searches differ."""
    said = ["other data"] if found.get("data") != marks["data"] else []
    if found.get("library") != marks["library"]:
        said.append(f"another version of the library ({found.get('library')}, this is {marks['library']})")
    there, here = ({"seed": repr(each.get("seed")), **each.get("settings", {})} for each in (found, marks))
    other = [name for name in sorted({*there, *here}) if there.get(name) != here.get(name)]
    if other:
        pairs = (f"{name} is {there.get(name)} there, {here.get(name)} here" for name in other)
        said.append(f"other settings ({'; '.join(pairs)})")
    return said


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
