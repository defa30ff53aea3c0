"""What is read off a table: totals, which a log may give (`state.observed`), progress, worth, and how it is drawn."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from tabletape.events.games import crystal as ev
from tabletape.projector.games.crystal import board
from tabletape.projector.games.crystal.abilities import LANES
from tabletape.projector.games.crystal.chapters import winning
from tabletape.projector.games.crystal.schema import FACTION, START_HITPOINTS
from tabletape.projector.games.crystal.state import BASIC, LANE, Crystal, CrystalCard, CrystalPlayer
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.kit.totals import Total, counter, read_totals, size
from tabletape.projector.model.amounts import counted
from tabletape.projector.model.areas import Area, Shown, backs, is_known, players_around, shown, zone_area
from tabletape.projector.model.game import Drift
from tabletape.projector.model.phrases import name_of
from tabletape.projector.model.rules import OUTSIDE, Undecidable

OBSERVED: Final = OUTSIDE.declare("crystal.state.observed", "", "A total read off the table equals the derived one.")
FILLED_BY_DRAWING: Final = {"hand": 1, "faction_deck": -1, "basic_deck": -1}
THIS_TURN: Final = "crystal.ability.this-turn-ends"
BASE_CARDS: Final = "crystal.setup.three-base-cards"


def observe(table: Crystal, event: ev.StateObserved) -> Iterator[Drift]:
    """Yield what was read off the table beside what the fold has there, also where they agree."""
    if event.round is not msgspec.UNSET:
        yield Drift(OBSERVED, "round", table.round, event.round, lambda: table.set(table, "round", event.round))
    for player, field, each in read_totals(OBSERVED, READABLE_TOTALS, table, event):
        doubt = _missed_draws(player, field, each)
        because = _because(table, player, field, each.seen) if field in LANE else ""
        adopt = each.adopt if doubt is None else None
        yield msgspec.structs.replace(each, adopt=adopt, because=because, doubt=doubt)


def _missed_draws(player: CrystalPlayer, field: str, read: Drift) -> Undecidable | None:
    """Return the doubt that a hand or a deck may differ by draws that no line tells of."""
    sign = FILLED_BY_DRAWING.get(field, 0)
    if not sign or not 0 < (read.seen - read.folded) * sign <= player.missed:
        return None
    return Undecidable(f"{read.field} may be as it was read if {player.name} has drawn what no line says to be drawn")


def _because(table: Crystal, player: CrystalPlayer, lane: str, seen: int) -> str:
    """Return the derived rule that a wrong power contradicts: a raise was kept, the base card was misread."""
    if not table.deployed(player.id):
        return BASE_CARDS
    cards = [each.text.says for each in table.deployed(player.id) if each.text and each.since == table.round - 1]
    effects = [effect for says in cards for effect in (*says.attack_phase, *says.mining_phase)]
    lapsed = sum(effect.n for effect in effects if effect.verb == "power" and effect.lane == lane)
    return THIS_TURN if lapsed and seen - getattr(player, lane) == lapsed else ""


def _power(lane: str) -> Total:
    """Return the power of a lane, which is changed for good."""

    def change(table: Crystal, player: CrystalPlayer, by: int) -> None:
        table.set(player, "sums", board.added(player.sums, LANE[lane], by))
        board.update_totals(table, player, LANE[lane])

    return Total(f"the power of {{}}'s {lane} lane", lambda _table, player: getattr(player, lane), change)


def _total(noun: str, field: str) -> Total:
    """Return a total that is changed in the lines that are still to come, too."""
    return counter(noun, field, lambda table, player, by: board.shift(table, player.id, field, by))


READABLE_TOTALS: Final[Mapping[str, Total]] = {
    "crystals": _total("{}'s crystals", "crystals"),
    "hitpoints": _total("{}'s hit points", "hitpoints"),
    **{lane: _power(lane) for lane in LANES},
    "tech_limit": _total("{}'s tech limit", "tech_limit"),
    "hand": size("hand"),
    "faction_deck": size(f"{FACTION}:deck", "faction deck"),
    "basic_deck": size(f"{BASIC}:deck", "basic deck"),
    "discard": size("discard", "discard pile"),
}
"""What can be read off the table for a player."""
TOTALS: Final = {name: total.value for name, total in READABLE_TOTALS.items() if name != "discard"}
"""Those that are kept for every turn."""


def places(table: Crystal) -> dict[str, dict[str, int]]:
    """Return the power of the players in each lane."""
    return {lane: {player.id: getattr(player, lane) for player in table.players.values()} for lane in LANES}


def progress(table: Crystal, player: str) -> float:
    """Return how near a player is to winning: the crystals of 50, or the damage dealt of 20 to each opponent."""
    mine = table.players[player]
    opponents = max(len(table.players) - 1, 1)
    best = max(mine.crystals / winning.ENOUGH, mine.dealt / (START_HITPOINTS * opponents))
    return max(0.0, min(best, 1.0))


def value(table: Crystal, player: str) -> float:
    """Return how good a table is for a player: progress, hit points and the power of the lanes."""
    mine = table.players[player]
    if not mine.living:
        return -1000.0
    theirs = [_strength(table, other) for other in table.players.values() if other.living and other is not mine]
    return _strength(table, mine) - max(theirs, default=0.0)


def _strength(table: Crystal, player: CrystalPlayer) -> float:
    lanes = 2.0 * player.mining + 1.5 * player.attack + player.tech
    return 20 * progress(table, player.id) + lanes + 0.5 * player.hitpoints + 0.3 * player.crystals


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
    words = [counted(player.hitpoints, "hit point"), counted(player.crystals, "crystal")]
    if table.active == player.id:
        words.append(f"tech limit {player.tech_limit}, {player.tech_used} used")
    if player.prevented:
        words.append(f"{player.prevented} damage prevented")
    out = "" if player.living else " is out"
    mark = player.id if table.active == player.id else ""
    base = zone_of(table, "base", player.id)
    cards = [_shown(table, card) for card in base.cards]
    return zone_area(base, f"{player.name}{out}", cards, (line, 0), caption=", ".join(words), highlight=mark)


def _hand(table: Crystal, player: CrystalPlayer, viewer: str, line: int) -> Area:
    """Return the hand: the cards that the viewer knows, and backs."""
    hand = table.hand_of(player.id)
    known = [_shown(table, card) for card in hand.cards if is_known(table, viewer, card)]
    cards = (*known, *backs(player.id, player.name, hand.size - len(known)))
    return zone_area(hand, f"{player.name}'s hand", cards, (line, 1), shape="hand")


PILES: Final = (
    (f"{FACTION}:deck", "Faction deck", slice(0)),
    (f"{BASIC}:deck", "Basic deck", slice(1)),
    ("discard", "Discard pile", slice(-1, None)),
)
"""The hidden faction deck, the open basic deck with its top card, and the discard pile: what lies open of each."""


def _piles(table: Crystal, player: CrystalPlayer, line: int) -> Iterator[Area]:
    for column, (kind, title, open_cards) in enumerate(PILES, start=2):
        zone = zone_of(table, kind, player.id)
        yield zone_area(
            zone, title, [_shown(table, card) for card in zone.cards[open_cards]], (line, column), shape="pile"
        )


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
    text, lane = card.text, card.lane
    value = None if text is None else text.values[LANE[lane]] if lane else text.cost
    return shown(card, "" if value is None else str(value), _marks(table, card) if text is not None else ())


def _marks(table: Crystal, card: CrystalCard) -> Iterator[str]:
    if card.text.kind == FACTION:
        yield from (f"{lane} {number}" for lane, number in zip(LANES, card.text.values, strict=True))
    if card.lane and card.since == table.round:
        yield "new"
    if card.text.tech_requirement and not card.lane:
        yield f"tech {card.text.tech_requirement}"
