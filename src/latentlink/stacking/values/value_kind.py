"""Kinds of values: ratings on a scale, counts, or real numbers, and the range of their scores."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from latentlink.network import Network
from latentlink.network.value_range import bounded_range
from latentlink.validation.wording import counted

__all__ = ["ValueKind", "kind_of_values"]

_MOST_STEPS = 50  # of a scale: values of more different sizes are measured, not chosen


@dataclass(frozen=True)
class ValueKind:
    """What the values of a network are taken for.

    Attributes
    ----------
    name : str
        "scale" (ordinal ratings), "bounded" (numbers with one end or two), "counts" or "real".
    low, high : float
        The range of scores, -inf and inf where there is none.
    sentence : str
        What is assumed, in words.
    """

    name: str
    low: float
    high: float
    sentence: str

    @property
    def bounds(self) -> tuple[float, float] | None:
        """The range to which scores are clipped, if there is one."""
        return None if np.isinf(self.low) and np.isinf(self.high) else (self.low, self.high)


def kind_of_values(network: Network, standardized: bool = False) -> ValueKind:
    """Tell ratings, other bounded numbers, counts and real numbers apart by the known values.

    Parameters
    ----------
    network : Network
    standardized : bool
        Whether the sentence says that columns are standardized.

    Ends of a scale are recognised as by `latentlink.network.value_range.bounded_range`.

    Examples
    --------
    >>> kind_of_values(Network.from_dense([[1.0, 2.0, 5.0], [5.0, 1.0, 3.0]] * 5)).sentence
    'ratings on a scale from 1 to 5 (4 different values), to which scores are clipped'
    >>> kind_of_values(Network.from_dense([[0.0, 7.0, 120.0], [31.0, 0.0, 2.0]])).name
    'counts'
    >>> kind_of_values(Network.from_dense([[0.5, -1.3], [2.2, 0.1]])).sentence
    'real numbers, whose scores have no bounds'
    """
    kind = _kind(network)
    if not standardized:
        return kind
    return replace(kind, sentence=f"{kind.sentence}; columns differ in scale, and each is standardized")


def _kind(network: Network) -> ValueKind:
    values = network.values[network.known]
    different = len(np.unique(values))
    amounts = len(values) > 0 and bool((values >= 0).all() and (values == np.rint(values)).all())
    low, high = bounded_range(network) or (-np.inf, np.inf)
    if np.isfinite([low, high]).all():
        if different <= _MOST_STEPS:
            what = f"ratings on a scale from {low:g} to {high:g} ({counted(different, 'different value')})"
            return ValueKind("scale", low, high, f"{what}, to which scores are clipped")
        what = f"numbers between {low:g} and {high:g}, at which they end"
        return ValueKind("bounded", low, high, f"{what}: scores are clipped to this range")
    if amounts and different > 2:
        most = f", and at most {high:g}" if np.isfinite(high) else ""
        return ValueKind("counts", 0.0, high, f"counts, whose scores are at least 0{most}")
    if np.isfinite(low) or np.isfinite(high):
        end = f"at least {low:g}" if np.isfinite(low) else f"at most {high:g}"
        return ValueKind("bounded", low, high, f"numbers of {end}, to which scores are clipped")
    return ValueKind("real", -np.inf, np.inf, "real numbers, whose scores have no bounds")
