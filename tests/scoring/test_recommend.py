"""The best columns of one row, without ranking all pairs."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink import LinkPredictor, LinkStack, Network, WNMFk, datasets
from latentlink.errors import DataWarning, InputError
from latentlink.splitting import holdout
from tests.helpers.fitted import SMALL, planted, with_unknown


def of_row(table, row):
    own = table["row"] == row
    return {name: table[name][own].tolist() for name in table}


def assert_same(table, expected):
    assert list(table) == list(expected)
    for name in expected:
        np.testing.assert_array_equal(table[name], expected[name])


@pytest.mark.parametrize("by", [None, "model", "ensemble"])
@pytest.mark.filterwarnings("ignore:Every pair")
def test_it_is_the_part_of_top_links_for_this_row(any_model, by):
    for known in (False, True):
        ranking = any_model.top_links(4, per_node=True, known=known, by=by)
        for row in range(any_model.network_.shape[0]):
            assert_same(any_model.recommend(row, 4, known, by), of_row(ranking, row))


def test_the_order_of_all_pairs_is_the_same_within_a_row(weighted):
    ranking = weighted.top_links(10_000)
    for row in range(12):
        if row in ranking["row"]:
            assert_same(weighted.recommend(row, 100), of_row(ranking, row))


def test_excluded_pairs_are_left_out(weighted):
    best = weighted.recommend(3, 1, known=True)
    others = weighted.recommend(3, 2, known=True, exclude=[(3, int(best["column"][0]))])
    assert best["column"][0] not in others["column"]
    assert others["column"][0] == weighted.recommend(3, 2, known=True)["column"][1]


def test_no_other_row_is_scored(weighted, monkeypatch):
    blocks = []
    factors = type(weighted.factors_)
    block = factors.block

    def recorded(self, begin, end, first=0):
        blocks.append((begin, end))
        return block(self, begin, end, first)

    monkeypatch.setattr(factors, "block", recorded)
    weighted.recommend(5, 3, known=True)
    assert set(blocks) == {(5, 6)}


@pytest.mark.filterwarnings("ignore:Every pair")
def test_rows_by_name():
    names = [f"u{i}" for i in range(12)]
    network = Network.from_dense(with_unknown(planted()))
    model = WNMFk(**SMALL).fit(network.relisted(*network.entries, row_names=np.array(names)))
    assert_same(model.recommend("u3", 4), of_row(model.top_links(4, per_node=True), "u3"))
    with pytest.raises(InputError, match=r"No row has the name 'U33'.*Nearest: 'u3'"):
        model.recommend("U33")
    with pytest.raises(InputError, match="There is no row 12"):
        model.recommend(12)
    with pytest.raises(InputError, match="n is 0"):
        model.recommend("u3", 0)


def test_a_row_of_known_pairs_warns():
    model = WNMFk(**SMALL).fit(planted())
    with pytest.warns(DataWarning, match="Every pair of this row is known, so that"):
        assert len(model.recommend(0)) == 0


@pytest.mark.slow
def test_stacks_and_predictors_recommend():
    network = datasets.planted_boolean(rows=30, columns=20, rank=1, flips=0.05).network
    train = network.hide(np.arange(0, network.n_listed, 7))
    stack = LinkStack((1,), n_perturbs=3, random_state=0).fit(train)
    found, expected = stack.recommend(2, 3), of_row(stack.top_links(3, per_node=True), 2)
    np.testing.assert_array_equal(found["column"], expected["column"])
    for name in ("score", "spread"):  # sums of a stack are not rounded alike in tables of other sizes
        np.testing.assert_allclose(found[name], expected[name], rtol=1e-12)
    pairs = np.column_stack([train.rows, train.cols])[train.known]
    predictor = LinkPredictor(WNMFk(**SMALL), shape=train.shape).fit(pairs, train.values[train.known])
    assert_same(predictor.recommend(2, 3), of_row(predictor.top_links(3, per_node=True), 2))


@pytest.mark.filterwarnings("ignore:Every pair of this row is known or excluded")
def test_calibration_pairs_are_not_recommended():
    split = holdout(Network.from_dense(planted((20, 15))), 0.2, rng=0, calibration=0.3)
    model = WNMFk(**SMALL).fit(split.train)
    calibrated = model.calibrate(split.calibration)
    ranking = calibrated.top_links(3, per_node=True, exclude=split.test.subset([0, 1, 2]))
    for row in range(20):
        table = calibrated.recommend(row, 3, exclude=split.test.subset([0, 1, 2]))
        assert_same(table, of_row(ranking, row))
        used = split.calibration.cols[split.calibration.rows == row]
        assert not np.isin(table["column"], used).any()
