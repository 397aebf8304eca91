"""Reader of NetworkX graphs and of objects with the same methods."""

from __future__ import annotations

from typing import Any

from latentlink.errors import InputError
from latentlink.network.names import sorted_names
from latentlink.network.readers.listing import Listing
from latentlink.network.readers.node_labels import NameTable
from latentlink.validation.columns import parsed_numbers

__all__ = ["graph_listing"]


def graph_listing(graph: Any, value: str | None) -> tuple[Listing, bool]:
    """Return the listing of a graph's edges, and whether the graph is directed."""
    if not all(hasattr(graph, name) for name in ("is_directed", "edges", "nodes")):
        raise InputError(
            f"The graph is of type {type(graph).__name__}; expected one with is_directed(), nodes and "
            "edges(data=True), as NetworkX has."
        )
    names, name_of = _node_names(list(graph.nodes))
    edges = list(graph.edges(data=True))
    table = NameTable()
    table.update(zip(names, range(len(names)), strict=True))
    listing = Listing(
        table.numbers([name_of[one] for one, _, _ in edges]),
        table.numbers([name_of[other] for _, other, _ in edges]),
        shape=(len(names), len(names)),
        row_names=names,
        col_names=names,
        locate=lambda position: f"edge {edges[position][:2]!r}",
    )
    if value is not None:
        values = [_attribute(edge, value) for edge in edges]
        listing.values = parsed_numbers(values, len(edges), f"attribute {value!r}", listing.locate)
    return listing, bool(graph.is_directed())


def _node_names(nodes: list[Any]) -> tuple[list[str], dict[Any, str]]:
    """Return the sorted names of the nodes, and the name of each node."""
    if not nodes:
        raise InputError("The graph has no nodes; expected at least one.")
    labels: dict[str, Any] = {}
    for node in nodes:
        if str(node) in labels:
            raise InputError(
                f"Two nodes have the same name as text, {str(node)!r}: {labels[str(node)]!r} and {node!r}. "
                "Rename one with networkx.relabel_nodes."
            )
        labels[str(node)] = node
    return sorted_names(list(labels)), {node: name for name, node in labels.items()}


def _attribute(edge: tuple[Any, Any, dict[str, Any]], value: str) -> Any:
    one, other, attributes = edge
    if value not in attributes:
        raise InputError(
            f"The edge ({one!r}, {other!r}) has no attribute {value!r}; it has "
            f"{', '.join(map(repr, attributes)) or 'none'}. Leave value=None to make every link 1."
        )
    return attributes[value]
