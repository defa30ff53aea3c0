"""A log that is kept while the game is played: what is due, what can be tapped, what is typed, and what is written."""
