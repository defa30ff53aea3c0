"""What a bot may not do: play some cards, take some decisions. Beside one that may, it shows what they are worth.

Source: A. Jaffe, A. Miller, E. Andersen, Y.-E. Liu, A. Karlin, Z. Popović, Evaluating competitive game balance with
restricted play, AIIDE (2012).
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

import msgspec

from tabletape.events.errors import TabletapeError
from tabletape.events.importing.lines.shapes import Holds, Shape, shapes_of
from tabletape.events.vocabulary import Decision, Event, fields_of, tag_of
from tabletape.events.vocabulary.fields import choices_of
from tabletape.events.vocabulary.names import card_of
from tabletape.events.vocabulary.open_games import open_games
from tabletape.projector.datasets.rows.card_history import cards_used
from tabletape.projector.fold.judge import Judge
from tabletape.projector.model.dice import Dice
from tabletape.projector.model.game import Game
from tabletape.projector.model.suggestions import unknown
from tabletape.projector.selfplay.trying import AnyTable, TryOut, offered


class RestrictionError(TabletapeError):
    """Something that no bot could be forbidden; the message says why and what can be."""


class Never(msgspec.Struct, frozen=True):
    """A decision that is never taken: one of a type, where `field` is named only with that value in it.

    `by_rule`: `tag` is the id of a rule, and it is any decision at which that rule is at stake, as the audit counts it.
    """

    tag: str
    field: str = ""
    value: str = ""
    by_rule: bool = False

    @property
    def words(self) -> str:
        """The decision as it is written: `card.deployed:lane=tech`."""
        return f"{self.tag}:{self.field.rstrip('_')}={self.value}" if self.field else self.tag

    def is_of(self, game: Game, table: AnyTable, event: Event) -> bool:
        """Return whether a decision at a table is one of these."""
        if self.by_rule:
            return _is_at_stake(game, self.tag, table, event)
        fits = tag_of(type(event)) == self.tag
        return fits and (not self.field or _says(getattr(event, self.field, ""), self.value))


class Restriction(msgspec.Struct, frozen=True):
    """Cards that are not played from the hand, and decisions that are not taken, as long as anything else is legal."""

    cards: tuple[str, ...] = ()
    never: tuple[Never, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.cards or self.never)

    def forbids(self, game: Game, table: AnyTable, event: Event) -> bool:
        """Return whether a decision is forbidden: it plays one of the cards from the hand, or is one of `never`."""
        return any(each.is_of(game, table, event) for each in self.never) or any(
            card_of(name) in self.cards and (card := table.cards.get(name)) is not None and card.zone.role == "hand"
            for name in _played(game, event)
        )

    def offered(self, game: Game, table: AnyTable, player: str, dice: Dice, most: int) -> Sequence[Event]:
        """Return legal decisions as `trying.offered` does, without those forbidden, where any other is legal."""
        legal = offered(game, table, player, dice, most)
        if not self:
            return legal
        left = [event for event in legal if not self.forbids(game, table, event)]
        if left or not legal or game.bots.sample is None:
            return left or legal
        return [event for event in game.legal(table, player) if not self.forbids(game, table, event)] or legal


NOTHING: Final = Restriction()
"""A bot that may do whatever is legal."""


def _played(game: Game, event: Event) -> Iterator[str]:
    """Yield the cards that a decision plays from a hand; of a game with a file of its own all that its moves name."""
    if game.slug not in open_games():
        yield from (name for _, name in cards_used(event))
        return
    for value in msgspec.structs.astuple(event):
        yield from (each for each in (value if isinstance(value, tuple) else (value,)) if isinstance(each, str))


def _says(value: Any, wanted: str) -> bool:
    """Return whether a field has a value as it is written: a card by its name or by its copy's, `true` and `false`."""
    if isinstance(value, tuple):
        return any(_says(each, wanted) for each in value)
    written = str(value).lower() if isinstance(value, bool) else str(value)
    return wanted in {written, card_of(written)}


def _checked(game: Game) -> list[str]:
    """Return the rules of a game that are checked at lines."""
    return [rule.id for rule in game.rules if rule.how == "checked"]


def _is_at_stake(game: Game, rule: str, table: AnyTable, event: Event) -> bool:
    """Return whether a rule has anything to say of a decision: it is kept, or broken."""
    judge = Judge(game)
    judge.table = table
    with TryOut(table):
        judge.judge(judge.rows.get(type(event), ()), event)
        judge.count_agreed()
    number = game.by_id[rule].number
    return bool(judge.kept[number] or judge.broken[number])


def decisions_of(game: Game) -> dict[str, type[Event]]:
    """Return the types of the decisions of a game, without the head of a log."""
    types = game.vocabulary.types.items()
    return {tag: kind for tag, kind in types if issubclass(kind, Decision) and tag != "game.started"}


def parse_never(written: str, game: Game, library: Collection[str]) -> Never:
    """Return a decision as it is written: `card.passed`, `card.deployed:lane=tech`, or the id of a rule.

    `library` has the cards that are played. Raises `RestrictionError` where the game has no such decision or rule, the
    decision no such field, or the field never such a value.
    """
    if written in _checked(game):
        return Never(written, by_rule=True)
    tag, _, condition = written.partition(":")
    decisions = decisions_of(game)
    if tag not in decisions:
        what = f"decision or checked rule in {game.title}"
        raise RestrictionError(unknown(what, tag, [*sorted(decisions), *_checked(game)]))
    if not condition and written == tag:
        return Never(tag)
    field, equals, value = condition.partition("=")
    fields = {each.encode_name: each for each in fields_of(decisions[tag])}
    if field not in fields:
        raise RestrictionError(unknown(f"field of {tag}", field, fields))
    if not (equals and value):
        raise RestrictionError(f"a decision is written {tag}, or {tag}:{field}=VALUE, not {written!r}")
    # A value that is never chosen would look as if it were worth nothing.
    known = choices_of(fields[field].type) or _known_in(shapes_of(decisions[tag])[field], library)
    if known and not {value, card_of(value)} & {*known}:
        raise RestrictionError(unknown(f"{field} of {tag}", card_of(value), known))
    return Never(tag, fields[field].name, value)


def _known_in(shape: Shape, library: Collection[str]) -> Collection[str]:
    """Return all that can stand in a field that holds a card, or yes or no; nothing of one that may hold anything."""
    if shape.mentions(Holds.COPY) or shape.mentions(Holds.CARD):
        return library
    return ("false", "true") if shape.mentions(Holds.TRUTH) else ()
