"""What a table did although no rule allows it: lines made of whatever was tapped or typed, the likeliest first.

Nothing is looked up among the legal decisions: every decision of the vocabulary takes what was tapped into the fields
that can hold it. What breaks the fewest rules stands first, and what the table cannot carry out is left out.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice, product
from typing import Any, Final, NamedTuple, get_args, get_origin

import msgspec
from msgspec import NODEFAULT, UNSET

from tabletape.events.vocabulary import Decision, Event, choices_of, fields_of, note_of
from tabletape.events.vocabulary.names import card_of
from tabletape.events.vocabulary.shared import DeckDeclared, GameStarted
from tabletape.projector.fold.judge import Judge
from tabletape.projector.fold.replay import Replay
from tabletape.projector.model.areas import Area
from tabletape.projector.model.deciding import Offer, as_it_was, is_same
from tabletape.projector.model.phrases import name_in_words
from tabletape.projector.scribing.box import place_of, words_of
from tabletape.projector.scribing.choices import Choice
from tabletape.projector.scribing.choices import choices_of as in_words
from tabletape.projector.scribing.forms import kind_of, parts_of

MOST: Final = 12
"""More of them than these nobody reads through."""

TRIED: Final = 240
"""How many lines are tried on the table at most; each takes a fraction of a millisecond."""

SAID: Final = 1_500
"""How many lines are put into words at most to find out whether they are meant."""

CARDS: Final = 8
"""How many cards may be meant by what was typed."""


class Slot(NamedTuple):
    """A field that may take something: its name and kind, whether it is needed, its words, and its parts if it has."""

    name: str
    kind: str
    needed: bool
    words: tuple[str, ...]
    printed: str = ""
    parts: tuple["Slot", ...] = ()
    of: Any = None


@cache
def _slots(kind: Any) -> tuple[Slot, ...]:
    """Return the fields of a type of events, or of a part of one."""
    fields = fields_of(kind) if issubclass(kind, Event) else msgspec.structs.fields(kind)
    left_out = (*getattr(kind, "ASKED_AFTER", ()), "player")
    return tuple(_slot(field) for field in fields if field.name not in left_out)


def _slot(field: msgspec.structs.FieldInfo) -> Slot:
    needed = field.default is NODEFAULT and field.default_factory is NODEFAULT
    parts = [each for each in parts_of(field.type) if each not in {type(UNSET), type(None)}]
    words = tuple(word for part in parts for word in choices_of(part)) or choices_of(field.type)
    for part in parts:
        bare = get_args(part)[0] if get_origin(part) is not tuple and get_args(part) else part
        inner = get_args(bare)[0] if get_origin(bare) is tuple else None
        if isinstance(inner, type) and issubclass(inner, msgspec.Struct):
            return Slot(field.name, "several", needed, (), "", _slots(inner), inner)
    kind = "words" if words else next((each for each in map(kind_of, parts) if each != "text"), "text")
    return Slot(field.name, kind, needed, words, note_of(field.type, "printed in") or "")


class Tappable(NamedTuple):
    """What can be tapped: the names of the cards that there are, and the places that a log names."""

    cards: Mapping[str, Any]
    places: Collection[str]
    texts: Mapping[str, Any]


def _board(replay: Replay) -> Tappable:
    places = {area.place for area in replay.game.areas(replay.table, "") if area.place}
    return Tappable(replay.table.cards, places, replay.library)


def _takes(slot: Slot, mark: str, board: Tappable) -> Any:
    """Return what a mark is in a field; UNSET where the field cannot hold it."""
    x, _, y = mark.partition(",")
    if slot.kind == "place":
        return (int(x), int(y)) if x.lstrip("-").isdigit() and y.lstrip("-").isdigit() else UNSET
    is_card = mark in board.cards
    if slot.kind in {"card", "cards"}:
        return UNSET if not is_card else mark if slot.kind == "card" else (mark,)
    if is_card or y:
        return UNSET
    if slot.kind == "words":
        return mark if mark in slot.words else UNSET
    return mark if slot.kind in {"text", "zone"} and mark in board.places else UNSET


def _filled(slots: Sequence[Slot], taps: Sequence[str], board: Tappable, card: str = "") -> Iterator[dict[str, Any]]:
    """Yield the ways to put marks into fields, each into one of its own; what else is needed has all its values.

    `card` is the first that was put anywhere: what stands on it is chosen among its texts.
    """
    if taps:
        for number, slot in enumerate(slots):
            others = [*slots[:number], *slots[number + 1 :]]
            if slot.kind == "several":
                # A part of its own, as a card and where it is moved to, takes as many of the marks as it has fields.
                for part in _filled(slot.parts, taps, board):
                    yield {**dict(_rest(others)), slot.name: (slot.of(**part),)}
            elif (value := _takes(slot, taps[0], board)) is not UNSET:
                for rest in _filled(others, taps[1:], board, card or taps[0]):
                    yield {slot.name: value, **rest}
                if slot.kind == "cards" and taps[1:] and (second := _takes(slot, taps[1], board)) is not UNSET:
                    for rest in _filled(others, taps[2:], board, card or taps[0]):
                        yield {slot.name: (*value, *second), **rest}
        return
    open_slots = [slot for slot in slots if slot.needed]
    ways = [_printed(slot, board, card) if slot.printed else _values(slot) for slot in open_slots]
    for values in product(*ways):
        yield {slot.name: value for slot, value in zip(open_slots, values, strict=True)}


def _rest(slots: Sequence[Slot]) -> Iterator[tuple[str, Any]]:
    yield from ((slot.name, _values(slot)[0]) for slot in slots if slot.needed and _values(slot))


def _printed(slot: Slot, board: Tappable, card: str) -> tuple[str, ...]:
    """Return what may stand in a field that names a text of the card: what its card file says."""
    says = getattr(board.texts.get(card_of(card)), "says", None) if card in board.cards else None
    printed = getattr(says, slot.printed, ())
    return tuple(each for each in printed if isinstance(each, str))


def _values(slot: Slot) -> tuple[Any, ...]:
    """Return what a needed field may hold that nothing was tapped for; nothing where only a tap can say it."""
    if slot.kind == "flag":
        return (False, True)
    return slot.words if slot.kind == "words" else ((),) if slot.kind in {"cards", "list"} else ()


def _lines(replay: Replay, board: Tappable, taps: Sequence[str]) -> Iterator[Event]:
    """Yield the decisions that what was tapped can be put into, by the owner of the first card, or any player."""
    table = replay.table
    owners = [card.owner for mark in taps if (card := table.cards.get(mark)) is not None]
    players = [each for each in dict.fromkeys((*owners[:1], table.active)) if each in table.players]
    for kind in replay.game.vocabulary.types.values():
        if not issubclass(kind, Decision) or issubclass(kind, GameStarted | DeckDeclared) or kind.ANY_TIME:
            continue
        has_player = "player" in kind.__struct_fields__
        someone = (players if owners else [*table.players]) if has_player else [""]
        for after in _after(kind):
            for fields in _filled(_slots(kind), taps, board):
                for player in someone:
                    line: Any = kind
                    yield line(**fields, **after, **({"player": player} if has_player else {}))


@cache
def _after(kind: type[Event]) -> tuple[Mapping[str, Any], ...]:
    """Return what may stand for what luck fills in after a decision; nothing where that is a list of drawn cards."""
    exclusive = getattr(kind, "EXACTLY_ONE", ())
    if exclusive:
        is_one = any(each.kind == "card" for each in map(_slot, fields_of(kind)) if each.name in exclusive)
        return ({"count": 1}, {"count": 0}) if is_one and "count" in exclusive else ()
    needed = [each for each in fields_of(kind) if each.name in kind.ASKED_AFTER and each.default is NODEFAULT]
    return ({each.name: () for each in needed},)


def _broken_by(replay: Replay, event: Event) -> int | None:
    """Return how many rules a line would break now; None where the table could not carry it out."""
    game, table = replay.game, replay.table
    try:
        with as_it_was(table):
            gated = game.gate(table, event)
            if gated is not None and not gated.played:
                return None
            judge = Judge(game, replay.ruleset)
            judge.table = table
            judge.judge(judge.rows.get(type(event), ()), event)
            broken = len({each.rule for each in judge.raw_findings if each.kind != "unverifiable"})
            game.play[type(event)](table, event)
            game.settle(table)
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - no line that the table can carry out: it is not offered, whatever the reason
        return None
    return broken + (gated is not None)


def anyway(replay: Replay, taps: Sequence[str], legal: Sequence[Choice], typed: str = "") -> list[Choice]:
    """Return the lines that are no legal decision and hold everything that was tapped, the likeliest first.

    `taps` are marks as in `choices.narrowed`, of which a tap may mean one of several. The table stays as it is.
    """
    ways = product(*(tap.splitlines() for tap in taps))
    board = _board(replay)
    lines = dict.fromkeys(line for way in ways for line in _lines(replay, board, way))
    return _tried(replay, islice(lines, TRIED), legal, typed)


def _tried(replay: Replay, lines: Iterable[Event], legal: Sequence[Choice], typed: str) -> list[Choice]:
    letters = words_of(typed)
    found = []
    for choice in in_words(replay.table, (Offer(event=line) for line in lines)):
        place = place_of(letters, words_of(choice.words)) if letters else (0, 0)
        if place is None or any(is_same(replay.table, each.event, choice.event) for each in legal):
            continue
        broken = _broken_by(replay, choice.event)
        if broken is not None:
            found.append(((broken, len(choice.marks), *place), choice))
    return [choice for _, choice in sorted(found, key=lambda pair: pair[0])][:MOST]


def typed_anyway(replay: Replay, areas: Sequence[Area], legal: Sequence[Choice], typed: str) -> list[Choice]:
    """Return what was typed may mean that is no legal decision: a card that lies in sight, with another or a place."""
    letters = words_of(typed)
    marks = _marks_of(replay, areas)
    cards = [name for name, words in marks if name in replay.table.cards and _begins(letters, words)][:CARDS]
    seconds = [name for name, words in marks if _begins(letters[1:], words)]
    ways: list[tuple[str, ...]] = [(), *((card,) for card in cards)]
    ways += [(card, other) for card in cards for other in seconds if other != card]
    board = _board(replay)
    lines = dict.fromkeys(line for way in ways for line in _lines(replay, board, way))
    meant = (line for line in islice(lines, SAID) if _is_meant(replay, line, letters))
    return _tried(replay, islice(meant, TRIED), legal, typed)


def _is_meant(replay: Replay, line: Event, letters: Sequence[str]) -> bool:
    (choice,) = in_words(replay.table, [Offer(event=line)])
    return place_of(letters, words_of(choice.words)) is not None


def _begins(letters: Sequence[str], words: Sequence[str]) -> bool:
    return any(word.startswith(each) for each in letters for word in words)


def _marks_of(replay: Replay, areas: Sequence[Area]) -> list[tuple[str, tuple[str, ...]]]:
    """Return the cards and places that lie in sight, alike cards once, with their words."""
    found: dict[tuple[str, ...], str] = {}
    for area in areas:
        if area.place:
            found.setdefault(words_of(f"{area.title} {area.place}"), area.place)
        cards = [*area.cards, *(cell.card for cell in area.cells if cell.card is not None)]
        for card in cards:
            found.setdefault((card.owner, area.name if area.shape != "hand" else "", *words_of(card.title)), card.name)
        for cell in area.cells:
            if cell.place is not None:
                words = name_in_words(replay.table, cell.place)
                found.setdefault(words_of(words), f"{cell.place[0]},{cell.place[1]}")
    return [(name, words) for words, name in found.items()]
