"""Results of a member do not depend on the number of lanes, its lane or other members, to the last bit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from latentlink import kernels
from tests.helpers.structures import (
    Form,
    lane_coordinates,
    random_coordinates,
    random_piece,
    swapping_mirror,
)

FULL = [Form("lanes", 8, "float64"), Form("lanes", 16, "float32")]


@pytest.fixture(autouse=True)
def lanes_mode(monkeypatch):
    monkeypatch.setenv("LATENTLINK_KERNELS", "lanes")


CALLS = {
    "squared": lambda p, own: [kernels.masked_rows(p.listed, p.A, p.B, own, 2)],
    "logistic": lambda p, own: [kernels.masked_rows(p.listed, p.A, p.B, own, 2, True)],
    "mirrored": lambda p, own: [kernels.masked_rows(p.listed, p.A, p.B, own, 2, True, swapping_mirror(p))],
    "logistic_loss": lambda p, own: [kernels.logistic_loss(p.listed, p.A, p.B)],
    "mirrored_loss": lambda p, own: [kernels.logistic_loss(p.listed, p.A, p.B, True)],
    "background": lambda p, own: [
        kernels.background_rows(p.listed, p.A, p.B, kernels.gram(p.B), 0.3, own, 2)
    ],
    "gram": lambda p, own: [kernels.gram(p.B)],
    "penalties": lambda p, own: kernels.penalties(p.A, own, own.centre),
    "balance": lambda p, own: [kernels.balance(p.A, p.B, own, own)],
    "extrapolate": lambda p, own: [kernels.extrapolate(p.A, p.A * 2, own.centre[0], own.lower, 0)],
    "multiplied": lambda p, own: [kernels.multiplied_rows(p.A * 2, p.A * 1, p.A, own)],
    "times_gram": lambda p, own: [kernels.times_gram(p.A, kernels.gram(p.B))],
    "completed": lambda p, own: kernels.completed_products(p.listed, p.A, p.B, kernels.gram(p.B), 0.3),
    "boolean": lambda p, own: kernels.completed_products(
        p.listed, p.A, p.B, kernels.gram(p.B), 0.3, (1.0, 2.0)
    ),
    "gram_rows": lambda p, own: [kernels.gram_rows(p.A * 2, kernels.gram(p.B), p.A, own, 2)],
    "moments": lambda p, own: kernels.moments(p.listed, p.A, p.B, kernels.gram(p.B), 0.3),
    "totals": lambda p, own: [kernels.totals(p.B)],
    "divergence": lambda p, own: [
        kernels.divergence_rows(p.listed, p.A, p.B, kernels.totals(p.B), 0.3, 0.01 + 0 * own.centre[0], 2)
    ],
    "divergence_moments": lambda p, own: kernels.divergence_moments(
        p.listed, p.A, p.B, kernels.totals(p.B), 0.3, 0.01 + 0 * own.centre[0]
    ),
}

LOGISTIC = {"logistic", "mirrored", "logistic_loss", "mirrored_loss"}


def all_results(name, piece, coordinates):
    """Return all that a kernel returns or writes, members last."""
    piece = piece.copied()
    returned = CALLS[name](piece, coordinates)
    return [*(part for part in returned if part is not None), piece.A, piece.B]


def assert_same_bits(result, expected):
    for ours, theirs in zip(result, expected, strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.fixture(params=CALLS)
def name(request):
    return request.param


@pytest.fixture(params=FULL, ids=str)
def form(request):
    return request.param


@pytest.fixture
def case(name, form):
    logistic = name in LOGISTIC
    piece = random_piece(form, per_member=True, binary=logistic, symmetric=name.startswith("mirrored"))
    return piece, random_coordinates(piece)


def test_a_member_does_not_depend_on_its_batch(name, form, case):
    piece, coordinates = case
    together = all_results(name, piece, coordinates)
    for lane in range(form.members):
        alone = all_results(name, piece.lanes([lane]), lane_coordinates(coordinates, [lane]))
        assert_same_bits(alone, [part[..., [lane]] for part in together])


def test_a_member_does_not_depend_on_its_lane(name, form, case):
    piece, coordinates = case
    order = np.random.default_rng(5).permutation(form.members).tolist()
    moved = all_results(name, piece.lanes(order), lane_coordinates(coordinates, order))
    assert_same_bits(moved, [part[..., order] for part in all_results(name, piece, coordinates)])


def test_a_member_does_not_depend_on_other_members(name, form, case):
    piece, coordinates = case
    mine = 3
    expected = [part[..., mine] for part in all_results(name, piece, coordinates)]
    others = [lane for lane in range(form.members) if lane != mine]
    huge = np.finfo(form.dtype).max / 2
    for junk in (huge, np.inf, np.nan, 0.0):
        piece.A[..., others] = junk
        piece.B[..., others] = junk
        result = all_results(name, piece, coordinates)
        assert_same_bits([part[..., mine] for part in result], expected)


def test_shared_weights_equal_the_same_weights_for_each_member(name, form):
    """One weight per entry is the same as that weight for every member."""
    logistic = name in LOGISTIC
    piece = random_piece(form, binary=logistic, symmetric=name.startswith("mirrored"))
    own = np.repeat(piece.listed.weights[:, None], form.members, axis=1)
    coordinates = random_coordinates(piece)
    spread = replace(piece, listed=replace(piece.listed, weights=own))
    assert_same_bits(all_results(name, spread, coordinates), all_results(name, piece, coordinates))
