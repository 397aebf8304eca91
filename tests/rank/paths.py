"""Hand-made paths, small plans, and bitwise comparison of records."""

from __future__ import annotations

import numpy as np

from latentlink.factors import Factors
from latentlink.network import Network
from latentlink.rank.engine import Plan
from latentlink.rank.results import RankPath, RankRecord
from latentlink.regime import real
from latentlink.solvers import WNMF
from tests.helpers.cases import assert_same_factors


def record(rank, stability=1.0, held_out=(0.5,), relative_error=0.5, columns=None, bits=float("nan")):
    """A record with the given stability and errors."""
    model = Factors(np.ones((4, rank)), np.ones((rank, 5)))
    silhouettes = np.linspace(stability, 1.0, rank) if rank > 1 else np.array([stability])
    held_out = np.array(held_out, float)
    members = (model,) * len(held_out)
    errors = np.full(5, relative_error) if columns is None else columns
    return RankRecord(
        rank, model, members, silhouettes, silhouettes, relative_error, errors, held_out, (), 8, bits
    )


def path_of(*records):
    """A path of records in any order."""
    return RankPath(tuple(sorted(records, key=lambda record: record.rank)))


def ascending_path(stability, held_out, columns=None):
    """A path of ranks 1, 2, ... with these smallest silhouettes, held-out errors and column errors."""
    rng = np.random.default_rng(0)
    member_noise = rng.normal(0, 1e-3, 8)  # of the held-out entries, the same at every rank
    rank_noise = np.array([1, -1] * 4) * 1e-4  # of the rank, not significant
    records = []
    for index, (stable, error) in enumerate(zip(stability, held_out, strict=True)):
        rank = index + 1
        model = Factors(np.ones((4, rank)), np.ones((rank, 20)))
        column_errors = np.full(20, error) if columns is None else columns[index]
        errors = error + member_noise + rank_noise * (-1) ** rank
        silhouette = np.linspace(stable, 1.0, rank)
        records.append(
            RankRecord(rank, model, (model,) * 8, silhouette, silhouette, error, column_errors, errors, (), 8)
        )
    return RankPath(tuple(records))


def walk(search, selection, record_at, max_rank=64):
    """Run a search over the records that ``record_at`` returns; return the path and the ranks visited."""
    visits = []
    path = path_of()
    while following := search.following(path, selection, max_rank):
        assert not set(following) & set(path.ranks)
        assert len(set(following)) == len(following)
        visits.extend(following)
        path = path_of(*path.records, *map(record_at, following))
    return path, visits


def products(rank=2, shape=(14, 11), seed=0, noise=0.02):
    """Non-negative data of known rank with some noise, a tenth of it hidden."""
    rng = np.random.default_rng(seed)
    X = rng.random((shape[0], rank)) @ rng.random((rank, shape[1])) + noise * rng.random(shape)
    return Network.from_dense(X).hide(rng.random(X.size) < 0.1)


def blocks(shape=(14, 11), seed=0):
    """Boolean data of rank 2, a few cells flipped and a tenth hidden."""
    rng = np.random.default_rng(seed)
    X = (rng.random((shape[0], 2)) < 0.5) @ (rng.random((2, shape[1])) < 0.5) > 0
    network = Network.from_dense((X ^ (rng.random(shape) < 0.05)).astype(float))
    return network.hide(rng.random(X.size) < 0.1)


def friends(background=0.0, size=12, seed=0):
    """An undirected network, some of its pairs listed as non-links."""
    rng = np.random.default_rng(seed)
    pairs = [(i, j, float(rng.random() < 0.5)) for i in range(size) for j in range(i) if rng.random() < 0.6]
    return Network.from_edges(pairs, symmetric=True, shape=(size, size), background=background)


def small_plan(**changes):
    """A plan of four members on small data."""
    defaults = {
        "network": products(),
        "solver": WNMF(max_iter=40, ridge=0.01),
        "regime": real(),
        "n_members": 4,
    }
    return Plan(**(defaults | changes))


def assert_same_record(actual, expected):
    """The same record, bit for bit."""
    assert actual.rank == expected.rank
    assert_same_factors(actual.model, expected.model)
    for one, other in zip(actual.members, expected.members, strict=True):
        assert_same_factors(one, other)
    for name in ("stability_rows", "stability_cols", "column_errors", "held_out"):
        np.testing.assert_array_equal(getattr(actual, name), getattr(expected, name), err_msg=name)
    for name in ("relative_error", "description_length"):
        np.testing.assert_equal(getattr(actual, name), getattr(expected, name))
    assert (actual.set_aside, actual.converged) == (expected.set_aside, expected.converged)


def assert_same_path(actual, expected):
    """The same records at the same ranks."""
    assert actual.ranks == expected.ranks
    for one, other in zip(actual, expected, strict=True):
        assert_same_record(one, other)
