"""The share of links that decisions suppose: of the known entries of a matrix, of all pairs of a list."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tests.cli.conftest import TINY, table


def matrix(seed=0, shape=(240, 16), density=0.3, noise=0.02):
    """Return zeros and ones of three Boolean components, a few of them flipped."""
    rng = np.random.default_rng(seed)
    left, right = rng.random((shape[0], 3)) < density, rng.random((3, shape[1])) < density + 0.1
    return ((left.astype(int) @ right.astype(int) > 0) ^ (rng.random(shape) < noise)).astype(int)


def write(path, values, hidden):
    lines = [
        ",".join("" if hole else str(value) for value, hole in zip(row, holes, strict=True))
        for row, holes in zip(values.tolist(), hidden.tolist(), strict=True)
    ]
    path.write_text("\n".join([",".join(f"c{j}" for j in range(values.shape[1])), *lines]) + "\n")


def fitted(run, tmp_path, values, hidden, *more):
    write(tmp_path / "data.csv", values, hidden)
    given = ("--method", "bnmfk", "--ranks", "3", "--members", "4", *more)
    done = run("fit", tmp_path / "data.csv", "--matrix", "--out", tmp_path / "run", *given)
    assert done.code == 0, done.err
    record = json.loads((tmp_path / "run" / "run.json").read_text())
    return done, record, table(tmp_path / "run" / "links.csv")


def test_random_holes_have_the_share_of_the_known_entries(run, tmp_path):
    for name, density, holes in (("rare", 0.3, 0.3), ("dense", 0.6, 0.45)):
        values = matrix(density=density)
        hidden = np.random.default_rng(1).random(values.shape) < holes
        (tmp_path / name).mkdir()
        done, record, links = fitted(run, tmp_path / name, values, hidden)
        calibration, share = record["calibration"], values[~hidden].mean()
        assert calibration["supposed_share_of_links"] == pytest.approx(share)
        assert calibration["unknown_like_known"]
        assert "decision_probability" not in links[0]
        called = [
            values[int(line["source"]), int(line["target"][1:])]
            for line in links
            if line["decision"] == "link"
        ]
        assert len(called) > 0.5 * values[hidden].sum()
        assert np.mean(called) > 0.9
        words = f"{100 * float(f'{share:.2g}'):.4g} % of the unknown pairs are links, as of the known ones"
        assert words in calibration["limits"][2]
        assert words in (tmp_path / name / "run" / "report.html").read_text()
        assert f"Decisions suppose that {words}." in done.out
        for text in (done.out, (tmp_path / name / "run" / "report.html").read_text()):
            assert "too high" not in text.split("How to read it")[0]
            assert "chosen by score" not in text


def test_a_list_of_the_best_holes_is_decided_alike(run, tmp_path):
    """That the listed ones are selected does not matter: a random sample of all holes is compared."""
    values = matrix()
    hidden = np.random.default_rng(1).random(values.shape) < 0.4
    _, record, links = fitted(run, tmp_path, values, hidden, "--top", "50")
    assert record["calibration"]["unknown_like_known"]
    assert record["links"]["decisions"] == {"link": 50}
    assert len(links) == 50


def test_holes_unlike_the_known_entries_have_the_share_of_all_pairs(run, tmp_path):
    values = matrix(seed=3)
    rng = np.random.default_rng(1)
    hidden = rng.random(values.shape) < np.where(values == 1, 0.1, 0.6)
    _, record, links = fitted(run, tmp_path, values, hidden)
    calibration = record["calibration"]
    assert not calibration["unknown_like_known"]
    assert calibration["supposed_share_of_links"] == pytest.approx((values * ~hidden).sum() / values.size)
    assert "candidates differ from" in calibration["limits"][2]
    assert "decision_probability" in links[0]


def test_drawn_non_links_are_not_known(run, tmp_path):
    """Links alone that fill more than a fifth of all pairs have no known share of links."""
    values = matrix()
    rows, cols = np.nonzero(values)
    pairs = "\n".join(f"r{row},k{col}" for row, col in zip(rows, cols, strict=True))
    (tmp_path / "links.csv").write_text(f"source,target\n{pairs}\n")
    done = run("fit", tmp_path / "links.csv", "--bipartite", "--out", tmp_path / "run", *TINY)
    assert done.code == 0, done.err
    calibration = json.loads((tmp_path / "run" / "run.json").read_text())["calibration"]
    assert not calibration["unknown_like_known"]
    assert calibration["supposed_share_of_links"] == pytest.approx(
        len(rows) / (len(set(rows)) * len(set(cols)))
    )


def test_the_demo_supposes_the_share_of_the_known_entries(run, tmp_path):
    done = run("demo", "--rank", "4", "--out", tmp_path)
    assert done.code == 0, done.err
    assert "Decisions suppose that 28 % of the unknown pairs are links, as of the known ones." in done.out
    record = json.loads((tmp_path / "run-rank-4" / "run.json").read_text())
    assert record["calibration"]["unknown_like_known"]
