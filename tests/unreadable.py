"""Lines of the set-up that cannot be read, for several reasons, and the games that have a gap in their place."""

from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from tabletape.events.importing.games.gaps import TEXT_KEPT
from tabletape.events.vocabulary import Event, vocabulary
from tabletape.events.vocabulary.shared import LogGap
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game

UNREADABLE: Final[dict[str, Callable[[str], str]]] = {
    "a wrong key": lambda text: text.replace('"player"', '"plyer"', 1).replace('"row"', '"rwo"'),
    "broken off": lambda text: text[: text.index(",") + len(text) // 3],
    "in words": lambda text: f"{msgspec.json.decode(text)['type']} 3",
    "no word of it": lambda _text: "then it was my turn",
}
"""Why a line cannot be read, and what is then written there."""


def unreadable(slug: str, lines: Sequence[Event], at: int, why: str) -> tuple[Event, ...]:
    """Return a log with a gap in place of a line, whose type stands at its beginning, as people write it."""
    fields = msgspec.json.decode(vocabulary(slug).encode(lines[at]))
    text = msgspec.json.encode({"type": fields.pop("type"), **fields}).decode()
    return (*lines[:at], LogGap(lines=1, text=UNREADABLE[why](text)[:TEXT_KEPT]), *lines[at + 1 :])


def opening(slug: str, lines: tuple[Event, ...]) -> dict[type[Event], int]:
    """Return the first place of each type of a line before the first turn of a game."""
    replay = Replay(game(slug), fold(game(slug), lines[:1]).ruleset, settled=True).run(lines[:1])
    found: dict[type[Event], int] = {}
    for at, each in enumerate(lines[1:], 1):
        if replay.run([each]).table.turn:
            break
        found.setdefault(type(each), at)
    return found
