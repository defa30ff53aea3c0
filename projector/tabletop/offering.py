"""What may be done now in a game with a rules file: every way to fill in the fields of a move that no rule forbids."""

from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import Any, Final

import msgspec
from msgspec import UNSET

from tabletape.events.rules_file.lines import NEXT_PHASE
from tabletape.events.rules_file.running import decided
from tabletape.events.rules_file.stated import FieldRule, MoveRules, Stated
from tabletape.events.rules_file.values import UNKNOWN, Hidden, TooLongError
from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.names import is_unseen
from tabletape.events.vocabulary.shared import TurnEnded
from tabletape.events.vocabulary.tabletop import CardsDrawn
from tabletape.projector.model.dice import Dice
from tabletape.projector.model.rules import Broken
from tabletape.projector.model.table import Table
from tabletape.projector.tabletop.explaining import is_named
from tabletape.projector.tabletop.file_rules import FileRules
from tabletape.projector.tabletop.judging import judge_drawing
from tabletape.projector.tabletop.moment import Moment
from tabletape.projector.tabletop.offers import offers as tabletop_offers
from tabletape.projector.tabletop.state import Tabletop, deck_of, is_seen
from tabletape.projector.tabletop.turn import is_out_of_place

MOST: Final = 500
"""The ways to fill in the fields of one move that are looked at."""


def legal(file: FileRules, table: Tabletop, player: str) -> list[Event]:
    """Return the moves of a player that no rule forbids, by what this player sees: a hidden card goes by its place."""
    return [*_offered(file, table, player, player)]


def offers(file: FileRules, table: Tabletop, player: str) -> list[Event]:
    """Return the moves of a player that no rule forbids, for whoever keeps the log.

    Where the file does not say what a turn is, lines that every table has may stand beside them.
    """
    common = tabletop_offers(table, player) if file.rules.turn is None else []
    return [*_offered(file, table, player, ""), *(each for each in common if not _is_forbidden(file, table, each))]


def _is_forbidden(file: FileRules, table: Tabletop, event: Event) -> bool:
    """Return whether a line that every table has breaks a rule of the file: a draw of too many cards."""
    verdicts = judge_drawing(file, table, event) if isinstance(event, CardsDrawn) else ()
    return any(isinstance(verdict, Broken) for _, verdict in verdicts)


def _offered(file: FileRules, table: Tabletop, player: str, viewer: str) -> Iterator[Event]:
    if player not in file.turn.actors(table):
        return
    rules = file.rules
    owed = table.owed[0].move if table.owed else ""
    for name, line in file.lines.items():
        move = rules.moves.get(name)
        if move is None or (move.name != owed if owed else move.owed):
            continue
        if is_out_of_place(table, move):
            continue
        moment = Moment(rules, table, player, viewer)
        for fields in islice(_filled(file, move, moment), MOST):
            yield _written(line, player=player, **fields)
    if rules.turn is None or owed:
        return
    if rules.phases and table.phase != rules.phases[-1]:
        yield _written(file.lines[NEXT_PHASE.removeprefix("move.")], player=player)
    elif not rules.actions or (rules.fewer and table.acts):
        yield TurnEnded(player=player)


def _written(line: Any, **fields: Any) -> Event:
    """Return a line of a type that the file makes."""
    event: Event = line(**fields)
    return event


def _filled(file: FileRules, move: MoveRules, moment: Moment) -> Iterator[dict[str, Any]]:
    """Yield the fields of a move as its line names them, in every way that no rule forbids."""
    luck, ruled = file.luck[move.name], file.by(moment.table.options).moves[move.name]
    try:
        for chosen, shown in _choices(move.fields, moment, luck, ({}, {})):
            if move.one_of and sum(is_named(chosen[name]) for name in move.one_of) != 1:
                continue
            moment.fields = chosen
            moment.spend(ruled.judging)
            if all(_allows(each, moment) for each in ruled.needs):
                yield {name: value for name, value in shown.items() if value is not UNSET}
    except TooLongError:
        return


def _allows(need: Stated, moment: Moment) -> bool:
    """Return whether a move is offered as far as a condition goes: a player does what is right whichever card it is.

    Where that hangs on what this player does not see, the log knows it; who keeps the log may know what it does not.
    """
    value, viewer = decided(moment, need.node), moment.viewer
    if value is not UNKNOWN or not viewer:
        return value is not False
    moment.viewer = ""
    try:
        return decided(moment, need.node) in {True, None}
    finally:
        moment.viewer = viewer


