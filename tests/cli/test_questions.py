"""The commands predict, top and explain, on a finished run."""

from __future__ import annotations

import json
import re
import shutil

import numpy as np
import pytest

from latentlink import cli
from latentlink.cli.results.explanation import shown_parts

from .conftest import TINY, table

pytestmark = pytest.mark.slow


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
    assert "1 of 4 pairs has a node that the model does not have" in shown.err
    lines = table(tmp_path / "predicted.csv")
    assert [(line["source"], line["target"]) for line in lines] == [tuple(pair) for pair in pairs]
    for line in (lines[0], lines[3]):
        for name in ("score", "probability", "spread", "decision", "decision_probability"):
            assert line[name] == first[name]
        assert line["known"] == ""
    assert (lines[1]["score"], lines[1]["decision"]) == ("", "")
    assert (float(lines[2]["known"]), lines[2]["decision"]) == (float(known[2]), "")


@pytest.mark.parametrize("out", ["pairs.csv", "./folder/../pairs.csv", "link.csv"])
def test_predict_does_not_write_over_its_own_input(out, finished, run, tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "pairs.csv").write_text("n00,n02\n")
    (tmp_path / "link.csv").symlink_to(tmp_path / "pairs.csv")
    shown = run("predict", finished / "run", tmp_path / "pairs.csv", "--out", tmp_path / out)
    assert shown.code == 1
    assert "the file of pairs itself; expected another name" in " ".join(shown.err.split())
    assert (tmp_path / "pairs.csv").read_text() == "n00,n02\n"


def test_predict_writes_csv_to_a_pipe_and_json(finished, run, tmp_path):
    (tmp_path / "pairs.csv").write_text("n00,n02\n")
    shown = run("predict", finished / "run", tmp_path / "pairs.csv")
    head = "source,target,score,probability,spread,decision,decision_probability,known"
    assert shown.out.splitlines()[0] == head
    lines = json.loads(run("predict", finished / "run", tmp_path / "pairs.csv", "--json").out)
    assert lines[0]["source"] == "n00"
    assert isinstance(lines[0]["score"], float)


def test_a_first_line_without_known_nodes_may_be_a_header(finished, run, tmp_path):
    (tmp_path / "pairs.csv").write_text("left,right\nn00,n02\n")
    shown = run("predict", finished / "run", tmp_path / "pairs.csv", "--json")
    assert "If the first line names the columns, give --header." in shown.err
    shown = run("predict", finished / "run", tmp_path / "pairs.csv", "--json", "--header")
    assert (shown.err, len(json.loads(shown.out))) == ("", 1)
    (tmp_path / "pairs.csv").write_text("n00,n02\nleft,right\n")
    assert "--header" not in run("predict", finished / "run", tmp_path / "pairs.csv").err


def test_a_node_with_itself_is_no_pair(finished, run, tmp_path):
    (tmp_path / "pairs.csv").write_text("n00,n00\nn00,n02\nn00,nobody\n")
    shown = run("predict", finished / "run", tmp_path / "pairs.csv", "--json")
    lines = json.loads(shown.out)
    assert [line["score"] is None for line in lines] == [True, False, True]
    assert (lines[0]["decision"], lines[0]["probability"], lines[0]["spread"]) == ("", None, None)
    assert "1 of 3 pairs is a node with itself, which in this network is no pair" in shown.err
    assert "1 of 3 pairs has a node that the model does not have" in shown.err
    told = run("explain", finished / "run", "n04", "n04")
    assert told.code == 1
    assert "Both nodes are 'n04', and no node of this network is linked to itself" in told.err


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
    wrong = run("top", finished / "run", "--node", "N07")
    assert wrong.code == 1
    assert wrong.err.startswith(
        "Error: There is no node 'N07'; expected one of the 30 names, spelled exactly "
    )
    assert "Nearest: 'n07'" in wrong.err
    for pair in (("n00", "nobody"), ("nobody", "n00")):
        wrong = run("explain", finished / "run", *pair)
        assert wrong.code == 1
        assert "There is no node 'nobody'" in wrong.err


def test_explain_adds_up_to_the_score(finished, run):
    links = table(finished / "run" / "links.csv")
    pair = next(line for line in links if float(line["score"]) < 0.8)  # clipped scores are no sums
    told = json.loads(run("explain", finished / "run", pair["source"], pair["target"], "--json").out)
    total = sum(part["contribution"] for part in told["parts"])
    assert total == pytest.approx(told["score"], abs=1e-6)
    shown = run("explain", finished / "run", pair["source"], pair["target"])
    assert shown.code == 0
    assert "component" in shown.out
    assert f"They add up to {total:.4g}, the score." in shown.out


def test_a_damaged_run_is_a_sentence(finished, run, tmp_path):
    shutil.copytree(finished / "run", tmp_path / "run")
    (tmp_path / "run" / "calibration.npz").write_bytes(b"damaged")
    assert run("top", tmp_path / "run", "--node", "n01").code == 1
    shutil.rmtree(tmp_path / "run" / "model")
    assert run("top", tmp_path / "run", "--node", "n01").code == 1
    (tmp_path / "run" / "run.json").write_text("[]")
    assert "is damaged" in run("top", tmp_path / "run").err


