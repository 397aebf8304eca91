"""The cross-entropy of links: by its own kernel, and by a sweep over mirrored rows."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink import kernels
from latentlink.kernels import Listed, Mirror, reference
from tests.helpers.structures import (
    FORMS,
    Piece,
    double_coordinates,
    in_lanes,
    random_coordinates,
    random_piece,
)

every_form = pytest.mark.parametrize("form", FORMS, ids=str)
every_weight = pytest.mark.parametrize("per_member", [False, True], ids=["shared", "own"])


@pytest.fixture(autouse=True)
def chosen_mode(request, monkeypatch):
    monkeypatch.setenv("LATENTLINK_KERNELS", request.node.callspec.params["form"].mode)


def mirrored_piece(form, per_member):
    """Return undirected links, some of nodes with themselves, and the mirror of their nodes."""
    rng = np.random.default_rng(1)
    n, members = 9, form.members
    upper = np.triu(rng.random((n, n)) < 0.6)
    upper[4] = upper[:, 4] = False
    rows, cols = np.nonzero(upper | upper.T)
    shape = (n, n, members if per_member else 1)
    values = rng.integers(0, 2, (n, n, members)).astype(float)
    values[rng.random(values.shape) < 0.2] = np.nan
    weights = np.where(rng.random(shape) < 0.2, 0.0, rng.uniform(0.5, 2, shape))
    low, high = np.minimum(rows, cols), np.maximum(rows, cols)
    listed = Listed(
        np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=n))]),
        cols,
        in_lanes(values[low, high].astype(form.dtype)),
        in_lanes(np.squeeze(weights[low, high], () if per_member else 1).astype(form.dtype)),
    )
    A = rng.normal(0.3, 1, (n, 4, members)).astype(form.dtype)
    A[:, -1] = 1
    mirror = Mirror(np.array([3, 1, 2, 0]), np.array([1, 1, -1, 1], form.dtype))
    B = np.ones_like(A)
    for c in range(3):
        B[:, mirror.partner[c]] = mirror.sign[c] * A[:, c]
    return Piece(listed, in_lanes(A), in_lanes(B)), mirror


@every_form
@every_weight
def test_the_loss_equals_its_twin(form, per_member):
    piece = random_piece(form, per_member=per_member, binary=True)
    twin = piece.double()
    loss = kernels.logistic_loss(piece.listed, piece.A, piece.B)
    assert loss.dtype == np.float64
    np.testing.assert_allclose(loss, reference.logistic_loss(twin.listed, twin.A, twin.B), **form.tolerance)
    assert np.all(loss > 0)


@every_form
@every_weight
def test_the_loss_of_one_direction_stands_for_both(form, per_member):
    piece, _ = mirrored_piece(form, per_member)
    twin = piece.double()
    expected = reference.logistic_loss(twin.listed, twin.A, twin.B)
    found = kernels.logistic_loss(piece.listed, piece.A, piece.B, mirrored=True)
    np.testing.assert_allclose(found, expected, **form.tolerance)
    np.testing.assert_allclose(
        kernels.logistic_loss(piece.listed, piece.A, piece.B), expected, **form.tolerance
    )


@every_form
@every_weight
def test_mirrored_rows_return_the_loss_before_any_of_them_is_updated(form, per_member):
    piece, mirror = mirrored_piece(form, per_member)
    coordinates = random_coordinates(piece, (0, 3))
    twin = piece.double().copied()
    before = reference.logistic_loss(twin.listed, twin.A, twin.B)
    ours = piece.copied()
    loss = kernels.masked_rows(ours.listed, ours.A, ours.B, coordinates, 1, True, mirror)
    np.testing.assert_allclose(loss, before, **form.tolerance)
    double = double_coordinates(coordinates)
    of_twin = reference.masked_rows(twin.listed, twin.A, twin.B, double, 1, True, mirror)
    np.testing.assert_allclose(of_twin, before)
    assert not np.isclose(kernels.logistic_loss(ours.listed, ours.A, ours.B), before).any()
