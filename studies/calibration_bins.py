"""Sums over ten bins of equal width, from which a calibration error is pooled over cases."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

__all__ = ["BINS", "bin_sums", "pooled_calibration_error"]

BINS = 10
"""Number of bins of equal width that divide [0, 1]; a probability on an edge belongs to the upper bin."""


def bin_sums(links: np.ndarray, probabilities: np.ndarray) -> str:
    """Write ``pairs/sum of probabilities/links`` of each bin, bins separated by spaces.

    Probabilities are taken in single precision: their bins and sums then agree between machines.

    Parameters
    ----------
    links : array of bool, shape (pairs,)
    probabilities : array, shape (pairs,)
    """
    single = probabilities.astype(np.float32).astype(float)
    index = np.minimum((single * BINS).astype(int), BINS - 1)
    count, total, positive = (np.bincount(index, part, BINS) for part in (None, single, links))
    return " ".join(f"{n}/{p:.4f}/{y:.0f}" for n, p, y in zip(count, total, positive, strict=True))


def pooled_calibration_error(written: Iterable[str]) -> float:
    """Return the expected calibration error of all cases together.

        ECE = sum over bins |sum of probabilities - links| / pairs

    which is the mean of |mean probability - share of links| weighted by the pairs of each bin.

    Parameters
    ----------
    written : iterable of str
        What `bin_sums` returned for each case.
    """
    sums = sum(
        np.array([[float(part) for part in each.split("/")] for each in line.split()]) for line in written
    )
    count, total, positive = np.asarray(sums).T
    return float(np.abs(total - positive).sum() / count.sum())
