"""The verb that all estimators share: a fit that is whole, or nothing."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from latentlink.errors import RankWarning, warn_user
from latentlink.rank import Progress

__all__ = ["Fitting", "ToldOnce", "for_scores_alone"]


@contextmanager
def for_scores_alone() -> Iterator[None]:
    """Leave warnings of unstable ranks out: nobody will read the components of these models."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RankWarning)
        yield


class ToldOnce:
    """Let several models that were given the same data say the same of it once.

    A class and no generator: warnings look for the caller's line past this package, not past contextlib.
    """

    def __enter__(self) -> None:
        self._catching = warnings.catch_warnings(record=True)
        self._told = self._catching.__enter__()
        warnings.simplefilter("always")

    def __exit__(self, kind: type[BaseException] | None, *error: Any) -> None:
        self._catching.__exit__(kind, *error)
        if kind is None:
            said = [(str(each.message), each.category) for each in self._told or ()]
            for sentence, category in dict.fromkeys(said):
                warn_user(sentence, category)


class Fitting:
    """Estimators that are fitted to a network or matrix."""

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        mask: Any = None,
        folder: str | Path | None = None,
        callback: Callable[[Progress], object] | None = None,
        executor: Executor | None = None,
    ) -> Self:
        """Find the rank and fit the model; of several models, all of them in turn.

        A fit that fails leaves the estimator as it was: half fitted, it would answer for another. So does one
        of several models that is cancelled before each has finished a rank; with a folder nothing is lost.

        Parameters
        ----------
        X : Network, array-like, sparse matrix or frame, shape (rows, columns)
            All entries are known, unstored ones are 0, NaN is unknown; a Network says itself what is known.
            A frame's labels become names.
        y : None
            Ignored.
        mask : array-like, sparse matrix or frame of the same shape
            0 where an entry is unknown, 1 (or a positive weight) where it is known. Under a sparse mask a
            sparse X is known only where the mask stores something.
        folder : path
            Where finished tasks are kept: a fit that was stopped goes on from there, with the same data and
            settings (and with the seed that it drew, where ``random_state`` is None). A fit over other ranks
            goes on with the ridge that was chosen for the first. Of several models each has a folder of its
            own inside.
        callback : callable
            Is told of the progress.
        executor : concurrent.futures.Executor
            Where tasks run, instead of threads.
        """
        del y
        before = self.__dict__.copy()
        try:
            self._fit(X, mask, folder, callback=callback, executor=executor)
        except BaseException:
            self.__dict__.clear()
            self.__dict__.update(before)
            raise
        return self

    def _fit(self, X: Any, mask: Any, folder: str | Path | None, **how: Any) -> None:
        """Fit, with a callback and an executor."""
        raise NotImplementedError
