"""What a game is made of: the table and its things, the rules, the rulebook, the contract of a game."""
