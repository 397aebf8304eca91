"""Ways out that messages about too few links name: each is followed."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from latentlink import LinkStack, LogisticHead, Network, NMFk, RankedFactorizer, RNMFk, WNMFk
from latentlink.errors import DataWarning, IncompatibleError
from latentlink.network import binarize, sample_negatives
from latentlink.solvers import LMF
from tests.helpers.joint_fits import groups

BACKGROUND = "network.with_background(0.1)"
WITHOUT_WEIGHTS = "RankedFactorizer(solver=LMF())"
NAME_NODES = "name the nodes that have none too"


def links(count, nodes=9):
    """Return a list of links of few nodes; all pairs of nine are 36."""
    rows, cols = np.triu_indices(nodes, 1)
    order = np.random.default_rng(0).permutation(len(rows))[:count]
    return [(f"n{row}", f"n{col}") for row, col in zip(rows[order], cols[order], strict=True)]


def refused(estimator, network):
    """Return the sentence with which an estimator refuses a network."""
    with pytest.raises(IncompatibleError) as raised:
        estimator.fit(network)
    return str(raised.value)


def stack(**settings):
    return LinkStack((1,), n_perturbs=2, random_state=0, **settings)


def followed(estimator, network):
    """Fit, whatever it warns of: few links tell little."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        estimator.fit(network)
    assert np.isfinite(estimator.predict_links([(0, 1), (1, 0)])).all()


def without_weights():
    return RankedFactorizer((1,), solver=LMF(), n_perturbs=2, random_state=0)


def test_nineteen_links_alone():
    network = Network.from_edges(links(19, 12), symmetric=True)
    sentence = refused(stack(), network)
    assert "List more links" in sentence
    assert f"{WITHOUT_WEIGHTS}.fit({BACKGROUND})" in sentence
    followed(without_weights(), network.with_background(0.1))
    with_other_estimator = refused(without_weights(), network)
    assert "LinkStack" not in with_other_estimator
    followed(without_weights(), sample_negatives(network, rng=0))
    again = refused(stack(), network.with_background(0.1))
    assert "background, " not in again
    assert WITHOUT_WEIGHTS in again
    assert refused(LogisticHead(), network) == sentence.replace("LinkStack", "LogisticHead").replace(
        "19 links are known, and 19 unlisted pairs were drawn", "19 and 0 are known"
    )


@pytest.mark.slow
def test_more_links_are_enough():
    followed(stack(), Network.from_edges(links(24, 12), symmetric=True))


@pytest.mark.slow
@pytest.mark.parametrize("unlisted", [0, 5])
def test_a_network_of_nearly_all_pairs(unlisted):
    pairs = links(36 - unlisted)
    network = Network.from_edges(pairs, symmetric=True)
    sentences = [refused(stack(), network), refused(LogisticHead(), network)]
    for sentence in sentences:
        assert NAME_NODES in sentence
        assert "LinkStack()" not in sentence
        assert (BACKGROUND in sentence) == bool(unlisted)
    if unlisted:
        followed(without_weights(), network.with_background(0.1))
    else:
        sentence = refused(without_weights(), network)
        assert NAME_NODES in sentence
        assert "LinkStack" not in sentence
    nodes = [f"n{number}" for number in range(12)]
    followed(stack(), Network.from_edges(pairs, symmetric=True, nodes=nodes))


@pytest.mark.slow
@pytest.mark.parametrize(("few", "helps"), [("links", False), ("non-links", True)])
def test_few_labels_of_one_class(few, helps):
    whole = groups(36, 0)
    of_class = np.flatnonzero(whole.values == (few == "links"))
    unlisted = np.flatnonzero(whole.values == (few != "links"))[::2]
    network = whole.subset(np.setdiff1d(np.arange(whole.n_listed), [*of_class[10:], *unlisted]))
    sentence = refused(stack(), network)
    assert "List more of them" in sentence
    assert (BACKGROUND in sentence) == helps
    assert WITHOUT_WEIGHTS in sentence
    if helps:
        followed(stack(), network.with_background(0.1))
    followed(without_weights(), network)


@pytest.mark.slow
def test_values_that_are_strengths_of_links(tmp_path):
    pairs = links(30, 12)
    strength = np.arange(30) % 5 + 1.0
    listed = [(*pair, value) for pair, value in zip(pairs, strength, strict=True)]
    network = Network.from_edges(listed, symmetric=True)
    sentence = refused(stack(), network)
    assert "Network.from_edges(pairs, weights=...)" in sentence
    assert "columns=(row, column, None, weight)" in sentence
    weighted = Network.from_edges(pairs, weights=strength, symmetric=True)
    followed(stack(), weighted)
    path = tmp_path / "links.csv"
    path.write_text("source,target,weight\n" + "".join(f"{a},{b},{value}\n" for a, b, value in listed))
    assert Network.from_file(path, columns=("source", "target", None, "weight"), symmetric=True) == weighted
    followed(stack(), binarize(network, at=0))
    for method in (WNMFk, RNMFk):
        followed(method((1,), n_perturbs=2, random_state=0), network)


def test_negative_values_are_no_strengths():
    network = Network.from_edges([("a", "x", -1.0), ("b", "x", 2.0), ("a", "y", 3.0), ("b", "y", -4.0)])
    sentence = refused(stack(), network)
    assert "weights=" not in sentence
    assert "WNMFk" not in sentence
    followed(RNMFk((1,), n_perturbs=2, random_state=0), network)


@pytest.mark.parametrize("head", [False, True])
def test_a_background_that_is_recommended_for_nmf_is_taken(head):
    base = NMFk((1,), n_perturbs=2, random_state=0)
    estimator = LogisticHead(base) if head else base
    network = Network.from_edges(links(25, 12), symmetric=True)
    assert "network.with_background(1)" in refused(estimator, network)
    followed(estimator, network.with_background(1))
