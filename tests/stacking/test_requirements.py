"""What models need that learn the weights of scores: links and non-links, twenty of each."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from latentlink import LinkStack, LogisticHead, Network
from latentlink.errors import IncompatibleError
from latentlink.estimators import link_stack
from latentlink.stacking.requirements import (
    raise_if_not_links,
    raise_if_too_few_links,
    warn_of_nodes_without_links,
    warn_of_self_pairs,
)
from tests.proximity.test_proximity import KINDS, network_of


def one_row(values, background=0.0):
    """Return pairs as a network of one row, with 20 more columns of which nothing is listed."""
    return Network(np.zeros(len(values), int), np.arange(len(values)), values, shape=(1, len(values) + 20),
                   background=background)  # fmt: skip


@pytest.mark.parametrize(
    ("links", "nonlinks", "background", "enough"),
    [
        *((20, 20, 0.0, True), (19, 20, 0.0, False), (20, 19, 0.0, False), (19, 19, 0.0, False)),
        *((20, 0, 0.1, True), (19, 0, 0.1, False), (19, 20, 0.1, False)),
    ],
)
def test_twenty_of_each_class_are_enough_and_a_background_has_non_links(links, nonlinks, background, enough):
    network = one_row(np.repeat([1.0, 0.0], [links, nonlinks]), background)
    if enough:
        raise_if_too_few_links(LinkStack(), network)
        return
    with pytest.raises(
        IncompatibleError, match=f"LinkStack .* at least 20 links and 20 .*; {links} and {nonlinks} are known"
    ):
        raise_if_too_few_links(LinkStack(), network)


def test_hidden_pairs_are_no_known_ones():
    network = one_row(np.repeat([1.0, 0.0], [20, 20]))
    with pytest.raises(IncompatibleError, match="; 19 and 20 are known"):
        raise_if_too_few_links(LinkStack(), network.hide([0]))


@pytest.mark.parametrize("other", [-1.0, 0.5, 2.0])
def test_other_values_than_0_and_1_raise(other):
    raise_if_not_links(LinkStack(), one_row([1.0, 0.0, 0.0]))
    network = one_row([1.0, 0.0, other, 3.0])
    with pytest.raises(IncompatibleError, match=rf"2 known values are others \(first: {other:g}\)"):
        raise_if_not_links(LinkStack(), network)
    raise_if_not_links(LinkStack(), network.hide([2, 3]))


def test_a_remedy_stands_by_itself_whatever_the_values_are():
    with pytest.raises(IncompatibleError, match=r"1 known value is another \(first: -1\)\. Binarize them"):
        raise_if_not_links(LinkStack(), one_row([1.0, 0.0, -1.0]))
    with pytest.raises(IncompatibleError, match=r"\(first: 2\)\. If they tell .* Otherwise binarize them"):
        raise_if_not_links(LinkStack(), one_row([1.0, 0.0, 2.0]))


def test_links_alone_are_sent_to_the_stack_that_takes_them():
    network = one_row(np.ones(30))
    sentence = r"30 and 0 are known. For a list of links alone use LinkStack\(\).fit\(network\)"
    with pytest.raises(IncompatibleError, match=sentence):
        raise_if_too_few_links(LogisticHead(), network)


def test_drawn_pairs_are_not_called_known():
    network = one_row(np.repeat([1.0, 0.0], 15))
    with pytest.raises(IncompatibleError, match="; 15 links are known, and 15 unlisted pairs were drawn"):
        raise_if_too_few_links(LinkStack(), network, 15)
    with pytest.raises(IncompatibleError, match="; 1 link is known, and 1 unlisted pair was drawn"):
        raise_if_too_few_links(LinkStack(), one_row([1.0, 0.0]), 1)


@pytest.mark.parametrize("kind", KINDS)
def test_a_node_without_links_is_named(kind):
    links = network_of(kind, size=12, share=0.3)
    alone = links.hide((links.rows == 2) | (links.cols == 2) & links.square)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warn_of_nodes_without_links(alone, 2, 5)
        warn_of_nodes_without_links(alone, 3, 5)
    (warning,) = caught
    assert "2 has no known link" in str(warning.message)


@pytest.mark.parametrize("kind", KINDS)
def test_scores_of_a_node_with_itself_are_warned_of_where_nothing_was_learned_of_them(kind):
    learned = network_of(kind, size=12, share=0.3)
    loop = Network([3], [3], [0.0], shape=learned.shape, symmetric=learned.symmetric, square=learned.square)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warn_of_self_pairs(learned, np.array([0, 2, 5]), np.array([1, 2, 5]))
        warn_of_self_pairs(learned, np.array([0, 2]), np.array([1, 3]))
        warn_of_self_pairs(loop, np.array([2]), np.array([2]))
    messages = [str(each.message) for each in caught]
    assert [each.startswith("2 pairs join a node with itself") for each in messages] == [
        True
    ] * learned.square


@pytest.mark.parametrize("background", [1e20, 1e-20])
def test_a_background_out_of_proportion_raises_before_any_work(background, monkeypatch):
    rng = np.random.default_rng(0)
    pairs = np.argwhere(np.triu(rng.random((60, 60)) < 0.1, 1))
    network = Network(*pairs.T, shape=(60, 60), symmetric=True, background=background)
    monkeypatch.setattr(link_stack, "hidden_features", None)
    monkeypatch.setattr(link_stack, "inner_folds", None)
    with pytest.raises(IncompatibleError, match=r"The background weight is .*, but known entries have"):
        LinkStack(random_state=0).fit(network)
