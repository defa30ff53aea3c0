"""The rulings of Splicers: each option that is built changes the game as its text says."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletape.events.vocabulary import Consequence
from tabletape.projector.fold.folding import fold
from tabletape.projector.games import game
from tabletape.projector.model.game import Game
from tabletape.projector.selfplay.simulate import Plan, simulate

OTHER_OPTIONS = [
    (ruling.key, option.name)
    for ruling in game("splicers").rulebook.rulings
    for option in ruling.options[1:]
    if option.built
]


def rule_name(rule: str) -> str:
    """Return the id of a rule without `splicers.`."""
    return rule.removeprefix("splicers.")


@pytest.mark.parametrize(("key", "option"), OTHER_OPTIONS)
def test_games_of_bots_are_clean_under_every_option(splicers: Game, key: str, option: str) -> None:
    """Under every option bots play to the end without findings, and sparse and full logs give the same table."""
    plan = Plan(seed=3, rulings={key: option}, full=True, limit=3000)
    for played in simulate(splicers, splicers.cards, plan, 2):
        assert not played.abandoned
        assert played.findings == []
        full = fold(splicers, played.events)
        sparse = fold(splicers, [event for event in played.events if not isinstance(event, Consequence)])
        assert sparse.findings == []
        assert sparse.table.state() == full.table.state()


def test_reaching_the_value_is_enough_or_not(begin: Any) -> None:
    """`domination_threshold`: 3 of 3 dominates under `at_least`, and does not under `more_than`."""
    for option, bioms in (("at_least", ("saltglass-shore",)), ("more_than", ())):
        log = begin(rulings={"domination_threshold": option}).seeds("A", "undertow-eel", "saltglass-shore")
        log.passes("B", "A").draws("tin-wasp", "spore-clerk").passes("B").evolves("A", "undertow-eel", end=False)
        biom = log.clean().table.card("A:saltglass-shore")
        assert biom.dominator == ("A" if bioms else "")


def test_jumpers_return_before_or_after_the_reveal(begin: Any) -> None:
    """`end_order`: the revealed event can hit a jumper only where the reveal comes before the return of jumpers."""
    for option, is_there in (
        ("reveal_jumpers_count_effects_expiry", True),
        ("jumpers_reveal_count_effects_expiry", False),
    ):
        hand = ("tin-wasp", "kelp-choir", "undertow-eel", "first-frost", "weather-kite")
        log = begin(hand, rulings={"end_order": option})
        log.add("jumper.played", "A", card="A:tin-wasp", biom="thunder-shelf").ends("A").passes("B")
        log.add("event.played", "A", card="A:first-frost")
        card = log.clean().table.card("A:tin-wasp")
        assert (card.zone.name == "play:A") is is_there


def test_what_a_splice_finds_goes_to_the_hand_or_into_play(begin: Any) -> None:
    """`splice_destination`: a line with a biom puts the found ting into play; under `hand` that breaks a rule."""
    for option, broken in (("hand", ["splice.to-hand"]), ("play_now", [])):
        log = _two_tings(begin, rulings={"splice_destination": option})
        log.add(
            "tings.spliced",
            "A",
            tings=["A:reed-heron", "A:weather-kite"],
            found="A:nightjar-oracle",
            biom="moss-parish",
        )
        assert log.broken() == broken
        card = log.replay().table.card("A:nightjar-oracle")
        assert (card.place, card.face_up, card.exhausted) == ("moss-parish", True, True)


def _two_tings(begin: Any, **more: Any) -> Any:
    """Return a log in round 4: Ann is on turn with Reed Heron and Weather Kite unexhausted at Saltglass Shore."""
    log = begin(("reed-heron", "weather-kite", "kelp-choir", "first-frost", "tin-wasp"), **more)
    log.seeds("A", "reed-heron", "saltglass-shore").seeds("B", "mire-calf", "moss-parish")
    log.seeds("A", "weather-kite", "saltglass-shore").passes("B", "A").draws("undertow-eel", "spore-clerk")
    log.passes("B").evolves("A", "reed-heron").draws("glass-moth", "tithe-barn")
    log.passes("B").evolves("A", "weather-kite").draws("velvet-patriarch", "glass-moth")
    return log.passes("B")


def test_evolving_without_the_requirement_devolves_or_is_illegal(begin: Any) -> None:
    """`evolve_unmet_req`: Kelp Choir lacks the gene Air and cannot stay face up at Thunder Shelf in either case."""
    for option, broken in (("devolves", []), ("illegal", ["req.must-hold"])):
        log = begin(rulings={"evolve_unmet_req": option}).seeds("A", "kelp-choir", "thunder-shelf")
        log.passes("B", "A").draws("tin-wasp", "spore-clerk").passes("B").evolves("A", "kelp-choir", end=False)
        assert log.broken() == broken
        assert not log.replay().table.card("A:kelp-choir").face_up


def _seed_at_thunder_shelf(begin: Any, **rulings: str) -> Any:
    """Return a log in which Ann has the seed Kelp Choir at Thunder Shelf and Gill Graft in her hand, in round 2."""
    log = begin(("kelp-choir", "gill-graft", "reed-heron", "undertow-eel", "first-frost"), rulings=rulings)
    log.seeds("A", "kelp-choir", "thunder-shelf").passes("B", "A").draws("tin-wasp", "spore-clerk")
    return log.passes("B")


def test_a_mutation_may_follow_right_after_evolving(begin: Any) -> None:
    """`evolve_mutation_timing = short_window`: the requirement is checked after a mutation in the next line."""
    log = _seed_at_thunder_shelf(begin, evolve_mutation_timing="short_window")
    log.evolves("A", "kelp-choir", end=False)
    assert log.replay().table.card("A:kelp-choir").face_up is False  # at the end of the log nothing can follow
    log.add("mutation.played", "A", card="A:gill-graft", host="A:kelp-choir").ends("A")
    assert log.clean().table.card("A:kelp-choir").face_up
    late = _seed_at_thunder_shelf(begin, evolve_mutation_timing="short_window").evolves("A", "kelp-choir")
    assert not late.clean().table.card("A:kelp-choir").face_up


def test_a_mutation_may_be_put_under_a_seed(begin: Any) -> None:
    """`evolve_mutation_timing = on_seed_first` and `mutation_host_facedown = allowed` let a seed host a mutation."""
    for rulings, broken in (
        ({}, ["mutation.host-is-ting"]),
        ({"evolve_mutation_timing": "on_seed_first"}, []),
        ({"mutation_host_facedown": "allowed"}, []),
    ):
        log = _seed_at_thunder_shelf(begin, **rulings)
        log.add("mutation.played", "A", card="A:gill-graft", host="A:kelp-choir").evolves("A", "kelp-choir")
        assert log.broken() == broken
        assert log.replay().table.card("A:kelp-choir").face_up


def test_an_enemy_seed_hosts_nothing_where_only_own_seeds_may(begin: Any) -> None:
    """`on_seed_first` allows own seeds only; `mutation_host_facedown = allowed` allows any seed."""
    for rulings, broken in (
        ({"evolve_mutation_timing": "on_seed_first"}, ["mutation.host-is-ting"]),
        ({"mutation_host_facedown": "allowed"}, []),
    ):
        log = begin(("gill-graft", "kelp-choir", "reed-heron", "undertow-eel", "first-frost"), rulings=rulings)
        log.seeds("A", "kelp-choir", "moss-parish").seeds("B", "mire-calf", "moss-parish")
        log.add("mutation.played", "A", card="A:gill-graft", host="B:mire-calf")
        assert log.broken() == broken


def test_genes_of_mutations_count_for_requirements_or_not(begin: Any) -> None:
    """`mutation_genes_req`: Gill Graft gives Kelp Choir the Air that Thunder Shelf needs, if its genes count."""
    for option, stays in (("count", True), ("do_not_count", False)):
        log = _seed_at_thunder_shelf(begin, mutation_genes_req=option)
        log.evolves("A", "kelp-choir", mutations=["A:gill-graft"])
        assert log.clean().table.card("A:kelp-choir").face_up is stays


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
def test_what_ends_a_season(begin: Any, option: str, player: str, revealed: bool, is_active: bool) -> None:
    """`season_ends`: with the next event that is played, the next that is revealed, or the owner's next event."""
    log = begin(ben=("long-drought", "harvest-fair", "mire-calf", "kelp-choir"), rulings={"season_ends": option})
    log.seeds("A", "kelp-choir", "moss-parish").add("event.played", "B", card="B:long-drought").passes("A")
    log.add("event.revealed", "B", card="B:long-drought").draws("tin-wasp", "spore-clerk")
    if player == "A":
        log.passes("B").add("event.played", "A", card="A:first-frost")
    else:
        log.add("event.played", "B", card="B:harvest-fair")
    if revealed:
        log.add("event.revealed", "A", card="A:first-frost", target="A:kelp-choir")
    assert (log.clean().table.card("B:long-drought").zone.name == "season") is is_active


