"""ValueStack on tables whose columns are of different units."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from latentlink import BayesianFactorizer, Network, ValueStack, load
from latentlink.cli.results.decisions import calibrated_decisions
from latentlink.errors import InputError
from latentlink.solvers import BPMF, BayesianNMF

pytestmark = [
    pytest.mark.filterwarnings("ignore:The chains at rank"),
    pytest.mark.filterwarnings("ignore:Nothing is known of"),
]

SHORT = BPMF(max_iter=60, burn_in=20, draws=6)
UNITS = 2.0 ** np.array([0, 10, -7, 3, 0, -4, 6, 1])


def values():
    rng = np.random.default_rng(0)
    return rng.normal(size=(60, 2)) @ rng.normal(size=(2, 8)) + 2 + 0.3 * rng.normal(size=(60, 8))


def stack(solver=SHORT):
    return ValueStack(models=[BayesianFactorizer((2,), solver=solver, n_perturbs=2)], random_state=0)


def shares_of_columns(table, X, hidden):
    inside = (table["low"] <= X[hidden]) & (X[hidden] <= table["high"])
    cols = np.nonzero(hidden)[1]
    return np.array([inside[cols == j].mean() for j in range(X.shape[1])])


@pytest.fixture(scope="module")
def fitted():
    X = values() * UNITS
    hidden = np.random.default_rng(1).random(X.shape) < 0.25
    return stack().fit(np.where(hidden, np.nan, X)), X, hidden


def test_no_column_is_predicted_worse_than_by_its_mean(fitted):
    model, X, hidden = fitted
    rows, cols = np.nonzero(hidden)
    errors = model.predict_links(np.column_stack([rows, cols])) - X[hidden]
    for j in range(X.shape[1]):
        own = cols == j
        assert np.sqrt(np.mean(errors[own] ** 2)) < 0.8 * X[:, j].std()


def test_units_change_nothing_but_the_unit(fitted):
    model, X, hidden = fitted
    other = UNITS[::-1]
    again = stack().fit(np.where(hidden, np.nan, X / UNITS * other))
    pairs = np.argwhere(hidden)
    for one, two in zip(
        model.predict_links(pairs, return_std=True), again.predict_links(pairs, return_std=True), strict=True
    ):
        np.testing.assert_allclose(one / UNITS[pairs[:, 1]], two / other[pairs[:, 1]], rtol=1e-9)


def test_answers_are_in_the_units_that_were_given(fitted):
    model, X, hidden = fitted
    assert model.kind_.sentence.endswith("columns differ in unit, and each is standardized")
    known = model.network_.known
    assert np.array_equal(model.network_.values[known], X[~hidden])
    for pair in np.argwhere(hidden)[:5]:
        parts = model.explain(tuple(pair))["contribution"].sum()
        assert parts == pytest.approx(model.predict_links([pair])[0], rel=1e-6)
    best = model.top_links(5)
    assert set(np.unique(best["column"])) == {1}  # the column of the largest values


def test_blocks_are_scores_of_pairs(fitted):
    model, X, _ = fitted
    block = model.factors_.block(3, 9, 2)
    i, j = np.meshgrid(np.arange(3, 9), np.arange(2, X.shape[1]), indexing="ij")
    np.testing.assert_allclose(block, model.factors_.score(i.ravel(), j.ravel()).reshape(block.shape))


def test_new_rows_are_in_the_units_that_were_given(fitted):
    model, X, hidden = fitted
    rows = model.fold_in(np.where(hidden[:10], np.nan, X[:10]))
    pairs = np.argwhere(hidden[:10])
    predicted, spread = rows.predict_links(pairs, return_std=True)
    scale = UNITS[pairs[:, 1]]
    assert np.sqrt(np.mean(((predicted - X[:10][hidden[:10]]) / scale) ** 2)) < 0.8
    assert (spread > 0).all()


def test_saved_and_loaded(fitted, tmp_path):
    model, _, hidden = fitted
    model.save(tmp_path / "model")
    loaded = load(tmp_path / "model")
    pairs = np.argwhere(hidden)
    np.testing.assert_array_equal(model.predict_links(pairs), loaded.predict_links(pairs))
    assert loaded.network_ == model.network_
    assert loaded.kind_ == model.kind_


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("units_", lambda units: replace(units, scales=-units.scales), "not above 0"),
        ("units_", lambda units: None, "units of columns without the values"),
        ("_given", lambda given: None, "units of columns without the values"),
    ],
)
def test_damaged_units_are_not_loaded(fitted, tmp_path, name, value, message):
    model, _, _ = fitted
    damaged = stack()
    damaged.__dict__.update(model.__dict__)
    setattr(damaged, name, value(getattr(model, name)))
    damaged.save(tmp_path / "model")
    with pytest.raises(InputError, match=message):
        load(tmp_path / "model")


def test_cross_calibration_is_in_the_units_that_were_given(fitted):
    model, X, hidden = fitted
    table = model.cross_calibrate(2).intervals(np.argwhere(hidden))
    assert shares_of_columns(table, X, hidden).min() > 0.6


def test_ratings_and_models_of_values_of_at_least_0_are_standardized_as_a_whole():
    rng = np.random.default_rng(0)
    X = rng.integers(1, 6, (60, 8)).astype(float)
    X[:, 0] = np.where(rng.random(60) < 0.99, 5, 4)  # hardly varies
    assert stack().fit(Network.from_dense(X)).units_.shared
    units = stack(BayesianNMF(max_iter=60, burn_in=20, draws=6)).fit(np.abs(values()) * UNITS).units_
    assert units.shared
    assert not units.centres.any()


def test_intervals_cover_every_column_whatever_its_unit():
    """A floor in one unit for all columns left the largest column with half the coverage asked for."""
    X = values() * UNITS
    rng = np.random.default_rng(2)
    parts = rng.choice(3, X.shape, p=(0.6, 0.2, 0.2))
    model = stack().fit(np.where(parts > 0, np.nan, X))
    calibrated = model.calibrate(np.argwhere(parts == 1), X[parts == 1])
    table = calibrated.intervals(np.argwhere(parts == 2))
    shares = shares_of_columns(table, X, parts == 2)
    assert shares.min() > 0.6
    widths = (table["high"] - table["low"]) / UNITS[np.nonzero(parts == 2)[1]]
    assert widths.max() < 20 * widths.min()
    rule = calibrated_decisions(calibrated, model.top_links(9), 0.05, None, None)
    keys = model.network_.pair_keys(*np.argwhere(parts == 2).T)
    columns = rule.columns(keys, table["score"], table["spread"])
    np.testing.assert_allclose(columns["low"], table["low"])
    np.testing.assert_allclose(columns["high"], table["high"])


def test_pairs_of_every_unit_are_answered(fitted):
    model, _, hidden = fitted
    prediction = model.assess(np.argwhere(hidden))
    answered = np.nonzero(hidden)[1][~prediction.abstained]
    assert len(set(answered)) >= 6
