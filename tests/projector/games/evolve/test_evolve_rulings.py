"""The rulings of Evolve: every option that is built does what it says, beside those that recordings show."""

from collections.abc import Callable
from typing import Any

import pytest

from projector.games import game

GAME = game("evolve")
Begin = Callable[..., Any]

HOST = '[[card]]\nid = "{0}"\nname = "{0}"\nkind = "organism"\ntier = {1}\n{2}\nabilities = {3}\n'


def organism(name: str, *lines: str, tier: int = 1, phylum: str = "Bacillota", evolve: str = "") -> str:
    """Return the TOML of an organism that costs nothing."""
    cost = evolve or "evolve = { energy = 3, dna = 1 }"
    return HOST.format(name, tier, f'phylum = "{phylum}"\n{cost if cost != "none" else ""}', list(lines))


LIGHT = "action photosynthesize: energy +3 self"


def test_the_rulebooks_own_mistakes_are_marked() -> None:
    """What is wrong in the rulebook itself is marked."""
    assert {ruling.key for ruling in GAME.rulebook.rulings if ruling.defect} == {
        "tier3_win",
        "starvation_term",
        "event_own_action",
        "divide_duplicate",
        "attack_undefined",
        "kill_energy",
    }


def test_an_organism_may_have_to_wait_a_turn(begin: Begin) -> None:
    """`play_sick`: what was played acts at once, or not before the next turn."""
    own = organism("leaf", LIGHT)
    for ruling, broken in (("may_act", []), ("may_not_act", ["main.one-action"])):
        log = begin(["leaf"], own=own, play_sick=ruling).add("organism.played", "A", card="leaf")
        assert log.add("organism.photosynthesized", "A", card="leaf").broken() == broken
    later = begin(["leaf"], own=own, play_sick="may_not_act").add("organism.played", "A", card="leaf")
    later.add("turn.ended", "A").turn("B", 1).add("surplus.discarded", "B", card="nostoc#1").add("turn.ended", "B")
    later.turn("A", 1)
    assert later.add("organism.photosynthesized", "A", card="leaf").broken() == []


def turn_two(begin: Begin, **rulings: str) -> Any:
    """Return the second player at the start of turn 2 and the first player, who has played nothing."""
    log = begin(**rulings).add("turn.ended", "A").turn("B", 1)
    return log.table().players


def test_the_rest_of_the_first_begin_step(begin: Begin) -> None:
    """`first_player_first_turn`: the first player has 5 MP in turn 1, or none."""
    assert begin().add("phase.started", phase="main").table().players["A"].mp == 5
    log = begin(first_player_first_turn="nothing_happens").add("phase.started", phase="main")
    assert log.table().players["A"].mp == 0


def test_mp_in_the_turn_of_the_other(begin: Begin) -> None:
    """`mp_keep`: what is unspent lasts through the other player's turn, or is lost at once."""
    assert turn_two(begin)["A"].mp == 5
    assert turn_two(begin, mp_keep="lost_at_end_of_turn")["A"].mp == 0


def test_dna_of_the_second_player(begin: Begin) -> None:
    """`dna_start_second`: 4 DNA in the first own turn, or 3."""
    assert turn_two(begin)["B"].dna == 4
    assert turn_two(begin, dna_start_second="three")["B"].dna == 3


def stressed_old(begin: Begin, **rulings: str) -> Any:
    """Return the organism that a stressed one has evolved into; the stress came in the window of its evolving."""
    own = organism("small", LIGHT) + organism("large", tier=2)
    log = begin(["small", "large"], ["phage-burst"], own=own, second_player_mp_turn1="five", **rulings)
    log.add("organism.played", "A", card="small").add("organism.photosynthesized", "A", card="small")
    log.add("turn.ended", "A").turn("B", 1).add("surplus.discarded", "B", card="nostoc#1").add("turn.ended", "B")
    log.turn("A", 1).add("organism.evolved", "A", card="small", into="large")
    return log.add("event.played", "B", card="phage-burst", target="A:small").card("A:large")


@pytest.mark.parametrize(
    ("option", "stressed", "actions"),
    [("new_object", False, 0), ("inherits_action", False, 1), ("inherits_all", True, 1)],
)
def test_what_the_new_organism_inherits(begin: Begin, option: str, stressed: bool, actions: int) -> None:
    """`evolve_new_object`: nothing, the action that was used, or stress as well."""
    card = stressed_old(begin, evolve_new_object=option)
    assert (card.stressed, card.actions) == (stressed, actions)


