"""Digest of the code that a study's ``run`` reaches, independent of files, imports, docstrings and hints."""

from __future__ import annotations

import ast
import copy
import hashlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import latentlink

__all__ = ["code_digest", "reached_definitions"]

_PACKAGE = Path(latentlink.__file__).parent
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_OWN_SCOPE = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)
# Fields of syntax nodes that never change a result: type hints, and what the parser derives by itself.
_IGNORED = {"annotation", "returns", "type_comment", "type_params", "ctx", "kind", "simple"}


def code_digest(run: Callable[..., Any], package: Path = _PACKAGE) -> str:
    """Return 12 hexadecimal digits that stay the same as long as the definitions that ``run`` reaches do.

    Each text of `reached_definitions` is hashed, and the sorted set of these hashes is hashed again. So
    neither the order of definitions counts nor the file in which they stand.

    Parameters
    ----------
    run : function
        Computes one case; its file lies beside those of the other studies.
    package : Path
        Folder of the package that the study is about.
    """
    reached = reached_definitions(Path(run.__code__.co_filename), run.__name__, package)
    hashes = sorted({hashlib.sha256(text.encode()).hexdigest() for _, text in reached})
    return hashlib.sha256("\n".join(hashes).encode()).hexdigest()[:12]


def reached_definitions(path: Path, name: str, package: Path = _PACKAGE) -> set[tuple[str, str]]:
    """Return (name, normalised text) of every definition that a name of a study's file reaches.

    A definition is a top-level function, class or constant. It reaches what the names in it stand for:

    - a name that its file defines is that definition;
    - a name imported from another study is the definition there;
    - a name imported from the package, or an attribute of an imported module (``kernels.gram``), is every
      definition of that name in the package, wherever it stands;
    - a method of a class that is reached counts if its name occurs in something reached, as a name, an
      attribute or a string. Special methods (``__init__``) always count.

    No import path is followed, so that moving or re-exporting a definition changes nothing. Where two modules
    use one name, a definition too many may count. Not seen are names composed at run time
    (``getattr(module, name)``), methods that only other libraries call, and the versions of those libraries.

    Normalised texts leave out comments, layout, docstrings, type hints and import statements.
    """
    reached: set[tuple[str, str]] = set()
    occurring: set[str] = set()
    done: set[tuple[Path, str]] = set()
    pending = [(_module(path), name)]
    waiting: list[tuple[_Module, str, ast.stmt]] = []  # methods whose names have not occurred

    def count(module: _Module, label: str, part: ast.stmt) -> None:
        reached.add((label, f"{label} {_text(part)}"))
        for names in _names_in(part):
            occurring.update(names)
            pending.extend(_resolved(module, names, package))

    while pending:
        module, wanted = pending.pop()
        if (module.path, wanted) not in done:
            done.add((module.path, wanted))
            for statement in module.definitions.get(wanted, ()):
                part, methods = _without_methods(statement)
                count(module, wanted, part)
                waiting += [(module, wanted, method) for method in methods]
        if not pending:
            named = [each for each in waiting if _is_named(each[2], occurring)]
            waiting = [each for each in waiting if each not in named]
            for owner, of_class, method in named:
                count(owner, f"{of_class}.{method.name}", method)
    return reached


class _Module(NamedTuple):
    """Definitions of a file by name, and what it imports: local name to (module, name there)."""

    path: Path
    definitions: dict[str, list[ast.stmt]]
    imports: dict[str, tuple[str, str]]


@cache
def _module(path: Path) -> _Module:
    tree = ast.parse(path.read_text())
    module = _Module(path, {}, {})
    for statement in tree.body:
        for name in _defined_names(statement) - {"__all__"}:
            module.definitions.setdefault(name, []).append(statement)
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=source, names=names, level=level):
                dotted = "." * level + (source or "")
                module.imports.update({each.asname or each.name: (dotted, each.name) for each in names})
            case ast.Import(names=names):
                module.imports.update({each.asname or _first(each.name): (each.name, "") for each in names})
    return module


@cache
def _owners(package: Path) -> dict[str, list[_Module]]:
    """Return the modules of the package that define each name."""
    owners: dict[str, list[_Module]] = {}
    for path in sorted(package.rglob("*.py")):
        for name in _module(path).definitions:
            owners.setdefault(name, []).append(_module(path))
    return owners


