"""Events and responses: which cards answer what, with what choice, and what they do (L35 to L47, L92 to L121)."""

from collections.abc import Iterator

import msgspec

from tabletape.events.games import evolve as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.evolve import changes, selecting, steps
from tabletape.projector.games.evolve.abilities import chosen
from tabletape.projector.games.evolve.chapters import EVENTS, RESPONSES, windows
from tabletape.projector.games.evolve.chapters.begin_step import begun, normal_if_none
from tabletape.projector.games.evolve.chapters.cards import card_location, lay_paid, printed_cost
from tabletape.projector.games.evolve.chapters.playing import play_types
from tabletape.projector.games.evolve.effects import carry_out
from tabletape.projector.games.evolve.naming import reaches
from tabletape.projector.games.evolve.schema import EvolveText
from tabletape.projector.games.evolve.state import Doing, Evolve, Opened
from tabletape.projector.kit.card_verdicts import does, of_card
from tabletape.projector.kit.consequence import consequence
from tabletape.projector.kit.moves import move
from tabletape.projector.model.rules import Broken, Verdict, first_of, select_rule, stop


@EVENTS.rule("evolve.response.only-to-event", "L40.1 L42.1 L44.1 L95.1")
def only_to_event(table: Evolve, event: ev.ResponsePlayed) -> Verdict:
    """An event response is playable only in response to a normal event."""
    alone = Broken(does(table, event, "responds, and no event waits to be answered"), "an event first")
    return None if table.event is not None else alone


@RESPONSES.rule("evolve.event.term", "L92.2", '"Event card" in the walk-through excludes responses.')
@of_card
def event_term(_table: Evolve, _event: ev.EventPlayed, text: EvolveText) -> Verdict:
    """What is played as an event is no response."""
    return f"{text.name} is an event response and answers only an event" if text.response else None


@EVENTS.rule("evolve.event.not-to-event", "L36.1 L95.1")
@of_card
def not_to_event(_table: Evolve, _event: ev.ResponsePlayed, text: EvolveText) -> Verdict:
    """A normal event is not playable in response to an event."""
    return None if text.response else f"{text.name} is no event response, and nothing else answers an event"


@RESPONSES.rule("evolve.event.choices", "L97.1 L115.1")
@of_card
def event_choices(table: Evolve, event: ev.EventPlayed | ev.ResponsePlayed, text: EvolveText) -> Verdict:
    """Choices of an event are made when it is played and must be valid then."""
    wanted = chosen(text.says.effects)
    if wanted is None or wanted.cards is None:
        is_right = event.target is msgspec.UNSET or text.manual
        return None if is_right else Broken(f"{text.name} chooses nothing", "no target")
    if event.target is msgspec.UNSET:
        if wanted.cards.upto or not selecting.targets(table, wanted, event.player):
            return None
        return Broken(f"{text.name} is played without a choice", selecting.cards_in_words(wanted.cards))
    return reaches(table, wanted.cards, event, lambda: f"{text.name} chooses")


def is_withdrawn(table: Evolve, event: ev.EventPlayed | ev.ResponsePlayed) -> bool:
    """Return whether an event that cannot be paid is taken back at once (ruling `event_pay_fail`)."""
    card = table.find(event.card)
    if table.options["event_pay_fail"] != "withdrawn" or card is None or card.text is None:
        return False
    return not selecting.can_pay(table, event.player, card.text)


def events_of(table: Evolve, player: str, *, are_responses: bool = False) -> Iterator[Event]:
    """Return the events a player might play, or the responses to one."""
    line = ev.ResponsePlayed if are_responses else ev.EventPlayed
    for card in selecting.payable_cards(table, player, "event"):
        if card.text.response == are_responses:
            for target in selecting.choices(table, chosen(card.text.says.effects), player):
                yield line(player=player, card=card.name, target=target)


@move(
    ev.ResponsePlayed,
    first_of(only_to_event, windows.at_most_one, windows.opposite_first, windows.primary_second),
    *(stop(card_location), stop(play_types), stop(not_to_event)),
    *(printed_cost, event_choices),
    offers=lambda table, player: events_of(table, player, are_responses=True),
)
def play_response(table: Evolve, event: ev.ResponsePlayed) -> None:
    """Lay a response open, pay for it and make its choice."""
    if is_withdrawn(table, event):
        return
    card, opened = lay_paid(table, event), table.event
    if opened is None:
        changes.to_discard(table, card)
        return
    chosen, responded = event.target or "", (*opened.responded, event.player)
    answer = {"response": card.name, "responder": event.player, "response_target": chosen, "responded": responded}
    table.set(table, "event", msgspec.structs.replace(opened, **answer))


@move(
    ev.EventPlayed,
    first_of(
        *(select_rule(begun), windows.no_events_at_the_end, windows.begin_repeat),
        *(windows.no_activity_no_events, windows.single_window, windows.attack_window),
        *(windows.event_when, windows.opponent_first, windows.current_second),
    ),
    *(stop(card_location), stop(play_types), stop(event_term)),
    *(printed_cost, event_choices),
    offers=events_of,
)
def play_event(table: Evolve, event: ev.EventPlayed) -> None:
    """Lay an event open, pay for it and make its choice."""
    steps.engage(table, table.active or event.player)
    if is_withdrawn(table, event):
        return
    card = lay_paid(table, event)
    windows.note_event(table, event.player)
    table.set(table, "manual", "")
    table.set(table, "event", Opened(player=event.player, card=card.name, target=event.target or ""))
    if table.watching:
        changes.fire(table, "event.played", table.watching)


@steps.resolves("event")
def _carry_out_event(table: Evolve, event: Opened) -> None:
    """Carry out an event, or the response to it, and put the card away first."""
    card = table.find(event.response or event.card)
    player, target, shielded, left = event.player, event.target, event.shielded, None
    if event.response:
        table.applied += ["evolve.response.timing", "evolve.response.not-to-response"]
        player, target, shielded = event.responder, event.response_target, ()
        left = msgspec.structs.replace(event, response="")
    table.set(table, "event", left)
    if card is None:
        return
    text = card.text
    if text is not None and text.manual:
        table.set(table, "manual", card.name)
    is_cancelled = event.cancelled and not event.response
    if is_cancelled:
        table.derive(ev.EventCancelled(card=card.name), "evolve.response.resolves-first")
    if is_cancelled and table.options["cancelled_event"] == "back_to_hand":
        changes.hand_back(table, card)
    else:
        changes.to_discard(table, card)
        table.applied.append("evolve.event.to-discard")
    if text is not None and not is_cancelled:
        means, effects = "response" if text.response else "event", text.says.effects
        doing = Doing(source=card.name, player=player, means=means, effects=effects, target=target, shielded=shielded)
        carry_out(table, doing)


@consequence(ev.EventCancelled, rule=normal_if_none, why="no response has cancelled it")
def cancelled(table: Evolve, event: ev.EventCancelled, _expected: object) -> None:
    """Close the open event without effect."""
    if table.event is not None and table.event.card == event.card:
        changes.cancel(table)
