"""The fold: events in, a table and findings out."""
