"""What a wrong move may have touched: a rule that reads nothing of it is broken whatever else the player had done.

What a condition reads and what an effect writes is known when a file is read, so this takes no fold. In place of the
wrong line the player may have made any move. Of that goes on to touch: what an effect makes of it. A counter that is
set, and a zone that is emptied, whatever was there, is known again.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Any, Final, TypeAlias

from tabletape.events.rules_file.effects import TIME, FileEffect
from tabletape.events.rules_file.lines import name_of
from tabletape.events.rules_file.stated import FieldRule, MoveRules
from tabletape.events.rules_file.values import Node, stays_broken
from tabletape.events.vocabulary import Decision, Event
from tabletape.events.vocabulary.names import is_unseen
from tabletape.events.vocabulary.shared import LogGap, NoteAdded, TurnEnded
from tabletape.events.vocabulary.tabletop import CardsDrawn, DeckShuffled, RoundStarted, StateObserved, TurnStarted
from tabletape.projector.model.changes import Change
from tabletape.projector.model.rules import Finding
from tabletape.projector.model.things import Zone
from tabletape.projector.tabletop.file_rules import FileRules
from tabletape.projector.tabletop.state import Tabletop, deck_of, kind_of

Place: TypeAlias = tuple[str, str]
"""A zone or counter of a file, and whose it is; empty: the table's."""

_PLAIN: Final = (CardsDrawn, NoteAdded, RoundStarted, StateObserved, TurnEnded, TurnStarted)
"""Lines that change no more than they say."""


def standing_apart(
    file: FileRules, told: Any, causes: Sequence[Finding], findings: Sequence[Finding]
) -> Iterator[Finding]:
    """Yield those findings behind the mistakes of a line, in a game told by a replay, that read nothing touched by it.

    That is known of the conditions of moves, of what is owed and whose turn it is, and of counters that are read off,
    in a log that is read as it stands. Behind a whole turn in order the turns are what they are, whatever was before.
    """
    if any(each.how != "late" for each in told.misread):
        return
    here, touched = told.seqs.index(causes[0].seq), _Touched(file, told.table)
    for cause in causes:
        touched.by_mistake(cause, told, here)
    is_same = file.goes_round and all(file.counts_alike or each.rule in file.lone for each in causes)
    is_same &= all(each.rule in file.of_moves for each in causes)
    turn = file.rules.turn.id if file.rules.turn is not None else ""
    begun = min(_turns_begun(told, here), 1)  # the first line of a game begins a turn as well
    for finding in findings:
        last = told.seqs.index(finding.seq)
        for step in range(here + 1, last):
            event = told.events[step]
            if not (name_of(event) or isinstance(event, _PLAIN)):
                return
            touched.go_on(event)
            begun += _turns_begun(told, step)
        here = max(here, last - 1)
        is_in_turn = (begun > 1 and file.goes_round) or (is_same and finding.rule == turn)
        if touched.leaves_rule(finding.rule, told.events[last], is_in_turn=is_in_turn):
            yield finding


def _turns_begun(told: Any, step: int) -> int:
    return sum(field == "turn" and thing is told.table for thing, field, _, _ in told.changes(step))


class BehindGaps:
    """What the lines of a game leave open of what lines before them did that nobody could read.

    Looked at on the way, line by line: what was looked at once is kept for the lines behind it.
    """

    def __init__(self, file: FileRules) -> None:
        """Know the rules of a file, and no line yet."""
        self._file = file
        self._touched: _Touched | None = None
        self._looked_at = self._begun = 0
        self._is_open = False

    def leave(self, rule: str, lines: Any, table: Tabletop) -> bool:
        """Return whether a rule of moves or turns reads nothing in the line looked at that unread ones have changed."""
        if lines.here < self._looked_at:
            self._touched, self._looked_at = None, 0
        ends = lines.journal_ends
        for step in range(self._looked_at, lines.here):
            event = lines.events[step]
            if isinstance(event, LogGap):
                self._touched, self._begun, self._is_open = _Touched(self._file, table), 0, False
                self._touched.by_anything()
            elif self._touched is not None:
                self._is_open |= not (name_of(event) or isinstance(event, _PLAIN))
                self._touched.go_on(event)
                made = table.journal[ends[step - 1] : ends[step]]
                self._begun += sum(field == "turn" and thing is table for thing, field, _, _ in made)
        self._looked_at = lines.here
        if self._touched is None or self._is_open or not self._file.goes_round:
            return False
        asked = self._file.asked.get(rule)
        if asked is not None and self._file.rules.begin in asked.reads and not self._is_drawn_later(lines):
            return False
        return self._touched.leaves_rule(rule, lines.events[lines.here], is_in_turn=self._begun > 1)

    def _is_drawn_later(self, lines: Any) -> bool:
        """Return whether a later line draws: the deck had cards, however many lines before it nobody could read."""
        for each in lines.log[lines.here + 1 :]:
            if isinstance(each, CardsDrawn) or name_of(each) in self._file.draw_names:
                return True
            if isinstance(each, DeckShuffled):
                break
        return False


