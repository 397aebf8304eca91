"""Members of several ensembles, side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from latentlink.errors import warn_user
from latentlink.factors import Factors

if TYPE_CHECKING:
    from latentlink.estimators.ranked import RankedFactorizer

__all__ = ["common_members"]


def common_members(models: Sequence[RankedFactorizer]) -> Iterator[tuple[Factors, ...]]:
    """Yield the members with the same number in all ensembles; those that one has set aside are left out.

    Members with the same number leave out the same entries, if the models were fitted with one seed.
    """
    counts = [len(_numbers(each)) + len(each.path_[each.rank_].set_aside) for each in models]
    if len(set(counts)) > 1:
        warn_user(
            f"Models with {' and '.join(map(str, sorted(set(counts))))} members are joined one by one, so "
            f"that only {min(counts)} of each take part. Give all of them the same n_perturbs."
        )
    numbered = [dict(zip(_numbers(each), each.members_, strict=True)) for each in models]
    for number in sorted(set.intersection(*(set(each) for each in numbered))):
        yield tuple(each[number] for each in numbered)


def _numbers(model: RankedFactorizer) -> list[int]:
    aside = model.path_[model.rank_].set_aside
    return [p for p in range(len(model.members_) + len(aside)) if p not in aside]
