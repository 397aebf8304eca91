"""What a fitted model can be asked: scores of pairs, the best pairs, and why a pair has its score."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from latentlink.errors import warn_user
from latentlink.estimators.calibrated import Calibrated
from latentlink.estimators.explain import explained
from latentlink.estimators.pairs import known_pairs, named, one_pair, pair_indices
from latentlink.estimators.scoring import Scorer
from latentlink.estimators.settings import checked_count
from latentlink.estimators.table import table
from latentlink.estimators.toplinks import best_pairs, listed_values
from latentlink.estimators.trainingmean import TrainingMean, require_spread
from latentlink.network import Network
from latentlink.solvers import Solver
from latentlink.uncertainty import Prediction, judged

__all__ = ["Asking"]

Array = NDArray[Any]


class Asking:
    """Questions to a fitted model and its ensemble."""

    network_: Network
    factors_: Any  # Factors, or whatever else has score(rows, cols)
    members_: tuple[Any, ...]
    solver_: Solver

    @property
    def _by_ensemble(self) -> bool:
        """Where there are biases the mean of the members was measured to predict best."""
        return self.solver_.biased

    def _scorer(self) -> Scorer:
        check_is_fitted(self)
        return Scorer(self.factors_, self.members_, self._by_ensemble)

    def _training_mean(self) -> TrainingMean:
        """Return the mean spread of this fit; one that was kept of another fit has another model."""
        kept: TrainingMean | None = self.__dict__.get("_kept_mean")
        if kept is None or kept.model is not self.factors_:
            self._kept_mean = kept = TrainingMean(self.factors_)
        return kept

    def predict_links(self, pairs: Any, return_std: bool = False, by: str | None = None) -> Any:
        """Score pairs, one number for each.

        Parameters
        ----------
        pairs : array of shape (pairs, 2), list of (row, column), or frame of two columns
            Integers are indices, counted from 0; strings are names.
        return_std : bool
            Return the spread too: the standard deviation of the members' scores of each pair. That of a
            single member is 0, and says nothing.
        by : {"model", "ensemble"} or None
            The model fitted to all that is known, or the mean of the members. None takes the ensemble for
            models with biases (``RNMF``, ``LMF``, ``SymLMF``), the model for others. The mean of Boolean
            members is a graded score.

        Returns
        -------
        scores : array, shape (pairs,)
        spread : array, shape (pairs,)
            If ``return_std``.
        """
        scorer = self._scorer()
        rows, cols = pair_indices(self.network_, pairs)
        return scorer.score_and_spread(rows, cols, by) if return_std else scorer.score(rows, cols, by)

    def assess(self, pairs: Any, by: str | None = None) -> Prediction:
        """Score pairs with their spread, and keep silent where it is larger than on average in training.

            abstain where U_ij > tau,    tau = mean of U over the known entries that the model was fitted to,

        which is the paper's rule. It promises nothing about errors: see `calibrate` for what can be promised.
        The mean takes a pass over all training entries, and is kept until the next fit. A single member has
        no spread, and is refused.

        Parameters
        ----------
        pairs, by
            As for `predict_links`.

        Returns
        -------
        Prediction
            Score, spread and abstained of each pair, with names where there are such.
        """
        scorer = self._scorer()
        require_spread(scorer, "assess")
        network = self.network_
        rows, cols = pair_indices(network, pairs)
        score, spread = scorer.score_and_spread(rows, cols, by)
        tau = self._training_mean().of(scorer, network)
        return judged(*named(network, rows, cols), score, spread, tau)

    def training_spread(self) -> Array:
        """Return the spread of every listed entry that the model was fitted to, shape (entries,)."""
        scorer = self._scorer()
        require_spread(scorer, "training_spread")
        return scorer.training_spread(self.network_)

    def calibrate(self, known: Any, values: Any = None, by: str | None = None) -> Calibrated:
        """Learn from pairs that were held out how far the scores can be trusted.

        Parameters
        ----------
        known : Network, or pairs as for `predict_links`
            Pairs that had no say in the fit or in the choice of the rank, such as the calibration part of
            `latentlink.splitting.holdout`. One that had is an error, and so is a node with itself where the
            network lists no self loop. Of a Network the known entries count, each as one pair whatever its
            weight: promises are about pairs drawn alike, and hidden entries (weight 0) are not known.
        values : array, shape (pairs,)
            What is known of them; a Network says it itself.
        by : {"model", "ensemble"} or None
            As for `predict_links`. None takes the ensemble of Boolean models too: it is graded.

        Returns
        -------
        Calibrated
            Probabilities, answers with a bounded error, intervals, sets and discoveries.
        """
        scorer = self._scorer()
        graded = "ensemble" if by is None and self.factors_.boolean else by
        pairs = known_pairs(self.network_, known, values)
        name = type(self).__name__
        return Calibrated(self.network_, scorer, graded, *pairs, name, self._training_mean())

    def top_links(
        self,
        n: int = 100,
        per_node: bool = False,
        known: bool = False,
        by: str | None = None,
        *,
        self_loops: bool = False,
    ) -> Any:
        """Return the best-scored pairs that are not known, best first.

        Hidden pairs are not known; nor are unlisted ones, whatever the background. All pairs are looked at,
        in blocks; ties come in the order of the pairs. An undirected pair comes once.

        Parameters
        ----------
        n : int
            How many pairs.
        per_node : bool
            So many for each row, row by row, instead of so many in all.
        known : bool
            Rank known pairs too, with their values.
        by : {"model", "ensemble"} or None
            As for `predict_links`.
        self_loops : bool
            In a network of one kind of nodes, rank pairs of a node with itself too. A few known self loops
            tell little of the others, which would often come first.

        Returns
        -------
        frame with the columns row, column, score, spread (and value, if ``known``)
            Names where there are such, else indices. Without pandas, polars or pyarrow, a dict of arrays.
        """
        scorer = self._scorer()
        network = self.network_
        n = checked_count(self, "n", n)
        rows, cols = best_pairs(
            network, scorer.asks(by), n, per_node=per_node, known=known, self_loops=self_loops
        )
        if not len(rows):
            warn_user(
                "Every pair is known, so that there is none to predict. To rank known pairs, say known=True."
            )
        score, spread = scorer.score_and_spread(rows, cols, by)
        row, column = named(network, rows, cols)
        columns = {"row": row, "column": column, "score": score, "spread": spread}
        if known:
            columns["value"] = listed_values(network, rows, cols)
        return table(columns)

    def explain(self, pair: Any, by: str | None = None) -> Any:
        """Tell what each component and each bias has in the score of a pair.

        Parameters
        ----------
        pair : (row, column)
            By index or by name.
        by : {"model", "ensemble"} or None
            As for `predict_links`. Parts of the ensemble are the means over its members.

        Returns
        -------
        frame with the columns part, contribution, spread, rows, columns
            Contributions add up to the score; under a logistic loss to its logit (of the ensemble: to the
            mean logit). Of a Boolean product they are 1 for each component that covers the pair. The spread
            is that of the members; rows and columns are those with most of the component.
        """
        scorer = self._scorer()
        row, col = one_pair(self.network_, pair)
        found = explained(self.network_, scorer.asks(by), row, col)
        if scorer.asks(by) is not scorer.members:
            spread = explained(self.network_, scorer.members, row, col)
            of_part = dict(zip(spread["part"].tolist(), spread["spread"].tolist(), strict=True))
            found["spread"] = np.array([of_part.get(part, 0.0) for part in found["part"].tolist()])
        return table(found)
