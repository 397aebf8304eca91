"""``latentlink fit``: from a file to ranked links with confidence, and a report."""

from __future__ import annotations

import shlex
import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

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
from latentlink.cli.console import (
    ConsoleReporter,
    print_json,
    print_note,
    printable,
    standard_output,
    text_table,
)

if TYPE_CHECKING:
    from latentlink.cli.running.fit_run import FitResult
    from latentlink.cli.running.run_settings import FitSettings

__all__ = ["CalibrationKind", "Call", "fit", "fitted", "print_result"]

_METHOD, _RESULTS = "Method", "Results"
_SHOWN = 10


class CalibrationKind(StrEnum):
    """Ways to calibrate."""

    by_data = "auto"
    by_folds = "cross"
    by_share = "split"
    not_at_all = "none"


def fit(  # noqa: PLR0913
    context: typer.Context,
    file: DataFile,
    out: Annotated[str, typer.Option(help="Folder of the results; created if needed.", metavar="RUN")],
    method: Annotated[
        Method, typer.Option(help="auto chooses by the data, and says why.", rich_help_panel=_METHOD)
    ] = Method.auto,
    logistic: Annotated[
        bool,
        typer.Option("--logistic", help="Give a factorization a logistic head.", rich_help_panel=_METHOD),
    ] = False,
    ranks: Annotated[
        str | None,
        typer.Option(
            help="Ranks to try: 5, or 2,4,8, or 1:20. A search by default.", rich_help_panel=_METHOD
        ),
    ] = None,
    bisect: Annotated[
        bool,
        typer.Option("--bisect", help="Search the range of ranks by bisection.", rich_help_panel=_METHOD),
    ] = False,
    members: Annotated[
        int | None, typer.Option(min=1, help="Members of each ensemble.", rich_help_panel=_METHOD)
    ] = None,
    components: Annotated[
        bool | None,
        typer.Option(
            "--components/--no-components",
            help="Fit a factorization beside a stack, whose rank and components the report shows.",
            show_default="where it takes a few minutes at most",
            rich_help_panel=_METHOD,
        ),
    ] = None,
    negatives: Annotated[
        float | None,
        typer.Option(
            help="Non-links to draw for each link, among the unlisted pairs.",
            rich_help_panel=_METHOD,
            metavar="RATIO",
        ),
    ] = None,
    seed: Seed = 0,
    jobs: Jobs = None,
    time_limit: Annotated[
        float | None,
        typer.Option(
            help="Seconds after which the search for the rank ends with the best so far.",
            rich_help_panel=_METHOD,
        ),
    ] = None,
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
    calibration: Annotated[
        CalibrationKind,
        typer.Option(
            help="cross: all data are fitted, folds calibrate; split: a tenth is kept back.",
            rich_help_panel=_RESULTS,
        ),
    ] = CalibrationKind.by_data,
    risk: Annotated[
        float,
        typer.Option(
            help="Largest share of wrong decisions; where it is in doubt, abstain.", rich_help_panel=_RESULTS
        ),
    ] = 0.05,
    base_rate: Annotated[
        float | None,
        typer.Option(
            help="Share of links among unknown pairs that probabilities suppose; else that of known ones.",
            rich_help_panel=_RESULTS,
        ),
    ] = None,
    fdr: Annotated[
        float | None,
        typer.Option(
            help="Decide by discoveries instead: largest share of non-links among the links found.",
            rich_help_panel=_RESULTS,
        ),
    ] = None,
    top: Annotated[
        int, typer.Option(min=1, help="Number of unknown pairs to list.", rich_help_panel=_RESULTS)
    ] = 10_000,
    image_shape: Annotated[
        str | None,
        typer.Option(
            metavar="HxW",
            help="Rows (or columns) are pixels: show components as images.",
            rich_help_panel=_RESULTS,
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace another run in that folder.")] = False,
    json: Json = False,
) -> None:
    """Fit a model to a file, and write ranked links with confidence and a report.

    Writes into RUN: `links.csv` (source, target, score, probability, spread, decision, rank), `ranks.csv`,
    `report.html` with `report_data`, `model`, beside a stack `components`, and, last of all, `run.json`. A
    run that was interrupted continues where it stopped; a finished one is not run again.

    Examples
    --------
        latentlink fit links.csv --out run

        latentlink fit ratings.tsv --out run --source user --target item --value stars

        latentlink fit contacts.csv --out run --weight times

        latentlink fit triples.tsv --relation inhibits --directed --out run

        zcat pairs.csv.gz | latentlink fit - --method wnmfk --ranks 2:16 --bisect --out run
    """
    from latentlink.cli.running.run_settings import FitSettings

    columns: dict[str, Any] = {
        "source": source, "target": target, "value": value, "weight": weight,
        "relation": relation, "delimiter": delimiter, "header": header, "matrix": matrix,
    }  # fmt: skip
    data = data_options(columns, (symmetric, directed, bipartite), unstored, conflicts, binarize)
    settings = FitSettings(
        data=data,
        method=method.value,
        logistic=logistic,
        ranks=ranks,
        bisect=bisect,
        members=members,
        components=components,
        negatives=negatives,
        seed=seed,
        time_limit=time_limit,
        calibration=calibration.value,
        fdr=fdr,
        risk=risk,
        base_rate=base_rate,
        top=top,
        image_shape=image_shape,
    )
    call = Call(file, out, jobs, force, json, shlex.join(["latentlink", *(context.obj or sys.argv[1:])]))
    result = fitted(call, settings)
    if json:
        print_json({"folder": str(result.folder), "was_finished": result.was_finished, **result.record})
    else:
        print_result(result)


class Call(NamedTuple):
    """How a fit is called, besides its settings.

    Attributes
    ----------
    file, out : str
    jobs : int or None
    force : bool
    quiet : bool
        Print nothing.
    command : str
        The whole command, for the record.
    """

    file: str
    out: str
    jobs: int | None = None
    force: bool = False
    quiet: bool = False
    command: str = ""


def fitted(call: Call, settings: FitSettings) -> FitResult:
    """Run a fit of a file or of standard input; unless quiet, print what is understood and decided."""
    console = standard_output()
    if not call.quiet and console.is_terminal:
        console.print("Loading ...", end="\r")
    from latentlink.cli.reading.standard_input import data_file
    from latentlink.cli.running.fit_run import FitRequest, run_fit
    from latentlink.cli.running.reporter import Silent

    with data_file(call.file) as path:
        request = FitRequest(
            data=path,
            name=call.file,
            out=call.out,
            settings=settings,
            jobs=call.jobs,
            force=call.force,
            command=call.command,
        )
        return run_fit(request, Silent() if call.quiet else ConsoleReporter(console))


def print_result(result: FitResult, named: bool = True) -> None:
    """Print the best links of a run and, if ``named``, where its report is."""
    from latentlink.cli.results.link_preview import first_links, visited_ranks
    from latentlink.cli.results.run_summary import run_notes, run_summary

    console, record, folder = standard_output(), result.record, result.folder
    if result.was_finished:
        done = f"{folder} has this run already, with the same data and settings: nothing to do."
        console.print(done, markup=False, soft_wrap=True)
    ranks, chosen = visited_ranks(folder / "ranks.csv")
    if len(ranks["rank"]) > 1:
        console.print(text_table("Ranks, the chosen one marked", ranks, chosen))
    if record["links"]["listed"]:
        best = first_links(folder / "links.csv", _SHOWN)
        title = f"The best of {record['links']['listed']:,} unknown pairs in links.csv"
        console.print(text_table(title, best))
    for sentence in run_summary(record):
        console.print(printable(sentence), markup=False, soft_wrap=True)
    for note in run_notes(record):
        print_note(note)
    if named:
        console.print(f"Open {folder / 'report.html'}", markup=False, soft_wrap=True)
