"""What players say of the end of their game in words: that it is over, or that they have won it."""

import re
from collections.abc import Mapping
from typing import Any, Final

_OVER: Final = re.compile(
    r"\b(?:game over|(?:game ends|the end)(?! (?:of|if|when|in|after|next)\b)|that'?s (?:the |it, )?game)\b",
    re.IGNORECASE,
)
"""With these words somebody says that the game is over."""

_CLAIM: Final = re.compile(r"(?:[a-z]+,? ){0,2}i(?: have|'ve)? (?:win|won)\b(?!['\u2019])", re.IGNORECASE)
_VICTORY: Final = re.compile(
    r"(?:(?:so|well|then|and|ok|okay|yes|yay|ha|haha|gg|wow|nice|now|oh|hey|finally|done|game over)[,.!]* ){0,3}"
    r"i(?: have|'ve)? (?:win|won)"
    r"(?P<behind>(?:[^\w?{}'\u2019]|\{n\}"
    r"|\b(?:(?:the|this|that) (?:game|match)|again|then|now|by|with|to|points?|vp|ggs?|good games?|thanks|thx)\b)*)",
    re.IGNORECASE,
)
"""Somebody has won, and says no more: `I win if you pass`, `I won the trick` and `did I win` are other things."""


def over_said(words: str) -> Mapping[str, Any] | None:
    """Return the end of a game that a remark behind a move says; None where it says none."""
    if _VICTORY.fullmatch(words.strip()):
        return _end(is_won=True)
    return _end(is_won=False) if _OVER.search(words) else None


def end_said(shape: str) -> tuple[str, Mapping[str, Any]] | None:
    """Return the sentence and the entry of a message that begins with somebody who has won; None for any other.

    Neither has anything where more is said, of which nobody knows whether the game is won by it.
    """
    who, _, message = shape.partition(": ")
    if who != "{player}" or not _CLAIM.match(message):
        return None
    match = _VICTORY.fullmatch(message)
    if match is None:
        return "", {}
    behind = match["behind"].split("{n}")
    holes = [f"{{n{at}:number}}" for at in range(1, len(behind))]
    said = "".join(f"{text}{hole}" for text, hole in zip(behind, [*holes, ""], strict=True))
    return f"{{player}}: {message[: match.start('behind')]}{said}", _end(is_won=True)


def _end(*, is_won: bool) -> dict[str, Any]:
    return {"event": "game.ended", "with": {"reason": "said", **({"winner": "{player}"} if is_won else {})}}
