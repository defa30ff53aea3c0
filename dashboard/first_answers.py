"""What the answers to the questions about a new game mean: its moves, places, kinds of cards, players and costs."""

import re
from collections.abc import Mapping
from typing import Final
from unicodedata import normalize

from tabletape.events.errors import RefusedError

NAMED_FIELDS: Final = {"another": "other player", "other": "other player", "any": "player", "a": "player", "nobody": ""}
"""The fields that are meant by the first word of whom one names."""

_THEIRS: Final = re.compile(
    r"(?:their|his|her|that player['\u2019]?s|the (?:other|named)(?: player)?['\u2019]?s) (.+)|"
    r"(.+) of (?:the other|that|the named)(?: player)?"
)

SPAN: Final = re.compile(r"(\d{1,3})\s*(?:(?:-|\u2013|to)\s*(\d{1,3}))?")
COST: Final = re.compile(r"(\d{1,6})\s+(.+)")

WHENS: Final = ("whenever a card goes there", "at the end of a turn")
AT_END: Final = WHENS[1]

UNSAID_EFFECT: Final = "something"
"""What a move changes of which the file does not say it: what rests on that is not judged."""

NONE: Final = frozenset({"", "nothing", "any", "none", "no"})
"""Answers by which nothing is stated."""


def moves_of(answers: Mapping[str, str]) -> list[str]:
    """Return the moves of a new game as its file calls them."""
    named = map(word_of, re.split(r"[,;/]|\b(?:or|and)\b", answers["moves"]))
    return [*dict.fromkeys(filter(None, named))]


def limited(answers: Mapping[str, str]) -> list[str]:
    """Return the places to which cards go, each of which may hold no more than so many."""
    drawn = [] if answers["first"].strip() in NONE else ["hand"]
    filled = [*drawn, *(place_in(answers, f"{move} to") for move in moves_of(answers))]
    return [place for place in dict.fromkeys(filled) if place not in {"", "deck"}]


def is_at_end(place: str, answers: Mapping[str, str]) -> bool:
    """Return whether a place is looked at only at the end of a turn."""
    return answers.get(f"when: {place}", "").strip() in {"2", AT_END}


def places_of(answers: Mapping[str, str]) -> list[str]:
    """Return the places of cards that answers name."""
    named = [place_in(answers, f"{move} {way}") for move in moves_of(answers) for way in ("from", "to")]
    return [*dict.fromkeys(filter(None, named))]


def place_in(answers: Mapping[str, str], name: str) -> str:
    """Return the place of cards that an answer is, as the file calls it; empty for nothing."""
    said = answers.get(name, "").strip()
    return "" if said in NONE else theirs(said) or word_of(said)


def theirs(said: str) -> str:
    """Return the place, of the player whom one names, that an answer is: `their hand` is hand; else empty."""
    match = _THEIRS.fullmatch(said.strip().casefold())
    return word_of(match[1] or match[2]) if match is not None else ""


def kinds_of(answers: Mapping[str, str]) -> list[str]:
    """Return the kinds of cards that answers name; none where they are not listed, or nobody knows how many."""
    said = answers.get("cards", "any").strip()
    named = [] if said in NONE else [" ".join(each.lower().split()) for each in re.split(r"[,;]|\band\b", said)]
    return [] if answers.get("copies", "1").strip() in NONE else [*dict.fromkeys(filter(None, named))]


def numbers_of(said: str) -> list[int]:
    """Return the numbers that cards have, from low to high; none where they have none."""
    if said.strip() in NONE:
        return []
    met = SPAN.fullmatch(said.strip())
    if met is None or not met[2] or int(met[1]) >= int(met[2]):
        raise RefusedError(f"numbers are from the lowest to the highest, such as 1 to 9, or no; not {said!r}")
    return [*range(int(met[1]), int(met[2]) + 1)]


def seats_of(said: str) -> tuple[int, int]:
    """Return how many play, at least and at most."""
    met = SPAN.fullmatch(said.strip())
    if met is None:
        raise RefusedError(f"how many play is a number or two, such as 2-4, not {said!r}")
    low, high = int(met[1]), int(met[2] or met[1])
    if not 0 < low <= high:
        raise RefusedError(f"how many play is the fewest and then the most, such as 2-4, not {said!r}")
    return low, high


def field_named(said: str) -> str:
    """Return the field for whom one names; empty for nobody."""
    word = (said.split() or ["nobody"])[0]
    if word not in NAMED_FIELDS:
        raise RefusedError(f"one names another player, any player or nobody, not {said!r}")
    return NAMED_FIELDS[word]


def cost_of(said: str) -> tuple[int, str]:
    """Return how much of which counter `2 mana` is; no counter for nothing."""
    if said.strip() in NONE:
        return 0, ""
    met = COST.fullmatch(said.strip())
    if met is None or not word_of(met[2]):
        raise RefusedError(f"a cost is a number and what it is of, such as 2 mana, or nothing; not {said!r}")
    return int(met[1]), word_of(met[2])


def gained_of(said: str) -> tuple[int, str]:
    """Return how much of which counter one gets, as `cost_of` does; none where it is not said."""
    return (0, "") if said.strip() == UNSAID_EFFECT else cost_of(said)


def word_of(said: str) -> str:
    """Return a word as a file names things: small letters, and lines between them; empty where it has no letter."""
    letters = "".join(each if each.isalnum() else " " for each in normalize("NFC", said.lower()))
    joined = "_".join(word for word in letters.split() if word not in {"the", "a", "an"})
    return joined if joined.isidentifier() else ""
