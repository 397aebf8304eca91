"""Why this score: what each component and each bias has in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.factors import Factors
from latentlink.network import Network

__all__ = ["contributions", "explained"]

Array = NDArray[Any]

_SHOWN = 3


def contributions(model: Any, row: int, col: int) -> tuple[list[str], Array]:
    """Return the parts of a pair's score before the link, and what each contributes.

    Their sum is the score; of a logistic model its logit. Of a Boolean product they are 1 for each component
    that covers the pair, in either direction if it is undirected, and the score is 1 if any does. Other
    scores of an undirected pair are means over both directions.

    Examples
    --------
    >>> model = Factors(np.array([[1.0, 2.0]]), np.array([[3.0], [4.0]]), offset=0.5)
    >>> contributions(model, 0, 0)
    (['component 0', 'component 1', 'offset'], array([3. , 8. , 0.5]))
    """
    if not isinstance(model, Factors):
        return model.contributions(row, col)
    parts = model.W[row] * model.H[:, col]
    if model.symmetric:
        back = model.W[col] * model.H[:, row]
        parts = np.maximum(parts, back) if model.boolean else (parts + back) / 2
    names = [f"component {c}" for c in range(model.rank)]
    values = list(parts)
    if model.row_bias is not None or model.col_bias is not None:
        names += ["row bias", "column bias"]
        values += [_bias(model, row, 0), _bias(model, col, 1)]
    if model.offset:
        names.append("offset")
        values.append(model.offset)
    return names, np.array(values, np.float64)


def _bias(model: Factors, node: int, side: int) -> float:
    """Return the bias of a node; of an undirected network the mean of both that it has."""
    biases = (model.row_bias, model.col_bias)
    asked = biases if model.symmetric else (biases[side],)
    found = [0.0 if each is None else float(each[node]) for each in asked]
    return sum(found) / len(found)


def explained(network: Network, models: Sequence[Factors], row: int, col: int) -> dict[str, Array]:
    """Return the parts of a pair's score as columns of a table: mean and spread over models, and who is who.

    The columns ``rows`` and ``columns`` name the nodes that have most of a component, over all models: what
    the component stands for.
    """
    names = contributions(models[0], row, col)[0]
    if any(getattr(model, "offset", 0.0) for model in models) and names[-1] != "offset":
        names = [*names, "offset"]
    each = np.array([_filled(*contributions(model, row, col), names) for model in models])
    tops = [_leaders(network, models, c) for c in range(getattr(models[0], "rank", 0))]
    blank = [("", "")] * (len(names) - len(tops))
    rows, cols = zip(*tops, *blank, strict=True)
    return {
        "part": np.array(names),
        "contribution": each.mean(axis=0),
        "spread": each.std(axis=0),
        "rows": np.array(rows),
        "columns": np.array(cols),
    }


def _filled(names: list[str], values: Array, wanted: list[str]) -> list[float]:
    found = dict(zip(names, values.tolist(), strict=True))
    return [found.get(name, 0.0) for name in wanted]


def _leaders(network: Network, models: Sequence[Factors], c: int) -> tuple[str, str]:
    sides = ([model.W[:, c] for model in models], [model.H[c] for model in models])
    names = (network.row_names, network.col_names)
    return tuple(  # type: ignore[return-value]
        _largest(np.mean([side / (np.abs(side).max() or 1.0) for side in each], axis=0), called)
        for each, called in zip(sides, names, strict=True)
    )


def _largest(size: Array, names: NDArray[np.str_] | None) -> str:
    """Name the few nodes of largest size; those at 0 have no part in the component."""
    order = np.argsort(-np.abs(size), kind="stable")[:_SHOWN]
    listed = [i for i in order.tolist() if size[i]]
    return ", ".join(str(i) if names is None else str(names[i]) for i in listed)
