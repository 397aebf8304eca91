"""Choice of the rank: an ensemble at each rank, and rules that choose by stability and held-out error."""

from latentlink.progress import Progress
from latentlink.rank.consensus import (
    consensus_matrix,
    consensus_table,
    cophenetic_correlation,
    share_ambiguous,
)
from latentlink.rank.engine import Plan
from latentlink.rank.find_rank import RankSearchResult, find_rank
from latentlink.rank.results import Choice, RankPath, RankRecord
from latentlink.rank.ridge import RidgeChoice
from latentlink.rank.searches.search_strategies import Bisect, Doubling, Every, RankSearch
from latentlink.rank.selection import (
    Agreement,
    BestPrediction,
    HeldOut,
    LStatistic,
    Selection,
    SilhouetteCutoff,
)

__all__ = [
    "Agreement",
    "BestPrediction",
    "Bisect",
    "Choice",
    "Doubling",
    "Every",
    "HeldOut",
    "LStatistic",
    "Plan",
    "Progress",
    "RankPath",
    "RankRecord",
    "RankSearch",
    "RankSearchResult",
    "RidgeChoice",
    "Selection",
    "SilhouetteCutoff",
    "consensus_matrix",
    "consensus_table",
    "cophenetic_correlation",
    "find_rank",
    "share_ambiguous",
]
