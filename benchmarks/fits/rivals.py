"""Fits of other packages, each to what it takes: all known values, or only the known links.

- scikit-learn ``NMF`` knows no missing values: unknown and hidden entries are zeros to it.
- implicit's ALS takes links; all other pairs are zeros of lower weight to it.
- scikit-surprise takes the known values; 0 and 1 are ratings of 1 and 2 to it, since its NMF divides by sums
  of ratings.
- The dense NumPy form of the paper's updates takes the matrix of values and that of weights.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from benchmarks.baselines import dense_masked_sweep
from benchmarks.fits.contender import Predictor, Run
from latentlink.network import Network

__all__ = ["dense_numpy", "implicit_als", "sklearn_nmf", "surprise_model"]


def _known(network: Network) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return rows, columns and values of the known entries, undirected ones in both directions."""
    known = network.known
    rows, cols, values = network.rows[known], network.cols[known], network.values[known]
    if not network.symmetric:
        return rows, cols, values
    twice = rows != cols
    return (
        np.concatenate([rows, cols[twice]]),
        np.concatenate([cols, rows[twice]]),
        np.concatenate([values, values[twice]]),
    )


def _matrix(network: Network, dtype: str) -> sparse.csr_array:
    rows, cols, values = _known(network)
    matrix = sparse.csr_array((values.astype(dtype), (rows, cols)), shape=network.shape)
    matrix.eliminate_zeros()
    return matrix


def _products(W: NDArray[Any], Ht: NDArray[Any]) -> Predictor:
    return lambda rows, cols: np.einsum("ic,ic->i", W[rows], Ht[cols])


def sklearn_nmf(train: Network, rank: int, **settings: Any) -> Run:
    """Return the fit of scikit-learn's NMF by coordinate descent."""
    from sklearn.decomposition import NMF

    X: Any = _matrix(train, "float64")
    X = X.toarray() if X.nnz > 0.1 * np.prod(X.shape) else sparse.csr_matrix(X)

    def run() -> Predictor:
        model = NMF(rank, random_state=0, **settings)
        W = model.fit_transform(X)
        return _products(W, model.components_.T)

    return run


def implicit_als(train: Network, rank: int, iterations: int = 15, num_threads: int = 1) -> Run:
    """Return the fit of implicit's alternating least squares, by its default of 15 iterations."""
    from implicit.cpu.als import AlternatingLeastSquares

    X = sparse.csr_matrix(_matrix(train, "float32"))

    def run() -> Predictor:
        model = AlternatingLeastSquares(
            factors=rank, iterations=iterations, num_threads=num_threads, random_state=0
        )
        model.fit(X, show_progress=False)
        return _products(np.asarray(model.user_factors), np.asarray(model.item_factors))

    return run


def surprise_model(train: Network, rank: int, model: str, **settings: Any) -> Run:
    """Return the fit of ``NMF``, ``SVD`` or ``SVDpp`` of scikit-surprise."""
    import pandas as pd
    import surprise

    rows, cols, values = _known(train)
    shift = 1.0 if train.is_binary else 0.0
    frame = pd.DataFrame({"user": rows, "item": cols, "rating": values + shift})
    scale = surprise.Reader(rating_scale=(float(values.min() + shift), float(values.max() + shift)))
    ratings = surprise.Dataset.load_from_df(frame, scale).build_full_trainset()
    settings = {"n_factors": rank, "random_state": 0, **settings}

    def run() -> Predictor:
        fitted = getattr(surprise, model)(**settings).fit(ratings)

        def scores(rows: NDArray[Any], cols: NDArray[Any]) -> NDArray[Any]:
            pairs = zip(rows.tolist(), cols.tolist(), strict=True)
            return np.array([fitted.predict(row, col).est for row, col in pairs]) - shift

        return scores

    return run


def dense_numpy(train: Network, rank: int, sweeps: int = 100, ridge: float = 0.0) -> Run:
    """Return the fit by the paper's masked updates on dense arrays."""
    rows, cols, values = _known(train)
    X, M = np.zeros(train.shape), np.zeros(train.shape)
    X[rows, cols], M[rows, cols] = values, 1

    def run() -> Predictor:
        rng = np.random.default_rng(0)
        W, H = rng.random((train.shape[0], rank)), rng.random((rank, train.shape[1]))
        with np.errstate(all="ignore"):  # a line without known entries, where there is no ridge
            for _ in range(sweeps):
                dense_masked_sweep(X, M, W, H, max(ridge, 1e-12))
        return _products(W, H.T)

    return run
