"""The API reference, made at build time from ``__all__`` of the public modules.

Each module has a page with a table of its names; each name has a page of its own, under the shortest module
that exports it. Docstrings are written for a terminal as well: formulas that are only indented become literal
blocks here, and names in single backticks become links where they are public, code where they are not.
"""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

MODULES = (
    "latentlink",
    "latentlink.network",
    "latentlink.solvers",
    "latentlink.regime",
    "latentlink.rank",
    "latentlink.uncertainty",
    "latentlink.metrics",
    "latentlink.evaluation",
    "latentlink.evaluation.baselines",
    "latentlink.proximity",
    "latentlink.splitting",
    "latentlink.datasets",
    "latentlink.estimators",
    "latentlink.estimators.shards",
    "latentlink.paper",
    "latentlink.report",
    "latentlink.experiments",
    "latentlink.scoring",
    "latentlink.folding",
    "latentlink.stacking",
    "latentlink.tables",
    "latentlink.factors",
    "latentlink.strategy",
    "latentlink.errors",
)
FOLDER = "api"
_SECTION = re.compile(r"^-{3,}\s*$")


def public_names() -> dict[str, list[str]]:
    """Return for each module the full names of what it exports; an object has one full name everywhere."""
    homes: dict[int, str] = {}
    exported: dict[str, list[str]] = {}
    for name in MODULES:
        module = import_module(name)
        exported[name] = []
        for public in sorted(module.__all__, key=str.lower):
            object_ = getattr(module, public)
            if public.startswith("_") or isinstance(object_, ModuleType):
                continue
            full = f"{name}.{public}"
            if callable(object_):
                full = homes.setdefault(id(object_), full)
            exported[name].append(full)
    return exported


def write_pages(app: Sphinx, config: object) -> None:
    """Write one page for each module and the page that lists them."""
    del config
    folder = Path(app.srcdir) / FOLDER
    folder.mkdir(exist_ok=True)
    pages = {f"{name}.rst": _module_page(name, full) for name, full in public_names().items()}
    pages["index.rst"] = _index_page()
    for name, text in pages.items():
        path = folder / name
        # What did not change is not written again, so that it is not read again.
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    for stale in {path.name for path in folder.glob("*.rst")} - set(pages):
        (folder / stale).unlink()


def _index_page() -> str:
    rows = [f"   * - :doc:`{name} <{name}>`\n     - {_summary(import_module(name))}" for name in MODULES]
    return "\n".join(
        [
            *_title("API reference"),
            "Every name that a public module exports in its ``__all__``. Those that do not change between "
            "minor versions are in :doc:`/stable-names`.",
            "",
            ".. list-table::",
            "   :widths: 30 70",
            "",
            *rows,
            "",
            ".. toctree::",
            "   :hidden:",
            "",
            *(f"   {name}" for name in MODULES),
            "",
        ]
    )


def _module_page(name: str, full_names: list[str]) -> str:
    own = [full for full in full_names if full.rpartition(".")[0] == name]
    elsewhere = [full for full in full_names if full not in own]
    lines = [*_title(name), _summary(import_module(name)), ""]
    for kind in ("Classes", "Functions", "Constants"):
        lines += _table(kind, [full for full in own if _kind(full) == kind], "   :toctree: generated")
    lines += _table("Documented under a shorter name", elsewhere)
    return "\n".join(lines)


def _table(heading: str, full_names: list[str], *options: str) -> list[str]:
    if not full_names:
        return []
    items = [f"   ~{full}" for full in full_names]
    return [f".. rubric:: {heading}", "", ".. autosummary::", *options, "   :nosignatures:", "", *items, ""]


def _kind(full: str) -> str:
    module, _, name = full.rpartition(".")
    object_ = getattr(import_module(module), name)
    return "Classes" if inspect.isclass(object_) else "Functions" if callable(object_) else "Constants"


def _title(text: str) -> list[str]:
    return [text, "=" * len(text), ""]


def _summary(module: ModuleType) -> str:
    return (inspect.getdoc(module) or "").split("\n")[0]


def readable_docstring(
    app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]
) -> None:
    """Show indented formulas of the summary as they are, and take bars and final underscores literally."""
    del app, what, name, obj, options
    headings = [n - 1 for n, line in enumerate(lines) if n and _SECTION.match(line)]
    summary, *sections = (lines[begin:end] for begin, end in pairwise([0, *headings, len(lines)]))
    lines[:] = _with_formulas(summary)
    for section in sections:
        # Names of parameters stand at the margin, and numpydoc escapes them itself.
        plain = section[0].strip() == "Examples"
        lines += [line if plain or line[:1].strip() else _literally(line) for line in section]


def _with_formulas(summary: list[str]) -> list[str]:
    marked: list[str] = []
    inside = table = False
    for line in summary:
        table = line.startswith("==") or (table and bool(line.strip()))
        indented = line.startswith("    ")
        if indented and not inside and marked and not marked[-1].strip():
            before = next((each for each in reversed(marked) if each.strip()), "")
            # A list item, a directive or a literal block goes on indented anyway.
            if not before.rstrip().endswith("::") and not re.match(r"\s*(\.\.|[-*]|\d+\.) ", before):
                marked += [".. code-block:: text", ""]
        inside = indented or (inside and not line.strip())
        marked.append(line if indented or table else _literally(line))
    return marked


def _literally(line: str) -> str:
    """Escape what reStructuredText would take for a reference, outside of backticks."""
    parts = line.split("`")
    parts[::2] = [re.sub(r"(?<=\w)_(?!\w)|(?<!:)\|", r"\\\g<0>", part) for part in parts[::2]]
    return "`".join(parts)


def skip_foreign(app: Sphinx, what: str, name: str, obj: Any, skip: bool, options: object) -> bool | None:
    """Leave out what is inherited from other libraries."""
    del app, what, name, skip, options
    function = obj.fget if isinstance(obj, property) else getattr(obj, "__func__", getattr(obj, "func", obj))
    module = getattr(function, "__module__", None)
    return True if module and not module.startswith("latentlink") else None


def link_or_code(app: Sphinx, env: Any, node: Any, content: nodes.TextElement) -> nodes.Element | None:
    """Resolve a short public name; what is not public is shown as code, without a link."""
    del app
    if node.get("refdomain") not in {"py", ""} or node.get("reftype") != "obj":
        return None
    target = node["reftarget"].rpartition(".")[2]
    object_ = [full for full in env.public_names if full.rpartition(".")[2] == target]
    if len(object_) == 1:
        domain = env.get_domain("py")
        kind = next((each.objtype for name, each in domain.objects.items() if name == object_[0]), None)
        if kind:
            node["reftarget"] = object_[0]
            return domain.resolve_xref(env, node["refdoc"], env.app.builder, "obj", object_[0], node, content)
    return nodes.literal("", content.astext())


def collect_names(app: Sphinx, env: Any, *others: object) -> None:
    """Keep the public names with the environment."""
    del app, others
    env.public_names = sorted({full for names in public_names().values() for full in names})


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the steps; the pages are there before Sphinx looks for sources."""
    app.connect("config-inited", write_pages)
    app.connect("env-before-read-docs", collect_names)
    app.connect("autodoc-process-docstring", readable_docstring, priority=100)
    app.connect("autodoc-skip-member", skip_foreign)
    app.connect("missing-reference", link_or_code)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
