"""The legal decisions of a player, what luck decides in a simulated game, and how good a table looks to a bot."""

from collections.abc import Iterator
from itertools import product
from typing import Any, Final

from events.games import crystal as ev
from events.vocabulary import Event
from projector.games.crystal.abilities import LANES, ParsedText
from projector.games.crystal.opening import flips_needed
from projector.games.crystal.paying import cost_of, foreign_tokens, may_lie, requirement_of, tech_spent
from projector.games.crystal.rules.playing import possible_targets
from projector.games.crystal.state import (
    BASIC,
    DECKS,
    DEPLOY,
    FACTION,
    HAND,
    SETUP,
    Crystal,
    CrystalCard,
    CrystalPlayer,
    deck_of,
    decks_are_empty,
    lane_of,
    living_opponents,
    zone_of,
)
from projector.games.crystal.view import progress
from projector.model.game import Dice

NONE: Final[dict[str, Any]] = {}
"""No choice: the card asks for nothing, or leaves it."""


# -- decisions ---------------------------------------------------------------------------------------------------------


def actors(table: Crystal) -> tuple[str, ...]:
    """Return the player who may decide something now."""
    ready = table.phase == DEPLOY and not table.owed and (table.drawn or _may_leave_draw(table))
    return (table.active,) if ready else ()


def _may_leave_draw(table: Crystal) -> bool:
    return table.options["draw_mandatory"] == "optional"


def legal(table: Crystal, player: str) -> list[Event]:
    """Return the legal decisions of a player: every card that can be paid, everywhere, in every way; or the end."""
    if player not in actors(table):
        return []
    mine = table.players[player]
    found: list[Event] = [ev.DeployEnded(player=player)]
    for card in zone_of(table, "hand", player).cards:
        if card.text is not None and _may_play(table, mine, card):
            lanes = [lane for lane in LANES if may_lie(table, card.text, lane)]
            for lane, choice in product(lanes, _choices(table, player, card.text.says)):
                found.append(ev.CardDeployed(player=player, card=card.name, lane=lane, **choice))
    return found


def _may_play(table: Crystal, player: CrystalPlayer, card: CrystalCard) -> bool:
    """Return whether a card can be paid, is not too advanced, and lays no token of another faction."""
    needs = requirement_of(table, player, card)
    limit = player.tech_limit if table.limited else player.tech
    advanced = needs and tech_spent(table, player) + needs > limit
    return cost_of(table, player, card) <= player.crystals and not (
        advanced or foreign_tokens(table, player, card.text)
    )


def _choices(table: Crystal, player: str, says: ParsedText) -> Iterator[dict[str, Any]]:
    """Return every choice for what a card asks for, as fields of the line."""
    if not says.asks_opponent and says.asks_target is None:
        yield NONE
        return
    opponents = [other.id for other in living_opponents(table, player)] if says.asks_opponent else [""]
    for opponent in opponents:
        against = {"opponent": opponent} if opponent and len(opponents) > 1 else NONE
        lanes = [{"target_lane": lane} for lane in LANES] if says.asks_lane is not None else [NONE]
        for lane, target in product(lanes, _targets(table, player, says, opponent)):
            yield {**against, **lane, **target}


def _targets(table: Crystal, player: str, says: ParsedText, opponent: str) -> list[dict[str, Any]]:
    asks = says.asks_target
    if asks is None:
        return [NONE]
    names = possible_targets(table, player, asks, opponent)
    if asks.verb == "destroy":
        return [{"target": name} for name in names] or [NONE]
    moves = [
        {"target": name, "to_lane": lane} for name in names for lane in LANES if lane != lane_of(table.cards[name])
    ]
    return [*moves, NONE]


# -- luck --------------------------------------------------------------------------------------------------------------


def chance(table: Crystal, dice: Dice) -> Event | None:
    """Return the line that luck has to write now, if any. Which deck a card is drawn from is left to luck, too."""
    if table.phase == SETUP:
        return _setting_up(table, dice)
    if table.phase != DEPLOY:
        return None
    if table.owed:
        return _draw(table, dice, table.owed[0].deck)
    if table.drawn or decks_are_empty(table, table.active):
        return None
    if _may_leave_draw(table) and (table.limited or dice.choose((True, False))):
        return None
    return _draw(table, dice, "any")


def _draw(table: Crystal, dice: Dice, deck: str) -> Event:
    player = table.active
    there_are = [each for each in DECKS if deck in {each, "any"} and deck_of(table, each, player).size > 0]
    chosen = dice.choose(there_are)
    cards = dice.draw(player, 1) if chosen == FACTION else _basic(table, player, 1)
    return ev.CardsDrawn(player=player, cards=cards, from_=chosen)


def _basic(table: Crystal, player: str, count: int) -> tuple[str, ...]:
    return tuple(card.name for card in deck_of(table, BASIC, player).cards[:count])


def _setting_up(table: Crystal, dice: Dice) -> Event | None:
    players = [player for player in table.players.values() if player.living]
    if not all(player.listed for player in players):
        return None
    for player in players:
        if not player.shuffled:
            dice.shuffle(player.id)
            return ev.DeckShuffled(player=player.id, deck="faction", reason="setup")
        if not player.cut:
            return ev.DeckCut(player=player.id, deck="faction", by=living_opponents(table, player.id)[0].id)
    if len(table.flips) < flips_needed(table):
        return ev.FirstPlayerChosen(player=_flip(table, dice), method="token")
    hand = next((player for player in players if not player.opened), None)
    return _starting_hand(table, hand, dice) if hand is not None else None


def _flip(table: Crystal, dice: Dice) -> str:
    ids = list(table.players)
    if table.options["first_priority"] != "winner_stays":
        return str(dice.choose(ids))
    number = len(table.flips) % (len(ids) - 1)
    return str(dice.choose((table.flips[-1] if number else ids[0], ids[number + 1])))


def _starting_hand(table: Crystal, player: CrystalPlayer, dice: Dice) -> Event:
    """Draw seven cards, some of them from the basic deck."""
    basic = _basic(table, player.id, dice.choose(range(4)))
    cards = (*dice.draw(player.id, HAND - len(basic)), *basic)
    more = _basic(table, player.id, len(basic) + HAND - len(cards))[len(basic) :]
    return ev.StartingHandDrawn(player=player.id, cards=(*cards, *more))


# -- value -------------------------------------------------------------------------------------------------------------


def value(table: Crystal, player: str) -> float:
    """Return how good a table is for a player: the end first, then progress, hit points and the power of the lanes."""
    if table.over:
        return 0.0 if not table.winner else 1000.0 if table.winner == player else -1000.0
    mine = table.players[player]
    if not mine.living:
        return -1000.0
    theirs = [_strength(table, other) for other in living_opponents(table, player)]
    return _strength(table, mine) - max(theirs, default=0.0)


def _strength(table: Crystal, player: CrystalPlayer) -> float:
    lanes = 2.0 * player.mining + 1.5 * player.attack + player.tech
    return 20 * progress(table, player.id) + lanes + 0.5 * player.hitpoints + 0.3 * player.crystals
