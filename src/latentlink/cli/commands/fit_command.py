"""``latentlink fit``: from a file to ranked links with confidence, and a report."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import typer

from latentlink.cli.commands.file_options import FileGroup
from latentlink.cli.commands.fit_groups import (
    MethodGroup,
    ResultGroup,
    RunGroup,
    fit_settings,
)
from latentlink.cli.commands.shared_options import DataFile, SearchGroup
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
    from latentlink.cli.running.prepare_run import FitRequest
    from latentlink.cli.running.reporter import Reporter
    from latentlink.cli.running.run_settings import FitSettings

__all__ = ["Call", "fit", "fitted", "print_result"]

_SHOWN = 10


def fit(
    context: typer.Context,
    file: DataFile,
    run: RunGroup,
    method: MethodGroup,
    search: SearchGroup,
    data: FileGroup,
    results: ResultGroup,
) -> None:
    """Fit a model to a file, and write ranked links with confidence and a report.

    Writes into RUN: `links.csv` (source, target, score, probability, spread, decision, rank; of lists
    decision_probability, of values low and high), `ranks.csv`, `report.html` with `report_data`, `model`,
    beside a stack `components`, and, last of all, `run.json`. A run that was interrupted continues where it
    stopped; a finished one is not run again.

    Examples
    --------
        latentlink fit links.csv --out run

        latentlink fit ratings.tsv --out run --source user --target item --value stars

        latentlink fit contacts.csv --out run --weight times

        latentlink fit triples.tsv --relation inhibits --out run

        zcat pairs.csv.gz | latentlink fit - --method wnmfk --ranks 2:16 --bisect --out run
    """
    settings = fit_settings(data.data_options(), method, search, results, run.seed)
    command = shlex.join(["latentlink", *(context.obj or sys.argv[1:])])
    call = Call(file, run.out, run.jobs, run.force, run.json, command, run.dask, run.share, run.combine)
    if run.share is not None:
        _fit_share(call, settings)
        return
    result = fitted(call, settings)
    if run.json:
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
    dask, share, combine
        Where the work is done, see `RunGroup`.
    """

    file: str
    out: str
    jobs: int | None = None
    force: bool = False
    quiet: bool = False
    command: str = ""
    dask: str | None = None
    share: str | None = None
    combine: bool = False


def fitted(call: Call, settings: FitSettings) -> FitResult:
    """Run a fit of a file or of standard input; unless quiet, print what is understood and decided."""
    console = standard_output()
    if not call.quiet and console.is_terminal:
        console.print("Loading ...", end="\r")
    from latentlink.cli.running.fit_run import run_fit

    with _requested(call, settings) as (request, reporter):
        return run_fit(request, reporter)


def _fit_share(call: Call, settings: FitSettings) -> None:
    """Run one share of a fit, which has no results of its own."""
    from latentlink.cli.running.share_run import run_share

    with _requested(call, settings) as (request, reporter):
        run_share(request, reporter)


@contextmanager
def _requested(call: Call, settings: FitSettings) -> Iterator[tuple[FitRequest, Reporter]]:
    """Return a context with the run that is asked for, and the reporter of what it does."""
    from latentlink.cli.reading.standard_input import data_file
    from latentlink.cli.running.prepare_run import FitRequest
    from latentlink.cli.running.reporter import Silent
    from latentlink.cli.running.workplace import Workplace

    with data_file(call.file) as path:
        request = FitRequest(
            data=path,
            name=call.file,
            out=call.out,
            settings=settings,
            jobs=call.jobs,
            force=call.force,
            command=call.command,
            workplace=Workplace(call.dask, call.share, call.combine),
        )
        yield request, Silent() if call.quiet else ConsoleReporter(standard_output())


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
        listed = record["links"]
        title = f"The best of {listed['listed']:,} {listed.get('kind', 'unknown')} pairs in links.csv"
        console.print(text_table(title, best))
    for sentence in run_summary(record):
        console.print(printable(sentence), markup=False, soft_wrap=True)
    for note in run_notes(record):
        print_note(note)
    if named:
        console.print(f"Open {folder / 'report.html'}", markup=False, soft_wrap=True)
