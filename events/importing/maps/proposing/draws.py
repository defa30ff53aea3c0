"""How people say in a line that somebody draws: `draw 2`, `drew a card from the deck`."""

import re
from typing import Any, Final

from tabletape.events.importing.maps.counted import COUNTS, NUMBER, ONE
from tabletape.events.importing.maps.proposing.spoken import fields_of
from tabletape.events.importing.maps.values.captured import DRAW_EVENT
from tabletape.events.vocabulary import Vocabulary

_DRAWN: Final = re.compile(
    rf"(?: (?P<count>\{{n\}}|\d{{1,2}}|(?P<one>{ONE})|{NUMBER}))?"
    r"(?: (?:new|more|another|neue))?(?: (?:cards?|karten?))?"
    r"(?: (?:from|off|vom|von) (?:the |my |dem )?[^\W\d_]+(?: [^\W\d_]+)?)?[\s.!]*",
    re.IGNORECASE,
)
_PLURAL: Final = re.compile(r"\b(?:cards|karten)\b", re.IGNORECASE)


def says_number(act: str) -> bool:
    """Return whether words behind the verb of a draw say how many cards it is: `3`, `a card`, and not `my cards`."""
    match = _DRAWN.fullmatch(act)
    return match is not None and bool(match["count"]) and not (match["one"] and _PLURAL.search(act))


def is_luck(tag: str, known: Vocabulary) -> bool:
    """Return whether lines of a type say that cards are drawn, and nothing else."""
    return tag == DRAW_EVENT or (bool(known.types[tag].ASKED_AFTER) and len(fields_of(known.types[tag])) == 1)


def drawing(act: str, tag: str, known: Vocabulary) -> tuple[str, dict[str, Any]] | None:
    """Return what a draw is that names no more than a number, or its cards; None for anything else."""
    if not is_luck(tag, known):
        return None
    if tag == DRAW_EVENT and re.fullmatch(r" \{card\}[\s.!]*", act):
        return act.replace("{card}", "{cards}"), {"event": tag}
    match = _DRAWN.fullmatch(act)
    if match is None:
        return None
    if match["count"] == "{n}":
        return act.replace("{n}", "{count:number}"), {"event": DRAW_EVENT}
    said = (match["count"] or "one").casefold()
    count = int(said) if said.isdecimal() else COUNTS[said]
    return act, {"event": tag} if tag != DRAW_EVENT and count == 1 else {"event": DRAW_EVENT, "with": {"count": count}}


def with_numbers(line: str, shape: str) -> str:
    """Return the shape of a line with the numbers in it that the line says."""
    pattern = re.escape(shape).replace(r"\{n\}", r"(\d+)")
    said = re.fullmatch(re.sub(r"\\\{\w+\\\}", ".+", pattern), line.strip())
    numbers = iter(said.groups() if said else ())
    return re.sub(r"\{n\}", lambda hole: next(numbers, hole[0]), shape)
