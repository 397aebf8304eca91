"""Data out of proportion, and links alone, raise before any work."""

from __future__ import annotations

import re

import numpy as np
import pytest

from latentlink.errors import IncompatibleError
from latentlink.network import Network
from latentlink.solvers import RNMF, WNMF


@pytest.mark.parametrize("background", [1e20, 1e-300])
def test_a_background_out_of_proportion_raises(background):
    network = Network.from_edges([(0, 0, 1.0), (1, 1, 2.0)], shape=(3, 3), background=background)
    with pytest.raises(IncompatibleError, match=r"background weight is 1e[+-].*from 1e-10 to 1e\+10"):
        WNMF().solve(network, 1, 0)


@pytest.mark.parametrize("weight", [1e20, 1e-300, 1.1e10, 0.9e-10])
@pytest.mark.parametrize("solver", [WNMF(), RNMF()], ids=repr)
def test_a_weight_out_of_proportion_raises(solver, weight):
    known = np.ones((3, 4))
    known[1, 2] = weight
    network = Network.from_dense(np.arange(1.0, 13.0).reshape(3, 4), mask=known)
    shown = re.escape(f"the known value 7 at (1, 2) has the weight {weight:g}, where the median is 1;")
    with pytest.raises(IncompatibleError, match=rf"{shown} expected from 1e-10 to 1e\+10"):
        solver.solve(network, 1, 0)


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_weights_in_proportion_are_fitted(scale):
    """Most weights say what is usual, and a weight of 0 hides."""
    known = np.array([[1.0, 0.9e10, 1.0], [1.1e-10, 0.0, 1.0]]) * scale
    network = Network.from_dense(np.ones((2, 3)) + np.eye(2, 3), mask=known)
    assert WNMF().check(network) is None


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
        match=rf"All {network.n_listed} known values are 1 and the rest .* There are three ways: list",
    ):
        WNMF().check(network)
    twos = network.with_values(np.full(network.n_listed, 2.0))
    with pytest.raises(IncompatibleError, match=r"known values are 2 .* There are three ways: list"):
        WNMF().check(twos)


def test_the_stack_is_named_where_it_can_be_fitted():
    path = [(f"n{number}", f"n{number + 1}") for number in range(20)]
    for length, named in ((19, False), (20, True)):
        network = Network.from_edges(path[:length], symmetric=True)
        with pytest.raises(IncompatibleError) as raised:
            WNMF().check(network)
        assert ("use LinkStack().fit(network)" in str(raised.value)) == named


@pytest.mark.parametrize(
    ("edges", "options"),
    [
        ([("ann", "tea")], {}),
        ([("ann", "tea"), ("ann", "milk")], {}),
        ([("ann", "tea", 1.0)], {}),
        ([(0, 0)], {}),
        ([("ann", "bob")], {"symmetric": True}),
        ([("ann", "bob"), ("bob", "eve"), ("ann", "eve")], {"symmetric": True}),
    ],
)
def test_a_list_of_links_alone_raises_though_no_pair_is_left(edges, options):
    network = Network.from_edges(edges, **options)
    for solver in (WNMF(), RNMF()):
        with pytest.raises(IncompatibleError, match=r"no other pair.* name the nodes that have none"):
            solver.check(network)
    WNMF().check(network.with_background(0.1))


def test_a_file_of_links_alone_raises_and_a_matrix_of_ones_does_not(tmp_path):
    (tmp_path / "links.csv").write_text("source,target\nann,tea\n")
    with pytest.raises(IncompatibleError, match="no other pair"):
        WNMF().check(Network.from_file(tmp_path / "links.csv"))
    np.save(tmp_path / "ones.npy", np.ones((2, 2)))
    WNMF().check(Network.from_file(tmp_path / "ones.npy"))
    WNMF().check(Network.from_dense(np.ones((2, 2))))
    WNMF().check(Network.from_edges([(0, 0, 3.0), (0, 1, 3.0)]))
