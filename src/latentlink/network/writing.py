"""Ways out of a Network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from latentlink.network.dense import DENSE_LIMIT, dense_array
from latentlink.network.frames import network_frame
from latentlink.network.sparse import sparse_array

if TYPE_CHECKING:
    from latentlink.network.network import Network

__all__ = ["Writing"]


class Writing:
    """Other forms."""

    def to_dense(self, *, fill: float = np.nan, limit: int = DENSE_LIMIT) -> NDArray[np.float64]:
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
        return dense_array(cast("Network", self), fill, limit)

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
        return sparse_array(cast("Network", self), format)

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
        return network_frame(cast("Network", self), backend)
