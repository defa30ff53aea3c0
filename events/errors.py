"""The one error above all errors that are ours."""


class TabletapeError(Exception):
    """What was asked cannot be done; the message is for the person who asked, and says what to do instead."""


class RefusedError(TabletapeError):
    """What was asked for makes no sense, or not here: an unknown game, two ways for one thing, a closed tape."""
