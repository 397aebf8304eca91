"""Fits of factorizers: fitted attributes, reproducibility, checkpoints, failures and warnings."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas
import pytest
from scipy import sparse

from latentlink import NMFk, RNMFk, WNMFk
from latentlink.errors import DataWarning, IncompatibleError
from latentlink.rank import Bisect
from latentlink.regime import AsIs
from latentlink.solvers import LMF, NMF, RNMF, WNMF
from tests.helpers.fitted import SMALL, blocks, every_pair, planted, with_unknown


def fitted(X, mask=None, **params):
    return WNMFk(**({"solver": WNMF(ridge=0.05)} | SMALL | params)).fit(X, mask=mask)


def scores(model):
    return model.predict_links(every_pair(model.network_.shape))


X_UNKNOWN = with_unknown(planted(), 0.2)


@pytest.mark.slow
def test_fitted_attributes():
    model = WNMFk((1, 2, 3), solver=WNMF(ridge=0.05), n_perturbs=4, random_state=0).fit(planted())
    assert model.rank_ == model.choice_.rank == model.factors_.rank
    assert model.path_.ranks == (1, 2, 3)
    np.testing.assert_array_equal(model.W_, model.factors_.W)
    np.testing.assert_array_equal(model.H_, model.factors_.H)
    assert model.components_ is model.H_
    assert model.members_ == model.path_[model.rank_].members
    assert model.solver_.ridge == 0.05
    assert model.n_features_in_ == 9
    assert not hasattr(model, "feature_names_in_")
    assert model.row_names_ is None
    assert model.complete_
    assert list(model.get_feature_names_out()) == [f"wnmfk{c}" for c in range(model.rank_)]


# ---------------------------------------------------------------- side effects and reproducibility


@pytest.mark.parametrize("wrap", [np.array, sparse.csr_array, pandas.DataFrame])
def test_inputs_and_masks_are_not_changed(wrap):
    X, mask = wrap(blocks()), (np.arange(140).reshape(14, 10) % 7 > 0) * 1.0
    before, mask_before = X.copy(), mask.copy()
    model = fitted(X, mask=mask)
    model.transform(X, mask=mask)
    model.score(X)
    change = abs(X - before)
    assert (change.to_numpy() if isinstance(change, pandas.DataFrame) else change).sum() == 0
    np.testing.assert_array_equal(mask, mask_before)


def test_read_only_data_are_fitted():
    X = planted()
    X.setflags(write=False)
    assert fitted(X).n_features_in_ == 9


@pytest.mark.parametrize(
    "model",
    [
        NMFk((1, 2), solver=NMF(max_iter=20), n_perturbs=9, random_state=3),
        RNMFk((1, 2), solver=RNMF(max_iter=20, ridge=0.1), n_perturbs=9, random_state=3),
    ],
    ids=["NMFk", "RNMFk"],
)
@pytest.mark.slow
def test_results_are_the_same_for_any_number_of_threads(model):
    serial = scores(model.set_params(n_jobs=1).fit(X_UNKNOWN))
    np.testing.assert_array_equal(scores(model.set_params(n_jobs=4).fit(X_UNKNOWN)), serial)


def test_the_same_seed_gives_the_same_model_and_another_seed_another():
    one, same, other = (fitted(X_UNKNOWN, random_state=seed) for seed in (4, 4, 5))
    np.testing.assert_array_equal(scores(one), scores(same))
    assert any((a.W != b.W).any() for a, b in zip(one.members_, other.members_, strict=True))


def test_the_global_random_state_is_not_used():
    np.random.seed(0)  # noqa: NPY002
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    fitted(planted(), random_state=None)
    np.testing.assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002


def test_a_pickled_model_predicts_the_same(any_model):
    loaded = pickle.loads(pickle.dumps(any_model))
    pairs = every_pair(any_model.network_.shape)
    for before, after in zip(
        any_model.predict_links(pairs, return_std=True),
        loaded.predict_links(pairs, return_std=True),
        strict=True,
    ):
        np.testing.assert_array_equal(before, after)


def test_a_logistic_solver_in_any_class_leaves_the_values_as_they_are():
    model = WNMFk(solver=LMF(ridge=1.0), **SMALL).fit(blocks())
    assert model.factors_.logistic
    assert isinstance(model.regime_.perturb, AsIs)


# ---------------------------------------------------------------- checkpoints, failures and warnings


def test_options_are_passed_to_the_search(monkeypatch):
    passed = {}
    options = {"folder": "there", "callback": print, "executor": ThreadPoolExecutor(1), "time_limit": 7.5}

    def find_rank(plan, ranks, selection, **settings):
        passed.update(settings)
        raise KeyboardInterrupt

    monkeypatch.setattr("latentlink.estimators.factorizer.find_rank", find_rank)
    with pytest.raises(KeyboardInterrupt):
        WNMFk(n_jobs=3, **SMALL).fit(planted(), **options)
    assert passed == {**options, "n_jobs": 3}


@pytest.mark.slow
def test_a_cancelled_fit_continues_from_its_folder(tmp_path):
    settings = {"solver": WNMF(ridge=0.05), "n_perturbs": 3, "random_state": 0}
    whole = WNMFk((1, 2, 3), **settings).fit(planted())
    cancelled = WNMFk((1, 2, 3), **settings).fit(
        planted(), folder=tmp_path / "run", callback=lambda progress: progress.done < 2
    )
    assert not cancelled.complete_
    assert len(cancelled.path_) < 3
    progress = []
    continued = WNMFk((1, 2, 3), **settings).fit(planted(), folder=tmp_path / "run", callback=progress.append)
    assert continued.complete_
    assert progress[-1].done == progress[-1].total
    np.testing.assert_array_equal(scores(continued), scores(whole))


@pytest.mark.slow
def test_by_default_rank_and_ridge_are_chosen():
    model = WNMFk(n_perturbs=4, random_state=0).fit(planted((20, 15)))
    assert model.rank_ == 2
    assert isinstance(model.solver_.ridge, float)


def test_a_fit_without_a_seed_continues_with_the_stored_one(tmp_path):
    settings = {"solver": WNMF(ridge=0.05), "n_perturbs": 2}
    first = WNMFk((1, 2), **settings).fit(planted(), folder=tmp_path / "run")
    second = WNMFk((1, 2), **settings).fit(planted(), folder=tmp_path / "run")
    np.testing.assert_array_equal(scores(second), scores(first))
    with pytest.raises(IncompatibleError, match=r"other settings \(seed is \d+ there, 5 here\)"):
        WNMFk((1, 2), random_state=5, **settings).fit(planted(), folder=tmp_path / "run")


def test_a_fit_that_fails_restores_the_earlier_one():
    model = WNMFk((1,), solver=WNMF(ridge=0.05), n_perturbs=2, random_state=0).fit(planted())
    before = model.predict_links([(0, 0)])
    with pytest.raises(IncompatibleError):
        model.set_params(ranks=Bisect(90, 99)).fit(planted((10, 4)))
    assert model.n_features_in_ == 9
    np.testing.assert_array_equal(model.predict_links([(0, 0)]), before)
    unfitted = WNMFk(Bisect(90, 99))
    with pytest.raises(IncompatibleError):
        unfitted.fit(planted())
    assert not hasattr(unfitted, "n_features_in_")


def test_values_too_large_raise_in_the_name_of_the_given_solver():
    with pytest.raises(IncompatibleError, match=r"^WNMF\((?!.*ridge=\().*largest is 1e\+300") as error:
        WNMFk((1, 2)).fit(planted() * 1e300 / planted().max())
    assert "ridge=(" not in str(error.value)


def test_warnings_point_at_the_line_of_the_caller():
    X = planted()
    X[3] = np.nan
    with pytest.warns(DataWarning, match="Nothing is known of 1 row") as caught:
        WNMFk((1,), solver=WNMF(ridge=0.05), n_perturbs=2, random_state=0).fit(X)
    assert all(each.filename == __file__ for each in caught)
