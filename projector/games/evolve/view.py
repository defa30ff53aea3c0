"""What a table is worth to look at: totals, progress, worth, and how it is drawn."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

import msgspec

from tabletape.events.games import evolve as ev
from tabletape.projector.games.evolve import steps
from tabletape.projector.games.evolve.changes import put_into_play, set_stressed
from tabletape.projector.games.evolve.chapters import WRITTEN
from tabletape.projector.games.evolve.naming import called, where
from tabletape.projector.games.evolve.orders import right_in_another_order
from tabletape.projector.games.evolve.selecting import limit_of
from tabletape.projector.games.evolve.shown import in_other_orders
from tabletape.projector.games.evolve.state import Evolve, EvolveCard, EvolvePlayer, opponent_of
from tabletape.projector.kit import common_rules
from tabletape.projector.kit.totals import Total, counter, read_totals, size
from tabletape.projector.model import deciding
from tabletape.projector.model.areas import EVERYTHING, Area, Shown, backs, players_around, shown, zone_area
from tabletape.projector.model.game import Drift
from tabletape.projector.model.phrases import name_of, title_of
from tabletape.projector.model.verdicts import Undecidable

TOTALS: Final = ("tier", "organisms", "food", "energy", "dna", "mp", "starvation", "hand", "deck")


def totals(table: Evolve, player: str) -> dict[str, int]:
    """Return the numbers of a player that are kept for every turn; `tier` is that of the best organism."""
    mine = table.players[player]
    own = table.zones[mine.play].cards
    nonfood = [card for card in own if card.is_nonfood]
    return {
        "tier": max((card.text.tier for card in nonfood if card.text is not None), default=0),
        "organisms": len(nonfood),
        "food": len(own) - len(nonfood),
        "energy": sum(card.energy for card in nonfood),
        "dna": mine.dna,
        "mp": mine.mp,
        "starvation": mine.starvation,
        "hand": table.zones[mine.hand].size,
        "deck": table.zones[mine.deck_zone].size,
    }


def progress(table: Evolve, player: str) -> float:
    """Return how near a player is to evolving an organism of tier 3: the best tier and the energy toward the next."""
    if table.over and table.winner == player and table.reason == "tier3":
        return 1.0
    best = 0.0
    for card in table.zones[table.players[player].play].cards:
        if card.text is not None and card.is_nonfood:
            limit = limit_of(table, card) or 0
            reached = min(card.energy / limit, 1.0) if limit else 0.0
            best = max(best, (card.text.tier - 1 + reached) / 3)
    return max(min(best, 1.0), 0.0)


# -- what is read off the table ----------------------------------------------------------------------------------------
# A log leaves out what follows by itself, and the fold takes such a step only when a line needs it. Whoever reads the
# table has taken it already, so a total is right if it fits the table before or after any of those steps.

state_observed: Final = WRITTEN["evolve.state.observed"]
TURNED_WORDS: Final = {True: "stressed", False: "unstressed"}


def observe(table: Evolve, event: ev.StateObserved) -> list[Drift]:
    """Return what was read beside the table at the moment that it fits best: now, or after automatic steps."""
    now = list(_seen(table, event))
    if not _misfits(now):
        return now
    with deciding.as_it_was(table):
        best, doubt = _best_moment(table, event, now)
    if doubt is None or not _misfits(best):
        return best
    return [msgspec.structs.replace(each, doubt=doubt) for each in best]


def _best_moment(table: Evolve, event: ev.StateObserved, best: list[Drift]) -> tuple[list[Drift], Undecidable | None]:
    """Take automatic steps until what was read fits; return what fits best, or whether another order lets it fit.

    What waits to be carried out may come in any order.
    """
    doubt: Undecidable | None = None
    while _misfits(best):
        for _ in in_other_orders(table):
            while _misfits(later := list(_seen(table, event))) and steps.resolve_next(table):
                pass
            if not _misfits(later):
                return later, None
        doubt = doubt or right_in_another_order(table, lambda: not _misfits(_seen(table, event)))
        if not table.TURN.advance(table):
            break
        later = list(_seen(table, event))
        if _misfits(later) <= _misfits(best):
            best = later
    return best, doubt


def _misfits(drifts: Iterable[Drift]) -> int:
    """Return how many of some totals were read otherwise than the table has them."""
    return sum(drift.folded != drift.seen for drift in drifts)


def _seen(table: Evolve, event: ev.StateObserved) -> Iterator[Drift]:
    for player, field, each in read_totals(state_observed, READABLE_TOTALS, table, event):
        yield msgspec.structs.replace(each, because=_because(table, player, field))
    if event.card is not msgspec.UNSET:
        yield from _organism_seen(table, event.card, event)


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
    rules = {"organism": "evolve.stress.death-owner-discard", "event": "evolve.event.to-discard"}
    return "" if cards[-1].text is None else rules.get(cards[-1].text.kind, "")


def _shift(table: Evolve, thing: Any, field: str, by: int) -> None:
    """Change a number by what was read: the automatic steps that led to it may be still to come."""
    total = getattr(thing, field) + by
    may_be_negative = field == "dna" and table.options["dna_negative"] == "debt"
    table.set(thing, field, total if may_be_negative else max(total, 0))


READABLE_TOTALS: Final[Mapping[str, Total]] = {
    "dna": counter("DNA of {}", "dna", lambda table, player, by: _shift(table, player, "dna", by)),
    "mp": counter("MP of {}", "mp", lambda table, player, by: _shift(table, player, "mp", by)),
    "hand": msgspec.structs.replace(size("hand"), value=_held),
    "deck": size("deck"),
    "discard": size("discard", "discard pile"),
}
"""What can be read off the table for a player."""


def _organism_seen(table: Evolve, name: str, event: ev.StateObserved) -> Iterator[Drift]:
    card = table.find(name)
    title = called(table, name)
    for field in ("energy", "stressed"):
        seen = getattr(event, field)
        if seen is msgspec.UNSET:
            continue
        if card is None or not card.in_play:
            doubt = common_rules.unknown_among(table, (name,)) if card is None else None
            adopt = None if card is None else partial(_put_back, table, card, field, seen)
            read = f"an organism in play with {seen} energy" if field == "energy" else f"{TURNED_WORDS[seen]} in play"
            yield Drift(state_observed, title, f"a card {where(table, card)}", read, adopt, doubt=doubt)
        elif field == "energy":
            adopt = partial(_shift, table, card, field, seen - card.energy)
            yield Drift(state_observed, f"energy of {title}", card.energy, seen, adopt)
        else:
            adopt = partial(set_stressed, table, card, stressed=seen)
            yield Drift(state_observed, title, TURNED_WORDS[card.stressed], TURNED_WORDS[seen], adopt)


def _put_back(table: Evolve, card: EvolveCard, field: str, seen: Any) -> None:
    """Put an organism into play that the table has there; one that only later steps remove stays."""
    owner = table.players.get(card.owner)
    if card.text is not None and card.text.kind == "organism" and owner is not None:
        if not card.in_play:
            put_into_play(table, card, table.zones[owner.play], owner.id)
        table.set(card, field, seen)


def areas(table: Evolve, viewer: str) -> Sequence[Area]:
    """Return the table as it is drawn for a viewer: the near player below, the other above, what is shared between."""
    near, far, *_ = (*players_around(table, viewer), "", "")
    status = table.zones["status"]
    drawn = [zone_area(status, "Statuses", [_shown(table, card) for card in status.cards], (2, 0)), _stack(table)]
    for player, hand_line, play_line in ((far, 0, 1), (near, 4, 3)):
        mine = table.players.get(player)
        if mine is not None:
            drawn += [_play(table, mine, play_line), *_hidden(table, mine, viewer, hand_line)]
    return sorted(drawn, key=lambda area: (area.line, area.column))


def _play(table: Evolve, player: EvolvePlayer, line: int) -> Area:
    numbers = totals(table, player.id)
    others = {each: progress(table, each) for each in table.players}
    ahead = max(others, key=lambda each: others[each])
    starves = f"the other starves for {numbers['starvation']} of 3 turns"
    return zone_area(
        table.zones[player.play],
        f"{player.name}'s organisms",
        [_shown(table, card) for card in table.zones[player.play].cards],
        (line, 0),
        caption=f"{numbers['dna']} DNA, {numbers['mp']} MP, {starves}",
        highlight=player.id if ahead == player.id and list(others.values()).count(others[ahead]) == 1 else "",
    )


def _hidden(table: Evolve, player: EvolvePlayer, viewer: str, line: int) -> list[Area]:
    """Return the hand, the deck and the discard pile of a player."""
    hand, deck, pile = (table.zones[name] for name in (player.hand, player.deck_zone, player.discard))
    sees = viewer in {EVERYTHING, player.id}
    known = [_shown(table, card) for card in hand.cards[: hand.size]] if sees else []
    cards = (*known, *backs(player.id, player.name, hand.size - len(known)))
    top = [_shown(table, card) for card in pile.cards[-1:]]
    below = f"{len(player.bottom)} known cards at the bottom" if player.bottom else ""
    return [
        zone_area(hand, f"{player.name}'s hand", cards, (line, 0), shape="hand"),
        zone_area(deck, f"{player.name}'s deck", (), (line, 1), shape="pile", caption=below),
        zone_area(pile, f"{player.name}'s discard pile", top, (line, 2), shape="pile"),
    ]


def _stack(table: Evolve) -> Area:
    """Return what has been declared and has not happened yet, the last first."""
    cards = tuple(_waiting(table))
    caption = "" if not cards else "happens from left to right, unless somebody answers"
    return Area(name="stack", title="Waiting to happen", line=2, column=1, cards=cards, caption=caption)


def _waiting(table: Evolve) -> Iterable[Shown]:
    event, answer, pending = table.event, table.answer, table.pending
    if event is not None and event.response:
        yield _declared(table, event.response, "response", event.response_target)
    if event is not None:
        yield _declared(table, event.card, "cancelled event" if event.cancelled else "event", event.target)
    if answer is not None:
        yield _declared(table, answer.card, "answering attack", answer.target)
    if pending is not None:
        what = pending.name or {"status ended": "ends a status"}.get(pending.kind, pending.kind)
        yield _declared(table, pending.card, what, pending.target)


def _declared(table: Evolve, name: str, what: str, target: str) -> Shown:
    card = table.find(name)
    things = [(each, table.find(each)) for each in (name, target) if each]
    titles = [each if other is None else title_of(other) for each, other in things]
    return Shown(name=name, title=" on ".join(titles), owner="" if card is None else card.owner, marks=(what,))


def _shown(table: Evolve, card: EvolveCard) -> Shown:
    """Return a card as it is drawn for somebody who may know it."""
    under = [_shown(table, each) for each in map(table.find, card.mutations) if each is not None]
    return shown(card, _value(table, card), _marks(table, card), exhausted=card.stressed, under=tuple(under))


def _value(table: Evolve, card: EvolveCard) -> str:
    text = card.text
    if text is None or text.kind != "organism" or not (text.food or card.is_organism):
        return ""
    limit = limit_of(table, card)
    return f"{text.food_energy}" if text.food else f"{card.energy}" if limit is None else f"{card.energy}/{limit}"


def _marks(table: Evolve, card: EvolveCard) -> Iterable[str]:
    text = card.text
    if text is None:
        return
    if text.kind == "organism":
        yield "food" if text.food else f"{text.phylum} {text.tier}"
    elif text.kind == "event":
        yield "response" if text.response else "event"
    else:
        yield from text.subtypes or (text.kind,)
    if card.stressed:
        yield "stressed"
    if card.actions:
        yield f"acted {card.actions} times" if card.actions > 1 else "acted"
    if card.in_play and card.controller != card.owner and card.text.kind == "organism":
        yield f"controlled by {name_of(table, card.controller)}"


HELD: Final = 0.5
"""What a card of the hand is worth."""
MP: Final = 0.2
ENERGY: Final = 3


def value(table: Evolve, player: str) -> float:
    """Return how good a table on which nothing is open is for a player: what grows, and what the other lacks."""
    return _worth(table, player) - _worth(table, opponent_of(table, player))


def _worth(table: Evolve, player: str) -> float:
    mine = table.players.get(player)
    if mine is None:
        return 0.0
    grown = food = 0
    for card in table.zones[mine.play].cards:
        text = card.text
        if text is None or text.food:
            food += 1
        else:
            grown += 25 * text.tier + ENERGY * card.energy - 4 * card.stressed
    held = HELD * table.zones[mine.hand].size
    return grown + min(food, 2) + stock(mine.dna) + MP * mine.mp + held + 10 * mine.starvation


def stock(dna: int) -> float:
    """Return what DNA is worth: the first three more than others."""
    return 4 * min(dna, 3) + 0.5 * dna
