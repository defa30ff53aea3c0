"""What the actions of a turn do at the table, as far as it is physically possible."""

from typing import Final

from msgspec import UNSET

from events.games import splicers as ev
from projector.games.splicers import board, rounds, triggers, turns
from projector.games.splicers.dominance import weigh_card
from projector.games.splicers.schema import SplicersText
from projector.games.splicers.selecting import has_keyword
from projector.games.splicers.state import ACTION, NO_NOTE, SETUP, START, Splicers, SplicersCard, tings_and_seeds
from projector.kit.seating import zone_of

LISTED_ACTION: Final = "splicers.turn.action-list"
ANOTHER_ACTION: Final = ("splicers.action.multiple", LISTED_ACTION)
AS_SEED: Final = ("splicers.seed.any-type", "splicers.seed.counts-one", "splicers.seed.face-down-exhausted")


def act(table: Splicers, player: str, cost: int) -> None:
    """Spend an action of a player, as far as there are actions, if it is that player's turn.

    The table may have gone on without saying so. The turn of a listed action is remembered.
    """
    if table.owed is not None:
        go_on_without(table)
    if table.active != player:
        _catch_up(table, player)
        cost = cost if table.active == player else 0
    if table.last_note is not NO_NOTE:
        table.set(table, "last_note", NO_NOTE)
    if not cost:
        return
    mine = table.players[player]
    before, turn = mine.actions, table.turn
    if before:
        mine.actions = left = before - cost if cost < before else 0
        table.journal.append((mine, "actions", before, left))
    if table.acted_in == turn:
        table.applied += ANOTHER_ACTION
    else:
        table.journal.append((table, "acted_in", table.acted_in, turn))
        table.acted_in = turn
        table.applied.append(LISTED_ACTION)


def go_on_without(table: Splicers) -> None:
    """Wait no longer for a line that the table has left out."""
    if table.owed is not None:
        if table.owed.line is ev.WillpowerAnswered:
            table.set(table, "agenda", table.agenda[1:])
        table.set(table, "owed", None)


def _catch_up(table: Splicers, player: str) -> None:
    """Bring the turn to where the table evidently is: lines that have to come before an action may be missing."""
    if table.phase == SETUP:
        rounds.begin_first_round(table, table.first or player)
    elif table.phase == START:
        rounds.begin_action_phase(table)
    if (
        table.phase == ACTION
        and table.active != player
        and table.has_acted
        and table.players[table.active].actions <= 0
    ):
        turns.close_turn(table, table.active, "gone-on")


def seed_played(table: Splicers, event: ev.SeedPlayed) -> None:
    """Lay a hand card face down and exhausted at a biom."""
    act(table, event.player, 1)
    card = table.take(event.card, table.zones[table.players[event.player].hand])
    if card.known_to:
        table.set(card, "known_to", frozenset())
    if card.face_up:
        table.set(card, "face_up", False)
    board.lay(table, card, event.biom, exhausted=True)
    table.applied += AS_SEED
    if table.options["seed_unexhaust"] == "next_round_only":
        _remember(table, "seeded_in", table.round, card)
    if "seed.played" in table.moments:
        triggers.fire(table, "seed.played")
    weigh_card(table, card)


def ting_evolved(table: Splicers, event: ev.TingEvolved) -> None:
    """Turn a seed face up, with the mutations that are played with it."""
    card = table.card(event.card) if event.was is UNSET else board.recognise(table, event.was, event.card)
    text = card.text
    act(table, event.player, 1 if text is not None and text.says.evolves_freely else evolve_cost(table, text))
    if card.place is None:
        return
    board.turn_up(table, card)
    for name in event.mutations or ():
        board.attach(table, table.take(name, zone_of(table, "hand", event.player)), card)
        table.applied.append("splicers.mutation.with-evolve")
    table.requirement_queue += (card,)
    table.applied.append("splicers.evolve.no-longer-seed")
    if table.options["evolve_mutation_timing"] == "short_window":
        table.set(table, "window", card.name)
    if table.options["evolve_then_use"] == "forbidden":
        _remember(table, "evolved_in", table.turn, card)
    if table.options["evolve_order"] == "requirement_then_triggers":
        weigh_card(table, card)
        rounds.look_at_requirements(table)
    if card.face_up and has_keyword(table, card, "shockwave"):
        _send_shockwave(table, card)
    if table.event_by and table.options["farsight_window"] == "whole_round":
        see_far(table, card)
    if "evolves" in table.moments:
        triggers.fire(table, "evolves", card)
    weigh_card(table, card)


