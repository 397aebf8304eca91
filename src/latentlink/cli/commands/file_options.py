"""Options that say what a file holds, where the user does not leave it to be detected."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from latentlink.cli.commands.shared_options import FLAG

if TYPE_CHECKING:
    from latentlink.cli.reading.data_file import DataOptions
    from latentlink.cli.reading.table_layout import ColumnOptions

__all__ = ["FileGroup", "PairFileGroup"]

_PANEL = "What the file holds (detected, and stated, where it is not given)"


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


Source = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN", help="Column of the first node: name, or position from 0.", rich_help_panel=_PANEL
    ),
]
Target = Annotated[
    str | None, typer.Option(metavar="COLUMN", help="Column of the second node.", rich_help_panel=_PANEL)
]
Delimiter = Annotated[
    str | None,
    typer.Option(metavar="TEXT", help="What separates the fields; \\t is a tab.", rich_help_panel=_PANEL),
]
Header = Annotated[
    bool | None,
    typer.Option(
        "--header/--no-header",
        metavar=FLAG,
        help="Whether the first line names the columns.",
        rich_help_panel=_PANEL,
    ),
]


@dataclass(frozen=True, kw_only=True)
class PairFileGroup:
    """What a file of pairs to be predicted holds."""

    source: Source = None
    target: Target = None
    delimiter: Delimiter = None
    header: Header = None

    def column_options(self) -> ColumnOptions:
        """Return what is said about the columns."""
        from latentlink.cli.reading.table_layout import ColumnOptions

        return ColumnOptions(
            source=self.source,
            target=self.target,
            delimiter=_tabs(self.delimiter),
            header=self.header,
            matrix=False,
        )


@dataclass(frozen=True, kw_only=True)
class FileGroup:
    """What a data file holds."""

    source: Source = None
    target: Target = None
    value: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="Column of the value: 1 link, 0 non-link, or any number.",
            rich_help_panel=_PANEL,
        ),
    ] = None
    weight: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="Column of the strength of a link; without --value all are links.",
            rich_help_panel=_PANEL,
        ),
    ] = None
    relation: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Of a file of triples, the relation to read, whose links have a direction.",
            rich_help_panel=_PANEL,
        ),
    ] = None
    delimiter: Delimiter = None
    header: Header = None
    matrix: Annotated[
        bool | None,
        typer.Option(
            "--matrix/--list",
            metavar=FLAG,
            help="Whether a line is a row of a matrix, or a pair.",
            rich_help_panel=_PANEL,
        ),
    ] = None
    symmetric: Annotated[
        bool,
        typer.Option("--symmetric", metavar=FLAG, help="Links have no direction.", rich_help_panel=_PANEL),
    ] = False
    directed: Annotated[
        bool,
        typer.Option(
            "--directed",
            metavar=FLAG,
            help="Links have a direction: (a, b) is not (b, a).",
            rich_help_panel=_PANEL,
        ),
    ] = False
    bipartite: Annotated[
        bool,
        typer.Option(
            "--bipartite",
            metavar=FLAG,
            help="Both sides are different kinds of nodes.",
            rich_help_panel=_PANEL,
        ),
    ] = False
    unstored: Annotated[
        Unstored | None,
        typer.Option(help="What is meant by what a sparse matrix does not store.", rich_help_panel=_PANEL),
    ] = None
    conflicts: Annotated[
        Conflicts | None,
        typer.Option(
            metavar="HOW",
            help="A pair that is listed with different values becomes a link, a non-link, their mean, or is "
            "dropped: link, non-link, mean or drop.",
            rich_help_panel=_PANEL,
        ),
    ] = None
    binarize: Annotated[
        float | None,
        typer.Option(
            metavar="AT", help="Values above AT are links, all others non-links.", rich_help_panel=_PANEL
        ),
    ] = None

    def data_options(self) -> DataOptions:
        """Return what is said about the file, or raise InputError if it is contradictory."""
        from latentlink.cli.reading.data_file import DataOptions
        from latentlink.cli.reading.table_layout import ColumnOptions
        from latentlink.errors import InputError

        kinds = [kind for kind in ("symmetric", "directed", "bipartite") if getattr(self, kind)]
        if len(kinds) > 1:
            raise InputError(f"--{kinds[0]} and --{kinds[1]} are given; expected one of them at most.")
        columns = ColumnOptions(
            source=self.source,
            target=self.target,
            value=self.value,
            weight=self.weight,
            relation=self.relation,
            delimiter=_tabs(self.delimiter),
            header=self.header,
            matrix=self.matrix,
        )
        return DataOptions(
            columns=columns,
            nodes=kinds[0] if kinds else None,
            unstored=None if self.unstored is None else self.unstored.value,
            conflicts=None if self.conflicts is None else self.conflicts.value,
            binarize=self.binarize,
        )


def _tabs(delimiter: str | None) -> str | None:
    """Return a delimiter in which a written tab is one."""
    return None if delimiter is None else delimiter.replace("\\t", "\t")
