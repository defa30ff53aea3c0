"""The card-text vocabulary of Splicers: every word works on a designer's own cards."""

from typing import Any

import pytest

from tabletape.events.games.splicers import AbilityUsed, SeedPlayed
from tabletape.projector.fold.folding import fold
from tabletape.projector.games import game
from tabletape.projector.games.splicers.abilities import line_of, verb

CARD_LINES = {
    "seer": "@: probe 1 card",
    "wanderer": "@: roam",
    "summoner": "@: gain 2 actions",
    "reaper": "@, discard 1: extinguish 1 close enemy ting",
    "miser": "@, tokens 2: draw 1",
    "butcher": "@, extinguish 1 friendly ting: dom +3 self",
    "nomad": "roam: token +1 self",
    "waker": "@: exhaust 1 close ting; unexhaust 1 distant ting",
    "tutor": "@: discard 1; draw 2",
    "crowd": "@: dom +1 all friendly Animal ting; dom -1 all enemy ting",
    "chooser": "@: bounce upto 2 close ting",
    "kind-one": "@: may devolve 1 close ting",
    "herald": "when self.evolves -> draw 1",
    "echo": "when friendly evolves -> token +1 self",
    "mourner": "when self.devolves -> token +2 self",
    "pack": "when friendly hunts -> dom +1 self",
    "stalker": "when self.hunts -> dom +2 self",
    "martyr": "when self.discarded -> draw 1",
    "dawn": "when round.start if tokens < 1 -> token +1 self",
    "dusk": "when round.end -> token +1 self",
    "gossip": "when event.played -> token +1 self",
    "witness": "when event.revealed -> token +1 self",
    "drifter": "when self.roams -> token +1 self",
    "gardener": "when seed.played -> token +1 self",
    "warden": "always if dominating here -> dom +2 self",
    "elder": "always if round >= 3 -> dom +5 self",
    "pauper": "always if hand <= 1 -> dom +4 self",
    "twin": "always if gene Air -> dom +1 self",
    "teacher": 'always -> grant all friendly close Animal ting "evade"',
    "chief": "always -> dom +1 all close friendly Animal ting",
}
SECOND_LINES = {"drifter": "@: roam", "stalker": "@: hunt", "wanderer": "req type Aquatic"}


def own_cards() -> str:
    """Return a card file: an Animal of dominance 2 for each line above, and a ting whose text only people can judge."""
    cards = [
        f'[[card]]\nid = "{name}"\nname = "{name.title()}"\nkind = "ting"\ntypes = ["Animal"]\ndominance = 2\n'
        f"genes = ['Air', 'Land']\nabilities = [{', '.join(repr(each) for each in (line, *more))}]\n"
        for name, line in CARD_LINES.items()
        for more in [(SECOND_LINES[name],) if name in SECOND_LINES else ()]
    ]
    cards.append(
        "[[card]]\nid = 'oddity'\nname = 'Oddity'\nkind = 'ting'\ntypes = []\ndominance = 1\nmanual = 'flip a coin'\n"
    )
    return "\n".join(cards)


@pytest.fixture(scope="module")
def library() -> Any:
    """Return the sample cards together with the own cards."""
    splicers = game("splicers")
    return splicers.cards.plus(splicers.read_cards(own_cards(), "own.toml")).library


def _at_round_three(
    begin: Any, library: Any, card: str, *, other: str = "mire-calf", place: str = "saltglass-shore"
) -> Any:
    """Return a log at the start of round 3: Ann's `card` and Ben's `other` lie face up, unexhausted, at one biom."""
    log = begin(
        (card, "kelp-choir", "undertow-eel", "first-frost", "glass-moth"),
        (other, "kelp-choir", "twin-root-alder", "long-drought"),
        library=library,
        replacing={"reed-heron": card},
    )
    log.seeds("A", card, place).seeds("B", other, place).passes("A", "B").draws("tin-wasp", "spore-clerk")
    log.evolves("A", card).evolves("B", other).passes("A", "B")
    return log.draws("weather-kite", "tithe-barn")


