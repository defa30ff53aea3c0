"""Spreadsheets to fill in, which import as they are."""
