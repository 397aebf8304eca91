"""The command fit: what it writes, prints, continues and refuses to replace."""

from __future__ import annotations

import gzip
import io
import json
import shutil
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from latentlink import Network, WNMFk, load
from latentlink.cli.running import fit_run, prepare_run

from .conftest import TINY, labelled_pairs, table

pytestmark = pytest.mark.slow


def record(folder):
    return json.loads((folder / "run.json").read_text())


# ---------------------------------------------------------------- what fit writes


def test_fit_writes_all_files(finished):
    names = {path.name for path in (finished / "run").iterdir()}
    assert names == {
        "calibration.npz", "links.csv", "model", "ranks.csv", "report.html", "report_data", "run.json",
    }  # fmt: skip


def test_links_are_all_unknown_pairs_best_first(finished):
    links = table(finished / "run" / "links.csv")
    assert list(links[0]) == ["source", "target", "score", "probability", "spread", "decision", "rank"]
    network = Network.from_file(finished / "links.csv", symmetric=True)
    assert len(links) == 30 * 29 // 2 - network.n_known
    positions = network.positions([line["source"] for line in links], [line["target"] for line in links])
    assert (positions < 0).all()
    scores = [float(line["score"]) for line in links]
    assert scores == sorted(scores, reverse=True)
    assert [int(line["rank"]) for line in links] == list(range(1, len(links) + 1))
    assert {line["decision"] for line in links} <= {"link", "no link", "abstain"}
    probabilities = [float(line["probability"]) for line in links]
    assert all(0 < each < 1 for each in probabilities)
    assert probabilities == sorted(probabilities, reverse=True)


def test_the_best_links_are_within_groups(finished):
    links = table(finished / "run" / "links.csv")[:50]
    same = [int(line["source"][1:]) % 2 == int(line["target"][1:]) % 2 for line in links]
    assert np.mean(same) > 0.9


def test_the_model_is_that_of_the_python_interface(finished):
    model = load(finished / "run" / "model")
    network = Network.from_file(finished / "links.csv", symmetric=True)
    again = WNMFk((2,), n_perturbs=2, random_state=0).fit(network)
    top = again.top_links(20)
    links = table(finished / "run" / "links.csv")[:20]
    assert [line["source"] for line in links] == top["row"].tolist()
    np.testing.assert_allclose([float(line["score"]) for line in links], top["score"], rtol=1e-5)
    np.testing.assert_array_equal(model.W_, again.W_)


def test_ranks_lists_what_was_visited(finished):
    ranks = table(finished / "run" / "ranks.csv")
    assert [(line["model"], line["rank"], line["chosen"]) for line in ranks] == [("WNMF", "2", "true")]


def test_the_record_says_how_it_was_made(finished):
    found = record(finished / "run")
    assert found["settings"]["method"] == "wnmfk"
    assert found["seed"] == 0
    assert len(found["data_sha256"]) == len(found["settings_sha256"]) == 64
    assert found["versions"].keys() >= {"latentlink", "python", "numpy", "numba"}
    assert found["seconds"].keys() == {"read", "fit", "calibrate", "rank", "report"}
    assert found["command"].startswith("latentlink fit")
    assert found["command"].endswith("--method wnmfk --ranks 2 --members 2 --json")
    assert found["calibration"]["how"] == "cross"
    assert 0 < found["calibration"]["supposed_share_of_links"] < found["calibration"]["share_of_links"]
    assert len(found["calibration"]["limits"]) == 3
    assert "the share of all pairs that are listed links" in found["calibration"]["limits"][2]
    assert "base_rate" not in " ".join(found["calibration"]["limits"])
    assert sum(found["links"]["decisions"].values()) == found["links"]["listed"]


def test_decisions_are_those_of_a_calibrated_model(finished):
    from latentlink.uncertainty import RiskControl

    model = load(finished / "run" / "model")
    calibrated = model.cross_calibrate(5, rng=0)
    top = calibrated.top_links(30)
    with pytest.warns(UserWarning, match="differ"):
        answers = calibrated.answers(top, RiskControl(alpha=0.05))
    with pytest.warns(UserWarning, match="differ"):
        probabilities = calibrated.probabilities(top)
    words = np.where(answers["answered"], np.where(answers["answer"] == 1, "link", "no link"), "abstain")
    links = table(finished / "run" / "links.csv")[:30]
    assert [line["decision"] for line in links] == words.tolist()
    np.testing.assert_allclose(
        [float(line["probability"]) for line in links], probabilities["probability"], rtol=1e-5
    )


# ---------------------------------------------------------------- the same command again


def test_a_finished_run_is_not_run_again(finished, run, monkeypatch):
    before = {path: path.stat().st_mtime_ns for path in (finished / "run").iterdir()}
    monkeypatch.setattr(WNMFk, "fit", None)
    shown = run("fit", finished / "links.csv", "--out", finished / "run", *TINY)
    assert shown.code == 0
    assert "has this run already, with the same data and settings: nothing to do" in shown.out
    assert f"Open {finished / 'run' / 'report.html'}" in shown.out
    assert before == {path: path.stat().st_mtime_ns for path in (finished / "run").iterdir()}


