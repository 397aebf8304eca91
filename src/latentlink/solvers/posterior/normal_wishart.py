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
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["NormalWishart"]

Array = NDArray[Any]

_MEAN_COUNT = 2.0  # b0: the nodes that the prior mean counts for


@dataclass(frozen=True, eq=False)
class NormalWishart:
    """The distribution of the mean and the precision of the nodes of one side.

    Attributes
    ----------
    count : float
        The number of nodes that the mean counts for.
    mean : array, shape (coordinates,)
    freedom : float
        Degrees of freedom of the precision.
    scatter : array, shape (coordinates, coordinates)
        Inverse of the scale matrix of the Wishart distribution.
    """

    count: float
    mean: Array
    freedom: float
    scatter: Array

    @classmethod
    def prior(cls, centre: Array, units: Array) -> NormalWishart:
        """Return the prior for coordinates around a centre, each with its unit."""
        return cls(_MEAN_COUNT, centre, float(len(units)), np.diag(units**2))

    def given(self, nodes: int, total: Array, squares: Array) -> NormalWishart:
        """Return the distribution given some nodes, of which it needs the sum and the Gram matrix."""
        average = total / nodes
        count = self.count + nodes
        apart = average - self.mean
        scatter = squares - nodes * np.outer(average, average)
        shift = self.count * nodes / count * np.outer(apart, apart)
        return NormalWishart(
            count,
            (self.count * self.mean + total) / count,
            self.freedom + nodes,
            self.scatter + scatter + shift,
        )

    def draw(self, rng: np.random.Generator) -> tuple[Array, Array]:
        """Draw a mean and a precision matrix."""
        means, precisions = self.draw_each([self], [rng])
        return means[0], precisions[0]

    @staticmethod
    def draw_each(each: Sequence[NormalWishart], rngs: Sequence[np.random.Generator]) -> tuple[Array, Array]:
        """Draw a mean and a precision matrix of several distributions, by Bartlett's decomposition."""
        size = len(each[0].mean)
        diagonal = np.arange(size)
        triangles = np.stack([rng.standard_normal((size, size)) for rng in rngs])
        triangles[:, *np.triu_indices(size)] = 0
        triangles[:, diagonal, diagonal] = np.sqrt(
            [rng.chisquare(one.freedom - diagonal) for one, rng in zip(each, rngs, strict=True)]
        )
        normals = np.stack([rng.standard_normal(size) for rng in rngs])
        # The precision is Q Q' with Q = C'^-1 T, so that the covariance is Q'^-1 Q^-1.
        roots = np.linalg.cholesky(np.stack([one.scatter for one in each])).transpose(0, 2, 1)
        roots = np.linalg.solve(roots, triangles)
        steps = np.linalg.solve(roots.transpose(0, 2, 1), normals[..., None])[..., 0]
        means = np.stack([one.mean for one in each])
        return means + steps / np.sqrt(each[0].count), roots @ roots.transpose(0, 2, 1)

    def expected(self) -> tuple[Array, Array]:
        """Return the expected mean and precision matrix."""
        return self.mean, self.freedom * np.linalg.inv(self.scatter)
