"""The rulings of Splicers: each reading that is built changes the game in the way that it says."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events.vocabulary import Consequence
from projector.fold.folding import fold
from projector.games import game
from projector.model.game import Game
from projector.selfplay.simulate import Plan, simulate

BUILT = [
    (ruling.key, option.name)
    for ruling in game("splicers").rulebook.rulings
    for option in ruling.options[1:]
    if option.built
]


def rule_name(rule: str) -> str:
    """Return a rule's name without the game's."""
    return rule.removeprefix("splicers.")


@pytest.mark.parametrize(("key", "option"), BUILT)
def test_a_game_under_another_reading_is_clean(splicers: Game, key: str, option: str) -> None:
    """Under every reading bots can play to the end, nobody breaks a rule, and sparse and full logs are one table."""
    plan = Plan(seed=3, rulings={key: option}, full=True, limit=3000)
    for played in simulate(splicers, splicers.cards, plan, 2):
        assert not played.abandoned
        assert played.findings == []
        full = fold(splicers, played.events)
        sparse = fold(splicers, [event for event in played.events if not isinstance(event, Consequence)])
        assert sparse.findings == []
        assert sparse.table.state() == full.table.state()


def test_reaching_the_value_is_enough_or_not(story: Any) -> None:
    """domination_threshold: 3 of 3 dominates under at_least, and does not under more_than."""
    for option, bioms in (("at_least", ("saltglass-shore",)), ("more_than", ())):
        told = story(rulings={"domination_threshold": option}).seeds("A", "undertow-eel", "saltglass-shore")
        told.passes("B", "A").draws("tin-wasp", "spore-clerk").passes("B").evolves("A", "undertow-eel", end=False)
        biom = told.clean().table.card("A:saltglass-shore")
        assert biom.dominator == ("A" if bioms else "")


def test_jumpers_return_before_or_after_the_reveal(story: Any) -> None:
    """end_order: a jumper can be hit by the event only where the event is turned over first."""
    for option, is_there in (
        ("reveal_jumpers_count_effects_expiry", True),
        ("jumpers_reveal_count_effects_expiry", False),
    ):
        hand = ("tin-wasp", "kelp-choir", "undertow-eel", "first-frost", "weather-kite")
        told = story(hand, rulings={"end_order": option})
        told.add("jumper.played", "A", card="A:tin-wasp", biom="thunder-shelf").ends("A").passes("B")
        told.add("event.played", "A", card="A:first-frost")
        card = told.clean().table.card("A:tin-wasp")
        assert (card.zone.name == "play:A") is is_there


def test_what_a_splice_finds_goes_to_the_hand_or_into_play(story: Any) -> None:
    """splice_destination: a biom on the line lays the found ting down; under `hand` that is a mistake."""
    for option, broken in (("hand", ["splice.to-hand"]), ("play_now", [])):
        told = _two_tings(story, rulings={"splice_destination": option})
        told.add(
            "tings.spliced",
            "A",
            tings=["A:reed-heron", "A:weather-kite"],
            found="A:nightjar-oracle",
            biom="moss-parish",
        )
        assert told.broken() == broken
        card = told.folded().table.card("A:nightjar-oracle")
        assert (card.place, card.face_up, card.exhausted) == ("moss-parish", True, True)


def _two_tings(story: Any, **more: Any) -> Any:
    """Ann has Reed Heron and Weather Kite unexhausted at Saltglass Shore and is on turn in round 4."""
    told = story(("reed-heron", "weather-kite", "kelp-choir", "first-frost", "tin-wasp"), **more)
    told.seeds("A", "reed-heron", "saltglass-shore").seeds("B", "mire-calf", "moss-parish")
    told.seeds("A", "weather-kite", "saltglass-shore").passes("B", "A").draws("undertow-eel", "spore-clerk")
    told.passes("B").evolves("A", "reed-heron").draws("glass-moth", "tithe-barn")
    told.passes("B").evolves("A", "weather-kite").draws("velvet-patriarch", "glass-moth")
    return told.passes("B")


def test_evolving_without_the_requirement_devolves_or_is_illegal(story: Any) -> None:
    """evolve_unmet_req: Kelp Choir has no Air and cannot stay at Thunder Shelf either way."""
    for option, broken in (("devolves", []), ("illegal", ["req.must-hold"])):
        told = story(rulings={"evolve_unmet_req": option}).seeds("A", "kelp-choir", "thunder-shelf")
        told.passes("B", "A").draws("tin-wasp", "spore-clerk").passes("B").evolves("A", "kelp-choir", end=False)
        assert told.broken() == broken
        assert not told.folded().table.card("A:kelp-choir").face_up


def _kelp_at_thunder_shelf(story: Any, **rulings: str) -> Any:
    told = story(("kelp-choir", "gill-graft", "reed-heron", "undertow-eel", "first-frost"), rulings=rulings)
    told.seeds("A", "kelp-choir", "thunder-shelf").passes("B", "A").draws("tin-wasp", "spore-clerk")
    return told.passes("B")


def test_a_mutation_is_in_time_in_the_moment_after_evolving(story: Any) -> None:
    """evolve_mutation_timing = short_window: the requirement waits for the mutation, but no longer."""
    told = _kelp_at_thunder_shelf(story, evolve_mutation_timing="short_window")
    told.evolves("A", "kelp-choir", end=False)
    assert told.folded().table.card("A:kelp-choir").face_up is False  # the log ends, and so does the moment
    told.add("mutation.played", "A", card="A:gill-graft", host="A:kelp-choir").ends("A")
    assert told.clean().table.card("A:kelp-choir").face_up
    late = _kelp_at_thunder_shelf(story, evolve_mutation_timing="short_window").evolves("A", "kelp-choir")
    assert not late.clean().table.card("A:kelp-choir").face_up


def test_a_mutation_is_in_time_on_the_seed(story: Any) -> None:
    """evolve_mutation_timing = on_seed_first and mutation_host_facedown = allowed let a seed host a mutation."""
    for rulings, broken in (
        ({}, ["mutation.host-is-ting"]),
        ({"evolve_mutation_timing": "on_seed_first"}, []),
        ({"mutation_host_facedown": "allowed"}, []),
    ):
        told = _kelp_at_thunder_shelf(story, **rulings)
        told.add("mutation.played", "A", card="A:gill-graft", host="A:kelp-choir").evolves("A", "kelp-choir")
        assert told.broken() == broken
        assert told.folded().table.card("A:kelp-choir").face_up


def test_an_enemy_seed_hosts_nothing_where_only_own_seeds_may(story: Any) -> None:
    """on_seed_first speaks of the own seed that will evolve; the other ruling of any seed."""
    for rulings, broken in (
        ({"evolve_mutation_timing": "on_seed_first"}, ["mutation.host-is-ting"]),
        ({"mutation_host_facedown": "allowed"}, []),
    ):
        told = story(("gill-graft", "kelp-choir", "reed-heron", "undertow-eel", "first-frost"), rulings=rulings)
        told.seeds("A", "kelp-choir", "moss-parish").seeds("B", "mire-calf", "moss-parish")
        told.add("mutation.played", "A", card="A:gill-graft", host="B:mire-calf")
        assert told.broken() == broken


def test_genes_of_mutations_count_for_requirements_or_not(story: Any) -> None:
    """mutation_genes_req: Gill Graft gives Kelp Choir the Air that Thunder Shelf needs, if its genes count."""
    for option, stays in (("count", True), ("do_not_count", False)):
        told = _kelp_at_thunder_shelf(story, mutation_genes_req=option)
        told.evolves("A", "kelp-choir", mutations=["A:gill-graft"])
        assert told.clean().table.card("A:kelp-choir").face_up is stays


@pytest.mark.parametrize(
    ("option", "player", "revealed", "is_active"),
    [
        ("event_played", "A", False, False),
        ("event_revealed", "A", False, True),
        ("event_revealed", "A", True, False),
        ("own_event_played", "A", True, True),
        ("own_event_played", "B", False, False),
    ],
)
def test_what_ends_a_season(story: Any, option: str, player: str, revealed: bool, is_active: bool) -> None:
    """season_ends: any event laid down, the next one revealed, or the owner's next one."""
    told = story(ben=("long-drought", "harvest-fair", "mire-calf", "kelp-choir"), rulings={"season_ends": option})
    told.seeds("A", "kelp-choir", "moss-parish").add("event.played", "B", card="B:long-drought").passes("A")
    told.add("event.revealed", "B", card="B:long-drought").draws("tin-wasp", "spore-clerk")
    if player == "A":
        told.passes("B").add("event.played", "A", card="A:first-frost")
    else:
        told.add("event.played", "B", card="B:harvest-fair")
    if revealed:
        told.add("event.revealed", "A", card="A:first-frost", target="A:kelp-choir")
    assert (told.clean().table.card("B:long-drought").zone.name == "season") is is_active