@pytest.mark.parametrize("damage", ["report.json", "links.csv", None])
def test_a_report_without_its_data_names_the_fit(damage, finished, run, tmp_path):
    shutil.copytree(finished / "run", tmp_path / "run")
    if damage is None:
        shutil.rmtree(tmp_path / "run" / "report_data")
    else:
        (tmp_path / "run" / "report_data" / damage).write_text("")
    shown = run("report", tmp_path / "run")
    assert shown.code == 1
    assert "Make the run again: latentlink fit " in shown.err
    assert shown.err.rstrip().endswith(" --force")
    assert "latentlink report" not in shown.err


@pytest.mark.slow
def test_what_adds_to_a_clipped_score_is_told(tmp_path, run):
    """Ratings that are sums of both ends: the missing one is beyond all known ones."""
    lines = [f"u{i},i{j},{min(max(i + j, 3), 11)}" for i in range(9) for j in range(8) if i + j < 14]
    (tmp_path / "ratings.csv").write_text("user,item,rating\n" + "\n".join(lines) + "\n")
    options = ("--method", "rnmfk", "--ranks", "1", "--members", "2", "--calibration", "none")
    assert run("fit", tmp_path / "ratings.csv", "--out", tmp_path / "run", *options).code == 0
    shown = " ".join(run("explain", tmp_path / "run", "u8", "i7").out.split())
    assert re.search(
        r"They add up to 1[1-5]\.\d+, beyond the known values: the score is clipped to 11\.", shown
    )
    assert "beyond" not in run("explain", tmp_path / "run", "u1", "i2").out


def test_parts_that_are_not_shown_are_added_up():
    parts = {
        "part": np.array([f"part {number}" for number in range(20)]),
        "contribution": np.linspace(2.0, 0.1, 20),
        "spread": np.array([0.5, 1e-17, *([0.0] * 18)]),
    }
    shown = shown_parts(parts)
    assert shown["part"][-1] == "the other 5 parts"
    assert len(shown["part"]) == 16
    assert sum(shown["contribution"]) == pytest.approx(parts["contribution"].sum())
    assert shown["spread"][:2] == [0.5, 0.0]  # what is left of rounding is no spread
    assert np.isnan(shown["spread"][-1])
    few = {name: column[:3] for name, column in parts.items()}
    assert shown_parts(few)["part"] == ["part 0", "part 1", "part 2"]


def test_a_node_of_a_table_is_looked_for_on_both_sides(tmp_path, run):
    lines = [f"u{i},item {j},{(i * j) % 5 + 1}" for i in range(9) for j in range(8) if (i + j) % 4]
    (tmp_path / "ratings.csv").write_text("user,item,rating\n" + "\n".join(lines) + "\n")
    options = ("--method", "rnmfk", "--ranks", "1", "--members", "2", "--calibration", "none")
    assert run("fit", tmp_path / "ratings.csv", "--out", tmp_path / "run", *options).code == 0
    assert run("top", tmp_path / "run", "--node", "item 3").code == 0
    wrong = run("top", tmp_path / "run", "--node", "item 9")
    assert wrong.code == 1
    assert "There is no row or column 'item 9'; expected one of the 17 names" in wrong.err
    assert re.search("Nearest: 'item [0-9]'", wrong.err)
    assert "There is no column 'itme 3'" in run("explain", tmp_path / "run", "u1", "itme 3").err


@pytest.fixture(scope="module")
def two_kinds(tmp_path_factory):
    """A finished run whose rows and columns have names of their own."""
    folder = tmp_path_factory.mktemp("two_kinds")
    lines = [f"user{a},item{b},{int(a % 2 == b % 2)}" for a in range(8) for b in range(8) if (a + b) % 5]
    (folder / "links.csv").write_text("user,item,value\n" + "\n".join(lines) + "\n")
    with pytest.raises(SystemExit) as exit:
        cli.main(["fit", str(folder / "links.csv"), "--out", str(folder / "run"), *TINY, "--json"])
    assert exit.value.code == 0
    return folder / "run"


@pytest.mark.parametrize(
    ("pairs", "sentence"),
    [
        ("item1,user1\nitem2,user3\n", "Rows and columns are swapped: 'item1', 'item2' given as row"),
        ("user_1,item1\nuser_2,item3\n", "2 of 2 row names are unknown: 'user_1' (nearest: 'user"),
        ("user1,nothing\n", "No column has the name 'nothing'"),
    ],
    ids=["swapped", "misspelt", "one pair"],
)
def test_pairs_that_are_all_unknown_are_an_error(pairs, sentence, two_kinds, run, tmp_path):
    (tmp_path / "pairs.csv").write_text(pairs)
    shown = run("predict", two_kinds, tmp_path / "pairs.csv", "--no-header", "--out", tmp_path / "p.csv")
    assert shown.code == 1
    every = "1 of 1 pair has" if pairs.count("\n") == 1 else "2 of 2 pairs have"
    assert f"{every} a node that the model does not have. {sentence}" in " ".join(shown.err.split())
    assert not (tmp_path / "p.csv").exists()


def test_pairs_of_which_some_are_unknown_are_told_with_the_nearest_names(two_kinds, run, tmp_path):
    (tmp_path / "pairs.csv").write_text("user1,item1\nuser_2,item2\n")
    shown = run("predict", two_kinds, tmp_path / "pairs.csv", "--no-header", "--json")
    assert shown.code == 0
    assert [line["score"] is None for line in json.loads(shown.out)] == [False, True]
    text = " ".join(shown.err.split())
    assert "1 of 2 pairs has a node that the model does not have. 1 of 2 row names is unknown: " in text
    assert "'user_2' (nearest: 'user2')" in text
