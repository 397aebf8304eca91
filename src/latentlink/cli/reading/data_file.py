"""Reading of a user's data file: the network, what was understood, and what was assumed."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from latentlink.cli.reading.node_kind import direction_of, nodes_of
from latentlink.cli.reading.table_layout import ColumnOptions, TableLayout, table_layout
from latentlink.errors import InputError
from latentlink.network import Network, binarize, drop_duplicates, resolve_conflicts
from latentlink.network.names import same_names
from latentlink.network.readers.files import is_parquet, is_text
from latentlink.network.transforms.symmetry import as_symmetric
from latentlink.validation.numbers import checked_number
from latentlink.validation.wording import counted

__all__ = ["DataOptions", "DataRead", "read_data"]

_LABELS = 2  # distinct values up to which a column tells links from non-links
_STRENGTH = re.compile(
    r"weight|count|strength|score|freq|intensity|confidence|times|occurrences|interactions"
)
_SPARSE = (".npz", ".mtx", ".h5ad")


@dataclass(frozen=True, kw_only=True)
class DataOptions:
    """What the user says about a data file; None is detected.

    Attributes
    ----------
    columns : ColumnOptions
    nodes : {"symmetric", "directed", "bipartite"} or None
    unstored : {"zero", "unknown"} or None
        Meaning of entries that a sparse matrix does not store.
    conflicts : {"link", "non-link", "mean", "drop"} or None
        What becomes of a pair that is listed with different values; None raises.
    binarize : float or None
        Values above it are links, all others non-links.
    """

    columns: ColumnOptions = field(default_factory=ColumnOptions)
    nodes: str | None = None
    unstored: str | None = None
    conflicts: str | None = None
    binarize: float | None = None

    def __post_init__(self) -> None:
        if self.binarize is not None:
            checked_number(self.binarize, "--binarize")


@dataclass(frozen=True, eq=False)
class DataRead:
    """A network as it was read.

    Attributes
    ----------
    network : Network
    understood : str
        What it holds, in a line.
    assumed : tuple of str
        What was assumed, each with the option that changes it.
    matrix : bool
        It came as a matrix, not as a list of pairs.
    """

    network: Network
    understood: str
    assumed: tuple[str, ...]
    matrix: bool = False


def read_data(path: str, options: DataOptions) -> DataRead:
    """Read a network from a file of any format, and decide what the user did not say.

    Parameters
    ----------
    path : str
    options : DataOptions

    Returns
    -------
    DataRead
    """
    if not Path(path).is_file():  # before looking for the columns of a folder or of nothing
        Network.from_file(path)
    layout = table_layout(path, options.columns)
    matrix = layout.matrix or not (is_text(path) or is_parquet(path))
    network, assumed = (_matrix if matrix else _list)(path, layout, options)
    if options.binarize is not None:
        network = binarize(network, options.binarize)
        assumed = (*assumed, _clause(network.history[-1].sentence))
    return DataRead(network, described(network), assumed, matrix)


def described(network: Network) -> str:
    """Return size, known entries and direction of a network in a line.

    Examples
    --------
    >>> described(Network.from_edges([("a", "b"), ("b", "c")], symmetric=True))
    '3 nodes, 2 links, 0 non-links, 1 pair unknown, undirected'
    """
    n, m = network.shape
    size = counted(n, "node") if network.square else f"{counted(n, 'row')} x {counted(m, 'column')}"
    values = network.values[network.known]
    if network.is_binary:
        links = int(np.count_nonzero(values))
        known = f"{counted(links, 'link')}, {counted(len(values) - links, 'non-link')}"
    else:
        known = f"{counted(len(values), 'value')} from {values.min():g} to {values.max():g}"
    kind = "undirected" if network.symmetric else "directed" if network.square else "two kinds of nodes"
    return f"{size}, {known}, {_rest(network)}, {kind}"


def _rest(network: Network) -> str:
    loops = network.shape[0] if network.square and not network.has_self_loops else 0
    unlisted = network.n_pairs - loops - network.n_listed
    if network.background:
        return f"{counted(unlisted, 'entry', 'entries')} zero"
    hidden = network.n_listed - network.n_known
    noun = ("pair",) if network.square else ("entry", "entries")
    return f"{counted(unlisted + hidden, *noun)} unknown"


def _matrix(path: str, layout: TableLayout, options: DataOptions) -> tuple[Network, tuple[str, ...]]:
    """Read a matrix, and decide whether it is that of an undirected network."""
    columns = options.columns
    given: dict[str, Any] = (
        {"header": columns.header, "delimiter": columns.delimiter} if layout.matrix else {}
    )
    read = partial(Network.from_file, path, matrix=layout.matrix, columns=layout.columns, **given)
    nodes = {"symmetric": options.nodes == "symmetric", "square": options.nodes == "directed"}
    network, meaning = _stored(path, partial(read, **nodes), options.unstored)
    notes = _notes(network, path)
    assumed = [*notes, *meaning]
    same = same_names(network.row_names, network.col_names)
    if options.nodes is None and same and network.shape[0] > 1:
        symmetric = as_symmetric(network)
        if symmetric.symmetric:
            network = symmetric.with_step(network.history[0])
            assumed.append(
                "the matrix equals its transpose, so that it is an undirected network (else --bipartite)"
            )
    return network, tuple(assumed)


def _stored(path: str, read: Any, unstored: str | None) -> tuple[Network, list[str]]:
    """Read a matrix with the meaning of what it does not store."""
    if unstored is not None:
        return read(unstored=unstored), []
    if not Path(path.removesuffix(".gz")).suffix.lower().endswith(_SPARSE):
        return read(), []
    try:
        network = read(unstored="unknown")
    except InputError as error:
        if "unstored=" not in str(error):
            raise
        return read(), []  # a dense one
    stored = network.values[network.known]
    if network.is_binary and stored.all():
        return network, ["what is not stored is unknown (else --unstored zero)"]
    return read(unstored="zero"), ["what is not stored is zero (else --unstored unknown)"]


def _list(path: str, layout: TableLayout, options: DataOptions) -> tuple[Network, tuple[str, ...]]:
    """Read a list of pairs, and decide what its nodes are."""
    columns = options.columns
    text: dict[str, Any] = {
        "delimiter": columns.delimiter,
        "header": columns.header,
        "relation": columns.relation,
    }
    read: Any = partial(Network.from_file, path, columns=layout.columns, **text)
    nodes, assumed = options.nodes, list[str]()
    network = read(duplicates="keep", **_flags(nodes))
    notes = _in_words_of_options(_notes(network, path), columns.header)
    header = layout.named or any("is the header" in note for note in notes)
    if nodes is None:
        kind = nodes_of(network, layout.labels() if header else None)
        assumed.append(kind.sentence)
        nodes = "bipartite"
        if kind.answer == "one":
            direction = direction_of(read(duplicates="keep", square=True), columns.relation is not None)
            assumed.append(direction.sentence)
            nodes = direction.answer
            network = read(duplicates="keep", **_flags(nodes))
    assumed += _strengths(network, layout.value_label() if header else "", columns)
    return _each_once(network, partial(read, **_flags(nodes)), options.conflicts, [*notes, *assumed])


def _strengths(network: Network, label: str, columns: ColumnOptions) -> list[str]:
    """Return what was assumed about a column that may tell how strong links are: a value, or a weight."""
    if columns.weight is not None:
        value = "" if columns.value is not None else "every listed pair is a link (else --value), and "
        return [f"{value}{columns.weight} is its strength"]
    values = network.values[network.known]
    if not _STRENGTH.search(label.lower()) or (values <= 0).any() or len(np.unique(values)) <= _LABELS:
        return []
    return [f"{label} is a value to be predicted (--weight {shlex.quote(label)}: the strength of a link)"]


def _each_once(
    network: Network, read: Any, conflicts: str | None, assumed: list[str]
) -> tuple[Network, tuple[str, ...]]:
    """Return the network with every pair listed once: repeats are dropped, conflicts resolved or raised."""
    if not network.is_clean:
        before = network.n_listed
        network = drop_duplicates(network)
        repeats = before - network.n_listed
        if repeats:
            assumed.append(f"{counted(repeats, 'pair was', 'pairs were')} listed again and counted once")
    if not network.is_clean:
        if conflicts is None:
            read()  # raises, with the pair, its lines and its values
        network = resolve_conflicts(network, conflicts or "drop")  # type: ignore[arg-type]
        assumed.append(_clause(network.history[-1].sentence))
    return network, tuple(assumed)


def _notes(network: Network, path: str) -> list[str]:
    """Return what the reader detected: the sentences after the one that names the file, as clauses."""
    sentences = network.history[0].sentence.partition(f"{path}. ")[2].split(". ")
    return [_clause(each) for each in sentences if each]


def _in_words_of_options(notes: list[str], header: bool | None) -> list[str]:
    """Return clauses about a list in the words of the options, with those that change them."""
    words = []
    for note in notes:
        if note.startswith("row: "):
            note = note.replace("row: ", "source: ", 1).replace(", column: ", ", target: ", 1)
        elif header is None and note == "there is no header":
            note += " (else --header)"
        elif header is None and note.endswith(" is the header"):
            note += " (else --no-header)"
        words.append(note)
    return words


def _clause(sentence: str) -> str:
    """Return a sentence as a part of another one."""
    return sentence[:1].lower() + sentence[1:].rstrip(".")


def _flags(nodes: str | None) -> dict[str, bool]:
    return {"symmetric": nodes == "symmetric", "square": nodes in {"symmetric", "directed"}}
