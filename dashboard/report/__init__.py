"""What an evening of playtests came to, as a text that is printed or sent."""
