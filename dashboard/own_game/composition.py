"""A rule that is composed: the move that it is about, and conditions made of a subject, a relation and an object."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from tabletape.events.rules_file.cards import properties_in

OPPOSITE: Final = {"=": "!=", "!=": "=", ">": "<=", "<=": ">", "<": ">=", ">=": "<", "next": "apart"}
"""What holds where a relation does not."""

_COMPARED: Final = {
    "=": "is",
    "!=": "is not",
    ">": "is higher than",
    "<": "is lower than",
    ">=": "is at least",
    "<=": "is at most",
    "next": "is one more or less than",
}
_COUNTED: Final = {"<=": "at most", ">=": "at least", "=": "exactly", "<": "fewer than", ">": "more than", "!=": "not"}
_SPANS: Final = {
    "turn": "in a turn",
    "round": "in a round",
    "game": "in a game",
    "row": "in a row",
    "turns": "in turns in a row",
}
_DOERS: Final = {"own": "by the same player", "to": "to the same player", "all": "by all together"}
_SIDES: Final = {"left": "the next player", "right": "the player before", "other": "another player"}

FRONT: Final = "front"
"""The place in front of a player, which has no other name."""

NEAR: Final = "near"
"""The relation of two numbers that differ by so much at most: `near 3`."""

TABLE: Final = "table"
"""Where the cards lie that anybody has laid, where each player has a place of the own."""

LAST: Final = "last"
"""The object of a comparison with the card that was laid last."""


class Clause(NamedTuple):
    """A condition: `subject` `relation` `object`.

    The subjects are the `kind` and the `number` of each card of a line, its `kinds` and `cards`, the number that it
    has `said`, the `price` of its cards, at which number of a place it is (`at`), the cards `lying` in a place and the
    one on `top` there, the card that comes `back`, how often the move was `done` in a `span`, what it comes `after`,
    what the player has just `suffered`, which kind was `shown`, `to` whom it is done, the `round`, and what has to come
    `then`. `whose` place or doing it is: the player's `own`, that of the player named (`to`), of the `others`, of
    `all`; empty where nobody has said it. `of` counts `cards`, those of one kind only, or of the `same`; `after`: with
    the cards that the line lays. `more` is added to the object. `by` is the column of a list of the cards that is
    looked at in place of the kind or the number: `type`, `cost`.
    """

    subject: str
    relation: str
    object: str
    of: str = ""
    whose: str = "own"
    span: str = ""
    more: int = 0
    after: bool = False
    by: str = ""

    @property
    def printed(self) -> str:
        """What is looked at on each card."""
        return self.by or self.subject

    @property
    def is_of_cards(self) -> bool:
        """Whether it looks at each card of a line."""
        return self.subject in {"kind", "number"}

    @property
    def needs_place(self) -> bool:
        """Whether it looks at cards that were laid before."""
        return self.subject in {"lying", "top"} or self.object == "lying" or (self.is_of_cards and self.object == LAST)

    @property
    def opposite(self) -> "Clause":
        """What holds where this does not."""
        return self._replace(relation=OPPOSITE[self.relation])

    @property
    def added(self) -> str:
        """What is added to the object, as a term: ` + 1`."""
        return f" {'+' if self.more > 0 else '-'} {abs(self.more)}" if self.more else ""

    def shown(self, place: str) -> str:
        """Return the condition in words; `place` is what the rulebook calls where cards lie."""
        return _WORDS[self.subject](self, place)


class Composition(NamedTuple):
    """A composed rule: conditions of a move, all (`and`) or one (`or`) of which have to hold.

    `kind`: only cards of this kind are limited; it does not speak of the `freed` kinds and numbers. `place` is what the
    rulebook calls where the cards lie. The moves `beside` its own are counted together with it.
    """

    move: str
    clauses: tuple[Clause, ...]
    join: str = "and"
    kind: str = ""
    freed: tuple[str, ...] = ()
    place: str = "row"
    beside: tuple[str, ...] = ()

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves that it limits."""
        return (self.move, *self.beside)

    @property
    def shown(self) -> str:
        """The rule in words."""
        with_kind = f" with {self.kind}" if self.kind else ""
        unless = f", unless it is {' or '.join(self.freed)}" if self.freed else ""
        said = f", {self.join} ".join(each.shown(self.place) for each in self.clauses)
        of = f"{', '.join(self.moves[:-1])} and {self.moves[-1]} together" if self.beside else self.move
        return f"{of}{with_kind}: {said}{unless}"

    @property
    def needs_place(self) -> bool:
        """Whether it looks at cards that were laid before."""
        return any(each.needs_place for each in self.clauses)

    @property
    def is_common(self) -> bool:
        """Whether the cards that it looks at lie on one pile of all players."""
        return any(each.needs_place and each.whose == "all" for each in self.clauses)

    @property
    def name(self) -> str:
        """What the rule is called in a file."""
        said = (f"{each.printed} {each.of or each.span or each.object}" for each in self.clauses)
        parts = [self.kind, *self.beside, *(each if not each.startswith("price ") else "price" for each in said)]
        return re.sub(r"[^a-z0-9]+", "-", " ".join(parts).casefold()).strip("-")