@pytest.mark.parametrize(
    ("option", "at_play", "late"),
    [("at_play_face_up", 1, 0), ("whole_round", 1, 1), ("at_reveal", 0, 0)],
)
def test_when_farsight_counts(story: Any, option: str, at_play: int, late: int) -> None:
    """farsight_window: when the event is laid down, all round, or when it is turned over."""
    hand = ("nightjar-oracle", "kelp-choir", "reed-heron", "first-frost", "weather-kite")
    told = story(
        hand,
        ben=("nightjar-oracle", "long-drought", "mire-calf", "kelp-choir"),
        rulings={"farsight_window": option},
        instead={"the-unfinished": "nightjar-oracle"},
    )
    told.seeds("A", "nightjar-oracle", "moss-parish").seeds("B", "nightjar-oracle", "moss-parish").passes("A", "B")
    told.draws("tin-wasp", "spore-clerk").evolves("A", "nightjar-oracle").add(
        "event.played", "B", card="B:long-drought"
    )
    assert told.clean().table.card("A:nightjar-oracle").changes == at_play
    other = story(
        hand,
        ben=("nightjar-oracle", "long-drought", "mire-calf", "kelp-choir"),
        rulings={"farsight_window": option},
        instead={"the-unfinished": "nightjar-oracle"},
    )
    other.seeds("A", "nightjar-oracle", "moss-parish").seeds("B", "nightjar-oracle", "moss-parish").passes("A", "B")
    other.draws("tin-wasp", "spore-clerk").add("event.played", "A", card="A:first-frost")
    other.evolves("B", "nightjar-oracle", end=False)
    assert other.clean().table.card("B:nightjar-oracle").changes == late


