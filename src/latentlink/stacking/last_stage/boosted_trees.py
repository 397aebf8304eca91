"""A sum of boosted decision trees of scores and features, as plain arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier
from threadpoolctl import threadpool_limits

from latentlink.kernels import tree_sum
from latentlink.stacking.last_stage.training_pairs import TrainingPairs

__all__ = ["BoostedTrees"]

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]

# Small trees, few of them: beside a sum of functions of single columns they add how columns act together.
_TREES, _LEAVES, _RATE, _BINS, _L2 = 60, 8, 0.1, 64, 1.0


@dataclass(frozen=True, eq=False)
class BoostedTrees:
    """A constant and a sum of decision trees, boosted by scikit-learn's HistGradientBoostingClassifier.

        f(x) = c + sum_t tree_t(x)

    Only these arrays are kept: they can be saved and read without running code from a file.

    Attributes
    ----------
    roots : array of int, shape (trees,)
        Numbers of the first nodes.
    column : array of int, shape (nodes,)
        The column that a node asks for.
    threshold : array, shape (nodes,)
        A pair goes on to the left if its number in that column is at most the threshold.
    left, right : array of int, shape (nodes,)
        Numbers of the nodes below; of a leaf its own number.
    node_value : array, shape (nodes,)
        Values of the leaves; of the other nodes the mean over the training pairs that came there.
    constant : float
        c.
    """

    roots: Numbers
    column: Numbers
    threshold: Array
    left: Numbers
    right: Numbers
    node_value: Array
    constant: float

    @classmethod
    def fit(cls, pairs: TrainingPairs, seed: int = 0) -> BoostedTrees:
        """Boost trees, as the logit of a link.

        Columns are binned here, by plain quantiles: scikit-learn would take the quantiles of weighted pairs,
        which costs ten times as much as the trees.
        """
        edges = np.quantile(pairs.table, np.linspace(0, 1, _BINS + 1)[1:-1], axis=0, method="lower").T
        codes = [np.searchsorted(each, column) for each, column in zip(edges, pairs.table.T, strict=True)]
        model = HistGradientBoostingClassifier(
            learning_rate=_RATE,
            max_iter=_TREES,
            max_leaf_nodes=_LEAVES,
            max_bins=_BINS,  # no fewer than there are codes, so that every code has its own bin
            l2_regularization=_L2,
            early_stopping=False,
            random_state=seed,
        )
        with threadpool_limits(1):  # tables are small, and waiting threads would cost more than they save
            weights = pairs.weights / pairs.weights.mean()
            model.fit(np.column_stack(codes), pairs.values.astype(int), weights)
        return cls._of(model, edges)

    @classmethod
    def _of(cls, model: HistGradientBoostingClassifier, edges: Array) -> BoostedTrees:
        """Take the nodes of a model that was fitted to the numbers of bins with these upper edges."""
        trees = [predictors[0].nodes for predictors in model._predictors]
        begins = np.cumsum([0, *(len(nodes) for nodes in trees)])
        parts = [_arrays(nodes, begin, edges) for nodes, begin in zip(trees, begins, strict=False)]
        column, threshold, left, right, value = (np.concatenate(each) for each in zip(*parts, strict=True))
        constant = float(np.ravel(model._baseline_prediction)[0])
        return cls(begins[:-1].astype(np.int64), column, threshold, left, right, value, constant)

    @classmethod
    def none(cls) -> BoostedTrees:
        """Return no trees: the value is 0."""
        whole, real = np.zeros(0, np.int64), np.zeros(0)
        return cls(whole, whole, real, whole, whole, real, 0.0)

    def value(self, table: Array) -> Array:
        """Return f at points, whose columns are the rows of a table of shape (columns, points)."""
        nodes = self.roots, self.column, self.threshold, self.left, self.right, self.node_value
        return tree_sum(table, *nodes) + self.constant

    @property
    def mean(self) -> float:
        """The value of an average pair: the constant and the values of all roots."""
        return self.constant + float(self.node_value[self.roots].sum())

    def contributions(self, columns: Sequence[NDArray[Any]]) -> list[Array]:
        """Return the part of each column in the value, relative to that of an average pair.

        On its way down a tree each step from a node to the next changes the mean over the training pairs; the
        change counts for the column that the node asks for (path-wise contributions, Saabas 2014). They add
        up to the value less the mean.
        """
        parts = [np.zeros(np.shape(column)) for column in columns]
        for point in np.ndindex(np.shape(columns[0])):
            for root in self.roots:
                node = int(root)
                while self.left[node] > node:
                    asked = int(self.column[node])
                    below = columns[asked][point] <= self.threshold[node]
                    after = int((self.left if below else self.right)[node])
                    parts[asked][point] += self.node_value[after] - self.node_value[node]
                    node = after
        return parts


def _arrays(nodes: Any, begin: int, edges: Array) -> tuple[Numbers, Array, Numbers, Numbers, Array]:
    """Return column, threshold, left, right and value of the nodes of a tree that begins at a number."""
    own = begin + np.arange(len(nodes))
    leaf = nodes["is_leaf"].astype(bool)
    left, right = (np.where(leaf, own, begin + nodes[side].astype(np.int64)) for side in ("left", "right"))
    value, count = nodes["value"].astype(np.float64), nodes["count"].astype(np.float64)
    for node in np.flatnonzero(~leaf)[::-1]:  # nodes below have larger numbers
        below = [left[node] - begin, right[node] - begin]
        value[node] = np.average(value[below], weights=count[below])
    column = np.where(leaf, 0, nodes["feature_idx"]).astype(np.int64)
    # A number lies in a bin up to c exactly if it is at most the upper edge of c.
    bins = np.floor(np.where(leaf, 0.0, nodes["num_threshold"])).astype(np.int64)
    threshold = np.where(leaf, 0.0, edges[column, bins])
    return column, threshold, left, right, value
