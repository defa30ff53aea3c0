"""Rules about what a line says of its move that are more than a condition: a suit that is followed, what it costs."""

import re
from typing import Final

from tabletape.dashboard.own_game.cited import CiteSentence
from tabletape.dashboard.own_game.game import (
    Blanks,
    FirstRule,
    OwnGame,
    both,
    need,
    several,
    stated,
)
from tabletape.dashboard.own_game.messages import SAID_NUMBER
from tabletape.dashboard.own_game.turn_rules import deal_elsewhere

_LAID: Final = frozenset({"cards -> laid", "cards -> trick", "trick -> tricks"})
"""What a move does to its cards as far as nobody has said more."""

PAID: Final = re.compile(rf"\b(?:costs?|pays?|paying) (?:\w+ )?(?P<number>{SAID_NUMBER}) (?P<thing>\w+)", re.IGNORECASE)
"""What is paid: so many of something."""


def follow(game: OwnGame, blanks: Blanks, sentence: CiteSentence) -> FirstRule | None:
    """Return the rule that a suit is followed: the hands are known by their number, so it waits until a suit shows."""
    move, dealt = blanks["move"], deal_elsewhere(game)
    if dealt is None or not several(game, move) or not game.is_always_said(move, "cards") or not game.kinds:
        return None
    counted = {each: [does for does in _does(game, each) if "->" not in does] for each in game.moves}
    if any("->" in does and does not in _LAID for each in {move, "lead"} & {*game.moves} for does in _does(game, each)):
        return None  # Another rule looks at where they are laid.
    led = "first(trick).kind"
    that = f"no(trick) or no(cards where it.kind != {led}) or no(hand where it.kind = {led})"
    changes = both(dealt.changes, need(move, "follow", that, sentence))
    changes = both(
        changes,
        {
            "zones": {"trick": "shared", "tricks": "shared"},
            "move": {move: {"does": ["cards -> trick", *counted[move]]}},
        },
    )
    taken = [*dealt.taken]
    if "lead" in game.moves and move != "lead":
        changes = both(changes, {"move": {"lead": {"does": ["trick -> tricks", "cards -> trick", *counted["lead"]]}}})
        taken.append("whoever says lead begins the next trick")
    else:
        full = stated(sentence, that="size(trick) = size(players)", does=["trick -> tricks"])
        changes = both(changes, {"when": {"trick": full}})
        taken.append("a trick is full when everybody has played a card")
    return FirstRule(changes, tuple(taken))


def _does(game: OwnGame, move: str) -> list[str]:
    return [str(each) for each in game.raw["move"][move].get("does", ())]
