"""Ranges of ranks end at the smaller side of the data, however they are written; lists name their ranks."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink import WNMFk
from latentlink.errors import DataWarning
from latentlink.rank import Every
from latentlink.solvers import WNMF

RANGES = {
    "array": (np.arange(1, 200), (1, 2, 3, 4, 5)),
    "array to 40": (np.arange(4, 41), (4, 5)),
    "descending": (np.arange(9, 2, -1), (3, 4, 5)),
    "unsigned": (np.arange(4, 9, dtype=np.uint8), (4, 5)),
    "Every": (Every(ranks=range(1, 200)), (1, 2, 3, 4, 5)),
    "Every with steps": (Every(ranks=range(1, 200, 2)), (1, 3, 5)),
    "Every of an array": (Every(ranks=np.arange(2, 200)), (2, 3, 4, 5)),
}


@pytest.mark.parametrize(("ranks", "visited"), RANGES.values(), ids=RANGES)
@pytest.mark.filterwarnings("ignore:.*stable")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_what_is_a_range_ends_at_the_smaller_side_too(ranks, visited):
    X = np.random.default_rng(0).random((8, 5))
    with pytest.warns(DataWarning, match=r"Of the ranks .*, those above 5, the smaller side"):
        model = WNMFk(ranks, solver=WNMF(ridge=0.1, max_iter=20), n_perturbs=2, random_state=0).fit(X)
    assert model.path_.ranks == visited
    assert "5, since it is the smaller side" in model.choice_.reason or "at rank 5" in model.choice_.reason


NAMED = [
    (4, 6),
    [6, 7],
    Every(ranks=[6, 7]),
    np.array([7]),
    np.array([5, 7]),
    np.array([5, 6, 8]),
    np.array([6, 6]),
]


@pytest.mark.parametrize("ranks", NAMED, ids=str)
@pytest.mark.filterwarnings("ignore:.*stable")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_ranks_that_are_named_are_visited_beyond_the_smaller_side(ranks):
    X = np.random.default_rng(0).random((8, 5))
    model = WNMFk(ranks, solver=WNMF(ridge=0.1, max_iter=20), n_perturbs=2, random_state=0).fit(X)
    listed = ranks.ranks if isinstance(ranks, Every) else ranks
    assert model.path_.ranks == tuple(sorted(set(map(int, listed))))
