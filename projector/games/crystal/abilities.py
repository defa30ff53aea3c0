"""The card-text vocabulary: a line of `abilities` is read once into what the rules need to know.

    line      = trigger "->" effect {";" effect}
    effect    = ["may"] verb … ["if" condition]

An `opponent` and a `chosen` lane are chosen when the card is played.
Source: catalogue of the game, part 8.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Final

import msgspec

from tabletape.projector.kit.card_text import Patterns, Verbs
from tabletape.projector.kit.card_text_tokens import Tokens

LANES: Final = ("mining", "attack", "tech")
CHOSEN_QUANTITY: Final = "chosen"
TOKENS: Final = {"boost": 1, "corruption": -1}
"""What a token on a lane adds to its power, for good."""

STATIC: Final = "static"
WHEN_PLAYED: Final = "when-played"
LATER: Final[Mapping[str, str]] = {
    "attack-phase": "in the attack phase",
    "mining-phase": "in the mining phase",
    "end-of-turn": "at the end of the turn",
    "start-of-next-round": "at the start of the next round",
}
TRIGGERS: Final[Mapping[str, str]] = {STATIC: "while it is paid", WHEN_PLAYED: "as it is played", **LATER}
"""What a line begins with, and when that is."""
FIELDS: Final[Mapping[str, str]] = {trigger: trigger.replace("-", "_") for trigger in TRIGGERS}
"""The field of a parsed text that has the effects of a trigger."""
ONLY_STATIC: Final = frozenset({"cost", "requirement"})
ONLY_WHEN_PLAYED: Final = frozenset({"draw", "tech-limit", "destroy", "move"})
"""Verbs that need a choice, the dice or the deploy phase, so that they cannot wait for a later phase."""

OVER_AT_THE_END: Final = frozenset({"power", "prevent"})
"""Verbs whose effect ends with the round, so that at the end of the turn nothing would come of them."""

AFTER_THE_ATTACK: Final = frozenset({"mining-phase", "end-of-turn"})
"""Triggers of which `if dealt-damage` can be true: it is dealt in the attack phase and forgotten with the round."""


verb = Verbs(
    {
        "player": ("self", "opponent", "each-opponent"),
        "opponent": ("opponent",),
        "lane": LANES,
        "aimed lane": (*LANES, CHOSEN_QUANTITY),
        "token": tuple(TOKENS),
        "deck": ("any", "faction", "basic"),
        "which": ("earlier", "any"),
    }
)
"""The verbs, with the functions that carry them out (see `effects`)."""
_TRIGGERS: Final = Patterns("trigger", {}, *TRIGGERS)
_CONDITIONS: Final = Patterns("condition", {"token": tuple(TOKENS)}, "dealt-damage", "token {token}")


class Effect(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a text does: the verb, how much, to whom, on which lane.

    `word` is the name of a token, the deck of a draw or when a card that is moved was deployed; `condition` is empty,
    `dealt-damage` or the name of a token that has to lie on an own lane.
    """

    verb: str
    n: int = 0
    who: str = "self"
    lane: str = ""
    word: str = ""
    may: bool = False
    condition: str = ""


