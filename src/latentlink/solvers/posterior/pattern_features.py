"""Features of rows and columns from the pattern of known entries: which are known, not what they are.

What somebody rates, measures or reports says something about the values: a person who rated many war films
likes them better than one who rated none. With B = 1 where an entry is known, r and c the numbers of known
entries of rows and columns,

    D_r^-1/2 B D_c^-1/2  ~  U S V',

the features of a row are its entries in the leading columns of U without the first (which is sqrt(r)), and
log(1 + r); those of a column are from V and c. They are centred and made orthogonal, with mean square 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, dia_array
from sklearn.utils.extmath import randomized_svd

from latentlink.network import Ensemble, Network

__all__ = ["Features", "features_of_pattern", "pattern_features"]

Array = NDArray[np.float64]
Features = tuple[Array, Array]
"""Features of the rows and of the columns, shape (nodes, features)."""

_LEAST = 1e-6  # smaller singular values are 0 but for rounding
_NODES_A_FEATURE = 4  # of the smaller side, at least


def pattern_features(ensemble: Ensemble, members: list[int], count: int) -> list[Features]:
    """Return the features of each member's pattern, which does not have the entries held out of it.

    Parameters
    ----------
    ensemble : Ensemble
    members : list of int
    count : int
        Number of singular vectors; fewer of small matrices, of a pattern without structure none.
    """
    network = ensemble.network
    own: dict[bytes, Features] = {}
    results = []
    for member in members:
        known = ensemble.member_entries(member)[1] > 0
        key = known.tobytes()
        if key not in own:
            own[key] = features_of_pattern(network, known, count)
        results.append(own[key])
    return results


def features_of_pattern(network: Network, known: NDArray[np.bool_], count: int) -> Features:
    """Return the features of rows and columns of one pattern.

    Parameters
    ----------
    network : Network
    known : array of bool, shape (listed,)
        Which of the listed entries are known. With a background all others are known too, and the pattern
        has no structure.
    count : int
        Number of singular vectors.
    """
    n, m = network.shape
    count = min(count, min(n, m) // _NODES_A_FEATURE)
    if network.background or not count or not known.any():
        return np.zeros((n, 0)), np.zeros((m, 0))
    i, j = network.rows[known], network.cols[known]
    if network.symmetric:
        both = i != j
        i, j = np.concatenate([i, j[both]]), np.concatenate([j, i[both]])
    pattern = csr_array((np.ones(len(i)), (i, j)), shape=(n, m))
    degrees = [np.bincount(side, minlength=size).astype(np.float64) for side, size in ((i, n), (j, m))]
    left, right = (
        dia_array((1 / np.sqrt(np.maximum(each, 1))[None], [0]), shape=(len(each),) * 2) for each in degrees
    )
    U, S, Vt = randomized_svd((left @ pattern @ right).tocsr(), count + 1, n_iter=6, random_state=0)
    kept = np.flatnonzero(S > _LEAST)[1:]
    rows = _orthogonal(U[:, kept], degrees[0])
    return rows, rows if network.symmetric else _orthogonal(Vt[kept].T, degrees[1])


def _orthogonal(vectors: NDArray[Any], degrees: Array) -> Array:
    """Return singular vectors and logarithms of degrees, centred, orthogonal and with mean square 1."""
    features = np.column_stack([vectors, np.log1p(degrees)])
    features -= features.mean(axis=0)
    sizes = np.linalg.norm(features, axis=0)
    features = features[:, sizes > _LEAST] / sizes[sizes > _LEAST]
    if not features.shape[1]:
        return np.zeros((len(degrees), 0))
    U, S, _ = np.linalg.svd(features, full_matrices=False)
    return np.ascontiguousarray(U[:, _LEAST * S[0] < S] * np.sqrt(len(degrees)))