def _choices(
    fields: Sequence[FieldRule], moment: Moment, luck: frozenset[str], so_far: tuple[dict[str, Any], dict[str, Any]]
) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield every way to fill in fields, the later ones knowing the earlier: the values, and how a line names them."""
    chosen, shown = so_far
    if not fields:
        yield dict(chosen), dict(shown)
        return
    field, *rest = fields
    moment.fields = chosen
    options = [*_options(field, moment, luck=field.name in luck)]
    left_out: Any = ([], []) if field.kind == "cards" else None
    for value, label in [*options, *([(left_out, UNSET)] if field.optional else [])]:
        more = {**chosen, field.name: value}, {**shown, field.name: label}
        yield from _choices(rest, moment, luck, more)


def _options(field: FieldRule, moment: Moment, *, luck: bool) -> Iterator[tuple[Any, Any]]:
    if field.source is not None:
        yield from _cards(field, moment, luck=luck)
    elif field.kind == "number":
        low, high = field.values
        yield from ((number, number) for number in range(low, min(high, low + MOST) + 1))
    elif field.kind in {"player", "other player"}:
        mine = moment.by if field.kind == "other player" else ""
        yield from ((player, player) for player in moment.players if player != mine)
    else:
        yield from ((value, value) for value in field.values)


def _cards(field: FieldRule, moment: Moment, *, luck: bool) -> Iterator[tuple[Any, Any]]:
    source: Any = field.source
    members = source.run(moment)
    if members is UNKNOWN or members is None:
        return
    # A card that may lie where nobody has said what lies is none that can be offered.
    perhaps = [card for card in members[1] if type(card) is not Hidden] if isinstance(members, tuple) else []
    cards = [*members[0], *perhaps] if isinstance(members, tuple) else [members]
    if luck:
        yield from ((card if field.kind == "card" else ([card], []), UNSET) for card in cards[:1])
        return
    named = [(card, f"?{place}" if type(card) is Hidden else card.name) for place, card in enumerate(cards, 1)]
    if field.kind == "card":
        yield from named
        return
    sets = (some for size in range(1, len(named) + 1) for some in combinations(named, size))
    for some in islice(sets, MOST):
        yield ([card for card, _ in some], []), tuple(name for _, name in some)


def named(file: FileRules, table: Table[Any, Any], event: Any) -> Event:
    """Return a move that a player has chosen by the places of cards, `?2`, with the cards that lie there."""
    move = _move_of(file, event)
    if move is None:
        return event  # type: ignore[no-any-return]  # it is one
    named_cards: dict[str, Any] = {}
    moment = Moment(file.rules, table, event.player, event.player)  # type: ignore[arg-type]  # one of these tables
    for field in move.fields:
        value = getattr(event, field.name)
        names = value if isinstance(value, tuple) else (value,)
        if field.source is None or field.name in file.luck[move.name] or not any(map(_is_place, names)):
            moment.fields[field.name] = value
            continue
        there = [*_lying_there(field, moment)]
        meant = tuple(there[int(name[1:]) - 1] or name if _is_place(name) else name for name in names)
        named_cards[field.name] = meant if field.kind == "cards" else meant[0]
    return msgspec.structs.replace(event, **named_cards) if named_cards else event  # type: ignore[no-any-return]  # as above


def _is_place(name: Any) -> bool:
    return isinstance(name, str) and is_unseen(name)


def _lying_there(field: FieldRule, moment: Moment) -> Iterator[str]:
    """Yield the names of the cards that a player is offered for a field, those too that this player does not see."""
    source: Any = field.source
    members, unseen = source.run(moment), dict[int, Iterator[Any]]()
    for card in [*members[0], *members[1]] if isinstance(members, tuple) else [members]:
        lying = card
        if type(card) is Hidden:
            zone = card.zone
            lying = next(unseen.setdefault(zone.n, iter(() if is_seen(zone, moment.viewer) else zone.cards)), None)
        yield lying.name if lying is not None else ""


def fill_in_chance(file: FileRules, table: Table[Any, Any], event: Any, dice: Dice) -> Event:
    """Return a move that a player has chosen, with the cards that lie where it names places, and those it draws."""
    move = _move_of(file, event)
    if move is None:
        return event  # type: ignore[no-any-return]  # it is one
    moment = Moment(file.rules, table, event.player)  # type: ignore[arg-type]  # it is one of these tables
    moment.read(move, event, file.luck[move.name])
    event = named(file, table, event)
    filled: dict[str, Any] = {}
    for field in move.fields:
        value = getattr(event, field.name)
        if field.name in file.luck[move.name]:
            if value is UNSET and is_named(moment.fields[field.name]):
                filled[field.name] = _drawn(file, table, event.player, dice) or UNSET
        elif field.source is not None and any(map(_is_place, value if isinstance(value, tuple) else (value,))):
            # What an effect has taken off the deck nobody has named: it is any of the cards that have not come up.
            names = value if isinstance(value, tuple) else (value,)
            cards = tuple((_is_place(each) and _drawn(file, table, event.player, dice)) or each for each in names)
            filled[field.name] = cards if isinstance(value, tuple) else cards[0]
    return msgspec.structs.replace(event, **filled) if filled else event  # type: ignore[no-any-return]  # as above


def _move_of(file: FileRules, event: Any) -> MoveRules | None:
    return file.rules.moves.get(type(event).__struct_config__.tag.removeprefix("move."))


def _drawn(file: FileRules, table: Table[Any, Any], player: str, dice: Dice) -> str:
    """Return the card that a player draws; empty where the deck has none, or nobody has said what is in it."""
    deck: Any = deck_of(file.rules, table, player)  # type: ignore[arg-type]  # as above
    name = "deck" if deck.owner else deck.name
    dice.lay_out(deck.owner, name, [card.name for card in deck.cards])
    return next(iter(dice.draw(deck.owner, 1, name)), "")
