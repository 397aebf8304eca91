"""Which tests run a line, and runs of them on a copy of the sources with one file changed.

Every test runs once under coverage, which says what it runs and how long it takes; the answers are kept in
.mutants until the sources or the test file change. The tests of a mutant are those that run its line: those
of the module's own file and folder first, the quick ones before the slow ones. They run in a fork of a
process that has imported the libraries and the kernels, so that a mutant takes seconds.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import importlib
import json
import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import coverage
import pytest

__all__ = ["PACKAGE", "ROOT", "TestMap", "Trial", "prepare"]

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "latentlink"
CACHE = ROOT / ".mutants"
# Holds the repository as it was when the run began, and the copies; removed when the first process ends.
_WORK = tempfile.TemporaryDirectory(prefix="mutants-")
SNAPSHOT = Path(_WORK.name) / "snapshot"
# Folders of tests that run everything else through commands and pages, or nothing that is changed.
LEFT_OUT = ("cli", "docs", "fuzz", "kernels", "studies", "validation")
LIBRARIES = (
    "hypothesis", "hypothesis.extra.numpy", "matplotlib.pyplot", "mapie", "networkx", "numba", "numpy",
    "pandas", "polars", "pyarrow.parquet", "scipy.optimize", "scipy.sparse.csgraph", "scipy.stats",
    "sklearn.ensemble", "sklearn.linear_model", "sklearn.metrics", "sklearn.model_selection",
    "sklearn.utils.estimator_checks",
)  # fmt: skip
# Modules below those that are changed: a fork keeps them as they are, compiled kernels included.
KEPT = ("kernels", "factors", "strategy", "validation", "errors", "parallel", "random", "saving", "tables")
_FIRST = 6.0  # seconds of the first tests of a mutant, those of its own folder
_ARGUMENTS = (
    "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-W", "ignore::pytest.PytestAssertRewriteWarning",
)  # fmt: skip


@dataclass(eq=False)
class TestMap:
    """Seconds of each test, and the lines that it runs as bits of one number for each source file."""

    __test__ = False
    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[str, dict[str, int]] = field(default_factory=dict)
    most: float = 45.0  # seconds of all tests of a mutant

    def stages(self, path: Path, covering: range | None) -> list[tuple[list[str], float]]:
        """Return the tests of lines of a source file, in the order in which they are tried, and seconds."""
        wanted = sum(1 << line for line in covering) if covering is not None else -1
        runs = self.lines.get(path.as_posix(), {})
        tests = [test for test, bits in runs.items() if bits & wanted]
        if covering is None:  # tests of the whole package, which find every module imported already
            tests += [test for test in self.seconds if test.count("/") == 1 and test not in runs]
        tests.sort(key=lambda test: (self._distance(test, path), self.seconds[test]))
        first: list[str] = []
        rest: list[str] = []
        total = 0.0
        for test in tests:
            total += self.seconds[test]
            if total <= _FIRST and self._distance(test, path) < 2:
                first.append(test)
            elif total <= self.most:
                rest.append(test)
        rest.sort(key=lambda test: self.seconds[test])
        return [(stage, sum(self.seconds[test] for test in stage)) for stage in (first, rest) if stage]

    @staticmethod
    def _distance(test: str, path: Path) -> int:
        """Return 0 for tests of the module, 1 for those of its folder or the whole package, 2 for others."""
        file = Path(test.partition("::")[0])
        if file.stem.startswith(f"test_{path.stem}"):
            return 0
        return 1 if file.parts[1] == path.parts[0] or len(file.parts) == 2 else 2


class _Watch:
    """A pytest plugin that selects tests in a given order, and notes what each runs and the first failure."""

    def __init__(self, wanted: list[str] | None = None, measured: coverage.Coverage | None = None) -> None:
        self.order = None if wanted is None else {test: place for place, test in enumerate(wanted)}
        self.measured = measured
        self.seconds: dict[str, float] = {}
        self.failed: list[str] = []

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self.order is not None:
            order = self.order
            items[:] = [
                item for item in items if item.nodeid in order or not item.nodeid.startswith("tests/")
            ]
            items.sort(key=lambda item: order.get(item.nodeid, -1))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        if self.measured is not None:
            self.measured.switch_context(item.nodeid)
        begin = time.perf_counter()
        result: Any = yield
        self.seconds[item.nodeid] = time.perf_counter() - begin
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid or "collection")


def _in_fork(work: Callable[[], str], seconds: float) -> str:
    """Return what a function returns in a fork of this process; "time" if it takes too long, else "crash"."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        with contextlib.suppress(BaseException):
            os.setpgid(0, 0)
            os.close(reading)
            nowhere = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(nowhere, stream)
            with os.fdopen(writing, "w") as file:
                file.write(f"answer:{work()}")
        os._exit(0)
    os.close(writing)
    os.set_blocking(reading, False)
    answer, until = b"", time.monotonic() + seconds
    ended = False
    while not ended and time.monotonic() < until:
        ended = os.waitpid(child, os.WNOHANG)[0] == child
        with contextlib.suppress(BlockingIOError):
            answer += os.read(reading, 1 << 20)
        if not ended:
            time.sleep(0.02)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    if not ended:
        os.waitpid(child, 0)
    with contextlib.suppress(BlockingIOError):
        answer += os.read(reading, 1 << 20)
    os.close(reading)
    text = answer.decode()
    return text.removeprefix("answer:") if text.startswith("answer:") else "crash" if ended else "time"


