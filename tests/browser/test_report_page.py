"""The report page in a real browser: it draws, asks for nothing, and every control works."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from latentlink import RNMFk, WNMFk
from latentlink.report import write_report
from latentlink.tables import Table
from tests.helpers.reports import HOSTILE, Reported


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1400])
def test_it_draws_without_an_error_or_a_request(browser, page, width, theme):
    browser.open(page, width, theme)
    assert browser.logged() == []
    assert browser.requested() == [page]
    assert browser.run("document.querySelectorAll('.chart svg').length") >= 5
    assert browser.texts(".wrong") == []
    # Nothing is wider than the window, and the background is that of the theme.
    assert browser.run("document.documentElement.scrollWidth") <= width
    background = browser.run("getComputedStyle(document.body).backgroundColor")
    assert background == {"light": "rgb(255, 255, 255)", "dark": "rgb(18, 23, 30)"}[theme]
    # Charts have the colours of the theme: their text is not that of the background.
    assert browser.run("getComputedStyle(document.querySelector('.chart svg text')).fill") != background


def column(browser, name):
    head = browser.run("[...document.querySelectorAll('#links-table th')].map((each) => each.dataset.column)")
    cells = f"#links-table tbody td:nth-child({head.index(name) + 1})"
    return browser.texts(cells)


@pytest.mark.parametrize("width", [400, 1400])
def test_links_are_sorted_by_a_click_on_a_heading(browser, page, reported, width):
    browser.open(page, width)
    assert column(browser, "rank") == [str(rank) for rank in range(1, 21)]
    heading = "#links-table th[data-column=probability]"
    browser.click(f"{heading} button")
    assert browser.run(f"document.querySelector('{heading}').getAttribute('aria-sort')") == "descending"
    browser.click(f"{heading} button")
    shown = [float(text) for text in column(browser, "probability")]
    assert shown == sorted(reported.links["probability"].round(3).tolist())[:20]
    browser.click("#links-table th[data-column=source] button")
    names = [text.lower() for text in column(browser, "source")]
    numbers = [int(name[5:]) for name in names if name.startswith("node ")]
    assert numbers == sorted(numbers)


def test_links_are_searched_and_filtered(browser, page, reported):
    browser.open(page)
    links = reported.links
    browser.type("#search", "NODE 12")
    expected = sum("node 12" in pair for pair in zip(links["source"], links["target"], strict=True))
    assert expected > 0
    assert browser.texts("#links-count") == [f"{expected} of {len(links)} pairs match"]
    browser.click("#filters button[type=reset]")
    browser.wait(f"byId('links-count').textContent === '{len(links)} pairs'")
    browser.run(
        "byId('decision').value = 'abstain'; byId('decision').dispatchEvent(new Event('change')); return 0"
    )
    abstained = int((links["decision"] == "abstain").sum())
    assert f"abstain ({abstained})" in browser.texts("#decision option")
    assert browser.texts("#links-count") == [f"{abstained} of {len(links)} pairs match"]
    assert set(column(browser, "decision")) == {"abstain"}
    browser.click("#filters button[type=reset]")

    def count_of(belongs):
        pairs = zip(links["source"].tolist(), links["target"].tolist(), strict=True)
        return sum(any(belongs(name) for name in pair) for pair in pairs)

    browser.type("#node", "NODE 1")  # how names begin, and no name itself
    beginning = count_of(lambda name: name.startswith("node 1"))
    assert browser.texts("#links-count") == [f"{beginning} of {len(links)} pairs match"]
    browser.type("#node", "Node 12")  # a whole name, but for the case
    assert browser.texts("#links-count") == [f"{count_of('node 12'.__eq__)} of {len(links)} pairs match"]


def test_pages_of_links_are_turned(browser, page, reported):
    browser.open(page)
    browser.click("#next")
    assert column(browser, "rank")[0] == "21"
    browser.click("#previous")
    assert column(browser, "rank")[0] == "1"
    assert browser.run("byId('previous').disabled")


@pytest.fixture(scope="module")
def levels():
    risk, coverage = np.array([0.005, 0.02, 0.05]), np.array([0.5, 0.9, 1.0])
    return Table(
        {"risk": risk, "coverage": coverage, "links": np.array([0, 7, 31]), "accepted": np.array([0, 0, 1])}
    )


@pytest.fixture(scope="module")
def sliding(reported, levels, tmp_path_factory):
    """The page of a model that has a choice of risks."""
    data = replace(reported.data, tables={**reported.data.tables, "risk_levels": levels})
    return write_report(data, tmp_path_factory.mktemp("sliding") / "page.html").as_uri()


@pytest.mark.parametrize("width", [400, 1400])
def test_the_slider_says_how_many_links_remain(browser, sliding, reported, levels, width):
    browser.open(sliding, width)
    table = levels
    assert browser.texts("#risk-chosen") == ["5\u00a0%"]  # it starts at the risk of the decisions
    assert browser.run("Number(byId('risk').max)") == len(table) - 1
    results = set()
    for row in range(len(table)):
        browser.run(f"byId('risk').value = {row}; byId('risk').dispatchEvent(new Event('change')); return 0")
        result = browser.texts("#risk-result")[0]
        assert f"{table['links'][row]:,} of {len(reported.links)} ranked pairs" in result
        # What is printed without the slider says which risk it stands for, and which share of links.
        assert result.startswith(f"At a risk of at most {100 * table['risk'][row]:.6g}\u00a0% ")
        assert "31\u00a0% are links" in result
        results.add(result)
    assert len(results) == len(table) > 1
    assert browser.logged() == []


def test_the_slider_is_moved_by_keys(browser, sliding):
    browser.open(sliding)
    before = browser.texts("#risk-chosen")
    browser.driver.find_element("id", "risk").send_keys("\ue012")  # arrow left
    assert browser.texts("#risk-chosen") != before


@pytest.mark.parametrize("width", [400, 1400])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_link_is_explained(browser, page, reported, width, theme):
    browser.open(page, width, theme)
    browser.click("tr[data-link='0'] .why")
    browser.wait("document.querySelectorAll('#detail .chart[data-drawn] svg').length === 2")
    links = reported.links
    assert browser.texts("#detail-title bdi") == [links["source"][0], links["target"][0]]
    explanation = browser.run("document.querySelector('#detail .chart').getAttribute('aria-label')")
    first = reported.model.explain((links["source"][0], links["target"][0]))
    assert f"{first['part'][0]} {first['contribution'][0]:.3f}" in explanation
    assert browser.run("document.activeElement.id") == "detail"
    assert browser.run("document.documentElement.scrollWidth") <= width
    assert browser.logged() == []
    browser.run("document.querySelector('#detail > button').click(); return 0")
    assert browser.run("byId('detail').hidden")
    # The reader is back where the question was asked.
    assert browser.run("document.activeElement.closest('tr').dataset.link") == "0"


def test_an_explanation_is_closed_by_the_escape_key(browser, page):
    browser.open(page)
    browser.click("tr[data-link='2'] .why")
    browser.wait("!byId('detail').hidden")
    browser.driver.find_element("id", "detail").send_keys("\ue00c")  # escape
    assert browser.run("byId('detail').hidden")
    assert browser.run("document.activeElement.closest('tr').dataset.link") == "2"
    assert browser.texts("tr.chosen") == []


def test_the_table_fits_a_phone_whatever_the_names(browser, page):
    browser.open(page, 400)
    inner, outer = browser.run(
        "const table = byId('links-table'); return [table.scrollWidth, table.parentElement.clientWidth]"
    )
    assert inner <= outer
    assert browser.run("document.querySelector('.why').getBoundingClientRect().right") <= 400


def test_small_shares_are_no_zeros(browser, page):
    browser.open(page)
    shown = browser.run("[0, 0.0003, 0.04, 0.5, 1].map((each) => asPercent(each).replace('\\u00a0', ' '))")
    assert shown == ["0 %", "0.030 %", "4.0 %", "50 %", "100 %"]


def test_no_probability_looks_certain(browser, page):
    browser.open(page)
    shown = browser.run("[0.9996, 0.9994, 1, 0, 0.0004, 0.5].map((each) => asProbability(each))")
    assert shown == ["> 0.999", "0.999", "> 0.999", "< 0.001", "< 0.001", "0.500"]


def test_the_first_section_is_the_report_in_short(browser, page, reported):
    for width in (400, 1400):
        browser.open(page, width)
        assert browser.run("document.querySelector('main section').id") == "summary"
        findings = browser.texts("#summary .finding")
        assert findings == [each["finding"] for each in reported.data.facts["summary"]]
        assert browser.run("document.querySelector('#summary .card').getBoundingClientRect().top") < 900
    browser.click("#summary a[href='#links']")
    assert browser.run("document.activeElement.id") == "links"


def test_hostile_names_show_as_themselves(browser, page):
    browser.open(page)
    assert browser.run("document.title").startswith("Missing links, and how sure each is")
    assert browser.run("document.querySelectorAll('img').length") == 0
    for name in HOSTILE:
        browser.run(
            "byId('search').value = arguments[0]; byId('search').dispatchEvent(new Event('input')); return 0",
            name.split("\n")[0],
        )
        ends = [*column(browser, "source"), *column(browser, "target")]
        assert name.strip() in [end.strip() for end in ends]
        row = browser.run(
            "const row = document.querySelector('#links-table tbody tr'); return row.offsetHeight"
        )
        assert row < 80
    assert browser.run("document.querySelectorAll('#links-table bdi').length") > 0
    assert (
        browser.run("getComputedStyle(document.querySelector('#links-table bdi')).unicodeBidi") == "isolate"
    )
    assert browser.logged() == []


def test_every_explanation_has_a_label_of_its_own_and_a_long_name_scrolls(browser, page):
    browser.open(page, 400)
    labels = browser.run(
        "[...document.querySelectorAll('button.why')].map((each) => each.getAttribute('aria-label'))"
    )
    assert len(set(labels)) == len(labels) > 1
    tall = browser.run(
        "const name = nameElement(NAMES.indexOf('x'.repeat(10000)), true); byId('detail').hidden = false; "
        "byId('detail').append(name); return [name.offsetHeight, name.scrollHeight]"
    )
    assert tall[0] <= 200 < tall[1]
    assert browser.run("document.documentElement.scrollWidth") <= 400


def test_the_theme_can_be_switched(browser, page):
    browser.open(page, theme="dark")
    browser.click("#theme")
    assert browser.run("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    browser.wait("document.querySelectorAll('.chart svg').length >= 5")
    assert browser.logged() == []


def test_it_can_be_read_without_a_mouse(browser, page):
    """Controls have names, figures have descriptions, and the focus can reach all of them."""
    browser.open(page)
    controls = "[...document.querySelectorAll('button, input, select, a[href], summary')]"
    named = (
        "each.textContent.trim() || each.getAttribute('aria-label') || (each.labels && each.labels.length)"
    )
    assert browser.run(f"{controls}.every((each) => {named})")
    charts = "[...document.querySelectorAll('.chart')]"
    assert browser.run(f"{charts}.every((each) => each.getAttribute('aria-label').length > 20)")
    levels = browser.run(
        "[...document.querySelectorAll('h1, h2, h3')].map((each) => Number(each.tagName[1]))"
    )
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert browser.run("document.documentElement.lang") == "en"
    browser.driver.find_element("css selector", "body").send_keys("\ue004")  # tab
    assert browser.run("document.activeElement.className") == "skip"


def test_it_is_printed_in_light_colours_without_controls(browser, page):
    browser.open(page, theme="dark", media="print")
    assert browser.run("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    browser.run("document.querySelector('tr[data-link=\"0\"] .why').click(); return 0")
    for hidden in (".filters", "#detail button"):
        assert browser.run(f"getComputedStyle(document.querySelector('{hidden}')).display") == "none"
    # What is folded on the screen is printed, and which of the links are.
    browser.run(
        "window.folded = () => [...document.querySelectorAll('details')].filter((each) => !each.open).length;"
        "window.before = folded(); window.during = null;"
        "addEventListener('beforeprint', () => { window.during = folded(); }); return 0"
    )
    printed = browser.command("Page.printToPDF", printBackground=False)
    assert len(printed["data"]) > 20_000
    assert browser.run("[before > 0, during, folded() === before]") == [True, 0, True]
    assert browser.run("getComputedStyle(byId('page')).display") != "none"
    assert browser.run("getComputedStyle(byId('next')).display") == "none"


def test_more_links_and_all_components_are_printed(browser, page, reported):
    browser.open(page)
    browser.run(
        "window.lines = () => document.querySelectorAll('#links-table tbody tr').length;"
        "window.cards = () => document.querySelectorAll('#component-cards > [hidden]').length;"
        "window.seen = [lines()];"
        "addEventListener('beforeprint', () => { seen.push(lines(), cards()); }); return 0"
    )
    browser.command("Page.printToPDF", printBackground=False)
    assert browser.run("[...seen, lines()]") == [20, min(100, len(reported.links)), 0, 20]
    # Bars are backgrounds, which are printed by these alone.
    style = "getComputedStyle(document.querySelector('#component-cards .bar i'))"
    browser.open(page, media="print")
    assert browser.run(f"{style}.printColorAdjust || {style}.webkitPrintColorAdjust") == "exact"


def test_the_chosen_rank_is_marked_by_words_and_shape(browser, page):
    browser.open(page)
    words = browser.run(
        "[...document.querySelectorAll('[data-chart=ranks] svg text')].map((each) => each.textContent)"
    )
    chosen = browser.run("DATA.ranks[document.querySelector('[data-chart=ranks]').dataset.model]")
    assert f"chosen: {chosen}" in words


def test_images_of_pixels_are_drawn(browser, tmp_path):
    page = write_report(Reported(image_shape=(6, 6)).data, tmp_path / "images.html").as_uri()
    browser.open(page)
    images = "document.querySelectorAll('[data-chart=images] svg')"
    assert browser.run(f"{images}.length") == browser.run("DATA.components.images.pixels.length") > 0
    titles = "getComputedStyle(document.querySelector('[data-chart=images] figcaption')).color"
    drawn = "getComputedStyle(document.querySelector('[data-chart=images] .plus')).fill"
    colours = {}
    for theme, media in (("light", "screen"), ("dark", "screen"), ("dark", "print")):
        browser.open(page, theme=theme, media=media)
        # A title is read on the ground of the page: its colour is that of other captions.
        assert browser.run(titles) == browser.run(
            "getComputedStyle(document.querySelector('figcaption')).color"
        )
        colours[theme, media] = browser.run(drawn)
    # Paper is light, whatever the screen.
    assert colours["light", "screen"] == colours["dark", "print"] != colours["dark", "screen"]
    assert browser.logged() == []


def test_a_notebook_shows_the_same_page(browser, reported, tmp_path):
    frame = reported.model.report(calibrated=reported.calibrated)._repr_html_()
    notebook = tmp_path / "notebook.html"
    notebook.write_text(
        f"<!doctype html><meta charset=utf-8><title>notebook</title>{frame}", encoding="utf-8"
    )
    browser.driver.get(notebook.as_uri())
    browser.driver.switch_to.frame(0)
    try:
        browser.wait(
            "document.querySelector('.chart') && !document.querySelector('.chart:not([data-drawn])')"
        )
        browser.click("nav a[href='#links']")
        assert browser.run("document.activeElement.id") == "links"
        assert browser.run("document.querySelectorAll('#links-table tbody tr').length") == 20
    finally:
        browser.driver.switch_to.default_content()
    assert browser.logged() == []


def test_a_table_of_values_is_told_of_rows_and_columns(browser, tmp_path):
    rng = np.random.default_rng(0)
    X = rng.gamma(1, 1, (12, 2)) @ rng.gamma(1, 1, (2, 8))
    X[rng.random(X.shape) < 0.2] = np.nan
    model = RNMFk((2,), n_perturbs=2, random_state=0).fit(X)
    browser.open(write_report(model.report().data, tmp_path / "values.html").as_uri())
    assert browser.texts("#links-table th")[1:3] == ["row", "column"]
    assert browser.texts("label[for=node]") == ["Only this row or column"]
    browser.click("tr[data-link='0'] .why")
    captions = " ".join(browser.texts("#detail figcaption"))
    assert "Lines are known values of this row and of this column" in captions
    assert "link" not in captions
    assert browser.logged() == []


def test_components_that_are_not_to_be_read_are_folded(browser, tmp_path):
    X = np.random.default_rng(0).gamma(1, size=(30, 20))
    X[0, :5] = np.nan
    model = WNMFk((4, 6), n_perturbs=4, random_state=0).fit(X)
    data = model.report().data
    data.facts["rank"]["models"][0]["headline"] = "No clear number of components"
    browser.open(write_report(data, tmp_path / "unclear.html").as_uri())
    shown = "[...document.querySelectorAll('#component-cards > *')].filter((each) => !each.hidden).length"
    assert browser.run(shown) == 3
    browser.click("#component-cards + button")
    assert browser.run(shown) == model.rank_
    assert browser.logged() == []
