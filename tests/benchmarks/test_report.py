"""The page: every table with its circumstances, what it says in words, and plots."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchmarks.__main__ import ON_REQUEST, RESULTS, STUDIES
from benchmarks.report.page import page_of, table, write_page
from benchmarks.report.sentences import sentences_of
from benchmarks.report.stored import ORDER, Stored, age_of, description_of, read_all

OURS = {"data": "Dog", "method": "WNMF", "ours": True, "cpu_s": 2.0, "wall_s": 2.0, "rmse": 0.2, "error": 0.2}
FITS = [
    OURS,
    {**OURS, "method": "fast", "ours": False, "cpu_s": 1.0, "error": 0.5},
    {**OURS, "method": "good", "ours": False, "cpu_s": 9.0, "error": 0.1},
    {**OURS, "method": "neither", "ours": False, "cpu_s": 9.0, "error": 0.3},
    {"data": "Dog", "method": "absent", "ours": False, "note": "Not installed."},
    {"data": "proteins", "note": "Not at hand."},
]
RATED = {"data": "MovieLens-100k", "budget": "5 epochs"}
ROWS = {
    "whole_fits": FITS,
    "ratings": [
        {**RATED, "method": "surprise SVD", "ours": False, "rmse": 0.94, "cpu_s": 1.0},
        {**RATED, "method": "RNMF, rank 8", "ours": True, "rmse": 0.93, "cpu_s": 0.5},
    ],
    "ensemble": [
        {"what": "implicit ALS", "threads": 1, "wall_s": 1.0, "als_fits": 1.0},
        {"what": "ensemble", "threads": 1, "wall_s": 9.0, "als_fits": 9.0, "als_fits_target": 6.0},
        {
            "what": "ensemble", "threads": 2, "wall_s": 5.0,
            "als_fits": 5.0, "als_fits_target": 6.0, "speed_up": 1.9,
        },
    ],
    "roofline": [
        {"what": "triad", "threads": 1, "precision": "float32", "gb_per_s": 20.0},
        {"what": "fma", "threads": 1, "precision": "float32", "gflop_per_s": 100.0},
        {
            "what": "half sweep by sums", "threads": 1, "precision": "float32", "rank": 4, "cycles": 3,
            "gflop_per_s": 30.0, "operations_per_byte": 9.0, "share": 0.3,
        },
    ],
    "growth": [
        {
            "growing": "pairs", "sizes": [1000, 2000], "seconds": [1.0, 2.4], "peak_mb": [1.0, 2.0],
            "exponent of time": 1.26, "exponent of memory": 1.0,
        },
        {
            "growing": "threads", "sizes": [1, 2], "seconds": [2.0, 1.0],
            "exponent of time": -1.0, "speed_up": 2.0,
        },
    ],
}  # fmt: skip


def stored(study, **fields):
    return Stored(study, study, ROWS.get(study, [{"x": 1}]), **fields)


@pytest.fixture
def results(tmp_path):
    folder = tmp_path / "results"
    folder.mkdir()
    for study, rows in ROWS.items():
        record = {"study": study, "date": "2026-01-02 03:04 UTC", "code": "abc", "machine": {"cores": 2}}
        (folder / f"{study}.json").write_text(json.dumps({**record, "rows": rows}))
    return folder


def test_rivals_that_are_faster_or_better_are_named():
    said = {sentence.text: sentence.behind for sentence in sentences_of(stored("whole_fits"))}
    assert [(text.split(" ")[1], behind) for text, behind in said.items()] == [
        ("fast", True),
        ("good", True),
        ("a", False),
    ]
    assert "2.0 times as fast as WNMF (2 s, error 0.2)" in next(iter(said))
    assert list(said)[1].startswith("Dog: good (9 s, error 0.1) has less error than all of ours")
    assert list(said)[2].endswith("no larger error than neither.")


def test_a_fit_of_ours_without_a_result_is_named():
    rows = [{"data": "Dog", "method": "WNMF", "ours": True, "note": "Failed: it did."}]
    (sentence,) = sentences_of(Stored("whole_fits", "whole_fits", rows))
    assert sentence.behind
    assert sentence.text == "Dog: WNMF has no result. Failed: it did."


@pytest.mark.parametrize(
    ("study", "behind"),
    [("ratings", [False]), ("ensemble", [True, False, False]), ("growth", [True, False])],
)
def test_missed_targets_are_told_apart(study, behind):
    assert [sentence.behind for sentence in sentences_of(stored(study))] == behind


def test_the_page_has_all_tables_and_plots(results):
    path = write_page(results)
    page = path.read_text()
    assert path == results.with_suffix(".md")
    for study in ROWS:
        assert f"](results/{study}.svg)" in page
        assert (results / f"{study}.svg").read_text().startswith("<?xml")
    assert "| **WNMF** |" in page
    assert "Not installed." in page
    assert "behind, or a target is missed" in page
    assert str(results) not in page


def test_plots_are_the_same_every_time(results):
    write_page(results)
    first = {path: path.read_bytes() for path in results.glob("*.svg")}
    write_page(results)
    assert first == {path: path.read_bytes() for path in results.glob("*.svg")}


def test_tables_that_are_older_or_of_other_code_are_marked():
    newest = stored("growth", date="2026-03-03 00:00 UTC", code="b")
    assert age_of(newest, [newest]) == ""
    others = [stored("sweep"), stored("peers", date="2026-03-02 00:00 UTC", code="a")]
    others.append(stored("cold", date="2026-03-02 00:00 UTC", code="b"))
    said = [age_of(each, [newest, *others]) for each in others]
    assert [text.split(" ")[0] for text in said] == ["Older", "Of", "Older"]
    assert age_of(others[0], [others[0]]) == ""


def test_every_study_has_a_place_and_a_description():
    assert set(ORDER) == {*STUDIES, *ON_REQUEST}
    assert all(description_of(study) for study in ORDER)


def test_kept_results_can_be_read():
    kept = read_all(RESULTS)
    page = page_of(kept, {}, "results")
    assert kept
    assert all(f"## {each.name.replace('_', ' ').replace('-', ' ').capitalize()}" in page for each in kept)
    assert str(Path.home()) not in page


def test_cells_of_a_table_cannot_break_it():
    assert table([{"a": "x | y"}]).splitlines()[-1] == "| x \\| y |"
