"""The card-text vocabulary: a line of `abilities` is read once into what the rules need to know.

    line    = keyword [number] | trigger [tribe] ["on" filter] "->" effect {";" effect}
    filter  = ["optional"] ["friendly" | "enemy"] ("minion" | "unit" | tribe | keyword) ["near" ("self" | "general")]

The triggers stand in `ONCE` and `LASTING`, the effects in `_VERBS` and `_LASTING_VERBS`.
Source: catalogue of the game, parts 5.1 and 8.
"""

import re
from collections.abc import Callable
from typing import Final

import msgspec

from projector.model.card_text_tokens import Tokens

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
NUMBERED: Final = ("backstab", "build")
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
LASTING: Final = ("equipped", "always", "zeal", "infiltrate")
"""Triggers of lines that hold as long as the card lies there."""
HEARD: Final = frozenset({"own-summon", "own-minion-played", "own-spell-cast"})
"""Triggers of what another card of the player does."""
OF_A_TRIBE: Final = ("bond", "own-summon")
WHO: Final = (
    "target",
    "self",
    "general",
    "friendly-minions",
    "all-units",
    "enemies-in-column",
    "random-enemy-minion",
)


class Filter(msgspec.Struct, frozen=True, kw_only=True):
    """What a text may aim at; `side` is `friendly`, `enemy` or empty, `near` is `self`, `general` or empty.

    `is_strengthened`: the text gives more attack to what it aims at.
    """

    kind: str = "minion"
    side: str = ""
    tribe: str = ""
    keyword: str = ""
    near: str = ""
    optional: bool = False
    is_strengthened: bool = False


