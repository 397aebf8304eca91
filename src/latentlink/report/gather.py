"""What a report shows, gathered from a fitted model and what is known beside it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from latentlink.errors import InputError
from latentlink.estimators import LinkModel, RankedFactorizer
from latentlink.evaluation import Evaluation
from latentlink.report.report_data import ReportData, Section
from latentlink.report.sections.component_section import component_section
from latentlink.report.sections.data_section import data_facts
from latentlink.report.sections.factorizers import factorizers_of, method_of, unwrapped
from latentlink.report.sections.held_out import HeldOutPairs
from latentlink.report.sections.link_section import link_section, ranked_links
from latentlink.report.sections.prediction_section import prediction_section
from latentlink.report.sections.rank_section import rank_section
from latentlink.report.sections.risk_levels import supposed_share
from latentlink.report.sections.risk_section import risk_section
from latentlink.report.sections.settings_section import run_notes, settings_facts
from latentlink.report.sections.summary_section import summary_facts
from latentlink.report.words.decision_words import told_of_list
from latentlink.scoring import Calibrated
from latentlink.tables import Table
from latentlink.validation.wording import percent, shortened

__all__ = ["gather_report", "shown_components"]

_LONGEST = 80  # characters of the name of the data


def gather_report(
    model: LinkModel,
    *,
    calibrated: Calibrated | None = None,
    evaluation: Evaluation | None = None,
    links: Table | None = None,
    run: Mapping[str, Any] | None = None,
    components: RankedFactorizer | None = None,
    image_shape: tuple[int, int] | None = None,
) -> ReportData:
    """Gather what a report shows; sections without data are left out, and the page says why.

    Parameters
    ----------
    model : fitted model
        Any estimator of this package.
    calibrated : Calibrated, optional
        The result of its `calibrate` or `cross_calibrate`: held-out metrics, reliability, risk.
    evaluation : Evaluation, optional
        The result of `latentlink.evaluate`: metrics beside all baselines.
    links : Table, optional
        All ranked links, best first, with the columns source, target and score, and any of probability,
        spread, decision and rank. By default the best 1,000 of the model.
    run : mapping, optional
        What is known of the run. The page has places for ``command``, ``method`` (why it was chosen),
        ``calibration``, ``limits`` (sentences on what is guaranteed) and ``versions``; all else is listed.
    components : RankedFactorizer, optional
        A factorization of the same data whose rank and components are shown, where the model is a stack. By
        default those of the model.
    image_shape : (int, int), optional
        Height and width, if rows (or columns) of the data are pixels: components are then shown as images.

    Returns
    -------
    ReportData
    """
    _check(model, calibrated, evaluation, components)
    inner = unwrapped(model)
    network, name = inner.network_, type(inner).__name__
    held_out = None if calibrated is None else HeldOutPairs.of(calibrated)
    ranked = ranked_links(model, calibrated, links)
    sections: list[Section] = [
        (
            {"title": _title(network), "source": _source(run), "model": name, "method": method_of(inner)}
            | run_notes(run)
            | {"boolean": bool(inner.factors_.boolean)},
            {},
        ),
        ({"data": data_facts(network, int(getattr(inner, "drawn_", 0)))}, {}),
        rank_section(inner, components),
        prediction_section(name, evaluation, held_out),
        ({}, {}) if held_out is None else risk_section(held_out, ranked, run),
        link_section(inner, network, ranked, network.is_binary),
        shown_components(inner, components, image_shape),
        ({"settings": settings_facts(model, run)}, {}),
    ]
    facts: dict[str, Any] = {}
    tables: dict[str, Table] = {}
    for added, more in sections:
        facts |= added
        tables |= more
    facts["links"] |= _shares_of_links(facts, tables, run)
    facts["links"] |= told_of_list(facts, tables.get("links"), run)
    facts["summary"] = summary_facts(facts, tables)
    return ReportData(facts, tables)


def _shares_of_links(
    facts: Mapping[str, Any], tables: Mapping[str, Table], run: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Return the share of links that each column of probabilities supposes, in percent, by its name."""
    share, links = supposed_share(run), tables["links"].columns if "links" in tables else {}
    of_pairs = facts.get("risk", {}).get("links_among_pairs")
    of_both = "decision_probability" in links
    found = {"decision_probability": share, "probability": of_pairs if of_both or share is None else share}
    return {
        "supposes": {
            name: percent(float(f"{each:.2g}"))
            for name, each in found.items()
            if name in links and each is not None
        }
    }


def shown_components(
    model: Any, given: RankedFactorizer | None, image_shape: tuple[int, int] | None
) -> Section:
    """Return the components of the factorization that was given, or of the most readable one of the model."""
    parts = factorizers_of(model) if given is None else factorizers_of(given)
    if not parts:
        return {}, {}
    # Non-negative components are groups of nodes; those of a logistic factorization are directions.
    parts.sort(key=lambda part: part[1].solver_.logistic)
    facts, tables = component_section(*parts[0], image_shape)
    if given is not None and facts:
        facts["components"]["beside"] = type(model).__name__
    return facts, tables


def _source(run: Mapping[str, Any] | None) -> str:
    """Return the name of the data file, in at most 80 characters."""
    name = str((run or {}).get("data") or "").encode("utf-8", "replace").decode()
    name = "standard input" if name == "-" else PurePath(name).name
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}\N{HORIZONTAL ELLIPSIS}"


def _title(network: Any) -> str:
    what = "links" if network.is_binary else "values"
    return f"Missing {what}, and how sure each is"


def _check(model: Any, calibrated: Any, evaluation: Any, components: Any) -> None:
    for name, value, kind in (
        ("model", model, LinkModel),
        ("calibrated", calibrated, Calibrated),
        ("evaluation", evaluation, Evaluation),
        ("components", components, RankedFactorizer),
    ):
        if not isinstance(value, kind) and (value is not None or name == "model"):
            raise InputError(
                f"{name} is {shortened(value)}; expected a {kind.__name__}"
                f"{', fitted' if name == 'model' else ' or None'}."
            )
    if not hasattr(model, "network_"):
        raise InputError(f"{type(model).__name__} is not fitted; call fit first.")
