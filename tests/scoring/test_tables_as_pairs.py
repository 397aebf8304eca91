"""Tables of the library go where pairs are taken, and `discover` says first what matters most about them."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink import LinkPredictor, WNMFk
from latentlink.errors import InputError
from latentlink.solvers import WNMF
from latentlink.splitting import holdout
from tests.helpers.fitted import coin_flips, pairs_of


@pytest.fixture(scope="module")
def case():
    split = holdout(coin_flips(0), 0.1, 0, calibration=0.3)
    model = WNMFk((2,), solver=WNMF(ridge=0.1), n_perturbs=2, random_state=0).fit(split.train)
    return model, model.calibrate(split.calibration), split


def as_forms(table):
    return table, table.to_dict(), table.to_frame("pandas"), table.to_frame("polars")


def as_array(table):
    return np.column_stack([table["row"], table["column"]])


def keys_of(table):
    return set(zip(table["row"].tolist(), table["column"].tolist(), strict=True))


def test_a_model_takes_its_own_tables(case):
    model, _, _ = case
    best = model.top_links(30)
    expected = model.predict_links(as_array(best))
    for form in as_forms(best):
        np.testing.assert_array_equal(model.predict_links(form), expected)
        np.testing.assert_array_equal(model.assess(form).score, expected)
    np.testing.assert_array_equal(model.predict_links(model.assess(best)), expected)
    assert len(model.explain(model.top_links(1))) == len(model.explain(as_array(best)[0]))


def test_pairs_are_excluded_by_a_table(case):
    model, calibrated, _ = case
    best = model.top_links(30)
    row = int(best["row"][0])
    for form in as_forms(best):
        assert not keys_of(model.top_links(30, exclude=form)) & keys_of(best)
        assert not keys_of(model.recommend(row, exclude=form)) & keys_of(best)
        assert not keys_of(calibrated.top_links(30, exclude=form)) & keys_of(best)
        assert not keys_of(calibrated.recommend(row, exclude=form)) & keys_of(best)
        np.testing.assert_array_equal(
            calibrated.discover(exclude=form)["row"], calibrated.discover(exclude=as_array(best))["row"]
        )


@pytest.mark.filterwarnings("ignore")  # the best pairs differ from the calibration pairs
def test_calibrated_answers_take_a_table(case):
    model, calibrated, split = case
    best = calibrated.top_links(25)
    for method in (calibrated.probabilities, calibrated.answers, calibrated.intervals, calibrated.sets):
        for form in as_forms(best):
            table = method(form)
            assert table["row"].tolist() == best["row"].tolist()
            np.testing.assert_array_equal(table["score"], method(as_array(best))["score"])
    again = model.calibrate(calibrated.probabilities(pairs_of(split.calibration)), split.calibration.values)
    np.testing.assert_array_equal(again.score, calibrated.score)
    assert calibrated.discover(best, chosen_without_scores=True)["row"].tolist() == best["row"].tolist()


@pytest.mark.filterwarnings("ignore")  # of most rows nothing is known
def test_a_predictor_takes_a_table(case):
    model, _, _ = case
    table = model.top_links(40)
    predictor = LinkPredictor(
        WNMFk((1,), solver=WNMF(ridge=0.1), n_perturbs=2, random_state=0), shape=model.network_.shape
    )
    values = np.arange(40.0)
    fitted = predictor.fit(table, values).predict(table)
    np.testing.assert_array_equal(fitted, predictor.fit(as_array(table), values).predict(as_array(table)))


# ---------------------------------------------------------------- the order of complaints


@pytest.mark.parametrize("n", [5, 30, 200])
def test_that_scores_chose_the_candidates_is_said_before_all_else(case, n):
    """The best pairs of the model have calibration pairs among them, which is the lesser fault."""
    model, calibrated, split = case
    best = model.top_links(n)
    if n >= 30:
        assert keys_of(best) & set(map(tuple, pairs_of(split.calibration).tolist()))
    for form in as_forms(best):
        with pytest.raises(InputError, match="evidently chosen by score"):
            calibrated.discover(form)


def test_a_few_of_one_row_are_too_few_before_they_are_calibration_pairs(case):
    model, calibrated, split = case
    row = int(split.calibration.rows[0])
    best = model.recommend(row, 15)
    with pytest.raises(InputError, match=r"15 candidates cannot be told|evidently chosen by score"):
        calibrated.discover(best)


def test_other_faults_are_said_where_scores_did_not_choose(case):
    _, calibrated, split = case
    for pairs, fault in (
        (pairs_of(split.calibration), "were used in calibration"),
        (pairs_of(split.train)[split.train.known], "were used in fitting"),
        (np.repeat(pairs_of(split.test)[:40], 2, axis=0), "occur a second time"),
    ):
        with pytest.raises(InputError, match=fault):
            calibrated.discover(pairs)


def test_all_pairs_of_a_matrix_are_used_in_fitting_rather_than_chosen(case):
    model, calibrated, _ = case
    every = model.top_links(10**6, known=True)
    with pytest.raises(InputError, match="were used in fitting"):
        calibrated.discover(every)


def test_with_the_word_that_scores_did_not_choose_them_the_other_faults_are_said(case):
    model, calibrated, _ = case
    with pytest.raises(InputError, match="used in calibration"):
        calibrated.discover(model.top_links(200), chosen_without_scores=True)
