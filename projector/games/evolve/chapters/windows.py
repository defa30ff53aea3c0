"""Who may play an event or a response now, and what playing or declining does to the chances of the others.

Silence is a decline: a chance that comes later in the order says that the earlier one was let pass.
"""

from collections.abc import Callable, Mapping
from typing import Final, Literal

import msgspec

from tabletape.events.games import evolve as ev
from tabletape.projector.games.evolve.chapters import BEGIN_STEP, CONSUMING, END_TURN_STEP, EVENTS, MAIN_STEP
from tabletape.projector.games.evolve.chapters.begin_step import begun
from tabletape.projector.games.evolve.state import BEGIN, END, MAIN, Evolve, opponent_of
from tabletape.projector.games.evolve.steps import engage
from tabletape.projector.kit.moves import move
from tabletape.projector.model.phrases import as_ruled, name_of
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken, Check, Verdict, select_rule, stop

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
        may_follow = window == "main" and table.options["window_after_event"] == "current_player_may"
        if not (may_follow and player == table.active and player not in table.played):
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
    window, declined = window_of(table), table.declined
    if not window:
        return
    first, repeats = first_in(table, window), alternates(table, window)
    if player == first:
        second_may_again = window == "begin" and table.options["begin_window"] == "full_pass"
        again = declined and first not in declined and second_may_again
        declined = (player,) if again else (*declined, player)
    else:
        declined = (player,) if first in table.played and repeats else (*declined, first, player)
    table.update(table, declined=declined, played=() if repeats else table.played)


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


# -- rules ------------------------------------------------------------------------------------------------------------


@END_TURN_STEP.rule("evolve.end.no-events", "L258.1")
def no_events_at_the_end(table: Evolve, event: ev.EventPlayed) -> Verdict:
    """No events in the end step."""
    if table.phase != END:
        return None
    return f"{name_of(table, event.player)} plays an event in the end step"


@BEGIN_STEP.rule("evolve.begin.repeat", "L227.1")
def begin_repeat(table: Evolve, event: ev.EventPlayed) -> Verdict:
    """This repeats until neither plays one."""
    if table.phase != BEGIN:
        return NOT_APPLICABLE
    if not window_of(table):
        ruling = as_ruled(table, "begin_window_first")
        return f"{name_of(table, event.player)} plays an event in a begin step in which nothing has happened{ruling}"
    return f"{name_of(table, event.player)} {DECLINED}" if closed_to(table, "begin", event.player) else None


@MAIN_STEP.rule("evolve.main.no-activity-no-events", "L255.1")
def no_activity_no_events(table: Evolve, event: ev.EventPlayed) -> Verdict:
    """Without a play or action nobody may play an event in the main step."""
    if table.phase != MAIN:
        return NOT_APPLICABLE
    what = "plays an event, and no play or action is open to answer"
    return None if window_of(table) else Broken(f"{name_of(table, event.player)} {what}", "a play first")


DECLINED: Final = "has let the chance for an event pass and plays one all the same"


def _open_in(
    window: Window, words: Mapping[Closed, str], ruling: str = "", by: Callable[[Evolve, str], bool] | None = None
) -> Check:
    """Return the check that a window is not closed to whoever plays an event in it; it looks at whom it is `by`.

    `words` are what somebody does to whom it is closed all the same; but for a chance that was let pass they rest on a
    `ruling`.
    """

    def is_open(table: Evolve, event: ev.EventPlayed) -> Verdict:
        if window_of(table) != window or (by is not None and not by(table, event.player)):
            return NOT_APPLICABLE
        closed = closed_to(table, window, event.player)
        if closed not in words:
            return None
        behind = "" if closed == "declined" else as_ruled(table, ruling)
        return f"{name_of(table, event.player)} {words[closed]}{behind}"

    return is_open


single_window: Final = MAIN_STEP.rule(
    "evolve.main.single-window", "L251.1 L252.1", "One event per play or action (by a ruling)."
)(_open_in("main", {"used": "plays a second event to the same play or action"}, "main_window"))
attack_window: Final = CONSUMING.rule(
    "evolve.consume.attack-window",
    "L151.1 L154.1",
    "After the declaration the consumer's controller may play an event; failing that the attacker's controller may.",
)(
    _open_in(
        "attack",
        {"used": "plays a second event to the same answering attack", "declined": DECLINED},
        "attack_window_events",
    )
)
event_when: Final = EVENTS.rule(
    "evolve.event.when",
    "L36.1",
    "A normal event may be played in response to an action, caused by the opponent or as the card says.",
)(
    _open_in(
        "main",
        {"own action": "plays an event in answer to an own play or action"},
        "event_own_action",
        by=lambda table, _player: table.options["event_own_action"] != "both_players",
    )
)
opponent_first: Final = MAIN_STEP.rule(
    "evolve.main.opponent-first", "L251.1", "After each play or action the opponent may first play an event."
)(_open_in("main", {"declined": DECLINED}, by=lambda table, player: player != table.active))
current_second: Final = MAIN_STEP.rule(
    "evolve.main.current-second", "L252.1", "If the opponent does not, the current player may."
)(_open_in("main", {"declined": DECLINED}, by=lambda table, player: player == table.active))


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


@move(ev.EventDeclined, stop(select_rule(begun)), event_windows)
def decline(table: Evolve, event: ev.EventDeclined) -> None:
    """Note that a chance was let pass; for a response the event's own player comes second."""
    engage(table, table.active or event.player)
    player, opened = event.player, table.event
    if event.chance != "response":
        note_decline(table, player)
    elif opened is not None:
        before = (opponent_of(table, player),) if player == opened.player else ()
        declined = (*opened.declined, *before, player)
        table.set(table, "event", msgspec.structs.replace(opened, declined=declined))
