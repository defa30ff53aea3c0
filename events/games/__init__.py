"""The event types of each game, one module a game, found by scanning (see `events.vocabulary`)."""
