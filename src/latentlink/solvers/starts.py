"""Starting points: random factors scaled to the data, or a singular value decomposition."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils.extmath import randomized_svd

from latentlink.factors import Factors
from latentlink.network import Ensemble

__all__ = ["nndsvd_start", "random_start", "signed_start"]

Array = NDArray[Any]


def random_start(ensemble: Ensemble, rank: int, size: float, rng: np.random.Generator) -> Factors:
    """Return uniform W and H whose product has the mean ``size``."""
    n, m = ensemble.network.shape
    # The product of two uniform numbers on [0, s] has the mean s^2 / 4.
    scale = 2.0 * np.sqrt(max(size, 1e-12) / rank)
    return Factors(scale * rng.random((n, rank)), scale * rng.random((m, rank)).T)


def signed_start(ensemble: Ensemble, rank: int, spread: float, rng: np.random.Generator) -> Factors:
    """Return normal W and H whose product has the standard deviation ``spread``."""
    n, m = ensemble.network.shape
    scale = np.sqrt(spread / np.sqrt(rank))
    return Factors(scale * rng.standard_normal((n, rank)), scale * rng.standard_normal((m, rank)).T)


def nndsvd_start(ensemble: Ensemble, member: int, rank: int, offset: float, size: float) -> Factors:
    """Return the non-negative double singular value decomposition (Boutsidis and Gallopoulos 2008).

    Unknown entries count as the offset. Zeros are replaced by a small number: a coordinate at 0 stays there
    under multiplicative updates and, if all its partners are 0, under descent.

    Parameters
    ----------
    ensemble : Ensemble
    member : int
    rank : int
        May exceed the number of rows or columns; the components beyond are the small number.
    offset : float
        Subtracted from the known values.
    size : float
        Typical size of the values, which the small number is scaled to.
    """
    network = ensemble.network
    values, weights = ensemble.member_entries(member)
    deviations = np.where(weights > 0, values - offset, 0.0)
    view = network.csr
    matrix = sparse.csr_array((deviations[view.position], view.indices, view.indptr), shape=network.shape)
    vectors = min(rank, *network.shape)
    U, S, V = randomized_svd(matrix, vectors, random_state=0)
    fill = np.sqrt(max(size, 1e-12)) / 100
    W, H = np.full((network.shape[0], rank), fill), np.full((rank, network.shape[1]), fill)
    for c in range(vectors):
        u, v = _larger_part(U[:, c], V[c])
        W[:, c] = np.maximum(np.sqrt(S[c]) * u, fill)
        H[c] = np.maximum(np.sqrt(S[c]) * v, fill)
    return Factors(W, H)


def _larger_part(u: Array, v: Array) -> tuple[Array, Array]:
    """Return the positive or the negative parts of a pair of singular vectors, whichever are larger."""
    parts = [(np.maximum(sign * u, 0), np.maximum(sign * v, 0)) for sign in (1, -1)]
    sizes = [(float(np.linalg.norm(a)), float(np.linalg.norm(b))) for a, b in parts]
    larger = int(np.prod(sizes[1]) > np.prod(sizes[0]))
    (a, b), (length, width) = parts[larger], sizes[larger]
    if not (length and width):  # no positive product
        return a, b
    # Both get the same norm, so that neither side starts much larger than the other.
    return a * np.sqrt(width / length), b * np.sqrt(length / width)
