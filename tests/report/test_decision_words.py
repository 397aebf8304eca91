"""What decisions on a list of pairs say, and what they do not."""

from __future__ import annotations

import pytest

from latentlink.report.words.decision_words import DecidedList, told_decisions


def told(unknown=300_000, **given):
    counts = given.pop("counts")
    return told_decisions(DecidedList(counts=counts, unknown=unknown, **{"risk": 0.05, **given}))


def test_a_list_of_links_alone_is_a_ranking_and_no_count():
    headline, text, more = told(counts={"link": 10_000}, share=0.5)
    assert headline == "Read the list as a ranking, not as a count of links"
    assert text.startswith("All 10,000 listed pairs are called links, since they score as known links do. ")
    assert "the best of 300,000 unknown pairs" in text
    assert text.endswith("than of the known ones (50 %).")
    assert "At most 5 % of the decisions are wrong for pairs like the known ones" in more
    assert "--base-rate" in more
    assert "--fdr" in more


def test_most_of_them_are_counted():
    text = told(counts={"link": 9500, "abstain": 500})[1]
    assert text.startswith("9,500 of the 10,000 listed pairs are called links")


def test_a_list_without_decisions_is_still_ranked():
    headline, text, more = told(counts={"abstain": 6982, "link": 1305, "no link": 1713}, share=0.5)
    assert headline == "Most pairs of the list have no decision"
    assert "1,305 are called links, 1,713 are called non-links, and 6,982 have no decision" in text
    assert "more than 5 % of the decisions on known pairs were wrong" in text
    assert "ranked all the same" in text
    assert "--base-rate" in more


def test_no_decision_at_all():
    headline, text, more = told(counts={"abstain": 40})
    assert headline == "No pair of the list has a decision"
    assert "ranked all the same" in text
    assert not more


def test_other_lists_are_counted():
    headline, text, _ = told(counts={"link": 1, "no link": 3})
    assert headline == "1 of 4 listed pairs is called a link"
    assert text == "3 are called non-links."


def test_a_list_of_all_unknown_pairs_is_no_selection():
    for counts in ({"link": 178, "no link": 462}, {"link": 640}):
        _, text, more = told(counts=counts, unknown=640)
        assert "the best of" not in text
        assert more == "At most 5 % of the decisions are wrong for pairs like the known ones."


def test_a_stated_share_of_links_needs_no_such_warning():
    _, text, more = told(counts={"link": 90, "abstain": 10}, base_rate=0.01)
    assert "Expect fewer" not in text
    assert more.endswith("suppose that 1 % of the unknown pairs are links, as stated.")


def test_the_share_that_decisions_suppose_is_named():
    words = "if 0.95 % of the unknown pairs are links"
    _, text, more = told(counts={"abstain": 40}, supposed=0.00955)
    assert f"of which at most 5 % are wrong {words}. The pairs are ranked" in text
    assert "0.95 % of the unknown pairs are links, the share of all pairs that are listed links" in more
    assert "The column decision_probability of links.csv supposes it too" in more
    assert "the column probability supposes the share among the known pairs instead" in more
    assert "is too high where fewer pairs are links" in more
    _, text, more = told(counts={"abstain": 30, "link": 10}, supposed=0.00955)
    assert f"more than 5 % of the decisions would be wrong {words}" in text
    assert "--base-rate" in more
    assert "Expect fewer" not in told(counts={"link": 40}, supposed=0.4).text


def test_unknown_pairs_that_are_like_the_known_ones():
    """Nothing is too high then, and a list of links alone is a count of links."""
    for counts, unknown in (({"link": 9900, "abstain": 100}, 300_000), ({"link": 90, "no link": 10}, 100)):
        headline, text, more = told(counts=counts, unknown=unknown, supposed=0.336, like_known=True)
        assert "listed pairs are called links" in headline
        assert "Expect fewer" not in text
        assert "Decisions suppose that 34 % of the unknown pairs are links, as of the known ones." in more
        assert "too high" not in more
        assert "Where a smaller share" not in more
    assert "at such scores" in told(counts={"abstain": 9, "link": 1}, supposed=0.3, like_known=True).text
    _, text, more = told(counts={"abstain": 9}, supposed=0.3, like_known=True)
    assert "of which at most 5 % are wrong." in text
    assert not more
    assert told(counts={"link": 9}, supposed=0.3, like_known=True).text == "All pairs have a decision."


@pytest.mark.parametrize(
    ("counts", "headline", "words"),
    [
        (
            {"link": 12, "abstain": 88},
            "12 links are discovered",
            "at most 10 % of them are expected to be false",
        ),
        ({"abstain": 100}, "No link is discovered", "no pair stands out"),
    ],
)
def test_discoveries_are_told(counts, headline, words):
    found = told(counts=counts, fdr=0.1)
    assert found.headline == headline
    assert words in found.text
    assert not found.more


def test_without_a_stated_risk_no_number_is_made_up():
    for counts, words in (
        ({"link": 9}, "The bound on wrong decisions holds for pairs like the known ones."),
        ({"link": 1, "abstain": 9}, "at such scores too many of the decisions on known pairs were wrong"),
        ({"abstain": 9}, "No decisions could be made of which few enough are wrong."),
    ):
        assert words in " ".join(told(counts=counts, risk=None))