@pytest.mark.parametrize(("option", "zone"), [("card_lost", "discard:A"), ("card_back_to_hand", "hand:A")])
def test_an_evolving_that_is_interrupted(begin: Begin, option: str, zone: str) -> None:
    """`evolve_interrupted`: the new card is lost, or returns to the hand."""
    own = organism("small", LIGHT) + organism("large", tier=2)
    log = begin(["small", "large"], ["sudden-lysis"], own=own, evolve_interrupted=option)
    log.add("organism.played", "A", card="small").add("organism.photosynthesized", "A", card="small")
    log.add("turn.ended", "A").turn("B", 1).add("surplus.discarded", "B", card="nostoc#1").add("turn.ended", "B")
    log.turn("A", 1).add("organism.evolved", "A", card="small", into="large")
    log.add("event.played", "B", card="sudden-lysis", target="A:small")
    assert log.card("A:large").zone.name == zone


def evolving(begin: Begin, old: str, new: str, **rulings: str) -> Any:
    """Return what is broken where an organism of one phylum evolves into one of another."""
    own = organism("small", LIGHT, phylum=old) + organism("large", tier=2, phylum=new)
    log = begin(["small", "large"], own=own, **rulings)
    log.add("organism.played", "A", card="small").add("organism.photosynthesized", "A", card="small")
    log.add("turn.ended", "A").turn("B", 1).add("surplus.discarded", "B", card="nostoc#1").add("turn.ended", "B")
    log.turn("A", 1).add("organism.evolved", "A", card="small", into="large")
    return [each.rule for each in log.replay().findings if each.kind == "illegal"]


def test_old_and_new_names_of_phyla(begin: Begin) -> None:
    """`phylum_names`: names of one table are equal, or only equal texts are."""
    assert evolving(begin, "Firmicutes", "Bacillota") == []
    assert evolving(begin, "Firmicutes", "Bacillota", phylum_names="exact_text") == ["evolve.evolve.same-phylum"]


def test_organisms_without_a_phylum(begin: Begin) -> None:
    """`evolve_wrong_phylum_none`: they never match, or match all."""
    assert evolving(begin, "", "Bacillota") == ["evolve.evolve.same-phylum"]
    assert evolving(begin, "", "Bacillota", evolve_wrong_phylum_none="matches_anything") == []


@pytest.mark.parametrize(("option", "energy"), [("no_cap", 3), ("cap_zero", 0)])
def test_an_organism_without_an_evolve_cost(begin: Begin, option: str, energy: int) -> None:
    """`energy_cap_no_evolve`: it holds any energy, or none."""
    own = organism("small", LIGHT, evolve="none")
    log = begin(["small"], own=own, energy_cap_no_evolve=option).add("organism.played", "A", card="small")
    assert log.add("organism.photosynthesized", "A", card="small").card("A:small").energy == energy


@pytest.mark.parametrize(("option", "energy"), [("surplus_lost", 1), ("kept", 3)])
def test_a_limit_that_falls(begin: Begin, option: str, energy: int) -> None:
    """`energy_cap_changes`: energy above the new limit is lost, or stays."""
    own = organism("small", LIGHT)
    own += (
        '[[card]]\nid = "short"\nname = "Short"\nkind = "mutation"\nabilities = ["always -> host evolve energy -2"]\n'
    )
    log = begin(["small", "short"], own=own, energy_cap_changes=option).add("organism.played", "A", card="small")
    log.add("organism.photosynthesized", "A", card="small").add("mutation.played", "A", card="short", host="small")
    assert log.card("A:small").energy == energy


