"""What a captured text means: a player, a card, a number, a time."""
