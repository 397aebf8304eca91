"""The rank, found and defended: ensembles at each rank, and rules that choose among them."""

from latentlink.rank.engine import Plan
from latentlink.rank.results import Choice, RankPath, RankRecord
from latentlink.rank.ridge import RidgeChoice
from latentlink.rank.search import Found, find_rank
from latentlink.rank.searches import Bisect, Every, RankSearch, Upward
from latentlink.rank.selection import Agreement, HeldOut, LStatistic, Selection, SilhouetteCutoff
from latentlink.rank.work import Progress

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