@pytest.mark.parametrize(("option", "energy"), [("surplus_lost", 1), ("kept", 2)])
def test_more_energy_than_the_new_organism_holds(begin: Begin, option: str, energy: int) -> None:
    """`energy_cap_transfer`: what the new organism cannot hold is lost, or stays."""
    own = organism("small", LIGHT) + organism("large", tier=2, evolve="evolve = { energy = 1, dna = 1 }")
    own += (
        '[[card]]\nid = "short"\nname = "Short"\nkind = "mutation"\nabilities = ["always -> host evolve energy -2"]\n'
    )
    own = own.replace("evolve = { energy = 1, dna = 1 }", "evolve = { energy = 3, dna = 1 }")
    log = begin(["small", "large", "short"], own=own, energy_cap_transfer=option, energy_cap_changes="kept")
    log.add("organism.played", "A", card="small").add("organism.photosynthesized", "A", card="small")
    log.add("mutation.played", "A", card="short", host="small").add("turn.ended", "A").turn("B", 1)
    log.add("surplus.discarded", "B", card="nostoc#1").add("turn.ended", "B").turn("A", 1)
    log.add("organism.evolved", "A", card="small", into="large")
    assert log.card("A:large").energy == energy


def test_whether_food_may_act(begin: Begin) -> None:
    """`food_actions`: printed actions only, or none at all."""
    own = '[[card]]\nid = "moss"\nname = "Moss"\nkind = "organism"\nfood = true\n'
    own += 'abilities = ["action duplicate: dna +1"]\n'
    played = [begin(["moss"], own=own), begin(["moss"], own=own, food_actions="never")]
    for log in played:
        log.add("organism.played", "A", card="moss").add("organism.duplicated", "A", card="moss")
    assert [log.broken() for log in played] == [[], ["food.no-actions"]]


@pytest.mark.parametrize(("option", "stressed"), [("unaffected", False), ("becomes_stressed", True)])
def test_whether_consuming_stresses_the_consumer(begin: Begin, option: str, stressed: bool) -> None:
    """`consumer_stress`: only the food is stressed, or the consumer as well."""
    log = begin(["escherichia", "micrococcus-film"], consumer_stress=option).add(
        "organism.played", "A", card="escherichia"
    )
    log.add("organism.played", "A", card="micrococcus-film")
    log.add("food.consumed", "A", card="escherichia", food="micrococcus-film")
    assert log.card("A:escherichia").stressed is stressed


@pytest.mark.parametrize(("option", "energy"), [("no_energy", 0), ("energy_anyway", 2)])
def test_food_that_is_gone(begin: Begin, option: str, energy: int) -> None:
    """`food_gone`: there is nothing to gain, or the energy is gained all the same."""
    own = '[[card]]\nid = "purge"\nname = "Purge"\nkind = "event"\nabilities = ["remove 1 food"]\n'
    log = begin(["escherichia", "micrococcus-film", "purge"], own=own, food_gone=option)
    log.add("organism.played", "A", card="escherichia").add("organism.played", "A", card="micrococcus-film")
    log.add("food.consumed", "A", card="escherichia", food="micrococcus-film")
    assert log.add("event.played", "A", card="purge", target="micrococcus-film").card("A:escherichia").energy == energy


@pytest.mark.parametrize(("option", "dna"), [("no_effect", 3), ("effect_happens", 4)])
def test_an_organism_that_is_gone_before_it_acts(begin: Begin, option: str, dna: int) -> None:
    """`action_source_gone`: its action does nothing, or happens all the same."""
    own = organism("small", "action duplicate: dna +1")
    own += '[[card]]\nid = "purge"\nname = "Purge"\nkind = "event"\nabilities = ["remove 1 organism"]\n'
    log = begin(["small", "purge"], own=own, action_source_gone=option).add("organism.played", "A", card="small")
    log.add("organism.duplicated", "A", card="small").add("event.played", "A", card="purge", target="small")
    assert log.table().players["A"].dna == dna


def test_an_attack_by_the_rules_of_the_table(begin: Begin) -> None:
    """`attack_undefined`: any organism attacks anything, and nobody can tell what that does."""
    log = begin(["escherichia"], ["lactobacillus"], attack_undefined="table_rules")
    log.add("organism.played", "A", card="escherichia").add("turn.ended", "A").turn("B", 1)
    log.add("organism.played", "B", card="lactobacillus")
    log.add("organism.attacked", "B", card="lactobacillus", target="A:escherichia").add(
        "organism.died", card="A:escherichia"
    )
    replay = log.replay()
    assert [(each.rule, each.kind) for each in replay.findings] == [("evolve.state.consequence", "unverifiable")]
    assert replay.table.find("A:escherichia").zone.name == "discard:A"


