"""The command line, with one module for each command; heavy imports are made when a command runs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from latentlink import __version__
from latentlink.cli.commands.datasets_command import datasets
from latentlink.cli.commands.demo_command import demo
from latentlink.cli.commands.evaluate_command import evaluate
from latentlink.cli.commands.explain_command import explain
from latentlink.cli.commands.fit_command import fit
from latentlink.cli.commands.option_groups import grouped
from latentlink.cli.commands.predict_command import predict
from latentlink.cli.commands.report_command import report
from latentlink.cli.commands.reproduce_command import reproduce
from latentlink.cli.commands.shared_options import FLAG
from latentlink.cli.commands.top_command import top
from latentlink.cli.commands.worker_plan_command import worker_plan
from latentlink.cli.failures import exit_code

__all__ = ["app", "main"]

app = typer.Typer(
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)
for _command in (fit, predict, top, explain, evaluate, report, demo, reproduce):
    app.command()(grouped(_command))
app.command("worker-plan")(grouped(worker_plan))
app.add_typer(datasets, name="datasets")


@app.callback(invoke_without_command=True)
def latentlink(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", metavar=FLAG, help="Show the version and exit.")
    ] = False,
) -> None:
    """Predict the missing links of a network or the missing entries of a matrix.

    Start with `latentlink fit links.csv --out run`, then open `run/report.html`; without data of your own,
    with `latentlink demo`.

    Exit codes: 0 done, 1 an error that you can mend (one sentence says how), 2 an error of the program (a
    sentence says where the log is), 130 stopped by Ctrl-C, 141 nobody reads the output (as after `| head`).
    """
    if version:
        typer.echo(f"latentlink {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line and exit; errors are sentences on standard error.

    Parameters
    ----------
    args : sequence of str, optional
        The arguments after the name of the program; by default those of ``sys.argv``.
    """
    given = list(sys.argv[1:] if args is None else args)
    sys.exit(exit_code(lambda: app(given, prog_name="latentlink", standalone_mode=False, obj=given), given))