@pytest.mark.parametrize(
    ("option", "zone", "deck"),
    [("discard_pile", "discard:A", 9), ("deck_bottom", "deck:A", 10), ("shuffled_in", "deck:A", 10)],
)
def test_where_a_mulligan_goes(story: Any, option: str, zone: str, deck: int) -> None:
    """mulligan_destination: to the discard pile, under the deck, or into it."""
    told = story(rulings={"mulligan_destination": option})
    told.lines[-2] |= {"returned": ["A:weather-kite"], "drawn": ["A:glass-moth"]}
    table = told.clean().table
    assert table.card("A:weather-kite").zone.name == zone
    assert table.zones["deck:A"].size == deck


def _to_the_last_round(story: Any, **rulings: str) -> Any:
    """Both pass until Ann cannot draw, then through the last round."""
    told = story(rulings=rulings)
    ann = ("glass-moth", "nightjar-oracle", "lichen-page", "spore-clerk", "tin-wasp", "velvet-patriarch")
    ann += ("gill-graft", "rot-collar", "small-hours", "harvest-fair")
    ben = ("tithe-barn", "old-mother-sump", "cairn-colossus", "the-unfinished", "lichen-page", "spore-clerk")
    ben += ("glass-moth", "second-stomach", "pocket-chapel", "rot-collar", "harvest-fair")
    for number in range(11):
        told.passes("A", "B").draws(ann[number] if number < 10 else "", ben[number])
    return told.passes("A", "B")


@pytest.mark.parametrize(
    ("option", "over", "winner"),
    [("draw", True, ""), ("first_player_wins", True, "A"), ("play_another_round", False, "")],
)
def test_what_an_unbroken_tie_means(story: Any, option: str, over: bool, winner: str) -> None:
    """final_tie_unbroken: nobody wins, the first player wins, or the game goes on."""
    table = _to_the_last_round(story, final_tie_unbroken=option).clean().table
    assert (table.over, table.winner) == (over, winner)


def test_a_turn_ends_by_itself(story: Any) -> None:
    """turn_end = automatic: with the last action the turn is over; a line that says so all the same does no harm."""
    told = story(rulings={"turn_end": "automatic"}).seeds("A", "reed-heron", "thunder-shelf", end=False)
    assert told.clean().table.active == "B"
    assert told.ends("A").clean().table.active == "B"
    assert story().seeds("A", "reed-heron", "thunder-shelf", end=False).clean().table.active == "A"


