"""The folder of a fit in shards: what is fitted, and the blocks of members that are finished."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import IncompatibleError, InputError
from latentlink.network.shards import ShardedNetwork
from latentlink.saving import create_file, fingerprint, load_file, save_file, storage_errors
from latentlink.solvers import LMF, NMF, RNMF, WNMF, Convergence, Solver
from latentlink.solvers.descent.blocks import member_groups
from latentlink.solvers.shards.row_shard import ROWS, rows_file
from latentlink.solvers.shards.solve_shards import SolvedGroup
from latentlink.solvers.shards.sweep_checkpoint import SweepCheckpoint
from latentlink.validation.wording import shown_path

__all__ = ["ShardedRun"]

_FILE, _KIND, _COLUMNS = "run.npz", "fit in shards", "columns of a fit in shards"
_SETTINGS = {each.__name__: each for each in (LMF, NMF, RNMF, WNMF)}
_RECORDS = {"Convergence": Convergence}
_CONTINUE = "What was stored is complete: the same fit continues from there."

Array = NDArray[Any]


class ShardedRun:
    """A folder with the settings of a fit in shards, and what has been fitted.

    Parameters
    ----------
    folder : path
        It has a file with the settings, see `begin`.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder).absolute()
        path = self.folder / _FILE
        stored = load_file(path, _KIND, _SETTINGS)
        kinds = {"solver": Solver, "rank": int, "n_members": int, "seed": int, "network": str, "data": str}
        if (
            not isinstance(stored, dict)
            or not kinds.keys() <= stored.keys()
            or not all(isinstance(stored[name], kind) for name, kind in kinds.items())
        ):
            raise InputError(f"{shown_path(path)} does not describe a fit in shards. Name another folder.")
        self.settings: dict[str, Any] = stored
        self.solver: Solver = stored["solver"]
        self.rank, self.n_members, self.seed = (int(stored[name]) for name in ("rank", "n_members", "seed"))
        # In the names of all files: those of another fit, copied to the folder, are never read.
        self._mark = fingerprint({name: stored[name] for name in sorted(stored) if name != "network"})[:12]
        self.groups = member_groups(self.n_members, self.solver.precision)

    @classmethod
    def begin(
        cls, folder: str | Path, network: ShardedNetwork, settings: dict[str, Any], seed: int | None
    ) -> ShardedRun:
        """Return the run in a folder, which is created; raise if it has another one.

        Parameters
        ----------
        folder : path
        network : ShardedNetwork
        settings : dict
            Solver, rank and number of members.
        seed : int or None
            None takes that of the folder.
        """
        target = Path(folder).absolute()
        identity = settings | {"data": network.identity, "library": version("latentlink")}
        with storage_errors(target, _CONTINUE):
            target.mkdir(parents=True, exist_ok=True)
            if not (target / _FILE).exists():
                if any(not path.name.startswith(".") for path in target.iterdir()):
                    raise IncompatibleError(
                        f"The folder {shown_path(target)} has other files and no fit; expected an empty "
                        "folder, or one with the same fit. Name another folder."
                    )
                drawn = int(np.random.SeedSequence().generate_state(1)[0]) if seed is None else seed
                create_file(target / _FILE, _KIND, identity | {"network": str(network.folder), "seed": drawn})
            run = cls(target)
        here = {name: repr(part) for name, part in identity.items()} | {"seed": repr(seed)}
        there = {name: repr(run.settings.get(name)) for name in here}
        wrong = [
            f"{name} is {there[name]} there, {here[name]} here"
            for name in here
            if there[name] != here[name] and not (name == "seed" and seed is None)
        ]
        if wrong:
            raise IncompatibleError(
                f"The folder {shown_path(target)} has a fit with other settings or data "
                f"({'; '.join(wrong)}): its results cannot be mixed with these. Name another folder, or "
                "delete that one."
            )
        return run

    def checkpoint(self, group: range) -> SweepCheckpoint:
        """Return where the sweeps of a block of members are stored."""
        return SweepCheckpoint(self.folder, self._name(group))

    def is_done(self, group: range) -> bool:
        """Return whether a block of members is finished."""
        return self._columns(group).exists()

    @property
    def is_finished(self) -> bool:
        """Whether all blocks of members are finished."""
        return all(map(self.is_done, self.groups))

    def path(self, group: range) -> str:
        """Return how the names of the files with the rows of a block of members begin."""
        return str(self.folder / self._name(group))

    def store(self, solved: SolvedGroup) -> None:
        """Store the columns of a block of members whose rows are stored: it is finished."""
        columns = {
            "cols": np.ascontiguousarray(solved.cols),
            "offsets": np.array(solved.offsets),
            "records": list(solved.records),
        }
        save_file(self._columns(solved.group), _COLUMNS, columns)
        self.checkpoint(solved.group).clear()

    def columns(self, group: range) -> tuple[Array, Array, list[Convergence]]:
        """Return the packed columns, the offsets and the records of a block of members."""
        path = self._columns(group)
        stored = load_file(path, _COLUMNS, _RECORDS)
        try:
            return stored["cols"], stored["offsets"], stored["records"]
        except (KeyError, TypeError):
            raise InputError(f"{shown_path(path)} has no columns. Fit them again.") from None

    def rows(self, group: range, begin: int) -> Array:
        """Return the packed rows of a block of members in the shard that begins at a row."""
        rows: Array = load_file(rows_file(self.path(group), begin), ROWS, {})
        return rows

    def _columns(self, group: range) -> Path:
        return self.folder / f"{self._name(group)}-columns.npz"

    def _name(self, group: range) -> str:
        return f"members-{group[0]:03d}-{group[-1]:03d}-{self._mark}"
