"""Tables of text cells as plain text, Markdown, LaTeX and HTML."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

__all__ = ["as_html", "as_latex", "as_markdown", "as_text", "columns_within", "selected_columns"]

Cells = Sequence[Sequence[str]]

_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{",
    "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "±": r"$\pm$",
}  # fmt: skip


def as_text(head: Sequence[str], rows: Cells) -> str:
    """Return a table padded to columns.

    Examples
    --------
    >>> print(as_text(["model", "auc"], [["a", "0.5"]]))
    model  auc
    a      0.5
    """
    lines = [head, *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    padded = (
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in lines
    )
    return "\n".join(line.rstrip() for line in padded)


def columns_within(head: Sequence[str], rows: Cells, width: int | None) -> list[int]:
    """Return the positions of the columns that fit into a width, at least the first two.

    Metrics that are weighted by uncertainty, "UQ-...", are left out before all others.

    Examples
    --------
    >>> columns_within(["model", "UQ-auc", "auc", "mrr"], [["a", "0.5", "0.5", "0.5"]], 14)
    [0, 2]
    """
    places = range(len(head))
    if width is None:
        return list(places)
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    order = sorted(places, key=lambda place: head[place].startswith("UQ-"))
    count = 2
    while count < len(order) and sum(widths[place] + 2 for place in order[: count + 1]) - 2 <= width:
        count += 1
    return sorted(order[:count])


def selected_columns(
    head: Sequence[str], rows: Cells, places: Sequence[int]
) -> tuple[list[str], list[list[str]]]:
    """Return some columns of a table."""
    return [head[place] for place in places], [[row[place] for place in places] for row in rows]


def as_markdown(head: Sequence[str], rows: Cells) -> str:
    r"""Return a Markdown table; characters that mean something there are escaped.

    Examples
    --------
    >>> print(as_markdown(["model", "auc"], [["a|b", "0.5"]]))
    | model | auc |
    |---|---|
    | a\|b | 0.5 |
    """
    lines = ["| " + " | ".join(map(_markdown_cell, line)) + " |" for line in (head, *rows)]
    return "\n".join([lines[0], "|" + "---|" * len(head), *lines[1:]])


def as_latex(head: Sequence[str], rows: Cells) -> str:
    r"""Return a LaTeX tabular with booktabs rules; special characters are escaped.

    Examples
    --------
    >>> print(as_latex(["model", "auc"], [["a_b", "0.5"]]))
    \begin{tabular}{lr}
    \toprule
    model & auc \\
    \midrule
    a\_b & 0.5 \\
    \bottomrule
    \end{tabular}
    """
    first, *others = (" & ".join(map(_latex_cell, line)) + r" \\" for line in (head, *rows))
    columns = "l" + "r" * (len(head) - 1)
    begin = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", first, r"\midrule"]
    return "\n".join([*begin, *others, r"\bottomrule", r"\end{tabular}"])


def as_html(head: Sequence[str], rows: Cells) -> str:
    """Return an HTML table; all text is escaped."""
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def _markdown_cell(cell: str) -> str:
    return re.sub(r"([\\|`*_<>\[\]])", r"\\\1", cell).replace("\n", " ")


def _latex_cell(cell: str) -> str:
    return "".join(_LATEX.get(character, character) for character in cell)
