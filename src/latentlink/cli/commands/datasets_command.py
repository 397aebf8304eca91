"""``latentlink datasets``: list, fetch and make data sets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from latentlink.cli.commands.shared_options import FLAG, Json
from latentlink.cli.console import print_json, rows_of, standard_output, text_table

if TYPE_CHECKING:
    from latentlink.datasets import Dataset
    from latentlink.network import Network

__all__ = ["datasets"]

datasets = typer.Typer(no_args_is_help=True, help="List, fetch and make data sets to try.")

Out = Annotated[str | None, typer.Option(help="CSV file to write; NAME.csv by default.", metavar="FILE")]
Force = Annotated[bool, typer.Option("--force", metavar=FLAG, help="Replace a file that is there already.")]


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
    force: Force = False,
    json: Json = False,
) -> None:
    """Fetch a published data set, and write it as a CSV file for fit.

    A file that was fetched before is not downloaded again; hashes are verified.

    Examples
    --------
        latentlink datasets fetch usair --out usair.csv
    """
    from latentlink.cli.results.dataset_file import published, write_dataset

    path = _checked(name, out, 0.0, force)
    data = published(name, folder)
    _told(path, data, write_dataset(path, data, 0.0, 0), json)


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
    force: Force = False,
    json: Json = False,
) -> None:
    """Make a data set of known rank, and write it as a CSV file for fit: a matrix, or a list of links.

    Examples
    --------
        latentlink datasets make dog --hidden 0.5 --out dog.csv
    """
    from latentlink.cli.results.dataset_file import generated, write_dataset

    path = _checked(name, out, hidden, force)
    data = generated(name, seed)
    _told(path, data, write_dataset(path, data, hidden, seed), json)


def _checked(name: str, out: str | None, hidden: float, force: bool) -> Path:
    """Return the path of the file to write, or raise InputError for what cannot be done."""
    from latentlink.cli.results.dataset_file import check_output

    path = Path(f"{name}.csv" if out is None else out)
    check_output(path, hidden, force)
    return path


def _told(path: Path, data: Dataset, network: Network, json: bool) -> None:
    """Print what was written."""
    if json:
        print_json({"file": str(path), "description": data.description, "network": repr(network)})
        return
    console = standard_output()
    console.print(f"{data.description}\n{network!r}\nWritten to {path}", markup=False, soft_wrap=True)