class _Touched:
    """The zones and counters that may be otherwise than they seem."""

    def __init__(self, file: FileRules, table: Tabletop) -> None:
        self._file, self._rules, self._players = file, file.rules, [*table.players]
        self._places: set[Place] = set()
        self._raised: set[Place] = set()
        """Counters and zones of which there may be more than it seems, and not less."""
        self._covered: set[Place] = set()
        """Zones of which it is known what lies on top, whatever lies below."""
        sources = (field.source for move in self._rules.moves.values() for field in move.fields)
        self._left = frozenset().union(*(each.reads for each in sources if each is not None))
        """Zones that lines take cards from."""
        # Where nobody can tell what a move does, it may have changed all.
        self._is_lost = not all(each.is_described for each in self._rules.moves.values())
        self._is_timed = self._rules.turn is not None
        zones = (zone.name for zone in self._rules.zones.values() if not zone.shared)
        counters = (counter.name for counter in self._rules.counters.values() if counter.each)
        self._own = frozenset((*zones, *counters))
        decks = [deck for each in self._players if (deck := deck_of(self._rules, table, each)) is not None]
        is_blind = all(deck.role == "deck" and (deck.size > 0 or deck.name in table.undeclared) for deck in decks)
        self._deck = frozenset({self._rules.begin} if decks and is_blind else ())
        """Where cards are drawn blindly, and have not run out: whichever they are, as many come."""

    def by_mistake(self, cause: Finding, told: Any, here: int) -> None:
        """Touch what a wrong line has changed, and what any move in its place may have.

        In place of a line that came too early or in the turn of another may have been one of whoever was due, in place
        of one that is wrong in itself the same move.
        """
        self._is_lost |= self._rules.first is not None or self._rules.last is not None
        due, moves = [cause.player] if cause.player else self._players, [*self._rules.moves.values()]
        is_meant, meant = cause.rule in self._file.lone, self._move(told.events[here])
        if not is_meant:
            self._places |= {*self._changed(told.changes(here))}
        if cause.rule in self._file.of_order:
            before = told.at(max(here - 1, 0))
            due = [before.owed[0].player if before.owed else before.active]
        decided = [each for each in told.events[:here][::-1] if isinstance(each, Decision | CardsDrawn)]
        for move, player in product([meant] if is_meant and meant is not None else moves, due):
            is_open = not is_meant or (move.test is not None and bool(move.test.fields))
            for effect in (*move.does, *move.otherwise):
                if is_open or effect.asks.fields:
                    self._any(effect, player, decided)
        self._happen()

    def by_anything(self) -> None:
        """Touch all that lines may have changed which nobody could read; a deck has cards all the same."""
        self._places = {*self._of(self._rules.names - self._deck, self._own, "")}

    def _any(self, effect: FileEffect, player: str, before: Sequence[Event]) -> None:
        """Touch what an effect may have changed; whoever was on turn `before` would be so still without the line."""
        is_set = effect.sets is not None and self._is_set_by_all(effect)
        lately = next((each for each in before if self._sets(self._move(each), effect)), None) if is_set else None
        own = frozenset[str]()
        for who, others in ((player, own), (_player(lately), own)) if is_set else ((player, effect.others),):
            places = self._raised if effect.adds and effect.writes.isdisjoint(self._left) else self._places
            places |= {*self._of(effect.writes, others, who)}

    def _is_set_by_all(self, effect: FileEffect) -> bool:
        """Return whether every move that changes a counter sets it, for the other players as well."""
        moves = (each for each in self._rules.moves.values() if any(one.writes & effect.writes for one in each.does))
        return all(self._sets(each, effect) for each in moves)

    def _sets(self, move: MoveRules | None, effect: FileEffect) -> bool:
        """Return whether a move sets the counter of an effect for all players."""
        return move is not None and any(one.writes == effect.writes and one.others and one.sets for one in move.does)

    def _changed(self, changes: Iterable[Change]) -> Iterator[Place]:
        for thing, field, before, after in changes:
            if field == "counters":
                names = {each.partition("/")[0] for each, _ in before.items() ^ after.items()}
                yield from ((name, getattr(thing, "id", "")) for name in names)
            for zone in (thing, before[0], after[0]) if field == "zone" else (thing, before, after):
                if isinstance(zone, Zone):
                    yield kind_of(self._rules, zone.name), zone.owner

    def go_on(self, event: Event) -> None:
        """Go on behind a line that was right: what it makes of what is touched is touched, what it says is known."""
        move, player = self._move(event), _player(event)
        if isinstance(event, StateObserved):
            self._know(self._of(event.counters, frozenset(), player))
        if move is None:
            return
        is_open = any(self._is_open(field, event) for field in move.fields)
        is_open = is_open or (move.test is not None and not self.leaves(move.test, player))
        for effect in (*move.does, *move.otherwise):
            target = {*self._of(effect.writes, effect.others, player)}
            self._covered -= target
            if effect.sets is not None and not is_open:
                is_touched = not self.leaves(effect.sets, player)
                self._know(target)
                target = {*self._of(effect.writes, frozenset(), player)} if is_touched else set()
                self._places |= target
            elif is_open or not (self._is_blind(effect) or self.leaves(effect.asks, player)):
                self._places |= target
            if effect.empties and not is_open:
                self._know({(effect.empties, "")})
            if effect.covers and not is_open and move.test is None and _names_cards(move, event):
                self._covered |= {*self._of((effect.covers,), frozenset(), player)}
        if move.then is not None and (is_open or not self.leaves(move.then.unless, player)):
            owed = self._rules.moves[move.then.move]
            changed = {each for effect in owed.does for each in self._of(effect.writes, effect.others, player)}
            self._places |= changed
            self._covered -= changed
        self._happen()

    def _know(self, places: Iterable[Place]) -> None:
        known = {*places}
        self._places -= known
        self._raised -= known

    def _move(self, event: Event) -> MoveRules | None:
        return self._file.drawing if isinstance(event, CardsDrawn) else self._rules.moves.get(name_of(event))

    def _is_open(self, field: FieldRule, event: Event) -> bool:
        """Return whether a line leaves it to the table which card it is, and that may be another one."""
        said = getattr(event, field.name, None)
        names = said if isinstance(said, tuple) else (said,)
        is_named = all(isinstance(each, str) and not is_unseen(each) for each in names)
        is_blind = field.source is not None and field.source.reads == self._deck
        return not (field.source is None or is_named or is_blind or self.leaves(field.source, _player(event)))

    def _is_blind(self, effect: FileEffect) -> bool:
        """Return whether an effect draws a card, whichever that is."""
        return effect.of_one and effect.asks.reads == self._deck

    def _happen(self) -> None:
        """Touch what happens by itself where that looks at what is touched, or at whoever is on turn."""
        before = -1
        while before < (before := len(self._places)):  # Each may let the others happen.
            names = {name for name, _ in self._places | self._raised} | (
                TIME | self._own if self._is_timed else frozenset[str]()
            )
            for each in self._rules.whens:
                parts = (each.rule.node, *(effect.asks for effect in each.does))
                if not all(part.reads.isdisjoint(names) for part in parts):
                    changed = {place for effect in each.does for place in self._of(effect.writes, self._own, "")}
                    self._places |= changed
                    self._covered -= changed

    def leaves_rule(self, rule: str, event: Event, *, is_in_turn: bool) -> bool:
        """Return whether a rule reads nothing that is touched in a line, where the turns are in order or not."""
        if isinstance(event, StateObserved):
            read = {*event.counters, *event.zones}
            known = read <= self._rules.names and not self._is_lost
            touched = self._places | self._raised
            return known and touched.isdisjoint(self._of(read, frozenset(), _player(event)))
        if rule in self._file.of_order and not is_in_turn:
            return False
        asked = self._file.asked.get(rule)
        if asked is None or asked.reads <= self._deck:
            return asked is not None
        # In place of the wrong line may have been what raises a counter, too: what is too much was so even then.
        is_too_much = stays_broken(asked, frozenset(name for name, _ in self._raised))
        return self._is_apart(asked, _player(event), self._places if is_too_much else self._places | self._raised)

    def leaves(self, asked: Node, player: str) -> bool:
        """Return whether an expression that a player asks reads nothing that is touched."""
        return self._is_apart(asked, player, self._places | self._raised)

    def _is_apart(self, asked: Node, player: str, places: set[Place]) -> bool:
        if self._is_lost or (self._is_timed and not asked.reads.isdisjoint(TIME)):
            return False
        tops = asked.reads - _beside_tops(asked)
        read = {*self._of(asked.reads - tops, asked.others, player)}
        return places.isdisjoint(read | ({*self._of(tops, asked.others, player)} - self._covered))

    def _of(self, names: Iterable[str], others: frozenset[str], player: str) -> Iterator[Place]:
        """Yield places by their names: those of one player, of `others` all, the table's."""
        for name in names:
            for who in () if name not in self._own else self._players if name in others else (player,):
                yield name, who
            if name not in self._own:
                yield name, ""


def _player(event: Event | None) -> str:
    return str(getattr(event, "player", "") or "")


def _names_cards(move: MoveRules, event: Event) -> bool:
    """Return whether a line names a card in each field of its move that is of cards."""
    return all(getattr(event, field.name, None) for field in move.fields if field.source is not None)


@lru_cache(maxsize=1 << 12)
def _beside_tops(asked: Node) -> frozenset[str]:
    """Return what an expression reads but the zones of which it asks only what is on top, or whether anything is."""
    if asked.form in {"top", "any", "no"} and asked.of[0].form == "zone" and asked.of[0].zone and not asked.others:
        return frozenset()
    if asked.reads != frozenset().union(*(each.reads for each in asked.of)):
        return asked.reads
    return frozenset().union(*map(_beside_tops, asked.of))
