"""More rulings of Splicers: smaller readings, each with what it changes."""

from typing import Any


def test_seeds_go_to_any_biom_or_to_own_ones(story: Any) -> None:
    """seed_biom: Moss Parish is Ben's."""
    for option, broken in (("any_biom", []), ("own_bioms", ["seed.at-biom"])):
        told = story(rulings={"seed_biom": option}).seeds("A", "reed-heron", "moss-parish", end=False)
        assert told.broken() == broken


def test_what_may_be_spliced(story: Any) -> None:
    """splice_seeds and splice_same_biom: a seed, and two tings of different bioms."""
    for option, broken in (("forbidden", ["splice.two-tings"]), ("allowed", [])):
        told = story(rulings={"splice_seeds": option}).seeds("A", "reed-heron", "saltglass-shore")
        told.seeds("B", "mire-calf", "moss-parish").seeds("A", "kelp-choir", "moss-parish").passes("B", "A")
        told.draws("tin-wasp", "spore-clerk").passes("B").evolves("A", "reed-heron").draws("glass-moth", "tithe-barn")
        told.passes("B").add("tings.spliced", "A", tings=["A:reed-heron", "A:kelp-choir"], found=None)
        assert told.broken() == broken
    for option, broken in (("any_bioms", []), ("same_biom", ["splice.two-tings"])):
        told = story(rulings={"splice_same_biom": option}).seeds("A", "reed-heron", "saltglass-shore")
        told.seeds("B", "mire-calf", "moss-parish").seeds("A", "kelp-choir", "moss-parish").passes("B", "A")
        told.draws("tin-wasp", "spore-clerk").passes("B").evolves("A", "reed-heron").draws("glass-moth", "tithe-barn")
        told.passes("B").evolves("A", "kelp-choir").draws("velvet-patriarch", "glass-moth").passes("B")
        told.add("tings.spliced", "A", tings=["A:reed-heron", "A:kelp-choir"], found=None)
        assert told.broken() == broken


def test_passing_is_free_or_not(story: Any) -> None:
    """pass_cost: after the only action of a turn a pass is possible only where it is free."""
    for option, broken in (("one_action", ["action.consume"]), ("free", [])):
        told = story(rulings={"pass_cost": option}).seeds("A", "reed-heron", "thunder-shelf", end=False).passes("A")
        assert told.broken() == broken


def test_jumpers_that_were_seeded_return_or_stay(story: Any) -> None:
    """jumper_return_scope: Tin Wasp was seeded and evolved."""
    for option, zone in (("jumped_only", "play:A"), ("always", "hand:A")):
        told = story(
            ("tin-wasp", "kelp-choir", "undertow-eel", "first-frost", "weather-kite"),
            rulings={"jumper_return_scope": option},
        )
        told.seeds("A", "tin-wasp", "moss-parish").passes("B", "A").draws("reed-heron", "spore-clerk")
        told.passes("B").evolves("A", "tin-wasp")
        assert told.clean().table.card("A:tin-wasp").zone.name == zone


def test_unused_actions_are_lost_or_kept(story: Any) -> None:
    """action_carryover: Mire Calf grazes, Ben seeds once and leaves an action."""
    for option, actions in (("lost", 1), ("kept", 2)):
        told = story(rulings={"action_carryover": option}).seeds("A", "kelp-choir", "moss-parish")
        told.seeds("B", "mire-calf", "moss-parish").passes("A", "B").draws("tin-wasp", "spore-clerk")
        told.evolves("A", "kelp-choir").evolves("B", "mire-calf").passes("A", "B").draws("glass-moth", "tithe-barn")
        told.seeds("A", "glass-moth", "moss-parish").uses("B", "mire-calf", "@: graze", target="A:kelp-choir")
        told.seeds("B", "tithe-barn", "moss-parish").seeds("A", "reed-heron", "moss-parish")
        assert told.clean().table.players["B"].actions == actions


def test_a_turn_that_only_the_log_begins_is_like_any_other(story: Any) -> None:
    """Where no turn of Ann is written between two of Ben, the second has the kept actions as well, by ruling."""
    for option, actions in (("lost", 1), ("kept", 2)):
        told = story(rulings={"action_carryover": option}).seeds("A", "kelp-choir", "moss-parish")
        told.seeds("B", "mire-calf", "moss-parish").passes("A", "B").draws("tin-wasp", "spore-clerk")
        told.evolves("A", "kelp-choir").evolves("B", "mire-calf").passes("A", "B").draws("glass-moth", "tithe-barn")
        told.seeds("A", "glass-moth", "moss-parish").uses("B", "mire-calf", "@: graze", target="A:kelp-choir")
        told.seeds("B", "tithe-barn", "moss-parish").add("turn.started", "B")
        assert told.broken() == ["turn.alternate"]
        assert told.folded().table.players["B"].actions == actions


def test_any_failed_draw_makes_the_last_round_or_not(story: Any) -> None:
    """deck_out_scope: Brother Oskar draws from an empty deck."""
    for option, last in (("start_of_round_only", False), ("any_draw", True)):
        told = story(
            rulings={"deck_out_scope": option}, ben=("mire-calf", "kelp-choir", "twin-root-alder", "long-drought")
        )
        told.passes("A").seeds("B", "mire-calf", "moss-parish").draws("tin-wasp", "spore-clerk")
        told.passes("A").evolves("B", "mire-calf")
        ann = ("glass-moth", "nightjar-oracle", "lichen-page", "spore-clerk", "velvet-patriarch", "gill-graft")
        ben = ("tithe-barn", "old-mother-sump", "cairn-colossus", "the-unfinished", "lichen-page", "glass-moth")
        drawn = ("second-stomach", "pocket-chapel", "rot-collar", "harvest-fair")
        told.draws(ann[0], ben[0]).passes("A", "B")
        for number in range(5):
            told.draws(ann[number + 1], ben[number + 1]).passes("A")
            told.uses("B", "brother-oskar", "@: if dominating 1 -> draw 1")
            if number < 4:
                told.add("cards.drawn", "B", cards=[f"B:{drawn[number]}"], reason="ability").ends("B")
        assert told.clean().table.last_round is last


