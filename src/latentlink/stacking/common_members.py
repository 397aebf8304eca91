"""Members of several ensembles, matched by number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from latentlink.errors import warn_user
from latentlink.factors import Factors
from latentlink.rank import RankRecord

__all__ = ["common_members", "common_numbers"]


def common_members(records: Sequence[RankRecord]) -> Iterator[tuple[Factors, ...]]:
    """Yield the members with the same number in all ensembles; those that one has set aside are left out.

    Members with the same number leave out the same entries, if the models were fitted with one seed.
    """
    counts = [_count(record) for record in records]
    if len(set(counts)) > 1:
        warn_user(
            f"Models with {' and '.join(map(str, sorted(set(counts))))} members are joined one by one, so "
            f"that only {min(counts)} of each are used. Give all of them the same n_perturbs."
        )
    numbered = []
    for record in records:
        numbered.append(dict(zip(record.numbers, record.members, strict=True)))
    for number in common_numbers(records):
        yield tuple(each[number] for each in numbered)


def common_numbers(records: Sequence[RankRecord]) -> list[int]:
    """Return the numbers of the members that all ensembles have, ascending."""
    return sorted(set.intersection(*(set(record.numbers) for record in records)))


def _count(record: RankRecord) -> int:
    """Return the number of members, those set aside included: of chains, each with all of its draws."""
    if record.posterior is None:
        return max(len(record.held_out), len(record.members))
    return len(record.held_out) * (len(record.members) // record.posterior.chains)
