"""Questions to a fitted model: scores, spread, best pairs, explanations, guarantees; for any `PairModel`."""

from latentlink.scoring.best_pairs import Candidates, top_links
from latentlink.scoring.calibrated import Calibrated
from latentlink.scoring.explain import explain_pair
from latentlink.scoring.pair_model import Members, PairModel
from latentlink.scoring.scorer import Scorer
from latentlink.scoring.training_spread import TrainingSpread

__all__ = [
    "Calibrated",
    "Candidates",
    "Members",
    "PairModel",
    "Scorer",
    "TrainingSpread",
    "explain_pair",
    "top_links",
]
