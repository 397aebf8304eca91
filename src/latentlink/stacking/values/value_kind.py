"""Kinds of values: ratings on a scale, counts, or real numbers, and the range of their scores."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.network import Network
from latentlink.network.value_range import bounded_range
from latentlink.stacking.values.column_kernels import ColumnKernels
from latentlink.validation.wording import counted

__all__ = ["ValueKind", "kind_of_values"]

Array = NDArray[Any]

_MOST_STEPS = 50  # of a scale: values of more different sizes are measured, not chosen
_MOST_NAMED = 3  # ranges of columns in the sentence


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
    columns : tuple of (int, float, float)
        Columns with a range of their own, within that of all: the index, the least and the greatest score.
    """

    name: str
    low: float
    high: float
    sentence: str
    columns: tuple[tuple[int, float, float], ...] = ()

    @property
    def bounds(self) -> tuple[float, float] | None:
        """The range to which scores are clipped, if there is one."""
        return None if np.isinf(self.low) and np.isinf(self.high) else (self.low, self.high)

    @property
    def assumption(self) -> str:
        """What is assumed, as a whole sentence."""
        return f"The values were taken for {self.sentence}."

    def ranges(self, columns: int) -> tuple[Array, Array] | None:
        """Return the least and the greatest score of each column; None if they are the same for all."""
        if not self.columns:
            return None
        ends = np.tile([[self.low], [self.high]], columns)
        for j, *own in self.columns:
            ends[:, j] = own
        return ends[0], ends[1]


def kind_of_values(network: Network, standardized: bool = False) -> ValueKind:
    """Tell ratings, other bounded numbers, counts and real numbers apart by the known values.

    Parameters
    ----------
    network : Network
    standardized : bool
        Whether the sentence says that columns are standardized.

    Ends of a scale are recognised as by `latentlink.network.value_range.bounded_range`. Of a table of few
    columns, each column is looked at alone too: one may be of links and non-links beside real numbers.

    Examples
    --------
    >>> kind_of_values(Network.from_dense([[1.0, 2.0, 5.0], [5.0, 1.0, 3.0]] * 5)).sentence
    'ratings on a scale from 1 to 5 (4 different values), to which scores are clipped'
    >>> kind_of_values(Network.from_dense([[0.0, 7.0, 120.0], [31.0, 0.0, 2.0]])).name
    'counts'
    >>> kind_of_values(Network.from_dense([[0.5, -1.3], [2.2, 0.1]])).sentence
    'real numbers, whose scores have no bounds'
    """
    kind = _with_columns(_kind(network), network)
    if not standardized:
        return kind
    return replace(kind, sentence=f"{kind.sentence}; columns differ in unit, and each is standardized")


def _with_columns(kind: ValueKind, network: Network) -> ValueKind:
    """Return a kind with the columns that end at values of their own."""
    if not ColumnKernels.fit_to(network):
        return kind
    known = network.known
    cols, values = network.cols[known], network.values[known]
    values = values[np.argsort(cols, kind="stable")]
    ends = np.cumsum(np.bincount(cols, minlength=network.shape[1]))
    found = []
    for j, own in enumerate(np.split(values, ends[:-1])):
        alone = Network(np.arange(len(own)), np.zeros(len(own), int), own, shape=(max(1, len(own)), 1))
        low, high = bounded_range(alone) or (-np.inf, np.inf)
        low, high = max(low, kind.low), min(high, kind.high)
        if (low, high) != (kind.low, kind.high):
            found.append((j, low, high))
    if not found:
        return kind
    return replace(kind, sentence=_of_columns(kind.sentence, found, len(ends)), columns=tuple(found))


def _of_columns(sentence: str, found: list[tuple[int, float, float]], columns: int) -> str:
    """Return what is assumed of columns with ranges of their own, and of all others."""
    ranges = list(dict.fromkeys(_range_words(low, high) for _, low, high in found))
    named = ", ".join(ranges[:_MOST_NAMED]) + (", ..." if len(ranges) > _MOST_NAMED else "")
    if len(found) == columns:
        return f"columns on scales of their own ({named}), to which scores are clipped"
    which = f"scores of {counted(len(found), 'column')} of {columns}"
    return f"{sentence}; {which} are clipped to the range of the column ({named})"


def _range_words(low: float, high: float) -> str:
    if np.isinf(high):
        return f"at least {low:g}"
    return f"at most {high:g}" if np.isinf(low) else f"{low:g} to {high:g}"


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
