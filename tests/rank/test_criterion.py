"""Comparison of ranks by held-out errors, against plain computations."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.rank.criterion import OF_MEMBERS, ErrorCriterion
from tests.rank.paths import path_of, record


@pytest.mark.parametrize("members", [2, 3, 4, 7])
@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_a_rank_is_clearly_worse_beyond_one_paired_standard_error(members, scale):
    rng = np.random.default_rng(members)
    answers = []
    for _ in range(60):
        own, least = scale * rng.uniform(0.1, 1.0, (2, members))
        own *= rng.choice([1.0, 1.3])
        shares = [(a - b) / (a + b) for a, b in zip(own, least, strict=True)]
        mean = sum(shares) / members
        error = np.sqrt(sum((share - mean) ** 2 for share in shares) / (members - 1) / members)
        worse = OF_MEMBERS.clearly_worse(record(1, held_out=own), record(2, held_out=least))
        assert worse is bool(mean > error)
        answers.append(worse)
    assert set(answers) == {True, False}


@pytest.mark.parametrize(
    ("own", "least", "worse"),
    [
        ([0.3], [0.2], True),
        ([0.2], [0.2], False),
        ([0.2], [0.3], False),
        ([0.3, 0.3], [0.2], True),
        ([0.2, 0.2], [0.2], False),
        ([0.2, 0.3, 0.4], [0.2, 0.3, 0.4], False),
        ([0.0, 0.0], [0.0, 0.0], False),
        ([0.31, np.nan], [0.2, 0.4], True),
    ],
)
def test_a_single_member_other_members_and_equal_errors(own, least, worse):
    """Without pairs of two members or more the errors themselves are compared."""
    assert OF_MEMBERS.clearly_worse(record(1, held_out=own), record(2, held_out=least)) is worse


def test_an_error_at_the_tolerance_is_as_good_as_the_best():
    """A quarter of the error at the smallest rank, which is 4."""
    path = path_of(*(record(rank, held_out=[error**2] * 3) for rank, error in ((1, 4.0), (2, 2.0), (3, 1.0))))
    for tolerance, rank in ((0.25, 2), (0.2499, 3)):
        criterion = ErrorCriterion(
            "error", lambda each: each.held_out, lambda each: each.held_out_error, tolerance
        )
        assert criterion.rank(path) == rank
