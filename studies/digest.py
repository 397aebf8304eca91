"""What a line of results rests on: a digest of the package, and one of what the study itself does."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import latentlink

__all__ = ["code_mark"]

# The parts of the package that results rest on.
_PARTS = (
    *("datasets", "estimators", "factors", "kernels", "metrics", "network", "parallel", "random", "rank"),
    *("regime", "solvers", "splitting", "strategy", "uncertainty"),
)


@cache
def code_mark(run: Callable[..., Any]) -> str:
    """Return ``<digest of the package>-<digest of the study>``; comments, docstrings and layout do not count.

    Of the study's modules that counts which ``run`` reaches by name: functions, constants, imports, those of
    other modules of the studies too. How results are summed up does not: other words need no other runs.

    Parameters
    ----------
    run : function
        Of a module that defines names, and does nothing else.
    """
    found: dict[tuple[str, str], str] = {}
    _reach(run.__module__, run.__name__, found)
    digest = hashlib.sha256()
    for (module, name), source in sorted(found.items()):
        digest.update(f"{module} {name} {source}".encode())
    return f"{_package_mark()}-{digest.hexdigest()[:8]}"


@cache
def _package_mark() -> str:
    digest = hashlib.sha256()
    package = Path(latentlink.__file__).parent
    for part in _PARTS:
        found = package / part
        for path in sorted(found.rglob("*.py")) if found.is_dir() else [found.with_suffix(".py")]:
            digest.update(ast.dump(_parsed(path)).encode())
    return digest.hexdigest()[:12]


def _reach(module: str, name: str, found: dict[tuple[str, str], str]) -> None:
    """Add the source of a name of a module, and of every name in it; others are local, or Python's own."""
    node = _defined(module).get(name)
    if node is None or (module, name) in found:
        return
    found[module, name] = ast.dump(node)
    if isinstance(node, ast.ImportFrom) and str(node.module).startswith(f"{__package__}."):
        _reach(str(node.module), node.names[0].name, found)
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            _reach(module, each.id, found)


def _defined(module: str) -> dict[str, ast.stmt]:
    """Return the statement that defines each name of a module, imports one name each."""
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        return {}
    found: dict[str, ast.stmt] = {}
    for statement in _parsed(Path(spec.origin)).body:
        match statement:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found[name] = statement
            case ast.Assign() | ast.AnnAssign():
                targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                names = [each.id for target in targets for each in ast.walk(target) if hasattr(each, "id")]
                found |= dict.fromkeys(names, statement)
            case ast.ImportFrom(module=source, names=names, level=level):
                found |= {a.asname or a.name: ast.ImportFrom(source, [a], level) for a in names}
            case ast.Import(names=names):
                found |= {a.asname or a.name.partition(".")[0]: ast.Import([a]) for a in names}
    return found


def _parsed(path: Path) -> ast.Module:
    """Read a file without its docstrings."""
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        documented = isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
        if documented and ast.get_docstring(node, clean=False) is not None:
            del node.body[0]
    return tree
