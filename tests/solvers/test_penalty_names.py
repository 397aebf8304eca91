"""A solver whose settings have names of their own folds new rows in as one with the usual names does."""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np
from sklearn.base import clone

from latentlink import RankedFactorizer
from latentlink.solvers import Solver
from latentlink.solvers.descent.coordinate_sweeps import Descent
from latentlink.solvers.descent.packing import plain_coordinates
from latentlink.solvers.starts import random_start
from latentlink.strategy import strategy
from latentlink.validation.choices import check_choice


@strategy
class Usual(Solver):
    """Non-negative factors with a ridge."""

    ridge: float = 0.2

    needs_nonnegative: ClassVar[bool] = True

    def start(self, ensemble, member, rank, rng):
        return random_start(ensemble, rank, ensemble.member_mean(member), rng)

    def sweeps(self, block, rows, cols, offsets):
        coordinates = plain_coordinates(rows.shape[1], block.width, self.precision, self.penalties[0])
        return Descent(block, rows, cols, coordinates, coordinates)


@strategy
class Renamed(Usual):
    """The same with another name of the penalty, and with ``updates`` of its own."""

    ridge: ClassVar[float] = 0.0
    shrinkage: float = 0.2
    updates: str = "fast"

    @property
    def penalties(self) -> tuple[float, float]:
        return self.shrinkage, self.shrinkage

    def with_penalties(self, row: float, col: float) -> Self:
        return clone(self).set_params(shrinkage=row)

    def check_settings(self):
        super().check_settings()
        check_choice(self, "updates", ("fast", "slow"))


def test_new_rows_do_not_depend_on_the_names_of_settings():
    rng = np.random.default_rng(0)
    X = rng.random((20, 2)) @ rng.random((2, 12))
    usual, renamed = (
        RankedFactorizer((2,), solver=solver, n_perturbs=3, random_state=0).fit(X)
        for solver in (Usual(max_iter=200), Renamed(max_iter=200))
    )
    np.testing.assert_array_equal(usual.W_, renamed.W_)
    rows = X[:4] * 1.5
    one, other = (
        model.fold_in(rows).predict_links([(0, 1), (3, 7)], by="ensemble") for model in (usual, renamed)
    )
    np.testing.assert_array_equal(one, other)
