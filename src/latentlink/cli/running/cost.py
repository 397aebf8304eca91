"""Rough estimates of the time and memory of a run before it begins."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from latentlink.errors import InputError
from latentlink.estimators import LinkModel, LinkStack, LogisticHead, RankedFactorizer, ValueStack
from latentlink.network import Network
from latentlink.rank import Bisect

__all__ = [
    "Cost",
    "available_bytes",
    "core_count",
    "estimated_cost",
    "raise_if_too_large",
    "short_duration",
]

_BASE_BYTES = 350 * 2**20  # the interpreter with all libraries and compiled kernels
_SCORED = 250_000  # pairs of a stack that are scored at once,
_SCORED_BYTES, _SCORED_VALUE_BYTES = 1600, 400  # and what each takes
# What a stack of values loads and compiles besides, what each value takes beside its features, and what it
# takes for each fold, whose model is kept.
_VALUES_BYTES, _VALUE_BYTES, _FOLD_BYTES = 150 * 2**20, 400, 1400
_ENTRY_BYTES = 55  # of an entry and member: values, weights, what is held out
_FEATURES = 60  # columns of a stack
_SECONDS = 3e-7  # of an entry, member and component, in all sweeps together, on one core
_STACK_SECONDS, _PAIR_SECONDS = 4.0, 6e-4  # of a stack of 16 members, and of each of its pairs
_VALUES_SECONDS = 1.5  # of a stack of values,
_VALUE_SECONDS, _LINE_SECONDS = 6e-5, 2e-4  # and of each value and chain, and each row or column and chain
_RIDGE = 1.5  # with trials of ridges
_SEARCHED = (1, 2, 4, 8, 16, 12, 10)  # ranks that an automatic search is likely to visit


@dataclass(frozen=True)
class Cost:
    """Time and memory, to an order of magnitude.

    Attributes
    ----------
    seconds : float
    n_bytes : float
    """

    seconds: float
    n_bytes: float

    def __str__(self) -> str:
        return f"about {short_duration(self.seconds)} and {max(self.n_bytes / 2**30, 0.1):.1f} GB of memory"

    def before(self, other: Cost) -> Cost:
        """Return the cost of this and then another piece of work."""
        return Cost(self.seconds + other.seconds, max(self.n_bytes, other.n_bytes))


def estimated_cost(model: LinkModel, network: Network, folds: int, cores: int) -> Cost:
    """Return the expected cost of fitting a model to a network, and again without each of some folds.

    Parameters
    ----------
    model : LinkModel
        Not fitted.
    network : Network
    folds : int
        Further fits at the chosen rank.
    cores : int
    """
    entries, scored, kept = max(network.n_known * (2 if network.symmetric else 1), 1000), 0, 0
    if isinstance(model, LinkStack):
        ranks: tuple[int, ...] = (25,)
        members = model.n_perturbs or 16
        pairs = network.n_known * (2 if network.is_binary and network.values.all() else 1)  # as many drawn
        seconds = (_STACK_SECONDS + _PAIR_SECONDS * pairs * (1 + members / 16) / 2) * (1 + folds)
        wide = pairs * _FEATURES * 8 * 2
        scored = min(network.n_pairs - network.n_known, _SCORED) * _SCORED_BYTES
    elif isinstance(model, ValueStack):
        members, ranks, wide = model.n_perturbs, (24,), network.n_known * _FEATURES * 8 * 2
        scored = min(network.n_pairs - network.n_known, _SCORED) * _SCORED_VALUE_BYTES
        kept = _VALUES_BYTES + network.n_known * (_VALUE_BYTES + folds * _FOLD_BYTES)
        chains = members * (_VALUE_SECONDS * network.n_known + _LINE_SECONDS * sum(network.shape))
        seconds = (_VALUES_SECONDS + chains) * (1 + folds)
    else:
        base = model.estimator if isinstance(model, LogisticHead) else model
        members, ranks = getattr(base, "n_perturbs", 16), _visited(base, min(network.shape))
        one = entries * members * _SECONDS * _RIDGE * (7 if isinstance(model, LogisticHead) else 1)
        largest = sorted(ranks)[len(ranks) // 2]
        seconds, wide = one * (sum(rank + 1 for rank in ranks) + folds * (largest + 1)), 0
    held = sum(network.shape) * sum(ranks) * members * 8 * 2 + entries * members * _ENTRY_BYTES
    # Pairs are scored after the fit, whose memory is free again.
    working = max(held + wide, scored) + kept + network.n_listed * 200
    return Cost(5 + seconds / max(cores, 1), _BASE_BYTES + working)


def raise_if_too_large(cost: Cost, available: int | None, instead: str = "") -> None:
    """Raise InputError if the memory that is available cannot suffice; ``instead`` is a method of less."""
    if available is not None and cost.n_bytes > available:
        less = f"; --method {instead} needs less" if instead else ""
        raise InputError(
            f"The run needs about {cost.n_bytes / 2**30:.1f} GB of memory, and {available / 2**30:.1f} GB "
            f"are free. Give fewer --members, lower --ranks or a part of the data{less}."
        )


def available_bytes() -> int | None:
    """Return the memory that is free, within the limit of a container; None where it cannot be told."""
    limits = [_meminfo(), _container()]
    known = [each for each in limits if each is not None]
    return min(known, default=None)


def core_count(jobs: int | None) -> int:
    """Return the number of cores that a number of threads may use."""
    cores = os.cpu_count() or 1
    return cores if jobs is None or jobs < 0 else min(jobs, cores)


def _visited(model: Any, largest: int) -> tuple[int, ...]:
    ranks = model.ranks
    if isinstance(ranks, Bisect):
        ranks = [rank for rank in _SEARCHED if ranks.low <= rank <= ranks.high] or [ranks.low]
    elif ranks is None:
        ranks = _SEARCHED if isinstance(model, RankedFactorizer) else (8,)
    return tuple(min(int(rank), largest) for rank in ranks) or (1,)


def _meminfo() -> int | None:
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    return None


def _container() -> int | None:
    try:
        limit = Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii").strip()
        used = int(Path("/sys/fs/cgroup/memory.current").read_text(encoding="ascii"))
        return None if limit == "max" else max(int(limit) - used, 0)
    except (OSError, ValueError):
        return None


def short_duration(seconds: float) -> str:
    """Return a duration in words, rounded: seconds, minutes or hours."""
    if seconds < 90:
        return f"{max(round(seconds, -1), 10):.0f} seconds"
    return f"{seconds / 60:.0f} minutes" if seconds < 7200 else f"{seconds / 3600:.0f} hours"
