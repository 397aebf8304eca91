"""Descent by sums of products and descent entry by entry equal the same twin."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from latentlink import kernels
from latentlink.kernels import dispatch
from tests.helpers.structures import FORMS, Form, random_coordinates, random_piece
from tests.kernels.test_twins import assert_same_rows


@pytest.mark.parametrize("form", FORMS, ids=str)
@pytest.mark.parametrize("per_member", [False, True], ids=["shared", "own"])
@pytest.mark.parametrize("size", [7, 20], ids=["few coordinates", "many coordinates"])
def test_masked_rows_of_many_entries(monkeypatch, form, per_member, size):
    """Few coordinates are updated by sums of products, in blocks of entries, and many entry by entry."""
    monkeypatch.setenv("LATENTLINK_KERNELS", form.mode)
    piece = random_piece(form, shape=(5, 70), size=size, per_member=per_member)
    for span in ((0, size), (1, size - 1), (2, 3)):
        coordinates = random_coordinates(piece, span, growing=True)
        assert_same_rows(piece, coordinates, form, 2)


@pytest.mark.parametrize("summed", [True, False])
def test_an_exact_fit_stays_exact(monkeypatch, summed):
    """Sums of products begin with the residual, so that an exact fit stays exact to the last digits."""
    piece = random_piece(Form("lanes", 8, "float64"), shape=(40, 60), size=6)
    rows = np.repeat(np.arange(40), np.diff(piece.listed.indptr))
    exact = np.einsum("ecm,ecm->em", piece.A[rows], piece.B[piece.listed.indices])
    piece = replace(piece, listed=replace(piece.listed, values=exact))
    coordinates = random_coordinates(piece, ridge=False)
    coordinates = replace(coordinates, lower=np.full(6, -np.inf))
    monkeypatch.setenv("LATENTLINK_KERNELS", "lanes")
    monkeypatch.setattr(dispatch, "saves_work", lambda *_: summed)
    ours = piece.copied()
    loss = kernels.masked_rows(ours.listed, ours.A, ours.B, coordinates, 3)
    np.testing.assert_allclose(loss, 0, atol=1e-26)
    np.testing.assert_allclose(ours.A, piece.A, rtol=1e-13, atol=1e-13)