def _remember(table: Splicers, field: str, now: int, card: SplicersCard) -> None:
    """Put a card to those to which something has happened in this turn or round."""
    when, names = getattr(table, field)
    table.set(table, field, (now, (*names, card.name) if when == now else (card.name,)))


def _send_shockwave(table: Splicers, card: SplicersCard) -> None:
    """Exhaust the other tings at the biom of a card (only enemy ones or itself as well, by ruling)."""
    scope = table.options["shockwave_scope"]
    for other in tings_and_seeds(table):
        if other.place != card.place or not other.face_up or (other is card and scope != "including_itself"):
            continue
        if scope != "enemy_only" or other.owner != card.owner:
            board.exhaust(table, other, "splicers.kw.shockwave")


def evolve_cost(table: Splicers, text: SplicersText | None) -> int:
    """Return the actions that evolving a card uses: one, and more if it is expensive."""
    if text is None or not text.says.expensive or table.options["abilities_outside_play"] == "strict":
        return 1
    return 1 + text.says.expensive


def jumper_played(table: Splicers, event: ev.JumperPlayed) -> None:
    """Lay a hand card face up and unexhausted at a biom."""
    act(table, event.player, entry_cost(table))
    card = table.take(event.card, zone_of(table, "hand", event.player))
    table.set(card, "jumped", True)
    table.set(table, "jumpers", (*table.jumpers, card.name))
    board.enter(table, card, event.biom, exhausted=False)
    came_evolved(table, card)
    table.applied.append("splicers.kw.jumper-play")
    if has_keyword(table, card, "abomination"):
        table.applied.append("splicers.kw.abomination")


def entry_cost(table: Splicers) -> int:
    """Return the actions that a jumper or an upgrade uses (ruling `upgrade_counts_action`)."""
    return int(table.options["upgrade_counts_action"] == "uses_action")


def came_evolved(table: Splicers, card: SplicersCard) -> None:
    """Treat a ting that has entered face up as one that evolves, where that counts as evolving (ruling)."""
    if table.options["upgrade_triggers"] == "not_evolving":
        return
    if has_keyword(table, card, "shockwave"):
        _send_shockwave(table, card)
    triggers.fire(table, "evolves", card)


def ting_upgraded(table: Splicers, event: ev.TingUpgraded) -> None:
    """Discard a ting and lay a hand card face up and exhausted in its place."""
    act(table, event.player, entry_cost(table))
    old = table.card(event.discarded)
    place = old.place or ""
    card = table.take(event.card, zone_of(table, "hand", event.player))
    if old.place is not None and old.zone.name[:4] == "play":
        board.discard(table, old, "upgrade", "splicers.kw.upgrade-cost")
    if place:
        board.enter(table, card, place, exhausted=True)
        came_evolved(table, card)
        table.applied.append("splicers.kw.upgrade-placement")
    table.applied.append("splicers.kw.upgrade")


def mutation_played(table: Splicers, event: ev.MutationPlayed) -> None:
    """Put a mutation under its host; that is free."""
    act(table, event.player, 0)
    if table.opening_turn == table.turn:
        table.set(table, "opening_turn", 0)
    card = table.take(event.card, zone_of(table, "hand", event.player))
    board.attach(table, card, table.card(event.host))
    table.applied.extend(("splicers.mutation.free", "splicers.mutation.any-owner-host"))


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
        triggers.activate_text(table, card)
    if not table.event_by:
        table.set(table, "event_by", event.player)
    if table.options["farsight_window"] != "at_reveal":
        for each in tings_and_seeds(table):
            see_far(table, each)
    triggers.fire(table, "event.played")
    table.applied.extend(("splicers.event.is-pass", "splicers.event.ends-turn"))
    if table.active == event.player:
        turns.pass_turn(table, event.player)


def see_far(table: Splicers, card: SplicersCard) -> None:
    """Add one to a face-up ting with farsight until the round ends."""
    if card.face_up and has_keyword(table, card, "farsight"):
        board.change_dominance(table, card, 1, "splicers.kw.farsight")


def turn_passed(table: Splicers, event: ev.TurnPassed) -> None:
    """Carry out a pass; nobody can pass in the turn of somebody else."""
    act(table, event.player, 0 if table.options["pass_cost"] == "free" else 1)  # noqa: S105 - a ruling
    if table.active == event.player:
        turns.pass_turn(table, event.player)


def turn_ended(table: Splicers, event: ev.TurnEnded) -> None:
    """End the turn; nobody can end the turn of somebody else."""
    if table.owed is not None:
        go_on_without(table)
    if table.active == event.player:
        turns.end_turn(table)
