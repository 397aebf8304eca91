"""README and documentation pages show what happens: every Python block runs, every link leads to a file."""

import re
import subprocess
import sys

import pytest

import latentlink
from latentlink import rank, regime, solvers
from tests.docs.pages import DOCS, PAGES, README, ROOT, blocks, name, text

WITH_BLOCKS = [page for page in PAGES if blocks(page)]
WRITTEN = {
    "docs/tour.md": {"model", "search"},
    "docs/extending.md": {"friends.txt"},
    "docs/report.md": {"report.html", "report_data"},
}
CALLS = sorted(
    {
        call
        for page, heading in ((README, "## Methods"), (DOCS / "how-to-choose.md", "## The paper's methods"))
        for line in text(page).split(heading)[1].split("\n## ")[0].splitlines()
        for call in re.findall(r"`([^`]*\([^`]*)`", line)
    }
)
DEMO_LINE = re.compile(r"^ *(\d+) +(-?[\d.]+) +(-?[\d.e-]+) *$", re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("page", WITH_BLOCKS, ids=name)
def test_blocks_run_in_order(page, tmp_path, monkeypatch, capsys):
    """A later block may use what an earlier one has made; what follows a print is in its output."""
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "page"}
    for number, block in enumerate(blocks(page), 1):
        exec(compile(block, f"{name(page)}, Python block {number}", "exec"), names)
        shown = capsys.readouterr().out
        for expected in re.findall(r"^ *(?:print\(.*)?\)  # (.*)$", block, re.MULTILINE):
            assert expected in shown, f"block {number}"
    # Nothing is written that a block does not name.
    assert {path.name for path in tmp_path.iterdir()} == WRITTEN.get(name(page), set())


def test_pages_and_calls_are_found():
    assert {"README.md", "docs/index.md", "docs/tour.md", "docs/extending.md"} <= set(map(name, WITH_BLOCKS))
    assert len(CALLS) >= 15


def test_the_first_example_is_short():
    lines = [line for line in blocks(README)[0].splitlines() if line.strip()]
    assert len(lines) <= 12
    assert blocks(DOCS / "index.md")[0] == blocks(README)[0]


@pytest.mark.parametrize("call", CALLS)
def test_calls_of_the_methods_exist(call):
    names = {"ranks": range(1, 4), "k": 3}
    for module in (latentlink, rank, regime, solvers):
        names |= {public: getattr(module, public) for public in module.__all__}
    assert eval(call, names) is not None


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_to_files(page):
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text(page)):
        if not target.startswith(("http://", "https://", "api/", "commands/")):
            assert (page.parent / target).is_file(), target


def test_the_picture_is_small():
    assert 0 < (DOCS / "_static" / "overview.png").stat().st_size < 200_000


@pytest.mark.slow
def test_the_tour_shows_the_output_of_the_demonstration(tmp_path):
    """Of ranks beyond the chosen one the numbers are noise, and are not compared."""
    command = [sys.executable, "-m", "latentlink", "demo", "--out", str(tmp_path / "demo")]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", cwd=ROOT, check=True)
    shown = text(DOCS / "tour.md").split("```text\n")[1].split("```")[0]
    printed, written = DEMO_LINE.findall(done.stdout), DEMO_LINE.findall(shown)
    assert (
        [line[0] for line in printed] == [line[0] for line in written] == [str(rank) for rank in range(1, 9)]
    )
    for here, there in zip(written[:4], printed[:4], strict=True):
        assert list(map(float, here)) == pytest.approx(list(map(float, there)), abs=0.05)
    for output in (shown, done.stdout):
        plain = " ".join(output.split())
        assert "Method: bnmfk, since it is a matrix of zeros and ones, of which 90 % is known" in plain
        assert "Rank 4 (agreed): held-out error" in plain
        assert "Of 640 hidden entries 640 are predicted right" in plain
