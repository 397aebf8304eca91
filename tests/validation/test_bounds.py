"""Counts with which a fit would not return raise before any work; large but sensible ones do not."""

from __future__ import annotations

from itertools import count

import pytest

from latentlink import LinkStack, Network, RNMFk, WNMFk
from latentlink.errors import DataWarning, IncompatibleError
from latentlink.rank import Bisect, Every
from latentlink.regime import CosineAlign, HammingAlign, Otsu, Search, boolean, real
from latentlink.solvers import BNMF, LMF, NMF, RNMF, WNMF, SymLMF
from tests.helpers.fitted import planted

X = planted()


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"n_perturbs": 10**12}, "n_perturbs=1000000000000; expected a whole number from 1 to 100,000"),
        ({"n_perturbs": 10**600}, "n_perturbs=a whole number of 1,994 bits; expected"),
        ({"regime": real().set_params(starts=10**12)}, "starts=1000000000000; expected .* from 1 to 1,000"),
        ({"regime": boolean(Otsu(bins=10**12))}, "Otsu has bins=1000000000000; expected .* to 1,000,000"),
        ({"regime": boolean(Search(max_rounds=10**12))}, "Search has max_rounds=1000000000000; .* to 10,000"),
        (
            {"regime": real().set_params(align=CosineAlign(max_rounds=10**12))},
            "CosineAlign has max_rounds=1000000000000; expected a whole number from 1 to 10,000",
        ),
        (
            {"regime": boolean().set_params(align=HammingAlign(max_rounds=10**12))},
            "HammingAlign has max_rounds=1000000000000",
        ),
        ({"solver": WNMF(cycles=10**12)}, "WNMF has cycles=1000000000000; .* from 1 to 1,000"),
        ({"solver": WNMF(max_iter=10**7, tol=0)}, "max_iter=10,000,000 with tol=0.*at most 1,000,000. Set a"),
        ({"solver": WNMF(max_iter=10**600)}, "WNMF has max_iter=a whole number of 1,994 bits; expected"),
        ({"solver": WNMF(ridge=10**600)}, "WNMF has ridge=a whole number of 1,994 bits; expected a number"),
        ({"n_jobs": 10**12}, "n_jobs is 1000000000000; expected None, a whole number of threads from 1 to"),
        ({"ranks": [10**12]}, r"The ranks go up to 1000000000000, but the data have 12 rows and 9 columns"),
        ({"ranks": count(1)}, r"The ranks are count\(\d+\), more than 65,536; expected whole numbers >= 1"),
        ({"ranks": [1] * 10**6}, r"The ranks are \[1, 1, .*\.\.\., more than 65,536"),
        ({"ranks": Every(ranks=range(1, 10**12))}, r"range\(1, 1000000000000\), more than 65,536"),
        ({"ranks": Bisect(10**18, 10**18)}, "begins at rank 1000000000000000000, but the smaller side"),
    ],
)
def test_counts_without_end_raise_before_any_work(params, sentence):
    with pytest.raises(IncompatibleError, match=sentence):
        WNMFk(**({"ranks": (2,), "n_perturbs": 2} | params)).fit(X)


@pytest.mark.parametrize("solver", [NMF, WNMF, RNMF, LMF, SymLMF, BNMF])
def test_every_solver_has_bounds(solver):
    for name in ("max_iter", "cycles", "background_sample"):
        if name in solver().get_params():
            with pytest.raises(
                IncompatibleError, match=f"{name}=10{{18}}; expected a whole number from 1 to"
            ):
                solver(**{name: 10**18}).check_settings()
    solver(max_iter=10**15).check_settings()


@pytest.mark.parametrize("name", ["ridge", "ridge_cols", "ridge_row_bias", "ridge_col_bias"])
def test_ridges_of_members_are_for_a_search_of_the_ridge_alone(name):
    """A tuple has one number for each member, and a shorter one would be read beyond its end."""
    solver = RNMF(**{"ridge": 0.1, name: (0.1, 0.2)})
    with pytest.raises(IncompatibleError, match=rf"RNMF has {name}=\(0.1, 0.2\); expected one number"):
        RNMFk((1,), solver=solver, n_perturbs=3).fit(X)
    which = "ridges" if name == "ridge" else f"numbers as {name}"
    with pytest.raises(IncompatibleError, match=f"RNMF has 2 {which} for 1 members; expected one number"):
        solver.solve(Network.from_dense(X), 1, 0)
    assert RNMF(ridge=0.1, ridge_counts=(3, 4)).solve(Network.from_dense(X), 1, 0).members


def test_a_stack_has_the_same_bounds():
    with pytest.raises(IncompatibleError, match="LinkStack has n_perturbs=1000000000000"):
        LinkStack((1,), n_perturbs=10**12).fit((X > 0.5).astype(float))


@pytest.mark.parametrize(
    "ranks", [range(1, 10**18, 10**17), range(1, 10**18), range(10**30, 0, -1), Bisect(1, 10**18)], ids=str
)
@pytest.mark.filterwarnings("ignore")  # so few sweeps do not converge
def test_ranges_and_searches_end_at_the_size_of_the_data(ranks):
    """However long they are: nothing is counted one by one."""
    model = WNMFk(ranks, solver=WNMF(ridge=0.05, max_iter=5), n_perturbs=2, random_state=0)
    if isinstance(ranks, range):
        with pytest.warns(DataWarning, match="those above 3, the smaller side of the data, are left out"):
            model.fit(X[:4, :3])
    else:
        model.fit(X[:4, :3])
    assert set(model.path_.ranks) <= {1, 2, 3}


def test_a_range_beyond_the_data_raises():
    with pytest.raises(IncompatibleError, match=r"expected ranks up to 9. To visit .*: 50, 51"):
        WNMFk(range(50, 10**18)).fit(X)


def test_max_iter_is_only_a_limit_where_there_is_a_tolerance():
    solver = WNMF(ridge=0.05, max_iter=10**15, tol=1e-3)
    assert WNMFk((1,), solver=solver, n_perturbs=2, random_state=0).fit(X).rank_ == 1
