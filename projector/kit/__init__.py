"""What games have in common beyond the table: seats and zones, common rules, written lines in words, card text."""
