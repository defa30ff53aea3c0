"""German sentences of a rulebook in the words of the English ones by which they are read (`german.toml`)."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

_GERMAN: Final = re.compile(
    r"\b(?:der|die|das|man|und|oder|nicht|niemand|jeder|wer|ist|wird|werden|darf|muss|kein\w*|ein(?:e[nmrs]?)?)\b",
    re.IGNORECASE,
)
_ENGLISH: Final = re.compile(r"\b(?:the|and|or|you|not|nobody|each|is|may|must|of)\b", re.IGNORECASE)


def in_english_words(text: str) -> str:
    """Return a German sentence with the words that tell rules in English; any other sentence as it is."""
    if len(_GERMAN.findall(text)) <= len(_ENGLISH.findall(text)):
        return text
    return _pattern().sub(lambda match: _words()[match[0].casefold()], text)


@cache
def _pattern() -> re.Pattern[str]:
    words = sorted(_words(), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w)", re.IGNORECASE)


@cache
def _words() -> Mapping[str, str]:
    text = files("tabletape.dashboard.own_game").joinpath("german.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
