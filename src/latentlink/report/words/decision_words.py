"""What the decisions on a list of pairs say, and what they do not, in plain words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from latentlink.tables import Table
from latentlink.validation.wording import counted, percent

__all__ = ["DecidedList", "Told", "supposition", "told_decisions", "told_of_list"]

_NEARLY_ALL = 0.9  # share of links from which a list is described as a ranking
_CALLED = {
    "link": ("is called a link", "are called links"),
    "no link": ("is called a non-link", "are called non-links"),
    "abstain": ("has no decision", "have no decision"),
}
_RANKED = "The pairs are ranked all the same: the order says which of them are more likely links."


@dataclass(frozen=True, kw_only=True)
class DecidedList:
    """A list of the best pairs with decisions.

    Attributes
    ----------
    counts : mapping of str to int
        Numbers of "link", "no link" and "abstain".
    unknown : int
        How many pairs are unknown in all.
    share : float or None
        Share of links among the known pairs that the decisions were calibrated on.
    risk : float or None
        Largest share of wrong decisions.
    base_rate : float or None
        The share of links among unknown pairs, if it was stated.
    fdr : float or None
        Largest share of false links, if decisions are discoveries.
    supposed : float or None
        The share of links among unknown pairs that decisions suppose, if none was stated.
    like_known : bool
        Whether that is the share among the known pairs, since the unknown ones are like them as far as can
        be told; else it is the share of all pairs that are listed links.
    """

    counts: Mapping[str, int]
    unknown: int
    share: float | None = None
    risk: float | None = None
    base_rate: float | None = None
    fdr: float | None = None
    supposed: float | None = None
    like_known: bool = False

    @property
    def listed(self) -> int:
        """Number of pairs in the list."""
        return sum(self.counts.values())

    @property
    def is_selection(self) -> bool:
        """Whether there are unknown pairs that are not listed."""
        return self.unknown > self.listed


class Told(NamedTuple):
    """What decisions say.

    Attributes
    ----------
    headline, text : str
        For a first reader.
    more : str
        What the bound on wrong decisions supposes, and what can be done about it.
    """

    headline: str
    text: str
    more: str = ""

    @property
    def sentences(self) -> str:
        """Headline and text in one line; a text that counts the decisions says what its headline does."""
        return self.text if self.text.startswith("Of ") else f"{self.headline}. {self.text}"


def told_decisions(decided: DecidedList) -> Told:
    """Return what decisions say, for a reader who sees some for the first time."""
    if decided.fdr is not None:
        return _discoveries(decided)
    links, abstained = decided.counts.get("link", 0), decided.counts.get("abstain", 0)
    if abstained == decided.listed:
        most = "few enough" if decided.risk is None else f"at most {percent(decided.risk)}"
        why = f"No decisions could be made of which {most} are wrong{_at_share(decided)}."
        more = "" if not _supposes_other(decided) else _more(decided)
        return Told("No pair of the list has a decision", f"{why} {_RANKED}", more)
    if links >= _NEARLY_ALL * decided.listed and not decided.like_known:
        return _nearly_all_links(decided, links)
    if 2 * abstained > decided.listed:
        many = "too many" if decided.risk is None else f"more than {percent(decided.risk)}"
        why = f"No decision (abstain): at such scores {many} of the decisions on known pairs were wrong."
        if _supposes_other(decided):
            why = (
                f"No decision (abstain): at such scores {many} of the decisions would be wrong"
                f"{_at_share(decided)}."
            )
        counts = f"Of {decided.listed:,} listed pairs {_counted(decided, *_CALLED)}."
        return Told("Most pairs of the list have no decision", f"{counts} {why} {_RANKED}", _more(decided))
    headline = f"{links:,} of {decided.listed:,} listed pairs {_CALLED['link'][links != 1]}"
    others = _counted(decided, "no link", "abstain")
    return Told(headline, f"{others}." if others else "All pairs have a decision.", _more(decided))


def supposition(decided: DecidedList) -> str:
    """Return which share of links decisions suppose, as a sentence; empty if none was found in the data."""
    if decided.supposed is None or decided.base_rate is not None or decided.fdr is not None:
        return ""
    whose = (
        ", as of the known ones" if decided.like_known else ", the share of all pairs that are listed links"
    )
    return f"Decisions suppose that {_links_among_unknown(decided)}{whose}."


def told_of_list(
    facts: Mapping[str, Any], links: Table | None, run: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Return what the decisions on the ranked links say, as facts of their section; nothing without any.

    Parameters
    ----------
    facts : mapping
        Of all sections.
    links : Table or None
        The ranked links; without probabilities nothing was calibrated, and decisions say nothing.
    run : mapping or None
        What is known of the run; its ``options`` may have risk, base_rate and fdr.
    """
    counts, options = dict(facts["links"]["decisions"]), (run or {}).get("options")
    if not (facts["data"]["binary"] and counts and links is not None and "probability" in links):
        return {}
    given = options if isinstance(options, Mapping) else {}
    decided = DecidedList(
        counts=counts,
        unknown=facts["data"]["unknown"],
        share=facts.get("risk", {}).get("links_among_pairs"),
        supposed=(run or {}).get("supposed_share_of_links"),
        like_known=bool((run or {}).get("unknown_like_known")),
        **{name: given.get(name) for name in ("risk", "base_rate", "fdr")},
    )
    return {"told": told_decisions(decided)._asdict()}


