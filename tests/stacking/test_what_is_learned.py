"""What a stack learns from a list of links, and what it warns of."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from latentlink import LinkStack, Network
from latentlink.errors import DataWarning, InputError
from latentlink.estimators.loading.loaded_state import NETWORK_PARTS, given_network
from latentlink.stacking import learned_network
from latentlink.stacking.links_alone import warn_of_links_alone, without_self_loops
from tests.helpers.joint_fits import groups, links_of
from tests.proximity.test_proximity import KINDS, network_of


def planted(nodes=60):
    """Return the links of three groups, by name."""
    rng = np.random.default_rng(0)
    group = rng.integers(0, 3, nodes)
    chance = np.where(group[:, None] == group, 0.5, 0.03)
    rows, cols = np.nonzero(np.triu(rng.random((nodes, nodes)) < chance, 1))
    return [(f"p{row:02}", f"p{col:02}") for row, col in zip(rows, cols, strict=True)]


def warned(function, *arguments):
    """Return what is warned of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function(*arguments)
    assert all(issubclass(each.category, DataWarning) for each in caught)
    return [str(each.message) for each in caught]


@pytest.mark.parametrize("kind", ["undirected", "directed"])
def test_self_loops_are_left_out_with_a_warning(kind):
    links = network_of(kind, size=20, share=0.3)
    loops = np.arange(5, dtype=links.rows.dtype)
    both = [
        np.concatenate(each) for each in zip(links.entries, (loops, loops, *np.ones((2, 5))), strict=True)
    ]
    network = links.relisted(*both)
    with pytest.warns(DataWarning, match="^5 links of nodes with themselves are left out of what is learned"):
        assert without_self_loops(network) == links
    with pytest.warns(DataWarning, match="^1 link of a node with itself is left out"):
        without_self_loops(network.hide((network.rows == network.cols) & (network.rows > 0)))
    with pytest.warns(DataWarning, match="left out"):
        learned, drawn = learned_network(LinkStack(), network, 0)
    assert drawn == links.n_known
    assert not (learned.known & (learned.rows == learned.cols)).any()


def test_a_pair_of_equal_indices_of_two_kinds_is_no_loop():
    links = network_of("bipartite")
    assert (links.rows == links.cols).any()
    assert without_self_loops(links) is links


def test_labelled_networks_are_learned_from_as_they_are():
    network = groups()
    assert learned_network(LinkStack(), network, 0) == (network, 0)
    background = links_of(groups(), 0.3)
    assert learned_network(LinkStack(), background, 0)[0] is background


@pytest.mark.parametrize("kind", KINDS)
def test_nodes_without_links_are_counted_on_the_links(kind):
    links = network_of(kind, share=0.3)
    n, m = links.shape
    larger = Network(*links.entries, shape=(n + 7, m + (7 if links.square else 1)), symmetric=links.symmetric,
                     square=links.square)  # fmt: skip
    sentences = warned(warn_of_links_alone, larger)
    if links.square:
        (nodes,) = sentences
        assert nodes.startswith(f"7 nodes have no known link ({n}, {n + 1}, {n + 2}, {n + 3}, {n + 4} and 2")
    else:
        rows, columns = sentences
        assert rows.startswith("7 rows have no known link (")
        assert columns.startswith(f"1 column has no known link ({m})")
    assert not warned(warn_of_links_alone, links)


@pytest.mark.parametrize("kind", KINDS)
def test_nodes_whose_links_are_kept_back_have_known_links(kind):
    links = network_of(kind, share=0.3)
    node = links.rows[0]
    ends = (links.rows == node) | ((links.cols == node) & links.square)
    sentences = warned(warn_of_links_alone, links.hide(np.flatnonzero(ends)))
    assert any(f"are kept back from it ({node}" in each for each in sentences)
    assert not any("no known link" in each for each in sentences)


def test_a_forgotten_direction_warns():
    (sentence,) = warned(warn_of_links_alone, Network.from_edges(planted()))
    assert sentence.startswith("93 % of the names are both in rows and in columns")
    assert "symmetric=True" in sentence
    assert "square=True" in sentence
    assert not warned(warn_of_links_alone, Network.from_edges(planted(), symmetric=True))
    assert not warned(warn_of_links_alone, Network.from_edges(planted(), square=True))
    two_kinds = [(row, f"of {col}") for row, col in planted()]
    assert not warned(warn_of_links_alone, Network.from_edges(two_kinds))


def test_numbers_on_both_sides_warn_unless_a_pair_has_equal_ones():
    numbers = [(row[1:], col[1:]) for row, col in planted()]
    assert len(warned(warn_of_links_alone, Network.from_edges(numbers))) == 1
    assert not warned(warn_of_links_alone, Network.from_edges([*numbers, ("05", "05")]))
    assert len(warned(warn_of_links_alone, Network.from_edges([*planted(), ("p05", "p05")]))) == 1


def test_a_saved_network_that_is_not_that_of_the_model_raises():
    links = network_of("undirected", size=20, share=0.3)
    fitted, _ = learned_network(LinkStack(), links, 0)
    parts = {name: getattr(links, name) for name in NETWORK_PARTS}
    assert given_network(None, fitted) is None
    assert given_network(parts, fitted) == links
    fewer = links.subset(np.arange(links.n_listed) > 0)
    for wrong in (
        7,
        {**parts, "background": 0.5},
        {**parts, "shape": (21, 21)},
        {**parts, "row_names": np.array([f"n{number}" for number in range(20)])},
        {name: getattr(fewer, name) for name in NETWORK_PARTS},
    ):
        with pytest.raises(InputError, match=r"given network|network whose shape"):
            given_network(wrong, fitted)


def test_nodes_without_links_of_a_list_of_integers_may_be_ids():
    """Of a matrix, and of names, they are not."""
    links = [(a, b) for a in range(1, 9) for b in range(1, a)]
    (sentence,) = warned(warn_of_links_alone, Network.from_edges(links, symmetric=True))
    assert sentence.startswith("1 node has no known link (0)")
    assert sentence.endswith("if they are ids, read them as names, that is as text.")
    dense = np.full((9, 9), np.nan)
    dense[tuple(np.array(links).T)] = dense.T[tuple(np.array(links).T)] = 1
    (sentence,) = warned(warn_of_links_alone, Network.from_dense(dense, symmetric=True))
    assert sentence.endswith("may be a high score.")
    named = Network.from_edges(
        [(str(a), str(b)) for a, b in links], symmetric=True, nodes=list(map(str, range(9)))
    )
    (sentence,) = warned(warn_of_links_alone, named)
    assert sentence.endswith("may be a high score.")
