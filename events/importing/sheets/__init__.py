"""Logs as sheets: one event a row, in CSV or a workbook."""
