"""Rounds and their phases, and all that follows by itself in them."""

from collections.abc import Mapping
from typing import Final

from events.games.crystal import (
    AttackResolved,
    MiningResolved,
    PhaseStarted,
    PriorityPassed,
    RoundStarted,
    TechLimitSet,
    TurnStarted,
)
from projector.games.crystal import board
from projector.games.crystal.effects import Doing, carry_out
from projector.games.crystal.ending import (
    LAST,
    check_at_once,
    check_crystals,
    eliminate,
    eliminate_fallen,
    end_game,
)
from projector.games.crystal.state import (
    ATTACK,
    DEPLOY,
    END_OF_ROUND,
    END_OF_TURN,
    LANE,
    MINING,
    NOTHING,
    SETUP,
    START_OF_ROUND,
    Crystal,
    CrystalCard,
    CrystalPlayer,
    decks_are_empty,
    lane_of,
    living,
    room_in_hand,
)

PHASES: Final = "crystal.round.phase-order"
THIS_TURN: Final = frozenset({"attack-phase", "mining-phase"})
"""What cards \"played this turn\" do (L54, L66)."""

STARTED: Final[Mapping[str, PhaseStarted]] = {
    phase: PhaseStarted(phase=phase) for phase in (DEPLOY, ATTACK, MINING, END_OF_TURN, END_OF_ROUND)
}


# -- settling ----------------------------------------------------------------------------------------------------------


def settle(table: Crystal) -> None:
    """Take everything that follows by itself, until a line is needed."""
    if table.phase == SETUP:
        if not table.over and is_set_up(table):
            begin_first_round(table, table.flips[-1])
        return
    if table.phase == DEPLOY:
        if table.options["hitpoint_check"] == "immediately":
            eliminate_fallen(table)
            if not table.over and not table.players[table.active].living:
                next_part(table)
        check_at_once(table)


def flips_needed(table: Crystal) -> int:
    """Return how many flips decide who has priority first (rulings `first_priority` and `second_flip`)."""
    flips = max(len(table.players) - 1, 1) if table.options["first_priority"] == "winner_stays" else 1
    return 2 * flips if table.options["second_flip"] == "second_counts" else flips


def is_set_up(table: Crystal) -> bool:
    """Return whether everything is there for round 1."""
    if len(table.flips) < flips_needed(table):
        return False
    players = [player for player in table.players.values() if player.living]
    return len(players) > 1 and all(player.listed and player.opened for player in players)


def begin_first_round(table: Crystal, first: str) -> None:
    """Return the token to the first player and begin round 1."""
    table.set(table, "priority", first)
    table.applied.append("crystal.hand.one-flip")
    begin_round(table)


def has_just_begun(table: Crystal) -> bool:
    """Return whether nothing shows yet that the active player is deploying."""
    return any(isinstance(each.event, TurnStarted) for each in table.derived)


def has_just_ended(table: Crystal, player: str) -> bool:
    """Return whether a player was the last to deploy, and no card has been touched since."""
    if table.handed_over:
        return False
    for _, field, before, _ in reversed(table.journal):
        if field == "zone" or (field == "active" and before):
            return field == "active" and before == player
    return False


# -- start of round and deploy phase -----------------------------------------------------------------------------------


def begin_round(table: Crystal) -> None:
    """Begin a round: first what the last round's cards have for it, then the first player deploys."""
    table.count(table, "round", 1)
    table.set(table, "phase", START_OF_ROUND)
    table.derive(RoundStarted(round=table.round), PHASES)
    coming = [each for each in table.players.values() if each.coming]
    for player in [*_in_order(table, coming), *(each for each in coming if not each.living)]:
        for name in player.coming:
            _act(table, player, table.cards[name], "start-of-next-round", "crystal.round.start-abilities")
        table.set(player, "coming", ())
    if table.options["crystal_check"] != "mining_phase_only":
        check_crystals(table)
    if table.over:
        return
    if table.options["tech_limit_time"] == "start_of_round":
        for player in living(table):
            table.set(player, "tech_limit", board.lasting(table, player, LANE["tech"]))
    begin_phase(table, DEPLOY)
    table.set(table, "waiting", tuple(player.id for player in living(table)))
    next_part(table)


