"""The card-text vocabulary: a line of `abilities` is read once into what the rules need to know.

    line    = keyword [number] | trigger [tribe] ["on" target] "->" effect {";" effect}
    target  = ["optional"] ["friendly" | "enemy"] ("minion" | "unit" | tribe | keyword) ["near" ("self" | "general")]

What stands behind `always`, `equipped`, `zeal` and `infiltrate` holds as long as the card lies there, or that is so.
Source: catalogue of the game, parts 5.1 and 8.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec

from tabletape.projector.kit.card_text import Kinds, Patterns, Verbs
from tabletape.projector.kit.card_text_tokens import Tokens

KEYWORDS: Final = (
    "rush",
    "flying",
    "ranged",
    "provoke",
    "airdrop",
    "celerity",
    "frenzy",
    "forcefield",
    "ephemeral",
    "obelysk",
    "cannot-move",
)
NUMBERED_KEYWORDS: Final = ("backstab", "build")
TRIBES: Final = ("arcanyst", "battle-pet", "dervish", "golem", "mech", "structure", "vespyr")
ONCE: Final = (
    "cast",
    "opening-gambit",
    "bond",
    "dying-wish",
    "start-of-turn",
    "own-spell-cast",
    "own-summon",
    "own-minion-played",
    "deals-damage",
)
"""Triggers of lines that do something once."""
LASTING_TRIGGERS: Final = ("equipped", "always", "zeal", "infiltrate")
"""Triggers of lines that hold as long as the card lies there."""
HEARD: Final = frozenset({"own-summon", "own-minion-played", "own-spell-cast"})
"""Triggers of what another card of the player does."""
TRIBE_TRIGGERS: Final = ("bond", "own-summon")


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """What a text may aim at; `whose` is `friendly`, `enemy` or empty, `near` is `self`, `general` or empty.

    `is_strengthened`: the text gives more attack to what it aims at.
    """

    kind: str = "minion"
    whose: str = ""
    tribe: str = ""
    keyword: str = ""
    near: str = ""
    optional: bool = False
    is_strengthened: bool = False


class Effect(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a text does: the verb, to whom, and its numbers and words; `change` is of attack and health."""

    verb: str
    who: str = ""
    n: int = 0
    change: tuple[int, int] = (0, 0)
    word: str = ""
    words: tuple[str, ...] = ()


class Ability(msgspec.Struct, frozen=True, kw_only=True):
    """A line with a trigger; `tribe` is whose bond or summoning it is about, `teleports` how far it puts a unit."""

    trigger: str
    tribe: str = ""
    target: Selection | None = None
    effects: tuple[Effect, ...] = ()
    teleports: int = 0


