"""What a rank search found: a record for each rank, and all of them together."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.factors import Factors
from latentlink.saving import load_tree, save_tree
from latentlink.tables import frame_from

__all__ = ["STATUSES", "Choice", "Member", "RankPath", "RankRecord"]

Array = NDArray[np.float64]
STATUSES = ("agreed", "disputed", "unstable", "unconfirmed")


@dataclass(frozen=True, eq=False)
class Member:
    """One member of the ensemble at one rank.

    Attributes
    ----------
    factors : Factors
        Its model, cut where the regime is Boolean.
    loss : float
        What was left of its own loss.
    held_out : float
        Its mean squared error on the known entries that it was not shown.
    converged : bool
        Whether its descent stood still.
    """

    factors: Factors
    loss: float
    held_out: float
    converged: bool


@dataclass(frozen=True, eq=False)
class RankRecord:
    """What an ensemble at one rank says.

    Attributes
    ----------
    rank : int
    model : Factors
        The centre of the members, fitted to the whole network.
    members : tuple of Factors
        The members that agree, their components in the model's order. At the chosen rank of a Boolean search
        they are drawn anew where the data leave it open (`latentlink.regime.gibbs`).
    stability_rows, stability_cols : arrays, shape (rank,)
        Silhouette of each component over members, by W and by H.
    relative_error : float
        Root of the weighted squared error of the model over that of saying 0, on known entries.
    column_errors : array, shape (columns,)
        The same for each column; NaN where nothing or only zeros are known.
    held_out : array, shape (all members,)
        Each member's error on what it was not shown; NaN for those set aside.
    set_aside : tuple of int
        Members whose loss was far above the best: they were stuck, and have no say.
    converged : int
        Number of members whose descent stood still.
    description_length : float
        Bits of a Boolean model and its errors, a second opinion on its rank; NaN for other models.
    """

    rank: int
    model: Factors
    members: tuple[Factors, ...]
    stability_rows: Array
    stability_cols: Array
    relative_error: float
    column_errors: Array
    held_out: Array
    set_aside: tuple[int, ...]
    converged: int
    description_length: float = float("nan")

    @property
    def stability(self) -> float:
        """The least silhouette of a component, by W; NaN where one member alone shows none."""
        return float(self.stability_rows.min())

    @property
    def empty(self) -> int:
        """Number of components of the model that hold nothing: ranks that are not used."""
        return int((~(self.model.W.any(axis=0) & self.model.H.any(axis=1))).sum())

    @property
    def held_out_error(self) -> float:
        """Root of the members' median held-out error, which a few failures do not move; NaN without any."""
        seen = self.held_out[~np.isnan(self.held_out)]
        return float(np.sqrt(np.median(seen))) if len(seen) else float("nan")


@dataclass(frozen=True, eq=False)
class RankPath:
    """Records of all ranks visited, in ascending order."""

    records: tuple[RankRecord, ...]

    @property
    def ranks(self) -> tuple[int, ...]:
        """The ranks visited."""
        return tuple(record.rank for record in self.records)

    def __getitem__(self, rank: int) -> RankRecord:
        for record in self.records:
            if record.rank == rank:
                return record
        raise InputError(f"Rank {rank} was not visited; visited were {', '.join(map(str, self.ranks))}.")

    def __iter__(self) -> Iterator[RankRecord]:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the path as columns of a table."""
        return {
            "rank": [record.rank for record in self],
            "stability": [record.stability for record in self],
            "stability_columns": [float(record.stability_cols.min()) for record in self],
            "relative_error": [record.relative_error for record in self],
            "held_out_error": [record.held_out_error for record in self],
            "members": [len(record.members) for record in self],
            "set_aside": [len(record.set_aside) for record in self],
            "converged": [record.converged for record in self],
            "empty": [record.empty for record in self],
            "description_length": [record.description_length for record in self],
        }

    def to_frame(self) -> Any:
        """Return the path as a data frame, one line a rank."""
        return frame_from({name: np.array(column) for name, column in self.to_dict().items()})

    def save(self, folder: str | os.PathLike[str], overwrite: bool = False) -> None:
        """Save all records, members included, as a folder of arrays and JSON, without pickle."""
        save_tree(folder, "path", self, overwrite=overwrite)

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> RankPath:
        """Load a path that was saved; nothing in the folder is ever executed."""
        path: RankPath = load_tree(
            folder, "path", {each.__name__: each for each in (cls, RankRecord, Factors)}
        )
        return path

    def plot(self, choice: Choice | None = None, axes: Any = None) -> Any:
        """Draw stability and errors over the ranks, the choice marked; needs matplotlib.

        Parameters
        ----------
        choice : Choice, optional
            The rank to mark.
        axes : matplotlib Axes, optional
            Where to draw; a new figure otherwise.
        """
        from latentlink.rank.plot import draw_path

        return draw_path(self, choice, axes)


@dataclass(frozen=True)
class Choice:
    """A chosen rank, and why.

    Attributes
    ----------
    rank : int
    reason : str
        A sentence with the numbers.
    status : str
        ``agreed`` where stability and held-out error are within one rank of each other, else ``disputed``;
        ``unstable`` where no rank is stable; ``unconfirmed`` where only one of the two could be measured,
        since there is but one member or nothing could be held out.
    runners_up : tuple of int
        What the other criteria would have chosen.
    """

    rank: int
    reason: str
    status: str
    runners_up: tuple[int, ...] = ()
