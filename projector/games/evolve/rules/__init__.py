"""The rules of Evolve, by section, and which of them are looked at for each line (`rows`)."""