@pytest.mark.parametrize(
    ("option", "at_play", "late"),
    [("at_play_face_up", 1, 0), ("whole_round", 1, 1), ("at_reveal", 0, 0)],
)
def test_when_farsight_counts(begin: Any, option: str, at_play: int, late: int) -> None:
    """`farsight_window`: it counts when an event is played, all round long, or when the event is revealed."""
    hand = ("nightjar-oracle", "kelp-choir", "reed-heron", "first-frost", "weather-kite")
    log = begin(
        hand,
        ben=("nightjar-oracle", "long-drought", "mire-calf", "kelp-choir"),
        rulings={"farsight_window": option},
        replacing={"the-unfinished": "nightjar-oracle"},
    )
    log.seeds("A", "nightjar-oracle", "moss-parish").seeds("B", "nightjar-oracle", "moss-parish").passes("A", "B")
    log.draws("tin-wasp", "spore-clerk").evolves("A", "nightjar-oracle").add("event.played", "B", card="B:long-drought")
    assert log.clean().table.card("A:nightjar-oracle").changes == at_play
    other = begin(
        hand,
        ben=("nightjar-oracle", "long-drought", "mire-calf", "kelp-choir"),
        rulings={"farsight_window": option},
        replacing={"the-unfinished": "nightjar-oracle"},
    )
    other.seeds("A", "nightjar-oracle", "moss-parish").seeds("B", "nightjar-oracle", "moss-parish").passes("A", "B")
    other.draws("tin-wasp", "spore-clerk").add("event.played", "A", card="A:first-frost")
    other.evolves("B", "nightjar-oracle", end=False)
    assert other.clean().table.card("B:nightjar-oracle").changes == late


