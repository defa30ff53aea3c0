"""Games as one file that opens without Tabletape."""
