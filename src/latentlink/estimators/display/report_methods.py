"""Methods of all link models that show them: report, figures, and HTML in notebooks.

The report needs every estimator, so that it is a layer above them, and is imported here only when a method is
called. This file is the one exception of the import contract.
"""

from __future__ import annotations

from typing import Any

from sklearn import get_config
from sklearn.utils import estimator_html_repr
from sklearn.utils.validation import check_is_fitted

__all__ = [
    "html_of_model",
    "mime_bundle",
    "plot_components",
    "plot_ranks",
    "plot_reliability",
    "plot_risk_coverage",
    "report",
]


def report(self: Any, **options: Any) -> Any:
    """Return the report of the fitted model: shown inline in a notebook, or saved with ``save(path)``.

    Parameters
    ----------
    **options
        What is known beside the model, as for `latentlink.report.gather_report`: ``calibrated``,
        ``evaluation``, ``links``, ``run``, ``components`` and ``image_shape``.

    Returns
    -------
    latentlink.report.Report
        With the methods ``save(path)`` and ``html()``, and the attribute ``data``.
    """
    from latentlink.report import Report, gather_report

    check_is_fitted(self)
    return Report(gather_report(self, **options))


def plot_ranks(self: Any, axes: Any = None) -> Any:
    """Plot stability and held-out error over the ranks, as in the report; needs matplotlib.

    Parameters
    ----------
    axes : pair of matplotlib Axes, optional
        For stability and for the error; by default those of a new figure.

    Returns
    -------
    array of matplotlib Axes
        Of a model of several factorizations, those of the first one that searched its rank.
    """
    from latentlink.report.figures import draw_ranks

    check_is_fitted(self)
    return draw_ranks(self, axes)


def plot_reliability(self: Any, calibrated: Any, axes: Any = None) -> Any:
    """Plot predicted probability and observed share of links on held-out pairs; needs matplotlib.

    Parameters
    ----------
    calibrated : Calibrated
        The result of `calibrate` or `cross_calibrate` of this model.
    axes : matplotlib Axes, optional
        By default those of a new figure.
    """
    from latentlink.report.figures import draw_reliability

    check_is_fitted(self)
    return draw_reliability(calibrated, axes)


def plot_risk_coverage(self: Any, calibrated: Any, axes: Any = None) -> Any:
    """Plot the error among the held-out pairs answered over their share; needs matplotlib.

    Parameters
    ----------
    calibrated : Calibrated
        The result of `calibrate` or `cross_calibrate` of this model.
    axes : matplotlib Axes, optional
        By default those of a new figure.
    """
    from latentlink.report.figures import draw_risk_coverage

    check_is_fitted(self)
    return draw_risk_coverage(calibrated, axes)


def plot_components(self: Any, image_shape: tuple[int, int] | None = None) -> Any:
    """Plot the members with the largest loadings of each component, or images; needs matplotlib.

    Parameters
    ----------
    image_shape : (int, int), optional
        Height and width, if rows (or columns) of the data are pixels.

    Returns
    -------
    matplotlib Figure
    """
    from latentlink.report.figures import draw_components

    check_is_fitted(self)
    return draw_components(self, image_shape)


def html_of_model(self: Any) -> str:
    """Return data, method and ranks in a few lines of HTML; before the fit the display of scikit-learn."""
    if not hasattr(self, "network_"):
        return str(estimator_html_repr(self))
    from latentlink.report.model_html import model_html

    return model_html(self)


def mime_bundle(self: Any, **kwargs: object) -> dict[str, str]:
    """Return the display of a notebook; scikit-learn's setting ``display`` is respected.

    The text has the assumption of a fitted `ValueStack` below the parameters, which are valid Python.
    """
    del kwargs
    kind = getattr(self, "kind_", None)
    bundle = {"text/plain": repr(self) if kind is None else f"{self!r}\n{kind.assumption}"}
    if get_config()["display"] == "diagram":
        bundle["text/html"] = self._repr_html_inner()
    return bundle
