"""Reports in notebooks, small displays of models, and figures for print."""

from __future__ import annotations

import html
import re

import numpy as np
import pytest
import sklearn

from latentlink import BayesianFactorizer, LinkStack, ValueStack, WNMFk
from latentlink.errors import IncompatibleError, InputError
from latentlink.report import Report, gather_report
from latentlink.report.page import page_html
from latentlink.solvers import BPMF

pyplot = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    pyplot.close("all")


def test_the_report_of_a_notebook_is_the_page_in_a_sandbox(reported, tmp_path):
    report = reported.model.report(calibrated=reported.calibrated)
    assert isinstance(report, Report)
    frame = report._repr_html_()
    assert 'sandbox="allow-scripts"' in frame
    assert html.unescape(re.search(r'srcdoc="([^"]*)"', frame)[1]) == report.html() == page_html(report.data)
    assert report.save(tmp_path / "page.html").read_text(encoding="utf-8") == report.html()
    assert "report.save" in repr(report)


def test_only_fitted_models_have_one():
    with pytest.raises(sklearn.exceptions.NotFittedError):
        WNMFk().report()


def test_a_stack_is_displayed_by_its_data_and_its_models(stack):
    shown = stack._repr_html_()
    assert shown == stack._repr_mimebundle_()["text/html"]
    for number, model in enumerate(stack.models_, 1):
        assert f"<td>{number}: {type(model.solver_).__name__}</td><td>{model.rank_} component" in shown
    assert f"{stack.network_.shape[0]} " in shown
    assert "sk-" in LinkStack()._repr_html_()


def test_the_text_display_of_scikit_learn_is_respected(stack):
    with sklearn.config_context(display="text"):
        assert set(stack._repr_mimebundle_()) == {"text/plain"}


def test_rank_curves_are_those_of_the_page(reported):
    above, below = reported.model.plot_ranks()
    ranks = reported.data.tables["ranks"]
    np.testing.assert_array_equal(
        above.lines[0].get_xydata(), np.column_stack([ranks["rank"], ranks["stability"]])
    )
    np.testing.assert_array_equal(below.lines[0].get_ydata(), ranks["held_out_error"])
    assert f"rank {reported.model.rank_}" in above.get_title(loc="left")


def test_reliability_and_risk_are_those_of_the_page(reported):
    tables, model = reported.data.tables, reported.model
    drawn = model.plot_reliability(reported.calibrated).lines[1].get_xydata()
    np.testing.assert_array_equal(
        drawn, np.column_stack([tables["reliability"][name] for name in ("predicted", "observed")])
    )
    axes = pyplot.subplots()[1]
    assert model.plot_risk_coverage(reported.calibrated, axes) is axes
    np.testing.assert_array_equal(axes.lines[0].get_ydata(), tables["risk_coverage"]["risk"])


def test_components_are_bars_or_images(reported, weighted):
    figure = reported.model.plot_components()
    assert sum(len(axes.patches) == 8 for axes in figure.axes) == reported.model.rank_
    figure.savefig("/dev/null", format="png", dpi=20)  # names are drawn as they are, whatever they hold
    images = weighted.plot_components(image_shape=(3, 4))
    assert sum(len(axes.images) for axes in images.axes) == weighted.rank_
    assert len(weighted.plot_components().axes) == 2 * weighted.rank_


def test_curves_need_a_calibration_of_their_kind(reported, weighted):
    with pytest.raises(InputError, match="calibrated is None; expected what calibrate"):
        reported.model.plot_risk_coverage(None)
    rows, cols = np.nonzero(np.isnan(weighted.network_.to_dense()))
    values = weighted.calibrate(np.column_stack([rows, cols]), np.linspace(0.1, 0.9, len(rows)))
    with pytest.raises(IncompatibleError, match="links and non-links"):
        weighted.plot_reliability(values)


@pytest.mark.filterwarnings("ignore:The chains at rank")
def test_a_stack_of_values_says_what_the_values_were_taken_for():
    rng = np.random.default_rng(0)
    X = np.clip(np.rint(3 + 2 * rng.normal(size=(20, 1)) + rng.normal(size=(20, 8))), 1, 5)
    part = BayesianFactorizer((1,), solver=BPMF(max_iter=30, burn_in=10, draws=2), n_perturbs=2)
    model = ValueStack(models=[part], random_state=0).fit(np.where(rng.random(X.shape) < 0.2, np.nan, X))
    said = (
        "The values were taken for ratings on a scale from 1 to 5 (5 different values), to which scores are"
    )
    assert said in model._repr_html_()
    assert model._repr_mimebundle_()["text/plain"].split("\n")[-1].startswith(said)
    assert said in gather_report(model).facts["method"]
    assert "\n" not in ValueStack()._repr_mimebundle_()["text/plain"]
    X[:, 1] *= 1000.7
    model.fit(np.where(rng.random(X.shape) < 0.2, np.nan, X))
    assert "columns differ in unit, and each is standardized." in model._repr_html_()
