"""Options of a fit, fits that fail, and de-duplicated warnings."""

from __future__ import annotations

import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from latentlink import LinkStack, LogisticHead, WNMFk, load
from latentlink.errors import DataWarning, InputError, LatentLinkError, RankWarning, warn_user
from latentlink.estimators.fit_options import (
    FitOptions,
    FitStages,
    WarnOnce,
    all_or_nothing,
    no_rank_warnings,
)
from latentlink.network import Network
from latentlink.progress import Progress, progress_bar
from latentlink.rank import HeldOut, Plan, find_rank
from latentlink.regime import real
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


# ---------------------------------------------------------------- wrong options

WRONG = [
    ("callback", 5, "callback is 5; expected a function that takes a Progress, or None"),
    ("callback", "print", "callback is 'print'; expected a function"),
    ("callback", 0, "callback is 0; expected a function"),
    ("callback", progress_bar, r"callback is progress_bar, .*; expected a bar. Write .*progress_bar\(\)"),
    (
        "executor",
        "threads",
        r"executor is 'threads'; expected an Executor, .*\(2\), or a dask\.distributed\.Client, or None",
    ),
    ("executor", ThreadPoolExecutor, "executor is <class .*; expected an Executor, that is an object"),
    ("executor", 0, "executor is 0; expected an Executor"),
    ("folder", 5, "folder is 5; expected a path"),
    ("folder", b"run", "folder is b'run'; expected a path"),
    ("folder", "", "folder is ''; expected a path"),
    ("folder", "a\0b", r"folder is 'a\\x00b'; expected a path"),
    ("time_limit", "1 h", "time_limit is '1 h'; expected a number > 0"),
    ("time_limit", 0, "time_limit is 0; expected a number > 0"),
]


@pytest.mark.parametrize("kind", [WNMFk, LogisticHead, LinkStack])
@pytest.mark.parametrize(("name", "value", "sentence"), WRONG)
def test_wrong_options_raise_before_the_data_are_read(kind, name, value, sentence):
    with pytest.raises(InputError, match=sentence):
        kind().fit(object(), **{name: value})


@pytest.mark.parametrize(("name", "value", "sentence"), WRONG)
def test_wrong_options_of_a_search_raise(name, value, sentence):
    plan = Plan(Network.from_dense(planted()), WNMF(ridge=0.1), real(), 2)
    with pytest.raises(InputError, match=sentence):
        find_rank(plan, (1,), HeldOut(), **{name: value})


@pytest.mark.parametrize("folder", [5, b"x", None, "", ["x"], "a\0b"])
def test_a_model_is_saved_and_loaded_by_a_path(stored, folder):
    for use in (stored[0].save, load):
        with pytest.raises(InputError, match=r"folder is .*; expected a path"):
            use(folder)


def test_other_wrong_arguments_of_saving_and_loading_raise(stored, tmp_path):
    with pytest.raises(InputError, match="overwrite is 'no'; expected True or False"):
        stored[0].save(tmp_path / "model", overwrite="no")
    stored[0].save(tmp_path / "model")
    for also in (5, ["WNMF"], [WNMF()], WNMF):
        with pytest.raises(InputError, match=r"also is .*; expected classes in a list, such as"):
            load(tmp_path / "model", also=also)


# ---------------------------------------------------------------- parts and seeds


def test_a_part_has_a_folder_inside_and_the_same_callback_and_executor():
    executor = ThreadPoolExecutor(1)
    options = FitOptions("run", print, executor)
    assert options.part("base") == FitOptions(Path("run") / "base", print, executor)
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


def test_the_last_stage_is_expected_in_seconds(monkeypatch):
    """Two fits of 10 and 20 seconds; the third takes half of the first and all of the second."""
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    reports = []
    stages = FitStages(FitOptions(callback=reports.append), [1.0, 1.0, 9.0])
    for seconds in (10.0, 20.0):
        stages.next("fit", "fit")
        now[0] += seconds
    stages.expect_seconds([25.0])
    inner = stages.next("folds", "inner folds")
    inner.callback(Progress(1, 2, None, 12.5, 0.5))
    assert reports[-1].seconds_left == 12.5
    assert reports[-1].share == pytest.approx((30 + 12.5) / 55)
    assert (reports[-1].done, reports[-1].total) == (772, 1000)


