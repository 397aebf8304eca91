"""A small part of the report, for the display of a model in a notebook."""

from __future__ import annotations

from html import escape
from typing import Any

from latentlink.report.sections.data_section import data_facts
from latentlink.report.sections.factorizers import factorizers_of, method_of, unwrapped
from latentlink.report.sections.rank_section import rank_section

__all__ = ["model_html"]


def model_html(model: Any) -> str:
    """Return what a model was fitted to, how many components it has and why; all text is escaped."""
    inner = unwrapped(model)
    data = data_facts(inner.network_, int(getattr(inner, "drawn_", 0)))
    lines = [method_of(inner), " ".join(data["sentences"])]
    facts, _ = rank_section(inner)
    rows = [
        f"<tr><td>{escape(each['model'])}</td><td>{escape(each['headline'])}</td><td>{each['members']}</td></tr>"
        for each in facts.get("rank", {}).get("models", ())
    ]
    table = (
        "<table><thead><tr><th>factorization</th><th>components</th><th>members</th></tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>"
    )
    return (
        f'<div class="latentlink-summary"><p><strong>{escape(repr(model))}</strong></p>'
        + "".join(f"<p>{escape(line)}</p>" for line in lines)
        + (table if factorizers_of(inner) else "")
        + "</div>"
    )
