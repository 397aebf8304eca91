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

__all__ = ["AVERAGING", "explain_pair", "explained_kinds", "explained_pairs", "explanation_order"]

Array = NDArray[Any]
Terms = tuple[list[str], Array, Array]

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
    scorer: Scorer, rows: Array, cols: Array, by: str | None = None
) -> Iterator[tuple[list[str], Array, Array]]:
    """Yield the terms of each pair: their names, and their contributions and spreads, shape (terms,).

    They add up to the score, or to its logit. The score of an ensemble of logistic models is a mean of
    probabilities, whose logit is not the mean of the logits: one more term, ``averaging over members``, is
    the difference of both.
    """
    for (terms,) in explained_kinds(scorer, rows, cols, by, (str,)):
        yield terms


def explained_kinds(
    scorer: Scorer, rows: Array, cols: Array, by: str | None, kinds: tuple[Callable[[str], str], ...]
) -> Iterator[list[Terms]]:
    """Yield the terms of each pair as `explained_pairs` does, once for each way to sum them by kind.

    A function of ``kinds`` returns the kind of a term by its name. What a kind of terms adds has a spread of
    its own, which is less than that of its terms where these make up for each other.
    """
    models = scorer.models(by)
    of_models = _contributions(models, rows, cols)
    if scorer.uses_ensemble(by):
        averaged = len(models) > 1 and models[0].logistic and not models[0].boolean
        for named in of_models:
            yield [_of_ensemble(*_summed(*named, kind_of), averaged) for kind_of in kinds]
        return
    for named, of_members in zip(of_models, _contributions(scorer.members, rows, cols), strict=True):
        yield [_of_model(_summed(*named, kind_of), _summed(*of_members, kind_of)) for kind_of in kinds]


def _of_ensemble(parts: list[str], values: Array, averaged: bool) -> Terms:
    """Return means and spreads over the models, with the part of averaging if there is one."""
    contribution, spread = values.mean(axis=0), values.std(axis=0)
    if averaged:
        parts = [*parts, AVERAGING]
        contribution = np.append(contribution, _of_averaging(values.sum(axis=1)))
        spread = np.append(spread, 0.0)
    return parts, contribution, spread


def _of_model(own: tuple[list[str], Array], of_members: tuple[list[str], Array]) -> Terms:
    """Return the terms of the central model, with their spreads over the members."""
    (parts, values), (others, of_others) = own, of_members
    spread = dict(zip(others, of_others.std(axis=0).tolist(), strict=True))
    return parts, values.mean(axis=0), np.array([spread.get(part, 0.0) for part in parts])


def _summed(parts: list[str], values: Array, kind_of: Callable[[str], str]) -> tuple[list[str], Array]:
    """Return the kinds of parts in the order of their first ones, and their sums, shape (models, kinds)."""
    kinds = list(dict.fromkeys(map(kind_of, parts)))
    if len(kinds) == len(parts):
        return kinds, values
    summed = np.zeros((len(values), len(kinds)))
    np.add.at(summed.T, [kinds.index(kind_of(part)) for part in parts], values.T)
    return kinds, summed


def _of_averaging(logits: Array) -> float:
    """Return the logit of the mean probability less the mean logit."""
    log_links, log_others = (logsumexp(log_expit(sign * logits)) for sign in (1, -1))
    return float(log_links - log_others - logits.mean())


def _contributions(models: Members, rows: Array, cols: Array) -> Iterator[tuple[list[str], Array]]:
    """Yield the names of the terms of each pair, and their values, shape (models, terms); 0 without one."""
    for named in zip(*models.contributions(rows, cols), strict=True):
        parts = list(dict.fromkeys(part for each in named for part in each))
        yield parts, np.array([[each.get(part, 0.0) for part in parts] for each in named])


def _leading_nodes(network: Network, models: Members, c: int) -> tuple[str, str]:
    """Name the rows and columns with the largest entries of a component, over all models."""
    rows = _largest([model.W[:, c] for model in models], network.row_names)
    return rows, _largest([model.H[c] for model in models], network.col_names)


def _largest(sides: list[Array], names: NDArray[np.str_] | None) -> str:
    """Name the few nodes of largest size; those at 0 do not belong to the component."""
    size = np.mean([side / (np.abs(side).max() or 1.0) for side in sides], axis=0)
    order = np.argsort(-np.abs(size), kind="stable")[:_LEADERS]
    return ", ".join(str(i) if names is None else str(names[i]) for i in order.tolist() if size[i])
