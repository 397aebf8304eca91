"""Every part of a score has a kind in plain words."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.report.words.part_words import kind_of_part, meanings_of


def test_all_parts_of_stacks_and_heads_have_a_kind(joint_model):
    parts = joint_model._scorer().model.contributions(0, 1)
    kinds = {part: kind_of_part(part) for part in parts}
    components = {part for part in parts if part.startswith("component ")}
    assert not [
        part
        for part, kind in kinds.items()
        if part == kind and part not in components | {"row bias", "column bias"}
    ]
    labels = [label for label, _ in meanings_of(list(parts))]
    assert len(set(labels)) == len(labels) <= 10
    assert set(labels) == {kind for part, kind in kinds.items() if part not in components}


@pytest.mark.parametrize(
    ("part", "kind"),
    [
        ("non-links: degree, sum", "known non-links"),
        ("paths of three, without direction", "shared neighbours"),
        ("scaled PageRank 0.85", "longer connections"),
        ("degree against the direction of the row", "how connected each end is"),
        ("12: BPMF, rank 8", "groups found by factorization"),
        ("numbers of known entries", "how much is known of both"),
        ("component 3", "component 3"),
    ],
)
def test_kinds_of_parts(part, kind):
    assert kind_of_part(part) == kind


def test_meanings_are_listed_once():
    assert [label for label, _ in meanings_of(["Katz", "distance", "component 1"])] == ["longer connections"]
    assert np.all([meaning.endswith(".") for _, meaning in meanings_of(["Katz", "constant", "offset"])])
