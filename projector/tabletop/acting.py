"""What the lines of a game with a rules file do: effects, what is owed next, what happens by itself, the end.

The table has done it: a card is taken from where it lies, a counter stays within its limits, a wrong player is on turn.
"""

from typing import Any

from tabletape.events.rules_file.stated import Happening, MoveRules
from tabletape.events.rules_file.values import EACH, SAVED_STEPS, UNKNOWN, Hidden, TooLongError
from tabletape.events.vocabulary import Event
from tabletape.projector.model.outcome import Outcome
from tabletape.projector.tabletop.file_rules import ByRulings, FileRules
from tabletape.projector.tabletop.moment import Acting
from tabletape.projector.tabletop.out_of_turn import (
    count_act,
    is_drawn_behind,
    take_place,
    waits_behind,
)
from tabletape.projector.tabletop.state import (
    Debt,
    Tabletop,
    TabletopPlayer,
    begin_turn,
    deck_of,
    know,
    place_of,
)


def do_move(file: FileRules, move: MoveRules, table: Tabletop, event: Any) -> None:
    """Do what a move says."""
    at, judged, length, fields, in_place = file.read
    is_judged = judged is event and at is table and length == len(table.journal)
    player, owed = event.player, table.owed
    acting, by_rulings = acting_of(file, table, player)
    ruled = by_rulings.moves[move.name]
    try:
        if owed and owed[0].player == player and owed[0].move == move.name:
            table.set(table, "owed", owed[1:])
        elif move.owed and not owed:
            settle_debt(table, player, move.name)
        else:
            waits = bool(owed) and waits_behind(file, table, player)
            if owed and not waits:
                forgive(file, acting)
            _take_turn(file, table, player, move)
            if table.owed and not waits:
                table.set(table, "owed", ())
            if table.perhaps_owed:
                begun = file.rules.first.rule.id if file.rules.first is not None else ""
                still = (each for each in table.perhaps_owed if each.player != player or each.rule == begun)
                table.set(table, "perhaps_owed", tuple(still))
        if is_judged:
            acting.fields = fields
        else:
            acting.read(move, event, file.luck[move.name])
        for field in ruled.shown if owed or not (is_judged and in_place) else ():
            _show(acting, field, acting.fields.get(field.name))
        act(file, acting, move, ruled.doing)
        if ruled.counted:
            count_act(table, player, ruled.counted)
    except TooLongError:
        acting.doubt(file.everything)


def _take_turn(file: FileRules, table: Tabletop, player: str, move: MoveRules) -> None:
    """Take it as a player's turn who makes a move; lines that no move describes may have left that open.

    A log that writes no ends of turns goes on to the next one without a word: that the line is one of a new turn is not
    sure, and what this begins with may still come.
    """
    active = table.active
    if move.name in file.free_draws and is_drawn_behind(file, table, player, move):
        return
    if file.rules.actions:
        if (active != player or table.aside.player or table.unsure) and not take_place(file, table, player):
            return
    else:
        unsaid = file.ends_turns and not (move.owed or table.ends)
        if unsaid and (active not in {"", player} or may_be_next_turn(file, table, move)):
            begin_turn(file.rules, table, table.players[player])
            if first := file.rules.first:
                may_come = Debt(player, first.move, first.rule.id)
                table.set(table, "perhaps_owed", (*(each for each in table.perhaps_owed if each != may_come), may_come))
        if "turn" in table.unsure:
            table.set(table, "unsure", table.unsure - {"turn"})
        table.set(table, "active", player)
    if move.times and table.used.count(move.name) < move.times:
        table.set(table, "used", (*table.used, move.name))
    if move.phase:
        table.enter_phase(move.phase)


