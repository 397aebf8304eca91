"""Constructors of a Network from edges, arrays, sparse matrices, files and graphs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from latentlink.network.names import one_set
from latentlink.network.readers.all_nodes import all_nodes
from latentlink.network.readers.dense import dense_listing
from latentlink.network.readers.edges import (
    column_listing,
    edge_columns,
    raise_if_columns_beside_frame,
    warn_if_triples,
)
from latentlink.network.readers.listing import Duplicates, listed_entry
from latentlink.network.readers.networkx import graph_listing
from latentlink.network.readers.sparse import Unstored, background_of, sparse_listing
from latentlink.network.readers.tables.edge_list_frames import raise_if_pairs_in_index
from latentlink.network.readers.tables.frames import (
    frame_columns,
    frame_names,
    frame_notes,
    frame_of,
    frame_row,
    selected_columns,
    warn_if_unnamed,
)
from latentlink.network.readers.text.layout import Columns

if TYPE_CHECKING:
    from latentlink.network.network import Network

__all__ = ["NetworkConstructors"]


class NetworkConstructors:
    """Class methods of Network that construct one from other forms of data."""

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
        duplicates: Duplicates = "raise",
        columns: Sequence[Any] | None = None,
        nodes: Iterable[str] | None = None,
        row_names: Iterable[str] | None = None,
        col_names: Iterable[str] | None = None,
    ) -> Network:
        """Make a network from a list of pairs; pairs that are not listed are unknown by default.

        Integers are indices, counted from 0; strings are names, used exactly as they are. Named nodes are
        sorted, so that the order of the list does not change the network, unless all names are given.

        Parameters
        ----------
        edges : list of tuples, array, data frame, or the rows if ``cols`` is given
            ``(row, column)``, ``(row, column, value)`` or ``(row, column, value, weight)`` for each pair, and
            ``(row, column, None, weight)`` for links with strengths.
            A frame may be of any library that narwhals supports (pandas, polars, pyarrow, ...).
        cols, values, weights : sequences of one length, optional
            The same as separate columns. Values and weights left out are 1: ``from_edges(links, weights=w)``
            has links of the strengths w.
        shape : (int, int), optional
            Numbers of rows and columns, for indices; by default one more than the largest index, with a
            warning if most of them are in no pair, as where the integers are ids.
        background : float
            Weight of every pair that is not listed: 0 if it is unknown, 1 if it is a known zero. Links alone
            are for `LinkStack` as they are; other methods need a positive weight, or non-links (see
            `sample_negatives`).
        symmetric : bool
            The network is undirected: (a, b) and (b, a) are the same pair.
        square : bool
            Rows and columns are the same nodes, but (a, b) and (b, a) are two pairs.
        duplicates : {"raise", "keep"}
            "raise" raises InputError if a pair is listed more than once; "keep" lists it as often. Clean
            kept duplicates with `drop_duplicates` and `resolve_conflicts`.
        columns : sequence of two to four labels, optional
            Labels of the row, column, value and weight columns of a frame; needed unless it has two or three
            columns. These are used in their order, or by their names if they are those of two nodes and a
            value (rating, user, item). Raises InputError for names that contradict the order. ``(row, column,
            None, weight)`` has no value: all pairs are links, and the weight is their strength.
        nodes : sequence of str, optional
            Names of all nodes of a symmetric or square network, in their order, whether they have links or
            not. Raises InputError for a listed name that is not among them.
        row_names, col_names : sequence of str, optional
            The same for the rows and for the columns of any other network.

        Returns
        -------
        Network

        Examples
        --------
        >>> from latentlink.network import Network
        >>> Network.from_edges([("ann", "tea", 1), ("bob", "tea", 0), ("bob", "milk", 1)])
        Network: 2 x 2, 2 links, 1 non-link, rest unknown

        Nodes without links, named in an order of their own:

        >>> Network.from_edges([("ann", "bob")], symmetric=True, background=1.0, nodes=["bob", "ann", "eve"])
        Network: 3 x 3, symmetric, 1 link, 0 non-links, rest zero
        """
        frame = frame_of(edges)
        if cols is None:
            raise_if_pairs_in_index(edges, columns)
        if frame is None:
            parts, locate = edge_columns(edges, cols, values, weights, columns), listed_entry
        else:
            raise_if_columns_beside_frame(cols=cols, values=values, weights=weights)
            selected = selected_columns(frame.columns, columns, "The frame")
            parts, locate = frame_columns(frame, selected), frame_row
        given = all_nodes(symmetric or square, nodes, row_names, col_names)
        listing = column_listing(parts, shape, symmetric or square, locate, given.sizes)
        if frame is not None:
            listing.notes = frame_notes(list(frame.columns), selected)
        if columns is None and cols is None and values is None:
            labels = None if frame is None else list(frame.columns)
            warn_if_triples(listing, labels, "The list" if frame is None else "The frame")
        given.rename(listing)
        return listing.network(
            "from_edges", duplicates, background=background, symmetric=symmetric, square=square
        )

    @classmethod
    def from_dense(
        cls,
        X: Any,
        *,
        mask: Any = None,
        symmetric: bool = False,
        square: bool = False,
        row_names: Sequence[str] | None = None,
        col_names: Sequence[str] | None = None,
    ) -> Network:
        """Make a network from a dense array or frame; NaN is unknown, zeros are known zeros.

        Parameters
        ----------
        X : array-like, shape (rows, columns)
            Numbers, NaN where the value is unknown. The labels of a frame become names, as text, except
            labels 0, 1, 2, ..., which are positions, and row labels that repeat, with a warning. Raises
            InputError for column labels that repeat, for a frame or list that has a pair in each line, and
            for a frame with a column of identifiers: an array, or a mask, states that it is a matrix.
        mask : array-like or sparse, same shape, optional
            0 where the value is unknown, 1 (or a positive weight) where it is known.
        symmetric : bool
            The network is undirected; ``X`` must equal its transpose, by the labels of a frame. The values of
            the diagonal are known self loops: set them to NaN if a node and itself are not a pair.
        square : bool
            Rows and columns are the same nodes, but (a, b) and (b, a) are two pairs.
        row_names, col_names : sequence of str, optional
            Names of the rows and of the columns, instead of the labels of a frame.

        Returns
        -------
        Network
            Every known entry is listed; all others are unknown.

        Examples
        --------
        >>> import numpy as np
        >>> from latentlink.network import Network
        >>> Network.from_dense([[1, 0, np.nan], [np.nan, 1, 1]])
        Network: 2 x 3, 3 links, 1 non-link, rest unknown
        """
        rows, cols = frame_names(X)
        unnamed = row_names is None and col_names is None
        positions = None
        if unnamed and (symmetric or square):
            rows, cols, positions = one_set(rows, cols)
        listing = dense_listing(X, mask, symmetric, positions)
        if unnamed:
            warn_if_unnamed(X)
        listing.row_names = rows if row_names is None else list(row_names)
        listing.col_names = cols if col_names is None else list(col_names)
        return listing.network("from_dense", symmetric=symmetric, square=square)

    @classmethod
    def from_sparse(
        cls,
        matrix: Any,
        *,
        unstored: Unstored | None = None,
        symmetric: bool = False,
        square: bool = False,
        duplicates: Duplicates = "raise",
        row_names: Sequence[str] | None = None,
        col_names: Sequence[str] | None = None,
    ) -> Network:
        """Make a network from a SciPy sparse matrix, with unstored entries as zeros or unknown.

        Parameters
        ----------
        matrix : SciPy sparse matrix or array, shape (rows, columns)
            Stored entries are listed, including explicit zeros.
        unstored : {"zero", "unknown"}
            Meaning of entries that are not stored: known zeros or unknown. Required.
        symmetric : bool
            The network is undirected; the matrix must equal its transpose.
        square : bool
            Rows and columns are the same nodes, but (a, b) and (b, a) are two pairs.
        duplicates : {"raise", "keep"}
            "raise" raises InputError if an entry is stored more than once, which SciPy would add: call
            ``matrix.sum_duplicates()`` before if that is meant. "keep" lists it as often.
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
        listing = sparse_listing(matrix, symmetric, unstored, duplicates)
        listing.row_names = None if row_names is None else list(row_names)
        listing.col_names = None if col_names is None else list(col_names)
        return listing.network(
            "from_sparse", duplicates, background=background, symmetric=symmetric, square=square
        )

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
        duplicates: Duplicates = "raise",
        unstored: Unstored | None = None,
        max_bytes: int | None = None,
        relation: str | None = None,
        matrix: bool = False,
        nodes: Iterable[str] | None = None,
        row_names: Iterable[str] | None = None,
        col_names: Iterable[str] | None = None,
    ) -> Network:
        r"""Read a network from a file: CSV and other delimited text, Parquet, .npz, .mtx, .npy or .h5ad.

        Nodes of text and Parquet files are names, exactly as written: ``007`` is not ``7``. Blanks around a
        field are stripped unless they are quoted. The detected layout (delimiter, header, columns) is
        recorded in the network's ``history``.

        Parameters
        ----------
        path : str or path
            Text and ``.mtx`` may be gzipped (``.gz``). ``.npy`` is a dense array, NaN where unknown. Of
            ``.h5ad`` (needs h5py) the matrix ``X`` is read, with the names of observations and variables, by
            a process with limits on memory and time, since damaged files may crash HDF5.
        columns : two to four names, or positions counted from 0, optional
            Columns of row, column, value and weight; ``(row, column, None, weight)`` reads links with their
            strengths. By default two columns are rows and columns of links, and a third one is the value, in
            this order or by a header of two nodes and a value; raises InputError for names that contradict
            the order, and for more columns, except for ``user::item::rating::time`` files, of which the
            first three are read.
        header : bool, optional
            Whether the first line names the columns. By default it is detected: True if ``columns`` are
            names, if the value column or both node columns begin with common names, such as rating or source
            and target, if a word is above values that are all numbers, or if words are above nodes that are
            all integers; False if the first line has a number for a node, or a number, something with digits
            (``$5``) or a missing value for the value. Raises InputError if the first line is ambiguous.
        delimiter : str, optional
            Delimiter of the fields; ``" "`` means any blanks. By default it is detected from the first
            lines.
        background, symmetric, square, duplicates
            As for `from_edges`; duplicates of ``.mtx`` and ``.npz`` files are entries stored more than once.
        unstored : {"zero", "unknown"}, optional
            Meaning of unstored entries of ``.npz``, ``.mtx`` and ``.h5ad`` files, as for `from_sparse`;
            required for sparse ones.
        max_bytes : int, optional
            Most bytes that the file may unpack to: lines of gzipped text, arrays of ``.npz``, decoded columns
            of Parquet, arrays of ``.h5ad`` (which may take twice that to read, and a CPU second for each
            50 MB), names of nodes, and 8 bytes for each row and column of a sparse matrix. Of these files, it
            limits the memory too: 56 bytes for each entry (104 of Parquet), 400 for each name and 16 for each
            cell. By default 100 times the size of the file and 64 MiB, at most 4 GiB (the memory of large
            files 25 times their size); raises InputError for more. Text as it is has no limit.
        relation : str, optional
            Of a file of triples (head, relation, tail), text or Parquet, the relation whose links are read.
            Of three columns it is the one that is named so (relation, predicate), else the second; of more it
            is the one that ``columns`` leaves out.
        matrix : bool
            The text is no list of pairs but a matrix: a line for each row, with or without names of the
            columns above and of the rows in front; empty fields and NA are unknown. At most 1,000,000
            columns. Raises InputError if numbers above may be names of the columns or values, unless
            ``header`` is given.
        nodes, row_names, col_names
            As for `from_edges`.

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
        from latentlink.network.readers.files import FileOptions, read_file

        options = FileOptions(
            columns=columns,
            header=header,
            delimiter=delimiter,
            relation=relation,
            background=background,
            symmetric=symmetric,
            square=square,
            duplicates=duplicates,
            unstored=unstored,
            max_bytes=max_bytes,
            matrix=matrix,
            nodes=all_nodes(symmetric or square, nodes, row_names, col_names),
        )
        return read_file(path, options)

    @classmethod
    def from_networkx(
        cls,
        graph: Any,
        *,
        value: str | None = None,
        background: float = 0.0,
        duplicates: Duplicates = "raise",
    ) -> Network:
        """Make a network from a NetworkX graph; an undirected graph gives a symmetric network.

        Parameters
        ----------
        graph : graph of NetworkX, or anything with is_directed(), nodes and edges(data=True)
            Node labels become names, as text. Nodes without edges are included.
        value : str, optional
            Edge attribute that holds the value, often "weight"; by default every edge has the value 1.
        background : float
            Weight of the pairs without an edge. A graph lists links only, which is enough for `LinkStack`;
            for other methods give a positive weight, or add non-links with `sample_negatives`.
        duplicates : {"raise", "keep"}
            Treatment of parallel edges, as for `from_edges`.

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