def test_fits_share_one_time_limit_by_their_expected_durations(monkeypatch):
    """What the first fit does not need is for the others; the last stage keeps its part."""
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    stages = FitStages(FitOptions(time_limit=50.0), [2.0, 2.0, 1.0])
    limits = []
    for seconds in (5.0, 60.0, 1.0):
        limits.append(stages.next("fit", "fit").time_limit)
        now[0] += seconds
    assert limits == [20.0, 30.0, 1e-3]  # the time is over, but a search finishes its first rank
    of_no_duration = FitStages(FitOptions(time_limit=50.0), [0.0, 1.0, 0.0])
    assert [of_no_duration.next("fit", "fit").time_limit for _ in range(3)] == [1e-3, 50.0, 50.0]


@pytest.mark.parametrize(("seconds", "warned"), [(11.0, 0), (11.1, 1)])
def test_a_fit_that_ends_more_than_a_tenth_after_its_time_limit_warns(monkeypatch, seconds, warned):
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with FitStages(FitOptions(time_limit=10.0), [1.0]) as stages:
            stages.next("fit", "fit")
            now[0] = seconds
    assert len(caught) == warned
    assert all("took 11.1 s, longer than its time limit of 10 s" in str(each.message) for each in caught)


def test_stages_between_are_expected_too(monkeypatch):
    """A fit of 10 seconds, another like it to come, and a third stage that takes half of each."""
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    reports = []
    stages = FitStages(FitOptions(callback=reports.append), [1.0, 1.0, 9.0], [False, True])
    stages.next("base", "base")
    now[0] += 10.0
    stages.expect_seconds([10.0, 10.0])
    lmf = stages.next("lmf", "lmf")
    now[0] += 4.0
    lmf.callback(Progress(1, 2, None, 6.0, 0.4, open_ended=False))
    assert reports[-1].seconds_left == 6.0 + 10.0
    assert reports[-1].share == pytest.approx(14 / 30)


def test_stages_to_come_are_expected_in_seconds(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    reports = []
    stages = FitStages(FitOptions(callback=reports.append), [1.0, 2.0, 9.0])
    stages.next("features", "features")
    now[0] += 4.0
    assert stages.durations == [4.0]
    stages.expect_seconds([20.0, 10.0])
    fit = stages.next("fit", "fit")
    now[0] += 5.0
    fit.callback(Progress(1, 2, None, 15.0, 0.25))
    assert reports[-1].seconds_left == pytest.approx(15.0 + 10.0)
    assert stages.durations == [4.0, 5.0]


def test_a_cancelled_fit_has_a_last_call():
    reports = []

    def cancel(progress):
        reports.append(progress)
        return False

    def fit():
        with FitStages(FitOptions(callback=cancel), [1.0, 1.0]) as stages:
            stages.next("fit", "fit").callback(Progress(1, 2, None, 6.0, 0.4))
            stages.next("fit", "fit")

    with pytest.raises(LatentLinkError, match="cancelled"):
        fit()
    assert reports[-1].finished
    assert reports[-1].share < 1


def test_a_search_to_come_leaves_the_end_of_the_whole_open():
    reports = []
    stages = FitStages(FitOptions(callback=reports.append), [1.0, 1.0, 1.0], [False, True])
    for _ in range(3):
        stages.next("fit", "fit").callback(Progress(1, 2, None, 6.0, 0.4))
    assert [each.open_ended for each in reports] == [True, False, False]


def test_stages_of_no_duration_can_be_reported(monkeypatch):
    """By a coarse clock a fit may take no time at all."""
    monkeypatch.setattr(time, "monotonic", lambda: 5.0)
    reports = []
    stages = FitStages(FitOptions(callback=reports.append), [1.0, 1.0])
    stages.next("fit", "fit")
    stages.expect_seconds([0.0])
    stages.next("folds", "inner folds").callback(Progress(1, 2, None, 6.0, 0.5))
    assert reports[-1].seconds_left == 6.0
    assert FitStages(FitOptions(), [1.0]).next("fit", "fit").callback is None


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
