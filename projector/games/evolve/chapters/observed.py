"""What is read off the table, beside what the log makes it: now, or as the automatic steps from here on make it.

A log leaves out what follows by itself, and the fold takes such a step only when a line needs it. Whoever reads the
table has taken it already, so a total is right if it fits the table before or after any of those steps.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

import msgspec
from msgspec import UNSET

from tabletape.events.games import evolve as ev
from tabletape.projector.games.evolve.advancing import take_step
from tabletape.projector.games.evolve.catching_up import in_other_orders
from tabletape.projector.games.evolve.changes import put_into_play, set_stressed
from tabletape.projector.games.evolve.naming import called, where
from tabletape.projector.games.evolve.resolving import resolve_next
from tabletape.projector.games.evolve.state import Evolve, EvolveCard, EvolvePlayer, in_play
from tabletape.projector.games.evolve.trigger_order import order_undecidable, right_in_another_order
from tabletape.projector.kit.common_rules import unknown_among
from tabletape.projector.kit.totals import Total, counter, read_totals, size
from tabletape.projector.model.deciding import as_it_was
from tabletape.projector.model.game import Drift
from tabletape.projector.model.rules import declare

state_observed: Final = declare(
    "evolve.state.observed",
    "Outside the rulebook",
    "",
    "A total read off the table equals the derived one.",
)
TURNED: Final = {True: "stressed", False: "unstressed"}


def observe(table: Evolve, event: Any) -> list[Drift]:
    """Return what was read beside the table at the moment that it fits best: now, or after automatic steps."""
    now = list(_seen(table, event))
    if not any(map(_differs, now)):
        return now
    with as_it_was(table):
        best, order = _best_moment(table, event, now)
    doubt = order_undecidable(table, order) if order and any(map(_differs, best)) else None
    return best if doubt is None else [msgspec.structs.replace(each, doubt=doubt) for each in best]


def _best_moment(table: Evolve, event: ev.StateObserved, best: list[Drift]) -> tuple[list[Drift], tuple[str, ...]]:
    """Take automatic steps until what was read fits; return what fits best, and an order of abilities that lets it fit.

    What waits to be carried out may come in any order.
    """
    order: tuple[str, ...] = ()
    while any(map(_differs, best)):
        for _ in in_other_orders(table):
            if _comes_to_fit(table, event):
                return list(_seen(table, event)), ()
        order = order or right_in_another_order(table, lambda: _fits(table, event))
        if not take_step(table):
            break
        later = list(_seen(table, event))
        if sum(map(_differs, later)) <= sum(map(_differs, best)):
            best = later
    return best, order


def _comes_to_fit(table: Evolve, event: ev.StateObserved) -> bool:
    """Take the steps that are open until what was read fits; return whether it does."""
    while not _fits(table, event):
        if not resolve_next(table):
            return False
    return True


def _fits(table: Evolve, event: ev.StateObserved) -> bool:
    return not any(map(_differs, _seen(table, event)))


def _differs(drift: Drift) -> bool:
    return bool(drift.folded != drift.seen)


def _seen(table: Evolve, event: ev.StateObserved) -> Iterator[Drift]:
    player = None if event.player is UNSET else table.players.get(event.player)
    if player is not None:
        for field, each in read_totals(state_observed, TOTALS, table, event, player):
            yield msgspec.structs.replace(each, because=_because(table, player, field))
    if event.card is not UNSET:
        yield from _seen_on(table, event.card, event)


# -- players -----------------------------------------------------------------------------------------------------------


def _held(table: Evolve, player: EvolvePlayer) -> int:
    """Return the size of a hand, with the own events that are still to be resolved (ruling `event_zone`)."""
    held, opened = table.zones[player.hand].size, table.event
    if opened is None or table.options["event_zone"] != "in_hand":
        return held
    return held + (opened.player == player.id) + (bool(opened.response) and opened.responder == player.id)


def _because(table: Evolve, player: EvolvePlayer, field: str) -> str:
    """Return the rule that a total comes from: what the game begins with, or the last card of the discard pile."""
    if field == "dna":
        return "evolve.dna.start-three" if table.turn < 2 and player.dna == 3 else ""
    cards = table.zones[player.discard].cards
    if field != "discard" or not cards:
        return "evolve.status.hand-discard" if field == "hand" else ""
    text = cards[-1].text
    if text is not None and text.kind == "organism":
        return "evolve.stress.death-owner-discard"
    return "evolve.event.to-discard" if text is not None and text.kind == "event" else ""


def _shift(table: Evolve, thing: Any, field: str, by: int) -> None:
    """Change a number by what was read: the automatic steps that led to it may be still to come."""
    total = getattr(thing, field) + by
    may_be_negative = field == "dna" and table.options["dna_negative"] == "debt"
    table.set(thing, field, total if may_be_negative else max(total, 0))


TOTALS: Final[Mapping[str, Total]] = {
    "dna": counter("DNA of {}", "dna", lambda table, player, by: _shift(table, player, "dna", by)),
    "mp": counter("MP of {}", "mp", lambda table, player, by: _shift(table, player, "mp", by)),
    "hand": msgspec.structs.replace(size("hand"), value=_held),
    "deck": size("deck"),
    "discard": size("discard", "discard pile"),
}
"""What can be read off the table for a player."""


# -- organisms ---------------------------------------------------------------------------------------------------------


def _seen_on(table: Evolve, name: str, event: ev.StateObserved) -> Iterator[Drift]:
    card = table.find(name)
    title = called(table, name)
    for field in ("energy", "stressed"):
        seen = getattr(event, field)
        if seen is UNSET:
            continue
        if card is None or not in_play(card):
            doubt = unknown_among(table, (name,)) if card is None else None
            adopt = None if card is None else partial(_put_back, table, card, field, seen)
            read = f"an organism in play with {seen} energy" if field == "energy" else f"{TURNED[seen]} in play"
            yield Drift(state_observed, title, f"a card {where(table, card)}", read, adopt, doubt=doubt)
        elif field == "energy":
            adopt = partial(_shift, table, card, field, seen - card.energy)
            yield Drift(state_observed, f"energy of {title}", card.energy, seen, adopt)
        else:
            adopt = partial(set_stressed, table, card, stressed=seen)
            yield Drift(state_observed, title, TURNED[card.stressed], TURNED[seen], adopt)


def _put_back(table: Evolve, card: EvolveCard, field: str, seen: Any) -> None:
    """Put an organism into play that the table has there; one that only later steps remove stays."""
    if card.text is None or card.text.kind != "organism" or card.owner not in table.players:
        return
    if not in_play(card):
        put_into_play(table, card, table.zones[table.players[card.owner].play], card.owner)
    table.set(card, field, seen)