def _lies(clause: Clause, place: str) -> str:
    if place == FRONT:
        return f"in front of the player{' named' * (clause.whose == 'to')}"
    named = {"own": f"the own {place}", "to": f"the {place} of the player named", "all": f"the {place}"}
    named[""] = f"a {place}, the own one or that of all"
    return f"on {named[clause.whose]}"


def _last(clause: Clause, place: str) -> str:
    if clause.span == "just":
        return f"that which the player{' before' * (clause.whose == 'all')} has just shown"
    return f"that of the last card {_lies(clause, place)}"


def _since(clause: Clause) -> str:
    return f" since {since} was done" if (since := clause.span.partition(":")[2]) else ""


def _object(clause: Clause, place: str) -> str:
    named = {
        LAST: _last(clause, place),
        "before": "the number before it" + " of the same player" * (clause.whose == "own"),
        "lying": f"how many cards lie {_lies(clause, place)}",
    }
    since = _since(clause) if clause.object == "before" else ""
    return f"{named.get(clause.object) or clause.object.replace('|', ' or ')}{clause.added}{since}"


def _compared(subject: str) -> Callable[[Clause, str], str]:
    def compared(clause: Clause, place: str) -> str:
        what = f"the {clause.by}" if clause.by else subject
        if clause.relation.startswith(NEAR):
            return (
                f"{what} differs by at most {clause.relation.removeprefix(NEAR).strip()} from {_object(clause, place)}"
            )
        return f"{what} {_COMPARED[clause.relation]} {_object(clause, place)}"

    return compared


def _many(clause: Clause) -> str:
    if (clause.relation, clause.object) == ("!=", "0"):
        clause = clause._replace(relation=">=", object="1")
    card = "card" if clause.object == "1" else "cards"
    cards = {"": card, "cards": card, "same": f"{card} of the same {clause.by or 'kind'}"}.get(
        clause.of, f"{clause.of} {card}"
    )
    return f"{_COUNTED[clause.relation]} {clause.object} {cards}"


def _done(clause: Clause, _place: str) -> str:
    span = _SPANS.get(clause.span) or f"until {clause.span.partition(':')[2]} is done"
    times = {"1": "once", "2": "twice"}.get(clause.object) or f"{clause.object} times"
    many = _many(clause) if clause.of else f"{_COUNTED[clause.relation]} {times}"
    return f"{many} {span} {_DOERS[clause.whose]}"


def _after(clause: Clause, _place: str) -> str:
    if clause.span == "next":
        return f"not in the next turn of a player who has done {clause.object}"
    just, same = "right " * (clause.span == "just"), " in the same turn" * (clause.span == "turn")
    same = " since the own last turn" if clause.span == "since" else same
    who = {"all": "somebody has", "others": "another player has"}.get(clause.whose, "the player has")
    ever = f" in the {clause.span or 'game'}" if clause.relation != "=" and clause.span in {"", "round"} else ""
    return f"{'only' if clause.relation == '=' else 'not'} {just}after {who} done {clause.object}{same}{ever}"


def _price(clause: Clause, _place: str) -> str:
    if not clause.by:
        return f"the number that is said is the price: {clause.object.replace('|', ', ')}"
    before = f" of the {clause.object.replace('|', ' or ')} before it" if clause.object else ""
    return f"what is paid is the {clause.by} of the cards{before}"


