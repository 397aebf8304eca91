"""Requirements of models that learn the weights of scores: links and non-links, enough of both."""

from __future__ import annotations

from typing import Any

import numpy as np

from latentlink.errors import IncompatibleError, warn_user
from latentlink.network import Network
from latentlink.solvers.needs import FEWEST_LINKS, NO_OTHER_PAIRS, enough_for_stack, n_unlisted
from latentlink.validation.wording import counted

__all__ = [
    "raise_if_not_links",
    "raise_if_too_few_links",
    "warn_of_fitted_links",
    "warn_of_nodes_without_links",
    "warn_of_self_pairs",
]


def raise_if_not_links(estimator: Any, network: Network) -> None:
    """Raise unless known values are 0 and 1, which a logistic model of scores needs."""
    values = network.values[network.known]
    other = ~np.isin(values, (0, 1))
    if not other.any():
        return
    negative = bool((values < 0).any())
    if negative:
        remedy = "Binarize them with binarize(network, at=...) of latentlink.network, or choose RNMFk."
    else:
        remedy = (
            "If they tell how strong or frequent links are, list them as weights: "
            "Network.from_edges(pairs, weights=...), or columns=(row, column, None, weight) of a frame or "
            "file. Otherwise binarize them with binarize(network, at=...) of latentlink.network, or choose "
            "WNMFk or RNMFk."
        )
    others = counted(int(other.sum()), "known value is another", "known values are others")
    raise IncompatibleError(
        f"{type(estimator).__name__} is for links and non-links, values 1 and 0, but {others} "
        f"(first: {values[other][0]:g}). {remedy}"
    )


def raise_if_too_few_links(estimator: Any, network: Network, drawn: int = 0) -> None:
    """Raise for a network with too few links or non-links to learn the weights of scores from.

    Parameters
    ----------
    estimator : estimator
        Named in the message.
    network : Network
    drawn : int
        How many of its non-links were drawn, and are not known.
    """
    values = network.values[network.known]
    links, nonlinks = int((values == 1).sum()), int((values == 0).sum())
    if links >= FEWEST_LINKS and (nonlinks >= FEWEST_LINKS or network.background):
        return
    known = f"{links:,} and {nonlinks:,} are known"
    if drawn:
        pairs = counted(nonlinks, "unlisted pair was", "unlisted pairs were")
        known = f"{counted(links, 'link is', 'links are')} known, and {pairs} drawn"
    remedy = (
        _remedy_for_links_alone(estimator, network, drawn)
        if nonlinks == drawn and not network.background
        else _remedy_for_labels(estimator, network, links)
    )
    raise IncompatibleError(
        f"{type(estimator).__name__} learns the weights of scores from pairs that are held out in turn, and "
        f"needs at least {FEWEST_LINKS} links and {FEWEST_LINKS} non-links for that; {known}. {remedy}"
    )


def _background(estimator: Any) -> str:
    """Return how a network is given a background that the estimator takes: for NMF all weights are 1."""
    base = getattr(estimator, "estimator", None)
    return f"network.with_background({1 if base and base.used_solver().needs_unit_weights else 0.1})"


def _remedy_for_labels(estimator: Any, network: Network, links: int) -> str:
    """Return what can be done about too few known links or non-links."""
    background = (
        f" Give the network a background, {_background(estimator)}, if unlisted pairs are not links."
        if links >= FEWEST_LINKS and n_unlisted(network)
        else ""
    )
    return (
        f"List more of them.{background} Or choose a model without such weights: "
        "RankedFactorizer(solver=LMF())."
    )


def _remedy_for_links_alone(estimator: Any, network: Network, drawn: int) -> str:
    """Return what can be done about too few links, or too few pairs that are not listed."""
    links, unlisted = network.n_known - drawn, n_unlisted(network) + drawn
    if enough_for_stack(links, unlisted) and not estimator.takes_links_alone:
        return (
            "For a list of links alone use LinkStack().fit(network), which draws non-links by itself. Or "
            f"list non-links with value 0, {FEWEST_LINKS} or more, or give the network a background, "
            f"{_background(estimator)}, if unlisted pairs are not links."
        )
    more = "List more links" if links < FEWEST_LINKS else NO_OTHER_PAIRS
    if not unlisted:
        return f"{more}."
    return (
        f"{more}. Or choose a model without such weights, with unlisted pairs as weak non-links: "
        "RankedFactorizer(solver=LMF()).fit(network.with_background(0.1))."
    )


def warn_of_nodes_without_links(network: Network, row: int, col: int | None = None) -> None:
    """Warn if a node of a pair, or of a row, has no known link: scores then rest on the partner alone."""
    links = network.known & (network.values != 0)
    ends = [network.rows[links], network.cols[links]]
    if network.square:
        ends = [np.concatenate(ends)] * 2
    names = network.node_names(np.array([row]), np.array([col or 0]))
    for name, node, linked in zip(names, (row, col), ends, strict=True):
        if node is not None and node not in linked:
            unseen = np.concatenate([network.rows[~network.known], network.cols[~network.known]])
            hidden = " but what was kept back from the fit" if node in unseen else ""
            warn_user(
                f"{name.item()!r} has no known link{hidden}, so that nothing but its partner tells one pair "
                "from another: it is scored like nodes whose links were all hidden in training."
            )


def warn_of_fitted_links(network: Network, rows: Any, cols: Any) -> None:
    """Warn of requested pairs that are links of the training network, and scored by it as it is."""
    listed = network.positions(rows, cols)
    count = int(np.count_nonzero(network.known[listed[listed >= 0]]))
    if count:
        warn_user(
            f"{counted(count, 'pair is a link', 'pairs are links')} that the model was fitted to, and too "
            "many links were listed to hide each in turn: the score of such a pair is high whether it should "
            "be listed or not. Hold out the links in question to score them: holdout(network, 0.1)."
        )


def warn_of_self_pairs(learned: Network, rows: Any, cols: Any) -> None:
    """Warn of requested pairs of a node with itself, if what was learned from has none.

    Their features are those of no other pair (a node is at distance 0 from itself): scores mean nothing.
    """
    count = int(np.count_nonzero(np.equal(rows, cols))) if learned.square else 0
    if count and not np.any(learned.known & (learned.rows == learned.cols)):
        warn_user(
            f"{counted(count, 'pair joins', 'pairs join')} a node with itself: of such pairs nothing was "
            "learned, and their scores mean nothing."
        )
