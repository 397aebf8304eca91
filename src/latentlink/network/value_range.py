"""The range of values that are bounded by their scale, such as ratings from 1 to 5."""

from __future__ import annotations

import numpy as np

from latentlink.network.network import Network

__all__ = ["bounded_range"]

_LEAST_SHARE, _LEAST_COUNT = 0.02, 5  # of the known values, at either end of the range


def bounded_range(network: Network) -> tuple[float, float] | None:
    """Return the least and the greatest known value if the values are bounded by their scale, else None.

    A scale that ends is recognised by its ends: each occurs in at least two of a hundred known values, and
    five times, as the extremes of measurements and of counts do not. Values of two kinds, such as 0 and 1,
    and networks with a background are no scale: their scores rank pairs, and pairs above 1 would all be
    alike.

    Examples
    --------
    >>> bounded_range(Network.from_dense([[1.0, 2.0, 5.0], [5.0, 1.0, 3.0]] * 3))
    (1.0, 5.0)
    >>> bounded_range(Network.from_dense([[0.0, 1.0], [1.0, 0.0]])) is None
    True
    """
    values = network.values[network.known]
    if network.background or not len(values):
        return None
    low, high = values.min(), values.max()
    inside = np.count_nonzero((values > low) & (values < high))
    ends = min(np.count_nonzero(values == low), np.count_nonzero(values == high))
    if not inside or ends < max(_LEAST_COUNT, _LEAST_SHARE * len(values)):
        return None
    return float(low), float(high)