def test_an_answer_that_does_not_fit(begin: Begin) -> None:
    """`reaction_target`: an attack on something else is no answer, or the consumer may be attacked all the same."""
    own = organism("picky", "action attack: stress 1 enemy tier 2 organism")
    for option, rules in (("filter_applies", ["attack.target"]), ("forced_fit", [])):
        log = begin(["escherichia"], ["picky", "micrococcus-film"], own=own, reaction_target=option)
        log.add("organism.played", "A", card="escherichia").add("turn.ended", "A").turn("B", 1)
        log.add("organism.played", "B", card="picky").add("organism.played", "B", card="micrococcus-film")
        log.add("turn.ended", "B").turn("A", 1)
        log.add("food.consumed", "A", card="escherichia", food="B:micrococcus-film")
        assert log.add("attack.declared", "B", card="picky", target="A:escherichia").broken() == rules


TWIN = '[[card]]\nid = "{0}"\nname = "{0}"\nkind = "status"\ndna = 1\nsubtypes = {1}\n'


def test_statuses_with_several_subtypes(begin: Begin) -> None:
    """`status_subtypes_many`: any shared subtype counts, or the first one only."""
    own = TWIN.format("dry", ["heat", "salt"]) + TWIN.format("wet", ["cold", "salt"])
    for option, rules in (("any_shared", ["status.one-per-subtype"]), ("first_only", [])):
        log = begin(["dry", "wet"], own=own, status_subtypes_many=option).add("status.played", "A", card="dry")
        assert log.add("status.played", "A", card="wet").broken() == rules


@pytest.mark.parametrize(("option", "dna"), [("mp_only", 2), ("mp_and_dna", 1)])
def test_the_cost_of_ending_a_status(begin: Begin, option: str, dna: int) -> None:
    """`status_hand_cost`: the MP of the other status, or its DNA too."""
    own = TWIN.format("dry", ["salt"]) + TWIN.format("wet", ["salt"])
    log = begin(["dry", "wet"], own=own, status_hand_cost=option).add("status.played", "A", card="dry")
    assert log.add("status.ended", "A", card="wet", target="dry").table().players["A"].dna == dna


@pytest.mark.parametrize(("option", "zone"), [("affected", "discard:A"), ("non_food_only", "play:A")])
def test_whether_statuses_affect_food(begin: Begin, option: str, zone: str) -> None:
    """`status_scope_food`: a status reaches all organisms, or only those that are not food."""
    own = '[[card]]\nid = "frost"\nname = "Frost"\nkind = "status"\nsubtypes = ["cold"]\n'
    own += 'abilities = ["when begin.each -> remove all organism"]\n'
    log = begin(["frost", "micrococcus-film"], own=own, status_scope_food=option).add(
        "status.played", "A", card="frost"
    )
    log.add("organism.played", "A", card="micrococcus-film").add("turn.ended", "A").turn("B", 1)
    assert log.add("phase.started", phase="main").card("A:micrococcus-film").zone.name == zone


def test_events_that_happen_last_leave_room_for_an_answer(begin: Begin) -> None:
    """`event_resolution = after`: an event waits until the consuming it answers is over, attack and all."""
    hand = ["lactobacillus", "nutrient-pulse", "micrococcus-film"]
    log = begin(hand, ["bdellovibrio", "sporosarcina-mat"], event_resolution="after")
    log.add("organism.played", "A", card="lactobacillus").add("turn.ended", "A").turn("B", 1)
    log.add("organism.played", "B", card="bdellovibrio").add("organism.played", "B", card="sporosarcina-mat")
    log.add("food.consumed", "B", card="bdellovibrio", food="sporosarcina-mat").add("turn.ended", "B").turn("A", 1)
    log.add("food.consumed", "A", card="lactobacillus", food="B:sporosarcina-mat")
    log.add("event.played", "A", card="nutrient-pulse", target="lactobacillus")
    log.add("attack.declared", "B", card="bdellovibrio", target="A:lactobacillus")
    log.add("energy.changed", card="A:lactobacillus", by=2, to=2, lost=1)
    log.add("energy.changed", card="A:lactobacillus", by=0, to=2, lost=1)
    card = log.card("A:lactobacillus")
    assert (card.energy, card.stressed) == (2, True)
