from __future__ import annotations

from itertools import product

import matplotlib
import numpy as np
import pytest

from latentlink.experiments.claims.ppi_claimed import CLAIMED, METRICS
from latentlink.experiments.figures import dog_figures, gaussian_figures, ppi_figures, swimmer_figures
from latentlink.experiments.figures.dog_panels import ANSWERED, CHANGE, RMSE, Cell, draw_cells
from latentlink.experiments.figures.figure_style import method_label, share_colours, styled
from latentlink.experiments.figures.gaussian_series import Place, Series
from latentlink.experiments.figures.intervals import mean_and_margin
from latentlink.experiments.figures.rank_panels import draw_curve, draw_rank_violin
from latentlink.experiments.figures.small_multiples import Grid
from latentlink.experiments.method_lines import MethodLines
from latentlink.metrics import mean_interval

FIGURES = {
    dog_figures: (
        "dog_data", "dog_ranks_and_errors", "dog_thresholds", "dog_abstention", "dog_time", "dog_appendix",
    ),
    swimmer_figures: ("swimmer_data", "swimmer_results"),
    gaussian_figures: (
        "gaussian_ranks", "gaussian_errors", "gaussian_correlation", "gaussian_correlation_appendix",
        "gaussian_smr",
    ),
    ppi_figures: ("ppi_auc",),
}  # fmt: skip
MODES = ("paper", "default")


def texts(values):
    return " ".join(f"{value:.4g}" for value in values)


def searched(rng, ranks):
    """Return the columns that dog, swimmer and Gaussian lines have in common."""
    size = len(ranks)
    return {
        "chosen_rank": str(rng.choice(ranks)),
        "status": "agreed",
        "seconds": f"{rng.uniform(0.5, 20):.3f}",
        "ranks": texts(ranks),
        "stability": texts(rng.random(size)),
        "held_out": texts(np.full(size, np.nan)),
        "rmse": texts(rng.random(size)),
    }


def abstaining(rng, size):
    return {"rmse_answered": texts(rng.random(size)), "abstained": texts(rng.random(size))}


def dog_lines(rng, *, methods=("NMFk", "BNMFk kmeans"), shares=(0.1, 0.8), seeds=1):
    return [
        {"mode": mode, "method": method, "hidden": str(share), "seed": str(seed)}
        | searched(rng, range(1, 9))
        | abstaining(rng, 8)
        for mode, method, share, seed in product(MODES, methods, shares, range(seeds))
    ]


def swimmer_lines(rng, *, methods=("NMFk", "WNMFk kmeans", "BNMFk uniform", "BNMFk otsu"), seeds=1):
    return [
        {"data": "generated", "mode": mode, "method": method, "hidden": "0.1", "seed": str(seed)}
        | searched(rng, (14, 16, 18))
        | abstaining(rng, 3)
        for mode, method, seed in product(MODES, methods, range(seeds))
    ]


def gaussian_lines(rng, *, shares=(0.1, 0.5), ranks=(2, 3), seeds=1):
    measured = ("correlation", "relative_correlation", "smr")
    return [
        {"mode": mode, "method": method, "hidden": str(share), "columns": "50", "rank": str(rank)}
        | {"seed": str(seed)}
        | searched(rng, range(1, 9))
        | {name: texts(rng.uniform(-0.2, 0.9, 8)) for name in measured}
        for mode, method, share, rank, seed in product(MODES, ("WNMFk", "RNMFk"), shares, ranks, range(seeds))
    ]


def ppi_lines(rng, *, networks=("proteins-brain", "generated"), seeds=2):
    kinds = [("paper", "BNMFk"), ("default", "BNMFk"), ("default", "LinkStack"), ("baseline", "Katz")]
    metrics = (*METRICS, "average_precision")
    return [
        {"network": network, "seed": str(seed), "quick": "False", "protocol": protocol, "mode": mode}
        | {"method": method, "rank": "3", "seconds": "1"}
        | {name: f"{rng.uniform(0.6, 1):.5f}" for name in metrics}
        for network, seed, protocol, (mode, method) in product(
            networks, range(seeds), ("held out", "seen"), kinds
        )
    ]


