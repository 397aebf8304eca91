"""Scores of pairs, the best pairs, and explanations, against plain NumPy."""

from __future__ import annotations

import numpy as np
import pandas
import polars
import pytest
from sklearn.exceptions import NotFittedError

from latentlink import Network, RankedFactorizer, WNMFk
from latentlink.errors import DataWarning, IncompatibleError, InputError
from latentlink.estimators import toplinks
from latentlink.scoring.explain import explained
from latentlink.scoring.pair_input import pair_columns
from latentlink.scoring.scorer import Scorer, mean_and_spread
from latentlink.estimators.table import table
from latentlink.factors import Factors, sigmoid
from latentlink.solvers import WNMF, SymLMF
from tests.estimators.conftest import SMALL, blocks, every_pair, friends, planted


def dense(f):
    """All scores of a model, plainly."""
    product = f.W @ f.H
    if f.boolean:
        product = (product > 0.5) * 1.0
    if f.row_bias is not None:
        product = product + f.row_bias[:, None] + f.col_bias
    product = product + f.offset
    if f.symmetric:
        product = np.maximum(product, product.T) if f.boolean else (product + product.T) / 2
    return sigmoid(product) if f.logistic else product


# ---------------------------------------------------------------- predict_links


def test_scores_by_model_and_by_ensemble(any_model):
    pairs = every_pair(any_model.network_.shape)
    model, stack = dense(any_model.factors_), np.array([dense(each) for each in any_model.members_])
    by_model = any_model.predict_links(pairs, by="model")
    by_ensemble = any_model.predict_links(pairs, by="ensemble")
    np.testing.assert_allclose(by_model, model.ravel(), atol=1e-12)
    np.testing.assert_allclose(by_ensemble, stack.mean(axis=0).ravel(), atol=1e-12)
    default = by_ensemble if any_model.solver_.biased else by_model
    np.testing.assert_array_equal(any_model.predict_links(pairs), default)
    for by, expected in (("model", by_model), ("ensemble", by_ensemble), (None, default)):
        score, spread = any_model.predict_links(pairs, return_std=True, by=by)
        np.testing.assert_allclose(score, expected, atol=1e-12)
        np.testing.assert_allclose(spread, stack.std(axis=0).ravel(), atol=1e-7)


def test_boolean_scores_are_zero_or_one_and_those_of_the_ensemble_are_shares(boolean_model):
    pairs = every_pair(boolean_model.network_.shape)
    assert set(boolean_model.predict_links(pairs)) <= {0.0, 1.0}
    shares = boolean_model.predict_links(pairs, by="ensemble") * len(boolean_model.members_)
    np.testing.assert_allclose(shares, shares.round(), atol=1e-12)


def test_pairs_in_every_form(weighted):
    expected = weighted.predict_links(np.array([[1, 2], [3, 4]]))
    for pairs in (
        [(1, 2), (3, 4)],
        ([1, 2], [3, 4]),
        [[1, 2], [3, 4]],
        np.array([[1.0, 2.0], [3.0, 4.0]]),
        np.array([[1, 2], [3, 4]], dtype=object),
        np.array([[1, 2], [3, 4]], dtype=np.uint8),
        pandas.DataFrame({"a": [1, 3], "b": [2, 4]}),
        polars.DataFrame({"a": [1, 3], "b": [2, 4]}),
        zip([1, 3], [2, 4], strict=True),
    ):
        np.testing.assert_array_equal(weighted.predict_links(pairs), expected)
    assert weighted.predict_links([]).shape == (0,)
    assert weighted.predict_links(np.zeros((0, 2), int), return_std=True)[1].shape == (0,)


def test_names_and_indices_may_be_mixed():
    model = WNMFk(solver=WNMF(ridge=0.05), **SMALL).fit(
        pandas.DataFrame(planted(), index=[f"u{i}" for i in range(12)], columns=[f"v{j}" for j in range(9)])
    )
    expected = model.predict_links([(1, 2), (3, 4)])
    for pairs in (
        [("u1", "v2"), ("u3", "v4")],
        [("u1", 2), (3, "v4")],
        np.array([["u1", "v2"], ["u3", "v4"]]),
        pandas.DataFrame({"a": ["u1", "u3"], "b": ["v2", "v4"]}),
        pandas.DataFrame({"a": ["u1", "u3"], "b": ["v2", "v4"]}).astype("category"),
    ):
        np.testing.assert_array_equal(model.predict_links(pairs), expected)
    with pytest.raises(InputError, match="No row has the name 'nobody'"):
        model.predict_links([("nobody", "v2")])


