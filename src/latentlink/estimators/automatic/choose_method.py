"""The choice of a method from what a network holds: links alone, links and non-links, 0/1, or values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network import Network
from latentlink.network.network import require_network
from latentlink.solvers.needs import FEWEST_LINKS
from latentlink.validation.wording import counted, percent

__all__ = ["MethodChoice", "choose_method", "component_method"]

_FEWEST_VALUES = 60  # for a stack, of which a part is hidden in inner folds
_FILLED = 0.2  # share of known entries from which a table of zeros and ones is a matrix, not a list of pairs


@dataclass(frozen=True)
class MethodChoice:
    """A method and why it was chosen.

    Attributes
    ----------
    name : str
        One of ``METHODS``.
    reason : str
        What in the data decides, as a clause.
    components : str
        The method whose components can be read, where the chosen one has none; else empty.
    """

    name: str
    reason: str
    components: str = ""


def choose_method(network: Network) -> MethodChoice:
    """Return the method that suits a network, and why.

    Parameters
    ----------
    network : Network
        With at least one known entry.

    Returns
    -------
    MethodChoice
        ``stack`` for links alone, for links and non-links, and for values; ``bnmfk`` for a matrix of zeros
        and ones of which a fifth or more is known; ``nmfk`` for values whose unlisted entries are zeros
        (``wnmfk`` with weights, ``rnmfk`` with negative values); ``wnmfk`` and ``rnmfk`` for fewer links and
        values than a stack needs. See `make_estimator` for the estimator of that name.

    Examples
    --------
    >>> choose_method(Network.from_edges([(f"n{i}", f"n{i + 1}") for i in range(99)], symmetric=True)).name
    'stack'
    >>> choose_method(Network.from_dense([[1, 0, 1], [0, np.nan, 1]])).name
    'bnmfk'
    """
    require_network(network, "choose_method")
    values = network.values[network.known]
    if not len(values):
        raise InputError("Nothing of the network is known; expected at least one entry of positive weight.")
    if not network.is_binary:
        return _of_values(network, values)
    links = int(np.count_nonzero(values))
    if network.background:
        return MethodChoice("bnmfk", "every entry is known to be 0 or 1")
    fewest = min(links, len(values) - links) if links < len(values) else links
    if links == len(values) and links >= FEWEST_LINKS:
        reason = f"{counted(links, 'link')} and no non-link are listed"
        return MethodChoice("stack", reason, component_method(network))
    share = len(values) / network.n_pairs
    if not network.square and share >= _FILLED:
        return MethodChoice("bnmfk", f"it is a matrix of zeros and ones, of which {percent(share)} is known")
    labelled = f"{counted(links, 'link')} and {counted(len(values) - links, 'non-link')} are listed"
    if fewest < FEWEST_LINKS:
        return MethodChoice("wnmfk", f"{labelled}, too few for a stack")
    return MethodChoice("stack", labelled, component_method(network))


def _of_values(network: Network, values: NDArray[np.float64]) -> MethodChoice:
    """Return the method for values, which are not links."""
    span = f"{values.min():g} to {values.max():g}"
    if network.background:  # a stack takes none
        plain = network.background == 1 and (network.weights == 1).all()
        name = "rnmfk" if values.min() < 0 else "nmfk" if plain else "wnmfk"
        return MethodChoice(name, f"the values are numbers from {span}, and all others are 0")
    if len(values) < _FEWEST_VALUES:
        return MethodChoice("rnmfk", f"{len(values)} numbers from {span} are too few for a stack")
    return MethodChoice("stack", f"the values are numbers from {span}, not links", component_method(network))


def component_method(network: Network) -> str:
    """Return the factorization whose components describe a network, where a stack predicts it.

    Examples
    --------
    >>> component_method(Network.from_dense([[1, 0, 1], [0, np.nan, 1]]))
    'wnmfk'
    """
    return "wnmfk" if network.is_binary else "rnmfk"
