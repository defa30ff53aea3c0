"""Single edits that may explain what is found wrong at a line of a log, the likeliest places first."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec
from msgspec import UNSET

from events.names import owner_of
from events.vocabulary import Chance, Consequence, Event, Remark, fields_of
from projector.fold.consequence_match import is_counterpart
from projector.fold.replay import Replay
from projector.mending.edits import Edit, bare
from projector.mending.supposed_dice import SupposedDice, cards_in
from projector.model.due import chance

NEAR: Final = 10
"""Decision and chance lines before a finding at which its slip is looked for."""

FAR: Final = 12
"""Older lines that name a card of the line found wrong, at which the slip is looked for as well."""

AT_A_PLACE: Final = 150
"""Decisions that are tried at one place; PhyloGenome has thousands."""

FEW: Final = 8
"""Decisions of one type that are tried at a place whatever they name."""

DRAWS: Final = 40
"""Earlier lines of luck in which a card of the line found wrong may have been misread for another one."""

LUCK: Final = 8
"""Options of luck that are tried in one missing line."""


def places(events: Sequence[Event], index: int) -> list[int]:
    """Return the indices of the lines at which the slip behind a finding at `index` may lie, the nearest first."""
    played = [each for each in range(1, index) if _is_play(events[each])]
    near = [index, *reversed(played[-NEAR:])]
    last = [index + 1] if index + 1 < len(events) else []
    named = set(cards_in(events[index : index + 1]))
    older = [each for each in reversed(played[:-NEAR]) if named.intersection(cards_in(events[each : each + 1]))]
    return [*near[:1], *last, *near[1:], *older[:FAR]]


def removals(events: Sequence[Event], place: int) -> Iterator[Edit]:
    """Yield edits that leave out a line, alone and with what follows from it, or let it change places with the next."""
    if place >= len(events) or not place:
        return
    block = _block(events, place)
    for length in dict.fromkeys((1, block)):
        gone = [bare(each) for each in events[place : place + length]]
        before = [bare(each) for each in events[max(0, place - length) : place]]
        yield Edit("delete", place, length, (), repeats=gone == before)
    if place + 1 < len(events):
        yield Edit("swap", place, 2, (events[place + 1], events[place]))
    behind = place + block
    if behind < len(events) and behind > place + 1:
        after = _block(events, behind)
        mine, theirs = events[place:behind], events[behind : behind + after]
        yield Edit("swap", place, block + after, (*theirs, *mine))


def rewritings(replay: Replay, events: Sequence[Event], place: int, offers: Sequence[Event]) -> Iterator[Edit]:
    """Yield edits that write a line in another way: as a legal one that differs in one field, or in a number.

    `replay` stands before the line; `offers` are the lines that could have been written there.
    """
    if place >= len(events) or not place:
        return
    line = events[place]
    if isinstance(line, Consequence):
        offers = [each.event for each in replay.table.derived if is_counterpart(line, each.event)]
    mine = bare(line)
    found = [
        msgspec.structs.replace(each, seq=line.seq, at=line.at, note=line.note)
        for each in offers
        if type(each) is type(line) and _differing(mine, bare(each)) == 1
    ]
    for each in [*found, *_neighbours(replay, events, line)]:
        yield Edit("replace", place, 1, (each,))


def misread_draws(events: Sequence[Event], index: int, cards: Sequence[str]) -> Iterator[Edit]:
    """Yield edits that write one of `cards` in the place of another of its owner, in an earlier line of luck."""
    drawn = [place for place in range(1, index) if isinstance(events[place], Chance)]
    for place in reversed(drawn[-DRAWS:]):
        line = events[place]
        names = getattr(line, "cards", UNSET)
        if not isinstance(names, tuple):
            continue
        for card in cards:
            for at, name in enumerate(names):
                if name != card and owner_of(name) == owner_of(card) and card not in names:
                    changed = (*names[:at], card, *names[at + 1 :])
                    yield Edit("replace", place, 1, (msgspec.structs.replace(line, cards=changed),))


def insertions(events: Sequence[Event], place: int, offers: Sequence[Event]) -> Iterator[Edit]:
    """Yield edits that write one of the lines of `offers` before a place."""
    seq = events[place - 1].seq if place else UNSET
    for each in offers:
        yield Edit("insert", place, 0, (msgspec.structs.replace(each, seq=seq),))


def possible_lines(replay: Replay, events: Sequence[Event], place: int) -> list[Event]:
    """Return the lines that could stand where a replay stands: what luck owes, then legal decisions.

    Of many decisions of one type those that name a card of the next lines come first.
    """
    table, game = replay.table, replay.game
    if not place:
        return []
    actors = [player for player in game.actors(table) if player in table.players]
    decisions = [each for player in actors for each in game.legal(table, player)]
    of_type = Counter(map(type, decisions))
    named = set(cards_in(events[place : place + 2]))
    decisions.sort(key=lambda each: of_type[type(each)] > FEW and named.isdisjoint(cards_in((each,))))
    return [*_by_luck(replay, events[place:]), *decisions[:AT_A_PLACE]]


def _by_luck(replay: Replay, later: Sequence[Event]) -> Iterator[Event]:
    table, choice, options = replay.table, 0, 1
    while choice < min(options, LUCK):
        dice = SupposedDice(table, later, choice)
        event = chance(replay.game, table, dice)
        if event is None:
            return
        yield from _with_count(event)
        options, choice = dice.options, choice + 1


def _with_count(event: Event) -> Iterator[Event]:
    """Yield a line of luck as it is where it names cards, and as a mere count where the type knows one."""
    names = {field.name for field in fields_of(type(event))}
    cards = getattr(event, "cards", UNSET)
    if cards is not UNSET and cards != ():
        yield event
    if {"cards", "count"} <= names:
        yield msgspec.structs.replace(event, cards=UNSET, count=len(cards or ()) or 1)
    elif cards is UNSET:
        yield event


def _neighbours(replay: Replay, events: Sequence[Event], line: Event) -> Iterator[Event]:
    """Yield a line with one field as other lines have it: another player, place or card, or a number near by."""
    for field in fields_of(type(line)):
        value = getattr(line, field.name)
        for other in _values_near(replay, events, line, field.name, value):
            if other != value:
                yield msgspec.structs.replace(line, **{field.name: other})


def _values_near(replay: Replay, events: Sequence[Event], line: Event, name: str, value: Any) -> Iterator[Any]:
    if name == "player" or (isinstance(value, str) and value in replay.table.players):
        yield from replay.table.players
    elif type(value) is int:
        yield from (value + by for by in (-1, 1, -2, 2, -3, 3) if value + by >= 0)
    elif isinstance(value, str) and ":" in value:
        card = replay.table.find(value)
        if card is not None:
            yield from (each.name for each in card.zone.cards)
    elif isinstance(value, str):
        yield from {getattr(each, name): None for each in events if type(each) is type(line)}


def _block(events: Sequence[Event], place: int) -> int:
    """Return how many lines a decision takes with what follows from it."""
    end = place + 1
    while end < len(events) and _is_play(events[place]) and isinstance(events[end], Consequence):
        end += 1
    return end - place


def _is_play(event: Event) -> bool:
    return not isinstance(event, Consequence | Remark)


def _differing(one: Event, other: Event) -> int:
    """Return in how many fields two events of a type differ; fields of which exactly one stands are one."""
    different = {name for name in one.__struct_fields__ if getattr(one, name) != getattr(other, name)}
    exclusive: tuple[str, ...] = getattr(one, "EXACTLY_ONE", ())
    return len(different.difference(exclusive)) + bool(different.intersection(exclusive))
