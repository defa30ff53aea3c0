"""The tables of a rules file, as they are written: what keys there are, and which have to be there."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta

Text = Annotated[str, Meta(max_length=2_000)]
Says = Annotated[Text, Meta(description="the sentence of the rulebook, in your own words", min_length=1)]
Cite = Annotated[Text, Meta(description="where the sentence stands: L17, or p. 4", min_length=1)]
RulingName = Annotated[Text, Meta(description='the rule holds only under this ruling: "passes = allowed"')]
Expression = Annotated[Text | int, Meta(description="an expression: tokens > 0 and card.rank = 1")]
Effects = Annotated[
    tuple[Text, ...], Meta(description='in order: "card -> discards", "tokens + 1", "turn -> player"', max_length=100)
]


class _Table(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of the file."""


class CounterTable(_Table, frozen=True, kw_only=True):
    """A number: of the table, or of `each` player, one `per` value. Without `start` it is unknown until read off."""

    start: int | None = None
    min: int = 0
    max: Annotated[int, Meta(le=10**9)] = 10**9
    each: bool = False
    per: Text = ""


class DealTable(_Table, frozen=True, kw_only=True):
    """The opening hands: so many cards to a zone of every player, or a number by how many play."""

    zone: Text
    count: int | dict[str, int]
    says: Says
    cite: Cite


class TurnTable(_Table, frozen=True, kw_only=True):
    """Whose turn comes next; how many `actions` one has, or its `phases`."""

    order: Annotated[Text, Meta(pattern="^(left|right)$")] = "left"
    actions: Annotated[int, Meta(ge=0, le=1_000)] = 0
    phases: Annotated[tuple[Text, ...], Meta(max_length=50)] = ()
    says: Says
    cite: Cite


class FieldTable(_Table, frozen=True, kw_only=True):
    """What a line names: `card of hand`, `other player`, `number 1 to 6`, a property; `?` where it may be left out."""

    is_: Annotated[Text, Meta(description="card of hand, other player, number 1 to 6, colour?")] = msgspec.field(
        name="is"
    )
    says: Text = ""
    cite: Text = ""
    ruling: RulingName = ""


class NeedTable(_Table, frozen=True, kw_only=True):
    """A rule: what has to be so before the move."""

    that: Expression
    says: Says
    cite: Cite
    ruling: RulingName = ""


class ThenTable(_Table, frozen=True, kw_only=True):
    """What the same player owes next: a move, so many `times`, `unless` something is so."""

    move: Text
    times: Annotated[int, Meta(ge=1, le=100)] = 1
    unless: Expression = ""
    says: Says
    cite: Cite
    ruling: RulingName = ""


class MoveTable(_Table, frozen=True, kw_only=True, rename={"if_": "if", "else_": "else"}):
    """What a player does: a line of the type `move.NAME`. Without `does` nobody knows what it changes."""

    sentence: Annotated[Text, Meta(description="the line in words: {player} lays {card}")] = ""
    fields: dict[str, Text | FieldTable] = {}
    one_of: tuple[Text, ...] = ()
    costs: dict[str, Text | int] = {}
    needs: dict[str, NeedTable] = {}
    if_: Expression = ""
    does: Effects | None = None
    else_: Effects | None = None
    then: ThenTable | None = None
    owed: bool = False
    free: bool = False
    phase: Text = ""
    times: Annotated[int, Meta(ge=0, le=1_000)] = 0


class WhenTable(_Table, frozen=True, kw_only=True):
    """What happens by itself after a move."""

    that: Expression
    does: Effects
    says: Says
    cite: Cite
    ruling: RulingName = ""


class EndTable(_Table, frozen=True, kw_only=True):
    """When the game is over, at once or after so many `turns`, and who has won then: nobody where nothing is said."""

    that: Expression
    turns: Expression = 0
    winner: Annotated[Expression, Meta(description="best(players, points(it))")] = ""
    says: Says
    cite: Cite
    ruling: RulingName = ""


class RulingTable(_Table, frozen=True, kw_only=True):
    """An unclear sentence: a question and its readings, of which the first holds where the table says nothing."""

    question: Text
    options: Annotated[dict[str, Text], Meta(min_length=1)]


class RuleTables(msgspec.Struct, frozen=True, kw_only=True):
    """What a game's file may say besides its zones and counters; all of it may be left out."""

    cards: dict[str, Any] = {}
    tables: dict[str, dict[str, int]] = {}
    words: dict[str, Expression] = {}
    deal: DealTable | None = None
    turn: TurnTable | None = None
    move: dict[str, MoveTable] = {}
    when: dict[str, WhenTable] = {}
    end: dict[str, EndTable] = {}
    ruling: dict[str, RulingTable] = {}
    variant: dict[str, dict[str, Any]] = {}


class GameFile(RuleTables, frozen=True, kw_only=True):
    """The file of a game, `games/<slug>.toml`: all that it may say, for editors that complete it."""

    title: Text
    players: tuple[int, int] = (1, 12)
    zones: tuple[Text, ...] | dict[str, Text] = ()
    counters: tuple[Text, ...] | dict[str, CounterTable] = ()
    progress: dict[str, Any] = {}
    score: Text = ""
    endings: tuple[Text, ...] = ()


PARTS: dict[str, Any] = {
    "deal": DealTable,
    "turn": TurnTable,
    "move": MoveTable,
    "when": WhenTable,
    "end": EndTable,
    "ruling": RulingTable,
}
"""The tables that are read one by one, so that each mistake is found."""

ONE: frozenset[str] = frozenset({"deal", "turn"})
"""The parts of which a file has one; of the others it has several by name."""
