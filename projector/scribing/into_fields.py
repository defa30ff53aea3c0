"""What a line may say: marks of what was tapped in the fields of a type of events, each in one that can hold it."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, product, zip_longest
from typing import Any, NamedTuple, get_args, get_origin

import msgspec
from msgspec import NODEFAULT, UNSET

from tabletape.events.vocabulary import Event, choices_of, fields_of, note_of
from tabletape.events.vocabulary.names import card_of, is_unseen
from tabletape.projector.scribing.forms import kind_of, parts_of


class Slot(NamedTuple):
    """A field that may take something: its name and kind, whether it is needed, what it may hold anyway, its parts."""

    name: str
    kind: str
    needed: bool
    values: tuple[Any, ...]
    printed: str = ""
    made: str = ""
    parts: tuple["Slot", ...] = ()
    of: Any = None


@cache
def slots_of(kind: Any) -> tuple[Slot, ...]:
    """Return the fields of a type of events, or of a part of one."""
    fields = fields_of(kind) if issubclass(kind, Event) else msgspec.structs.fields(kind)
    left_out = (*getattr(kind, "ASKED_AFTER", ()), "player")
    return tuple(_slot(field) for field in fields if field.name not in left_out)


def _slot(field: msgspec.structs.FieldInfo) -> Slot:
    needed = field.default is NODEFAULT and field.default_factory is NODEFAULT
    parts = [each for each in parts_of(field.type) if each is not type(UNSET)]
    words = tuple(word for part in parts for word in choices_of(part)) or choices_of(field.type)
    numbers = tuple(number for part in parts for number in note_of(part, "numbers") or ())
    for part in parts:
        bare = get_args(part)[0] if get_origin(part) is not tuple and get_args(part) else part
        inner = get_args(bare)[0] if get_origin(bare) is tuple else None
        if isinstance(inner, type) and issubclass(inner, msgspec.Struct):
            return Slot(field.name, "several", needed, ((),), parts=slots_of(inner), of=inner)
    kind = "words" if words else next((each for each in map(kind_of, parts) if each != "text"), "text")
    values = {"flag": (False, True), "cards": ((),), "list": ((),)}.get(kind, words or numbers)
    none = (None,) if type(None) in parts else ()
    printed, made = (note_of(field.type, note) or "" for note in ("printed in", "made of"))
    return Slot(field.name, kind, needed, (*values, *none), printed, made)


class Tappable(NamedTuple):
    """What can be tapped: the cards that there are, the places that a log names, what lies in sight, and a hand.

    With `more` a line has one thing more than what was tapped and what it needs.
    """

    cards: Mapping[str, Any]
    places: Collection[str]
    texts: Mapping[str, Any]
    players: tuple[str, ...] = ()
    in_sight: tuple[str, ...] = ()
    hand: tuple[str, ...] = ()
    more: bool = False


def _takes(slot: Slot, mark: str, board: Tappable, card: str = "") -> Any:
    """Return what a mark is in a field; UNSET where the field cannot hold it."""
    x, _, y = mark.partition(",")
    if slot.kind == "place":
        return (int(x), int(y)) if x.lstrip("-").isdigit() and y.lstrip("-").isdigit() else UNSET
    is_card = mark in board.cards or is_unseen(mark)
    if slot.kind in {"card", "cards"}:
        return UNSET if not is_card else mark if slot.kind == "card" else (mark,)
    if is_card or (y and not slot.printed):
        return UNSET
    if slot.kind == "words":
        return mark if mark in slot.values else UNSET
    if slot.printed:
        return mark if mark in _values(slot, board, card) else UNSET
    return mark if slot.kind in {"text", "zone"} and mark in board.places else UNSET


def filled(slots: Sequence[Slot], taps: Sequence[str], board: Tappable, card: str = "") -> Iterator[dict[str, Any]]:
    """Yield the ways to put marks into fields, each into one of its own, and what else there is into the open ones.

    `card` is the one that it is about, in the first field: what stands on it is chosen among its texts.
    """
    if not taps:
        yield from _completed(slots, board, card)
        return
    for number, slot in enumerate(slots):
        others = [*slots[:number], *slots[number + 1 :]]
        if slot.kind == "several":
            # A part of its own, as a card and where it is moved to, takes as many of the marks as it has fields.
            for part in filled(slot.parts, taps, board):
                yield {**dict(_rest(others)), slot.name: (slot.of(**part),)}
        elif (value := _takes(slot, taps[0], board, card)) is not UNSET:
            several = [value]
            while slot.kind == "cards" and taps[len(several) :]:
                more = _takes(slot, taps[len(several)], board)
                if more is UNSET:
                    break
                several.append((*several[-1], *more))
            for length, mine in enumerate(several, 1):
                for rest in filled(
                    others, taps[length:], board, taps[0] if slot.needed and slot.kind == "card" else card
                ):
                    yield {slot.name: mine, **rest}
                    yield from ({slot.name: longer, **rest} for longer in _gone_on(mine, board.hand))


def _gone_on(cards: tuple[str, ...], hand: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield cards of a hand that go back with one more of it, with all but one of the others, or with all others."""
    left = [each for each in hand if each not in cards]
    if len(left) < len(hand):
        for number in sorted({1, len(left) - 1, len(left)} - {-1, 0}):
            yield from ((*cards, *some) for some in combinations(left, number))


