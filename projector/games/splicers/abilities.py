"""The card-text vocabulary: what an ability line says, read once when the cards are loaded.

    line    = keyword | active | trigger | static | reveal
    active  = cost {"," cost} ":" effects                    uses one action
    trigger = "when" moment ["if" condition] "->" effects
    static  = "always" ["if" condition] "->" effects         while face up in play; only `dom` and `grant`
    reveal  = "reveal" "->" effects                          events only
    effects = effect {";" effect}
    effect  = ["if" condition "->"] ["may"] verb

Case does not matter, except that a word with a capital is a type or a gene.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from typing import Any, ClassVar, Final

import msgspec

from tabletape.projector.kit import card_text
from tabletape.projector.kit.card_text_tokens import Tokens

PLAIN_KEYWORDS: Final = ("evade", "backup", "farsight", "upgrade", "shockwave", "jumper", "abomination", "season")
CHOOSING_VERBS: Final = frozenset({"hunt", "graze", "roam", "revive", "discard"})
"""Verbs that ask for a choice without saying which cards may be chosen."""

HERE: Final = -1
"""In place of a number of bioms: the one at which the card lies."""


class Selection(card_text.CardSelection, frozen=True, kw_only=True, eq=False):
    """Which cards: `quantity` of them (0: all), whose, where, how turned, of which type, and the noun."""

    NOUNS: ClassVar = ("ting", "seed", "card", "biom", "mutation", "self", "host", "that")
    GIVEN: ClassVar = frozenset({"self", "host", "that"})
    ADJECTIVES: ClassVar = {
        "whose": ("friendly", "enemy"),
        "near": ("close", "distant"),
        "turned": ("exhausted", "unexhausted"),
    }
    CAPITAL: ClassVar = "type"

    near: str = ""
    type: str = ""


class Effect(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """A verb with its number, its selection and its condition; `grants` is the line that a card is given.

    `is_chosen`: somebody has to choose a card or a biom for it; `quantity`: so many cards (a biom is none);
    `text_decides`: it asks for one seed or ting, and whatever fits the words may be chosen.
    `source_is_exhausted`: the card that has it has been exhausted as its cost.
    """

    verb: str
    n: int = 0
    cards: Selection | None = None
    may: bool = False
    condition: card_text.Condition | None = None
    grants: "Line | None" = None
    is_chosen: bool = False
    quantity: int = 0
    text_decides: bool = False
    source_is_exhausted: bool = False

    def __post_init__(self) -> None:
        """Count how many cards are to be chosen; the text does not say which can be probed, crunched or exhausted."""
        cards = self.cards
        is_chosen = cards.is_chosen if cards is not None else self.verb in CHOOSING_VERBS
        msgspec.structs.force_setattr(self, "is_chosen", is_chosen)
        if is_chosen and self.verb != "roam":
            quantity = cards.quantity if cards is not None else self.n or 1
            msgspec.structs.force_setattr(self, "quantity", quantity)
        if cards is not None and cards.quantity == 1:
            looks_closer = self.verb in {"crunch", "exhaust"} or (self.verb == "probe" and cards.noun == "ting")
            decides = cards.noun in {"seed", "ting"} and not looks_closer
            msgspec.structs.force_setattr(self, "text_decides", decides)


class Keyword(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="sort"):
    """A word of the glossary: `expensive` with its number, `req` with what it needs."""

    word: str
    n: int = 0
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


class Trigger(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="sort"):
    """Effects that happen by themselves at a moment; `type` narrows whose evolving is meant.

    `moment` is what happens then: `evolves`, `round.start`; `whose` card it happens to: `self`, `close`, `friendly`, or
    nobody's in particular.
    """

    when: str
    effects: tuple[Effect, ...]
    type: str = ""
    condition: card_text.Condition | None = None
    moment: str = ""
    whose: str = ""


class Static(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="sort"):
    """Effects that hold while the card is face up in play."""

    effects: tuple[Effect, ...]
    condition: card_text.Condition | None = None

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
    sways: tuple[tuple[card_text.Condition | None, Effect, Selection], ...] = ()
    grants: bool = False
    restless: bool = False
    speaks: bool = False
    evolves_freely: bool = True
    reveal: tuple[Effect, ...] = ()
    host_change: int = 0
    grants_host: tuple[Line, ...] = ()


def _granted(words: Tokens) -> Line:
    """Read a line in quotation marks: the card has it, and its owner uses it."""
    return line_of(words.quoted())


def _bioms(words: Tokens) -> int:
    """Read a number of bioms, or `here`."""
    return HERE if words.accept("here") else words.number()


_KINDS: Final[card_text.Kinds] = {
    "cards": Selection.read,
    "trait": partial(Tokens.name, what="type or gene"),
    "requirement": ("gene", "type"),
    "moment": ("evolves", "hunts"),
    "bioms": _bioms,
    "line": _granted,
}
verb = card_text.Verbs(_KINDS)
"""The verbs, with the functions that carry them out (see `effects`)."""
verb.add(["grant {cards} {grants:line}"])
_KEYWORDS: Final = card_text.Patterns(
    "keyword", _KINDS, *PLAIN_KEYWORDS, "expensive {n or 1}", "req {what:requirement} {needs:trait}"
)
_COSTS: Final = card_text.Patterns(
    "cost",
    _KINDS,
    "@",
    "willpower",
    "tokens {tokens:n}",
    "discard {discard:n}",
    "extinguish {extinguish:cards}",
    "roam",
)
_MOMENTS: Final = card_text.Patterns(
    "moment",
    _KINDS,
    *("self.evolves", "self.devolves", "self.hunts", "self.discarded", "self.roams"),
    *("round.start", "round.end", "event.played", "event.revealed", "seed.played"),
    *("close {type:trait} evolves", "friendly {moment}"),
)
_CONDITIONS: Final = card_text.Conditions(
    _KINDS,
    "dominating {n:bioms}",
    *(f"{number} {{sign:comparison}} {{n}}" for number in ("hand", "tokens", "round")),
    *("gene {name:trait}", "type {name:trait}"),
)


@lru_cache(maxsize=4096)
def line_of(text: str) -> Line:
    """Read one ability line. Raises `ValueError` that names the unknown word."""
    begins: dict[str, Callable[[Tokens], Line]] = {"when": _trigger, "always": _static, "reveal": _reveal}
    return card_text.read_line(text, begins, lambda words: _active(words) if words.has(":") else _keyword(words))


def parsed_text(lines: Iterable[str]) -> ParsedText:
    """Read all ability lines of a card. Raises `ValueError` as `line_of` does."""
    read = [line_of(line) for line in lines]
    keywords = [line for line in read if isinstance(line, Keyword)]
    triggers = tuple(line for line in read if isinstance(line, Trigger))
    statics = [line for line in read if isinstance(line, Static)]
    words = frozenset(line.word for line in keywords)
    steady = [line for line in statics if line.condition is None]
    for_host = [line for line in steady if all(each.cards and each.cards.noun == "host" for each in line.effects)]
    for_others = [line for line in statics if line not in for_host]
    lasting = [(line.condition, effect) for line in for_others for effect in line.effects]
    return ParsedText(
        keywords=words,
        expensive=sum(line.n for line in keywords if line.word == "expensive"),
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
        host_change=sum(effect.n for line in for_host for effect in line.effects if effect.verb == "dom"),
        grants_host=tuple(effect.grants for line in for_host for effect in line.effects if effect.grants is not None),
    )


def keywords_of(text: Any) -> Iterator[str]:
    """Return the words of the vocabulary that a printed card uses: keywords, costs, verbs, `when` and the moment."""
    for line in map(line_of, text.abilities):
        if isinstance(line, Keyword):
            yield line.word
            continue
        yield from (each for each in ("willpower", "roam", "extinguish") if getattr(line, each, None))
        if isinstance(line, Trigger):
            yield f"when {line.when}"
        yield from (effect.verb for effect in line.effects)


# -- lines -------------------------------------------------------------------------------------------------------------


def _keyword(words: Tokens) -> Keyword:
    word, values = _KEYWORDS.read(words)
    if word == "req":
        word += f" {values.pop('what')}"
    return Keyword(word=word, **values)


def _active(words: Tokens) -> Active:
    costs = _COSTS.read_all(words, ",")
    words.expect(":")
    effects = words.separated(_effect)
    exhausts = costs.pop("@", False)
    if exhausts:
        effects = tuple(msgspec.structs.replace(effect, source_is_exhausted=True) for effect in effects)
    return Active(
        line=words.text,
        effects=effects,
        exhausts=exhausts,
        choosing=tuple(effect for effect in effects if effect.is_chosen),
        costs_more=bool(costs),
        cards_paid=costs.get("discard", 0) + (costs["extinguish"].quantity if "extinguish" in costs else 0),
        **costs,
    )


def _trigger(words: Tokens) -> Trigger:
    when, values = _MOMENTS.read(words)
    if when in {"close", "friendly"}:
        when += f" {values.get('moment', 'evolves')}"
    condition = _CONDITIONS.guard(words)
    effects = words.separated(_effect)
    card_text.refuse_choices(words, effects, "`all`, `self`, `host` or `that`")
    whose, _, moment = when.replace("self.", "self ").rpartition(" ")
    of_type = values.get("type", "")
    return Trigger(when=when, moment=moment, whose=whose, type=of_type, condition=condition, effects=effects)


def _static(words: Tokens) -> Static:
    line = Static(condition=_CONDITIONS.guard(words), effects=words.separated(_effect))
    for effect in line.effects:
        if effect.verb not in {"dom", "grant"}:
            raise ValueError(f"{words.text!r}: an `always` line may only say `dom` or `grant`, not {effect.verb!r}")
    return line


def _reveal(words: Tokens) -> Reveal:
    words.expect("->")
    return Reveal(effects=words.separated(_effect))


def _effect(words: Tokens) -> Effect:
    condition = _CONDITIONS.prefix(words)
    may = words.accept("may")
    word, values = verb.read(words)
    return Effect(verb=word, may=may, condition=condition, **values)
