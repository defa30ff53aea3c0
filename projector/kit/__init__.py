"""What the games have in common beyond the table: rules that all of them have, and what is said of written lines."""
