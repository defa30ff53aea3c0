"""What the words of expressions mean: the zones, counters, tables and words of a file, and the reserved ones."""

import re
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any, Final, Literal

import msgspec

from tabletape.events.rules_file.parser import WordScope, expression
from tabletape.events.rules_file.values import UNKNOWN, Hidden, Node, Run, WrongError, constant, joined, those_like
from tabletape.events.vocabulary.names import slug_of

_WORD: Final = re.compile(r"(\w+)(?:\(([\w, ]*)\))?")

PLAIN: Final = 2
"""What has no more parts costs no more where a word is written out with it: a name, a property of a card."""

WRITTEN_OUT: Final = 60
"""A word of so many parts is read again where it is used; a longer one, of words in words, would be read too often."""

TURN: Final = frozenset(("turn",))
"""What an expression reads that asks whose turn it is, or which."""


MOST_NUMBERED: Final = 50
"""So many places of one name may be told apart by numbers."""


class ZoneRule(msgspec.Struct, frozen=True):
    """A zone: whose, who may look in, and whether there is one `per` value of a property, or number up to that."""

    name: str
    shared: bool
    per: str
    seen_by: str


class CounterRule(msgspec.Struct, frozen=True):
    """A counter with its limits; `start` is None where nobody knows it before it is read off.

    `says` is what people call it where its name is no word for them. What is not `shown` only rules look at.
    """

    name: str
    start: int | None
    low: int
    high: int
    each: bool
    per: str
    says: str = ""
    shown: bool = True


def values_of(properties: Mapping[str, tuple[Any, ...]], per: str) -> Sequence[Any]:
    """Return for which values there is a zone or counter: those of a property, or `per 3` the numbers from 1 to 3."""
    return range(1, int(per) + 1) if per.isdecimal() else properties.get(per, ())


def which_of(value: Node, per: str) -> Run:
    """Return which place is meant, unknown for a number that no place has."""
    if not per.isdecimal():
        return value.run
    run, numbers = value.run, range(1, int(per) + 1)
    return lambda t: UNKNOWN if (which := run(t)) not in numbers else which


def card_id(*values: Any) -> str:
    """Return what a card is called that has these values printed on it: `red-5`."""
    return slug_of(" ".join(map(str, values)))


def reserved(
    properties: Mapping[str, tuple[Any, ...]], options: Mapping[str, tuple[str, ...]], *, copies: bool = False
) -> WordScope:
    """Return what every file may say: who moves, who plays, the texts of cards and of rulings.

    `copies`: of some card there are several.
    """
    names = {
        "players": Node(lambda t: (t.players, []), "players", form="players"),
        "player": Node(lambda t: t.by, "player", form="player"),
        "active": Node(lambda t: t.active, "player", TURN, "active"),
        "phase": Node(lambda t: t.table.phase, "text", TURN, "phase"),
        "round": Node(lambda t: t.round, "number", TURN, "round"),
        "nobody": constant(None, "player"),
        "nothing": constant(None, "anything"),
    }
    for texts in properties.values():
        names |= {each: constant(each, "text") for each in texts if isinstance(each, str) and each.isidentifier()}
    for key, readings in options.items():
        names |= {each: constant(each, "text") for each in readings if each not in names}
        names[key] = Node(_option(key), "text", form="ruling", label=key)
    order = {each: number for texts in properties.values() for number, each in enumerate(texts) if type(each) is str}
    return WordScope(names, {"next": _next, "alike": _alike}, order, properties, copies)


def _option(key: str) -> Run:
    return lambda t: t.table.options[key]


def _next(*players: Node) -> Node:
    _require("next", players, ("player",))
    run = players[0].run
    return joined(lambda t: t.after(run(t)), "player", "next", *players)


def _alike(*lists: Node) -> Node:
    """Return of some cards those that look like others, one for each of these."""
    _require("alike", lists, ("cards", "cards"))
    there, named = (each.run for each in lists)
    return joined(lambda t: those_like(t, there(t), named(t)), "cards", "alike", *lists)


def _require(word: str, arguments: tuple[Node, ...], kinds: tuple[str, ...]) -> None:
    """Raise `WrongError` unless a word is given what it takes."""
    if len(arguments) != len(kinds):
        wanted = f"{', '.join(kinds)}" if kinds else "nothing"
        raise WrongError(f"`{word}(...)` takes {wanted} in brackets, not {len(arguments)} of them")
    for each, kind in zip(arguments, kinds, strict=True):
        if kind not in {each.kind, "anything"} and each.kind != "anything":
            raise WrongError(f"`{word}(...)` takes a {kind} in brackets, not a {each.kind}")


def with_place(scope: WordScope, name: str, where: tuple[bool, str], kind: str) -> WordScope:
    """Return a scope with a zone or counter: alone it is the player's own, in brackets somebody's or some value's.

    `where` says whether each player has one, and per which property there is one.
    """
    own, per = where
    kinds = (*(["player"] if own else []), *([scope.kind_of(per)] if per else []))
    reads, form = frozenset((name,)), "zone" if kind == "cards" else "counter"

    def called(*keys: Node) -> Node:
        _require(name, keys, kinds)
        owner = keys[0].run if own else None
        value = which_of(keys[-1], per) if per else None
        if kind == "cards":
            run: Any = _look_at("lying", name, owner, value)
            run.number = _look_at("size", name, owner, value)
        else:
            run = _get_at(lambda t, *key: t.number(name, *key), owner, value)
        asked = joined(run, kind, form, *keys, label=name)
        others = asked.others | reads if own else asked.others
        return msgspec.structs.replace(asked, reads=asked.reads | reads, others=others)

    calls = {**scope.calls, name: called} if kinds else {**scope.calls}
    names = {**scope.names}
    if not per:
        run = _alone(name, kind, own=own)
        names[name] = Node(run, kind, reads, form, name, zone=name * (kind == "cards"))
    return scope._replace(names=names, calls=calls)


