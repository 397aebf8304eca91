"""Mutation testing: a seeded sample of small faults in the sources, and which of them the tests notice.

    python -m tools.mutants --count 300 --seed 1 --jobs 2

With --only, modules of some folders are changed, and with --tests, tests of some folders are run.

Every mutant changes one operator, comparison, constant or condition of a module; numbers are increased by 1,
as mutmut and cosmic-ray do. The tests that run its line are run on a copy of the sources (see
tools/mutant_tests.py); a mutant that no test notices has survived. Mutants that cannot change any result are
listed, with the reason, in tools/equivalent_mutants.csv and do not count. All lines are written to
tools/results/mutants-<seed>.csv.

Places are left out in which a change is no fault that a user could meet: type hints; docstrings; imports and
__all__, whose changes fail at import; texts of raised errors and of f-strings; decorators, whose arguments
say how a class is made (slots, repr) and not what it computes (frozen= and eq= of all records are checked by
tests/test_records.py); strict= of zip, which is an assertion.
"""

from __future__ import annotations

import argparse
import ast
import csv
import multiprocessing
import random
import sys
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tools.mutant_tests import PACKAGE, TestMap, Trial, prepare

__all__ = ["Mutant", "mutants_of", "sample"]

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
_COMPARE = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_BINARY = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult, ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """One change of one place.

    Attributes
    ----------
    path : Path
        The source file, relative to the package.
    line, column : int
        Where the changed expression begins; the column without the indentation.
    code : str
        The text of that line.
    change : str
        The expression before and after.
    text : str
        The whole changed file.
    covering : range or None
        Lines that a test of it runs; None for what is run when the module is imported.
    """

    path: Path
    line: int
    column: int
    code: str
    change: str
    text: str
    covering: range | None

    @property
    def key(self) -> tuple[str, ...]:
        """What identifies a mutant when lines have moved."""
        return self.path.as_posix(), self.code, str(self.column), self.change


def _skipped(node: ast.AST) -> bool:
    """Whether a node holds no behaviour to test: messages, imports, exported names, assertions of zip."""
    if isinstance(node, ast.Raise | ast.Import | ast.ImportFrom):
        return True
    if isinstance(node, ast.keyword) and node.arg == "strict":  # of zip, an assertion
        return True
    if isinstance(node, ast.Assign):
        return any(isinstance(each, ast.Name) and each.id == "__all__" for each in node.targets)
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _places(node: ast.AST, lines: range | None = None) -> Iterator[tuple[ast.AST, range | None]]:
    """Yield the nodes that can be changed, without type hints, messages and decorators, and their lines."""
    if _skipped(node):
        return
    lines = _lines(node, lines)
    if not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AnnAssign):
        yield node, lines
    for part in _parts(node):
        yield from _places(part, lines)


def _lines(node: ast.AST, around: range | None) -> range | None:
    """Return the lines of the statement that a node belongs to; None outside of functions."""
    if isinstance(node, ast.FunctionDef):
        return range(node.lineno, (node.end_lineno or 0) + 1)
    if around is None or not isinstance(node, ast.stmt):
        return around
    body = getattr(node, "body", None)
    return range(node.lineno, body[0].lineno if body else (node.end_lineno or 0) + 1)


def _parts(node: ast.AST) -> list[ast.AST]:
    """Return those parts of a node that are run: a definition without its hints and decorators."""
    match node:
        case ast.FunctionDef(args=args, body=body):
            defaults = [each for each in (*args.defaults, *args.kw_defaults) if each is not None]
            return [*defaults, *body]
        case ast.ClassDef(body=body):
            return list(body)
        case ast.AnnAssign(value=value):
            return [] if value is None else [value]
        case ast.JoinedStr():
            return []
    return list(ast.iter_child_nodes(node))


def _changes(node: ast.AST) -> list[ast.AST]:  # noqa: C901  (one case a kind of node)
    """Return changed copies of a node."""
    match node:
        case ast.Compare(left=left, ops=[op, *ops], comparators=comparators) if type(op) in _COMPARE:
            return [ast.Compare(left, [_COMPARE[type(op)](), *ops], comparators)]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return [ast.BinOp(left, _BINARY[type(op)](), right)]
        case ast.AugAssign(target=target, op=op, value=value) if type(op) in _BINARY:
            return [ast.AugAssign(target, _BINARY[type(op)](), value)]
        case ast.BoolOp(op=op, values=values):
            return [ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)]
        case ast.UnaryOp(op=ast.Not() | ast.USub() | ast.Invert(), operand=operand):
            return [operand]
        case ast.Constant(value=bool() as value):
            return [ast.Constant(not value)]
        case ast.Constant(value=int() | float() as value):
            return [ast.Constant(value + 1)]
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
    for node, covering in _places(ast.parse(source)):
        for changed in _changes(node):
            begin = offsets[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]
            end = offsets[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]
            old = encoded[begin:end].decode()
            new = ast.unparse(ast.fix_missing_locations(changed))
            new = new if isinstance(node, ast.stmt) else f"({new})"
            text = (encoded[:begin] + new.encode() + encoded[end:]).decode()
            change = f"{' '.join(old.split())}  ->  {new}"
            code = lines[node.lineno - 1].rstrip()  # type: ignore[attr-defined]
            column = node.col_offset - len(code) + len(code.lstrip())  # type: ignore[attr-defined]
            relative = path.relative_to(PACKAGE)
            mutants.append(Mutant(relative, node.lineno, column, code.strip(), change, text, covering))  # type: ignore[attr-defined]
    return mutants


