"""In whose turn a line is: in the one that runs, in the next one, or in none, since its player acts out of turn.

What is done out of turn leaves the turn that runs as it is. Only the lines behind it tell whether the table went back
to that turn or on from the player's own one, so both are kept until then, and neither of them is a second mistake.
"""

from typing import Any, Literal

from tabletape.events.rules_file.stated import MoveRules
from tabletape.projector.tabletop.file_rules import FileRules
from tabletape.projector.tabletop.state import Aside, Tabletop, begin_turn, neighbour

Place = Literal["own", "next", "aside", "again", "out"]
"""`own`: in the turn that runs. `next`: it begins another one. `aside`: it goes on with what is out of turn already.
`again`: it is done behind the last action of the own turn. `out`: out of turn otherwise."""


def in_turns(file: FileRules, table: Tabletop, player: str) -> Place:
    """Return in whose turn a line of a player is."""
    rules, active, (who, times, behind) = file.rules, table.active, table.aside
    is_own = active in {"", player}
    if not rules.actions:
        return "own" if is_own else "out"
    least = 1 if rules.fewer else rules.actions
    goes_on = bool(who) and times >= least and neighbour(rules, table, who) == player
    if is_own:
        return "next" if goes_on and behind else "own"
    if who == player and (not times or times % rules.actions):
        return "aside"
    if goes_on or (neighbour(rules, table, active) == player and may_have_ended(file, table)):
        return "next"
    if who == player or done_before(file, table, player):
        return "again"
    return "out"


def done_before(file: FileRules, table: Tabletop, player: str) -> int:
    """Return how many actions a player has taken in the turn that is just over, and behind it; 0 where it is none."""
    before, acts = table.before
    if before != player or acts < file.rules.actions or table.acts or table.perhaps_acts:
        return 0
    return acts + (table.aside.times if table.aside.player == player else 0)


def may_have_ended(file: FileRules, table: Tabletop) -> bool:
    """Return whether a turn may be over: one may do less, or draws count as actions, of which the file says nothing."""
    if file.rules.fewer:
        return True
    return bool(table.perhaps_acts) and table.acts + table.perhaps_acts >= file.rules.actions > table.acts


def take_place(file: FileRules, table: Tabletop, player: Any) -> bool:
    """Take a line of a player as it lies in the turns, and return whether it is in the one that runs then."""
    rules, aside = file.rules, table.aside
    if "turn" in table.unsure:
        done = (table.acts, table.perhaps_acts) if table.active == player else (0, 0)
        drawn = aside.times if aside.player == player else 0
        table.update(table, acts=done[0], perhaps_acts=done[1] + drawn, active=player, aside=Aside())
        table.set(table, "unsure", table.unsure - {"turn"})
        return True
    place = in_turns(file, table, player)
    if place == "next":
        begin_turn(rules, table, table.players[player])
    elif place != "own":
        if aside.player != player:
            table.set(table, "aside", Aside(player, 0, table.acts))
        return False
    # Whoever had the whole turn before that of the one who was passed over has none behind it.
    is_early = aside.times >= rules.actions and not aside.behind and aside.player != table.before[0]
    if aside.player and not (is_early and neighbour(rules, table, player) == aside.player):
        table.set(table, "aside", Aside())
    if table.active != player:
        table.set(table, "active", player)
    return True


def count_act(table: Tabletop, player: str, counted: str) -> None:
    """Count an action of a player: one of the turn that runs, or one out of turn."""
    aside = table.aside
    if aside.player and aside.player == player != table.active:
        table.set(table, "aside", aside._replace(times=aside.times + 1))
    else:
        before = getattr(table, counted)  # as nearly every line does: at once, as a turn begins
        setattr(table, counted, before + 1)
        table.journal.append((table, counted, before, before + 1))


def waits_behind(file: FileRules, table: Tabletop, player: str) -> bool:
    """Return whether what the turn that runs begins with stays owed behind a line: one that is out of that turn."""
    first, owed = file.rules.first, table.owed
    is_first = first is not None and bool(owed) and owed[0].rule == first.rule.id
    return bool(file.rules.actions) and is_first and in_turns(file, table, player) not in {"own", "next"}


def is_drawn_behind(file: FileRules, table: Tabletop, player: str, move: MoveRules) -> bool:
    """Return whether a draw that is no action belongs to the turn before, which its last action has ended."""
    is_free = file.free_draws.get(move.name) is True and bool(file.rules.actions)
    return is_free and not table.acts and neighbour(file.rules, table, player) == table.active != player
