"""Mutation testing: a seeded sample of small faults in the sources, and which of them the tests notice.

    python -m tools.mutants --count 300 --seed 1

Every mutant changes one operator, comparison, constant or condition of a module. Its tests run on a copy of
the sources, the test file of the module first and then those of its folder and of the folders that use it;
a mutant that no test notices has survived. Mutants that cannot change any result are listed, with the reason,
in tools/equivalent_mutants.csv and do not count.
"""

from __future__ import annotations

import argparse
import ast
import csv
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Mutant", "mutants_of", "sample"]

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "latentlink"
RESULTS = Path(__file__).parent / "results"
EQUIVALENT = Path(__file__).parent / "equivalent_mutants.csv"
FOLDERS = (
    "network",
    "splitting",
    "regime",
    "rank",
    "solvers",
    "uncertainty",
    "metrics",
    "scoring",
    "stacking",
)
# Test folders that exercise a source folder beside its own.
USERS = {
    "network": ("splitting", "regime", "rank", "solvers", "contract"),
    "splitting": ("stacking",),
    "regime": ("rank", "estimators"),
    "rank": ("estimators",),
    "solvers": ("contract", "rank", "folding"),
    "uncertainty": ("scoring",),
    "metrics": (),
    "scoring": ("estimators",),
    "stacking": ("estimators",),
}
_COMPARE = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_BINARY = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult, ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
_SECONDS = 120


@dataclass(frozen=True)
class Mutant:
    """One change of one place.

    Attributes
    ----------
    path : Path
        The source file, relative to the package.
    line : int
    change : str
        The source before and after.
    text : str
        The whole changed file.
    """

    path: Path
    line: int
    change: str
    text: str

    @property
    def key(self) -> tuple[str, str]:
        """What identifies a mutant when lines have moved."""
        return self.path.as_posix(), self.change


