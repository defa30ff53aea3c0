"""How cards, players and numbers are called, and how messages count things and say which ruling they rest on."""

from collections.abc import Iterable, Sequence
from typing import Any

from events.names import card_of
from projector.games.crystal.state import Crystal, CrystalCard


def title_of(card: CrystalCard) -> str:
    """Return what a card is called: its printed name where it is known, otherwise its name on the table."""
    return card.text.name if card.text is not None else card.name


def called(table: Crystal, card: str) -> str:
    """Return the printed name of a card id or of a card on the table, or what the log calls it."""
    found = table.find(card)
    text = found.text if found is not None else table.library.get(card_of(card))
    return card if text is None else str(text.name)


def name_of(table: Crystal, player: str) -> str:
    """Return what people call a player."""
    found = table.players.get(player)
    return player if found is None else found.name


def joined(names: Iterable[str], word: str = "and") -> str:
    """Return `Ann`, `Ann and Ben`, `Ann, Ben and Cyd`."""
    *others, last = [*names] or ["nobody"]
    return f"{', '.join(others)} {word} {last}" if others else last


def pluralized(names: Sequence[str], one: str, several: str) -> str:
    """Say something of one or of several: `Ann has not …`, `Ann and Ben have not …`."""
    return f"{joined(names)} {one if len(names) == 1 else several}"


def owned(table: Crystal, name: str) -> str:
    """Return a card on the table with its owner: `Ann's Trooper`."""
    card = table.find(name)
    owner = table.players.get(card.owner) if card is not None else None
    return called(table, name) if owner is None else f"{owner.name}'s {called(table, name)}"


def in_words(table: Crystal, value: Any) -> str:
    """Return a value of a line as people say it: the name of a player, a number, `nobody`."""
    if value is None:
        return "nobody"
    return name_of(table, value) if isinstance(value, str) else str(value)


def label(field: str, owner: str = "") -> str:
    """Return what people call a number of a line: `hit points`, `Ann's tech limit`."""
    noun = {"hitpoints": "hit points", "highest": "highest power"}.get(field, field.replace("_", " "))
    return f"{owner}'s {noun}" if owner else noun