class ParsedText(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that the lines of one card say, ready for the rules.

    `effects` are what all lines with a trigger do, `aims` the lines for which the player names a target, the first one
    of each trigger.
    `hears`: it does something when its player summons or casts and has to be asked. `begins`: it does something when
    its player's turn begins.
    """

    keywords: frozenset[str] = frozenset()
    backstab: int = 0
    build: int = 0
    abilities: dict[str, tuple[Ability, ...]] = msgspec.field(default_factory=dict)
    effects: dict[str, tuple[Effect, ...]] = msgspec.field(default_factory=dict)
    zeal: int = 0
    infiltrate: int = 0
    auras: tuple[Effect, ...] = ()
    grants: tuple[Effect, ...] = ()
    discounts: tuple[Effect, ...] = ()
    doubles_generals: bool = False
    immune_to_generals: bool = False
    worn_attack: int = 0
    worn_beside: int = 0
    absorbs: int = 0
    aims: dict[str, Ability] = msgspec.field(default_factory=dict)
    hears: bool = False
    begins: bool = False

    def on(self, trigger: str) -> tuple[Ability, ...]:
        """Return the lines with a trigger."""
        return self.abilities.get(trigger, ())


def _change(words: Tokens) -> tuple[int, int]:
    """Read changes of attack and health: `+1/+2`."""
    word = words.take()
    change = re.fullmatch(r"([+-]\d+)/([+-]\d+)", word)
    if change is None:
        raise ValueError(f"{words.text!r}: expected changes of attack and health such as +1/+2, found {word!r}")
    return int(change[1]), int(change[2])


def _card(words: Tokens) -> str:
    """Read the id of a card."""
    word = words.take_kept()
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", word):
        raise ValueError(f"{words.text!r}: expected the id of a card, found {word!r}")
    return word


def _cards(words: Tokens) -> tuple[str, ...]:
    """Read the ids of cards."""
    cards = [_card(words)]
    while words.goes_on():
        cards.append(_card(words))
    return tuple(cards)


_KINDS: Final[Kinds] = {
    "target": (
        *("target", "self", "general", "friendly-minions", "all-units", "enemies-in-column"),
        "random-enemy-minion",
    ),
    "tribe": TRIBES,
    "keyword": KEYWORDS,
    "place": ("self", "general"),
    "scope": ("near-general",),
    "kind of card": ("spell", *TRIBES),
    "changes": _change,
    "card": _card,
    "cards": _cards,
}
verb = Verbs(_KINDS)
"""The verbs of what is done once, with the functions that carry them out (see `effects`)."""
LASTING_VERBS: Final = {
    trigger: Patterns(f"verb after {trigger}", _KINDS, *patterns)
    for trigger, patterns in {
        "equipped": ("attack {n:change} [{word:scope}]", "absorb {n}"),
        "always": (
            *("attack {n:change} [{word:tribe}]", "grant {who:tribe} {word:keyword}"),
            *("cost {n:change} first {word:kind of card}", "double generals", "immune generals"),
        ),
        "zeal": ("attack {n:change}",),
        "infiltrate": ("attack {n:change}",),
    }.items()
}
_BEGINNINGS: Final = Patterns(
    "trigger or keyword",
    _KINDS,
    *(f"{trigger} {{tribe}}" if trigger in TRIBE_TRIGGERS else trigger for trigger in (*ONCE, *LASTING_TRIGGERS)),
    *(*KEYWORDS, *(f"{word} {{n}}" for word in NUMBERED_KEYWORDS)),
)


def parsed_text(lines: Iterable[str]) -> ParsedText:
    """Read the ability lines of a card. Raises `ValueError` that quotes the line and names the word."""
    keywords = set()
    numbers = dict.fromkeys(NUMBERED_KEYWORDS, 0)
    abilities: dict[str, tuple[Ability, ...]] = {}
    for line in lines:
        words = Tokens(line)
        word, values = _BEGINNINGS.read(words)
        if word in NUMBERED_KEYWORDS:
            numbers[word] = values["n"]
        elif word in KEYWORDS:
            keywords.add(word)
        else:
            abilities[word] = (*abilities.get(word, ()), _ability(words, word, **values))
        words.end()
    return _parsed(frozenset(keywords), numbers, abilities)


def _parsed(keywords: frozenset[str], numbers: dict[str, int], abilities: dict[str, tuple[Ability, ...]]) -> ParsedText:
    effects = {
        trigger: tuple(effect for ability in lines for effect in ability.effects)
        for trigger, lines in abilities.items()
    }
    always = effects.get("always", ())
    worn = effects.get("equipped", ())
    return ParsedText(
        keywords=keywords,
        backstab=numbers["backstab"],
        build=numbers["build"],
        abilities=abilities,
        effects=effects,
        zeal=sum(effect.n for effect in effects.get("zeal", ())),
        infiltrate=sum(effect.n for effect in effects.get("infiltrate", ())),
        auras=_with("attack", always),
        grants=_with("grant", always),
        discounts=_with("cost", always),
        doubles_generals=any(effect.verb == "double" for effect in always),
        immune_to_generals=any(effect.verb == "immune" for effect in always),
        worn_attack=sum(effect.n for effect in worn if effect.verb == "attack" and not effect.word),
        worn_beside=sum(effect.n for effect in worn if effect.verb == "attack" and effect.word),
        absorbs=sum(effect.n for effect in worn if effect.verb == "absorb"),
        aims={trigger: ability for trigger, lines in abilities.items() for ability in lines[::-1] if ability.target},
        hears=not HEARD.isdisjoint(abilities),
        begins="start-of-turn" in abilities,
    )


def _with(verb: str, effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
    return tuple(effect for effect in effects if effect.verb == verb)


def keywords_of(text: Any) -> Iterator[str]:
    """Return the rulebook's words that a printed card uses: keywords, triggers, its tribe."""
    says = text.says
    yield from sorted(says.keywords)
    if says.backstab:
        yield "backstab"
    if says.build:
        yield "build"
    yield from says.abilities
    if text.tribe:
        yield text.tribe


def _ability(words: Tokens, trigger: str, tribe: str = "") -> Ability:
    target = _selection(words) if words.accept("on") else None
    words.expect("->")
    verbs = LASTING_VERBS.get(trigger, verb)
    effects = tuple([Effect(verb=word, **values) for word, values in words.separated(verbs.read)])
    aimed = [effect for effect in effects if effect.who == "target"]
    if target is None and aimed:
        raise ValueError(f"{words.text!r} aims at a target but does not say at which one")
    if target is not None and any(each.verb == "buff" and each.change[0] > 0 for each in aimed):
        target = msgspec.structs.replace(target, is_strengthened=True)
    teleports = next((effect.n for effect in effects if effect.verb == "teleport"), 0)
    return Ability(trigger=trigger, tribe=tribe, target=target, effects=effects, teleports=teleports)


def _selection(words: Tokens) -> Selection:
    optional = words.accept("optional")
    whose = words.take() if words.peek() in {"friendly", "enemy"} else ""
    noun = words.one_of(("minion", "unit", *TRIBES, *KEYWORDS), "target")
    return Selection(
        kind="unit" if noun == "unit" else "minion",
        whose=whose,
        tribe=noun if noun in TRIBES else "",
        keyword=noun if noun in KEYWORDS else "",
        near=words.one_of(("self", "general"), "place") if words.accept("near") else "",
        optional=optional,
    )