class ParsedText(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that the lines of one card say, ready for the rules.

    `asks_opponent`, `asks_lane` and `asks_target` say what has to be chosen when the card is played: an opponent, a
    lane of that opponent, a deployed card; `asks`: any of these. `waits`: it has something to do in a later phase.
    `yields` are the crystals that it gives as it is played, `tokens` the tokens that it lays at any time.
    """

    static: tuple[Effect, ...] = ()
    when_played: tuple[Effect, ...] = ()
    attack_phase: tuple[Effect, ...] = ()
    mining_phase: tuple[Effect, ...] = ()
    end_of_turn: tuple[Effect, ...] = ()
    start_of_next_round: tuple[Effect, ...] = ()
    asks: bool = False
    asks_opponent: bool = False
    asks_lane: Effect | None = None
    asks_target: Effect | None = None
    waits: bool = False
    tokens: tuple[str, ...] = ()
    yields: int = 0

    def on(self, trigger: str) -> tuple[Effect, ...]:
        """Return the effects of a trigger."""
        effects: tuple[Effect, ...] = getattr(self, FIELDS[trigger])
        return effects


def parsed_text(lines: Iterable[str]) -> ParsedText:
    """Read the ability lines of a card. Raises `ValueError` that quotes the line and names the word."""
    by_trigger: dict[str, tuple[Effect, ...]] = {}
    for line in lines:
        trigger, effects = _line(Tokens(line))
        by_trigger[trigger] = (*by_trigger.get(trigger, ()), *effects)
    played = by_trigger.get(WHEN_PLAYED, ())
    lanes = [effect for effect in played if effect.lane == CHOSEN_QUANTITY]
    targets = [effect for effect in played if effect.verb in {"destroy", "move"}]
    if len(lanes) > 1 or len(targets) > 1:
        raise ValueError("a card can ask for one lane and one card only: describe what else it does in `manual`")
    against = any(effect.who == "opponent" for effect in played)
    return ParsedText(
        **{FIELDS[trigger]: effects for trigger, effects in by_trigger.items()},
        asks=against or bool(targets),
        asks_opponent=against,
        asks_lane=lanes[0] if lanes else None,
        asks_target=targets[0] if targets else None,
        tokens=tuple({each.word: each for line in by_trigger.values() for each in line if each.verb == "token"}),
        waits=not by_trigger.keys().isdisjoint(LATER),
        yields=sum(effect.n for effect in played if effect.verb == "gain"),
    )


def keywords_of(text: Any) -> Iterator[str]:
    """Return the words of the vocabulary that a printed card uses: its triggers and verbs."""
    for trigger in TRIGGERS:
        effects = text.says.on(trigger)
        if effects:
            yield trigger
        yield from (effect.verb for effect in effects)


def _line(words: Tokens) -> tuple[str, tuple[Effect, ...]]:
    trigger, _ = _TRIGGERS.read(words)
    words.expect("->")
    effects = words.separated(partial(_effect, trigger))
    words.end()
    return trigger, effects


def _effect(trigger: str, words: Tokens) -> Effect:
    may = words.accept("may")
    word, values = verb.read(words)
    effect = Effect(verb=word, may=may, **values)
    _refuse(words, _nonsense(effect, trigger))
    if not words.accept("if"):
        return effect
    condition, of_token = _CONDITIONS.read(words)
    _refuse(words, _never(condition, trigger))
    return msgspec.structs.replace(effect, condition=of_token.get("token", condition))


def _refuse(words: Tokens, complaint: str) -> None:
    if complaint:
        raise ValueError(f"{words.text!r}: {complaint}")


def _nonsense(effect: Effect, trigger: str) -> str:
    """Return why an effect can do nothing, or not what it says, when it is triggered; empty where it can."""
    if (effect.verb in ONLY_STATIC) != (trigger == STATIC):
        return f"{effect.verb!r} has to stand in a line that begins with {STATIC!r}, alone there"
    if effect.lane == CHOSEN_QUANTITY and effect.who != "opponent":
        return f"only a lane of one `opponent` can be chosen, not of {effect.who!r}"
    needs_choice = effect.verb in ONLY_WHEN_PLAYED or effect.who == "opponent" or effect.lane == CHOSEN_QUANTITY
    if trigger in LATER and needs_choice:
        instead = "write `each-opponent`, a lane by its name, or describe the ability in `manual`"
        return f"nobody can choose or draw in a later phase; {instead}"
    if effect.may and effect.verb != "move":
        return "only `move` may be left undone; describe the ability in `manual`"
    if trigger == "end-of-turn" and effect.verb in OVER_AT_THE_END:
        return f"{effect.verb!r} ends with the round, so nothing comes of it at the end of the turn"
    return ""


def _never(condition: str, trigger: str) -> str:
    """Return why a condition can never hold when it is looked at; empty where it can."""
    if condition != "dealt-damage" or trigger in AFTER_THE_ATTACK:
        return ""
    lines = " or ".join(sorted(AFTER_THE_ATTACK))
    return f"nobody has dealt damage in this round's attack phase yet; write it in a line that begins with {lines}"
