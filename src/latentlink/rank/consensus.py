"""Consensus clustering of nodes over the members of an ensemble, a further measure of stability."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import cophenet, linkage
from scipy.spatial.distance import squareform

from latentlink.errors import InputError
from latentlink.rank.results import RankPath, RankRecord
from latentlink.tables import Table
from latentlink.validation.choices import checked_choice
from latentlink.validation.numbers import checked_count, checked_number

__all__ = ["consensus_matrix", "consensus_table", "cophenetic_correlation", "share_ambiguous"]

Array = NDArray[np.float64]


def consensus_matrix(record: RankRecord, side: str = "columns", *, max_nodes: int = 2000) -> Array:
    """Return how often two nodes have the same largest component, as a share of the members.

    A member assigns every node to its largest component (the first of several). Of more than ``max_nodes``
    nodes evenly spaced ones are taken, since the matrix grows with the square of their number.

    Parameters
    ----------
    record : RankRecord
        The ensemble at one rank, ``model.path_[rank]``.
    side : {"columns", "rows"}
        Cluster the columns by H, or the rows by W.
    max_nodes : int, default=2000
        Largest number of nodes.

    Returns
    -------
    array, shape (nodes, nodes)

    References
    ----------
    Brunet, Tamayo, Golub and Mesirov (2004), Metagenes and molecular pattern discovery using matrix
    factorization.

    Examples
    --------
    >>> from latentlink import WNMFk
    >>> X = np.kron(np.eye(2), np.ones((4, 3)))
    >>> path = WNMFk((2,), n_perturbs=4, random_state=0).fit(X).path_
    >>> consensus_matrix(path[2])[0].round(2)
    array([1., 1., 1., 0., 0., 0.])
    """
    checked_choice(side, ("columns", "rows"), "The side")
    factors = [member.H.T if side == "columns" else member.W for member in record.members]
    count = min(len(factors[0]), checked_count(max_nodes, "max_nodes", 2))
    nodes = np.linspace(0, len(factors[0]) - 1, count).round().astype(int)
    shares = np.zeros((count, count))
    for each in factors:
        cluster = np.argmax(each[nodes], axis=1)
        shares += cluster[:, None] == cluster
    return shares / len(factors)


def cophenetic_correlation(consensus: Array) -> float:
    """Return how well a hierarchy of clusters represents a consensus matrix: 1 if perfectly.

    It is Pearson's correlation of the distances 1 - consensus with those in the dendrogram of average
    linkage (Brunet and others 2004). 1 as well if all distances are equal.
    """
    distances = squareform(1 - np.asarray(consensus, np.float64), checks=False)
    if len(distances) == 0 or np.ptp(distances) == 0:
        return 1.0
    return float(cophenet(linkage(distances, "average"), distances)[0])


def share_ambiguous(consensus: Array, low: float = 0.1, high: float = 0.9) -> float:
    """Return the share of pairs of nodes that some members join and others separate (PAC).

    Parameters
    ----------
    consensus : array, shape (nodes, nodes)
    low, high : float, default=0.1, 0.9
        A pair is ambiguous if the share of members that join it is between these, exclusive.

    References
    ----------
    Senbabaoglu, Michailidis and Li (2014), Critical limitations of consensus clustering in class discovery.

    Examples
    --------
    >>> share_ambiguous(np.array([[1.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 1.0]])).__round__(3)
    0.333
    """
    low, high = checked_number(low, "low", 0, 1), checked_number(high, "high", 0, 1)
    if not low < high:
        raise InputError(f"low is {low:g} and high is {high:g}; expected low < high.")
    pairs = squareform(np.asarray(consensus, np.float64), checks=False)
    return float(np.mean((pairs > low) & (pairs < high))) if len(pairs) else 0.0


def consensus_table(path: RankPath, *, max_nodes: int = 2000) -> Table:
    """Return cophenetic correlation and share of ambiguous pairs of rows and columns at every rank.

    Parameters
    ----------
    path : RankPath
        As a fitted estimator has it, ``model.path_``.
    max_nodes : int, default=2000
        As for `consensus_matrix`.

    Returns
    -------
    Table
        With the columns ``rank``, ``cophenetic_rows``, ``cophenetic_columns``, ``ambiguous_rows`` and
        ``ambiguous_columns``.
    """
    columns: dict[str, list[Any]] = {"rank": list(path.ranks)}
    for side in ("rows", "columns"):
        matrices = [consensus_matrix(record, side, max_nodes=max_nodes) for record in path]
        columns[f"cophenetic_{side}"] = [cophenetic_correlation(matrix) for matrix in matrices]
        columns[f"ambiguous_{side}"] = [share_ambiguous(matrix) for matrix in matrices]
    return Table({name: np.array(column) for name, column in columns.items()})
