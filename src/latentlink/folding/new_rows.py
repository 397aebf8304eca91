"""Rows that a model was not fitted with, folded into the central model and into every member."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.factors import Factors
from latentlink.folding.boolean_rows import boolean_rows
from latentlink.folding.conditional_rows import conditional_rows
from latentlink.folding.regression import regressed_rows
from latentlink.network import Ensemble, Network
from latentlink.network.transforms.symmetry import as_matrix
from latentlink.scoring import Candidates, Members, PairModel, Scorer, recommend, top_links
from latentlink.scoring.pair_input import excluded_keys
from latentlink.scoring.unknown_nodes import requested_pairs
from latentlink.solvers import Solver
from latentlink.solvers.needs import check_largest, check_values
from latentlink.tables import Table
from latentlink.validation.wording import counted, few, shortened

__all__ = ["NewRows", "fold_rows", "of_fitted_columns"]

Array = NDArray[Any]


def fold_rows(
    solver: Solver,
    binary: bool,
    network: Network,
    models: Sequence[Factors],
    training: Network | None = None,
) -> list[Factors]:
    """Return each model for the network's rows.

    Nodes of an undirected model are rows and columns at once. New nodes get factors on both sides, each by
    its own regression, as the model was fitted, and come first, before the fitted nodes.

    Parameters
    ----------
    solver : Solver
        The solver that the models were fitted with.
    binary : bool
        Whether factors are Boolean.
    network : Network
        Known entries of the new rows.
    models : sequence of Factors
    training : Network, optional
        The network that the models were fitted to.
    """
    network = as_matrix(network)
    check_values(solver, network)
    check_largest(solver, Ensemble.of(network))
    rows = _one_side(solver, binary, network, models, training)
    if not models[0].symmetric:
        return rows
    cols = _one_side(solver, binary, network, [model.transposed() for model in models], training)
    return [_with_new_nodes(*sides) for sides in zip(models, rows, cols, strict=True)]


def _one_side(
    solver: Solver, binary: bool, network: Network, models: Sequence[Factors], training: Network | None
) -> list[Factors]:
    if solver.rotates:
        return conditional_rows(network, models, training)
    plain = all(model.row_bias is None and model.col_bias is None and not model.offset for model in models)
    if binary and plain and not models[0].logistic:
        return [boolean_rows(network, model) for model in models]
    regressed = regressed_rows(solver, network, models, training)
    if binary:
        return [replace(model, W=(model.W >= 0.5).astype(model.W.dtype)) for model in regressed]
    return regressed


def _with_new_nodes(model: Factors, rows: Factors, cols: Factors) -> Factors:
    """Put new nodes before the fitted ones, on both sides."""
    return replace(
        model,
        W=np.concatenate([rows.W, model.W]),
        H=np.concatenate([cols.W.T, model.H], axis=1),
        row_bias=_concatenated(rows.row_bias, model.row_bias),
        col_bias=_concatenated(cols.row_bias, model.col_bias),
    )


def _concatenated(new: Array | None, old: Array | None) -> Array | None:
    return None if new is None or old is None else np.concatenate([new, old])


@dataclass(frozen=True, eq=False, repr=False)
class NewRows:
    """New rows, folded into a model and into every member of its ensemble.

    Attributes
    ----------
    network : Network
        Known entries of the new rows.
    factors : PairModel
        The central model for them, `Factors` or a stack; of factors of an undirected network new nodes come
        first, then the fitted ones.
    members : Members
        The same for each member.
    by_ensemble : bool
        Whether the score is the mean over the members by default.

    Examples
    --------
    >>> from latentlink import WNMFk
    >>> model = WNMFk((1,), n_perturbs=2, random_state=0).fit([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]])
    >>> rows = model.fold_in({0: 5.0})
    >>> rows
    NewRows: 1 new row x 2 columns, 1 known entry, rank 1, 1 member
    >>> rows.predict_links([(0, 1)]).round(1)
    array([10.])
    """

    network: Network
    factors: PairModel
    members: Members
    by_ensemble: bool

    @property
    def W(self) -> Array:
        """Factors of the new rows, shape (rows, rank); a stack has no components, and rank 0."""
        return self.factors.W[: self.network.shape[0]]

    def __repr__(self) -> str:
        n, m = self.network.shape
        names = self.network.row_names
        named = "" if names is None else f" ({few([shortened(str(name), 24) for name in names], 3)})"
        rows = f"{counted(n, 'new row')}{named} x {counted(m, 'column')}"
        known = counted(self.network.n_known, "known entry", "known entries")
        members = counted(len(self.members), "member")
        rank = self.W.shape[1]
        components = f"rank {rank}" if rank else "without components"
        return f"NewRows: {rows}, {known}, {components}, {members}"

    def score(self, rows: Array, cols: Array, by: str | None = None) -> Array:
        """Score pairs of indices of new rows and fitted columns."""
        return self._scorer().score(rows, cols, by)

    def predict_links(
        self, pairs: Any, return_std: bool = False, by: str | None = None, *, unknown: str = "error"
    ) -> Any:
        """Score pairs of a new row and a fitted column; see `RankedFactorizer.predict_links`.

        Parameters
        ----------
        pairs : array, list of tuples or frame
            (row, column) for each pair: indices among the new rows, or their names; columns as fitted.
        return_std : bool
            Return the standard deviation over the members too.
        by : {"model", "ensemble"} or None
        unknown : {"error", "nan"}
            What becomes of pairs with a node that is neither new nor fitted: raise InputError, or NaN.
        """
        requested = requested_pairs(self.network, pairs, unknown, ("error", "nan"))
        if not return_std and requested.known.all():
            return self.score(requested.rows, requested.cols, by)
        score, spread = requested.scores(self._scorer(), by, unknown)
        return (score, spread) if return_std else score

    def top_links(
        self, n: int = 100, per_node: bool = False, by: str | None = None, *, exclude: Any = None
    ) -> Table:
        """Return the best-scored pairs of a new row and a fitted column that are not known, best first.

        Parameters
        ----------
        n : int
            Number of pairs.
        per_node : bool
            That many for each new row, row by row, instead of that many in all.
        by : {"model", "ensemble"} or None
        exclude : Network or pairs
            Pairs to leave out.

        Returns
        -------
        Table
            With the columns row, column, score and spread.
        """
        candidates = Candidates(per_node, excluded=excluded_keys(self.network, exclude))
        return top_links(self.network, self._scorer(), n, candidates, by)

    def recommend(
        self, row: int | str = 0, n: int = 10, by: str | None = None, *, exclude: Any = None
    ) -> Table:
        """Return the best-scored fitted columns of one new row, by default of the first, best first.

        Parameters
        ----------
        row : int or str
            Index or name of a new row.
        n : int
            Number of columns.
        by, exclude
            As for `top_links`.
        """
        candidates = Candidates(excluded=excluded_keys(self.network, exclude))
        return recommend(self.network, self._scorer(), self.network.row_index(row), n, candidates, by)

    def _scorer(self) -> Scorer:
        columns = self.network.shape[1]
        members = type(self.members)(of_fitted_columns(member, columns) for member in self.members)
        return Scorer(of_fitted_columns(self.factors, columns), members, self.by_ensemble)


def of_fitted_columns(model: PairModel, columns: int) -> PairModel:
    """Return a folded model for pairs of a new row and a fitted column.

    New nodes of an undirected network are rows and columns at once, and come before the fitted ones.

    Parameters
    ----------
    model : PairModel
    columns : int
        Number of fitted columns.
    """
    new = model.shape[1] - columns
    return _NewNodes(model, new) if new else model


@dataclass(frozen=True, eq=False)
class _NewNodes:
    """A model whose rows are the first nodes of another one, and whose columns are its other nodes."""

    model: PairModel
    count: int

    @property
    def logistic(self) -> bool:
        return self.model.logistic

    @property
    def boolean(self) -> bool:
        return self.model.boolean

    @property
    def shape(self) -> tuple[int, int]:
        return self.count, self.model.shape[1] - self.count

    @property
    def W(self) -> Array:
        return self.model.W[: self.count]

    @property
    def H(self) -> Array:
        return self.model.H[:, self.count :]

    def score(self, rows: Array, cols: Array) -> Array:
        return self.model.score(rows, cols + self.count)

    def block(self, begin: int, end: int, first: int = 0) -> Array:
        return self.model.block(begin, end, first + self.count)

    def contributions(self, row: int, col: int) -> Mapping[str, float]:
        return self.model.contributions(row, col + self.count)
