"""Mending: the slip behind a finding, named as the single edit of the log that explains it."""
