"""What the parts of an expression are called at the table, and what they come to: `Ann has 2 coins`.

Cards that not everybody sees are counted and not named.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from tabletape.events.rules_file.values import UNKNOWN, Hidden, Node
from tabletape.projector.model.amounts import counted, is_several, joined, nth, one_of
from tabletape.projector.model.phrases import name_in_words, name_of, named
from tabletape.projector.model.things import Zone
from tabletape.projector.tabletop.moment import Moment
from tabletape.projector.tabletop.state import Tabletop, place_of, where_in_words

_OUT_OF: Final = {"sum": "whole", "max": "highest", "min": "lowest"}

TOTALS: Final = ("{total}", "{nth}")
"""What a counter's own sentence has where it says what the counter comes to with the line."""

_MOST_NAMED: Final = 3
"""Of more cards only the number is said."""

_MANY: Final = 10**9
"""Some cards, of which nobody knows how many."""


def said(table: Tabletop, value: Any) -> str:
    """Return a value in words."""
    if type(value) is Hidden or value is UNKNOWN:
        return "unknown"
    if isinstance(value, tuple):
        return joined(said(table, each) for each in (*value[0], *value[1]))
    if value is None or isinstance(value, bool):
        return {None: "nothing", True: "so", False: "not so"}[value]
    if hasattr(value, "name"):
        return named(table, value.name)  # which of several copies it is says nothing
    return name_in_words(table, f"{value:g}" if isinstance(value, float) else value)


def words(name: str) -> str:
    """Return a name of a file as words."""
    return name.replace("_", " ")


