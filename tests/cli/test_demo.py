"""The demo command."""

from __future__ import annotations

import io
import re

import numpy as np
import pytest
from rich.console import Console

from latentlink import BNMFk, cli, datasets
from latentlink.cli import console, trial
from latentlink.rank import Progress


@pytest.fixture(scope="module")
def progress():
    """Progress that the callback of `results` receives."""
    return []


@pytest.fixture(scope="module")
def results(progress):
    """The results of the demo with its default options."""
    return trial.run_trial(datasets.dog(), trial.RANKS, 0, progress.append)


@pytest.fixture
def computed(monkeypatch, results):
    """Let the command print stored results, and record its arguments."""
    calls = []

    def run_trial(data, ranks, seed, callback):
        calls.append((data.name, tuple(ranks), seed, callable(callback)))
        return results

    monkeypatch.setattr(trial, "run_trial", run_trial)
    monkeypatch.setattr(trial, "prepare", lambda: 0.0)
    return calls


def run(*args):
    with pytest.raises(SystemExit) as exit:
        cli.main(["demo", *args])
    return exit.value.code


def lines(text):
    """Return the lines of tables as lists of words, without frames."""
    return [line.split() for line in re.sub(r"[^\w\n .,+:=()-]", " ", text).splitlines() if line.strip()]


def errors(text):
    """Return the RMSE of each method in the table."""
    rows = re.findall(r"^\W*([A-Za-z][\w ]*?) +(\d\.\d{3})", text, re.MULTILINE)
    return {method: float(rmse) for method, rmse in rows}


@pytest.mark.slow
def test_prints_path_choice_errors_and_links(computed, capsys):
    assert run() == 0
    assert computed == [("dog", tuple(range(1, 9)), 0, True)]
    shown = capsys.readouterr().out
    path = [words for words in lines(shown) if words[0] in "12345678" and len(words) == 3]
    assert [int(words[0]) for words in path] == list(range(1, 9))
    assert min(path, key=lambda words: float(words[2]))[0] == "4"
    assert "Rank 4 (agreed): held-out error" in shown
    by_method = errors(shown)
    assert list(by_method) == ["mean of known entries", "row and column biases", "WNMF at rank 4", "BNMFk"]
    assert sorted(by_method.values(), reverse=True) == list(by_method.values())
    assert sum(bool(re.match(r"r\d\dc\d\d$", words[0])) for words in lines(shown)) == 5


@pytest.mark.slow
def test_describes_the_data(computed, capsys):
    run("--seed", "1", "--rank", "4")
    assert computed == [("dog", (4,), 1, True)]
    shown = " ".join(capsys.readouterr().out.split())
    for piece in (
        "sun, person, dog, cloud",
        "true rank 4",
        "5,760 of 6,400",
        "640 held-out entries",
        "seed 1",
    ):
        assert piece in shown


@pytest.mark.slow
def test_a_given_rank_is_the_only_one_that_is_fitted(capsys):
    assert run("--rank", "3") == 0
    shown = capsys.readouterr().out
    assert "Rank 3 " in shown
    assert "WNMF at rank 3" in shown
    assert len([words for words in lines(shown) if words[0].isdigit() and len(words) == 3]) == 1


@pytest.mark.slow
def test_same_seed_same_errors():
    one, again, other = (trial.run_trial(datasets.dog(), (4,), seed) for seed in (0, 0, 1))
    assert [score.rmse for score in one.scores] == [score.rmse for score in again.scores]
    assert [score.rmse for score in one.scores] != [score.rmse for score in other.scores]


@pytest.mark.slow
def test_a_tenth_of_zeros_and_ones_is_held_out(results):
    split = results.split
    assert split.test.n_listed == 640
    assert split.test.values.sum() == 178
    assert split.train.n_known == 5760


@pytest.mark.slow
def test_the_true_rank_is_selected_and_predicts(results):
    by_name = {score.method: score for score in results.scores}
    assert results.model.rank_ == results.data.rank == 4
    assert by_name["BNMFk"].rmse < 0.05
    assert by_name["BNMFk"].wrong == 0
    assert by_name["mean of known entries"].wrong == 178
    assert [score.baseline for score in results.scores] == [True, True, False, False]


@pytest.mark.slow
def test_held_out_values_make_no_difference(results):
    train = results.split.train
    changed = train.with_values(np.where(train.known, train.values, 1 - train.values))
    model = BNMFk((4,), n_perturbs=4, random_state=0)
    scores = [model.fit(data).predict_links([(5, 3), (20, 9)]) for data in (train, changed)]
    np.testing.assert_array_equal(*scores)


@pytest.mark.slow
def test_best_links_were_held_out_and_have_their_true_value(results):
    network, test = results.data.network, results.split.test
    held_out = set(zip(test.rows, test.cols, strict=True))
    assert len(results.links) == 5
    for link in results.links:
        pair = network.row_index(link.row), network.col_index(link.column)
        assert pair in held_out
        entry = (network.rows == pair[0]) & (network.cols == pair[1])
        assert link.truth == network.values[entry][0] == 1
        assert link.score == pytest.approx(1, abs=0.2)


@pytest.mark.slow
def test_the_callback_receives_the_progress(results, progress):
    assert progress[-1].done == progress[-1].total == len(progress) - 1
    assert progress[-1].finished
    assert progress[-1].rank == results.model.rank_


@pytest.mark.parametrize("option", [("--rank", "0"), ("--rank", "-3"), ("--seed", "-1")])
def test_invalid_options_are_named_before_anything_is_fitted(option, capsys):
    assert run(*option) == 2
    shown = capsys.readouterr()
    assert f"Invalid value for '{option[0]}'" in shown.err
    assert "Traceback" not in shown.err
    assert not shown.out


@pytest.mark.slow
@pytest.mark.usefixtures("computed")
def test_fits_narrow_terminals_without_colour(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("NO_COLOR", "1")
    run("--rank", "4")
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 60
    assert "\x1b" not in shown
    assert len(errors(shown)) == 4


def test_kernels_are_compiled_before_the_search():
    assert trial.prepare() > 0


@pytest.mark.slow
@pytest.mark.usefixtures("computed")
def test_a_long_compilation_is_reported(monkeypatch, capsys):
    monkeypatch.setattr(trial, "prepare", lambda: 9.0)
    run("--rank", "4")
    assert "Compiling the kernels took another 9 seconds" in " ".join(capsys.readouterr().out.split())


def both_kinds():
    return [Console(file=io.StringIO(), force_terminal=yes, width=100) for yes in (True, False)]


def test_a_spinner_is_shown_on_a_terminal_only():
    terminal, pipe = both_kinds()
    for output in (terminal, pipe):
        with console.spinner(output, "Fitting"):
            pass
    assert "Fitting" in terminal.file.getvalue()
    assert not pipe.file.getvalue()


def test_a_progress_bar_is_shown_on_a_terminal_only():
    terminal, pipe = both_kinds()
    for output in (terminal, pipe):
        with console.progress_bar(output, "Searching") as callback:
            assert callback(Progress(1, 8, None, None)) is not False
            assert callback(Progress(2, 8, 4, 12.0, 0.25, open_ended=True)) is not False
    shown = re.sub(r"\x1b\[[\d;?]*\w", "", terminal.file.getvalue())
    assert "Searching, 4 so far" in shown
    assert "25% at least 12 s left" in shown
    assert not pipe.file.getvalue().strip()
