"""Results of a rank search: a record for each rank, the path of all records, and the choice."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.factors import Factors
from latentlink.saving import load_tree, save_tree
from latentlink.solvers import Chain, Posterior
from latentlink.solvers.descent.fit_blocks import CPU
from latentlink.tables import frame_from

__all__ = ["STATUSES", "Choice", "Member", "RankPath", "RankRecord"]

Array = NDArray[np.float64]
STATUSES = ("agreed", "disputed", "unstable", "unconfirmed")


@dataclass(frozen=True, eq=False)
class Member:
    """One fitted member of the ensemble at one rank.

    Attributes
    ----------
    factors : Factors
        The model; binarized in a Boolean regime.
    loss : float
        The final loss on the member's own data; for Boolean models the weight of known entries that the
        binarized model has wrong.
    held_out : float
        Mean squared error on the entries held out of the member.
    converged : bool
        Whether the solver converged before ``max_iter``.
    chain : Chain or None
        The draws of a solver that samples, of which the model is the last; its held-out error is that of
        their mean.
    device : str
        Where it was fitted: ``cpu``, or a device such as ``cuda:0``.
    """

    factors: Factors
    loss: float
    held_out: float
    converged: bool
    chain: Chain | None = None
    device: str = CPU

    @property
    def models(self) -> tuple[Factors, ...]:
        """The model, or the draws of the chain."""
        return (self.factors,) if self.chain is None else self.chain.draws

    def answering(self, bounds: tuple[float, float] | None) -> Factors | Chain:
        """Return what predicts: the model, or the mean over the draws, with scores clipped to a range."""
        if self.chain is None:
            return replace(self.factors, bounds=bounds)
        return replace(self.chain, draws=tuple(replace(draw, bounds=bounds) for draw in self.chain.draws))


@dataclass(frozen=True, eq=False)
class RankRecord:
    """The ensemble at one rank: central model, members, stability and errors.

    Attributes
    ----------
    rank : int
    model : Factors
        The central model: the centre of the aligned members, fitted to all known entries.
    members : tuple of Factors
        The members that were not set aside, with their components in the order of the central model. At the
        chosen rank of a Boolean search their undetermined entries are Gibbs samples
        (`latentlink.regime.gibbs`).
    stability_rows, stability_cols : arrays, shape (rank,)
        Silhouette of each component over the members, of W and of H.
    relative_error : float
        ``|X - model| / |X|`` on known entries, weighted.
    column_errors : array, shape (columns,)
        The same for each column; NaN where a column has no known value other than 0.
    held_out : array, shape (n_members,)
        Mean squared error of each member on the entries held out of it; NaN for members set aside.
    set_aside : tuple of int
        Indices of members whose loss is far above the best: they ended in a poor local minimum and are left
        out of members, centre, stability and held-out errors.
    converged : int
        Number of members that converged before ``max_iter``.
    description_length : float
        Description length in bits of a Boolean model and its errors, another criterion for the rank; NaN for
        other models.
    held_out_ensemble : array, shape (n_members,)
        Mean squared error of the mean of the members that did not see an entry, on the entries held out of
        each member (`latentlink.rank.speckle.HeldOutEntries`); NaN for members set aside.
    posterior : Posterior or None
        Noise and convergence of the chains of a solver that samples, without those set aside. Members are
        then the draws of these chains, chain by chain; other numbers are one for each chain.
    device : str
        Where the members were fitted: ``cpu``, a device such as ``cuda:0``, or several with commas.
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
    held_out_ensemble: Array = field(default_factory=lambda: np.zeros(0))
    posterior: Posterior | None = None
    device: str = CPU

    @property
    def stability(self) -> float:
        """The smallest silhouette of a component, of W; NaN for a single member."""
        return self.least_silhouette("W")

    def least_silhouette(self, of: str) -> float:
        """Return the smallest silhouette of a component, of W, of H, or of both ("WH")."""
        sides = {"W": (self.stability_rows,), "H": (self.stability_cols,)}
        return float(np.min(sides.get(of, (self.stability_rows, self.stability_cols))))

    @property
    def numbers(self) -> tuple[int, ...]:
        """The number of each member among all that were fitted, those set aside included."""
        if self.posterior is not None:
            return tuple(range(len(self.members)))
        return tuple(number for number in range(len(self.held_out)) if number not in self.set_aside)

    @property
    def empty(self) -> int:
        """Number of empty components of the central model: all zeros in W or in H."""
        return int((~(self.model.W.any(axis=0) & self.model.H.any(axis=1))).sum())

    @property
    def held_out_error(self) -> float:
        """Root of the median over members of the mean squared held-out error; NaN if nothing is held out.

        The median, since a few members that fail do not change it much.
        """
        errors = self.held_out[~np.isnan(self.held_out)]
        return float(np.sqrt(np.median(errors))) if len(errors) else float("nan")

    @property
    def held_out_standard_error(self) -> float:
        """Standard error over members of the root of the mean squared held-out error, to first order."""
        finite = self.held_out[~np.isnan(self.held_out)]
        if len(finite) < 2 or finite.mean() <= 0:
            return 0.0
        return float(finite.std(ddof=1) / np.sqrt(len(finite)) / (2 * np.sqrt(finite.mean())))

    @property
    def ensemble_error(self) -> float:
        """Root of the mean over members of the ensemble's squared error on what was held out of each.

        The mean, since a member that fails spoils the answers of the ensemble. It compares ranks; it is no
        estimate of the error on new entries. NaN if nothing is held out.
        """
        errors = self.held_out_ensemble[~np.isnan(self.held_out_ensemble)]
        return float(np.sqrt(np.mean(errors))) if len(errors) else float("nan")