def _defined_names(statement: ast.stmt) -> set[str]:
    """Return the names under which a top-level statement counts.

    They are the names that it binds; of a statement that binds none, such as a call, those that it uses. What
    a decorator is given counts as well: ``@register(Vector)`` adds something to ``Vector``.
    """
    if _has_no_effect(statement):
        return set()
    bound, used = set(), set()
    pending: list[ast.AST] = [statement]
    while pending:
        node = pending.pop()
        match node:
            case ast.Name(id=name, ctx=ast.Store()):
                bound.add(name)
            case ast.Name(id=name):
                used.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                given = [part for call in node.decorator_list for part in getattr(call, "args", ())]
                bound |= {name, *(part.id for part in given if isinstance(part, ast.Name))}
            case _ if not isinstance(node, _OWN_SCOPE):
                pending += ast.iter_child_nodes(node)
    return bound or used


def _without_methods(statement: ast.stmt) -> tuple[ast.stmt, list[Any]]:
    """Return a class without its methods, and these; any other statement as it is."""
    if not isinstance(statement, ast.ClassDef):
        return statement, []
    part = copy.copy(statement)
    part.body = [each for each in statement.body if not isinstance(each, _FUNCTIONS)]
    return part, [each for each in statement.body if isinstance(each, _FUNCTIONS)]


def _is_named(method: Any, occurring: set[str]) -> bool:
    return method.name in occurring or (method.name.startswith("__") and method.name.endswith("__"))


def _names_in(part: ast.stmt) -> Iterator[list[str]]:
    """Yield the names in a definition: of ``a.b.c``, [a, b, c]; of other attributes and strings, ["", b]."""
    pending: list[ast.AST] = [part]
    while pending:
        node = pending.pop()
        match node:
            case ast.Name(id=name):
                yield [name]
            case ast.Attribute(attr=name):
                dotted = ast.unparse(node).split(".")
                yield dotted if all(each.isidentifier() for each in dotted) else ["", name]
            case ast.Constant(value=str(name)) if name.isidentifier():
                yield ["", name]
        for _, value in _fields(node):
            parts = value if isinstance(value, list) else [value]
            pending += [each for each in parts if isinstance(each, ast.AST)]


def _resolved(module: _Module, names: list[str], package: Path) -> Iterator[tuple[_Module, str]]:
    """Yield where a dotted name is defined; nothing for local variables and other libraries."""
    if names[0] in module.definitions:
        yield module, names[0]
    if names[0] not in module.imports:
        return
    source, original = module.imports[names[0]]
    relative = source.startswith(".") and package in module.path.parents
    if relative or _first(source) == package.name:
        for each in (original, *names[1:]):
            yield from ((owner, each) for owner in _owners(package).get(each, ()))
        return
    study = module.path.with_name(f"{source.rpartition('.')[2]}.py")
    imported_module = module.path.with_name(f"{original}.py")
    if study.exists():
        yield from ((_module(study), each) for each in ((original,) if original else names[1:]))
    elif imported_module.exists():
        yield from ((_module(imported_module), each) for each in names[1:])


def _first(dotted: str) -> str:
    return dotted.partition(".")[0]


def _has_no_effect(statement: Any) -> bool:
    """Tell whether a statement is an import, a docstring or ``pass``."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return isinstance(statement.value.value, str)
    return isinstance(statement, (ast.Import, ast.ImportFrom, ast.Pass))


def _fields(node: ast.AST) -> Iterator[tuple[str, Any]]:
    """Yield the fields of a node that count; empty ones, which differ between versions of Python, do not."""
    for name, value in ast.iter_fields(node):
        kept = [each for each in value if not _has_no_effect(each)] if isinstance(value, list) else value
        if name not in _IGNORED and kept is not None and kept != []:
            yield name, kept


def _text(part: Any) -> str:
    """Write a part of a syntax tree as normalised text."""
    match part:
        case list():
            return f"[{','.join(_text(each) for each in part)}]"
        case ast.ClassDef():
            # A hint makes a name a field of a dataclass: that a hint is there counts, not what it says.
            return _node("ClassDef", part, lambda each: f"{type(each).__name__}:{_text(each)}")
        case ast.AnnAssign(target=target, value=value):
            return _text(ast.Assign([target], value))
        case ast.AST():
            return _node(type(part).__name__, part, _text)
    return repr(part)


def _node(kind: str, node: ast.AST, write: Callable[[Any], str]) -> str:
    inside = (
        f"{name}=[{','.join(map(write, value))}]" if isinstance(value, list) else f"{name}={_text(value)}"
        for name, value in _fields(node)
    )
    return f"{kind}({','.join(inside)})"
