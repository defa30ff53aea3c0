"""The card-text vocabulary: what an ability line says, read once when the cards are loaded.

A line is a keyword (`evade`, `req gene Air`), an active ability (`@: hunt`), a trigger (`when round.start -> token +1
self`), a static line (`always -> dom +1 host`) or the effect of an event (`reveal -> crunch 1 seed`).
Case does not matter, except that a word with a capital is a type or a gene.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

import msgspec

from projector.model.card_text_tokens import Tokens

PLAIN_KEYWORDS: Final = ("evade", "backup", "farsight", "upgrade", "shockwave", "jumper", "abomination", "season")
NOUNS: Final = ("ting", "seed", "card", "biom", "mutation", "self", "host", "that")
GIVEN: Final = frozenset({"self", "host", "that"})
"""Nouns that name a card by themselves, so that nobody has to choose."""

NEEDS_CHOICE: Final = frozenset({"bounce", "crunch", "devolve", "diminish", "extinguish", "moulder", "probe"})
NO_ARGUMENT: Final = frozenset({"graze", "harvest", "hunt", "roam"})
NUMBER: Final = frozenset({"discard", "draw", "gain", "revive"})
CHANGE: Final = frozenset({"dom", "token"})
ON_CARDS: Final = frozenset({"exhaust", "unexhaust"})
VERBS: Final = (*sorted(NEEDS_CHOICE | NO_ARGUMENT | NUMBER | CHANGE | ON_CARDS), "grant")
CHOOSING_VERBS: Final = frozenset({"hunt", "graze", "roam", "revive", "discard"})
"""Verbs that ask for a choice without saying which cards may be chosen."""

MOMENTS: Final = (
    *("self.evolves", "self.devolves", "self.hunts", "self.discarded", "self.roams"),
    *("round.start", "round.end", "event.played", "event.revealed", "seed.played"),
)


class Selection(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Which cards: `quantity` of them (0: all), whose, where, how turned, of which type, and the noun."""

    noun: str
    quantity: int = 1
    upto: bool = False
    whose: str = ""
    near: str = ""
    turned: str = ""
    type: str = ""

    @property
    def is_chosen(self) -> bool:
        """Return whether somebody has to choose."""
        return self.quantity > 0 and self.noun not in GIVEN


class Condition(msgspec.Struct, frozen=True, kw_only=True):
    """What has to hold: `what` is dominating, here, hand, tokens, round, gene or type."""

    what: str
    sign: str = ">="
    number: int = 0
    name: str = ""


