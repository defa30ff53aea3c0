"""What a table is worth to look at: totals, progress, and how it is drawn."""

from collections.abc import Iterator, Sequence

from tabletape.projector.games.splicers.ending import NEEDED
from tabletape.projector.games.splicers.selecting import dominated_by
from tabletape.projector.games.splicers.state import Splicers, SplicersCard, tings_and_seeds
from tabletape.projector.kit.areas import hand_and_piles
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.model.amounts import counted
from tabletape.projector.model.areas import is_known, players_around, shown, zone_area
from tabletape.projector.model.game import Area, Shown
from tabletape.projector.model.phrases import name_of, title_of

TOTALS = ("dominated", "dominance", "hand", "deck", "actions")
MIDDLE = 2
"""The line of the bioms; the far player's side lies on lines 0 and 1, the near player's on 3 and 4."""


def totals(table: Splicers, player: str) -> dict[str, int]:
    """Return the numbers of a player that are kept for every turn."""
    mine = table.players[player]
    bioms = [table.cards[table.bioms[place]] for place in table.row]
    return {
        "dominated": len(dominated_by(table, player)),
        "dominance": sum(biom.totals[mine.seat] for biom in bioms),
        "hand": zone_of(table, "hand", player).size,
        "deck": zone_of(table, "deck", player).size,
        "actions": mine.actions,
    }


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
    return min((len(dominated) + nearest) / NEEDED, 1.0)


def dimensions(table: Splicers, player: str) -> dict[str, str]:
    """Return the seat's own column: the id of the splicer."""
    return {"splicer": table.players[player].splicer.partition(":")[2]}


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
    kind = "seed" if at_biom and not card.face_up else "card"
    owner = name_of(table, card.owner)
    title = title_of(card) if known and (card.face_up or not at_biom) else f"{kind} of {owner}"
    if known and at_biom and not card.face_up:
        title = f"{title_of(card)} ({title})"
    value = str(card.worth) if at_biom else ""
    if not at_biom and known and card.text is not None and card.text.dominance is not None:
        value = str(card.text.dominance)
    return shown(
        card,
        value,
        _marks(card),
        title=title,
        face_up=card.face_up or (known and not at_biom),
        exhausted=card.exhausted,
        under=tuple(_shown(table, table.card(name), viewer) for name in card.mutations),
    )


def _marks(card: SplicersCard) -> tuple[str, ...]:
    marks = []
    if card.exhausted:
        marks.append("exhausted")
    if card.changes:
        marks.append(f"{card.changes:+}")
    if card.tokens:
        marks.append(counted(card.tokens, "token"))
    if card.jumped:
        marks.append("jumper")
    return tuple(marks)


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
    """Return a biom with the totals of both players: `Ann 4 : 2 Ben of 4`."""
    biom = table.cards[table.bioms[place]]
    value = biom.text.dominance if biom.text is not None else None
    marks = biom.text.abilities if biom.text is not None else ()
    sides = [(player.name, biom.totals[player.seat]) for player in table.players.values()]
    first, *others = sides
    caption = " ".join([f"{first[0]} {first[1]}", *(f": {total} {name}" for name, total in others)])
    return Area(
        name=place,
        title=_biom_title(table, place),
        owner=biom.owner,
        line=MIDDLE,
        column=column,
        caption=f"{caption} of {value}" if value is not None else caption,
        highlight=biom.dominator,
        place=place,
        cards=(shown(biom, "" if value is None else value, marks, exhausted=biom.exhausted),),
    )


def _between(table: Splicers, viewer: str, column: int) -> Iterator[Area]:
    """Return the face-down event of the round, the active season, and what lies at no biom of the row."""
    for name, title in (("event", "Event"), ("season", "Season")):
        zone = table.zones[name]
        if zone.cards:
            yield zone_area(zone, title, [_shown(table, card, viewer) for card in zone.cards], (MIDDLE, column))
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
