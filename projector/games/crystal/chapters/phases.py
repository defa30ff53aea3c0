"""Turn phases (L32 to L38): how each begins, and what the cards of the round do in it."""

from collections.abc import Mapping
from typing import Final

from events.games import crystal as ev
from projector.games.crystal import board
from projector.games.crystal.chapters.winning import check_at_once
from projector.games.crystal.effects import Doing, carry_out
from projector.games.crystal.state import ATTACK, LANE, PHASES, Crystal, CrystalCard, CrystalPlayer, lane_of, living
from projector.model.rules import declare

PHASE_ORDER: Final = declare(
    "crystal.round.phase-order",
    "Turn phases",
    "L32-L78",
    "A round has start of round, deploy, attack, mining, end of turn, end of round; what the log says to begin or to "
    "be resolved is due (its totals tell the order, not the place of a line).",
)
START_ABILITIES: Final = declare(
    "crystal.round.start-abilities",
    "Start of Round",
    "L36-L38",
    "Effects that the last round's cards have for the start of the next round happen first.",
)
THIS_TURN: Final = frozenset({"attack-phase", "mining-phase"})
"""What cards "played this turn" do (L54, L66)."""

STARTED: Final[Mapping[str, ev.PhaseStarted]] = {phase: ev.PhaseStarted(phase=phase) for phase in PHASES}


def begin_phase(table: Crystal, phase: str) -> None:
    """Begin a phase of the round; before and after it people may look at the table."""
    table.rests.append(len(table.journal))
    table.journal.append((table, "phase", table.phase, phase))
    table.phase = phase
    table.derive(STARTED[phase], PHASE_ORDER.id)


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
    if card.text is None or (table.options["ability_of_destroyed_card"] == "fizzles" and not lane_of(card)):
        return
    effects = card.text.says.on(when)
    if effects:
        carry_out(table, Doing(player, card, rule), effects)
        check_at_once(table)


def in_order(table: Crystal, players: list[CrystalPlayer]) -> list[CrystalPlayer]:
    """Return those of some players who are living, in order of priority; in most rounds there are none to be sorted."""
    return [player for player in living(table) if player in players] if players else players


def rule_of_power(table: Crystal, player: CrystalPlayer, lane: str, raised: str, usual: str) -> str:
    """Return the rule that says most about a lane's power: something was raised, the base card holds it, neither."""
    index = LANE[lane]
    is_raised = player.raised[index] or (lane == ATTACK and player.prevented)
    if not is_raised and not board.is_at_floor(table, player, index):
        return usual
    table.applied.append(usual)
    return raised if is_raised else board.FLOOR
