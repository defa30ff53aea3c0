"""The tableau of PhyloGenome is compared with slow and simple computations, over games of bots."""

from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletape.events.games import phylogenome as ev
from tabletape.events.vocabulary import Decision, Event
from tabletape.events.vocabulary.shared import Seat
from tabletape.projector.fold.judge import Judge
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game
from tabletape.projector.games.phylogenome.scoring import longest_chain
from tabletape.projector.games.phylogenome.state import Cell, Phylo, PhyloCard
from tabletape.projector.games.phylogenome.tableau import lay, look, relocate
from tabletape.projector.games.phylogenome.ways import disconnected_by
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.simulate import Plan, simulate

GAME = game("phylogenome")
SEEDS = st.integers(1, 2)
RULINGS = st.sampled_from(
    [
        {},
        {"geometry": "grid8"},
        {"connect_to": "own_progress"},
        {"compat_scope": "own_only"},
        {"incompatible_blame": "both", "grace": "strict_end_of_turn"},
        {"move_whose": "any", "move_check": "end_state", "grace": "both_players_next_turn"},
        {"generation_counts": "connected_only", "play_spot": "adjacent_any"},
        {"repair_undone": "runs_on", "discard_cuts_off": "at_once", "event_short_draw": "forbidden"},
        {"unfixed_at_end": "discarded", "empty_move": "forbidden", "start_trigger_order": "played_order"},
        {"hand_limit": "seven", "skip_draw": "optional"},
        {"hand_limit": "ten", "short_draw": "forbidden", "end_trigger": "deck_only"},
        {"deck_out": "lose", "modifier_order": "owner_chooses", "unknown_values": "unverifiable"},
    ]
)


@cache
def game_of_bots(seed: int, rulings: tuple[tuple[str, str], ...]) -> Replay:
    """Return the replay of a game of two random bots under some rulings."""
    plan = Plan(seed=seed, bots=(Bot.RANDOM, Bot.RANDOM), rulings=dict(rulings), limit=320)
    (found,) = simulate(GAME, GAME.cards, plan, 1)
    assert found.findings == []
    return Replay(GAME, GAME.rulebook.ruleset("basic", dict(rulings))).run(found.events).finish()


def neighbours_of(table: Phylo, cell: Cell) -> set[Cell]:
    """Return the neighbours of a cell."""
    around = {(cell[0] + x, cell[1] + y) for x in (-1, 0, 1) for y in (-1, 0, 1)} - {cell}
    if table.options["geometry"] == "grid8":
        return around
    return {each for each in around if each[0] == cell[0] or each[1] == cell[1]}


def connected_cells(table: Phylo, player: str, occupied: set[Cell]) -> set[Cell]:
    """Return the cells that are connected to the progress cards, by adding neighbours until nothing changes."""
    own_only = table.options["connect_to"] == "own_progress"
    found = {table.players[player].cell} if own_only else {each.cell for each in table.players.values()}
    while True:
        more = {cell for cell in occupied if neighbours_of(table, cell) & found} | found
        if more == found:
            return found
        found = more


def random_table(data: st.DataObject) -> Phylo:
    """Return the table after a random event of a random game; the replay jumps there."""
    rulings = data.draw(RULINGS)
    replay = game_of_bots(data.draw(SEEDS), tuple(rulings.items()))
    table: Any = replay.at(data.draw(st.integers(0, len(replay.events) - 1)))
    found: Phylo = table
    return found


@settings(deadline=None, max_examples=30)
@given(data=st.data())
def test_a_species_is_cut_off_exactly_if_it_is_not_connected(data: st.DataObject) -> None:
    """A Species is cut off if and only if no path of cells connects it to a progress card."""
    table = random_table(data)
    cards = table.zones["tableau"].cards
    occupied = {card.place for card in cards}
    assert occupied == table.cells.keys() - table.anchors
    for card in cards:
        assert (card.cut_off == 0) == (card.place in connected_cells(table, card.controller, occupied)), card.name


@settings(deadline=None, max_examples=30)
@given(data=st.data())
def test_the_neighbours_of_a_species_are_known(data: st.DataObject) -> None:
    """`near` holds the Species beside a Species, and `anchored` says whether a progress card is beside it."""
    table = random_table(data)
    for card in table.zones["tableau"].cards:
        around = neighbours_of(table, card.place)
        assert sorted(each.name for each in card.near) == sorted(
            other.name for other in table.zones["tableau"].cards if other.place in around
        )
        assert card.anchored == bool(around & table.anchors)


