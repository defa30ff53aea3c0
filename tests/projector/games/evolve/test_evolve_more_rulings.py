"""Rulings of Evolve on starvation, evolving, duplicating and killing, besides what recordings test."""

from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest

from tabletape.projector.fold.folding import fold
from tabletape.projector.games import game
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.simulate import Plan, simulate

GAME = game("evolve")
Begin = Callable[..., Any]

CARD = '[[card]]\nid = "{0}"\nname = "{0}"\nkind = "organism"\nphylum = "X"\ntier = {1}\n'
CARD += "evolve = {{ energy = {2}, dna = 0 }}\nabilities = {3}\n"


def organism(name: str, *lines: str, tier: int = 1, energy: int = 3) -> str:
    """Return the TOML of an organism that costs nothing."""
    return CARD.format(name, tier, energy, list(lines))


# -- starvation_moment -------------------------------------------------------------------------------------------------

COUNT = {"type": "starvation.counted", "player": "B", "count": 0}


@pytest.mark.parametrize("place", range(4))
def test_a_count_before_the_discard_may_be_written_anywhere_in_the_end_step(begin: Begin, place: int) -> None:
    """`starvation_moment`: a count of 0 may stand before or after the discard and the end of the turn."""
    log = begin(["lactobacillus"], starvation_moment="before_discarding").add(
        "organism.played", "A", card="lactobacillus"
    )
    log.add("turn.ended", "A").turn("B", 1)
    at = len(log.lines) + place
    log.add("phase.started", phase="end").add("surplus.discarded", "B", card="nostoc#1").add("turn.ended", "B")
    log.lines.insert(at, COUNT)
    assert log.table().turn == 3


def test_a_win_before_the_discard_leaves_end_abilities_out(begin: Begin) -> None:
    """`starvation_moment`: abilities after the discard do not happen if the count has won before it."""
    rulings = {"starvation_moment": "before_discarding", "end_step_triggers": "after_discard"}
    log = begin(["late"], own=organism("late", "when end.self -> dna +1"), **rulings)
    log.add("organism.played", "A", card="late").add("turn.ended", "A")
    for number in (1, 2):
        log.turn("B", number).add("surplus.discarded", "B", card=f"nostoc#{number}").add("turn.ended", "B")
        log.turn("A", number).add("turn.ended", "A")
    table = log.table()
    assert (table.winner, table.reason, table.players["A"].dna) == ("A", "starvation", 3 + 2 + 2)


# -- evolve_energy_paid_first ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("option", "energy"), [("after_payment", 2), ("before_payment", 1)])
@pytest.mark.parametrize("timing", ["enters_on_resolution", "enters_at_once"])
def test_energy_moves_after_or_before_the_payment(begin: Begin, option: str, energy: int, timing: str) -> None:
    """`evolve_energy_paid_first`: energy moves after the payment, or before it up to the limit of the new organism."""
    own = organism("rod", "when enters -> energy +5 self", "always -> cap +3 self") + organism("coil", tier=2, energy=4)
    log = begin(["rod", "coil"], own=own, evolve_energy_paid_first=option, evolve_timing_card=timing)
    log.add("organism.played", "A", card="rod").add("organism.evolved", "A", card="rod", into="coil")
    assert log.card("A:coil").energy == energy


# -- divide_duplicate --------------------------------------------------------------------------------------------------


def cards_with_divide() -> Any:
    """Return the sample cards with `divide` printed in place of every other `duplicate`."""
    parts = (
        files("tabletape.projector.games.evolve")
        .joinpath("cards.toml")
        .read_text(encoding="utf-8")
        .split("action duplicate")
    )
    names = ("action divide", "action duplicate")
    text = "".join(part + names[index % 2] for index, part in enumerate(parts[:-1])) + parts[-1]
    return GAME.read_cards(text, "divided.toml")


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("option", ["same_action", "two_actions"])
def test_games_of_bots_that_divide_are_clean(seed: int, option: str) -> None:
    """`divide_duplicate`: the audit finds nothing in games of bots with both actions, under either option."""
    cards = cards_with_divide()
    plan = Plan(seed=seed, bots=(Bot.RANDOM, Bot.RANDOM), full=True, rulings={"divide_duplicate": option}, limit=400)
    (found,) = simulate(GAME, cards, plan, 1)
    assert not fold(GAME, found.events, library=cards.library).findings


def test_a_change_of_a_cost_reaches_the_action_that_it_names(begin: Begin) -> None:
    """`divide_duplicate`: a higher cost of duplicating counts for dividing only if both are one action."""
    own = organism("twin", "when enters -> energy +1 self", "action divide (energy 1): dna +1")
    own += '[[card]]\nid = "drag"\nname = "Drag"\nkind = "mutation"\n'
    own += 'abilities = ["always -> host duplicate energy +1"]\n'
    for option, broken in (("same_action", ["energy.action-cost"]), ("two_actions", [])):
        log = begin(["twin", "drag"], own=own, divide_duplicate=option).add("organism.played", "A", card="twin")
        log.add("mutation.played", "A", card="drag", host="twin")
        assert log.add("action.taken", "A", card="twin", action="divide").broken() == broken


# -- duplicate_new_card ------------------------------------------------------------------------------------------------


def test_a_second_organism_is_the_next_copy(begin: Begin) -> None:
    """`duplicate_new_card`: its number follows those of the deck list, and it counts as just played."""
    own = organism("mat", "action duplicate: dna +1")
    rulings = {"duplicate_new_card": "second_organism", "play_sick": "may_not_act"}
    log = begin(["mat", "mat"], own=own, **rulings).add("organism.played", "A", card="mat#2").to_second_turn()
    log.add("organism.duplicated", "A", card="mat#2").add("card.entered", card="A:mat#3")
    assert log.add("organism.duplicated", "A", card="mat#3").broken() == ["main.one-action"]


def test_a_removed_organism_does_not_duplicate(begin: Begin) -> None:
    """`duplicate_new_card`: an organism that is removed in answer to its duplication brings no second one."""
    own = organism("mat", "action duplicate: dna +1")
    log = begin(["mat"], ["sudden-lysis"], own=own, duplicate_new_card="second_organism", second_player_mp_turn1="five")
    log.add("organism.played", "A", card="mat").add("organism.duplicated", "A", card="mat")
    log.add("event.played", "B", card="sudden-lysis", target="A:mat").add("turn.ended", "A")
    assert log.card("A:mat#2") is None


# -- kill_by -----------------------------------------------------------------------------------------------------------

HUNTER = organism("hunter", "action attack: stress 1 enemy nonfood; if died -> energy +2 self")


@pytest.mark.parametrize(("option", "energy"), [("effect_that_killed", 2), ("nobody", 0)])
def test_who_kills_an_organism_that_stressed_itself(begin: Begin, option: str, energy: int) -> None:
    """`kill_by`: the source of the last stress has killed it, or no one has."""
    own = HUNTER + organism("prey", "action hide (stress self): dna +1")
    log = begin(["hunter"], ["prey"], own=own, kill_by=option).add("organism.played", "A", card="hunter")
    log.add("turn.ended", "A").turn("B", 1).add("organism.played", "B", card="prey")
    log.add("action.taken", "B", card="prey", action="hide").add("turn.ended", "B").turn("A", 1)
    log.add("organism.attacked", "A", card="hunter", target="B:prey").add("turn.ended", "A")
    assert log.card("A:hunter").energy == energy
