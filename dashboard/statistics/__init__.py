"""Statistics: one method a file, pure functions on numbers, each with its source. Nothing here knows a page."""
