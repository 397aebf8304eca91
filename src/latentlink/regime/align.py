"""Alignment of the components of ensemble members, and the centre of the aligned members."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from latentlink.errors import IncompatibleError
from latentlink.factors import Factors
from latentlink.strategy import Strategy, strategy
from latentlink.validation.bounds import MOST_ROUNDS
from latentlink.validation.choices import check_choice
from latentlink.validation.numbers import check_number

__all__ = ["Align", "Aligned", "CosineAlign", "HammingAlign"]

Array = NDArray[Any]
Matching = tuple[Array, Array]


@dataclass(frozen=True, eq=False)
class Aligned:
    """Members with their components in a common order, and their centre.

    Attributes
    ----------
    members : tuple of Factors
        The members with permuted components; biases stay their own.
    centre : Factors
        The centre of the members, such as their median.
    rounds : int
        Number of assignment rounds until the order converged.
    ties : int
        Number of entries of a Boolean centre at which exactly half of the members are 1; these are set to 0.
    """

    members: tuple[Factors, ...]
    centre: Factors
    rounds: int
    ties: int


@strategy
class Align(Strategy):
    """Base class of alignments: cluster the columns of all members' W, one of each member in each cluster.

    Starting with the columns of the first member as centres, the columns of every member are assigned to the
    centres one to one with the smallest total distance (linear sum assignment), and the centres are updated,
    until the order converges. Rows of H are permuted with the columns of W.

    Parameters
    ----------
    max_rounds : int, default=100
        Largest number of rounds.

    Attributes
    ----------
    rotates : bool
        Whether components are rotated, as draws from a posterior need, rather than permuted.
    """

    max_rounds: int = 100

    rotates: ClassVar[bool] = False

    def align(self, members: Sequence[Factors]) -> Aligned:
        """Permute the components of every member into a common order, and compute the centre.

        The scores of a member do not change, except for rounding.
        """
        self.check(members)
        scaled = [self.scaled(member) for member in members]
        centre = scaled[0].W
        matchings: list[Matching] = []
        for rounds in range(1, self.max_rounds + 1):
            new = [self.matching(member.W, centre) for member in scaled]
            converged = rounds > 1 and all(np.array_equal(a, b) for a, b in zip(matchings, new, strict=True))
            matchings = new
            if converged:
                break
            permuted = [
                member.W[:, order] * signs for member, (order, signs) in zip(scaled, matchings, strict=True)
            ]
            centre = self.central(np.stack(permuted))[0]
        aligned = tuple(
            replace(
                member,
                W=np.ascontiguousarray(member.W[:, order] * signs),
                H=member.H[order] * signs[:, None],
            )
            for member, (order, signs) in zip(scaled, matchings, strict=True)
        )
        central_model, ties = self.centre(aligned)
        return Aligned(aligned, central_model, rounds, ties)

    def matching(self, W: Array, centre: Array) -> Matching:
        """Return the column of W that is assigned to each column of the centre, and its sign."""
        order = linear_sum_assignment(self.distances(W, centre).T)[1]
        return order, self.signs(W[:, order], centre)

    def signs(self, W: Array, centre: Array) -> Array:
        """Return the sign of each matched column, 1 or -1; always 1 for non-negative factors."""
        del centre
        return np.ones(W.shape[1], W.dtype)

    def check_settings(self) -> None:
        """Raise IncompatibleError for parameters out of range."""
        check_number(self, "max_rounds", 1, MOST_ROUNDS, whole=True)

    def check(self, members: Sequence[Factors]) -> None:
        """Raise IncompatibleError for parameters out of range, and for members of different kinds."""
        self.check_settings()
        if not members:
            raise IncompatibleError(f"{self} has no members to align; expected at least one.")
        kinds = {
            (member.shape, member.rank, member.row_bias is None, member.col_bias is None)
            for member in members
        }
        if len(kinds) > 1:
            raise IncompatibleError(
                f"{self} aligns members of one shape and rank that all have the same biases, but these are "
                f"of {len(kinds)} kinds (shapes {', '.join(sorted({str(kind[0]) for kind in kinds}))}; ranks "
                f"{', '.join(map(str, sorted({kind[1] for kind in kinds})))})."
            )

    def centre(self, members: Sequence[Factors]) -> tuple[Factors, int]:
        """Return the centre of aligned members, with medians of the biases, and the number of ties."""
        W, ties_in_W = self.central(np.stack([member.W for member in members]))
        H, ties_in_H = self.central(np.stack([member.H for member in members]))
        first = members[0]
        biases = {
            name: np.median([getattr(member, name) for member in members], axis=0)
            for name in ("row_bias", "col_bias")
            if getattr(first, name) is not None
        }
        offset = float(np.median([member.offset for member in members]))
        return replace(first, W=W, H=H, offset=offset, **biases), ties_in_W + ties_in_H

    def scaled(self, factors: Factors) -> Factors:
        """Return the model scaled so that members can be compared; by default as it is."""
        return factors

    @abstractmethod
    def distances(self, W: Array, centre: Array) -> Array:
        """Return the distances between columns of W and of the centre, shape (rank, rank)."""

    @abstractmethod
    def central(self, stack: Array) -> tuple[Array, int]:
        """Return the central value over the first axis, such as the median, and the number of ties."""


@strategy
class CosineAlign(Align):
    """Align real-valued factors by the cosine of the angle between columns.

    Columns of W are first scaled to unit length, and H by the inverse, so that members can be averaged. Where
    factors have both signs, the sign of a component is arbitrary: W and H are multiplied by -1 together where
    that matches the centre.

    Parameters
    ----------
    max_rounds : int, default=100
        Largest number of rounds.
    centres : {"median", "mean"}, default="median"
        Central value of the members; medians in the paper.
    silhouettes : {"cosine", "angle"}, default="cosine"
        Distance of components in silhouettes: 1 - cosine, or the angle. On the same members silhouettes by
        the angle are lower, so that a threshold of 0.8 is stricter.
    """

    centres: str = "median"
    silhouettes: str = "cosine"

    def scaled(self, factors: Factors) -> Factors:
        """Scale the columns of W to unit length, and H by the inverse; binarized factors stay 0 and 1."""
        if all(np.isin(side, (0, 1)).all() for side in (factors.W, factors.H)):
            return factors
        W = np.ascontiguousarray(factors.W)  # the rounding of sums depends on the memory layout
        largest = np.max(np.abs(W), axis=0)
        largest = np.where(largest > 0, largest, 1).astype(W.dtype)
        unit = W / largest  # so that no square overflows or underflows
        length = np.linalg.norm(unit, axis=0)
        length = np.where(length > 0, length, 1).astype(unit.dtype)
        return replace(factors, W=unit / length, H=factors.H * (length * largest)[:, None])

    def centre(self, members: Sequence[Factors]) -> tuple[Factors, int]:
        """Return the centre of aligned members; it is real-valued even if the members are Boolean."""
        central_model, ties = super().centre(members)
        return replace(central_model, boolean=False), ties

    def distances(self, W: Array, centre: Array) -> Array:
        """Return 1 - |cosine| of the angles between columns: the sign of a column does not matter."""
        sizes = np.outer(np.linalg.norm(W, axis=0), np.linalg.norm(centre, axis=0))
        return 1 - np.abs(np.divide(W.T @ centre, sizes, out=np.zeros_like(sizes), where=sizes > 0))

    def signs(self, W: Array, centre: Array) -> Array:
        """Return -1 for columns at an obtuse angle to those of the centre, else 1."""
        return np.where(np.einsum("ic,ic->c", W, centre) < 0, -1, 1).astype(W.dtype)

    def check_settings(self) -> None:
        """Raise IncompatibleError for parameters out of range."""
        super().check_settings()
        check_choice(self, "centres", ("median", "mean"))
        check_choice(self, "silhouettes", ("cosine", "angle"))

    def central(self, stack: Array) -> tuple[Array, int]:
        """Return the median or the mean over the first axis, and no ties."""
        return (np.median(stack, axis=0) if self.centres == "median" else np.mean(stack, axis=0)), 0


@strategy
class HammingAlign(Align):
    """Align Boolean factors by the Hamming distance between columns; by default centres are majority votes.

    Parameters
    ----------
    max_rounds : int, default=100
        Largest number of rounds.
    counts : {"all", "missed", "extra"}, default="all"
        Which differences count: all (Hamming distance), ones of the centre that are 0 in the member (false
        negatives), or ones of the member that are 0 in the centre (false positives).
    centres : {"majority", "all", "any"}, default="majority"
        An entry of the centre is 1 if more than half of the members are 1 there, if all are ("and"), or if
        any is ("or"). "all" goes with ``counts="missed"`` and "any" with ``counts="extra"``: such a centre is
        nearest to all members by that distance.
    """

    counts: str = "all"
    centres: str = "majority"

    def check_settings(self) -> None:
        """Raise IncompatibleError for parameters out of range."""
        super().check_settings()
        check_choice(self, "counts", ("all", "missed", "extra"))
        check_choice(self, "centres", ("majority", "all", "any"))

    def check(self, members: Sequence[Factors]) -> None:
        """Raise IncompatibleError for invalid parameters, and for factors other than 0 and 1."""
        super().check(members)
        if not all(np.all((side == 0) | (side == 1)) for member in members for side in (member.W, member.H)):
            raise IncompatibleError(
                f"{self} compares factors of 0 and 1, but these have other values. Set a threshold in the "
                "regime, which binarizes them, or choose CosineAlign."
            )

    def distances(self, W: Array, centre: Array) -> Array:
        """Return the shares of entries in which columns differ."""
        missed, extra = (1 - W).T @ centre, W.T @ (1 - centre)
        differ = {"all": missed + extra, "missed": missed, "extra": extra}[self.counts]
        return differ / len(W)

    def central(self, stack: Array) -> tuple[Array, int]:
        """Return the majority over the first axis, where a tie is 0, and the number of ties."""
        if self.centres != "majority":
            combine = np.min if self.centres == "all" else np.max
            return combine(stack, axis=0), 0
        share = stack.mean(axis=0)
        return (share > 0.5).astype(stack.dtype), int(np.count_nonzero(share == 0.5))
