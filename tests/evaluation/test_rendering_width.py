"""Tables of an evaluation in the width of a terminal."""

from __future__ import annotations

import pytest

from latentlink import WNMFk, evaluate
from latentlink.solvers import WNMF
from tests.evaluation.cases import labelled


@pytest.fixture(scope="module")
def evaluation():
    model = WNMFk((1,), solver=WNMF(ridge=0.3), n_perturbs=2, random_state=0)
    return evaluate(labelled(), {"model": model}, repeats=2, random_state=0)


def tables(text):
    """Return the lines of tables, without titles, verdicts and notes."""
    return [line for line in text.splitlines() if "  " in line]


def test_without_a_width_all_columns_are_shown(evaluation):
    assert evaluation.to_text() == repr(evaluation)
    assert "UQ-ROC AUC" in repr(evaluation)
    assert "Left out" not in repr(evaluation)


@pytest.mark.parametrize("width", [80, 120])
def test_columns_are_chosen_to_fit(evaluation, width):
    text = evaluation.to_text(width)
    assert max(map(len, tables(text))) <= width
    head = tables(text)[0]
    assert "ROC AUC" in head
    assert "UQ-" not in head
    assert text.splitlines()[-1].startswith("Left out for want of space: UQ-ROC AUC, ")


def test_the_first_metric_is_always_shown(evaluation):
    assert tables(evaluation.to_text(10))[0].split()[:3] == ["method", "ROC", "AUC"]
