"""What a table did although no rule allows it: lines made of whatever was tapped or typed, the likeliest first.

Nothing is looked up among the legal decisions: every decision of the vocabulary takes what was tapped into the fields
that can hold it. What breaks the fewest rules stands first, and what the table cannot carry out is left out.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count, islice, product
from typing import Any, Final, NamedTuple, cast

import msgspec
from msgspec import NODEFAULT, UNSET

from tabletape.events.vocabulary import Decision, Event, fields_of
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
from tabletape.projector.scribing.choices import MAX_LIST, Choice, Group, in_groups, in_steps, type_mark, type_mark_of
from tabletape.projector.scribing.choices import choices_of as in_words
from tabletape.projector.scribing.into_fields import Tappable, filled, in_turn, slots_of

MOST: Final = 12
"""More of them than these nobody reads through."""

MAX_TRIED: Final = 240
"""How many lines are tried on the table at most; each takes a fraction of a millisecond."""

MAX_WORDED: Final = 1_500
"""How many lines are put into words at most to find out whether they are meant."""

CARDS: Final = 8
"""How many cards may be meant by what was typed."""


def _board(replay: Replay, in_sight: Iterable[str] = ()) -> Tappable:
    places = {area.place for area in replay.game.areas(replay.table, "") if area.place}
    return Tappable(replay.table.cards, places, replay.library, tuple(replay.table.players), tuple(in_sight))


def _lines(replay: Replay, board: Tappable, taps: Sequence[str], only: str = "") -> Iterator[Event]:
    """Yield the decisions that what was tapped can be put into, a line of each type in turn.

    They are those of the owner of the first card, or any player's. `only` is the mark of a type and a player.
    """
    table = replay.table
    first = _owner(table.cards, taps)
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
    yield from in_turn(ways)


def _owner(cards: Mapping[str, Any], taps: Iterable[str]) -> str:
    """Return whose the first card is that was tapped; empty where none was."""
    marks = (mark for tap in taps for mark in tap.splitlines())
    first = next((mark for mark in marks if mark in cards or is_unseen(mark)), "")
    card = cards.get(first)
    return first.partition(":")[0] if card is None else str(card.owner or card.zone.owner)


def _of_type(replay: Replay, board: Tappable, kind: type[Event], taps: Sequence[str], player: str) -> Iterator[Event]:
    table, line_of = replay.table, cast("Any", kind)
    slots = slots_of(kind)
    ours = {slot.name: _new_name(table.cards, player, slot.made) for slot in slots if slot.made}
    if player:
        ours["player"] = player
    puts_back = PUTS_BACK in kind.ASKED_AFTER
    hand = tuple(card.name for zone in hands_of(table, player) for card in zone.cards) if puts_back else ()
    mine = [slot for slot in slots if not slot.made]
    own_first = tuple(sorted(board.in_sight, key=lambda mark: not mark.startswith(f"{player}:")))
    board = board._replace(hand=hand, in_sight=own_first)
    ways = (filled(mine, taps, board._replace(more=more)) for more in (False, True))
    for fields in chain.from_iterable(ways):
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


class Apart(NamedTuple):
    """Lines that no rule is against, those of which the log leaves open whether one is, and those that break one."""

    free: Sequence[Choice | Group] = ()
    open: Sequence[Choice | Group] = ()
    broken: Sequence[Choice | Group] = ()


def _broken_by(replay: Replay, event: Event) -> tuple[bool, int, bool] | None:
    """Return whether the table does nothing with a line now, how many rules it breaks, and whether one is left open.

    None where it cannot be.
    """
    game, table = replay.game, replay.table
    try:
        with as_it_was(table):
            gated = game.gate(table, event)
            if gated is not None and not gated.played:
                return True, 1, False
            judge = Judge(game)
            judge.table = table
            judge.judge(judge.rows.get(type(event), ()), event)
            found = judge.raw_findings
            broken = len({each.rule for each in found if each.kind != "unverifiable"})
            game.play[type(event)](table, event)
            game.settle(table)
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - no line that the table can carry out: it is not offered, whatever the reason
        return None
    return False, broken + (gated is not None), bool(found)


def anyway(
    replay: Replay, areas: Sequence[Area], taps: Sequence[str], legal: Sequence[Choice], typed: str = ""
) -> Apart:
    """Return the lines that are no legal decision and hold everything that was tapped, the likeliest first.

    `taps` are marks as in `choices.narrowed`, of which a tap may mean one of several. Where there are more lines than
    anybody reads through, the others are groups by their type, which is tapped as well. The table stays as it is.
    """
    only = next((tap for tap in taps if tap.startswith("!")), "")
    # Of n taps that may each mean one of two things there are 2^n ways to mean them.
    ways = islice(product(*(tap.splitlines() for tap in taps if tap != only)), MAX_TRIED)
    board = _board(replay, (name for name, _ in _marks_of(replay, areas)))
    lines = dict.fromkeys(line for way in ways for line in islice(_lines(replay, board, way, only), MAX_TRIED))
    tried = _tried(replay, islice(lines, MAX_TRIED), legal, typed, taps)
    standing = ([each for each in tried if each.stands == stands] for stands in Apart._fields)
    return Apart(*(_listed(replay, some, taps, only) for some in standing))


def apart(choices: Sequence[Choice]) -> Apart:
    """Return the lines that no rule is against, those that are open, and those that break one, each in their order."""
    return Apart(*([each for each in choices if each.stands == stands] for stands in Apart._fields))


def _listed(replay: Replay, choices: Sequence[Choice], taps: Sequence[str], only: str) -> list[Choice | Group]:
    """Return lines as a list that can be read: the likeliest as they are, the others in groups."""
    if len(choices) <= MAX_LIST:
        return [*choices]
    most = MAX_LIST if taps else sum(len(each.marks) == 1 for each in choices)
    shown, others = choices[:most], choices[most:]
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

    Those are what the owner of the tapped card did, what can be done at this point of the game, and what breaks the
    fewest rules with the fewest things that were not tapped.
    """
    now = {mark for choice in legal for mark in (choice.marks[0], _shape(choice.event))}
    owner, tapped = _owner(replay.table.cards, taps), {mark for tap in taps for mark in tap.splitlines()}
    letters = words_of(typed)
    ranked: list[tuple[Any, Choice]] = []
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
            is_rare = [each not in now for each in (choice.marks[0], _shape(choice.event))]
            rank = (needs_more, broken[0], is_others, is_rare, broken[1] + more, size, *place)
            stands = "broken" if broken[:2] != (False, 0) else "open" if broken[2] else "free"
            ranked.append((rank, msgspec.structs.replace(choice, stands=stands)))
    return [choice for _, choice in sorted(ranked, key=lambda pair: pair[0])]


