"""What a wrong move may have touched: a rule that reads nothing of it is broken whatever else the player had done.

What a condition reads and what an effect writes is known when a file is read, so this takes no fold. In place of the
wrong line the player may have made any move. Of that goes on to touch: what an effect makes of it. A counter that is
set, whatever it was, is known again.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeAlias

from tabletape.events.rules_file.effects import TIME, FileEffect
from tabletape.events.rules_file.lines import name_of
from tabletape.events.rules_file.stated import FieldRule, MoveRules
from tabletape.events.rules_file.values import Node
from tabletape.events.vocabulary import Decision, Event
from tabletape.events.vocabulary.names import is_unseen
from tabletape.events.vocabulary.shared import NoteAdded, StateObserved, TurnEnded
from tabletape.events.vocabulary.tabletop import CardsDrawn, RoundStarted, TurnStarted
from tabletape.projector.model.changes import Change
from tabletape.projector.model.rules import Finding
from tabletape.projector.model.things import Zone
from tabletape.projector.tabletop.file_rules import FileRules
from tabletape.projector.tabletop.state import kind_of

Place: TypeAlias = tuple[str, str]
"""A zone or counter of a file, and whose it is; empty: the table's."""

_PLAIN: Final = (CardsDrawn, NoteAdded, RoundStarted, StateObserved, TurnEnded, TurnStarted)
"""Lines that change no more than they say."""


def stands_apart(file: FileRules, told: Any, cause: Finding, finding: Finding) -> bool:
    """Return whether a rule that is broken in a game told by a replay reads nothing that an earlier one has touched.

    That is known of the conditions of moves, in a log that is read as it stands, and of the actions of a turn where any
    move in place of a wrong one is one action, too.
    """
    turn = file.rules.turn
    if turn is not None and finding.rule == turn.id:
        return cause.rule in file.of_moves and not told.misread and file.counts_alike
    condition = file.conditions.get(finding.rule)
    if condition is None or cause.rule not in file.of_moves or told.misread:
        return False
    first, last = told.seqs.index(cause.seq), told.seqs.index(finding.seq)
    between = told.events[first + 1 : last]
    if not all(name_of(each) or isinstance(each, _PLAIN) for each in between):
        return False
    touched = _Touched(file, told.table.players)
    if not touched.by_any_move(cause.player, told.events[:first], told.changes(first)):
        return False
    for event in between:
        touched.go_on(event)
    return touched.leaves(condition, finding.player)


class _Touched:
    """The zones and counters that may be otherwise than they seem."""

    def __init__(self, file: FileRules, players: Iterable[str]) -> None:
        self._file, self._rules, self._players = file, file.rules, [*players]
        self._places: set[Place] = set()
        self._is_timed = self._rules.turn is not None
        zones = (zone.name for zone in self._rules.zones.values() if not zone.shared)
        counters = (counter.name for counter in self._rules.counters.values() if counter.each)
        self._own = frozenset((*zones, *counters))

    def by_any_move(self, player: str, before: list[Event], changes: Iterable[Change]) -> bool:
        """Touch what a wrong line has changed, and what any move of its player may have; false where that is open.

        Where nobody can tell what one of them does, it may have changed all.
        """
        moves = self._rules.moves.values()
        if not all(move.is_described for move in moves) or self._rules.first or self._rules.last:
            return False
        self._places |= {*self._changed(changes)}
        lately = next((_player(each) for each in reversed(before) if isinstance(each, Decision | CardsDrawn)), "")
        for effect in (effect for move in moves for effect in (*move.does, *move.otherwise)):
            # Whoever was on turn before would be so still, had the line not been there.
            is_set = effect.sets is not None and self._is_set_by_all(effect)
            for who, others in ((player, frozenset()), (lately, frozenset())) if is_set else ((player, effect.others),):
                self._places |= {*self._of(effect.writes, others, who)}
        self._happen()
        return True

    def _is_set_by_all(self, effect: FileEffect) -> bool:
        """Return whether every move sets a counter of the other players to a number."""
        return all(
            any(each.writes == effect.writes and each.others and each.sets for each in move.does)
            for move in self._rules.moves.values()
        )

    def _changed(self, changes: Iterable[Change]) -> Iterator[Place]:
        for thing, field, before, after in changes:
            if field == "counters":
                names = {each.partition("/")[0] for each, _ in before.items() ^ after.items()}
                yield from ((name, getattr(thing, "id", "")) for name in names)
            for zone in (thing, before, after):
                if isinstance(zone, Zone):
                    yield kind_of(self._rules, zone.name), zone.owner

    def go_on(self, event: Event) -> None:
        """Go on behind a line that was right: what it makes of what is touched is touched."""
        move, player = self._move(event), _player(event)
        if move is None:
            return
        is_open = any(self._is_open(field, event) for field in move.fields)
        is_open = is_open or (move.test is not None and not self.leaves(move.test, player))
        for effect in (*move.does, *move.otherwise):
            target = {*self._of(effect.writes, effect.others, player)}
            if effect.sets is not None and not is_open:
                is_touched = not self.leaves(effect.sets, player)
                self._places -= target
                target = {*self._of(effect.writes, frozenset(), player)} if is_touched else set()
                self._places |= target
            elif is_open or not self.leaves(effect.asks, player):
                self._places |= target
        if move.then is not None and (is_open or not self.leaves(move.then.unless, player)):
            owed = self._rules.moves[move.then.move]
            for effect in owed.does:
                self._places |= {*self._of(effect.writes, effect.others, player)}
        self._happen()

    def _move(self, event: Event) -> MoveRules | None:
        return self._file.drawing if isinstance(event, CardsDrawn) else self._rules.moves.get(name_of(event))

    def _is_open(self, field: FieldRule, event: Event) -> bool:
        """Return whether a line leaves it to the table which card it is, and that may be another one."""
        said = getattr(event, field.name, None)
        names = said if isinstance(said, tuple) else (said,)
        is_named = all(isinstance(each, str) and not is_unseen(each) for each in names)
        return field.source is not None and not is_named and not self.leaves(field.source, _player(event))

    def _happen(self) -> None:
        """Touch what happens by itself where that looks at what is touched, or at whoever is on turn."""
        before = -1
        while before < (before := len(self._places)):  # Each may let the others happen.
            names = {name for name, _ in self._places} | (TIME | self._own if self._is_timed else frozenset[str]())
            for each in self._rules.whens:
                parts = (each.rule.node, *(effect.asks for effect in each.does))
                if not all(part.reads.isdisjoint(names) for part in parts):
                    self._places |= {place for effect in each.does for place in self._of(effect.writes, self._own, "")}

    def leaves(self, asked: Node, player: str) -> bool:
        """Return whether an expression that a player asks reads nothing that is touched."""
        if self._is_timed and not asked.reads.isdisjoint(TIME):
            return False
        return self._places.isdisjoint(self._of(asked.reads, asked.others, player))

    def _of(self, names: Iterable[str], others: frozenset[str], player: str) -> Iterator[Place]:
        """Yield places by their names: those of one player, of `others` all, the table's."""
        for name in names:
            for who in () if name not in self._own else self._players if name in others else (player,):
                yield name, who
            if name not in self._own:
                yield name, ""


def _player(event: Event) -> str:
    return str(getattr(event, "player", ""))
