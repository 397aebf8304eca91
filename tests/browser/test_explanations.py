"""Explanations, the table on a phone and on paper, in a real browser."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink import LinkStack, Network
from latentlink.report import gather_report, write_report
from latentlink.tables import Table


@pytest.fixture(scope="module")
def decided(reported, tmp_path_factory):
    """The page of a list whose decisions suppose another share of links than its probabilities."""
    columns = dict(reported.links.columns)
    columns["decision_probability"] = columns["probability"] / 3
    columns["decision"] = np.full(len(reported.links), "abstain")
    run = {
        "supposed_share_of_links": 0.02,
        "options": {"risk": 0.05},
        "data": "-",
        "command": "latentlink fit -",
    }
    data = gather_report(reported.model, calibrated=reported.calibrated, links=Table(columns), run=run)
    return write_report(data, tmp_path_factory.mktemp("decided") / "page.html").as_uri()


def test_the_probability_of_the_decision_is_first(browser, decided, reported):
    browser.open(decided)
    heads = browser.texts("#links-table th button")
    assert "probability at 2\u00a0% links" in heads
    assert "at 31\u00a0% links" in heads
    browser.click("tr[data-link='0'] .why")
    labels = browser.texts("#detail dt")
    assert labels[:2] == ["decision", "probability at 2\u00a0% links"]
    assert browser.texts("#detail dd")[1] == f"{reported.links['probability'][0] / 3:.3f}"
    assert browser.texts("#detail .lesser dt") == ["probability at 31\u00a0% links"]
    assert "as the decisions suppose, 0 of" in browser.texts("#risk-result")[0]
    assert browser.texts("#risk-chosen") == ["5\u00a0%"]
    assert browser.logged() == []


def test_data_that_were_piped_have_to_be_piped_again(browser, decided):
    browser.open(decided)
    assert "if the same data are piped into it" in " ".join(browser.texts("#settings p"))


def test_decisions_that_no_pair_has_cannot_be_chosen(browser, decided, reported):
    browser.open(decided)
    assert browser.texts("#decision option") == ["all", f"abstain ({len(reported.links)})"]
    browser.run("byId('decision').append(make('option', {value: 'no link'})); return 0")
    browser.run("countDecisions(byId('decision'), DATA.tables.links.decision); return 0")
    assert browser.run("[...byId('decision').options].map((each) => each.disabled)") == [False, False, True]


def test_nothing_is_lost_on_a_phone(browser, decided):
    browser.open(decided, 400)
    for name in ("rank", "score", "spread", "probability", "decision_probability", "decision"):
        box = browser.run(
            f"const box = document.querySelector('#links-table th[data-column={name}] button')"
            ".getBoundingClientRect(); return [box.width, box.height, box.left, box.right]"
        )
        assert min(box[:2]) > 0, name
        assert box[2] >= 0, name
        assert box[3] <= 400, name
    browser.click("#links-table th[data-column=spread] button")
    spreads = [float(text) for text in browser.texts("#links-table td:nth-child(7)") if text[0].isdigit()]
    assert spreads == sorted(spreads, reverse=True)
    assert browser.run("document.documentElement.scrollWidth") <= 400


def test_long_names_that_begin_alike_are_told_apart_on_a_phone(browser, decided):
    browser.open(decided, 400)
    lines = browser.run(
        "const name = document.querySelector('#links-table td .name'); name.textContent = 'sun+dog+cloud';"
        "const { whiteSpace } = getComputedStyle(name);"
        "return [name.scrollHeight, name.clientHeight, whiteSpace]"
    )
    assert lines[0] <= lines[1]
    assert lines[2] == "normal"


def test_names_are_sorted_by_their_numbers(browser, decided):
    browser.open(decided)
    order = browser.run("naturalOrder(['n11', 'n2', '100', '2', 'n2', '1', ''])")
    assert sorted(range(7), key=order.__getitem__) == [6, 5, 3, 2, 1, 4, 0]
    assert order[1] == order[4]


def test_headings_on_further_pages_of_paper_are_text(browser, decided):
    browser.open(decided, media="print")
    shown = "getComputedStyle(document.querySelector('#links-table th'), '::before').content"
    assert browser.run(shown) == '"rank"'
    assert browser.run("getComputedStyle(document.querySelector('#links-table th button')).display") == "none"


@pytest.fixture(scope="module")
def stacks(tmp_path_factory):
    """Pages of a directed network and of a table, by a stack."""
    rng = np.random.default_rng(0)
    group = rng.integers(0, 3, 24)
    folder, pages = tmp_path_factory.mktemp("stacks"), {}
    for kind, options in (("directed", {"square": True}), ("table", {})):
        target = "n" if kind == "directed" else "c"
        edges = [
            (f"n{i}", f"{target}{j}", float(rng.random() < (0.8 if group[i] == group[j] else 0.1)))
            for i in range(24)
            for j in range(24)
            if i != j and rng.random() < 0.7
        ]
        model = LinkStack(ranks=(1,), n_perturbs=2, random_state=0).fit(Network.from_edges(edges, **options))
        pages[kind] = write_report(gather_report(model), folder / f"{kind}.html").as_uri()
    return pages


def test_directed_links_are_arrows(browser, stacks):
    browser.open(stacks["directed"])
    browser.click("tr[data-link='0'] .why")
    browser.wait("document.querySelectorAll('#detail .chart[data-drawn] svg').length === 2")
    assert "with arrows" in browser.run(
        "document.querySelectorAll('#detail .chart')[1].getAttribute('aria-label')"
    )
    heads = browser.run(
        "[...document.querySelectorAll('#detail .chart')][1].querySelectorAll('.mark-symbol path').length"
    )
    # A point for each node, and a head for each link and for the predicted one.
    graph = browser.run("[DATA.neighbourhoods[0].nodes.length, DATA.neighbourhoods[0].edges.length]")
    assert heads == sum(graph) + 1
    assert browser.run(
        "arrowHeads([{ x: 0, y: 0, x2: 1, y2: 0 }, { x: 0, y: 0, x2: 0, y2: 1 }], 500).map((e) => e.angle)"
    ) == [90, 0]
    assert browser.logged() == []


def test_rows_and_columns_differ_in_colour_and_shape_with_a_legend(browser, stacks):
    browser.open(stacks["table"], 400, "dark")
    browser.click("tr[data-link='0'] .why")
    browser.wait("document.querySelectorAll('#detail .chart[data-drawn] svg').length === 2")
    graph = "[...document.querySelectorAll('#detail .chart')][1]"
    legend = browser.run(
        f"[...{graph}.querySelectorAll('.role-legend-label text')].map((each) => each.textContent)"
    )
    assert legend == ["row", "column"]
    symbols = f"[...{graph}.querySelectorAll('.role-legend-symbol path')]"
    look = "[each.getAttribute('d').includes('A'), getComputedStyle(each).fill]"
    shapes = browser.run(f"{symbols}.map((each) => {look})")
    assert shapes[0] != shapes[1]
    assert {round_one for round_one, _ in shapes} == {True, False}
    assert browser.run("document.documentElement.scrollWidth") <= 400
    assert browser.logged() == []


def test_bars_are_kinds_in_plain_words_and_parts_are_folded(browser, stacks):
    browser.open(stacks["table"])
    browser.click("tr[data-link='0'] .why")
    browser.wait("document.querySelectorAll('#detail .chart[data-drawn] svg').length === 2")
    described = browser.run("document.querySelector('#detail .chart').getAttribute('aria-label')")
    assert "shared neighbours" in described
    assert "the other" not in described
    names = browser.texts("#detail details td:first-child")
    assert any("PageRank" in name for name in names)
    assert not browser.run("document.querySelector('#detail details').open")
    kinds = browser.texts("#kinds dt")
    assert set(kinds) == set(browser.run("[...new Set(DATA.tables.explanations.part)]"))
