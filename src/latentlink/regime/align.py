"""Which component of one member is which of another, and what they have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from latentlink.errors import IncompatibleError
from latentlink.factors import Factors
from latentlink.strategy import Strategy, strategy
from latentlink.validation.choices import check_choice
from latentlink.validation.numbers import check_number

__all__ = ["Align", "Aligned", "CosineAlign", "HammingAlign"]

Array = NDArray[Any]
Place = tuple[Array, Array]


@dataclass(frozen=True, eq=False)
class Aligned:
    """Members whose components stand in one order, and their centre.

    Attributes
    ----------
    members : tuple of Factors
        Each with W, H and biases of its own, its components permuted.
    centre : Factors
        What the members have in common.
    rounds : int
        How often they were compared with the centre until their order stood still.
    ties : int
        Cells of a Boolean centre on which the members were evenly divided; they are 0.
    """

    members: tuple[Factors, ...]
    centre: Factors
    rounds: int
    ties: int = 0


@strategy
class Align(Strategy):
    """Cluster the columns of all members' W, one of each member in each cluster.

    Beginning with the first member's columns as centres, every member's columns are assigned to centres one
    to one, at the least total distance, and the centres found anew, until the order stands still. H goes
    with W.

    Parameters
    ----------
    max_rounds : int
        Rounds at the most.
    """

    max_rounds: int = 100

    def align(self, members: Sequence[Factors]) -> Aligned:
        """Permute every member's components to match, and find the centre.

        What a member predicts does not change, but for rounding.
        """
        self.check(members)
        scaled = [self.scaled(member) for member in members]
        centre = scaled[0].W
        places: list[Place] = []
        for rounds in range(1, self.max_rounds + 1):
            new = [self.place(member.W, centre) for member in scaled]
            still = rounds > 1 and all(np.array_equal(a, b) for a, b in zip(places, new, strict=True))
            places = new
            if still:
                break
            moved = [
                member.W[:, order] * signs for member, (order, signs) in zip(scaled, places, strict=True)
            ]
            centre = self.middle(np.stack(moved))[0]
        aligned = tuple(
            replace(
                member,
                W=np.ascontiguousarray(member.W[:, order] * signs),
                H=member.H[order] * signs[:, None],
            )
            for member, (order, signs) in zip(scaled, places, strict=True)
        )
        found, ties = self.centre(aligned)
        return Aligned(aligned, found, rounds, ties)

    def place(self, W: Array, centre: Array) -> Place:
        """Return which column of W goes to each column of the centre, and with which sign."""
        order = linear_sum_assignment(self.distances(W, centre).T)[1]
        return order, self.signs(W[:, order], centre)

    def signs(self, W: Array, centre: Array) -> Array:
        """Return 1 for each column that is as it is, -1 where it is compared the other way round."""
        del centre
        return np.ones(W.shape[1], W.dtype)

    def check(self, members: Sequence[Factors]) -> None:
        """Refuse settings and members that make no sense together."""
        check_number(self, "max_rounds", 1, whole=True)
        if not members:
            raise IncompatibleError(f"{self} has no members to align; expected one at the least.")
        kinds = {(each.shape, each.rank, each.row_bias is None, each.col_bias is None) for each in members}
        if len(kinds) > 1:
            raise IncompatibleError(
                f"{self} aligns members of one shape and rank that all have the same biases, but these are "
                f"of {len(kinds)} kinds (shapes {', '.join(sorted({str(kind[0]) for kind in kinds}))}; ranks "
                f"{', '.join(map(str, sorted({kind[1] for kind in kinds})))})."
            )

    def centre(self, members: Sequence[Factors]) -> tuple[Factors, int]:
        """Return the middle of aligned members, biases by their medians, and the number of ties."""
        W, tied = self.middle(np.stack([member.W for member in members]))
        H, also = self.middle(np.stack([member.H for member in members]))
        first = members[0]
        biases = {
            name: np.median([getattr(member, name) for member in members], axis=0)
            for name in ("row_bias", "col_bias")
            if getattr(first, name) is not None
        }
        offset = float(np.median([member.offset for member in members]))
        return replace(first, W=W, H=H, offset=offset, **biases), tied + also

    def scaled(self, factors: Factors) -> Factors:
        """Return the model in the scale in which members are compared."""
        return factors

    @abstractmethod
    def distances(self, W: Array, centre: Array) -> Array:
        """Return distances of columns of W, in rows, and of the centre, in columns."""

    @abstractmethod
    def middle(self, stack: Array) -> tuple[Array, int]:
        """Return the middle over the first axis, and how many ties it had."""


@strategy
class CosineAlign(Align):
    """Align real factors by the angle between columns.

    Columns of W are scaled to unit length first, and H by the inverse, so that members can be averaged. Where
    factors have signs, those of a component are free: W and H are turned together to match the centre.

    Parameters
    ----------
    max_rounds : int
        Rounds at the most.
    centres : {"median", "mean"}
        What the centre of a cluster is; medians in the paper.
    """

    centres: str = "median"

    def scaled(self, factors: Factors) -> Factors:
        """Scale the columns of W to unit length, into H; factors that have been cut stay 0 and 1."""
        if all(np.isin(side, (0, 1)).all() for side in (factors.W, factors.H)):
            return factors
        W = np.ascontiguousarray(factors.W)  # sums are rounded by the order in memory
        largest = np.max(np.abs(W), axis=0)
        largest = np.where(largest > 0, largest, 1).astype(W.dtype)
        unit = W / largest  # first, so that no square overflows or vanishes
        length = np.linalg.norm(unit, axis=0)
        length = np.where(length > 0, length, 1).astype(unit.dtype)
        return replace(factors, W=unit / length, H=factors.H * (length * largest)[:, None])

    def centre(self, members: Sequence[Factors]) -> tuple[Factors, int]:
        """Return medians or means: real numbers, even those of Boolean members."""
        found, ties = super().centre(members)
        return replace(found, boolean=False), ties

    def distances(self, W: Array, centre: Array) -> Array:
        """Return 1 - cosine of the angle between columns, the smaller one of theirs and that of -W."""
        sizes = np.outer(np.linalg.norm(W, axis=0), np.linalg.norm(centre, axis=0))
        return 1 - np.abs(np.divide(W.T @ centre, sizes, out=np.zeros_like(sizes), where=sizes > 0))

    def signs(self, W: Array, centre: Array) -> Array:
        """Return -1 for columns that point away from the centre's."""
        return np.where(np.einsum("ic,ic->c", W, centre) < 0, -1, 1).astype(W.dtype)

    def check(self, members: Sequence[Factors]) -> None:
        """Refuse other centres."""
        super().check(members)
        check_choice(self, "centres", ("median", "mean"))

    def middle(self, stack: Array) -> tuple[Array, int]:
        """Return medians or means."""
        return (np.median(stack, axis=0) if self.centres == "median" else np.mean(stack, axis=0)), 0