class Trial:
    """A copy of the sources in which one file at a time is changed; each process has its own."""

    _own: Trial | None = None

    def __init__(self, folder: Path) -> None:
        self.package = folder / "src" / "latentlink"
        shutil.copytree(SNAPSHOT, folder, dirs_exist_ok=True)
        self.documented: dict[Path, bool] = {}
        _warm(folder)

    @classmethod
    def of_process(cls) -> Trial:
        """Return the copy of this process, which is made when it is first needed."""
        if cls._own is None:
            cls._own = cls(Path(tempfile.mkdtemp(dir=_WORK.name)))
        return cls._own

    def notices(self, path: Path, text: str, stages: list[tuple[list[str], float]]) -> str:
        """Return the first test that fails with the changed text of a file, or an empty string.

        Tests that take twice as long as under coverage, and 20 s more, fail too, unless they take as long
        without the change: where the machine is busy, or kernels are compiled, they get five times as long.
        """
        target = self.package / path
        if path not in self.documented:
            self.documented[path] = not self._failed([], [str(target)], 60)
        examples = [str(target)] if self.documented[path] else []
        for number, (tests, seconds) in enumerate(stages or [([], 0.0)]):
            files = ([] if number else examples) + sorted({test.partition("::")[0] for test in tests})
            limit = 20 + 2 * seconds
            with _changed(target, text):
                failed = self._failed(tests, files, limit)
            if failed == "time" and self._failed(tests, files, limit) == "time":
                with _changed(target, text):
                    failed = self._failed(tests, files, 5 * limit)
            if failed:
                return failed
        return ""

    def _failed(self, tests: list[str], arguments: list[str], seconds: float) -> str:
        def work() -> str:
            watch = _Watch(tests)
            code = pytest.main([*_ARGUMENTS, *arguments], plugins=[watch])
            return watch.failed[0] if watch.failed else "" if code in {0, 5} else f"exit {code}"

        return _in_fork(work, seconds) if arguments else ""


@contextlib.contextmanager
def _changed(target: Path, text: str) -> Iterator[None]:
    """Give a file another text for a while."""
    before, stat = target.read_bytes(), target.stat()
    target.write_text(text)
    try:
        yield
    finally:
        target.write_bytes(before)
        os.utime(target, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def _warm(folder: Path) -> None:
    """Import the libraries and the kernels from a copy of the sources, and forget what may be changed."""
    os.chdir(folder)
    sys.path[:0] = [str(folder / "src"), str(folder)]
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path[:2])
    _forget()
    importlib.import_module("latentlink.estimators")
    _forget(KEPT)
    package = importlib.import_module("latentlink")
    for name in KEPT:
        if f"latentlink.{name}" in sys.modules:
            setattr(package, name, sys.modules[f"latentlink.{name}"])
    gc.freeze()


