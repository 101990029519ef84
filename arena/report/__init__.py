"""The report: a result file as one HTML page, with the numbers as CSV and JSON beside it."""

from arena.report.collect import Stored, read_store, report_data
from arena.report.model import ReportData
from arena.report.write import write_data, write_report

__all__ = ["ReportData", "Stored", "read_store", "report_data", "write_data", "write_report"]
