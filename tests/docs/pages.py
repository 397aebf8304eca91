"""The pages that are tested, and the parts of them that tests look at."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
DOCS = ROOT / "docs"
GENERATED = ("_build", "api", "commands", "gallery")
PAGES = sorted(
    page
    for page in [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]
    if not page.is_relative_to(DOCS) or page.relative_to(DOCS).parts[0] not in GENERATED
)


def name(page: Path) -> str:
    """Return the path of a page within the repository."""
    return page.relative_to(ROOT).as_posix()


def text(page: Path) -> str:
    """Return the whole page."""
    return page.read_text(encoding="utf-8")


def blocks(page: Path) -> list[str]:
    """Return the Python blocks of a page."""
    return re.findall(r"^```python\n(.*?)^```", text(page), re.MULTILINE | re.DOTALL)
