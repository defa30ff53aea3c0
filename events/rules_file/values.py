"""The values of expressions: true, false and unknown, lists with members that are only possible, and nodes."""

import difflib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import msgspec

from tabletape.events.errors import TabletapeError


class _Unknown:
    """What hidden cards decide, and nobody can tell yet."""

    def __repr__(self) -> str:
        return "unknown"


UNKNOWN: Final = _Unknown()


class Hidden:
    """A card that lies in a `zone` and that nobody has named: whatever is asked about it is unknown."""

    __slots__ = ("zone",)

    def __init__(self, zone: Any) -> None:
        self.zone = zone


LISTS: Final[Mapping[str, str]] = {"cards": "card", "players": "player", "values": "text", "numbers": "number"}
"""The kinds of lists and what is in them."""

FIRST_STEPS: Final = 4_000
"""The steps that rules may take before the first line; a step is a part of an expression looked at."""

EACH: Final = 600
"""The steps that come with each line: whatever a file says, a log takes time in proportion to its lines."""

SAVED_STEPS: Final = 60_000
"""As many as lines may leave for later ones: no line takes more."""

Run = Callable[[Any], Any]


class WrongError(TabletapeError):
    """A mistake in an expression, in words; `at` is the letter of the expression at which it stands, or -1."""

    def __init__(self, message: str, at: int = -1) -> None:
        super().__init__(message)
        self.at = at


class TooLongError(TabletapeError):
    """A line whose rules take more steps than are left."""


class Node(msgspec.Struct, frozen=True, eq=False):
    """An expression: `run` takes who asks.

    `form` says how it is made `of` its parts, and `label` what it names, by which people are told what it comes to.
    `reads` are the zones and counters that it looks at, `depth` how deep it looks through lists in lists, `parts` how
    long it is with all words written out, which is what it costs beside its lists. `zone` names the zone that it is the
    whole of, a player's own or the table's. `about_it`: it may speak of each one of a list. `printed` is the property
    of each card of a list that it is, `same` a property and what it has to be for each of them, where that is all that
    it asks. `fields` are those of the line that it asks. `others` are what it reads that each player has one of, and
    not of the player alone who moves.
    """

    run: Run
    kind: str
    reads: frozenset[str] = frozenset()
    form: str = ""
    label: str = ""
    of: "tuple[Node, ...]" = ()
    depth: int = 0
    parts: int = 1
    zone: str = ""
    about_it: bool = False
    printed: str = ""
    same: tuple[str, Run] | None = None
    fields: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()


Pair = tuple[list[Any], list[Any]]
"""A list: its sure and its possible members."""


def constant(value: Any, kind: str) -> Node:
    """Return an expression that is always the same."""
    return Node(lambda _t: value, kind, form="constant")


def joined(run: Run, kind: str, form: str, *parts: Node, label: str = "", deeper: int = 0) -> Node:
    """Return an expression made of parts, of which the last is looked at for every member of a list where `deeper`."""
    return Node(
        run,
        kind,
        frozenset().union(*(part.reads for part in parts)),
        form,
        label,
        parts,
        max([part.depth for part in parts[:-1]] + [parts[-1].depth + deeper]),
        sum(part.parts for part in parts) + 1,
        about_it=any(part.about_it for part in parts),
        fields=frozenset().union(*(part.fields for part in parts)),
        others=frozenset().union(*(part.others for part in parts)),
    )


def stays_broken(node: Node, places: frozenset[str]) -> bool:
    """Return whether a condition that is broken is so as well with more in some places: `rings + 1 <= 2`."""
    if node.reads.isdisjoint(places):
        return True
    if node.form in {"and", "or", "word"}:
        return all(stays_broken(part, places) for part in node.of)
    if node.form != "compare" or node.label not in {"<", "<=", ">", ">="}:
        return False
    few, many = node.of if node.label in {"<", "<="} else node.of[::-1]
    return many.reads.isdisjoint(places) and _grows(few, places)


def _grows(node: Node, places: frozenset[str]) -> bool:
    """Return whether a number is never less with more in some places."""
    if node.reads.isdisjoint(places) or (node.form == "counter" and not node.of):
        return True
    if node.form == "size":
        return node.of[0].form == "zone" and not node.of[0].of
    return node.form == "reckoned" and node.label == "+" and all(_grows(part, places) for part in node.of)


