"""A factor that is elsewhere, and what the loop of all solvers does with it, as orders.

The loop freezes, reverts and extrapolates members. Here it does so with `Orders`, which notes what is to be
done with rows and columns alike; they do it when they get the orders with the next sweep.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from latentlink.solvers.descent.extrapolation import Moving

__all__ = ["HeldFactor", "Order", "Orders", "Scale"]

Array = NDArray[Any]
Order = tuple[str, Any]


class Scale(NamedTuple):
    """Factors by which rows are multiplied and columns divided, so that the penalty is least.

    Attributes
    ----------
    first, last : int
        The coordinates that are rescaled.
    factor : array, shape (last - first, members)
    """

    first: int
    last: int
    factor: Array


class _Member(NamedTuple):
    """One member of all factors, which `copy` freezes."""

    lane: int
    orders: Orders

    def copy(self) -> int:
        self.orders.add("freeze", self.lane)
        return self.lane


class Orders:
    """Seen from the loop, a factor of no nodes that is extrapolated; each use of it is noted as an order.

    Parameters
    ----------
    members : int
    """

    def __init__(self, members: int) -> None:
        self.members, self.shape = members, (0, 0, members)
        self._pending: list[Order] = []

    def add(self, name: str, argument: Any = None) -> None:
        """Note an order."""
        self._pending.append((name, argument))

    def taken(self) -> list[Order]:
        """Return the orders since the last time."""
        taken, self._pending = self._pending, []
        return taken

    def __getitem__(self, key: tuple[Any, int]) -> _Member:
        return _Member(key[1], self)

    def __setitem__(self, key: tuple[Any, int], value: int) -> None:
        self.add("restore", key[1])

    def accepted(self) -> None:
        """Order to note the factors as accepted."""
        self.add("accept")

    def revert(self, accepted: None, members: NDArray[np.bool_]) -> None:
        """Order to reset some members to the accepted factors."""
        self.add("revert", members)

    def extrapolate(self, accepted: None, beta: NDArray[np.float64]) -> None:
        """Order to move the factors on along their change."""
        self.add("extrapolate", beta)


class HeldFactor:
    """A factor that carries out orders.

    Parameters
    ----------
    moving : Moving
        The coordinates that change.
    divided : bool
        Whether a rescaling divides it: columns are divided by what rows are multiplied with.
    """

    def __init__(self, moving: Moving, divided: bool) -> None:
        self._moving, self._divided = moving, divided
        self._accepted: Array | None = None
        self._frozen: dict[int, Array] = {}

    def obey(self, orders: list[Order]) -> None:
        """Carry out orders, one after the other."""
        for name, argument in orders:
            getattr(self, f"_{name}")(argument)

    @property
    def state(self) -> dict[str, Array]:
        """The factor and its copies, as arrays by name."""
        copies = {} if self._accepted is None else {"accepted": self._accepted}
        return {"factor": self._moving.factor, **copies} | {
            f"frozen-{lane}": copy for lane, copy in self._frozen.items()
        }

    @state.setter
    def state(self, stored: dict[str, Array]) -> None:
        self._moving.factor[...] = stored["factor"]
        self._accepted = stored.get("accepted")
        lanes = [name.partition("-")[2] for name in stored if name.startswith("frozen-")]
        self._frozen = {int(lane): stored[f"frozen-{lane}"] for lane in lanes}

    def _accept(self, _: None) -> None:
        self._accepted = self._moving.accepted()

    def _revert(self, members: NDArray[np.bool_]) -> None:
        assert self._accepted is not None
        self._moving.revert(self._accepted, members)

    def _extrapolate(self, beta: NDArray[np.float64]) -> None:
        assert self._accepted is not None
        self._accepted = self._moving.extrapolate(self._accepted, beta)

    def _freeze(self, lane: int) -> None:
        self._frozen[lane] = self._moving.factor[..., lane].copy()

    def _restore(self, lane: int) -> None:
        self._moving.factor[..., lane] = self._frozen[lane]

    def _scale(self, scale: Scale) -> None:
        inner = self._moving.factor[:, scale.first : scale.last]
        if self._divided:
            inner /= scale.factor
        else:
            inner *= scale.factor
