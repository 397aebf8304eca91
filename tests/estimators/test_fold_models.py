"""Models of folds: fitted one after the other, and loaded where they were stored before."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

from latentlink import LinkStack, RankedFactorizer, WNMFk, datasets
from latentlink.errors import LatentLinkError
from latentlink.solvers import WNMF
from latentlink.strategy import strategy


def weighted(**settings):
    return WNMFk((2,), solver=WNMF(ridge=0.1), n_perturbs=2, **{"random_state": 0, **settings})


def network(seed=0):
    return datasets.planted_boolean(rows=40, columns=30, rank=2, flips=0.03, seed=seed).network


@pytest.fixture
def fits(monkeypatch):
    """A list that every fit of a factorization is added to."""
    made, fit = [], RankedFactorizer._fit

    def counted(self, *args, **options):
        made.append(self)
        return fit(self, *args, **options)

    monkeypatch.setattr(RankedFactorizer, "_fit", counted)
    return made


def same(one, other):
    np.testing.assert_array_equal(one.score, other.score)
    np.testing.assert_array_equal(one.spread, other.spread)
    pairs = np.array([(0, 1), (3, 2)])
    for first, second in zip(one.folds, other.folds, strict=True):
        np.testing.assert_array_equal(first.scorer.score(*pairs.T), second.scorer.score(*pairs.T))


def test_stored_folds_are_not_fitted_again(fits, tmp_path):
    model = weighted().fit(network())
    plain, first = model.cross_calibrate(3), model.cross_calibrate(3, folder=tmp_path)
    same(plain, first)
    fits.clear()
    same(plain, model.cross_calibrate(3, folder=tmp_path))
    assert not fits


def test_a_stopped_calibration_continues_after_its_last_fold(fits, tmp_path):
    model = weighted().fit(network())
    with pytest.raises(LatentLinkError, match="cancelled"):
        model.cross_calibrate(3, folder=tmp_path, callback=lambda report: report.model == "fold 1 of 3")
    fits.clear()
    reports = []
    same(model.cross_calibrate(3), model.cross_calibrate(3, folder=tmp_path, callback=reports.append))
    assert len(fits) == 3 + 2  # all of the first, and two of the second
    assert reports[-1].finished


def test_folds_of_other_data_or_settings_are_not_mixed_up(tmp_path):
    weighted().fit(network()).cross_calibrate(3, folder=tmp_path / "one")
    for other in (weighted().fit(network(1)), weighted(random_state=1).fit(network())):
        shutil.copytree(tmp_path / "one", tmp_path / "other")
        for tasks in (tmp_path / "other").glob("fold-?"):  # these raise by themselves
            shutil.rmtree(tasks)
        same(other.cross_calibrate(3), other.cross_calibrate(3, folder=tmp_path / "other"))
        shutil.rmtree(tmp_path / "other")


def test_another_division_into_folds_is_another_calibration(tmp_path):
    model = weighted().fit(network())
    model.cross_calibrate(3, folder=tmp_path)
    with pytest.raises(LatentLinkError, match="other data"):
        model.cross_calibrate(3, rng=1, folder=tmp_path)


@strategy
class OwnSolver(WNMF):
    """A solver that the package does not know."""


def test_a_solver_of_ones_own_is_stored_too(fits, tmp_path):
    model = RankedFactorizer((2,), solver=OwnSolver(ridge=0.1), n_perturbs=2, random_state=0).fit(network())
    first = model.cross_calibrate(2, folder=tmp_path)
    fits.clear()
    same(first, model.cross_calibrate(2, folder=tmp_path))
    assert not fits


@pytest.mark.slow
def test_folds_of_a_stack_are_stored_whole(fits, tmp_path):
    model = LinkStack((1,), n_perturbs=2, random_state=0).fit(network())
    first = model.cross_calibrate(2, folder=tmp_path)
    fits.clear()
    same(first, model.cross_calibrate(2, folder=tmp_path))
    assert not fits
