"""Options of a fit, and what all fits share: all or nothing, de-duplicated warnings."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from sklearn.exceptions import ConvergenceWarning

from latentlink.errors import LatentLinkError, RankWarning, warn_user
from latentlink.parallel import Workers, one_blas_thread, worker_count
from latentlink.progress import Callback, StagedProgress, work_clock, work_seconds
from latentlink.rank.checkpoint import stored_seed
from latentlink.rank.find_rank import check_options
from latentlink.rank.searches.ranks_of_user import check_ranks
from latentlink.validation.bounds import MOST_MEMBERS
from latentlink.validation.numbers import check_number, checked_seconds
from latentlink.validation.seeds import check_random_state, seed_of

__all__ = [
    "FitOptions",
    "FitStages",
    "WarnOnce",
    "all_or_nothing",
    "check_ensemble_settings",
    "no_rank_warnings",
    "warn_of_unstable_components",
]

_LATE = 0.1  # of the time limit: a fit that is later than that warns
_LEAST_SECONDS = 1e-9


@dataclass(frozen=True)
class FitOptions:
    """Where a fit runs, where it stores finished tasks, and the callback that receives its progress.

    Attributes
    ----------
    folder : path or None
        Checkpoints of finished tasks.
    callback : callable or None
        Receives a `Progress` after each task.
    executor : Executor, dask.distributed.Client or None
        Runs the tasks instead of threads.
    time_limit : float or None
        Seconds after which the search for the rank ends.
    """

    folder: str | Path | None = None
    callback: Callback | None = None
    executor: Workers | None = None
    time_limit: float | None = None

    def __post_init__(self) -> None:
        """Raise InputError for options of a wrong type, before any work."""
        check_options(self.folder, self.callback, self.executor, self.time_limit)

    def part(self, name: str) -> FitOptions:
        """Return the options of one of several fits, with a folder of its own inside."""
        return self if self.folder is None else replace(self, folder=Path(self.folder) / name)

    def fit(self, estimator: Any, X: Any) -> None:
        """Fit an estimator with these options."""
        estimator.fit(
            X,
            folder=self.folder,
            callback=self.callback,
            executor=self.executor,
            time_limit=self.time_limit,
        )

    def seed(self, random_state: Any) -> int:
        """Return the seed of a fit: without a random state that of the stored fit, if there is one."""
        stored = stored_seed(self.folder) if self.folder is not None and random_state is None else None
        return seed_of(random_state) if stored is None else stored


class FitStages:
    """The options of the fits of an estimator of several models, one after the other.

    Each has a folder of its own inside, and a part of the time that is left when it begins: that of its
    expected duration among those to come. So what a search leaves is for those after it, and the time of the
    last stages, which are no searches and cannot be cut short, is kept for them. Their progress is one count.

    Parameters
    ----------
    options : FitOptions
        The options of the whole.
    weights : sequence of float
        Expected durations of the fits, relative to each other.
    open_ended : sequence of bool
        Whether each fit searches its rank without a known end; fits that are not listed do not.
    compiling : sequence of float
        Expected time of each fit to compile code, relative to each other; fits that are not listed do not.
    """

    def __init__(
        self,
        options: FitOptions,
        weights: Sequence[float],
        open_ended: Sequence[bool] = (),
        compiling: Sequence[float] = (),
    ) -> None:
        limit = options.time_limit
        if limit is not None:
            limit = checked_seconds(limit, "time_limit")
        self._options, self._number = options, 0
        self._end = None if limit is None else time.monotonic() + limit
        self._progress = StagedProgress(options.callback, list(weights), open_ended, compiling)
        self._clock = ExitStack()

    @property
    def durations(self) -> list[float]:
        """Seconds of work that the fits until now have taken, the one under way included."""
        return [*self._progress.seconds, work_seconds() - self._progress.begin]

    def expect_seconds(self, seconds: Sequence[float]) -> None:
        """Correct the expected durations of all fits to come; those until now weigh what they took."""
        # A clock may be too coarse to tell a short fit from none.
        self._progress.weights[:] = [max(each, _LEAST_SECONDS) for each in (*self.durations, *seconds)]

    def next(self, folder: str, model: str) -> FitOptions:
        """Return the options of the next fit.

        Parameters
        ----------
        folder : str
            The name of its folder inside.
        model : str
            The name of the model in the progress.

        Raises
        ------
        LatentLinkError
            If the callback has cancelled a fit before.
        """
        if self._progress.cancelled:
            raise LatentLinkError(
                "The fit was cancelled before all of its models were fitted. With a folder what was fitted "
                "is stored, and the same fit continues from there."
            )
        options = replace(self._options.part(folder), callback=self._progress.stage(model))
        if self._end is not None:
            to_come = self._progress.weights[self._number :]
            share = to_come[0] / sum(to_come) if sum(to_come) else 1.0
            # The least time lets a fit finish its first rank and end there.
            options = replace(options, time_limit=max(share * (self._end - time.monotonic()), 1e-3))
        self._number += 1
        return options

    def __enter__(self) -> Self:
        self._clock.enter_context(work_clock())
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        """Report the end: of the last fit, or of a cancelled one; any other error reports nothing."""
        if error is None and self._end is not None:
            self._warn_if_late(time.monotonic() - self._end)
        self._clock.close()
        if error is None or self._progress.cancelled:
            self._progress.finish()

    def _warn_if_late(self, seconds: float) -> None:
        """Warn of a time limit that was passed by so many seconds, more than the end of a task may take."""
        limit = float(self._options.time_limit or 0.0)
        if seconds > _LATE * limit:
            warn_user(
                f"The fit took {limit + seconds:.1f} s, longer than its time limit of {limit:g} s: the limit "
                "ends searches of ranks; one rank of each model, inner folds and the last stage are always "
                "computed to the end."
            )


def check_ensemble_settings(estimator: Any) -> None:
    """Raise IncompatibleError unless ranks, members, threads and random state are valid."""
    check_ranks(estimator.ranks)
    check_number(estimator, "n_perturbs", 1, MOST_MEMBERS, whole=True)
    worker_count(estimator.n_jobs)
    check_random_state(estimator.random_state)


@contextmanager
def all_or_nothing(estimator: Any) -> Iterator[None]:
    """Restore an estimator if its fit fails: half fitted, it would answer for another fit.

    Linear algebra has one thread meanwhile, see `one_blas_thread`.
    """
    before = estimator.__dict__.copy()
    try:
        with one_blas_thread():
            yield
    except BaseException:
        estimator.__dict__.clear()
        estimator.__dict__.update(before)
        raise


@contextmanager
def no_rank_warnings() -> Iterator[None]:
    """Suppress warnings of unstable ranks and short chains: components and spread are not interpreted."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RankWarning)
        warnings.filterwarnings("ignore", "The chains at rank", ConvergenceWarning)
        yield


def warn_of_unstable_components(estimator: Any) -> None:
    """Warn that the components of a model are not to be interpreted, if its rank is not stable."""
    choice = getattr(estimator, "choice_", None)
    if choice is not None and choice.status == "unstable":
        warn_user(
            f"Rank {choice.rank} is not stable: {choice.reason}. Its scores may be right, but do not "
            "interpret its components.",
            RankWarning,
        )


class WarnOnce:
    """Issue each distinct warning once, where several models are fitted to the same data.

    A class and no generator, because `warn_user` looks for the caller's line past this package, and a
    generator would put contextlib in between.
    """

    def __enter__(self) -> None:
        self._catching = warnings.catch_warnings(record=True)
        self._caught = self._catching.__enter__()
        warnings.simplefilter("always")

    def __exit__(self, kind: type[BaseException] | None, *error: Any) -> None:
        self._catching.__exit__(kind, *error)
        if kind is None:
            issued = [(str(each.message), each.category) for each in self._caught or ()]
            for sentence, category in dict.fromkeys(issued):
                warn_user(sentence, category)
