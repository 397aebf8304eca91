"""HTML summaries of fitted estimators for notebooks."""

from __future__ import annotations

import pytest
import sklearn

from latentlink import Network, WNMFk
from latentlink.rank import Choice, RidgeChoice
from latentlink.rank.display.summary_html import summary_html
from tests.rank.paths import path_of, record

# The fixture `weighted` is fitted with few sweeps and members.
pytestmark = pytest.mark.filterwarnings("ignore:.*stable", "ignore::sklearn.exceptions.ConvergenceWarning")


def test_before_the_fit_it_is_the_display_of_scikit_learn():
    assert "sk-" in WNMFk()._repr_html_()


def test_after_the_fit_it_has_the_rank_the_status_and_the_path(weighted):
    page = weighted._repr_html_()
    assert "rank 2" in page
    assert weighted.choice_.status in page
    assert "held-out error" in page
    assert page.count("<tr") == 2
    assert page == weighted._repr_mimebundle_()["text/html"]


def test_the_text_display_of_scikit_learn_is_respected(weighted):
    with sklearn.config_context(display="text"):
        assert not hasattr(weighted, "_repr_html_")


def test_the_table_has_one_row_per_rank_and_the_choice_is_bold():
    network = Network.from_dense([[1.0, 2.0], [3.0, 4.0]])
    path = path_of(record(1), record(2, 0.25))
    page = summary_html("WNMFk", network, path, Choice(2, "why", "agreed"), RidgeChoice(0.5, "ridge 0.5", ()))
    assert page.count("<tr") == 3
    assert page.count('<tr style="font-weight:bold"><td>2</td><td>0.25</td>') == 1
    assert page.count("font-weight") == 1
    assert "ridge 0.5<br>" in page


def test_all_text_is_escaped():
    network = Network.from_edges([("<b>", "&", 1.0), ("c", "d", 0.0)])
    choice = Choice(1, "because <script>alert(1)</script>", "<i>agreed</i>")
    page = summary_html("<WNMFk>", network, path_of(), choice)
    assert "<script" not in page
    assert "<i>" not in page
    assert "&lt;WNMFk&gt;" in page


def test_the_plot_of_a_fitted_model_marks_the_choice(weighted):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    axes = weighted.plot()
    assert f"rank {weighted.rank_}" in axes.get_title()
    pyplot.close(axes.figure)
