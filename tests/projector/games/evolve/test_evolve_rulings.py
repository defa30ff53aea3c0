"""The rulings of Evolve: options that are built change the game as their texts say, besides what recordings test."""

from collections.abc import Callable
from typing import Any

import pytest

from tabletape.projector.games import game

GAME = game("evolve")
Begin = Callable[..., Any]

ORGANISM = '[[card]]\nid = "{0}"\nname = "{0}"\nkind = "organism"\ntier = {1}\n{2}\nabilities = {3}\n'


def organism(name: str, *lines: str, tier: int = 1, phylum: str = "Bacillota", evolve: str = "") -> str:
    """Return the TOML of an organism that costs nothing."""
    cost = evolve or "evolve = { energy = 3, dna = 1 }"
    return ORGANISM.format(name, tier, f'phylum = "{phylum}"\n{cost if cost != "none" else ""}', list(lines))


PHOTOSYNTHESIZE = "action photosynthesize: energy +3 self"


def test_defects_of_the_rulebook_are_marked() -> None:
    """Rulings that settle a mistake of the rulebook are marked as defects."""
    assert {ruling.key for ruling in GAME.rulebook.rulings if ruling.defect} == {
        "tier3_win",
        "starvation_term",
        "event_own_action",
        "divide_duplicate",
        "attack_undefined",
        "kill_energy",
    }


def test_whether_an_organism_acts_in_its_first_turn(begin: Begin) -> None:
    """`play_sick`: an organism acts in the turn in which it was played, or not before the next own turn."""
    own = organism("leaf", PHOTOSYNTHESIZE)
    for ruling, broken in (("may_act", []), ("may_not_act", ["main.one-action"])):
        log = begin(["leaf"], own=own, play_sick=ruling).add("organism.played", "A", card="leaf")
        assert log.add("organism.photosynthesized", "A", card="leaf").broken() == broken
    later = begin(["leaf"], own=own, play_sick="may_not_act").add("organism.played", "A", card="leaf")
    later.to_second_turn()
    assert later.add("organism.photosynthesized", "A", card="leaf").broken() == []


def players_in_turn_two(begin: Begin, **rulings: str) -> Any:
    """Return the players at the start of turn 2; neither has played a card."""
    log = begin(**rulings).add("turn.ended", "A").turn("B", 1)
    return log.table().players


def test_mp_of_the_first_player_in_the_first_turn(begin: Begin) -> None:
    """`first_player_first_turn`: the first player has 5 MP in turn 1, or none."""
    assert begin().add("phase.started", phase="main").table().players["A"].mp == 5
    log = begin(first_player_first_turn="nothing_happens").add("phase.started", phase="main")
    assert log.table().players["A"].mp == 0


def test_whether_unspent_mp_are_kept(begin: Begin) -> None:
    """`mp_keep`: unspent MP are kept through the turn of the other player, or lost at the end of the own turn."""
    assert players_in_turn_two(begin)["A"].mp == 5
    assert players_in_turn_two(begin, mp_keep="lost_at_end_of_turn")["A"].mp == 0


def test_dna_of_the_second_player(begin: Begin) -> None:
    """`dna_start_second`: 4 DNA in the first own turn, or 3."""
    assert players_in_turn_two(begin)["B"].dna == 4
    assert players_in_turn_two(begin, dna_start_second="three")["B"].dna == 3


def log_of_evolving(
    begin: Begin, ben: tuple[str, ...] = (), *, old: str = "Bacillota", new: str = "Bacillota", **rulings: str
) -> Any:
    """Return a log that ends with an organism of phylum `old` evolving into one of phylum `new`; Ben holds `ben`."""
    own = organism("small", PHOTOSYNTHESIZE, phylum=old) + organism("large", tier=2, phylum=new)
    log = begin(["small", "large"], ben, own=own, **rulings)
    log.add("organism.played", "A", card="small").add("organism.photosynthesized", "A", card="small")
    return log.to_second_turn().add("organism.evolved", "A", card="small", into="large")


@pytest.mark.parametrize(
    ("option", "stressed", "actions"),
    [("new_object", False, 0), ("inherits_action", False, 1), ("inherits_all", True, 1)],
)
def test_what_the_new_organism_inherits(begin: Begin, option: str, stressed: bool, actions: int) -> None:
    """`evolve_new_object`: the new organism inherits nothing, the used action, or the used action and stress."""
    log = log_of_evolving(begin, ("phage-burst",), second_player_mp_turn1="five", evolve_new_object=option)
    card = log.add("event.played", "B", card="phage-burst", target="A:small").card("A:large")
    assert (card.stressed, card.actions) == (stressed, actions)


