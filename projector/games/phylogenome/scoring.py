"""Counting points: the Species, the technology, and the awards that the two players compare."""

from collections.abc import Callable, Iterable, Mapping
from itertools import chain as chained
from itertools import repeat
from operator import attrgetter
from typing import Any, Final

import msgspec

from projector.games.phylogenome.grid import EIGHT, FOUR, Cell
from projector.games.phylogenome.state import SPECIES, TABLEAU, Phylo, PhyloCard, PhyloText
from projector.games.phylogenome.tableau import neighbours


class Points(msgspec.Struct, frozen=True, kw_only=True):
    """The points of a player, as `points.counted` says them."""

    chain: int
    awards: tuple[str, ...]
    species: int
    technology: int
    special: int

    @property
    def total(self) -> int:
        """The sum."""
        return self.species + self.technology + self.special


CHAIN: Final = "longest-chain"
AWARDS: Final[Mapping[str, int]] = {
    CHAIN: 15,
    "interest-areas": 8,
    "oldest-publication": 2,
    "largest-genome": 2,
    "most-genes": 2,
    "most-chromosomes": 2,
}
"""The awards in the order of the rulebook, with their points."""
LONG_ENOUGH: Final = {"six": 6, "five": 5}
TEXT: Final = attrgetter("text")
GENERATION: Final = attrgetter("sequencing_generation")
AREAS: Final = attrgetter("interest_areas")
PUBLISHED: Final = attrgetter("first_publication")
NOTHING: Final = repeat(0)
"""What follows where no chain does."""


def facing(table: Phylo, player: str) -> list[PhyloCard]:
    """Give the Species that face a player, in the order in which they came into play."""
    return [
        card
        for card in table.zones[TABLEAU].cards
        if card.controller == player and card.text is not None and card.text.kind == SPECIES
    ]