class Effect(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """A verb with its number, its selection and its condition; `grants` is the line that a card is given.

    `is_chosen`: somebody has to choose a card or a biom for it; `quantity`: so many cards (a biom is none);
    `text_decides`: it asks for one seed or ting, and whatever fits the words may be chosen.
    `source_is_exhausted`: the card that has it has been exhausted as its cost.
    """

    verb: str
    number: int = 0
    cards: Selection | None = None
    may: bool = False
    condition: Condition | None = None
    grants: "Line | None" = None
    is_chosen: bool = False
    quantity: int = 0
    text_decides: bool = False
    source_is_exhausted: bool = False

    def __post_init__(self) -> None:
        """Count how many cards are to be chosen; the text does not say whether one can be probed or exhausted."""
        cards = self.cards
        if self.is_chosen and self.verb != "roam":
            quantity = cards.quantity if cards is not None else self.number or 1
            msgspec.structs.force_setattr(self, "quantity", quantity)
        if cards is not None and cards.quantity == 1:
            looks_closer = self.verb == "exhaust" or (self.verb == "probe" and cards.noun == "ting")
            decides = cards.noun in {"seed", "ting"} and not looks_closer
            msgspec.structs.force_setattr(self, "text_decides", decides)


class Keyword(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="sort"):
    """A word of the glossary: `expensive` with its number, `req` with what it needs."""

    word: str
    number: int = 0
    needs: str = ""


class Active(msgspec.Struct, frozen=True, kw_only=True, eq=False, tag=True, tag_field="sort"):
    """Cost, colon, effects; `line` is the text as the card spells it, `choosing` the effects that ask for a choice.

    `costs_more`: there is more to pay than that the card is exhausted; `cards_paid`: so many of the cards that a log
    lists go into the cost.
    """

    line: str
    effects: tuple[Effect, ...]
    exhausts: bool = False
    willpower: bool = False
    roam: bool = False
    tokens: int = 0
    discard: int = 0
    extinguish: Selection | None = None

    choosing: tuple[Effect, ...] = ()
    costs_more: bool = False
    cards_paid: int = 0

    def __post_init__(self) -> None:
        """Sum the cost up."""
        given_up = self.extinguish.quantity if self.extinguish is not None else 0
        costs_more = bool(self.willpower or self.roam or self.tokens or self.discard or given_up)
        msgspec.structs.force_setattr(self, "cards_paid", self.discard + given_up)
        msgspec.structs.force_setattr(self, "costs_more", costs_more)


class Trigger(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="sort"):
    """Effects that happen by themselves at a moment; `type` narrows whose evolving is meant.

    `moment` is what happens then: `evolves`, `round.start`; `whose` card it happens to: `self`, `close`, `friendly`, or
    nobody's in particular.
    """

    when: str
    effects: tuple[Effect, ...]
    type: str = ""
    condition: Condition | None = None
    moment: str = ""
    whose: str = ""

    def __post_init__(self) -> None:
        """Read moment and card off `when`."""
        whose, _, moment = self.when.removeprefix("self.").rpartition(" ")
        msgspec.structs.force_setattr(self, "moment", moment)
        msgspec.structs.force_setattr(self, "whose", "self" if self.when.startswith("self.") else whose)


class Static(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="sort"):
    """Effects that hold while the card is face up in play."""

    effects: tuple[Effect, ...]
    condition: Condition | None = None

    @property
    def is_steady(self) -> bool:
        """Return whether what it means changes only when its own card or the card that it means changes."""
        if self.condition is not None:
            return False
        return not any(
            each.condition or (each.cards and (each.cards.near or each.cards.turned)) for each in self.effects
        )


class Reveal(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="sort"):
    """What an event does when it is turned over."""

    effects: tuple[Effect, ...]


Line = Keyword | Active | Trigger | Static | Reveal


class ParsedText(msgspec.Struct, frozen=True, kw_only=True):
    """All that a card says, sorted for quick looking up.

    `moments` are those that its triggers wait for. `host_change` is what the card's unconditional static lines add to
    its host, `grants_host` the lines that its host is given, `statics` are its other static lines; they are `restless`
    where they depend on more than the cards meant. `sways` are those of their effects that change dominance, with the
    condition of the line before and the cards meant behind; `grants`: others give lines to cards.
    `speaks`: it has triggers or static lines; `evolves_freely`: no keyword forbids evolving it or makes that dear.
    """

    keywords: frozenset[str] = frozenset()
    expensive: int = 0
    needs_genes: tuple[str, ...] = ()
    needs_types: tuple[str, ...] = ()
    active: dict[str, Active] = msgspec.field(default_factory=dict)
    triggers: tuple[Trigger, ...] = ()
    moments: tuple[str, ...] = ()
    statics: tuple[Static, ...] = ()
    sways: tuple[tuple[Condition | None, Effect, Selection], ...] = ()
    grants: bool = False
    restless: bool = False
    speaks: bool = False
    evolves_freely: bool = True
    reveal: tuple[Effect, ...] = ()
    host_change: int = 0
    grants_host: tuple[Line, ...] = ()


@lru_cache(maxsize=4096)
def line_of(text: str) -> Line:
    """Read one ability line. Raises `ValueError` that names the word which nobody knows."""
    words = Tokens(text)
    first = words.peek()
    if first == "when":
        return _trigger(words)
    if first == "always":
        return _static(words)
    if first == "reveal":
        words.take()
        words.expect("->")
        return Reveal(effects=_all_effects(words))
    return _active(words) if words.has(":") else _keyword(words)


def abilities_of(lines: Iterable[str]) -> ParsedText:
    """Read all ability lines of a card. Raises `ValueError` as `line_of` does."""
    read = [line_of(line) for line in lines]
    keywords = [line for line in read if isinstance(line, Keyword)]
    triggers = tuple(line for line in read if isinstance(line, Trigger))
    statics = [line for line in read if isinstance(line, Static)]
    words = frozenset(line.word for line in keywords)
    for_host = [line for line in statics if _is_for_host(line)]
    for_others = [line for line in statics if line not in for_host]
    lasting = [(line.condition, effect) for line in for_others for effect in line.effects]
    return ParsedText(
        keywords=words,
        expensive=sum(line.number for line in keywords if line.word == "expensive"),
        needs_genes=tuple(line.needs for line in keywords if line.word == "req gene"),
        needs_types=tuple(line.needs for line in keywords if line.word == "req type"),
        active={line.line: line for line in read if isinstance(line, Active)},
        triggers=triggers,
        moments=tuple({line.moment: None for line in triggers}),
        statics=tuple(for_others),
        sways=tuple((held, each, each.cards) for held, each in lasting if each.verb == "dom" and each.cards),
        grants=any(effect.grants is not None for _, effect in lasting),
        restless=not all(line.is_steady for line in statics),
        speaks=any(isinstance(line, Trigger | Static) for line in read),
        evolves_freely=words.isdisjoint(("abomination", "expensive")),
        reveal=tuple(effect for line in read if isinstance(line, Reveal) for effect in line.effects),
        host_change=sum(effect.number for line in for_host for effect in line.effects if effect.verb == "dom"),
        grants_host=tuple(effect.grants for line in for_host for effect in line.effects if effect.grants is not None),
    )


def words_of(lines: Iterable[str]) -> Iterator[str]:
    """Return the words of the card-text vocabulary in ability lines: keywords, costs, verbs, `when` and the moment."""
    for line in map(line_of, lines):
        if isinstance(line, Keyword):
            yield line.word
            continue
        yield from (each for each in ("willpower", "roam", "extinguish") if getattr(line, each, None))
        if isinstance(line, Trigger):
            yield f"when {line.when}"
        yield from (effect.verb for effect in line.effects)


def _is_for_host(line: Static) -> bool:
    return line.condition is None and all(effect.cards and effect.cards.noun == "host" for effect in line.effects)


# -- lines -------------------------------------------------------------------------------------------------------------


def _keyword(words: Tokens) -> Keyword:
    word = words.one_of((*PLAIN_KEYWORDS, "expensive", "req"), "keyword")
    if word == "expensive":
        found = Keyword(word=word, number=words.number() if words.peek() else 1)
    elif word == "req":
        word = f"req {words.one_of(('gene', 'type'), 'requirement')}"
        found = Keyword(word=word, needs=words.name("type or gene"))
    else:
        found = Keyword(word=word)
    words.end()
    return found


def _active(words: Tokens) -> Active:
    costs: dict[str, object] = {}
    while True:
        cost = words.one_of(("@", "willpower", "tokens", "discard", "extinguish", "roam"), "cost")
        if cost in {"tokens", "discard"}:
            costs[cost] = words.number()
        elif cost == "extinguish":
            costs[cost] = _selection(words)
        else:
            costs["exhausts" if cost == "@" else cost] = True
        if not words.accept(","):
            break
    words.expect(":")
    effects = _all_effects(words)
    if "exhausts" in costs:
        effects = tuple(msgspec.structs.replace(effect, source_is_exhausted=True) for effect in effects)
    choosing = tuple(effect for effect in effects if effect.is_chosen)
    return Active(line=words.text, effects=effects, choosing=choosing, **costs)  # type: ignore[arg-type]  # costs by name


def _trigger(words: Tokens) -> Trigger:
    words.take()
    kind = ""
    if words.accept("close"):
        kind = words.name("type or gene")
        words.expect("evolves")
        when = "close evolves"
    elif words.accept("friendly"):
        when = f"friendly {words.one_of(('evolves', 'hunts'), 'moment')}"
    else:
        when = words.one_of(MOMENTS, "moment")
    condition = _condition(words) if words.accept("if") else None
    words.expect("->")
    effects = _all_effects(words)
    for effect in effects:
        if effect.is_chosen:
            raise ValueError(
                f"{words.text!r}: nobody can choose when an ability happens by itself; write `all`, `self`, `host` or "
                f"`that` in {effect.verb!r}, or describe the ability in `manual`"
            )
    return Trigger(when=when, type=kind, condition=condition, effects=effects)


def _static(words: Tokens) -> Static:
    words.take()
    condition = _condition(words) if words.accept("if") else None
    words.expect("->")
    effects = _all_effects(words)
    for effect in effects:
        if effect.verb not in {"dom", "grant"}:
            raise ValueError(f"{words.text!r}: an `always` line may only say `dom` or `grant`, not {effect.verb!r}")
    return Static(condition=condition, effects=effects)


def _all_effects(words: Tokens) -> tuple[Effect, ...]:
    effects = [_effect(words)]
    while words.accept(";"):
        effects.append(_effect(words))
    words.end()
    return tuple(effects)


def _effect(words: Tokens) -> Effect:
    if words.accept("if"):
        condition = _condition(words)
        words.expect("->")
        return msgspec.structs.replace(_effect(words), condition=condition)
    may = words.accept("may")
    verb = words.one_of(VERBS, "verb")
    if verb in NO_ARGUMENT:
        return Effect(verb=verb, may=may, is_chosen=verb in CHOOSING_VERBS)
    if verb in NUMBER:
        number = words.number()
        words.accept("actions" if verb == "gain" else "cards")
        return Effect(verb=verb, number=number, may=may, is_chosen=verb in CHOOSING_VERBS)
    number = words.change() if verb in CHANGE else 0
    cards = _selection(words) if verb not in CHANGE or words.goes_on() else Selection(noun="self")
    grants = line_of(words.quoted()) if verb == "grant" else None
    return Effect(verb=verb, number=number, cards=cards, may=may, grants=grants, is_chosen=cards.is_chosen)


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
        word = words.take_kept()
        plain = word.lower()
        if plain in NOUNS:
            return Selection(noun=plain, **found)  # type: ignore[arg-type]  # the parts by name
        if plain in {"friendly", "enemy"}:
            found["whose"] = plain
        elif plain in {"close", "distant"}:
            found["near"] = plain
        elif plain in {"exhausted", "unexhausted"}:
            found["turned"] = plain
        elif word[:1].isupper():
            found["type"] = word
        else:
            raise words.unknown(word, "card", NOUNS)


def _condition(words: Tokens) -> Condition:
    what = words.one_of(("dominating", "hand", "tokens", "round", "gene", "type"), "condition")
    if what == "dominating":
        return Condition(what="here") if words.accept("here") else Condition(what=what, number=words.number())
    if what in {"gene", "type"}:
        return Condition(what=what, name=words.name("type or gene"))
    sign = words.one_of(("<", "<=", "=", ">=", ">"), "comparison")
    return Condition(what=what, sign=sign, number=words.number())
