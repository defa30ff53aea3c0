"""Rules about what a line says of its move: its cards, whom it names, how often it is done."""

import re
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
from tabletape.dashboard.own_game.look import TAKEN_WORDS, CiteSentence, number_of
from tabletape.dashboard.own_game.turn_rules import deal_elsewhere, turn_of
from tabletape.events.importing.maps.counted import forms_of

PAID: Final = re.compile(
    r"\b(?:costs?|pays?|paying) (?:\w+ )?"
    r"(?P<number>one|two|three|four|five|six|seven|eight|nine|ten|\d+) (?P<thing>\w+)",
    re.IGNORECASE,
)
"""What is paid: so many of something."""


class LinePattern(NamedTuple):
    """What a form says of a line: the rule's name, the fields that it looks at, its condition."""

    name: str
    fields: tuple[str, ...]
    that: str


def of_line(pattern: LinePattern, game: OwnGame, blanks: Blanks, sentence: CiteSentence) -> FirstRule | None:
    """Return the rule of a form that looks at what its line names; None where lines of the move do not name that."""
    move = blanks["move"]
    if not all(game.field_of(move, field) for field in pattern.fields) or not (
        game.kinds or ".kind" not in pattern.that
    ):
        return None
    name = pattern.name.format(**blanks)
    return FirstRule(need(move, name, pattern.that.format(**blanks), sentence))


def other_player(game: OwnGame, blanks: Blanks, sentence: CiteSentence) -> FirstRule | None:
    """Return the rule that nobody is named by oneself; None where lines of the move name nobody."""
    move = blanks["move"]
    if not game.field_of(move, "to"):
        return None
    optional = "" if game.is_always_said(move, "to") else "?"
    field = stated(sentence, **{"is": f"other player{optional}"})
    return FirstRule({"move": {move: {"fields": {"to": field}}}})


def first_round(game: OwnGame, blanks: Blanks, sentence: CiteSentence) -> FirstRule | None:
    """Return the rule that a move, or one with a kind of card, is not made in the first round.

    None where nobody knows when that round is over.
    """
    changes, taken = turn_of(game, {})
    kind = blanks.get("kind", "")
    if ("turn" not in game.raw and "says" not in changes["turn"]) or (kind and not several(game, blanks["move"])):
        return None
    that = f"round > 1 or no(cards where it.kind = '{kind}')" if kind else "round > 1"
    name = f"{kind}-not-first" if kind else "not-first"
    return FirstRule(both(changes, need(blanks["move"], name, that, sentence)), taken)


def once(game: OwnGame, blanks: Blanks, sentence: CiteSentence) -> FirstRule | None:
    """Return the rule that a player makes a move only so often in a game."""
    move, number = blanks["move"], blanks["number"]
    counter = f"{move}_done".replace("-", "_")
    does = game.raw["move"][move].get("does")
    changes = both(
        need(move, "so-often", f"{counter} < {number}", sentence), {"counters": {counter: {"start": 0, "each": True}}}
    )
    changes = both(changes, doing(move, [*(usual_effects(game, move) if does is None else does), f"{counter} + 1"]))
    return FirstRule(changes)


def in_a_row(game: OwnGame, blanks: Blanks, sentence: CiteSentence) -> FirstRule | None:
    """Return the rule that a player does not make a move twice with none of the others between."""
    move = blanks["move"]
    counter = f"{move}_before".replace("-", "_")
    changes = both(
        need(move, "not-in-a-row", f"{counter} = 0", sentence), {"counters": {counter: {"start": 0, "each": True}}}
    )
    for each in game.moves:
        if each != game.draw:
            does = game.raw["move"][each].get("does")
            effects = usual_effects(game, each) if does is None else does
            changes = both(changes, doing(each, [*effects, f"{counter} = {int(each == move)}"]))
    return FirstRule(changes)


def lies(game: OwnGame, blanks: Blanks, sentence: CiteSentence) -> FirstRule | None:
    """Return the rule that a card is laid only behind another one; None where lines do not name their cards."""
    move, kind, other = blanks["move"], blanks["kind"], blanks["other"]
    if not several(game, move) or not game.is_always_said(move, "cards"):
        return None
    changes, taken, place = laid(game, move)
    that = f"no(cards where it.kind = '{kind}') or any({place} where it.kind = '{other}')"
    changes = both(changes, need(move, f"{kind}-on-{other}", that, sentence))
    return FirstRule(changes, taken)


def no_second(game: OwnGame, blanks: Blanks, sentence: CiteSentence) -> FirstRule | None:
    """Return the rule that a player lays no kind twice; None where lines do not name their cards."""
    move = blanks["move"]
    if not several(game, move) or not game.is_always_said(move, "cards") or not game.kinds:
        return None
    changes, taken, place = laid(game, move)
    that = f"no({place} where it.kind = first(cards).kind)"
    changes = both(changes, need(move, "no-second", that, sentence))
    return FirstRule(changes, taken)


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
