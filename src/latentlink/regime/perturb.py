"""Small random changes of the data, from which an ensemble learns what is stable."""

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

_MOST_COUNTED = 1e15  # larger counts are no whole numbers in double precision


@strategy
class Perturb(Strategy):
    """A way to change what is known at random, for each member of an ensemble anew.

    Only known entries are looked at, so it makes no difference whether others are hidden or unlisted. A pair
    of a symmetric network is one entry. Each member has its own generator and does not depend on the others.
    """

    keeps_binary: ClassVar[bool] = False
    keeps_weights: ClassVar[bool] = True

    def ensemble(self, network: Network, rngs: Sequence[np.random.Generator]) -> Ensemble:
        """Return one changed network for each generator; hidden entries stay as they are."""
        self.check(network)
        known = network.values[network.known]
        values = np.repeat(network.values[:, None], len(rngs), axis=1)
        for member, rng in enumerate(rngs):
            values[network.known, member] = self.changed(known, rng)
        return Ensemble(network, values, network.weights)

    @abstractmethod
    def check(self, network: Network) -> None:
        """Refuse settings and data that make no sense."""

    @abstractmethod
    def changed(self, values: Array, rng: np.random.Generator) -> Array:
        """Return changed values of the known entries."""


@strategy
class AsIs(Perturb):
    """Leave everything as it is: members differ by what they are not shown, and by their starts.

    Examples
    --------
    >>> network = Network([0, 1], [0, 1], [2.0, 0.0], shape=(2, 2))
    >>> AsIs().ensemble(network, [np.random.default_rng(0)]).is_uniform
    True
    """

    keeps_binary: ClassVar[bool] = True

    def check(self, network: Network) -> None:
        """Take any network."""
        del network

    def ensemble(self, network: Network, rngs: Sequence[np.random.Generator]) -> Ensemble:
        """Return the same network for each generator."""
        return Ensemble.of(network, len(rngs))

    def changed(self, values: Array, rng: np.random.Generator) -> Array:
        """Return the values."""
        del rng
        return values


@strategy
class UniformScale(Perturb):
    """Multiply every known value by a number drawn uniformly from 1 - epsilon to 1 + epsilon.

    Parameters
    ----------
    epsilon : float
        How far values move; 0.015 in the paper (equation 36).

    Examples
    --------
    >>> network = Network([0, 1], [0, 1], [2.0, 0.0], shape=(2, 2))
    >>> values = UniformScale(epsilon=0.5).ensemble(network, [np.random.default_rng(0)]).values
    >>> bool(1.0 <= values[0, 0] <= 3.0), float(values[1, 0])
    (True, 0.0)
    """

    epsilon: float = 0.015

    def check(self, network: Network) -> None:
        """Refuse an epsilon outside 0 to 1, which would change signs."""
        del network
        check_number(self, "epsilon", 0)
        if self.epsilon >= 1:
            raise IncompatibleError(f"UniformScale has epsilon={self.epsilon}; expected a number below 1.")

    def changed(self, values: Array, rng: np.random.Generator) -> Array:
        """Scale the values."""
        return values * rng.uniform(1 - self.epsilon, 1 + self.epsilon, len(values))


@strategy
class Poisson(Perturb):
    """Replace every known value by a Poisson count of that mean: the noise of counted data.

    A value of 0 stays 0.

    Examples
    --------
    >>> network = Network([0, 1], [0, 1], [5.0, 0.0], shape=(2, 2))
    >>> Poisson().ensemble(network, [np.random.default_rng(0)]).values[1].tolist()
    [0.0]
    """

    def check(self, network: Network) -> None:
        """Refuse values below 0, which are means of no count, and those too large to be counted."""
        wrong = network.known & ~((network.values >= 0) & (network.values <= _MOST_COUNTED))
        if wrong.any():
            raise IncompatibleError(
                f"Poisson draws counts and needs values from 0 to {_MOST_COUNTED:g}, but "
                f"{np.count_nonzero(wrong):,} known values are others (first: {network.values[wrong][0]:g}). "
                "Choose UniformScale."
            )

    def changed(self, values: Array, rng: np.random.Generator) -> Array:
        """Draw the values anew."""
        return rng.poisson(values).astype(np.float64)


