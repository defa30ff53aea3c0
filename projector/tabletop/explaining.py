"""What stood against a line in its position, in the words of the table: `Ann has 1 coin; at least 3 are needed`.

A finding of a rules file is the sentence of its rule, and the parts of its condition by which it was broken, each with
what it came to.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from tabletape.events.rules_file.stated import Stated
from tabletape.events.rules_file.values import UNKNOWN, Node, TooLongError
from tabletape.projector.model.amounts import joined
from tabletape.projector.model.phrases import as_ruled
from tabletape.projector.tabletop.moment import Moment
from tabletape.projector.tabletop.naming import TOTALS, Naming, said, words

_OPPOSITE: Final = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "="}
_MIRRORED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_LIMITS: Final = {
    "<": "fewer than {} {are} allowed",
    "<=": "at most {} {are} allowed",
    ">": "more than {} {are} needed",
    ">=": "at least {} {are} needed",
    "=": "{} {are} needed",
    "!=": "{} {are} not allowed",
}
"""What a comparison asks for, said of a number of things."""

_OF_NONE: Final = {"=": "none is allowed", "<=": "none is allowed", ">": "one is needed"}
"""The same where the number is 0."""

_NUMBERS: Final = ("{number}", *TOTALS)
"""What a counter's own sentence has where it says how much that is."""

_OF_PARTS: Final = frozenset(("and", "or", "not", "compare", "any", "no", "in", "if", "else", "reckoned", "zone"))
"""What is unknown only by its parts."""

_TWICE: Final = 2
"""Each part of a condition is asked whether it is what stood against the line, and what it came to."""


def explained(stated: Stated, moment: Moment) -> str:
    """Return what stood against a rule: `Here it is Ann's buy 2; ...`."""
    try:
        moment.spend(stated.node.parts * _TWICE)
        told = [*dict.fromkeys(_Reasons(moment).why(stated.node, so=False))]
    except TooLongError:
        told = []
    fields = (f"{words(name)} is {said(moment.table, each)}" for name, each in moment.fields.items() if is_named(each))
    told = told or [*fields] or ["it is not so"]
    ruling = as_ruled(moment.table, stated.ruling[0]) if stated.ruling else ""
    return f"Here {joined(told)}{ruling}."


def unknown_parts(node: Node, moment: Moment) -> dict[str, bool]:
    """Return what of an expression nobody knows, as people call it, and whether it is a counter."""
    moment.spend(node.parts * _TWICE)
    return dict(sorted(_unknown(Naming(moment), node)))


def _unknown(naming: Naming, node: Node) -> Iterator[tuple[str, bool]]:
    if node.form in {"where", "all"} or naming.run(node) is not UNKNOWN:
        return
    inner = [each for part in node.of for each in _unknown(naming, part)]
    if inner or node.form in _OF_PARTS:
        yield from inner
    else:
        yield naming.noun(node), node.form == "counter"


class _Reasons(Naming):
    """By which of its parts a condition is so or not.

    A `_why_FORM(node, so)` says it of a part of a form.
    """

    def why(self, node: Node, *, so: bool) -> Iterator[str]:
        """Say by which of its parts a condition is `so`; nothing where there is no word for them."""
        reasons = getattr(self, f"_why_{node.form}", None)
        if reasons is not None:
            yield from reasons(node, so=so)

    def _why_not(self, node: Node, *, so: bool) -> Iterator[str]:
        return self.why(node.of[0], so=not so)

    def _why_and(self, node: Node, *, so: bool) -> Iterator[str]:
        for part in _telling([part for part in node.of if self.run(part) is so]):
            yield from self.why(part, so=so)

    _why_or = _why_and

    def _why_word(self, node: Node, *, so: bool) -> Iterator[str]:
        for part in node.of[:1]:
            yield from self.why(part, so=so)

    def _why_if(self, node: Node, *, so: bool) -> Iterator[str]:
        return self.why(self.chosen(node), so=so)

    def _why_any(self, node: Node, *, so: bool) -> Iterator[str]:
        over, some = node.of[0], so is (node.form == "any")
        yield self.there(over, is_some=some)
        for card in _compared_with(over.of[1]) if some and over.form == "where" else ():
            yield f"{self.noun(card)} is {self.card(card)}"

    _why_no = _why_any

    def _why_in(self, node: Node, *, so: bool) -> Iterator[str]:
        item, among = map(self.noun, node.of)
        yield f"{item} is {'' if so else 'not '}among {among}"

    def _why_property(self, node: Node, *, so: bool) -> Iterator[str]:
        yield f"{self.card(node.of[0])} {'came' if so else 'did not come'} in this turn"

    def _why_all(self, node: Node, *, so: bool) -> Iterator[str]:
        """Say of the first of a list that fails how it does."""
        moment, (over, test) = self.moment, node.of
        before = moment.it
        for each in () if so else self.run(over)[0]:
            moment.it = each
            if self.run(test) is False:
                yield from self.why(test, so=False)
                break
        moment.it = before

    def _why_compare(self, node: Node, *, so: bool) -> Iterator[str]:
        """Say what two sides of a comparison are, and what they would have to be."""
        (left, right), sign = node.of, _OPPOSITE[node.label] if so else node.label
        if left.form == "constant":
            left, right, sign = right, left, _MIRRORED.get(sign, sign)
        if right.form == "constant" and right.kind == "anything":
            return  # That a field is left out is not what is wrong with it.
        told = [*self.values(left), *self.values(right)]
        if not told:
            return  # Two numbers are compared, whatever lies on the table.
        last, wanted, is_fixed = told.pop(), self.run(right), right.form == "constant"
        yield from told
        if left.kind == "number" or sign not in {"=", "!="}:
            limit = self._limit(left, sign, wanted)
            yield f"{last}; {limit}" if limit else last
        else:
            yield f"{last}, not {self.said(wanted)}" if is_fixed and sign == "=" and wanted is not None else last

    def _limit(self, left: Node, sign: str, wanted: Any) -> str:
        """Say what a comparison asks for: `at least 3 are needed`, `a rank of more than 4 is needed`.

        Nothing where the sentence of a counter says itself what is wrong.
        """
        says = next(filter(None, map(self.says, self.parts(left))), "")
        if "{" in says and not any(blank in says for blank in _NUMBERS):
            return ""
        if wanted == 0 and sign in _OF_NONE:
            return _OF_NONE[sign]
        is_count, limit = self.is_count(left), _LIMITS[sign]
        if left.form == "property":
            limit = f"a {words(left.label)} of {limit}"
        limit = limit if is_count else limit.replace("fewer", "less")
        return limit.format(self.said(wanted), are="are" if is_count and wanted != 1 else "is")


def _compared_with(node: Node) -> Iterator[Node]:
    """Yield the cards that lie somewhere with which a condition compares those of a line."""
    if node.form == "top" and node.of[0].form == "zone":
        yield node
    for part in node.of:
        yield from _compared_with(part)


def _telling(parts: Sequence[Node]) -> Iterator[Node]:
    """Yield the parts that say something of their own, and not what another one looks at as well, or the line says."""
    seen = [part.reads | part.fields for part in parts]
    own = [part for part, mine in zip(parts, seen, strict=True) if not any(mine < other for other in seen)]
    yield from [part for part in own if part.reads or part.form not in {"any", "no"}] or own


def is_named(value: Any) -> bool:
    """Return whether a field says something: a card, one or more cards, a number; no list of none."""
    return value is not None and value != ([], [])
