"""A report in a notebook: the same page, inline in a frame of its own."""

from __future__ import annotations

import os
from dataclasses import dataclass
from html import escape
from pathlib import Path

from latentlink.report.page import page_html
from latentlink.report.report_data import ReportData
from latentlink.report.report_files import write_report

__all__ = ["Report"]


@dataclass(frozen=True, eq=False)
class Report:
    """A report of a fitted model: shown inline in a notebook, or saved as a file.

    Attributes
    ----------
    data : ReportData
        Everything that the page shows.
    height : int
        Height in pixels of the frame in a notebook.
    """

    data: ReportData
    height: int = 800

    def html(self) -> str:
        """Return the whole page."""
        return page_html(self.data)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the page, and its data into the folder ``report_data`` beside it; see `write_report`."""
        return write_report(self.data, path)

    def __repr__(self) -> str:
        return f"Report: {self.data.facts['title']}; save it with report.save('report.html')"

    def _repr_html_(self) -> str:
        # Scripts run in a sandbox without the notebook's origin.
        return (
            f'<iframe sandbox="allow-scripts" title="latentlink report" width="100%" height="{self.height}" '
            f'style="border: 0" srcdoc="{escape(self.html())}"></iframe>'
        )
