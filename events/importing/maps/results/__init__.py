"""Results: rows that each are a game, or a player of one."""
