"""Features by truncated spectra of the adjacency matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.proximity import LinkGraph
from latentlink.proximity.spectral import Spectrum, regularized_adjacency

__all__ = ["SpectralFeatures"]

Array = NDArray[Any]

_RANKS = (8, 24, 64)
_ROUNDING = 1e-10  # of the largest singular value: what is less is rounding, which a cube root would lift


@dataclass(frozen=True, eq=False)
class SpectralFeatures:
    """Entries of low-rank approximations of the links, at several ranks, as cube roots.

    Those of the adjacency matrix, those of the matrix scaled by regularized degrees, and the cosines of the
    latter. Where a rank reaches that of the matrix, the entry of a pair without a link is 0 up to rounding,
    and counts as 0.

    Attributes
    ----------
    plain, scaled : Spectrum
        Of both matrices.
    symmetric : bool
        Whether the graph is undirected: then both directions of a pair are averaged, which differ where a
        decomposition has not separated singular values that are close.
    """

    plain: Spectrum
    scaled: Spectrum
    symmetric: bool

    @classmethod
    def of(cls, graph: LinkGraph) -> SpectralFeatures:
        """Decompose the matrices of a graph."""
        plain, scaled = (
            Spectrum.of(each, _RANKS[-1]) for each in (graph.links, regularized_adjacency(graph))
        )
        return cls(plain, scaled, graph.symmetric)

    @property
    def ranks(self) -> tuple[int, ...]:
        """The ranks, up to that of the matrix; each once."""
        return tuple(sorted({min(rank, len(self.plain.values)) for rank in _RANKS}))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        forms = ("spectrum of links", "scaled spectrum", "cosine of the scaled spectrum")
        return tuple(f"{form}, rank {rank}" for rank in self.ranks for form in forms)

    def columns(self, rows: Array, cols: Array) -> list[Array]:
        """Return the columns for pairs."""
        columns = []
        plain, scaled = (self._products(each, rows, cols) for each in (self.plain, self.scaled))
        for rank, product, of_scaled in zip(self.ranks, plain, scaled, strict=True):
            row, col = self._lengths(rank)
            lengths = row[rows] * col[cols]
            cosine = np.divide(of_scaled, lengths, out=np.zeros_like(of_scaled), where=of_scaled != 0)
            columns += [np.cbrt(product), np.cbrt(of_scaled), cosine]
        return columns

    def _lengths(self, rank: int) -> tuple[Array, Array]:
        row, col = self.scaled.lengths(rank)
        if self.symmetric:
            row = col = np.sqrt((row**2 + col**2) / 2)
        return row, col

    def _products(self, spectrum: Spectrum, rows: Array, cols: Array) -> Array:
        products = spectrum.products(rows, cols, self.ranks)
        if self.symmetric:
            products = (products + spectrum.products(cols, rows, self.ranks)) / 2
        return np.where(abs(products) > _ROUNDING * spectrum.values[0], products, 0.0)
