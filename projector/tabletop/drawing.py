"""Draws of cards in a game with a rules file: by the move that is one, as the first hand, or as an action of a turn."""

from collections.abc import Iterator
from typing import Any, Final

from tabletape.events.rules_file.stated import MoveRules
from tabletape.events.rules_file.values import Hidden, TooLongError
from tabletape.events.vocabulary.tabletop import CardsDrawn
from tabletape.projector.tabletop.acting import act, acting_of, deal_unseen, forgive, know_hands, settle_debt
from tabletape.projector.tabletop.file_rules import FileRules
from tabletape.projector.tabletop.moment import Acting
from tabletape.projector.tabletop.out_of_turn import count_act, in_turns, take_place
from tabletape.projector.tabletop.state import Aside, Tabletop, deck_of, is_open, place_of, zone_called

DRAW_STEPS: Final = 40
"""The steps of drawing a card: one line may be a thousand of them."""


def do_draw(file: FileRules, table: Tabletop, event: CardsDrawn, otherwise: Any) -> None:
    """Deal or draw cards: by the move that is a draw, where the file has one, else to the hand."""
    player = event.player
    if not table.draws:
        table.set(table, "draws", True)
    if not table.dealt and _is_of_turn(file, table, event):
        deal_unseen(file, table)
        table.set(table, "guessed", True)
    if table.dealt and player not in table.drew:
        table.set(table, "drew", table.drew | {player})
    move = file.drawing
    if table.dealt and move is not None and not event.from_:
        _draw_by_move(file, table, event, move)
        return
    otherwise(table, event)
    _draw_in_turn(file, table, event)
    if is_open(table, player) and (source := zone_called(table, event.from_ or "deck", player)) is not None:
        table.set(table, "undeclared", table.undeclared | {source.name})
    _deal(file, table)


def _draw_by_move(file: FileRules, table: Tabletop, event: CardsDrawn, move: MoveRules) -> None:
    """Draw cards by the move that is a draw.

    What it changes of a count nobody knows where it may be the first hand, before it is counted anew.
    """
    player = event.player
    acting, _ = acting_of(file, table, player) if move.owed else file.acting(table, player)
    may_be_dealt = may_deal(file, table)
    before = _counts(table) if may_be_dealt else {}
    if move.owed and file.rules.first is not None and table.active != player and not may_be_dealt:
        forgive(file, acting)
        if table.active != player:
            table.set(table, "owed", ())
            file.turn.begin_part(table, player)
    try:
        for drawn in draw_each(file, move, acting, event):
            for _ in range(drawn):
                settle_debt(table, player, move.name)
                acting.spend(DRAW_STEPS)
    except TooLongError:
        acting.doubt(file.everything)
    if may_be_dealt:
        now = _counts(table)
        table.forget({name for name, _ in before.items() ^ now.items()})
    if not move.owed:
        _draw_in_turn(file, table, event)


def _counts(table: Tabletop) -> dict[str, tuple[tuple[int, float], ...]]:
    """Return what the counters of a table and of its players are, by their names."""
    counts: dict[str, tuple[tuple[int, float], ...]] = {}
    things: tuple[Any, ...] = (table, *table.players.values())
    for at, each in enumerate(things):
        for place, value in each.counters.items():
            name = place.partition("/")[0]
            counts[name] = (*counts.get(name, ()), (at, value))
    return counts


def draw_each(file: FileRules, move: MoveRules, acting: Acting, event: CardsDrawn) -> Iterator[int]:
    """Do the move that a draw is, once for each card unless it takes several.

    Yields before each, with its fields read, how many cards it takes.
    Raises `TooLongError` where that takes more steps than are left.
    """
    table, field = acting.table, move.fields[0]
    deck, steps = deck_of(file.rules, table, event.player), file.by(table.options).moves[move.name].doing
    names, is_one, unnamed = (*(event.cards or ()), *[""] * (event.count or 0)), field.kind == "card", Hidden(deck)
    for some in [(name,) for name in names] if is_one else [names]:
        taken: list[Any] = []
        for name in some:
            taken.append(acting.card(name, field, taken)[0] if name else unnamed)
        acting.fields = {field.name: taken[0] if is_one else (taken, [])}
        yield len(some)
        act(file, acting, move, steps)


def _is_of_turn(file: FileRules, table: Tabletop, event: CardsDrawn) -> bool:
    """Return whether the first draw of a log is one of a turn: of fewer cards than are dealt, before any of them is."""
    size, wanted = file.rules.hand_size(len(table.players)), len(event.cards or ()) + (event.count or 0)
    hands = (table.zones.get(place_of(file.rules.deal_zone, player)) for player in table.players)
    is_first = not any(hand is not None and hand.size for hand in hands)
    usual = file.rules.first.times if file.rules.first is not None else 1
    most = max(usual, file.rules.actions) if False in file.free_draws.values() else usual
    return is_first and usual <= wanted <= most and wanted < size


def may_deal(file: FileRules, table: Tabletop) -> bool:
    """Return whether hands may still be drawn, where the file deals none."""
    return file.rules.deal is None and table.turn < 2 and not table.acts


def _draw_in_turn(file: FileRules, table: Tabletop, event: CardsDrawn) -> None:
    """Know that a draw may have been an action of the turn, or was one where a move of the file says so.

    Before the first action one card may be that or the first hand, where no hand is dealt; several are the hand.
    """
    is_free, player = next(iter(file.free_draws.values()), None), event.player
    is_unsure, number = is_free is None or may_deal(file, table), len(event.cards or ()) + (event.count or 0)
    is_hand = not (table.turn or file.rules.deal) and number > 1
    if not file.rules.actions or not table.dealt or is_hand or file.draws or is_free:
        return
    if not table.turn:
        file.turn.begin(table, player)
    if is_unsure and in_turns(file, table, player) not in {"own", "next"}:
        before = table.aside.times if table.aside.player == player else 0
        table.set(table, "aside", Aside(player, before + number, table.acts))
        Acting(file.rules, table, player).doubt({"turn"})
        return
    is_in_turn = take_place(file, table, player)
    count_act(table, player, "perhaps_acts" if is_unsure else "acts")
    if number > 1 and is_in_turn:  # Each of several cards may be an action.
        table.count(table, "perhaps_acts", number - 1)


def _deal(file: FileRules, table: Tabletop) -> None:
    """Know whether the hands are dealt."""
    if not table.dealt:
        need, zone = file.rules.hand_size(len(table.players)), file.rules.deal_zone
        hands = [table.zones.get(place_of(zone, player)) for player in table.players]
        if all(hand is not None and hand.size >= need for hand in hands):
            know_hands(file, table)
