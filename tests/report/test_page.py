"""The page as text: policy, size, escaping, and that it is a function of its data."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from pathlib import Path

import numpy as np
import pytest

import latentlink.report
from latentlink.report import ReportData, gather_report
from latentlink.report.citation import BIBTEX, CITATION
from latentlink.report.page import LARGEST_PAGE, page_html
from latentlink.report.payload import embedded_json, page_payload
from latentlink.tables import Table
from tests.helpers.reports import HOSTILE

FOLDER = Path(latentlink.report.__file__).parent
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def page(reported):
    return page_html(reported.data)


def scripts_of(page):
    return re.findall(r"<script>(.*?)</script>", page, re.DOTALL)


def payload_of(page):
    return json.loads(
        re.search(r'<script type="application/json" id="report-data">(.*?)</script>', page, re.DOTALL)[1]
    )


def sha256(text):
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_the_policy_allows_these_scripts_and_styles_alone(page):
    policy = html.unescape(re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)[1])
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"].split() == [sha256(script) for script in scripts_of(page)]
    assert rules["style-src"] == sha256(re.search(r"<style>(.*?)</style>", page, re.DOTALL)[1])
    assert "unsafe" not in policy


def test_each_colour_is_defined_once_for_light_and_dark():
    lines = (FOLDER / "assets" / "theme.css").read_text(encoding="utf-8").splitlines()
    colours = [line.split(":")[0].strip() for line in lines if "#" in line and ":" in line]
    assert len(colours) > 10
    assert len(set(colours)) == len(colours)


def test_nothing_is_loaded_from_elsewhere(page):
    assert len(scripts_of(page)) == 4
    outside = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    assert not re.search(r"""(src|href)=["'](?!#)""", outside)
    assert "@import" not in outside
    assert "url(" not in outside
    assert "sourceMappingURL" not in page


def test_markup_in_names_is_text(page):
    outside = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    assert "<img" not in page.replace("\\u003cimg", "")
    assert "&lt;img src=x onerror=alert(1)&gt;" in outside
    names = payload_of(page)["names"]
    assert set(HOSTILE) <= set(names)


def test_there_is_no_markup_in_scripts_of_ours():
    for path in (FOLDER / "assets").glob("*.js"):
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function", path.read_text()
        )


def test_no_file_of_the_page_is_long():
    sizes = {
        path.name: len(path.read_text().splitlines())
        for kind in ("assets", "templates")
        for path in (FOLDER / kind).iterdir()
    }
    assert max(sizes.values()) <= 200
    assert len(sizes) > 15


@pytest.mark.parametrize("text", ["</script>", "<!--", "a&b", "\u2028", "\u2029", "\\", '"'])
def test_embedded_json_says_the_same_without_markup(text):
    embedded = embedded_json({text: [text]})
    assert json.loads(embedded) == {text: [text]}
    assert not set("<>&\u2028\u2029") & set(embedded)


def test_the_page_is_small(page):
    assert len(page.encode()) < 1_000_000


@pytest.mark.slow
def test_the_page_is_small_whatever_the_names(reported):
    """1,000 links among 2,000 nodes whose names have 10,000 characters of four bytes each."""
    links = reported.data.tables["links"]
    names = np.array([f"{number}{chr(0x1F600) * 10_000}" for number in range(2000)], object)
    rest = {name: np.resize(column, 1000) for name, column in links.columns.items()}
    long = Table(rest | {"source": names[:1000], "target": names[1000:]})
    large = ReportData(reported.data.facts, {**reported.data.tables, "links": long})
    text = page_html(large)
    assert len(text.encode()) < LARGEST_PAGE
    shortened = payload_of(text)["names"]
    assert any(name.endswith("… (10,001 characters)") for name in shortened)


def test_the_page_depends_on_the_data_alone(reported, page):
    assert page_html(reported.data) == page


def test_numbers_in_the_page_have_six_digits(reported):
    payload = page_payload(reported.data, 100, 10)
    assert len(payload["tables"]["links"]["score"]) == 10
    assert payload["tables"]["links"]["score"][0] == pytest.approx(reported.links["score"][0], rel=1e-5)
    assert len(repr(payload["tables"]["links"]["score"][0])) <= 9


def test_missing_numbers_are_null(reported):
    table = Table({"x": np.array([np.nan, np.inf, 1.0])})
    assert page_payload(ReportData({}, {"t": table}), 9, 9)["tables"]["t"] == {"x": [None, None, 1.0]}


def test_vendored_files_are_those_of_the_record():
    listed = dict(
        re.findall(
            r"^\| `([\w.-]+)` \|.*\| `([0-9a-f]{64})` \|$",
            (FOLDER / "vendor" / "README.md").read_text(),
            re.MULTILINE,
        )
    )
    found = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in (FOLDER / "vendor").glob("*.js")
    }
    assert found == listed


def test_the_citation_is_that_of_the_repository():
    text = (ROOT / "CITATION.cff").read_text()
    title = re.findall(r"title: (.*)", text)[1]
    assert title in CITATION
    assert title in BIBTEX
    for given, family in zip(
        re.findall(r"given-names: (.*)", text), re.findall(r"family-names: (.*)", text), strict=True
    ):
        assert f"{given} {family}" in CITATION
        assert f"{family}, {given}" in " ".join(BIBTEX.split())
    assert f"version = {{{latentlink.__version__}}}" in BIBTEX


def test_reports_of_unnamed_nodes_use_their_indices(weighted):
    payload = payload_of(page_html(gather_report(weighted)))
    assert all(name.isdecimal() for name in payload["names"])
