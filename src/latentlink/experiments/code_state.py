"""Which state of the library's sources computed a line."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path

import latentlink
from latentlink.experiments.case_lines import Lines

__all__ = ["code_of_lines", "source_code"]

_PACKAGE = Path(latentlink.__file__).parent


def source_code(package: Path = _PACKAGE) -> str:
    """Return 12 hexadecimal digits of the SHA-256 of all Python files of the package.

    The version alone does not tell two states of a development version apart.
    """
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        digest.update(path.relative_to(package).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def code_of_lines(lines: Lines) -> str:
    """Return a sentence on the states of the sources that computed the lines.

    Examples
    --------
    >>> code_of_lines([{"code": "0123456789ab"}] * 3)
    'The state of the sources was 0123456789ab in all of them.'
    """
    counts = Counter(line.get("code", "") for line in lines)
    if set(counts) == {""}:
        return "The state of the sources was not recorded."
    if len(counts) == 1:
        return f"The state of the sources was {next(iter(counts))} in all of them."
    states = ", ".join(f"{code or 'not recorded'} ({count:,})" for code, count in counts.items())
    return f"They are of {len(counts)} states of the sources: {states}."
