"""Who may play an event or a response now, and what playing or declining does to the chances of the others.

Silence is a decline: a chance that comes later in the order says that the earlier one was let pass.
"""

from typing import Literal

import msgspec

from projector.games.evolve.state import BEGIN, MAIN, Evolve, opponent_of

Window = Literal["", "begin", "main", "attack"]
Closed = Literal["", "used", "declined", "own action"]


def window_of(table: Evolve) -> Window:
    """Return the window in which an event may be played, or nothing."""
    if table.phase == BEGIN:
        return "begin" if table.triggered or table.options["begin_window_first"] == "every_turn" else ""
    if table.phase != MAIN:
        return ""
    if table.answer is not None:
        return "attack"
    return "" if table.pending is None else "main"


def first_in(table: Evolve, window: Window) -> str:
    """Return the player who has the first chance in a window.

    That is the opponent of the player on turn, except after an answering attack: there it is the player whose
    organism is attacked (L151.1, L223.1, L251.1).
    """
    if window == "attack" and table.answer is not None:
        return opponent_of(table, table.answer.player)
    return opponent_of(table, table.active)


def alternates(table: Evolve, window: Window) -> bool:
    """Return whether a window goes on in turn until both players let it pass."""
    if window == "begin":
        return True
    return table.options["attack_window_events" if window == "attack" else "main_window"] == "alternating"


def closed_to(table: Evolve, window: Window, player: str) -> Closed:
    """Return why a player may not play an event in an open window, or nothing where the player may."""
    if window == "main" and player == table.active and table.options["event_own_action"] == "opponent_only":
        return "own action"
    if table.played and not alternates(table, window):
        follows = (
            window == "main"
            and table.options["window_after_event"] == "current_player_may"
            and player == table.active
            and player not in table.played
        )
        if not follows:
            return "used"
    return "declined" if player in table.declined else ""


def ends_at_once(table: Evolve, player: str) -> bool:
    """Return whether a status of the hand, given up now, ends another one at once (ruling `status_hand_timing`).

    Otherwise it is a play of the own main step, which events may answer; where anything goes it is one there too.
    """
    timing = table.options["status_hand_timing"]
    if timing != "any_time":
        return timing == "like_events"
    return player != table.active or table.phase != MAIN or table.event is not None


def note_event(table: Evolve, window: Window, player: str) -> None:
    """Note that a player has played an event in a window."""
    if alternates(table, window):
        table.set(table, "declined", ())
        table.set(table, "played", (player,))
    else:
        table.set(table, "played", (*table.played, player))


def note_decline(table: Evolve, player: str) -> None:
    """Note that a player lets the chance for an event pass.

    A decline by the second in the order says that the first has let the chance pass too, if no event of the first
    stands there. In a window that repeats, the second one's decline after such an event begins the next pass, in which
    the first one has a chance again.
    """
    window = window_of(table)
    first = first_in(table, window)
    if not window:
        return
    if player == first:
        second_may_again = alternates(table, window) and table.options["begin_window"] == "full_pass"
        again = table.declined and first not in table.declined and window == "begin" and second_may_again
        table.set(table, "declined", (player,) if again else (*table.declined, player))
    elif first in table.played and alternates(table, window):
        table.set(table, "declined", (player,))
    else:
        table.set(table, "declined", (*table.declined, first, player))
    table.set(table, "played", () if alternates(table, window) else table.played)


def response_closed_to(table: Evolve, player: str) -> Literal["", "no event", "answered", "declined", "own event"]:
    """Return why a player may not respond to the open event, or nothing where the player may."""
    event = table.event
    if event is None:
        return "no event"
    if event.responded and (table.options["response_count"] == "one_per_event" or player in event.responded):
        return "answered"
    if player == event.player and table.options["response_own"] == "forbidden":
        return "own event"
    return "declined" if player in event.declined else ""


def note_response_decline(table: Evolve, player: str) -> None:
    """Note that a player lets the chance for a response pass; the event's own player comes second."""
    event = table.event
    if event is not None:
        other = opponent_of(table, player)
        declined = (*event.declined, other, player) if player == event.player else (*event.declined, player)
        table.set(table, "event", msgspec.structs.replace(event, declined=declined))
