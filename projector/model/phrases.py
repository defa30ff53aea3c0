"""Values, events and changes of a log in the words of people, for the terminal and the browser alike.

`hidden` are names of cards that the reader may not know; they become `a hidden card of Ann`.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from re import Match
from string import ascii_lowercase
from typing import Any, Final

import msgspec
from msgspec import UNSET

from tabletape.events.vocabulary import Event, fields_of, tag_of
from tabletape.events.vocabulary.names import card_of, is_unseen, owner_of
from tabletape.events.vocabulary.shared import DeckDeclared
from tabletape.projector.model.changes import Change
from tabletape.projector.model.languages import say
from tabletape.projector.model.rulebook import Rulebook
from tabletape.projector.model.rules import Finding
from tabletape.projector.model.table import NOWHERE, Table
from tabletape.projector.model.things import Card, Player, Zone

NOTHING_HIDDEN: frozenset[str] = frozenset()

_UNLISTED: Final = re.compile(r"\b(\w+):([^\W\d_][\w-]*)(?:#(\d+))?")
"""A card of a player as a log names it."""

HEAD = frozenset({"player", "game", "edition", "id", "players", "rulings"})
"""Fields that stand in the title of a game or at the beginning of a line, not among its details."""


WHERE = {"place": "at", "host": "on"}
"""Fields of a card that say where it lies."""

CHANGE_WORDS = {
    "round": "Round {} begins",
    "turn": "Turn {} begins",
    "phase": "The {} phase begins",
    "active": "{} is on turn",
    "over": "The game is over",
    "winner": "{} has won",
    "reason": "",
}
"""What it means that something changed which all tables have; the line itself says why a game has ended."""

FIELD_WORDS = {
    "hitpoints": "hit points",
    "living": "in the game",
    "dealt": "damage dealt",
    "prevented": "damage prevented",
    "dna": "DNA",
    "mp": "MP",
}
"""Fields of a table that a person reads as other words."""


ZONE_WORDS = {"elsewhere": "cards"}
"""Zones that the table calls otherwise than the log."""

BY_RULING: Final = re.compile(r"by the ruling (?P<key>\w+)=(?P<option>[\w-]+)")
"""The words of `by_ruling` in a sentence."""


def by_ruling(table: Table[Any, Any], key: str) -> str:
    """Return the words that a message rests on a ruling: `by the ruling grace=owner_next_turn`."""
    return f"by the ruling {key}={table.options[key]}"


def as_ruled(table: Table[Any, Any], key: str) -> str:
    """Return the same to stand behind a sentence: ` (by the ruling path=jump)`."""
    return f" ({by_ruling(table, key)})"


def with_rulings_said(rulebook: Rulebook, sentence: str) -> str:
    """Return a sentence in which a ruling is what its option says: `by the ruling: the top card`.

    Findings keep the key and the option, which one types; pages and reports are read.
    """

    def said(found: Match[str]) -> str:
        ruling = rulebook.by_key.get(found["key"])
        texts = {option.name: option.text for option in ruling.options} if ruling is not None else {}
        return f"by the ruling: {texts[found['option']]}" if found["option"] in texts else found[0]

    return BY_RULING.sub(said, sentence)


def with_options_said(rulebook: Rulebook, text: str) -> str:
    """Return a ruleset or a change as it is read: options in their words, quoted; `cost=2` is `cost 2`."""
    options = {
        f"{key}={option.name}": f"\u201c{option.text}\u201d"
        for key, ruling in rulebook.by_key.items()
        for option in ruling.options
    }
    return re.sub(r"\w+=[+\w-]+", lambda found: options.get(found[0], found[0].replace("=", " ")), text)


def deck_called(deck: str) -> str:
    """Return the id of a deck, a faction or a general as words: a deck list has no other name."""
    return deck.replace("-", " ").title() if deck.islower() else deck


def tag_in_words(tag: str) -> str:
    """Return the type of an event as words: `turn ended` for `turn.ended`, `lay` for a game's own `move.lay`."""
    return re.sub(r"[._-]", " ", tag.removeprefix("move."))


def expected_in_words(finding: Finding) -> str:
    """Return what a finding expected as players say it: of a line that is missing `cards drawn by Ann`."""
    tag, space, rest = finding.expected.partition(" ")
    return f"{tag_in_words(tag)}{space}{rest}" if finding.kind == "missing" else finding.expected


def name_of(table: Table[Any, Any], player: str) -> str:
    """Return what people call a player, or the id of one who does not sit at the table."""
    seat = table.players.get(player)
    return player if seat is None else str(seat.name)


def title_of(card: Card) -> str:
    """Return what a card is called: its printed name where it is known, otherwise its name on the table."""
    return card.name if card.text is None else str(card.text.name)


