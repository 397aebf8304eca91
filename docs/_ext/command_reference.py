"""The reference of the command line, made at build time from the commands themselves by Typer."""

from __future__ import annotations

import re
from pathlib import Path

import typer
from sphinx.application import Sphinx
from typer.cli import get_docs_for_click

from latentlink.cli import app as commands

PAGE = Path("commands", "reference.md")
_SHORTENED = re.compile(r"^\* `([\w-]+)`: .*\.\.\.$", re.MULTILINE)
_EXAMPLES = re.compile(r"^Examples\n-+\n", re.MULTILINE)


def reference() -> str:
    """Return the reference of all commands as Markdown."""
    group = typer.main.get_command(commands)
    context = typer.Context(group, info_name="latentlink")
    text = get_docs_for_click(obj=group, ctx=context, name="latentlink", title="Reference of the commands")
    first_lines = _first_lines(group)  # Typer ends them after 45 characters
    text = _SHORTENED.sub(lambda match: f"* `{match[1]}`: {first_lines[match[1]]}", text)
    return _EXAMPLES.sub("**Examples**:\n\n", text).strip() + "\n"


def _first_lines(group: typer.core.TyperGroup) -> dict[str, str]:
    """Return the first line of the help of each command, those of groups within the group included."""
    found = {}
    for name, each in group.commands.items():
        found[name] = (each.help or "").splitlines()[0]
        if isinstance(each, typer.core.TyperGroup):
            found |= _first_lines(each)
    return found


def write_page(app: Sphinx, config: object) -> None:
    """Write the page, unless it is there already."""
    del config
    path, text = Path(app.srcdir) / PAGE, reference()
    path.parent.mkdir(exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the writer to the build."""
    app.connect("config-inited", write_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
