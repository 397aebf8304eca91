"""Scores and features that all pairs of some rows have at the cost of a few matrix products."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from latentlink.factors import Factors
from latentlink.proximity import LinkGraph
from latentlink.proximity.spectral import Spectrum, regularized_adjacency
from latentlink.stacking.graph_features import GraphFeatures

__all__ = ["BlockColumns", "Walks"]

Array = NDArray[Any]
Sides = tuple[Array, Array]


@dataclass(frozen=True, eq=False)
class Walks:
    """Walks of two and three links, as fourth roots of entries of R R (if rows are columns) and of R R' R.

    Attributes
    ----------
    scaled, turned : csr_array
        R, the links scaled by regularized degrees, and its transpose; see `regularized_adjacency`.
    square, symmetric : bool
        As of a `LinkGraph`.
    """

    scaled: Any
    turned: Any
    square: bool
    symmetric: bool

    @classmethod
    def of(cls, graph: LinkGraph) -> Walks:
        """Take the links of a graph."""
        scaled = regularized_adjacency(graph).astype(np.float32)
        return cls(scaled, scaled.T.tocsr(), graph.square, graph.symmetric)

    def block(self, begin: int, end: int, first: int) -> list[Array]:
        """Return the roots for the rows ``begin`` to ``end`` with all columns from ``first`` on."""
        some = self.scaled[begin:end]
        there_and_back = (some @ self.turned).toarray()
        three = (_rows_from(self.turned, first) @ there_and_back.T).T
        if not self.square:
            return [_fourth_root(three)]
        two = there_and_back if self.symmetric else (some @ self.scaled).toarray()
        return [_fourth_root(two[:, first:]), _fourth_root(three)]


@dataclass(frozen=True, eq=False)
class BlockColumns:
    """Columns for all pairs of some rows: scores of models, spectra of the links, and walks along links.

    In single precision: they are for an approximation.

    Attributes
    ----------
    products : tuple of (array, array)
        Of each model and each spectrum the factors of rows and of columns, shape (rows or columns, rank).
    walks : tuple of Walks
        In a directed graph also those of the links without their direction.
    measures : (array, array)
        Of rows, shape (measures, rows), and of columns: what is a function of one end of a pair alone.
    """

    products: tuple[Sides, ...]
    walks: tuple[Walks, ...]
    measures: tuple[Array, Array]

    @classmethod
    def of(cls, models: Sequence[tuple[Factors, ...]], features: GraphFeatures) -> BlockColumns:
        """Take the columns from what the features of pairs are computed from.

        Parameters
        ----------
        models : sequence of tuple of Factors
            Of each model of a stack one or more members, whose scores are averaged.
        features : GraphFeatures
        """
        nodes, spectral = features.links.nodes, features.links.spectral
        graph = nodes.graph
        directed = graph.square and not graph.symmetric
        row, col = (list(each) for each in zip(*nodes.measures.values(), strict=True))
        if features.non_links is not None:
            for measures, degrees in zip((row, col), features.non_links.degrees, strict=True):
                measures.append(np.log1p(degrees))
        spectra = [
            _of_spectrum(spectrum, rank)
            for spectrum in (spectral.plain, spectral.scaled)
            for rank in {spectral.ranks[0], spectral.ranks[-1]}
        ]
        return cls(
            (*map(_of_mean, models), *spectra),
            tuple(map(Walks.of, (graph, graph.undirected) if directed else (graph,))),
            (np.array(row), np.array(col)),
        )

    def block(self, begin: int, end: int, first: int) -> list[Array]:
        """Return the columns of the rows ``begin`` to ``end`` with all columns from ``first`` on."""
        columns = [left[begin:end] @ right[first:].T for left, right in self.products]
        return [*columns, *(each for walks in self.walks for each in walks.block(begin, end, first))]


def _of_mean(models: Sequence[Factors]) -> Sides:
    """Return the factors of the mean score of some models, before any link and without the offset."""
    left, right = zip(*(sides for model in models for sides in _sides(model)), strict=True)
    return np.hstack(left).astype(np.float32) / np.float32(len(models)), np.hstack(right).astype(np.float32)


def _sides(model: Factors) -> list[Sides]:
    """Return factors whose products add up to the score."""
    n, m = model.shape
    W, H = model.W, model.H.T
    row = np.zeros(n) if model.row_bias is None else model.row_bias
    col = np.zeros(m) if model.col_bias is None else model.col_bias
    if not model.symmetric:
        return [(W, H), (np.column_stack([row, np.ones(n)]), np.column_stack([np.ones(m), col]))]
    bias = (row + col)[:, None] / 2
    one = np.ones((n, 1))
    return [(W / 2, H), (H / 2, W), (np.hstack([bias, one]), np.hstack([one, bias]))]


def _of_spectrum(spectrum: Spectrum, rank: int) -> Sides:
    left = spectrum.left[:, :rank] * spectrum.values[:rank]
    return left.astype(np.float32), spectrum.right[:, :rank].astype(np.float32)


def _fourth_root(walks: Array) -> Array:
    return np.sqrt(np.sqrt(walks))


def _rows_from(matrix: Any, first: int) -> Any:
    """Return the rows of a CSR matrix from one on, as views of its arrays."""
    begin = matrix.indptr[first]
    arrays = matrix.data[begin:], matrix.indices[begin:], matrix.indptr[first:] - begin
    return sparse.csr_array(arrays, shape=(matrix.shape[0] - first, matrix.shape[1]))
