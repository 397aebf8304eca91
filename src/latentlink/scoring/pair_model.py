"""The protocol of models that score pairs, and ensembles of such models."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from numpy.typing import NDArray

from latentlink.network import Network

__all__ = ["Members", "PairModel"]

Array = NDArray[Any]


class PairModel(Protocol):
    """A model that scores pairs of row and column indices: `Factors`, or a stack of several models."""

    @property
    def logistic(self) -> bool:
        """Whether scores are probabilities, sigmoids of a sum."""
        ...

    @property
    def boolean(self) -> bool:
        """Whether scores are 0 and 1."""
        ...

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns."""
        ...

    @property
    def W(self) -> Array:
        """Factors of the rows, shape (rows, rank); rank 0 for a model without components."""
        ...

    @property
    def H(self) -> Array:
        """Factors of the columns, shape (rank, columns)."""
        ...

    def score(self, rows: Any, cols: Any) -> Array:
        """Score pairs, shape (pairs,)."""
        ...

    def block(self, begin: int, end: int, first: int) -> Array:
        """Score rows ``begin`` to ``end`` with all columns from ``first`` on."""
        ...

    def contributions(self, row: int, col: int) -> Mapping[str, float]:
        """Return the terms of a pair's score before the link, by name."""
        ...


class Members(tuple[Any, ...]):
    """Models of an ensemble, scored one after the other.

    A subclass may do work once that its models share, and may have an approximation for large networks.
    """

    __slots__ = ()

    def scores(self, rows: Array, cols: Array) -> Iterator[Array]:
        """Yield the scores of pairs by each model."""
        return (model.score(rows, cols) for model in self)

    def blocks(self, begin: int, end: int, first: int) -> Iterator[Array]:
        """Yield the scores of a block by each model."""
        return (model.block(begin, end, first) for model in self)

    def contributions(self, rows: Array, cols: Array) -> Iterator[list[Mapping[str, float]]]:
        """Yield the terms of each pair's score before the link, by name, by each model."""
        pairs = list(zip(rows.tolist(), cols.tolist(), strict=True))
        return ([model.contributions(row, col) for row, col in pairs] for model in self)

    def approximation(self, network: Network) -> Members | None:
        """Return a model whose best pairs contain those of the mean of the models, if all pairs are too many.

        Parameters
        ----------
        network : Network
            The training network.

        Returns
        -------
        Members or None
            None if all pairs are to be scored.
        """
        return None
