"""Reports on disk: the page, and beside it a folder of CSV and JSON that it can be rebuilt from."""

from __future__ import annotations

import csv
import io
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.report.page import page_html
from latentlink.report.report_data import ReportData
from latentlink.saving.atomic import storage_errors, write_atomically
from latentlink.tables import Table
from latentlink.validation.wording import shortened

__all__ = ["DATA_FOLDER", "FORMAT", "read_report_data", "write_report"]

DATA_FOLDER = "report_data"
FORMAT = 1
_FACTS = "report.json"
_KINDS = {"f": float, "i": int, "u": int, "U": str, "O": str}
_DTYPES: dict[str, Any] = {"float": np.float64, "int": np.int64, "str": object}


def write_report(data: ReportData, path: str | os.PathLike[str]) -> Path:
    """Write the report page, and its data as CSV and JSON into the folder ``report_data`` beside it.

    Parameters
    ----------
    data : ReportData
        As `gather_report` returns it.
    path : path
        The HTML file; an existing one is replaced. Its folder must exist.

    Returns
    -------
    Path
        The HTML file.
    """
    page = Path(path)
    folder = page.parent / DATA_FOLDER
    html = page_html(data)
    with storage_errors(page.parent):
        folder.mkdir(exist_ok=True)
    kinds = {name: _kinds(table) for name, table in data.tables.items()}
    facts = {"format": FORMAT, "facts": data.facts, "tables": kinds}
    for name, table in data.tables.items():
        write_atomically(folder / f"{name}.csv", _as_csv(table).encode("utf-8"))
    write_atomically(folder / _FACTS, _as_json(facts).encode("utf-8"))
    write_atomically(page, html.encode("utf-8"))
    return page


def read_report_data(folder: str | os.PathLike[str]) -> ReportData:
    """Read the data of a report, from which `write_report` makes the same page again.

    Parameters
    ----------
    folder : path
        The folder ``report_data`` that `write_report` made.
    """
    place = Path(folder)
    stored = _stored_facts(place / _FACTS)
    tables = {}
    for name, kinds in stored["tables"].items():
        if not str(name).isidentifier():
            raise InputError(f"{_FACTS} lists a table named {shortened(name)}; expected a plain word.")
        tables[name] = _read_csv(place / f"{name}.csv", kinds)
    return ReportData(stored["facts"], tables)


def _stored_facts(path: Path) -> dict[str, Any]:
    remedy = "It is made with the report: by model.report, or by latentlink fit."
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
    except OSError:
        raise InputError(
            f"There is no {path.name} in {str(path.parent)!r}; expected the folder "
            f"{DATA_FOLDER} that was written beside a report. {remedy}"
        ) from None
    except ValueError as error:
        raise InputError(f"{str(path)!r} is no valid JSON ({error}). {remedy}") from None
    found = stored.get("format") if isinstance(stored, dict) else None
    if (
        found != FORMAT
        or not isinstance(stored.get("facts"), dict)
        or not isinstance(stored.get("tables"), dict)
    ):
        raise InputError(f"{str(path)!r} has format {shortened(found)}; expected {FORMAT}. {remedy}")
    return stored


def _kinds(table: Table) -> dict[str, str]:
    return {name: _KINDS[column.dtype.kind].__name__ for name, column in table.columns.items()}


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _as_csv(table: Table) -> str:
    """Return a table as CSV; numbers with all their digits, NaN as an empty cell."""
    text = io.StringIO()
    # All text is quoted, since a name may hold any character, line breaks among them.
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow(table.columns)
    writer.writerows(
        zip(*(map(_csv_cell, column.tolist()) for column in table.columns.values()), strict=True)
    )
    return text.getvalue()


def _csv_cell(value: Any) -> Any:
    return None if isinstance(value, float) and np.isnan(value) else value


def _read_csv(path: Path, kinds: dict[str, str]) -> Table:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            head, *rows = csv.reader(file)
    except (OSError, ValueError, csv.Error) as error:
        raise InputError(
            f"{str(path)!r} cannot be read as CSV ({error}); it belongs to the report."
        ) from None
    if head != list(kinds) or any(len(row) != len(head) for row in rows):
        raise InputError(
            f"{str(path)!r} has the columns {shortened(','.join(head))}; expected {','.join(kinds)}."
        )
    columns = zip(*rows, strict=True) if rows else [()] * len(head)
    return Table(
        {name: _column(list(column), kinds[name], path) for name, column in zip(head, columns, strict=True)}
    )


def _column(cells: list[str], kind: str, path: Path) -> NDArray[Any]:
    if kind == "float":
        cells = [cell or "nan" for cell in cells]
    try:
        return np.array(cells, _DTYPES[kind])
    except (ValueError, KeyError) as error:
        raise InputError(f"{str(path)!r} has a cell that is no {kind} ({error}).") from None
