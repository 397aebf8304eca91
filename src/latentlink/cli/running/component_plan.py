"""The factorization beside a stack: the stack predicts, and the factorization names the components."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from latentlink.cli.running.cost import Cost, estimated_cost, short_duration
from latentlink.cli.running.drawn_negatives import with_negatives
from latentlink.cli.running.run_settings import FitSettings, parsed_ranks
from latentlink.estimators import LinkModel, make_estimator
from latentlink.estimators.automatic import component_method
from latentlink.network import Network

__all__ = ["ComponentPlan", "planned_components"]

_MOST_SECONDS = 120.0  # of one core, beyond which components are fitted only if they are asked for


@dataclass(frozen=True, eq=False)
class ComponentPlan:
    """A factorization that is fitted beside a stack.

    Attributes
    ----------
    model : LinkModel or None
        Not fitted; None if it is not to be.
    network : Network
        The data, with drawn non-links where there are links alone.
    cost : Cost
    sentence : str
        What is done and why, with the option that changes it.
    """

    model: LinkModel | None
    network: Network
    cost: Cost
    sentence: str


def planned_components(
    method: str, network: Network, settings: FitSettings, jobs: int, cores: int
) -> ComponentPlan | None:
    """Return how the components beside a stack are found; None if the method is a factorization itself.

    Parameters
    ----------
    method : str
        The method of the run.
    network : Network
        The data.
    settings : FitSettings
    jobs : int
        Threads, as for the estimators.
    cores : int
        How many cores they use.
    """
    if method != "stack" or settings.components is False:
        return None
    name = component_method(network)
    data, drawn = with_negatives(network, name, settings)
    options: dict[str, Any] = {"members": settings.members, "random_state": settings.seed, "n_jobs": jobs}
    ranks = parsed_ranks(settings.ranks, settings.bisect)
    model = make_estimator(name, data, ranks=ranks, **options)
    cost = estimated_cost(model, data, 0, cores)
    if settings.components is None and cost.seconds * cores > _MOST_SECONDS:
        return ComponentPlan(
            None, data, Cost(0.0, 0.0),
            f"not searched for, which would take about {short_duration(cost.seconds)} more (--components)",
        )  # fmt: skip
    return ComponentPlan(
        model, data, cost, f"by {name}{drawn}, beside the stack, which predicts (else --no-components)"
    )
