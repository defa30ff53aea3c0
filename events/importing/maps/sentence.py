"""Sentences of a map: `{player} plays {card}` is matched against a line, and the holes capture what stands there.

A sentence is never a regular expression, so no line and no map makes a match slow: a hole takes as little as it can,
and where the rest of the sentence does not fit behind one place of a text, it is never tried again behind a later one.
A match takes time in proportion to the length of the line, and no more steps than its file has left (`effort`).
"""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, Literal, NamedTuple

from tabletape.events.errors import TabletapeError
from tabletape.events.importing.maps.effort import Effort
from tabletape.events.importing.maps.values.times import LOOKS

Kind = Literal["text", "player", "word", "number", "time"]

KINDS: Final[Mapping[str, Kind]] = {"text": "text", "number": "number", "time": "time", "player": "player"}
"""What may stand behind the colon of a hole: `{amount:number}`."""

OPEN_HOLES: Final = frozenset({"text", "player", "time"})
"""Holes that end where what stands behind them begins."""

_PARTS: Final = re.compile(r"\{([^{}]*)\}")
_NAME: Final = re.compile(r"[a-z_][a-z0-9_]*")
_NUMBER: Final = re.compile(r"[-+\u2212]?\d+(?:[.,]\d+)*")


class SentenceError(TabletapeError):
    """A sentence that cannot be read; the message says what is wrong with it."""


class Hole(NamedTuple):
    """A hole of a sentence; a `word` captures nothing: one of several ways to write the same."""

    kind: Kind
    name: str


class Sentence(NamedTuple):
    """A sentence in parts, texts and holes; `needle` is its longest text, which a line has to contain."""

    written: str
    parts: tuple[str | Hole, ...]
    needle: str

    @property
    def captures(self) -> tuple[str, ...]:
        """The names of its holes, in order."""
        return tuple(part.name for part in self.parts if isinstance(part, Hole) and part.kind != "word")

    @property
    def texts(self) -> tuple[str, ...]:
        """The names of its holes that take any text."""
        return tuple(part.name for part in self.parts if isinstance(part, Hole) and part.kind == "text")

    @property
    def is_open(self) -> bool:
        """Whether one of its holes takes any text, and not only a name of somebody or something, a number or a time."""
        return not {"card", "cards"}.issuperset(self.texts)


def read_sentence(written: str, words: Mapping[str, Sequence[str]]) -> Sentence:
    """Read a sentence; `words` are the names that stand for several ways to write the same.

    Raises `SentenceError` for a hole that is not closed, has no name or stands twice, for two holes side by side where
    nothing says where the first ends, and for a sentence that any line would fit.
    """
    pieces = _PARTS.split(written)
    parts: list[str | Hole] = []
    for index, piece in enumerate(pieces):
        if index % 2:
            parts.append(_hole(piece, words))
        elif piece:
            if "{" in piece or "}" in piece:
                raise SentenceError(f"a hole is written {{name}}; one of the braces in {written!r} has no partner")
            parts.append(piece)
    _require_order(written, parts)
    texts = [part for part in parts if isinstance(part, str)]
    return Sentence(written, tuple(parts), max(texts, key=len, default=""))


def _hole(inner: str, words: Mapping[str, Sequence[str]]) -> Hole:
    name, colon, kind = inner.partition(":")
    if not _NAME.fullmatch(name):
        raise SentenceError(f"the name of a hole is one word in small letters, not {{{inner}}}")
    if not colon:
        if name in words:
            return Hole("word", name)
        return Hole("player" if name == "player" else "text", name)
    if kind not in KINDS:
        raise SentenceError(f"{{{inner}}}: behind the colon stands {', '.join(KINDS)}")
    return Hole(KINDS[kind], name)


def _require_order(written: str, parts: Sequence[str | Hole]) -> None:
    names = [part.name for part in parts if isinstance(part, Hole) and part.kind != "word"]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise SentenceError(f"the hole {{{twice}}} stands twice in {written!r}; give the second a name of its own")
    for part, after in pairwise(parts):
        if isinstance(part, Hole) and part.kind in OPEN_HOLES and isinstance(after, Hole):
            raise SentenceError(f"nothing stands between {{{part.name}}} and {{{after.name}}} in {written!r}")
    if not any(part.strip() if isinstance(part, str) else part.kind in {"word", "time"} for part in parts):
        raise SentenceError(f"{written!r} fits every line: at least one word has to stand beside the holes")


