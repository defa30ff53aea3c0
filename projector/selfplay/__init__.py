"""Bots play whole games by the legal decisions."""
