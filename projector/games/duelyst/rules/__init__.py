"""The rules of the Duelyst-style game, by section, and which of them are looked at for each line (`rows`)."""
