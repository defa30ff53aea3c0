"""The screen of `tabletape replay`."""
