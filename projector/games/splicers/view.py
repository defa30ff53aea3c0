"""What a table is worth to look at: totals, progress, worth, and how it is drawn."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

import msgspec
from msgspec import UNSET

from tabletape.events.games import splicers as ev
from tabletape.projector.games.splicers import board, dominance, rounds
from tabletape.projector.games.splicers.chapters import WRITTEN
from tabletape.projector.games.splicers.chapters.counting import COUNTS, DOMINATED
from tabletape.projector.games.splicers.chapters.evolving import REQUIREMENT
from tabletape.projector.games.splicers.naming import title
from tabletape.projector.games.splicers.selecting import dominated_by
from tabletape.projector.games.splicers.state import START, Splicers, SplicersCard, tings_and_seeds
from tabletape.projector.kit.areas import hand_and_piles
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.kit.totals import counter, read_totals, size
from tabletape.projector.model import deciding
from tabletape.projector.model.amounts import counted
from tabletape.projector.model.areas import Area, Shown, is_known, players_around, shown, zone_area
from tabletape.projector.model.game import Drift
from tabletape.projector.model.phrases import name_of, title_of

MIDDLE: Final = 2
"""The line of the bioms; the far player's side lies on lines 0 and 1, the near player's on 3 and 4."""


def places(table: Splicers) -> dict[str, dict[str, int]]:
    """Return the totals of the players at each biom, in the order of the row."""
    bioms = ((place, table.cards[table.bioms[place]]) for place in table.row)
    return {place: {player.id: biom.totals[player.seat] for player in table.players.values()} for place, biom in bioms}


def progress(table: Splicers, player: str) -> float:
    """Return how near a player is to three bioms: those dominated, and what is reached of the nearest other one."""
    dominated = dominated_by(table, player)
    seat = table.players[player].seat
    nearest = 0.0
    for place in table.row:
        biom = table.cards[table.bioms[place]]
        if place not in dominated and biom.text is not None:
            others = [total + 1 for index, total in enumerate(biom.totals) if index != seat]
            needed = max(biom.text.dominance or 1, *others, 1)
            nearest = max(nearest, min(max(biom.totals[seat], 0) / needed, 1.0))
    return min((len(dominated) + nearest) / rounds.NEEDED_BIOMS, 1.0)


def dimensions(table: Splicers, player: str) -> dict[str, str]:
    """Return the seat's own column: the id of the splicer."""
    return {"splicer": table.players[player].splicer.partition(":")[2]}


# -- what somebody reads off the table ---------------------------------------------------------------------------------

PUBLIC_COUNTS: Final = WRITTEN["splicers.info.counts-public"]
OBSERVED: Final = WRITTEN["splicers.state.observed"]
RULES_BY_TOTAL: Final = {
    "hand": "mulligan.discard old.splice-play-now",
    "discard": "mulligan.discard setup.discard-empty",
    "actions": "mutation.free kw.upgrade kw.graze-gain kw.harvest turn.action-list action.one-per-turn",
    "exhausted": "seed.face-down-exhausted kw.upgrade-placement kw.jumper-play old.splice-ting-evolved-exhausted",
    "face": "evolve.no-longer-seed seed.face-down-exhausted kw.jumper-play kw.upgrade-placement setup.splicer-face-up",
    "total": "seed.counts-one",
}
"""For each total the derived rules that may have made it what it is; the one carried out last is named."""
MUTATIONS: Final = {"exhausted": "splicers.mutation.shares-exhaustion", "face": "splicers.mutation.visible"}
"""The derived rules that say how a mutation lies."""


def observe(table: Splicers, event: ev.StateObserved) -> list[Drift]:
    """Return what was read off the table beside what the fold has there, also where they agree.

    That is after the end of a turn that ends by itself where only that fits.
    """
    now = list(_read(table, event))
    if not rounds.is_spent(table) or all(read.seen == read.folded for read in now):
        return now
    with deciding.as_it_was(table, rounds.end_spent_turn):
        later = list(_read(table, event))
    return later if all(read.seen == read.folded for read in later) else now


def _read(table: Splicers, event: ev.StateObserved) -> Iterator[Drift]:
    for _, field, each in read_totals(OBSERVED, READABLE_TOTALS, table, event):
        of = PUBLIC_COUNTS if field in ZONES else OBSERVED
        yield msgspec.structs.replace(each, rule=of, because=_because(table, field))
    if event.biom is not UNSET and event.biom in table.bioms:
        yield from _of_biom(table, event, table.cards[table.bioms[event.biom]])
    if event.card is not UNSET:
        card = table.find(event.card)
        if card is not None:
            yield from _of_card_seen(table, event, card)


