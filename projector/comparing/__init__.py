"""Stored games under other readings of the rulebook than their own, and what that changes."""
