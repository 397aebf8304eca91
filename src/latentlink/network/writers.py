"""Conversions of a Network to dense arrays, sparse matrices and data frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.tables import frame_from
from latentlink.validation.choices import checked_choice

if TYPE_CHECKING:
    from latentlink.network.network import Network

__all__ = ["NetworkWriters"]

_DENSE_LIMIT = 10_000_000


class NetworkWriters:
    """Conversions of a Network to arrays, sparse matrices and data frames."""

    def to_dense(self, *, fill: float = np.nan, limit: int = _DENSE_LIMIT) -> NDArray[np.float64]:
        """Write the values into a dense array, NaN where they are unknown.

        Parameters
        ----------
        fill : float
            Stands where the value is unknown or hidden, and on the diagonal of an undirected network
            without self loops. Pairs that are not listed are 0 if the background has weight.
        limit : int
            Larger arrays are refused, because they seldom fit into memory.

        Returns
        -------
        array of float, shape (rows, columns)

        Examples
        --------
        >>> from latentlink.network import Network
        >>> Network.from_edges([(0, 1, 5.0)], shape=(2, 2)).to_dense()
        array([[nan,  5.],
               [nan, nan]])
        """
        return _dense_array(cast("Network", self), fill, limit)

    def to_sparse(self, format: str = "csr") -> Any:
        """Write the known values into a SciPy sparse array.

        Parameters
        ----------
        format : str
            One of SciPy's: csr, csc, coo, ...

        Returns
        -------
        sparse array of float, shape (rows, columns)
            Known zeros are stored; hidden entries are left out, and whether unstored means zero or unknown
            is the network's ``background``. An undirected pair stands in both directions.

        Examples
        --------
        >>> from latentlink.network import Network
        >>> Network.from_edges([(0, 1, 5.0), (1, 0, 0.0)]).to_sparse().nnz
        2
        """
        return _sparse_array(cast("Network", self), format)

    def to_frame(self, backend: str | None = None) -> Any:
        """Write the listed entries into a data frame, one for each row.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            Whose frame; without it, that of the first of them that is installed.

        Returns
        -------
        frame with the columns row, column, value, weight
            Names where there are such, else indices; hidden entries have weight 0.

        Examples
        --------
        >>> from latentlink.network import Network
        >>> Network.from_edges([("ann", "tea", 1), ("bob", "tea", 0)]).to_frame("pandas")
           row column  value  weight
        0  ann    tea    1.0     1.0
        1  bob    tea    0.0     1.0
        """
        network = cast("Network", self)
        rows, cols = network.node_names(network.rows, network.cols)
        columns = {"row": rows, "column": cols, "value": network.values, "weight": network.weights}
        return frame_from(columns, backend)


def _dense_array(network: Network, fill: float, limit: int) -> NDArray[np.float64]:
    """Write the values into a dense array, ``fill`` where they are unknown."""
    n, m = network.shape
    if n * m > limit:
        raise InputError(
            f"A dense array of {n:,} x {m:,} has {n * m:,} cells, more than the limit of {limit:,}. Use "
            "to_sparse or to_frame, or raise the limit if there is memory for it."
        )
    network.require_clean("to_dense")
    filled = np.full((n, m), 0.0 if network.background > 0 else fill)
    if network.symmetric and not network.has_self_loops:
        np.fill_diagonal(filled, fill)
    listed = np.where(network.known, network.values, fill)
    filled[network.rows, network.cols] = listed
    if network.symmetric:
        filled[network.cols, network.rows] = listed
    return filled


def _sparse_array(network: Network, form: str) -> Any:
    """Write the known values into a SciPy sparse array; an undirected pair stands in both directions."""
    import scipy.sparse

    network.require_clean("to_sparse")
    checked_choice(form, ("bsr", "coo", "csc", "csr", "dia", "dok", "lil"), "format")
    known = network.known
    rows, cols, values = network.rows[known], network.cols[known], network.values[known]
    if network.symmetric:
        off = rows != cols
        rows, cols = np.concatenate([rows, cols[off]]), np.concatenate([cols, rows[off]])
        values = np.concatenate([values, values[off]])
    return scipy.sparse.coo_array((values, (rows, cols)), shape=network.shape).asformat(form)
