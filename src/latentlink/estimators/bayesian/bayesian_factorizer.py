"""Bayesian matrix factorization with biases: an ensemble of draws from the posterior."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
from scipy.special import ndtri
from sklearn.utils.validation import check_is_fitted

from latentlink.errors import IncompatibleError
from latentlink.estimators.factorizer import RankedFactorizer
from latentlink.network import Network
from latentlink.rank import Choice, HeldOut, RankPath, Selection
from latentlink.regime import Regime
from latentlink.scoring.unknown_nodes import requested_pairs
from latentlink.solvers import BPMF, Posterior, Sampler, Solver
from latentlink.tables import Table
from latentlink.validation.numbers import checked_number

__all__ = ["BayesianFactorizer"]


class BayesianFactorizer(RankedFactorizer):
    """Bayesian factorization with biases: predictions are means over draws from the posterior.

        x_ij  =  mu + b_i + c_j + sum_c W_ic H_cj  +  noise / sqrt(w_ij),

    with factors of either sign and learned priors (`latentlink.solvers.BPMF`). Members are not fits to
    perturbed data but draws of factors, biases and noise given the data, by several chains of Gibbs sampling.
    So the spread of a score is what the model does not know, and with the learned noise it gives prediction
    intervals: see `intervals`. On ratings the mean over draws predicts better than any single fit; its
    components are directions, not parts. For parts choose `RNMFk`.

    The priors shrink components that the data do not support, so that the rank matters less than for other
    methods. Without ``ranks`` it is 8, or the smaller side of the matrix. With several ranks each is measured
    on entries held out of the chains, and the members at the chosen rank are drawn anew given all entries.
    (At the other ranks chains know different entries, so that their R-hat is larger.)

    Parameters
    ----------
    ranks, selection, n_jobs, random_state
        As for `RankedFactorizer`, but ``ranks=None`` is rank 8, or 6 for links (`latentlink.rank.Doubling`
        searches), and ``selection=None`` is ``HeldOut()``.
    solver : Solver or None
        ``BayesianNMF()`` for parts, ``BayesianLMF()`` or ``BayesianSymLMF()`` for links 0 and 1. None is
        ``BPMF()``: 160 sweeps of each chain, 50 of them burn-in, of which 12 draws are kept.
    regime : Regime or None
        None is ``posterior()``: data as they are.
    n_perturbs : int
        Number of chains.

    Attributes
    ----------
    rank_, choice_, path_, factors_, W_, H_, components_, ...
        As for `RankedFactorizer`. ``factors_`` is the model of this rank nearest to the mean of the draws.
    members_ : tuple of Factors
        The draws of all chains, rotated towards the central model.
    noise_ : float
        The standard deviation of an entry of weight 1 around its score.
    posterior_ : Posterior
        Noise of each draw, and the convergence of the chains: R-hat and effective sample size.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(30, 2)) @ rng.normal(size=(2, 20)) + 0.1 * rng.normal(size=(30, 20))
    >>> X[0, 0] = np.nan
    >>> model = BayesianFactorizer((2,), random_state=0).fit(X)
    >>> score, spread = model.predict_links([(0, 0)], return_std=True)
    >>> bool(0.08 < model.noise_ < 0.12), bool(spread[0] < model.noise_)
    (True, True)
    """

    noise_: float
    posterior_: Posterior

    _method: ClassVar[type[Solver]] = BPMF

    def __init__(
        self,
        ranks: Any = None,
        *,
        solver: Solver | None = None,
        regime: Regime | None = None,
        selection: Selection | None = None,
        n_perturbs: int = 8,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            ranks,
            solver=solver,
            regime=regime,
            selection=selection,
            n_perturbs=n_perturbs,
            n_jobs=n_jobs,
            random_state=random_state,
        )

    def _default_objects(self) -> Mapping[str, Callable[[], Any]]:
        return {**super()._default_objects(), "selection": HeldOut}

    def _used_ranks(self, network: Network) -> Any:
        usual = getattr(self.used_solver(), "usual_rank", Sampler.usual_rank)
        return (min(usual, *network.shape),) if self.ranks is None else self.ranks

    def _check_settings(self) -> None:
        super()._check_settings()
        if not self.used_solver().samples:
            raise IncompatibleError(
                f"BayesianFactorizer has solver={self.solver}, which minimises a loss; expected one that "
                "samples, such as BPMF(). For others choose RankedFactorizer."
            )

    def _set_fitted(
        self, network: Network, regime: Regime, solver: Solver, path: RankPath, choice: Choice
    ) -> None:
        super()._set_fitted(network, regime, solver, path, choice)
        chains = self.record_.posterior
        if chains is None:
            raise TypeError("a record of the chosen rank without chains")
        self.posterior_, self.noise_ = chains, chains.noise_level

    def intervals(
        self, pairs: Any, coverage: float = 0.9, *, weight: float = 1.0, unknown: str = "error"
    ) -> Table:
        """Return posterior predictive intervals: where the value of each pair lies with a probability.

            score -/+ z sqrt( spread^2 + noise_ij^2 / weight ),

        with the normal quantile z and the noise of the pair's row and column. They need no calibration pairs,
        and hold as far as the model does; those of ``calibrate(...).intervals`` hold for any model, on
        average over exchangeable pairs. Where scores have a range, such as ratings, intervals are clipped to
        it.

        Parameters
        ----------
        pairs, unknown
            As for `predict_links`.
        coverage : float
            The probability, between 0 and 1.
        weight : float
            Weight of the entries to predict, which is relative to the weights of the known ones.

        Returns
        -------
        Table
            With the columns row, column, score, spread, low and high.

        Examples
        --------
        >>> model = BayesianFactorizer((1,), random_state=0).fit(np.outer(np.arange(9.0), np.arange(1.0, 8)))
        >>> table = model.intervals([(2, 3)])
        >>> bool(table["low"][0] < 8 < table["high"][0])
        True
        """
        check_is_fitted(self)
        if self.solver_.logistic:
            raise IncompatibleError(
                f"{type(self.solver_).__name__} predicts links, which are 0 or 1: an interval of values says "
                "nothing. Their probability is the score, `predict_links`; `calibrate(held_out)` has "
                "probabilities, prediction sets and risk control."
            )
        level = checked_number(coverage, "coverage", 0, 1, above=True, below=True)
        precision = checked_number(weight, "weight", 0, above=True)
        requested = requested_pairs(self.network_, pairs, unknown)
        score, spread = requested.scores(self._scorer(), None, unknown)
        noise = self.posterior_.noise_of(requested.rows, requested.cols, self.network_.symmetric)
        reach = float(ndtri((1 + level) / 2)) * np.sqrt(spread**2 + noise**2 / precision)
        low, high = (-np.inf, np.inf) if self.factors_.bounds is None else self.factors_.bounds
        row, col = requested.names()
        ends = {"low": np.clip(score - reach, low, high), "high": np.clip(score + reach, low, high)}
        return Table({"row": row, "column": col, "score": score, "spread": spread, **ends})
