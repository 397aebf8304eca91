"""The commands fit, predict, top and explain, on one small run."""

from __future__ import annotations

import csv
import gzip
import io
import json
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from latentlink import LinkStack, Network, WNMFk, load
from latentlink.cli.running import fit_run

from .conftest import TINY, labelled_pairs

pytestmark = pytest.mark.slow


def table(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


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
    assert len(found["calibration"]["limits"]) == 2
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
    assert lines[1].startswith("Assumed: Fields are separated by comma; Line 1 is the header")
    assert lines[2] == "Method: wnmfk, since --method asks for it"
    assert lines[3].startswith("Calibration: a tenth of what is known is kept back")
    assert lines[4].startswith("Expected: about 10 seconds and 0.")
    assert "The best of" in shown.out
    assert "Decisions: " in shown.out
    assert lines[-1] == f"Open {tmp_path / 'run' / 'report.html'}"
    assert "Fitting" in shown.err
    assert "100 %" in shown.err


# ---------------------------------------------------------------- other data and options


@pytest.fixture(scope="module")
def links_alone(tmp_path_factory):
    """A run of the stack on links alone, with names that spreadsheets take for formulas."""
    folder = tmp_path_factory.mktemp("alone")
    rng = np.random.default_rng(0)
    lines = [
        f"={a:02}\t={b:02}"
        for a in range(40)
        for b in range(a)
        if rng.random() < (0.5 if a % 2 == b % 2 else 0.05)
    ]
    (folder / "links.tsv").write_text("\n".join(lines))
    return folder


def test_links_alone_by_the_stack(links_alone, run):
    args = ("--ranks", "2", "--members", "2", "--top", "50", "--base-rate", "0.2")
    shown = run("fit", links_alone / "links.tsv", "--out", links_alone / "run", *args)
    assert shown.code == 0
    assert "Method: stack, since" in shown.out
    assert "for components that can be read: --method wnmfk" in shown.out
    assert "kept back" in shown.out
    assert "Probabilities suppose that 20 % of the pairs are links, as stated" in shown.out
    assert "names begin with =, +, - or @" in shown.err
    links = table(links_alone / "run" / "links.csv")
    assert len(links) == 50
    model = load(links_alone / "run" / "model")
    assert isinstance(model, LinkStack)
    hidden = model.network_.subset(~model.network_.known)
    assert hidden.n_listed == round(0.1 * model.network_.n_listed)
    listed = {(line["source"], line["target"]) for line in links}
    kept_back = set(zip(*hidden.node_names(hidden.rows, hidden.cols), strict=True))
    assert not listed & {pair for one, two in kept_back for pair in ((one, two), (two, one))}


def test_top_of_a_node_leaves_out_what_was_kept_back(links_alone, run):
    shown = json.loads(run("top", links_alone / "run", "--node", "=03", "-n", "60", "--json").out)
    model = load(links_alone / "run" / "model")
    partners = {line["target"] if line["source"] == "=03" else line["source"] for line in shown}
    ends = model.network_.node_names(model.network_.rows, model.network_.cols)
    known = {str(b) if a == "=03" else str(a) for a, b in zip(*ends, strict=True) if "=03" in (a, b)}
    assert not partners & known
    assert len(partners) == 40 - 1 - len(known)


def test_a_factorization_of_links_alone_draws_non_links(links_alone, run, tmp_path):
    shown = run("fit", links_alone / "links.tsv", "--out", tmp_path / "run", *TINY, "--negatives", "2")
    assert shown.code == 0
    count = len((links_alone / "links.tsv").read_text().splitlines())
    assert f"with {2 * count:,} non-links drawn among the unlisted pairs (--negatives)" in shown.out


def test_discoveries(finished, run, tmp_path):
    shown = run("fit", finished / "links.csv", "--out", tmp_path / "run", *TINY, "--fdr", "0.3", "--top", "5")
    assert shown.code == 0
    links = table(tmp_path / "run" / "links.csv")
    found = [line for line in links if line["decision"] == "link"]
    assert {line["decision"] for line in links} <= {"link", "abstain"}
    assert len(links) == max(5, len(found))
    predicted = json.loads(run("predict", tmp_path / "run", tmp_path / "run" / "links.csv", "--json").out)
    assert [line["decision"] for line in predicted] == [line["decision"] for line in links]


def test_values_have_intervals_and_no_probabilities(run, tmp_path):
    rng = np.random.default_rng(0)
    ratings = np.clip(np.round(3 + rng.normal(size=(25, 1)) + rng.normal(size=(1, 15))), 1, 5)
    lines = [f"{i}::{j}::{ratings[i, j]:g}::99" for i in range(25) for j in range(15) if rng.random() < 0.7]
    (tmp_path / "ratings.dat").write_text("\n".join(lines))
    args = ("--method", "rnmfk", "--ranks", "1", "--members", "2")
    assert run("fit", tmp_path / "ratings.dat", "--out", tmp_path / "run", *args).code == 0
    links = table(tmp_path / "run" / "links.csv")
    assert list(links[0])[-2:] == ["low", "high"]
    assert {(line["probability"], line["decision"]) for line in links} == {("", "")}
    assert all(1 <= float(line["low"]) <= float(line["score"]) <= float(line["high"]) <= 5 for line in links)
    assert len(links) == 25 * 15 - len(lines)


def test_a_matrix_without_holes_has_no_unknown_pairs(run, tmp_path):
    (tmp_path / "full.csv").write_text("1,0,1,1\n0,1,1,0\n" * 10)
    args = ("--matrix", "--ranks", "1", "--members", "2")
    shown = run("fit", tmp_path / "full.csv", "--out", tmp_path / "run", *args)
    assert shown.code == 0
    assert "No pair is unknown, so that links.csv is empty" in shown.out
    assert table(tmp_path / "run" / "links.csv") == []


def test_unnamed_nodes_are_numbers(run, tmp_path):
    values = np.kron(np.eye(2), np.ones((6, 4)))
    values[0, :2] = np.nan
    np.save(tmp_path / "x.npy", values)
    args = ("--ranks", "2", "--members", "2")
    assert run("fit", tmp_path / "x.npy", "--out", tmp_path / "run", *args).code == 0
    assert {(line["source"], line["target"]) for line in table(tmp_path / "run" / "links.csv")} == {
        ("0", "0"),
        ("0", "1"),
    }
    shown = json.loads(run("top", tmp_path / "run", "--node", "0", "--json").out)
    assert [line["source"] for line in shown] == [0, 0]
    (tmp_path / "pairs.csv").write_text("source,target\n0,1\n11,7\n")
    predicted = json.loads(run("predict", tmp_path / "run", tmp_path / "pairs.csv", "--json").out)
    assert [line["known"] for line in predicted] == [None, 1.0]
    assert run("explain", tmp_path / "run", "0", "1").code == 0


def test_too_few_pairs_are_fitted_without_a_calibration(run, tmp_path):
    (tmp_path / "few.csv").write_text("a,b,1\nb,c,0\nc,d,1\nd,a,1\n")
    shown = run(
        "fit",
        tmp_path / "few.csv",
        "--out",
        tmp_path / "run",
        "--method",
        "wnmfk",
        "--ranks",
        "1",
        "--members",
        "2",
    )
    assert shown.code == 0
    assert "not calibrated, since only 4 entries are known" in shown.out
    links = table(tmp_path / "run" / "links.csv")
    assert {line["decision"] for line in links} == {"abstain"}
    assert {line["probability"] for line in links} == {""}


def test_a_run_that_does_not_fit_into_memory_writes_nothing(finished, run, tmp_path, monkeypatch):
    monkeypatch.setattr(fit_run, "available_bytes", lambda: 10**6)
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
    monkeypatch.setattr(WNMFk, "fit", None)
    shown = run(*args, "--calibration", "auto")
    assert shown.code == 1 or "Continued" in shown.out
    monkeypatch.undo()
    shown = run(*args)
    assert shown.code == 0
    assert "Continued: the run in" in shown.out
    assert (tmp_path / "run" / "links.csv").read_bytes() == (finished / "run" / "links.csv").read_bytes()


# ---------------------------------------------------------------- questions to a finished run


def test_predict_answers_in_the_order_of_the_file(finished, run, tmp_path):
    known = (finished / "links.csv").read_text().splitlines()[1].split(",")
    first = table(finished / "run" / "links.csv")[0]
    pairs = [
        (first["target"], first["source"]),
        ("n00", "nobody"),
        known[:2],
        (first["source"], first["target"]),
    ]
    (tmp_path / "pairs.csv").write_text("\n".join(map(",".join, pairs)))
    shown = run("predict", finished / "run", tmp_path / "pairs.csv", "--out", tmp_path / "predicted.csv")
    assert shown.code == 0
    assert "1 of 4 pairs have a node that the model does not have" in shown.err
    lines = table(tmp_path / "predicted.csv")
    assert [(line["source"], line["target"]) for line in lines] == [tuple(pair) for pair in pairs]
    for line in (lines[0], lines[3]):
        assert all(line[name] == first[name] for name in ("score", "probability", "spread", "decision"))
        assert line["known"] == ""
    assert (lines[1]["score"], lines[1]["decision"]) == ("", "")
    assert (float(lines[2]["known"]), lines[2]["decision"]) == (float(known[2]), "")


def test_predict_writes_csv_to_a_pipe_and_json(finished, run, tmp_path):
    (tmp_path / "pairs.csv").write_text("n00,n02\n")
    shown = run("predict", finished / "run", tmp_path / "pairs.csv")
    assert shown.out.splitlines()[0] == "source,target,score,probability,spread,decision,known"
    lines = json.loads(run("predict", finished / "run", tmp_path / "pairs.csv", "--json").out)
    assert lines[0]["source"] == "n00"
    assert isinstance(lines[0]["score"], float)


def test_top_of_all_is_the_beginning_of_links(finished, run):
    lines = json.loads(run("top", finished / "run", "-n", "7", "--json").out)
    links = table(finished / "run" / "links.csv")[:7]
    assert [(line["source"], line["target"], line["rank"]) for line in lines] == [
        (line["source"], line["target"], int(line["rank"])) for line in links
    ]
    assert links[0]["source"] in run("top", finished / "run").out


def test_top_of_a_node(finished, run):
    shown = run("top", finished / "run", "--node", "n07", "-n", "3")
    assert shown.code == 0
    assert shown.out.count("n07") == 4
    wrong = run("top", finished / "run", "--node", "n0x")
    assert wrong.code == 1
    assert "n0x" in wrong.err


def test_explain_adds_up_to_the_score(finished, run):
    pair = table(finished / "run" / "links.csv")[0]
    told = json.loads(run("explain", finished / "run", pair["source"], pair["target"], "--json").out)
    total = sum(part["contribution"] for part in told["parts"])
    assert total == pytest.approx(told["score"], abs=0.3)
    shown = run("explain", finished / "run", pair["source"], pair["target"])
    assert shown.code == 0
    assert "component" in shown.out
    assert run("explain", finished / "run", "n00", "nobody").code == 1


def test_a_damaged_run_is_a_sentence(finished, run, tmp_path):
    import shutil

    shutil.copytree(finished / "run", tmp_path / "run")
    (tmp_path / "run" / "calibration.npz").write_bytes(b"damaged")
    assert run("top", tmp_path / "run").code == 1
    shutil.rmtree(tmp_path / "run" / "model")
    assert run("top", tmp_path / "run").code == 1
    (tmp_path / "run" / "run.json").write_text("[]")
    assert "is damaged" in run("top", tmp_path / "run").err
