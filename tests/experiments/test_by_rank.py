"""Measures at every rank equal plain computations from the members."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink import datasets
from latentlink.experiments.by_rank import MEASURES, at_rank, measured_by_rank, numbers
from latentlink.experiments.method_lines import MethodLines
from latentlink.experiments.methods import factorizer
from latentlink.splitting import holdout


@pytest.fixture(scope="module")
def fitted():
    split = holdout(datasets.gaussian(20, 3, rows=15).network, 0.2, 0)
    return factorizer("WNMFk", "default", (1, 2, 3), n_perturbs=4).fit(split.train), split


@pytest.mark.parametrize("by_ensemble", [False, True])
def test_measures_equal_plain_computations(fitted, by_ensemble):
    model, split = fitted
    line = measured_by_rank(model, split, tuple(MEASURES), by_ensemble=by_ensemble)
    test, train = split.test, split.train
    assert line["ranks"] == "1 2 3"
    for index, record in enumerate(model.path_):
        scores = np.array([member.score(test.rows, test.cols) for member in record.members])
        known = train.known
        inside = np.array([m.score(train.rows[known], train.cols[known]) for m in record.members])
        spread, threshold = scores.std(axis=0), inside.std(axis=0).mean()
        score = scores.mean(axis=0) if by_ensemble else record.model.score(test.rows, test.cols)
        error, answered = test.values - score, spread <= threshold
        expected = {
            "rmse": np.sqrt(np.mean(error**2)),
            "rmse_answered": np.sqrt(np.mean(error[answered] ** 2)),
            "abstained": 1 - answered.mean(),
            "correlation": np.corrcoef(spread, np.abs(error))[0, 1],
            "relative_correlation": np.corrcoef(spread, np.abs(error / test.values))[0, 1],
            "smr": spread.std() / spread.mean(),
            "stability": record.stability,
            "held_out": record.held_out_error,
        }
        for name, value in expected.items():
            assert numbers(line, name)[index] == pytest.approx(value, rel=2e-3), name


def test_relative_errors_leave_out_zeros():
    split = holdout(datasets.dog().network, 0.1, 0)
    model = factorizer("WNMFk", "paper", (2,), n_perturbs=3).fit(split.train)
    line = measured_by_rank(model, split, ("relative_correlation",), by_ensemble=False)
    assert np.isfinite(numbers(line, "relative_correlation")).all()


def test_a_rank_that_was_not_visited_has_no_number():
    line = {"ranks": "2 4", "rmse": "0.5 0.25"}
    assert at_rank(line, "rmse", 4) == 0.25
    assert np.isnan(at_rank(line, "rmse", 3))


def test_lines_of_a_mode_are_summed_up():
    def line(seed, mode, rank, rmse, hidden="0.1"):
        return {
            "mode": mode, "method": "WNMFk", "hidden": hidden, "seed": str(seed), "chosen_rank": str(rank),
            "ranks": "1 2 3", "rmse": rmse, "rmse_answered": "0.1 0.1 nan", "seconds": str(seed),
        }  # fmt: skip

    lines = [line(0, "paper", 2, "0.4 0.2 0.3"), line(1, "paper", 3, "0.6 0.4 0.1")]
    lines += [line(2, "paper", 1, "1 1 1", "0.5"), line(3, "default", 1, "0 0 0")]
    of = MethodLines(lines, "paper", 2)
    assert (of.shares, of.methods, of.visited("WNMFk")) == ([0.1, 0.5], ["WNMFk"], [1, 2, 3])
    assert of.ranks("WNMFk").tolist() == [2, 3, 1]
    assert (of.exact("WNMFk"), of.exact("WNMFk", 0.1)) == (pytest.approx(1 / 3), 0.5)
    np.testing.assert_allclose(of.curve("WNMFk", "rmse", 0.1), [0.5, 0.3, 0.2])
    assert of.best_rank("WNMFk", 0.1) == 3
    assert of.mean("WNMFk", "rmse", 0.1) == pytest.approx(0.3)
    assert of.gain("WNMFk", 0.1) == pytest.approx(-0.2)
    assert np.isnan(of.mean("WNMFk", "rmse_answered", 0.1, 3))
    assert np.isnan(of.curve("WNMFk", "rmse_answered", 0.1)[2])
    assert of.seconds("WNMFk") == 1.0
