"""``latentlink evaluate``: a method beside baselines on held-out pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from latentlink.cli.commands.file_options import FileGroup
from latentlink.cli.commands.shared_options import (
    FLAG,
    METHOD_HELP,
    METHOD_PANEL,
    DataFile,
    Jobs,
    Json,
    Method,
    SearchGroup,
    Seed,
)
from latentlink.cli.console import ConsoleReporter, print_json, rows_of, standard_output

if TYPE_CHECKING:
    from latentlink.cli.reading.data_file import DataRead
    from latentlink.cli.running.cost import Cost
    from latentlink.cli.running.reporter import Reporter
    from latentlink.estimators import LinkModel
    from latentlink.network import Network

__all__ = ["evaluate"]

_WIDEST = 100  # characters of a table; --json has all columns


@dataclass(frozen=True, kw_only=True)
class ProtocolGroup:
    """What is measured, and how often."""

    repeats: Annotated[int, typer.Option(min=1, metavar="N", help="Number of random splits.")] = 5
    test_size: Annotated[float, typer.Option(metavar="SHARE", help="Share held out in each split.")] = 0.2
    negatives: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KIND",
            help="Non-links to rank links among: listed, uniform, degree, hard, all; several times.",
        ),
    ] = None
    all_tables: Annotated[
        bool,
        typer.Option(
            "--all-tables",
            metavar=FLAG,
            help="Print a table for every kind of non-links, instead of the verdicts of most.",
        ),
    ] = False
    seed: Seed = 0
    jobs: Jobs = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class MethodsGroup:
    """What is fitted in each split."""

    method: Annotated[
        list[Method] | None,
        typer.Option(
            metavar="METHOD",
            help=f"Method to measure; may be given more than once. auto chooses by the data. {METHOD_HELP}",
            rich_help_panel=METHOD_PANEL,
        ),
    ] = None


def evaluate(
    file: DataFile, protocol: ProtocolGroup, methods: MethodsGroup, search: SearchGroup, data: FileGroup
) -> None:
    """Measure a method beside simple baselines on pairs that are held out, with intervals and a verdict.

    Every method is fitted again in each split, so that this takes as many fits as there are splits.

    Examples
    --------
        latentlink evaluate links.csv

        latentlink evaluate ratings.csv --method rnmfk --method stack --repeats 3
    """
    from latentlink import evaluate as evaluated
    from latentlink.cli.reading.data_file import read_data
    from latentlink.cli.reading.standard_input import data_file
    from latentlink.cli.running.reporter import Silent
    from latentlink.cli.running.run_settings import parsed_ranks

    reporter = Silent() if protocol.json else ConsoleReporter(standard_output())
    settings = {
        "ranks": parsed_ranks(search.ranks, search.bisect),
        "members": search.members,
        "n_jobs": -1 if protocol.jobs is None else protocol.jobs,
        "random_state": protocol.seed,
    }
    options = data.data_options()
    with data_file(file) as path:
        read = read_data(path, options)
    reporter.say("Read", f"{file}: {read.understood}")
    reporter.say("Assumed", "; ".join(read.assumed) or "nothing")
    models = _estimators(read, methods, settings, reporter)
    reporter.say("Expected", str(_cost(models, read.network, protocol)))
    with reporter.stage("Evaluating"):
        evaluation = evaluated(
            read.network,
            models,
            repeats=protocol.repeats,
            test_size=protocol.test_size,
            negatives=protocol.negatives,
            random_state=protocol.seed,
        )
    if not protocol.json:
        console = standard_output()
        width = min(console.width, _WIDEST) if console.is_terminal else _WIDEST
        kind = None if protocol.all_tables else evaluation.main_negatives
        console.print(evaluation.to_text(width, kind), markup=False, soft_wrap=True)
        if kind is not None and len(evaluation.negatives) > 1:
            console.print("All tables: --all-tables; all numbers: --json.", markup=False, soft_wrap=True)
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


def _estimators(
    read: DataRead, methods: MethodsGroup, settings: dict[str, Any], reporter: Reporter
) -> dict[str, LinkModel]:
    """Return the unfitted estimator of each method by its name, and say why it is that one."""
    from latentlink.cli.running.drawn_negatives import with_negatives
    from latentlink.cli.running.run_settings import FitSettings
    from latentlink.estimators import choose_method, make_estimator

    network = read.network
    choice, models = choose_method(network, matrix=read.matrix), {}
    for asked in methods.method or [Method.auto]:
        automatic = asked is Method.auto
        name, reason = (choice.name, choice.reason) if automatic else (asked.value, "--method asks for it")
        drawn = with_negatives(network, name, FitSettings())[1] if name == "stack" else ""
        reporter.say("Method", f"{name}, since {reason}{drawn}")
        models[name] = make_estimator(name, network, **settings)
    return models


def _cost(models: dict[str, LinkModel], network: Network, protocol: ProtocolGroup) -> Cost:
    """Return the expected cost of all fits."""
    from latentlink.cli.running.cost import Cost, core_count, estimated_cost

    cores = core_count(protocol.jobs)
    cost = Cost(0.0, 0.0)
    for model in models.values():
        one = estimated_cost(model, network, 0, cores)
        cost = cost.before(Cost(one.seconds * protocol.repeats, one.n_bytes))
    return cost