_WORDS: Final[Mapping[str, Callable[[Clause, str], str]]] = {
    "kind": _compared("the kind"),
    "number": _compared("the number"),
    "said": _compared("the number that is said"),
    "kinds": lambda clause, _place: f"at once only cards of one {clause.by or 'kind'}",
    "price": _price,
    "at": lambda clause, place: f"{'only' if clause.relation == '=' else 'not'} at {place} {clause.object}",
    "back": lambda _clause, _place: "only for a card of another kind",
    "top": lambda clause, place: f"not where {clause.object} lies last {_lies(clause, place)}",
    "cards": lambda clause, _place: f"{_many(clause)} at once",
    "lying": lambda clause, place: f"{_many(clause)} lie {_lies(clause, place)}" + " then" * clause.after,
    "done": _done,
    "after": _after,
    "suffered": lambda clause, _place: f"not by a player to whom {clause.object} was just done",
    "shown": lambda clause, _place: f"only after {clause.object} was shown",
    "to": lambda clause, _place: f"{'only' if clause.relation == '=' else 'not'} {_SIDES[clause.object]} is named",
    "round": lambda clause, _place: f"the round is later than {clause.object}",
    "then": lambda clause, _place: f"the player does {clause.object} next",
}


class CardGroup(NamedTuple):
    """Kinds of cards that have a word together; `printed` is what a file calls the type that stands on all of them.

    `types` are the values of that, where the word is none of these.
    """

    kinds: tuple[str, ...]
    printed: str = ""
    types: tuple[str, ...] = ()


Groups = Mapping[str, CardGroup]
"""The groups of cards by the word that a rulebook, or a list of the cards, has for them."""


def kinds_of(name: str, groups: Groups) -> tuple[str, ...]:
    """Return the kinds of cards that a name means: those of a group, else the one that is called so."""
    return groups[name].kinds if name in groups else (name,)


def types_of(cards: Mapping[str, Any]) -> dict[str, CardGroup]:
    """Return the cards of each type in the list of a table `[cards]`: of the first column that has types."""
    listed = cards.get("list", ())
    names = {str(card.get("kind")) for card in listed}
    for name, values in properties_in(cards).items() if listed else ():
        types = dict.fromkeys(value for value in values if isinstance(value, str) and value not in names)
        if name != "kind" and types:
            said = [(str(card.get("kind")), card.get(name)) for card in listed]
            return {word: CardGroup(tuple(card for card, value in said if value == word), name) for word in types}
    return {}


def of_kind(kind: str, groups: Groups, card: str = "it") -> str:
    """Return the condition of a card of a kind, or of one of the kinds that a rulebook calls together."""
    if kind.isdecimal():
        return f"{card}.number = {kind}"
    if kind in groups and groups[kind].printed:
        types = groups[kind].types or (kind,)
        of_types = " or ".join(f"{card}.{groups[kind].printed} = {in_quotes(each)}" for each in types)
        return f"({of_types})" if len(types) > 1 else of_types
    return f"is_{kind}({card}.kind)" if kind in groups else f"{card}.kind = {in_quotes(kind)}"


def in_quotes(text: str) -> str:
    """Return a text as expressions write it."""
    return "'" + text.replace("'", "''") + "'"


def group_words(groups: Groups, text: str) -> dict[str, str]:
    """Return the words of a file that say what is a card of a group, as far as a text has them."""
    return {
        f"is_{group}(kind)": " or ".join(f"kind = {in_quotes(each)}" for each in kinds_of(group, groups))
        for group in groups
        if f"is_{group}(" in text
    }


def printed(said: str, groups: Groups) -> str:
    """Return the condition of a card of a kind, perhaps with a number, `cep 10`, or of a number: `10`."""
    kind, _, number = said.rpartition(" ") if said[-1:].isdecimal() else (said, "", "")
    return of_kind(kind or number, groups) + (f" and it.number = {number}" if kind and number else "")


def cards_of(clause: Clause, groups: Groups) -> str:
    """Return the cards of a line that a condition counts, as an expression."""
    return f"cards where {of_kind(clause.of, groups)}" if clause.of not in {"", "same", "cards"} else "cards"
