"""What the log means: the table, the games and their rules, the fold, the audit, self-play, the datasets."""
