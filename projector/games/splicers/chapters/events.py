"""Events: played face down, revealed when the round is over."""

from collections.abc import Iterator

from msgspec import UNSET

from tabletape.events.games import splicers as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.splicers import board, rounds
from tabletape.projector.games.splicers.chapters import EVENT_CARDS
from tabletape.projector.games.splicers.chapters.cards import in_hand, named_hand, of_kind, one_identity
from tabletape.projector.games.splicers.chapters.choosing import EffectChoice, judge_choice, possible
from tabletape.projector.games.splicers.chapters.evolving import see_far
from tabletape.projector.games.splicers.chapters.turns import ACTOR_RULE, act, consume, final_turn_first, go_on_without
from tabletape.projector.games.splicers.effects import carry_out, to_discard_pile
from tabletape.projector.games.splicers.naming import called, title
from tabletape.projector.games.splicers.selecting import has_keyword
from tabletape.projector.games.splicers.state import END, Doing, Splicers, tings_and_seeds
from tabletape.projector.kit.moves import move
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.model.phrases import by_ruling, name_of
from tabletape.projector.model.rules import Judgement, case, group_check, select_rule, stop
from tabletape.projector.model.verdicts import NOT_APPLICABLE, Broken, Verdict


@case(consume)
def consume_for_event(table: Splicers, event: ev.EventPlayed) -> Verdict:
    """Playing an event uses an action, unless a splice has just found it (old editions)."""
    if table.last_note == ("found", event.card):
        return NOT_APPLICABLE
    if table.active == event.player and table.has_acted and table.options["event_after_actions"] == "forbidden":
        ruling = by_ruling(table, "event_after_actions")
        return f"{name_of(table, event.player)} plays an event after another action {ruling}"
    return consume.check(table, event)


@EVENT_CARDS.rule("splicers.event.one-per-round", "L95.3", rests_on="nothing")
def one_event(table: Splicers, event: ev.EventPlayed) -> Verdict:
    """At most one player plays an event in a round."""
    forbidden = table.options["event_after_pass"] == "forbidden"  # noqa: S105 - a ruling
    if forbidden and table.passed_first not in {"", event.player}:
        passed, ruling = name_of(table, table.passed_first), by_ruling(table, "event_after_pass")
        return f"{name_of(table, event.player)} plays an event after {passed} has passed {ruling}"
    if not table.event_by:
        return None
    if table.event_by == event.player and table.options["event_limit"] == "one_player_any_number":
        return None
    return f"{name_of(table, table.event_by)} has played an event in round {table.round} already"


@EVENT_CARDS.rule("splicers.event.play-as-action", "L95.1", "A player may spend an action to play an event card.")
def is_event(table: Splicers, event: ev.EventPlayed) -> Verdict:
    """What is laid down is an event, as soon as the log shows it, unless anything may be laid down (ruling)."""
    return NOT_APPLICABLE if table.options["event_bluff"] == "allowed" else of_kind(table, event.card, "event")


@EVENT_CARDS.rule("splicers.event.reveal-before-win", "L95.5")
def reveal_in_time(table: Splicers, event: ev.EventRevealed) -> Verdict:
    """A played event is revealed when the round ends and before the win check."""
    if table.phase == END and table.zones["event"].cards:
        return None
    if table.zones["event"].cards and rounds.is_final_turn(table):
        return NOT_APPLICABLE  # what is missing then is the final turn, or its end
    if table.zones["event"].cards:
        return f"{called(table, event.card)} is turned over before the final turn of round {table.round} is over"
    return f"{called(table, event.card)} is turned over although no event lies face down"


@case(reveal_in_time)
def revealed_before_draw(table: Splicers, event: ev.CardsDrawn) -> Verdict:
    """Nobody draws for the next round while an event lies face down."""
    if table.phase != END:
        return NOT_APPLICABLE
    lying = ", ".join([title(table, card) for card in table.zones["event"].cards])
    return Broken(f"the next round begins although {lying} still lies face down", "event.revealed", "missing")


@EVENT_CARDS.rule("splicers.event.ability-on-reveal", "L95.5", "Its abilities happen at the reveal.")
def ability_on_reveal(table: Splicers, event: ev.EventRevealed) -> Verdict:
    """An event that asks for no choice simply happens."""
    return None


@EVENT_CARDS.rule("splicers.event.face-down", "L95.4", "Events are played face down.")
def same_event(table: Splicers, event: ev.EventRevealed) -> Verdict:
    """The event that was laid down is turned over, by its owner."""
    card = table.find(event.card if event.was is UNSET else event.was)
    lying = table.zones["event"].cards
    if card is None or card not in lying:
        names = ", ".join([title(table, each) for each in lying])
        return Broken(f"{called(table, event.card)} is not the event that was laid down", names)
    if card.owner == event.player:
        return None
    return f"{title(table, card)} belongs to {name_of(table, card.owner)}, who has to turn it over"


