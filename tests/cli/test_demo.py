import io
import re

import pytest
from rich.console import Console

from latentlink import cli, datasets
from latentlink.cli import console, trial


@pytest.fixture(scope="module")
def found():
    return trial.run_trial(datasets.dog(), 4, seed=0)


def run(*args):
    with pytest.raises(SystemExit) as exit:
        cli.main(["demo", *args])
    return exit.value.code


def errors(text):
    """Read the RMSE of each method off the table."""
    lines = re.findall(r"^\W*(\w[\w ]*?)\W+(\d\.\d{3})", text, re.MULTILINE)
    return {method: float(rmse) for method, rmse in lines}


def test_prints_the_methods_beside_the_baselines(capsys):
    assert run() == 0
    shown = errors(capsys.readouterr().out)
    assert list(shown) == ["mean of what is known", "row and column biases", "WNMF", "BNMF"]
    assert shown["BNMF"] < shown["WNMF"] < shown["row and column biases"] < shown["mean of what is known"]


def test_says_what_the_data_are(capsys):
    run("--seed", "7")
    shown = " ".join(capsys.readouterr().out.split())
    for piece in ("sun, person, dog, cloud", "true rank 4", "5,760 of 6,400", "640 are held out", "seed 7"):
        assert piece in shown


def test_same_seed_same_errors(found):
    again = trial.run_trial(datasets.dog(), 4, seed=0)
    other = trial.run_trial(datasets.dog(), 4, seed=1)
    assert [score.rmse for score in again.scores] == [score.rmse for score in found.scores]
    assert [score.rmse for score in other.scores] != [score.rmse for score in found.scores]


def test_holds_out_a_tenth_of_zeros_and_ones(found):
    assert found.split.test.n_listed == 640
    assert found.split.test.values.sum() == 178
    assert found.split.train.n_known == 5760


def test_boolean_patterns_are_found(found):
    by_name = {score.method: score for score in found.scores}
    assert by_name["BNMF"].rmse < 0.05
    assert by_name["BNMF"].wrong == 0
    assert by_name["mean of what is known"].wrong == 178
    assert [score.baseline for score in found.scores] == [True, True, False, False]


@pytest.mark.parametrize("given", [("--rank", "0"), ("--rank", "-3"), ("--seed", "-1")])
def test_refused_numbers_are_named_before_anything_is_fitted(given, capsys):
    assert run(*given) == 2
    shown = capsys.readouterr()
    assert f"Invalid value for '{given[0]}'" in shown.err
    assert "Traceback" not in shown.err
    assert not shown.out


def test_fits_narrow_terminals_without_colour(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("NO_COLOR", "1")
    run()
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 60
    assert "\x1b" not in shown
    assert len(errors(shown)) == 4


def test_says_that_it_is_waiting_on_a_terminal_only():
    terminal, pipe = (Console(file=io.StringIO(), force_terminal=yes) for yes in (True, False))
    for one in (terminal, pipe):
        with console.waiting(one, "Fitting"):
            pass
    assert "Fitting" in terminal.file.getvalue()
    assert not pipe.file.getvalue()


def test_long_preparation_is_told(monkeypatch, capsys):
    monkeypatch.setattr(trial, "prepare", lambda: 9.0)
    run()
    assert "took 9 seconds more; they are compiled once" in " ".join(capsys.readouterr().out.split())
