"""Pairs of nodes that a model does not have: they raise, are NaN, or are scored by the average node."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink import LinkPredictor, Network, WNMFk
from latentlink.errors import InputError
from latentlink.scoring import average_scores
from latentlink.splitting import holdout
from latentlink.uncertainty import ConformalIntervals, RiskControl
from tests.helpers.fitted import SMALL, blocks, friends, planted

ROWS = [f"u{i}" for i in range(12)]
COLS = [f"v{j}" for j in range(9)]
PAIRS = [("u1", "v2"), ("nobody", "v2"), ("u3", "nothing"), ("nobody", "nothing"), ("u3", "v4")]
KNOWN = [True, False, False, False, True]


@pytest.fixture(scope="module")
def named():
    X = planted()
    edges = [(ROWS[i], COLS[j], X[i, j]) for i in range(12) for j in range(9) if (i + j) % 4]
    return WNMFk(**SMALL).fit(Network.from_edges(edges, row_names=ROWS, col_names=COLS))


def all_scores(model, by=None):
    """Scores and spreads of all pairs, shape (2, rows, columns)."""
    n, m = model.network_.shape
    pairs = np.column_stack([np.repeat(np.arange(n), m), np.tile(np.arange(m), n)])
    return np.stack(model.predict_links(pairs, return_std=True, by=by)).reshape(2, n, m)


def pooled(score, spread):
    """Mean, and standard deviation over nodes and members together."""
    return np.mean(score), np.sqrt(np.var(score) + np.mean(spread**2))


class TestScores:
    def test_unknown_nodes_raise_by_default_with_the_way_out(self, named):
        for method in (named.predict_links, named.assess):
            with pytest.raises(InputError, match=r"1 of 3 row names is unknown: 'nobody'.*unknown=\"nan\""):
                method(PAIRS)

    def test_nan_is_for_unknown_nodes_alone(self, named):
        score, spread = named.predict_links(PAIRS, return_std=True, unknown="nan")
        assert np.isnan(score).tolist() == np.isnan(spread).tolist() == [not each for each in KNOWN]
        expected = named.predict_links([PAIRS[0], PAIRS[4]])
        np.testing.assert_array_equal(score[KNOWN], expected)
        np.testing.assert_array_equal(named.predict_links(PAIRS, unknown="nan"), score)

    @pytest.mark.parametrize("by", ["model", "ensemble"])
    def test_the_average_is_the_mean_over_known_nodes(self, named, by):
        score, spread = named.predict_links(PAIRS, return_std=True, by=by, unknown="average")
        scores, spreads = all_scores(named, by)
        assert (score[1], spread[1]) == pytest.approx(pooled(scores[:, 2], spreads[:, 2]))
        assert (score[2], spread[2]) == pytest.approx(pooled(scores[3], spreads[3]))
        assert (score[3], spread[3]) == pytest.approx(pooled(scores, spreads))
        assert spread[1] >= np.sqrt(np.mean(spreads[:, 2] ** 2))

    def test_the_average_of_every_kind_of_model(self, any_model):
        n, m = any_model.network_.shape
        scores, spreads = all_scores(any_model)
        own = np.eye(n, m, dtype=bool) if any_model.network_.square else np.zeros((n, m), bool)
        others = ~own if not any_model.network_.has_self_loops else np.ones((n, m), bool)
        score, spread = any_model.predict_links(
            [(n + 5, 1), (2, m), (n, m), (n + 5, 1)], return_std=True, unknown="average"
        )
        for number, part in enumerate([(slice(None), 1), (2, slice(None)), (slice(None), slice(None))]):
            expected = pooled(scores[part][others[part]], spreads[part][others[part]])
            assert (score[number], spread[number]) == pytest.approx(expected, rel=1e-5)
        assert score[3] == score[0]

    def test_the_average_of_many_nodes_is_that_of_a_sample(self):
        class Flat:
            def score_and_spread(self, rows, cols, by):
                return rows / 9999.0, np.zeros(len(rows))

        network = Network([0], [0], shape=(10_000, 3))
        score, spread = average_scores(network, Flat(), np.array([-1]), np.array([2]))
        assert score[0] == pytest.approx(0.5, abs=0.01)
        assert spread[0] == pytest.approx(np.sqrt(1 / 12), abs=0.01)

    def test_names_without_any_names_and_negative_indices_always_raise(self, weighted):
        for pair in (("ann", 1), (-1, 1), (0.5, 1)):
            with pytest.raises(InputError):
                weighted.predict_links([pair], unknown="nan")

    def test_other_words_raise(self, named):
        with pytest.raises(InputError, match="unknown is 'zero'; expected one of 'error', 'nan', 'average'"):
            named.predict_links(PAIRS, unknown="zero")


class TestAssess:
    def test_nothing_is_answered_without_a_score(self, named):
        prediction = named.assess(PAIRS, unknown="nan")
        assert prediction.abstained[[1, 2, 3]].all()
        assert np.isnan(prediction.score[1:4]).all()
        assert prediction.rows.tolist() == [row for row, _ in PAIRS]
        assert prediction.cols.tolist() == [col for _, col in PAIRS]
        known = named.assess([PAIRS[0], PAIRS[4]])
        assert prediction.abstained[KNOWN].tolist() == known.abstained.tolist()
        assert prediction.threshold == known.threshold

    def test_nodes_given_by_index_have_their_names_beside_unknown_ones(self, named):
        prediction = named.assess([(0, 0), ("nobody", 0), (0, "nothing")], unknown="nan")
        assert prediction.rows.tolist() == ["u0", "nobody", "u0"]
        assert prediction.cols.tolist() == ["v0", "v0", "nothing"]

    def test_the_average_has_a_spread_like_any_other(self, named):
        prediction = named.assess(PAIRS, unknown="average")
        assert np.isfinite(prediction.score).all()
        np.testing.assert_array_equal(prediction.abstained, prediction.spread > prediction.threshold)

    def test_indices_stay_indices(self, weighted):
        prediction = weighted.assess([(1, 2), (77, 2)], unknown="nan")
        assert prediction.rows.tolist() == [1, 77]
        assert prediction.rows.dtype.kind == "i"


def test_a_predictor_takes_nodes_that_it_was_not_fitted_with():
    pairs = np.array([(i, j) for i in range(12) for j in range(9)])
    predictor = LinkPredictor(WNMFk(**SMALL)).fit(pairs, planted().ravel())
    assert np.isnan(predictor.predict([(12, 0), (0, 0)], unknown="nan")).tolist() == [True, False]
    score, spread = predictor.predict([(12, 0)], return_std=True, unknown="average")
    assert score[0] == pytest.approx(predictor.predict([(i, 0) for i in range(12)]).mean())
    assert spread[0] > 0


class TestGuarantees:
    @pytest.fixture(scope="class")
    def calibrated(self):
        X = blocks(seed=1, shape=(40, 30))
        network = Network.from_dense(X)
        split = holdout(network, 0.3, rng=0, calibration=0.5)
        model = WNMFk(**SMALL).fit(split.train)
        return model.calibrate(split.calibration), np.column_stack([split.test.rows, split.test.cols])[:40]

    @pytest.mark.filterwarnings("ignore")
    @pytest.mark.parametrize(
        ("method", "options", "nothing"),
        [
            ("probabilities", {}, {"probability": np.nan}),
            ("answers", {"rule": RiskControl(alpha=0.3)}, {"answer": np.nan, "answered": False}),
            ("intervals", {"rule": ConformalIntervals(0.8)}, {"low": np.nan, "high": np.nan}),
            ("sets", {}, {"may_be_nonlink": True, "may_be_link": True}),
            ("discover", {"chosen_without_scores": True}, {"p_value": np.nan, "selected": False}),
        ],
    )
    def test_nothing_is_stated_about_unknown_nodes(self, calibrated, method, options, nothing):
        model, pairs = calibrated
        with_unknown = np.insert(pairs, 5, (99, 0), axis=0)
        answer = getattr(model, method)
        with pytest.raises(InputError, match=r"There is no row 99.*unknown=\"nan\""):
            answer(with_unknown, **options)
        with pytest.raises(InputError, match="nothing is guaranteed for a node"):
            answer(with_unknown, unknown="average", **options)
        table, known = answer(with_unknown, unknown="nan", **options), answer(pairs, **options)
        assert list(table) == list(known)
        for name in known:
            np.testing.assert_array_equal(np.delete(table[name], 5), known[name])
        assert table["row"][5] == 99
        for name, value in {"score": np.nan, **nothing}.items():
            np.testing.assert_equal(table[name][5], value)
        assert table.limits.startswith("Of 1 pair a node is unknown: nothing is stated about them.")

    @pytest.mark.filterwarnings("ignore")
    def test_without_unknown_nodes_the_table_is_the_same(self, calibrated):
        model, pairs = calibrated
        one, other = model.sets(pairs, unknown="nan"), model.sets(pairs)
        assert one.limits == other.limits
        np.testing.assert_array_equal(one["may_be_link"], other["may_be_link"])


def test_the_names_of_undirected_networks():
    model = WNMFk(**SMALL).fit(friends())
    score = model.predict_links([(0, 99), (99, 0)], unknown="average")
    assert score[0] == pytest.approx(score[1])


@pytest.mark.parametrize("size", [255, 256, 257, 300, 2000])
def test_the_sample_of_many_nodes_has_256_at_equal_distances(size):
    class Cubes:
        def score_and_spread(self, rows, cols, by):
            return (rows + 3.0 * cols) ** 3, 0.1 * rows + cols

    network = Network([0], [0], shape=(size, 4))
    nodes = np.unique(np.round(np.linspace(0, size - 1, min(size, 256))))
    assert len(nodes) == min(size, 256)
    rows, cols = np.array([-1, 2, -1, -1]), np.array([1, -1, -1, 1])
    score, spread = average_scores(network, Cubes(), rows, cols)
    grids = [(nodes, np.full(len(nodes), 1)), (np.full(4, 2), np.arange(4))]
    grids.append((np.repeat(nodes, 4), np.tile(np.arange(4), len(nodes))))
    for number, grid in enumerate([*grids, grids[0]]):
        expected = pooled(*Cubes().score_and_spread(*grid, None))
        assert (score[number], spread[number]) == pytest.approx(expected)


def test_other_pairs_are_mentioned_only_where_there_are_some():
    model = WNMFk((1,), n_perturbs=2, random_state=0).fit(
        Network.from_edges([(f"r{i}", f"c{j}", float(i + j + 1)) for i in range(6) for j in range(5)])
    )
    with pytest.raises(InputError, match=r"To continue without, give unknown="):
        model.predict_links([("r9", "c1")])
    with pytest.raises(InputError, match=r"To score the other pairs, give unknown="):
        model.predict_links([("r9", "c1"), ("r1", "c1")])
