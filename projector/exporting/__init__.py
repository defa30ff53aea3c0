"""Stored games written for other programs and for people: BG Stats, OCEL, XES, a workbook, a transcript."""