def named(table: Table[Any, Any], card: str) -> str:
    """Return the printed name of a card id or of a card on the table, or the id that the log calls it by."""
    thing = table.find(card)
    text = thing.text if thing is not None else table.library.get(card_of(card))
    return card_of(card) or card if text is None else str(text.name)


def name_in_words(table: Table[Any, Any], value: Any, hidden: frozenset[str] = NOTHING_HIDDEN) -> str:
    """Return a value of a log as people say it: the printed name of a card, the name of a player, a plain number."""
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    if is_position(value):
        return tile_in_words(value) if table.HAS_TILES else f"[{value[0]}, {value[1]}]"
    if isinstance(value, tuple | list | frozenset):
        words = [name_in_words(table, each, hidden) for each in value]
        return ", ".join(sorted(words) if isinstance(value, frozenset) else words) or "nothing"
    if isinstance(value, dict):
        return _pairs_in_words(table, value, hidden)
    if isinstance(value, msgspec.Struct):
        return name_in_words(table, tuple(msgspec.structs.astuple(value)), hidden)
    return _text_in_words(table, f"{value:.10g}" if isinstance(value, float) else str(value), hidden)


def tile_in_words(tile: tuple[int, ...]) -> str:
    """Return a position as `b9`: the row as a letter, the column as a number; as it is written where no letter fits."""
    if len(tile) < 2:
        return "nowhere"
    row, column = tile
    return f"{ascii_lowercase[row - 1]}{column}" if 0 < row <= len(ascii_lowercase) else str(list(tile))


def _pairs_in_words(table: Table[Any, Any], value: dict[Any, Any], hidden: frozenset[str]) -> str:
    """Return `Ann 5, Ben 2`, or `Ann: Shore, Shelf; Ben: nothing` where lists or pairs stand behind the names."""
    nested = any(isinstance(each, tuple | list | dict) for each in value.values())
    equals, comma = (": ", "; ") if nested else (" ", ", ")
    pairs = ((name_in_words(table, key, hidden), name_in_words(table, each, hidden)) for key, each in value.items())
    marks = {key: key.rpartition("-of-") for key in map(str, value)}
    return comma.join(
        f"{marks[key][0]} {each} of {marks[key][2]}"
        if marks.get(key, ("", "", ""))[2].isdecimal()
        else f"{key}{equals}{each}"
        for key, each in pairs
    )


def is_position(value: Any) -> bool:
    """Return whether a value of a log is a place on a board: a row and a column."""
    return isinstance(value, tuple) and len(value) == 2 and all(type(each) is int for each in value)


def _is_of_the_fold(value: Any) -> bool:
    """Return whether a value is a record that only the fold understands, or holds one."""
    is_record = isinstance(value, dict | msgspec.Struct)
    return is_record or (isinstance(value, tuple) and any(map(_is_of_the_fold, value)))


def _text_in_words(table: Table[Any, Any], value: str, hidden: frozenset[str]) -> str:
    if value in table.players:
        return str(table.players[value].name)
    if value in hidden or is_unseen(value):
        owner = owner_of(value)
        number = value.partition("?")[2]
        card = say("a hidden card") if value in hidden else say("unseen card {number}", number=number)
        return say("{card} of {name}", card=card, name=_text_in_words(table, owner, hidden)) if owner else card
    printed = table.library.get(card_of(value))
    number = value.partition("#")[2]
    if printed is None:
        return value
    if not number:
        return str(printed.name)
    # The number of the copy is none of the card's: the third copy of Red 1 is `Red 1 #3`.
    return f"{printed.name} #{number}" if printed.name[-1:].isdigit() else f"{printed.name} {number}"


def unlisted_in_words(table: Table[Any, Any], text: str) -> str:
    """Return a text with the cards that no file lists as people say them: `Fog 2` for `A:fog#2`."""

    def said(found: Match[str]) -> str:
        title = found[2].replace("-", " ").title()
        return found[0] if found[1] not in table.players else f"{title} {found[3]}" if found[3] else title

    return _UNLISTED.sub(said, text)


def fields_in_words(table: Table[Any, Any], event: Event, hidden: frozenset[str] = NOTHING_HIDDEN) -> str:
    """Return one line about an event, field by field: who, what, with which cards."""
    player = getattr(event, "player", UNSET)
    who = f"{name_in_words(table, player)}: " if player is not UNSET else ""
    what = tag_of(type(event)).replace(".", " ").replace("-", " ")
    parts = list(_details(table, event, hidden))
    details = ("; " if any("; " in part for part in parts) else ", ").join(parts)
    return f"{who}{what} - {details}" if details else f"{who}{what}"