@pytest.mark.parametrize(
    ("option", "zone", "deck"),
    [("discard_pile", "discard:A", 9), ("deck_bottom", "deck:A", 10), ("shuffled_in", "deck:A", 10)],
)
def test_where_returned_cards_go(begin: Any, option: str, zone: str, deck: int) -> None:
    """`mulligan_destination`: onto the discard pile, under the deck, or shuffled into the deck."""
    log = begin(rulings={"mulligan_destination": option})
    log.lines[-2] |= {"returned": ["A:weather-kite"], "drawn": ["A:glass-moth"]}
    table = log.clean().table
    assert table.card("A:weather-kite").zone.name == zone
    assert table.zones["deck:A"].size == deck


def _through_the_last_round(begin: Any, **rulings: str) -> Any:
    """Return a log in which both pass until Ann cannot draw, and then through the last round."""
    log = begin(rulings=rulings)
    ann: tuple[str, ...]
    ben: tuple[str, ...]
    ann = (
        "glass-moth",
        "nightjar-oracle",
        "lichen-page",
        "spore-clerk",
        "tin-wasp",
        "velvet-patriarch",
    )
    ann += ("gill-graft", "rot-collar", "small-hours", "harvest-fair")
    ben = (
        "tithe-barn",
        "old-mother-sump",
        "cairn-colossus",
        "the-unfinished",
        "lichen-page",
        "spore-clerk",
    )
    ben += ("glass-moth", "second-stomach", "pocket-chapel", "rot-collar", "harvest-fair")
    for number in range(11):
        log.passes("A", "B").draws(ann[number] if number < 10 else "", ben[number])
    return log.passes("A", "B")


@pytest.mark.parametrize(
    ("option", "over", "winner"),
    [("draw", True, ""), ("first_player_wins", True, "A"), ("play_another_round", False, "")],
)
def test_what_an_unbroken_tie_means(begin: Any, option: str, over: bool, winner: str) -> None:
    """`final_tie_unbroken`: nobody wins, the first player wins, or the game goes on."""
    table = _through_the_last_round(begin, final_tie_unbroken=option).clean().table
    assert (table.over, table.winner) == (over, winner)


def test_a_turn_ends_by_itself(begin: Any) -> None:
    """`turn_end = automatic`: the turn ends with the last action; a line that ends it too breaks no rule."""
    log = begin(rulings={"turn_end": "automatic"}).seeds("A", "reed-heron", "thunder-shelf", end=False)
    assert log.clean().table.active == "B"
    assert log.ends("A").clean().table.active == "B"
    assert begin().seeds("A", "reed-heron", "thunder-shelf", end=False).clean().table.active == "A"


