"""What is printed: the words of card text, the cards and the deck lists of a game, for its page."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from docs.generator.markdown import code, codes, literal, table
from tabletape.projector.model.cards import Cards
from tabletape.projector.model.game import Game
from tabletape.projector.model.things import CardText


def card_blocks(one: Game) -> Iterable[str]:
    """Return the blocks about the cards of a game."""
    yield from _words(one)
    if one.cards.library:
        yield "## Cards"
        yield "Your own cards stand beside these: [how](../../how-to/add-your-own-cards.md)."
        yield from _cards(list(one.cards.library.values()))
    yield from _decks(one.cards)


def _words(one: Game) -> Iterable[str]:
    users: dict[str, list[str]] = {}
    for card in one.cards.library.values():
        for word in one.cards.keywords(card):
            users.setdefault(word, []).append(card.name)
    if users:
        yield "## Words of card text"
        yield (
            "The words that the cards below use. How a line of card text is built: "
            f"[card text](../card-text.md). `tabletape coverage --game {one.slug}` says which of them no "
            "stored game has tried."
        )
        yield table(["word", "used by"], ([code(word), ", ".join(users[word])] for word in sorted(users)))


def _cards(cards: Sequence[CardText]) -> Iterable[str]:
    """Return a table for each kind of card, in the order of the card file."""
    fields = [each for each in msgspec.structs.fields(type(cards[0])) if each.name not in {"id", "name", "kind"}]
    for kind in dict.fromkeys(card.kind for card in cards):
        mine = [card for card in cards if card.kind == kind]
        yield f"### {kind.replace('-', ' ').capitalize()}"
        printed = [each.name for each in fields if any(getattr(card, each.name) != each.default for card in mine)]
        rows = ([code(card.id), card.name, *(_value(getattr(card, name)) for name in printed)] for card in mine)
        yield table(["id", "name", *(name.replace("_", " ") for name in printed)], rows)


def _value(value: Any) -> str:
    """Return a value as a card file has it; nothing for what is worked out from the other fields."""
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, str | int | float):
        return literal(str(value))
    if isinstance(value, dict):
        return code(table_in_line(value)) if value else ""
    if isinstance(value, tuple):
        return ", ".join(_element(each) for each in value)
    if isinstance(value, msgspec.Struct) and all(isinstance(each, int) for each in msgspec.structs.astuple(value)):
        return ", ".join(f"{name} {number}" for name, number in msgspec.structs.asdict(value).items() if number)
    return ""


def _element(value: Any) -> str:
    if isinstance(value, dict):
        return code(table_in_line(value))
    return str(value) if str(value).istitle() else code(str(value))


def table_in_line(value: Mapping[str, Any]) -> str:
    """Return a table as a card file writes it on one line."""
    pairs = (f'{key} = "{each}"' if isinstance(each, str) else f"{key} = {each}" for key, each in value.items())
    return f"{{ {', '.join(pairs)} }}"


def _decks(cards: Cards[Any]) -> Iterable[str]:
    if not cards.decks:
        return
    yield "## Sample decks"
    for deck in cards.decks.values():
        yield f"### {deck.name}"
        extra = "; ".join(f"{name.replace('_', ' ')}: {_extra(value)}" for name, value in deck.extra.items())
        yield "; ".join(part for part in (f"`{deck.id}`, {len(deck.cards)} cards", extra) if part)
        copies = {card: deck.cards.count(card) for card in dict.fromkeys(deck.cards)}
        yield ", ".join(code(card) + (f" x{number}" if number > 1 else "") for card, number in copies.items())


def _extra(value: Any) -> str:
    return codes(map(str, value)) if isinstance(value, list | tuple) else code(str(value))