def _alone(name: str, kind: str, *, own: bool) -> Run:
    """Return a zone or counter without brackets: the player's own, or the table's."""
    if kind == "number":
        if own:
            return lambda t: t.number(name, t.by, None)
        return lambda t: t.table.counters.get(name, UNKNOWN)
    if own:
        run: Any = lambda t: t.lying(f"{t.by}/{name}")  # noqa: E731 - it is asked for the number as well
        run.number = lambda t: t.size(f"{t.by}/{name}")
    else:
        run = lambda t: t.lying(name)  # noqa: E731 - as above
        run.number = lambda t: t.size(name)
    return run  # type: ignore[no-any-return]  # it is one


def _get_at(get: Callable[[Any, Any, Any], Any], owner: Run | None, value: Run | None) -> Run:
    """Return what `get` says of an owner and a value, unknown where nobody knows which."""
    whose, which = owner or (lambda _t: ""), value or (lambda _t: None)

    def run(t: Any) -> Any:
        who, what = whose(t), which(t)
        return UNKNOWN if who is UNKNOWN or what is UNKNOWN else get(t, who, what)

    return run


def _look_at(what: Literal["lying", "size"], name: str, owner: Run | None, value: Run | None) -> Run:
    """Return what lies in a zone of the table, or how much, which goes by its owner, its name and its value."""
    look = attrgetter(what)
    if value is None and owner is not None:
        return lambda t: UNKNOWN if (who := owner(t)) is UNKNOWN else look(t)(f"{who}/{name}" if who else name)
    return _get_at(lambda t, who, key: look(t)(f"{who}/{name}/{key}" if who else f"{name}/{key}"), owner, value)


def with_zone(scope: WordScope, zone: ZoneRule) -> WordScope:
    """Return a scope with a zone."""
    return with_place(scope, zone.name, (not zone.shared, zone.per), "cards")


def with_counter(scope: WordScope, counter: CounterRule) -> WordScope:
    """Return a scope with a counter."""
    return with_place(scope, counter.name, (counter.each, counter.per), "number")


def with_table(scope: WordScope, name: str, numbers: Mapping[str, int]) -> WordScope:
    """Return a scope with a table: a number for a value or a card of that name, unknown where it says none."""
    of_cards = {card_id(value): number for value, number in numbers.items()}

    def number(key: Any) -> Any:
        if key is UNKNOWN or type(key) is Hidden:
            return UNKNOWN
        if (card := getattr(key, "name", None)) is not None:
            return of_cards.get(card_id(card.rpartition(":")[2].partition("#")[0]), UNKNOWN)
        return 0 if key is None else numbers.get(str(key), UNKNOWN)

    def called(*keys: Node) -> Node:
        _require(name, keys, ("anything",))
        run = keys[0].run
        return joined(lambda t: number(run(t)), "number", "table", *keys, label=name)

    return scope._replace(calls={**scope.calls, name: called})


def with_word(scope: WordScope, written: str, text: str) -> WordScope:
    """Return a scope with one more word; it may use the words above it only, so that nothing calls itself.

    Raises `WrongError` for whatever is wrong with it.
    """
    match = _WORD.fullmatch(written)
    if match is None:
        raise WrongError(f'`{written}` is no word; write `name` or `"name(player, colour)"`')
    word, parameters = match[1], tuple(each.strip() for each in (match[2] or "").split(",") if each.strip())
    kinds = tuple(_kind_of(each, scope) for each in parameters)
    given = {each: Node(_parameter(each), kind) for each, kind in zip(parameters, kinds, strict=True)}
    node = expression(text, scope.plus(**given))
    if not parameters:
        run = node.run if node.form == "constant" else _known(word, node.run)
        named = msgspec.structs.replace(node, run=run, form="word", label=word, of=(node,))
        return scope.plus(**{word: node if node.kind in {"cards", "players"} else named})

    def called(*arguments: Node) -> Node:
        _require(word, arguments, kinds)
        is_plain = all(each.parts <= PLAIN and not (each.depth or each.about_it) for each in arguments)
        asked = joined(node.run, node.kind, "word", node, *arguments, label=word)
        if is_plain and node.parts <= WRITTEN_OUT:
            out = expression(text, scope.plus(**dict(zip(parameters, arguments, strict=True))))
            return msgspec.structs.replace(asked, run=out.run, of=(out,))
        run = _called(node.run, tuple(zip(parameters, (each.run for each in arguments), strict=True)))
        return msgspec.structs.replace(asked, run=run, of=())

    return scope._replace(calls={**scope.calls, word: called})


def _kind_of(parameter: str, scope: WordScope) -> str:
    if parameter in {"card", "player"}:
        return parameter
    return scope.kind_of(parameter) if parameter in scope.properties else "player"


def _known(word: str, run: Run) -> Run:
    """Return what a word comes to, looked up once as long as who asks keeps what is `known`."""

    def asked(t: Any) -> Any:
        known = t.known
        if known is None:
            return run(t)
        if word not in known:
            known[word] = run(t)
        return known[word]

    return asked


def _parameter(name: str) -> Run:
    return lambda t: t.parameters[name]


def _called(run: Run, arguments: tuple[tuple[str, Run], ...]) -> Run:
    def call(t: Any) -> Any:
        before = t.parameters
        t.parameters = {name: argument(t) for name, argument in arguments}
        result = run(t)
        t.parameters = before
        return result

    return call
