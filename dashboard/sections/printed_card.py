"""What is printed on a card, in each version of its text that the log's games were played by."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any, Final

import msgspec

from tabletape.events.log import Log
from tabletape.events.vocabulary.names import is_by_bots
from tabletape.projector.archive.card_versions import kept_cards
from tabletape.projector.archive.stored import cards_of
from tabletape.projector.model.cards import Cards

UNSAID_FIELDS: Final = frozenset(
    {"id", "name", "says", "abilities", "text", "designer", "uncertain", "heeded", "source", "evidence"}
)
"""Fields that are the card's name, stand below the others, or say nothing of what it does."""


SAID_BY_VALUE: Final = frozenset({"kind", "types"})
"""Fields whose values say what they are."""


class Version(msgspec.Struct, frozen=True):
    """A text of a card: what it says, whether that is today's, and how many games of people and of bots it saw."""

    printed: str
    text: str
    today: bool
    people: int
    bots: int


def versions(log: Log, folder: Path, slug: str, card: str) -> list[Version]:
    """Return the versions of a card, today's first, then the others in the order of their first game.

    A game counts by the card files that it was recorded under, whether the card came up in it or not.
    Raises `CardError` where the designer's own cards, or those kept with a game, cannot be read.
    """
    now = cards_of(folder, slug)
    counts: dict[tuple[str, str], list[int]] = {}
    if card in now.library:
        counts[_printed_as(now, card)] = [0, 0]
    today = next(iter(counts), None)
    for stored in log.games(game=slug):
        cards = kept_cards(log, stored) or now
        if card in cards.library:
            counts.setdefault(_printed_as(cards, card), [0, 0])[is_by_bots(stored.game_id)] += 1
    return [Version(*printed, printed == today, *number) for printed, number in counts.items()]


def _printed_as(cards: Cards[Any], card: str) -> tuple[str, str]:
    text = cards.library[card]
    printed = ", ".join(_printed(text, UNSAID_FIELDS | cards.unused(text.kind)))
    return printed[:1].upper() + printed[1:], text.words


def _printed(text: Any, unsaid: AbstractSet[str] = frozenset(), part: str = "") -> Iterator[str]:
    """Yield the numbers and words of a card: `cost 1`, `evolve energy 3`; nothing of the fields `unsaid`."""
    for name in text.__struct_fields__:
        value = getattr(text, name)
        if name in unsaid or value in ("", None, ()):
            continue
        words = part if name in SAID_BY_VALUE else f"{part}{name.replace('_', ' ')} "
        if isinstance(value, msgspec.Struct):
            yield from _printed(value, part=words)
        elif isinstance(value, str | int | float):
            yield f"{words}{str(value).lower() if isinstance(value, bool) else value}"
        elif isinstance(value, tuple) and all(isinstance(each, str) for each in value):
            yield f"{words}{' and '.join(value)}"
