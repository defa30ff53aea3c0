"""Statuses: one of each subtype in play, and another one of the hand ends it (L60 to L74)."""

from collections.abc import Iterator
from typing import Final

from tabletape.events.games import evolve as ev
from tabletape.projector.games.evolve import changes, steps
from tabletape.projector.games.evolve.chapters import STATUSES, windows
from tabletape.projector.games.evolve.chapters.begin_step import drawn_before
from tabletape.projector.games.evolve.chapters.cards import affordable, card_location, is_own_main_step
from tabletape.projector.games.evolve.chapters.playing import announce, own_main_step, play_card, play_types
from tabletape.projector.games.evolve.naming import elsewhere, in_hand, short_of
from tabletape.projector.games.evolve.schema import EvolveText
from tabletape.projector.games.evolve.selecting import can_pay, held_cards, mp_cost, shared_subtypes
from tabletape.projector.games.evolve.state import DRAW, SETUP, Evolve, Pending
from tabletape.projector.kit.card_verdicts import does, known
from tabletape.projector.kit.moves import Move, move
from tabletape.projector.model.phrases import as_ruled, name_of, title_of
from tabletape.projector.model.rules import NOT_APPLICABLE, Case, Rule, Verdict, case, select_rule, stop


@STATUSES.rule("evolve.status.one-per-subtype", "L66.1")
def one_per_subtype(table: Evolve, event: ev.StatusPlayed) -> Verdict:
    """At most one status of each subtype is in play."""
    if table.options["status_conflict"] == "replaces":
        return NOT_APPLICABLE

    def is_new(text: EvolveText) -> Verdict:
        known_texts = (other.text for other in table.zones["status"].cards if other.text is not None)
        other = next((each for each in known_texts if shared_subtypes(table, text, each)), None)
        if other is None:
            return None
        shared, ruling = min(shared_subtypes(table, text, other)), as_ruled(table, "status_conflict")
        return f"{text.name} is {shared}, and so is {other.name}, which is in play{ruling}"

    return known(table, event.card, is_new)


@steps.resolves("status")
def _enter_status(table: Evolve, pending: Pending) -> None:
    """Put a status into play."""
    card = table.card(pending.card)
    if table.options["status_conflict"] == "replaces" and card.text is not None:
        for other in list(table.zones["status"].cards):
            if other.text is not None and shared_subtypes(table, card.text, other.text):
                changes.leave(table, other, "status-ended", "evolve.status.one-per-subtype")
    changes.enter(table, card, table.zones["status"], pending.player)


def _may_give_up(table: Evolve, event: ev.StatusEnded) -> Rule | Case:
    """Return which rule decides whether a status of the hand may be given up now (ruling `status_hand_timing`)."""
    timing = table.options["status_hand_timing"]
    if timing == "own_main_step" or table.phase == SETUP:
        return own_main_step(table, event)
    return drawn_before if timing == "like_events" and table.phase == DRAW else status_given_up_like_event


@case(windows.event_windows)
def status_given_up_like_event(table: Evolve, event: ev.StatusEnded) -> Verdict:
    """A status of the hand is given up when events may be played, or at any time (ruling `status_hand_timing`)."""
    if table.options["status_hand_timing"] == "any_time":
        return NOT_APPLICABLE
    window = windows.window_of(table)
    if window and not windows.closed_to(table, window, event.player):
        return None
    return does(table, event, "gives up a status while no event of theirs could be played", "status_hand_timing")


@STATUSES.rule("evolve.status.hand-only", "L68.1")
def status_hand_only(table: Evolve, event: ev.StatusEnded) -> Verdict:
    """Each status can be used from hand to end another one; only from hand."""
    only = "is no status, and only a status of the hand is given up"
    return in_hand(table, event, event.card) or known(
        table, event.card, lambda text: None if text.kind == "status" else f"{text.name} {only}"
    )


