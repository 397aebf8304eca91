"""The report of a fitted model: one self-contained HTML page, its data beside it, and figures."""

from latentlink.report.gather import gather_report
from latentlink.report.notebook import Report
from latentlink.report.report_data import ReportData
from latentlink.report.report_files import read_report_data, write_report

__all__ = ["Report", "ReportData", "gather_report", "read_report_data", "write_report"]
