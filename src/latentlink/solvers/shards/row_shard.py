"""A shard: some rows of a network, with their entries and their part of the row factors."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from latentlink import kernels
from latentlink.kernels import fixed_mode
from latentlink.network import Ensemble
from latentlink.saving import load_file, save_file
from latentlink.solvers.base import Solver
from latentlink.solvers.descent.blocks import Block, make_block
from latentlink.solvers.descent.packing import pack
from latentlink.solvers.descent.sweeps import Sweeps
from latentlink.solvers.needs import check_part
from latentlink.solvers.shards.column_updates import column_terms, listed_pieces, needs_gram
from latentlink.solvers.shards.held_factor import HeldFactor, Order
from latentlink.solvers.shards.shard_block import BlockSums, ShardBlock
from latentlink.solvers.shards.shard_task import Task, part_of_start
from latentlink.solvers.shards.summed_ensemble import MemberSums

__all__ = [
    "ROWS",
    "Found",
    "RowShard",
    "RowSums",
    "rows_file",
]

ROWS = "rows of a shard"
"""The kind of files with packed rows."""

_STATE = "rows under way"

Array = NDArray[Any]


class Found(NamedTuple):
    """What is in the entries of a shard before they are prepared for a solver."""

    known: int
    links: int
    listed: int
    least: float
    largest: float


class RowSums(NamedTuple):
    """What one sweep needs of all rows.

    Attributes
    ----------
    loss : array, shape (members,)
        Loss of the listed entries and penalty of the rows, before they are updated.
    gram_before, gram : arrays, shape (size, size, members)
        Gram matrices of the rows before and after the update; empty without use for them.
    penalty : array, shape (size, members)
        Penalties of the coordinates around 0, after the update.
    """

    loss: Array
    gram_before: Array
    gram: Array
    penalty: Array


def rows_file(path: str, begin: int) -> str:
    """Return the file of the rows from a number on."""
    return f"{path}-rows-{begin:012d}.npz"


class RowShard:
    """Some rows of an ensemble, whose factors are fitted together with those of other shards.

    Parameters
    ----------
    ensemble : Ensemble
        The rows with all columns.
    begin : int
        The number of the first row among all rows.
    """

    def __init__(self, ensemble: Ensemble, begin: int) -> None:
        self._given = self._ensemble = ensemble
        self._rows = slice(begin, begin + ensemble.network.shape[0])
        self._block: Block
        self._sweeps: Sweeps
        self._held: HeldFactor
        self._pieces: list[Any]

    def found(self, solver: Solver) -> Found:
        """Check the entries for a solver, and return what is in them."""
        check_part(solver, self._given)
        network = self._given.network
        values = network.values[network.known]
        links = int(np.count_nonzero(values != 0))
        least, largest = values.min(initial=np.inf), values.max(initial=-np.inf)
        return Found(network.n_known, links, network.n_listed, float(least), float(largest))

    def prepare(self, solver: Solver, seed: int | None, share: float) -> MemberSums:
        """Prepare the entries for a solver, and return the sums over them.

        Parameters
        ----------
        solver : Solver
        seed : int or None
            Seed of a sample of unlisted pairs; None if none is drawn.
        share : float
            Share of the unlisted pairs that are drawn.
        """
        if seed is not None:
            network = self._given.network
            sample = max(1, int(np.ceil(share * (network.n_pairs - network.n_listed))))
            own_seed = int(np.random.SeedSequence(seed, spawn_key=(self._rows.start,)).generate_state(1)[0])
            solver = clone(solver).set_params(background_sample=sample, background_seed=own_seed)
        self._ensemble = solver.prepared(self._given)
        return MemberSums.of(self._ensemble)

    def squares(self, solver: Solver, offsets: list[float]) -> Array:
        """Return the size of the data of each member in the unit of the loss."""
        scales = [solver.loss_scale(self._ensemble, member, offset) for member, offset in enumerate(offsets)]
        return np.array(scales)

    def open_block(self, group: range, precision: str) -> BlockSums:
        """Make the block of some members, and return sums over it."""
        self._block = block = make_block(self._ensemble, group, precision)
        weight = block.known_weight(0)[0]
        row_weight = np.add.accumulate(weight, axis=0)[-1]
        degrees = np.diff(block.cols.indptr).astype(np.int64)
        return BlockSums(row_weight, block.known_weight(1)[0], degrees, int(not block.all_known))

    def begin(self, task: Task, sums: BlockSums, pieces: list[slice]) -> None:
        """Begin the fit of the open block.

        Parameters
        ----------
        task : Task
        sums : BlockSums
            Sums over all shards.
        pieces : list of slice
            The columns whose terms are computed at once.
        """
        solver = task.solver
        starts = (part_of_start(task, at, self._rows) for at in range(len(task.group)))
        rows, cols, offsets = pack(starts, self._block.width, solver.biased, solver.precision)
        block = ShardBlock.of(self._block, task.summed.network.shape, sums)
        self._sweeps = solver.sweeps(block, rows, cols, offsets)
        self._held = HeldFactor(self._sweeps.moving_parts(True)[0], divided=False)
        self._pieces = listed_pieces(block.cols, pieces)

    def loss(self, orders: list[Order], cols: Array) -> RowSums:
        """Return the loss and the sums of the rows."""
        return self._summed(orders, cols, False)

    def improve(self, orders: list[Order], cols: Array, path: str | None = None) -> RowSums:
        """Update the rows; return the loss before and the sums of the rows.

        With a path, the rows before the update are stored in a file whose name begins so.
        """
        return self._summed(orders, cols, True, path)

    def restore(self, path: str) -> None:
        """Go back to the rows that `improve` has stored."""
        self._held.state = load_file(self._file(path), _STATE, {})

    def terms(self, piece: int, columns: slice) -> Array:
        """Return the terms by which some columns are updated."""
        with fixed_mode():
            return column_terms(self._sweeps, self._pieces[piece], columns)

    def filled(self) -> tuple[Array, Array]:
        """Return the sum of the rows with known entries, shape (size, members), and how many they are."""
        known = self._known_rows()
        rows = np.where(known[:, None], self._sweeps.rows, 0).sum(axis=0, dtype=np.float64)
        return rows, known.sum(axis=0)

    def fill_empty(self, mean: Array) -> int:
        """Give rows without known entries the average of the others; return how many there are."""
        empty = ~self._known_rows()
        rows = self._sweeps.rows
        rows[...] = np.where(empty[:, None], mean, rows)
        return int(empty.all(axis=1).sum())

    def rows(self) -> Array:
        """Return the packed rows, shape (rows, coordinates, members)."""
        return self._sweeps.rows

    def store(self, path: str, members: int) -> None:
        """Store the packed rows of the first members in a file whose name begins so."""
        save_file(self._file(path), ROWS, np.ascontiguousarray(self._sweeps.rows[..., :members]))

    def _file(self, path: str) -> str:
        return rows_file(path, self._rows.start)

    def _known_rows(self) -> NDArray[np.bool_]:
        return self._block.known_weight(0)[0] > 0

    def _summed(self, orders: list[Order], cols: Array, improve: bool, path: str | None = None) -> RowSums:
        own = self._sweeps
        with fixed_mode():
            self._held.obey(orders)
            if path is not None:
                save_file(self._file(path), _STATE, self._held.state)
            own.cols[...] = cols
            nothing = np.zeros((0, 0, cols.shape[2]))
            before = kernels.gram(own.rows) if own.block.has_background else nothing
            loss = own.penalty(own.rows, own.row_coordinates)
            loss = loss + (own.improve_rows() if improve else own.listed_loss())
            after = kernels.gram(own.rows) if improve and needs_gram(own) else nothing
            origin = np.zeros(cols.shape[1:], cols.dtype)
            return RowSums(loss, before, after, kernels.penalties(own.rows, own.row_coordinates, origin)[0])
