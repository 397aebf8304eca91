"""What the README shows is what happens."""

import re
from pathlib import Path

import pytest

from latentlink import datasets
from latentlink.cli import trial

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def test_there_are_blocks():
    assert len(BLOCKS) >= 2


@pytest.mark.parametrize("block", range(len(BLOCKS)))
def test_block_runs(block, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    exec(compile(BLOCKS[block], f"README.md, Python block {block + 1}", "exec"), {"__name__": "readme"})
    shown = capsys.readouterr().out
    for promised in re.findall(r"^print\(.*\)  # (.*)$", BLOCKS[block], re.MULTILINE):
        assert promised in shown
    assert not list(tmp_path.iterdir())


def test_errors_in_the_table_are_those_of_the_demo():
    found = trial.run_trial(datasets.dog(), rank=4, seed=0)
    for score in found.scores:
        printed = re.search(rf"^ *{score.method} +([\d.]+) +(\d+) ", README, re.MULTILINE)
        assert printed, score.method
        assert float(printed[1]) == pytest.approx(score.rmse, abs=0.01)
        assert int(printed[2]) == pytest.approx(score.wrong, abs=3)


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\(([^)#]+)\)", README))))
def test_links_lead_to_files(target):
    assert (Path(__file__).parents[1] / target).is_file()