@pytest.mark.parametrize(
    ("pairs", "sentence"),
    [
        ((1, 2), r"A single pair goes into a list: \[\(1, 2\)\]"),
        (("ann", "tea"), r"Pair 0 is 'ann'.*A single pair goes into a list"),
        ([(1, 2, 3)], r"Pair 0 is \(1, 2, 3\)"),
        (np.ones((3, 3), int), r"array of shape \(3, 3\)"),
        (np.array([1, 2]), r"array of shape \(2,\)"),
        (np.array([[0.5, 1.0]]), "Pair 0 has 0.5 for a node"),
        (np.array([[np.nan, 1.0]]), "Pair 0 has nan for a node"),
        ([("ann", 1)], "the rows have no names"),
        ([(12, 0)], "There is no row 12"),
        ([(0, -1)], "There is no column -1"),
        ([(True, 0)], "A row is given as True"),
        ("pairs", "pairs are of type str"),
        (7, "pairs are of type int"),
        ({"a": 1}, "pairs are of type dict"),
        (pandas.DataFrame({"a": [1], "b": [2], "c": [3]}), "frame of pairs has 3 columns"),
        (pandas.DataFrame({"a": [1.0, np.nan], "b": [2, 3]}), "no value in frame row 1"),
    ],
)
def test_pairs_that_make_no_sense_are_refused(weighted, pairs, sentence):
    with pytest.raises(InputError, match=sentence):
        weighted.predict_links(pairs)


def test_other_refusals(weighted):
    with pytest.raises(IncompatibleError, match="by is 'mean'; expected 'model'"):
        weighted.predict_links([(0, 0)], by="mean")
    with pytest.raises(NotFittedError):
        WNMFk().predict_links([(0, 0)])
    with pytest.raises(NotFittedError):
        WNMFk().top_links()


def test_a_spread_of_large_numbers_does_not_drown():
    members = [Factors(np.array([[1e8 + w]]), np.array([[1.0]])) for w in (0.0, 1.0, 2.0)]
    spread = mean_and_spread(members, np.zeros(4, int), np.zeros(4, int))[1]
    np.testing.assert_allclose(spread, np.sqrt(2 / 3))


@pytest.mark.parametrize("count", [3, 10, 16, 25])
def test_as_many_votes_are_the_same_mean_and_spread_whoever_casts_them(count):
    rng = np.random.default_rng(count)
    votes = rng.random((count, 500)) < rng.random(500)  # members x pairs
    members = [Factors(each[:, None].astype(float), np.ones((1, 1))) for each in votes]
    mean, spread = mean_and_spread(members, np.arange(500), np.zeros(500, int))
    said = votes.sum(axis=0)
    np.testing.assert_array_equal(mean, said / count)
    assert len(np.unique(spread)) == len(np.unique(np.minimum(said, count - said)))
    np.testing.assert_allclose(spread, votes.std(axis=0))


def test_a_spread_of_single_precision_is_taken_in_double():
    members = [Factors(np.array([[w]], np.float32), np.ones((1, 1), np.float32)) for w in (1e25, 3e25)]
    spread = mean_and_spread(members, np.zeros(1, int), np.zeros(1, int))[1]
    np.testing.assert_allclose(spread, 1e25, rtol=1e-6)


def test_a_scorer_of_one_member_has_no_spread():
    one = Factors(np.ones((2, 1)), np.ones((1, 2)))
    score, spread = Scorer(one, (one,), True).score_and_spread(np.array([0]), np.array([1]))
    assert (score, spread) == (1.0, 0.0)


def test_empty_columns_are_indices():
    assert [side.dtype.kind for side in pair_columns([])] == ["i", "i"]


# ---------------------------------------------------------------- top_links


def brute_force(model, n, by=None, known=False):
    """The n best pairs by sorting all of them."""
    network = model.network_
    scores = model.predict_links(every_pair(network.shape), by=by)
    listed = {(i, j) for i, j, k in zip(network.rows, network.cols, network.known, strict=True) if k}
    rows = []
    for (i, j), score in zip(every_pair(network.shape).tolist(), scores.tolist(), strict=True):
        if network.symmetric and i > j:
            continue
        if network.square and i == j:
            continue
        if known or (i, j) not in listed:
            rows.append((-round(score, 12), i, j))
    return [(i, j) for _, i, j in sorted(rows)[:n]]


def pairs_of(frame):
    return list(zip(frame["row"].tolist(), frame["column"].tolist(), strict=True))


