"""The rank, found and defended: ensembles at each rank, and rules that choose among them."""

from latentlink.rank.engine import Plan
from latentlink.rank.find_rank import Found, find_rank
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
    "Found",
    "HeldOut",
    "LStatistic",
    "Plan",
    "Progress",
    "RankPath",
    "RankRecord",
    "RankSearch",
    "RidgeChoice",
    "Selection",
    "SilhouetteCutoff",
    "Upward",
    "find_rank",
]
