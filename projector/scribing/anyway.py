"""What a table did although no rule allows it: lines made of whatever was tapped or typed, the likeliest first.

Nothing is looked up among the legal decisions: every decision of the vocabulary takes what was tapped into the fields
that can hold it. What breaks the fewest rules stands first, and what the table cannot carry out is left out.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import count, islice, product
from typing import Any, Final, NamedTuple, cast, get_args, get_origin

import msgspec
from msgspec import NODEFAULT, UNSET

from tabletape.events.vocabulary import Decision, Event, choices_of, fields_of, note_of
from tabletape.events.vocabulary.names import card_of, is_unseen
from tabletape.events.vocabulary.shared import DeckDeclared, GameStarted
from tabletape.projector.fold.judge import Judge
from tabletape.projector.fold.replay import Replay
from tabletape.projector.model.areas import Area, Shown
from tabletape.projector.model.deciding import PUTS_BACK, Offer, as_it_was, hands_of, is_same
from tabletape.projector.model.phrases import name_in_words
from tabletape.projector.model.table import NOWHERE, Table
from tabletape.projector.scribing.asking import new_unseen
from tabletape.projector.scribing.box import place_of, words_of
from tabletape.projector.scribing.choices import MAX_LIST, Choice, Group, in_groups, in_steps, type_mark_of
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
def _slots(kind: Any) -> tuple[Slot, ...]:
    """Return the fields of a type of events, or of a part of one."""
    fields = fields_of(kind) if issubclass(kind, Event) else msgspec.structs.fields(kind)
    left_out = (*getattr(kind, "ASKED_AFTER", ()), "player")
    return tuple(_slot(field) for field in fields if field.name not in left_out)


def _slot(field: msgspec.structs.FieldInfo) -> Slot:
    needed = field.default is NODEFAULT and field.default_factory is NODEFAULT
    parts = [each for each in parts_of(field.type) if each is not type(UNSET)]
    words = tuple(word for part in parts for word in choices_of(part)) or choices_of(field.type)
    for part in parts:
        bare = get_args(part)[0] if get_origin(part) is not tuple and get_args(part) else part
        inner = get_args(bare)[0] if get_origin(bare) is tuple else None
        if isinstance(inner, type) and issubclass(inner, msgspec.Struct):
            return Slot(field.name, "several", needed, ((),), parts=_slots(inner), of=inner)
    kind = "words" if words else next((each for each in map(kind_of, parts) if each != "text"), "text")
    values = {"flag": (False, True), "cards": ((),), "list": ((),)}.get(kind, words)
    none = (None,) if type(None) in parts else ()
    printed, made = (note_of(field.type, note) or "" for note in ("printed in", "made of"))
    return Slot(field.name, kind, needed, (*values, *none), printed, made)


class Tappable(NamedTuple):
    """What can be tapped: the cards that there are, the places that a log names, what lies in sight, and a hand."""

    cards: Mapping[str, Any]
    places: Collection[str]
    texts: Mapping[str, Any]
    players: tuple[str, ...] = ()
    in_sight: tuple[str, ...] = ()
    hand: tuple[str, ...] = ()


def _board(replay: Replay, in_sight: Iterable[str] = ()) -> Tappable:
    places = {area.place for area in replay.game.areas(replay.table, "") if area.place}
    return Tappable(replay.table.cards, places, replay.library, tuple(replay.table.players), tuple(in_sight))


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


def _filled(slots: Sequence[Slot], taps: Sequence[str], board: Tappable, card: str = "") -> Iterator[dict[str, Any]]:
    """Yield the ways to put marks into fields, each into one of its own, and what else there is into the open ones.

    `card` is the first that was put anywhere: what stands on it is chosen among its texts.
    """
    if not taps:
        yield from _completed(slots, board, card)
        return
    for number, slot in enumerate(slots):
        others = [*slots[:number], *slots[number + 1 :]]
        if slot.kind == "several":
            # A part of its own, as a card and where it is moved to, takes as many of the marks as it has fields.
            for part in _filled(slot.parts, taps, board):
                yield {**dict(_rest(others)), slot.name: (slot.of(**part),)}
        elif (value := _takes(slot, taps[0], board, card)) is not UNSET:
            for rest in _filled(others, taps[1:], board, card or taps[0]):
                yield {slot.name: value, **rest}
            if slot.kind == "cards" and taps[1:] and (second := _takes(slot, taps[1], board)) is not UNSET:
                for rest in _filled(others, taps[2:], board, card or taps[0]):
                    yield {slot.name: (*value, *second), **rest}


def _completed(slots: Sequence[Slot], board: Tappable, card: str) -> Iterator[dict[str, Any]]:
    """Yield what the open fields may hold: those that are needed all, of the others at first none, then one of them.

    Where it may be a card or a place, it is one that lies in sight; never two such at once.
    """
    needed = {slot.name: _values(slot, board, card) for slot in slots if slot.needed}
    bare = [slot for slot in slots if slot.needed and not needed[slot.name]]
    if len(bare) > 1:
        return
    if bare:
        needed[bare[0].name] = _in_sight(bare[0], board)
    yield from _each(needed)
    for slot in () if bare else slots:
        if slot.kind != "several":
            others = {name: ways for name, ways in needed.items() if name != slot.name}
            ways = () if slot.needed else (each for each in _values(slot, board, card) if each != ())
            yield from _each({**others, slot.name: (*ways, *_in_sight(slot, board))})


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
    found = (_takes(slot, mark, board) for mark in board.in_sight)
    return tuple(each for each in found if each is not UNSET and each not in slot.values)


def _lines(replay: Replay, board: Tappable, taps: Sequence[str], only: str = "") -> Iterator[Event]:
    """Yield the decisions that what was tapped can be put into, a line of each type in turn.

    They are those of the owner of the first card, or any player's. `only` is the mark of a type and a player.
    """
    table = replay.table
    first = _owner(board, taps)
    players = sorted(table.players, key=lambda each: (each != first, each != table.active))
    kinds = [
        kind
        for kind in replay.game.vocabulary.types.values()
        if issubclass(kind, Decision) and not issubclass(kind, GameStarted | DeckDeclared) and not kind.ANY_TIME
    ]
    ways = [
        _of_type(replay, board, kind, taps, player if "player" in kind.__struct_fields__ else "")
        for number, player in enumerate(players)
        for kind in kinds
        if only in {"", type_mark_of(kind, player)} and (not number or "player" in kind.__struct_fields__)
    ]
    while ways:
        found = [(way, line) for way in ways if (line := next(way, None)) is not None]
        yield from (line for _, line in found)
        ways = [way for way, _ in found]


def _owner(board: Tappable, taps: Iterable[str]) -> str:
    """Return whose the first card is that was tapped; empty where none was."""
    marks = (mark for tap in taps for mark in tap.splitlines())
    first = next((mark for mark in marks if mark in board.cards or is_unseen(mark)), "")
    card = board.cards.get(first)
    return first.partition(":")[0] if card is None else str(card.owner or card.zone.owner)


def _of_type(replay: Replay, board: Tappable, kind: type[Event], taps: Sequence[str], player: str) -> Iterator[Event]:
    table, line_of = replay.table, cast("Any", kind)
    slots = _slots(kind)
    ours = {slot.name: _new_name(table.cards, player, slot.made) for slot in slots if slot.made}
    if player:
        ours["player"] = player
    puts_back = PUTS_BACK in kind.ASKED_AFTER
    hand = tuple(card.name for zone in hands_of(table, player) for card in zone.cards) if puts_back else ()
    for fields in _filled([slot for slot in slots if not slot.made], taps, board._replace(hand=hand)):
        after = _after(table, kind, player, fields.get("returned", ()))
        if after is not None:
            yield line_of(**fields, **after, **ours)


def _new_name(cards: Collection[str], player: str, made: str) -> str:
    return next(name for number in count(1) if (name := f"{player}:{made}#{number}") not in cards)


def _after(table: Table[Any, Any], kind: type[Event], player: str, back: Sequence[str]) -> Mapping[str, Any] | None:
    """Return what stands for what luck fills in after a decision, once `back` was put back; None where that is open."""
    exclusive = getattr(kind, "EXACTLY_ONE", ())
    if "count" in exclusive:
        return {"count": len(back) if PUTS_BACK in exclusive else 1}
    if exclusive:
        return None
    needed = [each.name for each in fields_of(kind) if each.name in kind.ASKED_AFTER and each.default is NODEFAULT]
    return {name: new_unseen(table, player, len(back), back) if name == PUTS_BACK else () for name in needed}


def _broken_by(replay: Replay, event: Event) -> tuple[bool, int] | None:
    """Return whether the table does nothing with a line now, and how many rules it breaks; None where it cannot be."""
    game, table = replay.game, replay.table
    try:
        with as_it_was(table):
            gated = game.gate(table, event)
            if gated is not None and not gated.played:
                return True, 1
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
    return False, broken + (gated is not None)


def anyway(
    replay: Replay, areas: Sequence[Area], taps: Sequence[str], legal: Sequence[Choice], typed: str = ""
) -> list[Choice | Group]:
    """Return the lines that are no legal decision and hold everything that was tapped, the likeliest first.

    `taps` are marks as in `choices.narrowed`, of which a tap may mean one of several. Where there are more lines than
    anybody reads through, the others are groups by their type, which is tapped as well. The table stays as it is.
    """
    only = next((tap for tap in taps if tap.startswith("!")), "")
    ways = product(*(tap.splitlines() for tap in taps if tap != only))
    board = _board(replay, (name for name, _ in _marks_of(replay, areas)))
    lines = dict.fromkeys(line for way in ways for line in islice(_lines(replay, board, way, only), TRIED))
    found = _tried(replay, islice(lines, TRIED), legal, typed, taps)
    if len(found) <= MAX_LIST:
        return [*found]
    most = MAX_LIST if taps else sum(len(each.marks) == 1 for each in found)
    shown, others = found[:most], found[most:]
    if only:
        return [*shown, *in_steps(replay.table, others, taps)]
    by_type: dict[str, list[Choice]] = {}
    for each in others:
        by_type.setdefault(each.marks[0], []).append(each)
    return [*shown, *in_groups(replay.table, by_type)]


def _tried(
    replay: Replay, lines: Iterable[Event], legal: Sequence[Choice], typed: str, taps: Sequence[str] = ()
) -> list[Choice]:
    """Return the lines that are meant by what was typed and can be written, the likeliest first.

    Those are what the owner of the tapped card did, and what breaks the fewest rules with the fewest things that were
    not tapped.
    """
    owner, tapped = _owner(_board(replay), taps), {mark for tap in taps for mark in tap.splitlines()}
    letters = words_of(typed)
    found: list[tuple[Any, Choice]] = []
    said: set[str] = set()
    for choice in in_words(replay.table, (Offer(event=line) for line in lines)):
        place = place_of(letters, words_of(choice.words)) if letters else (0, 0)
        if (
            place is None
            or choice.words in said
            or any(is_same(replay.table, each.event, choice.event) for each in legal)
        ):
            continue
        broken = _broken_by(replay, choice.event)
        if broken is not None:
            said.add(choice.words)
            is_others = bool(owner) and getattr(choice.event, "player", owner) != owner
            needs_more = not owner and len(choice.marks) > 1
            names = [mark for mark in choice.marks[1:] if mark in replay.table.cards or "," in mark]
            untapped = len({*names} - tapped)  # a whole hand is one thing
            more, size = min(untapped, 1) + len(names) - len({*names}), len(choice.marks) - max(untapped - 1, 0)
            found.append(((needs_more, broken[0], is_others, broken[1] + more, size, *place), choice))
    return [choice for _, choice in sorted(found, key=lambda pair: pair[0])]


def typed_anyway(replay: Replay, areas: Sequence[Area], legal: Sequence[Choice], typed: str) -> list[Choice]:
    """Return what was typed may mean that is no legal decision: a card, also with another or a place."""
    letters = words_of(typed)
    marks = _marks_of(replay, areas)
    seen = {name for name, _ in marks}
    marks += [each for each in _out_of_sight(replay) if each[0] not in seen]
    cards = [name for name, words in marks if name in replay.table.cards and _begins(letters, words)][:CARDS]
    seconds = [name for name, words in marks if _begins(letters[1:], words)]
    ways: list[tuple[str, ...]] = [(), *((card,) for card in cards)]
    ways += [(card, other) for card in cards for other in seconds if other != card]
    board = _board(replay)
    lines = dict.fromkeys(line for way in ways for line in _lines(replay, board, way))
    meant = (line for line in islice(lines, SAID) if _is_meant(replay, line, letters))
    return _tried(replay, islice(meant, TRIED), legal, typed)[:MOST]


def _out_of_sight(replay: Replay) -> list[tuple[str, tuple[str, ...]]]:
    """Return a copy of each card of a deck, a hand or a pile, with its words."""
    table = replay.table
    found = {
        card_of(card.name): card for card in table.cards.values() if card.zone.name != NOWHERE and not card.renamed_to
    }
    return [(card.name, (card.owner, *words_of(name_in_words(table, card.name)))) for card in found.values()]


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
        for card in (each for top in cards for each in with_those_under(top)):
            found.setdefault((card.owner, area.name if area.shape != "hand" else "", *words_of(card.title)), card.name)
        for cell in area.cells:
            if cell.place is not None:
                words = name_in_words(replay.table, cell.place)
                found.setdefault(words_of(words), f"{cell.place[0]},{cell.place[1]}")
    return [(name, words) for words, name in found.items()]


def with_those_under(card: Shown) -> Iterator[Shown]:
    """Yield a card as it is drawn, and those that lie beneath it."""
    yield card
    for below in card.under:
        yield from with_those_under(below)
