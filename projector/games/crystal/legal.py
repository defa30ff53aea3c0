"""The legal decisions of a player, what luck decides in a simulated game, and how good a table looks to a bot."""

from collections.abc import Iterator
from itertools import product
from typing import Any, Final

from events.games import crystal as ev
from events.vocabulary import Event
from projector.games.crystal import effects
from projector.games.crystal.abilities import LANES, Effect, ParsedText
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
from projector.model.due import Asked, Due, options_of

SHUFFLE: Final = "crystal.setup.shuffle-and-cut"
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
            for lane, choice in product(lanes, _choices(table, mine, card.text.says)):
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


def _choices(table: Crystal, player: CrystalPlayer, says: ParsedText) -> Iterator[dict[str, Any]]:
    """Return every choice for what a card asks for, as fields of the line."""
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


# -- luck --------------------------------------------------------------------------------------------------------------


def due(table: Crystal) -> list[Due]:
    """Return the lines that luck has to write now: the set-up, or the draws of the deploy phase, from either deck."""
    if table.phase == SETUP:
        return list(_setting_up(table))
    if table.phase != DEPLOY:
        return []
    if table.owed:
        return _draws(table, table.owed[0].deck, "crystal.play.resolve-first")
    if table.drawn or decks_are_empty(table, table.active) or (_may_leave_draw(table) and table.limited):
        return []
    return _draws(table, "any", "crystal.draw.one-per-turn", optional=_may_leave_draw(table))


def _draws(table: Crystal, deck: str, rule: str, *, optional: bool = False) -> list[Due]:
    player = table.active
    return [
        Due(
            line=ev.CardsDrawn,
            known={"player": player, "from_": each},
            rule=rule,
            asked=Asked(kind="cards", field="cards", zones=(deck_of(table, each, player).name,), least=1, most=1),
            optional=optional,
        )
        for each in DECKS
        if deck in {each, "any"} and deck_of(table, each, player).size > 0
    ]


def _setting_up(table: Crystal) -> Iterator[Due]:
    players = [player for player in table.players.values() if player.living]
    if not all(player.listed for player in players):
        return
    for player in players:
        known = {"player": player.id, "deck": "faction"}
        if not player.shuffled:
            yield Due(line=ev.DeckShuffled, known={**known, "reason": "setup"}, rule=SHUFFLE)
        elif not player.cut:
            others = [other.id for other in living_opponents(table, player.id)]
            yield Due(
                line=ev.DeckCut, known=known, rule=SHUFFLE, asked=Asked(kind="option", options=options_of("by", others))
            )
    if len(table.flips) < flips_needed(table):
        asked = Asked(kind="option", options=options_of("player", _flipped(table)))
        yield Due(line=ev.FirstPlayerChosen, known={"method": "token"}, rule="crystal.setup.priority-flip", asked=asked)
    in_order = table.options["setup_order"] != "any"
    early = in_order and not (all(player.cut for player in players) and table.flips)
    for player in players:
        if player.cut and not player.opened and not early:
            yield _starting_hand(table, player)


def _flipped(table: Crystal) -> tuple[str, ...]:
    """Return who may win the next flip."""
    ids = tuple(table.players)
    if table.options["first_priority"] != "winner_stays":
        return ids
    number = len(table.flips) % (len(ids) - 1)
    return (table.flips[-1] if number else ids[0], ids[number + 1])


def _starting_hand(table: Crystal, player: CrystalPlayer) -> Due:
    """Return the draw of seven cards at most, some of them from the basic deck."""
    zones = tuple(deck_of(table, deck, player.id).name for deck in (FACTION, BASIC))
    most = min(HAND, sum(table.zones[zone].size for zone in zones))
    least = most if table.options["starting_hand"] == "exactly_seven" else 0
    asked = Asked(kind="cards", field="cards", zones=zones, least=least, most=most)
    return Due(line=ev.StartingHandDrawn, known={"player": player.id}, rule="crystal.hand.at-most-seven", asked=asked)


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
