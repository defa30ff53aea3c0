"""Winning the game (L3 to L4), who wins with 50 crystals (L70), who is out (L58); and how a game ends before that."""

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from tabletape.events.games import crystal as ev
from tabletape.projector.games.crystal import board
from tabletape.projector.games.crystal.chapters import ATTACK_PHASE, WINNING, WRITTEN
from tabletape.projector.games.crystal.state import ATTACK, LANE, OVER, Crystal, CrystalPlayer
from tabletape.projector.kit import common_rules, mismatches
from tabletape.projector.kit.adopting import as_written
from tabletape.projector.kit.consequence import by_rulings, consequence, follows
from tabletape.projector.kit.ending import NOT_ENDED_REASONS, adopt_end, early_ends, end
from tabletape.projector.kit.moves import move
from tabletape.projector.model.amounts import how_many, joined
from tabletape.projector.model.game import RuleVerdict
from tabletape.projector.model.phrases import by_ruling, name_of
from tabletape.projector.model.rules import Rule, Verdict

ENOUGH: Final = 50
"""Crystals that win."""

ENDED_BY: Final = {"crystals": "crystal.win.fifty-crystals", "last-standing": "crystal.win.last-standing"}
nothing_after_end: Final = WINNING.rule(
    "crystal.end.nothing-after-end", "L4", "After the end nothing more is played (implied).", rests_on="play"
)(common_rules.nothing_after(ev.GameEnded, ENDED_BY))
TWO_WAYS: Final = WRITTEN["crystal.win.two-ways"]
LAST_STANDING: Final = WRITTEN["crystal.win.last-standing"]


FIFTY: Final = WRITTEN["crystal.win.fifty-crystals"]
MOST: Final = WRITTEN["crystal.win.most-crystals"]
TIE_BREAK: Final = WRITTEN["crystal.win.tie-break"]
TIE: Final = WRITTEN["crystal.win.tie"]
LADDER: Final = {rule.id: rule for rule in (FIFTY, MOST, TIE_BREAK, TIE)}


def check_behind_phase(table: Crystal) -> None:
    """Check for 50 crystals behind any phase, if the ruling `crystal_check` says so."""
    if table.options["crystal_check"] == "end_of_any_phase":
        check_crystals(table)


def check_crystals(table: Crystal) -> None:
    """Make whoever has 50 crystals the winner; of several perhaps only those who have more (ruling `fifty_wording`)."""
    rich = [player for player in table.players.values() if player.living and player.crystals >= ENOUGH]
    if len(rich) > 1 and table.options["fifty_wording"] == "more_than_fifty_for_several":
        rich = [player for player in rich if player.crystals > ENOUGH]
    if rich and not table.over:
        winner, rule = best_of(table, rich)
        end_game(table, winner, "crystals", rule)


def best_of(table: Crystal, players: list[CrystalPlayer]) -> tuple[str, str]:
    """Return the winner among players (empty: a tie), by the ladder of L70, and the rule that decides."""
    if len(players) == 1:
        return players[0].id, FIFTY.id
    most = max(player.crystals for player in players)
    richest = [player for player in players if player.crystals == most]
    if len(richest) > 1 and table.options["tie_break"] == "never":
        return "", TIE.id
    if len(richest) == 1:
        return richest[0].id, MOST.id
    marks = {player.id: _tie_break(table, player) for player in richest}
    best = [player for player, mark in marks.items() if mark == max(marks.values())]
    return (best[0], TIE_BREAK.id) if len(best) == 1 else ("", TIE.id)


def _tie_break(table: Crystal, player: CrystalPlayer) -> tuple[int, ...]:
    """Return hit points, then power in the Attack lane, then in the Tech lane (ruling `tie_break_power`)."""
    if table.options["tie_break_power"] == "current_power":
        return player.hitpoints, player.attack, player.tech
    return player.hitpoints, *(board.lasting(table, player, LANE[lane]) for lane in ("attack", "tech"))


@ATTACK_PHASE.rule("crystal.elimination.leaves", "L58", rests_on="play")
def eliminated_leaves(table: Crystal, event: Any) -> Verdict:
    """What becomes of an eliminated player among several is not covered: the seat is skipped."""
    return f"{name_of(table, event.player)} is out of the game"


ZERO_HITPOINTS: Final = WRITTEN["crystal.attack.zero-hitpoints"]
CONCESSION: Final = WRITTEN["crystal.elimination.concession"]
ABANDONED: Final = WRITTEN["crystal.end.abandoned"]


def eliminate_fallen(table: Crystal) -> None:
    """Put everybody out who has 0 hit points or less, in order of priority."""
    fallen = [player for player in table.players.values() if player.living and player.hitpoints <= 0]
    if fallen and not table.over:
        put_out(table, [player for player in table.living() if player in fallen], ZERO_HITPOINTS.id)


def put_out(table: Crystal, fallen: list[CrystalPlayer], rule: str) -> None:
    """Put players out; one who is left wins at once, nobody left is a matter of the ruling `all_eliminated`."""
    for player in fallen:
        table.set(player, "living", False)
        table.derive(ev.PlayerEliminated(player=player.id), rule)
    left = table.living()
    in_attack = table.phase == ATTACK
    if not left:
        end_game(table, _winner_of_the_fallen(table, fallen), "all-eliminated", LAST_STANDING.id)
    elif len(left) == 1 and not (in_attack and table.options["last_standing"] == "after_mining"):
        end_game(table, left[0].id, "last-standing", LAST_STANDING.id)
    else:
        for player in fallen:
            board.leave_game(table, player)
            table.applied.append(eliminated_leaves.id)


