"""Costs of the tasks of a search."""

from __future__ import annotations

import pytest

from latentlink.progress.task_costs import fit_cost, search_cost, summary_cost, trial_cost


def test_costs_grow_with_members_and_with_the_rank():
    assert fit_cost(6, 3) == 3 * fit_cost(6, 1)
    assert fit_cost(6, 1) - fit_cost(5, 1) == fit_cost(2, 1) - fit_cost(1, 1) == 1
    assert fit_cost(1, 1) > 1  # there is work that does not depend on the rank
    assert summary_cost(5, 8) < fit_cost(5, 8) < trial_cost(5, 8)


def test_a_search_costs_what_its_tasks_cost():
    tasks = [fit_cost(2, 8), summary_cost(2, 8), fit_cost(5, 8), summary_cost(5, 8), trial_cost(5, 12)]
    assert search_cost((2, 5), 8, (5,), 12) == pytest.approx(sum(tasks))
    assert search_cost((), 8, (), 12) == 0
