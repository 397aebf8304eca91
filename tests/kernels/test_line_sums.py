"""Lines that are updated by sums over parts of their entries equal lines that are updated by all entries."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from latentlink import kernels
from latentlink.kernels import Unlisted, reference
from tests.helpers.structures import FORMS, double_coordinates, in_lanes, random_coordinates, random_piece

every_form = pytest.mark.parametrize("form", FORMS, ids=str)
every_weight = pytest.mark.parametrize("per_member", [False, True], ids=["shared", "own"])
every_loss = pytest.mark.parametrize("logistic", [False, True], ids=["squared", "logistic"])
SPANS = [(0, 4), (0, 3), (1, 4), (1, 2)]


@pytest.fixture(autouse=True)
def chosen_mode(request, monkeypatch):
    monkeypatch.setenv("LATENTLINK_KERNELS", request.node.callspec.params["form"].mode)


def parts_of(listed, count):
    """The entries of the partners with the numbers 0, count, 2 count, ..., of 1, count + 1, ..., and so "
    "on."""
    lines = np.repeat(np.arange(len(listed.indptr) - 1), np.diff(listed.indptr))
    for part in range(count):
        chosen = listed.indices % count == part
        degrees = np.bincount(lines[chosen], minlength=len(listed.indptr) - 1)
        indptr = np.concatenate([[0], np.cumsum(degrees)]).astype(np.int32)
        yield replace(
            listed,
            indptr=indptr,
            indices=listed.indices[chosen],
            values=in_lanes(listed.values[chosen]),
            weights=listed.weights[chosen],
        )


@every_form
@every_weight
@every_loss
@pytest.mark.parametrize("base", [0.0, 0.3])
def test_line_sums_equal_their_twin(form, per_member, logistic, base):
    piece = random_piece(form, shape=(6, 50), size=4, per_member=per_member, binary=logistic)
    wide = piece.double()
    for span in SPANS:
        S = kernels.line_sums(piece.listed, piece.A, piece.B, span, base, logistic)
        expected = reference.line_sums(wide.listed, wide.A, wide.B, span, base, logistic)
        assert S.dtype == form.dtype
        np.testing.assert_allclose(S, expected, **form.tolerance)


@every_form
@every_weight
@pytest.mark.parametrize("base", [0.0, 0.3])
def test_summed_lines_equal_their_twin(form, per_member, base):
    piece = random_piece(form, shape=(6, 50), size=4, per_member=per_member)
    wide, degrees = piece.double().copied(), np.diff(piece.listed.indptr)
    for span in SPANS:
        coordinates = random_coordinates(piece, span, growing=True)
        S = reference.line_sums(wide.listed, wide.A, wide.B, span, base)
        unlisted = Unlisted(base, kernels.gram(piece.B)) if base else None
        ours, twin = piece.copied().A, wide.copied().A
        kernels.summed_lines(in_lanes(S.astype(form.dtype)), ours, coordinates, 2, degrees, unlisted)
        reference.summed_lines(S, twin, double_coordinates(coordinates), 2, degrees, unlisted)
        np.testing.assert_allclose(ours, twin, **form.tolerance)


@every_form
@every_weight
@pytest.mark.parametrize(("base", "logistic"), [(0.0, False), (0.3, False), (0.0, True)])
@pytest.mark.parametrize("count", [1, 3])
def test_sums_of_parts_make_the_same_steps_as_all_entries(form, per_member, base, logistic, count):
    piece = random_piece(form, shape=(6, 60), size=4, per_member=per_member, binary=logistic)
    degrees = np.diff(piece.listed.indptr)
    for span in SPANS:
        coordinates = random_coordinates(piece, span, growing=True)
        whole, summed = piece.copied().A, piece.copied().A
        S = np.sum(
            [
                kernels.line_sums(part, summed, piece.B, span, base, logistic)
                for part in parts_of(piece.listed, count)
            ],
            axis=0,
        )
        G = kernels.gram(piece.B)
        kernels.summed_lines(in_lanes(S), summed, coordinates, 3, degrees, Unlisted(base, G))
        if base:
            kernels.background_rows(piece.listed, whole, piece.B, G, base, coordinates, 3)
        else:
            kernels.masked_rows(piece.listed, whole, piece.B, coordinates, 3, logistic)
        np.testing.assert_allclose(summed, whole, **form.tolerance)