def _why_not_eliminated(table: Crystal, event: ev.PlayerEliminated) -> str:
    player = table.players[event.player]
    if player.hitpoints <= 0:
        return f"the attack phase has not ended, {by_ruling(table, 'hitpoint_check')}"
    return f"{player.name} has {how_many(player.hitpoints, 'hit point')} left"


@consequence(
    ev.PlayerEliminated,
    rule=lambda table, *_: CONCESSION if CONCESSION.id in [each.rule for each in table.derived] else ZERO_HITPOINTS,
    why=_why_not_eliminated,
    is_so=lambda table, event: not table.players[event.player].living,
)
def adopt_eliminated(table: Crystal, event: ev.PlayerEliminated, _expected: object) -> None:
    """Put a player out; among several only once the others go on without that player."""
    player = table.players[event.player]
    if player.living and not table.over:
        table.set(player, "written_out", True)
        if len(table.living()) == 2:
            with as_written(table, event):
                put_out(table, [player], ZERO_HITPOINTS.id)


def _winner_of_the_fallen(table: Crystal, fallen: list[CrystalPlayer]) -> str:
    ruling = table.options["all_eliminated"]
    if ruling == "mining_tie_break":
        return best_of(table, fallen)[0]
    most = max(player.hitpoints for player in fallen)
    best = [player.id for player in fallen if player.hitpoints == most]
    return best[0] if ruling == "most_hitpoints" and len(best) == 1 else ""


def end_game(table: Crystal, winner: str, reason: str, rule: str) -> None:
    """End the game."""
    ended = ev.GameEnded(winner=winner or None, reason=reason)  # type: ignore[arg-type]  # one of the reasons
    end(table, ended, rule, phase=OVER, active="", owed=())
    table.applied.append(nothing_after_end.id)
    if reason in ENDED_BY:
        table.applied.append(TWO_WAYS.id)


# -- before the rules end it -------------------------------------------------------------------------------------------


@move(ev.PlayerConceded)
def player_conceded(table: Crystal, event: ev.PlayerConceded) -> None:
    """Carry out a concession; whoever was deploying deploys no more."""
    player = table.players[event.player]
    if not player.living:
        return
    table.set(table, "conceding", event.player)
    put_out(table, [player], CONCESSION.id)
    if not table.over and table.active == player.id:
        table.set(table, "owed", ())
        table.TURN.go_on(table)


MOVES: Final = early_ends(end_game, "crystal")[1:]

# -- what is written of the end ----------------------------------------------------------------------------------------


@by_rulings
def _behind_end(table: Crystal, _expected: ev.GameEnded) -> Iterator[str]:
    if table.options["tie_break"] in {"always", "never"}:
        yield "tie_break"


def _is_allowed_end(table: Crystal, event: ev.GameEnded, expected: ev.GameEnded) -> bool:
    """Return whether a game may also end so: by a concession, or with a tie that nobody breaks (ruling)."""
    if event.winner == expected.winner and event.reason == expected.reason:
        return True
    unbroken = table.options["tie_break"] == "tables_choice" and mismatches.rule_behind(table, expected) == TIE_BREAK.id
    return unbroken and event.reason == "crystals" and event.winner is None


def _verdict_on_end(table: Crystal, event: ev.GameEnded, expected: ev.GameEnded | None) -> Rule | RuleVerdict:
    if expected is None:
        return _rule_of_end(table, event, None)
    if event.reason == "concession" and table.conceding and expected.reason == "last-standing":
        expected = msgspec.structs.replace(expected, reason="concession")  # whoever stands last as the others gave up
    why = _behind_end(table, event, expected)
    differs = None if _is_allowed_end(table, event, expected) else mismatches.contradiction(table, event, expected, why)
    return RuleVerdict(_rule_of_end(table, event, expected), differs)


def _rule_of_end(table: Crystal, event: ev.GameEnded, expected: ev.GameEnded | None) -> Rule:
    reasons = {event.reason, expected.reason if expected is not None else event.reason}
    if "abandoned" in reasons:
        return ABANDONED
    if expected is not None and expected.reason == "concession":
        return CONCESSION
    if len(reasons) > 1:
        return TWO_WAYS
    return LADDER.get(mismatches.rule_behind(table, expected), FIFTY) if event.reason == "crystals" else LAST_STANDING


def _has_ended(table: Crystal, event: ev.GameEnded) -> bool:
    reasons = {table.reason, "concession" if table.conceding else ""}
    return table.over and (event.winner or "") == table.winner and event.reason in reasons


def _why_not_ended(table: Crystal, event: ev.GameEnded) -> str:
    players = table.living()
    if event.reason == "crystals":
        have = ", ".join(f"{player.name} {player.crystals}" for player in players)
        return f"nobody wins with {ENOUGH} crystals now ({have}; {by_ruling(table, 'crystal_check')})"
    return NOT_ENDED_REASONS.get(event.reason) or f"{joined(player.name for player in players)} are still in the game"


GAME_ENDED: Final = follows(
    ev.GameEnded, rule=_verdict_on_end, why=_why_not_ended, is_so=_has_ended, adopt=adopt_end(end_game)
)
