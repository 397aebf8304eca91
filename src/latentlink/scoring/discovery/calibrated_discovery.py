"""The method `discover` of calibrated models: which candidates it accepts, and at what rate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import IncompatibleError, InputError
from latentlink.random import rng_for
from latentlink.scoring.calibration_pairs import CalibrationPairs
from latentlink.scoring.discovery.discoveries_among_all import discover_among_all
from latentlink.scoring.discovery.given_candidates import GivenCandidates, distinct_untrained
from latentlink.scoring.untested_pairs import UntestedPairs
from latentlink.tables import GuaranteedTable
from latentlink.uncertainty import (
    ChosenNodes,
    ChosenPairs,
    discover,
    require_not_chosen_by_score,
    require_several_candidates,
    require_unseen,
)
from latentlink.uncertainty.discovery.chosen_pairs import hinges_on_few, most_by_choice
from latentlink.uncertainty.discovery.discoveries import require_enough_nonlinks
from latentlink.validation.choices import checked_choice
from latentlink.validation.numbers import checked_share

__all__ = ["CalibratedDiscovery"]

Array = NDArray[Any]

_UNTESTED = 10_000  # untested pairs that stand for all of them in comparisons
_KEY = -7 % 2**32  # keeps their draw apart from those of other purposes


@dataclass(frozen=True, eq=False, repr=False)
class CalibratedDiscovery(CalibrationPairs):
    """Discoveries by a fitted model with calibration pairs."""

    def discover(
        self,
        pairs: Any = None,
        fdr: float = 0.1,
        *,
        exclude: Any = None,
        chosen_without_scores: bool = False,
        unknown: str = "error",
    ) -> GuaranteedTable:
        """Select links among all untested pairs, or given candidates, with a bounded false discovery rate.

        Known non-links among the calibration pairs stand for the non-links among the candidates, and must be
        drawn like them. Unlisted pairs, drawn for want of known non-links, make the bound conservative:
        some are links. As candidates all untested pairs are then like them, and next to nothing is selected.
        Candidates must not be chosen by their scores: among the best-scored pairs every non-link scores high.

        Parameters
        ----------
        pairs : None, or as for `predict_links`
            None goes over all untested pairs, block by block: all that are unknown to the model and not used
            in calibration, without those of a node with itself; under a background the hidden ones alone.
            Candidates that are given must be unseen, each once, and raise if they evidently were chosen by
            their scores: if they score higher than random untested pairs, of the same nodes if they have few,
            and than the calibration pairs. Fewer than 20, of which that cannot be told, raise too. Where
            nothing would be selected without a few of them, scores may have chosen these: k of all N untested
            pairs are then selected at ``fdr * k / N``, and raise if that selects nothing. The pairs of n of N
            nodes are selected at ``fdr * n / N``, so that it does not matter which nodes were chosen.
        fdr : float
            Largest expected share of non-links among the selected.
        exclude : Network or pairs
            Pairs that somebody knows though the model does not, such as a test part; only without ``pairs``.
            Pairs that are left must not have been chosen by their scores either, and raise like ``pairs``.
        chosen_without_scores : bool
            The candidates that are given were chosen by other information than scores of this model: they are
            accepted however high they score, and whatever nodes they have.
        unknown : {"error", "nan"}
            What becomes of candidates with a node that the model does not have: raise InputError, or select
            none of them.

        Returns
        -------
        GuaranteedTable
            With row, column, score, spread, p_value and selected; without ``pairs`` the selected alone.
        """
        if pairs is None:
            checked_choice(unknown, ("error",), "unknown without pairs")
        elif unknown != "error":
            return self._known_alone(
                pairs,
                unknown,
                lambda known: self.discover(
                    known, fdr, exclude=exclude, chosen_without_scores=chosen_without_scores
                ),
            )
        labels = self._labels("discover")
        if len(self.drawn.nulls):
            require_enough_nonlinks(int((~labels).sum()), checked_share(fdr, "fdr"), drawn=True)
        if pairs is None:
            return self._discover_among_all(labels, fdr, exclude, chosen_without_scores)
        if exclude is not None:
            raise InputError(
                "discover has both pairs and exclude; expected exclude with pairs=None alone. Leave the "
                "excluded pairs out of the candidates."
            )
        rows, cols = self._indices(pairs)
        if not chosen_without_scores:
            self._require_not_chosen(rows, cols)
        self._require_unseen(rows, cols, "candidate", repeats=False)
        columns = self._columns(rows, cols)
        select = self._among_given if chosen_without_scores else self._among_any
        evidence, discoveries = select(rows, cols, columns["score"], labels, fdr)
        discoveries = replace(discoveries, drawn=self.drawn.nonlinks)
        columns |= {**evidence, "selected": discoveries.selected}
        return self._guaranteed(columns, discoveries, self._compared(rows, cols, columns["score"], labels))

    def _require_not_chosen(self, rows: Array, cols: Array) -> None:
        """Raise InputError for candidates that scores may have chosen, before any lesser fault of them."""
        first = distinct_untrained(self.network, rows, cols)
        self._require_like_untested(rows[first], cols[first])
        require_unseen(self.network, rows, cols, "candidate")
        require_several_candidates(len(rows))

    def _given_candidates(self, rows: Array, cols: Array) -> GivenCandidates:
        return GivenCandidates(rows, cols, self._untested(), lambda *pairs: self._traits(*pairs)[0])

    def _require_like_untested(self, rows: Array, cols: Array, **message: str) -> None:
        own = (self.rows, self.cols, self.score)
        require_not_chosen_by_score(self._given_candidates(rows, cols).comparisons(own), len(rows), **message)

    def _chosen_pairs(
        self, rows: Array, cols: Array, labels: NDArray[np.bool_], fdr: float
    ) -> ChosenPairs | None:
        """Return how many the candidates are of all pairs, if nothing is selected without a few of them."""
        score = self.scorer.score(rows, cols, self.by)

        def selects(kept: Array) -> bool:
            part = (rows[kept], cols[kept], score[kept])
            return bool(self._among_given(*part, labels, fdr)[1].selected.any())

        if not hinges_on_few(score, most_by_choice(len(score), fdr), selects):
            return None
        return ChosenPairs(len(score), max(len(score), len(self._untested())))

    def _discover_among_all(
        self, labels: NDArray[np.bool_], fdr: float, exclude: Any, chosen_without_scores: bool
    ) -> GuaranteedTable:
        untested = self._untested(exclude)
        if not len(untested):
            zeros = ", and unlisted pairs were fitted as zeros" if self.network.background else ""
            raise InputError(
                f"There are no untested pairs: all are known, used in calibration or excluded{zeros}. "
                "Expected at least one. Hide the pairs in question before fitting (weight 0)."
            )
        sample = untested.sample(_UNTESTED, rng_for(0, _KEY))
        few = exclude is not None and not chosen_without_scores and len(untested) < len(self._untested())
        if few:
            instead = "Exclude pairs that somebody knows, and no others"
            self._require_like_untested(*sample, instead=instead)
            require_several_candidates(len(untested), instead)
        rows, cols, evidence, discoveries = self._among_all(untested, labels, fdr)
        if few and len(rows):
            few_pairs = self._chosen_pairs(*sample, labels, fdr) if len(untested) == len(sample[0]) else None
            chosen = few_pairs or self._few_nodes(*sample)
            if chosen is not None:
                rows, cols, evidence, discoveries = self._of_any_choice(
                    lambda level: self._among_all(untested, labels, level), chosen, fdr, instead=instead
                )
        discoveries = replace(discoveries, drawn=self.drawn.nonlinks)
        columns = {**self._columns(rows, cols), **evidence, "selected": discoveries.selected}
        return self._guaranteed(columns, discoveries, self._compared(*sample, None, labels))

    def _among_given(
        self, rows: Array, cols: Array, score: Array, labels: NDArray[np.bool_], fdr: float
    ) -> tuple[dict[str, Array], Any]:
        """Return the evidence for each candidate as a column, and the discoveries."""
        del rows, cols
        discoveries = discover(score, self.score[~labels], fdr)
        return {"p_value": discoveries.p_values}, discoveries

    def _among_any(
        self, rows: Array, cols: Array, score: Array, labels: NDArray[np.bool_], fdr: float
    ) -> tuple[Any, ...]:
        """Do as `_among_given` for candidates of which a few, or whose nodes, scores may have chosen."""
        evidence, discoveries = self._among_given(rows, cols, score, labels, fdr)
        if not discoveries.selected.any():
            return evidence, discoveries
        chosen = self._chosen_pairs(rows, cols, labels, fdr) or self._few_nodes(rows, cols)
        if chosen is None:
            return evidence, discoveries
        return self._of_any_choice(
            lambda level: self._among_given(rows, cols, score, labels, level), chosen, fdr
        )

    def _few_nodes(self, rows: Array, cols: Array) -> ChosenNodes | None:
        return self._given_candidates(rows, cols).few_nodes((self.rows, self.cols))

    def _of_any_choice(
        self,
        select: Callable[[float], tuple[Any, ...]],
        chosen: ChosenNodes | ChosenPairs,
        fdr: float,
        **message: str,
    ) -> tuple[Any, ...]:
        """Return what is selected at a rate that makes up for any choice by scores; raise if nothing is.

        The last value that ``select`` returns at a rate are the discoveries.
        """
        try:
            *others, discoveries = select(fdr * chosen.share)
        except IncompatibleError:  # too few non-links for so low a rate
            chosen.raise_as_chosen(fdr, **message)
        if not discoveries.selected.any():
            chosen.raise_as_chosen(fdr, **message)
        return *others, replace(discoveries, fdr=fdr, chosen=chosen)

    def _among_all(
        self, untested: UntestedPairs, labels: NDArray[np.bool_], fdr: float
    ) -> tuple[Array, Array, dict[str, Array], Any]:
        """Return rows and columns of the selected, the evidence for each as a column, and the discoveries."""
        nonlinks = untested.comparable_scores(self.scorer, self.by, self.rows[~labels], self.cols[~labels])
        rows, cols, discoveries = discover_among_all(
            lambda: untested.scored(self.scorer, self.by), nonlinks, fdr
        )
        return rows, cols, {"p_value": discoveries.p_values}, discoveries