class Matcher:
    """Matches one sentence against lines, with the names that its player holes may take, the longest first."""

    def __init__(
        self,
        sentence: Sentence,
        players: Sequence[str] | None,
        words: Mapping[str, Sequence[str]],
        effort: Effort | None = None,
    ) -> None:
        """Prepare a sentence; without `players` any text may be a player (that is how they are found).

        `effort` is that of the file; without it every match may take as much as a whole file at its beginning.
        """
        self._effort = effort
        self.sentence = sentence
        self.needle = sentence.needle
        self._parts = tuple(
            Hole("text", part.name) if players is None and isinstance(part, Hole) and part.kind == "player" else part
            for part in sentence.parts
        )
        by_length = tuple(sorted(players or (), key=len, reverse=True))
        self._options = {
            index: by_length
            if part.kind == "player"
            else tuple(sorted(words.get(part.name, ()), key=len, reverse=True))
            for index, part in enumerate(self._parts)
            if isinstance(part, Hole) and part.kind in {"player", "word"}
        }

    def match(self, line: str) -> dict[str, str] | None:
        """Return what the holes capture if the whole line is the sentence, else None.

        Raises `EffortError` where that takes more steps than the file has left.
        """
        if self.needle not in line:
            return None
        texts: dict[str, str] = {}
        self._take = (self._effort or Effort()).take
        return texts if self._rest(line, 0, 0, texts, {}) else None

    def _rest(self, line: str, part: int, at: int, texts: dict[str, str], tried: dict[int, int]) -> bool:
        """Match the parts from `part` on, from the offset `at` on; `tried` has the offsets where texts failed."""
        if part == len(self._parts):
            return at == len(line)
        here = self._parts[part]
        if isinstance(here, str):
            return line.startswith(here, at) and self._rest(line, part + 1, at + len(here), texts, tried)
        if here.kind in {"text", "time"}:
            return self._text(line, part, at, texts, tried)
        if here.kind == "number":
            shape = _NUMBER.match(line, at)
            return shape is not None and self._capture(line, part, at, shape.end(), texts, tried)
        self._take(len(self._options[part]) >> 4)
        is_name = here.kind == "player"  # in a chat people write names in small letters
        for option in self._options[part]:
            end = at + len(option)
            if not (line.startswith(option, at) or (is_name and _is_name(option, line[at:end]))):
                continue
            if self._capture(line, part, at, end, texts, tried):
                if is_name:
                    texts[here.name] = option
                return True
        return False

    def _text(self, line: str, part: int, at: int, texts: dict[str, str], tried: dict[int, int]) -> bool:
        """Match a hole that takes any text: it ends before the first text behind it that the rest fits with."""
        if at >= tried.get(part, len(line) + 1):
            return False
        tried[part] = at
        if part + 1 == len(self._parts):
            return at < len(line) and self._capture(line, part, at, len(line), texts, tried)
        behind = str(self._parts[part + 1])
        end = line.find(behind, at + 1)
        while end >= 0:
            if self._capture(line, part, at, end, texts, tried):
                return True
            end = line.find(behind, end + 1)
        return False

    def _capture(self, line: str, part: int, at: int, end: int, texts: dict[str, str], tried: dict[int, int]) -> bool:  # noqa: PLR0913, PLR0917 - where in the line, where in the sentence, what was found and what failed
        self._take(1)
        hole = self._parts[part]
        if isinstance(hole, Hole) and hole.kind == "time" and LOOKS.fullmatch(line[at:end].strip()) is None:
            return False
        if not self._rest(line, part + 1, end, texts, tried):
            return False
        if isinstance(hole, Hole) and hole.kind != "word":
            texts[hole.name] = line[at:end].strip()
        return True


def _is_name(name: str, text: str) -> bool:
    """Return whether a text is a name in other letters, small or large."""
    return name[:1].casefold() == text[:1].casefold() and name.casefold() == text.casefold()
