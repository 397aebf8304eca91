"""A run of ``latentlink fit``: from a file to a folder with model, links, ranks, report and record."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from latentlink import __version__
from latentlink.cli.option_words import in_options
from latentlink.cli.reading.data_file import described
from latentlink.cli.results.complete_run import raise_if_incomplete
from latentlink.cli.results.decisions import Decisions, calibrated_decisions, quiet, save_decisions
from latentlink.cli.results.folder_lock import LOCK, locked
from latentlink.cli.results.link_file import formula_names, write_csv
from latentlink.cli.results.link_table import link_columns, rank_columns, unknown_pairs
from latentlink.cli.results.run_folder import Identity, RunFolder
from latentlink.cli.results.run_record import versions
from latentlink.cli.results.share_of_links import SupposedShare, supposed_share
from latentlink.cli.running.calibration_plan import FOLDS
from latentlink.cli.running.component_plan import ComponentPlan
from latentlink.cli.running.prepare_run import FitRequest, Prepared, prepare_run
from latentlink.cli.running.reporter import Reporter
from latentlink.cli.running.run_report import write_run_report
from latentlink.cli.running.run_settings import FitSettings
from latentlink.errors import DataWarning, InputError, LatentLinkError, RankWarning, StorageError
from latentlink.estimators import LinkModel, RankedFactorizer, load
from latentlink.network import Network
from latentlink.parallel import Workers
from latentlink.rank.criterion import without_prediction
from latentlink.report.sections.data_section import unknown_count
from latentlink.scoring import Calibrated

__all__ = ["FitRequest", "FitResult", "digest_of", "run_fit"]


@dataclass(frozen=True)
class FitResult:
    """What a run has made.

    Attributes
    ----------
    folder : Path
    record : dict
        The contents of ``run.json``.
    was_finished : bool
        Whether the run had been finished before, so that nothing was done.
    """

    folder: Path
    record: dict[str, Any]
    was_finished: bool


def run_fit(request: FitRequest, reporter: Reporter) -> FitResult:
    """Read the data, fit, calibrate, rank the unknown pairs and write the folder of the run.

    Parameters
    ----------
    request : FitRequest
    reporter : Reporter
        Receives what was understood and decided, and the progress.

    Returns
    -------
    FitResult
    """
    folder = RunFolder(request.out)
    identity = Identity(digest_of(request.data), request.settings.as_dict(), __version__)
    # A finished run may be on a disk that cannot be written to; nothing is decided here while others write.
    if not (folder / LOCK).exists() and folder.compare(identity, request.force) == "finished":
        return _finished(folder)
    with locked(folder.path):
        return _run_alone(request, identity, folder, reporter)


def _finished(folder: RunFolder) -> FitResult:
    """Return a run that was finished before, or raise InputError if a part of it is missing."""
    record = folder.finished()
    raise_if_incomplete(folder.path, record)
    return FitResult(folder.path, record, True)


def _run_alone(request: FitRequest, identity: Identity, folder: RunFolder, reporter: Reporter) -> FitResult:
    """Run while no other process writes to the folder."""
    timings: dict[str, float] = {}
    state = folder.compare(identity, request.force)  # it may have changed before the lock was had
    if state == "finished":
        folder.tidy()
        return _finished(folder)
    if request.workplace.combine and state == "new":
        raise InputError(f"There is nothing to combine in {folder.path}; run its shares first, with --share.")
    with _timed(timings, "read"):
        prepared = prepare_run(request, reporter)
    folder.begin(identity, state == "new")
    if state == "interrupted":
        reporter.say("Continued", f"the run in {folder.path} that was interrupted")
    with _nothing_left_after_errors(folder, begun_here=state == "new"):
        with request.workplace.executor(request.jobs) as executor:
            record = _run(request, identity, prepared, reporter, timings, executor)
        record["seconds"] = {name: round(seconds, 2) for name, seconds in timings.items()}
        folder.finish(record)
    return FitResult(folder.path, record, False)


def _run(
    request: FitRequest,
    identity: Identity,
    prepared: Prepared,
    reporter: Reporter,
    timings: dict[str, float],
    executor: Workers | None,
) -> dict[str, Any]:
    """Fit, calibrate and rank, write all files but the record, and return the record."""
    folder, settings = RunFolder(request.out), request.settings
    with _timed(timings, "fit"):
        model = _fitted(prepared, folder, reporter, settings.time_limit, executor)
    components = None
    if prepared.components is not None:
        with _timed(timings, "components"):
            components = _fitted_components(
                prepared.components, folder, reporter, settings.time_limit, executor
            )
    with _timed(timings, "calibrate"):
        calibrated = _calibrated(prepared, model, folder, reporter, executor)
    with _timed(timings, "rank"), reporter.stage("Ranking the unknown pairs"):
        decisions, links, supposed = _decided(model, calibrated, settings, prepared.data.network)
        write_csv(folder / "links.csv", links)
        write_csv(folder / "ranks.csv", rank_columns(model, components))
        save_decisions(folder / "calibration.npz", decisions)
    record = _record(request, identity, prepared, (model, components), decisions, links, supposed)
    with _timed(timings, "report"), reporter.stage("Writing the report"):
        used = calibrated if decisions.calibrated else None
        write_run_report(folder, (model, components), used, links, record)
    return record


@contextmanager
def _nothing_left_after_errors(folder: RunFolder, begun_here: bool) -> Iterator[None]:
    """Remove what this process began if the data or settings turn out to be invalid: it cannot be continued.

    A full disk, which can be, and an interruption leave what there is; so does an error in a run that
    another process began.
    """
    try:
        yield
    except StorageError:
        raise
    except LatentLinkError:
        if begun_here:
            folder.remove()
        raise


def digest_of(path: str) -> str:
    """Return the SHA-256 of a data file."""
    if not Path(path).is_file():
        Network.from_file(path)  # raises, with what is wrong
    with open(path, "rb") as file:
        digest = sha256()
        while piece := file.read(2**20):
            digest.update(piece)
    return digest.hexdigest()


@contextmanager
def _timed(timings: dict[str, float], name: str) -> Iterator[None]:
    begin = time.monotonic()
    yield
    timings[name] = time.monotonic() - begin


def _fitted(
    prepared: Prepared, folder: RunFolder, reporter: Reporter, limit: float | None, executor: Workers | None
) -> LinkModel:
    """Fit the model, or load it where the run was interrupted after the fit.

    A model is loaded in any case, so that a run goes on with the same bits wherever it was interrupted.
    """
    saved = folder / "model"
    if not saved.is_dir():
        data = prepared.network if prepared.split is None else prepared.split.train
        with reporter.stage("Fitting") as callback, warnings.catch_warnings():
            # What the nodes are was asked for or assumed, and said.
            warnings.filterwarnings("ignore", ".*both in rows and in columns", DataWarning)
            # The summary says the same.
            warnings.filterwarnings("ignore", "No rank is stable", RankWarning)
            prepared.model.fit(
                data, folder=folder.checkpoints("fit"), callback=callback, executor=executor, time_limit=limit
            )
        prepared.model.save(saved)
    model: LinkModel = load(saved)
    return model.set_params(n_jobs=prepared.model.n_jobs) if hasattr(model, "n_jobs") else model


def _fitted_components(
    plan: ComponentPlan,
    folder: RunFolder,
    reporter: Reporter,
    limit: float | None,
    executor: Workers | None,
) -> RankedFactorizer | None:
    """Fit the factorization beside a stack, or load it; None where it takes too long, or cannot be fitted."""
    if plan.model is None:
        return None
    saved = folder / "components"
    if not saved.is_dir():
        try:
            with reporter.stage("Finding components") as callback, quiet():
                # Their stability, which is shown, counts what members that need more sweeps differ by.
                warnings.simplefilter("ignore", ConvergenceWarning)
                plan.model.fit(
                    plan.network,
                    folder=folder.checkpoints("components"),
                    callback=callback,
                    executor=executor,
                    time_limit=limit,
                )
        except StorageError:
            raise
        except LatentLinkError as error:
            reporter.say("No components", str(error))
            return None
        plan.model.save(saved)
    model: RankedFactorizer = load(saved)
    return model


def _calibrated(
    prepared: Prepared, model: LinkModel, folder: RunFolder, reporter: Reporter, executor: Workers | None
) -> Calibrated | None:
    """Calibrate the model as planned; None, with a line that says why, where the data do not suffice."""
    if prepared.plan.how == "none":
        return None
    try:
        # Nodes without entries in a fold would be reported for each of them; the fit has reported its own.
        with reporter.stage("Calibrating") as callback, quiet():
            if prepared.split is not None:
                return model.calibrate(prepared.split.test)
            return model.cross_calibrate(
                FOLDS,
                rng=prepared.seed,
                folder=folder.checkpoints("folds"),
                callback=callback,
                executor=executor,
            )
    except StorageError:
        raise
    except LatentLinkError as error:
        reporter.say("Not calibrated", str(error))
        return None


def _decided(
    model: LinkModel, calibrated: Calibrated | None, settings: FitSettings, data: Network
) -> tuple[Decisions, dict[str, Any], SupposedShare | None]:
    """Return the rules of the calibration, the columns of the ranked links, and the share of links."""
    pairs = unknown_pairs(model, calibrated, settings.top)
    decisions = Decisions(by="ensemble" if model.factors_.boolean else None)
    supposed = None
    if calibrated is not None and data.is_binary and len(pairs) and settings.base_rate is None:
        supposed = supposed_share(calibrated, data)
    if calibrated is not None and len(pairs):
        try:
            decisions = calibrated_decisions(
                calibrated, pairs, settings.risk, settings.fdr, supposed, settings.base_rate, settings.level
            )
        except LatentLinkError as error:
            decisions = Decisions(by=calibrated.by, limits=(f"Nothing could be calibrated: {error}",))
    if decisions.selected is not None and len(decisions.selected) > len(pairs):
        pairs = unknown_pairs(model, calibrated, len(decisions.selected))
    return decisions, link_columns(model, decisions, pairs), None if decisions.risk is None else supposed


def _record(
    request: FitRequest,
    identity: Identity,
    prepared: Prepared,
    models: tuple[LinkModel, RankedFactorizer | None],
    decisions: Decisions,
    links: Mapping[str, Any],
    supposed: SupposedShare | None,
) -> dict[str, Any]:
    """Return what ``run.json`` has, but for the timings."""
    model, components = models
    decided, counts = np.unique(links["decision"], return_counts=True)
    like_known = supposed is not None and supposed.like_known
    return {
        **identity.as_dict(),
        "settings_sha256": request.settings.digest(),
        "command": request.command,
        "data": {
            "name": request.name,
            "understood": prepared.data.understood,
            "assumed": prepared.data.assumed,
        },
        "fitted": described(model.network_),
        "method": {
            "name": prepared.choice.name,
            "reason": prepared.choice.reason,
            "estimator": repr(prepared.model),
        },
        "rank": _rank(model),
        "components": None
        if components is None
        else {"estimator": repr(components), **_rank_of_components(components)},
        "complete": all(getattr(each, "complete_", True) for each in models),
        "calibration": {
            "how": prepared.plan.how,
            "sentence": prepared.plan.sentence,
            "share_of_links": None if decisions.curve is None else decisions.curve.calibration_rate,
            "supposed_share_of_links": supposed.share if like_known and supposed else decisions.supposed,
            "unknown_like_known": like_known,
            "limits": [in_options(sentence) for sentence in decisions.limits],
        },
        "links": {
            "listed": len(links["rank"]),
            "unknown": unknown_count(model.network_),
            "kind": "zero" if model.network_.background == 1 else "unknown",
            "decisions": {str(name): int(count) for name, count in zip(decided, counts, strict=True) if name},
            "formula_names": formula_names(
                {*map(str, links["source"].tolist()), *map(str, links["target"].tolist())}
            ),
        },
        "seed": request.settings.seed,
        "versions": versions(),
    }


def _rank(model: Any) -> dict[str, Any] | None:
    """Return the rank that a factorization chose, and why; None for a model of several.

    A rank that was given is not "agreed": nothing else was tried.
    """
    choice = getattr(model, "choice_", None)
    if choice is None:
        return None
    status = "given" if len(model.path_) == 1 else choice.status
    device = model.path_[choice.rank].device
    return {"rank": choice.rank, "reason": choice.reason, "status": status, "device": device}


def _rank_of_components(model: RankedFactorizer) -> dict[str, Any]:
    rank = _rank(model) or {}
    return {**rank, "reason": without_prediction(rank["reason"])}  # predictions come from the stack
