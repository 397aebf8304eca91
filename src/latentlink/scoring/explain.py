"""Explanation of a score: the contribution of each component and each bias."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_expit, logsumexp

from latentlink.network import Network
from latentlink.scoring.pair_model import Members
from latentlink.scoring.scorer import Scorer
from latentlink.tables import Table

__all__ = ["AVERAGING", "explain_pair", "explained_pairs", "explanation_order"]

Array = NDArray[Any]

_LEADERS = 3  # nodes named for each component
_CONSTANTS = ("offset", "constant")  # the same for all pairs
AVERAGING = "averaging over members"


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
        largest contributions are first, by their absolute size; what is the same for all pairs is last, and
        before it the part of averaging.
    """
    parts, contribution, spread = next(explained_pairs(scorer, np.array([row]), np.array([col]), by))
    models = scorer.models(by)
    leaders = [_leading_nodes(network, models, c) for c in range(models[0].W.shape[1])]
    leaders += [("", "")] * (len(parts) - len(leaders))
    leading_rows, leading_columns = zip(*leaders, strict=True)
    columns = {
        "part": np.array(parts),
        "contribution": contribution,
        "spread": spread,
        "rows": np.array(leading_rows),
        "columns": np.array(leading_columns),
    }
    order = explanation_order(parts, contribution)
    return Table({name: column[order] for name, column in columns.items()})


def explanation_order(parts: list[str], contribution: Array) -> Array:
    """Return the order of terms: the largest by absolute size first, what all pairs share last.

    Before the last is what no single part of the model adds: the part of averaging.
    """
    place = np.where(np.isin(parts, _CONSTANTS), 2, np.isin(parts, AVERAGING))
    return np.lexsort((-np.abs(contribution), place))


def explained_pairs(
    scorer: Scorer,
    rows: Array,
    cols: Array,
    by: str | None = None,
    kind_of: Callable[[str], str] = str,
) -> Iterator[tuple[list[str], Array, Array]]:
    """Yield the terms of each pair: their names, and their contributions and spreads, shape (terms,).

    Terms of the same kind, which ``kind_of`` returns for a name, are added; by default each is its own.

    They add up to the score, or to its logit. The score of an ensemble of logistic models is a mean of
    probabilities, whose logit is not the mean of the logits: one more term, ``averaging over members``, is
    the difference of both.
    """
    models = scorer.models(by)
    of_models = _contributions(models, rows, cols, kind_of)
    if scorer.uses_ensemble(by):
        averaged = len(models) > 1 and models[0].logistic and not models[0].boolean
        for parts, each in of_models:
            contribution, spread = each.mean(axis=0), each.std(axis=0)
            if averaged:
                parts = [*parts, AVERAGING]
                contribution = np.append(contribution, _of_averaging(each.sum(axis=1)))
                spread = np.append(spread, 0.0)
            yield parts, contribution, spread
        return
    for (parts, each), (others, values) in zip(
        of_models, _contributions(scorer.members, rows, cols, kind_of), strict=True
    ):
        of_members = dict(zip(others, values.std(axis=0).tolist(), strict=True))
        yield parts, each.mean(axis=0), np.array([of_members.get(part, 0.0) for part in parts])


def _of_averaging(logits: Array) -> float:
    """Return the logit of the mean probability less the mean logit."""
    log_links, log_others = (logsumexp(log_expit(sign * logits)) for sign in (1, -1))
    return float(log_links - log_others - logits.mean())


def _contributions(
    models: Members, rows: Array, cols: Array, kind_of: Callable[[str], str]
) -> Iterator[tuple[list[str], Array]]:
    """Yield the kinds of the terms of each pair, and their values, shape (models, kinds); 0 without one."""
    for named in zip(*models.contributions(rows, cols), strict=True):
        parts = list(dict.fromkeys(part for each in named for part in each))
        values = np.array([[each.get(part, 0.0) for part in parts] for each in named])
        kinds = {kind: place for place, kind in enumerate(dict.fromkeys(map(kind_of, parts)))}
        if len(kinds) < len(parts):
            summed = np.zeros((len(values), len(kinds)))
            for part, column in zip(parts, values.T, strict=True):
                summed[:, kinds[kind_of(part)]] += column
            values = summed
        yield list(kinds), values


def _leading_nodes(network: Network, models: Members, c: int) -> tuple[str, str]:
    """Name the rows and columns with the largest entries of a component, over all models."""
    rows = _largest([model.W[:, c] for model in models], network.row_names)
    return rows, _largest([model.H[c] for model in models], network.col_names)


def _largest(sides: list[Array], names: NDArray[np.str_] | None) -> str:
    """Name the few nodes of largest size; those at 0 do not belong to the component."""
    size = np.mean([side / (np.abs(side).max() or 1.0) for side in sides], axis=0)
    order = np.argsort(-np.abs(size), kind="stable")[:_LEADERS]
    return ", ".join(str(i) if names is None else str(names[i]) for i in order.tolist() if size[i])
