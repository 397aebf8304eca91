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
    records = [each.path_[each.rank_] for each in models]
    counts = [len(each.held_out) for each in records]  # those set aside too
    if len(set(counts)) > 1:
        warn_user(
            f"Models with {' and '.join(map(str, sorted(set(counts))))} members are joined one by one, so "
            f"that only {min(counts)} of each take part. Give all of them the same n_perturbs."
        )
    numbered = []
    for each, record, count in zip(models, records, counts, strict=True):
        numbers = (p for p in range(count) if p not in record.set_aside)
        numbered.append(dict(zip(numbers, each.members_, strict=True)))
    for number in sorted(set.intersection(*(set(each) for each in numbered))):
        yield tuple(each[number] for each in numbered)
