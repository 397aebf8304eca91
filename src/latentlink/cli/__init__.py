"""The command line, with one module for each command; heavy imports are made when a command runs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from latentlink import __version__
from latentlink.cli.console import print_error, warnings_as_notes
from latentlink.cli.demo import demo
from latentlink.errors import LatentLinkError

__all__ = ["app", "main"]

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="markdown")
app.command()(demo)


@app.callback(invoke_without_command=True)
def latentlink(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    """Predict the missing links of a network or matrix."""
    if version:
        typer.echo(f"latentlink {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line and exit, with code 2 and the message if the package raises an error.

    Parameters
    ----------
    args : sequence of str, optional
        The arguments after the name of the program; by default those of ``sys.argv``.
    """
    try:
        with warnings_as_notes():
            app(None if args is None else list(args), prog_name="latentlink")
    except LatentLinkError as error:
        print_error(error)
        sys.exit(2)
