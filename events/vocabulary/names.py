"""The names of cards: `reed-heron` is a card, `A:reed-heron#2` a copy on the table, `A:?1` an unseen one.

Source: docs/reference/log-format.md, part 4.
"""

import re
import unicodedata
from collections import Counter
from functools import lru_cache
from typing import Final

_APOSTROPHES: Final = re.compile("['\u2019\u2018`\u00b4]")
_BETWEEN_WORDS: Final = re.compile(r"[^\w]+")

BOTS: Final = "bot-"
"""The id of every simulated game begins so; games of bots and games of people are never counted together."""


@lru_cache(maxsize=65536)
def slug_of(name: str) -> str:
    """Return the id of a printed name, `reed-heron` of `Reed Heron`: small letters without accents and apostrophes.

    Hyphens join its words. Letters of other scripts stay as they are; a name without any letter or digit is itself.
    """
    bare = "".join(each for each in unicodedata.normalize("NFKD", name) if not unicodedata.combining(each))
    bare = _APOSTROPHES.sub("", bare).casefold().replace("_", " ")
    return _BETWEEN_WORDS.sub("-", bare).strip("-") or name.strip()


def is_by_bots(game_id: str) -> bool:
    """Return whether bots have played a game, by its id."""
    return game_id.startswith(BOTS)


@lru_cache(maxsize=65536)
def owner_of(name: str) -> str:
    """Return the player id before the colon of a card's name, or an empty string where there is none."""
    return name.partition(":")[0] if ":" in name else ""


@lru_cache(maxsize=65536)
def card_of(name: str) -> str:
    """Return the card id in a card's name, without owner and number; empty for an unseen card."""
    card = name.partition(":")[2].partition("#")[0] if ":" in name else name.partition("#")[0]
    return "" if card.startswith("?") else card


@lru_cache(maxsize=65536)
def is_unseen(name: str) -> bool:
    """Return whether a card's name says only that it is unknown: `A:?1`, or `?1` where it is nobody's."""
    return name.rpartition(":")[2].startswith("?")


def unseen_cards(owner: str, number: int) -> tuple[str, ...]:
    """Return names for so many cards of a player that nobody has seen: `A:?1`, `A:?2`."""
    return tuple(f"{owner}:?{each}" for each in range(1, number + 1))


@lru_cache(maxsize=1024)
def copies(owner: str, cards: tuple[str, ...]) -> tuple[str, ...]:
    """Name the copies of the cards of a deck list, in its order.

    A card that is in once has no number, one that is in several times is numbered from 1. The same few lists are played
    again and again, so the names of a list are made once.
    """
    named = []
    totals = Counter(cards)
    seen: dict[str, int] = {}
    for card in cards:
        seen[card] = seen.get(card, 0) + 1
        suffix = f"#{seen[card]}" if totals[card] > 1 else ""
        named.append(f"{owner}:{card}{suffix}")
    return tuple(named)
