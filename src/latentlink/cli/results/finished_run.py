"""A finished run: its model and its rules, for questions about pairs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.cli.results.decisions import Decisions, load_decisions
from latentlink.cli.results.link_table import kept_back, link_columns
from latentlink.cli.results.run_folder import RunFolder
from latentlink.errors import InputError
from latentlink.estimators import LinkModel, load
from latentlink.network import Network
from latentlink.network.nearest_names import nearest_names
from latentlink.tables import Table
from latentlink.validation.wording import counted, shortened

__all__ = ["FinishedRun"]

_NEAREST = 3


@dataclass(frozen=True, eq=False)
class FinishedRun:
    """The model of a finished run, with what was calibrated.

    Attributes
    ----------
    folder : Path
    record : dict
        The contents of ``run.json``.
    model : LinkModel
    decisions : Decisions
    """

    folder: Path
    record: dict[str, Any]
    model: LinkModel
    decisions: Decisions

    @classmethod
    def load(cls, path: str) -> FinishedRun:
        """Load a run, or raise InputError if there is no finished one."""
        folder = RunFolder(path)
        if not folder.path.is_dir():
            raise InputError(f"There is no folder {path}; expected that of a run, as fit writes it.")
        record = folder.finished()
        return cls(folder.path, record, load(folder / "model"), load_decisions(folder / "calibration.npz"))

    @property
    def network(self) -> Network:
        """The data that the model was fitted to; what was kept back is hidden."""
        return self.model.network_

    def predicted(self, rows: NDArray[Any], cols: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Return score, probability, spread, decision and known value of pairs, in their order.

        A pair with a node that the model does not have has no score, nor has a node with itself where it is
        no pair of the network. A pair whose value is known has no decision: the model was fitted to it, or
        calibrated on it.

        Parameters
        ----------
        rows, cols : arrays of str, or of int where nodes have no names
        """
        pairs = np.array(list(zip(rows.tolist(), cols.tolist(), strict=True)))
        score, spread = self.model.predict_links(pairs, return_std=True, by=self.decisions.by, unknown="nan")
        outside = self.outside(rows, cols)
        score, spread = (np.where(outside, np.nan, each) for each in (score, spread))
        scored = ~np.isnan(score)
        keys = np.full(len(score), -1, np.int64)
        keys[scored] = self.network.pair_keys(rows[scored], cols[scored])
        columns = self.decisions.columns(keys, score, spread)
        known = np.full(len(score), np.nan)
        positions = self.network.positions(rows[scored], cols[scored])
        known[scored] = np.where(positions >= 0, self.network.values[positions], np.nan)
        decision = columns["decision"].astype("<U7")
        decision[~np.isnan(known) | ~scored] = ""
        return {
            "source": rows,
            "target": cols,
            "score": score,
            **columns,
            "decision": decision,
            "known": known,
        }

    def unknown(self, rows: NDArray[Any], cols: NDArray[Any]) -> str:
        """Return a sentence about pairs with a node that the model does not have, empty if there are none.

        It has the nearest names, and says where rows and columns are swapped. Raises InputError with it if
        all pairs are unknown, since then none has a score.

        Parameters
        ----------
        rows, cols : arrays of str, or of int where nodes have no names
        """
        found = self.network.pair_indices(rows, cols, missing=True)
        unknown = int(np.count_nonzero((found[0] < 0) | (found[1] < 0)))
        if not unknown:
            return ""
        have = "has" if unknown == 1 else "have"
        sentence = f"{unknown:,} of {counted(len(rows), 'pair')} {have} a node that the model does not have."
        try:
            self.network.pair_indices(rows, cols)
        except InputError as error:
            sentence = f"{sentence} {error}"
        if unknown == len(rows):
            raise InputError(sentence)
        return sentence

    def first_is_foreign(self, rows: NDArray[Any], cols: NDArray[Any]) -> bool:
        """Return whether the model has neither node of the first pair, which may be a header then."""
        row, col = self.network.pair_indices(rows[:1], cols[:1], missing=True)
        return bool(row[0] < 0 and col[0] < 0)

    def outside(self, rows: NDArray[Any], cols: NDArray[Any]) -> NDArray[np.bool_]:
        """Return which pairs are a node with itself, in a network in which it is no pair."""
        if not self.network.square or self.network.has_self_loops:
            return np.zeros(len(rows), bool)
        return np.asarray(rows == cols)

    def best(self, count: int, node: str | None) -> dict[str, NDArray[Any]]:
        """Return the best unknown pairs as columns of ``links.csv``, of all pairs or of one node."""
        if node is not None:
            self._check_name(node, (0, 1))
        exclude, by = kept_back(self.network), self.decisions.by
        if node is None:
            table = self.model.top_links(count, by=by, exclude=exclude)
        elif self._is_row(node):
            table = self.model.recommend(self._name(node, 0), count, by=by, exclude=exclude)
        else:
            table = self._of_column(self._name(node, 1), count)
        return link_columns(self.model, self.decisions, table)

    def pair(self, source: str, target: str) -> tuple[int | str, int | str]:
        """Return a pair of the network, or raise InputError with the nearest names."""
        self._check_name(source, (0,))
        self._check_name(target, (1,))
        row, col = self._name(source, 0), self._name(target, 1)
        self.network.row_index(row)
        self.network.col_index(col)
        if self.outside(np.array([row]), np.array([col])).any():
            raise InputError(
                f"Both nodes are {shortened(str(row))}, and no node of this network is linked to itself, so "
                "that it is no pair of it; expected two different nodes."
            )
        return row, col

    def _check_name(self, node: str, sides: tuple[int, ...]) -> None:
        """Raise InputError, with the nearest names, if a node is on none of these sides (0: rows)."""
        names = [(self.network.row_names, self.network.col_names)[side] for side in sides]
        known = np.unique(np.concatenate([each for each in names if each is not None] or [np.array([node])]))
        if any(each is None for each in names) or node in known:
            return  # an index, or a name
        what = "node" if self.network.square else " or ".join(("row", "column")[side] for side in sides)
        near = ", ".join(map(shortened, nearest_names(node, known, _NEAREST)))
        raise InputError(
            f"There is no {what} {shortened(node)}; expected one of the {len(known):,} names, spelled "
            f"exactly as they were read.{f' Nearest: {near}.' if near else ''}"
        )

    def _name(self, node: str, side: int) -> int | str:
        """Return a node as the network has it: by name, or by index where nodes have no names."""
        names = (self.network.row_names, self.network.col_names)[side]
        return int(node) if names is None and node.isdecimal() else node

    def _is_row(self, node: str) -> bool:
        """Return whether a node is a row; a node that is neither row nor column is taken for one."""
        network = self.network
        if network.square or network.col_names is None:
            return True
        in_rows = network.row_names is not None and bool(np.any(network.row_names == node))
        return in_rows or not bool(np.any(network.col_names == node))

    def _of_column(self, node: int | str, count: int) -> Table:
        """Return the best unknown rows of one column."""
        network = self.network
        column = network.col_index(node)
        listed = network.rows[network.cols == column]
        rows = np.setdiff1d(np.arange(network.shape[0]), listed)
        row, col = network.node_names(rows, np.full(len(rows), column))
        nodes = {"row": row, "column": col}
        score, spread = self.model.predict_links(nodes, return_std=True, by=self.decisions.by)
        order = np.argsort(-score, kind="stable")[:count]
        columns = {**nodes, "score": score, "spread": spread}
        return Table({name: each[order] for name, each in columns.items()})