def _because(table: Splicers, field: str, card: SplicersCard | None = None) -> str:
    """Return the derived rule that an observation contradicts, as far as one can tell."""
    if card is not None and card.host:
        return MUTATIONS.get(field, "")
    about = [f"splicers.{each}" for each in RULES_BY_TOTAL.get(field, "").split()]
    carried_out = [*(each.rule for each in reversed(table.derived)), *reversed(table.newly_applied)]
    derived = next((each for each in carried_out if each in about), "")
    if not derived and field in {"hand", "deck", "discard"}:
        return "splicers.state.conservation"
    if not derived and field == "exhausted" and table.phase == START:
        return "splicers.round.unexhaust"
    return derived


ZONES: Final = ("hand", "deck", "discard")
READABLE_TOTALS: Final = {
    "hand": size("hand"),
    "deck": size("deck"),
    "discard": size("discard", "discard pile"),
    "actions": counter("the number of actions of {}", "actions"),
}
"""What can be read off the table for a player."""
TOTALS: Final[dict[str, Any]] = {
    "dominated": lambda table, player: len(dominated_by(table, player.id)),
    "dominance": lambda table, player: sum(table.cards[name].totals[player.seat] for name in table.bioms.values()),
    **{name: READABLE_TOTALS[name].value for name in ("hand", "deck", "actions")},
}
"""The numbers of a player that are kept for every turn."""
LIES: Final = ("unexhausted", "exhausted")


def _of_biom(table: Splicers, event: ev.StateObserved, biom: SplicersCard) -> Iterator[Drift]:
    name = title(table, biom)
    player = None if event.player is UNSET else table.players.get(event.player)
    if event.total is not UNSET and player is not None:
        noun, total = f"the total of {player.name} at {name}", biom.totals[player.seat]
        adopt = partial(dominance.adopt_total, table, biom, player.seat, event.total)
        yield Drift(COUNTS, noun, total, event.total, adopt, _because(table, "total"))
    if event.dominator is not UNSET:
        folded, seen = (name_of(table, each) if each else None for each in (biom.dominator, event.dominator))
        yield Drift(DOMINATED, f"the dominator of {name}", folded, seen, because=_because(table, "dominator"))


def _of_card_seen(table: Splicers, event: ev.StateObserved, card: SplicersCard) -> Iterator[Drift]:
    name, seen = title(table, card), event.dominance
    if event.face is not UNSET:
        yield _of_face(table, card, event.face)
    if event.exhausted is not UNSET:
        adopt, because = partial(table.set_exhausted, card, event.exhausted), _because(table, "exhausted", card)
        yield Drift(OBSERVED, name, LIES[card.exhausted], LIES[event.exhausted], adopt, because)
    if event.tokens is not UNSET:
        adopt, because = partial(table.set, card, "tokens", event.tokens), _because(table, "tokens", card)
        yield Drift(OBSERVED, f"the number of tokens on {name}", card.tokens, event.tokens, adopt, because)
    if seen is not UNSET:
        adopt = partial(_adopt_worth, table, card, seen - card.worth)
        yield Drift(COUNTS, f"the dominance of {name}", card.worth, seen, adopt)


def _of_face(table: Splicers, card: SplicersCard, seen: str) -> Drift:
    """Return how a card lies; a ting that had to devolve and is seen face up breaks a rule of its own."""
    stays = seen == "up" and not card.face_up and card.place is not None and dominance.unmet(table, card, card.place)
    folded = "face up" if card.face_up else "face down"
    because = _because(table, "face", card)
    rule, name = REQUIREMENT if stays else OBSERVED, title(table, card)
    return Drift(rule, name, folded, f"face {seen}", lambda: _turn(table, card, up=seen == "up"), because)


def _turn(table: Splicers, card: SplicersCard, *, up: bool) -> None:
    """Turn a card as somebody has seen it, without looking at its requirement."""
    if up:
        board.turn_up(table, card)
    else:
        board.deactivate_text(table, card)
        table.set(card, "face_up", False)
    table.touched += (card,)
    table.TURN.settle(table)


def _adopt_worth(table: Splicers, card: SplicersCard, by: int) -> None:
    table.count(card, "changes", by)
    table.touched += (card,)
    table.TURN.settle(table)


# -- drawing -----------------------------------------------------------------------------------------------------------


def areas(table: Splicers, viewer: str) -> Sequence[Area]:
    """Return the table as it is drawn for a viewer: the far player, the row of bioms with both sides, the near player.

    The viewer sits near; for the public and for one who sees everything that is the first player of the seating.
    """
    near, *far = players_around(table, viewer) or ("",)
    drawn = [area for player in far for area in _hand_and_piles(table, player, viewer, line=0)]
    for column, place in enumerate(table.row):
        drawn += [_side(table, player, place, viewer, (MIDDLE - 1, column)) for player in far]
        drawn.append(_biom(table, place, column))
        drawn.append(_side(table, near, place, viewer, (MIDDLE + 1, column)))
    drawn += _between(table, viewer, len(table.row))
    return [*drawn, *_hand_and_piles(table, near, viewer, line=MIDDLE + 2)]