def everything(folders: Collection[str] = FOLDERS) -> list[Mutant]:
    """Return all mutants of the chosen folders."""
    return [
        mutant
        for folder in folders
        for path in sorted((PACKAGE / folder).rglob("*.py"))
        for mutant in mutants_of(path)
    ]


def sample(
    count: int, seed: int, without: Collection[tuple[str, ...]] = (), folders: Collection[str] = FOLDERS
) -> list[Mutant]:
    """Draw mutants, seeded; each is as likely as any other, but for those to be left out."""
    every = [mutant for mutant in everything(folders) if mutant.key not in without]
    return random.Random(seed).sample(every, min(count, len(every)))


def _try(tests: TestMap, mutant: Mutant) -> tuple[Mutant, str, float]:
    """Return a mutant, the test that noticed it or an empty string, and the seconds this took."""
    begin = time.monotonic()
    noticed = Trial.of_process().notices(mutant.path, mutant.text, tests.stages(mutant.path, mutant.covering))
    return mutant, noticed, time.monotonic() - begin


def run(
    mutants: list[Mutant], jobs: int, seconds: float, folders: Collection[str] = ()
) -> list[dict[str, str]]:
    """Try mutants, each by tests that take so many seconds in all, and return a line for each."""
    known, tests, lines = _in_file(EQUIVALENT), prepare(jobs, folders), []
    tests.most = seconds
    tried = [mutant for mutant in mutants if mutant.key not in known]
    with multiprocessing.get_context("fork").Pool(jobs) as pool:
        for number, (mutant, noticed, seconds) in enumerate(pool.imap(partial(_try, tests), tried), 1):
            lines.append(_line(mutant, noticed or "survived"))
            print(
                f"{number}/{len(tried)} {'killed' if noticed else 'SURVIVED'} {seconds:.0f}s "
                f"{mutant.path}:{mutant.line} {mutant.change[:90]}",
                flush=True,
            )
    return lines + [_line(mutant, "equivalent") for mutant in mutants if mutant.key in known]


def _line(mutant: Mutant, outcome: str) -> dict[str, str]:
    path, code, column, change = mutant.key
    return {
        "path": path,
        "line": str(mutant.line),
        "code": code,
        "column": column,
        "change": change,
        "outcome": outcome,
    }


def _in_file(path: Path, outcome: str = "") -> set[tuple[str, ...]]:
    """Return the keys of the mutants in a result file, all or those with one outcome."""
    with path.open(newline="") as file:
        return {
            (line["path"], line["code"], line["column"], line["change"])
            for line in csv.DictReader(file)
            if not outcome or line["outcome"] == outcome
        }


def main() -> int:
    """Run a sample and write what survived."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description="Mutation testing.")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="mutants that are tried at once")
    parser.add_argument(
        "--without", type=Path, nargs="*", default=[], help="result files of mutants to leave out"
    )
    parser.add_argument("--seconds", type=float, default=45, help="of the tests of a mutant that survives")
    parser.add_argument("--only", nargs="*", default=FOLDERS, help="folders of the package, as cli/reading")
    parser.add_argument("--tests", nargs="*", default=(), help="folders of tests; by default most of them")
    parser.add_argument("--survivors", type=Path, help="try those again that survived in this result file")
    given = parser.parse_args()
    if given.survivors:
        again = _in_file(given.survivors, "survived")
        mutants = [mutant for mutant in everything(given.only) if mutant.key in again]
    else:
        seen = set().union(*map(_in_file, given.without))
        mutants = sample(given.count, given.seed, seen, given.only)
    lines = run(mutants, given.jobs, given.seconds, given.tests)
    if not given.survivors:
        RESULTS.mkdir(exist_ok=True)
        with (RESULTS / f"mutants-{given.seed}.csv").open("w", newline="") as file:
            writer = csv.DictWriter(file, list(lines[0]))
            writer.writeheader()
            writer.writerows(lines)
    counted = [line for line in lines if line["outcome"] != "equivalent"]
    killed = sum(line["outcome"] != "survived" for line in counted)
    print(f"{killed} of {len(counted)} mutants killed ({killed / len(counted):.1%}).")
    return 0


if __name__ == "__main__":
    sys.exit(main())