@strategy
class HammingAlign(Align):
    """Align Boolean factors by the cells in which columns differ; centres are majorities.

    Parameters
    ----------
    max_rounds : int
        Rounds at the most.
    counts : {"all", "missed", "extra"}
        Which differences count: all (Hamming distance), ones of the centre that the member misses (false
        negatives), or ones of the member that the centre has not (false positives).
    """

    counts: str = "all"

    def check(self, members: Sequence[Factors]) -> None:
        """Refuse factors that are not Boolean."""
        super().check(members)
        check_choice(self, "counts", ("all", "missed", "extra"))
        if not all(np.all((part == 0) | (part == 1)) for each in members for part in (each.W, each.H)):
            raise IncompatibleError(
                f"{self} compares factors of 0 and 1, but these have other values. Cut them first, with a "
                "threshold in the regime, or choose CosineAlign."
            )

    def distances(self, W: Array, centre: Array) -> Array:
        """Return shares of cells in which columns differ."""
        missed, extra = (1 - W).T @ centre, W.T @ (1 - centre)
        differ = {"all": missed + extra, "missed": missed, "extra": extra}[self.counts]
        return differ / len(W)

    def middle(self, stack: Array) -> tuple[Array, int]:
        """Return majorities; a tie is 0."""
        share = stack.mean(axis=0)
        return (share > 0.5).astype(stack.dtype), int(np.count_nonzero(share == 0.5))
