"""How a fitted model shows itself."""

from __future__ import annotations

import pytest
import sklearn

from latentlink import Network, WNMFk
from latentlink.rank.summary_html import summary_html
from latentlink.rank import Choice, RankPath


def test_before_the_fit_it_is_scikit_learns_display():
    assert "sk-" in WNMFk()._repr_html_()


def test_after_the_fit_it_is_rank_reason_and_path(weighted):
    page = weighted._repr_html_()
    assert "rank 2" in page
    assert weighted.choice_.status in page
    assert "held-out error" in page
    assert page.count("<tr") == 2
    assert page == weighted._repr_mimebundle_()["text/html"]


def test_text_display_is_respected(weighted):
    with sklearn.config_context(display="text"):
        assert not hasattr(weighted, "_repr_html_")


def test_nothing_is_taken_for_markup():
    network = Network.from_edges([("<b>", "&", 1.0), ("c", "d", 0.0)])
    choice = Choice(1, "because <script>alert(1)</script>", "<i>agreed</i>")
    page = summary_html("<WNMFk>", network, RankPath(()), choice)
    assert "<script" not in page
    assert "<i>" not in page
    assert "&lt;WNMFk&gt;" in page


def test_a_fitted_model_draws_its_path_with_the_choice_marked(weighted):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    axes = weighted.plot()
    assert f"rank {weighted.rank_}" in axes.get_title()
    pyplot.close(axes.figure)
