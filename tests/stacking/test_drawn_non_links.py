"""Non-links drawn for a network of links alone."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink import Network
from latentlink.stacking import (
    drawn_pairs,
    each_once,
    is_links_alone,
    share_of_links,
    with_drawn_non_links,
)
from latentlink.stacking.drawn_non_links import knows_links_only, relative_weights
from tests.helpers.joint_fits import groups, links_of
from tests.proximity.test_proximity import KINDS, network_of


@pytest.mark.parametrize("kind", KINDS)
def test_as_many_unlisted_pairs_as_links_are_drawn_and_leave_the_links_as_they_are(kind):
    links = network_of(kind)
    assert is_links_alone(links)
    network, drawn = with_drawn_non_links(links, 0)
    assert drawn == links.n_known == (network.known & (network.values == 0)).sum()
    zeros = network.values == 0
    assert (links.positions(network.rows[zeros], network.cols[zeros]) < 0).all()
    assert network.subset(~zeros) == links


def test_other_networks_stay_as_they_are():
    for network in (groups(), links_of(groups(), 0.3)):
        assert not is_links_alone(network)
        assert with_drawn_non_links(network, 0) == (network, 0)


def test_nothing_is_drawn_where_nothing_is_known_or_nothing_is_left():
    links = network_of("undirected")
    assert not is_links_alone(links.hide(np.arange(links.n_listed)))
    everything = Network(*np.triu_indices(6, 1), shape=(6, 6), symmetric=True)
    assert with_drawn_non_links(everything, 0) == (everything, 0)


def test_draws_depend_on_the_seed_alone():
    links = network_of("undirected")
    one, again, other = (with_drawn_non_links(links, seed)[0] for seed in (1, 1, 2))
    assert one == again
    assert one != other


def test_a_dense_network_has_as_many_as_there_are():
    links = Network(*np.triu_indices(6, 1), shape=(6, 6), symmetric=True).subset(np.arange(12))
    network, drawn = with_drawn_non_links(links, 0)
    assert (drawn, network.n_known) == (3, 15)


def test_hidden_pairs_are_not_drawn_and_stay_hidden():
    links = network_of("undirected", share=0.5)
    hidden = links.hide([0, 1, 2])
    network, _ = with_drawn_non_links(hidden, 0)
    assert network.n_listed - network.n_known == 3
    np.testing.assert_array_equal(network.weights[network.positions(links.rows, links.cols)], hidden.weights)


def test_weights_are_relative_and_drawn_pairs_have_their_mean():
    links = network_of("undirected", weighted=True)
    network, drawn = with_drawn_non_links(links, 0)
    rows, cols = drawn_pairs(network)
    assert len(rows) == drawn
    weights = network.weights[network.positions(rows, cols)]
    assert set(weights) == {1.0}
    strengths = network.weights[network.positions(links.rows, links.cols)]
    np.testing.assert_allclose(strengths, links.weights / links.weights.mean(), rtol=1e-7)
    assert share_of_links(network) == pytest.approx(0.5)
    third = links.with_weights(np.full(links.n_listed, 0.1))  # whose mean is not 0.1 to the last bit
    assert set(with_drawn_non_links(third, 0)[0].weights) == {1.0}


@pytest.mark.parametrize("unit", [2.0, 7.3, 1e4, 1e-300, 1e300])
def test_the_unit_of_weights_changes_no_bit(unit):
    weights = np.array([1.0, 2.0, 0.0, 7.0, 3.3])
    np.testing.assert_array_equal(relative_weights(unit * weights), relative_weights(weights))
    assert relative_weights(weights)[2] == 0


def test_no_weight_vanishes_beside_a_large_one():
    assert (relative_weights(np.array([1e-300, 1e300])) > 0).all()


def test_each_pair_counts_once():
    links = network_of("undirected", weighted=True).hide([2])
    once = each_once(links)
    assert set(once.weights) == {0.0, 1.0}
    np.testing.assert_array_equal(once.known, links.known)


@pytest.mark.parametrize("background", [0.0, 0.5])
def test_one_link_is_enough_to_be_links_alone(background):
    one = Network([1], [2], shape=(3, 4), background=background)
    assert knows_links_only(one)
    assert is_links_alone(one) is (background == 0)
    assert not knows_links_only(one.hide([0]))
    assert not knows_links_only(Network([0, 1], [0, 2], [1.0, 0.0], shape=(3, 4)))
    network, drawn = with_drawn_non_links(one, 0)
    assert drawn == (1 if not background else 0)
    assert network.n_known == 1 + drawn


def test_no_more_is_drawn_than_is_unlisted():
    at = np.arange(10)
    links = Network(at // 4, at % 4, shape=(3, 4))
    network, drawn = with_drawn_non_links(links, 0)
    assert drawn == 2
    assert sorted(zip(*drawn_pairs(network), strict=True)) == [(2, 2), (2, 3)]
