"""Networks of which only links are known: what a stack learns from, and what it warns of."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import DataWarning, warn_user
from latentlink.network import Network
from latentlink.network.names import ONE_KIND, are_numbers, share_of_common_names
from latentlink.stacking.drawn_non_links import knows_links_only, with_drawn_non_links
from latentlink.stacking.requirements import raise_if_too_few_links
from latentlink.validation.wording import counted, few, percent

__all__ = ["learned_network", "no_warnings_of_empty_lines", "warn_of_links_alone", "without_self_loops"]

_SHOWN = 5  # names of nodes in a warning
_IDS = (
    " Nodes were given as integers, which are indices, counted from 0; if they are ids, read them as names, "
    "that is as text."
)


def learned_network(estimator: Any, given: Network, seed: int) -> tuple[Network, int]:
    """Return what a stack learns from, and the number of its non-links that were drawn.

    That is the given network itself, unless only links are known. Then self loops are left out, and without
    a background non-links are drawn; warnings say what a user may not expect.

    Parameters
    ----------
    estimator : estimator
        Named in messages.
    given : Network
        With values 0 and 1.
    seed : int
        Of the draws.
    """
    only_links = knows_links_only(given)
    links = without_self_loops(given) if only_links else given
    network, drawn = with_drawn_non_links(links, seed)
    raise_if_too_few_links(estimator, network, drawn)
    if only_links:
        warn_of_links_alone(links)
    return network, drawn


def without_self_loops(network: Network) -> Network:
    """Return a network of which only links are known without the known self loops, with a warning.

    Features of a pair leave self loops out, and drawn non-links have none: as labels they would teach that
    pairs of poor features are links.
    """
    loops = network.known & (network.rows == network.cols) & network.square
    count = int(np.count_nonzero(loops))
    if not count:
        return network
    one, several = "link of a node with itself is", "links of nodes with themselves are"
    warn_user(
        f"{counted(count, one, several)} left out of what is learned: of no "
        "pair of a node with itself it is known that it is no link, so that nothing tells which nodes have "
        "one. Scores are for pairs of different nodes."
    )
    return network.subset(~loops)


def warn_of_links_alone(network: Network) -> None:
    """Warn of nodes without known links, and of two sides that probably are the same nodes."""
    _warn_of_one_kind(network)
    links, hidden = network.known & (network.values != 0), ~network.known
    for side, kind in enumerate(("node",) if network.square else ("row", "column")):
        labels = (network.row_names, network.col_names)[side]
        alone = np.setdiff1d(np.arange(network.shape[side]), _ends(network, links, side))
        kept_back = np.intersect1d(alone, _ends(network, hidden, side))
        ids = _IDS if _is_list_of_integers(network) and labels is None else ""
        for nodes, why in (
            (np.setdiff1d(alone, kept_back), "no known link"),
            (kept_back, "no link in this fit, since all that are listed are kept back from it"),
        ):
            if not len(nodes):
                continue
            shown = few(list(map(str, nodes if labels is None else labels[nodes])), _SHOWN)
            has = "has" if len(nodes) == 1 else "have"
            warn_user(
                f"{counted(len(nodes), kind)} {has} {why} ({shown}): nothing "
                "but the partner tells one pair from another, and each is scored like nodes whose links were "
                f"all hidden in training. With a partner of many links that may be a high score.{ids}"
            )


def _ends(network: Network, entries: NDArray[np.bool_], side: int) -> NDArray[Any]:
    """Return the nodes on one side of some entries; on both sides where these are nodes of one kind."""
    both = (network.rows[entries], network.cols[entries])
    return np.concatenate(both) if network.square else both[side]


def _is_list_of_integers(network: Network) -> bool:
    """Whether nodes were given by pairs, in which integers may have been ids; a matrix has no others."""
    return bool(network.history) and network.history[0].name == "from_edges"


def _warn_of_one_kind(network: Network) -> None:
    """Warn if rows and columns, read as two kinds of nodes, have many names in common.

    Numbers say little, since users and items are often both counted from 1; but a pair of equal numbers would
    be a self loop, which lists of one kind of nodes rarely have.
    """
    if network.square or network.row_names is None or network.col_names is None:
        return
    share = share_of_common_names(network.row_names, network.col_names)
    if share < ONE_KIND:
        return
    same = network.row_names[network.rows] == network.col_names[network.cols]
    if same.any() and are_numbers(network.row_names) and are_numbers(network.col_names):
        return
    warn_user(
        f"{percent(round(share, 2))} of the names are both in rows and in columns, which are taken for two "
        "kinds of nodes: (a, b) says nothing about (b, a), and a node may be linked with itself. If they are "
        "the same nodes, read the network with symmetric=True (undirected) or square=True (directed)."
    )


@contextmanager
def no_warnings_of_empty_lines() -> Iterator[None]:
    """Suppress the warnings of nodes without entries: drawn pairs are entries, and say nothing of a node."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Nothing is known of", DataWarning)
        yield
