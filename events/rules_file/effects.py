"""What a move does: `cards -> zone`, `counter + 1` (`-`, `=`), `turn -> player`, each perhaps ` when CONDITION`."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from tabletape.events.rules_file.parser import WordScope, expression
from tabletape.events.rules_file.scope import CounterRule, ZoneRule, which_of
from tabletape.events.rules_file.values import UNKNOWN, Node, WrongError, constant, guess, joined

_TARGET: Final = re.compile(r"(\w+)\s*(?:\((.*)\))?")
_OWN_ALONE: Final = re.compile(r"if\(it = player, ((?:(?!\bnext\b|\bit\b(?!\.))(?:\w+\(it\)|.))+), \d+\)")
"""Counts of the player who moves alone: that of all others becomes a number. Behind `where`, `it.kind` is of a card."""

MINE: Final = Node(lambda t: t.by, "player")
"""Whose a zone or counter is that has no brackets: the player's who moves."""

_FORMS: Final = "write `cards -> zone`, `counter + 1`, `counter = 0` or `turn -> player`"


TIME: Final = frozenset(("turn", ".fresh"))
"""What depends on how many turns there were."""


class FileEffect(msgspec.Struct, frozen=True, eq=False):
    """One thing that happens: `run` does it for who asks, `writes` are the zones and counters that it may change.

    `asks` are its expressions, taken as one. `of_one`: it lays one card, whatever the table. `others` are what it
    writes of other players than the one who moves. It `sets` a counter to an expression, whatever that was before,
    where it always does; that of all others to the same number where it writes theirs as well. It `adds`: a counter is
    never less behind it, nor is a zone in which it lays the cards of its line: what lies in the zone that it `covers`
    has these on it then. The common zone that it `empties` is empty behind it, whatever lay there.
    """

    run: Callable[[Any], object]
    writes: frozenset[str]
    asks: Node
    of_one: bool = False
    others: frozenset[str] = frozenset()
    sets: Node | None = None
    adds: bool = False
    empties: str = ""
    covers: str = ""

    @property
    def parts(self) -> int:
        """How long its expressions are, which is what it costs."""
        return self.asks.parts


class FilePlaces(NamedTuple):
    """The zones and counters of a file, by name."""

    zones: Mapping[str, ZoneRule]
    counters: Mapping[str, CounterRule]


def effect(text: str, scope: WordScope, places: FilePlaces) -> FileEffect:
    """Return a text as an effect. Raises `WrongError` for whatever is wrong with it."""
    body, _, condition = text.partition(" when ")
    done = _effect(body.strip(), text, scope, places)
    if not condition:
        return done
    asked = expression(condition, scope, "truth")
    test, run, writes = asked.run, done.run, done.writes

    def when(t: Any) -> None:
        so = test(t)
        if so is UNKNOWN:
            t.doubt(writes)
        elif so:
            run(t)

    return FileEffect(when, writes, joined(when, "", "", done.asks, asked), others=done.others, adds=done.adds)


def keeping(effects: Sequence[FileEffect]) -> tuple[bool, ...]:
    """Return of each effect whether it changes nothing that the expressions of those behind it look at."""
    return tuple(
        (each.writes or TIME).isdisjoint(frozenset().union(*(other.asks.reads for other in effects[at:])))
        for at, each in enumerate(effects, 1)
    )


def _effect(body: str, text: str, scope: WordScope, places: FilePlaces) -> FileEffect:
    what, arrow, target = (part.strip() for part in body.partition("->"))
    if arrow and what == "turn":
        next_one = expression(target, scope, "player")
        who = next_one.run
        return FileEffect(lambda t: t.pass_to(who(t)), frozenset(), next_one)
    if arrow:
        return _lay(expression(what, scope, "cards"), target, scope, places)
    at = _sign_at(body)
    if at < 0:
        raise WrongError(f"`{text}` is no effect; {_FORMS}")
    return _change(body[:at].strip(), body[at], body[at + 1 :].strip(), (scope, places))


def _sign_at(body: str) -> int:
    """Return where the first `+`, `-` or `=` stands outside brackets, -1 where none does."""
    depth = 0
    for at, letter in enumerate(body):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and letter in "+-=":
            return at
    return -1


