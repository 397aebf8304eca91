"""``latentlink predict``: scores, probabilities and decisions for given pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from latentlink.cli.commands.file_options import PairFileGroup
from latentlink.cli.commands.shared_options import Json, Run
from latentlink.cli.console import print_json, print_note, rows_of, standard_output, text_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["predict"]

_SHOWN = 20


def predict(
    run: Run,
    file: Annotated[
        str, typer.Argument(metavar="PAIRS", help="File of pairs, in any format; - is standard input.")
    ],
    columns: PairFileGroup,
    out: Annotated[
        str | None, typer.Option(help="CSV file to write; standard output by default.", metavar="FILE")
    ] = None,
    json: Json = False,
) -> None:
    """Predict the pairs of a file with the model of a finished run.

    Writes a line for each pair, in the order of the file: source, target, score, probability, spread,
    decision and known, the value of a pair that the model was fitted to or calibrated on, for which there is
    no decision. A pair with a node that the model does not have has no score, nor has a node with itself
    where the network has no such pairs. A file of which no pair has nodes of the model is an error.

    Examples
    --------
        latentlink predict run pairs.csv --out predicted.csv

        echo "ann,bob" | latentlink predict run - --no-header --json
    """
    from latentlink.cli.reading.pair_file import read_pairs
    from latentlink.cli.reading.standard_input import data_file
    from latentlink.cli.results.finished_run import FinishedRun
    from latentlink.cli.results.link_file import raise_if_input
    from latentlink.validation.wording import counted

    raise_if_input(out, file)
    finished = FinishedRun.load(run)
    with data_file(file) as path:
        rows, cols = read_pairs(path, columns.column_options())
    nodes = _as_nodes(finished, rows, cols)
    unknown = finished.unknown(*nodes)
    predicted = finished.predicted(*nodes)
    loops = int(finished.outside(*nodes).sum())
    if loops:
        print_note(
            f"{loops:,} of {counted(len(rows), 'pair')} {'is' if loops == 1 else 'are'} a node with itself, "
            "which in this network is no pair and has no score."
        )
    if unknown:
        header = columns.header is None and finished.first_is_foreign(*nodes)
        print_note(f"{unknown}{' If the first line names the columns, give --header.' if header else ''}")
    _written(predicted, out, json)


def _as_nodes(finished: Any, rows: NDArray[Any], cols: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return nodes as the network has them: numbers where it has no names."""
    import numpy as np

    sides = []
    for names, nodes in ((finished.network.row_names, rows), (finished.network.col_names, cols)):
        numbers = names is None and nodes.dtype.kind == "U" and bool(np.strings.isdecimal(nodes).all())
        sides.append(nodes.astype(np.int64) if numbers else nodes.astype(str) if names is not None else nodes)
    return sides[0], sides[1]


def _written(columns: dict[str, NDArray[Any]], out: str | None, json: bool) -> None:
    from pathlib import Path

    from latentlink.cli.results.link_file import csv_text, write_csv

    if out is not None:
        write_csv(Path(out), columns)
    if json:
        print_json(rows_of(columns))
    elif out is None and not standard_output().is_terminal:
        for piece in csv_text(columns):
            typer.echo(piece, nl=False)
    else:
        first = {name: column[:_SHOWN].tolist() for name, column in columns.items()}
        standard_output().print(text_table(f"The first of {len(columns['score']):,} pairs", first))
        if out is not None:
            standard_output().print(f"Written to {out}", markup=False, soft_wrap=True)
