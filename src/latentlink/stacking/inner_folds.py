"""Inner folds: what ensembles score entries that were hidden from all of their members."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import LatentLinkError
from latentlink.factors import Factors
from latentlink.network import Network, sample_negatives
from latentlink.network.pair_codes import PairCodes
from latentlink.parallel import TaskPool, Workers
from latentlink.progress import Callback, StepProgress
from latentlink.random import rng_for
from latentlink.rank.engine import Plan, fit_members
from latentlink.splitting import Split, kfold
from latentlink.stacking.graph_features import FeatureKinds, GraphFeatures

__all__ = [
    "LEAST_FOLDS",
    "SAMPLE_SIZE",
    "FittedEnsemble",
    "cancelled_before_the_last_stage",
    "enough_folds",
    "folds_needed",
    "hidden_features",
    "hidden_logits",
    "inner_folds",
    "mean_logits",
    "stratified_positions",
]

Array = NDArray[np.float64]

SAMPLE_SIZE = 50_000  # pairs for the last stage to learn from, about half of each class: more improve little
LEAST_FOLDS = 3
_INNER = -4 % 2**32  # keeps these draws apart from those of a rank search


@dataclass(frozen=True, eq=False)
class FittedEnsemble:
    """The settings of an ensemble whose rank was chosen, so that it can be fitted again to a part.

    Attributes
    ----------
    plan : Plan
        Network, solver, regime, members and seed.
    rank : int
        The chosen rank.
    """

    plan: Plan
    rank: int

    def fitted_members(self, train: Network) -> list[Factors]:
        """Fit the ensemble to a part of the network, and return its members, or the draws of its chains."""
        if self.plan.solver.needs_unit_weights:
            train = train.with_background(self.plan.network.background)
        plan = replace(self.plan, network=train).without_hidden()
        plan.solver.check(plan.network)
        blocks = (fit_members(plan, self.rank, block) for block in plan.blocks)
        return [model for block in blocks for member in block for model in member.models]

    def member_logits(self, split: Split) -> Array:
        """Fit the ensemble to the training part, and return scores of the test part, shape (members, pairs).

        Scores are taken before the link function, and for Boolean factors by the plain product: the input of
        a logistic model on top of them.
        """
        linear = [replace(each, logistic=False, boolean=False) for each in self.fitted_members(split.train)]
        rows, cols = split.test.rows, split.test.cols
        return np.array([member.score(rows, cols) for member in linear], np.float64)


def inner_folds(network: Network, seed: int, folds: int = 5) -> Iterator[Split]:
    """Yield splits, each of which hides a part of the known entries; hidden entries stay hidden.

    With a background, unlisted pairs are known zeros too: as many of them as there are known entries are
    drawn as test pairs, each with the weight of all those it stands for. Their fold hides them, and the other
    folds have them in the background, whose weight is less by the share of a fold: as if that share of it
    were hidden.
    """
    rng = rng_for(seed, _INNER)
    codes = PairCodes(network.shape, network.symmetric, network.square)
    listed = codes.of_listed(network.rows, network.cols)
    unlisted = codes.total - len(listed)
    count = min(unlisted, network.n_known)
    if not network.background or not count:
        yield from kfold(network, min(folds, network.n_known), rng)
        return
    both = sample_negatives(network, count, rng=rng)
    drawn = network.positions(both.rows, both.cols) < 0
    both = both.with_weights(np.where(drawn, network.background * unlisted / count, both.weights))
    folds = min(folds, both.n_known)
    for split in kfold(both, folds, rng):
        known = split.train.known
        left = max(1, unlisted - int((drawn & ~known).sum()))
        weight = network.background * (1 - 1 / folds) * unlisted / left
        yield replace(split, train=split.train.subset(~drawn | ~known).with_background(weight))


def folds_needed(size: int) -> int:
    """Return how many folds of a size the last stage can learn from.

    Examples
    --------
    >>> folds_needed(8_000), folds_needed(60_000)
    (7, 3)
    """
    return max(LEAST_FOLDS, -(-SAMPLE_SIZE // max(1, size)))


def enough_folds(splits: Iterable[Split], size: int) -> list[Split]:
    """Return the first splits, as many as the last stage can learn from, and a sample of their test pairs.

    Of many pairs the last stage takes `SAMPLE_SIZE`: fitting all folds, and the features of all pairs, would
    be in vain. At least three folds are taken, so that some can be left out.

    Parameters
    ----------
    splits : iterable of Split
    size : int
        Number of test pairs of each.
    """
    taken = list(islice(splits, folds_needed(size)))
    return [replace(split, test=_sampled(split.test, SAMPLE_SIZE // len(taken))) for split in taken]


def _sampled(test: Network, size: int) -> Network:
    """Return about half of ``size`` links and half of non-links, with the weights of all they stand for."""
    kept, counts = stratified_positions(test.values, size)
    if len(kept) == test.n_listed:
        return test
    some = test.subset(np.isin(np.arange(test.n_listed), kept))
    return some.with_weights(some.weights * counts)


def stratified_positions(values: Array, size: int) -> tuple[NDArray[np.intp], Array]:
    """Return positions of about half of ``size`` zeros and half of ones, and how many each stands for.

    A class with fewer is kept whole.

    Examples
    --------
    >>> stratified_positions(np.array([0.0, 1, 0, 0, 0, 0, 1]), 4)
    (array([0, 1, 4, 6]), array([2.5, 1. , 2.5, 1. ]))
    """
    kept, counts = [], []
    for label in (0, 1):
        positions = np.flatnonzero(values == label)
        chosen = positions[:: max(1, -(-2 * len(positions) // max(1, size)))]
        kept.append(chosen)
        counts.append(np.full(len(chosen), len(positions) / max(1, len(chosen))))
    order = np.argsort(np.concatenate(kept), kind="stable")
    return np.concatenate(kept)[order], np.concatenate(counts)[order]


def hidden_logits(
    ensembles: Sequence[FittedEnsemble],
    splits: Sequence[Split],
    n_jobs: int | None = None,
    executor: Workers | None = None,
    callback: Callback | None = None,
) -> list[list[Array]]:
    """Return the scores of each part after it was hidden, for each ensemble, shape (members, pairs)."""
    progress = StepProgress(callback, len(splits) * len(ensembles))
    logits = [[np.zeros(0)] * len(ensembles) for _ in splits]
    with TaskPool(n_jobs, executor) as pool:
        for part, split in enumerate(splits):
            for column, ensemble in enumerate(ensembles):
                pool.add(_numbered_logits, (part, column), ensemble, split)
        for _, ((part, column), *_rest), found in pool.completed():
            logits[part][column] = found
            if not progress.step():
                raise cancelled_before_the_last_stage()
    return logits


def mean_logits(logits: Sequence[Array]) -> Array:
    """Return the mean of each ensemble over its members, shape (pairs, ensembles).

    It is what the stacked model uses, and its weight is learned from it: a single member's score is noisier
    and would get another weight.
    """
    return np.column_stack([each.sum(axis=0) / len(each) for each in logits])


def hidden_features(
    splits: Sequence[Split], kinds: FeatureKinds, callback: Callback | None = None
) -> list[Array]:
    """Return the graph features of each part in the network without it, shape (pairs, features)."""
    progress = StepProgress(callback, len(splits))
    tables = []
    for split in splits:
        features = GraphFeatures.of(split.train, kinds).features(split.test.rows, split.test.cols)
        tables.append(np.column_stack(features))
        if not progress.step():
            raise LatentLinkError("The fit was cancelled before its models were fitted.")
    return tables


def cancelled_before_the_last_stage() -> LatentLinkError:
    """Return the error of a fit that is cancelled after its models were fitted."""
    return LatentLinkError(
        "The fit was cancelled after its models were fitted, before their scores were combined. "
        "With a folder the fitted models are stored, and the same fit continues from there."
    )


def _numbered_logits(number: tuple[int, int], ensemble: FittedEnsemble, split: Split) -> Array:
    del number  # by which the result is assigned
    return ensemble.member_logits(split)