@pytest.mark.parametrize(("option", "zone"), [("card_lost", "discard:A"), ("card_back_to_hand", "hand:A")])
def test_where_the_new_card_goes_if_evolving_is_interrupted(begin: Begin, option: str, zone: str) -> None:
    """`evolve_interrupted`: the new card is lost, or returns to the hand."""
    log = log_of_evolving(begin, ("sudden-lysis",), evolve_interrupted=option)
    log.add("event.played", "B", card="sudden-lysis", target="A:small")
    assert log.card("A:large").zone.name == zone


def evolve_across_phyla(begin: Begin, old: str, new: str, **rulings: Any) -> Any:
    """Return the rules that are broken when an organism of phylum `old` evolves into one of phylum `new`."""
    log = log_of_evolving(begin, old=old, new=new, **rulings)
    return [each.rule for each in log.replay().findings if each.kind == "illegal"]


def test_old_and_new_names_of_phyla(begin: Begin) -> None:
    """`phylum_names`: old and new names of a phylum match, or only equal texts do."""
    assert evolve_across_phyla(begin, "Firmicutes", "Bacillota") == []
    assert evolve_across_phyla(begin, "Firmicutes", "Bacillota", phylum_names="exact_text") == [
        "evolve.evolve.same-phylum"
    ]


def test_organisms_without_a_phylum(begin: Begin) -> None:
    """`evolve_wrong_phylum_none`: they match no phylum, or every one."""
    assert evolve_across_phyla(begin, "", "Bacillota") == ["evolve.evolve.same-phylum"]
    assert evolve_across_phyla(begin, "", "Bacillota", evolve_wrong_phylum_none="matches_anything") == []


@pytest.mark.parametrize(("option", "energy"), [("no_cap", 3), ("cap_zero", 0)])
def test_an_organism_without_an_evolve_cost(begin: Begin, option: str, energy: int) -> None:
    """`energy_cap_no_evolve`: it holds any amount of energy, or none."""
    own = organism("small", PHOTOSYNTHESIZE, evolve="none")
    log = begin(["small"], own=own, energy_cap_no_evolve=option).add("organism.played", "A", card="small")
    assert log.add("organism.photosynthesized", "A", card="small").card("A:small").energy == energy


@pytest.mark.parametrize(("option", "energy"), [("surplus_lost", 1), ("kept", 3)])
def test_energy_above_a_lowered_limit(begin: Begin, option: str, energy: int) -> None:
    """`energy_cap_changes`: energy above the new limit is lost, or kept."""
    own = organism("small", PHOTOSYNTHESIZE)
    own += (
        '[[card]]\nid = "short"\nname = "Short"\nkind = "mutation"\nabilities = ["always -> host evolve energy -2"]\n'
    )
    log = begin(["small", "short"], own=own, energy_cap_changes=option).add("organism.played", "A", card="small")
    log.add("organism.photosynthesized", "A", card="small").add("mutation.played", "A", card="short", host="small")
    assert log.card("A:small").energy == energy


@pytest.mark.parametrize(("option", "energy"), [("surplus_lost", 1), ("kept", 2)])
def test_energy_above_the_limit_of_the_new_organism(begin: Begin, option: str, energy: int) -> None:
    """`energy_cap_transfer`: energy above the limit of the new organism is lost, or kept."""
    own = organism("small", PHOTOSYNTHESIZE) + organism("large", tier=2, evolve="evolve = { energy = 1, dna = 1 }")
    own += (
        '[[card]]\nid = "short"\nname = "Short"\nkind = "mutation"\nabilities = ["always -> host evolve energy -2"]\n'
    )
    own = own.replace("evolve = { energy = 1, dna = 1 }", "evolve = { energy = 3, dna = 1 }")
    log = begin(["small", "large", "short"], own=own, energy_cap_transfer=option, energy_cap_changes="kept")
    log.add("organism.played", "A", card="small").add("organism.photosynthesized", "A", card="small")
    log.add("mutation.played", "A", card="short", host="small").to_second_turn()
    log.add("organism.evolved", "A", card="small", into="large")
    assert log.card("A:large").energy == energy


def test_whether_food_may_act(begin: Begin) -> None:
    """`food_actions`: food has its printed actions, or none."""
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
def test_energy_of_removed_food(begin: Begin, option: str, energy: int) -> None:
    """`food_gone`: food that is removed before it is eaten gives no energy, or gives it all the same."""
    own = '[[card]]\nid = "purge"\nname = "Purge"\nkind = "event"\nabilities = ["remove 1 food"]\n'
    log = begin(["escherichia", "micrococcus-film", "purge"], own=own, food_gone=option)
    log.add("organism.played", "A", card="escherichia").add("organism.played", "A", card="micrococcus-film")
    log.add("food.consumed", "A", card="escherichia", food="micrococcus-film")
    assert log.add("event.played", "A", card="purge", target="micrococcus-film").card("A:escherichia").energy == energy


