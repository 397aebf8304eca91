"""Sets of pairs of a network, for tests of sampled non-links."""


def listed_pairs(network):
    """All listed pairs."""
    return set(zip(network.rows.tolist(), network.cols.tolist(), strict=True))


def all_pairs(network):
    """All pairs that may be drawn: off the diagonal of a square network, unordered if it is symmetric."""
    n, m = network.shape
    return {
        (i, j)
        for i in range(n)
        for j in range(m)
        if (not network.square or i != j) and (not network.symmetric or i < j)
    }
