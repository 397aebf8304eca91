"""Arguments and options that several commands have."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from latentlink.cli.reading.data_file import DataOptions

__all__ = [
    "Binarize",
    "Bipartite",
    "Conflicts",
    "ConflictsOption",
    "DataFile",
    "Delimiter",
    "Directed",
    "Header",
    "Jobs",
    "Json",
    "Matrix",
    "Method",
    "Relation",
    "Run",
    "Seed",
    "Source",
    "Symmetric",
    "Target",
    "Unstored",
    "UnstoredOption",
    "Value",
    "Weight",
    "data_options",
]

_FILE = "What the file holds (detected, and stated, where it is not given)"


class Method(StrEnum):
    """Methods, and auto, which chooses one of them from the data."""

    auto = "auto"
    nmfk = "nmfk"
    wnmfk = "wnmfk"
    rnmfk = "rnmfk"
    bnmfk = "bnmfk"
    lmf = "lmf"
    symlmf = "symlmf"
    stack = "stack"


class Unstored(StrEnum):
    """Meaning of what a sparse matrix does not store."""

    zero = "zero"
    unknown = "unknown"


class Conflicts(StrEnum):
    """What becomes of a pair that is listed with different values."""

    link = "link"
    non_link = "non-link"
    mean = "mean"
    drop = "drop"


DataFile = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="Links, labelled pairs, ratings or a matrix: text with any delimiter (also gzipped), .parquet, "
        ".mtx, .npz (sparse, of SciPy), .npy or .h5ad; - is standard input.",
    ),
]
Run = Annotated[str, typer.Argument(metavar="RUN", help="The folder of a finished run.")]
Source = Annotated[
    str | None,
    typer.Option(help="Column of the first node: name, or position from 0.", rich_help_panel=_FILE),
]
Target = Annotated[str | None, typer.Option(help="Column of the second node.", rich_help_panel=_FILE)]
Value = Annotated[
    str | None,
    typer.Option(help="Column of the value: 1 link, 0 non-link, or any number.", rich_help_panel=_FILE),
]
Weight = Annotated[
    str | None,
    typer.Option(
        help="Column of the strength of a link; without --value all are links.", rich_help_panel=_FILE
    ),
]
Relation = Annotated[
    str | None, typer.Option(help="Of a file of triples, the relation to read.", rich_help_panel=_FILE)
]
Delimiter = Annotated[
    str | None, typer.Option(help="What separates the fields; \\t is a tab.", rich_help_panel=_FILE)
]
Header = Annotated[
    bool | None,
    typer.Option(
        "--header/--no-header", help="Whether the first line names the columns.", rich_help_panel=_FILE
    ),
]
Matrix = Annotated[
    bool | None,
    typer.Option(
        "--matrix/--list", help="Whether a line is a row of a matrix, or a pair.", rich_help_panel=_FILE
    ),
]
Symmetric = Annotated[
    bool, typer.Option("--symmetric", help="Links have no direction.", rich_help_panel=_FILE)
]
Directed = Annotated[
    bool,
    typer.Option("--directed", help="Links have a direction: (a, b) is not (b, a).", rich_help_panel=_FILE),
]
Bipartite = Annotated[
    bool, typer.Option("--bipartite", help="Both sides are different kinds of nodes.", rich_help_panel=_FILE)
]
UnstoredOption = Annotated[
    Unstored | None,
    typer.Option("--unstored", help="What a sparse matrix does not store.", rich_help_panel=_FILE),
]
ConflictsOption = Annotated[
    Conflicts | None,
    typer.Option("--conflicts", help="Value of a pair listed with different ones.", rich_help_panel=_FILE),
]
Binarize = Annotated[
    float | None,
    typer.Option(
        metavar="AT", help="Values above AT are links, all others non-links.", rich_help_panel=_FILE
    ),
]
Seed = Annotated[int, typer.Option(min=0, help="Seed of all random draws: the same seed, the same results.")]
Jobs = Annotated[
    int | None,
    typer.Option(min=1, help="Threads; all cores by default. Results are the same for any number."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, and nothing else, on standard output.")]


def data_options(
    columns: dict[str, str | bool | None],
    nodes: tuple[bool, bool, bool],
    unstored: Unstored | None,
    conflicts: Conflicts | None,
    binarize: float | None,
) -> DataOptions:
    """Return what the user says about a file.

    Parameters
    ----------
    columns : dict
        Fields of `ColumnOptions`.
    nodes : (bool, bool, bool)
        Whether symmetric, directed and bipartite are given.
    unstored, conflicts, binarize
        As given.
    """
    from latentlink.cli.reading.data_file import DataOptions
    from latentlink.cli.reading.table_layout import ColumnOptions
    from latentlink.errors import InputError

    kinds = [kind for kind, given in zip(("symmetric", "directed", "bipartite"), nodes, strict=True) if given]
    if len(kinds) > 1:
        raise InputError(f"--{kinds[0]} and --{kinds[1]} are given; expected one of them at most.")
    delimiter = columns.get("delimiter")
    if isinstance(delimiter, str):
        columns = {**columns, "delimiter": delimiter.replace("\\t", "\t")}
    return DataOptions(
        columns=ColumnOptions(**columns),  # type: ignore[arg-type]
        nodes=kinds[0] if kinds else None,
        unstored=None if unstored is None else unstored.value,
        conflicts=None if conflicts is None else conflicts.value,
        binarize=binarize,
    )