def _forget(kept: tuple[str, ...] = ()) -> None:
    """Make the next import of the package and of the tests a new one, but for some of its modules."""
    for name in list(sys.modules):
        top, *inside = name.split(".")
        if top == "tests" or (top == "latentlink" and not (inside and inside[0] in kept)):
            del sys.modules[name]


def _digest(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(path.relative_to(SNAPSHOT).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:20]


def _measure(file: str) -> str:
    """Run a test file under coverage and return its tests as JSON: seconds and lines."""
    with tempfile.TemporaryDirectory() as folder:
        package = str(Trial.of_process().package)
        measured = coverage.Coverage(
            data_file=f"{folder}/coverage", source=[package], config_file=False, branch=False
        )
        measured.start()
        watch = _Watch(measured=measured)
        arguments = [each for each in _ARGUMENTS if each != "-x"]
        pytest.main([*arguments, file], plugins=[watch])
        measured.stop()
        data = measured.get_data()
        lines: dict[str, dict[str, int]] = {}
        for name in data.measured_files():
            of_file = lines.setdefault(Path(name).relative_to(package).as_posix(), {})
            for line, tests in data.contexts_by_lineno(name).items():
                for test in tests:
                    if test and test not in watch.failed:
                        of_file[test] = of_file.get(test, 0) | 1 << line
        seconds = {test: took for test, took in watch.seconds.items() if test not in watch.failed}
        return json.dumps({"seconds": seconds, "lines": lines, "failed": watch.failed})


def _measure_one(file_and_kept: tuple[str, Path]) -> str:
    """Write what a test file runs."""
    file, kept = file_and_kept
    Trial.of_process()
    text = _in_fork(lambda: _measure(file), 1200)
    if text in {"crash", "time"}:
        raise RuntimeError(f"{file} could not be measured: {text}.")
    kept.write_text(text)
    return file


def prepare(jobs: int, folders: Collection[str] = ()) -> TestMap:
    """Return which tests run which lines, measuring the files that have changed.

    Of given folders all tests are taken, of the others those that are not left out.
    """
    os.environ |= {"CI": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MPLBACKEND": "agg"}
    for name in LIBRARIES:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    CACHE.mkdir(exist_ok=True)
    shutil.copytree(ROOT, SNAPSHOT, ignore=shutil.ignore_patterns(".*", "_build"))
    sources = _digest((SNAPSHOT / "src").rglob("*.py"))
    every = list((SNAPSHOT / "tests").rglob("*.py"))
    shared = _digest(path for path in every if not path.name.startswith("test_"))
    kept, missing = [], []
    for file in sorted(path for path in every if path.name.startswith("test_")):
        name = file.relative_to(SNAPSHOT)
        folder = name.parent.relative_to("tests").as_posix()
        if not any(folder.startswith(each) for each in folders) if folders else name.parts[1] in LEFT_OUT:
            continue
        kept.append(CACHE / f"{file.stem}-{_digest([file])}-{sources}-{shared}.json")
        if not kept[-1].exists():
            missing.append((name.as_posix(), kept[-1]))
    if missing:
        with multiprocessing.get_context("fork").Pool(jobs) as pool:
            for number, measured in enumerate(pool.imap_unordered(_measure_one, missing), 1):
                print(f"measured {number}/{len(missing)} {measured}", flush=True)
    return _read_map(kept)


def _read_map(kept: list[Path]) -> TestMap:
    tests = TestMap()
    for each in kept:
        measured = json.loads(each.read_text())
        tests.seconds |= measured["seconds"]
        for path, runs in measured["lines"].items():
            tests.lines.setdefault(path, {}).update(runs)
        for test in measured["failed"]:
            print(f"fails without a change, left out: {test}", flush=True)
    return tests