def chosen_for_event(table: Splicers, event: ev.EventRevealed) -> list[Judgement]:
    """Check what is chosen for an event that is turned over (if it does anything, by ruling)."""
    card = table.find(event.card)
    if card is None or card.text is None or table.options["abilities_outside_play"] == "strict":
        return []
    names = (event.target,) if isinstance(event.target, str) else ()
    judged: list[Judgement] = []
    for effect in card.text.says.reveal:
        if effect.is_chosen:
            judged += judge_choice(EffectChoice(table, event.player, card, effect, names), ability_on_reveal)
    return judged


@move(
    ev.EventPlayed,
    ACTOR_RULE,
    consume_for_event,
    one_event,
    in_hand,
    is_event,
    offers=lambda table, player: [ev.EventPlayed(player=player, card=each.name) for each in named_hand(table, player)],
)
def event_played(table: Splicers, event: ev.EventPlayed) -> None:
    """Lay an event face down; that is a pass."""
    was_found = table.last_note == ("found", event.card)
    act(table, event.player, 0 if was_found else 1)
    if was_found:
        table.applied.extend(("splicers.old.splice-play-now", "splicers.old.splice-event-passes"))
    card = table.take(event.card, zone_of(table, "hand", event.player))
    table.set(card, "known_to", table.everybody if was_found else frozenset())
    table.move(card, table.zones["event"])
    table.set(card, "face_up", False)
    if table.options["season_ends"] == "event_played":
        board.end_season(table)
    elif table.options["season_ends"] == "own_event_played":
        board.end_season(table, event.player)
    if table.options["season_starts"] == "at_play" and has_keyword(table, card, "season"):
        board.activate_text(table, card)
    if not table.event_by:
        table.set(table, "event_by", event.player)
    if table.options["farsight_window"] != "at_reveal":
        for each in tings_and_seeds(table):
            see_far(table, each)
    board.fire(table, "event.played")
    table.applied.extend(("splicers.event.is-pass", "splicers.event.ends-turn"))
    if table.active == event.player:
        rounds.pass_turn(table, event.player)


def offer_reveal(table: Splicers, player: str) -> Iterator[Event]:
    """Yield the event that lies face down as it may be turned over, with each choice."""
    card = table.zones["event"].cards[0]
    effects = card.text.says.reveal if card.text is not None else ()
    choice = next((effect for effect in effects if effect.is_chosen), None)
    if choice is None:
        yield ev.EventRevealed(player=player, card=card.name)
        return
    targets: list[str | None] = [*possible(table, player, choice, card)]
    for target in targets or [None]:
        yield ev.EventRevealed(player=player, card=card.name, target=target)


@move(
    ev.EventRevealed,
    select_rule(final_turn_first),
    stop(reveal_in_time),
    stop(same_event),
    one_identity,
    group_check(chosen_for_event),
    offers=offer_reveal,
)
def event_revealed(table: Splicers, event: ev.EventRevealed) -> None:
    """Turn the event over: its effects happen, then it is discarded unless it is a season."""
    go_on_without(table)
    if rounds.is_final_turn(table) and table.zones["event"].cards:
        rounds.end_round(table)
    card = table.card(event.card) if event.was is UNSET else board.recognise(table, event.was, event.card)
    if card.zone.name != "event":
        return
    table.set(card, "face_up", True)
    if table.options["season_ends"] == "event_revealed":
        board.end_season(table)
    if table.options["farsight_window"] == "at_reveal":
        for each in tings_and_seeds(table):
            see_far(table, each)
    is_bluff = card.text is not None and card.text.kind != "event" and table.options["event_bluff"] == "allowed"
    works = table.options["abilities_outside_play"] == "keyword_exceptions" and not is_bluff
    if card.text is not None and works:
        choices = (event.target,) if isinstance(event.target, str) else ()
        carry_out(table, Doing(card.owner, card.name, card.text.says.reveal, choices), card)
        table.applied.append("splicers.event.one-shot")
    board.fire(table, "event.revealed")
    if card.zone.name != "event":
        return  # its own text has taken it away
    if works and has_keyword(table, card, "season"):
        table.move(card, table.zones["season"])
        board.activate_text(table, card)
        table.applied.append("splicers.kw.season")
    elif works and has_keyword(table, card, "backup"):
        board.return_to_hand(table, card, "backup", "splicers.kw.backup")
    else:
        to_discard_pile(table, card)
        table.derive(ev.CardDiscarded(card=card.name, reason="event-done"), "splicers.event.discard-after")
