"""An experiment writes results, page and figures; it continues, and refuses to mix two forms."""

from __future__ import annotations

import json

import pytest

from latentlink.errors import InputError
from latentlink.experiments import EXPERIMENTS
from latentlink.experiments.case_lines import write_lines
from latentlink.experiments.cases import dog_cases
from latentlink.experiments.code_state import source_code
from latentlink.experiments.figures import dog_figures


@pytest.fixture
def small_dog(monkeypatch):
    """Two ranks of every method, one sampling of one share."""
    monkeypatch.setattr(dog_cases, "RANKS", (3, 4, 5))
    whole = dog_cases.cases(True)
    monkeypatch.setattr(dog_cases, "cases", lambda quick: [case for case in whole if case["hidden"] == 0.1])
    return EXPERIMENTS["dog"]


@pytest.mark.slow
def test_results_page_and_figures_are_written_and_a_second_run_adds_nothing(small_dog, tmp_path, monkeypatch):
    outcome = small_dog.reproduce(tmp_path, quick=True)
    page, results = outcome.summary.read_text(), outcome.results.read_text()
    assert len(results.splitlines()) == 1 + len(dog_cases.cases(True))
    assert "28 runs of the quick form" in page
    assert "| the paper states |" in page
    assert {path.suffix for path in outcome.figures} == {".png", ".pdf"}
    assert all(f"]({path.name})" in page for path in outcome.figures if path.suffix == ".png")
    settings = json.loads((tmp_path / "run.json").read_text())
    assert (settings["form"], settings["workers"]) == ("quick", 2)
    assert f"The state of the sources was {source_code()} in all of them." in page
    monkeypatch.setattr(dog_figures, "draw", lambda lines, folder: ())  # they take most of the time
    (tmp_path / "run.json").write_text(json.dumps({**settings, "date": "2001-02-03", "workers": 1}))
    reported = []
    again = small_dog.reproduce(tmp_path, quick=True, report=lambda *counts: reported.append(counts))
    assert not reported
    assert again.results.read_text() == results
    assert "2001-02-03" in again.summary.read_text()  # nothing was run today
    assert "minutes with 1 process; " in again.summary.read_text()
    with pytest.raises(InputError, match="has results of the quick form, but the full form was asked for"):
        small_dog.reproduce(tmp_path)
    assert (
        small_dog.report(tmp_path, quick=True).summary.read_text().count("| holds")
        == page.count("| holds")
        > 0
    )


def test_a_report_without_results_raises(tmp_path):
    with pytest.raises(InputError, match=r"There are no results of dog in .*; run the experiment first"):
        EXPERIMENTS["dog"].report(tmp_path)


def test_a_report_of_a_run_that_was_stopped_says_so(tmp_path):
    first = dict.fromkeys(("chosen_rank", "ranks", "rmse", "version"), "1") | {"seconds": "10"}
    write_lines(tmp_path / "results.csv", [{**case, **first} for case in dog_cases.cases(False)[:9]])
    outcome = EXPERIMENTS["dog"].report(tmp_path)
    page = outcome.summary.read_text()
    assert "Of 2,520 runs 2,511 are still to come" in page
    assert "the fits took 1.5 minutes of CPU time" in page
    assert outcome.figures == ()


@pytest.mark.slow
def test_a_run_that_is_stopped_keeps_its_form_and_its_time(tmp_path, monkeypatch):
    first = [case for case in dog_cases.cases(True) if case["method"] == "WNMFk"][:2]
    monkeypatch.setattr(dog_cases, "RANKS", (3, 4))
    monkeypatch.setattr(dog_cases, "cases", lambda quick: first)

    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        EXPERIMENTS["dog"].reproduce(tmp_path, quick=True, workers=1, report=stop)
    before = json.loads((tmp_path / "run.json").read_text())
    assert before["form"] == "quick"
    with pytest.raises(InputError, match="has results of the quick form, but the full form was asked for"):
        EXPERIMENTS["dog"].reproduce(tmp_path)
    before["seconds"] = 600.0
    (tmp_path / "run.json").write_text(json.dumps(before))
    with pytest.raises(KeyboardInterrupt):
        EXPERIMENTS["dog"].reproduce(tmp_path, quick=True, workers=1, report=stop)
    assert json.loads((tmp_path / "run.json").read_text())["seconds"] > 600
