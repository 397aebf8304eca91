"""``latentlink top``: the best unknown pairs, of all or of one node."""

from __future__ import annotations

from typing import Annotated

import typer

from latentlink.cli.commands.shared_options import Json, Run
from latentlink.cli.console import print_json, rows_of, shown_name, standard_output, text_table

__all__ = ["top"]


def top(
    run: Run,
    node: Annotated[str | None, typer.Option(help="Only pairs of this node.", metavar="NAME")] = None,
    count: Annotated[int, typer.Option("-n", "--count", min=1, metavar="N", help="Number of pairs.")] = 20,
    json: Json = False,
) -> None:
    """List the best unknown pairs of a finished run, of all nodes or of one.

    Examples
    --------
        latentlink top run -n 50

        latentlink top run --node P05067
    """
    from latentlink.cli.results.link_preview import best_links

    columns = best_links(run, count, node)
    if json:
        print_json(rows_of(columns))
        return
    of = "" if node is None else f" of {shown_name(node)}"
    shown = {name: column.tolist() for name, column in columns.items()}
    standard_output().print(text_table(f"The best unknown pairs{of}", shown))
