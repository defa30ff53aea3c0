"""What is read off the table, beside what the log makes it: now, or as the automatic steps from here on make it.

A log leaves out what follows by itself, and the fold takes such a step only when a line needs it. Whoever reads the
table has taken it already, so a total is right if it fits the table before or after any of those steps.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec
from msgspec import UNSET

from events.games import evolve as ev
from projector.games.evolve.advancing import take_step
from projector.games.evolve.catching_up import in_other_orders
from projector.games.evolve.changes import put_into_play
from projector.games.evolve.naming import called, where
from projector.games.evolve.resolving import resolve_next
from projector.games.evolve.rules.common import unknown_card
from projector.games.evolve.rules.manual import only_people_can_tell, unchecked_card
from projector.games.evolve.state import Evolve, EvolveCard, EvolvePlayer, in_play
from projector.games.evolve.trigger_order import nobody_wrote, right_in_another_order
from projector.model.game import Drift
from projector.model.rules import NOT_APPLICABLE, Undecidable, Verdict, rule
from projector.model.things import Zone


@rule(
    "evolve.state.observed",
    "Card Costs and Resources",
    "L82.1 L132.1",
    "What somebody reads off the table is what the fold says (structural, inferred).",
)
def state_observed(_table: Evolve, _event: Any) -> Verdict:
    """Nothing to look at before the event: the fold compares what was read with the table."""
    return NOT_APPLICABLE


NAMES: Final = {"dna": "DNA", "mp": "MP", "discard": "discard pile"}
"""What people call a total whose field has another name."""


TURNED: Final = {True: "stressed", False: "unstressed"}


def observe(table: Evolve, event: Any) -> list[Drift]:
    """Return what was read beside the table at the moment that it fits best: now, or after automatic steps."""
    now = list(_seen(table, event))
    if not any(map(_differs, now)):
        return now
    journal, derived, applied = len(table.journal), list(table.derived), table.newly_applied
    best, order = _best_moment(table, event, now)
    table.undo(journal)
    table.derived[:], table.newly_applied = derived, applied
    doubt = _doubt(table, order) if any(map(_differs, best)) else None
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


def _doubt(table: Evolve, order: tuple[str, ...]) -> Undecidable | None:
    """Return why nobody can tell whether what was read is wrong: because of a card's text, or of an order; or None."""
    card = unchecked_card(table)
    if card is not None:
        return only_people_can_tell(table, card.name)
    return nobody_wrote(table, order) if order else None


def _fits(table: Evolve, event: ev.StateObserved) -> bool:
    return not any(map(_differs, _seen(table, event)))


def _differs(drift: Drift) -> bool:
    return bool(drift.folded != drift.seen)


def _seen(table: Evolve, event: ev.StateObserved) -> Iterator[Drift]:
    player = None if event.player is UNSET else table.players.get(event.player)
    if player is not None:
        yield from _seen_of(table, player, event)
    if event.card is not UNSET:
        yield from _seen_on(table, event.card, event)


# -- players -----------------------------------------------------------------------------------------------------------


def _seen_of(table: Evolve, player: EvolvePlayer, event: ev.StateObserved) -> Iterator[Drift]:
    for field in ("dna", "mp"):
        seen, folded = getattr(event, field), getattr(player, field)
        if seen is not UNSET:
            because = "evolve.dna.start-three" if field == "dna" and table.turn < 2 and folded == 3 else ""
            adopt = _adopt(table, player, field, seen - folded)
            yield Drift(state_observed, f"{NAMES[field]} of {player.name}", folded, seen, adopt, because)
    for field, name in {"hand": player.hand, "deck": player.deck_zone, "discard": player.discard}.items():
        seen, zone = getattr(event, field), table.zones[name]
        if seen is not UNSET:
            what = f"{NAMES.get(field, field)} of {player.name}"
            size = zone.size + (_events_in(table, player.id) if field == "hand" else 0)
            adopt = _adopt_size(table, zone, seen - size)
            yield Drift(state_observed, what, size, seen, adopt, _filled_by(zone, field))


def _events_in(table: Evolve, player: str) -> int:
    """Return how many events that are still to be resolved count to a player's hand (ruling `event_zone`)."""
    opened = table.event
    if opened is None or table.options["event_zone"] != "in_hand":
        return 0
    return (opened.player == player) + (bool(opened.response) and opened.responder == player)


def _filled_by(zone: Zone, field: str) -> str:
    """Name the rule that the size of a hand or discard pile comes from, as far as its last card tells."""
    if field != "discard" or not zone.cards:
        return "evolve.status.hand-discard" if field == "hand" else ""
    text = zone.cards[-1].text
    if text is not None and text.kind == "organism":
        return "evolve.stress.death-owner-discard"
    return "evolve.event.to-discard" if text is not None and text.kind == "event" else ""


def _adopt(table: Evolve, thing: Any, field: str, by: int) -> Callable[[], None]:
    """Return what takes a number over: it is shifted, because the automatic steps that led to it are still to come."""
    may_be_negative = field == "dna" and table.options["dna_negative"] == "debt"

    def adopt() -> None:
        total = getattr(thing, field) + by
        table.set(thing, field, total if may_be_negative else max(total, 0))

    return adopt


def _adopt_size(table: Evolve, zone: Zone, by: int) -> Callable[[], None]:
    return lambda: table.count(zone, "unseen", by)


# -- organisms ---------------------------------------------------------------------------------------------------------


def _seen_on(table: Evolve, name: str, event: ev.StateObserved) -> Iterator[Drift]:
    card = table.find(name)
    title = called(table, name)
    for field in ("energy", "stressed"):
        seen = getattr(event, field)
        if seen is UNSET:
            continue
        if card is None or not in_play(card):
            doubt = unknown_card(table, name) if card is None else None
            adopt = None if card is None else _put_back(table, card, field, seen)
            read = f"an organism in play with {seen} energy" if field == "energy" else f"{TURNED[seen]} in play"
            yield Drift(state_observed, title, f"a card {where(table, card)}", read, adopt, doubt=doubt)
        elif field == "energy":
            adopt = _adopt(table, card, field, seen - card.energy)
            yield Drift(state_observed, f"energy of {title}", card.energy, seen, adopt)
        else:
            adopt = _turn(table, card, stressed=seen)
            yield Drift(state_observed, title, TURNED[card.stressed], TURNED[seen], adopt)


def _turn(table: Evolve, card: EvolveCard, *, stressed: bool) -> Callable[[], None]:
    def turn() -> None:
        table.set(card, "stressed", stressed)
        table.set(card, "stressed_by", "")

    return turn


def _put_back(table: Evolve, card: EvolveCard, field: str, seen: Any) -> Callable[[], None]:
    """Return what puts an organism into play that the table has there; one that only later steps remove stays."""

    def put_back() -> None:
        if card.text is None or card.text.kind != "organism" or card.owner not in table.players:
            return
        if not in_play(card):
            put_into_play(table, card, table.zones[table.players[card.owner].play], card.owner)
        table.set(card, field, seen)

    return put_back
