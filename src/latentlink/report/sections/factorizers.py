"""The factorizations inside of a fitted model, by name."""

from __future__ import annotations

from typing import Any

from latentlink.estimators import (
    BayesianFactorizer,
    LinkPredictor,
    LinkStack,
    LogisticHead,
    RankedFactorizer,
    ValueStack,
)

__all__ = ["factorizers_of", "method_of", "unwrapped"]


def unwrapped(model: Any) -> Any:
    """Return the model that a `LinkPredictor` holds, or the model itself."""
    return model.estimator_ if isinstance(model, LinkPredictor) else model


def factorizers_of(model: Any) -> list[tuple[str, RankedFactorizer]]:
    """Return the factorizations of a model with their names; those of a stack are numbered."""
    if isinstance(model, RankedFactorizer):
        return [(type(model.solver_).__name__, model)]
    parts = (
        (model.estimator_, model.lmf_) if isinstance(model, LogisticHead) else getattr(model, "models_", ())
    )
    return [(f"{number}: {type(part.solver_).__name__}", part) for number, part in enumerate(parts, 1)]


def method_of(model: Any) -> str:
    """Return one sentence on what the method does, for a reader who does not know it."""
    if isinstance(model, LinkStack):
        return (
            "LinkStack scores a pair by several factorizations and by measures of the graph, such as common "
            "neighbours, and weighs them by how well they predicted links that were hidden from them."
        )
    if isinstance(model, ValueStack):
        return (
            "ValueStack predicts a value by Bayesian factorizations, by similar rows and columns and, in "
            "tables of few columns, by regressions of each column on the others, and weighs them by how well "
            f"they predicted values that were hidden from them. {model.kind_.assumption}"
        )
    if isinstance(model, LogisticHead):
        return (
            "A factorization and a logistic factorization score a pair, and logistic regression on hidden "
            "pairs turns both scores into a probability of a link."
        )
    if isinstance(model, BayesianFactorizer):
        return (
            "A Bayesian factorization: a prediction is the mean over many models that are plausible given "
            "the data, and its spread is how much these differ."
        )
    symmetric = model.network_.symmetric
    if model.factors_.boolean:
        ends = "both nodes" if symmetric else "the row and the column"
        sides = "nodes" if symmetric else "rows and a group of columns"
        return (
            "A Boolean factorization explains the data by a few components. Each component is a group of "
            f"{sides} that go together. {ends.capitalize()} have a link if at least one component contains "
            "both: one is enough, and more do not add up. The score of a pair is the share of the models of "
            "the ensemble in which that is so."
        )
    if symmetric:
        return (
            "A factorization explains the network by a few components. Each component is a group of nodes "
            "that go together, and the score of a pair is the sum over the components that both nodes share."
        )
    return (
        "A factorization explains the table by a few components. Each component is a group of rows and a "
        "group of columns that go together, and the score of a row and a column is the sum over the "
        "components that both share."
    )
