"""The replay: a table that steps by itself in a browser."""
