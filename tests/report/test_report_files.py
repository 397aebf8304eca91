"""Reports on disk: the page is rebuilt from the files beside it, and damaged files are refused."""

from __future__ import annotations

import csv
import json

import pytest

from latentlink.errors import InputError
from latentlink.report import ReportData, read_report_data, write_report
from latentlink.report.page import page_html
from tests.helpers.reports import HOSTILE


@pytest.fixture
def folder(reported, tmp_path):
    write_report(reported.data, tmp_path / "report.html")
    return tmp_path


def test_the_files_rebuild_the_page(reported, folder):
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert page == page_html(reported.data)
    data = read_report_data(folder / "report_data")
    assert page_html(data) == page
    again = write_report(data, folder / "again.html")
    assert again.read_text(encoding="utf-8") == page
    assert {path.suffix for path in (folder / "report_data").iterdir()} == {".csv", ".json"}


def test_tables_are_read_as_they_were_written(reported, folder):
    data = read_report_data(folder / "report_data")
    for name, table in reported.data.tables.items():
        assert list(data.tables[name]) == list(table)
        for column in table:
            assert data.tables[name][column].tolist() == pytest.approx(
                table[column].tolist(), abs=0, nan_ok=True
            )


def test_other_programs_read_the_links(folder):
    with (folder / "report_data" / "links.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert set(HOSTILE) <= {row[side] for row in rows for side in ("source", "target")}
    assert [int(row["rank"]) for row in rows] == list(range(1, len(rows) + 1))


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(InputError, match=r"no report.json in .*nothing.*expected the folder report_data"):
        read_report_data(tmp_path / "nothing")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "no valid JSON"),
        ("[]", "has format None; expected 1"),
        ('{"format": 7}', "has format 7; expected 1"),
        ('{"format": 1, "facts": {}, "tables": {"../x": {}}}', "a table named '../x'"),
        ('{"format": 1, "facts": {}, "tables": {"absent": {}}}', "absent.csv' cannot be read"),
    ],
)
def test_damaged_facts_are_refused(folder, text, words):
    (folder / "report_data" / "report.json").write_text(text)
    with pytest.raises(InputError, match=words):
        read_report_data(folder / "report_data")


def test_facts_of_another_version_are_refused(reported, tmp_path):
    facts = {name: value for name, value in reported.data.facts.items() if name != "data"}
    with pytest.raises(InputError, match=r"not complete .*another version"):
        write_report(ReportData(facts, reported.data.tables), tmp_path / "report.html")


@pytest.mark.parametrize(
    ("text", "words"),
    [("", "cannot be read"), ("rank,x\n", "has the columns"), ("HEAD\na,b\n", "has the columns")],
)
def test_damaged_tables_are_refused(folder, text, words):
    path = folder / "report_data" / "ranks.csv"
    path.write_text(text.replace("HEAD", path.read_text().splitlines()[0]))
    with pytest.raises(InputError, match=words):
        read_report_data(folder / "report_data")


def test_cells_of_another_type_are_refused(folder):
    path = folder / "report_data" / "reliability.csv"
    path.write_text(path.read_text().replace("0.", "zero ", 1))
    with pytest.raises(InputError, match="no float"):
        read_report_data(folder / "report_data")


def test_the_json_is_plain(folder):
    stored = json.loads((folder / "report_data" / "report.json").read_text(encoding="utf-8"))
    assert stored["format"] == 1
    assert stored["facts"]["title"] == "Missing links, and how sure each is"