@settings(deadline=None, max_examples=30)
@given(data=st.data())
def test_decks_and_hands_are_zones_of_the_table(data: st.DataObject) -> None:
    """`decks` and `hands` of a table hold its own zones, also if the table is a copy."""
    table = random_table(data)
    for player in table.players:
        assert table.decks[player] is table.zones[f"deck:{player}"]
        assert table.hands[player] is table.zones[f"hand:{player}"]


@settings(deadline=None, max_examples=30)
@given(data=st.data())
def test_species_are_numbered_in_the_order_of_entering(data: st.DataObject) -> None:
    """The numbers of Species rise in the order of the tableau, and a Species that enters gets the next one."""
    table = random_table(data)
    lying = table.zones["tableau"].cards
    assert [card.came for card in lying] == sorted({card.came for card in lying})
    for card in table.zones["hand:" + next(iter(table.players))].cards[:2]:
        lay(table, card, card.owner, (40, table.changes))
    assert [card.came for card in lying] == sorted({card.came for card in lying})


@settings(deadline=None, max_examples=30)
@given(data=st.data())
def test_the_species_that_a_removal_disconnects_are_found(data: st.DataObject) -> None:
    """`disconnected_by` finds exactly the Species that are not connected any more without a Species."""
    table = random_table(data)
    cards = {card.place: card for card in table.zones["tableau"].cards}
    for card in cards.values():
        if table.own_anchor or card.cut_off:
            continue
        left = cards.keys() - {card.place}
        expected = {cell for cell in left if not cards[cell].cut_off} - connected_cells(table, card.controller, left)
        assert {each.place for each in disconnected_by(card, frozenset())} == expected, card.name


def test_a_move_may_cut_off_the_moved_species_and_others() -> None:
    """A Species that moves beside those that it has connected is cut off together with them."""
    table, cards = table_with_dates({})
    for number, cell in enumerate([(0, -1), (-1, -1), (-1, -2), (-2, -2)]):
        card = table.make(f"A:rice#{number}", table.zones["hand:A"])
        lay(table, card, "A", cell)
        cards.append(card)
    look(table)
    assert not table.cut_off
    table.turn = 7
    relocate(table, cards[1], (-2, -1))
    look(table)
    assert [card.cut_off for card in cards] == [0, 7, 7, 7]


@settings(deadline=None, max_examples=30)
@given(data=st.data())
def test_the_species_that_changed_last_is_incompatible(data: st.DataObject) -> None:
    """If scales of neighbours differ by more than 1, the one that changed last is incompatible, or both (ruling)."""
    table = random_table(data)
    cards = table.zones["tableau"].cards
    both = table.options["incompatible_blame"] == "both"
    own_only = table.options["compat_scope"] == "own_only"
    for card in cards:
        clashing = [
            other
            for other in cards
            if other.place in neighbours_of(table, card.place)
            and abs((other.scale or 0) - (card.scale or 0)) > 1
            and (both or other.changed < card.changed)
            and (not own_only or other.controller == card.controller)
        ]
        assert bool(clashing) == (card.clashing > 0), card.name


@settings(deadline=None, max_examples=30)
@given(data=st.data())
def test_the_generation_follows_from_the_species_of_a_player(data: st.DataObject) -> None:
    """Four Species of a generation open the next one; `species` is their number in the tableau."""
    table = random_table(data)
    connected_only = table.options["generation_counts"] == "connected_only"
    for player in table.players.values():
        cards = [card for card in table.zones["tableau"].cards if card.controller == player.id]
        assert player.species == len(cards)
        counted = [card.text.sequencing_generation for card in cards if not (connected_only and card.cut_off)]
        expected = 1 if counted.count(1) < 4 else 2 if counted.count(2) < 4 else 3
        assert player.generation == expected


def candidates(table: Phylo, player: str) -> list[Event]:
    """Return every play of a Species and every single move, onto all cells up to two outside the tableau."""
    columns = [x for x, _ in table.cells]
    rows = [y for _, y in table.cells]
    frame = [(x, y) for x in range(min(columns) - 2, max(columns) + 3) for y in range(min(rows) - 2, max(rows) + 3)]
    hand = table.zones[f"hand:{player}"].cards
    found: list[Event] = [ev.SpeciesPlayed(player=player, card=card.name, cell=cell) for card in hand for cell in frame]
    for card in table.zones["tableau"].cards:
        moves = ((ev.SpeciesMove(card=card.name, to=cell),) for cell in frame if cell != card.place)
        found += [ev.SpeciesMoved(player=player, moves=move) for move in moves]
    return found


