"""What is decided before a fit: data, method, non-links, calibration, and whether it fits into memory."""

from __future__ import annotations

from dataclasses import dataclass, field

from latentlink.cli.reading.data_file import DataRead, read_data
from latentlink.cli.running.calibration_plan import FOLDS, SHARE, CalibrationPlan, planned_calibration
from latentlink.cli.running.component_plan import ComponentPlan, planned_components
from latentlink.cli.running.cost import available_bytes, core_count, estimated_cost, raise_if_too_large
from latentlink.cli.running.device_option import on_chosen_device
from latentlink.cli.running.drawn_negatives import with_negatives
from latentlink.cli.running.fit_checks import check_fit, raise_if_unused
from latentlink.cli.running.reporter import Reporter
from latentlink.cli.running.run_settings import FitSettings, parsed_ranks, parsed_shape
from latentlink.cli.running.workplace import Workplace
from latentlink.errors import InputError
from latentlink.estimators import LinkModel, MethodChoice, ValueStack, choose_method, make_estimator
from latentlink.estimators.automatic import component_method
from latentlink.network import Network
from latentlink.splitting import Split, holdout
from latentlink.stacking.values import ColumnUnits, kind_of_values

__all__ = ["FitRequest", "Prepared", "prepare_run"]


@dataclass(frozen=True, kw_only=True)
class FitRequest:
    """A run that is asked for.

    Attributes
    ----------
    data : str
        Path of the file that is read.
    name : str
        What the user called it; "-" is standard input.
    out : str
        The folder of the run.
    settings : FitSettings
    jobs : int or None
    force : bool
        Replace another run in that folder.
    command : str
        The command, for the record.
    workplace : Workplace
        Where the work is done.
    """

    data: str
    name: str
    out: str
    settings: FitSettings = field(default_factory=FitSettings)
    jobs: int | None = None
    force: bool = False
    command: str = ""
    workplace: Workplace = field(default_factory=Workplace)


@dataclass(frozen=True, eq=False)
class Prepared:
    """Data and settings of a run, ready to be fitted.

    Attributes
    ----------
    data : DataRead
    network : Network
        The data, with drawn non-links if there are any.
    choice : MethodChoice
    model : LinkModel
        Not fitted.
    plan : CalibrationPlan
    split : Split or None
        What is fitted and what is kept back, if anything is.
    seed : int
        Of the division into folds.
    components : ComponentPlan or None
        The factorization beside a stack.
    """

    data: DataRead
    network: Network
    choice: MethodChoice
    model: LinkModel
    plan: CalibrationPlan
    split: Split | None
    seed: int
    components: ComponentPlan | None = None


def prepare_run(request: FitRequest, reporter: Reporter) -> Prepared:
    """Read the data, and decide on method, calibration and what is kept back, before any fit."""
    settings = request.settings
    ranks = parsed_ranks(settings.ranks, settings.bisect)
    pixels = parsed_shape(settings.image_shape)
    with reporter.stage("Reading"):
        data = read_data(request.data, settings.data)
    reporter.say("Read", f"{request.name}: {data.understood}")
    reporter.say("Assumed", "; ".join(data.assumed) or "nothing")
    network = data.network
    if pixels is not None and pixels[0] * pixels[1] not in network.shape:
        raise InputError(
            f"--image-shape is {settings.image_shape}, of {pixels[0] * pixels[1]:,} pixels, but the data "
            f"have {network.shape[0]:,} rows and {network.shape[1]:,} columns; expected as many of either."
        )
    raise_if_unused(settings, network)
    choice = choose_method(network, matrix=data.matrix)
    if settings.method != "auto":
        choice = MethodChoice(settings.method, "--method asks for it")
    network, drawn = with_negatives(network, choice.name, settings)
    reporter.say("Method", f"{choice.name}, since {choice.reason}{drawn}")
    jobs, cores = -1 if request.jobs is None else request.jobs, core_count(request.jobs)
    components = planned_components(choice.name, network, settings, jobs, cores)
    if components is not None:
        reporter.say("Components", components.sentence)
    model = make_estimator(
        choice.name,
        network,
        ranks=ranks,
        members=settings.members,
        logistic=settings.logistic,
        n_jobs=jobs,
        random_state=settings.seed,
    )
    if isinstance(model, ValueStack):
        kind = kind_of_values(network, standardized=ColumnUnits.of(network) is not None)
        reporter.say("Values", kind.sentence)
    model = on_chosen_device(model, settings.device, choice.name)
    check_fit(model, network)
    plan = planned_calibration(settings.calibration, network, choice.name)
    split = holdout(network, SHARE, settings.seed) if plan.how == "split" else None
    reporter.say("Calibration", plan.sentence)
    cost = estimated_cost(model, network, FOLDS if plan.how == "cross" else 0, cores)
    if components is not None:
        cost = cost.before(components.cost)
    instead = component_method(network) if choice.name == "stack" else ""
    raise_if_too_large(cost, available_bytes(), instead)
    reporter.say("Expected", str(cost))
    return Prepared(data, network, choice, model, plan, split, settings.seed, components)
