"""Choice of the rank: an ensemble at each rank, and rules that choose by stability and held-out error."""

from latentlink.rank.engine import Plan
from latentlink.rank.find_rank import RankSearchResult, find_rank
from latentlink.rank.results import Choice, RankPath, RankRecord
from latentlink.rank.ridge import RidgeChoice
from latentlink.rank.scheduler import Progress
from latentlink.rank.search_strategies import Bisect, Every, RankSearch, Upward
from latentlink.rank.selection import Agreement, HeldOut, LStatistic, Selection, SilhouetteCutoff

__all__ = [
    "Agreement",
    "Bisect",
    "Choice",
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
    "Upward",
    "find_rank",
]
