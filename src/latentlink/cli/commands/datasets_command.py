"""``latentlink datasets``: list, fetch and make data sets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from latentlink.cli.commands.shared_options import Json
from latentlink.cli.console import print_json, rows_of, standard_output, text_table

if TYPE_CHECKING:
    from latentlink.datasets import Dataset

__all__ = ["datasets"]

datasets = typer.Typer(no_args_is_help=True, help="List, fetch and make data sets to try.")

Out = Annotated[str | None, typer.Option(help="CSV file to write; NAME.csv by default.", metavar="FILE")]


@datasets.command("list")
def list_all(json: Json = False) -> None:
    """List all data sets with their sizes and licences; nothing is downloaded.

    Examples
    --------
        latentlink datasets list
    """
    from latentlink.datasets import list as listed

    table = listed()
    if json:
        print_json(rows_of(table.columns))
        return
    names = ("name", "kind", "rows", "columns", "known", "licence")
    standard_output().print(text_table("Data sets", {name: table[name].tolist() for name in names}))


@datasets.command("fetch")
def fetch(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Name of a published data set, as in the list.")
    ],
    out: Out = None,
    folder: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER", help="Folder with files that were fetched before, and for new ones; created."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Fetch a published data set, and write it as a CSV file for fit.

    A file that was fetched before is not downloaded again; hashes are verified.

    Examples
    --------
        latentlink datasets fetch usair --out usair.csv
    """
    from latentlink.cli.results.dataset_file import published

    _write(published(name, folder), 0.0, 0, out, json)


@datasets.command("make")
def make(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Name of a generated data set, as in the list.")
    ],
    out: Out = None,
    hidden: Annotated[
        float, typer.Option(metavar="SHARE", help="Share of the entries to hide, to be predicted.")
    ] = 0.0,
    seed: Annotated[
        int, typer.Option(min=0, metavar="N", help="Seed of the data and of what is hidden.")
    ] = 0,
    json: Json = False,
) -> None:
    """Make a data set of known rank, and write it as a CSV file for fit: a matrix, or a list of links.

    Examples
    --------
        latentlink datasets make dog --hidden 0.5 --out dog.csv
    """
    from latentlink.cli.results.dataset_file import generated

    _write(generated(name, seed), hidden, seed, out, json)


def _write(data: Dataset, hidden: float, seed: int, out: str | None, json: bool) -> None:
    from latentlink.cli.results.dataset_file import write_dataset

    path = Path(f"{data.name}.csv" if out is None else out)
    network = write_dataset(path, data, hidden, seed)
    if json:
        print_json({"file": str(path), "description": data.description, "network": repr(network)})
        return
    console = standard_output()
    console.print(f"{data.description}\n{network!r}\nWritten to {path}", markup=False, soft_wrap=True)
