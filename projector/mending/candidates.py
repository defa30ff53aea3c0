"""Single edits that may explain what is found wrong at a line of a log, the likeliest places first."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from operator import itemgetter, ne
from typing import Any, Final

import msgspec
from msgspec import UNSET

from tabletape.events.vocabulary import Chance, Consequence, Event, Remark, fields_of
from tabletape.events.vocabulary.names import is_unseen, owner_of
from tabletape.projector.fold.consequence_match import is_counterpart
from tabletape.projector.fold.replay import Replay
from tabletape.projector.mending.clues import Clues, Spot, cards_in, differ_in_lists, values_in
from tabletape.projector.mending.edits import Edit, bare
from tabletape.projector.mending.supposed_dice import SupposedDice
from tabletape.projector.model.dice import answered

MAX_PLAYS_BEFORE: Final = 10
"""Decision and chance lines before a finding at which its slip is looked for."""

MAX_OLDER_LINES: Final = 12
"""Older lines that name a card of the line found wrong, at which the slip is looked for as well."""

MAX_DECISIONS: Final = 600
"""Decisions that are looked at for one place; PhyloGenome has thousands."""

MAX_OF_A_TYPE: Final = 32
"""Decisions of one type that are tried at a place whatever they name."""

ALONE: Final = 3
"""Decisions of one type that come before all others; often that is the end of a turn, or a pass."""

MAX_WITH_SAME_CARDS: Final = 40
"""Decisions of one type with the same cards that are looked at for one place."""

DRAWS: Final = 40
"""Earlier lines of luck in which a card of the line found wrong may have been misread for another one."""

LUCK: Final = 24
"""Ways in which luck may have written one missing line that are tried."""


def places(events: Sequence[Event], index: int) -> tuple[list[int], list[int]]:
    """Return the indices of the lines at which the slip behind a finding at `index` may lie, the nearest first.

    These are lines near by, and older ones that name a card of the line found wrong.
    """
    played = [each for each in range(1, index) if is_play(events[each])]
    behind = index - 1  # What follows from a line stands behind it: a line may be missing before that, or too late.
    while behind > 1 and not is_play(events[behind]):
        behind -= 1
    near = {*played[-MAX_PLAYS_BEFORE:], *range(behind + 1, index)[-MAX_PLAYS_BEFORE:]}
    last = [index + 1] if index + 1 < len(events) else []
    named = set(cards_in(events[index : index + 1]))
    older = [
        each for each in reversed(played[:-MAX_PLAYS_BEFORE]) if named.intersection(cards_in(events[each : each + 1]))
    ]
    return [index, *last, *sorted(near, reverse=True)], older[:MAX_OLDER_LINES]


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
    if place > 1 and not is_play(events[place - 1]):
        yield Edit("swap", place - 1, 2, (events[place], events[place - 1]))
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
    anew = [each for offer in offers if type(offer) is type(line) for each in _taking_one_field(line, offer)]
    for each in [*anew, *_neighbours(replay, events, line)]:
        yield Edit("replace", place, 1, (each,))


def _taking_one_field(line: Event, offer: Event) -> Iterator[Event]:
    """Yield a line with one field as a legal one has it; fields of which exactly one stands are one field."""
    exclusive: tuple[str, ...] = getattr(line, "EXACTLY_ONE", ())
    together = {name: getattr(offer, name) for name in exclusive}
    if any(getattr(line, name) != value for name, value in together.items()):
        yield msgspec.structs.replace(line, **together)
    for field in fields_of(type(line)):
        value = getattr(offer, field.name)
        if field.name not in together and value != getattr(line, field.name):
            yield msgspec.structs.replace(line, **{field.name: value})


def misread_draws(events: Sequence[Event], index: int) -> Iterator[Edit]:
    """Yield edits that write a card of a line in place of another of its owner, in an earlier line of luck."""
    cards = dict.fromkeys(cards_in(events[index : index + 1]))
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


def possible_lines(replay: Replay, later: Sequence[Event], pointing: Sequence[Clues], *, here: bool) -> list[Event]:
    """Return the lines that could stand where a replay stands, before `later` ones: what luck owes, then decisions.

    Of a type with many legal decisions only those to which the clues of `pointing` point; `here`, at the line found
    wrong itself, the others as well. Lines of which the clues point to more come first.
    """
    table, game = replay.table, replay.game
    decisions = [*legal(replay)]
    of_type = Counter(map(type, decisions))
    dice = SupposedDice(table, later)
    always = frozenset(kind for kind, number in of_type.items() if here or number <= MAX_OF_A_TYPE)
    offers = _pointed_to(decisions, pointing, always)
    offers.sort(key=lambda each: of_type[type(each)] > ALONE)
    return [*_by_luck(replay, dice), *(game.bots.fill_in_chance(table, each, dice) for each in offers[:MAX_DECISIONS])]


def beside(replay: Replay, line: Event) -> list[Event]:
    """Return the decisions where a replay stands that differ from one in a single card or spot, or else in spots alone.

    Those with a single difference come first, and those that say a part of it; then those that say the same in another
    order; last those that say more than that.
    """
    named = values_in((line,))
    near: list[list[Event]] = [[], [], [], []]
    for each in legal(replay):
        values = values_in((each,)) if type(each) is type(line) else []
        number = sum(map(ne, values, named))
        if len(values) == len(named):
            if number == 1 or (number and _same_cards(values, named)):
                near[0 if number == 1 else 1 if {*values} == {*named} else 2].append(each)
        elif values and {*values} < {*named}:
            near[0].append(each)
        elif {*named} < {*values}:
            near[3].append(each)
    return [each for alike in near for each in alike]


def listing_as_much(replay: Replay, line: Event) -> list[Event]:
    """Return the decisions where a replay stands that differ from a line in a list, which is as long as there.

    Those with the same cards come first.
    """
    values = values_in((line,))
    other = [each for each in legal(replay) if type(each) is type(line) and differ_in_lists(each, line)]
    named = [(each, values_in((each,))) for each in other]
    as_much = [(not _same_cards(those, values), each) for each, those in named if len(those) == len(values)]
    return [each for _, each in sorted(as_much, key=itemgetter(0))]


def pointed_to(replay: Replay, pointing: Sequence[Clues]) -> list[Event]:
    """Return every decision where a replay stands to which clues point: those first to which they point most."""
    named = [(each, values_in((each,))) for each in legal(replay)]
    shares = [(each, sum(clue.share(values) for clue in pointing)) for each, values in named]
    return [each for each, share in sorted(shares, key=itemgetter(1), reverse=True) if share]


def _same_cards(values: Iterable[str | Spot], others: Iterable[str | Spot]) -> bool:
    """Return whether both name the same cards, in any order."""
    one, two = (sorted(each for each in named if isinstance(each, str)) for named in (values, others))
    return one == two


def legal(replay: Replay) -> Iterator[Event]:
    """Yield every legal decision where a replay stands."""
    table, game = replay.table, replay.game
    actors = [player for player in game.actors(table) if player in table.players]
    return (each for player in actors for each in game.legal(table, player))


def _pointed_to(decisions: Iterable[Event], pointing: Sequence[Clues], always: Collection[type[Event]]) -> list[Event]:
    """Return decisions to which clues point, and all of some types: those first to which they point most.

    Of those with the same cards only the first ones.
    """
    named = [values_in((event,)) for event in decisions]
    shares = [sum(clue.share(values) for clue in pointing) for values in named]
    chosen: list[Event] = []
    alike: Counter[object] = Counter()
    for share, values, event in sorted(zip(shares, named, decisions, strict=True), key=itemgetter(0), reverse=True):
        kind = type(event), *(each for each in values if isinstance(each, str))
        alike[kind] += 1
        if alike[kind] <= MAX_WITH_SAME_CARDS and (share or type(event) in always):
            chosen.append(event)
    return chosen


def _by_luck(replay: Replay, dice: SupposedDice) -> Iterator[Event]:
    """Yield each line of luck that may come next, in each way that luck can answer it."""
    table = replay.table
    for due in replay.game.due(table):
        choice, options = 0, 1
        while choice < min(options, LUCK):
            dice.decide_by(choice)
            yield from _with_count(answered(table, due, dice))
            options, choice = dice.options, choice + 1


def _with_count(event: Event) -> Iterator[Event]:
    """Yield a line of luck as it is where it names cards that the log uses, and as a mere count where it can be one."""
    names = {field.name for field in fields_of(type(event))}
    cards = getattr(event, "cards", UNSET)
    counts = {"cards", "count"} <= names
    if not counts or not any(map(is_unseen, cards or ())):
        yield event
    if counts and cards:
        yield msgspec.structs.replace(event, cards=UNSET, count=len(cards))


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
    elif isinstance(value, bool):
        yield not value
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
    while end < len(events) and is_play(events[place]) and isinstance(events[end], Consequence):
        end += 1
    return end - place


def is_play(event: Event) -> bool:
    """Return whether an event is a decision or written by luck."""
    return not isinstance(event, Consequence | Remark)
