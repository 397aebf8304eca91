"""The rank, found and defended: ensembles at each rank, and rules that choose among them."""

from latentlink.rank.results import Choice, RankPath, RankRecord
from latentlink.rank.selection import Agreement, HeldOut, LStatistic, Selection, SilhouetteCutoff

__all__ = [
    "Agreement",
    "Choice",
    "HeldOut",
    "LStatistic",
    "RankPath",
    "RankRecord",
    "Selection",
    "SilhouetteCutoff",
]
