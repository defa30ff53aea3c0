"""The one error above all errors that are ours, and what any error says."""


class TabletapeError(Exception):
    """What was asked cannot be done; the message is for the person who asked, and says what to do instead."""


class RefusedError(TabletapeError):
    """What was asked for makes no sense, or not here: an unknown game, two ways for one thing, a closed tape."""


def said_by(error: BaseException) -> str:
    """Return the name of an error and the first line of what it says, be it that it cannot say anything."""
    try:
        said = str(error)
    except BaseException:  # noqa: BLE001 - a text that cannot be made is no reason to stop either
        said = "it does not say why"
    return f"{type(error).__name__}: {said}".rstrip(": ").partition("\n")[0]
