"""More rulings of Splicers: each test shows what the options of a ruling change."""

from typing import Any


def test_seeds_go_to_any_biom_or_to_own_ones(begin: Any) -> None:
    """`seed_biom`: Ann plays a seed at Moss Parish, which is Ben's biom."""
    for option, broken in (("any_biom", []), ("own_bioms", ["seed.at-biom"])):
        log = begin(rulings={"seed_biom": option}).seeds("A", "reed-heron", "moss-parish", end=False)
        assert log.broken() == broken


def test_what_may_be_spliced(begin: Any) -> None:
    """`splice_seeds` and `splice_same_biom`: Ann splices a seed, and then two tings at different bioms."""
    for option, broken in (("forbidden", ["splice.two-tings"]), ("allowed", [])):
        log = begin(rulings={"splice_seeds": option}).seeds("A", "reed-heron", "saltglass-shore")
        log.seeds("B", "mire-calf", "moss-parish").seeds("A", "kelp-choir", "moss-parish").passes("B", "A")
        log.draws("tin-wasp", "spore-clerk").passes("B").evolves("A", "reed-heron").draws("glass-moth", "tithe-barn")
        log.passes("B").add("tings.spliced", "A", tings=["A:reed-heron", "A:kelp-choir"], found=None)
        assert log.broken() == broken
    for option, broken in (("any_bioms", []), ("same_biom", ["splice.two-tings"])):
        log = begin(rulings={"splice_same_biom": option}).seeds("A", "reed-heron", "saltglass-shore")
        log.seeds("B", "mire-calf", "moss-parish").seeds("A", "kelp-choir", "moss-parish").passes("B", "A")
        log.draws("tin-wasp", "spore-clerk").passes("B").evolves("A", "reed-heron").draws("glass-moth", "tithe-barn")
        log.passes("B").evolves("A", "kelp-choir").draws("velvet-patriarch", "glass-moth").passes("B")
        log.add("tings.spliced", "A", tings=["A:reed-heron", "A:kelp-choir"], found=None)
        assert log.broken() == broken


def test_passing_is_free_or_not(begin: Any) -> None:
    """`pass_cost`: after the only action of a turn a pass is possible only where it is free."""
    for option, broken in (("one_action", ["action.consume"]), ("free", [])):
        log = begin(rulings={"pass_cost": option}).seeds("A", "reed-heron", "thunder-shelf", end=False).passes("A")
        assert log.broken() == broken


def test_a_jumper_that_was_seeded_returns_or_stays(begin: Any) -> None:
    """`jumper_return_scope`: Tin Wasp was not played as a jumper, but seeded and evolved."""
    for option, zone in (("jumped_only", "play:A"), ("always", "hand:A")):
        log = begin(
            ("tin-wasp", "kelp-choir", "undertow-eel", "first-frost", "weather-kite"),
            rulings={"jumper_return_scope": option},
        )
        log.seeds("A", "tin-wasp", "moss-parish").passes("B", "A").draws("reed-heron", "spore-clerk")
        log.passes("B").evolves("A", "tin-wasp")
        assert log.clean().table.card("A:tin-wasp").zone.name == zone


def test_unused_actions_are_lost_or_kept(begin: Any) -> None:
    """`action_carryover`: Mire Calf grazes for two actions, and Ben plays one seed and leaves an action unused."""
    for option, actions in (("lost", 1), ("kept", 2)):
        log = begin(rulings={"action_carryover": option}).seeds("A", "kelp-choir", "moss-parish")
        log.seeds("B", "mire-calf", "moss-parish").passes("A", "B").draws("tin-wasp", "spore-clerk")
        log.evolves("A", "kelp-choir").evolves("B", "mire-calf").passes("A", "B").draws("glass-moth", "tithe-barn")
        log.seeds("A", "glass-moth", "moss-parish").uses("B", "mire-calf", "@: graze", target="A:kelp-choir")
        log.seeds("B", "tithe-barn", "moss-parish").seeds("A", "reed-heron", "moss-parish")
        assert log.clean().table.players["B"].actions == actions