@pytest.mark.parametrize("block", [1, 20, 1 << 18])
@pytest.mark.parametrize("by", ["model", "ensemble"])
@pytest.mark.parametrize("known", [False, True])
def test_the_best_pairs_are_those_of_a_full_sort(any_model, block, by, known, monkeypatch):
    monkeypatch.setattr(toplinks, "_BLOCK", block)
    for n in (1, 7, 10_000):
        frame = any_model.top_links(n, by=by, known=known)
        assert pairs_of(frame) == brute_force(any_model, n, by, known)
    score, spread = any_model.predict_links(frame[["row", "column"]], return_std=True, by=by)
    np.testing.assert_array_equal(frame["score"], score)
    np.testing.assert_array_equal(frame["spread"], spread)
    assert frame.columns.tolist() == ["row", "column", "score", "spread", *(["value"] if known else [])]


@pytest.mark.parametrize("block", [1, 20, 1 << 18])
def test_the_best_pairs_of_each_row(any_model, block, monkeypatch):
    monkeypatch.setattr(toplinks, "_BLOCK", block)
    network = any_model.network_
    frame = any_model.top_links(2, per_node=True, by="ensemble")
    scores = any_model.predict_links(every_pair(network.shape), by="ensemble").reshape(network.shape)
    known = np.zeros(network.shape, bool)
    known[network.rows[network.known], network.cols[network.known]] = True
    if network.symmetric:
        known |= known.T | np.eye(len(known), dtype=bool)
    expected = []
    for i in range(network.shape[0]):
        free = [j for j in range(network.shape[1]) if not known[i, j]]
        expected += [(i, j) for j in sorted(free, key=lambda j, i=i: (-round(scores[i, j], 12), j))[:2]]
    assert pairs_of(frame) == expected


def test_ties_come_in_the_order_of_pairs(monkeypatch):
    network = Network.from_edges([(0, 0, 1.0), (1, 1, 0.0)], shape=(40, 30))
    rng = np.random.default_rng(0)
    same = Factors(np.repeat(rng.random((1, 5)), 40, axis=0), np.repeat(rng.random((5, 1)), 30, axis=1))
    expected = [(i, j) for i, j in every_pair((40, 30)).tolist() if (i, j) not in {(0, 0), (1, 1)}]
    for block in (1, 7, 64, 1 << 18):
        monkeypatch.setattr(toplinks, "_BLOCK", block)
        rows, cols = toplinks.best_pairs(network, [same], 100)
        assert list(zip(rows.tolist(), cols.tolist(), strict=True)) == expected[:100]


def test_hidden_pairs_are_candidates_and_known_ones_have_values():
    X = planted()
    mask = np.ones(X.shape)
    mask[2, 3] = 0
    network = Network.from_dense(X).hide([2 * 9 + 3])
    for model in (
        WNMFk(solver=WNMF(ridge=0.05), **SMALL).fit(X, mask=mask),
        WNMFk(solver=WNMF(ridge=0.05), **SMALL).fit(network),
    ):
        assert pairs_of(model.top_links()) == [(2, 3)]
        frame = model.top_links(known=True, n=200)
        value = dict(zip(pairs_of(frame), frame["value"], strict=True))
        assert np.isnan(value[2, 3])
        assert all(X[pair] == number for pair, number in value.items() if pair != (2, 3))


def test_unlisted_pairs_are_candidates_whatever_the_background():
    network = Network.from_edges(
        [(i, j, 1.0) for i, j in np.argwhere(blocks() > 0)], shape=(14, 10), background=0.3
    )
    model = WNMFk(solver=WNMF(ridge=0.1), **SMALL).fit(network)
    assert len(model.top_links(1000)) == np.sum(blocks() == 0)


def test_a_node_is_a_candidate_for_itself_only_if_asked():
    links = [
        (i, j, float((i + j) % 3 == 0)) for i in range(8) for j in range(8) if i != j and (i + 2 * j) % 5
    ]
    for square in (True, False):
        network = Network.from_edges([*links, (0, 0, 1.0)], shape=(8, 8), square=square)
        model = WNMFk(solver=WNMF(ridge=0.1), **SMALL).fit(network)
        found, asked = model.top_links(1000), model.top_links(1000, self_loops=True)
        assert (found["row"] == found["column"]).any() == (not square)
        assert (asked["row"] == asked["column"]).sum() == 7
        each = model.top_links(3, per_node=True)
        assert (each["row"] == each["column"]).any() == (not square)


def test_names_stand_in_the_frame():
    edges = [(f"u{i}", f"v{j}", planted()[i, j]) for i, j in every_pair((12, 9)) if (i + j) % 4]
    frame = WNMFk(solver=WNMF(ridge=0.05), **SMALL).fit(Network.from_edges(edges)).top_links(3)
    assert frame["row"].str.startswith("u").all()
    assert frame["column"].str.startswith("v").all()


