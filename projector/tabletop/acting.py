"""What the lines of a game with a rules file do: effects, what is owed next, what happens by itself, turns, the end.

The table has done it: a card is taken from where it lies, a counter stays within its limits, a wrong player is on turn.
"""

from collections.abc import Iterable
from typing import Any

from tabletape.events.rules_file.stated import Happening, MoveRules
from tabletape.events.rules_file.values import UNKNOWN, Hidden, TooLongError
from tabletape.events.vocabulary.shared import TurnEnded
from tabletape.events.vocabulary.tabletop import CardsDrawn, TurnStarted
from tabletape.projector.model.outcome import Outcome
from tabletape.projector.model.things import Zone
from tabletape.projector.tabletop.file_rules import FileRules, applies
from tabletape.projector.tabletop.judging import handle_of
from tabletape.projector.tabletop.moment import Moment, Unmade
from tabletape.projector.tabletop.state import Tabletop, new_name, place_of


class Acting(Moment):
    """A moment in which something is done."""

    __slots__ = ()

    def lay(self, found: Any, name: str, owner: Any, value: Any) -> None:
        """Lay a card, or cards, into a zone."""
        target = self.table.zones.get(place_of(name, owner or "", value))
        if target is None:
            self.doubt({name})
            return
        cards = [*found[0], *found[1]] if isinstance(found, tuple) else [found]
        for card in cards:
            self._lay(card, target)

    def _lay(self, card: Any, target: Zone) -> None:
        table = self.table
        if type(card) is Hidden:
            if card.zone is not None and card.zone.size > 0 and card.zone is not target:
                table.count(card.zone, "unseen", -1)
                table.count(target, "unseen", 1)
            return
        if type(card) is Unmade:
            home = card.zone if card.zone is not None else table.zones["nowhere"]
            if home.unseen > 0:
                table.count(home, "unseen", -1)
            card = table.make(new_name(table, card.name), home)
        if card.zone is not target:
            table.move(card, target)
        marks = self.rules.marks
        if "by" in marks:
            table.set(card, "by", self.by)
        if "fresh" in marks:
            table.set(card, "came", table.turn)

    def show(self, field_source: Any, card: Any) -> Any:
        """Name a card that lay unnamed in the zone that a line takes it from; return the card."""
        table = self.table
        if type(card) in {Hidden, Unmade} or card is None or field_source is None:
            return card
        members = field_source.run(self)
        sure = members[0] if isinstance(members, tuple) else [members]
        if any(each is card for each in sure):
            return card
        zone = next((each.zone for each in sure if type(each) is Hidden and each.zone.role != "deck"), None)
        if zone is None or not (card.zone.unseen < 0 or card.zone.role == "deck"):
            return card
        home = card.zone
        table.move(card, zone)
        table.count(zone, "unseen", -1)
        table.count(home, "unseen", 1)
        table.recognised.append((handle_of(zone.name), card))
        return card

    def change(self, key: tuple[str, Any, Any], sign: str, by: Any) -> None:
        """Change a counter, within its limits; by what nobody knows it becomes unknown."""
        name, owner, value = key
        counter = self.rules.counters[name]
        place = name if value is None else f"{name}/{value}"
        thing: Any = self.table.players.get(owner, self.table)
        before = thing.counters
        now = before.get(place, UNKNOWN)
        if UNKNOWN in (by, value, owner) or (sign != "=" and now is UNKNOWN):
            after = {each: number for each, number in before.items() if each != place}
        else:
            number = by if sign == "=" else now + by if sign == "+" else now - by
            after = {**before, place: min(max(number or 0, counter.low), counter.high)}
        self.table.set(thing, "counters", after)

    def doubt(self, names: Iterable[str]) -> None:
        """Know from here on that nobody knows what these zones and counters have become."""
        self.table.set(self.table, "unsure", self.table.unsure | frozenset(names))

    def pass_to(self, player: Any) -> None:
        """Begin the turn of a player."""
        table = self.table
        if player not in table.players:
            self.doubt({"turn"})
            return
        table.next_turn(player)
        table.update(table, acts=0, used=(), round=(table.turn - 1) // len(table.players) + 1)
        table.enter_phase(self.rules.phases[0] if self.rules.phases else "turn")
        if table.left > 0:
            table.count(table, "left", -1)


def do_move(file: FileRules, move: MoveRules, table: Tabletop, event: Any) -> None:
    """Do what a move says."""
    at, judged, length, _ = file.read
    is_judged = judged is event and at is table and length == len(table.journal)
    acting = _begun(file, table, event.player)
    try:
        if (event.player, move.name) in {each[:2] for each in table.owed[:1]}:
            table.set(table, "owed", table.owed[1:])
        else:
            _forgive(file, acting)
            _know_turn(table, event.player)
            table.update(table, active=event.player, used=(*table.used, move.name))
            if move.phase:
                table.enter_phase(move.phase)
        if is_judged:
            acting.fields = file.read[3]
        else:
            acting.read(move, event, file.luck[move.name])
        for field in move.fields:
            _show(acting, field, acting.fields.get(field.name))
        _act(file, acting, move)
    except TooLongError:
        acting.doubt(file.rules.names)


def _begun(file: FileRules, table: Tabletop, player: str) -> Acting:
    """Return who acts; whoever acts first begins."""
    acting = Acting(file.rules, table, player)
    if not table.dealt and file.rules.deal is None:
        table.set(table, "dealt", True)
    if not table.turn:
        table.next_turn(table.active or player)
        table.set(table, "round", 1)
    return acting


def deal_unseen(file: FileRules, table: Tabletop, event: Any) -> None:
    """Take the hands as dealt of which the log does not say so before the first move: nobody has written down which."""
    if table.dealt or type(event) not in file.moves:
        return
    for player in table.players:
        hand = table.zones.get(place_of(file.rules.deal_zone, player))
        deck = table.zones.get(place_of(file.rules.begin, "")) or table.zones.get(place_of(file.rules.begin, player))
        lacking = file.rules.hand_size(len(table.players)) - (hand.size if hand is not None else 0)
        if hand is not None and deck is not None and lacking > 0:
            table.count(deck, "unseen", -lacking)
            table.count(hand, "unseen", lacking)
    table.set(table, "dealt", True)


def _show(acting: Acting, field: Any, value: Any) -> None:
    if field.kind == "card":
        acting.fields[field.name] = acting.show(field.source, value)
    elif field.kind == "cards" and value:
        acting.fields[field.name] = [acting.show(field.source, each) for each in value[0]], value[1]


def _forgive(file: FileRules, acting: Acting) -> None:
    """Take what was owed as done where the log goes on without it; a log without draws leaves them to be thought of."""
    table = acting.table
    if not table.owed:
        return
    draws = {move.name: move for move in file.draws}
    owed = table.owed if not table.draws else ()
    table.set(table, "owed", ())
    for who, name, _ in owed:
        deck = table.zones.get(place_of(file.rules.begin, "")) or table.zones.get(place_of(file.rules.begin, who))
        if name in draws and deck is not None:
            drawing = Acting(file.rules, table, who)
            drawing.fields = {draws[name].fields[0].name: Hidden(deck)}
            _act(file, drawing, draws[name])
    _end_turn(acting)


def _know_turn(table: Tabletop, player: str) -> None:
    """Know again whose turn it is, where lines that no move describes had left that open."""
    if "turn" in table.unsure:
        table.update(table, unsure=table.unsure - {"turn"}, acts=0 if table.active != player else table.acts)


def do_undescribed(file: FileRules, otherwise: Any, writes: frozenset[str], table: Tabletop, event: Any) -> None:
    """Do a line that every table has and no move describes: it may have been an action, and more than it says."""
    otherwise(table, event)
    Acting(file.rules, table, getattr(event, "player", "")).doubt(writes)


def _act(file: FileRules, acting: Acting, move: MoveRules) -> None:
    table, rules = acting.table, file.rules
    if not move.is_described:
        acting.doubt(rules.names)
    so = True if move.test is None else move.test.run(acting)
    if so is UNKNOWN:
        acting.doubt(frozenset().union(*(each.writes for each in (*move.does, *move.otherwise))))
    else:
        for effect in move.does if so else move.otherwise:
            effect.run(acting)
    then = move.then
    if then is not None and applies(then.rule, table.options) and then.unless.run(acting) is False:
        table.set(table, "owed", (*table.owed, *[(acting.by, then.move, then.rule.id)] * then.times))
    if not move.free:
        table.count(table, "acts", 1)


def settle(file: FileRules, table: Tabletop) -> None:
    """Carry out what follows by itself: what happens after a move, the end of the turn, the end of the game."""
    if table.over or not table.dealt or not table.turn:
        return
    acting = Acting(file.rules, table, table.active)
    try:
        for happening in file.rules.whens:
            if applies(happening.rule, table.options):
                _happen(acting, happening)
        _end_turn(acting)
        for end in file.rules.ends:
            if applies(end.rule, table.options) and end.rule.node.run(acting) is True and _ends(acting, end):
                return
    except TooLongError:
        acting.doubt(file.rules.names)


def _happen(acting: Acting, happening: Happening) -> None:
    so = happening.rule.node.run(acting)
    if so is UNKNOWN:
        acting.doubt(frozenset().union(*(each.writes for each in happening.does)))
    elif so:
        acting.table.applied.append(happening.rule.id)
        for effect in happening.does:
            effect.run(acting)


def _end_turn(acting: Acting) -> None:
    """Pass the turn on where its actions are done and nothing is owed."""
    table, actions = acting.table, acting.rules.actions
    if actions and table.acts >= actions and not table.owed:
        acting.pass_to(acting.after(table.active))


def _ends(acting: Acting, end: Happening) -> bool:
    """End the game where the turns until then are over; count them from now on otherwise."""
    table, turns = acting.table, end.turns.run(acting)
    if turns and turns is not UNKNOWN and table.left < 0:
        # The turn that runs is no longer one of them where it has just begun.
        table.set(table, "left", int(turns))
    if turns is UNKNOWN or (turns and table.left > 0):
        return False
    winners = end.winner.run(acting) if end.winner is not None else None
    found = [winners] if isinstance(winners, str) else [*winners[0]] if isinstance(winners, tuple) else []
    alone = found[0] if len(found) == 1 else ""
    outcome = Outcome(winners=() if alone else tuple(found))
    table.applied.append(end.rule.id)
    table.update(table, over=True, winner=alone, outcome=outcome, reason=end.name, owed=())
    return True


# -- lines that every game has -----------------------------------------------------------------------------------------


def do_draw(file: FileRules, table: Tabletop, event: CardsDrawn, otherwise: Any) -> None:
    """Deal or draw cards: by the move that is a draw, where the file has one, else to the hand."""
    rules, player = file.rules, event.player
    table.set(table, "draws", True)
    move = next(iter(file.draws), None)
    if not table.dealt or move is None or event.from_:
        otherwise(table, event)
        _deal(file, table)
        return
    acting = _begun(file, table, player)
    field = move.fields[0]
    deck = table.zones.get(place_of(rules.begin, "")) or table.zones[place_of(rules.begin, player)]
    for name in (*(event.cards or ()), *[""] * (event.count or 0)):
        owed = next((each for each in table.owed if each[0] == player and each[1] == move.name), None)
        if owed is not None:
            at = table.owed.index(owed)
            table.set(table, "owed", (*table.owed[:at], *table.owed[at + 1 :]))
        card = acting.card(name, field, [])[0] if name else Hidden(deck)
        acting.fields = {field.name: card}
        _act(file, acting, move)


def _deal(file: FileRules, table: Tabletop) -> None:
    """Know whether the hands are dealt."""
    if not table.dealt:
        need, zone = file.rules.hand_size(len(table.players)), file.rules.deal_zone
        hands = [table.zones.get(place_of(zone, player)) for player in table.players]
        if all(hand is not None and hand.size >= need for hand in hands):
            table.set(table, "dealt", True)


def do_turn_ended(file: FileRules, table: Tabletop, event: TurnEnded) -> None:
    """End a turn; the next player's begins."""
    acting = _begun(file, table, event.player)
    table.set(table, "owed", ())
    acting.pass_to(acting.after(event.player))


def do_turn_started(file: FileRules, table: Tabletop, event: TurnStarted) -> None:
    """Begin a turn where it has not begun by itself."""
    acting = _begun(file, table, event.player)
    table.set(table, "owed", ())
    if table.active != event.player or table.acts:
        acting.pass_to(event.player)


def do_next_phase(file: FileRules, table: Tabletop, event: Any) -> None:
    """Go on to the next phase, behind the last one to the next turn."""
    acting, phases = _begun(file, table, event.player), file.rules.phases
    table.update(table, owed=(), active=event.player)
    at = phases.index(table.phase) + 1 if table.phase in phases else 0
    if at < len(phases):
        table.enter_phase(phases[at])
    else:
        acting.pass_to(acting.after(event.player))