@strategy
class Bootstrap(Perturb):
    """Leave every value as it is and weigh it at random: the Bayesian bootstrap of Rubin (1981).

    Weights are drawn from the exponential distribution of mean 1 and multiplied onto those of the data. No
    entry is left out, so that no row loses its last one. It suits every loss, the logistic one too, and its
    spread is that of the data themselves, where the other perturbations have a size to choose. Unlisted pairs
    keep the background's weight.

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
        """Take any network."""
        del network

    def ensemble(self, network: Network, rngs: Sequence[np.random.Generator]) -> Ensemble:
        """Draw weights of known entries."""
        weights = np.repeat(network.weights[:, None], len(rngs), axis=1)
        for member, rng in enumerate(rngs):
            weights[network.known, member] *= rng.exponential(1.0, network.n_known)
        values = np.repeat(network.values[:, None], len(rngs), axis=1)
        return Ensemble(network, values, weights)

    def changed(self, values: Array, rng: np.random.Generator) -> Array:
        """Leave values as they are."""
        del rng
        return values


@strategy
class BooleanFlip(Perturb):
    """Flip a share of the known zeros to ones, and a share of the known ones to zeros.

    The numbers of flips are exact, not drawn. Where unlisted pairs are zeros of some weight, a share of them
    is flipped too, but no more than there are listed entries; a flipped pair keeps the background's weight.
    Such pairs are listed for all members, as zeros for those that do not flip them. None is a self loop: one
    of them would make the whole diagonal known.

    Parameters
    ----------
    eps_pos : float or None
        Share of zeros that become ones. None flips as many zeros as ones: of a sparse network a fixed share
        of the zeros would outnumber its links.
    eps_neg : float
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

    def check(self, network: Network) -> None:
        """Refuse shares outside 0 to 1 and values other than 0 and 1."""
        for name in ("eps_pos", "eps_neg")[self.eps_pos is None :]:
            check_number(self, name, 0)
            if getattr(self, name) > 1:
                raise IncompatibleError(
                    f"BooleanFlip has {name}={getattr(self, name)}; expected a share <= 1."
                )
        if not network.is_binary:
            raise IncompatibleError(
                f"{self} flips zeros and ones, but the network holds other values. Binarize it with "
                "binarize(network, at=...), or choose UniformScale."
            )

    def ensemble(self, network: Network, rngs: Sequence[np.random.Generator]) -> Ensemble:
        """Flip listed entries, and unlisted ones where those are known."""
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
        """Return how many ones, listed zeros and unlisted zeros are flipped.

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
        here = round(total * zeros / (zeros + unlisted)) if total else 0
        return ones, here, total - here

    def changed(self, values: Array, rng: np.random.Generator) -> Array:
        """Flip exact numbers of zeros and ones."""
        ones, zeros, _ = self.counts(values)
        return _flipped(values, zeros, ones, rng)


def _flipped(values: Array, zeros: int, ones: int, rng: np.random.Generator) -> Array:
    """Return the values with so many zeros and ones flipped."""
    flipped = np.array(values)
    for value, count in ((0.0, zeros), (1.0, ones)):
        candidates = np.flatnonzero(values == value)
        flipped[rng.choice(candidates, count, replace=False)] = 1.0 - value
    return flipped


def _with_ones(ensemble: Ensemble, codes: PairCodes, drawn: Sequence[Array]) -> Ensemble:
    """List the union of all members' pairs, with ones where a member has drawn them."""
    network = ensemble.network
    union = ascending_unique(np.concatenate(drawn))
    weights = np.full(len(union), network.background)
    # The network's own values go along in front: the wider network keeps them.
    both = Ensemble(network, np.column_stack([network.values, ensemble.values]), network.weights)
    wider = both.with_listed(*codes.pairs(union), weights, network.background)
    values = wider.values[:, 1:]
    for member, codes_of_member in enumerate(drawn):
        values[wider.network.positions(*codes.pairs(codes_of_member)), member] = 1.0
    return Ensemble(wider.network, values, wider.weights)