class Naming:
    """The parts of expressions as one moment has them.

    A `_noun_FORM(node)` says what a part of a form is called, a `_value_FORM(node, value)` what it comes to.
    """

    def __init__(self, moment: Moment) -> None:
        self.moment, self.table, self.rules = moment, moment.table, moment.rules

    def said(self, value: Any) -> str:
        """Return a value in words."""
        return said(self.table, value)

    def run(self, node: Node) -> Any:
        """Return what an expression comes to."""
        return node.run(self.moment)

    def chosen(self, node: Node) -> Node:
        """Return the one of two expressions that counts."""
        if node.form == "else":
            return node.of[0] if self.run(node.of[0]) is not None else node.of[1]
        return node.of[1] if self.run(node.of[0]) else node.of[2]

    def says(self, node: Node) -> str:
        """Return what findings say of a counter, where its name is no word for it; empty for all else."""
        return self.rules.counters[node.label].says if node.form == "counter" else ""

    def parts(self, node: Node) -> Iterator[Node]:
        """Yield what a number is reckoned of."""
        if node.form == "reckoned":
            for part in node.of:
                yield from self.parts(part)
        else:
            yield self.chosen(node) if node.form == "if" else node

    def is_count(self, node: Node) -> bool:
        """Return whether a number says how many things there are."""
        if node.form == "counter":
            return is_several(node.label) or bool(self.says(node))
        return node.form == "size" or (node.form in {"reckoned", "word"} and any(map(self.is_count, node.of)))

    # -- what something is called --------------------------------------------------------------------------------------

    def noun(self, node: Node) -> str:
        """Return what people call a part of a condition: `Ann's hand`, `the last card of the trick`."""
        called = getattr(self, f"_noun_{node.form}", None)
        return called(node) if called is not None else self.said(self.run(node))

    def card(self, node: Node) -> str:
        """Return which card an expression is."""
        card = self.run(node)
        return "no card" if card is None else "a hidden card" if type(card) is Hidden else self.said(card)

    def _noun_zone(self, node: Node) -> str:
        zone = self._zone(node)
        return where_in_words(self.table, zone) if zone is not None else words(node.label)

    def _zone(self, node: Node) -> Zone | None:
        """Return the zone that a part of a condition is."""
        rule, keys = self.rules.zones[node.label], [self.run(key) for key in node.of]
        owner = "" if rule.shared else keys[0] if keys else self.moment.by
        return self.table.zones.get(place_of(node.label, owner or "", keys[-1] if rule.per and keys else None))

    def _noun_top(self, node: Node, which: str = "last") -> str:
        card = "" if node.of[0].form == "field" else " card"
        return f"the {which}{card} of {self.noun(node.of[0])}"

    def _noun_first(self, node: Node) -> str:
        return self._noun_top(node, "first")

    def _noun_best(self, node: Node) -> str:
        return self._noun_top(node, "best")

    def _noun_where(self, node: Node) -> str:
        return f"such cards of {self.noun(node.of[0])}"

    def _noun_field(self, node: Node) -> str:
        named = {"cards": "these cards", "card": f"the {words(node.label)}"}
        return named.get(node.kind, words(node.label))

    def _noun_word(self, node: Node) -> str:
        return words(node.label)

    def _noun_table(self, node: Node) -> str:
        return f"the {words(node.label)} of {self.said(self.run(node.of[0]))}"

    def _noun_counter(self, node: Node) -> str:
        says = self.says(node)
        return "what was done before" if "{" in says else says or f"the {words(node.label)}"

    def _noun_ruling(self, node: Node) -> str:
        return f"the ruling {node.label}"

    def _noun_players(self, _node: Node) -> str:
        return "the players"

    def _noun_size(self, node: Node) -> str:
        return f"how many cards {self.noun(node.of[0])} has"

    def _noun_property(self, node: Node) -> str:
        return f"the {words(node.label)} of {self.noun(node.of[0])}"

    # -- what something comes to ---------------------------------------------------------------------------------------

    def values(self, node: Node) -> Iterator[str]:
        """Say what a part of a condition comes to, in sentences; nothing of what is always the same."""
        if node.form in {"if", "else"}:
            yield from self.values(self.chosen(node))
        elif node.form == "word" and node.kind == "number" and node.of:
            yield from self.values(node.of[0])
        elif node.form == "reckoned":
            yield from self._sum(node)
        elif node.form != "constant":
            value = self.run(node)
            said_of = getattr(self, f"_value_{node.form}", None)
            yield said_of(node, value) if said_of is not None else f"{self.noun(node)} is {self.said(value)}"

    def _sum(self, node: Node) -> Iterator[str]:
        """Say what the parts of a sum are, and what they come to."""
        total = self.said(self.run(node))
        with_this = next((part for part in self.parts(node) if any(each in self.says(part) for each in TOTALS)), None)
        if with_this is not None:
            yield self._value_counter(with_this, self.run(with_this), total)
            return
        *parts, last = [part for each in node.of for part in self.values(each)] or [f"it is {total}"]
        yield from parts
        yield last if last.endswith(f" {total}") else f"{last}, which comes to {total}"

    def _value_counter(self, node: Node, value: Any, total: str = "") -> str:
        """Say what a counter has counted: `Ann has 2 coins`, `there is 1 token`, `the score is 12`."""
        rule, keys, text = self.rules.counters[node.label], [self.run(key) for key in node.of], self.said(value)
        owner = name_of(self.table, keys[0] if rule.each and keys else self.moment.by)
        if "{" in rule.says:
            return _filled(rule.says, owner, text if value else "no", total or text)
        of = f" of {self.said(keys[-1])}" if rule.per and keys else ""
        name = rule.says or words(node.label)
        if rule.says:
            return f"{name}{of}: {text}"
        if not is_several(name):
            return f"{owner}'s {name}{of} is {text}" if rule.each else f"the {name}{of} is {text}"
        many = f"{text if value else 'no'} {one_of(name) if value == 1 else name}{of}"
        return f"{owner} has {many}" if rule.each else f"there {'is' if value == 1 else 'are'} {many}"

    def _value_size(self, node: Node, value: Any) -> str:
        over = node.of[0]
        of, number = over.of[0] if over.form == "where" else over, self.number(over, value)
        if of.kind == "players":
            return f"there are {counted(value, 'player')}"
        if of.form == "field":
            return f"these are {number}" if value != 1 else f"this is {number}"
        return f"{self.noun(of)} has {number}"

    def _value_sum(self, node: Node, value: Any) -> str:
        of = words(node.of[1].label) or "number"
        return f"the {_OUT_OF[node.form]} {of} of {self.noun(node.of[0])} is {self.said(value)}"

    _value_max = _value_min = _value_sum

    def _value_property(self, node: Node, value: Any) -> str:
        """Say which card it is of which something printed is asked: its name has all that is."""
        card, text = self.run(node.of[0]), self.said(value)
        if node.label == "by":
            return f"{self.card(node.of[0])} is of {text}"
        if card is None or type(card) is Hidden or node.of[0].form == "it":
            return f"the {words(node.label)} of {self.card(node.of[0])} is {text}"
        name = self.said(card)
        is_in_name = text.casefold() in name.casefold()
        return f"{self.noun(node.of[0])} is {name}" if is_in_name else f"the {words(node.label)} of {name} is {text}"

    def _value_field(self, node: Node, value: Any) -> str:
        if node.kind == "player":
            return f"{self.said(value) if value is not None else 'nobody'} is named"
        return f"{self.noun(node)}{' said' * (node.kind == 'number')} is {self.said(value)}"

    def _value_player(self, _node: Node, value: Any) -> str:
        return f"it is {self.said(value)} who moves"

    def _value_active(self, _node: Node, value: Any) -> str:
        return f"it is the turn of {self.said(value)}"

    def _value_next(self, node: Node, value: Any) -> str:
        return f"{self.said(value)} sits next to {self.said(self.run(node.of[0]))}"

    def _value_round(self, node: Node, value: Any) -> str:
        return f"it is {node.form} {self.said(value)}"

    _value_phase = _value_round

    # -- cards in a list -----------------------------------------------------------------------------------------------

    def number(self, over: Node, number: int) -> str:
        """Return how many cards: `no card`, `1 card of the suit clubs`, `2 such cards`."""
        such, of = "such " if over.form == "where" else "", ""
        if over.form == "where" and (same := over.of[1].same) is not None:
            such, of = "", f" of the {words(same[0])} {self.said(same[1](self.moment))}"
        several = f"{number or 'no'} {such}card{'s' * (number > 1)}"
        return f"{f'{such}cards' if number == _MANY else several}{of}"

    def there(self, over: Node, *, is_some: bool) -> str:
        """Say what there is in a list, or that there is nothing."""
        of, (sure, _) = over.of[0] if over.form == "where" else over, self.run(over)
        if of.kind == "players":
            return f"it holds of {joined(map(self.said, sure))}"
        where = "the line" if of.form == "field" else self.noun(of)
        if not is_some:
            return f"{where} has {self.number(over, 0)}"
        cards, zone = [each for each in sure if type(each) is not Hidden], self._zone(of) if of.form == "zone" else None
        is_open = of.form == "field" or (zone is not None and zone.seen_by == "all")
        if is_open and 0 < len(cards) <= _MOST_NAMED:
            return f"{where} has {joined(map(self.said, cards))}"
        return f"{where} has {self.number(over, len(cards) or _MANY)}"


def _filled(says: str, player: str, number: str, total: str) -> str:
    """Return the sentence of a counter with its blanks filled in."""
    if number == "1":
        says = re.sub(r"(?<=\{number\} )[a-z]+s\b", lambda several: one_of(several[0]), says)
    filled = {"{player}": player, "{number}": number, **dict(zip(TOTALS, (total, nth(total)), strict=True))}
    return re.sub("|".join(map(re.escape, filled)), lambda found: filled[found[0]], says)
