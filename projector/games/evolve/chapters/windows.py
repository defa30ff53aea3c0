"""Who may play an event or a response now, and what playing or declining does to the chances of the others.

Silence is a decline: a chance that comes later in the order says that the earlier one was let pass.
"""

from collections.abc import Callable, Mapping
from typing import Final, Literal

import msgspec

from tabletape.events.games import evolve as ev
from tabletape.projector.games.evolve import steps
from tabletape.projector.games.evolve.chapters import BEGIN_STEP, CONSUMING, END_TURN_STEP, EVENTS, MAIN_STEP, RESPONSES
from tabletape.projector.games.evolve.chapters.begin_step import begun
from tabletape.projector.games.evolve.state import BEGIN, END, MAIN, Evolve, opponent_of
from tabletape.projector.kit.card_verdicts import does
from tabletape.projector.kit.moves import move
from tabletape.projector.model.phrases import as_ruled
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken, Check, Verdict, select_rule, stop

Window = Literal["", "begin", "main", "attack", "response"]
Closed = Literal["", "used", "declined", "own"]


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
    """Return why a player may not play an event in an open window, or nothing where the player may.

    In that of responses it is a response to the open event.
    """
    options, opened = table.options, table.event
    if window == "response" and opened is not None:
        if opened.responded and (options["response_count"] == "one_per_event" or player in opened.responded):
            return "used"
        if player == opened.player and options["response_own"] == "forbidden":
            return "own"
        return "declined" if player in opened.declined else ""
    if window == "main" and player == table.active and options["event_own_action"] == "opponent_only":
        return "own"
    if table.played and not alternates(table, window):
        may_follow = window == "main" and options["window_after_event"] == "current_player_may"
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


def note_event(table: Evolve, player: str) -> None:
    """Note that a player has played an event in the window that is open."""
    if alternates(table, window_of(table)):
        table.update(table, declined=(), played=(player,))
    else:
        table.set(table, "played", (*table.played, player))


DECLINED: Final = "has let the chance for {} pass and plays one all the same"
NO_EVENT: Final = DECLINED.format("an event")


def _open_in(
    window: Window, words: Mapping[Closed, str], ruling: str = "", by: Callable[[Evolve, str], bool] | None = None
) -> Check:
    """Return the check that a window is not closed to whoever plays a card in it; it looks at whom it is `by`.

    `words` are what somebody does to whom it is closed all the same; but for a chance that was let pass they rest on a
    `ruling`.
    """

    def is_open(table: Evolve, event: ev.EventPlayed | ev.ResponsePlayed) -> Verdict:
        if by is not None and not by(table, event.player):
            return NOT_APPLICABLE
        if not (table.event is not None if window == "response" else window_of(table) == window):
            return NOT_APPLICABLE
        closed = closed_to(table, window, event.player)
        return does(table, event, words[closed], "" if closed == "declined" else ruling) if closed in words else None

    return is_open


@END_TURN_STEP.rule("evolve.end.no-events", "L258.1")
def no_events_at_the_end(table: Evolve, event: ev.EventPlayed) -> Verdict:
    """No events in the end step."""
    return does(table, event, "plays an event in the end step") if table.phase == END else None


@BEGIN_STEP.rule("evolve.begin.repeat", "L227.1")
def begin_repeat(table: Evolve, event: ev.EventPlayed) -> Verdict:
    """This repeats until neither plays one."""
    if table.phase != BEGIN:
        return NOT_APPLICABLE
    if not window_of(table):
        return does(table, event, "plays an event in a begin step in which nothing has happened", "begin_window_first")
    return does(table, event, NO_EVENT) if closed_to(table, "begin", event.player) else None


@MAIN_STEP.rule("evolve.main.no-activity-no-events", "L255.1")
def no_activity_no_events(table: Evolve, event: ev.EventPlayed) -> Verdict:
    """Without a play or action nobody may play an event in the main step."""
    if table.phase != MAIN:
        return NOT_APPLICABLE
    what = "plays an event, and no play or action is open to answer"
    return None if window_of(table) else Broken(does(table, event, what), "a play first")


