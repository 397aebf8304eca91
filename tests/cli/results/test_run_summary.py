"""Sentences about a finished run, and what is printed of names."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.cli.console import rows_of, shown_name, text_table
from latentlink.cli.results.link_preview import first_links, visited_ranks
from latentlink.cli.results.run_summary import run_notes, run_summary


def record(**changes):
    plain = {
        "rank": {"rank": 4, "status": "agreed", "reason": "raise n_perturbs"},
        "links": {"listed": 9, "unknown": 80, "decisions": {"link": 4, "abstain": 5}, "formula_names": 0},
        "calibration": {"limits": ["One. Two, give base_rate. Three.", "Four."], "share_of_links": 0.5},
        "complete": True,
        "settings": {"risk": 0.05, "fdr": None},
    }
    return plain | changes


def test_a_summary_in_sentences():
    rank, supposed, decided = run_summary(record())
    assert rank == "Rank 4 (agreed): raise --members."
    assert supposed == "One. Two, give --base-rate."
    assert decided.startswith("Of 9 listed pairs 4 are called links, and 5 have no decision. No decision ")
    assert "more than 5 % of the decisions on known pairs were wrong" in decided
    assert run_notes(record()) == []


def test_a_rank_that_is_not_stable_is_a_guess():
    told = run_summary(record(rank={"rank": 4, "status": "unstable", "reason": "none is stable"}))[0]
    assert told.startswith("Rank 4 (unstable): none is stable. It is a best guess for prediction; do not ")


def test_components_beside_a_stack_are_told():
    components = {"rank": 3, "status": "agreed", "reason": "stable"}
    told = run_summary(record(rank=None, components=components))
    assert told[0].startswith("Components: rank 3 (agreed): stable. They describe the data; ")


def test_discoveries_and_a_stated_share_of_links_are_told():
    told = run_summary(record(settings={"risk": 0.05, "fdr": 0.1}))[-1]
    assert "4 links are discovered" in told
    links = {"listed": 9, "unknown": 80, "decisions": {"link": 9}, "formula_names": 0}
    assert "Expect fewer" in run_summary(record(links=links))[-1]
    stated = run_summary(record(links=links, settings={"risk": 0.05, "base_rate": 0.1}))[-1]
    assert "Expect fewer" not in stated


@pytest.mark.parametrize(
    ("like_known", "words"),
    [(True, ", as of the known ones."), (False, ", the share of all pairs that are listed links.")],
)
def test_the_share_that_decisions_suppose_is_told(like_known, words):
    found = {"supposed_share_of_links": 0.3361, "unknown_like_known": like_known}
    calibration = record()["calibration"] | found
    said = f"Decisions suppose that 34 % of the unknown pairs are links{words} The report has more."
    assert run_summary(record(calibration=calibration))[-1].endswith(said)
    settings = {"risk": 0.05, "base_rate": 0.2}
    assert "Decisions suppose" not in run_summary(record(calibration=calibration, settings=settings))[-1]


def test_without_a_calibration_nothing_is_decided():
    told = run_summary(record(calibration={"limits": []}))[-1]
    assert told == "Decisions: none, since nothing was calibrated."


def test_nothing_unknown_and_nothing_calibrated():
    links = {"listed": 0, "decisions": {}, "formula_names": 0}
    told = run_summary(record(rank=None, links=links, calibration={"limits": []}))
    assert told == ["No pair is unknown, so that links.csv is empty."]


def test_notes_of_formulas_and_time():
    links = {"listed": 9, "decisions": {}, "formula_names": 3}
    formulas, time = run_notes(record(links=links, complete=False))
    assert formulas.startswith("3 names begin with =")
    assert "--time-limit" in time


def test_previews_of_files(tmp_path):
    (tmp_path / "links.csv").write_text('source,target,score,decision,rank\n"a, b",7,0.123456,,1\nd,8,,,2\n')
    shown = {"source": ["a, b", "d"], "target": ["7", "8"], "score": [0.123456, None], "rank": [1, 2]}
    found = first_links(tmp_path / "links.csv", 5)  # names are text, and all else are numbers
    assert {
        name: [None if cell != cell else cell for cell in column] for name, column in found.items()
    } == shown
    head = "model,chosen,rank,stability,held_out_error\n"
    (tmp_path / "ranks.csv").write_text(head + "WNMF,false,1,1,0.5\nWNMF,true,2,,0.25\n")
    ranks, chosen = visited_ranks(tmp_path / "ranks.csv")
    assert chosen == 1
    assert ranks["held-out error"] == [0.5, 0.25]
    assert np.isnan(ranks["stability"][1])
    (tmp_path / "ranks.csv").write_text(head + "BPMF,true,8,1,0.5\nBPMF,true,16,1,0.25\n")
    assert visited_ranks(tmp_path / "ranks.csv")[0]["rank"] == []
    (tmp_path / "ranks.csv").write_text(head + "LMF,true,20,1,0.5\nWNMF,true,5,1,0.25\n")
    assert visited_ranks(tmp_path / "ranks.csv")[0]["rank"] == []


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("[bold]x[/]", "[bold]x[/]"),
        ("a\x1b]0;t\x07", "a\\x1b]0;t\\x07"),
        ("é", "é"),
        (7, "7"),
        ("\u202e", "\\u202e"),
    ],
)
def test_names_are_text_and_obey_nothing(name, shown):
    assert shown_name(name) == shown


@pytest.mark.parametrize("length", [4, 12, 20, 40])
def test_no_word_of_a_heading_is_broken(length, monkeypatch, capsys):
    from latentlink.cli.console import standard_output

    monkeypatch.setenv("COLUMNS", "80")
    heads = ("score", "probability", "spread", "decision", "rank", "decision_probability")
    columns = {"source": ["s" * length], "target": ["t" * length]}
    columns |= {name: [0.000012345] for name in heads} | {
        "score": [0.99671],
        "decision": ["abstain"],
        "rank": [7],
    }
    standard_output().print(text_table("T", columns))
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 80
    assert set(" ".join(columns).replace("_", " ").split()) <= set(shown.split())
    assert "1.234e-05" in shown
    assert shown.count("t") >= length


def test_tables_show_names_as_they_are(capsys):
    from latentlink.cli.console import standard_output

    columns = {"name": ["[red]x", "y"], "n": [1.0, float("nan")], "none": ["", ""], "many": [12345, 6]}
    table = text_table("T", columns, chosen=0)
    standard_output().print(table)
    shown = capsys.readouterr().out
    assert "[red]x" in shown
    assert "none" not in shown
    assert "nan" not in shown
    assert "12,345" in shown
    assert rows_of({"a": np.array([1, 2]), "b": np.array(["x", "y"])}) == [
        {"a": 1, "b": "x"},
        {"a": 2, "b": "y"},
    ]