HAND = ("reed-heron", "kelp-choir", "undertow-eel", "first-frost")


def test_a_mutation_is_in_time_after_the_last_action(story: Any) -> None:
    """turn_end = automatic: what is free may follow the last action, until the log shows that the other one is on."""
    told = _kelp_at_thunder_shelf(story, turn_end="automatic", evolve_mutation_timing="short_window")
    told.evolves("A", "kelp-choir", end=False).add("mutation.played", "A", card="A:gill-graft", host="A:kelp-choir")
    assert told.clean().table.card("A:kelp-choir").face_up
    assert told.draws("glass-moth", "tithe-barn").clean().table.round == 3
    seen = story(("gill-graft", *HAND), rulings={"turn_end": "automatic"}).seeds("A", HAND[0], "moss-parish", end=False)
    seen.add("state.observed", "B", actions=1).seeds("B", "mire-calf", "moss-parish", end=False)
    assert seen.clean().table.active == "A"
    late = _kelp_at_thunder_shelf(story, turn_end="automatic").seeds("A", "reed-heron", "moss-parish", end=False)
    late.lines.append({"type": "turn.ended", "player": "A"})
    late.add("mutation.played", "A", card="A:gill-graft", host="A:reed-heron")
    assert late.broken() == ["mutation.own-turn", "mutation.host-is-ting"]


def test_abilities_outside_play(story: Any) -> None:
    """abilities_outside_play = strict: no jumper from the hand, nothing expensive, and events do nothing."""
    for option, broken in (("keyword_exceptions", []), ("strict", ["ability.face-up-in-play"])):
        told = story(
            ("tin-wasp", "kelp-choir", "undertow-eel", "first-frost", "weather-kite"),
            rulings={"abilities_outside_play": option},
        )
        told.add("jumper.played", "A", card="A:tin-wasp", biom="moss-parish")
        assert told.broken() == broken
    strict = story(rulings={"abilities_outside_play": "strict"}).seeds("A", "kelp-choir", "moss-parish")
    strict.passes("B").add("event.played", "A", card="A:first-frost")
    strict.add("event.revealed", "A", card="A:first-frost", target=None)
    assert strict.clean().table.card("A:kelp-choir").zone.name == "play:A"


def test_who_uses_the_ability_of_a_mutation(story: Any) -> None:
    """mutation_ability_user: Ben's Pocket Chapel lies under Ann's Reed Heron."""
    line = "@: moulder 1 close friendly seed; draw 1"
    for option, user in (("mutation_owner", "B"), ("host_owner", "A")):
        told = story(
            ben=("pocket-chapel", "mire-calf", "kelp-choir", "long-drought"), rulings={"mutation_ability_user": option}
        )
        told.seeds("A", "reed-heron", "moss-parish").seeds("B", "mire-calf", "moss-parish").passes("A", "B")
        told.draws("tin-wasp", "spore-clerk").evolves("A", "reed-heron")
        told.add("mutation.played", "B", card="B:pocket-chapel", host="A:reed-heron").seeds(
            "B", "kelp-choir", "moss-parish"
        )
        if user == "A":
            told.seeds("A", "kelp-choir", "moss-parish").seeds("B", "spore-clerk", "cinder-steppe")
            told.uses("A", "pocket-chapel", line, target="A:kelp-choir").lines[-1]["card"] = "B:pocket-chapel"
        else:
            told.seeds("A", "kelp-choir", "moss-parish").uses("B", "pocket-chapel", line, target="B:kelp-choir")
        assert told.clean().table.card("A:reed-heron").exhausted


def test_a_static_plus_fades_or_stays(story: Any) -> None:
    """static_plus: Gill Graft gives +1 while it lies there, or only in the round in which it came."""
    for option, later in (("continuous", 3), ("until_end_of_round", 2)):
        told = _kelp_at_thunder_shelf(story, static_plus=option).evolves(
            "A", "kelp-choir", mutations=["A:gill-graft"], end=False
        )
        assert told.clean().table.card("A:kelp-choir").worth == 3
        told.ends("A").draws("glass-moth", "tithe-barn")
        assert told.clean().table.card("A:kelp-choir").worth == later


