"""Top-level definitions and imports of source files, and the names that occur in them."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from studies.syntax_text import effective_fields, has_no_effect

__all__ = ["Function", "SourceFile", "names_in", "owners", "source_file", "without_methods"]

Function = ast.FunctionDef | ast.AsyncFunctionDef
_OWN_SCOPE = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)


class SourceFile(NamedTuple):
    """What a file defines by name, and what it imports: local name to (module, name there)."""

    path: Path
    definitions: dict[str, list[ast.stmt]]
    imports: dict[str, tuple[str, str]]


@cache
def source_file(path: Path) -> SourceFile:
    """Read a file once."""
    tree = ast.parse(path.read_text())
    file = SourceFile(path, {}, {})
    for statement in tree.body:
        for name in _defined_names(statement) - {"__all__"}:
            file.definitions.setdefault(name, []).append(statement)
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=module, names=names, level=level):
                source = "." * level + (module or "")
                file.imports.update({each.asname or each.name: (source, each.name) for each in names})
            case ast.Import(names=names):
                tops = {each.asname or each.name.partition(".")[0]: (each.name, "") for each in names}
                file.imports.update(tops)
    return file


@cache
def owners(package: Path) -> dict[str, list[SourceFile]]:
    """Return the files of a package that define each name."""
    files: dict[str, list[SourceFile]] = {}
    for path in sorted(package.rglob("*.py")):
        for name in source_file(path).definitions:
            files.setdefault(name, []).append(source_file(path))
    return files


def without_methods(statement: ast.stmt) -> tuple[ast.stmt, list[Function]]:
    """Return a class without its methods, and these; any other statement as it is."""
    if not isinstance(statement, ast.ClassDef):
        return statement, []
    fields = copy.copy(statement)
    fields.body = [each for each in statement.body if not isinstance(each, Function)]
    return fields, [each for each in statement.body if isinstance(each, Function)]


def names_in(part: ast.AST) -> Iterator[list[str]]:
    """Yield the names in a definition: ``a.b.c`` as [a, b, c], strings and other attributes as ["", b]."""
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
        for _, value in effective_fields(node):
            parts = value if isinstance(value, list) else [value]
            pending += [each for each in parts if isinstance(each, ast.AST)]


def _defined_names(statement: ast.stmt) -> set[str]:
    """Return the names under which a top-level statement counts.

    They are the names that it binds; of a statement that binds none, such as a call, those that it uses. What
    a decorator is given counts as well: ``@register(Vector)`` adds something to ``Vector``.
    """
    if has_no_effect(statement):
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
