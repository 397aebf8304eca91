"""The list of solvers that all contract tests run over, and small networks for each of them."""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from latentlink.network import Ensemble, Network
from latentlink.random import member_rngs
from latentlink.solvers import BNMF, KLNMF, LMF, NMF, RNMF, WNMF, SymLMF

ALL_SOLVERS = [
    NMF(),
    NMF(updates="multiplicative"),
    NMF(init="nndsvd"),
    KLNMF(),
    KLNMF(updates="multiplicative"),
    WNMF(ridge=0.1),
    RNMF(ridge=0.1),
    RNMF(updates="paper"),
    BNMF(),
    BNMF(updates="multiplicative"),
    LMF(),
    SymLMF(),
    SymLMF(repelling=0.5),
]

# The paper's updates mix multiplicative with gradient steps and are not monotone.
MAY_RISE = {"RNMF(updates='paper')"}
# A start from a singular value decomposition is the same for every seed.
STARTS_ALIKE = {"NMF(init='nndsvd')"}
# Weights other than 1 raise, so that an unlisted zero of weight 0.1 cannot be listed.
COUNTS_ONCE = {"NMF()", "NMF(updates='multiplicative')", "NMF(init='nndsvd')"}


@dataclass(frozen=True)
class Case:
    """A solver and a kind of data for it."""

    solver: object
    symmetric: bool
    background: float

    def __str__(self) -> str:
        kind = "symmetric" if self.symmetric else "rectangular"
        return f"{self.solver}-{kind}-{self.background:g}"

    @property
    def name(self) -> str:
        """The repr of the solver."""
        return str(self.solver)

    @property
    def binary(self) -> bool:
        """Whether values are 0 and 1."""
        return self.solver.needs_binary

    def settings(self, **changes):
        """Return the solver with other settings."""
        return type(self.solver)(**(self.solver.get_params() | changes))

    def network(self, seed: int = 0, size: int = 10, hidden: float = 0.12) -> Network:
        """Return a planted network with noise: some pairs listed, some hidden, the rest background."""
        rng = np.random.default_rng([seed, self.symmetric, self.binary])
        n, m = (size, size) if self.symmetric else (size, size - 3)
        X = planted(rng, n, m, self.binary, self.symmetric)
        listed = rng.random((n, m)) < 0.75
        if self.background:  # the links, and a few of the others
            listed = (X > 0) | (rng.random((n, m)) < 0.15)
        listed[np.arange(n), np.arange(n) % m] |= True  # no row and no column is empty
        listed[np.arange(m) % n, np.arange(m)] |= True
        if self.symmetric:
            listed = np.triu(listed | (np.eye(n, k=1) > 0), 1)
        rows, cols = np.nonzero(listed)
        network = Network(
            rows, cols, X[rows, cols], shape=(n, m), background=self.background, symmetric=self.symmetric
        )
        return network.hide((rng.random(network.n_listed) < hidden) & ~_first_of_line(network))

    def ensemble(self, members: int = 3, seed: int = 0, own_weights: bool = True) -> Ensemble:
        """Return members of one network with different known entries, values and weights."""
        network = self.network(seed)
        rng = np.random.default_rng(seed + 100)
        size = (network.n_listed, members)
        if self.binary:
            flipped = rng.random(size) < 0.05
            values = np.where(flipped, 1 - network.values[:, None], network.values[:, None])
        else:
            values = network.values[:, None] * rng.uniform(0.9, 1.1, size)
        unknown = (rng.random(size) < 0.1) & ~_first_of_line(network)[:, None]
        values[unknown] = np.nan
        if not own_weights:
            return Ensemble(network, values, np.array(network.weights))
        own = rng.integers(0, 2, size) if self.solver.needs_unit_weights else rng.uniform(0.2, 1.0, size)
        own[_first_of_line(network)] = 1
        return Ensemble(network, values, network.weights[:, None] * own)


def planted(rng, n, m, binary, symmetric):
    """Return a matrix of rank two with some noise and many zeros."""
    W, H = rng.random((n, 2)) ** 2, rng.random((2, m)) ** 2
    X = W @ H + 0.05 * rng.random((n, m))
    X = X / X.max()
    X[rng.random((n, m)) < 0.4] = 0
    if binary:
        X = (X > 0.15).astype(float)
    if symmetric:
        X = np.triu(X, 1)
        X = X + X.T
    return X


def _first_of_line(network: Network) -> np.ndarray:
    """Mark listed entries that are the first of their row or column, which are never hidden."""
    first = np.zeros(network.n_listed, bool)
    for ends in (network.rows, network.cols):
        first[np.unique(ends, return_index=True)[1]] = True
    return first


def _cases(backgrounds):
    return [
        Case(solver, symmetric, background)
        for solver in ALL_SOLVERS
        for symmetric in (False, True)
        for background in backgrounds
        if symmetric or not solver.needs_symmetric
    ]


EVERY_CASE = _cases((0.0, 0.1, 1.0))
MAIN_CASES = [case for case in _cases((0.0,)) if case.symmetric == case.solver.needs_symmetric]


@contextmanager
def unfinished():
    """Ignore warnings of descents that do not converge."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield


def solved(solver, data, rank=2, seed=0, start=None):
    """Solve with one generator for each member, converged or not."""
    members = data.n_members if isinstance(data, Ensemble) else 1
    with unfinished():
        return solver.solve(data, rank, member_rngs(seed, rank, members), start=start)


def parts(factors):
    """Return the arrays of a model by name."""
    return {
        name: getattr(factors, name)
        for name in ("W", "H", "row_bias", "col_bias")
        if getattr(factors, name) is not None
    }


def assert_same_factors(result, expected):
    """Assert that two models are the same to the last bit."""
    assert parts(result).keys() == parts(expected).keys()
    for name, array in parts(result).items():
        np.testing.assert_array_equal(array, parts(expected)[name], err_msg=name)
    plain = ("offset", "logistic", "boolean", "symmetric")
    assert [getattr(result, name) for name in plain] == [getattr(expected, name) for name in plain]


def copied(factors):
    """Return a deep copy of a model."""
    return replace(factors, **{name: array.copy() for name, array in parts(factors).items()})
