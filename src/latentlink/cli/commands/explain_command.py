"""``latentlink explain``: what makes the score of a pair."""

from __future__ import annotations

from typing import Annotated

import typer

from latentlink.cli.commands.shared_options import Json, Run
from latentlink.cli.console import print_json, rows_of, shown_name, standard_output, text_table

__all__ = ["explain"]


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

    from latentlink.cli.results.explanation import shown_parts, total_sentence
    from latentlink.cli.results.finished_run import FinishedRun
    from latentlink.validation.wording import counted

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
    title = f"What adds to the score ({counted(len(parts), 'part')})"
    console.print(text_table(title, shown_parts(parts.columns)))
    total = total_sentence(run_.model.factors_, parts["contribution"], float(predicted["score"][0]))
    if total:
        console.print(total, markup=False, soft_wrap=True)
