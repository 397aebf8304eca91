"""The record of an evaluation: all measurements, intervals, comparisons, verdicts and tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from typing import Any

import numpy as np

from latentlink.errors import InputError
from latentlink.evaluation.column_words import BOUNDED_BY_ONE, explained_columns
from latentlink.evaluation.comparison import Comparison, compare_paired, is_better
from latentlink.evaluation.interval_plot import draw_intervals
from latentlink.evaluation.rendering import (
    as_html,
    as_latex,
    as_markdown,
    as_text,
    columns_within,
    selected_columns,
)
from latentlink.metrics import Interval, mean_interval
from latentlink.tables import Table
from latentlink.validation.wording import counted, few

__all__ = ["Evaluation"]

_LABELS = {
    "roc_auc": "ROC AUC",
    "average_precision": "AP",
    "pr_auc": "PR AUC",
    "uq_roc_auc": "UQ-ROC AUC",
    "uq_pr_auc": "UQ-PR AUC",
    "uq_average_precision": "UQ-AP",
    "mrr": "MRR",
    "rmse": "RMSE",
    "mae": "MAE",
}
_COUNTS = ("n_pairs", "share_of_links")  # the same for all models
_TITLES = {
    "listed": "held-out pairs as listed",
    "uniform": "uniform non-links",
    "degree": "non-links drawn in proportion to degree",
    "hard": "hard non-links (of the same node, by resource allocation and PageRank)",
    "all": "all unlisted pairs of some nodes",
}

Key = tuple[str, str, str, str]  # model, negatives, pairs, metric


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation:
    """Models and baselines, measured over the same splits; what `evaluate` returns.

    Attributes
    ----------
    kind : {"labelled", "links", "values"}
        What the network lists.
    measurements : Table
        Every measurement, in the columns model, repeat, negatives, pairs, metric and value.
    models, baselines : tuple of str
        Names, in the order of the tables.
    test_shares : dict
        Share of the known entries in the test parts, by what is held out: "pairs", and "nodes" if any.
    level : float
        Confidence level of intervals and verdicts.
    notes : tuple of str
        What a reader of the tables should know: what models were fitted to, where it differs.
    """

    kind: str
    measurements: Table
    models: tuple[str, ...]
    baselines: tuple[str, ...]
    test_shares: Mapping[str, float]
    level: float = 0.95
    notes: tuple[str, ...] = ()

    # ------------------------------------------------------------ numbers

    @cached_property
    def _values(self) -> dict[Key, list[float]]:
        columns = self.measurements.columns
        values: dict[Key, list[float]] = {}
        names = ("model", "negatives", "pairs", "metric", "value")
        for *key, value in zip(*(columns[name].tolist() for name in names), strict=True):
            values.setdefault(tuple(key), []).append(value)
        return values

    @property
    def negatives(self) -> tuple[str, ...]:
        """Kinds of non-links, in the order of the tables."""
        return tuple(dict.fromkeys(key[1] for key in self._values))

    @property
    def metric(self) -> str:
        """The metric of verdicts: ROC AUC of links, RMSE of values."""
        return "rmse" if self.kind == "values" else "roc_auc"

    def values(
        self, model: str, metric: str | None = None, negatives: str | None = None, pairs: str = "all"
    ) -> Any:
        """Return one number for each repeat.

        Parameters
        ----------
        model : str
            Name of a model or baseline.
        metric : str, optional
            By default `metric`.
        negatives : str, optional
            Kind of non-links, by default the first.
        pairs : {"all", "warm", "new nodes", "one component", "held-out nodes"}
            Subset of the pairs.

        Returns
        -------
        array, shape (repeats,)
        """
        key = model, negatives or self.negatives[0], pairs, metric or self.metric
        if key not in self._values:
            for position, (part, name) in enumerate(
                zip(key, ("model", "kind of non-links", "subset of pairs", "metric"), strict=True)
            ):
                present = list(dict.fromkeys(each[position] for each in self._values))
                if part not in present:
                    raise InputError(f"There is no {name} {part!r} here; expected one of {few(present, 30)}.")
            raise InputError(
                f"{model!r} has no {key[3]} on {pairs!r} pairs with {key[1]!r} non-links; UQ metrics need a "
                "model with a spread, and subsets need pairs in some repeat."
            )
        return np.array(self._values[key])

    def interval(
        self, model: str, metric: str | None = None, negatives: str | None = None, pairs: str = "all"
    ) -> Interval:
        """Return the mean over repeats with its interval; NaN where a repeat has none, or there is only one.

        An interval ends where the range of its metric does.

        Parameters
        ----------
        model, metric, negatives, pairs
            As for `values`.
        """
        values = self.values(model, metric, negatives, pairs)
        if len(values) < 2 or np.isnan(values).any():
            return Interval(float(values.mean()), np.nan, np.nan, np.nan, len(values), self.level)
        found = mean_interval(values, self.level, self._test_share(pairs))
        top = _most(metric or self.metric)
        return replace(found, low=max(found.low, 0.0), high=min(found.high, top))

    def _test_share(self, pairs: str) -> float:
        return self.test_shares["nodes" if pairs == "held-out nodes" else "pairs"]

    @cached_property
    def summary(self) -> Table:
        """Mean and interval of every metric, in long form."""
        keys = [key for key in self._values if key[3] not in _COUNTS]
        intervals = [self.interval(key[0], key[3], key[1], key[2]) for key in keys]
        names = ("model", "negatives", "pairs", "metric")
        columns = {name: np.array([key[n] for key in keys]) for n, name in enumerate(names)}
        numbers = {
            name: np.array([getattr(each, name) for each in intervals]) for name in ("mean", "low", "high")
        }
        return Table(columns | numbers | {"repeats": np.array([each.n for each in intervals])})

    # ------------------------------------------------------------ comparisons

    def compare(
        self,
        ours: str,
        theirs: str,
        metric: str | None = None,
        negatives: str | None = None,
        pairs: str = "all",
    ) -> Comparison:
        """Compare two models or baselines over the same splits.

        Parameters
        ----------
        ours, theirs : str
        metric, negatives, pairs
            As for `values`.

        Returns
        -------
        Comparison
            Mean difference with interval, corrected resampled t test and Wilcoxon's test.
        """
        both = tuple(self.values(model, metric, negatives, pairs) for model in (ours, theirs))
        share = self._test_share(pairs)
        return compare_paired((ours, theirs), (both[0], both[1]), metric or self.metric, share, self.level)

    def best_baseline(
        self, metric: str | None = None, negatives: str | None = None, pairs: str = "all"
    ) -> str:
        """Return the baseline with the best mean of a metric.

        It is chosen by the test pairs, in favour of the baselines: a model that is better than it is better
        than a baseline chosen in any other way.
        """
        metric = metric or self.metric
        best, best_mean = "", np.nan
        for name in self.baselines:
            mean = float(self.values(name, metric, negatives, pairs).mean())
            if np.isnan(best_mean) or is_better(mean, best_mean, metric):
                best, best_mean = name, mean
        return best

    def verdict(
        self, model: str, metric: str | None = None, negatives: str | None = None, pairs: str = "all"
    ) -> str:
        """Return a sentence on whether a model is better than the best baseline.

        Parameters
        ----------
        model, metric, negatives, pairs
            As for `values`.
        """
        metric = metric or self.metric
        best = self.best_baseline(metric, negatives, pairs)
        values, others = (self.values(name, metric, negatives, pairs) for name in (model, best))
        if len(values) < 2:
            return (
                f"one repeat cannot show a difference: {_label(metric)} {values.mean():.3f} against "
                f"{others.mean():.3f} of the best baseline ({best})"
            )
        against = f"the best baseline ({best}, {_label(metric)} {others.mean():.3f})"
        if np.isnan(values - others).any():
            return f"not better than {against}: a repeat has no {_label(metric)}"
        comparison = self.compare(model, best, metric, negatives, pairs)
        gap = comparison.difference
        low, high = np.clip((gap.low, gap.high), -_most(metric), _most(metric))
        by = f"difference {gap.mean:+.3f} [{low:+.3f}, {high:+.3f}]"
        return f"{'better' if comparison.better else 'not better'} than {against}, {by}"

    @property
    def verdicts(self) -> dict[str, dict[str, str]]:
        """The verdict on every model under every kind of non-links."""
        return {
            model: {kind: self.verdict(model, negatives=kind) for kind in self.negatives}
            for model in self.models
        }

    # ------------------------------------------------------------ tables

    def cells(self, negatives: str | None = None, pairs: str = "all") -> tuple[list[str], list[list[str]]]:
        """Return a table of methods and metrics as text: the head, and one row for each method.

        Parameters
        ----------
        negatives, pairs
            As for `values`.
        """
        kind = negatives or self.negatives[0]
        metrics = [
            metric
            for metric in dict.fromkeys(key[3] for key in self._values if key[1:3] == (kind, pairs))
            if metric not in _COUNTS and (metric != "unscored" or self._unscored(kind, pairs))
        ]
        if not metrics:
            raise InputError(f"There are no {pairs!r} pairs with {kind!r} non-links in this evaluation.")
        rows = [
            [model, *(self._cell(model, metric, kind, pairs) for metric in metrics)]
            for model in self.models + self.baselines
        ]
        return ["method", *map(_label, metrics)], rows

    def _unscored(self, negatives: str, pairs: str) -> bool:
        everyone = self.models + self.baselines
        return any(self.values(model, "unscored", negatives, pairs).any() for model in everyone)

    def _cell(self, model: str, metric: str, negatives: str, pairs: str) -> str:
        if (model, negatives, pairs, metric) not in self._values:
            return ""
        if metric == "unscored":
            return f"{self.values(model, metric, negatives, pairs).sum():.0f}"
        found = self.interval(model, metric, negatives, pairs)
        half = (found.high - found.low) / 2
        # An interval that is cut off at an end of the range has no half; it is that of too few repeats.
        cut_off = abs(found.high + found.low - 2 * found.mean) > 1e-9
        return f"{found.mean:.3f}" + ("" if np.isnan(half) or cut_off else f"±{half:.3f}")

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the means and intervals as a data frame in long form; see `Table.to_frame`.

        Single measurements are in ``measurements.to_frame()``.
        """
        return self.summary.to_frame(backend)

    def to_markdown(self, negatives: str | None = None, pairs: str = "all") -> str:
        """Return a Markdown table for each kind of non-links with such pairs, or for one, and verdicts."""
        present = [kind for kind in self.negatives if any(key[1:3] == (kind, pairs) for key in self._values)]
        kinds = (negatives,) if negatives is not None else present or self.negatives[:1]
        parts = [
            f"{self._title(kind, pairs)}:\n\n{as_markdown(*self.cells(kind, pairs))}\n\n"
            + "\n".join(f"- {line}" for line in self._verdict_lines(kind, pairs))
            for kind in kinds
        ]
        return "\n\n".join(part.rstrip() for part in (*parts, *self.notes))

    def to_latex(self, negatives: str | None = None, pairs: str = "all") -> str:
        """Return a LaTeX tabular (booktabs) for one kind of non-links, by default the first."""
        return as_latex(*self.cells(negatives, pairs))

    def plot(self, metric: str | None = None, pairs: str = "all", axes: Any = None) -> Any:
        """Plot one metric of all methods with intervals, in matplotlib axes, which are returned."""
        name = metric or self.metric
        drawn = draw_intervals(self, name, pairs, axes)
        label = _LABELS.get(name, name)
        drawn.set_xlabel(label if pairs == "all" else f"{label}, {pairs}")
        return drawn

    def _title(self, kind: str, pairs: str) -> str:
        title = _TITLES[kind] if self.kind != "values" else "held-out values"
        return title[0].upper() + title[1:] + ("" if pairs == "all" else f", {pairs}")

    def _verdict_lines(self, kind: str, pairs: str = "all") -> list[str]:
        return [f"{model}: {self.verdict(model, negatives=kind, pairs=pairs)}." for model in self.models]

    def __repr__(self) -> str:
        return self.to_text()

    @property
    def main_negatives(self) -> str:
        """The kind of non-links whose table comes first to a reader: uniform where they were measured."""
        return "uniform" if "uniform" in self.negatives else self.negatives[0]

    def to_text(self, width: int | None = None, negatives: str | None = None) -> str:
        """Return the tables of all kinds of non-links with their verdicts, as plain text.

        Parameters
        ----------
        width : int or None
            Characters of a line, which the columns of a table are chosen to fit into: those weighted by
            uncertainty are left out first, then the last ones. None is no limit.
        negatives : str or None
            One kind of non-links, such as `main_negatives`: its table alone, with the verdicts of the others
            in a line for each.
        """
        repeats = len(self.values(self.baselines[0]))
        share = f"{100 * self.test_shares['pairs']:.3g} % held out"
        interval = f"mean±half of the {100 * self.level:g} % interval"
        lines = [f"Evaluation: {counted(repeats, 'repeat')}, {share}, {interval}"]
        heads: list[str] = []
        for kind in self.negatives if negatives is None else (negatives,):
            head, rows = self.cells(kind)
            best = self.best_baseline(negatives=kind)
            rows = [[row[0] + " *" * (row[0] == best), *row[1:]] for row in rows]
            shown = columns_within(head, rows, width)
            heads += [head[place] for place in shown]
            lines += ["", self._title(kind, "all"), as_text(*selected_columns(head, rows, shown))]
            lines += self._verdict_lines(kind)
            left_out = [name for number, name in enumerate(head) if number not in shown]
        others = [kind for kind in self.negatives if negatives not in (None, kind)]
        told = [f"{self._title(kind, 'all')}: {' '.join(self._verdict_lines(kind))}" for kind in others]
        lines += ["", *told] if told else []
        lines += ["", f"*: the best baseline, by {_label(self.metric)}."]
        if repeats > 1:
            lines += ["Without ±: the interval reaches an end of the range; more repeats narrow it."]
        lines += explained_columns(heads)
        if left_out:
            lines += ["", f"Left out for want of space: {', '.join(left_out)}."]
        return "\n".join([*lines, *(part for note in self.notes for part in ("", note))])

    def _repr_html_(self) -> str:
        parts = [
            f"<p><strong>{escape(self._title(kind, 'all'))}</strong></p>{as_html(*self.cells(kind))}"
            + "".join(f"<p>{escape(line)}</p>" for line in self._verdict_lines(kind))
            for kind in self.negatives
        ]
        parts += [f"<p>{escape(note)}</p>" for note in self.notes]
        return f'<div class="latentlink-evaluation">{"".join(parts)}</div>'


def _most(metric: str) -> float:
    """Return the largest possible value of a metric."""
    return 1.0 if any(part in metric for part in BOUNDED_BY_ONE) else float(np.inf)


def _label(metric: str) -> str:
    return _LABELS.get(metric, metric.replace("_", " "))