def begin(file: FileRules, table: Tabletop, player: TabletopPlayer) -> None:
    """Begin the turn of a player, with what it begins with."""
    begin_turn(file.rules, table, player)
    if file.rules.first is not None:
        rule = file.rules.first.rule.id
        if any(each.player == player.id and each.rule == rule for each in table.perhaps_owed):
            others = (each for each in table.perhaps_owed if each.player != player.id or each.rule != rule)
            table.set(table, "perhaps_owed", tuple(others))
        acting = Acting(file.rules, table, player.id)
        try:
            acting.owe(file.rules.first)
        except TooLongError:
            acting.doubt(file.everything)


def may_be_next_turn(file: FileRules, table: Tabletop, move: MoveRules) -> bool:
    """Return whether a move out of place is one of another turn, as far as a log tells that writes no ends of turns."""
    if table.ends or not file.ends_turns or not table.active:
        return False
    return file.is_later(table.phase, move.phase) or bool(move.times and table.used.count(move.name) >= move.times)


def acting_of(file: FileRules, table: Tabletop, player: str) -> tuple[Acting, ByRulings]:
    """Return who acts and by which rules; whoever acts first begins, where the file has turns at all."""
    if not table.turn:
        file.turn.begin(table, player)
    return file.acting(table, player)


def before_move(file: FileRules, table: Tabletop, event: Event) -> None:
    """Take the hands as dealt of which the log does not say so before the first move."""
    if not table.dealt and type(event) in file.turn.decisions:
        deal_unseen(file, table)


def deal_unseen(file: FileRules, table: Tabletop) -> None:
    """Take the hands as dealt: nobody has written down which."""
    for player in table.players:
        hand = table.zones.get(place_of(file.rules.deal_zone, player))
        deck = deck_of(file.rules, table, player)
        lacking = file.rules.hand_size(len(table.players)) - (hand.size if hand is not None else 0)
        if hand is not None and deck is not None and lacking > 0:
            table.count(deck, "unseen", -lacking)
            table.count(hand, "unseen", lacking)
    know_hands(file, table)


def know_hands(file: FileRules, table: Tabletop) -> None:
    """Know that the hands are dealt, and so what lies there."""
    table.set(table, "dealt", True)
    know(table, (place_of(file.rules.deal_zone, player) for player in table.players))


def _show(acting: Acting, field: Any, value: Any) -> None:
    if field.kind == "card":
        acting.fields[field.name] = acting.show(field.source, value)
    elif field.kind == "cards" and value:
        acting.fields[field.name] = [acting.show(field.source, each) for each in value[0]], value[1]


def forgive(file: FileRules, acting: Acting) -> None:
    """Take what was owed as done where the log goes on without it; a log without draws leaves them to be thought of."""
    table = acting.table
    if not table.owed:
        return
    draws = {move.name: move for move in file.draws}
    owed = [each for each in table.owed if writes_no(file, table, each)]
    table.set(table, "owed", ())
    for who, name, _ in owed:
        deck = deck_of(file.rules, table, who)
        if name in draws and deck is not None:
            drawing = Acting(file.rules, table, who)
            field = draws[name].fields[0]
            drawing.fields = {field.name: Hidden(deck) if field.kind == "card" else ([Hidden(deck)], [])}
            act(file, drawing, draws[name], file.by(table.options).moves[name].doing)
    if file.is_done(table):
        file.turn.go_on(table)


def writes_no(file: FileRules, table: Tabletop, owed: Debt) -> bool:
    """Return whether a draw is owed that the log never writes: of anybody, or of who begins turns by it."""
    first = file.rules.first
    begins = first is not None and owed.rule == first.rule.id
    return owed.move in file.draw_names and (not table.draws or (begins and owed.player not in table.drew))


def do_undescribed(file: FileRules, otherwise: Any, writes: frozenset[str], table: Tabletop, event: Event) -> None:
    """Do a line that every table has and no move describes: it may have been an action, and more than it says."""
    otherwise(table, event)
    Acting(file.rules, table, getattr(event, "player", "")).doubt(writes)


