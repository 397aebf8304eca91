"""Plots of stability and errors over the ranks."""

from __future__ import annotations

import sys

import matplotlib
import numpy as np
import pytest

from latentlink.errors import InputError
from latentlink.rank import Choice
from tests.rank.paths import path_of, record

matplotlib.use("Agg")
from matplotlib import pyplot

CHOICE = Choice(2, "because", "agreed")
SPARSE = path_of(*(record(rank, 0.9, [0.2, 0.3, 0.4], 0.1) for rank in (1, 2, 5, 8)))


@pytest.fixture(autouse=True)
def closed():
    yield
    pyplot.close("all")


def lines(ax):
    return {line.get_label(): line for line in ax.get_lines()}


def test_curves_have_a_point_at_every_rank_visited():
    ax = SPARSE.plot()
    drawn = lines(ax)
    for label in ("least silhouette, W", "least silhouette, H", "relative error of the model"):
        np.testing.assert_array_equal(drawn[label].get_xdata(), [1, 2, 5, 8])
    np.testing.assert_allclose(drawn["least silhouette, W"].get_ydata(), 0.9)
    np.testing.assert_allclose(drawn["relative error of the model"].get_ydata(), 0.1)
    bars = ax.containers[0]
    assert bars.get_label() == "held-out error / 0.548"  # the root of the median
    np.testing.assert_allclose(bars.lines[0].get_ydata(), 1.0)
    low, high = bars.lines[1]
    spread = 0.1 / np.sqrt(3) / (2 * np.sqrt(0.3)) / np.sqrt(0.3)
    np.testing.assert_allclose(high.get_ydata() - low.get_ydata(), 2 * spread)
    assert {text.get_text() for text in ax.get_legend().get_texts()} >= {"not visited", "least silhouette, W"}
    ax.figure.canvas.draw()


def test_ranks_that_were_not_visited_are_marked():
    np.testing.assert_array_equal(lines(SPARSE.plot())["not visited"].get_xdata(), [3, 4, 6, 7])
    dense = path_of(*(record(rank) for rank in (2, 3, 4)))
    assert "not visited" not in lines(dense.plot())


def test_the_choice_is_marked():
    ax = SPARSE.plot(CHOICE)
    assert ax.get_title() == "rank 2 (agreed)"
    dashed = [line for line in ax.get_lines() if line.get_linestyle() == "--"]
    assert [list(line.get_xdata()) for line in dashed] == [[2, 2]]
    plain = SPARSE.plot()
    assert plain.get_title() == ""
    assert not [line for line in plain.get_lines() if line.get_linestyle() == "--"]


def test_it_plots_into_the_given_axes():
    _, (left, right) = pyplot.subplots(1, 2)
    assert SPARSE.plot(CHOICE, axes=right) is right
    assert not left.get_lines()


@pytest.mark.parametrize("held_out", [[np.nan] * 3, [0.0] * 3, [0.4], [np.nan, 0.4, 0.5]], ids=str)
@pytest.mark.slow
def test_paths_without_errors_can_be_plotted(held_out):
    ax = path_of(record(1, 1.0, held_out), record(2, -0.2, held_out)).plot(CHOICE)
    ax.figure.canvas.draw()
    drawn = ax.containers[0].lines[0].get_ydata()
    expected = record(1, 1.0, held_out).held_out_error
    np.testing.assert_allclose(drawn, [expected / (expected if expected > 0 else 1.0)] * 2)


def test_a_single_rank_can_be_plotted():
    ax = path_of(record(3)).plot()
    ax.figure.canvas.draw()
    assert "not visited" not in lines(ax)


def test_without_matplotlib_the_error_names_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(InputError, match=r'Plots need matplotlib: pip install "latentlink\[plots\]"'):
        SPARSE.plot()


def test_curves_of_columns_and_of_the_fit_are_paler_and_the_size_is_fixed():
    ax = SPARSE.plot()
    drawn = lines(ax)
    assert [drawn[label].get_alpha() for label in ("least silhouette, H", "relative error of the model")] == [
        0.5
    ] * 2
    assert drawn["least silhouette, W"].get_alpha() is None
    assert drawn["least silhouette, W"].get_color() == drawn["least silhouette, H"].get_color()
    assert ax.figure.get_size_inches().tolist() == [7, 4]
    assert ax.get_ylim()[1] == 1.08
    assert all(tick == round(tick) for tick in ax.get_xticks())
    assert not ax.get_legend().get_frame_on()


def test_two_errors_have_a_standard_error():
    ax = path_of(record(1, 1.0, [0.4, 0.6]), record(2, 0.9, [0.4, np.nan])).plot()
    low, high = ax.containers[0].lines[1]
    largest = max(record(1, 1.0, [0.4, 0.6]).held_out_error, record(2, 0.9, [0.4, np.nan]).held_out_error)
    spread = np.std([0.4, 0.6], ddof=1) / np.sqrt(2) / (2 * np.sqrt(0.5)) / largest
    np.testing.assert_allclose(high.get_ydata() - low.get_ydata(), [2 * spread, 0])


def test_marks_stay_out_of_the_way_of_the_curves():
    """The choice is drawn below them, and ranks that were not visited at the bottom, not cut off."""
    ax = SPARSE.plot(CHOICE)
    (dashed,) = (line for line in ax.get_lines() if line.get_linestyle() == "--")
    assert dashed.get_zorder() == 0
    crosses = lines(ax)["not visited"]
    assert max(crosses.get_ydata()) < 0.1
    assert not crosses.get_clip_on()
    assert {cap.get_markersize() for cap in ax.containers[0].lines[1]} == {6}


def test_the_look_of_the_figure():
    ax = SPARSE.plot(CHOICE)
    assert ax.figure.get_size_inches().tolist() == [7, 4]
    assert ax.get_ylim()[1] == 1.08
    assert all(float(tick).is_integer() for tick in ax.get_xticks())
    assert not ax.get_legend().get_frame_on()
    drawn = lines(ax)
    assert [drawn[label].get_alpha() for label in ("least silhouette, H", "relative error of the model")] == [
        0.5,
        0.5,
    ]
    assert not drawn["not visited"].get_clip_on()
    assert max(drawn["not visited"].get_ydata()) < 0.1  # below all curves
    dashed = next(line for line in ax.get_lines() if line.get_linestyle() == "--")
    assert dashed.get_zorder() < min(line.get_zorder() for line in drawn.values() if line is not dashed)
    assert [cap.get_markersize() for cap in ax.containers[0].lines[1]] == [6, 6]  # twice the size of a cap


@pytest.mark.parametrize(
    ("errors", "spread"), [([0.2, 0.4], 0.1 / (2 * np.sqrt(0.3))), ([0.2], 0.0), ([0.0, 0.0], 0.0)]
)
def test_two_members_have_a_standard_error(errors, spread):
    ax = path_of(record(1, 0.9, errors), record(2, 0.9, errors)).plot()
    low, high = ax.containers[0].lines[1]
    largest = np.sqrt(np.median(errors)) or 1.0
    np.testing.assert_allclose(high.get_ydata() - low.get_ydata(), 2 * spread / largest, atol=1e-12)
