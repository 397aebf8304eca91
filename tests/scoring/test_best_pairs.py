"""The best-scored pairs, against a full sort of all pairs."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink import Network, WNMFk
from latentlink.errors import DataWarning, InputError
from latentlink.factors import Factors
from latentlink.scoring import Members
from latentlink.scoring.best_pairs import Candidates, best_pairs, score_blocks
from latentlink.solvers import WNMF
from tests.helpers.fitted import blocks, every_pair, planted

BLOCK = "latentlink.scoring.best_pairs.BLOCK_SIZE"


def fitted(X, mask=None):
    return WNMFk((2,), solver=WNMF(ridge=0.1), n_perturbs=2, random_state=0).fit(X, mask=mask)


def by_full_sort(model, n, by=None, known=False):
    """Return the n best pairs by sorting all of them."""
    network = model.network_
    scores = model.predict_links(every_pair(network.shape), by=by)
    listed = {(i, j) for i, j, k in zip(network.rows, network.cols, network.known, strict=True) if k}
    candidates = []
    for (i, j), score in zip(every_pair(network.shape).tolist(), scores.tolist(), strict=True):
        if network.symmetric and i > j:
            continue
        if network.square and i == j:
            continue
        if known or (i, j) not in listed:
            candidates.append((-round(score, 12), i, j))
    return [(i, j) for _, i, j in sorted(candidates)[:n]]


def pairs_in(table):
    """Return the pairs of a table as tuples."""
    return list(zip(table["row"].tolist(), table["column"].tolist(), strict=True))


@pytest.mark.parametrize("block", [1, 20, 1 << 18])
@pytest.mark.parametrize("by", ["model", "ensemble"])
@pytest.mark.parametrize("known", [False, True])
def test_the_best_pairs_are_those_of_a_full_sort(any_model, block, by, known, monkeypatch):
    monkeypatch.setattr(BLOCK, block)
    for n in (1, 7, 10_000):
        table = any_model.top_links(n, by=by, known=known)
        assert pairs_in(table) == by_full_sort(any_model, n, by, known)
    score, spread = any_model.predict_links(pairs_in(table), return_std=True, by=by)
    np.testing.assert_array_equal(table["score"], score)
    np.testing.assert_array_equal(table["spread"], spread)
    assert [*table.columns] == ["row", "column", "score", "spread", *(["value"] if known else [])]


@pytest.mark.parametrize("block", [1, 20, 1 << 18])
def test_the_best_pairs_of_each_row(any_model, block, monkeypatch):
    monkeypatch.setattr(BLOCK, block)
    network = any_model.network_
    table = any_model.top_links(2, per_node=True, by="ensemble")
    scores = any_model.predict_links(every_pair(network.shape), by="ensemble").reshape(network.shape)
    known = np.zeros(network.shape, bool)
    known[network.rows[network.known], network.cols[network.known]] = True
    if network.symmetric:
        known |= known.T | np.eye(len(known), dtype=bool)
    expected = []
    for i in range(network.shape[0]):
        unknown = [j for j in range(network.shape[1]) if not known[i, j]]
        expected += [(i, j) for j in sorted(unknown, key=lambda j, i=i: (-round(scores[i, j], 12), j))[:2]]
    assert pairs_in(table) == expected


def test_ties_stay_in_the_order_of_the_pairs(monkeypatch):
    network = Network.from_edges([(0, 0, 1.0), (1, 1, 0.0)], shape=(40, 30))
    rng = np.random.default_rng(0)
    equal_scores = Factors(
        np.repeat(rng.random((1, 5)), 40, axis=0), np.repeat(rng.random((5, 1)), 30, axis=1)
    )
    expected = [(i, j) for i, j in every_pair((40, 30)).tolist() if (i, j) not in {(0, 0), (1, 1)}]
    for block in (1, 7, 64, 1 << 18):
        monkeypatch.setattr(BLOCK, block)
        rows, cols = best_pairs(network, Members((equal_scores,)), 100)
        assert list(zip(rows.tolist(), cols.tolist(), strict=True)) == expected[:100]


def test_hidden_pairs_are_candidates_and_known_ones_have_values():
    X = planted()
    mask = np.ones(X.shape)
    mask[2, 3] = 0
    network = Network.from_dense(X).hide([2 * 9 + 3])
    for model in (fitted(X, mask=mask), fitted(network)):
        assert pairs_in(model.top_links()) == [(2, 3)]
        table = model.top_links(known=True, n=200)
        value = dict(zip(pairs_in(table), table["value"], strict=True))
        assert np.isnan(value[2, 3])
        assert all(X[pair] == number for pair, number in value.items() if pair != (2, 3))


def test_unlisted_pairs_are_candidates_whatever_the_background():
    network = Network.from_edges(
        [(i, j, 1.0) for i, j in np.argwhere(blocks() > 0)], shape=(14, 10), background=0.3
    )
    model = fitted(network)
    assert len(model.top_links(1000)) == np.sum(blocks() == 0)


def test_a_node_is_a_candidate_for_itself_only_with_self_loops():
    links = [
        (i, j, float((i + j) % 3 == 0)) for i in range(8) for j in range(8) if i != j and (i + 2 * j) % 5
    ]
    for square in (True, False):
        network = Network.from_edges([*links, (0, 0, 1.0)], shape=(8, 8), square=square)
        model = fitted(network)
        without, with_loops = model.top_links(1000), model.top_links(1000, self_loops=True)
        assert (without["row"] == without["column"]).any() == (not square)
        assert (with_loops["row"] == with_loops["column"]).sum() == 7
        per_node = model.top_links(3, per_node=True)
        assert (per_node["row"] == per_node["column"]).any() == (not square)


def test_tables_have_names():
    edges = [(f"u{i}", f"v{j}", planted()[i, j]) for i, j in every_pair((12, 9)) if (i + j) % 4]
    table = fitted(Network.from_edges(edges)).top_links(3)
    assert all(name.startswith("u") for name in table["row"])
    assert all(name.startswith("v") for name in table["column"])


def test_a_network_without_unknown_pairs_warns_and_an_invalid_n_raises():
    model = fitted(planted())
    with pytest.warns(DataWarning, match="Every pair is known, so that"):
        assert len(model.top_links()) == 0
    with pytest.raises(InputError, match="n is 0; expected a whole number >= 1"):
        model.top_links(0)


@pytest.mark.parametrize(("block", "rows"), [(1, 1), (9, 1), (17, 1), (18, 2), (44, 4), (1 << 18, 12)])
def test_blocks_have_mean_scores_and_as_many_rows_as_fit(weighted, block, rows, monkeypatch):
    """Of 9 scores each; a row that is larger than a block is one."""
    monkeypatch.setattr(BLOCK, block)
    network = weighted.network_
    scores = weighted.predict_links(every_pair(network.shape), by="ensemble").reshape(network.shape)
    blocks = list(score_blocks(network, Members(weighted.members_), Candidates(known=True)))
    assert [each.begin for each in blocks] == list(range(0, 12, rows))
    for each in blocks:
        np.testing.assert_allclose(each.scores, scores[each.begin : each.begin + rows])


def test_blocks_of_an_undirected_network_score_few_pairs_twice():
    rng = np.random.default_rng(0)
    size, rank = 400, 2
    edges = [(i, j) for i, j in rng.integers(0, size, (50, 2)).tolist() if i < j]
    edges.append((0, size - 1))
    network = Network.from_edges(sorted(set(edges)), symmetric=True, shape=(size, size))
    model = Factors(rng.random((size, rank)), rng.random((rank, size)))
    found = list(score_blocks(network, Members((model,)), Candidates()))
    scored = sum(each.scores.size for each in found)
    ranked = sum(int(np.isfinite(each.scores).sum()) for each in found)
    assert ranked == size * (size - 1) // 2 - network.n_known
    assert scored < 1.1 * size * (size - 1) // 2
