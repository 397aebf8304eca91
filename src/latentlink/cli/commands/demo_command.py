"""``latentlink demo``: a run on a data set of the package, end to end."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from latentlink.cli.commands.fit_command import Call, fitted, print_result
from latentlink.cli.commands.shared_options import Json
from latentlink.cli.console import print_json, standard_output

__all__ = ["demo"]


def demo(
    rank: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Fit this rank only, instead of searching 1 to 8.")
    ] = None,
    seed: Annotated[
        int, typer.Option(min=0, metavar="N", help="Seed of what is hidden and of the fits.")
    ] = 0,
    out: Annotated[
        str, typer.Option(metavar="FOLDER", help="Folder of the data and of the run.")
    ] = "latentlink-demo",
    json: Json = False,
) -> None:
    """Hide a tenth of a small data set, fit the rest and compare the predictions with what was hidden.

    The data are 16 images of 400 pixels, zeros and ones, made of 4 shapes; they are part of the package.
    Takes less than 30 seconds, and ends with the report to open.

    Examples
    --------
        latentlink demo
    """
    from latentlink.cli.results.demo_data import compared_with_truth, write_demo_data
    from latentlink.cli.running.run_settings import FitSettings

    path = write_demo_data(Path(out), seed)
    settings = FitSettings(
        ranks="1:8" if rank is None else str(rank), members=8, seed=seed, image_shape="20x20"
    )
    folder = str(Path(out) / ("run" if rank is None else f"run-rank-{rank}"))
    result = fitted(Call(str(path), folder, quiet=json, command="latentlink demo"), settings)
    truth = compared_with_truth(result.folder / "links.csv")
    if json:
        print_json({"folder": str(result.folder), "compared": truth, **result.record})
        return
    print_result(result, named=False)
    console = standard_output()
    console.print(
        f"Of {truth['hidden']:,} hidden entries {truth['right']:,} are predicted right (score above or below "
        f"0.5); the more frequent value alone would be right for {truth['baseline']:,}. Decided were "
        f"{truth['decided']:,}, {truth['wrong']:,} of them wrongly."
    )
    console.print(f"Open {result.folder / 'report.html'}", markup=False, soft_wrap=True)