HAND = ("reed-heron", "kelp-choir", "undertow-eel", "first-frost")


def test_a_mutation_may_follow_the_last_action(begin: Any) -> None:
    """`turn_end = automatic`: a free play may follow the last action until the log shows the next turn."""
    log = _seed_at_thunder_shelf(begin, turn_end="automatic", evolve_mutation_timing="short_window")
    log.evolves("A", "kelp-choir", end=False).add("mutation.played", "A", card="A:gill-graft", host="A:kelp-choir")
    assert log.clean().table.card("A:kelp-choir").face_up
    assert log.draws("glass-moth", "tithe-barn").clean().table.round == 3
    seen = begin(("gill-graft", *HAND), rulings={"turn_end": "automatic"}).seeds("A", HAND[0], "moss-parish", end=False)
    seen.add("state.observed", "B", actions=1).seeds("B", "mire-calf", "moss-parish", end=False)
    assert seen.clean().table.active == "A"
    late = _seed_at_thunder_shelf(begin, turn_end="automatic").seeds("A", "reed-heron", "moss-parish", end=False)
    late.lines.append({"type": "turn.ended", "player": "A"})
    late.add("mutation.played", "A", card="A:gill-graft", host="A:reed-heron")
    assert late.broken() == ["mutation.own-turn", "mutation.host-is-ting"]


def test_abilities_outside_play(begin: Any) -> None:
    """`abilities_outside_play = strict`: no jumper enters from the hand, and a revealed event does nothing."""
    for option, broken in (("keyword_exceptions", []), ("strict", ["ability.face-up-in-play"])):
        log = begin(
            ("tin-wasp", "kelp-choir", "undertow-eel", "first-frost", "weather-kite"),
            rulings={"abilities_outside_play": option},
        )
        log.add("jumper.played", "A", card="A:tin-wasp", biom="moss-parish")
        assert log.broken() == broken
    strict = begin(rulings={"abilities_outside_play": "strict"}).seeds("A", "kelp-choir", "moss-parish")
    strict.passes("B").add("event.played", "A", card="A:first-frost")
    strict.add("event.revealed", "A", card="A:first-frost", target=None)
    assert strict.clean().table.card("A:kelp-choir").zone.name == "play:A"


def test_who_uses_the_ability_of_a_mutation(begin: Any) -> None:
    """`mutation_ability_user`: the owner Ben or the host's owner Ann uses Pocket Chapel under Ann's Reed Heron."""
    line = "@: moulder 1 close friendly seed; draw 1"
    for option, user in (("mutation_owner", "B"), ("host_owner", "A")):
        log = begin(
            ben=("pocket-chapel", "mire-calf", "kelp-choir", "long-drought"), rulings={"mutation_ability_user": option}
        )
        log.seeds("A", "reed-heron", "moss-parish").seeds("B", "mire-calf", "moss-parish").passes("A", "B")
        log.draws("tin-wasp", "spore-clerk").evolves("A", "reed-heron")
        log.add("mutation.played", "B", card="B:pocket-chapel", host="A:reed-heron").seeds(
            "B", "kelp-choir", "moss-parish"
        )
        if user == "A":
            log.seeds("A", "kelp-choir", "moss-parish").seeds("B", "spore-clerk", "cinder-steppe")
            log.uses("A", "pocket-chapel", line, target="A:kelp-choir").lines[-1]["card"] = "B:pocket-chapel"
        else:
            log.seeds("A", "kelp-choir", "moss-parish").uses("B", "pocket-chapel", line, target="B:kelp-choir")
        assert log.clean().table.card("A:reed-heron").exhausted


def test_a_static_bonus_lasts_or_ends_with_the_round(begin: Any) -> None:
    """`static_plus`: Gill Graft gives 1 dominance while it is in play, or only in the round in which it entered."""
    for option, later in (("continuous", 3), ("until_end_of_round", 2)):
        log = _seed_at_thunder_shelf(begin, static_plus=option).evolves(
            "A", "kelp-choir", mutations=["A:gill-graft"], end=False
        )
        assert log.clean().table.card("A:kelp-choir").worth == 3
        log.ends("A").draws("glass-moth", "tithe-barn")
        assert log.clean().table.card("A:kelp-choir").worth == later