def test_every_verb_is_on_a_card() -> None:
    """The own cards and the sample cards together use every verb of the vocabulary."""
    texts = [text.says for text in game("splicers").cards.library.values()]
    lines = [line_of(line) for line in CARD_LINES.values()]
    effects = [effect for line in lines for effect in getattr(line, "effects", ())]
    for says in texts:
        effects += [effect for line in says.active.values() for effect in line.effects]
        effects += [effect for line in (*says.triggers, *says.statics) for effect in line.effects]
        effects += [*says.reveal]
    assert {effect.verb for effect in effects} | {"grant"} == {*verb.does, "grant"}


# -- verbs -------------------------------------------------------------------------------------------------------------


def test_a_face_up_card_cannot_be_probed(begin: Any, library: Any) -> None:
    """A card in the hand may be probed, a face-up ting may not."""
    log = _at_round_three(begin, library, "seer").uses("A", "seer", CARD_LINES["seer"], target="B:mire-calf")
    assert log.broken() == ["kw.probe"]
    log.lines[-1]["target"] = "B:kelp-choir"
    assert "A" in log.clean().table.card("B:kelp-choir").known_to


def test_roaming_checks_requirements(begin: Any, library: Any) -> None:
    """Wanderer needs an Aquatic biom and cannot roam to Moss Parish."""
    log = _at_round_three(begin, library, "wanderer").uses("A", "wanderer", "@: roam", to="moss-parish")
    assert log.broken() == ["req.roam-blocked"]


def test_actions_are_gained(begin: Any, library: Any) -> None:
    """An ability that costs an action and gains two leaves Ann with two."""
    log = _at_round_three(begin, library, "summoner").uses("A", "summoner", CARD_LINES["summoner"])
    log.add("actions.gained", "A", count=2)
    assert log.clean().table.players["A"].actions == 2


def test_a_cost_in_cards_is_paid_from_the_hand(begin: Any, library: Any) -> None:
    """Reaper discards a card of the hand and extinguishes; if the line names no card, the cost is not paid."""
    log = _at_round_three(begin, library, "reaper")
    log.uses("A", "reaper", CARD_LINES["reaper"], target="B:mire-calf", cards=["A:kelp-choir"])
    table = log.clean().table
    assert table.card("A:kelp-choir").zone.name == "discard:A"
    assert table.card("B:mire-calf").zone.name == "discard:B"
    del log.lines[-1]["cards"]
    assert log.broken() == ["ability.cost-paid"]


def test_a_cost_in_tokens_needs_the_tokens(begin: Any, library: Any) -> None:
    """Miser has no tokens, so its cost cannot be paid."""
    log = _at_round_three(begin, library, "miser").uses("A", "miser", CARD_LINES["miser"])
    assert log.broken() == ["ability.cost-paid"]


def test_a_cost_in_tings_is_paid_in_play(begin: Any, library: Any) -> None:
    """Butcher extinguishes a friendly ting, here itself, as its cost."""
    log = _at_round_three(begin, library, "butcher").uses("A", "butcher", CARD_LINES["butcher"], cards=["A:butcher"])
    assert log.clean().table.card("A:butcher").zone.name == "discard:A"


def test_roaming_can_be_a_cost(begin: Any, library: Any) -> None:
    """Nomad roams as its cost and gets a token."""
    log = _at_round_three(begin, library, "nomad").uses("A", "nomad", CARD_LINES["nomad"], to="moss-parish")
    card = log.clean().table.card("A:nomad")
    assert (card.place, card.tokens, card.exhausted) == ("moss-parish", 1, False)


