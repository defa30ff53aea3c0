"""What is read off a table: totals, which a log may give (`state.observed`), progress, and how it is drawn."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from tabletape.events.games import phylogenome as ev
from tabletape.projector.games.phylogenome.scoring import points_of, worth
from tabletape.projector.games.phylogenome.state import SPECIES, TABLEAU, Phylo, PhyloCard, PhyloPlayer, is_species
from tabletape.projector.games.phylogenome.steps import broken
from tabletape.projector.kit.areas import hand_and_piles
from tabletape.projector.kit.owed import what_is_owed
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.kit.totals import Total, read_totals, size
from tabletape.projector.model.amounts import counted
from tabletape.projector.model.areas import EVERYTHING, Area, Cell, Shown, back_of, players_around, shown, zone_area
from tabletape.projector.model.game import Drift
from tabletape.projector.model.phrases import name_of
from tabletape.projector.model.rules import OUTSIDE

TOTALS = (
    "points",
    "species_points",
    "technology",
    "special",
    "chain",
    "species",
    "generation",
    "broken",
    "hand",
    "deck",
)
MIDDLE = 2
"""The line of the tableau; the far player's side lies on lines 0 and 1, the near player's on 3 and 4."""


OBSERVED: Final = OUTSIDE.declare(
    "phylogenome.state.observed", "", "A total read off the table equals the derived one."
)
FACES_PLAYER: Final = "phylogenome.play.faces-player"
GENERATIONS: Final = ("first_generation", "second_generation", "third_generation")


def _facing(what: str, field: str) -> Total:
    """Return a number of Species that face a player: they are where they are, whatever was read."""
    return Total(f"the number of {what} facing {{}}", lambda _table, player: getattr(player, field))


READABLE_TOTALS: Final[Mapping[str, Total]] = {
    "hand": size("hand"),
    "deck": size("deck"),
    "discard": size("discard", "discard pile"),
    "generation": Total("the generation of {}", lambda _table, player: player.generation),
    "species": _facing("Species", "species"),
    **{field: _facing(f"{field.replace('_', '-')} Species", field) for field in GENERATIONS},
    "table_events": Total(
        "the number of Events of {} on the table", lambda table, player: zone_of(table, "table", player.id).size
    ),
}
"""What can be read off the table for a player."""


def observe(table: Phylo, event: ev.StateObserved) -> Iterator[Drift]:
    """Return what was read off the table beside what the fold has there, also where they agree."""
    if event.turn is not msgspec.UNSET:
        yield Drift(OBSERVED, "the number of the turn", table.turn, event.turn)
    yield from _of_the_table(table, event) if event.player is msgspec.UNSET else _of_a_player(table, event)


def _of_a_player(table: Phylo, event: ev.StateObserved) -> Iterator[Drift]:
    """Return the totals of a player; a wrong count may contradict that a Species that was just played faces its own."""
    because = FACES_PLAYER if FACES_PLAYER in table.newly_applied else ""
    for _, field, read in read_totals(OBSERVED, READABLE_TOTALS, table, event):
        yield msgspec.structs.replace(read, because=because) if field in {"species", *GENERATIONS} else read


def _of_the_table(table: Phylo, event: ev.StateObserved) -> Iterator[Drift]:
    """Return the totals of the whole table."""
    if event.species is not msgspec.UNSET:
        yield Drift(OBSERVED, "the number of Species in play", table.zones[TABLEAU].size, event.species)
    for field in GENERATIONS:
        seen = getattr(event, field)
        if seen is not msgspec.UNSET:
            folded = sum(getattr(player, field) for player in table.players.values())
            yield Drift(OBSERVED, f"the number of {field.replace('_', '-')} Species in play", folded, seen)


def totals(table: Phylo, player: str) -> dict[str, int]:
    """Return the numbers of a player that are kept for every turn; the points are those that would be counted now."""
    return _totals(table, player, points_of(table)[player])


def points_and_totals(table: Phylo, player: str) -> tuple[dict[str, float], dict[str, int]]:
    """Return the points of each player and the totals of one, counted once."""
    counted = points_of(table)
    return _shared(counted), _totals(table, player, counted[player]) if player in counted else {}


def _totals(table: Phylo, player: str, points: ev.PointsCounted) -> dict[str, int]:
    """Return the totals of a player who would have these points."""
    mine = table.players[player]
    return {
        "points": points.total,
        "species_points": points.species,
        "technology": points.technology,
        "special": points.special,
        "chain": points.chain,
        "species": mine.species,
        "generation": mine.generation,
        "broken": sum(card.controller == player for card in broken(table)),
        "hand": zone_of(table, "hand", player).size,
        "deck": zone_of(table, "deck", player).size,
    }


def progress(table: Phylo, player: str) -> float:
    """Return the share of all points that a player would have if they were counted now; 0 while nobody has any."""
    shares = _shared(points_of(table))
    return shares[player] / sum(shares.values()) if sum(shares.values()) else 0.0


def _shared(counted: Mapping[str, ev.PointsCounted]) -> dict[str, float]:
    """Return the points of each player, at least 0; progress is a share of their sum."""
    return {player: float(max(each.total, 0)) for player, each in counted.items()}


def dimensions(table: Phylo, player: str) -> dict[str, str]:
    """Return the seat's own column: the kingdom of most Species in the deck."""
    kingdoms = Counter(card.text.kingdom for card in table.cards.values() if card.owner == player and is_species(card))
    return {"kingdom": max(sorted(kingdoms), key=kingdoms.__getitem__, default="")}


