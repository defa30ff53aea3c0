"""Who may play an event or a response now, and what playing or declining does to the chances of the others.

Silence is a decline: a chance that comes later in the order says that the earlier one was let pass.
"""

from typing import Final, Literal

import msgspec

from tabletape.events.games import evolve as ev
from tabletape.projector.games.evolve.chapters import BEGIN_STEP, CONSUMING, END_TURN_STEP, EVENTS, MAIN_STEP
from tabletape.projector.games.evolve.chapters.begin_step import begun
from tabletape.projector.games.evolve.state import BEGIN, END, MAIN, Evolve, opponent_of
from tabletape.projector.games.evolve.steps import engage
from tabletape.projector.kit.moves import Move
from tabletape.projector.model.phrases import as_ruled, name_of
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken, Verdict, select_rule, stop

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
        table.update(table, declined=(), played=(player,))
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


# -- rules ------------------------------------------------------------------------------------------------------------


@END_TURN_STEP.rule("evolve.end.no-events", "L258.1", "No events in the end step.")
def no_events_at_the_end(table: Evolve, event: ev.EventPlayed) -> Verdict:
    """No event once the end step has begun."""
    if table.phase != END:
        return None
    return f"{name_of(table, event.player)} plays an event in the end step"


@BEGIN_STEP.rule("evolve.begin.repeat", "L227.1", "This repeats until neither plays one.")
def begin_repeat(table: Evolve, event: ev.EventPlayed) -> Verdict:
    """Who has let the chance pass waits for the other player (ruling `begin_window`)."""
    if table.phase != BEGIN:
        return NOT_APPLICABLE
    if not window_of(table):
        ruling = as_ruled(table, "begin_window_first")
        return f"{name_of(table, event.player)} plays an event in a begin step in which nothing has happened{ruling}"
    return _after_declining(table, event) if closed_to(table, "begin", event.player) else None


def _after_declining(table: Evolve, event: ev.EventPlayed) -> str:
    return f"{name_of(table, event.player)} has let the chance for an event pass and plays one all the same"


@MAIN_STEP.rule(
    "evolve.main.no-activity-no-events", "L255.1", "Without a play or action nobody may play an event in the main step."
)
def no_activity_no_events(table: Evolve, event: ev.EventPlayed) -> Verdict:
    """In the main step an event answers a play or action."""
    if table.phase != MAIN:
        return NOT_APPLICABLE
    if window_of(table):
        return None
    return Broken(
        f"{name_of(table, event.player)} plays an event, and no play or action is open to answer", "a play first"
    )


@MAIN_STEP.rule("evolve.main.single-window", "L251.1 L252.1", "One event per play or action (by a ruling).")
def single_window(table: Evolve, event: ev.EventPlayed) -> Verdict:
    """One event for each play or action (rulings `main_window` and `window_after_event`)."""
    if table.phase != MAIN or window_of(table) != "main":
        return NOT_APPLICABLE
    if closed_to(table, "main", event.player) != "used":
        return None
    ruling = as_ruled(table, "main_window")
    return f"{name_of(table, event.player)} plays a second event to the same play or action{ruling}"


@CONSUMING.rule(
    "evolve.consume.attack-window",
    "L151.1 L154.1",
    "After the declaration the consumer's controller may play an event; failing that the attacker's controller may.",
)
def attack_window(table: Evolve, event: ev.EventPlayed) -> Verdict:
    """One event after an answering attack (ruling `attack_window_events`)."""
    if table.answer is None or window_of(table) != "attack":
        return NOT_APPLICABLE
    closed = closed_to(table, "attack", event.player)
    if closed == "used":
        ruling = as_ruled(table, "attack_window_events")
        return f"{name_of(table, event.player)} plays a second event to the same answering attack{ruling}"
    return _after_declining(table, event) if closed else None


@EVENTS.rule(
    "evolve.event.when",
    "L36.1",
    "A normal event may be played in response to an action, caused by the opponent or as the card says.",
)
def event_when(table: Evolve, event: ev.EventPlayed) -> Verdict:
    """Where the table reads L36.1 so, events answer only what the opponent does (ruling `event_own_action`)."""
    if table.options["event_own_action"] == "both_players" or window_of(table) != "main":
        return NOT_APPLICABLE
    if closed_to(table, "main", event.player) != "own action":
        return None
    ruling = as_ruled(table, "event_own_action")
    return f"{name_of(table, event.player)} plays an event in answer to an own play or action{ruling}"


@MAIN_STEP.rule(
    "evolve.main.opponent-first", "L251.1", "After each play or action the opponent may first play an event."
)
def opponent_first(table: Evolve, event: ev.EventPlayed) -> Verdict:
    """The opponent has the first chance after a play or action."""
    return NOT_APPLICABLE if event.player == table.active else _has_chance(table, event)


def _has_chance(table: Evolve, event: ev.EventPlayed) -> Verdict:
    if table.phase != MAIN or window_of(table) != "main":
        return NOT_APPLICABLE
    return _after_declining(table, event) if closed_to(table, "main", event.player) == "declined" else None


@MAIN_STEP.rule("evolve.main.current-second", "L252.1", "If the opponent does not, the current player may.")
def current_second(table: Evolve, event: ev.EventPlayed) -> Verdict:
    """The current player has the second chance."""
    return _has_chance(table, event) if event.player == table.active else NOT_APPLICABLE


@EVENTS.rule("evolve.event.windows", "L37.1 L92.1", "The exact moments are those of the turn walk-through.")
def event_windows(table: Evolve, event: ev.EventDeclined) -> Verdict:
    """Only a chance that is open can be let pass."""
    why = _no_response(table, event.player) if event.chance == "response" else _no_event(table, event.player)
    what = "a response" if event.chance == "response" else "an event"
    return f"{name_of(table, event.player)} has no chance for {what} to let pass: {why}" if why else None


def _no_response(table: Evolve, player: str) -> str:
    """Return why a player cannot respond to an event, or nothing."""
    reasons = {
        "no event": "no event waits to be answered",
        "answered": "the event has been responded to",
        "declined": "it has been let pass already",
        "own event": f"the event is an own one{as_ruled(table, 'response_own')}",
    }
    return reasons.get(response_closed_to(table, player), "")


def _no_event(table: Evolve, player: str) -> str:
    """Return why a player cannot play an event, or nothing."""
    if table.event is not None:
        return "an event waits to be answered or to happen"
    window = window_of(table)
    if not window:
        moments = {END: "the end step has none", MAIN: "no play or action is open to answer"}
        ruling = as_ruled(table, "begin_window_first")
        return moments.get(table.phase, f"nothing has happened in this begin step{ruling}")
    reasons = {
        "used": "an event has been played there already",
        "declined": "it has been let pass already",
        "own action": f"the play or action is an own one{as_ruled(table, 'event_own_action')}",
    }
    return reasons.get(closed_to(table, window, player), "")


def decline(table: Evolve, event: ev.EventDeclined) -> None:
    """Note that a chance was let pass."""
    engage(table, table.active or event.player)
    if event.chance == "response":
        note_response_decline(table, event.player)
    else:
        note_decline(table, event.player)


MOVES: Final = (Move(line=ev.EventDeclined, needs=(stop(select_rule(begun)), event_windows), does=decline),)
