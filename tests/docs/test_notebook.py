"""The notebook of the paper's Dog study runs, and shows what it says."""

from __future__ import annotations

import nbformat
import pytest
from nbclient import NotebookClient

from tests.docs.pages import ROOT

NOTEBOOK = ROOT / "examples" / "dog_study.ipynb"


def printed(notebook):
    """What the code cells have printed."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    return "".join(
        output.text for output in outputs if output.output_type == "stream" and output.name == "stdout"
    )


@pytest.mark.slow
# The kernel's own machinery warns of its sockets.
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning", "ignore::RuntimeWarning")
def test_the_notebook_runs_and_prints_what_is_stored():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    stored = printed(notebook)
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    again = printed(notebook)
    assert "BNMFk kmeans, default: rank 4 (agreed)" in again
    # Ranks and statuses; figures may differ in the last digit on other machines.
    assert [line for line in again.splitlines() if ": rank" in line] == [
        line for line in stored.splitlines() if ": rank" in line
    ]
    assert len(stored) > 500