def test_a_choice_belongs_to_the_first_effect_that_it_fits(begin: Any, library: Any) -> None:
    """Waker exhausts a close ting and then unexhausts a distant one; a seed is a choice for neither effect."""
    log = _at_round_three(begin, library, "waker").seeds("A", "kelp-choir", "moss-parish").passes("B")
    log.uses("A", "waker", CARD_LINES["waker"], target="B:mire-calf")
    table = log.clean().table
    assert (table.card("B:mire-calf").exhausted, table.card("A:waker").exhausted) == (True, True)
    log.lines[-1] |= {"target": "A:kelp-choir"}
    assert log.broken() == ["ability.effect", "ting.seed-definition"]


def test_discard_and_draw(begin: Any, library: Any) -> None:
    """Tutor discards a chosen card, and Ann then draws two."""
    log = _at_round_three(begin, library, "tutor").uses("A", "tutor", CARD_LINES["tutor"], cards=["A:kelp-choir"])
    log.add("cards.drawn", "A", cards=["A:spore-clerk", "A:lichen-page"], reason="ability")
    assert log.clean().table.zones["hand:A"].size == 7


def test_an_effect_on_all_changes_every_card(begin: Any, library: Any) -> None:
    """Crowd gives own animals 1 dominance and takes 1 from enemy tings until the round ends."""
    log = _at_round_three(begin, library, "crowd").uses("A", "crowd", CARD_LINES["crowd"]).ends("A")
    table = log.clean().table
    assert (table.card("A:crowd").worth, table.card("B:mire-calf").worth) == (3, 2)
    table = log.passes("B", "A").clean().table
    assert (table.card("A:crowd").worth, table.card("B:mire-calf").worth) == (2, 3)


def test_up_to_two_may_be_fewer(begin: Any, library: Any) -> None:
    """Chooser bounces one, two or none, but not three."""
    for cards, broken in (
        (["B:mire-calf"], []),
        (["B:mire-calf", "A:chooser"], []),
        ([], []),
        (["B:mire-calf"] * 3, ["ability.effect"]),
    ):
        log = _at_round_three(begin, library, "chooser").uses("A", "chooser", CARD_LINES["chooser"], cards=cards)
        assert log.broken() == broken


def test_an_optional_effect_may_be_left_out(begin: Any, library: Any) -> None:
    """Kind-One may devolve a ting, so naming no target breaks no rule."""
    log = _at_round_three(begin, library, "kind-one").uses("A", "kind-one", CARD_LINES["kind-one"], target=None)
    assert log.broken() == []


@pytest.mark.parametrize("card", [name for name, line in CARD_LINES.items() if ":" in line and name != "miser"])
def test_every_offered_use_of_an_ability_is_legal(begin: Any, library: Any, card: str) -> None:
    """Bots are offered at least one use, and no offered way to pay and to choose breaks a rule."""
    log = _at_round_three(begin, library, card).seeds("A", "kelp-choir", "moss-parish").passes("B")
    splicers = game("splicers")
    offered = [each for each in splicers.legal(log.clean().table, "A") if isinstance(each, AbilityUsed)]
    assert offered
    for event in offered:
        replay = fold(splicers, [*log.events, event], library=library)
        assert [(each.rule, each.message) for each in replay.findings] == [], event


# -- triggers ----------------------------------------------------------------------------------------------------------


def test_evolving_triggers_an_ability(begin: Any, library: Any) -> None:
    """Herald draws when it evolves: the draw has to be the next line, and leaving it out breaks a rule."""
    log = begin(
        ("herald", "kelp-choir", "undertow-eel", "first-frost", "glass-moth"),
        library=library,
        replacing={"reed-heron": "herald"},
    )
    log.seeds("A", "herald", "moss-parish").passes("B", "A").draws("tin-wasp", "spore-clerk").passes("B")
    log.evolves("A", "herald", end=False)
    assert log.ends("A").broken() == ["ability.effect"]
    log.lines.insert(-1, {"type": "cards.drawn", "player": "A", "cards": ["A:spore-clerk"], "reason": "ability"})
    assert log.broken() == []


