"""The ranked unknown pairs of a model, and the ranks that it visited, as columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.cli.results.decisions import Decisions
from latentlink.cli.results.link_file import COMPONENTS
from latentlink.estimators import LinkModel, RankedFactorizer
from latentlink.network import Network
from latentlink.scoring import Calibrated
from latentlink.tables import Table

__all__ = ["factorizations", "kept_back", "link_columns", "rank_columns", "unknown_pairs"]


def kept_back(network: Network) -> Network | None:
    """Return the pairs that were kept back from a fit to calibrate it; None if there are none."""
    hidden = network.subset(~network.known)
    return hidden.with_weights(np.ones(hidden.n_listed)) if hidden.n_listed else None


def unknown_pairs(model: LinkModel, calibrated: Calibrated | None, count: int) -> Table:
    """Return the best-scored pairs that are neither known nor used in the calibration."""
    network = model.network_
    loops = 0 if not network.square or network.has_self_loops else network.shape[0]
    unknown = network.n_pairs - network.n_known - loops
    if unknown <= 0:
        nothing = np.zeros(0)
        names = network.node_names(np.zeros(0, np.int64), np.zeros(0, np.int64))
        return Table({"row": names[0], "column": names[1], "score": nothing, "spread": nothing})
    if calibrated is not None:
        return calibrated.top_links(count)
    by = "ensemble" if model.factors_.boolean else None
    return model.top_links(count, by=by, exclude=kept_back(network))


def link_columns(model: LinkModel, decisions: Decisions, pairs: Table) -> dict[str, NDArray[Any]]:
    """Return the columns of ``links.csv`` for ranked pairs.

    Parameters
    ----------
    model : LinkModel
    decisions : Decisions
    pairs : Table
        With the columns row, column, score and spread, best first.
    """
    keys = model.network_.pair_keys(pairs["row"], pairs["column"]) if len(pairs) else np.zeros(0, np.int64)
    score = pairs["score"].astype(np.float64)
    decided = decisions.columns(keys, score, pairs["spread"].astype(np.float64))
    first = {name: decided.pop(name) for name in ("probability", "spread", "decision")}
    return {
        "source": pairs["row"],
        "target": pairs["column"],
        "score": score,
        **first,
        "rank": np.arange(1, len(pairs) + 1),
        **decided,
    }


def factorizations(model: Any) -> Iterator[tuple[str, RankedFactorizer]]:
    """Yield the factorizations of a model with their names: itself, or those that it joins."""
    if isinstance(model, RankedFactorizer):
        yield type(model.solver_).__name__, model
        return
    parts = getattr(model, "models_", None) or [
        part
        for part in (getattr(model, "estimator_", None), getattr(model, "lmf_", None))
        if part is not None
    ]
    for part in parts:
        yield from factorizations(part)


def rank_columns(model: LinkModel, components: RankedFactorizer | None = None) -> dict[str, NDArray[Any]]:
    """Return the columns of ``ranks.csv``: all ranks visited by each factorization of a model.

    Parameters
    ----------
    model : LinkModel
    components : RankedFactorizer, optional
        The factorization beside a stack, which comes last.
    """
    beside = () if components is None else ((f"{COMPONENTS}{type(components.solver_).__name__}", components),)
    columns: dict[str, list[Any]] = {"model": [], "chosen": []}
    for name, part in (*factorizations(model), *beside):
        path = part.path_.to_dict()
        columns["model"] += [name] * len(part.path_)
        columns["chosen"] += [rank == part.rank_ for rank in path["rank"]]
        for key, column in path.items():
            before = len(columns["model"]) - len(column)
            columns.setdefault(key, [np.nan] * before).extend(column)
        for column in columns.values():
            column.extend([np.nan] * (len(columns["model"]) - len(column)))
    return {name: np.array(column) for name, column in columns.items()}
