"""Attack phase (L52 to L62): everybody is compared with the highest power, and who has no hit points is out."""

from typing import Final

from events.games import crystal as ev
from projector.games.crystal.chapters.phases import begin_phase, rule_of_power, trigger
from projector.games.crystal.chapters.winning import eliminate_fallen
from projector.games.crystal.state import ATTACK, Crystal, CrystalPlayer, living
from projector.model.rules import declare

VALUE: Final = declare(
    "crystal.lane.value-of-lane",
    "Attack, mining, anatomy",
    "L56 L68 L84",
    "The value that counts is the one of the lane in which the card lies; base card and tokens count too.",
)
DIFFERENCE: Final = declare(
    "crystal.attack.difference", "Attack Phase", "L56 L60", "Two players: the lower attack takes the difference."
)
HIGHEST_ONLY: Final = declare(
    "crystal.attack.highest-only", "Attack Phase", "L56 L62", "More players: everybody compares with the highest only."
)


def attack(table: Crystal) -> None:
    """Carry out the attack phase: abilities first, then the damage, then who is out."""
    begin_phase(table, ATTACK)
    trigger(table, "attack-phase", "crystal.attack.abilities-first")
    players = living(table)
    if table.over or not players:
        return
    powers = attack_powers(table)
    highest = max(powers.values())
    spares = table.options["prevention"] == "damage_taken"
    hits = {player.id: max(0, highest - powers[player.id] - (player.prevented if spares else 0)) for player in players}
    _give_credit(table, players, powers, sum(hits.values()))
    several = HIGHEST_ONLY.id if len(players) > 2 else DIFFERENCE.id
    for player in players:
        damage = hits[player.id]
        if damage:
            table.count(player, "hitpoints", -damage)
        line = ev.AttackResolved(
            player=player.id,
            power=powers[player.id],
            highest=highest,
            prevented=player.prevented,
            damage=damage,
            hitpoints=player.hitpoints,
        )
        table.derive(line, rule_of_power(table, player, ATTACK, "crystal.attack.abilities-first", several))
        table.applied.append(VALUE.id)
    eliminate_fallen(table)


def attack_powers(table: Crystal) -> dict[str, int]:
    """Return the power of everybody's Attack lane, as it is compared (rulings `elimination` and `prevention`)."""
    stays = table.options["elimination"] == "cards_stay"
    powers = {player.id: player.attack for player in table.players.values() if player.living or stays}
    if table.options["prevention"] == "opponents_power":
        prevented = {player: table.players[player].prevented for player in powers}
        total = sum(prevented.values())
        return {player: power - (total - prevented[player]) for player, power in powers.items()}
    return powers


def _give_credit(table: Crystal, players: list[CrystalPlayer], powers: dict[str, int], damage: int) -> None:
    """Say of everybody with the highest attack that they have dealt the damage (ruling `damage_attribution`)."""
    if not damage:
        return
    most = max(powers.values())
    highest = [player for player in players if powers[player.id] == most]
    if len(highest) > 1 and table.options["damage_attribution"] == "nobody":
        return
    for player in highest:
        table.count(player, "dealt", damage)
        table.set(player, "dealt_now", True)
