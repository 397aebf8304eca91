"""Ensembles: networks that share their listed pairs and differ in values and weights."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network.network import Network
from latentlink.validation.numbers import checked_count

__all__ = ["Ensemble"]

Derived = TypeVar("Derived")


@dataclass(frozen=True, eq=False)
class Ensemble:
    """Ensemble of networks that share their listed pairs and differ in values and weights.

    Attributes
    ----------
    network : Network
        The listed pairs, shape, background and names that all members share.
    values : array, shape (listed, members)
        Values of each member; NaN for entries left out of a member.
    weights : array, shape (listed,) or (listed, members)
        Weights shared by all members, or weights of each member.
    checked_by : type or None
        The class of solvers whose `check` has passed for these data, so that it is not repeated at every
        rank. The data must not change any more.

    Examples
    --------
    >>> network = Network([0, 1], [0, 1], [1.0, 2.0], shape=(2, 2))
    >>> Ensemble.of(network, members=3).values.shape
    (2, 3)
    """

    network: Network
    values: NDArray[Any]
    weights: NDArray[Any]
    checked_by: type | None = None
    _derived: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        for name in ("values", "weights"):
            array = getattr(self, name)
            if not isinstance(array, np.ndarray) or array.dtype.kind not in "biuf":
                raise InputError(
                    f"The {name} of the ensemble are of type {type(array).__name__}; expected an array of "
                    "real numbers."
                )
        listed = self.network.n_listed
        if self.values.ndim != 2 or len(self.values) != listed or self.values.shape[1] < 1:
            raise InputError(
                f"The values of the ensemble have shape {self.values.shape}; expected ({listed}, members), "
                "one row for each listed entry and one column for each member."
            )
        if self.weights.shape not in {(listed,), self.values.shape}:
            raise InputError(
                f"The weights of the ensemble have shape {self.weights.shape}; expected ({listed},), shared "
                f"by all members, or {self.values.shape}, for each member its own."
            )

    @classmethod
    def of(cls, network: Network, members: int = 1) -> Ensemble:
        """Return an ensemble whose members all equal the network, without copying it."""
        members = checked_count(members, "The number of members")
        values = np.broadcast_to(network.values[:, None], (network.n_listed, members))
        return cls(network, values, network.weights)

    @property
    def n_members(self) -> int:
        """Number of members."""
        return self.values.shape[1]

    @property
    def is_uniform(self) -> bool:
        """Whether all members equal the network and share its memory."""
        return self.values.strides[1] == 0 and self.weights.ndim == 1

    def as_checked(self, solver: object) -> Ensemble:
        """Return the same data, marked as having passed the `check` of a solver."""
        return replace(self, checked_by=type(solver))

    def derived(self, name: Hashable, compute: Callable[[], Derived]) -> Derived:
        """Return a quantity of the data; of checked data, which do not change, it is computed once.

        A rank search solves the same data at every rank and from several starts.
        """
        if self.checked_by is None:
            return compute()
        if name not in self._derived:
            self._derived[name] = compute()
        quantity: Derived = self._derived[name]
        return quantity

    def member_entries(self, member: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return values and weights of a member's listed entries, both 0 for entries that it leaves out."""
        # Members are innermost in memory: each pass over a column would read those of all members.
        values = np.ascontiguousarray(self.values[:, member])
        weights = self.weights if self.weights.ndim == 1 else np.ascontiguousarray(self.weights[:, member])
        known = ~np.isnan(values) & (weights > 0)
        return np.where(known, values, 0.0), np.where(known, weights, 0.0)

    def member_count(self, member: int) -> int:
        """Return the number of a member's listed entries that are known."""
        return int(np.count_nonzero(self.member_entries(member)[1]))

    def member_mean(self, member: int) -> float:
        """Return the weighted mean of a member's known entries, unlisted zeros included."""
        return self._moment(member, 1)

    def member_std(self, member: int) -> float:
        """Return the weighted standard deviation of a member's known entries, unlisted zeros included."""
        return float(np.sqrt(max(0.0, self._moment(member, 2) - self._moment(member, 1) ** 2)))

    def member_squares(self, member: int, centre: float) -> float:
        """Return the weighted sum of squares of a member's known entries minus a number."""

        def compute() -> float:
            values, weights = self.member_entries(member)
            return float(np.sum(weights * (values - centre) ** 2))

        return self.derived(("squares", member, centre), compute)

    def _moment(self, member: int, power: int) -> float:
        return self.derived(("moment", member, power), lambda: self._new_moment(member, power))

    def _new_moment(self, member: int, power: int) -> float:
        network = self.network
        values, weights = self.member_entries(member)
        unlisted = network.n_pairs - network.n_listed
        if network.symmetric and not network.has_self_loops:
            unlisted -= network.shape[0]  # the diagonal is hidden
        total = weights.sum() + network.background * unlisted
        return float((weights * values**power).sum() / total) if total > 0 else 0.0

    def with_listed(
        self, rows: NDArray[Any], cols: NDArray[Any], weights: NDArray[Any], background: float
    ) -> Ensemble:
        """List more pairs, with value 0 and the given weights for all members, and set the background."""
        old, extra = self.network, len(rows)
        position = np.arange(old.n_listed + extra, dtype=np.float64)
        network = old.with_background(background).relisted(
            np.concatenate([old.rows, rows]),
            np.concatenate([old.cols, cols]),
            position,  # as temporary values: sorted with the entries, they give the new order
            np.ones(len(position)),
        )
        order = network.values.astype(np.int64)
        values = np.concatenate([self.values, np.zeros((extra, self.n_members))])[order]
        shape = (extra, *self.weights.shape[1:])
        added = np.broadcast_to(weights.reshape(-1, *[1] * (self.weights.ndim - 1)), shape)
        all_weights = np.concatenate([self.weights, added])[order]
        shared = all_weights if all_weights.ndim == 1 else all_weights.max(axis=1)
        own = np.concatenate([old.values, np.zeros(extra)])[order]
        network = network.with_values(own).with_weights(shared)
        return Ensemble(network, values, all_weights)
