"""Fuzzing of saved models: ``python -m tools.fuzz.models`` loads thousands of mutants in a child process.

A mutant has to raise InputError, or to answer every question: to the last bit as the original if only bytes
were damaged; if its checksum was made anew, with errors of this package at most. A parameter that no fit
could use has to raise in `load`; one that `load` accepts is fitted with. ``--leaves`` replaces every value of
the metadata by values of every other type instead, which takes half an hour; ``--settings`` does so with
every parameter.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import clone

from latentlink import LinkPredictor, load
from latentlink.errors import InputError, LatentLinkError
from tools.fuzz.model_kinds import digest_of_answers, save_models
from tools.fuzz.model_mutations import (
    DAMAGES,
    HOSTILE,
    NEVER_VALID,
    REPLACEMENTS,
    hostile_setting,
    leaves,
    other_setting,
    replaced,
    reseal,
    settings_leaves,
)

__all__ = ["fuzz", "main", "run"]

SECONDS = 10  # of processor time, which a busy machine does not lengthen
BYTES = 2**30
ACCEPTED = ("raised", "same", "another", "says what is wrong")


def fuzz(work: Path, numbers: range, seed: int, replace: str = "") -> list[dict[str, Any]]:
    """Return what became of each mutant; the models are saved in the folder ``models`` of the work folder.

    A child that dies is started again after the mutant that it died of.

    Parameters
    ----------
    work : path
        A folder for the mutants.
    numbers : range
        The mutants by number.
    seed : int
    replace : {"", "leaves", "settings"}
        Replace all values of the metadata, or all parameters, in order, instead of random mutations.
    """
    results: list[dict[str, Any]] = []
    results_file = work / "results.jsonl"
    begin = numbers.start
    while begin < numbers.stop:
        results_file.write_text("")
        command = [sys.executable, "-m", "tools.fuzz.models", "--child", str(work), "--seed", str(seed),
                   "--range", str(begin), str(numbers.stop), str(numbers.step)]  # fmt: skip
        command += [f"--{replace}"] if replace else []
        threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
        child = subprocess.run(
            command, capture_output=True, text=True, check=False, env={**os.environ, **threads}
        )
        done = [json.loads(line) for line in results_file.read_text().splitlines()]
        results += done
        begin += len(done) * numbers.step
        if child.returncode == 0:
            break
        how = "timeout" if child.returncode == -signal.SIGPROF else f"crash {child.returncode}"
        results.append({"number": begin, "outcome": how, "what": child.stderr[-800:]})
        begin += numbers.step
    return results


def child(work: Path, numbers: range, seed: int, replace: str) -> None:
    """Mutate and load models one after the other, with limits on time and memory."""
    warnings.simplefilter("ignore")
    originals = {}
    for folder in sorted((work / "models").iterdir()):
        originals[folder.name] = digest_of_answers(load(folder))
    resource.setrlimit(resource.RLIMIT_DATA, (BYTES, BYTES))
    replacements = list(_all_replacements(work / "models", replace)) if replace else []
    if replace and (work / "only").exists():
        only = set((work / "only").read_text().split())
        replacements = [each for each in replacements if only & set(each[1])]
    with (work / "results.jsonl").open("a") as results:
        for number in numbers:
            if replace and number >= len(replacements):
                break
            signal.setitimer(signal.ITIMER_PROF, 0)
            copy = work / "mutant"
            shutil.rmtree(copy, ignore_errors=True)
            result = _mutated(work, copy, number, seed, replacements)
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
            result |= _outcome(copy, originals[result["kind"]], result)
            print(json.dumps(result | {"number": number}), file=results, flush=True)


def _mutated(work: Path, copy: Path, number: int, seed: int, replacements: list[Any]) -> dict[str, Any]:
    """Copy a model, mutate the copy, and describe the mutation."""
    if replacements:
        kind, path, value = replacements[number]
        shutil.copytree(work / "models" / kind, copy)
        meta = json.loads((copy / "meta.json").read_bytes())
        reseal(copy, meta | {"tree": replaced(meta["tree"], path, value)})
        mutation = f"{'.'.join(map(str, path))} = {str(value)[:40]}"
        setting = "params" in path
        wrong = setting and value in NEVER_VALID
        return {"kind": kind, "mutation": mutation, "hostile": True, "wrong": wrong, "refit": setting}
    rng = np.random.default_rng([seed, number])
    kinds = sorted(path.name for path in (work / "models").iterdir())
    kind, hostile = kinds[number % len(kinds)], bool(number // len(kinds) % 2)
    choices = HOSTILE if hostile else DAMAGES
    mutation = choices[int(rng.integers(len(choices)))]
    shutil.copytree(work / "models" / kind, copy)
    mutation(copy, rng)
    return {
        "kind": kind,
        "mutation": mutation.__name__,
        "hostile": hostile,
        "wrong": mutation is hostile_setting,
        "refit": mutation is other_setting,
    }


def _all_replacements(models: Path, replace: str) -> Iterator[tuple[str, Any, Any]]:
    """Yield every value of the metadata with every replacement; of lists their first two items."""
    for folder in sorted(models.iterdir()):
        seen: Counter[Any] = Counter()
        tree = json.loads((folder / "meta.json").read_bytes())["tree"]
        if replace == "settings":
            values = (*NEVER_VALID, *REPLACEMENTS)
            yield from ((folder.name, path, value) for path in settings_leaves(tree) for value in values)
            continue
        for path, _ in leaves(tree):
            pattern = tuple("*" if isinstance(part, int) else part for part in path)
            seen[pattern] += 1
            if seen[pattern] <= 2:
                yield from ((folder.name, path, value) for value in REPLACEMENTS)


def _outcome(copy: Path, original: str, mutated: dict[str, Any]) -> dict[str, str]:
    """Load a mutant and put all questions to it; return what became of it."""
    hostile = mutated["hostile"]
    try:
        model = load(copy)
    except InputError as error:
        sentence = str(error)
        proper = sentence.endswith(".") and len(sentence) < 1500
        return {"outcome": "raised"} if proper else {"outcome": "no sentence", "what": sentence[:300]}
    except BaseException as error:  # noqa: BLE001  (whatever it is, it is the finding)
        return {"outcome": "foreign error in load", "what": f"{type(error).__name__}: {error}"[:300]}
    if mutated.get("wrong"):
        return {"outcome": "loaded with a wrong setting", "what": repr(model)[:300]}
    try:
        answers = digest_of_answers(model)
        if mutated.get("refit"):
            _refit(model)
    except LatentLinkError as error:
        # Such as factors that are NaN: the model is another one, and says what is wrong.
        what = f"{type(error).__name__}: {error}"[:300]
        return {"outcome": "says what is wrong" if hostile else "error in a question", "what": what}
    except BaseException as error:  # noqa: BLE001
        return {"outcome": "foreign error in a question", "what": f"{type(error).__name__}: {error}"[:300]}
    if answers == original:
        return {"outcome": "same"}
    return {"outcome": "another" if hostile else "wrong"}


def _refit(model: Any) -> None:
    """Fit a model with its own parameters to its own data; one that is too large for the memory may be."""
    fresh, network = clone(model), model.network_
    try:
        if isinstance(fresh, LinkPredictor):
            fresh.fit(np.column_stack([network.rows, network.cols]), network.values)
        else:
            fresh.fit(network)
    except MemoryError:
        return


def run(count: int, seed: int) -> int:
    """Load so many mutants, print what became of them, and return the number of faults (0, or 1 for any)."""
    return main(["--mutants", str(count), "--seed", str(seed)])


def main(arguments: list[str] | None = None) -> int:
    """Run the fuzzer; return 1 if a mutant did anything else than to raise InputError or to answer."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutants", type=int, default=2400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--leaves", action="store_const", const="leaves", dest="replace", default="")
    parser.add_argument("--settings", action="store_const", const="settings", dest="replace")
    parser.add_argument("--every", type=int, default=1, help="take each n-th mutant only")
    parser.add_argument("--only", nargs="*", help="with --leaves: the names above the values, such as solver")
    parser.add_argument("--child", type=Path)
    parser.add_argument("--range", type=int, nargs=3)
    options = parser.parse_args(arguments)
    if options.child:
        child(options.child, range(*options.range), options.seed, options.replace)
        return 0
    count = 10**6 if options.replace else options.mutants
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        (work / "models").mkdir()
        save_models(work / "models")
        if options.only:
            (work / "only").write_text(" ".join(options.only))
        results = fuzz(work, range(0, count, options.every), options.seed, options.replace)
        executed = (work / "executed").exists()
    return report(results, executed)


def report(results: list[dict[str, Any]], executed: bool) -> int:
    """Print what became of the mutants, and each that is not accepted; return 1 if there are any."""
    for name in ("mutation", "kind"):
        if name == "kind" or len({each.get(name) for each in results}) < 50:
            for group, total in sorted(Counter(str(each.get(name)) for each in results).items()):
                counts = Counter(each["outcome"] for each in results if str(each.get(name)) == group)
                print(f"{group:20} {total:6}  {dict(counts)}")
    refused = [each for each in results if each["outcome"] not in ACCEPTED]
    for each in refused:
        print(each)
    print(
        f"{len(results)} mutants: {dict(Counter(each['outcome'] for each in results))}; executed: {executed}"
    )
    return int(bool(refused) or executed)


if __name__ == "__main__":
    sys.exit(main())
