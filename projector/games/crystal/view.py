"""What a table is worth to look at: totals, progress, and how it is drawn."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from tabletape.projector.games.crystal.abilities import LANES
from tabletape.projector.games.crystal.chapters import observed
from tabletape.projector.games.crystal.chapters.winning import ENOUGH
from tabletape.projector.games.crystal.schema import FACTION, START_HITPOINTS
from tabletape.projector.games.crystal.state import BASIC, LANE, Crystal, CrystalCard, CrystalPlayer, hand_of, lane_of
from tabletape.projector.kit.areas import is_known, players_around, shown, zone_area
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.model.game import Area, Shown, backs
from tabletape.projector.model.phrases import name_of

TOTALS: Final = tuple(name for name in observed.TOTALS if name != "discard")


def totals(table: Crystal, player: str) -> dict[str, int]:
    """Return the numbers of a player that are kept for every turn; those of the lanes are their power."""
    return {name: observed.TOTALS[name].value(table, table.players[player]) for name in TOTALS}


def places(table: Crystal) -> dict[str, dict[str, int]]:
    """Return the power of the players in each lane."""
    return {lane: {player.id: getattr(player, lane) for player in table.players.values()} for lane in LANES}


def progress(table: Crystal, player: str) -> float:
    """Return how near a player is to winning: the crystals of 50, or the damage dealt of 20 to each opponent."""
    mine = table.players[player]
    opponents = max(len(table.players) - 1, 1)
    best = max(mine.crystals / ENOUGH, mine.dealt / (START_HITPOINTS * opponents))
    return max(0.0, min(best, 1.0))


def dimensions(table: Crystal, player: str) -> dict[str, str]:
    """Return the seat's own column: the faction."""
    return {"faction": table.players[player].faction}


# -- drawing -----------------------------------------------------------------------------------------------------------


def areas(table: Crystal, viewer: str) -> Sequence[Area]:
    """Return the table as it is drawn for a viewer: each player's hand and piles, the three lanes below each other.

    The viewer sits near; for the public and for one who sees everything that is the first player of the seating.
    """
    near, *far = players_around(table, viewer) or ("",)
    drawn: list[Area] = []
    for line, player in enumerate(far):
        drawn += _side(table, table.players[player], viewer, (2 * line, 2 * line + 1))
    line = 2 * len(far)
    drawn.append(_middle(table, line))
    if near:
        drawn += _side(table, table.players[near], viewer, (line + 2, line + 1))
    return drawn


def _middle(table: Crystal, line: int) -> Area:
    """Return the place between the players: the round, its phase and who has the priority token."""
    phase = table.phase.replace("-", " ")
    words = f"round {table.round}, {phase}" if table.round else phase
    token = f"{name_of(table, table.priority)} has priority" if table.priority else "nobody has priority yet"
    return Area(name="round", title="Round", line=line, caption=f"{words}; {token}", highlight=table.priority)


def _side(table: Crystal, player: CrystalPlayer, viewer: str, lines: tuple[int, int]) -> Iterator[Area]:
    """Yield everything of a player: supply, hand and piles on the first line, the lanes on the second."""
    yield _base(table, player, lines[0])
    yield _hand(table, player, viewer, lines[0])
    yield from _piles(table, player, lines[0])
    for column, lane in enumerate(LANES):
        yield _lane(table, player, lane, (lines[1], column))


def _base(table: Crystal, player: CrystalPlayer, line: int) -> Area:
    words = [f"{player.hitpoints} hit points", f"{player.crystals} crystals"]
    if table.active == player.id:
        words.append(f"tech {player.tech_used} of {player.tech_limit} used")
    if player.prevented:
        words.append(f"{player.prevented} damage prevented")
    out = "" if player.living else " is out"
    mark = player.id if table.active == player.id else ""
    base = zone_of(table, "base", player.id)
    cards = [_shown(table, card) for card in base.cards]
    return zone_area(base, f"{player.name}{out}", cards, (line, 0), caption=", ".join(words), highlight=mark)


def _hand(table: Crystal, player: CrystalPlayer, viewer: str, line: int) -> Area:
    """Return the hand: the cards that the viewer knows, and backs."""
    hand = hand_of(table, player.id)
    known = [_shown(table, card) for card in hand.cards if is_known(table, viewer, card)]
    cards = (*known, *backs(player.id, player.name, hand.size - len(known)))
    return zone_area(hand, f"{player.name}'s hand", cards, (line, 1), shape="hand")


def _piles(table: Crystal, player: CrystalPlayer, line: int) -> Iterator[Area]:
    """Yield the hidden faction deck, the open basic deck with its top card, and the discard pile."""
    top, last, none = slice(1), slice(-1, None), slice(0)
    piles = (
        (f"{FACTION}:deck", "Faction deck", none),
        (f"{BASIC}:deck", "Basic deck", top),
        ("discard", "Discard pile", last),
    )
    for column, (kind, title, open_cards) in enumerate(piles, start=2):
        zone = zone_of(table, kind, player.id)
        cards = [_shown(table, card) for card in zone.cards[open_cards]]
        yield zone_area(zone, title, cards, (line, column), shape="pile")


def _lane(table: Crystal, player: CrystalPlayer, lane: str, where: tuple[int, int]) -> Area:
    """Return a lane with its power, what was raised this round, and its tokens: `power 9 (2 this round), 1 boost`."""
    power = getattr(player, lane)
    raised = player.raised[LANE[lane]]
    tokens = Counter(token.partition(" on ")[0] for token in player.tokens if token.endswith(f" on {lane}"))
    words = [f"power {power}" + (f" ({raised:+} this round)" if raised else "")]
    words += [f"{number} {token}" for token, number in tokens.items()]
    others = [getattr(other, lane) for other in table.players.values() if other is not player and other.living]
    zone = zone_of(table, lane, player.id)
    mark = player.id if table.round and power > max(others, default=power) else ""
    title, cards = f"{player.name}'s {lane.capitalize()} lane", [_shown(table, card) for card in zone.cards]
    return zone_area(zone, title, cards, where, caption=", ".join(words), highlight=mark, place=lane)


def _shown(table: Crystal, card: CrystalCard) -> Shown:
    """Return an open card: its value for the lane where it lies, otherwise what it costs."""
    return shown(card, _value(card), _marks(table, card))


def _value(card: CrystalCard) -> str:
    if card.text is None:
        return ""
    lane = lane_of(card)
    if lane:
        return str(card.text.values[LANE[lane]])
    return "" if card.text.cost is None else str(card.text.cost)


def _marks(table: Crystal, card: CrystalCard) -> Iterator[str]:
    if card.text is None:
        return
    if card.text.kind == FACTION:
        yield from (f"{lane} {number}" for lane, number in zip(LANES, card.text.values, strict=True))
    if lane_of(card) and card.since == table.round:
        yield "new"
    if card.text.tech_requirement and not lane_of(card):
        yield f"tech {card.text.tech_requirement}"
