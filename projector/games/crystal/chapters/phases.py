"""Turn phases (L32 to L76): what the cards of a round do in each; attack and mining, a round's start and end."""

from collections.abc import Iterator
from typing import Any, Final

from tabletape.events.games import crystal as ev
from tabletape.projector.games.crystal import board
from tabletape.projector.games.crystal.chapters import WRITTEN, winning
from tabletape.projector.games.crystal.effects import Doing, carry_out
from tabletape.projector.games.crystal.state import ATTACK, DEPLOY, LANE, MINING, Crystal, CrystalCard, CrystalPlayer
from tabletape.projector.kit.consequence import by_rulings, consequence, follows
from tabletape.projector.model.phrases import name_of
from tabletape.projector.model.rules import Rule

PHASE_ORDER: Final = WRITTEN["crystal.round.phase-order"]
START_ABILITIES: Final = WRITTEN["crystal.round.start-abilities"]
THIS_TURN: Final = frozenset({"attack-phase", "mining-phase"})
"""What cards "played this turn" do (L54, L66)."""


def trigger(table: Crystal, when: str, rule: str) -> None:
    """Carry out what the cards deployed in this round do in a phase: by priority, then by order of playing.

    By the ruling `turn_word` the turn in which they were played may be over when attacks and mining begin.
    """
    if table.options["turn_word"] == "deploy_turn" and when in THIS_TURN:
        return
    for player in in_order(table, [each for each in table.players.values() if each.acting]):
        for name in player.acting:
            if not table.over:
                act(table, player, table.cards[name], when, rule)
    table.rests.append(len(table.journal))


def act(table: Crystal, player: CrystalPlayer, card: CrystalCard, when: str, rule: str) -> None:
    """Carry out what a card does at a moment, unless a ruling lets it fizzle."""
    text = card.text
    effects = () if text is None else text.says.on(when)
    if effects and (card.lane or table.options["ability_of_destroyed_card"] != "fizzles"):
        carry_out(table, Doing(player, card, rule), effects)
        if table.options["crystal_check"] == "immediately":
            winning.check_crystals(table)


def in_order(table: Crystal, players: list[CrystalPlayer]) -> list[CrystalPlayer]:
    """Return those of some players who are living, in order of priority; in most rounds there are none to be sorted."""
    return [player for player in table.living() if player in players] if players else players


def rule_of_power(table: Crystal, player: CrystalPlayer, lane: str, raised: str, usual: str) -> str:
    """Return the rule that says most about a lane's power: something was raised, the base card holds it, neither."""
    index = LANE[lane]
    is_raised = player.raised[index] or (lane == ATTACK and player.prevented)
    if not is_raised and not board.is_at_floor(table, player, index):
        return usual
    table.applied.append(usual)
    return raised if is_raised else board.FLOOR


# -- the attack phase --------------------------------------------------------------------------------------------------

VALUE: Final = WRITTEN["crystal.lane.value-of-lane"]
DIFFERENCE: Final = WRITTEN["crystal.attack.difference"]
HIGHEST_ONLY: Final = WRITTEN["crystal.attack.highest-only"]


def attack(table: Crystal) -> None:
    """Carry out the attack phase: abilities first, then the damage, then who is out."""
    trigger(table, "attack-phase", "crystal.attack.abilities-first")
    players = table.living()
    if table.over or not players:
        return
    powers = attack_powers(table)
    highest = max(powers.values())
    spares = table.options["prevention"] == "damage_taken"
    hits = {player.id: max(0, highest - powers[player.id] - (player.prevented if spares else 0)) for player in players}
    _give_credit(table, [player for player in players if powers[player.id] == highest], sum(hits.values()))
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
    winning.eliminate_fallen(table)


def attack_powers(table: Crystal) -> dict[str, int]:
    """Return the power of everybody's Attack lane, as it is compared (rulings `elimination` and `prevention`)."""
    stays = table.options["elimination"] == "cards_stay"
    powers = {player.id: player.attack for player in table.players.values() if player.living or stays}
    if table.options["prevention"] != "opponents_power":
        return powers
    prevented = {player: table.players[player].prevented for player in powers}
    return {player: power - sum(prevented.values()) + prevented[player] for player, power in powers.items()}


def _give_credit(table: Crystal, highest: list[CrystalPlayer], damage: int) -> None:
    """Say of everybody with the highest attack that they have dealt the damage (ruling `damage_attribution`)."""
    if not damage or (len(highest) > 1 and table.options["damage_attribution"] == "nobody"):
        return
    for player in highest:
        table.count(player, "dealt", damage)
        table.set(player, "dealt_now", True)


# -- the mining phase --------------------------------------------------------------------------------------------------

