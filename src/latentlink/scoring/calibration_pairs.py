"""Calibration pairs with their scores: what all calibrated answers of a model share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import IncompatibleError, InputError
from latentlink.network import Network
from latentlink.random import rng_for
from latentlink.scoring.best_pairs import Candidates, recommend, top_links
from latentlink.scoring.drawn_pairs import DrawnPairs
from latentlink.scoring.pair_degrees import PairDegrees
from latentlink.scoring.pair_input import excluded_keys, one_row
from latentlink.scoring.scorer import Scorer
from latentlink.scoring.training_spread import TrainingSpread
from latentlink.scoring.unknown_nodes import Guaranteed, expanded, requested_pairs
from latentlink.scoring.untested_pairs import UntestedPairs
from latentlink.tables import GuaranteedTable, Table
from latentlink.uncertainty import Exchangeability, Platt, compare_pairs, require_unseen
from latentlink.validation.wording import counted

__all__ = ["CalibrationPairs"]

Array = NDArray[Any]

_KEY = -10 % 2**32  # keeps these draws apart from those of other purposes
_CHOICES = ("error", "nan")  # of unknown nodes, for which nothing is guaranteed


@dataclass(frozen=True, eq=False, repr=False)
class CalibrationPairs:
    """A fitted model with calibration pairs, which were not used in fitting.

    Attributes
    ----------
    network : Network
        The training network.
    training : TrainingSpread
        The scorer of the model, and the mean spread of the training entries.
    by : {"model", "ensemble"} or None
        Whether scores are those of the central model or means over the ensemble; None is the default.
    rows, cols : arrays of int, shape (n,)
        The calibration pairs.
    values : array, shape (n,)
        Their known values.
    name : str
        Name of the model in `repr`.
    drawn : DrawnPairs
        Unlisted pairs that were taken for non-links, in the fit or in the calibration.
    """

    network: Network
    training: TrainingSpread
    by: str | None
    rows: Array
    cols: Array
    values: Array
    name: str
    score: Array = field(init=False)
    spread: Array = field(init=False)
    drawn: DrawnPairs = field(default_factory=DrawnPairs, kw_only=True)

    def __post_init__(self) -> None:
        if not len(self.rows):
            raise InputError(
                "There are 0 calibration pairs; expected at least one that was held out of the fit and whose "
                "value is known, such as those of holdout(network, 0.2).test."
            )
        require_unseen(self.network, *self._given())  # drawn pairs are unseen, and nobody gave them
        score, spread = self.scorer.score_and_spread(self.rows, self.cols, self.by)
        object.__setattr__(self, "score", score)
        object.__setattr__(self, "spread", spread)

    @property
    def scorer(self) -> Scorer:
        """The central model and its ensemble."""
        return self.training.scorer

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        known = (
            f"{int(np.count_nonzero(self.values)):,} of them links"
            if np.isin(self.values, (0, 1)).all()
            else f"values from {self.values.min():g} to {self.values.max():g}"
        )
        by = "ensemble" if self.scorer.uses_ensemble(self.by) else "model"
        return f"Calibrated: {counted(len(self), 'pair')}, {known}, scored by the {by} of {self.name}"

    def top_links(
        self, n: int = 100, per_node: bool = False, *, exclude: Any = None, exact: bool = False
    ) -> Table:
        """Return the best-scored pairs that are neither known nor used in calibration, best first.

        Pairs that `calibrate` drew are not known, and are ranked. Nothing is guaranteed for such a list;
        `discover` without pairs selects one with a bounded false discovery rate.

        Parameters
        ----------
        n : int
            Number of pairs.
        per_node : bool
            That many for each row, row by row, instead of that many in all.
        exclude : Network or pairs
            Further pairs to leave out.
        exact : bool
            As for the model's `top_links`.

        Returns
        -------
        Table
            With the columns row, column, score and spread.
        """
        candidates = Candidates(per_node, excluded=self._known_keys(exclude), exact=exact)
        return top_links(self.network, self.scorer, n, candidates, self.by)

    def recommend(self, row: int | str, n: int = 10, *, exclude: Any = None) -> Table:
        """Return the best-scored columns of one row that are neither known nor used in calibration.

        Nothing is guaranteed for them, as for `top_links`.

        Parameters
        ----------
        row : int or str
            By index or by name.
        n : int
            Number of columns.
        exclude : Network or pairs
            Further pairs to leave out.

        Returns
        -------
        Table
            With the columns row, column, score and spread.
        """
        candidates = Candidates(excluded=self._known_keys(exclude))
        return recommend(self.network, self.scorer, one_row(self.network, row), n, candidates, self.by)

    def compared_with_untested(self, n: int = 10_000, seed: int = 0) -> Exchangeability:
        """Compare a random sample of all untested pairs with the calibration pairs, by scores and degrees.

        Unlike a list of the best pairs, such a sample can be like the calibration pairs: it is if entries
        are missing at random.

        Parameters
        ----------
        n : int
            Number of untested pairs; all of them if there are no more.
        seed : int
            Of the sample.
        """
        rows, cols = self._untested().sample(n, rng_for(seed, _KEY))
        return compare_pairs(self._own_traits(), self._traits(rows, cols))

    def _untested(self, exclude: Any = None) -> UntestedPairs:
        """Return all pairs that are neither known, nor used in calibration, nor excluded."""
        left_out = self.drawn.left_out
        return UntestedPairs(
            self.network, excluded_keys(self.network, exclude, (self.rows, self.cols), left_out)
        )

    def _known_keys(self, exclude: Any = None) -> NDArray[np.int64]:
        """Return the keys of pairs that somebody knows beside the network."""
        return excluded_keys(self.network, exclude, self._given(), self.drawn.left_out)

    def _given(self) -> tuple[Array, Array]:
        """Return the calibration pairs that were given, without those that were drawn."""
        return self.drawn.given(self.network, self.rows, self.cols)

    @cached_property
    def _degrees(self) -> PairDegrees:
        return PairDegrees.of(self.network)

    def _compared(
        self,
        rows: Array,
        cols: Array,
        score: Array | None = None,
        links: NDArray[np.bool_] | None = None,
        weights: Array | None = None,
    ) -> Exchangeability:
        """Compare pairs with the calibration pairs; if these have labels, up to the share of links."""
        alike = compare_pairs(self._own_traits(), self._traits(rows, cols, score), links, weights)
        alike.warn_if_different()
        return alike

    def _own_traits(self) -> Array:
        """Return score and degree of the calibration pairs, shape (2, pairs)."""
        return self._traits(self.rows, self.cols, self.score)

    def _traits(self, rows: Array, cols: Array, score: Array | None = None) -> Array:
        """Return score and degree of pairs, to be compared with those of the calibration pairs."""
        score = self.scorer.score(rows, cols, self.by) if score is None else score
        return np.stack([score, self._degrees(rows, cols)])

    def _guaranteed(self, columns: dict[str, Array], rule: Any, alike: Exchangeability) -> GuaranteedTable:
        limits = f"{self._limits(rule)} {alike.limits}{self.drawn.limits(self.network, columns)}"
        return GuaranteedTable(columns, limits, rule, alike)

    def _limits(self, rule: Any) -> str:
        """Return what a rule guarantees when it is applied to this model."""
        return str(rule.limits)

    def _labels(self, what: str) -> NDArray[np.bool_]:
        other = ~np.isin(self.values, (0, 1))
        if other.any():
            position = int(np.argmax(other))
            raise IncompatibleError(
                f"Calibration pair {position} has the value {self.values[position]:g}; {what} are for links "
                "and non-links, values 1 and 0. For real values there are intervals."
            )
        links: NDArray[np.bool_] = self.values == 1
        return links

    def default_curve(self) -> Platt:
        """Return the default curve of probabilities, not fitted: on the logit where scores have one."""
        model = self.scorer.model
        return Platt(on="logit" if model.boolean or model.logistic else "score")

    def votes(self, score: Array) -> Array:
        """Return scores with a logit: for a Boolean model k of P votes as (k + 1/2) / (P + 1)."""
        if not self.scorer.model.boolean:
            return score
        voters = len(self.scorer.models(self.by))
        return (score * voters + 0.5) / (voters + 1)

    def _indices(self, pairs: Any) -> tuple[Array, Array]:
        """Return the indices of pairs; raise for nodes that the model does not have."""
        requested = requested_pairs(self.network, pairs, "error", _CHOICES)
        return requested.rows, requested.cols

    def _known_alone(self, pairs: Any, unknown: str, method: Callable[[Array], Guaranteed]) -> Guaranteed:
        """Return the table of a method with a line for each pair, of which it gets those of known nodes."""
        requested = requested_pairs(self.network, pairs, unknown, _CHOICES)
        return expanded(method(requested.indices()), requested)

    def _unseen(self, pairs: Any) -> tuple[Array, Array]:
        """Return the indices of pairs; raise for pairs that nothing can be guaranteed for."""
        rows, cols = self._indices(pairs)
        self._require_unseen(rows, cols, "requested", repeats=True)
        return rows, cols

    def _require_unseen(self, rows: Array, cols: Array, what: str, repeats: bool) -> None:
        """Raise InputError for pairs that were used in fitting or calibration, or that occur twice."""
        require_unseen(self.network, rows, cols, what, calibrated=self._given(), repeats=repeats)

    def _columns(self, rows: Array, cols: Array) -> dict[str, Array]:
        row, column = self.network.node_names(rows, cols)
        score, spread = self.scorer.score_and_spread(rows, cols, self.by)
        return {"row": row, "column": column, "score": score, "spread": spread}

    def _observed(self) -> Network:
        """Return the network with the calibration pairs as known entries."""
        fitted = self.network.subset(self.network.known)
        rows, cols = self.rows, self.cols
        if fitted.symmetric:
            rows, cols = np.minimum(rows, cols), np.maximum(rows, cols)
        parts = ((fitted.rows, rows), (fitted.cols, cols), (fitted.values, self.values))
        weights = np.concatenate([fitted.weights, np.ones(len(self))])
        return fitted.relisted(*map(np.concatenate, parts), weights)
