"""An own game: its file begun from a chat and a rulebook, the sentences that it watches, and what they come to."""
