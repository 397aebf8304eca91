"""Data out of proportion, and links alone, raise before any work."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.errors import IncompatibleError
from latentlink.network import Network
from latentlink.solvers import WNMF


@pytest.mark.parametrize("background", [1e20, 1e-300])
def test_a_background_out_of_proportion_raises(background):
    network = Network.from_edges([(0, 0, 1.0), (1, 1, 2.0)], shape=(3, 3), background=background)
    with pytest.raises(IncompatibleError, match=r"background weight is 1e[+-].*from 1e-10 to 1e\+10"):
        WNMF().solve(network, 1, 0)


def test_a_single_link_is_links_alone():
    network = Network.from_edges([(0, 1)], symmetric=True, shape=(3, 3))
    with pytest.raises(IncompatibleError, match="The only known value is 1 and the rest is unknown"):
        WNMF().solve(network, 1, 0)


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("loops", [False, True])
def test_links_alone_raise_if_a_single_pair_is_unknown(symmetric, loops):
    """The diagonal of an undirected network without self loops does not count as unknown."""
    known = np.triu(np.ones((4, 4), bool), 0 if loops else 1) if symmetric else np.ones((4, 4), bool)
    if not symmetric and not loops:
        known[3, 3] = False
    rows, cols = np.nonzero(known)
    network = Network(rows, cols, shape=(4, 4), symmetric=symmetric)
    if symmetric or loops:
        WNMF(max_iter=2000, ridge=0.01).check(network)
        network = network.subset(np.arange(len(rows)) != 2)
    with pytest.raises(
        IncompatibleError,
        match=rf"All {network.n_listed} known values are 1 and the rest .* use LinkStack\(\)\.fit\(network\)",
    ):
        WNMF().check(network)
    twos = network.with_values(np.full(network.n_listed, 2.0))
    with pytest.raises(IncompatibleError, match=r"known values are 2 .* There are three ways: list"):
        WNMF().check(twos)
