"""An ensemble whose entries are elsewhere, known by sums over them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from latentlink.network import Ensemble, Network

__all__ = ["MemberSums", "SummedEnsemble"]

Array = NDArray[Any]


class MemberSums(NamedTuple):
    """Sums over the known entries of some rows, which add up to those of all rows.

    Attributes
    ----------
    weight, first, second : arrays, shape (members,)
        Sums of w, w x and w x^2.
    n_known : array, shape (members,)
        Number of known entries.
    listed : array, shape ()
        Number of listed entries.
    """

    weight: Array
    first: Array
    second: Array
    n_known: Array
    listed: Array

    @classmethod
    def of(cls, ensemble: Ensemble) -> MemberSums:
        """Return the sums of an ensemble."""
        distinct = 1 if ensemble.is_uniform else ensemble.n_members
        sums = np.zeros((4, distinct))
        for member in range(distinct):
            values, weights = ensemble.member_entries(member)
            sums[0, member], sums[3, member] = weights.sum(), np.count_nonzero(weights)
            sums[1, member], sums[2, member] = (weights * values).sum(), (weights * values**2).sum()
        every = np.broadcast_to(sums, (4, ensemble.n_members)) if distinct == 1 else sums
        return cls(every[0], every[1], every[2], every[3], np.array(ensemble.network.n_listed))


@dataclass(frozen=True, eq=False)
class SummedEnsemble(Ensemble):
    """An ensemble of the shape and background of all rows, without entries of its own.

    Attributes
    ----------
    sums : MemberSums or None
        The sums over all entries, of which means and deviations follow.
    squares : array, shape (members,), or None
        The weighted squares of the values minus the offset.
    """

    sums: MemberSums | None = None
    squares: Array | None = None

    @classmethod
    def of_shape(
        cls,
        shape: tuple[int, int],
        background: float,
        sums: MemberSums,
        squares: Array | None = None,
    ) -> SummedEnsemble:
        """Return the ensemble of a shape, background and sums."""
        network = Network([], [], shape=shape, background=background)
        values = np.zeros((0, len(sums.weight)))
        return cls(network, values, network.weights, sums=sums, squares=squares)

    def member_count(self, member: int) -> int:
        """Return the number of a member's listed entries that are known."""
        assert self.sums is not None
        return int(self.sums.n_known[member])

    def member_squares(self, member: int, centre: float) -> float:
        """Return the weighted sum of squares of a member's known entries minus its offset."""
        del centre
        assert self.squares is not None
        return float(self.squares[member])

    def _new_moment(self, member: int, power: int) -> float:
        assert self.sums is not None
        unlisted = self.network.n_pairs - int(self.sums.listed)
        total = float(self.sums.weight[member]) + self.network.background * unlisted
        return float((self.sums.first, self.sums.second)[power - 1][member]) / total if total > 0 else 0.0