def _hunters(story: Any, **rulings: str) -> Any:
    """Undertow Eel and Reed Heron of Ann, Mire Calf and Kelp Choir of Ben at Saltglass Shore; Ann begins round 4."""
    told = (
        story(rulings=rulings).seeds("A", "undertow-eel", "saltglass-shore").seeds("B", "mire-calf", "saltglass-shore")
    )
    told.seeds("A", "reed-heron", "saltglass-shore").seeds("B", "kelp-choir", "saltglass-shore").passes("A", "B")
    told.draws("tin-wasp", "spore-clerk").evolves("A", "undertow-eel").evolves("B", "mire-calf")
    told.evolves("A", "reed-heron").evolves("B", "kelp-choir").passes("A", "B")
    return told.draws("rot-collar", "tithe-barn")


def test_own_animals_are_prey_or_not(story: Any) -> None:
    """hunt_owner: Undertow Eel hunts Ann's own Reed Heron."""
    for option, broken in (("any_owner", []), ("enemy_only", ["kw.hunt"])):
        told = _hunters(story, hunt_owner=option).uses("A", "undertow-eel", "@: hunt", target="A:reed-heron")
        assert told.broken() == broken


def test_hunting_compares_current_or_printed_dominance(story: Any) -> None:
    """hunt_dominance: with a Rot Collar Undertow Eel counts 1, printed 3."""
    for option, broken in (("current", ["kw.hunt-dominance"]), ("printed", [])):
        told = _hunters(story, hunt_dominance=option)
        told.add("mutation.played", "A", card="A:rot-collar", host="A:undertow-eel")
        told.uses("A", "undertow-eel", "@: hunt", target="B:mire-calf")
        assert told.broken() == broken


def test_enemy_plants_are_grazed_or_not(story: Any) -> None:
    """graze_owner: Ben's Mire Calf grazes Ann's Kelp Choir."""
    for option, broken in (("any_owner", []), ("friendly_only", ["kw.graze-target"])):
        told = story(rulings={"graze_owner": option}).seeds("A", "kelp-choir", "moss-parish")
        told.seeds("B", "mire-calf", "moss-parish").passes("A", "B").draws("tin-wasp", "spore-clerk")
        told.evolves("A", "kelp-choir").evolves("B", "mire-calf").passes("A", "B").draws("glass-moth", "tithe-barn")
        told.passes("A").uses("B", "mire-calf", "@: graze", target="A:kelp-choir")
        assert told.broken() == broken


def test_an_ability_without_a_target_is_used_or_not(story: Any) -> None:
    """noop_ability: there is no enemy seed to probe."""
    for option, broken in (("allowed", []), ("forbidden", ["ability.effect"])):
        told = story(rulings={"noop_ability": option})
        told.uses("A", "ilse-quandt", "@: probe 1 enemy seed", target=None)
        assert told.broken() == broken


def test_a_ruling_is_laid_over_a_log(splicers: Game, story: Any) -> None:
    """The same log is read under another ruling without touching it, and the finding names the rule."""
    told = story().seeds("A", "undertow-eel", "saltglass-shore").passes("B", "A").draws("tin-wasp", "spore-clerk")
    told.passes("B").evolves("A", "undertow-eel")
    told.add("round.counted", round=2, dominated={"A": ["saltglass-shore"], "B": []})
    assert fold(splicers, told.events).findings == []
    other = fold(splicers, told.events, rulings={"domination_threshold": "more_than"})
    assert [rule_name(finding.rule) for finding in other.findings] == ["biom.dominated"]


@settings(deadline=None, max_examples=80)
@given(
    seed=st.integers(1, 10**6),
    full=st.booleans(),
    rulings=st.lists(st.sampled_from(BUILT), max_size=30).map(dict),
)
def test_bots_break_no_rule_under_any_mix_of_readings(seed: int, full: bool, rulings: dict[str, str]) -> None:
    """Whatever is offered is legal, and there always is something, however many sentences are read otherwise.

    Some games have no end: a tie is played on, round after round, and comes out as a tie again.
    """
    one = game("splicers")
    plan = Plan(seed=seed, full=full, rulings=rulings, limit=3000)
    (played,) = simulate(one, one.cards, plan, 1)
    assert played.findings == []
    assert not played.abandoned or (
        played.abandoned.startswith("not over") and rulings.get("final_tie_unbroken") == "play_another_round"
    )
