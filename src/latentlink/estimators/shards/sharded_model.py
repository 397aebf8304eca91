"""A model whose rows are on a disk, in blocks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.estimators.shards.sharded_run import ShardedRun
from latentlink.factors import Factors
from latentlink.network.shards import ShardedNetwork
from latentlink.scoring.pair_input import pair_columns
from latentlink.solvers import Convergence
from latentlink.solvers.descent.packing import unpack
from latentlink.validation.wording import shown_label

__all__ = ["ShardedModel"]

Array = NDArray[Any]


class ShardedModel:
    """The members of a fit in shards, of which one block of rows is in memory at a time.

    Parameters
    ----------
    folder : path
        The folder that `fit_shards` has written.
    network : ShardedNetwork, optional
        By default that in the folder that it had when it was fitted.

    Attributes
    ----------
    solver : Solver
    rank, n_members : int
    records : list of Convergence
        Sweeps, loss and convergence of each member.
    """

    def __init__(self, folder: str | Path, network: ShardedNetwork | None = None) -> None:
        self._run = run = ShardedRun(folder)
        self.network = ShardedNetwork(run.settings["network"]) if network is None else network
        if self.network.identity != run.settings["data"]:
            raise InputError(f"The model in {run.folder} was fitted to another network than {self.network}.")
        self.solver, self.rank, self.n_members = run.solver, run.rank, run.n_members
        self._columns = [run.columns(group) for group in run.groups]
        self.records: list[Convergence] = [each for *_, records in self._columns for each in records]
        self._positions = {name: at for at, name in enumerate(self.network.col_names.tolist())}

    def __repr__(self) -> str:
        return f"ShardedModel: {self.n_members} of {self.solver} at rank {self.rank}, {self.network}"

    def blocks(self) -> Iterator[tuple[NDArray[np.str_], list[Factors]]]:
        """Yield the names of the rows of each block, and the model of each member with these rows."""
        for position in range(self.network.n_blocks):
            yield self._block(position)

    def predict_links(self, pairs: Any, return_std: bool = False) -> Any:
        """Return the mean score of each pair over the members; probabilities of a logistic solver.

        Parameters
        ----------
        pairs : array, list of (row, column), table or frame
            Names of rows and columns. Blocks are read one after the other, so pairs may come in any order.
        return_std : bool, default=False
            Whether to return the standard deviation over the members too.

        Returns
        -------
        array, shape (pairs,), or two of them
        """
        rows, cols = (
            _names(nodes, side) for nodes, side in zip(pair_columns(pairs), ("row", "column"), strict=True)
        )
        at = np.array([self._positions.get(name, -1) for name in cols], np.int64)
        _raise_if_unknown(at, cols, "column")
        scores = np.zeros((self.n_members, len(rows)))
        for position, which in self.network.blocks_of(rows):
            names, members = self._block(position) if position >= 0 else (np.zeros(0, str), [])
            table = {name: number for number, name in enumerate(names.tolist())}
            own = [rows[number] for number in which.tolist()]
            inside = np.array([table.get(name, -1) for name in own], np.int64)
            _raise_if_unknown(inside, own, "row")
            for member, model in enumerate(members):
                scores[member, which] = model.score(inside, at[which])
        mean = scores.mean(axis=0)
        return (mean, scores.std(axis=0)) if return_std else mean

    def _block(self, position: int) -> tuple[NDArray[np.str_], list[Factors]]:
        network, begin = self.network.block(position)
        assert network.row_names is not None
        members = []
        for group, (cols, offsets, _) in zip(self._run.groups, self._columns, strict=True):
            rows = self._run.rows(group, begin)
            members += [
                unpack(rows, cols, lane, self.solver, float(offsets[lane]), False)
                for lane in range(len(group))
            ]
        return network.row_names, members


def _names(nodes: Any, side: str) -> list[str]:
    listed: list[str] = nodes.tolist()
    if not all(isinstance(name, str) for name in listed):
        raise InputError(
            f"A {side} of the pairs is given as "
            f"{shown_label(next(n for n in listed if not isinstance(n, str)))}; expected the name of a "
            "node, as text."
        )
    return listed


def _raise_if_unknown(found: Array, names: list[str], side: str) -> None:
    if (found < 0).any():
        name = names[int(np.argmax(found < 0))]
        raise InputError(
            f"No {side} has the name {shown_label(name)}; expected a {side} of the fitted network."
        )
