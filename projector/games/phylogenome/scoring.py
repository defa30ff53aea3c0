"""Counting points: the Species, the technology, and the awards that the two players compare."""

from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from operator import attrgetter
from typing import Any, Final

from tabletape.events.games import phylogenome as ev
from tabletape.projector.games.phylogenome.abilities import Effect
from tabletape.projector.games.phylogenome.schema import PhyloText
from tabletape.projector.games.phylogenome.state import NOBODY, SPECIES, TABLEAU, Cell, Phylo, PhyloCard
from tabletape.projector.games.phylogenome.ways import neighbours

CHAIN: Final[ev.Award] = "longest-chain"
AWARDS: Final[Mapping[ev.Award, int]] = {
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


def facing(table: Phylo, player: str) -> list[PhyloCard]:
    """Return the Species that face a player, in the order in which they came into play."""
    cards = table.zones[TABLEAU].cards
    return [each for each in cards if each.controller == player and each.text is not None and each.text.kind == SPECIES]


def points_of(table: Phylo) -> dict[str, ev.PointsCounted]:
    """Return the points of all players, as they would be counted now."""
    mine = {player: facing(table, player) for player in table.players}
    chains = {player: longest_chain(table, cards) for player, cards in mine.items()}
    texts = {player: [*map(TEXT, cards)] for player, cards in mine.items()}
    given = {name: _winners(table, name, texts, chains) for name in AWARDS}
    points = {}
    for player, cards in mine.items():
        awards = tuple([name for name, winners in given.items() if player in winners])
        species = sum([worth(table, card) if card.beneath else card.text.points for card in cards])
        technology = sum(map(GENERATION, texts[player]))
        special = sum([AWARDS[name] // _parts(table, len(given[name])) for name in awards])
        points[player] = ev.PointsCounted(
            player=player,
            total=species + technology + special,
            chain=chains[player],
            awards=awards,
            species=species,
            technology=technology,
            special=special,
        )
    return points


def _parts(table: Phylo, winners: int) -> int:
    """Into how many parts an award is split (ruling `special_tie`)."""
    return winners if table.options["special_tie"] == "split_down" else 1


def compared(table: Phylo, award: ev.Award) -> dict[str, Any]:
    """Return what an award compares, by player: lengths of chains, numbers, or dates (empty for none)."""
    mine = {player: facing(table, player) for player in table.players}
    if award == CHAIN:
        return {player: longest_chain(table, cards) for player, cards in mine.items()}
    return {player: _value(table, award, map(TEXT, cards)) for player, cards in mine.items()}


def worth(table: Phylo, card: PhyloCard) -> int:
    """Return the points of a Species with what the Events beneath it make of them, in their order (ruling)."""
    points: int = card.text.points
    texts = [text for name in card.beneath if (text := table.cards[name].text) is not None]
    effects = [effect for text in texts for effect in text.says.effects]
    if table.options["modifier_order"] == "owner_chooses":
        effects.sort(key=_for_the_most)
    for effect in effects:
        if effect.verb == "points_add":
            points += effect.n
        elif effect.verb == "points_set":
            points = effect.n
    return points


def _for_the_most(effect: Effect) -> tuple[bool, bool, int]:
    """Return the key of the order that gives most: what takes points away, then what sets them, then what adds some."""
    adds = effect.verb != "points_set"
    return adds and effect.n > 0, not adds, effect.n


# -- awards ------------------------------------------------------------------------------------------------------------


def _winners(
    table: Phylo, award: ev.Award, texts: Mapping[str, list[PhyloText]], chains: Mapping[str, int]
) -> tuple[str, ...]:
    """Return who gets an award: the only best player, or what the ruling `special_tie` says of several."""
    if award == CHAIN:
        enough = LONG_ENOUGH[table.options["chain_minimum"]]
        values: dict[str, Any] = {player: length for player, length in chains.items() if length >= enough}
    else:
        values = {player: _value(table, award, printed) for player, printed in texts.items()}
    values = {player: value for player, value in values.items() if value}
    if not values:
        return ()
    best = BEST.get(award, max)(values.values())
    winners = tuple(player for player, value in values.items() if value == best)
    return winners if len(winners) == 1 or table.options["special_tie"] != "none" else ()


def _value(table: Phylo, award: ev.Award, printed: Iterable[PhyloText]) -> Any:
    """Return what counts for an award but that of chains: the number of areas, or the best value; falsy for none."""
    values = [value for text in printed if (value := getattr(text, COMPARED_FIELDS[award]))]
    if award == "interest-areas":
        areas = [*chain.from_iterable(values)]
        return len(areas) if table.options["areas_count"] == "total" else len({*areas})
    return BEST.get(award, max)(values, default="" if award in BEST else 0)


BEST: Final[Mapping[str, Callable[..., Any]]] = {"oldest-publication": min}
"""What is best for an award: the most, but for these."""
COMPARED_FIELDS: Final[Mapping[ev.Award, str]] = {
    CHAIN: "first_publication",
    "interest-areas": "interest_areas",
    "oldest-publication": "first_publication",
    "largest-genome": "genome_size_mb",
    "most-genes": "coding_genes",
    "most-chromosomes": "unique_chromosomes",
}
"""What each award compares on a card."""


def lacking(table: Phylo) -> dict[ev.Award, PhyloCard]:
    """Return the awards that cannot be judged, each with a Species that lacks what it compares (ruling)."""
    if table.options["unknown_values"] != "unverifiable":
        return {}
    cards = [card for player in table.players for card in facing(table, player)]
    unknown = {
        name: next((card for card in cards if not getattr(card.text, field)), None)
        for name, field in COMPARED_FIELDS.items()
    }
    return {name: card for name, card in unknown.items() if card is not None}


def is_open(table: Phylo, points: Mapping[str, ev.PointsCounted]) -> bool:
    """Return whether awards that cannot be judged might decide who has most points (ruling `unknown_values`)."""
    doubtful = lacking(table)
    if not doubtful:
        return False
    sure = {player: counted.total - _special(table, points, doubtful, player) for player, counted in points.items()}
    first, *others = sorted(sure.values(), reverse=True)
    return any(first - other <= sum(AWARDS[name] for name in doubtful) for other in others)


def _special(table: Phylo, points: Mapping[str, ev.PointsCounted], names: Iterable[ev.Award], player: str) -> int:
    """Return the special points that some awards have given a player."""
    winners = {name: [each for each, counted in points.items() if name in counted.awards] for name in names}
    return sum(AWARDS[name] // _parts(table, len(those)) for name, those in winners.items() if player in those)


# -- the longest chain -------------------------------------------------------------------------------------------------


def longest_chain(table: Phylo, cards: Iterable[PhyloCard]) -> int:
    """Return the length of the longest chain of neighbours whose publication dates are in order."""
    dated = {card: date for card in cards if (date := card.text.first_publication) and card.near is not NOBODY}
    if table.options["chain_shape"] == "straight_line":
        dates: dict[Any, str] = {card.place: date for card, date in dated.items()}
        return max((_straight(table, dates, cell) for cell in dates), default=0)
    return _Chains(dated, equal=table.options["chain_order"] == "non_decreasing").longest()


def _straight(table: Phylo, dated: Mapping[Cell, str], start: Cell) -> int:
    """Return the longest chain from a cell on that never turns a corner."""
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
    """The chains over dated Species. Along a chain the dates rise; those of one date may follow each other."""

    def __init__(self, dated: Mapping[PhyloCard, str], *, equal: bool) -> None:
        self._dated = dated
        self._equal = equal
        self._later: dict[PhyloCard, int] = {}
        self._best = 0

    def longest(self) -> int:
        """Return the length of the longest chain: from the latest date to the earliest, what can follow is known."""
        later = self._later
        groups: dict[str, list[PhyloCard]] = {}
        for link, date in self._dated.items():
            groups.setdefault(date, []).append(link)
        lengths: dict[PhyloCard, int] = {}
        for date in sorted(groups, reverse=True):
            group = groups[date]
            for link in group:
                longest = 0
                for each in link.near:
                    if each in lengths and lengths[each] > longest:
                        longest = lengths[each]
                later[link] = longest
            if len(group) > 1 and self._equal:
                lengths.update([(link, self._from(link, frozenset(group))) for link in group])
            else:
                for link in group:
                    lengths[link] = 1 + later[link]
        return max(lengths.values(), default=0)

    def _from(self, link: PhyloCard, group: frozenset[PhyloCard]) -> int:
        """Return the length of the longest chain from a link, where others have the same date."""
        self._best = 0
        self._follow(link, group - {link}, 1)
        return self._best

    def _follow(self, link: PhyloCard, left: frozenset[PhyloCard], length: int) -> None:
        """Go on from a link over those of its date that are left, as long as that can still give a longer chain."""
        self._best = max(self._best, length + self._later[link])
        ahead = [each for each in link.near if each in left]
        if not ahead:
            return
        within = _within_reach(link, left)
        if length + len(within) + max(self._later[each] for each in within) <= self._best:
            return
        for each in ahead:
            self._follow(each, within - {each}, length + 1)


def _within_reach(link: PhyloCard, left: frozenset[PhyloCard]) -> frozenset[PhyloCard]:
    reached: set[PhyloCard] = set()
    here = [link]
    while here:
        ahead = [each for each in here.pop().near if each in left and each not in reached]
        reached.update(ahead)
        here += ahead
    return frozenset(reached)
