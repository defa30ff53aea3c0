"""Lines that could not be read: why, what they probably meant, and writing them right."""