def test_kept_actions_reach_a_turn_that_begins_out_of_order(begin: Any) -> None:
    """`action_carryover`: the log begins a second turn of Ben without one of Ann, which breaks one rule only."""
    for option, actions in (("lost", 1), ("kept", 2)):
        log = begin(rulings={"action_carryover": option}).seeds("A", "kelp-choir", "moss-parish")
        log.seeds("B", "mire-calf", "moss-parish").passes("A", "B").draws("tin-wasp", "spore-clerk")
        log.evolves("A", "kelp-choir").evolves("B", "mire-calf").passes("A", "B").draws("glass-moth", "tithe-barn")
        log.seeds("A", "glass-moth", "moss-parish").uses("B", "mire-calf", "@: graze", target="A:kelp-choir")
        log.seeds("B", "tithe-barn", "moss-parish").add("turn.started", "B")
        assert log.broken() == ["turn.alternate"]
        assert log.replay().table.players["B"].actions == actions


def test_any_failed_draw_begins_the_last_round_or_not(begin: Any) -> None:
    """`deck_out_scope`: an ability of Brother Oskar draws from an empty deck."""
    for option, last in (("start_of_round_only", False), ("any_draw", True)):
        log = begin(
            rulings={"deck_out_scope": option}, ben=("mire-calf", "kelp-choir", "twin-root-alder", "long-drought")
        )
        log.passes("A").seeds("B", "mire-calf", "moss-parish").draws("tin-wasp", "spore-clerk")
        log.passes("A").evolves("B", "mire-calf")
        ann = ("glass-moth", "nightjar-oracle", "lichen-page", "spore-clerk", "velvet-patriarch", "gill-graft")
        ben = ("tithe-barn", "old-mother-sump", "cairn-colossus", "the-unfinished", "lichen-page", "glass-moth")
        drawn = ("second-stomach", "pocket-chapel", "rot-collar", "harvest-fair")
        log.draws(ann[0], ben[0]).passes("A", "B")
        for number in range(5):
            log.draws(ann[number + 1], ben[number + 1]).passes("A")
            log.uses("B", "brother-oskar", "@: if dominating 1 -> draw 1")
            if number < 4:
                log.add("cards.drawn", "B", cards=[f"B:{drawn[number]}"], reason="ability").ends("B")
        assert log.clean().table.last_round is last


def test_three_bioms_in_the_last_round_win_for_one_of_two_reasons(begin: Any) -> None:
    """`final_round_three`: Ann wins under both options, and only the reason differs."""
    for option, reason in (("domination_reason", "domination"), ("final_round_reason", "final-round")):
        log = begin(rulings={"final_round_three": option})
        log.seeds("A", "reed-heron", "thunder-shelf")
        replay = log.clean()
        replay.table.last_round = True
        for biom in replay.table.zones["row"].cards[:3]:
            biom.totals = (9, 0)
            biom.dominator = "A"
        replay.run(begin().passes("B", "A").events[-2:])
        assert (replay.table.winner, replay.table.reason) == ("A", reason)


def test_dominance_falls_below_zero_or_not(begin: Any) -> None:
    """`seed_mods` and `negative_dominance`: a Rot Collar takes 2 from a seed, and from Spore Clerk, worth 1."""
    for option, worth in (("allowed", -1), ("fixed_one", 1)):
        log = begin(
            ("rot-collar", "kelp-choir", "reed-heron", "undertow-eel", "first-frost"),
            rulings={"seed_mods": option, "mutation_host_facedown": "allowed"},
        )
        log.seeds("A", "kelp-choir", "moss-parish").seeds("B", "mire-calf", "moss-parish")
        log.add("mutation.played", "A", card="A:rot-collar", host="A:kelp-choir")
        assert log.clean().table.card("A:kelp-choir").worth == worth
    for option, worth in (("no_floor", -1), ("floor_zero", 0)):
        log = begin(
            ("spore-clerk", "kelp-choir", "rot-collar", "undertow-eel", "first-frost"),
            rulings={"negative_dominance": option},
        )
        log.seeds("A", "spore-clerk", "moss-parish").passes("B", "A").draws("tin-wasp", "tithe-barn").passes("B")
        log.evolves("A", "spore-clerk", mutations=["A:rot-collar"])
        assert log.clean().table.card("A:spore-clerk").worth == worth


