"""What the data are: counts of nodes and pairs, and what an unlisted pair means."""

from __future__ import annotations

from typing import Any

import numpy as np

from latentlink.network import Network
from latentlink.validation.wording import counted, percent

__all__ = ["data_facts", "unknown_count"]


def data_facts(network: Network, drawn: int = 0) -> dict[str, Any]:
    """Return the description of the data in sentences, and its counts: what is kept back is counted too.

    Parameters
    ----------
    network : Network
        The training data.
    drawn : int
        Number of unlisted pairs that the fit took for non-links.
    """
    sentences = [_kind(network), _known(network), _rest(network)]
    if drawn:
        sentences.append(
            f"Only links are known. To learn what a link looks like, the model compared them with "
            f"{counted(drawn, 'unlisted pair')} drawn at random, some of which may be links."
        )
    return {
        "sentences": [sentence for sentence in sentences if sentence],
        "counts": [[label, number] for label, number in _counts(network)],
        "binary": network.is_binary,
        "zeros": network.background == 1,
        "symmetric": network.symmetric,
        "shape": list(network.shape),
        "unknown": unknown_count(network),
    }


def unknown_count(network: Network) -> int:
    """Return how many pairs are not listed; a node with itself is one if such pairs are listed."""
    loops = network.shape[0] if network.square and not network.has_self_loops else 0
    return int(network.n_pairs - loops - network.n_listed)


def _kind(network: Network) -> str:
    n, m = network.shape
    if network.symmetric:
        return f"An undirected network of {counted(n, 'node')}: a pair has no direction and counts once."
    if network.square:
        return f"A directed network of {counted(n, 'node')}: from a to b is another pair than from b to a."
    pair = ": a pair is a row and a column" if network.is_binary else ""
    return f"A table of {counted(n, 'row')} and {counted(m, 'column')}{pair}."


def _known(network: Network) -> str:
    if not network.known.any():
        return "Nothing is known of any pair."
    values = network.values  # of what was kept back from the fit, too: it belongs to the data
    if network.is_binary:
        links = int(np.count_nonzero(values))
        others = counted(len(values) - links, "non-link") if links < len(values) else "no non-link"
        drawn = _drawn(network)
        if drawn and drawn >= len(values) - links:
            others = counted(len(values) - links, "non-link was", "non-links were")
            return f"Known are {counted(links, 'link')}. {others} drawn at random, and may be links."
        mixed = ", some of which were drawn at random and may be links" if drawn else ""
        return f"Known are {counted(links, 'link')} and {others}{mixed}."
    return (
        f"Known are {counted(len(values), 'value')} from {values.min():g} to {values.max():g}, "
        f"with a mean of {values.mean():.3g}."
    )


def _drawn(network: Network) -> int:
    """Return how many non-links were drawn among the unlisted pairs, before any were held out."""
    return sum(step.touched for step in network.history if step.name == "sample_negatives")


def _rest(network: Network) -> str:
    hidden = network.values[~network.known]
    were = "was" if len(hidden) == 1 else "were"
    held = (
        f" {len(hidden):,} of the {_kept_back(network)} {were} kept back from the fit." if len(hidden) else ""
    )
    if network.background == 0:
        share = network.n_listed / max(network.n_pairs, 1)
        noun = "pairs" if network.is_binary else "entries"
        return f"That is {percent(float(f'{share:.3g}'))} of all {noun}; all others are unknown.{held}"
    if network.background == 1:
        return f"Every pair that is not listed counts as 0.{held}"
    return f"Every pair that is not listed counts as 0, with a weight of {network.background:g}.{held}"


def _kept_back(network: Network) -> str:
    """Return what is kept back: links, or listed pairs of both kinds, or values."""
    if not network.is_binary:
        return "values"
    return "links" if network.values[~network.known].all() else "listed pairs"


def _counts(network: Network) -> list[tuple[str, int]]:
    n, m = network.shape
    values, kept_back = network.values, ("of them kept back from the fit", network.n_listed - network.n_known)
    sides = [("nodes", n)] if network.square else [("rows", n), ("columns", m)]
    if not network.is_binary:
        known = [("known values", len(values))]
    else:
        links = int(np.count_nonzero(values))
        non_links = "non-links, drawn" if _drawn(network) >= len(values) - links else "known non-links"
        known = [("known links", links), (non_links, len(values) - links)]
    return [*sides, *(each for each in (*known, kept_back) if each[1])]
