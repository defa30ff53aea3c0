"""The tables of a rules file, as they are written: what keys there are, and which have to be there."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from tabletape.events.plans import planned

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


@planned
class CounterTable(_Table, frozen=True, kw_only=True):
    """A number: of the table, or of `each` player, one `per` value. Without `start` it is unknown until read off."""

    start: Annotated[int | None, Meta(description="at the beginning; without it unknown until it is read off")] = None
    min: Annotated[int, Meta(description="it never falls below")] = 0
    max: Annotated[int, Meta(le=10**9)] = 10**9
    each: Annotated[bool, Meta(description="one for each player")] = False
    per: Annotated[Text, Meta(description="one for each value of this property")] = ""
    says: Annotated[
        Text,
        Meta(
            description="what findings call it, where its name is no word for people; or their sentence, with "
            "{player}, {number}, and {total} or {nth}, which is what it comes to with the line"
        ),
    ] = ""
    shown: Annotated[bool, Meta(description="false: only rules look at it, and no table shows it")] = True


@planned
class DealTable(_Table, frozen=True, kw_only=True):
    """The opening hands: so many cards to a zone of every player, or a number by how many play."""

    zone: Annotated[Text, Meta(description="where the opening hands go")]
    count: Annotated[
        int | dict[str, int], Meta(description="so many cards, or by the number of players: { 2 = 5, 4 = 4 }")
    ]
    says: Says
    cite: Cite


@planned
class FieldTable(_Table, frozen=True, kw_only=True):
    """What a line names: `card of hand`, `other player`, `number 1 to 6`, a property; `?` where it may be left out."""

    is_: Annotated[Text, Meta(description="card of hand, other player, number 1 to 6, colour?")] = msgspec.field(
        name="is"
    )
    says: Text = ""
    cite: Text = ""
    ruling: RulingName = ""


@planned
class NeedTable(_Table, frozen=True, kw_only=True, rename={"if_": "if"}):
    """A rule: what has to be so before the move, in the lines of which it speaks."""

    if_: Expression = ""
    that: Expression
    says: Says
    cite: Cite
    ruling: RulingName = ""


class ThenTable(_Table, frozen=True, kw_only=True):
    """What the same player owes next: a move, so many `times`, `unless` something is so."""

    move: Annotated[Text, Meta(description="the name of the move that is owed")]
    times: Annotated[int, Meta(ge=1, le=100)] = 1
    unless: Expression = ""
    says: Says
    cite: Cite
    ruling: RulingName = ""


@planned
class TurnTable(_Table, frozen=True, kw_only=True):
    """Whose turn comes next; how many `actions` one has, or its `phases`; what comes `first` and `last` in each."""

    order: Annotated[Text, Meta(pattern="^(left|right)$")] = "left"
    actions: Annotated[int, Meta(ge=0, le=1_000)] = 0
    fewer: Annotated[bool, Meta(description="one may do fewer actions than these, and the next player goes on")] = False
    phases: Annotated[tuple[Text, ...], Meta(max_length=50)] = ()
    first: Annotated[ThenTable | None, Meta(description="what each turn begins with: a draw")] = None
    last: Annotated[
        ThenTable | None, Meta(description='what is owed at its end, again until `unless`: "size(hand) <= 7"')
    ] = None
    says: Says
    cite: Cite


@planned
class MoveTable(_Table, frozen=True, kw_only=True, rename={"if_": "if", "else_": "else"}):
    """What a player does: a line of the type `move.NAME`. Without `does` nobody knows what it changes."""

    sentence: Annotated[Text, Meta(description="the line in words: {player} lays {card}")] = ""
    called: Annotated[tuple[Text, ...], Meta(description="other words for it in a chat: lay, put", max_length=20)] = ()
    fields: Annotated[
        dict[str, Text | FieldTable],
        Meta(description="what the line names: card of hand, other player, number 1 to 6, a property"),
    ] = {}
    one_of: Annotated[tuple[Text, ...], Meta(description="exactly one of these fields is named")] = ()
    costs: Annotated[
        dict[str, Text | int], Meta(description="counters that are there and are paid, with says and cite")
    ] = {}
    needs: Annotated[dict[str, NeedTable], Meta(description="rules: what has to be so before the move")] = {}
    if_: Expression = ""
    does: Effects | None = None
    else_: Effects | None = None
    tells: Annotated[
        Expression,
        Meta(
            description="cards of which everybody hears whether they have the properties that the line names: hand(to)"
        ),
    ] = ""
    then: Annotated[ThenTable | None, Meta(description="what the same player owes next")] = None
    owed: Annotated[bool, Meta(description="only done where another move says that it comes next")] = False
    free: Annotated[
        bool | None,
        Meta(description="does not count as an action of the turn; of a draw it is open where nothing is said"),
    ] = None
    phase: Annotated[Text, Meta(description="the phase of the turn to which it belongs")] = ""
    times: Annotated[int, Meta(ge=0, le=1_000, description="how often in a turn")] = 0


@planned
class WhenTable(_Table, frozen=True, kw_only=True):
    """What happens by itself after a move."""

    that: Expression
    does: Effects
    says: Says
    cite: Cite
    ruling: RulingName = ""


@planned
class EndTable(_Table, frozen=True, kw_only=True):
    """When the game is over, at once or after so many `turns`, and who has won then: nobody where nothing is said."""

    that: Expression
    turns: Expression = 0
    winner: Annotated[Expression, Meta(description="best(players, points(it))")] = ""
    says: Says
    cite: Cite
    ruling: RulingName = ""


@planned
class RulingTable(_Table, frozen=True, kw_only=True):
    """An unclear sentence: a question and its readings, of which the first holds where the table says nothing."""

    question: Annotated[Text, Meta(description="what the rulebook leaves open")]
    options: Annotated[dict[str, Text], Meta(min_length=1)]


class RuleTables(msgspec.Struct, frozen=True, kw_only=True):
    """What a game's file may say besides its zones and counters; all of it may be left out."""

    cards: Annotated[
        dict[str, Any],
        Meta(
            description="properties as lists from low to high; copies, `any` if not known; begin: where they lie; "
            "bare: those of the first property that have nothing else on them; list: in place of all that, each card "
            'with what is printed on it: { name = "Old Wolf", strength = 3 }',
            extra_json_schema={
                "properties": {
                    "copies": {},
                    "begin": {"type": "string"},
                    "bare": {"type": "array"},
                    "list": {"type": "array"},
                },
                "additionalProperties": {"type": "array"},
            },
        ),
    ] = {}
    tables: Annotated[dict[str, dict[str, int]], Meta(description="a number for each value: cost = { wolf = 1 }")] = {}
    words: Annotated[
        dict[str, Expression], Meta(description="names for expressions, which may use the words above them")
    ] = {}
    deal: DealTable | None = None
    turn: TurnTable | None = None
    move: Annotated[dict[str, MoveTable], Meta(description="what players do, by name")] = {}
    when: Annotated[dict[str, WhenTable], Meta(description="what happens by itself after a move, by name")] = {}
    end: Annotated[dict[str, EndTable], Meta(description="when the game is over, by name")] = {}
    ruling: Annotated[dict[str, RulingTable], Meta(description="unclear sentences with their readings, by name")] = {}
    variant: Annotated[dict[str, dict[str, Any]], Meta(description="other tables laid over the file, by name")] = {}


class GameFile(RuleTables, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The file of a game, `games/<slug>.toml`: all that it may say, for editors that complete it."""

    title: Annotated[Text, Meta(description="what the game is called")]
    players: Annotated[tuple[int, int], Meta(description="the fewest and the most")] = (1, 12)
    zones: Annotated[
        tuple[Text, ...] | dict[str, Text],
        Meta(description="deck, hand ...: shared; open, hidden, own or others look in; per value, or per 3"),
    ] = ()
    counters: Annotated[
        tuple[Text, ...] | dict[str, CounterTable], Meta(description="numbers of the table or of each player")
    ] = ()
    progress: dict[str, Any] = {}
    score: Annotated[Text, Meta(description="the counter that counts")] = ""
    endings: Annotated[tuple[Text, ...], Meta(description="other ways in which a game ends")] = ()


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
