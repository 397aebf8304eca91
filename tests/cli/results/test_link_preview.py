"""The best unknown pairs, from the stored ranking or from the model."""

from __future__ import annotations

import json

import numpy as np
import pytest

from latentlink.cli.results.finished_run import FinishedRun
from latentlink.cli.results.link_preview import best_links, stored_links
from tests.cli.conftest import TINY


@pytest.fixture
def untouched(monkeypatch):
    """Make loading a model an error."""

    def load(path):
        raise AssertionError("the model was loaded")

    monkeypatch.setattr(FinishedRun, "load", load)


def assert_same(found, expected):
    assert list(found) == list(expected)
    for name in expected:
        if expected[name].dtype.kind == "f":
            np.testing.assert_allclose(found[name], expected[name], rtol=1e-6)
        else:
            assert found[name].tolist() == expected[name].tolist()


@pytest.mark.parametrize("count", [1, 20, 10_000])
def test_the_stored_ranking_is_that_of_the_model(count, finished, monkeypatch):
    path = str(finished / "run")
    expected = FinishedRun.load(path).best(count, None)
    monkeypatch.setattr(FinishedRun, "load", None)
    assert_same(best_links(path, count, None), expected)


def test_values_and_nodes_without_names_are_stored_alike(run, tmp_path):
    rng = np.random.default_rng(0)
    values = rng.random((12, 2)) @ rng.random((2, 9))
    values[rng.random(values.shape) < 0.3] = np.nan
    np.save(tmp_path / "values.npy", values)
    given = ("--method", "wnmfk", *TINY[2:], "--top", "9")
    assert run("fit", tmp_path / "values.npy", "--out", tmp_path / "run", *given).code == 0
    found = best_links(str(tmp_path / "run"), 7, None)
    assert found["source"].dtype.kind == "i"
    model = FinishedRun.load(str(tmp_path / "run"))
    assert_same(found, model.best(7, None))
    assert_same(best_links(str(tmp_path / "run"), 12, None), model.best(12, None))


def test_top_loads_no_model(finished, run, untouched):
    done = run("top", finished / "run", "-n", "3", "--json")
    assert [line["rank"] for line in json.loads(done.out)] == [1, 2, 3]
    assert "n" in run("top", finished / "run", "-n", "3").out


def test_a_short_or_damaged_file_has_no_answer(tmp_path):
    path = tmp_path / "links.csv"
    record = {"links": {"listed": 2}, "settings": {"top": 2}}
    assert stored_links(path, record, 1) is None
    path.write_text('source,target,score,decision,rank\n"a",4,0.5,"",1\n"b",5,,"link",2\n')
    found = stored_links(path, record, 2)
    assert found["target"].tolist() == [4, 5]
    assert found["decision"].tolist() == ["", "link"]
    assert np.isnan(found["score"][1])
    assert stored_links(path, record, 3) is None
    assert len(stored_links(path, {"links": {"listed": 2}, "settings": {"top": 9}}, 3)["rank"]) == 2
    assert stored_links(path, {"links": {"listed": 3}, "settings": {"top": 9}}, 3) is None
    assert stored_links(path, {}, 1) is None
    path.write_text('source,target,score,decision,rank\n"a",4,x,"",1\n"b",5\n')
    assert stored_links(path, record, 1) is None
