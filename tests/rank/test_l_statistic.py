"""Ranks chosen by L-statistics: tests of column errors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import ranksums

from latentlink.rank.selection import LStatistic
from tests.rank.paths import ascending_path, path_of, record


def test_l_statistics_stop_where_column_errors_no_longer_decrease():
    rng = np.random.default_rng(1)
    columns = [rng.uniform(0.8, 1.0, 20), rng.uniform(0.4, 0.5, 20), rng.uniform(0.1, 0.2, 20)]
    columns.append(columns[2] - 1e-4)
    stable = ascending_path([1.0, 0.9, 0.9, 0.9], [1.0, 0.5, 0.1, 0.1], columns)
    choice = LStatistic().choose(stable)
    assert choice.rank == 3
    assert choice.reason.startswith(
        "last stable rank (least silhouette 0.90) that significantly lowers column errors (p = "
    )
    rising = ascending_path([1.0, 0.9], [1.0, 1.0], [columns[1], columns[0]])
    assert LStatistic().choose(rising).rank == 1
    assert LStatistic().choose(rising).reason == (
        "first stable rank (least silhouette 1.00); none above significantly lowers column errors"
    )


def test_agreed_means_that_no_two_criteria_differ_by_more_than_one():
    """Stability chooses 4, held-out errors choose 2, and the rule chooses 3."""
    between = ascending_path(
        [1.0, 0.9, 0.9, 0.9], [1.0, 0.1, 0.2, 0.2], [np.full(20, error) for error in (5.0, 4.0, 1.0, 1.0)]
    )
    choice = LStatistic().choose(between)
    assert (choice.rank, choice.status, choice.runners_up) == (3, "disputed", (4, 2))


def test_l_statistics_without_column_errors_choose_the_first_stable_rank():
    unknown = [
        replace(one, column_errors=np.full(20, np.nan))
        for one in ascending_path([1.0, 0.9, 0.9], [1.0, 0.5, 0.1])
    ]
    assert LStatistic().choose(path_of(*unknown)).rank == 1


def of_columns(*columns):
    """A path of stable ranks with these column errors."""
    return path_of(*(record(rank, 0.9, columns=np.array(errors)) for rank, errors in enumerate(columns, 1)))


def test_a_p_value_has_to_be_below_the_level():
    rng = np.random.default_rng(0)
    before, after = rng.uniform(0.5, 1.0, 20), rng.uniform(0.3, 0.9, 20)
    p = float(ranksums(before, after).pvalue)
    assert 0 < p < 1
    assert LStatistic(level=p).choose(of_columns(before, after)).rank == 1
    assert LStatistic(level=np.nextafter(p, 1)).choose(of_columns(before, after)).rank == 2


def test_column_errors_of_the_same_median_are_not_lower():
    before, after = [0.5] * 11 + [0.9] * 9, [0.1] * 9 + [0.5] * 11
    assert ranksums(before, after).pvalue < 0.001
    assert LStatistic().choose(of_columns(before, after)).rank == 1
    assert LStatistic().choose(of_columns(before, [0.1] * 11 + [0.5] * 9)).rank == 2


@pytest.mark.parametrize("unknown", [1, 2])
def test_l_statistics_pass_over_ranks_without_column_errors(unknown):
    columns = [np.full(20, 0.5), np.full(20, 0.1)]
    columns[unknown - 1] = np.full(20, np.nan)
    assert LStatistic().choose(of_columns(*columns)).rank == 1