LINES = {
    dog_figures: dog_lines,
    swimmer_figures: swimmer_lines,
    gaussian_figures: gaussian_lines,
    ppi_figures: ppi_lines,
}


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.mark.slow
@pytest.mark.parametrize("module", FIGURES, ids=lambda module: module.__name__.split(".")[-1])
class TestEveryModule:
    def test_all_files_are_written_and_no_setting_changes(self, module, tmp_path, rng):
        with matplotlib.rc_context({"font.size": 31, "axes.facecolor": "yellow"}):
            matplotlib.use("svg")
            before = dict(matplotlib.rcParams)
            paths = module.draw(LINES[module](rng), tmp_path)
            assert dict(matplotlib.rcParams) == before
            assert matplotlib.get_backend() == "svg"
        expected = [f"{name}.{kind}" for name in FIGURES[module] for kind in ("png", "pdf")]
        assert [path.name for path in paths] == expected
        for path in paths:
            content = path.read_bytes()
            assert content.startswith(b"\x89PNG\r\n\x1a\n" if path.suffix == ".png" else b"%PDF-")
            assert len(content) > 5000

    def test_one_mode_and_gaps_are_drawn(self, module, tmp_path, rng):
        lines = [line for line in LINES[module](rng, seeds=1) if line["mode"] != "paper"]
        names = {path.stem for path in module.draw(lines[1:-1:2], tmp_path)}
        assert names == set(FIGURES[module]) - {"dog_thresholds", "dog_abstention"}


@pytest.mark.slow
def test_figures_without_results_are_left_out(tmp_path, rng):
    assert ppi_figures.draw([], tmp_path) == []
    paths = dog_figures.draw(dog_lines(rng, methods=("RNMFk",)), tmp_path)
    assert {path.stem for path in paths} == {"dog_data", "dog_time", "dog_appendix"}


def test_diverged_and_undefined_measures_are_drawn(rng):
    lines = dog_lines(rng, methods=("WNMFk",))
    for line in lines:
        line["rmse"] = texts([1e5, *np.full(7, 0.4)])
        line["rmse_answered"] = texts(np.full(8, np.nan))
    cells = [[Cell("paper", "WNMFk", measure) for measure in (RMSE, ANSWERED, CHANGE)]]
    figure, _ = draw_cells({"paper": MethodLines(lines, "paper", 4)}, cells, Grid((1,), (3,), 1.0))
    assert "up to 100,000" in figure.legends[0].get_texts()[-1].get_text()


def panel():
    return Grid((1,), (1,), 1.0).panels()[1][0, 0]


def test_curve_marks_values_beyond_the_limits():
    axes = panel()
    assert draw_curve(axes, (1, 2, 3, 4), (-7, 0.5, 3e4, np.nan), (-1, 1), color="red") == (-7, 3e4)
    _, low, high = axes.lines
    assert (low.get_xdata(), low.get_ydata()) == ([1], [-1])
    assert (high.get_xdata(), high.get_ydata()) == ([3], [1])


def test_curve_within_the_limits_has_no_marks():
    axes = panel()
    assert draw_curve(axes, (1, 2), (0, 1), (0, 1)) == (0, 0)
    assert len(axes.lines) == 1


def test_violin_has_a_bar_for_each_rank_as_high_as_it_is_frequent():
    axes = panel()
    draw_rank_violin(axes, (4, 4, 4, 2), 0.5, height=0.8, colour="red")
    bars = sorted((bar.get_x() + bar.get_width() / 2, bar.get_height(), bar.get_y()) for bar in axes.patches)
    np.testing.assert_allclose(bars, [(2, 0.2, 0.4), (4, 0.6, 0.2)])