def _completed(slots: Sequence[Slot], board: Tappable, card: str) -> Iterator[dict[str, Any]]:
    """Yield what the open fields may hold: those that are needed all, of the others none, or with `more` one of them.

    Where it may be a card or a place, it is one that lies in sight: never two at once, nor one whose text is meant.
    """
    needed = {slot.name: _values(slot, board, card) for slot in slots if slot.needed}
    bare = [slot for slot in slots if slot.needed and not needed[slot.name]]
    if len(bare) > 1 or (bare and any(slot.printed for slot in slots)):
        return
    if bare:
        needed[bare[0].name] = _in_sight(bare[0], board)
    if board.more == bool(bare):
        yield from _each(needed)
    others = [slot for slot in slots if board.more and not bare and slot.kind != "several"]
    yield from in_turn([_with_another(slot, needed, board, card) for slot in others])


def _with_another(slot: Slot, needed: Mapping[str, Any], board: Tappable, card: str) -> Iterator[dict[str, Any]]:
    """Yield what is needed, with another thing in a field."""
    ways = () if slot.needed else (each for each in _values(slot, board, card) if each != ())
    yield from _each({**needed, slot.name: (*ways, *_in_sight(slot, board))})


def in_turn(ways: Iterable[Iterator[Any]]) -> Iterator[Any]:
    """Yield what several yield, one of each in turn."""
    nothing: Any = object()
    rounds = zip_longest(*ways, fillvalue=nothing)
    return (each for a_round in rounds for each in a_round if each is not nothing)


def _each(ways: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    for values in product(*ways.values()):
        yield dict(zip(ways, values, strict=True))


def _rest(slots: Sequence[Slot]) -> Iterator[tuple[str, Any]]:
    yield from ((slot.name, slot.values[0]) for slot in slots if slot.needed and slot.values)


def _values(slot: Slot, board: Tappable, card: str) -> tuple[Any, ...]:
    """Return what a field may hold that nothing was tapped for: its words, or what the card file says of the card."""
    if slot.kind == "player":
        return board.players
    if slot.kind == "cards" and board.hand:
        return (*slot.values, board.hand)
    if not slot.printed:
        return slot.values
    says = getattr(board.texts.get(card_of(card)), "says", None) if card in board.cards else None
    return tuple(each for each in getattr(says, slot.printed, ()) if isinstance(each, str))


def _in_sight(slot: Slot, board: Tappable) -> tuple[Any, ...]:
    if slot.printed:
        return ()
    values = (_takes(slot, mark, board) for mark in board.in_sight)
    return tuple(each for each in values if each is not UNSET and each not in slot.values)
