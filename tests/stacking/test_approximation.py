"""A shortlist by an approximation of a stack, against the scores of all pairs."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink import LinkStack, Network, datasets
from latentlink.scoring.best_pairs import Candidates, best_pairs
from latentlink.stacking import stacked_model
from latentlink.stacking.approximation import Approximation

N = 120


def directed():
    rng = np.random.default_rng(0)
    group = np.arange(N) % 4
    likely = np.where(group[:, None] == (group + 1)[None, :] % 4, 0.3, 0.02)
    rows, cols = np.nonzero((rng.random((N, N)) < likely) & ~np.eye(N, dtype=bool))
    return Network(rows, cols, shape=(N, N), square=True)


def bipartite():
    rng = np.random.default_rng(1)
    likely = np.where(np.arange(90)[:, None] % 3 == np.arange(60)[None, :] % 3, 0.4, 0.03)
    return Network(*np.nonzero(rng.random((90, 60)) < likely), shape=(90, 60))


def labelled():
    network = datasets.planted_blocks(N, 4, 0).network
    return network.subset(np.random.default_rng(0).random(network.n_listed) < 0.3)


def undirected():
    return datasets.planted_blocks(N, 4, 0, probabilities=(0.4, 0.03), links_only=True).network


@pytest.fixture(scope="module", params=[undirected, labelled, directed, bipartite])
def stack(request):
    return LinkStack(n_perturbs=2, random_state=0).fit(request.param())


@pytest.fixture
def approximate(monkeypatch):
    monkeypatch.setattr(stacked_model, "MOST_SCORED", 0)
    monkeypatch.setattr("latentlink.scoring.best_pairs.SHORTLIST", (800, 8))
    monkeypatch.setattr("latentlink.scoring.best_pairs.SHORTLIST_OF_NODE", (25, 8))


def pairs(table):
    return list(zip(table["row"].tolist(), table["column"].tolist(), strict=True))


@pytest.mark.parametrize("by", ["model", "ensemble"])
def test_the_best_pairs_are_on_the_shortlist(stack, approximate, by):
    exact, found = (stack.top_links(60, by=by, exact=exact) for exact in (True, False))
    # Scores within a block differ by chance, and pairs that are missed have others of nearly their score.
    assert len(set(pairs(exact)) & set(pairs(found))) >= 48
    assert found["score"].mean() >= exact["score"].mean() - 0.003
    common = [pair for pair in pairs(found) if pair in pairs(exact)]
    assert common == [pair for pair in pairs(exact) if pair in common]
    np.testing.assert_array_equal(found["score"], stack.predict_links(pairs(found), by=by))


def test_the_best_pairs_of_each_node_are_on_its_shortlist(stack, approximate):
    exact, found = (stack.top_links(3, per_node=True, exact=exact) for exact in (True, False))
    assert [row for row, _ in pairs(found)] == [row for row, _ in pairs(exact)]
    assert len(set(pairs(exact)) & set(pairs(found))) >= 0.95 * len(exact)


def test_a_shortlist_of_all_pairs_loses_nothing(stack, monkeypatch):
    monkeypatch.setattr(stacked_model, "MOST_SCORED", 0)
    for per_node in (False, True):
        monkeypatch.setattr("latentlink.scoring.best_pairs.SHORTLIST_OF_NODE", (N, 1))
        exact, found = (stack.top_links(5, per_node=per_node, exact=exact) for exact in (True, False))
        assert pairs(found) == pairs(exact)


def test_known_and_excluded_pairs_are_left_out(stack, approximate):
    found = pairs(stack.top_links(40))
    network = stack.network_
    listed = network.positions(*np.array(found).T)
    assert not ((listed >= 0) & network.known[listed]).any()
    assert not set(found[:10]) & set(pairs(stack.top_links(40, exclude=found[:10])))
    assert all(i != j for i, j in found) or not network.square


def test_known_pairs_are_ranked_on_request(stack, approximate):
    exact, found = (pairs(stack.top_links(40, known=True, exact=exact)) for exact in (True, False))
    assert len(set(exact) & set(found)) >= 34
    exact, found = (
        pairs(stack.top_links(2, per_node=True, known=True, exact=exact)) for exact in (True, False)
    )
    assert len(set(exact) & set(found)) >= 0.95 * len(exact)


def test_blocks_do_not_depend_on_where_they_begin(stack):
    approximation = Approximation.of(stack._scorer().members, stack.network_)
    n, m = stack.network_.shape
    whole = approximation.block(0, n)
    assert whole.shape == (n, m)
    np.testing.assert_allclose(approximation.block(7, 20, 5), whole[7:20, 5:], atol=1e-2)


def test_small_networks_are_scored_in_full(stack):
    models = stack._scorer().models(None)
    assert models.approximation(stack.network_) is None
    exact = best_pairs(stack.network_, models, 20, Candidates(exact=True))
    np.testing.assert_array_equal(best_pairs(stack.network_, models, 20), exact)


def test_a_calibrated_stack_has_the_same_shortlist(stack, approximate):
    if not stack.drawn_:
        pytest.skip("labelled pairs are calibrated on labelled pairs")
    drawn = stack.network_.pair_keys(*stack.drawn_pairs_.T)
    best = np.array(pairs(stack.top_links(400, exact=True)))
    fresh = best[~np.isin(stack.network_.pair_keys(*best.T), drawn)][::8]
    calibrated = stack.calibrate(fresh, np.ones(len(fresh)))
    exact, found = (set(pairs(calibrated.top_links(30, exact=exact))) for exact in (True, False))
    assert len(exact & found) >= 24
    assert not found & set(map(tuple, fresh.tolist()))
