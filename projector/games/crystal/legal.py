"""The legal decisions of a player, from what that player may see."""

from collections.abc import Iterator
from itertools import product
from typing import Any, Final

from events.games import crystal as ev
from events.vocabulary import Event
from projector.games.crystal import effects
from projector.games.crystal.abilities import LANES, Effect, ParsedText
from projector.games.crystal.paying import can_be_paid, foreign_tokens, may_lie
from projector.games.crystal.rules.playing import possible_targets
from projector.games.crystal.state import DEPLOY, Crystal, CrystalPlayer, lane_of, living_opponents
from projector.kit.seating import zone_of

NONE: Final[dict[str, Any]] = {}
"""No choice: the card asks for nothing, or leaves it."""


# -- decisions ---------------------------------------------------------------------------------------------------------


def actors(table: Crystal) -> tuple[str, ...]:
    """Return the player who may decide something now."""
    ready = table.phase == DEPLOY and not table.owed and (table.drawn or may_leave_draw(table))
    return (table.active,) if ready else ()


def may_leave_draw(table: Crystal) -> bool:
    """Return whether a player may leave the card of the turn undrawn (ruling `draw_mandatory`)."""
    return table.options["draw_mandatory"] == "optional"


def legal(table: Crystal, player: str) -> list[Event]:
    """Return the legal decisions of a player: every card that can be paid, everywhere, in every way; or the end."""
    if player not in actors(table):
        return []
    mine = table.players[player]
    limit = mine.tech_limit if table.limited else mine.tech
    found: list[Event] = [ev.DeployEnded(player=player)]
    for card in zone_of(table, "hand", player).cards:
        known = card.text is not None and not foreign_tokens(table, mine, card.text)
        if known and can_be_paid(table, mine, card, limit):
            lanes = [lane for lane in LANES if may_lie(table, card.text, lane)]
            for lane, choice in product(lanes, _choices(table, mine, card.text.says)):
                found.append(ev.CardDeployed(player=player, card=card.name, lane=lane, **choice))
    return found


def _choices(table: Crystal, player: CrystalPlayer, says: ParsedText) -> Iterator[dict[str, Any]]:
    """Yield every choice for what a card asks for, as fields of the line."""
    happens = effects.happening(table, player, says.when_played) if says.asks else ()
    asks_opponent = any(effect.who == "opponent" for effect in happens)
    asks_target = says.asks_target if says.asks_target in happens else None
    opponents = [other.id for other in living_opponents(table, player.id)] if asks_opponent else [""]
    for opponent in opponents:
        against = {"opponent": opponent} if opponent and len(opponents) > 1 else NONE
        lanes = [{"target_lane": lane} for lane in LANES] if says.asks_lane in happens else [NONE]
        for lane, target in product(lanes, _targets(table, player.id, asks_target, opponent)):
            yield {**against, **lane, **target}


def _targets(table: Crystal, player: str, asks: Effect | None, opponent: str) -> list[dict[str, Any]]:
    if asks is None:
        return [NONE]
    names = possible_targets(table, player, asks, opponent)
    if asks.verb == "destroy":
        return [{"target": name} for name in names] or [NONE]
    moves = [
        {"target": name, "to_lane": lane} for name in names for lane in LANES if lane != lane_of(table.cards[name])
    ]
    return [*moves, NONE] if asks.may else moves or [NONE]
