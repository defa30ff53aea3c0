"""Proposing a map for a file that nobody has described."""
