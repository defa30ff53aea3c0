"""Charts: made with Altair, or as HTML that wraps at any width."""
