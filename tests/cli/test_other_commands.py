"""The commands evaluate, report, datasets, demo and reproduce."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest

from latentlink import Network, datasets
from latentlink.cli.commands.reproduce_command import line_for_each_tenth
from latentlink.experiments import EXPERIMENTS, Experiment

from .conftest import TINY

# ---------------------------------------------------------------- evaluate


@pytest.mark.slow
def test_evaluate_prints_the_table_and_a_verdict(finished, run):
    shown = run("evaluate", finished / "links.csv", *TINY, "--repeats", "2", "--negatives", "listed")
    assert shown.code == 0
    assert shown.out.startswith("Read: ")
    assert "Method: wnmfk, since --method asks for it" in shown.out
    assert "Expected: about " in shown.out
    assert "Evaluation: 2 repeats" in shown.out
    assert "degree product" in shown.out
    assert "wnmfk: " in shown.out


@pytest.mark.slow
def test_evaluate_of_links_with_strengths_says_what_a_stack_was_fitted_to(run, tmp_path):
    rng = np.random.default_rng(0)
    lines = [f"n{a},n{b},{rng.integers(1, 9)}" for a in range(30) for b in range(a) if rng.random() < 0.3]
    (tmp_path / "links.csv").write_text("\n".join(["source,target,times", *lines]))
    args = ("--weight", "times", "--ranks", "2", "--members", "2", "--repeats", "1", "--negatives", "uniform")
    shown = run("evaluate", tmp_path / "links.csv", *args)
    assert shown.code == 0
    assert "every listed pair is a link (else --value), and times is its strength" in shown.out
    assert "and as many unlisted pairs are drawn as non-links" in shown.out
    assert "stack was fitted to the training links alone" in shown.out


def test_evaluate_as_json_is_that_of_python(finished, run):
    from latentlink import WNMFk, evaluate

    shown = run(
        "evaluate", finished / "links.csv", *TINY, "--repeats", "2", "--negatives", "listed", "--json"
    )
    told = json.loads(shown.out)
    network = Network.from_file(finished / "links.csv", symmetric=True)
    result = evaluate(
        network, {"wnmfk": WNMFk((2,), n_perturbs=2, random_state=0)}, repeats=2, negatives=["listed"]
    )
    assert told["kind"] == "labelled"
    assert told["best_baseline"] == result.best_baseline()
    mean = next(line for line in told["summary"] if line["model"] == "wnmfk" and line["metric"] == "roc_auc")
    assert any(value == pytest.approx(result.values("wnmfk").mean()) for value in mean.values())


def test_a_folder_for_fetched_files_is_created(run, tmp_path, monkeypatch):
    from latentlink import datasets

    asked = []

    def fetched(name, folder=None):
        asked.append((name, folder))
        return datasets.dog()

    monkeypatch.setattr(datasets, "fetch", fetched)
    folder = tmp_path / "new" / "folder"
    out = tmp_path / "usair.csv"
    assert run("datasets", "fetch", "usair", "--folder", folder, "--out", out).code == 0
    assert asked == [("usair", str(folder))]
    assert folder.is_dir()
    assert out.exists()


def test_evaluate_of_an_invalid_file_is_a_sentence(run, tmp_path):
    (tmp_path / "x.csv").write_text("a\nb\n")
    shown = run("evaluate", tmp_path / "x.csv")
    assert shown.code == 1
    assert "found one column" in shown.err


# ---------------------------------------------------------------- report


@pytest.mark.slow
def test_report_writes_the_same_page_from_its_data(finished, run, tmp_path):
    shutil.copytree(finished / "run", tmp_path / "run")
    page = tmp_path / "run" / "report.html"
    before = page.read_bytes()
    page.unlink()
    shown = run("report", tmp_path / "run")
    assert shown.code == 0
    assert shown.out.strip() == f"Open {page}"
    assert page.read_bytes() == before
    assert json.loads(run("report", tmp_path / "run", "--json").out) == {"report": str(page)}


@pytest.mark.slow
def test_the_report_names_the_command(finished):
    page = (finished / "run" / "report.html").read_text()
    assert "latentlink fit" in page
    assert "--method wnmfk --ranks 2 --members 2 --json" in page


def test_evaluate_prints_the_main_table_unless_all_are_asked_for(finished, run):
    given = ("evaluate", finished / "links.csv", *TINY, "--repeats", "1")
    for options, count in (((), 1), (("--all-tables",), 5)):
        shown = run(*given, *options)
        assert shown.code == 0
        assert shown.out.count("\nmethod ") == count
        assert shown.out.count("wnmfk: one repeat cannot show a difference: ROC AUC 0.") == 5
        assert ("All tables: --all-tables" in shown.out) == (not options)


# ---------------------------------------------------------------- datasets


def test_datasets_are_listed(run):
    names = [line["name"] for line in json.loads(run("datasets", "list", "--json").out)]
    assert names == datasets.list()["name"].tolist()
    assert "movielens-100k" in run("datasets", "list").out


@pytest.mark.parametrize("name", ["dog", "gaussian", "planted_blocks"])
def test_made_datasets_are_read_by_fit(name, run, tmp_path):
    from latentlink.cli.reading.data_file import DataOptions, read_data

    shown = run("datasets", "make", name, "--out", tmp_path / "data.csv", "--hidden", "0.2", "--seed", "3")
    assert shown.code == 0
    assert f"Written to {tmp_path / 'data.csv'}" in shown.out
    read = read_data(str(tmp_path / "data.csv"), DataOptions()).network
    make = getattr(datasets, name)
    network = (make() if name == "dog" else make(seed=3)).network
    assert read.shape == network.shape
    assert read.symmetric == network.symmetric
    assert read.n_known == network.n_known - round(0.2 * network.n_known)
    values = network.values[network.positions(read.rows, read.cols)] if name == "dog" else None
    if values is not None:
        order = network.positions(*read.node_names(read.rows, read.cols))
        np.testing.assert_array_equal(read.values, network.values[order])


def test_made_and_fetched_datasets_as_json(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = json.loads(run("datasets", "make", "dog", "--json").out)
    assert told["file"] == "dog.csv"
    assert (tmp_path / "dog.csv").exists()
    monkeypatch.setattr(datasets, "fetch", lambda name, folder: datasets.dog())
    assert run("datasets", "fetch", "usair", "--out", tmp_path / "fetched.csv").code == 0
    assert (tmp_path / "fetched.csv").read_bytes() == (tmp_path / "dog.csv").read_bytes()


@pytest.mark.parametrize("hidden", ["2", "1", "-0.5", "nan"])
def test_a_share_that_is_none_raises_before_anything_is_written(hidden, run, tmp_path):
    shown = run("datasets", "make", "dog", "--hidden", hidden, "--out", tmp_path / "x.csv")
    assert shown.code == 1
    assert "--hidden is" in shown.err
    assert "expected a number of at least 0 and below 1" in shown.err
    assert not (tmp_path / "x.csv").exists()


def test_a_file_that_is_there_is_replaced_by_force_alone(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(datasets, "fetch", lambda name, folder: datasets.dog())
    for args, name in (
        (("make", "dog"), "dog.csv"),
        (("make", "dog", "--out", "mine.csv"), "mine.csv"),
        (("fetch", "usair", "--out", "mine.csv"), "mine.csv"),
    ):
        (tmp_path / name).write_text("mine")
        shown = run("datasets", *args)
        assert shown.code == 1
        assert f"'{name}' is there already" in shown.err
        assert "--force" in shown.err
        assert (tmp_path / name).read_text() == "mine"
        assert run("datasets", *args, "--force").code == 0
        assert (tmp_path / name).read_text() != "mine"


# ---------------------------------------------------------------- demo and reproduce


@pytest.mark.slow
def test_the_demo_runs_from_data_to_report(run, tmp_path):
    shown = run("demo", "--rank", "4", "--out", tmp_path / "demo")
    assert shown.code == 0
    assert "Method: bnmfk, since it is a matrix of zeros and ones, of which 90 % is known" in shown.out
    assert "Of 640 hidden entries 640 are predicted right" in " ".join(shown.out.split())
    page = tmp_path / "demo" / "run-rank-4" / "report.html"
    assert shown.out.strip().endswith(f"Open {page}")
    assert page.stat().st_size > 10_000
    told = json.loads(run("demo", "--rank", "4", "--out", tmp_path / "demo", "--json").out)
    assert told["compared"] == {"hidden": 640, "right": 640, "baseline": 462, "decided": 640, "wrong": 0}
    assert told["rank"]["rank"] == 4


def test_reproduce_runs_an_experiment(run, tmp_path, monkeypatch):
    calls = []

    class Fake(Experiment):
        def reproduce(self, folder, *, quick, workers, report):
            report(1, 2)
            calls.append((folder, quick, workers))
            return self.report(folder, quick=quick)

        def report(self, folder, *, quick):
            from latentlink.experiments import Outcome

            calls.append("report")
            return Outcome(folder, folder / "results.csv", folder / "summary.md", ())

    monkeypatch.setitem(EXPERIMENTS, "dog", Fake("dog", "Dog"))
    monkeypatch.setattr("latentlink.cli.commands.reproduce_command.find_spec", lambda name: None)
    shown = run("reproduce", "dog", "--quick", "--out", tmp_path, "--workers", "3")
    assert shown.code == 0
    assert calls == [(tmp_path / "dog", True, 3), "report"]
    assert f"Dog: 0 s, see {tmp_path / 'dog' / 'summary.md'}" in "".join(shown.out.splitlines())
    assert "no figures" in shown.err
    assert shown.err.startswith("Dog\n 50 %  1 of 2 cases\n")
    told = json.loads(run("reproduce", "dog", "--report", "--out", tmp_path, "--json").out)
    assert told == {"dog": str(tmp_path / "dog" / "summary.md")}
    assert calls[2:] == ["report"]
    shown = run("reproduce", "dog", "--out", tmp_path)
    assert "The studies in full (dog) may take hours, --quick takes minutes." in shown.err


def test_reproduce_writes_aline_for_each_tenth_where_no_bar_can_be_drawn(capsys):
    report = line_for_each_tenth()
    for done in range(1, 201):
        report(done, 200)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == " 10 %  20 of 200 cases"
    assert lines[-1] == "100 %  200 of 200 cases"
    assert len(lines) == 10


def test_reproduce_of_nothing_is_a_sentence(run, tmp_path):
    shown = run("reproduce", "dog", "--report", "--out", tmp_path)
    assert shown.code == 1
    assert "There are no results of dog" in shown.err
