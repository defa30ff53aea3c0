"""What games have in common beyond the table: their common rules, what is said of written lines, card text."""
