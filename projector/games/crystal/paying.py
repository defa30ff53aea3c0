"""What a card costs and needs, and where it may lie: for the rules, for playing it and for the decisions offered."""

from projector.games.crystal.abilities import ParsedText
from projector.games.crystal.effects import holds
from projector.games.crystal.schema import CrystalText
from projector.games.crystal.state import LANE, Crystal, CrystalCard, CrystalPlayer


def cost_of(table: Crystal, player: CrystalPlayer, card: CrystalCard) -> int:
    """Return what a card costs now, changed by what it says itself."""
    text = card.text
    cost = text.cost or 0
    return max(0, cost + _changed(table, player, text.says, "cost")) if text.says.static else cost


def requirement_of(table: Crystal, player: CrystalPlayer, card: CrystalCard) -> int:
    """Return how much of the tech limit a card uses now."""
    text = card.text
    needs = text.tech_requirement or 0
    return max(0, needs + _changed(table, player, text.says, "requirement")) if text.says.static else needs


def _changed(table: Crystal, player: CrystalPlayer, says: ParsedText, verb: str) -> int:
    return sum(
        effect.n
        for effect in says.static
        if effect.verb == verb and (not effect.condition or holds(table, player, effect.condition))
    )


def tech_spent(table: Crystal, player: CrystalPlayer) -> int:
    """Return how much of the tech limit is used up already (ruling `tech_semantics`)."""
    return player.tech_used if table.options["tech_semantics"] == "budget" else 0


def can_be_paid(table: Crystal, player: CrystalPlayer, card: CrystalCard, limit: int) -> bool:
    """Return whether a player has the crystals for a card, and a tech limit leaves room for it."""
    needs = requirement_of(table, player, card)
    is_within = not needs or tech_spent(table, player) + needs <= limit
    return is_within and cost_of(table, player, card) <= player.crystals


def may_lie(table: Crystal, text: CrystalText, lane: str) -> bool:
    """Return whether a card may lie in a lane (ruling `lane_choice`)."""
    return lane in LANE and (table.options["lane_choice"] == "any_lane" or bool(text.values[LANE[lane]]))


def foreign_tokens(table: Crystal, player: CrystalPlayer, text: CrystalText) -> list[str]:
    """Return the tokens that a card lays and its player's faction does not have, if they may not (`foreign_tokens`)."""
    faction = table.library.get(player.faction)
    if faction is None or table.options["foreign_tokens"] == "with_the_deck":
        return []
    return [token for token in text.says.tokens if token not in faction.tokens]
