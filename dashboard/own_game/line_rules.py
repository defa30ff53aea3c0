"""Rules about what a line says of its move: its cards, whom it names, how often it is done."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from tabletape.dashboard.own_game.game import (
    Blanks,
    FirstRule,
    OwnGame,
    both,
    doing,
    laid,
    need,
    several,
    stated,
    usual_effects,
)
from tabletape.dashboard.own_game.look import CiteSentence
from tabletape.dashboard.own_game.messages import SAID_NUMBER, TAKEN_WORDS, number_of
from tabletape.dashboard.own_game.turn_rules import deal_elsewhere, turn_of
from tabletape.events.importing.maps.counted import forms_of

PAID: Final = re.compile(rf"\b(?:costs?|pays?|paying) (?:\w+ )?(?P<number>{SAID_NUMBER}) (?P<thing>\w+)", re.IGNORECASE)
"""What is paid: so many of something."""


class RulePattern(NamedTuple):
    """What a form says of a move, with blanks in braces: the rule's name, its condition, the fields that it looks at.

    `place`: where the cards of the move go, before their `own` player or on one `shared` pile. A `counter`, of `each`
    player or of the table, is changed by what the move `does`, by all the `others`, by the one that has to be the
    `first`, and by whatever is `shown` of cards.
    """

    name: str
    that: str
    fields: tuple[str, ...] = ()
    place: str = ""
    counter: str = ""
    each: bool = False
    does: str = ""
    others: str = ""
    first: str = ""
    shown: str = ""

    def suits(self, game: OwnGame, move: str) -> bool:
        """Return whether lines of a move name what the rule looks at, on cards that have it."""
        printed = {name for name in ("kind", "number") if f".{name}" in self.that}
        always = not self.place or game.is_always_said(move, "cards")
        if "number" in self.fields and "number" in game.properties and game.field_of(move, "cards"):
            return False  # The number is on the card: a line that says none beside it would be called right.
        return always and all(game.field_of(move, each) for each in self.fields) and printed <= {*game.properties}


def of_pattern(pattern: RulePattern, game: OwnGame, blanks: Blanks, sentence: CiteSentence) -> FirstRule | None:
    """Return the rule of a form; None where lines of the move, or the file of the game, do not say what it looks at."""
    move = blanks["move"]
    if not pattern.suits(game, move):
        return None
    changes, taken, place = laid(game, move, pattern.place) if pattern.place else ({}, (), "-")
    counter = re.sub(r"\W", "_", pattern.counter.format(**blanks))
    if not place or (counter in game.moves):
        return None
    if "round" in pattern.that:
        changes, taken = turn_of(game, {})
        if "turn" not in game.raw and "says" not in changes["turn"]:
            return None  # Nobody knows when a round is over.
    filled = {**blanks, "place": place, "counter": counter}
    if counter:
        changes = both(changes, {"counters": {counter: {"start": 0, **({"each": True} if pattern.each else {})}}})
        changes = _with_effects(
            game, changes, {each: _counting(pattern, game, blanks, each) for each in game.moves}, filled
        )
    return FirstRule(
        both(changes, need(move, pattern.name.format(**filled), pattern.that.format(**filled), sentence)), taken
    )


def _counting(pattern: RulePattern, game: OwnGame, blanks: Blanks, move: str) -> list[str]:
    """Return how a move changes the counter of a rule."""
    said = [
        pattern.does if move == blanks["move"] else "" if move == game.draw else pattern.others,
        pattern.first if move == blanks.get("first") else "",
        pattern.shown if game.field_of(move, "cards") else "",
    ]
    return [each for each in said if each]


def _with_effects(
    game: OwnGame, changes: dict[str, Any], effects: Mapping[str, Sequence[str]], filled: Mapping[str, str]
) -> dict[str, Any]:
    """Return tables with further effects of moves behind those that they have; a draw without any stays as it is."""
    for move, more in effects.items():
        if move == game.draw and not more:
            continue
        does = changes.get("move", {}).get(move, game.raw["move"][move]).get("does")
        before = [*(usual_effects(game, move) if does is None else does)]
        further = [effect for each in more if (effect := each.format(**filled)) not in before]
        changes = both(changes, doing(move, [*before, *further]))
    return changes


def other_player(game: OwnGame, blanks: Blanks, sentence: CiteSentence) -> FirstRule | None:
    """Return the rule that nobody is named by oneself; None where lines of the move name nobody."""
    move = blanks["move"]
    if not game.field_of(move, "to"):
        return None
    optional = "" if game.is_always_said(move, "to") else "?"
    field = stated(sentence, **{"is": f"other player{optional}"})
    return FirstRule({"move": {move: {"fields": {"to": field}}}})


def follow(game: OwnGame, blanks: Blanks, sentence: CiteSentence) -> FirstRule | None:
    """Return the rule that a suit is followed: the hands are known by their number, so it waits until a suit shows."""
    move, dealt = blanks["move"], deal_elsewhere(game)
    if dealt is None or not several(game, move) or not game.is_always_said(move, "cards") or not game.kinds:
        return None
    led = "first(trick).kind"
    that = f"no(trick) or no(cards where it.kind != {led}) or no(hand where it.kind = {led})"
    changes = both(dealt.changes, need(move, "follow", that, sentence))
    changes = both(
        changes, {"zones": {"trick": "shared", "tricks": "shared"}, "move": {move: {"does": ["cards -> trick"]}}}
    )
    taken = [*dealt.taken]
    if "lead" in game.moves and move != "lead":
        changes = both(changes, {"move": {"lead": {"does": ["trick -> tricks", "cards -> trick"]}}})
        taken.append("whoever says `lead` begins the next trick")
    else:
        full = stated(sentence, that="size(trick) = size(players)", does=["trick -> tricks"])
        changes = both(changes, {"when": {"trick": full}})
        taken.append("a trick is full when everybody has played a card")
    return FirstRule(changes, tuple(taken))


def costs(game: OwnGame, blanks: Blanks, sentence: CiteSentence) -> FirstRule | None:
    """Return the rule that a move costs something; None where the sentence does not say what."""
    paid = PAID.search(sentence.text)
    thing = forms_of(paid["thing"].casefold())[-1] if paid else ""
    if not thing or number_of(paid["number"] if paid else "") != int(blanks["number"]):
        return None
    if thing in TAKEN_WORDS or thing in game.moves:
        return None
    move = blanks["move"]
    costs_of_move = stated(sentence, **{thing: int(blanks["number"])})
    changes: dict[str, Any] = {"move": {move: {"costs": costs_of_move}}}
    if thing not in game.raw.get("counters", {}):
        changes["counters"] = {thing: {"each": True}}
    return FirstRule(
        changes, (f"it is {blanks['number']} {thing}", f"how many {thing} everybody has at first is not known")
    )