def _discoveries(decided: DecidedList) -> Told:
    links, most = decided.counts.get("link", 0), percent(decided.fdr or 0.0)
    if not links:
        return Told(
            "No link is discovered",
            f"With at most {most} false ones among them no pair stands out from the non-links. {_RANKED}",
        )
    are = "link is" if links == 1 else "links are"
    return Told(
        f"{links:,} {are} discovered",
        f"They are selected among all unknown pairs so that at most {most} of them are expected to be false. "
        "All other pairs have no decision.",
    )


def _nearly_all_links(decided: DecidedList, links: int) -> Told:
    every = "All" if links == decided.listed else f"{links:,} of the"
    text = f"{every} {decided.listed:,} listed pairs are called links, since they score as known links do."
    if decided.base_rate is None and decided.supposed is None and decided.is_selection:
        among = "" if decided.share is None else f" ({percent(float(f'{decided.share:.2g}'))})"
        text += (
            f" Expect fewer: they are the best of {decided.unknown:,} unknown pairs, of which a smaller "
            f"share are links, as a rule, than of the known ones{among}."
        )
    return Told("Read the list as a ranking, not as a count of links", text, _more(decided))


def _counted(decided: DecidedList, *names: str) -> str:
    """Return how many pairs have which decision, joined by commas."""
    parts = [counted(decided.counts[name], *_CALLED[name]) for name in names if decided.counts.get(name)]
    return ", and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def _supposes_other(decided: DecidedList) -> bool:
    """Whether decisions suppose another share of links than that among the known pairs, unasked."""
    return decided.supposed is not None and not decided.like_known


def _at_share(decided: DecidedList) -> str:
    """Return the share of links that decisions suppose, where it is not that of the known pairs."""
    return f" if {_links_among_unknown(decided)}" if _supposes_other(decided) else ""


def _links_among_unknown(decided: DecidedList) -> str:
    return f"{percent(float(f'{decided.supposed:.2g}'))} of the unknown pairs are links"


def _more(decided: DecidedList) -> str:
    """Return what the bound on wrong decisions supposes, and whether that is so for the list."""
    if decided.base_rate is not None:
        return (
            f"Probabilities and decisions suppose that {percent(decided.base_rate)} of the unknown pairs are "
            "links, as stated."
        )
    if _supposes_other(decided):
        return (
            f"{supposition(decided)} The column decision_probability of links.csv supposes it too; the "
            "column probability supposes the share among the known pairs instead, and is too high where "
            "fewer pairs are links. latentlink fit counts with another share in both if --base-rate states "
            "it, and --fdr bounds the share of false links."
        )
    bound = "The bound on wrong decisions holds for pairs like the known ones."
    if decided.risk is not None:
        bound = f"At most {percent(decided.risk)} of the decisions are wrong for pairs like the known ones."
    if decided.like_known:
        return (
            f"{bound} {supposition(decided)} Scores and degrees of the unknown pairs show no clear "
            "difference from theirs. latentlink fit counts with another share if --base-rate states it."
        )
    if not decided.is_selection:
        return bound
    return (
        f"{bound} Where a smaller share of the pairs are links more of them are wrong, the fewest at the top "
        "of the list. latentlink fit counts with that share if --base-rate states it, and --fdr bounds the "
        "share of false links."
    )
