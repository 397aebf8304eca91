"""Propensities: the probability that a pair was observed, estimated from which pairs were."""

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
from latentlink.uncertainty.propensity.degree_model import DegreeGroups, fit_degrees
from latentlink.validation.numbers import check_number

__all__ = ["Constant", "LowRank", "Propensity", "RowColumn"]


@strategy
class Propensity(Strategy):
    """Base class of models of which pairs were observed, whatever their values."""

    def fit(self, network: Network) -> Factors:
        """Estimate the probability of having been observed.

        Parameters
        ----------
        network : Network
            Its known entries (weight > 0) are the observed pairs: give it as it was before pairs were held
            out, with every pair listed once. (The textbook estimate, from the training part alone and
            divided by its share, covered less in simulations, at times less than the level.) Values and
            background are ignored. Where rows and columns are the same nodes, a node with itself is no pair.

        Returns
        -------
        Factors
            ``score(rows, cols)`` is the probability of having been observed.
        """
        self.check_settings()
        require_network(network, type(self).__name__)
        network.require_clean(type(self).__name__)
        off_diagonal = network.rows != network.cols if network.square else True
        observed = network.subset(network.known & off_diagonal).with_background(0.0)
        ones = np.ones(observed.n_listed)
        observed = observed.with_values(ones).with_weights(ones)
        if not 0 < observed.n_listed < _n_pairs(observed):
            raise IncompatibleError(
                f"{self!r} has {observed.n_listed:,} pairs observed of {_n_pairs(observed):,}; expected some "
                "of them, but not all, since otherwise there are no propensities to estimate."
            )
        return self._fitted(observed)

    def check_settings(self) -> None:
        """Raise IncompatibleError if a parameter is out of range."""

    @abstractmethod
    def _fitted(self, observed: Network) -> Factors:
        """Return the fitted model, given a network that lists a 1 for each observed pair and nothing else."""


@strategy
class Constant(Propensity):
    """One probability of being observed for all pairs: p = observed / all.

    Examples
    --------
    >>> network = Network([0, 1, 1], [0, 1, 2], shape=(2, 3))
    >>> Constant().fit(network).score(0, 2)
    array([0.5])
    """

    def _fitted(self, observed: Network) -> Factors:
        share = observed.n_listed / _n_pairs(observed)
        return _bias_model(observed, float(np.log(share / (1 - share))), *map(np.zeros, observed.shape))


@strategy
class RowColumn(Propensity):
    """A logistic model with an effect of each row and each column on being observed.

        p_ij = sigmoid(mu + a_i + b_j),

    by maximum likelihood over all pairs, with a ridge that keeps the biases of lines of which nothing or
    everything was observed finite. Time and memory are those of the listed entries, since lines with equally
    many observed entries have equal biases.

    Parameters
    ----------
    ridge : float
        Penalty of a_i and b_j: ``ridge / 2 * a^2``. It makes rarely observed lines look less rare than they
        are, and intervals weighted by such propensities too short: keep it small.

    Examples
    --------
    >>> rows, cols = np.array([(0, 0), (0, 1), (0, 2), (1, 0), (2, 0)]).T
    >>> RowColumn().fit(Network(rows, cols, shape=(3, 4))).score([0, 2], [1, 3]).round(2)
    array([0.78, 0.01])
    """

    ridge: float = 0.1

    def check_settings(self) -> None:
        """Raise IncompatibleError if a parameter is out of range."""
        check_number(self, "ridge", 0, above=True)

    def _fitted(self, observed: Network) -> Factors:
        n, m = observed.shape
        row_degrees, col_degrees = (
            np.bincount(observed.rows, minlength=n),
            np.bincount(observed.cols, minlength=m),
        )
        if observed.symmetric:
            row_degrees = col_degrees = row_degrees + col_degrees  # both directions of every pair
        groups = DegreeGroups.from_degrees(row_degrees, col_degrees, without_diagonal=observed.square)
        return _bias_model(observed, *fit_degrees(groups, self.ridge))


@strategy
class LowRank(Propensity):
    """A logistic matrix factorization of which pairs were observed.

        p_ij = sigmoid(sum_c W_ic H_cj + a_i + b_j + mu)

    `latentlink.solvers.LMF` fits it to the observed pairs and a sample of the others. Sampling changes mu
    alone, by the logarithm of the share that was drawn, which is corrected at the end. Lines with few
    observed entries do not determine components: `RowColumn` is better for them.

    Parameters
    ----------
    rank : int
        Number of components.
    ridge : float
        Penalty of factors and biases; as for `RowColumn`, a large one makes intervals too short.
    ratio : float
        Number of unobserved pairs to sample for each observed one; all of them where there are fewer.
    seed : int
        Seed of the sample and of the start.

    Examples
    --------
    >>> rows, cols = np.nonzero(np.kron(np.eye(2), np.ones((4, 4))))
    >>> propensity = LowRank(rank=1, ridge=0.1).fit(Network(rows, cols, shape=(8, 8)))
    >>> propensity.score([0, 0], [1, 7]).round(1).tolist()
    [1.0, 0.0]
    """

    rank: int = 2
    ridge: float = 0.3
    ratio: float = 5.0
    seed: int = 0

    def check_settings(self) -> None:
        """Raise IncompatibleError if a parameter is out of range."""
        check_number(self, "rank", 1, whole=True)
        check_number(self, "ridge", 0, above=True)
        check_number(self, "ratio", 0, above=True)
        check_number(self, "seed", 0, whole=True)

    def _fitted(self, observed: Network) -> Factors:
        n_unobserved = _n_pairs(observed) - observed.n_listed
        n_sampled = min(max(1, round(self.ratio * observed.n_listed)), n_unobserved)
        labelled = sample_negatives(observed, n_sampled, rng=self.seed)
        solver = LMF(max_iter=200, tol=1e-4, precision="float32", ridge=self.ridge)
        model = solver.solve(labelled, self.rank, self.seed).members[0]
        return replace(model, offset=model.offset - float(np.log(n_unobserved / n_sampled)))


def _n_pairs(network: Network) -> int:
    """Return the number of pairs that could have been observed."""
    return network.n_pairs - (network.shape[0] if network.square else 0)


def _bias_model(network: Network, offset: float, row_bias: np.ndarray, col_bias: np.ndarray) -> Factors:
    """Return a logistic model of rank 0: offset and biases alone."""
    n, m = network.shape
    empty = np.zeros((n, 0)), np.zeros((0, m))
    return Factors(*empty, row_bias, col_bias, offset, logistic=True, symmetric=network.symmetric)
