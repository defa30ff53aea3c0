"""The tape recorder of the card table: import playtest logs, replay them, audit them against the rulebook, count."""

__version__ = "0.1.0"
