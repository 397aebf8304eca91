"""The range of values that are bounded by their scale, such as ratings from 1 to 5."""

from __future__ import annotations

import numpy as np

from latentlink.network.network import Network

__all__ = ["bounded_range"]

_LEAST_SHARE, _LEAST_COUNT = 0.02, 5  # of the known values, at either end of the range


def bounded_range(network: Network) -> tuple[float, float] | None:
    """Return the least and the greatest known value if the values are bounded by their scale, else None.

    Links and non-links, 0 and 1, are. Another scale that ends is recognised by its ends: each occurs in at
    least two of a hundred known values, and five times, as the extremes of measurements and of counts do not.
    Beside a background, pairs that are not listed are known zeros.

    Examples
    --------
    >>> bounded_range(Network.from_dense([[1.0, 2.0, 5.0], [5.0, 1.0, 3.0]] * 3))
    (1.0, 5.0)
    >>> bounded_range(Network.from_dense([[0.0, 1.0], [1.0, 0.0]]))
    (0.0, 1.0)
    >>> bounded_range(Network.from_dense([[0.1, 2.0], [1.0, 0.3]])) is None
    True
    """
    values = network.values[network.known]
    zeros = max(0, network.n_pairs - network.n_listed) if network.background else 0
    if not len(values):
        return None
    low, high = (min(values.min(), 0.0), max(values.max(), 0.0)) if zeros else (values.min(), values.max())
    if low == high:
        return None
    ends = min(np.count_nonzero(values == end) + (zeros if end == 0 else 0) for end in (low, high))
    links = bool(((values == 0) | (values == 1)).all())
    if not links and ends < max(_LEAST_COUNT, _LEAST_SHARE * (len(values) + zeros)):
        return None
    return float(low), float(high)
