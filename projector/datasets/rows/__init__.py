"""The rows that a game gives to the datasets: one module for each kind of them, and what they are counted from."""
