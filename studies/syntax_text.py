"""Text of a syntax tree without what cannot change a result: docstrings, hints, imports, error messages."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["effective_fields", "has_no_effect", "syntax_text"]

# Type hints, and what the parser derives by itself.
_IGNORED = {"annotation", "returns", "type_comment", "type_params", "ctx", "kind", "simple"}


def has_no_effect(statement: Any) -> bool:
    """Tell whether a statement is an import, a docstring, ``pass``, or an error that ends a run."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return isinstance(statement.value.value, str)
    return isinstance(statement, (ast.Import, ast.ImportFrom, ast.Pass, ast.Raise))


def effective_fields(node: ast.AST) -> Iterator[tuple[str, Any]]:
    """Yield the fields of a node that count; empty ones, which differ between versions of Python, do not."""
    for name, value in ast.iter_fields(node):
        effective = [each for each in value if not has_no_effect(each)] if isinstance(value, list) else value
        if name not in _IGNORED and effective is not None and effective != []:
            yield name, effective


def syntax_text(part: Any) -> str:
    """Write a part of a syntax tree, the same way in all versions of Python.

    Examples
    --------
    >>> import ast
    >>> syntax_text(ast.parse("x: int = 2  # a comment"))
    "Module(body=[Assign(targets=[Name(id='x')],value=Constant(value=2))])"
    """
    match part:
        case ast.ClassDef():
            # A hint makes a name a field of a dataclass: that a hint is there counts, not what it says.
            return _node_text(part, lambda each: f"{type(each).__name__}:{syntax_text(each)}")
        case ast.AnnAssign(target=target, value=value):
            return syntax_text(ast.Assign([target], value))
        case ast.AST():
            return _node_text(part, syntax_text)
    return repr(part)


def _node_text(node: ast.AST, write: Callable[[Any], str]) -> str:
    inside = (
        f"{name}=[{','.join(map(write, value))}]"
        if isinstance(value, list)
        else f"{name}={syntax_text(value)}"
        for name, value in effective_fields(node)
    )
    return f"{type(node).__name__}({','.join(inside)})"
