"""How the report was made: settings of the model, the run, versions, and how to cite."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy
import sklearn

import latentlink
from latentlink.report.citation import BIBTEX, CITATION
from latentlink.validation.wording import shortened

__all__ = ["run_notes", "settings_facts"]

_LONGEST = 300


def settings_facts(model: Any, run: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return settings, versions, the command and the citation as lists of labels and text.

    Parameters
    ----------
    model : fitted model
    run : mapping or None
        What the caller knows of the run: ``command`` is text; other values, also nested ones, are listed.
    """
    run = dict(run or {})
    command = run.pop("command", "")
    versions = run.pop("versions", None) or _versions()
    # Shown beside the links, where there is space.
    for name in ("limits", "supposed_share_of_links", "unknown_like_known"):
        run.pop(name, None)
    own = {name: value for name, value in model.get_params(deep=False).items() if value is not None}
    return {
        "model": repr(model) if len(repr(model)) <= _LONGEST else type(model).__name__,
        "piped": (run or {}).get("data") == "-",
        "command": command if isinstance(command, str) else " ".join(map(str, command)),
        "settings": _lines(own),
        "run": _lines(run),
        "versions": _lines(versions),
        "citation": CITATION,
        "bibtex": BIBTEX,
    }


def run_notes(run: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return what a run states about its method and its guarantees, for the sections that these concern.

    ``method`` and ``calibration`` of a run are sentences, or mappings with ``reason`` and with ``sentence``
    and ``limits``; ``limits`` may also be a key of the run.
    """
    run = run or {}
    limits = run.get("limits", _inside(run.get("calibration"), "limits", ()))
    return {
        "method_reason": str(_inside(run.get("method", ""), "reason", run.get("method", ""))),
        "calibration": str(_inside(run.get("calibration", ""), "sentence", run.get("calibration", ""))),
        "limits": [limits] if isinstance(limits, str) else [str(limit) for limit in limits],
    }


def _inside(value: Any, name: str, otherwise: Any) -> Any:
    """Return an entry of a mapping; something else if there is no mapping."""
    return value.get(name, "") if isinstance(value, Mapping) else otherwise


def _versions() -> dict[str, str]:
    modules = {"latentlink": latentlink, "numpy": np, "scipy": scipy, "scikit-learn": sklearn}
    return {name: str(module.__version__) for name, module in modules.items()} | {
        "python": platform.python_version()
    }


def _lines(values: Mapping[str, Any], before: str = "") -> list[list[str]]:
    """Return nested values as pairs of a dotted name and a text."""
    lines: list[list[str]] = []
    for name, value in values.items():
        label = f"{before}{name}"
        if isinstance(value, Mapping):
            lines += _lines(value, f"{label}.")
        else:
            lines.append([label, _text(value)])
    return lines


def _text(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    text = value if isinstance(value, str) else repr(value)
    text = text.encode("utf-8", "replace").decode()
    return text if len(text) <= _LONGEST else shortened(text, _LONGEST).strip("'\"")
