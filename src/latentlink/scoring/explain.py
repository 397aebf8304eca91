"""Explanation of a score: the contribution of each component and each bias."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.network import Network
from latentlink.scoring.pair_model import Members
from latentlink.scoring.scorer import Scorer
from latentlink.tables import Table

__all__ = ["explain_pair"]

Array = NDArray[Any]

_LEADERS = 3  # nodes named for each component
_CONSTANTS = ("offset", "constant")  # the same for all pairs


def explain_pair(network: Network, scorer: Scorer, row: int, col: int, by: str | None = None) -> Table:
    """Return the contributions to a pair's score, and the nodes that have most of each component.

    Parameters
    ----------
    network : Network
        The training network.
    scorer : Scorer
    row, col : int
    by : {"model", "ensemble"} or None
        Contributions of the central model, or means over the members.

    Returns
    -------
    Table
        With the columns part, contribution, spread (over the members), rows and columns (leading nodes). The
        largest contributions are first, by their absolute size; what is the same for all pairs is last.
    """
    models = scorer.models(by)
    parts, each = _contributions(models, row, col)
    spread = each.std(axis=0)
    if not scorer.uses_ensemble(by):
        of_members = dict(zip(*_spreads(scorer.members, row, col), strict=True))
        spread = np.array([of_members.get(part, 0.0) for part in parts])
    leaders = [_leading_nodes(network, models, c) for c in range(models[0].W.shape[1])]
    leaders += [("", "")] * (len(parts) - len(leaders))
    leading_rows, leading_columns = zip(*leaders, strict=True)
    contribution = each.mean(axis=0)
    columns = {
        "part": np.array(parts),
        "contribution": contribution,
        "spread": spread,
        "rows": np.array(leading_rows),
        "columns": np.array(leading_columns),
    }
    order = np.lexsort((-np.abs(contribution), np.isin(parts, _CONSTANTS)))
    return Table({name: column[order] for name, column in columns.items()})


def _contributions(models: Members, row: int, col: int) -> tuple[list[str], Array]:
    """Return the names of all terms, and their values, shape (models, terms); 0 where a model has none."""
    named = [model.contributions(row, col) for model in models]
    parts = list(dict.fromkeys(part for each in named for part in each))
    return parts, np.array([[each.get(part, 0.0) for part in parts] for each in named])


def _spreads(members: Members, row: int, col: int) -> tuple[list[str], list[float]]:
    parts, each = _contributions(members, row, col)
    return parts, each.std(axis=0).tolist()


def _leading_nodes(network: Network, models: Members, c: int) -> tuple[str, str]:
    """Name the rows and columns with the largest entries of a component, over all models."""
    rows = _largest([model.W[:, c] for model in models], network.row_names)
    return rows, _largest([model.H[c] for model in models], network.col_names)


def _largest(sides: list[Array], names: NDArray[np.str_] | None) -> str:
    """Name the few nodes of largest size; those at 0 do not belong to the component."""
    size = np.mean([side / (np.abs(side).max() or 1.0) for side in sides], axis=0)
    order = np.argsort(-np.abs(size), kind="stable")[:_LEADERS]
    return ", ".join(str(i) if names is None else str(names[i]) for i in order.tolist() if size[i])