def begin_phase(table: Crystal, phase: str) -> None:
    """Begin a phase of the round."""
    table.journal.append((table, "phase", table.phase, phase))
    table.phase = phase
    table.derive(STARTED[phase], PHASES)


def next_part(table: Crystal) -> None:
    """Go on to the next living player's deploying; after the last one the other phases follow."""
    waiting = table.waiting
    while waiting:
        player = table.players[waiting[0]]
        waiting = waiting[1:]
        if player.living:
            table.set(table, "waiting", waiting)
            _begin_part(table, player)
            return
    table.set(table, "waiting", ())
    _leave_deploy_phase(table)


def _begin_part(table: Crystal, player: CrystalPlayer) -> None:
    table.journal += (
        (table, "turn", table.turn, table.turn + 1),
        (table, "active", table.active, player.id),
        (table, "drawn", table.drawn, False),
        (table, "limited", table.limited, False),
    )
    table.turn += 1
    table.active = player.id
    table.drawn = table.limited = False
    if table.owed:
        table.set(table, "owed", ())
    if table.undrawn:
        table.set(table, "undrawn", False)
    if player.tech_used:
        table.set(player, "tech_used", 0)
    table.derive(TurnStarted(player=player.id), "crystal.deploy.own-turn")
    if table.options["tech_limit_time"] != "after_draw":
        set_limit(table, player)
    if _draws_nothing(table, player):
        card_of_turn_drawn(table, player)
    elif decks_are_empty(table, player.id):
        if table.options["deck_out"] == "lose":
            eliminate(table, player, "crystal.draw.deck-not-empty")
            if not table.over:
                next_part(table)
        else:
            card_of_turn_drawn(table, player)


def card_of_turn_drawn(table: Crystal, player: CrystalPlayer) -> None:
    """Note that the card of the turn is drawn, or that none is due; the tech limit is set then."""
    table.journal.append((table, "drawn", table.drawn, True))
    table.drawn = True
    if table.undrawn:
        table.count(player, "missed", -1)
    if not table.limited:
        set_limit(table, player)


def _draws_nothing(table: Crystal, player: CrystalPlayer) -> bool:
    """Return whether a ruling leaves the card of the turn out (`first_round_draw`, `hand_limit`)."""
    is_first = table.round == 1 and table.options["first_round_draw"] == "not_drawn"
    return is_first or not room_in_hand(table, player.id)


def go_on_undrawn(table: Crystal) -> None:
    """Note that the active player has gone on without the card of the turn, which may still be drawn late.

    Whether the card or only its line was forgotten nobody can tell yet.
    """
    if not table.drawn and not table.undrawn and table.options["draw_mandatory"] == "mandatory":
        table.set(table, "undrawn", True)
        table.count(table.players[table.active], "missed", 1)


def set_limit(table: Crystal, player: CrystalPlayer) -> None:
    """Set the tech limit to the lasting power of the Tech lane, as it is or was (ruling `tech_limit_time`)."""
    table.journal.append((table, "limited", table.limited, True))
    table.limited = True
    tech = LANE["tech"]
    at_once = table.options["tech_limit_time"] != "start_of_round"
    limit = board.lasting(table, player, tech) if at_once else player.tech_limit
    if limit != player.tech_limit:
        table.set(player, "tech_limit", limit)
    grown = player.sums[tech]
    rule = "crystal.tech.resets" if grown else "crystal.tech.limit-set"
    if grown:
        table.applied.append("crystal.tech.limit-set")
    table.derive(TechLimitSet(player=player.id, limit=limit), rule)


def _leave_deploy_phase(table: Crystal) -> None:
    """Take the phases after the last player has deployed, as far as nobody has won."""
    table.set(table, "active", "")
    for phase in (_attack, _mine, _end_turn, end_round):
        if table.options["crystal_check"] == "end_of_any_phase":
            check_crystals(table)
        if table.over:
            return
        phase(table)


def _in_order(table: Crystal, players: list[CrystalPlayer]) -> list[CrystalPlayer]:
    """Return those of some players who are living, in order of priority; in most rounds there are none to be sorted."""
    return [player for player in living(table) if player in players] if players else players


def _trigger(table: Crystal, when: str, rule: str) -> None:
    """Carry out what the cards deployed in this round do in a phase: by priority, then by order of playing.

    By the ruling `turn_word` the turn in which they were played may be over when attacks and mining begin.
    """
    if table.options["turn_word"] == "deploy_turn" and when in THIS_TURN:
        return
    for player in _in_order(table, [each for each in table.players.values() if each.acting]):
        for name in player.acting:
            if not table.over:
                _act(table, player, table.cards[name], when, rule)


