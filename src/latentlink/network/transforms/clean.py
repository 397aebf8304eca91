"""Cleaning of networks: duplicates, conflicting values, self loops, binary values."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import IncompatibleError
from latentlink.network.history import Step
from latentlink.network.network import Network, require_network
from latentlink.validation.choices import checked_choice
from latentlink.validation.numbers import checked_number
from latentlink.validation.wording import counted

__all__ = ["Resolution", "binarize", "drop_duplicates", "drop_self_loops", "resolve_conflicts"]

Resolution = Literal["link", "non-link", "mean", "drop"]


def drop_duplicates(network: Network) -> Network:
    """Remove listed entries that repeat another one with the same pair, value and weight.

    Pairs listed with different values are kept, and so are a known and a hidden entry (weight 0) of one
    pair: see `resolve_conflicts`.

    Parameters
    ----------
    network : Network
        May list pairs more than once.

    Returns
    -------
    Network
        The last step of its history counts the removed entries.

    Examples
    --------
    >>> network = Network.from_edges([(0, 1), (1, 2), (1, 0)], symmetric=True, duplicates="keep")
    >>> drop_duplicates(network).history[-1].sentence
    'Removed 1 entry that repeats another with the same value and weight.'
    """
    require_network(network, "drop_duplicates")
    # Only pairs listed more than once need sorting: most networks have few of them.
    repeated = np.array(network.repeated)
    repeated[:-1] |= network.repeated[1:]
    positions = np.flatnonzero(repeated)
    columns = tuple(part[positions] for part in (network.weights, network.values, network.cols, network.rows))
    order = np.lexsort(columns)
    same = np.ones(max(len(positions) - 1, 0), bool)
    for column in columns:
        same &= column[order][1:] == column[order][:-1]
    surplus = positions[order[1:][same]]
    remaining = np.ones(network.n_listed, bool)
    remaining[surplus] = False
    removed = counted(len(surplus), "entry that repeats", "entries that repeat")
    sentence = f"Removed {removed} another with the same value and weight."
    return network.subset(remaining).with_step(Step("drop_duplicates", len(surplus), sentence))


def resolve_conflicts(network: Network, how: Resolution) -> Network:
    """List every pair once, and resolve pairs that are listed with different values.

    Parameters
    ----------
    network : Network
        May list pairs more than once.
    how : {"link", "non-link", "mean", "drop"}
        Value of a pair listed with different values: the largest of them ("link"), the smallest
        ("non-link") or their weighted mean ("mean"); "drop" removes the pair from the listed entries. A pair
        listed more than once with one value keeps it. The weight is the largest of the pair. Hidden entries
        (weight 0) are ignored if the pair has a known one.

    Returns
    -------
    Network
        The last step of its history counts the pairs with different values.

    Examples
    --------
    >>> network = Network.from_edges([(0, 1, 1), (0, 1, 0), (1, 1, 1)], duplicates="keep")
    >>> resolve_conflicts(network, "link")
    Network: 2 x 2, 2 links, 0 non-links, rest unknown
    >>> resolve_conflicts(network, "drop").history[-1].sentence
    '1 pair had different values and was removed; 3 entries became 1.'
    """
    require_network(network, "resolve_conflicts")
    checked_choice(how, ("link", "non-link", "mean", "drop"), "how")
    if not network.n_listed:
        return network.with_step(Step("resolve_conflicts", 0, "Nothing is listed."))
    before, network = network.n_listed, _without_overruled(network)
    starts = np.flatnonzero(~network.repeated)
    largest = np.maximum.reduceat(network.values, starts)
    smallest = np.minimum.reduceat(network.values, starts)
    conflict = largest != smallest
    values = {"link": largest, "non-link": smallest, "mean": None, "drop": largest}[how]
    if values is None:
        values = np.where(conflict, _means(network, starts), largest)
    remaining = np.ones(len(starts), bool) if how != "drop" else ~conflict
    resolved = network.subset(starts).with_values(values)
    resolved = resolved.with_weights(np.maximum.reduceat(network.weights, starts)).subset(remaining)
    count = int(conflict.sum())
    result = {"link": "got the largest", "non-link": "got the smallest", "mean": "got their mean"}.get(how)
    result = result or f"{'was' if count == 1 else 'were'} removed"
    sentence = (
        f"{counted(count, 'pair')} had different values and {result}; "
        f"{counted(before, 'entry', 'entries')} became {resolved.n_listed:,}."
    )
    return resolved.with_step(Step("resolve_conflicts", count, sentence))


def _without_overruled(network: Network) -> Network:
    """Remove hidden entries of pairs that have a known one."""
    starts = np.flatnonzero(~network.repeated)
    has_known = np.logical_or.reduceat(network.known, starts)
    return network.subset(network.known | ~np.repeat(has_known, np.diff(starts, append=network.n_listed)))


def _means(network: Network, starts: NDArray[np.integer[Any]]) -> NDArray[np.float64]:
    """Return the weighted mean of the values of each pair; unweighted if all its entries are hidden."""
    weights = np.array(network.weights)
    hidden = np.add.reduceat(weights, starts) == 0
    weights[np.repeat(hidden, np.diff(starts, append=network.n_listed))] = 1.0
    total: NDArray[np.float64] = np.add.reduceat(weights * network.values, starts)
    return total / np.add.reduceat(weights, starts)


def drop_self_loops(network: Network) -> Network:
    """Remove listed pairs of a node with itself.

    Parameters
    ----------
    network : Network
        Symmetric, or with ``square=True``: rows and columns are the same nodes.

    Returns
    -------
    Network
        The last step of its history counts the removed entries.

    Examples
    --------
    >>> network = Network.from_edges([("a", "a"), ("a", "b"), ("b", "c")], symmetric=True)
    >>> drop_self_loops(network)
    Network: 3 x 3, symmetric, 2 links, 0 non-links, rest unknown
    """
    require_network(network, "drop_self_loops")
    if not network.square:
        raise IncompatibleError(
            "Self loops are pairs of a node with itself, but the rows and columns of this network are two "
            "kinds of nodes. Make it with symmetric=True or square=True if they are the same nodes."
        )
    loops = network.rows == network.cols
    count = int(np.count_nonzero(loops))
    sentence = f"Removed {counted(count, 'self loop')}."
    return network.subset(~loops).with_step(Step("drop_self_loops", count, sentence))


def binarize(network: Network, at: float) -> Network:
    """Threshold the values: 1 (a link) above ``at``, else 0 (a non-link).

    Parameters
    ----------
    network : Network
        With any values.
    at : float
        Threshold: values above it become 1, all others 0.

    Returns
    -------
    Network
        The last step of its history counts the values that changed.

    Examples
    --------
    >>> binarize(Network.from_dense([[5, 1], [3, 4]]), at=3)
    Network: 2 x 2, 2 links, 2 non-links, nothing else
    """
    require_network(network, "binarize")
    checked_number(at, "at", meaning=", above which a value is a link")
    values = (network.values > at).astype(np.float64)
    count = int(np.count_nonzero(values != network.values))
    links = int(values.sum())
    sentence = f"Values above {at:g} became 1 ({links:,}), all others 0 ({len(values) - links:,})."
    return network.with_values(values).with_step(Step("binarize", count, sentence))
