"""The card-text vocabulary: what an ability line says, read once when the cards are loaded.

    line    = action | limit | trigger | static | effects    effects alone: what an event or a response does
    action  = "action" word ["(" cost {"," cost} ")"] ":" effects
    limit   = "limit actions" number                         actions in a turn; one where nothing is said
    trigger = "when" moment ["if" condition] "->" effects
    static  = "always" ["if" condition] "->" change {";" change}
    effects = effect {";" effect}
    effect  = ["if" condition "->"] verb

The action `divide` is the action `duplicate`, where the ruling `divide_duplicate` does not tell them apart.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from typing import Any, ClassVar, Final

import msgspec

from tabletape.projector.kit import card_text
from tabletape.projector.kit.card_text import Condition, Conditions, Kinds, Patterns, Verbs, read_line, refuse_choices
from tabletape.projector.kit.card_text_tokens import Tokens

ACTIONS: Final = ("consume", "duplicate", "divide", "attack", "photosynthesize", "evolve")
SYNONYMS: Final = {"divide": "duplicate"}
"""Other names of actions, as long as dividing is not an action of its own (ruling `divide_duplicate`)."""
UNTARGETED_ACTIONS: Final = frozenset({"duplicate", "photosynthesize"})
"""Actions whose line in a log has no room for a chosen card."""


class Selection(card_text.CardSelection, frozen=True, kw_only=True):
    """Which cards: `quantity` of them (0: all), whose, how turned, of which tier and phylum, and the noun."""

    NOUNS: ClassVar = ("organism", "nonfood", "food", "mutation", "status", "event", "card", "self", "host")
    GIVEN: ClassVar = frozenset({"self", "host", "event"})
    ADJECTIVES: ClassVar = {
        "whose": ("friendly", "enemy"),
        "turned": ("stressed", "unstressed"),
        "tier": Tokens.number,
        "phylum": partial(Tokens.name, what="phylum"),
    }

    tier: int = 0
    phylum: str = ""


class Effect(msgspec.Struct, frozen=True, kw_only=True):
    """A verb with its number, its selection and its condition; `is_chosen` where somebody has to choose the card."""

    verb: str
    n: int = 0
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
    n: int = 0
    by: str = ""
    cards: Selection | None = None
    condition: Condition | None = None


Line = Action | Trigger | Modifier | Effect | int


class ParsedText(msgspec.Struct, frozen=True, kw_only=True):
    """All that a card says, sorted for quick looking up.

    `moments` are the first words of those that triggers wait for (`begin`), `host_changes` the modifiers that concern
    the host alone, `gains` and `caps` those that reach further, `effects` those of an event or response.
    """

    actions: dict[str, Action] = msgspec.field(default_factory=dict)
    limit: int = 1
    triggers: tuple[Trigger, ...] = ()
    moments: frozenset[str] = frozenset()
    host_changes: tuple[Modifier, ...] = ()
    gains: tuple[Modifier, ...] = ()
    caps: tuple[Modifier, ...] = ()
    effects: tuple[Effect, ...] = ()

    @property
    def action_names(self) -> tuple[str, ...]:
        """How a log may call the actions."""
        return (*self.actions, *(name for name, usual in SYNONYMS.items() if usual in self.actions))


def chosen(effects: Iterable[Effect]) -> Effect | None:
    """Return the first of several effects that a card has to be chosen for."""
    for effect in effects:
        if effect.is_chosen:
            return effect
    return None


def keywords_of(text: Any) -> list[str]:
    """Return the words of the vocabulary that a printed card uses, to see which ones no log has exercised."""
    says: ParsedText = text.says
    words = [f"action {name}" for name in says.actions]
    words += [f"when {trigger.when}" for trigger in says.triggers]
    words += [f"always {modifier.what}" for modifier in (*says.host_changes, *says.gains, *says.caps)]
    words += ["limit actions"] if says.limit != 1 else []
    doing: list[Action | Trigger | ParsedText] = [says, *says.actions.values(), *says.triggers]
    return sorted({*words, *(effect.verb for each in doing for effect in each.effects)})


def _host_change(words: Tokens) -> dict[str, Any]:
    """Read `cannot be stressed` or `cannot be removed`, `by` what or by anything, or a cost: `evolve energy +1`."""
    if words.accept("cannot"):
        words.expect("be")
        name = words.one_of(("stressed", "removed"), "state")
        return {"what": "immune", "name": name, "by": words.take() if words.accept("by") else ""}
    name, resource = words.take(), words.one_of(("energy", "dna"), "resource")
    return {"what": "cost", "name": name, "resource": resource, "n": words.change()}


_KINDS: Final[Kinds] = {"cards": Selection.read, "change of the host": _host_change}
verb = Verbs(_KINDS)
"""The verbs, with the functions that carry them out (see `effects`)."""
_COSTS: Final = Patterns(
    "cost", _KINDS, *("energy {energy:n}", "dna {dna:n}", "mp {mp:n}", "discard {discard:n}", "stress self")
)
MOMENTS: Final = Patterns(
    "moment",
    _KINDS,
    *("begin.self", "begin.each", "end.self", "host.consume", "self.consume", "self.stressed", "self.died"),
    *("enemy.died", "event.played", "enters"),
)
CHANGES: Final = Patterns(
    "change",
    _KINDS,
    *("cap {n:change} {cards}", "host {change:change of the host}"),
    *(f"{action} gain {{n:change}} {{cards}}" for action in ACTIONS),
)
CONDITIONS: Final = Conditions(_KINDS, "died", "stressed", "energy {sign:comparison} {n}", "hand {sign:comparison} {n}")


@lru_cache(maxsize=4096)
def lines_of(text: str) -> tuple[Line, ...]:
    """Read one ability line. Raises `ValueError` that names the unknown word."""
    begins: dict[str, Callable[[Tokens], tuple[Line, ...]]] = {
        "action": _action,
        "limit": lambda words: (card_text.read(words, "actions {n}", card_text.KINDS)["n"],),
        "when": _trigger,
        "always": lambda words: words.separated(partial(_modifier, CONDITIONS.guard(words))),
    }
    return read_line(text, begins, lambda words: words.separated(_effect))


def parsed_text(lines: Iterable[str], *, apart: bool = False) -> ParsedText:
    """Read all ability lines of a card, the other names of actions as the usual ones or `apart` from them.

    Raises `ValueError` as `lines_of` does.
    """
    read = [line if apart else _by_usual_name(line) for text in lines for line in lines_of(text)]
    triggers = tuple(line for line in read if isinstance(line, Trigger))
    modifiers = [line for line in read if isinstance(line, Modifier)]
    return ParsedText(
        actions={line.name: line for line in read if isinstance(line, Action)},
        limit=max((line for line in read if isinstance(line, int)), default=1),
        triggers=triggers,
        moments=frozenset(trigger.when.partition(".")[0] for trigger in triggers),
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


def _action(words: Tokens) -> tuple[Action]:
    name = words.take()
    costs: dict[str, Any] = {}
    if words.accept("("):
        costs = _COSTS.read_all(words, ",")
        words.expect(")")
    words.expect(":")
    effects = words.separated(_effect)
    if SYNONYMS.get(name, name) in UNTARGETED_ACTIONS and chosen(effects):
        raise ValueError(
            f"{words.text!r}: a log cannot say which card is chosen for {name}; write `all` or `self`, or describe the "
            "action in `manual`"
        )
    return (Action(name=name, effects=effects, **costs),)


def _trigger(words: Tokens) -> tuple[Trigger]:
    when, _ = MOMENTS.read(words)
    condition = CONDITIONS.guard(words)
    effects = words.separated(_effect)
    refuse_choices(words, effects, "`all`, `self` or `host`")
    return (Trigger(when=when, condition=condition, effects=effects),)


def _modifier(condition: Condition | None, words: Tokens) -> Modifier:
    what, values = CHANGES.read(words)
    if what == "host":
        values = values["change"]
    elif what != "cap":
        values |= {"what": "gain", "name": what}
    return Modifier(condition=condition, **{"what": what, **values})


def _effect(words: Tokens) -> Effect:
    condition = CONDITIONS.prefix(words)
    word, values = verb.read(words)
    cards = values.get("cards")
    return Effect(verb=word, condition=condition, is_chosen=cards is not None and cards.is_chosen, **values)