def test_where_all_is_known_there_is_nothing_to_predict():
    model = WNMFk(solver=WNMF(ridge=0.05), **SMALL).fit(planted())
    with pytest.warns(DataWarning, match="Every pair is known"):
        assert len(model.top_links()) == 0
    with pytest.raises(IncompatibleError, match="n=0; expected a whole number"):
        model.top_links(0)


def test_without_a_frame_library_there_are_columns(monkeypatch):
    columns = {"row": np.array(["a"]), "score": np.array([1.0])}
    assert isinstance(table(columns), pandas.DataFrame)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert table(columns) is columns


# ---------------------------------------------------------------- explain


def test_contributions_add_up_to_the_score(any_model):
    f = any_model.factors_
    for pair in ((0, 1), (3, 2), (2, 7)):
        frame = any_model.explain(pair, by="model")
        total = frame["contribution"].sum()
        score = any_model.predict_links([pair], by="model")[0]
        if f.boolean:
            assert (total > 0) == (score > 0)
            assert set(frame["contribution"]) <= {0.0, 1.0}
        else:
            assert (sigmoid(np.array([total]))[0] if f.logistic else total) == pytest.approx(score)
        parts = [f"component {c}" for c in range(2)]
        parts += ["row bias", "column bias", "offset"] if any_model.solver_.biased else []
        assert frame["part"].tolist() == parts


def test_parts_of_the_ensemble_are_means_over_members(biased):
    frame = biased.explain((3, 4))
    parts = np.array(
        [[*(m.W[3] * m.H[:, 4]), m.row_bias[3], m.col_bias[4], m.offset] for m in biased.members_]
    )
    np.testing.assert_allclose(frame["contribution"], parts.mean(axis=0))
    np.testing.assert_allclose(frame["spread"], parts.std(axis=0))
    assert frame["contribution"].sum() == pytest.approx(biased.predict_links([(3, 4)])[0])
    np.testing.assert_allclose(biased.explain((3, 4), by="model")["spread"], frame["spread"])


def test_an_explanation_names_who_has_most_of_a_component():
    X = np.kron(np.eye(2), np.ones((4, 3))) + 0.01
    X[1] *= 3
    frame = pandas.DataFrame(X, index=[f"u{i}" for i in range(8)], columns=[f"v{j}" for j in range(6)])
    model = WNMFk(solver=WNMF(ridge=0.01), **SMALL).fit(frame)
    found = model.explain(("u0", "v0"))
    top = found.loc[found["contribution"].idxmax()]
    assert top["rows"].startswith("u1, ")
    assert set(top["columns"].split(", ")) == {"v0", "v1", "v2"}


def test_an_offset_that_only_some_members_have_is_a_part():
    members = [Factors(np.ones((2, 1)), np.ones((1, 2)), offset=offset) for offset in (0.0, 0.5)]
    found = explained(Network.from_dense(np.eye(2)), members, 0, 1)
    assert found["part"].tolist() == ["component 0", "offset"]
    assert found["contribution"].tolist() == [1.0, 0.25]


def test_nothing_is_listed_in_an_empty_network():
    empty = Network([], [], shape=(2, 2))
    assert np.isnan(toplinks.listed_values(empty, np.array([0]), np.array([1]))).all()


def test_explain_takes_one_pair(weighted):
    for wrong in ("ab", 3, (1, 2, 3), {"a": 1, "b": 2}):
        with pytest.raises(InputError, match=r"expected \(row, column\)"):
            weighted.explain(wrong)


def test_both_directions_of_an_undirected_pair_have_one_explanation():
    model = RankedFactorizer(solver=SymLMF(ridge=0.5), **SMALL).fit(friends())
    one, other = model.explain((1, 5)), model.explain((5, 1))
    np.testing.assert_allclose(one["contribution"][:2], other["contribution"][:2])
    assert one["contribution"].sum() == pytest.approx(other["contribution"].sum())


def test_a_boolean_model_of_undirected_pairs_says_0_or_1_and_why(undirected_boolean):
    """A component that covers one direction covers the pair."""
    model = undirected_boolean
    pairs = every_pair(model.network_.shape)
    said = model.predict_links(pairs)
    assert set(np.unique(said)) == {0.0, 1.0}
    W, H = model.W_, model.H_
    np.testing.assert_array_equal(said.reshape(14, 14), ((W @ H > 0) | (W @ H > 0).T).astype(float))
    for i, j in pairs[:40]:
        parts = model.explain((i, j))["contribution"]
        assert set(parts) <= {0.0, 1.0}
        assert parts.max() == model.predict_links([(i, j)])[0] == model.predict_links([(j, i)])[0]
    best = model.top_links(10, known=True)
    assert set(best["score"]) <= {0.0, 1.0}
