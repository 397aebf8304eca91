import io
import re

import numpy as np
import pytest
from rich.console import Console

from latentlink import cli, datasets
from latentlink.cli import console, trial
from latentlink.rank import Progress


@pytest.fixture(scope="module")
def found():
    """The demonstration as it comes, and what it told of its progress."""
    told = []
    return trial.run_trial(datasets.dog(), trial.RANKS, 0, told.append), told


def run(*args):
    with pytest.raises(SystemExit) as exit:
        cli.main(["demo", *args])
    return exit.value.code


def lines(text):
    """Read all lines of tables as lists of words, whatever the frame."""
    return [line.split() for line in re.sub(r"[^\w\n .,+:=()-]", " ", text).splitlines() if line.strip()]


def errors(text):
    """Read the RMSE of each method off the table."""
    found = re.findall(r"^\W*([A-Za-z][\w ]*?) +(\d\.\d{3})", text, re.MULTILINE)
    return {method: float(rmse) for method, rmse in found}


def test_prints_path_choice_errors_and_links(capsys):
    assert run() == 0
    shown = capsys.readouterr().out
    path = [words for words in lines(shown) if words[0] in "12345678" and len(words) == 3]
    assert [int(words[0]) for words in path] == list(range(1, 9))
    assert min(path, key=lambda words: float(words[2]))[0] == "4"
    assert "Rank 4 (agreed): held-out error" in shown
    by_method = errors(shown)
    assert list(by_method) == ["mean of what is known", "row and column biases", "WNMF at rank 4", "BNMFk"]
    assert sorted(by_method.values(), reverse=True) == list(by_method.values())
    assert sum(bool(re.match(r"r\d\dc\d\d$", words[0])) for words in lines(shown)) == 5


def test_says_what_the_data_are(capsys):
    run("--seed", "1", "--rank", "4")
    shown = " ".join(capsys.readouterr().out.split())
    for piece in ("sun, person, dog, cloud", "true rank 4", "5,760 of 6,400", "640 are held out", "seed 1"):
        assert piece in shown


def test_a_given_rank_is_the_only_one(capsys):
    run("--rank", "3")
    shown = capsys.readouterr().out
    assert "Rank 3 " in shown
    assert "WNMF at rank 3" in shown
    assert len([words for words in lines(shown) if words[0].isdigit() and len(words) == 3]) == 1


def test_same_seed_same_errors():
    one, again, other = (trial.run_trial(datasets.dog(), (4,), seed) for seed in (0, 0, 1))
    assert [score.rmse for score in one.scores] == [score.rmse for score in again.scores]
    assert [score.rmse for score in one.scores] != [score.rmse for score in other.scores]


def test_holds_out_a_tenth_of_zeros_and_ones(found):
    split = found[0].split
    assert split.test.n_listed == 640
    assert split.test.values.sum() == 178
    assert split.train.n_known == 5760


def test_the_rank_is_found_and_predicts(found):
    seen = found[0]
    by_name = {score.method: score for score in seen.scores}
    assert seen.model.rank_ == seen.data.rank == 4
    assert by_name["BNMFk"].rmse < 0.05
    assert by_name["BNMFk"].wrong == 0
    assert by_name["mean of what is known"].wrong == 178
    assert [score.baseline for score in seen.scores] == [True, True, False, False]


def test_what_is_held_out_has_no_say(found):
    seen = found[0]
    changed = seen.split.train.with_values(
        np.where(seen.split.train.known, seen.split.train.values, 1 - seen.split.train.values)
    )
    model = trial.BNMFk((4,), random_state=0)
    scores = [model.fit(data).predict_links([(5, 3), (20, 9)]) for data in (seen.split.train, changed)]
    assert np.array_equal(*scores)


def test_best_links_were_held_out_and_have_their_truth(found):
    seen = found[0]
    network, held_out = seen.data.network, set(zip(seen.split.test.rows, seen.split.test.cols, strict=True))
    assert len(seen.links) == 5
    for link in seen.links:
        pair = network.row_index(link.row), network.col_index(link.column)
        assert pair in held_out
        entry = (network.rows == pair[0]) & (network.cols == pair[1])
        assert link.truth == network.values[entry][0] == 1
        assert link.score == pytest.approx(1, abs=0.2)


def test_progress_is_told(found):
    told = found[1]
    assert told[-1].done == told[-1].total == len(told)
    assert told[-1].rank == 4


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
    run("--rank", "4")
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 60
    assert "\x1b" not in shown
    assert len(errors(shown)) == 4


def both_kinds():
    return [Console(file=io.StringIO(), force_terminal=yes, width=100) for yes in (True, False)]


def test_says_that_it_is_waiting_on_a_terminal_only():
    terminal, pipe = both_kinds()
    for one in (terminal, pipe):
        with console.waiting(one, "Fitting"):
            pass
    assert "Fitting" in terminal.file.getvalue()
    assert not pipe.file.getvalue()


def test_a_bar_shows_how_far_it_is_on_a_terminal_only():
    terminal, pipe = both_kinds()
    for one in (terminal, pipe):
        with console.progress_bar(one, "Searching") as callback:
            assert callback(Progress(1, 8, None, None)) is not False
            assert callback(Progress(8, 8, 4, 0.0)) is not False
    shown = re.sub(r"\x1b\[[\d;?]*\w", "", terminal.file.getvalue())
    assert "Searching, 4 so far" in shown
    assert "8/8" in shown
    assert not pipe.file.getvalue().strip()


def test_long_preparation_is_told(monkeypatch, capsys):
    monkeypatch.setattr(trial, "prepare", lambda: 9.0)
    run("--rank", "4")
    assert "took 9 seconds more; they are compiled once" in " ".join(capsys.readouterr().out.split())