def _act(table: Crystal, player: CrystalPlayer, card: CrystalCard, when: str, rule: str) -> None:
    if card.text is None or (table.options["ability_of_destroyed_card"] == "fizzles" and not lane_of(card)):
        return
    effects = card.text.says.on(when)
    if effects:
        carry_out(table, Doing(player, card, rule), effects)
        check_at_once(table)


# -- attack ------------------------------------------------------------------------------------------------------------


def _attack(table: Crystal) -> None:
    begin_phase(table, ATTACK)
    _trigger(table, "attack-phase", "crystal.attack.abilities-first")
    players = living(table)
    if table.over or not players:
        return
    powers = attack_powers(table)
    highest = max(powers.values())
    spares = table.options["prevention"] == "damage_taken"
    hits = {player.id: max(0, highest - powers[player.id] - (player.prevented if spares else 0)) for player in players}
    _give_credit(table, players, powers, sum(hits.values()))
    several = "crystal.attack.highest-only" if len(players) > 2 else "crystal.attack.difference"
    for player in players:
        damage = hits[player.id]
        if damage:
            table.count(player, "hitpoints", -damage)
        line = AttackResolved(
            player=player.id,
            power=powers[player.id],
            highest=highest,
            prevented=player.prevented,
            damage=damage,
            hitpoints=player.hitpoints,
        )
        table.derive(line, _rule_of_power(table, player, ATTACK, "crystal.attack.abilities-first", several))
        table.applied.append("crystal.lane.value-of-lane")
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


def _rule_of_power(table: Crystal, player: CrystalPlayer, lane: str, raised: str, usual: str) -> str:
    """Return the rule that says most about a lane's power: something was raised, the base card holds it, neither."""
    index = LANE[lane]
    if player.raised[index] or (lane == ATTACK and player.prevented):
        table.applied.append(usual)
        return raised
    if board.is_at_floor(table, player, index):
        table.applied.append(usual)
        return board.FLOOR
    return usual


# -- mining ------------------------------------------------------------------------------------------------------------


def _mine(table: Crystal) -> None:
    begin_phase(table, MINING)
    _trigger(table, "mining-phase", "crystal.mining.abilities-first")
    if table.over:
        return
    players = living(table)
    for player in players:
        power = player.mining
        board.change_crystals(table, player, power)
        line = MiningResolved(player=player.id, power=power, crystals=player.crystals)
        rule = _rule_of_power(table, player, MINING, "crystal.mining.abilities-first", "crystal.mining.gain")
        table.derive(line, rule)
    if len(players) == 1:
        end_game(table, players[0].id, "last-standing", LAST)
    else:
        check_crystals(table)


# -- the end of a round ------------------------------------------------------------------------------------------------


def _end_turn(table: Crystal) -> None:
    begin_phase(table, END_OF_TURN)
    _trigger(table, "end-of-turn", "crystal.end-of-turn.priority-order")


def end_round(table: Crystal) -> None:
    """End the round: what holds this turn ends, the token goes on, and the next round begins."""
    begin_phase(table, END_OF_ROUND)
    for player in table.players.values():
        _forget_the_round(table, player)
    to = left_of_priority(table)
    table.set(table, "priority", to)
    table.derive(PriorityPassed(to=to), "crystal.priority.passes-left")
    begin_round(table)


def _forget_the_round(table: Crystal, player: CrystalPlayer) -> None:
    if player.raised != NOTHING or player.prevented:
        for lane, index in LANE.items():
            table.count(player, lane, -player.raised[index])
        table.set(player, "raised", NOTHING)
        table.set(player, "prevented", 0)
        table.applied.append("crystal.ability.this-turn-ends")
    if player.dealt_now:
        table.set(player, "dealt_now", False)
    if player.shield:
        table.set(player, "shield", 0)
    if player.acting:
        table.set(player, "coming", board.starting_next_round(table, player))
        table.set(player, "acting", ())


def left_of_priority(table: Crystal) -> str:
    """Return the next living player after the holder of the token, clockwise."""
    for player in living(table):
        if player.id != table.priority:
            return player.id
    return table.priority