@dataclass(frozen=True, eq=False)
class RankPath:
    """The records of all ranks visited, in ascending order of rank.

    Attributes
    ----------
    records : tuple of RankRecord
    """

    records: tuple[RankRecord, ...]

    @property
    def ranks(self) -> tuple[int, ...]:
        """The ranks visited."""
        return tuple(record.rank for record in self.records)

    def __getitem__(self, rank: int) -> RankRecord:
        for record in self.records:
            if record.rank == rank:
                return record
        raise InputError(
            f"Rank {rank} was not visited; the ranks visited are {', '.join(map(str, self.ranks))}."
        )

    def __iter__(self) -> Iterator[RankRecord]:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the path as columns of a table; chains add their convergence and the noise."""
        posteriors = [record.posterior for record in self if record.posterior is not None]
        return self._columns() | {
            name: [getattr(each, name) for each in posteriors]
            for name in ("r_hat", "effective_size", "noise_level")
            if len(posteriors) == len(self) > 0
        }

    def _columns(self) -> dict[str, list[Any]]:
        return {
            "rank": [record.rank for record in self],
            "stability": [record.stability for record in self],
            "stability_columns": [float(record.stability_cols.min()) for record in self],
            "relative_error": [record.relative_error for record in self],
            "held_out_error": [record.held_out_error for record in self],
            "ensemble_error": [record.ensemble_error for record in self],
            "members": [len(record.members) for record in self],
            "set_aside": [len(record.set_aside) for record in self],
            "converged": [record.converged for record in self],
            "empty": [record.empty for record in self],
            "description_length": [record.description_length for record in self],
            "device": [record.device for record in self],
        }

    def to_frame(self) -> Any:
        """Return the path as a data frame with one row per rank."""
        return frame_from({name: np.array(column) for name, column in self.to_dict().items()})

    def save(self, folder: str | os.PathLike[str], overwrite: bool = False) -> None:
        """Save all records, including members, as a folder of arrays and JSON, without pickle."""
        save_tree(folder, "path", self, overwrite=overwrite)

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> RankPath:
        """Load a saved path; nothing in the folder is executed."""
        path: RankPath = load_tree(
            folder, "path", {record.__name__: record for record in (cls, RankRecord, Factors, Posterior)}
        )
        return path

    def plot(self, choice: Choice | None = None, axes: Any = None) -> Any:
        """Plot stability and errors over the ranks; needs matplotlib.

        Parameters
        ----------
        choice : Choice, optional
            The choice whose rank is marked.
        axes : matplotlib Axes, optional
            The axes to plot into; by default those of a new figure.
        """
        from latentlink.rank.display.path_plot import draw_path

        return draw_path(self, choice, axes)


@dataclass(frozen=True)
class Choice:
    """The chosen rank, the reason, and whether other criteria agree.

    Attributes
    ----------
    rank : int
    reason : str
        The reason with its numbers.
    status : str
        ``agreed`` if this rank, the largest stable rank and the rank of the held-out error differ by at most
        one, else ``disputed``, which it is also if members are too few to tell this rank from one with a much
        smaller error; ``unstable`` if no rank is stable; ``unconfirmed`` if stability or held-out error could
        not be measured, since there is a single member or nothing could be held out.
    runners_up : tuple of int
        The ranks that the other criteria choose, where they differ.
    """

    rank: int
    reason: str
    status: str
    runners_up: tuple[int, ...] = ()