def _shown(table: Splicers, card: SplicersCard, viewer: str) -> Shown:
    """Return a card as a viewer sees it; a mutation lies under its host."""
    known = is_known(table, viewer, card)
    at_biom = card.place is not None and card.zone.name[:4] == "play"
    seed = at_biom and not card.face_up
    title = title_of(card) if known else f"{'seed' if seed else 'card'} of {name_of(table, card.owner)}"
    value = str(card.worth) if at_biom else ""
    if not at_biom and known and card.text is not None and card.text.dominance is not None:
        value = str(card.text.dominance)
    return shown(
        card,
        value,
        ("seed", *_marks(card)) if known and seed else _marks(card),
        title=title,
        face_up=card.face_up or (known and not at_biom),
        exhausted=card.exhausted,
        under=tuple(_shown(table, table.card(name), viewer) for name in card.mutations),
    )


def _marks(card: SplicersCard) -> tuple[str, ...]:
    tokens, changes = counted(card.tokens, "token") if card.tokens else "", f"{card.changes:+}" if card.changes else ""
    marks = ("exhausted" if card.exhausted else "", changes, tokens, "jumper" if card.jumped else "")
    return tuple(filter(None, marks))


def _side(table: Splicers, player: str, place: str, viewer: str, where: tuple[int, int]) -> Area:
    """Return the tings and seeds of a player at a biom."""
    without_host = (card for card in table.zones["mutations"].cards if card.owner == player)
    cards = [card for card in (*table.zones[f"play:{player}"].cards, *without_host) if card.place == place]
    title = f"{name_of(table, player)} at {_biom_title(table, place)}"
    return Area(
        name=f"{place}:{player}",
        title=title,
        owner=player,
        line=where[0],
        column=where[1],
        place=place,
        count=len(cards),
        cards=tuple(_shown(table, card, viewer) for card in cards),
    )


def _biom_title(table: Splicers, place: str) -> str:
    return title_of(table.cards[table.bioms[place]])


def _biom(table: Splicers, place: str, column: int) -> Area:
    """Return a biom with the totals of both players: `Ann 4 : 2 Ben, goal 4`."""
    biom = table.cards[table.bioms[place]]
    value = biom.text.dominance if biom.text is not None else None
    marks = tuple(map(biom.text.aloud, biom.text.abilities)) if biom.text is not None else ()
    sides = [(player.name, biom.totals[player.seat]) for player in table.players.values()]
    first, *others = sides
    caption = " ".join([f"{first[0]} {first[1]}", *(f": {total} {name}" for name, total in others)])
    return Area(
        name=place,
        title=_biom_title(table, place),
        owner=biom.owner,
        line=MIDDLE,
        column=column,
        caption=f"{caption}, goal {value}" if value is not None else caption,
        highlight=biom.dominator,
        place=place,
        cards=(shown(biom, "" if value is None else value, marks, exhausted=biom.exhausted),),
    )


def _between(table: Splicers, viewer: str, column: int) -> Iterator[Area]:
    """Return the face-down event of the round, the active season, and what lies at no biom of the row."""
    for name, noun in (("event", "Event"), ("season", "Season")):
        zone = table.zones[name]
        if zone.cards:
            yield zone_area(zone, noun, [_shown(table, card, viewer) for card in zone.cards], (MIDDLE, column))
            column += 1
    beside = [card for card in tings_and_seeds(table) if card.place is not None and card.place not in table.bioms]
    if beside:
        drawn = tuple(_shown(table, card, viewer) for card in beside)
        yield Area(name="beside", title="Beside the row", line=MIDDLE, column=column, count=len(beside), cards=drawn)


def _hand_and_piles(table: Splicers, player: str, viewer: str, *, line: int) -> Iterator[Area]:
    """Return the splicer, the hand, the deck and the discard pile of a player."""
    mine = table.players[player]
    turn = counted(mine.actions, "action") if table.active == player else ""
    splicer = table.zones[f"splicer:{player}"]
    mark = player if table.active == player else ""
    cards = [_shown(table, card, viewer) for card in splicer.cards]
    yield zone_area(splicer, f"{mine.name}'s splicer", cards, (line, 0), caption=turn, highlight=mark)
    yield from hand_and_piles(table, player, lambda card: _shown(table, card, viewer), (line, 1))


def value(table: Splicers, player: str) -> float:
    """Return how good a table is for a player: progress, totals, hand and actions."""
    mine = table.players[player]
    theirs = table.players.get(mine.opponent, mine)
    bioms = table.zones["row"].cards
    lead: int = sum(biom.totals[mine.seat] - biom.totals[theirs.seat] for biom in bioms if biom.totals)
    ahead = progress(table, player) - progress(table, theirs.id)
    hand = zone_of(table, "hand", player).size - zone_of(table, "hand", theirs.id).size
    return 20 * ahead + lead + 0.5 * hand + 0.2 * mine.actions