def guess(word: str, among: Iterable[str]) -> str:
    """Return `; did you mean ...?`, or what there is where that is little."""
    known = sorted({*among})
    alike = {"opponent": "other player", "points": "score", "colour": "color", "color": "colour"}
    close = difflib.get_close_matches(word, known, 1, 0.6) or [each for each in (alike.get(word),) if each in known]
    if close:
        return f"; did you mean `{close[0]}`?"
    return f"; there is {', '.join(known) or 'none'}" if len(known) < 12 else ""


def negated(one: Any) -> Any:
    """Return `not` of three values."""
    return UNKNOWN if one is UNKNOWN else not one


def is_among(t: Any, item: Any, members: Any) -> Any:
    """Return whether something is in a list."""
    if item is UNKNOWN or members is UNKNOWN or type(item) is Hidden:
        return UNKNOWN
    sure, perhaps = members
    t.spend(len(sure))
    if any(each is item or each == item for each in sure):
        return True
    return UNKNOWN if perhaps or any(type(each) is Hidden for each in sure) else False


def are_same(one: Any, other: Any) -> Any:
    """Return whether two values are the same."""
    if one is UNKNOWN or other is UNKNOWN:
        return UNKNOWN
    if (type(one) is Hidden and other is not None) or (type(other) is Hidden and one is not None):
        return UNKNOWN
    return one == other


def those_like(t: Any, members: Any, others: Any) -> Any:
    """Return for each of some other cards one of a list on which the same is printed, where there is one."""
    if members is UNKNOWN or others is UNKNOWN or members[1] or others[1]:
        return UNKNOWN
    t.spend(len(members[0]) * len(others[0]))
    if any(type(each) is Hidden or each.text is None for each in (*members[0], *others[0])):
        return UNKNOWN
    left, found = [*members[0]], []
    for card in others[0]:
        same = next((each for each in left if each.text.properties == card.text.properties), None)
        if same is not None:
            left.remove(same)
            found.append(same)
    return found, []


def split(t: Any, members: Any, test: Run, parts: int) -> Any:
    """Return who of a list passes a test of so many parts for sure and who perhaps."""
    if members is UNKNOWN:
        return UNKNOWN
    sure: list[Any] = []
    perhaps: list[Any] = []
    before = t.it
    t.spend((len(members[0]) + len(members[1])) * parts)
    for each in members[0]:
        t.it = each
        passes = test(t)
        if passes is UNKNOWN:
            perhaps.append(each)
        elif passes:
            sure.append(each)
    for each in members[1]:
        t.it = each
        if test(t) is not False:
            perhaps.append(each)
    t.it = before
    return sure, perhaps


def split_same(t: Any, members: Any, same: tuple[str, Run], parts: int) -> Any:
    """Return which cards have a value printed on them for sure and which perhaps, as `split` does but in one pass."""
    if members is UNKNOWN:
        return UNKNOWN
    sure, perhaps = members
    if not (sure or perhaps):
        return [], []
    t.spend((len(sure) + len(perhaps)) * parts)
    name, value = same[0], same[1](t)
    if value is UNKNOWN:
        return [], [*sure, *perhaps]
    if not perhaps:
        try:
            return [each for each in sure if each.text.properties[name] == value], []
        except (AttributeError, KeyError):  # nobody knows what is printed on one of them, or it has no such property
            pass
    same_ones: list[Any] = []
    may: list[Any] = []
    for each in sure:
        printed = _printed(t, each, name)
        if printed is UNKNOWN:
            may.append(each)
        elif printed == value:
            same_ones.append(each)
    may += [each for each in perhaps if _printed(t, each, name) in (value, UNKNOWN)]
    return same_ones, may


def _printed(t: Any, card: Any, name: str) -> Any:
    """Return what is printed on a card, unknown where nobody has named it."""
    known = type(card) is not Hidden and card.text is not None
    return card.text.properties.get(name, t.nothing) if known else UNKNOWN


