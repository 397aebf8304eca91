"""Markdown tables of methods, the paper's settings beside the defaults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from latentlink.evaluation.rendering import as_markdown
from latentlink.experiments.case_lines import Lines
from latentlink.experiments.method_lines import MethodLines
from latentlink.experiments.methods import MODES

__all__ = ["method_table", "rank_table"]

Entry = Callable[[MethodLines, str, float], str]


def method_table(lines: Lines, true_rank: int, entry: Entry) -> str:
    """Return a table with a row for each method and mode and a column for each share of hidden entries.

    Parameters
    ----------
    lines : list of dict
    true_rank : int
    entry : callable
        Returns the text of a cell, given the lines of a mode, the method and the share.
    """
    found = list(_methods(lines, true_rank))
    shares = found[0][2].shares
    rows = [[method, mode, *(entry(of, method, share) for share in shares)] for method, mode, of in found]
    return as_markdown(["method", "mode", *(f"{share:g} hidden" for share in shares)], rows)


def rank_table(lines: Lines, true_rank: int) -> str:
    """Return a table of methods at one share of hidden entries: ranks chosen, measures at the true rank."""
    rows = []
    for method, mode, of in _methods(lines, true_rank):
        share = of.shares[0]
        counts = Counter(int(rank) for rank in of.ranks(method))
        rows.append(
            [
                method,
                mode,
                ", ".join(f"{rank} ({count})" for rank, count in sorted(counts.items())),
                f"{of.mean(method, 'rmse', share):.3g}",
                str(of.best_rank(method, share)),
                f"{of.mean(method, 'rmse_answered', share):.3g}",
                f"{of.mean(method, 'abstained', share):.2f}",
                f"{of.seconds(method):.1f}",
            ]
        )
    at = f"at rank {true_rank}"
    header = ["method", "mode", "ranks chosen (times)", f"RMSE {at}", "rank of least RMSE"]
    return as_markdown([*header, f"RMSE of answered {at}", f"abstained {at}", "CPU s"], rows)


def _methods(lines: Lines, true_rank: int) -> Iterator[tuple[str, str, MethodLines]]:
    """Yield every method in every mode, with the lines of the mode."""
    by_mode = {mode: MethodLines(lines, mode, true_rank) for mode in MODES}
    for method in dict.fromkeys(line["method"] for line in lines):
        yield from ((method, mode, of) for mode, of in by_mode.items() if method in of.methods)
