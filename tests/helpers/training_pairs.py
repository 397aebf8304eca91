"""Training pairs of a last stage, made from columns and links."""

from __future__ import annotations

import numpy as np

from latentlink import Network
from latentlink.stacking.last_stage import TrainingPairs


def drawn_links(rng, logits):
    """Draw links with the probabilities of logits."""
    return (rng.random(len(logits)) < 1 / (1 + np.exp(-logits))).astype(float)


def five_parts(x, links, weights=None):
    """Return the columns and the values of five inner folds, as `fit_last_stage` takes them."""
    tables, tests = [], []
    for part in range(5):
        of_part = np.flatnonzero(np.arange(len(links)) % 5 == part)
        count = len(of_part)
        tables.append(x[of_part])
        tests.append(
            Network(
                np.zeros(count, int),
                np.arange(count),
                links[of_part].astype(float),
                None if weights is None else weights[of_part],
                shape=(1, count),
            )
        )
    return tables, tests


def training_pairs(x, links, weights=None):
    """Return pairs in five folds."""
    return TrainingPairs.of(*five_parts(x, links, weights))
