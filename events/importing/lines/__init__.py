"""Lines of a log: JSON, or as people write; what each of them says, and why one cannot be read."""
