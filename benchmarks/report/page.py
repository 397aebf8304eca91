"""The page of all kept results, in Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from benchmarks.report.cells import shown
from benchmarks.report.plots import draw_all
from benchmarks.report.sentences import sentences_of
from benchmarks.report.stored import Stored, age_of, description_of, read_all

__all__ = ["page_of", "table", "write_page"]

_INTRODUCTION = """# Benchmarks

`make bench` measures all of this and writes this page from the files in `{folder}`;
`python -m benchmarks report` writes it again from the same files. Times are compared within one run on
one machine, where jobs alternate; they are medians. CPU time is that of all threads. Memory is what a
job adds at its peak to the interpreter and its data, unless a table says otherwise. A table of another
day or of other code is marked, and its numbers are not to be compared with those of others."""

_HARDWARE = ("processor", "cores", "threads of BLAS", "load before")
_LEFT_OUT = {"whole_fits": ("data", "size", "known", "ours"), "ratings": ("data", "ours")}


def write_page(folder: Path) -> Path:
    """Write the page beside a folder of results and its plots into the folder; return its path."""
    stored = read_all(folder)
    plots = draw_all(stored, folder)
    path = folder.with_suffix(".md")
    path.write_text(page_of(stored, plots, folder.name))
    return path


def page_of(stored: Sequence[Stored], plots: Mapping[str, Path], folder: str) -> str:
    """Return the page of these results; ``plots`` are by the names of the results."""
    parts = [_INTRODUCTION.format(folder=f"benchmarks/{folder}"), "## In words", *_in_words(stored)]
    parts += ["## When and on what", _circumstances(stored)]
    for each in stored:
        title = each.name.replace("_", " ").replace("-", " ").capitalize()
        parts += [f"## {title}", description_of(each.study)]
        parts.append(" ".join(filter(None, [_measured(each), age_of(each, stored)])))
        if each.name in plots:
            parts.append(f"![{each.name}]({folder}/{plots[each.name].name})")
        parts += _tables(each)
    return "\n\n".join(parts) + "\n"


def _in_words(stored: Sequence[Stored]) -> Iterator[str]:
    """Yield what the tables say, those where others are ahead first."""
    said = [(each.name, sentence) for each in stored for sentence in sentences_of(each)]
    behind = [f"- {name}: {sentence.text}" for name, sentence in said if sentence.behind]
    ahead = [f"- {name}: {sentence.text}" for name, sentence in said if not sentence.behind]
    if behind:
        yield "**Where this library is behind, or a target is missed:**"
        yield "\n".join(behind)
    if ahead:
        yield "**Otherwise:**"
        yield "\n".join(ahead)


def _circumstances(stored: Sequence[Stored]) -> str:
    rows = [
        {
            "table": each.name,
            "date": each.date,
            "code": each.code,
            "took, s": each.took_s,
            **{name: each.machine.get(name) for name in _HARDWARE},
            "versions": ", ".join(f"{k} {v}" for k, v in each.machine.items() if k not in _HARDWARE),
        }
        for each in stored
    ]
    return table(rows)


def _measured(stored: Stored) -> str:
    threads = {row["threads"] for row in stored.rows if "threads" in row}
    used = f"{shown(sorted(threads))} threads" if threads - {1} else "one thread"
    return f"*Measured {stored.date} on {stored.machine.get('processor', 'a machine not recorded')}, {used}.*"


def _tables(stored: Stored) -> Iterator[str]:
    """Yield the tables of a study: one for each data set where it has several."""
    left_out = _LEFT_OUT.get(stored.study, ())
    if not left_out:
        yield table(stored.rows)
        return
    for data, group in groupby(stored.rows, key=lambda row: row["data"]):
        rows = list(group)
        first = rows[0]
        size = f", {first['size']}, {first['known']:,} known entries to train" if "size" in first else ""
        yield f"### {data}{size}"
        yield table([_emphasized(row, left_out) for row in rows])


def _emphasized(row: Mapping[str, Any], left_out: Sequence[str]) -> dict[str, Any]:
    """Return a row without some columns, the methods of this library in bold."""
    kept = {name: value for name, value in row.items() if name not in left_out}
    if row.get("ours"):
        kept["method"] = f"**{row['method']}**"
    return kept


def table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return a Markdown table of rows under all names of their columns.

    Examples
    --------
    >>> print(table([{"a": 1, "b": 0.5}, {"a": 2}]))
    | a | b |
    |---|---|
    | 1 | 0.5 |
    | 2 |  |
    """
    names = list(dict.fromkeys(name for row in rows for name in row))
    lines = [names, *([shown(row.get(name)).replace("|", "\\|") for name in names] for row in rows)]
    written = [f"| {' | '.join(line)} |" for line in lines]
    return "\n".join([written[0], "|" + "---|" * len(names), *written[1:]])
