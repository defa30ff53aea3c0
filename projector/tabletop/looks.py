"""What a greedy bot sees of the moves of a file before it tries them: which of them a table looks equally good after.

A clue costs a token whatever it says, and a card is worth nothing on a pile that nothing counts.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from tabletape.events.rules_file.effects import FileEffect
from tabletape.events.rules_file.stated import MoveRules, OwedMove
from tabletape.events.rules_file.values import Node
from tabletape.events.vocabulary import Event
from tabletape.projector.model.game import Glance
from tabletape.projector.tabletop.file_rules import FileRules

MARKS: Final = frozenset((".by", ".fresh"))
"""What an expression reads that asks who laid a card, or whether it came in this turn."""


class FileGlance(Glance):
    """Those moves are alike that name the same in the fields on which hangs what counts."""

    def __init__(self, fields: Mapping[type[Event], tuple[str, ...]], table: Any, player: str) -> None:
        """Hold the table, the player and the fields that count, by the lines of moves."""
        super().__init__(table, player)
        self._fields = fields

    def alike(self, events: Sequence[Event]) -> Sequence[Hashable]:
        """Return the move of each decision with those of its fields; None for a line that is no move."""
        return [self._alike(event) for event in events]

    def _alike(self, event: Event) -> Hashable:
        fields = self._fields.get(type(event))
        return None if fields is None else (type(event), *(getattr(event, name) for name in fields))


def glance_of(file: FileRules) -> Callable[[Any, str], Glance]:
    """Return what a bot sees of the moves of a file."""
    counts, moves = _what_counts(file), file.rules.moves
    return partial(
        FileGlance, {line: _counting_fields(moves[name], counts) for name, line in file.lines.items() if name in moves}
    )


def _counting_fields(move: MoveRules, counts: frozenset[str]) -> tuple[str, ...]:
    """Return the fields of a move on which it hangs how good the table looks after it, and whether that is the end."""
    fields = frozenset[str]()
    sources = {field.name: field.source.reads for field in move.fields if field.source is not None}
    if move.then is not None:
        counts, fields = counts | move.then.unless.reads, move.then.unless.fields
    for effects in (move.does, move.otherwise):
        for asks in _that_count(effects, counts, sources):
            fields |= asks.fields
            fields |= move.test.fields if move.test is not None else frozenset()
    return tuple(sorted(fields))


def _that_count(
    effects: Sequence[FileEffect], counts: frozenset[str], sources: dict[str, frozenset[str]]
) -> Iterable[Node]:
    """Yield what those effects ask that change what counts, or what one of them behind it reads."""
    for effect in reversed(effects):
        asks = effect.asks
        taken = frozenset().union(*(sources.get(name, ()) for name in asks.fields))
        # Whose turn it is hangs on an effect that writes nothing else.
        if not effect.writes or counts & (effect.writes | taken | MARKS):
            counts |= asks.reads
            yield asks


def _what_counts(file: FileRules) -> frozenset[str]:
    """Return what is read to say how good a table looks, what happens by itself, and whether that is the end."""
    rules = file.rules
    score = rules.scope.names.get("score")
    asked = [score] if score is not None else []
    asked += [effect.asks for happening in rules.whens for effect in happening.does]
    for each in (*rules.whens, *rules.ends):
        asked += [each.rule.node, each.turns, *([each.winner] if each.winner is not None else [])]
    owed: tuple[OwedMove | None, ...] = (rules.first, rules.last)
    asked += [each.unless for each in owed if each is not None]
    return frozenset((file.score,)).union(*(each.reads for each in asked))
