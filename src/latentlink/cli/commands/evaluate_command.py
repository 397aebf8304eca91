"""``latentlink evaluate``: a method beside baselines on held-out pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from latentlink.cli.commands.shared_options import (
    Binarize,
    Bipartite,
    ConflictsOption,
    DataFile,
    Delimiter,
    Directed,
    Header,
    Jobs,
    Json,
    Matrix,
    Method,
    Relation,
    Seed,
    Source,
    Symmetric,
    Target,
    UnstoredOption,
    Value,
    Weight,
    data_options,
)
from latentlink.cli.console import ConsoleReporter, print_json, rows_of, standard_output

if TYPE_CHECKING:
    from latentlink.cli.reading.data_file import DataOptions
    from latentlink.evaluation import Evaluation

__all__ = ["evaluate"]


def evaluate(  # noqa: PLR0913
    file: DataFile,
    method: Annotated[
        list[Method] | None, typer.Option(help="Method to measure; may be given more than once.")
    ] = None,
    ranks: Annotated[str | None, typer.Option(help="Ranks to try: 5, or 2,4,8, or 1:20.")] = None,
    bisect: Annotated[bool, typer.Option("--bisect", help="Search the range of ranks by bisection.")] = False,
    members: Annotated[int | None, typer.Option(min=1, help="Members of each ensemble.")] = None,
    repeats: Annotated[int, typer.Option(min=1, help="Number of random splits.")] = 5,
    test_size: Annotated[float, typer.Option(help="Share held out in each split.")] = 0.2,
    negatives: Annotated[
        list[str] | None,
        typer.Option(
            help="Non-links to rank links among: listed, uniform, degree, hard, all; several times."
        ),
    ] = None,
    seed: Seed = 0,
    jobs: Jobs = None,
    source: Source = None,
    target: Target = None,
    value: Value = None,
    weight: Weight = None,
    relation: Relation = None,
    delimiter: Delimiter = None,
    header: Header = None,
    matrix: Matrix = None,
    symmetric: Symmetric = False,
    directed: Directed = False,
    bipartite: Bipartite = False,
    unstored: UnstoredOption = None,
    conflicts: ConflictsOption = None,
    binarize: Binarize = None,
    json: Json = False,
) -> None:
    """Measure a method beside simple baselines on pairs that are held out, with intervals and a verdict.

    Every method is fitted again in each split, so that this takes as many fits as there are splits.

    Examples
    --------
        latentlink evaluate links.csv

        latentlink evaluate ratings.csv --method rnmfk --method stack --repeats 3
    """
    columns: dict[str, Any] = {
        "source": source, "target": target, "value": value, "weight": weight,
        "relation": relation, "delimiter": delimiter, "header": header, "matrix": matrix,
    }  # fmt: skip
    data = data_options(columns, (symmetric, directed, bipartite), unstored, conflicts, binarize)
    settings = {"ranks": ranks, "bisect": bisect, "members": members, "seed": seed, "jobs": jobs}
    protocol = {"repeats": repeats, "test_size": test_size, "negatives": negatives, "random_state": seed}
    names = [each.value for each in method or [Method.auto]]
    evaluation = _evaluated(file, data, names, settings, protocol, quiet=json)
    if not json:
        standard_output().print(repr(evaluation), markup=False, soft_wrap=True)
        return
    print_json(
        {
            "kind": evaluation.kind,
            "best_baseline": evaluation.best_baseline(),
            "summary": rows_of(evaluation.summary.columns),
            "verdicts": evaluation.verdicts,
            "notes": evaluation.notes,
        }
    )


def _evaluated(
    file: str,
    data: DataOptions,
    names: list[str],
    settings: dict[str, Any],
    protocol: dict[str, Any],
    quiet: bool,
) -> Evaluation:
    """Read the data and evaluate methods on them."""
    from latentlink import evaluate as evaluated
    from latentlink.cli.reading.data_file import read_data
    from latentlink.cli.reading.standard_input import data_file
    from latentlink.cli.running.drawn_negatives import with_negatives
    from latentlink.cli.running.reporter import Silent
    from latentlink.cli.running.run_settings import FitSettings, parsed_ranks
    from latentlink.estimators import choose_method, make_estimator

    reporter = Silent() if quiet else ConsoleReporter(standard_output())
    ranks = parsed_ranks(settings["ranks"], settings["bisect"])
    with data_file(file) as path:
        read = read_data(path, data)
    reporter.say("Read", f"{file}: {read.understood}")
    reporter.say("Assumed", "; ".join(read.assumed) or "nothing")
    choice = choose_method(read.network)
    models = {}
    for name in names:
        method = choice.name if name == "auto" else name
        reason = choice.reason if name == "auto" else "--method asks for it"
        drawn = with_negatives(read.network, method, FitSettings())[1] if method == "stack" else ""
        reporter.say("Method", f"{method}, since {reason}{drawn}")
        models[method] = make_estimator(
            method,
            read.network,
            ranks=ranks,
            members=settings["members"],
            n_jobs=-1 if settings["jobs"] is None else settings["jobs"],
            random_state=settings["seed"],
        )
    with reporter.stage("Evaluating"):
        return evaluated(read.network, models, **protocol)