def _lay(source: Node, target: str, scope: WordScope, places: FilePlaces) -> FileEffect:
    name, keys = _named(target, places.zones, "zone")
    zone = places.zones[name]
    whose, per = _keys(target, keys, (not zone.shared, zone.per), scope)
    writes = frozenset((name, *(each for each in source.reads if each in places.zones)))
    cards, owner, value = source.run, None if zone.shared else whose.run, per.run if zone.per else None

    def run(t: Any) -> None:
        taken, who, which = cards(t), owner(t) if owner else "", value(t) if value else None
        if taken is UNKNOWN or who is UNKNOWN or which is UNKNOWN:
            t.doubt(writes)
        elif taken is not None:
            t.lay(taken, name, who, which)

    others = (source.others & writes) | ({name} if not zone.shared and whose is not MINE else frozenset())
    asks = joined(run, "", "", source, whose, per)
    is_whole = source.form == "zone" and places.zones[source.label].shared and not places.zones[source.label].per
    empties = source.label if is_whole and source.label != name else ""
    is_named = source.form == "field"
    covers = name if is_named and not (zone.per or others) else ""
    is_one = source.kind == "card"
    return FileEffect(run, writes, asks, is_one, others, adds=is_named, empties=empties, covers=covers)


def _change(target: str, sign: str, amount: str, where: tuple[WordScope, FilePlaces]) -> FileEffect:
    scope, places = where
    name, keys = _named(target, places.counters, "counter")
    counter = places.counters[name]
    writes = frozenset((name,))
    if keys == "all" and counter.each and not counter.per:
        each = expression(amount, scope.plus(it=Node(lambda t: t.it, "player")), "number")
        own = _own_alone(amount, scope) if sign == "=" else None
        return FileEffect(lambda t: _change_all(t, name, sign, each), writes, each, others=writes, sets=own)
    whose, per = _keys(target, keys, (counter.each, counter.per), scope)
    how_many = expression(amount, scope, "number")
    owner, value, by = whose.run, per.run if counter.per else None, how_many.run
    run = lambda t: t.change((name, owner(t), value(t) if value else None), sign, by(t))  # noqa: E731 - it is kept twice
    is_of_others = counter.each and whose is not MINE
    sets = how_many if sign == "=" and not (is_of_others or counter.per) else None
    asks = joined(run, "", "", whose, per, how_many)
    adds = sign == "+" and how_many.form == "constant"
    return FileEffect(run, writes, asks, others=writes if is_of_others else frozenset(), sets=sets, adds=adds)


def _own_alone(amount: str, scope: WordScope) -> Node | None:
    """Return what a counter of all is set to for the player who moves, where it becomes one number for all others."""
    match = _OWN_ALONE.fullmatch(amount)
    if match is None:
        return None
    node = expression(match[1].replace("(it)", "(player)"), scope, "number")
    return msgspec.structs.replace(node, others=node.others.difference(re.findall(r"(\w+)\(it\)", match[1])))


def _change_all(t: Any, name: str, sign: str, each: Node) -> None:
    """Change the counter of every player, each by what the expression was before."""
    before, amounts, amount = t.it, [], each.run
    t.spend(len(t.players) * each.parts)
    for who in t.players:
        t.it = who
        amounts.append((who, amount(t)))
    t.it = before
    for who, by in amounts:
        t.change((name, who, None), sign, by)


def _named(target: str, among: Mapping[str, Any], what: str) -> tuple[str, str | None]:
    match = _TARGET.fullmatch(target)
    if match is None or match[1] not in among:
        name = match[1] if match else target
        raise WrongError(f"no {what} is called `{name}`{guess(name, among)}; {_FORMS}")
    return match[1], match[2]


def _keys(target: str, keys: str | None, where: tuple[bool, str], scope: WordScope) -> tuple[Node, Node]:
    """Return whose zone or counter is meant, and for which value: the player's own where no brackets stand."""
    own, per = where
    texts = _arguments(keys)
    wanted = own + bool(per)
    if len(texts) not in {wanted, wanted - own}:
        raise WrongError(f"`{target}` needs {'a player' * own}{' and ' * (wanted == 2)}{per} in brackets")
    owner = constant("", "player")
    if own:
        owner = expression(texts[0], scope, "player") if len(texts) == wanted else MINE
    value = expression(texts[-1], scope, scope.kind_of(per)) if per else constant(None, "text")
    return owner, msgspec.structs.replace(value, run=which_of(value, per)) if per else value


def _arguments(text: str | None) -> list[str]:
    """Return what stands between the commas of a bracket, whatever brackets are in it."""
    if text is None or not text.strip():
        return []
    arguments, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            arguments.append("")
        else:
            arguments[-1] += letter
    return arguments
