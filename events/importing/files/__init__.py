"""Files as they come in: found, unpacked, known from before, and kept."""
