"""The games, one folder each, found by scanning (see `projector.model.game`)."""
