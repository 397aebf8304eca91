"""Checkpoint of a rank search: a folder of finished tasks, from which an interrupted search continues."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from latentlink.errors import IncompatibleError, InputError
from latentlink.factors import Factors
from latentlink.network import Network
from latentlink.rank.engine import Plan
from latentlink.rank.results import Member
from latentlink.rank.ridge import RidgeChoice, Trial
from latentlink.saving import create_file, fingerprint, load_file, save_file, storage_errors
from latentlink.saving.field_types import fits
from latentlink.solvers import Chain

__all__ = ["Checkpoint", "stored_seed"]

_SEARCH_FILE = "search.npz"
_RIDGE_FILE = "ridge.npz"
_CONTINUE = "Everything that was stored is complete: the same search continues from there."

_RECORDS = {each.__name__: each for each in (Chain, Factors, Member, RidgeChoice)}


class Checkpoint:
    """A folder with the finished tasks of one search, one file for each.

    Files are written atomically. A search with the same data and settings loads them; one with other data or
    settings raises IncompatibleError, since the results of two searches would be mixed. The ranks may differ:
    a search over other ranks uses the ridge that was chosen by the first. Each file has the fingerprint of
    its search, and raises IncompatibleError in the folder of another, to which it may have been copied.

    Several processes may use one folder at once: the first of them claims it, and chooses the ridge for all.
    Two of them may compute the same task, whose results are equal. A disk that is full or cannot be written
    raises StorageError.

    Parameters
    ----------
    folder : path
        The folder; it is created if it does not exist.
    plan : Plan
        Data and settings of the search.
    """

    def __init__(self, folder: str | Path, plan: Plan) -> None:
        self.folder = Path(folder).absolute()
        self._shape = plan.network.shape
        identity = {
            "data": _data_fingerprint(plan.network),
            "settings": _settings(plan),
            "seed": plan.seed,
            "library": version("latentlink"),
        }
        with storage_errors(self.folder, _CONTINUE):
            if self.folder.exists() and not self.folder.is_dir():
                raise IncompatibleError(
                    f"{self.folder} is a file; expected a folder, or the name of one to create."
                )
            self.folder.mkdir(parents=True, exist_ok=True)
            self._identify(identity)
        self._identity = identity
        self._fingerprint = fingerprint(identity)

    @property
    def is_visible(self) -> bool:
        """Whether the folder of this search is there: on another machine there may be none, or another."""
        path = self.folder / _SEARCH_FILE
        try:
            return path.is_file() and _stored_identity(path) == self._identity
        except (InputError, OSError):
            return False

    def has_members(self, rank: int, block: range) -> bool:
        """Return whether the members of a block at a rank are stored."""
        return self._is_stored(self._path(rank, block))

    def claim(self, rank: int, block: range | None = None) -> Path:
        """Return the file by which a process claims a task: a block of members, or the trials of ridges."""
        path = self._trials_path(rank) if block is None else self._path(rank, block)
        return path.with_name(f".{path.stem}.claim")

    def has_trials(self, rank: int) -> bool:
        """Return whether the trials of ridges at a rank are stored."""
        return self._is_stored(self._trials_path(rank))

    def _identify(self, identity: dict[str, Any]) -> None:
        """Claim a new folder for this search; raise if the folder belongs to another."""
        path = self.folder / _SEARCH_FILE
        if not path.exists():
            # Hidden files are left over from a write that was interrupted. Tasks are stored after the claim:
            # if they came just now, so did the claim.
            others = any(not file.name.startswith(".") for file in self.folder.iterdir())
            if others and not path.exists():
                raise IncompatibleError(
                    f"The folder {self.folder} has other files and no search; expected an empty folder, or "
                    "one with an interrupted search. Name another folder."
                )
            if not others and create_file(path, "search", identity):
                return
        stored = _stored_identity(path)
        if stored != identity:
            raise IncompatibleError(
                f"The folder {self.folder} has a search with {' and '.join(_differences(stored, identity))}: "
                "its results cannot be mixed with these. Name another folder, or delete that one."
            )

    def members(self, rank: int, block: range) -> list[Member] | None:
        """Load the members of a block at a rank; None if that task is not stored."""
        path = self._path(rank, block)
        if not self._is_stored(path):
            return None
        members = self._load(path, "members")
        expected = [(self._shape, rank)] * len(block)
        if not _all_of(members, Member) or [_size(member) for member in members] != expected:
            raise InputError(
                f"{path} does not have the {len(block)} members of rank {rank} that its name says. "
                "Delete the file to have them fitted again."
            )
        return list(members)

    def store_members(self, rank: int, block: range, members: list[Member]) -> None:
        """Store the members of a block at a rank."""
        self._save(self._path(rank, block), "members", members)

    def trials(self, rank: int) -> list[Trial] | None:
        """Load the trials of ridges at a rank; None if that task is not stored."""
        path = self._trials_path(rank)
        if not self._is_stored(path):
            return None
        trials = self._load(path, "trials")
        if not _all_of(trials, tuple) or not all(fits(trial, Trial) and trial[1] == rank for trial in trials):
            raise InputError(
                f"{path} does not have the trials of ridges at rank {rank} that its name says. Delete the "
                "file to have them computed again."
            )
        return list(trials)

    def store_trials(self, rank: int, trials: list[Trial]) -> None:
        """Store the trials of ridges at a rank."""
        self._save(self._trials_path(rank), "trials", trials)

    def ridge(self) -> RidgeChoice | None:
        """Load the choice of the ridge; None if it is not stored."""
        path = self.folder / _RIDGE_FILE
        if not self._is_stored(path):
            return None
        choice = self._load(path, "ridge")
        if not isinstance(choice, RidgeChoice):
            raise InputError(
                f"{path} does not have a choice of the ridge. Delete the file to have it chosen."
            )
        return choice

    def store_ridge(self, choice: RidgeChoice) -> RidgeChoice:
        """Store the choice of the ridge and return it; if another process stored one before, return that.

        With other ranks it may have chosen another ridge, and members with two ridges would be mixed.
        """
        with storage_errors(self.folder, _CONTINUE):
            stored = not create_file(self.folder / _RIDGE_FILE, "ridge", self._marked(choice))
        return (self.ridge() or choice) if stored else choice

    def _is_stored(self, path: Path) -> bool:
        with storage_errors(self.folder, _CONTINUE):
            return path.exists()

    def _load(self, path: Path, kind: str) -> Any:
        with storage_errors(self.folder, _CONTINUE):
            stored = _loaded(path, kind, _RECORDS, "Delete the file to have it computed again.")
        if not isinstance(stored, dict) or stored.keys() != {"search", "results"}:
            raise IncompatibleError(
                f"{path} does not say of which search it is, as files of earlier versions of the library do "
                "not; expected one of this search. Delete the file to have it computed again."
            )
        if stored["search"] != self._fingerprint:
            raise IncompatibleError(
                f"{path} is of another search, with other data or settings, and was copied to this folder; "
                "expected files of one search. Delete the file to have it computed again, and all others "
                "that were copied with it."
            )
        return stored["results"]

    def _save(self, path: Path, kind: str, tree: Any) -> None:
        with storage_errors(self.folder, _CONTINUE):
            save_file(path, kind, self._marked(tree))

    def _marked(self, tree: Any) -> dict[str, Any]:
        """Return what is stored of results: they, and of which search they are."""
        return {"search": self._fingerprint, "results": tree}

    def _path(self, rank: int, block: range) -> Path:
        return self.folder / f"rank-{rank:04d}-members-{block[0]:03d}-{block[-1]:03d}.npz"

    def _trials_path(self, rank: int) -> Path:
        return self.folder / f"rank-{rank:04d}-ridges.npz"


def stored_seed(folder: str | Path) -> int | None:
    """Return the seed of the search stored in a folder; None if there is none."""
    path = Path(folder) / _SEARCH_FILE
    with storage_errors(Path(folder), _CONTINUE):
        return int(_stored_identity(path)["seed"]) if path.is_file() else None


def _stored_identity(path: Path) -> dict[str, Any]:
    """Load the identity of a search: data, settings, seed and library."""
    stored = _loaded(path, "search", {}, "Name another folder, or delete that one.")
    expected = {"data": str, "settings": dict, "seed": int, "library": str}
    if not isinstance(stored, dict) or {name: type(part) for name, part in stored.items()} != expected:
        raise InputError(f"{path} does not describe a search. Name another folder, or delete that one.")
    return stored


def _loaded(path: Path, kind: str, records: Mapping[str, type], advice: str) -> Any:
    """Load a file; a damaged one raises InputError with advice."""
    try:
        return load_file(path, kind, records)
    except InputError as error:
        raise InputError(f"{error} {advice}") from error


def _all_of(parts: Any, kind: type) -> bool:
    """Return whether parts are a list of one kind, and not empty."""
    return isinstance(parts, list) and bool(parts) and all(isinstance(part, kind) for part in parts)


def _size(member: Member) -> tuple[tuple[int, int], int]:
    return member.factors.shape, member.factors.rank


def _settings(plan: Plan) -> dict[str, str]:
    """Return every setting by its nested name: ``solver__max_iter``, ``regime__perturb__epsilon``, ..."""
    settings = {"n_perturbs": repr(plan.n_members)}
    if getattr(plan.solver, "ridge", None) == "auto":
        settings["error that chooses the ridge"] = "ensemble" if plan.ridge_by_ensemble else "members"
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
