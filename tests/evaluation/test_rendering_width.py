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


def test_columns_are_explained_and_the_best_baseline_is_marked(evaluation):
    text = evaluation.to_text(100)
    assert max(map(len, text.splitlines())) <= 130  # tables fit, sentences are short
    assert "ROC AUC: the chance that a link is ranked above a non-link; 0.5 is guessing, 1 perfect." in text
    marked = [line for line in tables(text) if " * " in line]
    best = [evaluation.best_baseline(negatives=kind) for kind in evaluation.negatives]
    assert [line.split(" *")[0] for line in marked] == best
    assert "*: the best baseline, by ROC AUC." in text


def test_intervals_of_two_repeats_end_where_the_metric_does(evaluation):
    summary = evaluation.summary
    assert summary["low"].min() >= 0
    assert summary["high"].max() <= 1
    assert (evaluation.cells()[1][0][1].count("±") == 1) == (summary["high"][0] < 1)
    verdict = evaluation.verdict("model")
    low, high = (float(each) for each in verdict.split("[")[-1].rstrip("]").split(", "))
    assert -1 <= low <= high <= 1


def test_one_kind_of_non_links_has_a_table_and_the_others_have_a_line(evaluation):
    kind = evaluation.main_negatives
    assert kind == "uniform"
    text = evaluation.to_text(100, kind)
    assert len([line for line in text.splitlines() if line.startswith("method ")]) == 1
    for other in evaluation.negatives:
        for model in evaluation.models:
            assert f"{model}: {evaluation.verdict(model, negatives=other)}." in text
    assert len(text) < 0.8 * len(evaluation.to_text(100))
