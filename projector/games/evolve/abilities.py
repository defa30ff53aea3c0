"""The card-text vocabulary: what an ability line says, read once when the cards are loaded.

A line is an action (`action attack (energy 2): stress 1 enemy organism`), the number of actions in a turn
(`limit actions 2`), a trigger (`when begin.self -> energy +1 self`), a static line (`always -> host evolve energy +1`)
or the effects of an event (`stress 1 organism`).
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

import msgspec

from projector.model.card_text_tokens import Tokens

ACTIONS: Final = ("consume", "duplicate", "divide", "attack", "photosynthesize", "evolve")
VERBS: Final = ("stress", "energy", "dna", "mp", "draw", "remove", "cancel", "shield", "end")
CHANGES: Final = frozenset({"dna", "mp"})
NOUNS: Final = ("organism", "nonfood", "food", "mutation", "status", "event", "card", "self", "host")
GIVEN: Final = frozenset({"self", "host", "event"})
"""Nouns that name a card by themselves, so that nobody has to choose."""

COSTS: Final = ("energy", "dna", "mp", "discard", "stress")
VERBED: Final = ("stressed", "removed")
MOMENTS: Final = (
    "begin.self",
    "begin.each",
    "end.self",
    "host.consume",
    "self.consume",
    "self.stressed",
    "self.died",
    "enemy.died",
    "event.played",
    "enters",
)
SYNONYMS: Final = {"divide": "duplicate"}
"""Other names of actions, as long as dividing is not an action of its own (ruling `divide_duplicate`)."""
UNTARGETED: Final = frozenset({"duplicate", "photosynthesize"})
"""Actions whose line in a log has no room for a chosen card."""


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """Which cards: `quantity` of them (0: all), whose, how turned, of which tier and phylum, and the noun."""

    noun: str
    quantity: int = 1
    upto: bool = False
    whose: str = ""
    turned: str = ""
    tier: int = 0
    phylum: str = ""


class Condition(msgspec.Struct, frozen=True, kw_only=True):
    """What has to hold: `what` is died, stressed, energy or hand, the latter two compared with `number`."""

    what: str
    sign: str = ">="
    number: int = 0


class Effect(msgspec.Struct, frozen=True, kw_only=True):
    """A verb with its number, its selection and its condition; `is_chosen` where somebody has to choose the card."""

    verb: str
    number: int = 0
    cards: Selection | None = None
    condition: Condition | None = None
    is_chosen: bool = False


class Action(msgspec.Struct, frozen=True, kw_only=True):
    """An action of an organism: its name, its costs and what it does."""

    name: str
    effects: tuple[Effect, ...] = ()
    energy: int = 0
    dna: int = 0
    mp: int = 0
    discard: int = 0
    stress: bool = False

    @property
    def chosen(self) -> Effect | None:
        """The effect that a card has to be chosen for."""
        return chosen(self.effects)


class Trigger(msgspec.Struct, frozen=True, kw_only=True):
    """Effects that happen by themselves at a moment."""

    when: str
    effects: tuple[Effect, ...]
    condition: Condition | None = None


class Modifier(msgspec.Struct, frozen=True, kw_only=True):
    """What a static line changes while its card is in play.

    `what`: `cost` of the action `name` of the host in `resource`, `gain` of the action `name` for `cards`, `immune`:
    the host cannot be `name` (`by` what, or by anything), `cap`: the limit of energy of `cards`.
    """

    what: str
    name: str = ""
    resource: str = ""
    number: int = 0
    by: str = ""
    cards: Selection | None = None
    condition: Condition | None = None


Line = Action | Trigger | Modifier | Effect | int


class ParsedText(msgspec.Struct, frozen=True, kw_only=True):
    """All that a card says, sorted for quick looking up.

    `host_changes` are the modifiers that concern the host alone, `gains` and `caps` those that reach further, `begins`
    and `ends` tell whether a trigger waits for the start or the end of a turn, `effects` are those of an event or
    response.
    """

    actions: dict[str, Action] = msgspec.field(default_factory=dict)
    limit: int = 1
    triggers: tuple[Trigger, ...] = ()
    begins: bool = False
    ends: bool = False
    host_changes: tuple[Modifier, ...] = ()
    gains: tuple[Modifier, ...] = ()
    caps: tuple[Modifier, ...] = ()
    effects: tuple[Effect, ...] = ()


def chosen(effects: Iterable[Effect]) -> Effect | None:
    """Return the first of several effects that a card has to be chosen for."""
    return next((effect for effect in effects if effect.is_chosen), None)


def keywords_of(says: ParsedText) -> list[str]:
    """Return the words of the vocabulary that a card uses, to see which ones no log has exercised."""
    effects = [*says.effects]
    found = [f"action {name}" for name in says.actions]
    for action in says.actions.values():
        effects.extend(action.effects)
    for trigger in says.triggers:
        effects.extend(trigger.effects)
    found += [f"when {trigger.when}" for trigger in says.triggers]
    found += [f"always {modifier.what}" for modifier in (*says.host_changes, *says.gains, *says.caps)]
    found += ["limit actions"] if says.limit != 1 else []
    return sorted({*found, *(effect.verb for effect in effects)})


@lru_cache(maxsize=4096)
def lines_of(text: str) -> tuple[Line, ...]:
    """Read one ability line. Raises `ValueError` that names the word which nobody knows."""
    words = Tokens(text)
    first = words.peek()
    found: tuple[Line, ...]
    if first == "action":
        found = (_action(words),)
    elif first == "limit":
        words.take()
        words.expect("actions")
        found = (words.number(),)
    elif first == "when":
        found = (_trigger(words),)
    elif first == "always":
        found = tuple(_static(words))
    else:
        found = _effects(words)
    words.end()
    return found


def abilities_of(lines: Iterable[str], *, apart: bool = False) -> ParsedText:
    """Read all ability lines of a card, the other names of actions as the usual ones or `apart` from them.

    Raises `ValueError` as `lines_of` does.
    """
    read = [line if apart else _by_usual_name(line) for text in lines for line in lines_of(text)]
    modifiers = [line for line in read if isinstance(line, Modifier)]
    triggers = tuple(line for line in read if isinstance(line, Trigger))
    return ParsedText(
        actions={line.name: line for line in read if isinstance(line, Action)},
        limit=max((line for line in read if isinstance(line, int)), default=1),
        triggers=triggers,
        begins=any(trigger.when.startswith("begin") for trigger in triggers),
        ends=any(trigger.when.startswith("end") for trigger in triggers),
        host_changes=tuple(each for each in modifiers if each.what in {"cost", "immune"}),
        gains=tuple(each for each in modifiers if each.what == "gain"),
        caps=tuple(each for each in modifiers if each.what == "cap"),
        effects=tuple(line for line in read if isinstance(line, Effect)),
    )


def _by_usual_name(line: Line) -> Line:
    """Return a line that names an action by the usual name of it."""
    if isinstance(line, Action | Modifier) and line.name in SYNONYMS:
        return msgspec.structs.replace(line, name=SYNONYMS[line.name])
    return line


def has_other_names(lines: Iterable[str]) -> bool:
    """Return whether a line names an action by another than the usual name."""
    return any(_by_usual_name(line) is not line for text in lines for line in lines_of(text))


# -- lines -------------------------------------------------------------------------------------------------------------


def _action(words: Tokens) -> Action:
    words.take()
    name = words.take()
    costs: dict[str, int] = {}
    if words.accept("("):
        costs = _costs(words)
    words.expect(":")
    effects = _effects(words)
    if SYNONYMS.get(name, name) in UNTARGETED and chosen(effects):
        raise ValueError(
            f"{words.text!r}: a log cannot say which card is chosen for {name}; write `all` or `self`, or describe the "
            "action in `manual`"
        )
    stress = bool(costs.pop("stress", 0))
    return Action(name=name, effects=effects, stress=stress, **costs)


def _costs(words: Tokens) -> dict[str, int]:
    costs: dict[str, int] = {}
    while True:
        cost = words.one_of(COSTS, "cost")
        if cost == "stress":
            words.expect("self")
            costs[cost] = 1
        else:
            costs[cost] = words.number()
        if not words.accept(","):
            break
    words.expect(")")
    return costs


def _trigger(words: Tokens) -> Trigger:
    words.take()
    when = words.one_of(MOMENTS, "moment")
    condition = _condition(words) if words.accept("if") else None
    words.expect("->")
    effects = _effects(words)
    for effect in effects:
        if effect.is_chosen:
            raise ValueError(
                f"{words.text!r}: nobody can choose when an ability happens by itself; write `all`, `self` or `host` "
                f"in {effect.verb!r}, or describe the ability in `manual`"
            )
    return Trigger(when=when, condition=condition, effects=effects)


def _static(words: Tokens) -> list[Modifier]:
    words.take()
    condition = _condition(words) if words.accept("if") else None
    words.expect("->")
    found = [_modifier(words, condition)]
    while words.accept(";"):
        found.append(_modifier(words, condition))
    return found


def _modifier(words: Tokens, condition: Condition | None) -> Modifier:
    if words.accept("cap"):
        return Modifier(what="cap", number=words.change(), cards=_selection(words), condition=condition)
    if not words.accept("host"):
        name = words.one_of(ACTIONS, "action")
        words.expect("gain")
        return Modifier(what="gain", name=name, number=words.change(), cards=_selection(words), condition=condition)
    if words.accept("cannot"):
        words.expect("be")
        name = words.one_of(VERBED, "state")
        by = words.take() if words.accept("by") else ""
        return Modifier(what="immune", name=name, by=by, condition=condition)
    name = words.take()
    resource = words.one_of(("energy", "dna"), "resource")
    return Modifier(what="cost", name=name, resource=resource, number=words.change(), condition=condition)


def _effects(words: Tokens) -> tuple[Effect, ...]:
    effects = [_effect(words)]
    while words.accept(";"):
        effects.append(_effect(words))
    return tuple(effects)


def _effect(words: Tokens) -> Effect:
    if words.accept("if"):
        condition = _condition(words)
        words.expect("->")
        return msgspec.structs.replace(_effect(words), condition=condition)
    verb = words.one_of(VERBS, "verb")
    if verb == "draw":
        return Effect(verb=verb, number=words.number())
    if verb in CHANGES:
        return Effect(verb=verb, number=words.change())
    number = words.change() if verb == "energy" else 0
    cards = _selection(words) if words.goes_on() else Selection(noun="self")
    if verb == "shield":
        words.expect("from")
        words.expect("event")
    is_chosen = cards.quantity > 0 and cards.noun not in GIVEN
    return Effect(verb=verb, number=number, cards=cards, is_chosen=is_chosen)


def _selection(words: Tokens) -> Selection:
    """Read `[quantity] {which} noun`."""
    found: dict[str, object] = {}
    if words.accept("all"):
        found["quantity"] = 0
    elif words.accept("upto"):
        found.update(quantity=words.number(), upto=True)
    elif words.is_number():
        found["quantity"] = words.number()
    while True:
        word = words.take()
        if word in NOUNS:
            return Selection(noun=word, **found)  # type: ignore[arg-type]  # the parts by name
        if word in {"friendly", "enemy"}:
            found["whose"] = word
        elif word in {"stressed", "unstressed"}:
            found["turned"] = word
        elif word == "tier":
            found["tier"] = words.number()
        elif word == "phylum":
            found["phylum"] = words.name("phylum")
        else:
            raise words.unknown(word, "card", NOUNS)


def _condition(words: Tokens) -> Condition:
    what = words.one_of(("died", "stressed", "energy", "hand"), "condition")
    if what in {"died", "stressed"}:
        return Condition(what=what)
    sign = words.one_of(("<", "<=", "=", ">=", ">"), "comparison")
    return Condition(what=what, sign=sign, number=words.number())