# -- drawing -----------------------------------------------------------------------------------------------------------


def areas(table: Phylo, viewer: str) -> Sequence[Area]:
    """Return the table as it is drawn for a viewer: the far player, the tableau, the near player.

    The viewer sits near; for the public and for one who sees everything that is the first player of the seating.
    """
    near, *far = players_around(table, viewer) or ("",)
    drawn = [area for each in far for area in (*_hand_and_piles(table, each, viewer, 0), _events(table, each, 1))]
    drawn.append(_tableau(table, near))
    return [*drawn, _events(table, near, MIDDLE + 1), *_hand_and_piles(table, near, viewer, MIDDLE + 2)]


def _tableau(table: Phylo, near: str) -> Area:
    """Return the tableau as a grid, with the points that would be counted now and who leads."""
    points = {player: each.total for player, each in points_of(table).items()}
    best = max(points.values(), default=0)
    leading = [player for player, total in points.items() if total == best]
    turned = near in table.players and table.players[near].seat > 0
    return Area(
        name=TABLEAU,
        title="Tableau",
        shape="grid",
        line=MIDDLE,
        caption=f"{' : '.join(f'{name_of(table, player)} {total}' for player, total in points.items())} points",
        highlight=leading[0] if len(leading) == 1 else "",
        cells=tuple(_cells(table, turned=turned)),
        grows=(-1, -1) if turned else (1, 1),
    )


def _cells(table: Phylo, *, turned: bool) -> Iterator[Cell]:
    """Return all cells of the frame, y growing toward the first seat; the second seat sees it from the other side."""
    lying = {player.cell: _progress_card(player) for player in table.players.values()}
    lying.update(
        (card.place, _in_tableau(table, card)) for card in table.zones[TABLEAU].cards if card.place is not None
    )
    if not lying:
        return
    left, right = min(x for x, _ in lying), max(x for x, _ in lying)
    top, bottom = min(y for _, y in lying), max(y for _, y in lying)
    for y in range(top, bottom + 1):
        for x in range(left, right + 1):
            row, column = (bottom - y, right - x) if turned else (y - top, x - left)
            yield Cell(row=row, column=column, place=(x, y), card=lying.get((x, y)))


def _progress_card(player: PhyloPlayer) -> Shown:
    """Return a player's progress card with the generation reached."""
    title, value = f"{player.name}'s progress", f"g{player.generation}"
    return Shown(name=f"progress:{player.id}", title=title, owner=player.id, value=value)


def _in_tableau(table: Phylo, card: PhyloCard) -> Shown:
    """Return a Species in play: what it is worth now, its scale, generation and year, and whether it is broken."""
    broken = [*(["cut off"] if card.cut_off else []), *(["incompatible"] if card.clashing else [])]
    value = worth(table, card) if is_species(card) else ""
    under = tuple(_shown(table, table.cards[name]) for name in card.beneath)
    return shown(card, value, (*broken, *_data(card)), owner=card.controller, under=under)


def _data(card: PhyloCard) -> Iterator[str]:
    """Return what decides where a Species fits: scale, generation and year of publication."""
    if not is_species(card):
        return
    yield f"scale {card.scale}"
    yield f"g{card.text.sequencing_generation}"
    if card.text.first_publication:
        yield card.text.first_publication[:4]


def _shown(table: Phylo, card: PhyloCard) -> Shown:
    """Return a card that the viewer knows."""
    text = card.text
    if text is None:
        return back_of(table, card)
    if text.kind == SPECIES:
        return shown(card, text.points, _data(card))
    return shown(card, marks=[text.mode.replace("_", " ")])


def _events(table: Phylo, player: str, line: int) -> Area:
    """Return the Events of a player that lie on the table, with what the player may still do."""
    mine = table.players.get(player)
    zone = zone_of(table, "table", player)
    words = []
    if mine is not None and table.active == player:
        words.append(counted(mine.actions, "action"))
    if mine is not None and table.turn < mine.forbidden_until + (table.active == player):
        words.append("may play no Species in the next turn" if table.active != player else "may play no Species")
    words += [what_is_owed(table, due) for due in table.owed if due.player == player]
    mark = player if player and table.active == player else ""
    title, cards = f"{name_of(table, player)}'s Events on the table", [_shown(table, card) for card in zone.cards]
    return zone_area(zone, title, cards, (line, 0), caption=", ".join(words), highlight=mark)


def _hand_and_piles(table: Phylo, player: str, viewer: str, line: int) -> Iterator[Area]:
    def draw(card: PhyloCard) -> Shown:
        sees = viewer == EVERYTHING or table.knows(viewer, card)
        return _shown(table, card) if sees else back_of(table, card)

    return hand_and_piles(table, player, draw, (line, 0))
