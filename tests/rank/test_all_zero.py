"""A matrix of zeros has no rank that is better than another."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink import RankedFactorizer
from latentlink.errors import RankWarning
from latentlink.rank import Agreement, HeldOut, LStatistic, SilhouetteCutoff
from latentlink.solvers import BNMF, LMF, NMF, RNMF, WNMF, SymLMF

SOLVERS = [NMF, WNMF, BNMF, RNMF, LMF, SymLMF]


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda each: each.__name__)
@pytest.mark.parametrize("rule", [Agreement, HeldOut, SilhouetteCutoff, LStatistic])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_no_rank_of_zeros_is_agreed_upon(solver, rule):
    model = RankedFactorizer(
        range(1, 4), solver=solver(max_iter=20), selection=rule(), n_perturbs=3, random_state=0
    )
    with pytest.warns(RankWarning, match="All known values are 0"):
        model.fit(np.zeros((12, 12)))
    assert (model.rank_, model.choice_.status) == (1, "unconfirmed")
    assert model.choice_.reason == "no rank of zeros is better than another"
