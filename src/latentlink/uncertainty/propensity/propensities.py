"""The chance that a pair was observed, estimated from which ones were."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace

import numpy as np

from latentlink.errors import IncompatibleError
from latentlink.factors import Factors
from latentlink.network import Network, sample_negatives
from latentlink.network.network import require_network
from latentlink.solvers import LMF
from latentlink.strategy import Strategy, strategy
from latentlink.uncertainty.propensity.degree_model import Grouped, fit_degrees
from latentlink.validation.numbers import check_number

__all__ = ["Constant", "LowRank", "Propensity", "RowColumn"]


@strategy
class Propensity(Strategy):
    """A model of which pairs were observed, whatever their values."""

    def fit(self, network: Network) -> Factors:
        """Estimate the chances.

        Parameters
        ----------
        network : Network
            Its known entries (weight > 0) are those observed: give it as it was before pairs were held out,
            and every pair listed once. (Chances of the training part alone, divided by its share, are the
            textbook's; in simulations they covered less, at times less than the level.) Values and
            background have no say. Where rows and columns are the same nodes, a node with itself is no pair.

        Returns
        -------
        Factors
            ``score(rows, cols)`` is the chance of having been observed.
        """
        self.check_settings()
        require_network(network, type(self).__name__)
        network.require_clean(type(self).__name__)
        off = network.rows != network.cols if network.square else True
        observed = network.subset(network.known & off).with_background(0.0)
        ones = np.ones(observed.n_listed)
        observed = observed.with_values(ones).with_weights(ones)
        if not 0 < observed.n_listed < _n_pairs(observed):
            raise IncompatibleError(
                f"{self!r} has {observed.n_listed:,} pairs observed of {_n_pairs(observed):,}; expected some "
                "of them, but not all, or there are no chances to estimate."
            )
        return self._fitted(observed)

    def check_settings(self) -> None:
        """Refuse settings that make no sense."""

    @abstractmethod
    def _fitted(self, observed: Network) -> Factors:
        """Estimate the chances, given a network of ones where something was observed, and nothing else."""


@strategy
class Constant(Propensity):
    """Every pair is as likely to be observed as any other: p = observed / all.

    Examples
    --------
    >>> network = Network([0, 1, 1], [0, 1, 2], shape=(2, 3))
    >>> Constant().fit(network).score(0, 2)
    array([0.5])
    """

    def _fitted(self, observed: Network) -> Factors:
        share = observed.n_listed / _n_pairs(observed)
        return _biases(observed, float(np.log(share / (1 - share))), *map(np.zeros, observed.shape))


@strategy
class RowColumn(Propensity):
    """Some rows and some columns are observed more than others.

        p_ij = sigmoid(mu + a_i + b_j),

    by maximum likelihood over all pairs, with a ridge that keeps lines of which nothing or everything was
    observed finite. The work and memory are those of the listed entries: lines with as many observed entries
    are alike.

    Parameters
    ----------
    ridge : float
        Penalty of a_i and b_j: ``ridge / 2 * a^2``. It makes rare lines look less rare than they are, and
        intervals weighed by it too short: keep it small.

    Examples
    --------
    >>> rows, cols = np.array([(0, 0), (0, 1), (0, 2), (1, 0), (2, 0)]).T
    >>> RowColumn().fit(Network(rows, cols, shape=(3, 4))).score([0, 2], [1, 3]).round(2)
    array([0.78, 0.01])
    """

    ridge: float = 0.1

    def check_settings(self) -> None:
        """Refuse settings that make no sense."""
        check_number(self, "ridge", 0, above=True)

    def _fitted(self, observed: Network) -> Factors:
        n, m = observed.shape
        row_degrees, col_degrees = (
            np.bincount(observed.rows, minlength=n),
            np.bincount(observed.cols, minlength=m),
        )
        if observed.symmetric:
            row_degrees = col_degrees = row_degrees + col_degrees  # both directions of every pair
        grouped = Grouped.of(row_degrees, col_degrees, without_diagonal=observed.square)
        return _biases(observed, *fit_degrees(grouped, self.ridge))


@strategy
class LowRank(Propensity):
    """Which rows are observed where may have a pattern: a logistic factorization of observed or not.

        p_ij = sigmoid(sum_c W_ic H_cj + a_i + b_j + mu)

    `latentlink.solvers.LMF` finds it from the pairs observed and a sample of the others. That these are a
    sample changes mu alone, by the logarithm of what share of them was drawn, which is put right at the end.
    Lines with a few observed entries do not tell patterns: `RowColumn` is better there.

    Parameters
    ----------
    rank : int
        Number of patterns.
    ridge : float
        Penalty of factors and biases; as for `RowColumn`, a large one makes intervals too short.
    ratio : float
        Pairs drawn among those not observed for every pair observed; all of them where there are fewer.
    seed : int
        Of that draw and of the start.

    Examples
    --------
    >>> rows, cols = np.nonzero(np.kron(np.eye(2), np.ones((4, 4))))
    >>> chance = LowRank(rank=1, ridge=0.1).fit(Network(rows, cols, shape=(8, 8)))
    >>> chance.score([0, 0], [1, 7]).round(1).tolist()
    [1.0, 0.0]
    """

    rank: int = 2
    ridge: float = 0.3
    ratio: float = 5.0
    seed: int = 0

    def check_settings(self) -> None:
        """Refuse settings that make no sense."""
        check_number(self, "rank", 1, whole=True)
        check_number(self, "ridge", 0, above=True)
        check_number(self, "ratio", 0, above=True)
        check_number(self, "seed", 0, whole=True)

    def _fitted(self, observed: Network) -> Factors:
        free = _n_pairs(observed) - observed.n_listed
        drawn = min(max(1, round(self.ratio * observed.n_listed)), free)
        both = sample_negatives(observed, drawn, rng=self.seed)
        solver = LMF(max_iter=200, tol=1e-4, precision="float32", ridge=self.ridge)
        model = solver.solve(both, self.rank, self.seed).members[0]
        return replace(model, offset=model.offset - float(np.log(free / drawn)))


def _n_pairs(network: Network) -> int:
    """Return the number of pairs that could have been observed."""
    return network.n_pairs - (network.shape[0] if network.square else 0)


def _biases(network: Network, offset: float, row_bias: np.ndarray, col_bias: np.ndarray) -> Factors:
    """Return a logistic model without any pattern."""
    n, m = network.shape
    empty = np.zeros((n, 0)), np.zeros((0, m))
    return Factors(*empty, row_bias, col_bias, offset, logistic=True, symmetric=network.symmetric)
