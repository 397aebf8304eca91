"""K-fold splits: every known entry is in exactly one test part."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from latentlink.network import Network
from latentlink.splitting.holdout import Seed, require_known
from latentlink.splitting.split import Split, split_at
from latentlink.splitting.strata import value_classes
from latentlink.validation.numbers import checked_count
from latentlink.validation.seeds import checked_rng

__all__ = ["kfold"]


def kfold(network: Network, folds: int = 5, rng: Seed = None, *, stratify: bool = True) -> Iterator[Split]:
    """Split the known entries into folds, each of which is the test part of one split.

    Parameters
    ----------
    network : Network
        Every pair listed once. Hidden entries stay hidden and are in no part.
    folds : int
        Number of folds, from 2 to the number of known entries.
    rng : int, Generator or None
        Seed or generator of the random choice.
    stratify : bool
        Keep the proportions of the values in every fold, as in `holdout`.

    Returns
    -------
    iterator of Split
        One for each fold. The sizes of their test parts differ by at most 1; if stratified, so do the counts
        of each class of values in them.

    Examples
    --------
    >>> from latentlink.network import Network
    >>> network = Network.from_dense([[1, 0, 1, 0], [0, 1, 0, 1]])
    >>> [split.test.n_listed for split in kfold(network, 3, rng=0)]
    [3, 3, 2]
    """
    require_known(network, "kfold")
    folds = checked_count(folds, "folds", 2, network.n_known, meaning=", the number of known entries")
    known = checked_rng(rng).permutation(np.flatnonzero(network.known))
    if stratify:
        # In order of the classes, every folds-th entry: each fold gets its share of every class.
        known = known[np.argsort(value_classes(network.values[known]), kind="stable")]
    return (split_at(network, "kfold", known[fold::folds]) for fold in range(folds))
