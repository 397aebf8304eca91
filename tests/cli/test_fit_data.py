"""The command fit on other kinds of data: links alone, values, matrices, few pairs."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.sparse import csr_matrix, save_npz

from latentlink import LinkStack, WNMFk, cli, load

from .conftest import TINY, table

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def links_alone(tmp_path_factory):
    """A folder with links alone, with names that spreadsheets take for formulas."""
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


@pytest.fixture(scope="module")
def stacked(links_alone):
    """What a run of the stack on links alone prints; its folder is ``run``."""
    args = ("--ranks", "2", "--members", "2", "--top", "50", "--base-rate", "0.2")
    data, folder = links_alone / "links.tsv", links_alone / "run"
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as exit:
        cli.main(["fit", str(data), "--out", str(folder), *args])
    assert exit.value.code == 0
    return SimpleNamespace(out=out.getvalue(), err=err.getvalue())


def test_links_alone_by_the_stack(links_alone, stacked):
    shown = stacked
    assert "Method: stack, since" in shown.out
    assert "Components: by wnmfk, with " in shown.out
    assert "Components: rank 2 (" in shown.out
    assert "predictions come from the stack" in shown.out
    assert "source: column 0 (counted from 0), target: column 1" in shown.out
    assert "there is no header (else --header)" in shown.out
    assert "Ranks, the chosen one marked" not in shown.out
    assert "kept back" in shown.out
    assert "links and no non-link are listed, and as many unlisted pairs are drawn as non-links" in shown.out
    assert "Probabilities suppose that 20 % of the pairs are links, as stated" in shown.out
    assert "drawn unlisted pairs, 50 % links)" in shown.out
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


def test_strengths_of_links(links_alone, run, tmp_path):
    lines = (links_alone / "links.tsv").read_text().splitlines()
    weighted = [f"{line}\t{1 + number % 4}" for number, line in enumerate(lines)]
    (tmp_path / "links.tsv").write_text("\n".join(["from\tto\ttimes", *weighted]))
    args = ("--ranks", "2", "--members", "2", "--top", "5", "--no-components", "--weight", "times")
    shown = run("fit", tmp_path / "links.tsv", "--out", tmp_path / "run", *args)
    assert shown.code == 0
    assert "every listed pair is a link (else --value), and times is its strength" in shown.out
    assert "drawn unlisted pairs). For pairs with another share" in shown.out
    network = load(tmp_path / "run" / "model").network_
    assert set(network.weights[network.known]) == {1.0, 2.0, 3.0, 4.0}
    assert set(network.values) == {1.0}
    shown = run("fit", tmp_path / "links.tsv", "--out", tmp_path / "other", *args[:-2], *TINY)
    assert "times is a value to be predicted (--weight times: the strength of a link)" in shown.out


def test_components_beside_a_stack_are_saved_and_told(links_alone, stacked):
    folder = links_alone / "run"
    components = load(folder / "components")
    assert isinstance(components, WNMFk)
    assert components.network_.n_known > load(folder / "model").network_.n_known  # all links, and drawn pairs
    record = json.loads((folder / "run.json").read_text())
    assert record["components"]["rank"] == components.rank_ == 2
    assert record["components"]["status"] == "given"
    assert record["rank"] is None
    names = [line["model"] for line in table(folder / "ranks.csv")]
    assert names[-1] == "components: WNMF"
    assert len(names) > 1
    facts = json.loads((folder / "report_data" / "report.json").read_text())["facts"]
    assert facts["components"]["beside"] == "LinkStack"
    assert [model["model"] for model in facts["rank"]["models"]] == ["WNMF"]


def test_components_are_left_out_on_request(links_alone, run, tmp_path):
    args = ("--ranks", "2", "--members", "2", "--top", "5", "--no-components", "--calibration", "none")
    shown = run("fit", links_alone / "links.tsv", "--out", tmp_path / "run", *args)
    assert shown.code == 0
    assert "Components:" not in shown.out
    assert not (tmp_path / "run" / "components").exists()


def test_top_of_a_node_leaves_out_what_was_kept_back(links_alone, stacked, run):
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


def test_a_sparse_matrix_of_counts_is_factorized_by_default(run, tmp_path):
    rng = np.random.default_rng(0)
    counts = rng.poisson(rng.gamma(1, 1, (20, 2)) @ rng.gamma(1, 1, (2, 12)))
    save_npz(tmp_path / "counts.npz", csr_matrix(counts.astype(float)))
    args = ("--ranks", "2", "--members", "2")
    shown = run("fit", tmp_path / "counts.npz", "--out", tmp_path / "run", *args)
    assert shown.code == 0
    assert "what is not stored is zero (else --unstored unknown)" in shown.out
    assert "Method: nmfk, since the values are numbers from 1 to " in shown.out
    assert "not calibrated, since all other entries count as 0" in shown.out
    assert "zero pairs in links.csv" in shown.out
    assert "low" not in table(tmp_path / "run" / "links.csv")[0]
    facts = json.loads((tmp_path / "run" / "report_data" / "report.json").read_text())["facts"]
    assert "zeros have scores" in facts["summary"][1]["finding"]


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


def test_pixels_that_are_none_raise(finished, run, tmp_path):
    shown = run("fit", finished / "links.csv", "--out", tmp_path / "run", *TINY, "--image-shape", "4x5")
    assert shown.code == 1
    assert "of 20 pixels, but the data have 30 rows and 30 columns" in shown.err
    assert not (tmp_path / "run").exists()


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


def test_a_table_of_columns_of_different_units_says_what_is_assumed(run, tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 1)) + 0.3 * rng.normal(size=(40, 5))
    units = np.array([1.0, 1000.0, 0.01, 5.0, 200.0])
    hidden = rng.random(X.shape) < 0.2
    lines = [",".join(["sample", *"abcde"])]
    for i, row in enumerate(np.where(hidden, np.nan, X * units)):
        lines.append(",".join([f"s{i}", *("" if np.isnan(x) else repr(float(x)) for x in row)]))
    (tmp_path / "table.csv").write_text("\n".join(lines))
    args = ("--ranks", "1", "--members", "2", "--no-components")
    shown = run("fit", tmp_path / "table.csv", "--out", tmp_path / "run", *args)
    assert shown.code == 0
    assert "columns differ in unit, and each is standardized" in " ".join(shown.out.split())
    links = table(tmp_path / "run" / "links.csv")
    assert len(links) == hidden.sum()
    for name, unit in zip("abcde", units, strict=True):
        own = [line for line in links if line["target"] == name]
        width = np.mean([float(line["high"]) - float(line["low"]) for line in own]) / unit
        assert 0.3 < width < 6
