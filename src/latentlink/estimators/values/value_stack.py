"""A stack for values with holes, such as ratings and tables: posterior means, neighbours and regressions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle, islice
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from latentlink.errors import IncompatibleError, InputError
from latentlink.estimators.bayesian import BayesianFactorizer
from latentlink.estimators.factorizer import RankedFactorizer
from latentlink.estimators.fit_options import (
    FitOptions,
    FitStages,
    WarnOnce,
    check_ensemble_settings,
    no_rank_warnings,
)
from latentlink.estimators.joint_fit import (
    check_models,
    fitted_ensemble,
    given_models,
    names_of_models,
    seconds_of_inner_folds,
    with_chosen_ranks,
)
from latentlink.estimators.link_model import LinkModel
from latentlink.estimators.loading.loaded_state import check_array, check_factorizers, given_network
from latentlink.estimators.loading.loaded_values import check_value_stage
from latentlink.estimators.matrix_input import read_network, rows_to_fold_in
from latentlink.folding import NewRows, of_fitted_columns
from latentlink.network import Network
from latentlink.random import rng_for
from latentlink.rank.searches.ranks_of_user import has_open_end
from latentlink.scoring import Members, PairModel
from latentlink.solvers import BPMF
from latentlink.splitting import Split, kfold
from latentlink.stacking import FittedEnsemble, folds_needed
from latentlink.stacking.values import (
    ColumnKernels,
    ColumnUnits,
    LinearStage,
    ValueColumns,
    ValueMembers,
    ValueModel,
    fault_of_kernels,
    fault_of_units,
    kind_of_values,
)
from latentlink.stacking.values.inner_values import (
    KERNEL_STEPS,
    MeanModel,
    hidden_columns,
    mean_kernels,
    mean_of_all,
    mean_residuals,
)

__all__ = ["ValueStack"]

Array = NDArray[Any]

_RANKS = (8, 16)
_FOLDS = 5
_CHAINS_OF_FOLDS = 4  # half of those of the models: enough for the weights, which are a few dozen numbers
_FEWEST = 50  # known values: with fewer there is nothing to learn weights from
_INNER = -9 % 2**32  # keeps these draws apart from those of other stages
_REGRESSIONS = 1.0  # expected duration of the regressions of columns, relative to the fit of a model


class ValueStack(LinkModel):
    """Values of missing entries by posterior means, similar rows and columns, and regressions of columns.

        x_ij = s_1 + c + sum_p w_p d_p

    s_1 is the posterior mean of a Bayesian factorization (`BayesianFactorizer`). The parts d_p are the
    differences of other predictions from it (a second factorization and, for tables of up to 256 columns,
    kernel regressions of each column on all others), and corrections by the residuals of similar columns and
    of similar rows. The weights, which depend on how many entries of row and column are known, are learned on
    entries that were hidden in inner folds (`latentlink.stacking.values.LinearStage`). Nothing else is tuned.
    Where weights are worse on such entries than the best single prediction, or the mean of all predictions,
    this is the stack.

    A table whose columns are of different units, such as a length and an income, is standardized column by
    column for all of this, every other one as a whole, and scores are in the units that were given: those of
    a table in another unit, or with a constant added, are the same in this unit.

    It is for values: ratings, counts, measurements, tables with holes; ``kind_`` says what they were taken
    for, and scores stay in their range, in tables of few columns in that of each column. For links and
    non-links choose `LinkStack`. The components of the data come from a factorization such as `RNMFk`,
    predictions from the stack.

    Members are draws of the posterior, joined by the same weights: the spread is what the factorizations do
    not know, and no measure of the whole error. Regressions of columns deviate with them. Calibrate it on
    held-out entries for intervals.

    Parameters
    ----------
    ranks : iterable of int, search, or None
        Ranks that each model tries. None is 8 for the first and 16 for the second, without a search: the
        priors shrink components that the data do not support.
    models : sequence of RankedFactorizer or None
        None is two of `BayesianFactorizer`, the first with a noise of its own for each row and column, which
        predicts ratings better, the second without, which predicts tables better. The first model given is
        s_1.
    n_perturbs : int
        Chains of each model.
    n_jobs : int or None
        Threads; -1 is all cores. Results are the same for any number.
    random_state : int, Generator, RandomState or None
        Seed of all random draws.

    Attributes
    ----------
    models_ : tuple of RankedFactorizer
        As fitted, to standardized values: less ``units_.centres``, divided by ``units_.scales``.
    stage_ : LinearStage
        The weights; ``stage_.errors`` are the errors of the first model and of the stack on hidden entries,
        of standardized values where columns differ in unit.
    kernels_ : ColumnKernels or None
        Regressions of columns, where there are few.
    units_ : ColumnUnits or None
        Centres and scales of columns that differ in unit. The models are fitted to standardized values then.
    kind_ : ValueKind
        What the values were taken for, with ``kind_.sentence``.
    factors_ : ValueModel
        The means of the models, stacked.
    members_ : tuple of ValueModel
        Draws of the models, stacked one by one.
    network_ : Network
        The training data.
    complete_ : bool
        Whether no model's search was cancelled.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(40, 2)) @ rng.normal(size=(2, 30)) + 0.1 * rng.normal(size=(40, 30))
    >>> X[rng.random(X.shape) < 0.3] = np.nan
    >>> model = ValueStack((2,), n_perturbs=2, random_state=0).fit(X)
    >>> model.kind_.sentence
    'real numbers, whose scores have no bounds'
    >>> bool(model.stage_.errors[1] < 0.2)
    True
    """

    factors_: ValueModel
    members_: ValueMembers

    _fitted_estimators: ClassVar[tuple[str, ...]] = ("models_",)
    _fitted_values: ClassVar[tuple[str, ...]] = ("stage_", "kernels_", "residuals_", "units_", "_given")

    def __init__(
        self,
        ranks: Any = None,
        *,
        models: Any = None,
        n_perturbs: int = 8,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.ranks = ranks
        self.models = models
        self.n_perturbs = n_perturbs
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _check_settings(self) -> None:
        check_ensemble_settings(clone(self).set_params(ranks=_RANKS if self.ranks is None else self.ranks))
        for model in self._given_models():
            model._check_settings()

    def _fit(self, X: Any, mask: Any, options: FitOptions) -> None:
        seed = options.part("model-1").seed(self.random_state)
        given = read_network(self, X, mask, reset=True)
        _raise_if_not_values(given)
        models = self._unfitted_models(given)
        self.units_ = _units_of(given, models)
        self._given = None if self.units_ is None else given
        network = given if self.units_ is None else self.units_.standardized(given)
        check_models(models, network)
        splits = _inner_splits(network, seed)
        regressions = ColumnKernels.fit_to(network)
        count = len(models)
        stages = FitStages(
            options,
            [*(1.0 for _ in models), _REGRESSIONS * regressions, count * len(splits) * 0.5],
            [has_open_end(model.ranks, min(network.shape)) for model in models],
        )
        with stages:
            self._fit_models(models, network, stages, len(splits), seed)
            means = [MeanModel.of(model.members_) for model in self.models_]
            stages.next("regressions", "regressions of columns")
            self.kernels_ = mean_kernels(means, network, None) if regressions else None
            settings = None if self.kernels_ is None else self.kernels_.settings
            inner = stages.next("folds", "inner folds")
            ensembles = [_smaller(fitted_ensemble(model)) for model in self.models_]
            tables = hidden_columns(ensembles, splits, settings, self.n_jobs, inner.executor, inner.callback)
            tests = [split.test for split in splits]
            stage = LinearStage.fit(
                tables,
                [test.values for test in tests],
                [test.weights for test in tests],
                count + (settings is not None),
            )
            unit = float(self.units_.scales[0]) if self.units_ is not None and self.units_.shared else 1.0
            self.stage_ = replace(stage, errors=(unit * stage.errors[0], unit * stage.errors[1]))
            self.residuals_ = mean_residuals(means, network)
            self._assemble()

    def _fit_models(
        self, models: list[RankedFactorizer], network: Network, stages: FitStages, folds: int, seed: int
    ) -> None:
        """Fit the models one after the other, and correct the expected duration of what follows."""
        fits = folds * (_FOLDS - 1) / _FOLDS * min(1.0, _CHAINS_OF_FOLDS / self.n_perturbs)
        with WarnOnce(), no_rank_warnings():
            for number, model in enumerate(models, 1):
                name = f"{type(model.used_solver()).__name__} ({number} of {len(models)})"
                stages.next(f"model-{number}", name).fit(model.set_params(random_state=seed), network)
                took = stages.durations
                inner = seconds_of_inner_folds(models[:number], took, fits) * len(models) / number
                to_come = [sum(took) / number] * (len(models) - number)
                regressions = sum(took) / number * _REGRESSIONS * ColumnKernels.fit_to(network)
                stages.expect_seconds([*to_come, regressions, inner + folds * KERNEL_STEPS * regressions / 3])
        self.models_ = tuple(models)

    def _unfitted_models(self, network: Network) -> list[RankedFactorizer]:
        """Return the models to be fitted."""
        if self.models is not None:
            return [clone(each) for each in self._given_models()]
        shared: dict[str, Any] = {"n_perturbs": self.n_perturbs, "n_jobs": self.n_jobs}
        ranks = [(min(rank, *network.shape),) if self.ranks is None else self.ranks for rank in _RANKS]
        return [
            BayesianFactorizer(ranks[0], solver=BPMF(node_noise=True), **shared),
            BayesianFactorizer(ranks[1], solver=BPMF(), **shared),
        ]

    def _given_models(self) -> Sequence[RankedFactorizer]:
        expected = "factorizers of values such as BayesianFactorizer() or RNMFk((20,))"
        return given_models(self, expected, logistic=False)

    def _with_chosen_ranks(self) -> ValueStack:
        return with_chosen_ranks(self)

    def _check_parts(self) -> None:
        if not isinstance(self.models_, tuple) or not self.models_:
            raise InputError("no tuple of models in a ValueStack; expected at least one model")
        check_factorizers(self.models_)
        network = self.models_[0].network_
        check_array(self.residuals_, "the residuals", "f", (network.n_listed,))
        if not np.isfinite(self.residuals_).all():
            raise InputError("residuals that are not finite numbers")
        self._given = given_network(self._given, network)
        faults = [
            None if self.kernels_ is None else fault_of_kernels(self.kernels_, network.shape),
            None if self.units_ is None else fault_of_units(self.units_, network.shape[1]),
            None if (self.units_ is None) == (self._given is None) else "units of columns without the values",
        ]
        if any(faults):
            raise InputError(next(filter(None, faults)))
        check_value_stage(self.stage_, len(self.models_), self.kernels_ is not None)

    def _assemble(self) -> None:
        """Stack the means of the models, and their members one by one."""
        network = self.models_[0].network_
        self.network_ = network if self._given is None else self._given
        self.row_names_, self.col_names_ = network.row_names, network.col_names
        self.n_features_in_ = network.shape[1]
        self.complete_ = all(model.complete_ for model in self.models_)
        self.kind_ = kind_of_values(
            self.network_, standardized=self.units_ is not None and not self.units_.shared
        )
        columns = replace(
            ValueColumns.of(network, self.residuals_, self.kernels_),
            ranges=self.kind_.ranges(network.shape[1]),
        )
        parts = [(model.factors_, *model.members_) for model in self.models_]
        self.factors_, self.members_ = self._stacked(
            columns, [[replace(each, bounds=None) for each in of_model] for of_model in parts]
        )

    def _stacked(
        self, columns: ValueColumns, parts: Sequence[Sequence[PairModel]]
    ) -> tuple[ValueModel, ValueMembers]:
        """Return the stack of the central models, which are the first, and of the members one by one."""
        names = names_of_models(self.models_)

        def stacked(models: Sequence[PairModel], is_member: bool = True) -> ValueModel:
            parts = tuple(models), names, columns, self.stage_
            return ValueModel(*parts, self.kind_.bounds, self.units_, is_member)

        central, ensembles = [each[0] for each in parts], [each[1:] for each in parts]
        size = max(map(len, ensembles))
        # Draws of one model and of another are independent: a smaller ensemble is repeated.
        members = zip(*(islice(cycle(each), size) for each in ensembles), strict=True)
        return stacked(central, is_member=False), ValueMembers(map(stacked, members))

    def _members(self) -> Members:
        return ValueMembers(self.members_)

    def fold_in(self, X: Any, *, mask: Any = None) -> NewRows:
        """Fold new rows into every model and member, and predict them by the whole stack.

        Similar columns correct them by their own residuals, what the models leave of their known values;
        similar rows are fitted rows; and the regressions are those of the fitted rows. Where less is known
        of a new row than of any fitted row, the regressions count in proportion, and a row of which nothing
        is known gets about the mean of each column.

        Parameters
        ----------
        X, mask
            As for `RankedFactorizer.fold_in`.

        Returns
        -------
        NewRows
            Without components: ``W`` has rank 0.
        """
        check_is_fitted(self)
        given = rows_to_fold_in(self, X, mask)
        network = given if self.units_ is None else self.units_.standardized(given)
        parts = [_folded(model, network) for model in self.models_]
        means = [MeanModel(of_model[1:]) for of_model in parts]
        filled = None if self.kernels_ is None else mean_of_all(means)
        columns = self.factors_.columns.for_rows(network, mean_residuals(means, network), filled)
        return NewRows(given, *self._stacked(columns, parts), by_ensemble=self._by_ensemble)

    def _warn_of_nodes(self, row: int, col: int | None = None) -> None:
        """Nothing: the parts are whole models, not components."""


def _folded(model: RankedFactorizer, network: Network) -> list[PairModel]:
    """Return a model and its members for new rows, with scores that are not clipped."""
    rows = model._fold(network, (model.factors_, *model.members_))
    each: tuple[Any, ...] = (rows.factors, *rows.members)
    return [of_fitted_columns(replace(one, bounds=None), network.shape[1]) for one in each]


def _smaller(ensemble: FittedEnsemble) -> FittedEnsemble:
    """Return the ensemble of an inner fold: of a sampler, fewer chains of fewer sweeps after the burn-in."""
    plan = ensemble.plan
    if not plan.solver.samples:
        return ensemble
    settings = plan.solver.get_params()
    burn_in, draws = settings["burn_in"], max(1, settings["draws"] // 2)
    sweeps = burn_in + max(draws, (settings["max_iter"] - burn_in) // 2)
    solver = clone(plan.solver).set_params(max_iter=sweeps, draws=draws)
    members = min(plan.n_members, _CHAINS_OF_FOLDS)
    return replace(ensemble, plan=replace(plan, solver=solver, n_members=members))


def _units_of(network: Network, models: Sequence[RankedFactorizer]) -> ColumnUnits | None:
    """Return the units of the columns, each its own where they differ and models take values below 0."""
    nonnegative = any(model.used_solver().needs_nonnegative for model in models)
    of_columns = None if nonnegative else ColumnUnits.of(network)
    return ColumnUnits.of_all(network, centred=not nonnegative) if of_columns is None else of_columns


def _inner_splits(network: Network, seed: int) -> list[Split]:
    """Return splits that each hide a fifth of the known entries, as many as weights can be learned from."""
    needed = min(_FOLDS, folds_needed(network.n_known // _FOLDS))
    splits = kfold(network, _FOLDS, rng_for(seed, _INNER))
    return list(islice(splits, needed))


def _raise_if_not_values(network: Network) -> None:
    """Raise IncompatibleError for links, for a background, and for too few values."""
    values = network.values[network.known]
    if not values.any():
        raise IncompatibleError(
            f"All {len(values):,} known values are 0, so that there is nothing to learn. Where a 0 means "
            "that nothing is known, make it NaN, or list the known entries alone."
        )
    if np.isin(values, (0, 1)).all():
        raise IncompatibleError(
            f"ValueStack is for values such as ratings, but all {len(values):,} known values are 0 or 1. For "
            "links choose LinkStack(), for a 0/1 matrix with holes BNMFk()."
        )
    if network.background:
        raise IncompatibleError(
            f"ValueStack is for known values, but the network has a background of {network.background:g}, "
            "which makes every unlisted pair a zero. Leave it out (with_background(0)), or choose "
            "BayesianFactorizer()."
        )
    if len(values) < _FEWEST:
        raise IncompatibleError(
            f"ValueStack learns weights from entries that are held out in turn, and needs at least {_FEWEST} "
            f"known values for that; there are {len(values):,}. Choose BayesianFactorizer() or RNMFk()."
        )
