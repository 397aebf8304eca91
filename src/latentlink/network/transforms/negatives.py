"""Sampling of non-links among the unlisted pairs."""

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
    """Sample unlisted pairs and list them as non-links, for a network of which only links are known.

    Listed pairs, including hidden ones, are never drawn, nor are pairs of a node with itself in a square
    network. Some of the drawn pairs may be links that have not been observed.

    Parameters
    ----------
    network : Network
        With every pair listed once.
    count : int, optional
        Number of non-links; by default ``ratio`` times the number of known links.
    ratio : float
        Number of non-links for every known link (value other than 0); unused if ``count`` is given.
    how : {"uniform", "degree-matched"}
        "uniform": every unlisted pair has the same probability. "degree-matched": the ends of the links are
        joined at random (configuration model), so that a node has ``ratio`` times as many non-links as
        links, and its degree carries no information about the class. Ends without a free partner (hubs of
        small, dense networks) are replaced by pairs drawn with probability proportional to the product of
        the degrees of their nodes.
    rng : int, Generator or None
        Seed or random generator.

    Returns
    -------
    Network
        The drawn pairs are listed with value 0 and weight 1. The last step of the history counts them.

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
    size = _sample_size(count, ratio, len(links))
    generator = checked_rng(rng)
    codes = PairCodes(network.shape, network.symmetric, network.square)
    listed = codes.of_listed(network.rows, network.cols)
    free = codes.total - len(listed)
    if size > free:
        raise InputError(
            f"The requested number of non-links is {size:,}, but this network has only "
            f"{counted(free, 'unlisted pair')}. Set a smaller count or ratio."
        )
    note = ""
    if how == "uniform":
        drawn = unlisted_codes(distinct_numbers(free, size, generator), listed)
    else:
        drawn, unmatched = matched_codes(network, links, size, codes, generator)
        note = f"; {unmatched:,} of them only in proportion to the degrees" if unmatched else ""
    sentence = f"Added {counted(size, 'non-link')} among the unlisted pairs, {how}{note}."
    return _with_zeros(network, *codes.pairs(drawn), Step("sample_negatives", size, sentence))


def _sample_size(count: int | None, ratio: float, links: int) -> int:
    if count is not None:
        return checked_count(count, "count")
    checked_number(ratio, "ratio", 0, above=True, meaning=", the number of non-links for every link")
    size = round(ratio * links)
    if not size:
        raise InputError(
            f"ratio is {ratio}, which of {counted(links, 'known link')} makes no non-link; expected at least "
            "one. Give count, or a larger ratio."
        )
    return size


def _with_zeros(network: Network, rows: NDArray[Any], cols: NDArray[Any], step: Step) -> Network:
    zeros, ones = np.zeros(len(rows)), np.ones(len(rows))
    return network.relisted(
        np.concatenate([network.rows, rows.astype(network.rows.dtype)]),
        np.concatenate([network.cols, cols.astype(network.cols.dtype)]),
        np.concatenate([network.values, zeros]),
        np.concatenate([network.weights, ones]),
    ).with_step(step)
