"""What a table is worth to look at: totals, progress, and how it is drawn."""

from collections.abc import Iterable, Sequence
from typing import Final

from tabletape.projector.games.evolve.selecting import is_nonfood, limit_of
from tabletape.projector.games.evolve.state import Evolve, EvolveCard, EvolvePlayer, in_play, is_organism
from tabletape.projector.model.areas import EVERYTHING, players_around, shown, zone_area
from tabletape.projector.model.game import Area, Shown, backs
from tabletape.projector.model.phrases import name_of, title_of

TOTALS: Final = ("tier", "organisms", "food", "energy", "dna", "mp", "starvation", "hand", "deck")


def totals(table: Evolve, player: str) -> dict[str, int]:
    """Return the numbers of a player that are kept for every turn; `tier` is that of the best organism."""
    mine = table.players[player]
    own = table.zones[mine.play].cards
    nonfood = [card for card in own if is_nonfood(card)]
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
        if card.text is not None and is_nonfood(card):
            limit = limit_of(table, card) or 0
            reached = min(card.energy / limit, 1.0) if limit else 0.0
            best = max(best, (card.text.tier - 1 + reached) / 3)
    return max(min(best, 1.0), 0.0)


# -- drawing -----------------------------------------------------------------------------------------------------------


def areas(table: Evolve, viewer: str) -> Sequence[Area]:
    """Return the table as it is drawn for a viewer: the near player below, the other above, what is shared between."""
    near, far, *_ = (*players_around(table, viewer), "", "")
    status = table.zones["status"]
    found = [zone_area(status, "Statuses", [_shown(table, card) for card in status.cards], (2, 0)), _stack(table)]
    for player, hand_line, play_line in ((far, 0, 1), (near, 4, 3)):
        mine = table.players.get(player)
        if mine is not None:
            found += [_play(table, mine, play_line), *_hidden(table, mine, viewer, hand_line)]
    return sorted(found, key=lambda area: (area.line, area.column))


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
    if event is not None:
        if event.response:
            yield _declared(table, event.response, "response", event.response_target)
        yield _declared(table, event.card, "cancelled event" if event.cancelled else "event", event.target)
    if answer is not None:
        yield _declared(table, answer.card, "answering attack", answer.target)
    if pending is not None:
        what = pending.name or {"status ended": "ends a status"}.get(pending.kind, pending.kind)
        yield _declared(table, pending.card, what, pending.target)


def _declared(table: Evolve, name: str, what: str, target: str) -> Shown:
    card = table.find(name)
    found = [(each, table.find(each)) for each in (name, target) if each]
    titles = [each if other is None else title_of(other) for each, other in found]
    return Shown(name=name, title=" on ".join(titles), owner="" if card is None else card.owner, marks=(what,))


def _shown(table: Evolve, card: EvolveCard) -> Shown:
    """Return a card as it is drawn for somebody who may know it."""
    under = [_shown(table, each) for each in map(table.find, card.mutations) if each is not None]
    return shown(card, _value(table, card), _marks(table, card), exhausted=card.stressed, under=tuple(under))


def _value(table: Evolve, card: EvolveCard) -> str:
    text = card.text
    if text is None or text.kind != "organism":
        return ""
    if text.food:
        return f"{text.food_energy}"
    if not is_organism(card):
        return ""
    limit = limit_of(table, card)
    return f"{card.energy}" if limit is None else f"{card.energy}/{limit}"


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
    if in_play(card) and card.controller != card.owner and card.text.kind == "organism":
        yield f"controlled by {name_of(table, card.controller)}"