single_window: Final = MAIN_STEP.rule(
    "evolve.main.single-window", "L251.1 L252.1", "One event per play or action (by a ruling)."
)(_open_in("main", {"used": "plays a second event to the same play or action"}, "main_window"))
SECOND_TO_ATTACK: Final = "plays a second event to the same answering attack"
attack_window: Final = CONSUMING.rule(
    "evolve.consume.attack-window",
    "L151.1 L154.1",
    "After the declaration the consumer's controller may play an event; failing that the attacker's controller may.",
)(_open_in("attack", {"used": SECOND_TO_ATTACK, "declined": NO_EVENT}, "attack_window_events"))
event_when: Final = EVENTS.rule(
    "evolve.event.when",
    "L36.1",
    "A normal event may be played in response to an action, caused by the opponent or as the card says.",
)(
    _open_in(
        "main",
        {"own": "plays an event in answer to an own play or action"},
        "event_own_action",
        by=lambda table, _player: table.options["event_own_action"] != "both_players",
    )
)
opponent_first: Final = MAIN_STEP.rule(
    "evolve.main.opponent-first", "L251.1", "After each play or action the opponent may first play an event."
)(_open_in("main", {"declined": NO_EVENT}, by=lambda table, player: player != table.active))
current_second: Final = MAIN_STEP.rule(
    "evolve.main.current-second", "L252.1", "If the opponent does not, the current player may."
)(_open_in("main", {"declined": NO_EVENT}, by=lambda table, player: player == table.active))


def _is_own_event(table: Evolve, player: str) -> bool:
    return table.event is not None and table.event.player == player


at_most_one: Final = RESPONSES.rule(
    "evolve.response.at-most-one", "L105.1", "At most one response is played to an event (inferred)."
)(_open_in("response", {"used": "responds to an event that has been responded to"}, "response_count"))
OWN_EVENT: Final[Mapping[Closed, str]] = {"own": "responds to an own event", "declined": DECLINED.format("a response")}
opposite_first: Final = RESPONSES.rule(
    "evolve.response.opposite-first",
    "L97.1",
    "The first chance to respond is that of the player whose event it is not.",
)(_open_in("response", OWN_EVENT, "response_own", by=lambda table, player: not _is_own_event(table, player)))
primary_second: Final = RESPONSES.rule(
    "evolve.response.primary-second", "L105.1", "If that player declines, the player of the event may respond."
)(_open_in("response", OWN_EVENT, "response_own", by=_is_own_event))


@EVENTS.rule("evolve.event.windows", "L37.1 L92.1", "The exact moments are those of the turn walk-through.")
def event_windows(table: Evolve, event: ev.EventDeclined) -> Verdict:
    """Only a chance that is open can be let pass."""
    why = _no_chance(table, event)
    what = "a response" if event.chance == "response" else "an event"
    return does(table, event, f"has no chance for {what} to let pass: {why}") if why else None


def _no_chance(table: Evolve, event: ev.EventDeclined) -> str:
    """Return why a player cannot play an event, or a response to one; nothing where the player can."""
    is_response = event.chance == "response"
    window: Window = "response" if is_response else window_of(table)
    if (table.event is not None) != is_response:
        return "no event waits to be answered" if is_response else "an event waits to be answered or to happen"
    if not window:
        moments = {END: "the end step has none", MAIN: "no play or action is open to answer"}
        return moments.get(
            table.phase, f"nothing has happened in this begin step{as_ruled(table, 'begin_window_first')}"
        )
    closed = closed_to(table, window, event.player)
    if not closed:
        return ""
    own, ruling = ("event", "response_own") if is_response else ("play or action", "event_own_action")
    reasons: Mapping[Closed, str] = {
        "used": "the event has been responded to" if is_response else "an event has been played there already",
        "declined": "it has been let pass already",
        "own": f"the {own} is an own one{as_ruled(table, ruling)}",
    }
    return reasons[closed]


@move(ev.EventDeclined, stop(select_rule(begun)), event_windows)
def decline(table: Evolve, event: ev.EventDeclined) -> None:
    """Note that a chance was let pass; for a response the event's own player comes second."""
    steps.engage(table, table.active or event.player)
    player, opened = event.player, table.event
    if event.chance != "response":
        _note_decline(table, player)
    elif opened is not None:
        before = (opponent_of(table, player),) if player == opened.player else ()
        declined = (*opened.declined, *before, player)
        table.set(table, "event", msgspec.structs.replace(opened, declined=declined))


def _note_decline(table: Evolve, player: str) -> None:
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
    table.set(table, "declined", declined)
    if repeats:
        table.set(table, "played", ())
