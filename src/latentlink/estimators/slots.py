"""Slots: parameters that hold settings objects, and mean a default of their own while they are None."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, ClassVar, Self

from sklearn.base import BaseEstimator

__all__ = ["Slotted"]


class Slotted(BaseEstimator):
    """An estimator some of whose parameters are settings objects.

    scikit-learn allows no object as a default, so such a parameter is None until it is given. Its own
    parameters are listed by ``get_params`` all the same, and ``set_params`` makes the default when one of
    them is set.
    """

    _slots: ClassVar[tuple[str, ...]] = ()

    def _default(self, slot: str) -> Any:
        """Return a new object of what a slot means while it is None."""
        raise NotImplementedError

    def _filled(self, slot: str) -> Any:
        """Return what is in a slot, or its default."""
        given = getattr(self, slot)
        return self._default(slot) if given is None else given

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return all parameters; if ``deep``, those of the objects in slots too, be they defaults."""
        found: dict[str, Any] = super().get_params(deep=deep)
        if deep:
            for slot in self._slots:
                if getattr(self, slot) is None:
                    inner = self._default(slot).get_params(deep=True)
                    found.update({f"{slot}__{name}": value for name, value in inner.items()})
        return found

    def set_params(self, **params: Any) -> Self:
        """Set parameters, also those of the objects in slots: ``set_params(solver__ridge=1.0)``."""
        inner: dict[str, dict[str, Any]] = defaultdict(dict)
        plain: dict[str, Any] = {}
        for name, value in params.items():
            slot, _, rest = name.partition("__")
            if rest and slot in self._slots:
                inner[slot][rest] = value
            else:
                plain[name] = value
        super().set_params(**plain)
        for slot in (slot for slot in self._slots if slot in inner):
            # A default is stored only once it has taken its parameters.
            setattr(self, slot, self._filled(slot).set_params(**inner[slot]))
        return self
