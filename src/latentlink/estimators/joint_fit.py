"""Several factorizers fitted to one network, as `LogisticHead`, `LinkStack` and `ValueStack` need them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from sklearn.base import clone

from latentlink.errors import IncompatibleError
from latentlink.estimators.factorizer import RankedFactorizer
from latentlink.network import Network
from latentlink.network.transforms.symmetry import as_symmetric
from latentlink.progress.task_costs import fit_cost, search_cost
from latentlink.rank.engine import Plan
from latentlink.rank.ridge import fits_of_trial
from latentlink.solvers import LMF, WNMF, BayesianSymLMF, SymLMF
from latentlink.stacking import FittedEnsemble, knows_links_only
from latentlink.stacking.inner_folds import SAMPLE_SIZE
from latentlink.stacking.last_stage.mixed_stage import TRIAL_SIZE

__all__ = [
    "MEMBERS",
    "RANKS",
    "as_symmetric_if_needed",
    "check_models",
    "default_models",
    "fitted_ensemble",
    "given_models",
    "last_stage_of_inner_folds",
    "names_of_models",
    "seconds_of_inner_folds",
    "with_chosen_ranks",
]

AnyStack = TypeVar("AnyStack")

# Measured on a labelled network of 9,400 pairs: a pair of the last stage takes as long as fitting an entry
# with so many members and components. Candidates are compared by some of the pairs, which counts twice.
_PAIR_COST = 1350.0
_BLOCK = 16  # members that are fitted at once; fewer take as long
# A search of ranks gains next to nothing here: with a ridge, the logistic loss takes 20 components or more,
# and the squared loss 5. Factorizations carry labelled networks, and add little to links alone.
RANKS = {SymLMF: (20,), LMF: (20,), WNMF: (5,)}
MEMBERS, _MEMBERS_OF_LINKS_ALONE = 16, 4
_TOL = 1e-3  # of the members' fits: 1e-4 took half as long again and predicted no better
# Draws from the posterior of a logistic model, beside its fits. The chains are short of mixing, since the
# weight of their mean is learned from equally short ones: 60 sweeps took half the time of 120.
_POSTERIOR_RANK, _POSTERIOR_SWEEPS, _POSTERIOR_BURN_IN = 4, 60, 20


def default_models(stack: Any, network: Network) -> list[RankedFactorizer]:
    """Return the unfitted models of a stack of links that was given none.

    Parameters
    ----------
    stack : LinkStack
        With the parameters ``ranks``, ``n_perturbs`` and ``n_jobs``.
    network : Network
    """
    links_alone = knows_links_only(network)  # also beside a background
    logistic: Any = SymLMF if network.symmetric else LMF
    members = _MEMBERS_OF_LINKS_ALONE if links_alone else MEMBERS
    models = [
        RankedFactorizer(
            RANKS[each] if stack.ranks is None else stack.ranks,
            solver=each.for_members().set_params(tol=_TOL),
            n_perturbs=members if stack.n_perturbs is None else stack.n_perturbs,
            n_jobs=stack.n_jobs,
        )
        for each in ((logistic,) if links_alone else (logistic, WNMF))
    ]
    models = [each.set_params(regime=each.used_regime().set_params(starts=1)) for each in models]
    return models if links_alone or not network.symmetric else [*models, _posterior(stack, network)]


def _posterior(stack: Any, network: Network) -> RankedFactorizer:
    """Return the model whose members are draws from a posterior, as many as those of the others."""
    members = int(MEMBERS if stack.n_perturbs is None else stack.n_perturbs)
    draws = 1 if members % 2 else 2
    return RankedFactorizer(
        (min(_POSTERIOR_RANK, network.shape[0]),),
        solver=BayesianSymLMF(
            max_iter=_POSTERIOR_SWEEPS, burn_in=_POSTERIOR_BURN_IN, draws=draws, precision="float32"
        ),
        n_perturbs=max(1, members // draws),
        n_jobs=stack.n_jobs,
    )


def check_models(models: Sequence[RankedFactorizer], network: Network) -> None:
    """Raise for data that one of the models cannot be fitted to, before any work."""
    for model in models:
        model.used_solver().check(network)


def given_models(stack: Any, expected: str, *, logistic: bool) -> Sequence[RankedFactorizer]:
    """Return the models that a stack was given, none by default.

    Parameters
    ----------
    stack : estimator
        With the parameter ``models``.
    expected : str
        What the models should be, for the error.
    logistic : bool
        Whether models of links are among them.

    Raises
    ------
    IncompatibleError
        Unless it was given factorizers, at least one, or None.
    """
    if stack.models is None:
        return ()
    models: Sequence[RankedFactorizer] = stack.models
    several = isinstance(models, Sequence) and len(models) > 0
    if several and all(
        isinstance(each, RankedFactorizer) and (logistic or not each.used_solver().logistic)
        for each in models
    ):
        return models
    raise IncompatibleError(
        f"{type(stack).__name__} has models={models!r:.200}; expected {expected} in a list, at least one, or "
        "None for the default."
    )


def with_chosen_ranks(stack: AnyStack) -> AnyStack:
    """Return an unfitted stack whose models have the ranks and ridges that were chosen."""
    fitted: Any = stack
    models = [model._with_chosen_ranks() for model in fitted.models_]
    chosen: AnyStack = clone(fitted).set_params(models=models, random_state=fitted.models_[0].seed_)
    return chosen


def names_of_models(models: Sequence[RankedFactorizer]) -> tuple[str, ...]:
    """Return the name of each fitted model in a stack: its place, solver and rank."""
    return tuple(
        f"{number}: {type(model.solver_).__name__}, rank {model.rank_}"
        for number, model in enumerate(models, 1)
    )


def as_symmetric_if_needed(network: Network, models: Iterable[RankedFactorizer]) -> Network:
    """Return a network in a form for all models: undirected, if one needs that and it can be."""
    needed = any(model.used_solver().needs_symmetric for model in models)
    return as_symmetric(network) if needed else network


def fitted_ensemble(model: RankedFactorizer) -> FittedEnsemble:
    """Return the settings of a fitted ensemble, so that it can be fitted again to a part of the network."""
    members = len(model.record_.held_out)
    plan = Plan(model.network_, model.solver_, model.regime_, members, model.seed_)
    # Chains that hold entries out serve the choice of the rank alone.
    return FittedEnsemble(plan.holding_nothing_out() if plan.solver.samples else plan, model.rank_)


def seconds_of_inner_folds(models: Sequence[RankedFactorizer], took: Sequence[float], fits: float) -> float:
    """Return how long fits of ensembles to the inner folds take.

    Parameters
    ----------
    models : sequence of RankedFactorizer
        Fitted models.
    took : sequence of float
        Seconds of the search of each.
    fits : float
        How many fits to all of the data the inner folds of a model are worth.
    """
    return sum(
        _share_of_inner_folds(model, fits) * seconds for model, seconds in zip(models, took, strict=True)
    )


def _share_of_inner_folds(model: RankedFactorizer, fits: float) -> float:
    """Return how long fits of an ensemble to the inner folds take, as a share of its search."""
    plan = fitted_ensemble(model).plan
    choice = model.ridge_choice_
    probes = set() if choice is None else {rank for _, rank, *_ in choice.tried}
    search = search_cost(model.path_.ranks, plan.n_members, probes, fits_of_trial(plan))
    return fits * fit_cost(model.rank_, plan.n_members) / search


def last_stage_of_inner_folds(models: Sequence[RankedFactorizer], fits: float, pairs: int) -> float:
    """Return how long the last stage of a stack takes, as a multiple of the inner folds of its models.

    Parameters
    ----------
    models : sequence of RankedFactorizer
        Fitted models.
    fits : float
        How many fits to all of the data the inner folds of a model are worth.
    pairs : int
        Known entries of the data.
    """
    plans = [fitted_ensemble(model).plan for model in models]
    inner = fits * sum(
        fit_cost(model.rank_, _BLOCK * len(plan.blocks)) for model, plan in zip(models, plans, strict=True)
    )
    of_stage = min(pairs, SAMPLE_SIZE) + 2 * min(pairs, TRIAL_SIZE)
    return _PAIR_COST * of_stage / (inner * max(1, pairs))