def points_of(table: Phylo) -> dict[str, Points]:
    """Give the points of all players, as they would be counted now."""
    mine = {player: facing(table, player) for player in table.players}
    chains = {player: longest_chain(table, cards) for player, cards in mine.items()}
    texts = {player: [*map(TEXT, cards)] for player, cards in mine.items()}
    given = {name: _winners(table, name, texts, chains) for name in AWARDS}
    found = {}
    for player, cards in mine.items():
        awards = tuple([name for name, winners in given.items() if player in winners])
        found[player] = Points(
            chain=chains[player],
            awards=awards,
            species=sum([worth(table, card) if card.beneath else card.text.points for card in cards]),
            technology=sum(map(GENERATION, texts[player])),
            special=sum([AWARDS[name] // _parts(table, len(given[name])) for name in awards]),
        )
    return found


def _parts(table: Phylo, winners: int) -> int:
    """Into how many parts an award is split (ruling `special_tie`)."""
    return winners if table.options["special_tie"] == "split_down" else 1


def worth(table: Phylo, card: PhyloCard) -> int:
    """Give the points of a Species with what the Events beneath it make of them, in the order of play."""
    points: int = card.text.points
    for name in card.beneath:
        text = table.cards[name].text
        for effect in text.says.effects if text is not None else ():
            if effect.op == "points_add":
                points += effect.n
            elif effect.op == "points_set":
                points = effect.n
    return points


# -- awards ------------------------------------------------------------------------------------------------------------


def _winners(
    table: Phylo, award: str, texts: Mapping[str, list[PhyloText]], chains: Mapping[str, int]
) -> tuple[str, ...]:
    """Give who gets an award: the only best player, or what the ruling `special_tie` says of several."""
    if award == CHAIN:
        enough = LONG_ENOUGH[table.options["chain_minimum"]]
        values: dict[str, Any] = {player: chain for player, chain in chains.items() if chain >= enough}
    else:
        values = {player: VALUES[award](table, cards) for player, cards in texts.items()}
    values = {player: value for player, value in values.items() if value}
    if not values:
        return ()
    best = (min if award == "oldest-publication" else max)(values.values())
    winners = tuple(player for player, value in values.items() if value == best)
    return winners if len(winners) == 1 or table.options["special_tie"] != "none" else ()


def _areas(table: Phylo, cards: Iterable[PhyloText]) -> int:
    areas = [*chained.from_iterable(map(AREAS, cards))]
    return len(areas) if table.options["areas_count"] == "total" else len({*areas})


def _most(field: str) -> Callable[[Phylo, Iterable[PhyloText]], Any]:
    read = attrgetter(field)
    return lambda _table, cards: max(filter(None, map(read, cards)), default=0)


def _oldest(_table: Phylo, cards: Iterable[PhyloText]) -> str:
    return min(filter(None, map(PUBLISHED, cards)), default="")


VALUES: Final[Mapping[str, Callable[[Phylo, Iterable[PhyloText]], Any]]] = {
    "interest-areas": _areas,
    "oldest-publication": _oldest,
    "largest-genome": _most("genome_size_mb"),
    "most-genes": _most("coding_genes"),
    "most-chromosomes": _most("unique_chromosomes"),
}


# -- the longest chain -------------------------------------------------------------------------------------------------


def longest_chain(table: Phylo, cards: Iterable[PhyloCard]) -> int:
    """Give the length of the longest chain of neighbours whose publication dates are in order."""
    dated = {
        cell: date
        for card in cards
        if (date := card.text.first_publication) and (cell := card.place) and table.cells.get(cell)
    }
    if table.options["chain_shape"] == "straight_line":
        return max((_straight(table, dated, cell) for cell in dated), default=0)
    return _Chains(table, dated).longest()


def _straight(table: Phylo, dated: Mapping[Cell, str], start: Cell) -> int:
    """Give the longest chain from a cell on that never turns a corner."""
    equal = table.options["chain_order"] == "non_decreasing"
    longest = 1
    for x, y in neighbours(table, start):
        step = x - start[0], y - start[1]
        length, here = 1, start
        while True:
            there = here[0] + step[0], here[1] + step[1]
            if there not in dated or dated[there] < dated[here] or (dated[there] == dated[here] and not equal):
                break
            length, here = length + 1, there
        longest = max(longest, length)
    return longest


class _Chains:
    """The chains over dated cells. Along a chain the dates rise; cells of one date may follow each other, each once."""

    def __init__(self, table: Phylo, dated: Mapping[Cell, str]) -> None:
        self._dated = dated
        self._equal = table.options["chain_order"] == "non_decreasing"
        self._around = EIGHT if table.diagonal else FOUR
        self._later: dict[Cell, int] = {}
        self._best = 0

    def longest(self) -> int:
        """Give the length of the longest chain: from the latest date to the earliest, what can follow is known."""
        later, around = self._later, self._around
        groups: dict[str, list[Cell]] = {}
        for cell, date in self._dated.items():
            groups.setdefault(date, []).append(cell)
        found: dict[Cell, int] = {}
        for date in sorted(groups, reverse=True):
            group = groups[date]
            for cell in group:
                later[cell] = max(map(found.get, around[cell], NOTHING))
            if len(group) > 1 and self._equal:
                found.update([(cell, self._from(cell, frozenset(group))) for cell in group])
            else:
                for cell in group:
                    found[cell] = 1 + later[cell]
        return max(found.values(), default=0)

    def _from(self, cell: Cell, group: frozenset[Cell]) -> int:
        """Give the length of the longest chain from a cell, where other cells have the same date."""
        self._best = 0
        self._follow(cell, group - {cell}, 1)
        return self._best

    def _follow(self, cell: Cell, left: frozenset[Cell], length: int) -> None:
        """Go on from a cell over the cells of its date that are left, as long as that can still give a longer chain."""
        self._best = max(self._best, length + self._later[cell])
        ahead = [each for each in self._around[cell] if each in left]
        if not ahead:
            return
        within = self._within_reach(cell, left)
        if length + len(within) + max(self._later[each] for each in within) <= self._best:
            return
        for each in ahead:
            self._follow(each, within - {each}, length + 1)

    def _within_reach(self, cell: Cell, left: frozenset[Cell]) -> frozenset[Cell]:
        reached: set[Cell] = set()
        here = [cell]
        while here:
            ahead = [each for each in self._around[here.pop()] if each in left and each not in reached]
            reached.update(ahead)
            here += ahead
        return frozenset(reached)