@STATUSES.rule("evolve.status.hand-ability", "L68.1")
def status_hand_ability(table: Evolve, event: ev.StatusEnded) -> Verdict:
    """The target is a status in play."""
    target = table.find(event.target)
    if target is None or target.zone.name != "status":
        return elsewhere(table, event, event.target, ", and only a status in play can be ended", "a status in play")
    if table.options["status_target_own"] == "opponents_only" and target.controller == event.player:
        name = name_of(table, event.player)
        ruling = as_ruled(table, "status_target_own")
        return f"{title_of(target)} is a status of {name}, who may end only those of the other player{ruling}"
    return None


@STATUSES.rule("evolve.status.hand-subtype", "L68.1")
def status_hand_subtype(table: Evolve, event: ev.StatusEnded) -> Verdict:
    """The status in play must have the subtype of the used card."""
    target = table.find(event.target)
    if target is None or target.text is None:
        return NOT_APPLICABLE
    theirs: EvolveText = target.text

    def shares(text: EvolveText) -> Verdict:
        if text.kind != "status":
            return NOT_APPLICABLE
        return None if shared_subtypes(table, text, theirs) else f"{text.name} shares no subtype with {theirs.name}"

    return known(table, event.card, shares)


@STATUSES.rule("evolve.status.hand-cost", "L68.1")
def status_hand_cost(table: Evolve, event: ev.StatusEnded) -> Verdict:
    """That use costs the MP cost of the status in play."""
    target = table.find(event.target)
    if target is None or target.text is None:
        return NOT_APPLICABLE
    if table.options["status_hand_timing"] == "own_main_step" and not is_own_main_step(table, event):
        return NOT_APPLICABLE
    dna = target.text.dna if table.options["status_hand_cost"] == "mp_and_dna" else 0
    short = short_of(table, event.player, mp_cost(table, target.text), dna)
    return f"ending {target.text.name} cannot be paid: {short}" if short else None


@move(
    ev.StatusEnded,
    *(select_rule(_may_give_up), status_hand_only, stop(status_hand_ability)),
    *(status_hand_subtype, status_hand_cost),
)
def give_up_status(table: Evolve, event: ev.StatusEnded) -> None:
    """Discard a status of the hand and pay for the one that is to end."""
    at_once = windows.ends_at_once(table, event.player)
    if table.phase == SETUP or not at_once:
        steps.engage(table, event.player)
    player = table.players[event.player]
    card = table.take(event.card, table.zones[player.hand])
    changes.to_discard(table, card)
    table.applied.append("evolve.status.hand-discard")
    target = table.find(event.target)
    if target is not None and target.text is not None:
        changes.change_mp(table, player, -mp_cost(table, target.text), "evolve.status.hand-cost")
        if table.options["status_hand_cost"] == "mp_and_dna":
            changes.change_dna(table, player, -target.text.dna, "evolve.status.hand-cost")
    pending = Pending(kind="status ended", player=event.player, card=card.name, target=event.target)
    if not at_once:
        announce(table, pending)
        return
    if table.options["status_hand_timing"] == "like_events":
        windows.note_event(table, event.player)
    end_status(table, pending)


@steps.resolves("status ended")
def end_status(table: Evolve, pending: Pending) -> None:
    """End the status in play for which another one has been given up, if it is still there."""
    target = table.find(pending.target)
    if target is not None and target.zone.name == "status":
        changes.leave(table, target, "status-ended", "evolve.status.ended-to-owner")


def possible_statuses(table: Evolve, player: str) -> Iterator[ev.StatusPlayed | ev.StatusEnded]:
    """Yield what a player might do with each status of the hand: play it, or end another one with it."""
    for card in held_cards(table, player, "status"):
        if can_pay(table, player, card.text):
            yield ev.StatusPlayed(player=player, card=card.name)
        for target in table.zones["status"].cards:
            yield ev.StatusEnded(player=player, card=card.name, target=target.name)


def possible_endings(table: Evolve, player: str) -> Iterator[ev.StatusEnded]:
    """Yield the statuses of the hand that a player might give up, each for one in play."""
    return (each for each in possible_statuses(table, player) if isinstance(each, ev.StatusEnded))


MOVES: Final = (
    Move(
        line=ev.StatusPlayed,
        needs=(select_rule(own_main_step), stop(card_location), stop(play_types), one_per_subtype, affordable),
        does=lambda table, event: play_card(table, "status", event, ""),
        offers=possible_statuses,
    ),
)
