"""The command line: each command in a file of its own, which loads what it needs when it runs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from latentlink import __version__
from latentlink.cli.console import complain, notes
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
    """Run the command line and exit: with 2 and one sentence if this package refuses the request.

    Parameters
    ----------
    args : sequence of str, optional
        What follows the program's name; without it, what the shell was given.
    """
    try:
        with notes():
            app(None if args is None else list(args), prog_name="latentlink")
    except LatentLinkError as error:
        complain(error)
        sys.exit(2)
