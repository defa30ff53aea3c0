"""The rules of Crystal Factions, in the rulebook's order, and which of them are looked at for each line."""
