"""Small random arguments of kernels."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from latentlink.kernels import Coordinates, Listed, Mirror, aligned


@dataclass(frozen=True)
class Form:
    """A form of the kernels: mode, number of members and precision."""

    mode: str
    members: int
    dtype: str

    def __str__(self) -> str:
        return f"{self.mode}-{self.members}-{self.dtype}"

    @property
    def tolerance(self) -> dict[str, float]:
        """The tolerance between a compiled kernel and its twin in double precision."""
        return {"rtol": 1e-10, "atol": 1e-12} if self.dtype == "float64" else {"rtol": 1e-4, "atol": 1e-4}


FORMS = [
    Form("lanes", 1, "float64"),
    Form("lanes", 8, "float64"),
    Form("lanes", 16, "float32"),
    Form("plain", 1, "float64"),
]


@dataclass(frozen=True)
class Piece:
    """Arguments of a kernel: entries, factors to update, and factors of the partners."""

    listed: Listed
    A: np.ndarray
    B: np.ndarray

    def copied(self) -> Piece:
        """Return a copy, since kernels write into A (and B)."""
        return replace(self, A=in_lanes(self.A), B=in_lanes(self.B))

    def double(self) -> Piece:
        """Return the same numbers in double precision."""
        listed = replace(
            self.listed, values=np.float64(self.listed.values), weights=np.float64(self.listed.weights)
        )
        return Piece(listed, np.float64(self.A), np.float64(self.B))

    def lanes(self, chosen: list[int]) -> Piece:
        """Return the chosen members, in this order."""
        weights = self.listed.weights
        listed = replace(
            self.listed,
            values=in_lanes(self.listed.values[:, chosen]),
            weights=in_lanes(weights[:, chosen]) if weights.ndim == 2 else weights,
        )
        return Piece(listed, in_lanes(self.A[..., chosen]), in_lanes(self.B[..., chosen]))


def in_lanes(array: np.ndarray) -> np.ndarray:
    """Return an aligned copy."""
    copy = aligned(array.shape, array.dtype)
    copy[...] = array
    return copy


def random_piece(
    form: Form,
    *,
    shape: tuple[int, int] = (7, 6),
    size: int = 3,
    per_member: bool = False,
    binary: bool = False,
    symmetric: bool = False,
    density: float = 0.6,
    seed: int = 0,
) -> Piece:
    """Return a block with an empty row, entries of weight 0, and entries unknown to some members."""
    rng = np.random.default_rng(seed)
    n, m = (shape[0], shape[0]) if symmetric else shape
    there = rng.random((n, m)) < density
    if symmetric:
        there = np.triu(there, 1)
        there = there | there.T
    there[n // 2] = False
    if symmetric:
        there[:, n // 2] = False
    matrix = sparse.csr_array(there)
    entries, members = matrix.nnz, form.members
    values = rng.integers(0, 2, (entries, members)) if binary else rng.normal(1, 1, (entries, members))
    values = np.where(rng.random((entries, members)) < 0.15, np.nan, values)
    weights = rng.uniform(0, 2, (entries, members) if per_member else entries)
    weights[rng.random(weights.shape) < 0.15] = 0
    indptr, indices = (index.astype(np.int32) for index in (matrix.indptr, matrix.indices))
    for index in (indptr, indices):
        index.setflags(write=False)  # like the views of a network
    listed = Listed(indptr, indices, in_lanes(values.astype(form.dtype)), weights.astype(form.dtype))
    factors = [in_lanes(rng.normal(0.3, 1, (nodes, size, members)).astype(form.dtype)) for nodes in (n, m)]
    return Piece(listed, *factors)


def random_coordinates(
    piece: Piece,
    span: tuple[int, int] | None = None,
    seed: int = 0,
    ridge: bool = True,
    growing: bool = False,
) -> Coordinates:
    """Return coordinates of which some are bounded by 0 and some penalised."""
    rng = np.random.default_rng(seed)
    size, members = piece.A.shape[1:]
    ridges = np.where(rng.random((size, members)) < 0.7, rng.random((size, members)), 0) * ridge
    lower = np.where(rng.random(size) < 0.5, 0.0, -np.inf)
    first, last = span or (0, size)
    dtype = piece.A.dtype
    centre = rng.normal(size=(size, members))
    own = [part.astype(dtype) for part in (ridges, centre, lower)]
    if not growing:
        return Coordinates(first, last, *own)
    counts = in_lanes(rng.uniform(0, 3, (len(piece.A), members)).astype(dtype))
    return Coordinates(first, last, *own, (ridges / 2).astype(dtype), counts)


def double_coordinates(coordinates: Coordinates) -> Coordinates:
    """Return the same in double precision."""
    names = ("ridge", "centre", "lower", *(() if coordinates.growth is None else ("growth", "counts")))
    return replace(coordinates, **{name: np.float64(getattr(coordinates, name)) for name in names})


def lane_coordinates(coordinates: Coordinates, chosen: list[int]) -> Coordinates:
    """Return the coordinates of the chosen members."""
    names = ("ridge", "centre", *(() if coordinates.growth is None else ("growth", "counts")))
    parts = {name: np.ascontiguousarray(getattr(coordinates, name)[:, chosen]) for name in names}
    return replace(coordinates, **parts)


def swapping_mirror(piece: Piece) -> Mirror:
    """Return a mirror that exchanges the first and the last coordinate and changes one sign."""
    size = piece.A.shape[1]
    partner = np.arange(size)
    partner[0], partner[-1] = size - 1, 0
    sign = np.ones(size, piece.A.dtype)
    sign[size // 2] = -1
    return Mirror(partner, sign)
