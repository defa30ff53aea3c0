"""Who is out and who has won: hit points, crystals, the tie-break and the end of a game."""

from typing import Final

from events.games import crystal as ev
from projector.games.crystal import board
from projector.games.crystal.state import ATTACK, LANE, OVER, Crystal, CrystalPlayer, living
from projector.kit.ending import end

ENOUGH: Final = 50
"""Crystals that win."""

ZERO: Final = "crystal.attack.zero-hitpoints"
LAST: Final = "crystal.win.last-standing"
WAYS: Final = frozenset({"crystals", "last-standing"})

# -- crystals ----------------------------------------------------------------------------------------------------------


def check_at_once(table: Crystal) -> None:
    """Check for 50 crystals whenever they may have been reached, if the ruling `crystal_check` says so."""
    if table.options["crystal_check"] == "immediately":
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
        return players[0].id, "crystal.win.fifty-crystals"
    most = max(player.crystals for player in players)
    richest = [player for player in players if player.crystals == most]
    if len(richest) > 1 and table.options["tie_break"] == "never":
        return "", "crystal.win.tie"
    if len(richest) == 1:
        return richest[0].id, "crystal.win.most-crystals"
    marks = {player.id: _tie_break(table, player) for player in richest}
    best = [player for player, mark in marks.items() if mark == max(marks.values())]
    return (best[0], "crystal.win.tie-break") if len(best) == 1 else ("", "crystal.win.tie")


def _tie_break(table: Crystal, player: CrystalPlayer) -> tuple[int, int, int]:
    """Return hit points, then power in the Attack lane, then in the Tech lane (ruling `tie_break_power`)."""
    if table.options["tie_break_power"] == "current_power":
        return (player.hitpoints, player.attack, player.tech)
    powers = [board.lasting(table, player, LANE[lane]) for lane in ("attack", "tech")]
    return (player.hitpoints, powers[0], powers[1])


# -- out of the game ---------------------------------------------------------------------------------------------------


def eliminate_fallen(table: Crystal) -> None:
    """Put everybody out who has 0 hit points or less, in order of priority."""
    fallen = [player for player in table.players.values() if player.living and player.hitpoints <= 0]
    if fallen and not table.over:
        put_out(table, [player for player in living(table) if player in fallen], ZERO)


def put_out(table: Crystal, fallen: list[CrystalPlayer], rule: str) -> None:
    """Put players out; one who is left wins at once, nobody left is a matter of the ruling `all_eliminated`."""
    for player in fallen:
        table.set(player, "living", False)
        table.derive(ev.PlayerEliminated(player=player.id), rule)
    left = living(table)
    in_attack = table.phase == ATTACK
    if not left:
        end_game(table, _winner_of_the_fallen(table, fallen), "all-eliminated", LAST)
    elif len(left) == 1 and not (in_attack and table.options["last_standing"] == "after_mining"):
        end_game(table, left[0].id, "last-standing", LAST)
    else:
        for player in fallen:
            board.leave_game(table, player)
            table.applied.append("crystal.elimination.leaves")


def _winner_of_the_fallen(table: Crystal, fallen: list[CrystalPlayer]) -> str:
    ruling = table.options["all_eliminated"]
    if ruling == "mining_tie_break":
        return best_of(table, fallen)[0]
    if ruling == "most_hitpoints":
        most = max(player.hitpoints for player in fallen)
        best = [player.id for player in fallen if player.hitpoints == most]
        return best[0] if len(best) == 1 else ""
    return ""


def end_game(table: Crystal, winner: str, reason: str, rule: str) -> None:
    """End the game."""
    ended = ev.GameEnded(winner=winner or None, reason=reason)  # type: ignore[arg-type]  # one of the reasons
    end(table, ended, rule, phase=OVER, active="", owed=())
    table.applied.append("crystal.end.nothing-after-end")
    if reason in WAYS:
        table.applied.append("crystal.win.two-ways")