def test_panels_fill_the_figure_in_groups():
    grid = Grid((2, 1), (1, 2), 0.5, (0.1, 0.2), (0.3, 0.4), left=1, right=0, top=0.25, bottom=0.75, width=5)
    figure, axes = grid.panels()
    assert axes.shape == (3, 3)
    assert figure.get_figheight() == pytest.approx(0.25 + 3 * 0.5 + 0.2 + 0.4 + 0.75)
    inches = [5 * axes[0, column].get_position().x0 for column in range(3)]
    np.testing.assert_allclose(inches, [1, 2.5, 3.8])
    assert axes[0, -1].get_position().x1 == pytest.approx(1)
    assert axes[-1, 0].get_position().y0 == pytest.approx(0.75 / figure.get_figheight())


def test_intervals_are_those_of_the_metrics(rng):
    runs = rng.random((6, 3))
    runs[0, 1] = np.nan
    runs[1:, 2] = np.nan
    mean, margin = mean_and_margin(runs)
    for column in (0, 1):
        expected = mean_interval(runs[np.isfinite(runs[:, column]), column])
        assert mean[column] == pytest.approx(expected.mean)
        assert margin[column] == pytest.approx((expected.high - expected.low) / 2)
    assert (mean[2], margin[2]) == (runs[0, 2], 0)
    assert np.isnan(mean_and_margin([np.nan, np.nan])[0])


def test_nsmr_is_taken_over_shares_at_the_true_rank():
    measured = {0.1: ("0 0.5", "0 0.8"), 0.5: ("0 0.4", "0 0.4")}
    lines = [
        {"mode": "paper", "method": "WNMFk", "rank": "2", "hidden": str(share), "ranks": "1 2"}
        | {"smr": smr, "correlation": correlation}
        for share, (smr, correlation) in measured.items()
    ]
    np.testing.assert_allclose(Series(lines).nsmr(Place("paper", "WNMFk"), 2, "correlation"), [0.5, 0.2])


def test_colours_of_shares_darken():
    colours = share_colours(np.arange(1, 10) / 10)
    brightness = [np.dot(colour[:3], (0.2126, 0.7152, 0.0722)) for colour in colours.values()]
    assert np.all(np.diff(brightness) < 0)


@pytest.mark.parametrize("name", ["Katz", "biases only", "LinkStack"])
def test_only_methods_of_the_paper_have_subscripts(name):
    assert method_label(name) == name
    assert method_label("WNMFk lmf") == "WNMFk$_{lmf}$"


def test_style_ends_with_its_context():
    before = matplotlib.rcParams["font.size"]
    with styled():
        assert matplotlib.rcParams["font.size"] == 8
    assert matplotlib.rcParams["font.size"] == before


class TestClaimed:
    def test_every_number_of_the_table_is_there(self):
        assert len(CLAIMED) == 5
        for methods in CLAIMED.values():
            assert len(methods) == 8
            for method, metrics in methods.items():
                assert tuple(metrics) == (METRICS[:2] if method.endswith("LMF") else METRICS)
                assert all(0.7 < mean < 1 and 0 < margin < 0.04 for mean, margin in metrics.values())

    @pytest.mark.parametrize(
        ("network", "method", "metric", "mean", "margin"),
        [
            ("brain", "WNMFk", "roc_auc", 0.941, 0.001),
            ("brain", "BNMFk", "uq_pr_auc", 0.840, 0.004),
            ("human-extended", "BNMFk", "roc_auc", 0.755, 0.022),
            ("human-extended", "LMF", "pr_auc", 0.934, 0.001),
            ("human-extended", "SymLMF", "roc_auc", 0.944, 0.001),
            ("disease-of-metabolism", "RNMFk lmf", "pr_auc", 0.963, 0.009),
            ("disease-of-metabolism", "BNMFk lmf", "uq_roc_auc", 0.974, 0.006),
            ("liver", "SymLMF", "pr_auc", 0.958, 0.0004),
            ("liver", "WNMFk lmf", "uq_pr_auc", 0.963, 0.001),
            ("neurodegenerative-disease", "BNMFk", "roc_auc", 0.765, 0.035),
            ("neurodegenerative-disease", "WNMFk lmf", "uq_roc_auc", 0.975, 0.001),
        ],
    )
    def test_numbers_are_those_of_the_paper(self, network, method, metric, mean, margin):
        assert CLAIMED[f"proteins-{network}"][method][metric] == (mean, margin)