@pytest.mark.parametrize(
    ("card", "tokens"),
    [("echo", 1), ("dawn", 1), ("dusk", 1), ("gossip", 1), ("witness", 1), ("gardener", 2)],
)
def test_each_moment_triggers_its_card(begin: Any, library: Any, card: str, tokens: int) -> None:
    """Evolving, the start and end of rounds, events played and revealed and seeds played put tokens on their cards."""
    log = _at_round_three(begin, library, card)
    if card in {"gossip", "witness"}:
        log.seeds("A", "kelp-choir", "moss-parish").add("event.played", "B", card="B:long-drought").passes("A")
        log.add("event.revealed", "B", card="B:long-drought")
    elif card == "gardener":
        log.seeds("A", "kelp-choir", "moss-parish").seeds("B", "kelp-choir", "moss-parish")
    assert log.clean().table.card(f"A:{card}").tokens == tokens


def test_hunting_roaming_and_devolving_trigger_abilities(begin: Any, library: Any) -> None:
    """Stalker is triggered by its hunt, Drifter by its roaming and Mourner by its devolving."""
    log = _at_round_three(begin, library, "stalker").uses("A", "stalker", "@: hunt", target=None)
    assert log.clean().table.card("A:stalker").worth == 4
    log = _at_round_three(begin, library, "drifter").uses("A", "drifter", "@: roam", to="moss-parish")
    assert log.clean().table.card("A:drifter").tokens == 1
    log = begin(
        ("mourner", "kelp-choir", "undertow-eel", "first-frost", "glass-moth"),
        ("the-unfinished", "kelp-choir", "twin-root-alder", "long-drought"),
        library=library,
        replacing={"reed-heron": "mourner"},
    )
    log.seeds("A", "mourner", "moss-parish").passes("B", "A").draws("tin-wasp", "spore-clerk")
    log.add("jumper.played", "B", card="B:the-unfinished", biom="moss-parish").ends("B").evolves("A", "mourner")
    log.uses("B", "the-unfinished", "@: devolve 1 close ting", target="A:mourner")
    assert log.clean().table.card("A:mourner").tokens == 2


def test_a_hunt_triggers_friendly_tings(begin: Any, library: Any) -> None:
    """Pack gains dominance when the friendly Reed Heron hunts."""
    log = begin(
        ("pack", "reed-heron", "undertow-eel", "first-frost", "glass-moth"),
        library=library,
        replacing={"kelp-choir": "pack"},
        ben=("mire-calf", "spore-clerk", "twin-root-alder", "long-drought"),
    )
    log.seeds("A", "pack", "moss-parish").seeds("B", "mire-calf", "cinder-steppe").seeds(
        "A", "reed-heron", "moss-parish"
    )
    log.passes("B", "A").draws("tin-wasp", "tithe-barn").passes("B").evolves("A", "pack").draws(
        "spore-clerk", "glass-moth"
    )
    log.passes("B").evolves("A", "reed-heron").draws("lichen-page", "lichen-page").passes("B")
    log.uses("A", "reed-heron", "@: hunt", target=None)
    assert log.clean().table.card("A:pack").worth == 3


def test_its_own_discard_triggers_a_card(begin: Any, library: Any) -> None:
    """Martyr draws a card for its owner when it is extinguished."""
    log = begin(
        ("velvet-patriarch", "kelp-choir", "undertow-eel", "first-frost", "weather-kite"),
        ("martyr", "kelp-choir", "twin-root-alder", "long-drought"),
        library=library,
        replacing={"mire-calf": "martyr"},
    )
    log.seeds("A", "velvet-patriarch", "moss-parish").seeds("B", "martyr", "moss-parish").passes("A", "B")
    log.draws("tin-wasp", "spore-clerk").evolves("A", "velvet-patriarch").evolves("B", "martyr").passes("A", "B")
    log.draws("glass-moth", "tithe-barn")
    line = "@, willpower: extinguish 1 close enemy ting"
    log.uses("A", "velvet-patriarch", line, target="B:martyr", shown="A:tin-wasp")
    log.add("willpower.answered", "B", shown=[]).add("cards.drawn", "B", cards=["B:glass-moth"], reason="ability")
    assert log.ends("A").clean().table.card("B:martyr").zone.name == "discard:B"


