"""Ways into a Network."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from latentlink.network.readers.dense import dense_listing
from latentlink.network.readers.edges import edge_columns, listing_of, refuse_beside_frame
from latentlink.network.readers.frames import frame_columns, frame_of, frame_row
from latentlink.network.readers.listing import Duplicates, listed_entry
from latentlink.network.readers.networkx import graph_listing
from latentlink.network.readers.sparse import Unstored, background_of, sparse_listing
from latentlink.network.readers.text.layout import Columns

if TYPE_CHECKING:
    from latentlink.network.network import Network

__all__ = ["NetworkConstructors"]


class NetworkConstructors:
    """Constructors from other forms."""

    @classmethod
    def from_edges(  # noqa: PLR0913
        cls,
        edges: Any,
        cols: Any = None,
        values: ArrayLike | None = None,
        weights: ArrayLike | None = None,
        *,
        shape: tuple[int, int] | None = None,
        background: float = 0.0,
        symmetric: bool = False,
        square: bool = False,
        duplicates: Duplicates = "refuse",
        columns: Sequence[Any] | None = None,
    ) -> Network:
        """Make a network from listed pairs; pairs that are not listed are unknown.

        Integers are indices, counted from 0; strings are names, kept exactly as they are and put in order,
        so that the order of the listing never matters.

        Parameters
        ----------
        edges : list of tuples, array, data frame, or the rows if ``cols`` is given
            ``(row, column)``, ``(row, column, value)`` or ``(row, column, value, weight)`` for each pair.
            Any frame that narwhals understands (pandas, polars, pyarrow) does.
        cols, values, weights : sequences of one length, optional
            The same as columns of their own. Values and weights left out are 1.
        shape : (int, int), optional
            Numbers of rows and columns, for indices; without it, one more than the largest.
        background : float
            Weight of every pair that is not listed: 0 if it is unknown, 1 if it is a known zero. A network
            of which only links are listed needs a positive one, or non-links (see `sample_negatives`).
        symmetric : bool
            The network is undirected: (a, b) and (b, a) are the same pair.
        square : bool
            Rows and columns are the same nodes, but (a, b) and (b, a) are two pairs.
        duplicates : {"refuse", "keep"}
            What to do with a pair that is listed again. Clean what is kept with `drop_duplicates` and
            `resolve_conflicts`.
        columns : sequence of two to four labels, optional
            Which columns of a frame are row, column, value and weight; needed unless there are two or three.

        Returns
        -------
        Network

        Examples
        --------
        >>> from latentlink.network import Network
        >>> Network.from_edges([("ann", "tea", 1), ("bob", "tea", 0), ("bob", "milk", 1)])
        Network: 2 x 2, 2 links, 1 non-link, rest unknown
        """
        frame = frame_of(edges)
        if frame is None:
            found, place = edge_columns(edges, cols, values, weights, columns), listed_entry
        else:
            refuse_beside_frame(cols=cols, values=values, weights=weights)
            found, place = frame_columns(frame, columns), frame_row
        listing = listing_of(found, shape, symmetric or square, place)
        return listing.network(
            "from_edges", duplicates, background=background, symmetric=symmetric, square=square
        )

    @classmethod
    def from_dense(
        cls, X: Any, *, mask: Any = None, symmetric: bool = False, square: bool = False
    ) -> Network:
        """Make a network from an array in which NaN means unknown; zeros are known zeros.

        Parameters
        ----------
        X : array-like, shape (rows, columns)
            Numbers, NaN where the value is unknown. A frame whose labels are strings gives the names.
        mask : array-like or sparse, same shape, optional
            0 where the value is unknown, 1 (or a positive weight) where it is known.
        symmetric : bool
            The network is undirected; ``X`` must equal its transpose. The diagonal counts as it stands: set
            it to NaN if a node and itself are no pair.
        square : bool
            Rows and columns are the same nodes, but (a, b) and (b, a) are two pairs.

        Returns
        -------
        Network
            Every known entry is listed, and the rest is unknown.

        Examples
        --------
        >>> import numpy as np
        >>> from latentlink.network import Network
        >>> Network.from_dense([[1, 0, np.nan], [np.nan, 1, 1]])
        Network: 2 x 3, 3 links, 1 non-link, rest unknown
        """
        listing = dense_listing(X, mask, symmetric)
        return listing.network("from_dense", symmetric=symmetric, square=square)

    @classmethod
    def from_sparse(
        cls,
        matrix: Any,
        *,
        unstored: Unstored | None = None,
        symmetric: bool = False,
        square: bool = False,
        row_names: Sequence[str] | None = None,
        col_names: Sequence[str] | None = None,
    ) -> Network:
        """Make a network from a SciPy sparse matrix; say what its unstored entries mean.

        Parameters
        ----------
        matrix : SciPy sparse matrix or array, shape (rows, columns)
            Stored entries are listed, explicit zeros too. Entries stored more than once are added up.
        unstored : {"zero", "unknown"}
            Whether an entry that is not stored is a known zero or unknown. There is no default.
        symmetric : bool
            The network is undirected; the matrix must equal its transpose.
        square : bool
            Rows and columns are the same nodes, but (a, b) and (b, a) are two pairs.
        row_names, col_names : sequence of str, optional
            Names of the rows and of the columns.

        Returns
        -------
        Network

        Examples
        --------
        >>> from scipy.sparse import csr_array
        >>> from latentlink.network import Network
        >>> Network.from_sparse(csr_array([[1, 0, 0], [0, 0, 2]]), unstored="zero")
        Network: 2 x 3, 2 values from 1 to 2, rest zero
        """
        background = background_of(unstored)
        listing = sparse_listing(matrix, symmetric, unstored)
        listing.row_names = None if row_names is None else list(row_names)
        listing.col_names = None if col_names is None else list(col_names)
        return listing.network("from_sparse", background=background, symmetric=symmetric, square=square)

    @classmethod
    def from_file(  # noqa: PLR0913
        cls,
        path: str | Path,
        *,
        columns: Columns | None = None,
        header: bool | None = None,
        delimiter: str | None = None,
        background: float = 0.0,
        symmetric: bool = False,
        square: bool = False,
        duplicates: Duplicates = "refuse",
        unstored: Unstored | None = None,
    ) -> Network:
        r"""Read a network from a file: CSV, TSV, other text, Parquet, .npz, .mtx or .npy.

        Nodes of text and Parquet files have names, exactly as written: ``007`` is not ``7``. Blanks around a
        field are taken off unless it is quoted. What was decided (delimiter, header, columns) is in the
        network's ``history``.

        Parameters
        ----------
        path : str or path
            Text and ``.mtx`` may be gzipped (``.gz``). ``.npy`` is a dense array, NaN where unknown.
        columns : two to four names, or places counted from 0, optional
            Row, column, value, weight. Without it: two columns are links, three have the value, more are
            refused, except in ``user::item::rating::time`` files, of which the first three are read.
        header : bool, optional
            Whether the first line names the columns. Without it: yes if ``columns`` are names, if the value
            column or both node columns begin with usual names, such as rating or source and target, or if
            words stand over nodes that are all integers; no if the first line has a number or a digit where
            nodes or values stand. A file that leaves a doubt is refused.
        delimiter : str, optional
            What separates the fields; ``" "`` means any blanks. Without it, it is found out from the first
            lines.
        background, symmetric, square, duplicates
            As for `from_edges`.
        unstored : {"zero", "unknown"}, optional
            What unstored entries of ``.npz`` and ``.mtx`` files mean; needed for them.

        Returns
        -------
        Network

        Examples
        --------
        >>> import tempfile, pathlib
        >>> from latentlink.network import Network
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "links.csv")
        ...     _ = path.write_text("source,target,value\nann,bob,1\nbob,007,0\n")
        ...     Network.from_file(path, symmetric=True)
        Network: 3 x 3, symmetric, 1 link, 1 non-link, rest unknown
        """
        from latentlink.network.readers.files import read_file

        return read_file(
            path,
            duplicates,
            columns=columns,
            header=header,
            delimiter=delimiter,
            background=background,
            symmetric=symmetric,
            square=square,
            unstored=unstored,
        )

    @classmethod
    def from_networkx(
        cls,
        graph: Any,
        *,
        value: str | None = None,
        background: float = 0.0,
        duplicates: Duplicates = "refuse",
    ) -> Network:
        """Make a network from a NetworkX graph; an undirected graph gives a symmetric network.

        Parameters
        ----------
        graph : graph of NetworkX, or anything with is_directed(), nodes and edges(data=True)
            Labels of the nodes become names, as text. Nodes without edges are kept.
        value : str, optional
            Edge attribute that holds the value, often "weight"; without it every edge is a link of value 1.
        background : float
            Weight of the pairs without an edge. A graph lists links only: give a positive weight, or add
            non-links with `sample_negatives`.
        duplicates : {"refuse", "keep"}
            What to do with parallel edges, as in `from_edges`.

        Returns
        -------
        Network

        Examples
        --------
        >>> import networkx
        >>> from latentlink.network import Network
        >>> Network.from_networkx(networkx.path_graph(4), background=1.0)
        Network: 4 x 4, symmetric, 3 links, 0 non-links, rest zero
        """
        listing, directed = graph_listing(graph, value)
        return listing.network(
            "from_networkx", duplicates, background=background, symmetric=not directed, square=True
        )