class Effect(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a text does: the verb, to whom, and its numbers and words."""

    verb: str
    to: str = ""
    n: int = 0
    attack: int = 0
    health: int = 0
    word: str = ""
    words: tuple[str, ...] = ()


class Ability(msgspec.Struct, frozen=True, kw_only=True):
    """A line with a trigger; `tribe` is whose bond or whose summoning it is about."""

    trigger: str
    tribe: str = ""
    target: Filter | None = None
    effects: tuple[Effect, ...] = ()


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


def read_lines(lines: tuple[str, ...]) -> ParsedText:
    """Read the ability lines of a card. Raises `ValueError` that quotes the line and names the word."""
    keywords = set()
    numbers = {"backstab": 0, "build": 0}
    abilities: dict[str, tuple[Ability, ...]] = {}
    for line in lines:
        words = Tokens(line)
        if words.peek() in NUMBERED:
            word = words.take()
            numbers[word] = words.number()
        elif words.peek() in KEYWORDS:
            keywords.add(words.take())
        else:
            ability = _ability(words)
            abilities[ability.trigger] = (*abilities.get(ability.trigger, ()), ability)
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


def _ability(words: Tokens) -> Ability:
    trigger = words.one_of((*ONCE, *LASTING, *KEYWORDS, *NUMBERED), "trigger or keyword")
    tribe = words.one_of(TRIBES, "tribe") if trigger in OF_A_TRIBE else ""
    target = _filter(words) if words.accept("on") else None
    words.expect("->")
    verbs = _LASTING_VERBS[trigger] if trigger in LASTING else _VERBS
    effects = [_effect(words, verbs)]
    while words.accept(";"):
        effects.append(_effect(words, verbs))
    if target is None and any(effect.to == "target" for effect in effects):
        raise ValueError(f"{words.text!r} aims at a target but does not say at which one")
    if target is not None and any(each.to == "target" and each.verb == "buff" and each.attack > 0 for each in effects):
        target = msgspec.structs.replace(target, is_strengthened=True)
    return Ability(trigger=trigger, tribe=tribe, target=target, effects=tuple(effects))


def _filter(words: Tokens) -> Filter:
    optional = words.accept("optional")
    side = words.take() if words.peek() in {"friendly", "enemy"} else ""
    noun = words.one_of(("minion", "unit", *TRIBES, *KEYWORDS), "target")
    return Filter(
        kind="unit" if noun == "unit" else "minion",
        side=side,
        tribe=noun if noun in TRIBES else "",
        keyword=noun if noun in KEYWORDS else "",
        near=words.one_of(("self", "general"), "place") if words.accept("near") else "",
        optional=optional,
    )


def _effect(words: Tokens, verbs: "dict[str, _Read]") -> Effect:
    verb = words.one_of(tuple(verbs), "effect here")
    return verbs[verb](verb, words)


_Read = Callable[[str, Tokens], Effect]


def _to_whom(verb: str, words: Tokens) -> Effect:
    return Effect(verb=verb, to=words.one_of(WHO, "target"))


def _to_whom_how_much(verb: str, words: Tokens) -> Effect:
    return Effect(verb=verb, to=words.one_of(WHO, "target"), n=words.number())


def _how_much(verb: str, words: Tokens) -> Effect:
    return Effect(verb=verb, n=words.number())


def _buff(verb: str, words: Tokens) -> Effect:
    who = words.one_of(WHO, "target")
    word = words.take()
    change = re.fullmatch(r"([+-]\d+)/([+-]\d+)", word)
    if change is None:
        raise ValueError(f"{words.text!r}: expected changes of attack and health such as +1/+2, found {word!r}")
    return Effect(verb=verb, to=who, attack=int(change[1]), health=int(change[2]))


def _grant(verb: str, words: Tokens) -> Effect:
    return Effect(verb=verb, to=words.one_of(WHO, "target"), word=words.one_of(KEYWORDS, "keyword"))


def _grant_tribe(verb: str, words: Tokens) -> Effect:
    return Effect(verb=verb, to=words.one_of(TRIBES, "tribe"), word=words.one_of(KEYWORDS, "keyword"))


def _attack(*scopes: str) -> _Read:
    """Read a change of attack, for all or for those that a scope names."""

    def read(verb: str, words: Tokens) -> Effect:
        n = words.change()
        return Effect(verb=verb, n=n, word=words.one_of(scopes, "scope") if scopes and words.goes_on() else "")

    return read


def _summon(verb: str, words: Tokens) -> Effect:
    card = _card(words)
    words.expect("near")
    return Effect(verb=verb, word=card, to=words.one_of(("self", "general"), "place"))


def _appear(verb: str, words: Tokens) -> Effect:
    return Effect(verb=verb, word=_card(words))


def _add(verb: str, words: Tokens) -> Effect:
    cards = [_card(words)]
    while words.goes_on():
        cards.append(_card(words))
    return Effect(verb=verb, words=tuple(cards))


def _card(words: Tokens) -> str:
    word = words.take_kept()
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", word):
        raise ValueError(f"{words.text!r}: expected the id of a card, found {word!r}")
    return word


def _cost(verb: str, words: Tokens) -> Effect:
    n = words.change()
    words.expect("first")
    return Effect(verb=verb, n=n, word=words.one_of(("spell", *TRIBES), "kind of card"))


def _word(word: str) -> _Read:
    """Read a verb that one fixed word follows."""

    def read(verb: str, words: Tokens) -> Effect:
        words.expect(word)
        return Effect(verb=verb, word=word)

    return read


_VERBS: Final[dict[str, _Read]] = {
    "damage": _to_whom_how_much,
    "heal": _to_whom_how_much,
    "buff": _buff,
    "blind": _to_whom,
    "spears": _to_whom_how_much,
    "grant": _grant,
    "free": _to_whom,
    "dispel": _to_whom,
    "stun": _to_whom,
    "destroy": _to_whom,
    "return": _to_whom,
    "teleport": _to_whom_how_much,
    "summon": _summon,
    "appear": _appear,
    "draw": _how_much,
    "add": _add,
    "build": _how_much,
    "suspend": _word("strike-back"),
    "double": _word("general-against-minions"),
}

_LASTING_VERBS: Final[dict[str, dict[str, _Read]]] = {
    "equipped": {"attack": _attack("near-general"), "absorb": _how_much},
    "always": {
        "attack": _attack(*TRIBES),
        "grant": _grant_tribe,
        "cost": _cost,
        "double": _word("generals"),
        "immune": _word("generals"),
    },
    "zeal": {"attack": _attack()},
    "infiltrate": {"attack": _attack()},
}