def _hunters(begin: Any, **rulings: str) -> Any:
    """Return a log at the start of round 4, with two face-up tings of each player at Saltglass Shore."""
    log = (
        begin(rulings=rulings).seeds("A", "undertow-eel", "saltglass-shore").seeds("B", "mire-calf", "saltglass-shore")
    )
    log.seeds("A", "reed-heron", "saltglass-shore").seeds("B", "kelp-choir", "saltglass-shore").passes("A", "B")
    log.draws("tin-wasp", "spore-clerk").evolves("A", "undertow-eel").evolves("B", "mire-calf")
    log.evolves("A", "reed-heron").evolves("B", "kelp-choir").passes("A", "B")
    return log.draws("rot-collar", "tithe-barn")


def test_own_animals_may_be_hunted_or_not(begin: Any) -> None:
    """`hunt_owner`: Undertow Eel hunts Ann's own Reed Heron."""
    for option, broken in (("any_owner", []), ("enemy_only", ["kw.hunt"])):
        log = _hunters(begin, hunt_owner=option).uses("A", "undertow-eel", "@: hunt", target="A:reed-heron")
        assert log.broken() == broken


def test_hunting_compares_current_or_printed_dominance(begin: Any) -> None:
    """`hunt_dominance`: Undertow Eel is printed 3 and is worth 1 with a Rot Collar."""
    for option, broken in (("current", ["kw.hunt-dominance"]), ("printed", [])):
        log = _hunters(begin, hunt_dominance=option)
        log.add("mutation.played", "A", card="A:rot-collar", host="A:undertow-eel")
        log.uses("A", "undertow-eel", "@: hunt", target="B:mire-calf")
        assert log.broken() == broken


def test_enemy_plants_may_be_grazed_or_not(begin: Any) -> None:
    """`graze_owner`: Ben's Mire Calf grazes Ann's Kelp Choir."""
    for option, broken in (("any_owner", []), ("friendly_only", ["kw.graze-target"])):
        log = begin(rulings={"graze_owner": option}).seeds("A", "kelp-choir", "moss-parish")
        log.seeds("B", "mire-calf", "moss-parish").passes("A", "B").draws("tin-wasp", "spore-clerk")
        log.evolves("A", "kelp-choir").evolves("B", "mire-calf").passes("A", "B").draws("glass-moth", "tithe-barn")
        log.passes("A").uses("B", "mire-calf", "@: graze", target="A:kelp-choir")
        assert log.broken() == broken


def test_an_ability_without_a_target_may_be_used_or_not(begin: Any) -> None:
    """`noop_ability`: there is no enemy seed to probe."""
    for option, broken in (("allowed", []), ("forbidden", ["ability.effect"])):
        log = begin(rulings={"noop_ability": option})
        log.uses("A", "ilse-quandt", "@: probe 1 enemy seed", target=None)
        assert log.broken() == broken


def test_the_same_log_can_be_read_under_another_ruling(splicers: Game, begin: Any) -> None:
    """A log that is clean under its own rulings has a finding under another one, which names the rule."""
    log = begin().seeds("A", "undertow-eel", "saltglass-shore").passes("B", "A").draws("tin-wasp", "spore-clerk")
    log.passes("B").evolves("A", "undertow-eel")
    log.add("round.counted", round=2, dominated={"A": ["saltglass-shore"], "B": []})
    assert fold(splicers, log.events).findings == []
    other = fold(splicers, log.events, rulings={"domination_threshold": "more_than"})
    assert [rule_name(finding.rule) for finding in other.findings] == ["biom.dominated"]


@settings(deadline=None, max_examples=80)
@given(
    seed=st.integers(1, 10**6),
    full=st.booleans(),
    rulings=st.lists(st.sampled_from(OTHER_OPTIONS), max_size=30).map(dict),
)
def test_bots_break_no_rule_under_any_mix_of_rulings(seed: int, full: bool, rulings: dict[str, str]) -> None:
    """Every offered decision is legal, and there is always one, whatever options are mixed.

    Some games have no end: under `play_another_round` a tie can follow a tie, round after round.
    """
    one = game("splicers")
    plan = Plan(seed=seed, full=full, rulings=rulings, limit=3000)
    (played,) = simulate(one, one.cards, plan, 1)
    assert played.findings == []
    assert not played.abandoned or (
        played.abandoned.startswith("not over") and rulings.get("final_tie_unbroken") == "play_another_round"
    )
