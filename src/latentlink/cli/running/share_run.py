"""One of several processes that fit in one folder; another one combines what they have stored."""

from __future__ import annotations

import time
import warnings

from latentlink import __version__
from latentlink.cli.results.folder_lock import locked
from latentlink.cli.results.run_folder import Identity, RunFolder
from latentlink.cli.running.fit_run import digest_of
from latentlink.cli.running.prepare_run import FitRequest, prepare_run
from latentlink.cli.running.reporter import Reporter
from latentlink.errors import DataWarning, IncompatibleError, InputError
from latentlink.estimators import RankedFactorizer

__all__ = ["run_share"]

_PATIENCE = 60.0  # seconds, for a folder that others begin at the same moment


def run_share(request: FitRequest, reporter: Reporter) -> None:
    """Fit together with other processes of the same command; their tasks are stored in the folder of the run.

    Parameters
    ----------
    request : FitRequest
        With its share.
    reporter : Reporter
    """
    folder = RunFolder(request.out)
    identity = Identity(digest_of(request.data), request.settings.as_dict(), __version__)
    prepared = prepare_run(request, reporter)
    if not isinstance(prepared.model, RankedFactorizer):
        raise IncompatibleError(
            f"--share divides the tasks of one rank search, but the method {prepared.choice.name} has "
            "further stages. Give --dask, or --method with a factorization, such as wnmfk."
        )
    if _begun(folder, identity, request.force) == "finished":
        reporter.say("Finished", f"{folder.path} has this run already")
        return
    data = prepared.network if prepared.split is None else prepared.split.train
    with (
        request.workplace.executor(request.jobs) as executor,
        reporter.stage("Fitting") as callback,
        warnings.catch_warnings(),
    ):
        warnings.filterwarnings("ignore", ".*both in rows and in columns", DataWarning)
        prepared.model.fit(
            data,
            folder=folder.checkpoints("fit"),
            callback=callback,
            executor=executor,
            time_limit=request.settings.time_limit,
        )
    reporter.say("Stored", f"all tasks of the fit in {folder.path}; --combine finishes the run")


def _begun(folder: RunFolder, identity: Identity, force: bool) -> str:
    """Begin a run, or join it; shares that begin at the same moment do so one after the other."""
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            with locked(folder.path):
                state = folder.compare(identity, force)
                if state == "new":
                    folder.begin(identity, True)
                return state
        except InputError as error:
            if "Another run is being written" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.1)
