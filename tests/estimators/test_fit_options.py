"""Options of a fit, fits that fail, and de-duplicated warnings."""

from __future__ import annotations

import time
import warnings
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from latentlink import WNMFk
from latentlink.errors import DataWarning, InputError, RankWarning, warn_user
from latentlink.estimators.fit_options import (
    FitOptions,
    FitStages,
    WarnOnce,
    all_or_nothing,
    no_rank_warnings,
)
from latentlink.progress import Progress
from latentlink.solvers import WNMF
from tests.helpers.fitted import planted


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """Return a fit without a random state, and the folder that it was stored in."""
    folder = tmp_path_factory.mktemp("fit") / "run"
    model = WNMFk((1,), solver=WNMF(ridge=0.1), n_perturbs=2).fit(planted(), folder=folder)
    return model, folder


# ---------------------------------------------------------------- all or nothing


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_a_fit_that_fails_restores_all_attributes(error):
    estimator = SimpleNamespace(ranks=(1, 2), W_="before")

    def fit():
        with all_or_nothing(estimator):
            estimator.W_ = "after"
            estimator.H_ = "new"
            del estimator.ranks
            raise error("failed")

    with pytest.raises(error, match="failed"):
        fit()
    assert vars(estimator) == {"ranks": (1, 2), "W_": "before"}


def test_a_fit_that_succeeds_keeps_its_attributes():
    estimator = SimpleNamespace(W_="before")
    with all_or_nothing(estimator):
        estimator.W_, estimator.H_ = "after", "new"
    assert vars(estimator) == {"W_": "after", "H_": "new"}


# ---------------------------------------------------------------- parts and seeds


def test_a_part_has_a_folder_inside_and_the_same_callback_and_executor():
    options = FitOptions("run", print, "executor")
    assert options.part("base") == FitOptions(Path("run") / "base", print, "executor")
    assert options.part("base").part("lmf").folder == Path("run") / "base" / "lmf"
    assert options.folder == "run"


def test_parts_without_a_folder_have_the_same_options():
    options = FitOptions(callback=print)
    assert options.part("base") is options


def test_the_seed_is_that_of_the_random_state(stored):
    _, folder = stored
    assert FitOptions().seed(7) == FitOptions(folder).seed(7) == 7
    generators = [np.random.default_rng(0) for _ in range(2)]
    assert FitOptions().seed(generators[0]) == FitOptions(folder).seed(generators[1])


def test_the_seed_without_a_random_state_is_that_of_the_stored_fit(stored, tmp_path):
    model, folder = stored
    assert FitOptions(folder).seed(None) == FitOptions(str(folder)).seed(None) == model.seed_
    drawn = [FitOptions(tmp_path / "nothing").seed(None), FitOptions().seed(None)]
    assert len({*drawn, model.seed_}) == 3


# ---------------------------------------------------------------- stages


def test_the_duration_of_a_stage_is_expected_in_shares_of_the_stages_before_it(monkeypatch):
    """Two fits of 10 and 20 seconds; the third takes half of the first and all of the second."""
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    reports = []
    stages = FitStages(FitOptions(callback=reports.append), [1.0, 1.0, 9.0, 0.0])
    for seconds in (10.0, 20.0):
        stages.next("fit", "fit")
        now[0] += seconds
    stages.expect([0.5, 1.0])
    inner = stages.next("folds", "inner folds")
    inner.callback(Progress(1, 2, None, 12.5, 0.5))
    assert reports[-1].seconds_left == 12.5
    assert reports[-1].share == pytest.approx((30 + 12.5) / 55)
    assert reports[-1].total == round(2 * (2 + 25 / 15) / (2 + 25 / 15))


def test_a_stage_of_no_duration_expects_nothing(monkeypatch):
    monkeypatch.setattr(time, "monotonic", lambda: 5.0)
    stages = FitStages(FitOptions(), [1.0, 1.0])
    stages.next("fit", "fit")
    stages.expect([1.0])
    assert stages.next("folds", "inner folds").callback is None


# ---------------------------------------------------------------- warnings


def caught_in(block):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        block()
    return caught


def test_each_warning_is_issued_once_in_the_order_of_the_first():
    def block():
        with WarnOnce():
            for sentence in ("one", "two", "one"):
                warn_user(sentence)
            warn_user("one", RankWarning)

    caught = caught_in(block)
    assert [(str(each.message), each.category) for each in caught] == [
        ("one", DataWarning),
        ("two", DataWarning),
        ("one", RankWarning),
    ]
    assert {each.filename for each in caught} == {__file__}


def test_no_warning_is_issued_if_the_block_raises():
    def fit():
        with WarnOnce():
            warn_user("one")
            raise InputError("failed")

    def block():
        with pytest.raises(InputError, match="failed"):
            fit()

    assert caught_in(block) == []


def test_the_filters_of_the_caller_apply_after_the_block():
    finished = []

    def block():
        with WarnOnce():
            warn_user("one")
            finished.append(True)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(DataWarning, match="one"):
            block()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        block()
    assert caught == []
    assert len(finished) == 2


def test_warnings_of_unstable_ranks_alone_are_suppressed():
    def block():
        with no_rank_warnings():
            warn_user("unstable", RankWarning)
            warn_user("empty")

    assert [str(each.message) for each in caught_in(block)] == ["empty"]
