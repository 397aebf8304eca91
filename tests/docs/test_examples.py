"""Every script of the gallery runs."""

import runpy
import warnings

import pytest

from tests.docs.pages import ROOT

EXAMPLES = sorted((ROOT / "examples").rglob("plot_*.py"))


def test_there_are_examples():
    assert EXAMPLES


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.stem)
def test_an_example_runs(example, tmp_path, monkeypatch, capsys):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    monkeypatch.setattr(pyplot, "show", lambda: None)
    monkeypatch.chdir(tmp_path)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "FigureCanvasAgg is non-interactive")
        runpy.run_path(str(example))
    pyplot.close("all")
    assert capsys.readouterr().out
    assert not list(tmp_path.iterdir())
