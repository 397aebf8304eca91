"""Multiplicative updates do not sink below the normal range of numbers."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink import kernels
from latentlink.kernels import reference
from tests.helpers.structures import Form, random_coordinates, random_piece


@pytest.mark.parametrize(
    ("dtype", "small", "least"), [("float32", 1e-17, 1e-18), ("float64", 1e-149, 1e-150)]
)
@pytest.mark.parametrize("of", [kernels, reference], ids=["kernel", "reference"])
def test_a_coordinate_that_fades_away_becomes_zero(of, dtype, small, least):
    """Else numbers below the normal range follow, which take ten times as long."""
    A = np.full((1, 2, 1), small, dtype)
    coordinates = random_coordinates(random_piece(Form("plain", 1, dtype), size=2), ridge=False)
    N = np.array([[[0.5], [0.05]]], dtype)
    of.multiplied_rows(N, np.ones_like(N), A, coordinates)
    assert A[0, 0, 0] == pytest.approx(small / 2, rel=1e-6)
    assert small / 20 < least
    assert A[0, 1, 0] == 0
