"""What the README shows is what happens."""

import re
from pathlib import Path

import pytest

import latentlink
from latentlink import datasets, rank, regime, solvers
from latentlink.cli import trial

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
CALLS = [
    call
    for line in README.split("## The paper's methods")[1].split("\n## ")[0].splitlines()
    for call in re.findall(r"`([^`]*\([^`]*)`", line)
]


def test_there_are_blocks_and_calls():
    assert len(BLOCKS) >= 5
    assert len(CALLS) >= 10


def test_blocks_run_in_order(tmp_path, monkeypatch, capsys):
    """A later block may use what an earlier one has made."""
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "readme"}
    for number, block in enumerate(BLOCKS, 1):
        exec(compile(block, f"README.md, Python block {number}", "exec"), names)
        shown = capsys.readouterr().out
        for promised in re.findall(r"^ *print\(.*\)  # (.*)$", block, re.MULTILINE):
            assert promised in shown, f"block {number}"
    # Nothing is written that a block does not name.
    assert {path.name for path in tmp_path.iterdir()} == {"model", "search"}


@pytest.mark.parametrize("call", CALLS)
def test_calls_of_the_paper_s_methods_exist(call):
    names = {"ranks": range(1, 4), "k": 3}
    for module in (latentlink, rank, regime, solvers):
        names |= {name: getattr(module, name) for name in module.__all__}
    assert eval(call, names) is not None


def test_tables_are_those_of_the_demo():
    found = trial.run_trial(datasets.dog(), trial.RANKS, seed=0)
    for score in found.scores:
        printed = re.search(rf"^ *{score.method} +([\d.]+) +(\d+) ", README, re.MULTILINE)
        assert printed, score.method
        assert float(printed[1]) == pytest.approx(score.rmse, abs=0.01)
        assert int(printed[2]) == pytest.approx(score.wrong, abs=3)
    for record in found.model.path_:
        printed = re.search(rf"^ *{record.rank} +(-?[\d.]+) +([\d.]+)$", README, re.MULTILINE)
        assert printed, record.rank
        if record.rank <= found.model.rank_:  # beyond it members are what chance has made of them
            assert float(printed[1]) == pytest.approx(record.stability, abs=0.05)
            assert float(printed[2]) == pytest.approx(record.held_out_error, abs=0.03)
    assert f"Rank {found.model.rank_} ({found.model.choice_.status}): held-out error" in README


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\(([^)#]+)\)", README))))
def test_links_lead_to_files(target):
    assert (Path(__file__).parents[1] / target).is_file()
