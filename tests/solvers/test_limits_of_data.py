"""Limits of the sizes of values, weights and penalties: at the limit they are valid, beyond it they raise."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.errors import DataWarning, IncompatibleError
from latentlink.network import Ensemble, Network
from latentlink.solvers import LMF, NMF, RNMF, WNMF
from latentlink.solvers.descent.empty_lines import warn_of_empty_lines
from latentlink.solvers.needs import check_magnitude

PRECISIONS = ("float32", "float64")


def passes(solver, network):
    """Whether the sizes of a network are within the range of a solver's precision."""
    try:
        check_magnitude(solver, Ensemble.of(network))
    except IncompatibleError:
        return False
    return True


@pytest.mark.parametrize("precision", PRECISIONS)
def test_sizes_of_values(precision):
    numbers = np.finfo(precision)
    most, least = 1e-4 * float(np.sqrt(numbers.max)), 1e4 * float(np.sqrt(numbers.tiny))
    solver = WNMF(precision=precision)
    for size, valid in (
        (most, True),
        (np.nextafter(most, np.inf), False),
        (least, True),
        (np.nextafter(least, 0), False),
        (0.0, True),
    ):
        assert passes(solver, Network([0, 1], [0, 1], [size, 0.0], shape=(2, 2))) == valid
        assert passes(solver, Network([0, 1], [0, 1], [0.0, -size], shape=(2, 2))) == valid
        weighted = Network([0, 1], [0, 1], [size / 2, 0.0], [4.0, 1.0], shape=(2, 2))
        assert passes(solver, weighted) == valid


def test_every_member_is_checked():
    network = Network([0, 1], [0, 1], [1.0, 1.0], shape=(2, 2))
    for wrong in range(3):
        values = np.ones((2, 3))
        values[1, wrong] = 1e200
        with pytest.raises(IncompatibleError, match=r"the largest is 1e\+200, at \(1, 1\)"):
            check_magnitude(WNMF(), Ensemble(network, values, network.weights))


@pytest.mark.parametrize("precision", PRECISIONS)
def test_sizes_of_penalties(precision):
    network = Network([0, 1], [0, 1], [1.0, 1.0], shape=(2, 2))
    most = 1e-8 * float(np.finfo(precision).max)
    for ridge, valid in ((most, True), (float(np.nextafter(most, np.inf)), False), ((1.0, 2 * most), False)):
        assert passes(WNMF(precision=precision, ridge=ridge), network) == valid
        if not isinstance(ridge, tuple):
            assert passes(RNMF(precision=precision, ridge_col_bias=ridge), network) == valid
    assert passes(LMF(precision=precision, background_sample=10**60), network)


def test_background_weights_are_compared_with_the_mean_weight():
    """Up to ten orders of magnitude in both directions; hidden entries do not count."""
    for mean in (1.0, 4.0):
        network = Network([0, 1], [0, 1], [1.0, 1.0], [mean, 0.0], shape=(2, 2))
        for limit, beyond in ((mean * 1e10, np.inf), (mean / 1e10, 0.0)):
            assert passes(NMF(), network.with_background(limit))
            assert not passes(NMF(), network.with_background(float(np.nextafter(limit, beyond))))
        assert passes(NMF(), network.with_background(0.0))


@pytest.mark.parametrize(
    ("empty", "names", "expected"),
    [
        (1, None, "Nothing is known of 1 row (2): each gets the average of the other rows, and"),
        (2, None, "Nothing is known of 2 rows (2, 3): each gets"),
        (5, None, "Nothing is known of 5 rows (2, 3, 4, 5, 6): each gets"),
        (6, None, "Nothing is known of 6 rows (2, 3, 4, 5, 6, ...): each gets"),
        (6, "abcdefgh", "Nothing is known of 6 rows (c, d, e, f, g, ...): each gets"),
    ],
)
def test_rows_without_entries_are_named_five_at_most(empty, names, expected):
    network = Network([0, 1], [0, 1], shape=(2 + empty, 2), row_names=None if names is None else list(names))
    with pytest.warns(DataWarning) as caught:
        warn_of_empty_lines(Ensemble.of(network))
    assert [str(each.message).startswith(expected) for each in caught] == [True]
