"""Digest of the code that a study's ``run`` reaches, independent of files, imports, docstrings and hints."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from pathlib import Path

import latentlink
from studies.definitions import Function, SourceFile, names_in, owners, source_file, without_methods
from studies.syntax_text import syntax_text

__all__ = ["code_digest", "reached_definitions"]

_PACKAGE = Path(latentlink.__file__).parent


def code_digest(path: Path, name: str, package: Path = _PACKAGE) -> str:
    """Return 12 hexadecimal digits that stay the same as long as the definitions that are reached do.

    Each text of `reached_definitions` is hashed, and the sorted set of these hashes is hashed again. So
    neither the order of definitions counts nor the file in which they stand.

    Parameters
    ----------
    path : Path
        File of a study, beside those of the other studies.
    name : str
        Function of that file that computes one case.
    package : Path
        Folder of the package that the study is about.
    """
    texts = {f"{label} {text}" for label, text in reached_definitions(path, name, package)}
    hashes = sorted(hashlib.sha256(text.encode()).hexdigest() for text in texts)
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

    No import path is followed, so that moving or re-exporting a definition changes nothing. Where two files
    use one name, a definition too many may count. Not seen are names composed at run time
    (``getattr(module, name)``), methods that only other libraries call, and the versions of those libraries.

    Normalised texts leave out comments, layout, docstrings, type hints and import statements.
    """
    reached: set[tuple[str, str]] = set()
    occurring: set[str] = set()
    done: set[tuple[Path, str]] = set()
    pending = [(source_file(path), name)]
    unnamed: list[tuple[SourceFile, str, Function]] = []

    def count(file: SourceFile, label: str, part: ast.stmt) -> None:
        reached.add((label, syntax_text(part)))
        for names in names_in(part):
            occurring.update(names)
            pending.extend(_defining_files(file, names, package))

    while pending:
        file, wanted = pending.pop()
        if (file.path, wanted) not in done:
            done.add((file.path, wanted))
            for statement in file.definitions.get(wanted, ()):
                part, methods = without_methods(statement)
                count(file, wanted, part)
                unnamed += [(file, wanted, method) for method in methods]
        if not pending:
            named = [each for each in unnamed if each[2].name in occurring or _is_special(each[2].name)]
            unnamed = [each for each in unnamed if each not in named]
            for owner, of_class, method in named:
                count(owner, f"{of_class}.{method.name}", method)
    return reached


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _defining_files(file: SourceFile, names: list[str], package: Path) -> Iterator[tuple[SourceFile, str]]:
    """Yield where a dotted name is defined; nothing for local variables and other libraries."""
    first, *attributes = names
    if first in file.definitions:
        yield file, first
    if first not in file.imports:
        return
    source, original = file.imports[first]
    relative = source.startswith(".") and package in file.path.parents
    if relative or source.partition(".")[0] == package.name:
        for each in (original, *attributes):
            yield from ((owner, each) for owner in owners(package).get(each, ()))
        return
    study, module = (file.path.with_name(f"{each}.py") for each in (source.rpartition(".")[2], original))
    if study.exists():
        yield from ((source_file(study), each) for each in ([original] if original else attributes))
    elif module.exists():
        yield from ((source_file(module), each) for each in attributes)