@pytest.mark.parametrize(("option", "dna"), [("no_effect", 3), ("effect_happens", 4)])
def test_the_action_of_a_removed_organism(begin: Begin, option: str, dna: int) -> None:
    """`action_source_gone`: its action does nothing, or happens all the same."""
    own = organism("small", "action duplicate: dna +1")
    own += '[[card]]\nid = "purge"\nname = "Purge"\nkind = "event"\nabilities = ["remove 1 organism"]\n'
    log = begin(["small", "purge"], own=own, action_source_gone=option).add("organism.played", "A", card="small")
    log.add("organism.duplicated", "A", card="small").add("event.played", "A", card="purge", target="small")
    assert log.table().players["A"].dna == dna


def test_an_attack_by_rules_of_the_table_is_unverifiable(begin: Begin) -> None:
    """`attack_undefined = table_rules`: any organism may attack, and what that does is unverifiable."""
    log = begin(["escherichia"], ["lactobacillus"], attack_undefined="table_rules")
    log.add("organism.played", "A", card="escherichia").add("turn.ended", "A").turn("B", 1)
    log.add("organism.played", "B", card="lactobacillus")
    log.add("organism.attacked", "B", card="lactobacillus", target="A:escherichia").add(
        "organism.died", card="A:escherichia"
    )
    replay = log.replay()
    assert [(each.rule, each.kind) for each in replay.findings] == [("evolve.state.consequence", "unverifiable")]
    assert replay.table.find("A:escherichia").zone.name == "discard:A"


def test_whether_an_answering_attack_needs_a_fitting_target(begin: Begin) -> None:
    """`reaction_target`: the consumer has to fit the attack of the card, or may be attacked all the same."""
    own = organism("picky", "action attack: stress 1 enemy tier 2 organism")
    for option, rules in (("filter_applies", ["attack.target"]), ("forced_fit", [])):
        log = begin(["escherichia"], ["picky", "micrococcus-film"], own=own, reaction_target=option)
        log.add("organism.played", "A", card="escherichia").add("turn.ended", "A").turn("B", 1)
        log.add("organism.played", "B", card="picky").add("organism.played", "B", card="micrococcus-film")
        log.add("turn.ended", "B").turn("A", 1)
        log.add("food.consumed", "A", card="escherichia", food="B:micrococcus-film")
        assert log.add("attack.declared", "B", card="picky", target="A:escherichia").broken() == rules


STATUS = '[[card]]\nid = "{0}"\nname = "{0}"\nkind = "status"\ndna = 1\nsubtypes = {1}\n'


def test_statuses_with_several_subtypes(begin: Begin) -> None:
    """`status_subtypes_many`: two statuses exclude each other by any shared subtype, or by the first one only."""
    own = STATUS.format("dry", ["heat", "salt"]) + STATUS.format("wet", ["cold", "salt"])
    for option, rules in (("any_shared", ["status.one-per-subtype"]), ("first_only", [])):
        log = begin(["dry", "wet"], own=own, status_subtypes_many=option).add("status.played", "A", card="dry")
        assert log.add("status.played", "A", card="wet").broken() == rules


@pytest.mark.parametrize(("option", "dna"), [("mp_only", 2), ("mp_and_dna", 1)])
def test_the_cost_of_ending_a_status(begin: Begin, option: str, dna: int) -> None:
    """`status_hand_cost`: it costs the MP of the other status, or its MP and DNA."""
    own = STATUS.format("dry", ["salt"]) + STATUS.format("wet", ["salt"])
    log = begin(["dry", "wet"], own=own, status_hand_cost=option).add("status.played", "A", card="dry")
    assert log.add("status.ended", "A", card="wet", target="dry").table().players["A"].dna == dna


@pytest.mark.parametrize(("option", "zone"), [("affected", "discard:A"), ("non_food_only", "play:A")])
def test_whether_statuses_affect_food(begin: Begin, option: str, zone: str) -> None:
    """`status_scope_food`: a status affects all organisms, or only those that are not food."""
    own = '[[card]]\nid = "frost"\nname = "Frost"\nkind = "status"\nsubtypes = ["cold"]\n'
    own += 'abilities = ["when begin.each -> remove all organism"]\n'
    log = begin(["frost", "micrococcus-film"], own=own, status_scope_food=option).add(
        "status.played", "A", card="frost"
    )
    log.add("organism.played", "A", card="micrococcus-film").add("turn.ended", "A").turn("B", 1)
    assert log.add("phase.started", phase="main").card("A:micrococcus-film").zone.name == zone


def test_events_that_happen_last(begin: Begin) -> None:
    """`event_resolution = after`: an event happens after the consuming that it answers and after the attack."""
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
