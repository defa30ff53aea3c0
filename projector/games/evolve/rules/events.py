"""Events and responses: who may play one when, and what they choose (L35 to L47, L92 to L121, L223 to L258)."""

from msgspec import UNSET

from events.games import evolve as ev
from projector.games.evolve.abilities import chosen
from projector.games.evolve.naming import misfit_in_words
from projector.games.evolve.rules.common import known, unless_unknown
from projector.games.evolve.schema import EvolveText
from projector.games.evolve.selecting import cards_in_words, fits, lying_in_play
from projector.games.evolve.state import BEGIN, END, MAIN, Evolve
from projector.games.evolve.windows import closed_to, response_closed_to, window_of
from projector.model.phrases import as_ruled, name_of
from projector.model.rules import NOT_APPLICABLE, Broken, Verdict, case, rule

# -- when an event may be played ---------------------------------------------------------------------------------------


@rule("evolve.end.no-events", "End Turn Step", "L258.1", "No events in the end step.")
def no_events_at_the_end(table: Evolve, event: ev.EventPlayed) -> Verdict:
    """No event once the end step has begun."""
    if table.phase != END:
        return None
    return f"{name_of(table, event.player)} plays an event in the end step"


@rule("evolve.begin.repeat", "Begin Turn Step", "L227.1", "This repeats until neither plays one.")
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