def _details(table: Table[Any, Any], event: Event, hidden: frozenset[str]) -> Iterator[str]:
    for field in fields_of(type(event)):
        value = getattr(event, field.name)
        if value is UNSET or field.name in HEAD:
            continue
        if isinstance(event, DeckDeclared) and field.name == "cards":
            yield f"{len(value)} cards"
        elif isinstance(value, int | None):
            yield f"{field.name.rstrip('_').replace('_', ' ')} {name_in_words(table, value)}"
        else:
            yield name_in_words(table, value, hidden)


def zone_in_words(table: Table[Any, Any], zone: Zone) -> str:
    """Return a zone as people say it: `Ann's hand`, `Thunder Shelf`."""
    parts = [part for part in zone.name.replace("/", ":").replace(".", ":").split(":") if part != zone.owner]
    name = " ".join(ZONE_WORDS.get(part) or name_in_words(table, part).replace("-", " ") for part in parts)
    return f"{name_in_words(table, zone.owner)}'s {name}" if zone.owner else name


def changes_in_words(
    table: Table[Any, Any], changes: Iterable[Change], hidden: frozenset[str] = NOTHING_HIDDEN
) -> tuple[str, ...]:
    """Return recorded changes, a line each; alike ones are counted, those that mean nothing to a person left out."""
    every = list(changes)
    moved = {id(thing) for thing, field, *_ in every if field == "zone"}  # What has moved need not be said to appear.
    told = (each for each in every if each[1] != "made" or id(each[0]) not in moved)
    lines = Counter(change_in_words(table, change, hidden) for change in told)
    del lines[""]
    return tuple(line if times == 1 else f"{line} ({times} times)" for line, times in lines.items())


def change_in_words(table: Table[Any, Any], change: Change, hidden: frozenset[str] = NOTHING_HIDDEN) -> str:
    """Return one line about a recorded change, or nothing where it means nothing to a person."""
    thing, field, before, after = change
    if field == "made":
        return _made_in_words(table, change, hidden)
    if thing.n == 0 and field in CHANGE_WORDS:
        after = "" if (field, after) == ("phase", "over") else after  # `over` says so.
        words = name_in_words(table, after)
        return CHANGE_WORDS[field].format(words.replace("-", " ") if field == "phase" else words) if after else ""
    name = _thing_in_words(table, thing, hidden)
    if field == "zone":
        return _move_in_words(table, name, before[0], after[0])
    is_plain = field == "controller" and after == thing.owner  # Only another one says something.
    if is_plain or field in thing.INTERNAL_FIELDS or _is_of_the_fold(before) or _is_of_the_fold(after):
        return ""
    if field == "unseen" and min(before, after) < 0:  # A card of the list lies elsewhere, and nobody knows which.
        return ""
    return f"{name}: {_field_in_words(table, field, (before, after), hidden)}"


def _move_in_words(table: Table[Any, Any], name: str, old: Zone, new: Zone) -> str:
    if old is new or new.name == NOWHERE:
        return ""
    if old.name == NOWHERE:
        return f"{name} appears: {zone_in_words(table, new)}"
    return f"{name}: {zone_in_words(table, old)} to {zone_in_words(table, new)}"


def _made_in_words(table: Table[Any, Any], change: Change, hidden: frozenset[str]) -> str:
    thing, _, before, after = change
    zone = (after or before).zone
    if zone.name == NOWHERE:
        return ""
    name = "a card" if zone.seen_by == "nobody" else _thing_in_words(table, thing, hidden)
    return f"{name} {'appears' if after is not None else 'is gone again'}: {zone_in_words(table, zone)}"


def _field_in_words(table: Table[Any, Any], field: str, values: tuple[Any, Any], hidden: frozenset[str]) -> str:
    before, after = values
    words = FIELD_WORDS.get(field, field.replace("_", " "))
    if field == "face_up":
        return f"turned face {'up' if after else 'down'}"
    if field in WHERE:
        return (
            f"{WHERE[field]} {_plain(table, after, hidden)}"
            if after
            else f"no longer {WHERE[field]} {_plain(table, before, hidden)}"
        )
    if isinstance(after, bool):
        return words if after else f"no longer {words}"
    if isinstance(after, frozenset):
        told = {"gains": after - before, "loses": before - after}
        return ", ".join(f"{how} {_plain(table, each, hidden)}" for how, each in told.items() if each)
    return f"{words} {_plain(table, before, hidden)} to {_plain(table, after, hidden)}"


def _plain(table: Table[Any, Any], value: Any, hidden: frozenset[str]) -> str:
    return name_in_words(table, value, hidden) if value != "" else "none"


def _thing_in_words(table: Table[Any, Any], thing: Any, hidden: frozenset[str]) -> str:
    if isinstance(thing, Card):
        return unlisted_in_words(table, name_in_words(table, thing.name, hidden))
    if isinstance(thing, Player):
        return thing.name
    return zone_in_words(table, thing) if isinstance(thing, Zone) else "Table"