GAIN: Final = WRITTEN["crystal.mining.gain"]


def mine(table: Crystal) -> None:
    """Carry out the mining phase: abilities first, then the crystals, then who wins."""
    trigger(table, "mining-phase", "crystal.mining.abilities-first")
    if table.over:
        return
    players = table.living()
    for player in players:
        board.change_crystals(table, player, player.mining)
        line = ev.MiningResolved(player=player.id, power=player.mining, crystals=player.crystals)
        table.derive(line, rule_of_power(table, player, MINING, "crystal.mining.abilities-first", GAIN.id))
    if len(players) == 1:
        winning.end_game(table, players[0].id, "last-standing", winning.LAST_STANDING.id)
    else:
        winning.check_crystals(table)


# -- what is written of them -------------------------------------------------------------------------------------------


def why_not_resolved(table: Crystal, event: ev.AttackResolved | ev.MiningResolved) -> str:
    """Return why nothing is resolved for a player now."""
    player = table.players[event.player]
    return table.TURN.where(table) if player.living else f"{player.name} is out"


def _rule_of_attack(table: Crystal, event: ev.AttackResolved, expected: ev.AttackResolved | None) -> Rule:
    """Return the rule that a written attack breaks: about its time, its power, or whom it hits."""
    if expected is None:
        return PHASE_ORDER
    if event.power != expected.power:
        return VALUE
    fallen = sum(isinstance(each.event, ev.PlayerEliminated) for each in table.derived)
    return HIGHEST_ONLY if len(table.living()) + fallen > 2 else DIFFERENCE


def _behind_attack(table: Crystal, expected: ev.AttackResolved) -> Iterator[str]:
    if expected.prevented:
        yield "prevention"
    yield from board.floor_ruling(table, expected.player, LANE[ATTACK])


RESOLVING: Final[dict[str, Any]] = {"why": why_not_resolved, "adopt": board.adopt_totals()}
ATTACK_RESOLVED: Final = follows(
    ev.AttackResolved, rule=_rule_of_attack, behind=by_rulings(_behind_attack), **RESOLVING
)
MINING_RESOLVED: Final = follows(
    ev.MiningResolved,
    rule=lambda _table, _event, expected: PHASE_ORDER if expected is None else GAIN,
    behind=by_rulings(lambda table, expected: board.floor_ruling(table, expected.player, LANE[MINING])),
    **RESOLVING,
)


# -- the start and the end of a round ----------------------------------------------------------------------------------


def has_just_begun(table: Crystal) -> bool:
    """Return whether nothing shows yet that the active player is deploying."""
    return any(isinstance(each.event, ev.TurnStarted) for each in table.derived)


def start_round(table: Crystal) -> None:
    """Carry out what the last round's cards have for this one: those of the living players first, in order."""
    coming = [each for each in table.players.values() if each.coming]
    for player in [*in_order(table, coming), *(each for each in coming if not each.living)] if coming else ():
        for name in player.coming:
            act(table, player, table.cards[name], "start-of-next-round", START_ABILITIES.id)
        table.set(player, "coming", ())
    if table.options["crystal_check"] != "mining_phase_only":
        winning.check_crystals(table)
    if not table.over and table.options["tech_limit_time"] == "start_of_round":
        for each in table.living():
            table.set(each, "tech_limit", board.lasting(table, each, LANE["tech"]))


PASSES_LEFT: Final = WRITTEN["crystal.priority.passes-left"]


def end_round(table: Crystal) -> None:
    """End the round: what holds this turn ends, and the token goes on."""
    for player in table.players.values():
        board.forget_round(table, player)
    others = [player.id for player in table.living() if player.id != table.priority]
    to = others[0] if others else table.priority
    table.set(table, "priority", to)
    table.derive(ev.PriorityPassed(to=to), PASSES_LEFT.id)


def _why_not_passed(table: Crystal, _event: ev.PriorityPassed) -> str:
    return f"no round ends; it is with {name_of(table, table.priority) if table.priority else 'nobody yet'}"


@consequence(
    ev.PriorityPassed, rule=PASSES_LEFT, why=_why_not_passed, is_so=lambda table, event: event.to == table.priority
)
def adopt_passed(table: Crystal, event: ev.PriorityPassed, _expected: object) -> None:
    """Pass the token to the other player, who deploys first then: the phase begins anew if nobody has done anything."""
    to = table.players.get(event.to)
    if table.priority == event.to or to is None or not to.living:
        return
    table.set(table, "priority", event.to)
    if table.phase == DEPLOY and has_just_begun(table):
        table.TURN.begin_anew(table, tuple(player.id for player in table.living()))
