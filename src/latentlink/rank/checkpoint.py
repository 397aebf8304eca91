"""Checkpoint of a rank search: a folder of finished tasks, from which an interrupted search continues."""

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

__all__ = ["Checkpoint", "stored_seed"]

_SEARCH_FILE = "search.npz"
_RIDGE_FILE = "ridge.npz"

_RECORDS = {"Factors": Factors, "Member": Member, "RidgeChoice": RidgeChoice}


class Checkpoint:
    """A folder with the finished tasks of one search, one file for each.

    Files are written atomically. A search with the same data and settings loads them; one with other data or
    settings raises IncompatibleError, since the results of two searches would be mixed. The ranks may differ:
    a search over other ranks uses the ridge that was chosen by the first.

    Parameters
    ----------
    folder : path
        The folder; it is created if it does not exist.
    plan : Plan
        Data and settings of the search.
    """

    def __init__(self, folder: str | Path, plan: Plan) -> None:
        self.folder = Path(folder)
        self._shape = plan.network.shape
        if self.folder.exists() and not self.folder.is_dir():
            raise IncompatibleError(
                f"{self.folder} is a file; expected a folder, or the name of one to create."
            )
        self.folder.mkdir(parents=True, exist_ok=True)
        self._identify(
            {
                "data": _data_fingerprint(plan.network),
                "settings": _settings(plan),
                "seed": plan.seed,
                "library": version("latentlink"),
            }
        )

    def _identify(self, identity: dict[str, Any]) -> None:
        """Store the identity of the search in a new folder; raise if the folder belongs to another."""
        path = self.folder / _SEARCH_FILE
        if not path.exists():
            # Hidden files are left over from a write that was interrupted.
            if any(not file.name.startswith(".") for file in self.folder.iterdir()):
                raise IncompatibleError(
                    f"The folder {self.folder} has other files and no search; expected an empty folder, or "
                    "one with an interrupted search. Name another folder."
                )
            save_file(path, "search", identity)
            return
        stored = load_file(path, "search", {})
        if stored != identity:
            raise IncompatibleError(
                f"The folder {self.folder} has a search with {' and '.join(_differences(stored, identity))}: "
                "its results cannot be mixed with these. Name another folder, or delete that one."
            )

    def members(self, rank: int, block: range) -> list[Member] | None:
        """Load the members of a block at a rank; None if that task is not stored."""
        path = self._path(rank, block)
        if not path.exists():
            return None
        members: list[Member] = list(load_file(path, "members", _RECORDS))
        expected = [(self._shape[0], rank, self._shape[1])] * len(block)
        models = [member.factors for member in members]
        if [(len(model.W), model.rank, model.H.shape[1]) for model in models] != expected:
            raise InputError(
                f"{path} does not have the {len(block)} members of rank {rank} that its name says. "
                "Delete the file to have them fitted again."
            )
        return members

    def store_members(self, rank: int, block: range, members: list[Member]) -> None:
        """Store the members of a block at a rank."""
        save_file(self._path(rank, block), "members", members)

    def ridge(self) -> RidgeChoice | None:
        """Load the choice of the ridge; None if it is not stored."""
        path = self.folder / _RIDGE_FILE
        choice: RidgeChoice | None = load_file(path, "ridge", _RECORDS) if path.exists() else None
        return choice

    def store_ridge(self, choice: RidgeChoice) -> None:
        """Store the choice of the ridge."""
        save_file(self.folder / _RIDGE_FILE, "ridge", choice)

    def _path(self, rank: int, block: range) -> Path:
        return self.folder / f"rank-{rank:04d}-members-{block[0]:03d}-{block[-1]:03d}.npz"


def stored_seed(folder: str | Path) -> int | None:
    """Return the seed of the search stored in a folder; None if there is none."""
    path = Path(folder) / _SEARCH_FILE
    return int(load_file(path, "search", {})["seed"]) if path.is_file() else None


def _settings(plan: Plan) -> dict[str, str]:
    """Return every setting by its nested name: ``solver__max_iter``, ``regime__perturb__epsilon``, ..."""
    settings = {"n_perturbs": repr(plan.n_members)}
    for name, part in (("solver", plan.solver), ("regime", plan.regime)):
        settings[name] = type(part).__name__
        for key, value in part.get_params(deep=True).items():
            text = type(value).__name__ if hasattr(value, "get_params") else repr(value)
            settings[f"{name}__{key}"] = text
    return settings


def _differences(stored: dict[str, Any], identity: dict[str, Any]) -> list[str]:
    """Return the differences between the stored search and this one, as parts of a sentence."""
    differences = ["other data"] if stored.get("data") != identity["data"] else []
    old, new = stored.get("library"), identity["library"]
    if old != new:
        differences.append(f"another version of the library ({old}, this is {new})")
    there, here = (
        {"seed": repr(search.get("seed")), **search.get("settings", {})} for search in (stored, identity)
    )
    changed = [name for name in sorted({*there, *here}) if there.get(name) != here.get(name)]
    if changed:
        pairs = (f"{name} is {there.get(name)} there, {here.get(name)} here" for name in changed)
        differences.append(f"other settings ({'; '.join(pairs)})")
    return differences


def _data_fingerprint(network: Network) -> str:
    """Return a hash of the data without the names of rows and columns."""
    return fingerprint(
        network.shape,
        network.symmetric,
        float(network.background),
        network.rows,
        network.cols,
        network.values,
        network.weights,
    )
