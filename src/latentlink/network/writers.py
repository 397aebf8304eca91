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
        """Return the values as a dense array, NaN where they are unknown.

        Parameters
        ----------
        fill : float
            Value of unknown and hidden entries, and of the diagonal of an undirected network without self
            loops. Pairs that are not listed are 0 if the background weight is positive.
        limit : int
            Largest number of cells; raises InputError for larger arrays, which seldom fit into memory.

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
        """Return the known values as a SciPy sparse array.

        Parameters
        ----------
        format : str
            One of SciPy's formats: csr, csc, coo, bsr, dia, dok, lil.

        Returns
        -------
        sparse array of float, shape (rows, columns)
            Known zeros are stored, hidden entries are not. Unstored entries are unknown if the network's
            ``background`` is 0, else zeros. An undirected pair is stored in both directions.

        Examples
        --------
        >>> from latentlink.network import Network
        >>> Network.from_edges([(0, 1, 5.0), (1, 0, 0.0)]).to_sparse().nnz
        2
        """
        return _sparse_array(cast("Network", self), format)

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the listed entries as a data frame with one row for each.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            Library of the frame; by default the first of them that is installed.

        Returns
        -------
        frame with the columns row, column, value, weight
            Nodes by name if they have names, else by index; hidden entries have weight 0.

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
    n, m = network.shape
    if n * m > limit:
        raise InputError(
            f"A dense array of {n:,} x {m:,} has {n * m:,} cells, more than the limit of {limit:,}. Use "
            "to_sparse or to_frame, or set a larger limit= if there is enough memory."
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