@rule(
    "evolve.main.no-activity-no-events",
    "Main Turn Step",
    "L255.1",
    "Without a play or action nobody may play an event in the main step.",
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


@rule(
    "evolve.main.single-window",
    "Main Turn Step",
    "L251.1 L252.1",
    "One event per play or action (reading; ruling `main_window`).",
)
def single_window(table: Evolve, event: ev.EventPlayed) -> Verdict:
    """One event for each play or action (rulings `main_window` and `window_after_event`)."""
    if table.phase != MAIN or window_of(table) != "main":
        return NOT_APPLICABLE
    if closed_to(table, "main", event.player) != "used":
        return None
    ruling = as_ruled(table, "main_window")
    return f"{name_of(table, event.player)} plays a second event to the same play or action{ruling}"


@rule(
    "evolve.consume.attack-window",
    "Consuming Food and Organism Stress",
    "L151.1 L154.1",
    "After the declaration the consumer's controller may play an event; failing that the attacker's controller may.",
)
def attack_window(table: Evolve, event: ev.EventPlayed) -> Verdict:
    """One event after an answering attack (ruling `attack_window_events`)."""
    if window_of(table) != "attack":
        return NOT_APPLICABLE
    closed = closed_to(table, "attack", event.player)
    if closed == "used":
        ruling = as_ruled(table, "attack_window_events")
        return f"{name_of(table, event.player)} plays a second event to the same answering attack{ruling}"
    return _after_declining(table, event) if closed else None


@rule(
    "evolve.event.when",
    "Events",
    "L36.1",
    "A normal event may be played in response to an action, caused by the opponent or as the card says.",
)
def event_when(table: Evolve, event: ev.EventPlayed) -> Verdict:
    """Where the table reads L36.1 so, events answer only what the opponent does (ruling `event_own_action`)."""
    if window_of(table) != "main" or table.options["event_own_action"] == "both_players":
        return NOT_APPLICABLE
    if closed_to(table, "main", event.player) != "own action":
        return None
    ruling = as_ruled(table, "event_own_action")
    return f"{name_of(table, event.player)} plays an event in answer to an own play or action{ruling}"


@rule(
    "evolve.main.opponent-first",
    "Main Turn Step",
    "L251.1",
    "After each play or action the opponent may first play an event.",
)
def opponent_first(table: Evolve, event: ev.EventPlayed) -> Verdict:
    """The opponent has the first chance after a play or action."""
    return NOT_APPLICABLE if event.player == table.active else _has_chance(table, event)


def _has_chance(table: Evolve, event: ev.EventPlayed) -> Verdict:
    if window_of(table) != "main":
        return NOT_APPLICABLE
    return _after_declining(table, event) if closed_to(table, "main", event.player) == "declined" else None


@rule("evolve.main.current-second", "Main Turn Step", "L252.1", "If the opponent does not, the current player may.")
def current_second(table: Evolve, event: ev.EventPlayed) -> Verdict:
    """The current player has the second chance."""
    return _has_chance(table, event) if event.player == table.active else NOT_APPLICABLE


@rule("evolve.event.windows", "Events", "L37.1 L92.1", "The exact moments are those of the turn walk-through.")
def event_windows(table: Evolve, event: ev.EventDeclined) -> Verdict:
    """Only a chance that is open can be let pass."""
    why = _no_response(table, event.player) if event.chance == "response" else _no_event(table, event.player)
    what = "a response" if event.chance == "response" else "an event"
    return f"{name_of(table, event.player)} has no chance for {what} to let pass: {why}" if why else None


def _no_response(table: Evolve, player: str) -> str:
    """Return why a player cannot respond to an event, or nothing."""
    closed = response_closed_to(table, player)
    if not closed:
        return ""
    reasons = {
        "no event": "no event waits to be answered",
        "answered": "the event has been responded to",
        "declined": "it has been let pass already",
        "own event": f"the event is an own one{as_ruled(table, 'response_own')}",
    }
    return reasons[closed]


def _no_event(table: Evolve, player: str) -> str:
    """Return why a player cannot play an event, or nothing."""
    if table.event is not None:
        return "an event waits to be answered or to happen"
    window = window_of(table)
    if not window:
        moments = {END: "the end step has none", MAIN: "no play or action is open to answer"}
        ruling = as_ruled(table, "begin_window_first")
        return moments.get(table.phase, f"nothing has happened in this begin step{ruling}")
    closed = closed_to(table, window, player)
    if not closed:
        return ""
    reasons = {
        "used": "an event has been played there already",
        "declined": "it has been let pass already",
        "own action": f"the play or action is an own one{as_ruled(table, 'event_own_action')}",
    }
    return reasons[closed]


@case(event_windows)
def status_given_up_like_event(table: Evolve, event: ev.StatusEnded) -> Verdict:
    """A status of the hand is given up when events may be played, or at any time (ruling `status_hand_timing`)."""
    if table.options["status_hand_timing"] == "any_time":
        return NOT_APPLICABLE
    window = window_of(table)
    if window and not closed_to(table, window, event.player):
        return None
    ruling = as_ruled(table, "status_hand_timing")
    return f"{name_of(table, event.player)} gives up a status while no event of theirs could be played{ruling}"


# -- responses ---------------------------------------------------------------------------------------------------------


@rule(
    "evolve.response.only-to-event",
    "Events",
    "L40.1 L42.1 L44.1 L95.1",
    "An event response is playable only in response to a normal event.",
)
def only_to_event(table: Evolve, event: ev.ResponsePlayed) -> Verdict:
    """A response answers an event that has not happened yet."""
    if table.event is not None:
        return None
    return Broken(f"{name_of(table, event.player)} responds, and no event waits to be answered", "an event first")


@rule(
    "evolve.response.at-most-one",
    "Event Response Cards",
    "L105.1",
    "At most one response is played to an event (inferred).",
)
def at_most_one(table: Evolve, event: ev.ResponsePlayed) -> Verdict:
    """One response to an event (ruling `response_count`)."""
    if response_closed_to(table, event.player) != "answered":
        return None
    ruling = as_ruled(table, "response_count")
    return f"{name_of(table, event.player)} responds to an event that has been responded to{ruling}"


def _may_respond(table: Evolve, event: ev.ResponsePlayed, *, is_own: bool) -> Verdict:
    if table.event is None or (table.event.player == event.player) != is_own:
        return NOT_APPLICABLE
    closed = response_closed_to(table, event.player)
    if closed == "own event":
        return f"{name_of(table, event.player)} responds to an own event{as_ruled(table, 'response_own')}"
    if closed == "declined":
        return f"{name_of(table, event.player)} has let the chance for a response pass and plays one all the same"
    return None


@rule(
    "evolve.response.opposite-first",
    "Event Response Cards",
    "L97.1",
    "The first chance to respond is that of the player whose event it is not.",
)
def opposite_first(table: Evolve, event: ev.ResponsePlayed) -> Verdict:
    """The player whose event it is not has the first chance."""
    return _may_respond(table, event, is_own=False)


@rule(
    "evolve.response.primary-second",
    "Event Response Cards",
    "L105.1",
    "If that player declines, the player of the event may respond.",
)
def primary_second(table: Evolve, event: ev.ResponsePlayed) -> Verdict:
    """The player whose event it is has the second chance (ruling `response_own`)."""
    return _may_respond(table, event, is_own=True)


# -- which card, with what choice --------------------------------------------------------------------------------------


@rule("evolve.event.term", "Event Response Cards", "L92.2", '"Event card" in the walk-through excludes responses.')
def event_term(table: Evolve, event: ev.EventPlayed) -> Verdict:
    """What is played as an event is no response."""
    return known(
        table,
        event.card,
        lambda text: f"{text.name} is an event response and answers only an event" if text.response else None,
    )


@rule("evolve.event.not-to-event", "Events", "L36.1 L95.1", "A normal event is not playable in response to an event.")
def not_to_event(table: Evolve, event: ev.ResponsePlayed) -> Verdict:
    """What answers an event is a response."""
    return known(
        table,
        event.card,
        lambda text: None if text.response else f"{text.name} is no event response, and nothing else answers an event",
    )


@rule(
    "evolve.event.choices",
    "Event Response Cards",
    "L97.1 L115.1",
    "Choices of an event are made when it is played and must be valid then.",
)
def event_choices(table: Evolve, event: ev.EventPlayed | ev.ResponsePlayed) -> Verdict:
    """The choice fits the card when it is made, and nothing is chosen where nothing is to be chosen."""
    return known(table, event.card, lambda text: _chooses(table, event, text))


def _chooses(table: Evolve, event: ev.EventPlayed | ev.ResponsePlayed, text: EvolveText) -> Verdict:
    wanted = chosen(text.says.effects)
    if wanted is None or wanted.cards is None:
        return None if event.target is UNSET or text.manual else Broken(f"{text.name} chooses nothing", "no target")
    if event.target is UNSET:
        free = wanted.cards.upto or not any(fits(wanted.cards, card, event.player) for card in lying_in_play(table))
        return None if free else Broken(f"{text.name} is played without a choice", cards_in_words(wanted.cards))
    target = table.find(event.target)
    if target is not None and fits(wanted.cards, target, event.player):
        return None
    if target is not None and target.text is None:
        return known(table, event.target, lambda _: None)
    message = f"{text.name} chooses {misfit_in_words(table, wanted.cards, event.target, event.player)}"
    return unless_unknown(table, event.target, message, cards_in_words(wanted.cards))
