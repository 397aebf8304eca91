"""``latentlink report``: the report page of a run, written again."""

from __future__ import annotations

from latentlink.cli.commands.shared_options import Json, Run
from latentlink.cli.console import print_json, standard_output

__all__ = ["report"]


def report(run: Run, json: Json = False) -> None:
    """Write the report page of a finished run again, from the data beside it.

    The page is made from the folder `report_data` alone: nothing is computed again.

    Examples
    --------
        latentlink report run
    """
    from latentlink.cli.results.folder_lock import locked
    from latentlink.cli.results.run_folder import RunFolder
    from latentlink.errors import InputError
    from latentlink.report import read_report_data, write_report

    folder = RunFolder(run)
    folder.finished()
    page = folder / "report.html"
    with locked(folder.path):
        record = folder.finished()  # another process may have begun to replace it
        try:
            write_report(read_report_data(folder / "report_data"), page)
        except InputError as error:
            command = record.get("command") or "latentlink fit"
            raise InputError(f"{error} Make the run again: {command} --force") from None
    if json:
        print_json({"report": str(page)})
    else:
        standard_output().print(f"Open {page}", markup=False, soft_wrap=True)