# -- static lines ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("card", "worth"), [("elder", 7), ("pauper", 2), ("twin", 3), ("chief", 3)])
def test_static_lines_count_while_their_condition_holds(begin: Any, library: Any, card: str, worth: int) -> None:
    """Elder counts more from round 3 on, Pauper with a small hand, Twin because it has Air, Chief with all animals."""
    assert _at_round_three(begin, library, card).clean().table.card(f"A:{card}").worth == worth


def test_a_static_line_may_depend_on_what_it_changes(begin: Any, library: Any) -> None:
    """Warden counts 2 more where Ann dominates; at Saltglass Shore, which needs 3, its own 2 do not dominate."""
    log = begin(
        ("warden", "kelp-choir", "undertow-eel", "first-frost", "glass-moth"),
        library=library,
        replacing={"reed-heron": "warden"},
    )
    log.seeds("A", "warden", "saltglass-shore").passes("B", "A").draws("tin-wasp", "spore-clerk").passes("B")
    log.evolves("A", "warden").draws("weather-kite", "tithe-barn")
    assert log.clean().table.card("A:warden").worth == 2
    log.passes("B").seeds("A", "kelp-choir", "saltglass-shore", end=False)
    assert log.clean().table.card("A:warden").worth == 4


def test_a_granted_keyword_works(begin: Any, library: Any) -> None:
    """Teacher grants evade to friendly animals, so it cannot be hunted itself."""
    log = begin(
        ("reed-heron", "kelp-choir", "undertow-eel", "first-frost", "glass-moth"),
        ("teacher", "kelp-choir", "twin-root-alder", "long-drought"),
        library=library,
        replacing={"mire-calf": "teacher"},
    )
    log.seeds("A", "reed-heron", "moss-parish").seeds("B", "teacher", "moss-parish").passes("A", "B")
    log.draws("tin-wasp", "spore-clerk").evolves("A", "reed-heron").evolves("B", "teacher").passes("A", "B")
    log.draws("weather-kite", "tithe-barn").uses("A", "reed-heron", "@: hunt", target="B:teacher")
    assert log.broken() == ["kw.evade"]


def test_text_that_only_people_can_judge_is_unverifiable(begin: Any, library: Any) -> None:
    """What the log says of Oddity is accepted, and reported as unverifiable."""
    log = _at_round_three(begin, library, "oddity").uses("A", "oddity", "flip a coin")
    log.add("tokens.changed", card="A:oddity", by=3)
    replay = log.replay()
    assert [(each.rule, each.kind) for each in replay.findings] == [
        ("splicers.ability.colon", "unverifiable"),
        ("splicers.state.consequence", "unverifiable"),
    ]
    assert replay.table.card("A:oddity").tokens == 3


def test_an_ability_that_nobody_knows_opens_only_what_cards_may_change(begin: Any) -> None:
    """It may have changed what a ting counts, but puts no seed at two bioms: such a breach is found all the same."""
    splicers, table = game("splicers"), begin().replay().table
    table.unclear = "A:an-ability"
    line = SeedPlayed(player="A", card="A:reed-heron", biom=table.row[0])
    open_to_doubt = {rule.id for rule in splicers.rules if splicers.slips.doubt(table, rule, line) is not None}
    assert open_to_doubt >= {"splicers.ting.face-up-counts", "splicers.action.consume"}
    assert not open_to_doubt & {"splicers.seed.at-biom", "splicers.evolve.own-card", "splicers.round.draw-one"}
