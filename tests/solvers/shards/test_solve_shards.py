"""A fit in shards has the losses and scores of the fit in one piece."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.cluster import SerialParts
from latentlink.network import Ensemble, Network
from latentlink.random import member_rngs
from latentlink.solvers import LMF, NMF, RNMF, WNMF
from latentlink.solvers.descent.packing import unpack
from latentlink.solvers.shards.solve_shards import solve_shards
from tests.helpers.cases import Case
from tests.solvers.shards.cut import row_shards

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

CUTS = {"one": [0], "two": [0, 4], "uneven": [0, 1, 2, 9, 14], "every row": list(range(20))}
SOLVERS = [
    WNMF(ridge=0.1),
    WNMF(ridge=0.0, extrapolate=False),
    NMF(),
    NMF(missing="zero"),
    RNMF(ridge=0.1),
    RNMF(ridge=0.1, ridge_cols=0.3, ridge_counts=None),
    RNMF(ridge=0.1, ridge_counts=(5.0, 3.0)),
    LMF(),
    LMF(centred=False, cycles=1),
]


def solved(ensemble, begins, solver, rank=3, seed=0, start=None):
    """Return the records of all members, and their scores of all pairs."""
    shards = row_shards(ensemble, begins)
    network = Network([], [], shape=ensemble.network.shape, background=ensemble.network.background)
    rngs = member_rngs(seed, rank, ensemble.n_members)
    records, scores = [], []

    for block in solve_shards(SerialParts(shards), network, solver, rank, rngs, start=start):
        rows = np.concatenate([shard.rows() for shard in shards])
        records += block.records
        for lane, offset in enumerate(block.offsets):
            model = unpack(rows, block.cols, lane, solver, float(offset), False)
            if solver.biased:
                scores.append(model.W @ model.H + model.row_bias[:, None] + model.col_bias + model.offset)
            else:
                scores.append(model.W @ model.H)
    return records, np.array(scores)


def in_one_piece(ensemble, solver, rank=3, seed=0, start=None):
    fit = solver.solve(ensemble, rank, seed if start is None else None, start=start)
    logits = [
        model.W @ model.H
        + (0 if model.row_bias is None else model.row_bias[:, None] + model.col_bias + model.offset)
        for model in fit.members
    ]
    return fit.records, np.array(logits)


def assert_equal_fits(ours, expected, rtol=1e-10):
    for one, other in zip(ours[0], expected[0], strict=True):
        assert (one.sweeps, one.converged) == (other.sweeps, other.converged)
        np.testing.assert_allclose(one.loss, other.loss, rtol=rtol)
    np.testing.assert_allclose(ours[1], expected[1], rtol=1e-6, atol=1e-7)


def settings(solver, **changes):
    return type(solver)(**(solver.get_params() | changes))


@pytest.mark.parametrize("begins", CUTS.values(), ids=CUTS)
@pytest.mark.parametrize("background", [0.0, 1.0])
@pytest.mark.parametrize("solver", SOLVERS, ids=str)
def test_losses_are_those_of_the_fit_in_one_piece(solver, background, begins):
    case = Case(solver, False, background)
    network = case.network(size=20)
    ours = solved(Ensemble.of(network, 2), begins, settings(solver, max_iter=40))
    assert_equal_fits(ours, in_one_piece(Ensemble.of(network, 2), settings(solver, max_iter=40)))
