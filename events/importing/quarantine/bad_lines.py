"""A line that cannot be taken, or about which somebody is to be asked; and what was probably meant."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from tabletape.events.errors import TabletapeError
from tabletape.events.vocabulary import Event, Vocabulary

Path = tuple[str | int, ...]

_DIGIT: Final = re.compile(r"\d")

MIN_SIMILARITY: Final = 60
"""A word is suggested if it is at least this similar (rapidfuzz ratio, 0-100)."""

SAME_SIMILARITY: Final = 90
"""A name is taken for a known one if it is at least this similar, and no other is."""


BARE_COPY: Final = "bare-copy"
"""The code of a line that names a card without a number, of which its owner has several."""

UNKNOWN_WORD: Final = "unknown-word"
"""The code of a line with a word that is almost one of the few that stand in its place."""

BROKEN_GAME: Final = "broken-game"
"""The code of a line of a game that cannot be read because of a file in the workspace, or of a package."""

NEW_CARD: Final = "new-card"
UNREAD_TIME: Final = "unread-time"
DOUBTS: Final = frozenset({NEW_CARD, UNREAD_TIME})
"""The codes of entries about lines that were taken, and about which somebody is to be asked."""


class BadLineError(TabletapeError):
    """A line that cannot be taken: a code, the path to the offending key or value, the reason, a suggestion."""

    def __init__(self, code: str, path: Path, message: str, suggestion: str = "", *, at_key: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.path = path
        self.message = message
        self.suggestion = suggestion
        self.at_key = at_key


class BrokenGameError(BadLineError):
    """A line of a game whose own files cannot be read: nothing is wrong with the line."""

    def __init__(self, message: str) -> None:
        super().__init__(BROKEN_GAME, (), message)


class DoubtError(BadLineError):
    """A line that can be taken as it stands, but about which somebody is to be asked."""


def half_a_letter(path: Path, escape: str) -> BadLineError:
    """Return what is wrong with a JSON text in which half of a surrogate pair stands alone."""
    message = f"{escape} is half a letter: JSON writes such a letter as two of these"
    return BadLineError("not-json", path, message, "write the letter itself, in UTF-8")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return `did you mean …?` for the nearest known word, or an empty string where none is near."""
    nearest = process.extractOne(word, list(known), scorer=fuzz.ratio, score_cutoff=MIN_SIMILARITY)
    return f"did you mean `{nearest[0]}`?" if nearest else ""


def type_hint(written: str, vocabulary: Vocabulary) -> str:
    """Return which event type is to be written in place of one that there is not, empty where none is near."""
    instead = vocabulary.written_as.get(written)
    return f"write `{instead}`" if instead else did_you_mean(written, vocabulary.types)


def almost(text: str, known: Iterable[str]) -> list[str]:
    """Return the known names that a text is almost written like; names that differ in a number are different names."""
    alike = process.extract(text, list(known), scorer=fuzz.ratio, score_cutoff=SAME_SIMILARITY, limit=None)
    return [name for name, _, _ in alike if _DIGIT.findall(name) == _DIGIT.findall(text)]


def slip_of(text: str, known: Iterable[str]) -> str:
    """Return the known name that a text is but for one slip of typing; empty where none is, or several are.

    A slip is one letter that is wrong, missing, too many or swapped with the next (Damerau-Levenshtein distance 1), in
    a text that is long enough to be like the name all the same.
    """
    near = [name for name in almost(text, known) if OSA.distance(text, name) == 1]
    return near[0] if len(near) == 1 else ""


def taken_for(written: str, name: str) -> str:
    """Return what is said of a word that was taken for a known name."""
    return f"`{written}` was taken for `{name}`, the only known name that is written almost so"


class TakenWordsError(Exception):
    """An event that a map has made of a line: no error, but `taken` of its words were taken for others."""

    def __init__(self, event: Event, taken: Sequence[str]) -> None:
        super().__init__(*taken)
        self.event = event
        self.taken = taken


class NewGame(Exception):  # noqa: N818 - no error: it leaves the short way where a game begins
    """The event is the `game.started` of the next game."""
