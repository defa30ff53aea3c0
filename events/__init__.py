"""What happened, and keeping it: the vocabulary of each game, the log, its integrity, the importers."""
