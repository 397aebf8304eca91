"""What all estimators share: the rank is found by an ensemble, and its members say how sure a score is."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from sklearn import get_config
from sklearn.base import clone
from sklearn.utils import estimator_html_repr
from sklearn.utils.validation import check_is_fitted

from latentlink.estimators.asking import Asking
from latentlink.estimators.data import as_symmetric, read_network, refuse_negative
from latentlink.estimators.display import summary_html
from latentlink.estimators.fitting import Fitting
from latentlink.estimators.keeping import kept_or_new_seed
from latentlink.estimators.placing import Placing
from latentlink.estimators.settings import (
    checked_count,
    checked_object,
    default_selection,
    default_solver,
    real_for,
)
from latentlink.estimators.slots import Slotted
from latentlink.estimators.storing import Storing
from latentlink.network import Network
from latentlink.rank import Choice, RankPath, Selection
from latentlink.rank.engine import Plan
from latentlink.rank.search import find_rank
from latentlink.regime import Regime
from latentlink.solvers import WNMF, Solver

__all__ = ["RankedFactorizer"]


class RankedFactorizer(Fitting, Placing, Asking, Storing, Slotted):
    """A factorization by any solver whose rank is found by an ensemble.

        score(i, j) = link( sum_c W[i, c] H[c, j] + row_bias[i] + col_bias[j] + offset )

    At each rank an ensemble is fitted to perturbed data from random starts. Each member is judged by entries
    that it was not shown, all of them by how well their components agree (Algorithm 1 of the paper).

    Parameters
    ----------
    ranks : iterable of int, search, or None
        Which ranks to try: ``range(1, 11)``, a search such as ``Bisect(1, 64)``, or None to search by itself.
    solver : Solver or None
        The factorization: ``LMF()``, ``SymLMF()``, ...; None is ``WNMF()``.
    regime : Regime or None
        How members are perturbed, cut and compared; None is ``real()``, which under a logistic loss leaves
        the values as they are: members differ by what they are not shown.
    selection : Selection or None
        The rule that chooses the rank.
    n_perturbs : int
        Members of the ensemble at each rank.
    n_jobs : int or None
        Threads; -1 takes all cores. Results are the same for any number.
    random_state : int, Generator, RandomState or None
        Seed of all draws. None draws one.

    Attributes
    ----------
    rank_ : int
        The rank that was chosen.
    choice_ : Choice
        Rank, reason and status: agreed, disputed, unstable or unconfirmed.
    path_ : RankPath
        What was found at every rank visited.
    factors_ : Factors
        The model at the chosen rank, fitted to all that is known.
    W_ : array, shape (rows, rank)
    H_, components_ : array, shape (rank, columns)
    members_ : tuple of Factors
        The ensemble at the chosen rank, components in the model's order.
    solver_, regime_ : Solver, Regime
        As they were used; the solver's ridge is a number.
    ridge_choice_ : RidgeChoice or None
        How the ridge was chosen, if it was.
    network_ : Network
        What the model was fitted to.
    row_names_, col_names_ : array of str or None
    complete_ : bool
        Whether the search came to its end; else it was cancelled.
    seed_ : int
        The seed of all draws.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : array of str
        Their names, where they have some.

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

    _slots: ClassVar[tuple[str, ...]] = ("solver", "regime", "selection")
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

    def _default(self, slot: str) -> Any:
        if slot == "solver":
            return default_solver(self._method)
        return default_selection() if slot == "selection" else self._default_regime(self._filled("solver"))

    def _default_regime(self, solver: Any) -> Regime:
        return real_for(solver)

    # ------------------------------------------------------------ fitting

    def _fit(self, X: Any, mask: Any, folder: str | Path | None, **how: Any) -> None:
        solver = clone(checked_object(self, "solver", self._filled("solver"), Solver))
        regime = clone(checked_object(self, "regime", self._filled("regime"), Regime))
        selection = checked_object(self, "selection", self._filled("selection"), Selection)
        members = checked_count(self, "n_perturbs", self.n_perturbs)
        seed = kept_or_new_seed(self.random_state, folder)
        network = read_network(self, X, mask, reset=True)
        if solver.needs_symmetric:
            network = as_symmetric(network)
        refuse_negative(self, solver, network)
        found = find_rank(
            Plan(network, solver, regime, members, seed),
            self.ranks,
            selection,
            n_jobs=self.n_jobs,
            folder=folder,
            **how,
        )
        self._keep(network, regime, found.solver, found.path, found.choice)
        self.ridge_choice_, self.complete_, self.seed_ = found.ridge, found.complete, seed

    def _keep(self, network: Network, regime: Regime, solver: Solver, path: RankPath, choice: Choice) -> None:
        """Keep what was found, under the names that scikit-learn's users expect."""
        record = path[choice.rank]
        self.network_, self.regime_, self.solver_ = network, regime, solver
        self.path_, self.choice_ = path, choice
        self.rank_ = record.rank
        self.factors_, self.members_ = record.model, record.members
        self.W_, self.H_ = record.model.W, record.model.H
        self.components_ = record.model.H
        self.row_names_, self.col_names_ = network.row_names, network.col_names

    def plot(self, axes: Any = None) -> Any:
        """Draw stability and errors over the ranks, the choice marked; needs matplotlib.

        Parameters
        ----------
        axes : matplotlib Axes, optional
            Where to draw; a new figure otherwise.
        """
        check_is_fitted(self)
        return self.path_.plot(self.choice_, axes)

    # ------------------------------------------------------------ scikit-learn

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.input_tags.positive_only = bool(getattr(self._filled("solver"), "needs_nonnegative", False))
        return tags

    def _repr_html_inner(self) -> str:
        if not hasattr(self, "path_"):
            return str(estimator_html_repr(self))
        return summary_html(repr(self), self.network_, self.path_, self.choice_, self.ridge_choice_)

    def _repr_mimebundle_(self, **kwargs: object) -> dict[str, str]:
        del kwargs
        said = {"text/plain": repr(self)}
        if get_config()["display"] == "diagram":
            said["text/html"] = self._repr_html_inner()
        return said