def is_allowed(table: Phylo, event: Event) -> bool:
    """Return whether a decision breaks no rule at a table."""
    judge = Judge(GAME)
    judge.table = table
    return GAME.gate(table, event) is None and not judge.judge(judge.rows[type(event)], event)


@settings(deadline=None, max_examples=25)
@given(data=st.data())
def test_legal_decisions_are_exactly_those_that_break_no_rule(data: st.DataObject) -> None:
    """Every offered decision is allowed, and every allowed play and single move is offered."""
    table = random_table(data)
    for player in GAME.actors(table):
        legal = GAME.legal(table, player)
        assert all(isinstance(event, Decision) and is_allowed(table, event) for event in legal)
        if table.owed:
            continue
        single = {
            repr(event)
            for event in legal
            if isinstance(event, ev.SpeciesPlayed) or (isinstance(event, ev.SpeciesMoved) and len(event.moves) == 1)
        }
        allowed = {repr(event) for event in candidates(table, player) if is_allowed(table, event)}
        assert single == allowed


# -- chains ------------------------------------------------------------------------------------------------------------

SEATS = (Seat(id="A", name="Ann"), Seat(id="B", name="Ben"))
DATES = st.sampled_from(["1995-01-01", "1999-01-01", "2003-01-01", "2010-01-01"])
CELLS = st.tuples(st.integers(0, 3), st.integers(0, 3))


def longest_by_search(table: Phylo, dated: dict[Cell, str], chain: tuple[Cell, ...]) -> int:
    """Return the length of the longest chain that begins with these cells, by trying all."""
    strictly = table.options["chain_order"] == "strictly_increasing"
    last = chain[-1]
    ahead = [
        cell
        for cell in neighbours_of(table, last)
        if cell in dated
        and cell not in chain
        and (dated[cell] > dated[last] or (dated[cell] == dated[last] and not strictly))
    ]
    return max((longest_by_search(table, dated, (*chain, cell)) for cell in ahead), default=len(chain))


def table_with_dates(dated: dict[Cell, str], **rulings: str) -> tuple[Phylo, list[PhyloCard]]:
    """Return a table with Species of these dates of publication on these cells, and the Species."""
    ruleset = GAME.rulebook.ruleset("basic", rulings)
    rice = GAME.cards.library["rice"]
    printed = {
        f"c{number}": msgspec.structs.replace(rice, id=f"c{number}", first_publication=date)
        for number, date in enumerate(dated.values())
    }
    table: Any = GAME.opening(SEATS, ruleset, {"rice": rice, **printed})
    cards = [
        table.make(f"A:c{number}", table.zones["tableau"], place=cell, controller="A")
        for number, cell in enumerate(dated)
    ]
    table.cells = {}
    for card in cards:
        table.occupy(card.place, card, table.beside(card.place, table.cells))
    return table, cards


@settings(deadline=None, max_examples=80)
@given(
    dated=st.dictionaries(CELLS, DATES, max_size=10),
    geometry=st.sampled_from(["grid4", "grid8"]),
    order=st.sampled_from(["non_decreasing", "strictly_increasing"]),
)
def test_the_longest_chain_is_the_longest_of_all(dated: dict[Cell, str], geometry: str, order: str) -> None:
    """The longest chain has the length that trying all chains finds, also with equal dates."""
    table, cards = table_with_dates(dated, geometry=geometry, chain_order=order)
    expected = max((longest_by_search(table, dated, (cell,)) for cell in dated), default=0)
    assert longest_chain(table, cards) == expected
    table.stacked = True
    assert longest_chain(table, cards) == expected


@pytest.mark.parametrize(("order", "length"), [("non_decreasing", 3), ("strictly_increasing", 2)])
def test_a_straight_chain_turns_no_corner(order: str, length: int) -> None:
    """With `chain_shape = straight_line` only cells in one line count, in either direction."""
    dated = {
        (3, 0): "1995-01-01",
        (2, 0): "1995-01-01",
        (1, 0): "1999-01-01",
        (1, 1): "2003-01-01",
        (1, 2): "2002-01-01",
    }
    table, cards = table_with_dates(dated, chain_shape="straight_line", chain_order=order)
    assert longest_chain(table, cards) == length


def test_a_chain_of_many_equal_dates_is_found_quickly() -> None:
    """Thirty Species with the same date form a chain that is found without trying all paths."""
    table, cards = table_with_dates({(x, y): "2001-01-01" for x in range(6) for y in range(5)})
    assert longest_chain(table, cards) == 30
