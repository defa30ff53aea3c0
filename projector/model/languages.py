"""The language in which events are put into words: English, or what a catalogue has for it.

The English words are the keys, as everywhere in gettext; what a catalogue has not stays English.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

Words = Mapping[str, str]
"""What English words are in another language; holes in braces have the same names in both."""

_SPOKEN_WORDS: Final[ContextVar[Words | None]] = ContextVar("the words of the language that is spoken", default=None)


@contextmanager
def spoken(words: Words) -> Iterator[None]:
    """Say everything that is put into words meanwhile in the language of these words."""
    before = _SPOKEN_WORDS.set(words)
    try:
        yield
    finally:
        _SPOKEN_WORDS.reset(before)


def say(text: str, **holes: object) -> str:
    """Return English words in the language that is spoken, with their holes filled in."""
    words = _SPOKEN_WORDS.get()
    meant = text if words is None else words.get(text, text)
    return meant.format(**holes) if holes else meant
