"""Drawing non-links among the pairs that are not listed."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network.history import Step
from latentlink.network.network import Network, require_network
from latentlink.network.pair_codes import PairCodes, distinct_numbers, unlisted_codes
from latentlink.network.transforms.degree_matched import matched_codes
from latentlink.validation.choices import checked_choice
from latentlink.validation.numbers import checked_count, checked_number
from latentlink.validation.seeds import checked_rng
from latentlink.validation.wording import counted

__all__ = ["sample_negatives"]


def sample_negatives(
    network: Network,
    count: int | None = None,
    *,
    ratio: float = 1.0,
    how: Literal["uniform", "degree-matched"] = "uniform",
    rng: int | np.random.Generator | None = None,
) -> Network:
    """Add pairs that are not listed as non-links, for a network of which only links are known.

    Pairs that are listed, hidden ones too, are never drawn, nor a node with itself where rows and columns
    are the same nodes. Some of the pairs drawn may be links that nobody has seen yet.

    Parameters
    ----------
    network : Network
        With every pair listed once.
    count : int, optional
        How many to draw; without it, ``ratio`` for every known link.
    ratio : float
        Non-links drawn for every known link (value other than 0).
    how : {"uniform", "degree-matched"}
        Uniform: every unlisted pair is as likely as any other. Degree-matched: the links are taken apart and
        their ends joined anew at random, so that a node has ``ratio`` times as many drawn non-links as it
        has links, and its number of links alone tells nothing. Ends that find no free partner (hubs of
        small, dense networks) are replaced by pairs drawn with probability proportional to the product of
        the numbers of links of their nodes.
    rng : int, Generator or None
        Seed of the draw.

    Returns
    -------
    Network
        With the pairs drawn listed at value 0 and weight 1. Its last line of history counts them.

    Examples
    --------
    >>> links = Network.from_edges([("a", "b"), ("b", "c"), ("c", "d")], symmetric=True)
    >>> sample_negatives(links, rng=0)
    Network: 4 x 4, symmetric, 3 links, 3 non-links, nothing else
    """
    require_network(network, "sample_negatives")
    network.require_clean("sample_negatives")
    checked_choice(how, ("uniform", "degree-matched"), "how")
    links = np.flatnonzero(network.known & (network.values != 0))
    wanted = _checked_count(count, ratio, len(links))
    generator = checked_rng(rng)
    codes = PairCodes(network.shape, network.symmetric, network.square)
    listed = codes.of_listed(network.rows, network.cols)
    free = codes.total - len(listed)
    if wanted > free:
        raise InputError(
            f"{counted(wanted, 'non-link')} are asked for, but only {counted(free, 'pair')} of this network "
            "are not listed. Ask for fewer."
        )
    note = ""
    if how == "uniform":
        drawn = unlisted_codes(distinct_numbers(free, wanted, generator), listed)
    else:
        drawn, loose = matched_codes(network, links, wanted, codes, generator)
        note = f"; {loose:,} of them only in proportion to the numbers of links" if loose else ""
    sentence = f"Added {counted(wanted, 'non-link')} among the pairs not listed, {how}{note}."
    return _with_zeros(network, *codes.pairs(drawn), Step("sample_negatives", wanted, sentence))


def _checked_count(count: int | None, ratio: float, links: int) -> int:
    if count is not None:
        return checked_count(count, "count")
    checked_number(ratio, "ratio", 0, above=True, meaning=", the number of non-links for every link")
    wanted = round(ratio * links)
    if not wanted:
        raise InputError(
            f"ratio={ratio} of {counted(links, 'known link')} is no non-link at all. Give count, or a larger "
            "ratio."
        )
    return wanted


def _with_zeros(network: Network, rows: NDArray[Any], cols: NDArray[Any], step: Step) -> Network:
    zeros, ones = np.zeros(len(rows)), np.ones(len(rows))
    return network.relisted(
        np.concatenate([network.rows, rows.astype(network.rows.dtype)]),
        np.concatenate([network.cols, cols.astype(network.cols.dtype)]),
        np.concatenate([network.values, zeros]),
        np.concatenate([network.weights, ones]),
    ).with_step(step)
