"""The choice of a method from what a network holds: links alone, links and non-links, 0/1, or values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network import Network
from latentlink.network.network import require_network
from latentlink.solvers.needs import FEWEST_LINKS
from latentlink.validation.choices import checked_switch
from latentlink.validation.wording import counted, percent

__all__ = ["MethodChoice", "choose_method", "component_method"]

_FEWEST_VALUES = 60  # for a stack, of which a part is hidden in inner folds
_FILLED = 0.2  # share of known entries from which zeros and ones are a matrix with holes
_READ_AS = {"from_edges": False, "from_networkx": False, "from_dense": True, "from_sparse": True}  # matrices


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


def choose_method(network: Network, *, matrix: bool | None = None) -> MethodChoice:
    """Return the method that suits a network, and why.

    Parameters
    ----------
    network : Network
        With at least one known entry.
    matrix : bool, optional
        Whether the data are a matrix with holes (True) or a list of pairs (False), which decides on zeros and
        ones. By default a network made by `Network.from_edges` or `Network.from_networkx` is a list, and any
        other a matrix if a fifth or more of it is known: say ``matrix=False`` of a list read by
        `Network.from_file`.

    Returns
    -------
    MethodChoice
        ``stack`` for links alone, for listed links and non-links, and for values; ``bnmfk`` for a matrix of
        zeros and ones of which a fifth or more is known; ``nmfk`` for values whose unlisted entries are zeros
        (``wnmfk`` with weights, ``rnmfk`` with negative values); ``wnmfk`` and ``rnmfk`` for fewer links and
        values than a stack needs. See `make_estimator` for the estimator of that name.

    Examples
    --------
    >>> choose_method(Network.from_edges([(f"n{i}", f"n{i + 1}") for i in range(99)], symmetric=True)).name
    'stack'
    >>> choose_method(Network.from_dense([[1, 0, 1], [0, np.nan, 1]])).name
    'bnmfk'
    >>> labelled = [(f"d{i}", f"t{j}", (i + j) % 2) for i in range(9) for j in range(9) if (i + j) % 4]
    >>> choose_method(Network.from_edges(labelled)).name
    'stack'
    """
    require_network(network, "choose_method")
    if matrix is not None:
        checked_switch(matrix, "matrix")
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
    if not network.square and share >= _FILLED and _may_be_a_matrix(network, matrix):
        return MethodChoice("bnmfk", f"it is a matrix of zeros and ones, of which {percent(share)} is known")
    labelled = f"{counted(links, 'link')} and {counted(len(values) - links, 'non-link')} are listed"
    if fewest < FEWEST_LINKS:
        return MethodChoice("wnmfk", f"{labelled}, too few for a stack")
    return MethodChoice("stack", labelled, component_method(network))


def _may_be_a_matrix(network: Network, matrix: bool | None) -> bool:
    """Whether the data are a matrix by what is said, else by how the network was made."""
    if matrix is not None:
        return matrix
    maker = network.history[0].name if network.history else ""
    return _READ_AS.get(maker, True)


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
