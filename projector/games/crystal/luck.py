"""The lines that luck writes in a simulated game, and how good a table looks to a greedy bot."""

from collections.abc import Iterator

import msgspec

from events.games import crystal as ev
from projector.games.crystal.drawing import owed_now
from projector.games.crystal.legal import may_leave_draw
from projector.games.crystal.opening import rivals
from projector.games.crystal.rules import setup
from projector.games.crystal.schema import FACTION
from projector.games.crystal.state import (
    BASIC,
    DECKS,
    DEPLOY,
    HAND,
    SETUP,
    Crystal,
    CrystalPlayer,
    deck_of,
    living,
    living_opponents,
)
from projector.games.crystal.view import progress
from projector.model.due import Asked, Due, draw_due, option_due


def due(table: Crystal) -> list[Due]:
    """Return the lines that luck has to write now: the set-up, or the draws of the deploy phase, from either deck."""
    if table.phase == SETUP:
        return list(_setting_up(table))
    if table.phase != DEPLOY:
        return []
    owed, optional = owed_now(table), not table.owed and may_leave_draw(table)
    if owed is None or (optional and table.limited):
        return []
    decks = [(each, deck_of(table, each, owed.player)) for each in DECKS if owed.deck in {each, "any"}]
    draws = [
        draw_due(table, owed.line, deck.name, 1, owed.rule, player=owed.player, from_=each)
        for each, deck in decks
        if deck.size > 0
    ]
    return [msgspec.structs.replace(draw, optional=optional) for draw in draws]


def _setting_up(table: Crystal) -> Iterator[Due]:
    if setup.all_declared.check(table, None) is not None:
        return
    players = living(table)
    for player in players:
        known = {"player": player.id, "deck": FACTION}
        if not player.shuffled:
            yield Due(line=ev.DeckShuffled, known={**known, "reason": "setup"}, rule=setup.shuffled_in_time.id)
        elif not player.cut:
            others = [other.id for other in living_opponents(table, player.id)]
            yield option_due(ev.DeckCut, "by", others, setup.shuffled_in_time.id, **known)
    if setup.flipped.check(table, None) is not None and not setup.waits_for(table, ev.FirstPlayerChosen):
        yield option_due(ev.FirstPlayerChosen, "player", rivals(table), setup.flip.id, method="token")
    for player in players:
        if player.cut and not player.opened and not setup.waits_for(table, ev.StartingHandDrawn):
            yield _starting_hand(table, player)


def _starting_hand(table: Crystal, player: CrystalPlayer) -> Due:
    """Return the draw of seven cards at most, some of them from the basic deck."""
    zones = tuple(deck_of(table, deck, player.id).name for deck in (FACTION, BASIC))
    most = min(HAND, sum(table.zones[zone].size for zone in zones))
    least = most if table.options["starting_hand"] == "exactly_seven" else 0
    asked = Asked(kind="cards", field="cards", zones=zones, least=least, most=most)
    return Due(line=ev.StartingHandDrawn, known={"player": player.id}, rule=setup.at_most_seven.id, asked=asked)


# -- value -------------------------------------------------------------------------------------------------------------


def value(table: Crystal, player: str) -> float:
    """Return how good a table is for a player: the end first, then progress, hit points and the power of the lanes."""
    if table.over:
        return 0.0 if not table.winner else 1000.0 if table.winner == player else -1000.0
    mine = table.players[player]
    if not mine.living:
        return -1000.0
    theirs = [_strength(table, other) for other in table.players.values() if other.living and other is not mine]
    return _strength(table, mine) - max(theirs, default=0.0)


def _strength(table: Crystal, player: CrystalPlayer) -> float:
    lanes = 2.0 * player.mining + 1.5 * player.attack + player.tech
    return 20 * progress(table, player.id) + lanes + 0.5 * player.hitpoints + 0.3 * player.crystals
