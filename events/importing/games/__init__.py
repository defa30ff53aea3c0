"""From lines to games: who sits there, what a line means at that table, and what is left out."""
