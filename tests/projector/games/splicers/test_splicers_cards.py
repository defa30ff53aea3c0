"""The card-text vocabulary of Splicers: every word of it works on a designer's own cards, unknown words are refused."""

from typing import Any

import pytest

from events.games.splicers import AbilityUsed
from projector.fold.folding import fold
from projector.games import game
from projector.games.splicers.abilities import line_of, verb

OWN = {
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
ALSO = {"drifter": "@: roam", "stalker": "@: hunt", "wanderer": "req type Aquatic"}


def own_cards() -> str:
    """Return a card file with a ting of two Animals' worth for every line above, and one mutation and one event."""
    cards = [
        f'[[card]]\nid = "{name}"\nname = "{name.title()}"\nkind = "ting"\ntypes = ["Animal"]\ndominance = 2\n'
        f"genes = ['Air', 'Land']\nabilities = [{', '.join(repr(each) for each in (line, *more))}]\n"
        for name, line in OWN.items()
        for more in [(ALSO[name],) if name in ALSO else ()]
    ]
    cards.append(
        "[[card]]\nid = 'oddity'\nname = 'Oddity'\nkind = 'ting'\ntypes = []\ndominance = 1\nmanual = 'flip a coin'\n"
    )
    return "\n".join(cards)


@pytest.fixture(scope="module")
def library() -> Any:
    """Return the sample cards with the own ones."""
    splicers = game("splicers")
    return splicers.cards.plus(splicers.read_cards(own_cards(), "own.toml")).library


def _two_rounds(
    story: Any, library: Any, card: str, *, other: str = "mire-calf", place: str = "saltglass-shore"
) -> Any:
    """Ann's own card and Ben's other one lie face up and unexhausted at one biom; Ann begins round 3."""
    told = story(
        (card, "kelp-choir", "undertow-eel", "first-frost", "glass-moth"),
        (other, "kelp-choir", "twin-root-alder", "long-drought"),
        library=library,
        instead={"reed-heron": card},
    )
    told.seeds("A", card, place).seeds("B", other, place).passes("A", "B").draws("tin-wasp", "spore-clerk")
    told.evolves("A", card).evolves("B", other).passes("A", "B")
    return told.draws("weather-kite", "tithe-barn")


def test_every_verb_and_moment_has_a_card_here() -> None:
    """The own cards and the sample cards together use the whole vocabulary."""
    texts = [text.says for text in game("splicers").cards.library.values()]
    lines = [line_of(line) for line in OWN.values()]
    effects = [effect for line in lines for effect in getattr(line, "effects", ())]
    for says in texts:
        effects += [effect for line in says.active.values() for effect in line.effects]
        effects += [effect for line in (*says.triggers, *says.statics) for effect in line.effects]
        effects += [*says.reveal]
    assert {effect.verb for effect in effects} | {"grant"} == {*verb.does, "grant"}


# -- verbs -------------------------------------------------------------------------------------------------------------


def test_what_is_open_is_not_probed(story: Any, library: Any) -> None:
    """A hand card may be looked at, a face-up ting needs no look."""
    told = _two_rounds(story, library, "seer").uses("A", "seer", OWN["seer"], target="B:mire-calf")
    assert told.broken() == ["kw.probe"]
    told.lines[-1]["target"] = "B:kelp-choir"
    assert "A" in told.clean().table.card("B:kelp-choir").known_to


def test_roaming_looks_at_requirements(story: Any, library: Any) -> None:
    """Wanderer needs an Aquatic biom and cannot roam to Moss Parish."""
    told = _two_rounds(story, library, "wanderer").uses("A", "wanderer", "@: roam", to="moss-parish")
    assert told.broken() == ["req.roam-blocked"]


def test_actions_are_gained(story: Any, library: Any) -> None:
    """Gain 2 actions: one is used, two come."""
    told = _two_rounds(story, library, "summoner").uses("A", "summoner", OWN["summoner"])
    told.add("actions.gained", "A", count=2)
    assert told.clean().table.players["A"].actions == 2


def test_a_cost_in_cards_is_paid_from_the_hand(story: Any, library: Any) -> None:
    """Reaper discards a hand card and extinguishes; without a card named the cost is not paid."""
    told = _two_rounds(story, library, "reaper")
    told.uses("A", "reaper", OWN["reaper"], target="B:mire-calf", cards=["A:kelp-choir"])
    table = told.clean().table
    assert table.card("A:kelp-choir").zone.name == "discard:A"
    assert table.card("B:mire-calf").zone.name == "discard:B"
    del told.lines[-1]["cards"]
    assert told.broken() == ["ability.cost-paid"]


def test_a_cost_in_tokens_needs_the_tokens(story: Any, library: Any) -> None:
    """Miser has none."""
    told = _two_rounds(story, library, "miser").uses("A", "miser", OWN["miser"])
    assert told.broken() == ["ability.cost-paid"]


def test_a_cost_in_tings_is_paid_in_play(story: Any, library: Any) -> None:
    """Butcher gives a friendly ting up and counts three more."""
    told = _two_rounds(story, library, "butcher").uses("A", "butcher", OWN["butcher"], cards=["A:butcher"])
    assert told.clean().table.card("A:butcher").zone.name == "discard:A"


def test_roaming_is_a_cost_too(story: Any, library: Any) -> None:
    """Nomad moves and gets a token."""
    told = _two_rounds(story, library, "nomad").uses("A", "nomad", OWN["nomad"], to="moss-parish")
    card = told.clean().table.card("A:nomad")
    assert (card.place, card.tokens, card.exhausted) == ("moss-parish", 1, False)


def test_two_effects_take_their_choices_in_order(story: Any, library: Any) -> None:
    """Waker exhausts a close ting and unexhausts a distant one; a card that fits only the second is left for it."""
    told = _two_rounds(story, library, "waker").seeds("A", "kelp-choir", "moss-parish").passes("B")
    told.uses("A", "waker", OWN["waker"], target="B:mire-calf")
    table = told.clean().table
    assert (table.card("B:mire-calf").exhausted, table.card("A:waker").exhausted) == (True, True)
    told.lines[-1] |= {"target": "A:kelp-choir"}
    assert told.broken() == ["ability.effect", "ting.seed-definition"]


def test_discard_and_draw(story: Any, library: Any) -> None:
    """Tutor discards a chosen card, then two are drawn."""
    told = _two_rounds(story, library, "tutor").uses("A", "tutor", OWN["tutor"], cards=["A:kelp-choir"])
    told.add("cards.drawn", "A", cards=["A:spore-clerk", "A:lichen-page"], reason="ability")
    assert told.clean().table.zones["hand:A"].size == 7


def test_all_means_all(story: Any, library: Any) -> None:
    """Crowd: own animals count one more, enemy tings one less, until the round ends."""
    told = _two_rounds(story, library, "crowd").uses("A", "crowd", OWN["crowd"]).ends("A")
    table = told.clean().table
    assert (table.card("A:crowd").worth, table.card("B:mire-calf").worth) == (3, 2)
    table = told.passes("B", "A").clean().table
    assert (table.card("A:crowd").worth, table.card("B:mire-calf").worth) == (2, 3)


def test_up_to_some_may_be_fewer(story: Any, library: Any) -> None:
    """Chooser bounces one, two or none, but not three."""
    for cards, broken in (
        (["B:mire-calf"], []),
        (["B:mire-calf", "A:chooser"], []),
        ([], []),
        (["B:mire-calf"] * 3, ["ability.effect"]),
    ):
        told = _two_rounds(story, library, "chooser").uses("A", "chooser", OWN["chooser"], cards=cards)
        assert told.broken() == broken


def test_what_is_optional_may_be_left_out(story: Any, library: Any) -> None:
    """Kind-One may devolve and does not."""
    told = _two_rounds(story, library, "kind-one").uses("A", "kind-one", OWN["kind-one"], target=None)
    assert told.broken() == []


@pytest.mark.parametrize("card", [name for name, line in OWN.items() if ":" in line and name != "miser"])
def test_every_way_that_is_offered_to_use_an_ability_is_legal(story: Any, library: Any, card: str) -> None:
    """Each way to pay and to choose that a bot is offered breaks no rule, and there is one."""
    told = _two_rounds(story, library, card).seeds("A", "kelp-choir", "moss-parish").passes("B")
    splicers = game("splicers")
    offered = [each for each in splicers.legal(told.clean().table, "A") if isinstance(each, AbilityUsed)]
    assert offered
    for event in offered:
        replay = fold(splicers, [*told.events, event], library=library)
        assert [(each.rule, each.message) for each in replay.findings] == [], event


# -- triggers ----------------------------------------------------------------------------------------------------------


def test_evolving_sets_abilities_off(story: Any, library: Any) -> None:
    """Herald draws when it evolves: the draw is the next line, and missing where it is left out."""
    told = story(
        ("herald", "kelp-choir", "undertow-eel", "first-frost", "glass-moth"),
        library=library,
        instead={"reed-heron": "herald"},
    )
    told.seeds("A", "herald", "moss-parish").passes("B", "A").draws("tin-wasp", "spore-clerk").passes("B")
    told.evolves("A", "herald", end=False)
    assert told.ends("A").broken() == ["ability.effect"]
    told.lines.insert(-1, {"type": "cards.drawn", "player": "A", "cards": ["A:spore-clerk"], "reason": "ability"})
    assert told.broken() == []


@pytest.mark.parametrize(
    ("card", "tokens"),
    [("echo", 1), ("dawn", 1), ("dusk", 1), ("gossip", 1), ("witness", 1), ("gardener", 2)],
)
def test_moments_put_tokens_on_cards(story: Any, library: Any, card: str, tokens: int) -> None:
    """Own evolving, the start and end of rounds, events laid down and turned over, seeds: each sets its card off."""
    told = _two_rounds(story, library, card)
    if card in {"gossip", "witness"}:
        told.seeds("A", "kelp-choir", "moss-parish").add("event.played", "B", card="B:long-drought").passes("A")
        told.add("event.revealed", "B", card="B:long-drought")
    elif card == "gardener":
        told.seeds("A", "kelp-choir", "moss-parish").seeds("B", "kelp-choir", "moss-parish")
    assert told.clean().table.card(f"A:{card}").tokens == tokens


def test_losing_and_moving_set_abilities_off(story: Any, library: Any) -> None:
    """Mourner, Stalker, Pack, Drifter and Martyr notice what happens to them."""
    told = _two_rounds(story, library, "stalker").uses("A", "stalker", "@: hunt", target=None)
    assert told.clean().table.card("A:stalker").worth == 4
    told = _two_rounds(story, library, "drifter").uses("A", "drifter", "@: roam", to="moss-parish")
    assert told.clean().table.card("A:drifter").tokens == 1
    told = story(
        ("mourner", "kelp-choir", "undertow-eel", "first-frost", "glass-moth"),
        ("the-unfinished", "kelp-choir", "twin-root-alder", "long-drought"),
        library=library,
        instead={"reed-heron": "mourner"},
    )
    told.seeds("A", "mourner", "moss-parish").passes("B", "A").draws("tin-wasp", "spore-clerk")
    told.add("jumper.played", "B", card="B:the-unfinished", biom="moss-parish").ends("B").evolves("A", "mourner")
    told.uses("B", "the-unfinished", "@: devolve 1 close ting", target="A:mourner")
    assert told.clean().table.card("A:mourner").tokens == 2


def test_friends_see_a_hunt(story: Any, library: Any) -> None:
    """Pack counts more when Reed Heron hunts."""
    told = story(
        ("pack", "reed-heron", "undertow-eel", "first-frost", "glass-moth"),
        library=library,
        instead={"kelp-choir": "pack"},
        ben=("mire-calf", "spore-clerk", "twin-root-alder", "long-drought"),
    )
    told.seeds("A", "pack", "moss-parish").seeds("B", "mire-calf", "cinder-steppe").seeds(
        "A", "reed-heron", "moss-parish"
    )
    told.passes("B", "A").draws("tin-wasp", "tithe-barn").passes("B").evolves("A", "pack").draws(
        "spore-clerk", "glass-moth"
    )
    told.passes("B").evolves("A", "reed-heron").draws("lichen-page", "lichen-page").passes("B")
    told.uses("A", "reed-heron", "@: hunt", target=None)
    assert told.clean().table.card("A:pack").worth == 3


def test_a_discarded_card_says_its_last_word(story: Any, library: Any) -> None:
    """Martyr draws a card for its owner when it is extinguished."""
    told = story(
        ("velvet-patriarch", "kelp-choir", "undertow-eel", "first-frost", "weather-kite"),
        ("martyr", "kelp-choir", "twin-root-alder", "long-drought"),
        library=library,
        instead={"mire-calf": "martyr"},
    )
    told.seeds("A", "velvet-patriarch", "moss-parish").seeds("B", "martyr", "moss-parish").passes("A", "B")
    told.draws("tin-wasp", "spore-clerk").evolves("A", "velvet-patriarch").evolves("B", "martyr").passes("A", "B")
    told.draws("glass-moth", "tithe-barn")
    line = "@, willpower: extinguish 1 close enemy ting"
    told.uses("A", "velvet-patriarch", line, target="B:martyr", shown="A:tin-wasp")
    told.add("willpower.answered", "B", shown=[]).add("cards.drawn", "B", cards=["B:glass-moth"], reason="ability")
    assert told.ends("A").clean().table.card("B:martyr").zone.name == "discard:B"


# -- static lines ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("card", "worth"), [("elder", 7), ("pauper", 2), ("twin", 3), ("chief", 3)])
def test_static_lines_count_while_their_condition_holds(story: Any, library: Any, card: str, worth: int) -> None:
    """Elder from round 3 on, Pauper with a small hand only, Twin because it has Air, Chief with all animals."""
    assert _two_rounds(story, library, card).clean().table.card(f"A:{card}").worth == worth


def test_a_static_line_may_depend_on_what_it_changes(story: Any, library: Any) -> None:
    """Warden counts two more where Ann dominates; alone at Saltglass Shore (3) its 2 are not enough to begin with."""
    told = story(
        ("warden", "kelp-choir", "undertow-eel", "first-frost", "glass-moth"),
        library=library,
        instead={"reed-heron": "warden"},
    )
    told.seeds("A", "warden", "saltglass-shore").passes("B", "A").draws("tin-wasp", "spore-clerk").passes("B")
    told.evolves("A", "warden").draws("weather-kite", "tithe-barn")
    assert told.clean().table.card("A:warden").worth == 2
    told.passes("B").seeds("A", "kelp-choir", "saltglass-shore", end=False)
    assert told.clean().table.card("A:warden").worth == 4


def test_a_granted_keyword_works(story: Any, library: Any) -> None:
    """Teacher lets itself, an animal, evade."""
    told = story(
        ("reed-heron", "kelp-choir", "undertow-eel", "first-frost", "glass-moth"),
        ("teacher", "kelp-choir", "twin-root-alder", "long-drought"),
        library=library,
        instead={"mire-calf": "teacher"},
    )
    told.seeds("A", "reed-heron", "moss-parish").seeds("B", "teacher", "moss-parish").passes("A", "B")
    told.draws("tin-wasp", "spore-clerk").evolves("A", "reed-heron").evolves("B", "teacher").passes("A", "B")
    told.draws("weather-kite", "tithe-barn").uses("A", "reed-heron", "@: hunt", target="B:teacher")
    assert told.broken() == ["kw.evade"]


def test_what_only_people_can_tell_is_marked(story: Any, library: Any) -> None:
    """What Oddity does is accepted as written, and cannot be verified."""
    told = _two_rounds(story, library, "oddity").uses("A", "oddity", "flip a coin")
    told.add("tokens.changed", card="A:oddity", by=3)
    replay = told.folded()
    assert [(each.rule, each.kind) for each in replay.findings] == [
        ("splicers.ability.colon", "unverifiable"),
        ("splicers.state.consequence", "unverifiable"),
    ]
    assert replay.table.card("A:oddity").tokens == 3
