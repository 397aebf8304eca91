"""Data out of proportion, and links alone, raise before any work."""

from __future__ import annotations

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