def act(file: FileRules, acting: Acting, move: MoveRules, steps: int) -> None:
    """Do what a move says once its fields are known, which takes so many steps."""
    table = acting.table
    if not move.is_described:
        acting.doubt(file.rules.names)
        table.set(table, "undescribed", table.undescribed or move.name)
    acting.spend(steps)
    if move.tells is not None:
        acting.tell(move, move.tells.run(acting))
    so = True if move.test is None else acting.sure(move.test)
    if so is UNKNOWN:
        acting.doubt(frozenset().union(*(each.writes for each in (*move.does, *move.otherwise))))
    else:
        for effect in move.does if so else move.otherwise:
            acting.do(effect)
    if move.then is not None:
        acting.owe(move.then)


def settle(file: FileRules, table: Tabletop) -> None:
    """Carry out what follows by itself: what happens after a move, the end of the turn, the end of the game."""
    more = min(EACH, SAVED_STEPS - table.steps)
    table.steps, table.given = table.steps + more, table.given + more
    if not table.turn and file.rules.first is not None and file.rules.deal is not None and table.dealt and table.active:
        file.turn.begin(table, table.active)
    if table.over or not table.dealt or not table.turn:
        return
    acting, ruled = file.acting(table, table.aside.player or table.active)
    try:
        acting.spend(ruled.steps)
        happened = False
        for each in ruled.whens:
            if so := acting.sure(each.rule.node):
                _happen(acting, each, so)
                happened = True
        if table.acts and file.is_done(table):
            _end_turn(file, table, acting)
        for each in ruled.ends if happened else ruled.other_ends:
            if acting.sure(each.rule.node) is True and _ends(file, acting, each):
                return
    except TooLongError:
        acting.doubt(file.everything)


def _happen(acting: Acting, happening: Happening, so: Any) -> None:
    """Do what happens by itself where a condition is `so`, or nobody knows whether it is."""
    if so is UNKNOWN:
        acting.doubt(frozenset().union(*(each.writes for each in happening.does)))
        return
    acting.table.applied.append(happening.rule.id)
    acting.known = {}
    for effect, keeps in zip(happening.does, happening.keeps, strict=True):
        acting.spend(effect.parts)
        acting.do(effect)
        if not keeps:
            acting.known = {}
    acting.known = None


def _end_turn(file: FileRules, table: Tabletop, acting: Acting) -> None:
    """Pass the turn on, whose actions are done, where what comes last in it is not owed."""
    if file.rules.last is not None:
        acting.owe(file.rules.last)
    if not table.owed:
        file.turn.go_on(table)


def _ends(file: FileRules, acting: Acting, end: Happening) -> bool:
    """End the game where the turns until then are over; count them from now on otherwise.

    A score that is the table's is reached together: all win, or all lose.
    """
    table, turns = acting.table, end.turns.run(acting)
    if turns and turns is not UNKNOWN and table.left < 0:
        # The turn that runs is no longer one of them where it has just begun.
        table.set(table, "left", int(turns))
    if turns is UNKNOWN or (turns and table.left > 0):
        return False
    winners = end.winner.run(acting) if end.winner is not None else None
    winning = [winners] if isinstance(winners, str) else [*winners[0]] if isinstance(winners, tuple) else []
    alone = winning[0] if len(winning) == 1 else ""
    score = table.counters.get(file.score)
    alone = "" if score is not None else alone
    outcome = Outcome(winners=() if alone else tuple(winning), cooperative=score is not None, score=score)
    table.applied.append(end.rule.id)
    table.update(table, over=True, winner=alone, outcome=outcome, reason=end.name, owed=())
    return True


def settle_debt(table: Tabletop, player: str, move: str) -> None:
    """Take a move as no longer owed that somebody has made, one that is surely owed before one that may be."""
    for name, debts in (("owed", table.owed), ("perhaps_owed", table.perhaps_owed)):
        for at, each in enumerate(debts):
            if each.player == player and each.move == move:
                table.set(table, name, (*debts[:at], *debts[at + 1 :]))
                return
