"""The way in: one file a verb (`cli/audit.py` is `tabletape audit`)."""

__version__ = "0.1.0"
