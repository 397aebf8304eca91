"""What the tables say, in words: first of all where other packages are ahead and which targets are missed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from benchmarks.report.beside_rivals import beside_rivals, times_to_targets
from benchmarks.report.cells import shown
from benchmarks.report.sentence import Sentence
from benchmarks.report.stored import Stored
from latentlink.validation.wording import counted

__all__ = ["sentences_of"]

Rows = Sequence[Mapping[str, Any]]


def sentences_of(stored: Stored) -> list[Sentence]:
    """Return the sentences on a table; none where nothing is to be compared in it."""
    of_rows = _OF_STUDIES.get(stored.study)
    return list(of_rows(stored.rows)) if of_rows else []


def _at_most(rows: Rows, value: str, target: str, name: str, unit: str) -> Iterator[Sentence]:
    """Yield a sentence on each row over its target, and one on how many are not."""
    having = [row for row in rows if value in row and target in row]
    over = [row for row in having if row[value] > row[target]]
    for row in over:
        found, most = shown(float(row[value])), shown(row[target])
        yield Sentence(f"{row[name]} has {found} {unit}; at most {most} was the target.", behind=True)
    if having:
        yield Sentence(f"{len(having) - len(over)} of {len(having)} are within their targets ({unit}).")


def _at_least(rows: Rows, value: str, target: str, name: Callable[[Any], str]) -> Iterator[Sentence]:
    for row in rows:
        if value in row and target in row:
            ratio, least = shown(float(row[value])), shown(row[target])
            text = f"{name(row)}: {ratio} times as fast; at least {least} was the target."
            yield Sentence(text, behind=row[value] < row[target])


def _sweep(rows: Rows) -> Iterator[Sentence]:
    def name(against: str) -> Callable[[Any], str]:
        return lambda row: f"a sweep at rank {row['rank']}, {row['precision']}, beside {against}"

    yield from _at_least(rows, "plain_ratio", "plain_target", name("plain numba"))
    yield from _at_least(rows, "dense_ratio", "dense_target", name("dense NumPy"))


def _peers(rows: Rows) -> Iterator[Sentence]:
    """Yield sentences on rank 10 in single precision, which has targets, and on what is slower."""

    def name(row: Mapping[str, Any]) -> str:
        return f"a sweep of {row['ours']} for a member of a batch, beside one of {row['peer']}"

    aimed = [row for row in rows if row["rank"] == 10 and row["precision"] == "float32"]
    yield from _at_least(aimed, "ratio", "target", name)
    for row in rows:
        if row["ratio"] < 1:
            text = (
                f"{row['peer']} is {1 / row['ratio']:.1f} times as fast as {row['ours']} in a sweep at rank "
            )
            yield Sentence(f"{text}{row['rank']}, {row['precision']}.", behind=True)


def _search(rows: Rows) -> Iterator[Sentence]:
    for row in rows:
        dense, twins = row["ratio, dense sweeps alone"], row["ratio, whole search by twins"]
        text = (
            f"the search takes {shown(row['search, s'])} s of CPU time on {row['data']}, with NumPy kernels "
        )
        text += (
            f"{shown(twins)} times as long; its sweeps alone, in dense NumPy, take {shown(dense)} times as "
        )
        text += f"long as all of it ({row['ratio to be reached']} times was to be reached)."
        yield Sentence(text, behind=min(dense, twins) < row["ratio to be reached"])


def _growth(rows: Rows) -> Iterator[Sentence]:
    for row in rows:
        time, memory = row["exponent of time"], row.get("exponent of memory", 0.0)
        if "speed_up" in row:
            most, speed_up = row["sizes"][-1], row["speed_up"]
            text = f"{row['growing']}: {most} threads are {speed_up:.2f} times as fast as one; "
            yield Sentence(f"{text}at least 1.8 was the target of two.", behind=speed_up < 1.8)
            continue
        text = f"the exponents of {row['growing']} are {time:.2f} for time and {memory:.2f} for memory"
        if row["growing"] == "pairs":
            missed = not 0.95 <= time <= 1.1 or memory > 1.1
            yield Sentence(f"{text}; .95 to 1.1 and at most 1.1 were the targets.", behind=missed)
        else:
            yield Sentence(f"{text}.")


def _ensemble(rows: Rows) -> Iterator[Sentence]:
    for row in rows:
        if "als_fits_target" in row:
            fits, most = row["als_fits"], row["als_fits_target"]
            text = f"{row['what']}: as long as {fits:.1f} ALS fits with as many threads ({row['threads']}); "
            yield Sentence(f"{text}at most {most:.0f} was the target.", behind=fits > most)
        if "speed_up" in row:
            text = f"{row['what']}: {row['threads']} threads are {row['speed_up']:.2f} times as fast as one."
            yield Sentence(text, behind=row["what"].startswith("ensemble") and row["speed_up"] < 1.8)
        if "note" in row:
            yield Sentence(f"{row['what']}, {counted(row['threads'], 'thread')}: {row['note']}")


def _roofline(rows: Rows) -> Iterator[Sentence]:
    for row in rows:
        if row["what"] == "triad":
            same = [each for each in rows if all(each[k] == row[k] for k in ("threads", "precision"))]
            peak = next(each["gflop_per_s"] for each in same if each["what"] == "fma")
            text = f"with {counted(row['threads'], 'thread')} this machine moves {row['gb_per_s']:.0f} GB/s "
            yield Sentence(f"{text}and computes {peak:.0f} GFLOP/s in {row['precision']}.")
    shares = [row for row in rows if "share" in row]
    if shares:
        low, high = (pick(shares, key=lambda row: row["share"]) for pick in (min, max))
        ends = " to ".join(f"{row['share']:.0%}" for row in (low, high))
        where = [f"rank {row['rank']}, cycles {row['cycles']}, {row['precision']}" for row in (low, high)]
        text = f"half sweeps reach {ends} of their bounds: least at {where[0]}, most at {where[1]}."
        yield Sentence(text)


def _device(rows: Rows) -> Iterator[Sentence]:
    for row in rows:
        if row["cpu_ratio"] > 1:
            text = f"{row['case']}, {row['solver']}: a sweep on {row['device']} takes {row['cpu_ratio']:.1f} "
            yield Sentence(f"{text}times the CPU time of the compiled kernels.", behind=True)


_OF_STUDIES: Mapping[str, Callable[[Rows], Iterable[Sentence]]] = {
    "whole_fits": beside_rivals,
    "ratings": times_to_targets,
    "ensemble": _ensemble,
    "search": _search,
    "peers": _peers,
    "sweep": _sweep,
    "roofline": _roofline,
    "growth": _growth,
    "memory": lambda rows: _at_most(rows, "peak_mb", "target_mb", "job", "MB at its peak"),
    "cold": lambda rows: _at_most(rows, "seconds", "target", "what", "s"),
    "stack": lambda rows: _at_most(rows, "cpu_seconds", "target_seconds", "job", "s of CPU time"),
    "device": _device,
}