def test_an_equal_sum_answers_willpower_or_not(begin: Any) -> None:
    """`willpower_tie`: Ann shows Weather Kite, worth 1, and Ben answers with Spore Clerk, also worth 1."""
    line = "@, willpower: extinguish 1 close enemy ting"
    for option, broken in (("not_enough", ["kw.willpower-answer"]), ("enough", [])):
        log = begin(
            ("velvet-patriarch", "kelp-choir", "undertow-eel", "first-frost", "weather-kite"),
            rulings={"willpower_tie": option},
        )
        log.seeds("A", "velvet-patriarch", "moss-parish").seeds("B", "mire-calf", "moss-parish").passes("A", "B")
        log.draws("tin-wasp", "tithe-barn").evolves("A", "velvet-patriarch").evolves("B", "mire-calf").passes("A", "B")
        log.draws("glass-moth", "spore-clerk")
        log.uses("A", "velvet-patriarch", line, target="B:mire-calf", shown="A:weather-kite")
        log.add("willpower.answered", "B", shown=["B:spore-clerk"])
        assert log.broken() == broken


def test_what_a_devolved_ting_keeps(begin: Any) -> None:
    """`mods_on_devolve` and `tokens_on_devolve`: Tithe Barn has a token and 1 dominance more when it is devolved."""
    for rulings, left in (
        ({}, (0, 1)),
        ({"mods_on_devolve": "kept"}, (1, 1)),
        ({"tokens_on_devolve": "dropped"}, (0, 0)),
    ):
        log = begin(ben=("tithe-barn", "the-unfinished", "kelp-choir", "harvest-fair"), rulings=rulings)
        log.passes("A").seeds("B", "tithe-barn", "moss-parish").draws("tin-wasp", "spore-clerk").passes("A")
        log.evolves("B", "tithe-barn").draws("glass-moth", "mire-calf").passes("A")
        log.add("jumper.played", "B", card="B:the-unfinished", biom="moss-parish")
        replay = log.clean()
        replay.table.count(replay.table.card("B:tithe-barn"), "changes", 1)
        replay.table.count(replay.table.players["B"], "actions", 1)
        line = begin().uses("B", "the-unfinished", "@: devolve 1 close ting", target="B:tithe-barn").events[-1]
        card = replay.run([line]).table.card("B:tithe-barn")
        assert replay.findings == []
        assert (card.changes, card.tokens) == left


def test_which_genes_an_upgrade_compares(begin: Any) -> None:
    """`upgrade_genes`: Mire Calf has the genes of Twin-Root Alder, and those of the Rot Collar under it besides."""
    for option, broken in (
        ("effective_nonempty", ["kw.upgrade-genes"]),
        ("empty_matches", ["kw.upgrade-genes"]),
        ("printed_only", []),
    ):
        log = begin(
            ben=("mire-calf", "rot-collar", "twin-root-alder", "long-drought"), rulings={"upgrade_genes": option}
        )
        log.passes("A").seeds("B", "mire-calf", "moss-parish").draws("tin-wasp", "spore-clerk").passes("A")
        log.evolves("B", "mire-calf", mutations=["B:rot-collar"]).draws("glass-moth", "tithe-barn").passes("A")
        log.add("ting.upgraded", "B", card="B:twin-root-alder", discarded="B:mire-calf")
        assert log.broken() == broken
