"""Arguments and options that several commands have."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

import typer

__all__ = [
    "FLAG",
    "METHOD_HELP",
    "METHOD_PANEL",
    "DataFile",
    "Jobs",
    "Json",
    "Method",
    "Run",
    "SearchGroup",
    "Seed",
]

FLAG = ""
"""What the help shows for the value of an option that takes none."""

METHOD_PANEL = "Method"
METHOD_HELP = (
    "stack: factorizations and features of the graph, which predict best together; nmfk: non-negative "
    "components; wnmfk: the same, weighted, with a ridge; rnmfk: components beside biases, for ratings; "
    "bnmfk: Boolean components of zeros and ones; lmf: logistic; symlmf: the same for undirected networks."
)


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


DataFile = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="Links, labelled pairs, ratings or a matrix: text with any delimiter (also gzipped), .parquet, "
        ".mtx, .npz (sparse, of SciPy), .npy or .h5ad; - is standard input.",
    ),
]
Run = Annotated[str, typer.Argument(metavar="RUN", help="The folder of a finished run.")]
Seed = Annotated[
    int, typer.Option(min=0, metavar="N", help="Seed of all random draws: the same seed, the same results.")
]
Jobs = Annotated[
    int | None,
    typer.Option(
        min=1, metavar="N", help="Threads; all cores by default. Results are the same for any number."
    ),
]
Json = Annotated[
    bool, typer.Option("--json", metavar=FLAG, help="Print JSON, and nothing else, on standard output.")
]


@dataclass(frozen=True, kw_only=True)
class SearchGroup:
    """How the rank is searched for."""

    ranks: Annotated[
        str | None,
        typer.Option(
            metavar="RANKS",
            help="Ranks to try: 5, or 2,4,8, or 1:20. A search by default.",
            rich_help_panel=METHOD_PANEL,
        ),
    ] = None
    bisect: Annotated[
        bool,
        typer.Option(
            "--bisect",
            metavar=FLAG,
            help="Search the range of ranks by bisection: a few of them are tried.",
            rich_help_panel=METHOD_PANEL,
        ),
    ] = False
    members: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Members of each ensemble, whose spread is that of a score; by default that of the method.",
            rich_help_panel=METHOD_PANEL,
        ),
    ] = None
