"""What an ensemble says of entries that none of its members was shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from latentlink.network import Network, sample_negatives
from latentlink.network.pairs import PairCodes
from latentlink.parallel import Crew
from latentlink.random import rng_for
from latentlink.rank.engine import Plan, fit_members
from latentlink.splitting import Split, kfold

if TYPE_CHECKING:
    from latentlink.estimators.ranked import RankedFactorizer

__all__ = ["ensemble_logits", "hidden_logits", "inner_folds"]

Array = NDArray[np.float64]

_FOLDS = 5
_INNER = -4 % 2**32  # keeps these draws apart from those of a search


def inner_folds(network: Network, seed: int) -> Iterator[Split]:
    """Yield five parts of what is known, each hidden in its turn; what is hidden already stays so.

    Under a background, unlisted pairs are known to be zeros too: as many of them as there are known entries
    are drawn to be tested, each with the weight of all those it stands for. Their part hides them, and the
    other parts have them in the background, which weighs a fifth less: as if a fifth of it were hidden.
    """
    rng = rng_for(seed, _INNER)
    codes = PairCodes(network.shape, network.symmetric, network.square)
    listed = codes.of_listed(network.rows, network.cols)
    unlisted = codes.total - len(listed)
    count = min(unlisted, network.n_known)
    if not network.background or not count:
        yield from kfold(network, min(_FOLDS, network.n_known), rng)
        return
    both = sample_negatives(network, count, rng=rng)
    drawn = ~np.isin(codes.of(both.rows, both.cols), listed) & (
        (both.rows != both.cols) | (not network.square)
    )
    both = both.with_weights(np.where(drawn, network.background * unlisted / count, both.weights))
    folds = min(_FOLDS, both.n_known)
    for split in kfold(both, folds, rng):
        known = split.train.known
        left = max(1, unlisted - int((drawn & ~known).sum()))
        weight = network.background * (1 - 1 / folds) * unlisted / left
        yield replace(split, train=split.train.subset(~drawn | ~known).with_background(weight))


def hidden_logits(
    models: Sequence[RankedFactorizer],
    splits: Sequence[Split],
    n_jobs: int | None = None,
    executor: Executor | None = None,
) -> list[Array]:
    """Return what the ensembles say of each part after it was hidden from them, shape (pairs, models)."""
    tables = [np.empty((split.test.n_listed, len(models))) for split in splits]
    with Crew(n_jobs, executor) as crew:
        for part, split in enumerate(splits):
            for column, model in enumerate(models):
                crew.add(_placed_logits, (part, column), model, split)
        for _, ((part, column), *_rest), found in crew.done():
            tables[part][:, column] = found
    return tables


def _placed_logits(place: tuple[int, int], model: RankedFactorizer, split: Split) -> Array:
    del place  # by which the result is put where it belongs
    return ensemble_logits(model, split)


def ensemble_logits(model: RankedFactorizer, split: Split) -> Array:
    """Fit the ensemble at the chosen rank to the training part, and return its mean score of the test part.

    Scores are taken before the link, and of Boolean factors by the plain product: what a logistic model on
    top of them is given. The mean over members is what the model will be asked for, and its weight is learned
    from it: a single member's score is noisier and would get another one.
    """
    record = model.path_[model.rank_]
    train = split.train
    if model.solver_.needs_unit_weights:
        train = train.with_background(model.network_.background)
    plan = Plan(train, model.solver_, model.regime_, len(record.held_out), model.seed_).without_hidden()
    members = [each.factors for block in plan.blocks for each in fit_members(plan, record.rank, block)]
    total = np.zeros(split.test.n_listed)
    for member in members:
        linear = replace(member, logistic=False, boolean=False)
        total += linear.score(split.test.rows, split.test.cols)
    return total / len(members)