@pytest.mark.parametrize(
    ("name", "how"),
    [("links.csv", "missing"), ("report.html", "missing"), ("model", "missing"), ("links.csv", "damaged")],
)
def test_a_finished_run_that_lost_a_file_is_a_sentence(name, how, finished, run, tmp_path):
    shutil.copytree(finished / "run", tmp_path / "run")
    path = tmp_path / "run" / name
    if how == "missing":
        path.rename(tmp_path / "elsewhere")
    else:
        path.write_bytes(path.read_bytes()[:300])
    shown = run("fit", finished / "links.csv", "--out", tmp_path / "run", *TINY)
    assert shown.code == 1
    assert (f"without {name}." if how == "missing" else f"{name} is damaged") in shown.err
    assert "Make the run again with --force" in shown.err


def test_a_changed_setting_or_file_raises(finished, run, tmp_path):
    shown = run("fit", finished / "links.csv", "--out", finished / "run", *TINY, "--seed", "1")
    assert shown.code == 1
    assert "a finished run with seed 0 instead of 1. Name another folder with --out, or replace" in shown.err
    (tmp_path / "links.csv").write_text(labelled_pairs(seed=1))
    shown = run("fit", tmp_path / "links.csv", "--out", finished / "run", *TINY)
    assert shown.code == 1
    assert "a finished run with other data" in shown.err


def test_force_replaces_and_the_same_seed_gives_the_same_bytes(finished, run, tmp_path):
    args = ("fit", finished / "links.csv", "--out", tmp_path / "run", *TINY)
    assert run(*args, "--seed", "5", "--calibration", "none").code == 0
    other = (tmp_path / "run" / "links.csv").read_bytes()
    assert run(*args, "--force", "--jobs", "1").code == 0
    again = (tmp_path / "run" / "links.csv").read_bytes()
    assert again == (finished / "run" / "links.csv").read_bytes()
    assert again != other


def test_what_is_printed(finished, run, tmp_path):
    shown = run("fit", finished / "links.csv", "--out", tmp_path / "run", *TINY, "--calibration", "split")
    assert shown.code == 0
    lines = shown.out.splitlines()
    assert lines[0].startswith("Read: ")
    assert "30 nodes" in lines[0]
    assert lines[1].startswith(
        "Assumed: fields are separated by comma; line 1 is the header (else --no-header); "
    )
    assert "source: 'source', target: 'target', value: 'value'" in lines[1]
    assert lines[2] == "Method: wnmfk, since --method asks for it"
    assert lines[3].startswith("Calibration: a tenth of what is known is kept back")
    assert lines[4].startswith("Expected: about 10 seconds and 0.")
    assert "The best of" in shown.out
    assert "Decisions: none, since nothing was calibrated." in shown.out
    assert lines[-1] == f"Open {tmp_path / 'run' / 'report.html'}"
    assert "Fitting" in shown.err
    assert "100 %" in shown.err


def test_a_run_that_does_not_fit_into_memory_writes_nothing(finished, run, tmp_path, monkeypatch):
    monkeypatch.setattr(prepare_run, "available_bytes", lambda: 10**6)
    shown = run("fit", finished / "links.csv", "--out", tmp_path / "run", *TINY)
    assert shown.code == 1
    assert "GB are free" in shown.err
    assert not (tmp_path / "run").exists()


def test_standard_input(finished, run, tmp_path, monkeypatch):
    content = gzip.compress((finished / "links.csv").read_bytes())
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content), isatty=lambda: False))
    assert run("fit", "-", "--out", tmp_path / "run", *TINY).code == 0
    assert (tmp_path / "run" / "links.csv").read_bytes() == (finished / "run" / "links.csv").read_bytes()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(), isatty=lambda: True))
    assert "nothing is piped into it" in run("fit", "-", "--out", tmp_path / "other").err


def test_an_interrupted_run_continues_with_the_same_bytes(finished, run, tmp_path, monkeypatch):
    """Interrupt the run at every stage once; a test with real kills is in test_killed.py."""
    args = ("fit", finished / "links.csv", "--out", tmp_path / "run", *TINY)
    plain = {name: getattr(fit_run, name) for name in ("write_csv", "save_decisions", "write_run_report")}

    def stop(*_, **__):
        raise KeyboardInterrupt

    for name in plain:
        monkeypatch.setattr(fit_run, name, stop)
        shown = run(*args)
        assert shown.code == 130
        assert "The same command continues where it stopped." in shown.err
        assert not (tmp_path / "run" / "run.json").exists()
        assert "its run was interrupted" in run("top", tmp_path / "run").err
        monkeypatch.setattr(fit_run, name, plain[name])
    monkeypatch.setattr(WNMFk, "fit", None)  # the model and the folds of the calibration are stored
    shown = run(*args)
    assert shown.code == 0
    assert "Continued: the run in" in shown.out
    assert (tmp_path / "run" / "links.csv").read_bytes() == (finished / "run" / "links.csv").read_bytes()


def test_a_run_that_was_stopped_while_it_was_calibrated_goes_on_with_the_next_fold(
    finished, run, tmp_path, monkeypatch
):
    args = ("fit", finished / "links.csv", "--out", tmp_path / "run", *TINY)
    fits, fit = [], WNMFk.fit

    def stopped(self, *data, **options):
        fits.append(self)
        if len(fits) == 4:  # the third fold
            raise KeyboardInterrupt
        return fit(self, *data, **options)

    monkeypatch.setattr(WNMFk, "fit", stopped)
    assert run(*args).code == 130
    assert run(*args).code == 0
    assert len(fits) == 4 + 3
    assert (tmp_path / "run" / "links.csv").read_bytes() == (finished / "run" / "links.csv").read_bytes()
    assert not (tmp_path / "run" / ".work").exists()
