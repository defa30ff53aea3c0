"""The rulebook of Evolve, chapter by chapter: what a line needs, what it does and what of it is offered."""
