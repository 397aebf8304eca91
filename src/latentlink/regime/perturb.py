"""Random perturbations of the known entries, one for each ensemble member."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import IncompatibleError
from latentlink.network import Ensemble, Network
from latentlink.network.compressed import ascending_unique
from latentlink.network.pair_codes import PairCodes, distinct_numbers, unlisted_codes
from latentlink.strategy import Strategy, strategy
from latentlink.validation.numbers import check_number

__all__ = ["AsIs", "BooleanFlip", "Bootstrap", "Perturb", "Poisson", "UniformScale"]

Array = NDArray[Any]

_MAX_COUNT = 1e15  # larger counts are not exact in double precision


@strategy
class Perturb(Strategy):
    """Base class of random perturbations of the known entries, drawn for each member of an ensemble.

    Only known entries enter, so that it makes no difference whether the others are hidden or unlisted. A pair
    of a symmetric network is one entry. Each member has a random generator of its own.

    Attributes
    ----------
    keeps_binary : bool
        Whether values of 0 and 1 stay 0 and 1, as a logistic loss needs.
    keeps_weights : bool
        Whether weights stay as they are.
    """

    keeps_binary: ClassVar[bool] = False
    keeps_weights: ClassVar[bool] = True

    def ensemble(self, network: Network, rngs: Sequence[np.random.Generator]) -> Ensemble:
        """Return an ensemble with one perturbed member for each generator; hidden entries do not change."""
        self.check(network)
        known = network.values[network.known]
        values = np.repeat(network.values[:, None], len(rngs), axis=1)
        for member, rng in enumerate(rngs):
            values[network.known, member] = self.changed(known, rng)
        return Ensemble(network, values, network.weights)

    def check_settings(self) -> None:
        """Raise IncompatibleError for parameters out of range."""

    @abstractmethod
    def check(self, network: Network) -> None:
        """Raise IncompatibleError for parameters out of range, and for data that do not suit."""

    @abstractmethod
    def changed(self, values: Array, rng: np.random.Generator) -> Array:
        """Return the perturbed values of the known entries."""


@strategy
class AsIs(Perturb):
    """No perturbation: members differ by their held-out entries and their starts.

    Examples
    --------
    >>> network = Network([0, 1], [0, 1], [2.0, 0.0], shape=(2, 2))
    >>> AsIs().ensemble(network, [np.random.default_rng(0)]).is_uniform
    True
    """

    keeps_binary: ClassVar[bool] = True

    def check(self, network: Network) -> None:
        """Do nothing: any network is valid."""
        del network

    def ensemble(self, network: Network, rngs: Sequence[np.random.Generator]) -> Ensemble:
        """Return an ensemble with the same values for all members."""
        return Ensemble.of(network, len(rngs))

    def changed(self, values: Array, rng: np.random.Generator) -> Array:
        """Return the values as they are."""
        del rng
        return values


@strategy
class UniformScale(Perturb):
    """Multiply every known value by a random number, uniform from 1 - epsilon to 1 + epsilon.

    Parameters
    ----------
    epsilon : float, default=0.015
        Largest relative change of a value, from 0 to below 1; 0.015 in the paper (equation 36).

    Examples
    --------
    >>> network = Network([0, 1], [0, 1], [2.0, 0.0], shape=(2, 2))
    >>> values = UniformScale(epsilon=0.5).ensemble(network, [np.random.default_rng(0)]).values
    >>> bool(1.0 <= values[0, 0] <= 3.0), float(values[1, 0])
    (True, 0.0)
    """

    epsilon: float = 0.015

    def check(self, network: Network) -> None:
        """Raise IncompatibleError for parameters out of range: any network is valid."""
        del network
        self.check_settings()

    def check_settings(self) -> None:
        """Raise IncompatibleError unless 0 <= epsilon < 1; a larger one would change signs."""
        check_number(self, "epsilon", 0)
        if self.epsilon >= 1:
            raise IncompatibleError(f"UniformScale has epsilon={self.epsilon}; expected a number below 1.")

    def changed(self, values: Array, rng: np.random.Generator) -> Array:
        """Return the values multiplied by random numbers."""
        return values * rng.uniform(1 - self.epsilon, 1 + self.epsilon, len(values))


@strategy
class Poisson(Perturb):
    """Replace every known value by a Poisson variable of that mean, as the noise of counts.

    A value of 0 stays 0.

    Examples
    --------
    >>> network = Network([0, 1], [0, 1], [5.0, 0.0], shape=(2, 2))
    >>> Poisson().ensemble(network, [np.random.default_rng(0)]).values[1].tolist()
    [0.0]
    """

    def check(self, network: Network) -> None:
        """Raise IncompatibleError for known values below 0 or too large for exact counts."""
        wrong = network.known & ~((network.values >= 0) & (network.values <= _MAX_COUNT))
        if wrong.any():
            raise IncompatibleError(
                f"Poisson draws counts and needs values from 0 to {_MAX_COUNT:g}, but "
                f"{np.count_nonzero(wrong):,} known values are outside (first: "
                f"{network.values[wrong][0]:g}). Choose UniformScale."
            )

    def changed(self, values: Array, rng: np.random.Generator) -> Array:
        """Return Poisson variables with the values as means."""
        return rng.poisson(values).astype(np.float64)


@strategy
class Bootstrap(Perturb):
    """Multiply the weight of every known entry by a random number: the Bayesian bootstrap of Rubin (1981).

    The factors are exponential variables of mean 1; values do not change. No weight becomes 0, so that no row
    loses its last entry. It suits every loss that takes weights, including the logistic one, and has no
    parameter for its size, unlike the other perturbations. Unlisted pairs keep the weight of the background.

    Examples
    --------
    >>> network = Network([0, 1], [0, 1], [2.0, 0.0], shape=(2, 2))
    >>> drawn = Bootstrap().ensemble(network, [np.random.default_rng(0), np.random.default_rng(1)])
    >>> drawn.values[0].tolist(), drawn.weights.shape
    ([2.0, 2.0], (2, 2))
    """

    keeps_binary: ClassVar[bool] = True
    keeps_weights: ClassVar[bool] = False

    def check(self, network: Network) -> None:
        """Do nothing: any network is valid."""
        del network

    def ensemble(self, network: Network, rngs: Sequence[np.random.Generator]) -> Ensemble:
        """Return an ensemble with random weights of the known entries for each generator."""
        weights = np.repeat(network.weights[:, None], len(rngs), axis=1)
        for member, rng in enumerate(rngs):
            weights[network.known, member] *= rng.exponential(1.0, network.n_known)
        values = np.repeat(network.values[:, None], len(rngs), axis=1)
        return Ensemble(network, values, weights)

    def changed(self, values: Array, rng: np.random.Generator) -> Array:
        """Return the values as they are."""
        del rng
        return values


@strategy
class BooleanFlip(Perturb):
    """Flip a share of the known zeros to ones, and a share of the known ones to zeros.

    The numbers of flips are fixed, only the entries are random. Under a background, unlisted pairs are zeros
    too and are flipped as well, but at most as many as there are listed entries; a flipped pair keeps the
    weight of the background. Such pairs are listed for all members, as zeros for those that do not flip them.
    Self loops are never flipped: one of them would make the whole diagonal known.

    Parameters
    ----------
    eps_pos : float or None, default=None
        Share of zeros that become ones. None flips as many zeros as ones: in a sparse network a fixed share
        of the zeros would outnumber the links.
    eps_neg : float, default=0.015
        Share of ones that become zeros.

    Examples
    --------
    >>> network = Network.from_dense(np.eye(10))
    >>> values = BooleanFlip(eps_pos=0.1, eps_neg=0.2).ensemble(network, [np.random.default_rng(0)]).values
    >>> int(values.sum())  # 10 ones, less 2, and 9 of 90 zeros
    17
    """

    eps_pos: float | None = None
    eps_neg: float = 0.015

    keeps_binary: ClassVar[bool] = True

    def check_settings(self) -> None:
        """Raise IncompatibleError for shares outside 0 to 1."""
        for name in ("eps_pos", "eps_neg")[self.eps_pos is None :]:
            check_number(self, name, 0)
            if getattr(self, name) > 1:
                raise IncompatibleError(
                    f"BooleanFlip has {name}={getattr(self, name)}; expected a share of at most 1."
                )

    def check(self, network: Network) -> None:
        """Raise IncompatibleError for shares outside 0 to 1, and for known values other than 0 and 1."""
        self.check_settings()
        if not network.is_binary:
            raise IncompatibleError(
                f"{self} flips zeros and ones, but the network has other values. Binarize it with "
                "binarize(network, at=...), or choose UniformScale."
            )

    def ensemble(self, network: Network, rngs: Sequence[np.random.Generator]) -> Ensemble:
        """Return an ensemble with flipped entries; under a background unlisted ones are flipped too."""
        self.check(network)
        if not network.background or self.eps_pos == 0:
            return super().ensemble(network, rngs)
        network.require_clean("BooleanFlip with a background")
        codes = PairCodes(network.shape, network.symmetric, square=network.square)
        listed = codes.of_listed(network.rows, network.cols)
        free = codes.total - len(listed)
        known = network.values[network.known]
        ones, zeros, unlisted = self.counts(known, free)
        values = np.repeat(network.values[:, None], len(rngs), axis=1)
        for member, rng in enumerate(rngs):
            values[network.known, member] = _flipped(known, zeros, ones, rng)
        count = min(unlisted, network.n_listed)
        drawn = [unlisted_codes(distinct_numbers(free, count, rng), listed) for rng in rngs]
        return _with_ones(Ensemble(network, values, network.weights), codes, drawn)

    def counts(self, values: Array, unlisted: int = 0) -> tuple[int, int, int]:
        """Return the numbers of ones, listed zeros and unlisted zeros to flip.

        Examples
        --------
        >>> BooleanFlip(eps_neg=0.1).counts(np.repeat([1.0, 0.0], [30, 10]), 90)
        (3, 0, 3)
        """
        links = int(np.count_nonzero(values))
        zeros = len(values) - links
        ones = round(self.eps_neg * links)
        if self.eps_pos is not None:
            return ones, round(self.eps_pos * zeros), round(self.eps_pos * unlisted)
        total = min(ones, zeros + unlisted)
        listed = round(total * zeros / (zeros + unlisted)) if total else 0
        return ones, listed, total - listed

    def changed(self, values: Array, rng: np.random.Generator) -> Array:
        """Return the values with fixed numbers of zeros and ones flipped."""
        ones, zeros, _ = self.counts(values)
        return _flipped(values, zeros, ones, rng)


def _flipped(values: Array, zeros: int, ones: int, rng: np.random.Generator) -> Array:
    """Return the values with the given numbers of random zeros and ones flipped."""
    flipped = np.array(values)
    for value, count in ((0.0, zeros), (1.0, ones)):
        candidates = np.flatnonzero(values == value)
        flipped[rng.choice(candidates, count, replace=False)] = 1.0 - value
    return flipped


def _with_ones(ensemble: Ensemble, codes: PairCodes, drawn: Sequence[Array]) -> Ensemble:
    """Return the ensemble with the unlisted pairs of all members listed, as ones where a member drew them."""
    network = ensemble.network
    union = ascending_unique(np.concatenate(drawn))
    weights = np.full(len(union), network.background)
    wider = ensemble.with_listed(*codes.pairs(union), weights, network.background)
    values = np.array(wider.values)
    for member, codes_of_member in enumerate(drawn):
        values[wider.network.positions(*codes.pairs(codes_of_member)), member] = 1.0
    return Ensemble(wider.network, values, wider.weights)