def test_three_bioms_in_the_last_round_have_one_reason_or_another(story: Any) -> None:
    """final_round_three: the winner is the same, the reason is not."""
    for option, reason in (("domination_reason", "domination"), ("final_round_reason", "final-round")):
        told = story(rulings={"final_round_three": option})
        told.seeds("A", "reed-heron", "thunder-shelf")
        replay = told.clean()
        replay.table.last_round = True
        for biom in replay.table.zones["row"].cards[:3]:
            biom.totals = (9, 0)
            biom.dominator = "A"
        replay.run(story().passes("B", "A").events[-2:])
        assert (replay.table.winner, replay.table.reason) == ("A", reason)


def test_a_seed_counts_one_whatever_changes_it(story: Any) -> None:
    """seed_mods and negative_dominance: a Rot Collar under a seed, and under Weather Kite (1)."""
    for option, worth in (("allowed", -1), ("fixed_one", 1)):
        told = story(
            ("rot-collar", "kelp-choir", "reed-heron", "undertow-eel", "first-frost"),
            rulings={"seed_mods": option, "mutation_host_facedown": "allowed"},
        )
        told.seeds("A", "kelp-choir", "moss-parish").seeds("B", "mire-calf", "moss-parish")
        told.add("mutation.played", "A", card="A:rot-collar", host="A:kelp-choir")
        assert told.clean().table.card("A:kelp-choir").worth == worth
    for option, worth in (("no_floor", -1), ("floor_zero", 0)):
        told = story(
            ("spore-clerk", "kelp-choir", "rot-collar", "undertow-eel", "first-frost"),
            rulings={"negative_dominance": option},
        )
        told.seeds("A", "spore-clerk", "moss-parish").passes("B", "A").draws("tin-wasp", "tithe-barn").passes("B")
        told.evolves("A", "spore-clerk", mutations=["A:rot-collar"])
        assert told.clean().table.card("A:spore-clerk").worth == worth


def test_an_equal_sum_answers_willpower_or_not(story: Any) -> None:
    """willpower_tie: Ann shows Weather Kite (1), Ben Spore Clerk (1)."""
    line = "@, willpower: extinguish 1 close enemy ting"
    for option, broken in (("not_enough", ["kw.willpower-answer"]), ("enough", [])):
        told = story(
            ("velvet-patriarch", "kelp-choir", "undertow-eel", "first-frost", "weather-kite"),
            rulings={"willpower_tie": option},
        )
        told.seeds("A", "velvet-patriarch", "moss-parish").seeds("B", "mire-calf", "moss-parish").passes("A", "B")
        told.draws("tin-wasp", "tithe-barn").evolves("A", "velvet-patriarch").evolves("B", "mire-calf").passes("A", "B")
        told.draws("glass-moth", "spore-clerk")
        told.uses("A", "velvet-patriarch", line, target="B:mire-calf", shown="A:weather-kite")
        told.add("willpower.answered", "B", shown=["B:spore-clerk"])
        assert told.broken() == broken


def test_what_a_devolved_ting_keeps(story: Any) -> None:
    """mods_on_devolve and tokens_on_devolve: Tithe Barn with a token and +1 is devolved."""
    for rulings, left in (
        ({}, (0, 1)),
        ({"mods_on_devolve": "kept"}, (1, 1)),
        ({"tokens_on_devolve": "dropped"}, (0, 0)),
    ):
        told = story(ben=("tithe-barn", "the-unfinished", "kelp-choir", "harvest-fair"), rulings=rulings)
        told.passes("A").seeds("B", "tithe-barn", "moss-parish").draws("tin-wasp", "spore-clerk").passes("A")
        told.evolves("B", "tithe-barn").draws("glass-moth", "mire-calf").passes("A")
        told.add("jumper.played", "B", card="B:the-unfinished", biom="moss-parish")
        replay = told.clean()
        replay.table.count(replay.table.card("B:tithe-barn"), "changes", 1)
        replay.table.count(replay.table.players["B"], "actions", 1)
        line = story().uses("B", "the-unfinished", "@: devolve 1 close ting", target="B:tithe-barn").events[-1]
        card = replay.run([line]).table.card("B:tithe-barn")
        assert replay.findings == []
        assert (card.changes, card.tokens) == left


def test_which_genes_an_upgrade_compares(story: Any) -> None:
    """upgrade_genes: Mire Calf (Land, Plant) with a Rot Collar has the printed genes of Twin-Root Alder, but more."""
    for option, broken in (
        ("effective_nonempty", ["kw.upgrade-genes"]),
        ("empty_matches", ["kw.upgrade-genes"]),
        ("printed_only", []),
    ):
        told = story(
            ben=("mire-calf", "rot-collar", "twin-root-alder", "long-drought"), rulings={"upgrade_genes": option}
        )
        told.passes("A").seeds("B", "mire-calf", "moss-parish").draws("tin-wasp", "spore-clerk").passes("A")
        told.evolves("B", "mire-calf", mutations=["B:rot-collar"]).draws("glass-moth", "tithe-barn").passes("A")
        told.add("ting.upgraded", "B", card="B:twin-root-alder", discarded="B:mire-calf")
        assert told.broken() == broken
