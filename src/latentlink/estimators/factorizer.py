"""The factorizer: any solver with automatic rank, as a scikit-learn transformer and link model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin, clone
from sklearn.utils.validation import check_is_fitted

from latentlink.errors import InputError
from latentlink.estimators.fit_options import FitOptions, check_ensemble_settings
from latentlink.estimators.link_model import LinkModel
from latentlink.estimators.matrix_input import read_network, read_new_rows, rows_to_fold_in
from latentlink.factors import Factors
from latentlink.folding import NewRows, fold_rows, own_score, row_score
from latentlink.network import Network
from latentlink.network.transforms.symmetry import as_symmetric
from latentlink.rank import Agreement, Choice, RankPath, RankRecord, RidgeChoice, Selection
from latentlink.rank.criterion import OF_ENSEMBLE
from latentlink.rank.display.summary_html import summary_html
from latentlink.rank.engine import Plan
from latentlink.rank.find_rank import check_settings, find_rank
from latentlink.regime import AsIs, Regime, posterior, real
from latentlink.scoring import Members
from latentlink.solvers import WNMF, Solver
from latentlink.validation.choices import checked_object

__all__ = ["RankedFactorizer"]

Array = NDArray[Any]


class RankedFactorizer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, LinkModel):
    """A factorization by any solver, with automatic rank.

        score(i, j) = link( sum_c W[i, c] H[c, j] + row_bias[i] + col_bias[j] + offset )

    At each rank an ensemble is fitted to perturbed data from random starts. Each member is validated on
    entries that were held out of it; the ensemble is assessed by how well the members' components agree
    (Algorithm 1 of the paper).

    Parameters
    ----------
    ranks : iterable of int, search, or None
        Ranks to try: ``range(1, 11)``, a search such as ``Bisect(1, 64)``, or None for an automatic range
        (`latentlink.rank.Doubling`). A range, or an array of consecutive numbers, ends at the smaller side of
        the data; a list names its ranks.
    solver : Solver or None
        The factorization: ``LMF()``, ``SymLMF()``, ...; None is
        ``WNMF(max_iter=100, tol=1e-4, precision="float32")``.
    regime : Regime or None
        How members are perturbed, binarized and aligned; None is ``real()``, which with a logistic loss
        leaves the values as they are: members differ by the entries that are held out of each. With a solver
        that samples, such as ``BPMF()``, it is ``posterior()``.
    selection : Selection or None
        The rule that chooses the rank; None is ``Agreement()``, which asks how many components there are.
        ``BestPrediction()`` asks which rank predicts best; scores are then means over the members.
    n_perturbs : int
        Members of the ensemble at each rank.
    n_jobs : int or None
        Threads; -1 is all cores. Results are the same for any number.
    random_state : int, Generator, RandomState or None
        Seed of all random draws. None draws one.

    Attributes
    ----------
    rank_ : int
        The chosen rank.
    choice_ : Choice
        Rank, reason and status: agreed, disputed, unstable or unconfirmed.
    path_ : RankPath
        A record for every rank visited.
    factors_ : Factors
        The central model at the chosen rank, fitted to all known entries.
    W_ : array, shape (rows, rank)
    H_, components_ : array, shape (rank, columns)
    members_ : tuple of Factors
        The ensemble at the chosen rank, components in the order of the central model.
    solver_, regime_ : Solver, Regime
        As they were used; the solver's ridge is a number.
    ridge_choice_ : RidgeChoice or None
        How the ridge was chosen, if it was.
    network_ : Network
        The training data.
    row_names_, col_names_ : array of str or None
    complete_ : bool
        Whether the search was completed; else it was cancelled, or out of time.
    seed_ : int
        The seed of all random draws.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : array of str
        Their names, where there are any.

    Examples
    --------
    >>> import numpy as np
    >>> from latentlink.solvers import RNMF
    >>> rng = np.random.default_rng(0)
    >>> X = rng.random((12, 2)) @ rng.random((2, 9))
    >>> model = RankedFactorizer((1, 2), solver=RNMF(ridge=0.01), n_perturbs=4, random_state=0).fit(X)
    >>> model.predict_links([(0, 1), (3, 4)]).shape
    (2,)
    """

    factors_: Factors
    members_: tuple[Factors, ...]
    path_: RankPath
    choice_: Choice
    solver_: Solver
    regime_: Regime
    ridge_choice_: RidgeChoice | None

    _method: ClassVar[type[Solver]] = WNMF

    def __init__(
        self,
        ranks: Any = None,
        *,
        solver: Solver | None = None,
        regime: Regime | None = None,
        selection: Selection | None = None,
        n_perturbs: int = 16,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.ranks = ranks
        self.solver = solver
        self.regime = regime
        self.selection = selection
        self.n_perturbs = n_perturbs
        self.n_jobs = n_jobs
        self.random_state = random_state

    # ------------------------------------------------------------ settings

    def _default_objects(self) -> Mapping[str, Callable[[], Any]]:
        return {"solver": self._default_solver, "regime": self._default_regime, "selection": Agreement}

    def _default_solver(self) -> Solver:
        return self._method.for_members()

    def _default_regime(self) -> Regime:
        regime, solver = real(), self._default_solver() if self.solver is None else self.solver
        if getattr(solver, "samples", False):
            return posterior(parts=not solver.rotates)
        if getattr(solver, "logistic", False):
            # With a logistic loss a value of 1.01 has no minimum. There members differ by the entries that
            # are held out of each, which predicted better than random weights in addition.
            regime.set_params(perturb=AsIs())
        return regime

    def used_solver(self) -> Solver:
        """Return a copy of the solver that `fit` uses: the one that was given, or the default."""
        solver = self._default_solver() if self.solver is None else self.solver
        return clone(checked_object(self, "solver", solver, Solver))

    def used_regime(self) -> Regime:
        """Return a copy of the regime that `fit` uses: the one that was given, or the default."""
        regime = self._default_regime() if self.regime is None else self.regime
        return clone(checked_object(self, "regime", regime, Regime))

    def used_selection(self) -> Selection:
        """Return the rule that `fit` uses: the one that was given, or the default."""
        selection = self._default_objects()["selection"]() if self.selection is None else self.selection
        return checked_object(self, "selection", selection, Selection)

    def _used_ranks(self, network: Network) -> Any:
        """Return the ranks that `fit` visits; None searches."""
        del network
        return self.ranks

    def _check_settings(self) -> None:
        check_settings(self.used_solver(), self.used_regime(), self.used_selection())
        check_ensemble_settings(self)

    # ------------------------------------------------------------ fit

    def _fit(self, X: Any, mask: Any, options: FitOptions) -> None:
        solver, regime, selection = self.used_solver(), self.used_regime(), self.used_selection()
        seed = options.seed(self.random_state)
        network = read_network(self, X, mask, reset=True)
        if solver.needs_symmetric:
            network = as_symmetric(network)
        search = find_rank(
            Plan(network, solver, regime, int(self.n_perturbs), seed),
            self._used_ranks(network),
            selection,
            n_jobs=self.n_jobs,
            folder=options.folder,
            callback=options.callback,
            executor=options.executor,
            time_limit=options.time_limit,
        )
        self._set_fitted(network, regime, search.solver, search.path, search.choice)
        self.ridge_choice_, self.complete_, self.seed_ = search.ridge, search.complete, seed

    def _set_fitted(
        self, network: Network, regime: Regime, solver: Solver, path: RankPath, choice: Choice
    ) -> None:
        """Set the attributes of a fitted estimator, after a fit or a load."""
        record = path[choice.rank]
        self.network_, self.regime_, self.solver_ = network, regime, solver
        self.path_, self.choice_ = path, choice
        self._chosen_by_ensemble = self.used_selection().criterion is OF_ENSEMBLE
        self.rank_ = record.rank
        self.factors_, self.members_ = record.model, record.members
        self.W_, self.H_ = record.model.W, record.model.H
        self.components_ = record.model.H
        self.row_names_, self.col_names_ = network.row_names, network.col_names

    def _with_chosen_ranks(self) -> RankedFactorizer:
        chosen: RankedFactorizer = clone(self).set_params(
            ranks=(self.rank_,), solver=clone(self.solver_), random_state=self.seed_
        )
        return chosen

    @property
    def record_(self) -> RankRecord:
        """The record of the chosen rank."""
        check_is_fitted(self)
        return self.path_[self.rank_]

    @property
    def _by_ensemble(self) -> bool:
        """With biases the mean over the members was measured to predict best, and so it is for draws.

        A rank that was chosen by the error of the ensemble is one for the mean over the members too.
        """
        return self._chosen_by_ensemble or self.solver_.biased or self.solver_.samples

    # ------------------------------------------------------------ new rows

    def fold_in(self, X: Any, *, mask: Any = None) -> NewRows:
        """Fold new rows into the central model and into every member, without fitting them anew.

        Without a ridge, a row with at most as many known entries as components is completed by what the
        fitted rows are like, since its values alone do not determine it. A ridge of `WNMF` pulls new rows
        towards the mean of the fitted ones, which a row without known entries gets.

        Parameters
        ----------
        X : as for `fit`, dict, or list of pairs
            Rows with the same columns, or one such row; for an undirected network links of new nodes to known
            nodes. Or what is known of one row, ``{"tea": 1.0, "milk": 0.0}`` or ``[("tea", 1.0), ("milk",
            0.0)]``, or of several: a dict of such rows, or of whole ones, by name, or a list of them. Entries
            that are not named then count as unlisted ones did in the fit.
        mask : as for `fit`

        Returns
        -------
        NewRows
            Scores their links: ``predict_links(pairs, return_std=True)``, ``top_links(10)``.
        """
        check_is_fitted(self)
        return self._fold(rows_to_fold_in(self, X, mask), (self.factors_, *self.members_))

    def transform(self, X: Any, *, mask: Any = None) -> Array:
        """Return W of new rows: a regression of their known entries on H (and biases) by the solver's loss.

        The result for a row does not depend on the other rows, but for rounding. Rows with few known entries
        are those of `fold_in`, which also has the biases that a model may have.

        Parameters
        ----------
        X, mask
            As for `fit`, with the same columns.

        Returns
        -------
        array, shape (rows, rank)
        """
        check_is_fitted(self)
        return self._fold(read_new_rows(self, X, mask), (self.factors_,)).W

    def fit_transform(self, X: Any, y: Any = None, *, mask: Any = None) -> Array:
        """Fit, and return the same as ``fit(X).transform(X)``: the best W of each row given H."""
        return self.fit(X, y, mask=mask).transform(X, mask=mask)

    def inverse_transform(self, X: ArrayLike) -> Array:
        """Return the rows that factors stand for, on the scale of the data; see `Factors.rows_from`.

        Parameters
        ----------
        X : array-like, shape (rows, rank)
            As `transform` returns it.

        Returns
        -------
        array, shape (rows, columns)
        """
        check_is_fitted(self)
        W = np.asarray(X, np.float64)
        if W.ndim != 2 or W.shape[1] != self.rank_:
            raise InputError(
                f"X has shape {W.shape}; expected (rows, {self.rank_}), as transform returns it."
            )
        return self.factors_.rows_from(W)

    def score(self, X: Any = None, y: Any = None, *, mask: Any = None) -> float:
        """Return R^2 of predictions: 1 is perfect, 0 is no better than the mean. Higher is better.

        Every known entry of X is predicted from *other* entries of its row (five folds), so that a larger
        rank or a smaller ridge does not score better by itself, and a grid search can rely on it.

        Parameters
        ----------
        X, mask
            As for `fit`, with the same columns. None scores by the entries that were held out of the members
            during the fit.
        y : None
            Ignored.
        """
        del y
        check_is_fitted(self)
        if X is None:
            if mask is not None:
                raise InputError("There is a mask but no X to score; expected both, or neither.")
            return own_score(self.network_, self.record_)
        models = (self.factors_, *self.members_) if self._by_ensemble else (self.factors_,)
        return row_score(lambda rows: self._fold(rows, models), read_new_rows(self, X, mask))

    def _fold(self, network: Network, models: Sequence[Factors]) -> NewRows:
        solver, binary = self.solver_, self.regime_.is_boolean
        central = fold_rows(solver, binary, network, models[:1], self.network_)[0]
        members = fold_rows(solver, binary, network, models[1:], self.network_) if len(models) > 1 else []
        return NewRows(network, central, Members(members), self._by_ensemble)

    @property
    def _n_features_out(self) -> int:
        return self.rank_

    # ------------------------------------------------------------ display

    def plot(self, axes: Any = None) -> Any:
        """Plot stability and errors over the ranks, the choice marked; needs matplotlib.

        Parameters
        ----------
        axes : matplotlib Axes, optional
            Where to draw; a new figure otherwise.
        """
        check_is_fitted(self)
        return self.path_.plot(self.choice_, axes)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        solver = self._default_solver() if self.solver is None else self.solver
        tags.input_tags.positive_only = bool(getattr(solver, "needs_nonnegative", False))
        return tags

    def _repr_html_inner(self) -> str:
        if not hasattr(self, "path_"):
            return super()._repr_html_inner()
        return summary_html(repr(self), self.network_, self.path_, self.choice_, self.ridge_choice_)
