"""The way in: one file a verb (`cli/audit.py` is `tabletape audit`)."""