def _skipped(node: ast.AST) -> bool:
    """Whether a statement holds no behaviour to test: messages, imports, annotations, exported names."""
    if isinstance(node, ast.Raise | ast.Import | ast.ImportFrom):
        return True
    if isinstance(node, ast.Assign):
        return any(isinstance(each, ast.Name) and each.id == "__all__" for each in node.targets)
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _places(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that can be changed, without type hints, messages and decorators."""
    for child in ast.iter_child_nodes(tree):
        if _skipped(child):
            continue
        for part in _parts(child):
            yield part
            yield from _places(part)


def _parts(node: ast.AST) -> list[ast.AST]:
    """Return a node, or those of its parts that are run: a definition without its hints and decorators."""
    match node:
        case ast.FunctionDef(args=args, body=body):
            defaults = [each for each in (*args.defaults, *args.kw_defaults) if each is not None]
            return [part for part in (*defaults, *body) if not _skipped(part)]
        case ast.AnnAssign(value=value):
            return [] if value is None else [value]
        case ast.JoinedStr():
            return []
    return [node]


def _changes(node: ast.AST) -> list[ast.AST]:  # noqa: C901  (one case a kind of node)
    """Return changed copies of a node."""
    match node:
        case ast.Compare(left=left, ops=[op, *ops], comparators=comparators) if type(op) in _COMPARE:
            return [ast.Compare(left, [_COMPARE[type(op)](), *ops], comparators)]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return [ast.BinOp(left, _BINARY[type(op)](), right)]
        case ast.BoolOp(op=op, values=values):
            return [ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)]
        case ast.UnaryOp(op=ast.Not() | ast.USub() | ast.Invert(), operand=operand):
            return [operand]
        case ast.Constant(value=bool() as value):
            return [ast.Constant(not value)]
        case ast.Constant(value=int() as value):
            return [ast.Constant(value + 1)]
        case ast.Constant(value=float() as value):
            return [ast.Constant(value * 1.5 if value else 1.0)]
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return [ast.IfExp(test, orelse, body)]
    return []


def mutants_of(path: Path) -> list[Mutant]:
    """Return all mutants of a source file."""
    source = path.read_text()
    lines = source.splitlines(keepends=True)
    offsets = [0]
    for line in lines:
        offsets.append(offsets[-1] + len(line.encode()))
    encoded = source.encode()
    mutants = []
    for node in _places(ast.parse(source)):
        for changed in _changes(node):
            begin = offsets[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]
            end = offsets[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]
            old = encoded[begin:end].decode()
            new = f"({ast.unparse(ast.fix_missing_locations(changed))})"
            text = (encoded[:begin] + new.encode() + encoded[end:]).decode()
            change = f"{' '.join(old.split())}  ->  {new}"
            mutants.append(Mutant(path.relative_to(PACKAGE), node.lineno, change, text))  # type: ignore[attr-defined]
    return mutants


def sample(count: int, seed: int) -> list[Mutant]:
    """Draw mutants from all chosen folders, seeded; each place is as likely as any other."""
    every = [
        mutant
        for folder in FOLDERS
        for path in sorted((PACKAGE / folder).rglob("*.py"))
        for mutant in mutants_of(path)
    ]
    return random.Random(seed).sample(every, min(count, len(every)))


def _equivalent() -> set[tuple[str, str]]:
    if not EQUIVALENT.exists():
        return set()
    with EQUIVALENT.open(newline="") as file:
        return {(line["path"], line["change"]) for line in csv.DictReader(file)}


def _stages(path: Path) -> list[list[str]]:
    """Return the tests of a module: its own file, its folder, and the folders that use it."""
    folder = path.parts[0]
    own = sorted(map(str, (ROOT / "tests" / folder).rglob(f"test_{path.stem}*.py")))
    others = [str(ROOT / "tests" / each) for each in USERS[folder] if (ROOT / "tests" / each).is_dir()]
    return [stage for stage in (own, [str(ROOT / "tests" / folder)], others) if stage]


class Copy:
    """A copy of the sources in which one file at a time is changed."""

    def __init__(self, folder: Path) -> None:
        self.source = folder / "src"
        shutil.copytree(ROOT / "src", self.source)

    def notices(self, mutant: Mutant) -> str:
        """Return which tests notice a mutant: the stage, or an empty string."""
        target = self.source / "latentlink" / mutant.path
        before = target.read_text()
        target.write_text(mutant.text)
        try:
            for number, tests in enumerate(_stages(mutant.path), 1):
                if not self.passes(tests):
                    return f"stage {number}"
            return ""
        finally:
            target.write_text(before)

    def passes(self, tests: list[str]) -> bool:
        """Whether tests pass on the copy within the time limit."""
        command = [
            sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:randomly",
            "-W", "default", "-m", "not slow", *tests,
        ]  # fmt: skip
        environment = os.environ | {"PYTHONPATH": f"{self.source}:{ROOT}", "CI": "1"}
        environment |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        try:
            done = subprocess.run(
                command, cwd=ROOT, env=environment, capture_output=True, timeout=_SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0


def run(count: int, seed: int) -> list[dict[str, str]]:
    """Try a sample of mutants and return a line for each."""
    known = _equivalent()
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(Path(folder))
        for number, mutant in enumerate(sample(count, seed), 1):
            begin = time.monotonic()
            noticed = "equivalent" if mutant.key in known else copy.notices(mutant)
            lines.append(
                {
                    "path": mutant.path.as_posix(),
                    "line": str(mutant.line),
                    "change": mutant.change,
                    "killed": noticed or "survived",
                }
            )
            print(
                f"{number}/{count} {noticed or 'SURVIVED'} {time.monotonic() - begin:.0f}s "
                f"{mutant.path}:{mutant.line} {mutant.change[:90]}",
                flush=True,
            )
    return lines


def main() -> int:
    """Run a sample and write what survived."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description="Mutation testing.")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    lines = run(given.count, given.seed)
    RESULTS.mkdir(exist_ok=True)
    with (RESULTS / f"mutants-{given.seed}.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(lines[0]))
        writer.writeheader()
        writer.writerows(lines)
    counted = [line for line in lines if line["killed"] != "equivalent"]
    killed = sum(line["killed"] != "survived" for line in counted)
    print(f"{killed} of {len(counted)} mutants killed ({killed / len(counted):.1%}).")
    return 0


if __name__ == "__main__":
    sys.exit(main())
