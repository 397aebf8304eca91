"""The prior of the nodes of one side: normal, with a mean and a precision that are learned.

    node ~ Normal(mean, L^-1),   mean | L ~ Normal(m0, (b0 L)^-1),   L ~ Wishart(U^-1, v0),

with b0 = 2, v0 the number of coordinates, and the diagonal matrix U of the squared units of the coordinates
(Salakhutdinov and Mnih 2008 have U = 1). Given n nodes with the mean a and the scatter matrix S, it is of the
same form with

    b = b0 + n,   m = (b0 m0 + n a) / b,   v = v0 + n,   U + S + (b0 n / b) (a - m0)(a - m0)'.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["NormalWishart", "transposed"]

Array = NDArray[Any]

_MEAN_COUNT = 2.0  # b0: the nodes that the prior mean counts for


@dataclass(frozen=True, eq=False)
class NormalWishart:
    """The distribution of the mean and the precision of the nodes of one side, in each of several chains.

    Attributes
    ----------
    count : float
        The number of nodes that the mean counts for.
    mean : array, shape (chains, coordinates)
    freedom : array, shape (chains,)
        Degrees of freedom of the precision.
    scatter : array, shape (chains, coordinates, coordinates)
        Inverse of the scale matrix of the Wishart distribution.
    """

    count: float
    mean: Array
    freedom: Array
    scatter: Array

    @classmethod
    def prior(cls, centres: Array, units: Array) -> NormalWishart:
        """Return the prior around some centres, for coordinates of some units; (chains, coordinates) both."""
        chains, size = units.shape
        return cls(_MEAN_COUNT, centres, np.full(chains, float(size)), np.eye(size) * (units**2)[:, None])

    def given(self, nodes: int, total: Array, squares: Array) -> NormalWishart:
        """Return the distribution given some nodes, of which it needs the sum and the Gram matrix."""
        average = total / nodes
        count = self.count + nodes
        scatter = squares - nodes * _outer(average)
        shift = self.count * nodes / count * _outer(average - self.mean)
        return NormalWishart(
            count,
            (self.count * self.mean + total) / count,
            self.freedom + nodes,
            self.scatter + scatter + shift,
        )

    def draw(self, rngs: Sequence[np.random.Generator]) -> tuple[Array, Array]:
        """Draw a mean and a precision matrix for each chain, by Bartlett's decomposition."""
        size = self.mean.shape[1]
        diagonal = np.arange(size)
        triangles = np.stack([rng.standard_normal((size, size)) for rng in rngs])
        triangles[:, *_upper(size)] = 0
        triangles[:, diagonal, diagonal] = np.sqrt(
            [rng.chisquare(freedom - diagonal) for freedom, rng in zip(self.freedom, rngs, strict=True)]
        )
        normals = np.stack([rng.standard_normal(size) for rng in rngs])
        # The precision is Q Q' with Q = C'^-1 T, so that the covariance is Q'^-1 Q^-1.
        roots = np.linalg.solve(transposed(np.linalg.cholesky(self.scatter)), triangles)
        steps = np.linalg.solve(transposed(roots), normals[..., None])[..., 0]
        return self.mean + steps / np.sqrt(self.count), roots @ transposed(roots)

    def expected(self) -> tuple[Array, Array]:
        """Return the expected mean and precision matrix of each chain."""
        return self.mean, self.freedom[:, None, None] * np.linalg.inv(self.scatter)


@cache
def _upper(size: int) -> tuple[Array, Array]:
    """Return the indices on and above the diagonal of a matrix."""
    return np.triu_indices(size)


def transposed(matrices: Array) -> Array:
    """Return the transposes of several matrices."""
    return matrices.transpose(0, 2, 1)


def _outer(vectors: Array) -> Array:
    products: Array = vectors[:, :, None] * vectors[:, None, :]
    return products
