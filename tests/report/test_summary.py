"""What a first reader needs first: the report in short."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from latentlink import WNMFk
from latentlink.report import ReportData, gather_report
from latentlink.report.page import page_html
from latentlink.solvers import WNMF
from latentlink.splitting import holdout
from latentlink.tables import Table
from tests.evaluation.cases import ratings
from tests.helpers.reports import HOSTILE


def findings(data):
    return {each["section"]: each for each in data.facts["summary"]}


def test_quality_list_and_components_are_told_first(reported):
    found = findings(reported.data)
    assert list(found) == ["prediction", "links", "rank"]
    metrics = reported.data.tables["metrics"]
    own = metrics["mean"][(metrics["model"] == "WNMFk") & (metrics["metric"] == "roc_auc")][0]
    assert f"ranks the link first in {100 * own:.0f} of 100 cases" in found["prediction"]["text"]
    assert found["prediction"]["finding"] == reported.data.facts["prediction"]["verdicts"][0]["headline"]
    assert found["rank"]["finding"] == reported.data.facts["rank"]["models"][0]["headline"]
    page = page_html(reported.data)
    assert page.index("In short") < page.index("What was done")
    assert found["links"]["finding"] in page


def test_the_list_is_told_by_its_decisions(reported):
    counts = dict(reported.data.facts["links"]["decisions"])
    text = findings(reported.data)["links"]["text"]
    assert f"{counts['no link']:,} are called non-links" in text
    best = {name: column[:50] for name, column in reported.links.columns.items()}
    all_links = Table({**best, "decision": np.full(50, "link")})
    data = gather_report(
        reported.model,
        calibrated=reported.calibrated,
        links=all_links,
        run={"options": {"risk": 0.05}},
    )
    found = findings(data)["links"]
    assert found["finding"] == "Read the list as a ranking, not as a count of links"
    assert f"the best of {data.facts['data']['unknown']:,} unknown pairs" in found["text"]
    page = page_html(data).split("<script")[0]
    assert page.count(found["finding"]) == 2  # in short, and beside the list, with what it rests on
    assert page.count("At most 5\N{NO-BREAK SPACE}% of the decisions are wrong") == 1


def test_a_model_alone_says_what_is_missing(weighted):
    found = findings(gather_report(weighted))
    assert found["prediction"]["finding"] == "Not measured"
    assert "No pairs were held out" in found["prediction"]["text"]


def test_a_ranking_without_a_calibration_has_no_decisions(reported):
    columns = reported.links.columns
    plain = {name: columns[name] for name in ("source", "target", "score")}
    undecided = Table({**plain, "decision": np.full(len(reported.links), "abstain")})
    found = findings(gather_report(reported.model, links=undecided))
    assert found["links"]["finding"] == f"{len(reported.links):,} pairs are ranked"
    assert "Nothing was calibrated" in found["links"]["text"]
    decided = findings(gather_report(reported.model, links=reported.links))
    assert "called links" in decided["links"]["finding"]


def test_a_ranking_with_probabilities_alone_says_so(reported):
    found = findings(gather_report(reported.model, calibrated=reported.calibrated))
    assert "pairs are ranked" in found["links"]["finding"]
    assert "a probability" in found["links"]["text"]
    assert "Nothing was calibrated" not in found["links"]["text"]


def test_values_are_told_by_their_errors():
    split = holdout(ratings(shape=(25, 20)), 0.2, rng=0)
    model = WNMFk((1,), solver=WNMF(ridge=0.3), n_perturbs=3, random_state=0).fit(split.train)
    found = findings(gather_report(model, calibrated=model.calibrate(split.test)))
    assert "typical error (RMSE) is" in found["prediction"]["text"]
    assert "best simple rule" in found["prediction"]["text"]
    assert "values are predicted" in found["links"]["finding"]


def test_a_number_of_components_that_is_not_clear_is_no_figure_of_the_head(reported):
    def tiles(data):
        return re.findall(r"<dt>(.*?)</dt>", page_html(data).split("<nav")[0])

    assert "components" in tiles(reported.data)
    models = [
        {**reported.data.facts["rank"]["models"][0], "headline": "No clear number of components", "rank": 4}
    ]
    unclear = replace(reported.data, facts={**reported.data.facts, "rank": {"models": models}})
    assert "components" not in tiles(unclear)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("/home/ann/links.csv", "links.csv"),
        ("-", "standard input"),
        (HOSTILE[0], "&lt;img src=x onerror=alert(1)&gt;"),
        ("x" * 500, "x" * 79 + "…"),
    ],
)
def test_the_page_names_its_data(reported, name, shown):
    page = page_html(gather_report(reported.model, run={"data": name}))
    assert f"<bdi>{shown}</bdi>" in page.split("<nav")[0]
    assert f"{shown} \N{EN DASH} latentlink</title>" in page


def test_data_of_an_older_report_have_no_summary(reported):
    facts = {name: each for name, each in reported.data.facts.items() if name not in {"summary", "source"}}
    assert "In short" not in page_html(ReportData(facts, reported.data.tables))


def test_a_percent_sign_stays_with_its_number(reported):
    assert not re.search(
        r"\d %", re.sub(r"<(script|style|code|dd).*?</\1>", "", page_html(reported.data), flags=re.DOTALL)
    )
