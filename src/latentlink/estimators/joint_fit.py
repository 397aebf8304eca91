"""Several factorizers fitted to one network, as `LogisticHead` and `LinkStack` need them."""

from __future__ import annotations

from collections.abc import Iterable

from latentlink.estimators.factorizer import RankedFactorizer
from latentlink.network import Network
from latentlink.network.transforms.symmetry import as_symmetric
from latentlink.progress.task_costs import fit_cost, search_cost
from latentlink.rank.engine import Plan
from latentlink.rank.ridge import fits_of_trial
from latentlink.stacking import FittedEnsemble

__all__ = ["as_symmetric_if_needed", "fitted_ensemble", "share_of_inner_folds"]


def as_symmetric_if_needed(network: Network, models: Iterable[RankedFactorizer]) -> Network:
    """Return a network in a form for all models: undirected, if one needs that and it can be."""
    needed = any(model.used_solver().needs_symmetric for model in models)
    return as_symmetric(network) if needed else network


def fitted_ensemble(model: RankedFactorizer) -> FittedEnsemble:
    """Return the settings of a fitted ensemble, so that it can be fitted again to a part of the network."""
    members = len(model.record_.held_out)
    plan = Plan(model.network_, model.solver_, model.regime_, members, model.seed_)
    return FittedEnsemble(plan, model.rank_)


def share_of_inner_folds(model: RankedFactorizer, fits: float) -> float:
    """Return how long fits of an ensemble to the inner folds take, as a share of its search.

    ``fits`` is how many fits to all of the data they are worth.
    """
    plan = fitted_ensemble(model).plan
    choice = model.ridge_choice_
    probes = set() if choice is None else {rank for _, rank, *_ in choice.tried}
    search = search_cost(model.path_.ranks, plan.n_members, probes, fits_of_trial(plan))
    return fits * fit_cost(model.rank_, plan.n_members) / search
