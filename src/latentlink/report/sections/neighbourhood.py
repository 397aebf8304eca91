"""The neighbourhood of a pair as a small graph: what connects its two nodes in the known data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.network import Network
from latentlink.network.compressed import View

__all__ = ["neighbourhood"]

Array = NDArray[Any]

_MOST = 5  # neighbours shown of each node, and of both
_MOST_READ = 2000  # neighbours of a node that are looked at; those of larger values first


def neighbourhood(network: Network, row: int, col: int) -> dict[str, Any]:
    """Return the nodes near a pair and the known links among them, as lists.

    In a network of one kind of nodes, common neighbours of both come first. In a table, the neighbours of the
    row are columns and those of the column are rows; a link among them closes a path between the two.

    Returns
    -------
    dict
        ``nodes`` lists (name, role), where the role is "source", "target", "both" (a neighbour of both),
        "of source" or "of target"; ``edges`` lists pairs of positions among the nodes: those of a directed
        network from the first to the second.
    """
    if network.square:
        return _among_nodes(network, row, col)
    return _among_sides(network, row, col)


def _neighbours(network: Network, view: View, line: int) -> Array:
    """Return the other ends of the known links of a node, strongest first."""
    own = slice(view.indptr[line], view.indptr[line + 1])
    position = view.position[own]
    linked = network.known[position] & (network.values[position] != 0)
    others, values = view.indices[own][linked], network.values[position][linked]
    return others[np.argsort(-values, kind="stable")][:_MOST_READ]


def _links_of(network: Network, node: int) -> Iterator[tuple[int, int]]:
    """Yield the known links of a node: to others and, in a directed network, from others."""
    for other in _neighbours(network, network.csr, node).tolist():
        yield node, other
    if not network.symmetric:
        for other in _neighbours(network, network.csc, node).tolist():
            yield other, node


def _both_ways(network: Network, node: int) -> Array:
    """Return the neighbours of a node in any direction, without itself."""
    found = _neighbours(network, network.csr, node)
    if not network.symmetric:
        found = np.concatenate([found, _neighbours(network, network.csc, node)])
    return np.array(list(dict.fromkeys(found[found != node].tolist())), np.int64)


def _among_nodes(network: Network, row: int, col: int) -> dict[str, Any]:
    left, right = _both_ways(network, row), _both_ways(network, col)
    left, right = left[left != col], right[right != row]
    common = left[np.isin(left, right)][:_MOST]
    # Of nodes with many neighbours in common the others say little.
    only = [side[~np.isin(side, common)][: _MOST - len(common)] for side in (left, right)]
    others = [node for node in only[1].tolist() if node not in only[0]]
    chosen = [
        ("source", [row]),
        ("target", [col]),
        ("both", common.tolist()),
        ("of source", only[0].tolist()),
        ("of target", others),
    ]
    nodes = [(node, role) for role, members in chosen for node in members]
    place = {node: number for number, (node, _) in enumerate(nodes)}
    directed = {
        (place[one], place[other])
        for node in place
        for one, other in _links_of(network, node)
        if one in place and other in place and one != other
    }
    edges = directed if not network.symmetric else {(min(edge), max(edge)) for edge in directed}
    edges.discard((0, 1))  # the predicted link
    return _graph(network, [(node, role, 0) for node, role in nodes], edges)


def _among_sides(network: Network, row: int, col: int) -> dict[str, Any]:
    columns = _neighbours(network, network.csr, row)
    rows = _neighbours(network, network.csc, col)
    columns, rows = columns[columns != col], rows[rows != row]
    # Rows that share columns with the row first: they close paths from the row to the column.
    shared = {
        int(other): np.isin(_neighbours(network, network.csr, int(other)), columns) for other in rows[:200]
    }
    rows = np.array(sorted(shared, key=lambda other: -int(shared[other].sum()))[:_MOST], np.int64)
    linked = [_neighbours(network, network.csr, int(other)) for other in rows]
    closing = sum(
        (np.isin(columns, each).astype(np.int64) for each in linked), np.zeros(len(columns), np.int64)
    )
    columns = columns[np.argsort(-closing, kind="stable")][:_MOST]
    nodes = [(row, "source", 0), (col, "target", 1)]
    nodes += [(int(column), "of source", 1) for column in columns]
    nodes += [(int(other), "of target", 0) for other in rows]
    column_place = {node: number for number, (node, _, side) in enumerate(nodes) if side}
    edges = {
        (number, column_place[other])
        for number, (node, _, side) in enumerate(nodes)
        if not side
        for other in _neighbours(network, network.csr, node).tolist()
        if other in column_place and (node, other) != (row, col)
    }
    return _graph(network, nodes, edges)


def _graph(network: Network, nodes: list[tuple[int, str, int]], edges: set[Any]) -> dict[str, Any]:
    """Return nodes (index, role, side) by name, and edges in order."""
    names = []
    for node, role, side in nodes:
        known = network.col_names if side else network.row_names
        name = str(node) if known is None else str(known[node]).encode("utf-8", "replace").decode()
        names.append([name, role])
    return {"nodes": names, "edges": [list(edge) for edge in sorted(edges)]}