def every(t: Any, members: Any, test: Run, parts: int) -> Any:
    """Return whether all of a list pass a test of so many parts; it is known with the first that surely does not."""
    if members is UNKNOWN:
        return UNKNOWN
    before = t.it
    t.spend((len(members[0]) + len(members[1])) * parts)
    answer: Any = True
    for each in members[0]:
        t.it = each
        passes = test(t)
        if passes is not True:
            answer = passes
        if passes is False:
            break
    for each in () if answer is False else members[1]:
        t.it = each
        if test(t) is not True:
            answer = UNKNOWN
    t.it = before
    return answer


def values_of(t: Any, members: Any, part: Run, parts: int) -> list[Any] | None:
    """Return a value of so many parts for each member of a list, None where one is unknown."""
    if members is UNKNOWN or members[1]:
        return None
    before, values = t.it, []
    t.spend(len(members[0]) * parts)
    for t.it in members[0]:
        values.append(part(t))
    t.it = before
    return None if UNKNOWN in values else values


def printed_on(t: Any, members: Any, name: str, parts: int) -> list[Any] | None:
    """Return what is printed on each card of a list, None where that of one is unknown."""
    if members is UNKNOWN or members[1]:
        return None
    t.spend(len(members[0]) * parts)
    try:
        return [each.text.properties.get(name) for each in members[0]]
    except AttributeError:  # nobody knows what is printed on one of them
        return None


# -- about a whole list ------------------------------------------------------------------------------------------------


def about(word: str, over: Run, part: Node, order: Mapping[str, int]) -> Run:
    """Return what a word says about a list: `size`, `any`, `no`, `all`, `sum`, `max`, `min`, `best`, `top`, `first`."""
    number: Run | None = getattr(over, "number", None)
    asked, parts, printed = part.run, part.parts, part.printed
    if number is not None and word in _NUMBER_WORDS:
        return _NUMBER_WORDS[word](number)
    if word == "all":
        return lambda t: every(t, over(t), asked, parts)
    if word in _VALUE_WORDS:
        of_values = _VALUE_WORDS[word]

        def run_on_values(t: Any) -> Any:
            members = over(t)
            values = printed_on(t, members, printed, parts) if printed else values_of(t, members, asked, parts)
            return UNKNOWN if values is None else of_values(values, members[0], order)

        return run_on_values
    of_members = _MEMBER_WORDS[word]
    return lambda t: UNKNOWN if (members := over(t)) is UNKNOWN else of_members(*members)


def _size(sure: list[Any], perhaps: list[Any]) -> Any:
    return UNKNOWN if perhaps else len(sure)


def _any(sure: list[Any], perhaps: list[Any]) -> Any:
    return True if sure else (UNKNOWN if perhaps else False)


def _no(sure: list[Any], perhaps: list[Any]) -> Any:
    return False if sure else (UNKNOWN if perhaps else True)


def _top(sure: list[Any], perhaps: list[Any]) -> Any:
    return UNKNOWN if perhaps else (sure[-1] if sure else None)


def _first(sure: list[Any], perhaps: list[Any]) -> Any:
    return UNKNOWN if perhaps else (sure[0] if sure else None)


def _best(values: list[Any], members: list[Any], order: Mapping[str, int]) -> Any:
    ranks = [order.get(value, value) for value in values]
    return members[ranks.index(max(ranks))] if ranks else None


_MEMBER_WORDS: Final[Mapping[str, Callable[[list[Any], list[Any]], Any]]] = {
    "size": _size,
    "any": _any,
    "no": _no,
    "top": _top,
    "first": _first,
}
_NUMBER_WORDS: Final[Mapping[str, Callable[[Run], Run]]] = {
    "size": lambda number: number,
    "any": lambda number: lambda t: UNKNOWN if (there := number(t)) is UNKNOWN else there > 0,
    "no": lambda number: lambda t: UNKNOWN if (there := number(t)) is UNKNOWN else there <= 0,
}
"""What is said of a whole zone by how many cards lie there, which is known whichever they are."""

_VALUE_WORDS: Final[Mapping[str, Callable[[list[Any], list[Any], Mapping[str, int]], Any]]] = {
    "sum": lambda values, _members, _order: sum(value or 0 for value in values),
    "max": lambda values, _members, _order: max((value or 0 for value in values), default=0),
    "min": lambda values, _members, _order: min((value or 0 for value in values), default=0),
    "best": _best,
}
