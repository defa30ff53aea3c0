"""What can be tapped: decisions as sentences, narrowed by what was tapped before, and few enough to be read."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal

import msgspec
from msgspec import UNSET

from tabletape.events.vocabulary import ENVELOPE, Event, tag_of
from tabletape.events.vocabulary.names import is_unseen
from tabletape.projector.model.deciding import PUTS_BACK, Offer
from tabletape.projector.model.phrases import name_in_words, name_of, unlisted_in_words
from tabletape.projector.model.sentences import event_in_words, outline
from tabletape.projector.model.table import Table

MAX_LIST: Final = 20
"""How many choices stand in a list at most; more are chosen in steps, or on the board."""


class Choice(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A decision in words: `marks` are what can be tapped for it: its type, cards and places.

    `also` are other copies of its cards that lie where it takes them from, and mean the same. `stands` says whether no
    rule is against it, the log leaves open whether one is, or one is.
    """

    event: Event
    words: str
    marks: tuple[str, ...]
    also: frozenset[str] = frozenset()
    supposed: bool = False
    stands: Literal["free", "open", "broken"] = "free"


class Group(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Choices that have something in common: to tap it leaves `count` of them; a `chip` stands beside others."""

    words: str
    mark: str
    count: int
    chip: bool = False


def type_mark(event: Event) -> str:
    """Return what stands for the type of an event, and who does it, among its marks."""
    return type_mark_of(type(event), getattr(event, "player", ""))


def type_mark_of(kind: type[Event], player: str) -> str:
    """Return what stands for a type of events and who does it."""
    return f"!{player} {tag_of(kind)}"


def choices_of(table: Table[Any, Any], offers: Iterable[Offer]) -> list[Choice]:
    """Return offers in words, each once: of alike cards in a hand or deck the first one stands for all."""
    grouped: dict[Any, tuple[Offer, set[str]]] = {}
    for offer in offers:
        key = _alike(table, offer.event)
        if key in grouped:
            grouped[key][1].update(_values(offer.event))
        else:
            grouped[key] = offer, set()
    return [
        Choice(
            event=offer.event,
            words=event_in_words(table, offer.event),
            marks=(type_mark(offer.event), *_values(offer.event)),
            also=frozenset(also),
            supposed=offer.supposed,
        )
        for offer, also in grouped.values()
    ]


def _alike(table: Table[Any, Any], event: Event) -> tuple[Any, ...]:
    """Return what is the same in two decisions that differ in nothing but which of alike cards they name."""
    return (type(event), *(_plain(table, getattr(event, name)) for name in event.__struct_fields__))


def _plain(table: Table[Any, Any], value: Any) -> Any:
    """Return a value in which alike cards have one name; of unseen cards only their number counts."""
    if isinstance(value, tuple):
        return tuple(_plain(table, each) for each in value)
    if not isinstance(value, str) or (":" not in value and not is_unseen(value)):
        return value
    card = table.cards.get(value)
    if card is None and is_unseen(value):
        return value.partition("?")[0]
    return value.partition("#")[0] if card is not None and card.zone.role in {"hand", "deck"} else value


def _values(event: Any) -> Iterator[str]:
    """Yield the cards, places and words of an event, in the order of its fields."""
    for name in event.__struct_fields__:
        if name not in ENVELOPE and name != "player":
            yield from _marks(getattr(event, name))


def _marks(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, msgspec.Struct):
        yield from _values(value)
    elif isinstance(value, tuple):
        if len(value) == 2 and all(type(each) is int for each in value):
            yield f"{value[0]},{value[1]}"
        else:
            for each in value:
                yield from _marks(each)


def narrowed(choices: Sequence[Choice], taps: Iterable[str]) -> list[Choice]:
    """Return the choices that everything which was tapped belongs to; those of a card that was tapped first come first.

    A tap that means one of several things (a card, or the cell on which it lies) has them in lines of its own.
    """
    wanted = [tap.splitlines() for tap in taps]
    tapped = {mark for tap in wanted for mark in tap}
    fitting = [choice for choice in choices if all(any(_has(choice, mark, tapped) for mark in tap) for tap in wanted)]
    first = next((tap[0] for tap in wanted if tap and not tap[0].startswith("!")), "")
    return sorted(
        fitting, key=lambda choice: (first not in choice.marks[:2] and first not in choice.also, len(choice.marks))
    )


def _has(choice: Choice, tap: str, tapped: Container[str]) -> bool:
    if tap.endswith(","):
        free = (mark for mark in choice.marks if mark not in tapped and _is_position(mark))
        return any(_row_of(mark) == tap for mark in free)
    return tap in choice.marks or tap in choice.also


def in_steps(table: Table[Any, Any], choices: Sequence[Choice], taps: Iterable[str] = ()) -> list[Choice | Group]:
    """Return choices as a list that is short enough: as they are, or as groups that each leave some of them.

    They are grouped by what was not tapped yet: by card, by type, then by the other fields in their order.
    """
    if len(choices) <= MAX_LIST:
        return list(choices)
    tapped = {mark for tap in taps for mark in tap.splitlines()}
    depth = max(len(choice.marks) for choice in choices)
    ways = [_grouped(choices, index, tapped) for index in (1, 0, *range(2, depth))]
    several = [way for way in ways if len(way) > 1]
    best = next((way for way in several if len(way) <= MAX_LIST), None) or _by_row(min(several or ways, key=len))
    return in_groups(table, best)[:MAX_LIST]  # what is left out is a card that can be tapped on the board


def in_groups(table: Table[Any, Any], way: Mapping[str, list[Choice]]) -> list[Choice | Group]:
    """Return choices by what they have in common as groups; one that is alone stands for itself."""
    return [_group(table, mark, alike) if len(alike) > 1 else alike[0] for mark, alike in way.items()]


def put_back(table: Table[Any, Any], choices: Sequence[Choice], taps: Iterable[str]) -> list[Choice | Group]:
    """Return decisions that put cards back: those that put back just what was tapped, and each other card as a chip."""
    tapped = {mark for tap in taps for mark in tap.splitlines() if mark in table.cards}
    cards = [[mark for mark in choice.marks if mark in table.cards] for choice in choices]
    exact = [choice for choice, mine in zip(choices, cards, strict=True) if len(mine) == len(tapped)]
    left = Counter(mark for mine in cards for mark in dict.fromkeys(mine) if mark not in tapped)
    owners = {mark: name_of(table, table.cards[mark].owner) for mark in left}
    several = len({*owners.values()}) > 1

    def chip(mark: str) -> Group:
        words = name_in_words(table, mark)
        return Group(words=f"{words} ({owners[mark]})" if several else words, mark=mark, count=left[mark], chip=True)

    return [*exact, *map(chip, left)]


def puts_back(choice: Choice) -> bool:
    """Return whether a decision puts cards back of which any number may be chosen, as a mulligan does."""
    return PUTS_BACK in choice.event.ASKED_AFTER and hasattr(choice.event, "returned")


def _by_row(way: dict[str, list[Choice]]) -> dict[str, list[Choice]]:
    """Return groups by position put together by the first number of the position."""
    by_row: dict[str, list[Choice]] = {}
    for mark, alike in way.items():
        by_row.setdefault(_row_of(mark) if _is_position(mark) else mark, []).extend(alike)
    return by_row if len(by_row) > 1 else way


def _is_position(mark: str) -> bool:
    return "," in mark and mark.replace(",", "").replace("-", "").isdigit()


def _row_of(mark: str) -> str:
    """Return what stands for all positions with the same first number: `6,`."""
    return f"{mark.partition(',')[0]},"


def _grouped(choices: Sequence[Choice], index: int, tapped: Container[str]) -> dict[str, list[Choice]]:
    """Return choices by what stands at a place among their marks, leaving out the tapped ones; by type behind them."""
    groups: dict[str, list[Choice]] = {}
    for choice in choices:
        free = [mark for mark in choice.marks[1:] if mark not in tapped]
        mark = free[index - 1] if 0 < index <= len(free) else choice.marks[0]
        groups.setdefault(mark, []).append(choice)
    return groups


def _group(table: Table[Any, Any], mark: str, alike: list[Choice]) -> Group:
    return Group(words=group_in_words(table, mark, alike[0].event), mark=mark, count=len(alike))


def group_in_words(table: Table[Any, Any], mark: str, event: Event) -> str:
    """Return what choices have in common that share a mark with an event: what is done, a place, or a card."""
    if mark.startswith("!"):
        return outline(table, event)
    if mark.endswith(","):
        row, _, rest = name_in_words(table, (int(mark[:-1]), 0)).rpartition("0")
        return f"{row}…{rest}"
    if _is_position(mark):
        return name_in_words(table, tuple(int(each) for each in mark.split(",")))
    if ":" in mark or is_unseen(mark) or mark in table.cards:
        return unlisted_in_words(table, name_in_words(table, mark))
    return mark.replace("-", " ").capitalize()


def drawn_after(event: Event) -> int:
    """Return how many cards a decision draws that are asked for after it is chosen; 0 for most decisions."""
    if "drawn" not in event.ASKED_AFTER:
        return 0
    drawn: Any = getattr(event, "drawn", UNSET)
    count: Any = getattr(event, "count", UNSET)
    return len(drawn or ()) if drawn is not UNSET else 0 if count is UNSET else int(count)
