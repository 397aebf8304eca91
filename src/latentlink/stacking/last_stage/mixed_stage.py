"""The last stage: piecewise linear functions and boosted trees, in shares that held-out pairs decide."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from latentlink.network import Network
from latentlink.progress import Callback, StepProgress
from latentlink.stacking.inner_folds import LEAST_FOLDS, cancelled_before_the_last_stage
from latentlink.stacking.last_stage.additive_stage import AdditiveStage
from latentlink.stacking.last_stage.boosted_trees import BoostedTrees
from latentlink.stacking.last_stage.training_pairs import TrainingPairs

__all__ = ["TRIAL_SIZE", "MixedStage", "fit_last_stage"]

Array = NDArray[np.float64]
Result = TypeVar("Result")

_PENALTIES = (10.0, 100.0, 1000.0)  # candidates
_TRIAL_TOL = 1e-4  # of their fits: the differences between candidates are larger by far
TRIAL_SIZE = 6000  # pairs by which candidates are compared
_LEAST_FOR_TREES = 1000  # pairs; fewer were predicted better without
# Of the trees. Alone they would score all pairs of a leaf alike, with a spread of 0: the redrawn sums differ.
_SHARES = (0.0, 0.5, 0.9)
_POINTS = 1 << 15  # whose columns are gathered at a time
_REDRAWN = -6 % 2**32  # keeps these draws apart from those of other stages


@dataclass(frozen=True, eq=False)
class MixedStage:
    """Piecewise linear functions, the mean of these and boosted trees, or mostly the trees.

        f(x) = (1 - share) additive(x) + share trees(x)

    Attributes
    ----------
    additive : AdditiveStage
    trees : BoostedTrees
    share : float
        0, 0.5 or 0.9: that with the least cross-entropy of held-out pairs.
    losses : tuple of float
        The mean cross-entropy of held-out pairs for the shares 0, 0.5 and 0.9; NaN where it was not compared.
    redrawn : tuple of AdditiveStage
        What other training pairs might have given instead of ``additive``: one for each member of a stack.
    """

    additive: AdditiveStage
    trees: BoostedTrees
    share: float
    losses: tuple[float, ...]
    redrawn: tuple[AdditiveStage, ...] = ()

    def member(self, number: int) -> MixedStage:
        """Return the stage of a member, which has one of the redrawn sums; the trees are the same for all."""
        return replace(self, additive=self.redrawn[number], redrawn=()) if self.redrawn else self

    def value(self, columns: Sequence[NDArray[Any]]) -> Array:
        """Return the value of f, for columns of any one shape."""
        flat = [np.ravel(column) for column in columns]
        value = np.empty(len(flat[0]))
        for begin in range(0, len(value), _POINTS):
            part = slice(begin, begin + _POINTS)
            table = np.array([column[part] for column in flat], np.float64)
            value[part] = (1 - self.share) * self.additive.value(table) if self.share < 1 else 0.0
            if self.share > 0:
                value[part] += self.share * self.trees.value(table)
        return value.reshape(np.shape(columns[0]))

    @property
    def constant(self) -> float:
        """The value of an average pair."""
        return (1 - self.share) * self.additive.constant + self.share * self.trees.mean

    def contributions(self, columns: Sequence[NDArray[Any]]) -> list[Array]:
        """Return the part of each column in the value; with the constant they add up to it.

        Exact for the piecewise linear functions, and path-wise for the trees.
        """
        parts = [(1 - self.share) * part for part in self.additive.contributions(columns)]
        if self.share > 0:
            of_trees = self.trees.contributions(columns)
            parts = [part + self.share * more for part, more in zip(parts, of_trees, strict=True)]
        return parts


def fit_last_stage(
    tables: Sequence[Array],
    tests: Sequence[Network],
    members: int = 0,
    seed: int = 0,
    callback: Callback | None = None,
) -> MixedStage:
    """Fit the last stage to hidden pairs, as the logit of a link.

    The penalty of the piecewise linear functions and the share of the trees are those with the least
    cross-entropy of pairs in groups of folds that were left out.

    Parameters
    ----------
    tables : sequence of arrays, shape (pairs, columns)
        Scores and features of the hidden pairs of each inner fold.
    tests : sequence of Network
        The known values of these pairs.
    members : int
        How often the piecewise linear functions are redrawn.
    seed : int
        Of all random draws.
    callback : callable, optional
        Receives the progress; raises LatentLinkError if it cancels the fit.
    """
    pairs = TrainingPairs.of(tables, tests)
    penalty, share, losses = _PENALTIES[-1], 0.0, (np.nan,) * len(_SHARES)
    # With fewer of a class than folds, some candidates would be fitted to one class alone.
    compared = pairs.sample(TRIAL_SIZE) if pairs.have_both_classes_in_folds else None
    steps = _Steps(compared, len(pairs), members > 1, callback)
    if compared is not None:
        penalty, share, losses = _chosen(compared, seed, steps)
    additive = steps.done(AdditiveStage.fit(pairs, penalty), whole=True)
    trees = steps.done(BoostedTrees.fit(pairs, seed) if share else BoostedTrees.none(), whole=True)
    redrawn: tuple[AdditiveStage, ...] = ()
    if members > 1:
        redrawn = steps.done(additive.redrawn(pairs, penalty, members, (seed, _REDRAWN)), whole=True)
    return MixedStage(additive, trees, share, losses, redrawn)


class _Steps:
    """Steps of the last stage: fits to compare candidates, the fits of the chosen ones, and the redraws."""

    def __init__(
        self, compared: TrainingPairs | None, pairs: int, redraws: bool, callback: Callback | None
    ) -> None:
        self.with_trees = compared is not None and len(compared) >= _LEAST_FOR_TREES
        candidates = 0 if compared is None else len(_PENALTIES) + self.with_trees
        # Fits to all pairs take longer than those to the pairs that candidates are fitted to.
        self._of_all = max(1, round(pairs * LEAST_FOLDS / ((LEAST_FOLDS - 1) * TRIAL_SIZE)))
        total = candidates * LEAST_FOLDS + (2 + redraws) * self._of_all
        self._progress = StepProgress(callback, total)

    def done(self, result: Result, whole: bool = False) -> Result:
        """Count a finished step, on some or on all pairs, and return its result.

        Raises LatentLinkError if the callback cancels.
        """
        if not self._progress.step(self._of_all if whole else 1):
            raise cancelled_before_the_last_stage()
        return result


def _chosen(pairs: TrainingPairs, seed: int, steps: _Steps) -> tuple[float, float, tuple[float, ...]]:
    """Return the penalty and the share of least cross-entropy, and the cross-entropies of all shares."""

    def logits_by(fit: Callable[[TrainingPairs], AdditiveStage | BoostedTrees]) -> Array:
        logits = np.empty(len(pairs))
        for others, inside in pairs.split(LEAST_FOLDS):
            logits[inside] = steps.done(fit(others)).value(pairs.table[inside].T)
        return logits

    by_penalty = [
        logits_by(partial(AdditiveStage.fit, penalty=penalty, tol=_TRIAL_TOL)) for penalty in _PENALTIES
    ]
    best = int(np.argmin([pairs.cross_entropy(logits) for logits in by_penalty]))
    if not steps.with_trees:
        return _PENALTIES[best], 0.0, (pairs.cross_entropy(by_penalty[best]), np.nan, np.nan)
    of_trees = logits_by(partial(BoostedTrees.fit, seed=seed))
    losses = tuple(
        pairs.cross_entropy((1 - share) * by_penalty[best] + share * of_trees) for share in _SHARES
    )
    return _PENALTIES[best], _SHARES[int(np.argmin(losses))], losses
