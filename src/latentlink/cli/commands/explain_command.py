"""``latentlink explain``: what makes the score of a pair."""

from __future__ import annotations

from typing import Annotated

import typer

from latentlink.cli.commands.shared_options import Json, Run
from latentlink.cli.console import print_json, rows_of, shown_name, standard_output, text_table

__all__ = ["explain"]

_ROUNDED = 1e-6
_SHOWN = 15


def explain(
    run: Run,
    source: Annotated[str, typer.Argument(metavar="A", help="One node of the pair.")],
    target: Annotated[str, typer.Argument(metavar="B", help="The other node.")],
    json: Json = False,
) -> None:
    """Explain the score of a pair: what each part of the model adds to it, the largest first.

    Contributions add up to the score before it is clipped to the range of the known values, or to its logit
    where scores are probabilities.

    Examples
    --------
        latentlink explain run P05067 Q6ZW49
    """
    import numpy as np

    from latentlink.cli.results.finished_run import FinishedRun

    run_ = FinishedRun.load(run)
    row, col = run_.pair(source, target)
    predicted = run_.predicted(np.array([row]), np.array([col]))
    parts = run_.model.explain((row, col), by=run_.decisions.by)
    if json:
        print_json({**rows_of(predicted)[0], "parts": rows_of(parts.columns)})
        return
    console = standard_output()
    shown = {name: column.tolist() for name, column in predicted.items()}
    console.print(text_table(f"{shown_name(source)} and {shown_name(target)}", shown))
    columns = {name: parts[name].tolist()[:_SHOWN] for name in parts}
    console.print(text_table(f"What adds to the score ({min(len(parts), _SHOWN)} of {len(parts)})", columns))
    total, score = float(np.sum(parts["contribution"])), float(predicted["score"][0])
    if getattr(run_.model.factors_, "bounds", None) is not None and abs(total - score) > _ROUNDED:
        clipped = f"They add up to {total:.4g}, beyond the known values: the score is clipped to {score:.4g}."
        console.print(clipped, markup=False, soft_wrap=True)