def _shape(event: Event) -> tuple[Any, ...]:
    """Return which kind of decision it is, whose, and which of its fields say nothing."""
    left_out = (name for name in event.__struct_fields__ if getattr(event, name) in (UNSET, None, ()))
    return (type_mark(event), *(name for name in left_out if name not in event.ASKED_AFTER))


def typed_anyway(replay: Replay, areas: Sequence[Area], legal: Sequence[Choice], typed: str) -> Apart:
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
    meant = (line for line in islice(lines, MAX_WORDED) if _is_meant(replay, line, letters))
    return apart(_tried(replay, islice(meant, MAX_TRIED), legal, typed)[:MOST])


def _out_of_sight(replay: Replay) -> list[tuple[str, tuple[str, ...]]]:
    """Return a copy of each card of a deck, a hand or a pile, with its words."""
    table = replay.table
    by_card = {
        card_of(card.name): card for card in table.cards.values() if card.zone.name != NOWHERE and not card.renamed_to
    }
    return [(card.name, (card.owner, *words_of(name_in_words(table, card.name)))) for card in by_card.values()]


def _is_meant(replay: Replay, line: Event, letters: Sequence[str]) -> bool:
    (choice,) = in_words(replay.table, [Offer(event=line)])
    return place_of(letters, words_of(choice.words)) is not None


def _begins(letters: Sequence[str], words: Sequence[str]) -> bool:
    return any(word.startswith(each) for each in letters for word in words)


def _marks_of(replay: Replay, areas: Sequence[Area]) -> list[tuple[str, tuple[str, ...]]]:
    """Return the cards and places that lie in sight, alike cards once, with their words."""
    by_words: dict[tuple[str, ...], str] = {}
    for area in areas:
        if area.place:
            by_words.setdefault(words_of(f"{area.title} {area.place}"), area.place)
        cards = [*area.cards, *(cell.card for cell in area.cells if cell.card is not None)]
        for card in (each for top in cards for each in with_those_under(top)):
            by_words.setdefault(
                (card.owner, area.name if area.shape != "hand" else "", *words_of(card.title)), card.name
            )
        for cell in area.cells:
            if cell.place is not None:
                words = name_in_words(replay.table, cell.place)
                by_words.setdefault(words_of(words), f"{cell.place[0]},{cell.place[1]}")
    return [(name, words) for words, name in by_words.items()]


def with_those_under(card: Shown) -> Iterator[Shown]:
    """Yield a card as it is drawn, and those that lie beneath it."""
    yield card
    for below in card.under:
        yield from with_those_under(below)
