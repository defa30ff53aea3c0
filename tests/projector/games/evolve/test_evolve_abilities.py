"""What cards of Evolve do: verbs, costs, triggers and static lines, on cards made for each test."""

from collections.abc import Callable
from typing import Any

import pytest

Begin = Callable[..., Any]


def card(name: str, kind: str, *lines: str, extra: str = "") -> str:
    """Return the TOML of a card that costs nothing; an organism is of tier 1 and needs 4 energy to evolve."""
    body = {
        "organism": 'phylum = "Bacillota"\ntier = 1\nevolve = { energy = 4, dna = 1 }',
        "status": 'subtypes = ["odd"]',
    }.get(kind, "")
    head = f'[[card]]\nid = "{name}"\nname = "{name.title()}"\nkind = "{kind}"\n'
    return f"{head}{body}\n{extra}\nabilities = {list(lines)!r}\n"


def food(energy: int) -> str:
    """Return the TOML of a food organism."""
    return f'[[card]]\nid = "crumb"\nname = "Crumb"\nkind = "organism"\nfood = true\nfood_energy = {energy}\n'


MICROBE = card("microbe", "organism", "action photosynthesize: energy +4 self", "limit actions 9")


def test_a_duplication_has_its_other_effects_too(begin: Begin) -> None:
    """The other effects of a duplication have a rule of their own, which a wrong consequence contradicts."""
    own = card("budder", "organism", "action duplicate: dna +2; energy +1 self; mp +1")
    log = (
        begin(["budder"], own=own)
        .add("organism.played", "A", card="budder")
        .add("organism.duplicated", "A", card="budder")
    )
    table = log.table()
    assert (table.players["A"].dna, table.players["A"].mp, table.find("A:budder").energy) == (5, 6, 1)
    log.add("energy.changed", card="A:budder", by=2, to=2)
    finding = log.replay().findings[0]
    assert (finding.rule, finding.because) == ("evolve.state.consequence", "evolve.duplicate.extra")


def test_a_printed_consume_replaces_the_implied_one(begin: Begin) -> None:
    """The consumer does not get the energy of the food, and the food is not stressed unless the card says so."""
    own = card("sipper", "organism", "action consume: energy +1 self") + food(3)
    log = begin(["sipper", "crumb"], own=own)
    log.add("organism.played", "A", card="sipper").add("organism.played", "A", card="crumb")
    log.add("food.consumed", "A", card="sipper", food="crumb")
    table = log.table()
    assert (table.find("A:sipper").energy, table.find("A:crumb").stressed) == (1, False)
    log.add("energy.changed", card="A:sipper", by=3, to=3)
    assert log.replay().findings[0].because == "evolve.main.own-consume-replaces"


def test_energy_left_after_evolving_moves_to_the_new_organism(begin: Begin) -> None:
    """A mutation that makes evolving cheaper leaves energy, which moves along with the mutation."""
    own = MICROBE + card(
        "ease", "mutation", "when enters -> energy +0 host", "always if energy > 9 -> host evolve energy -1"
    )
    own += card("grown", "organism").replace("tier = 1", "tier = 2")
    own += card("short", "mutation", "always -> host evolve energy -2")
    log = begin(["microbe", "grown", "short"], own=own, energy_cap_changes="kept")
    log.add("organism.played", "A", card="microbe").add("organism.photosynthesized", "A", card="microbe")
    log.add("mutation.played", "A", card="short", host="microbe")
    log.add("organism.evolved", "A", card="microbe", into="grown")
    grown = log.card("A:grown")
    assert (grown.energy, grown.mutations) == (2, ("A:short",))
    log.add("energy.changed", card="A:grown", by=1, to=1)
    assert log.replay().findings[0].because == "evolve.evolve.transfer"


def test_energy_above_a_lowered_limit_is_lost(begin: Begin) -> None:
    """By default an organism never holds more than it needs to evolve."""
    own = MICROBE + card("short", "mutation", "always -> host evolve energy -3")
    log = begin(["microbe", "short"], own=own).add("organism.played", "A", card="microbe")
    log.add("organism.photosynthesized", "A", card="microbe").add("mutation.played", "A", card="short", host="microbe")
    assert log.card("A:microbe").energy == 1


def test_a_static_line_raises_the_limit_while_its_card_is_in_play(begin: Begin) -> None:
    """When the status with the static line ends, energy above the limit is lost."""
    own = (
        MICROBE
        + card("vat", "status", "always -> cap +3 all friendly organism")
        + card("stop", "event", "end 1 status")
    )
    log = begin(["microbe", "vat", "stop"], own=own)
    log.add("status.played", "A", card="vat").add("organism.played", "A", card="microbe")
    log.add("organism.photosynthesized", "A", card="microbe").add("organism.photosynthesized", "A", card="microbe")
    assert log.card("A:microbe").energy == 7
    log.add("organism.photosynthesized", "A", card="microbe").add("event.played", "A", card="stop", target="vat")
    log.add("card.left", card="A:vat", reason="status-ended").add("energy.changed", card="A:microbe", by=-3, to=4)
    assert log.card("A:microbe").energy == 4


@pytest.mark.parametrize(
    ("trigger", "energy"),
    [("enters", 1), ("self.consume", 3), ("end.self", 1), ("event.played", 1), ("self.stressed", 1)],
)
def test_an_ability_is_triggered_at_its_moment(begin: Begin, trigger: str, energy: int) -> None:
    """Each moment triggers exactly the abilities that name it."""
    own = (
        card("waiter", "organism", f"when {trigger} -> energy +1 self")
        + food(2)
        + card("poke", "event", "stress 1 organism")
    )
    log = begin(["waiter", "crumb", "poke"], own=own).add("organism.played", "A", card="waiter")
    if trigger == "self.consume":
        log.add("organism.played", "A", card="crumb").add("food.consumed", "A", card="waiter", food="crumb")
    elif trigger in {"event.played", "self.stressed"}:
        log.add("organism.played", "A", card="crumb")
        log.add("event.played", "A", card="poke", target="waiter")
    log.add("turn.ended", "A")
    assert log.card("A:waiter").energy == energy


def test_a_death_triggers_the_dead_organism_and_its_enemies(begin: Begin) -> None:
    """`self.died` triggers the organism that dies, `enemy.died` the cards of the other player."""
    own = card("martyr", "organism", "when self.died -> dna +2") + card(
        "ghoul", "organism", "when enemy.died -> energy +1 self"
    )
    own += card("poke", "event", "stress 1 organism; stress 1 organism")
    log = (
        begin(["martyr"], ["ghoul", "poke", "lactobacillus"], own=own)
        .add("organism.played", "A", card="martyr")
        .add("turn.ended", "A")
    )
    log.turn("B", 1).add("organism.played", "B", card="ghoul").add("organism.played", "B", card="lactobacillus")
    log.add("event.played", "B", card="poke", target="A:martyr").add("organism.died", card="A:martyr").add(
        "turn.ended", "B"
    )
    table = log.table()
    assert table.players["A"].dna == 5
    assert table.find("B:ghoul").energy == 1


def test_a_condition_holds_back_its_effect_only(begin: Begin) -> None:
    """If the condition does not hold, the effect after `if` does not happen, and all others do."""
    own = MICROBE + card("boon", "event", "if hand < 2 -> dna +5; mp +1")
    log = (
        begin(["microbe", "boon"], own=own)
        .add("organism.played", "A", card="microbe")
        .add("event.played", "A", card="boon")
    )
    log.add("organism.photosynthesized", "A", card="microbe")
    assert (log.table().players["A"].dna, log.table().players["A"].mp) == (3, 6)


def test_costs_are_paid_at_the_declaration(begin: Begin) -> None:
    """An action may cost DNA, MP, cards of the hand and the stress of its own organism."""
    own = card("giver", "organism", "action bud (dna 1, mp 2, discard 2, stress self): energy +1 self")
    log = begin(["giver"], own=own).add("organism.played", "A", card="giver")
    log.add("action.taken", "A", card="giver", action="bud")
    table = log.table()
    player = table.players["A"]
    assert (player.dna, player.mp, table.zones["hand:A"].size, table.zones["discard:A"].size) == (2, 3, 2, 2)
    assert (table.find("A:giver").stressed, table.find("A:giver").energy) == (True, 1)


def test_a_cost_in_cards_needs_enough_cards_in_the_hand(begin: Begin) -> None:
    """With four cards left in the hand a cost of five cannot be paid."""
    own = card("giver", "organism", "action bud (discard 5): energy +1 self")
    log = begin(["giver"], own=own).add("organism.played", "A", card="giver")
    assert log.add("action.taken", "A", card="giver", action="bud").broken() == ["energy.action-cost"]


def test_an_action_may_order_a_draw(begin: Begin) -> None:
    """The effects after the draw happen once the draw is written."""
    own = card("seeker", "organism", "action seek: draw 1; dna +1")
    log = begin(["seeker"], own=own).add("organism.played", "A", card="seeker")
    log.add("action.taken", "A", card="seeker", action="seek").turn("A", 1, reason="effect")
    assert log.table().players["A"].dna == 4


def test_a_draw_at_the_start_of_the_turn_comes_before_the_main_step(begin: Begin) -> None:
    """A trigger may order a draw, and the next line breaks a rule if the draw is missing."""
    own = card("dreamer", "organism", "when begin.self -> draw 1")
    log = begin(["dreamer"], own=own).add("organism.played", "A", card="dreamer").to_second_turn()
    kept = log.turn("A", 2, reason="effect")
    assert kept.table().zones["hand:A"].size == 6
    log.lines.pop()
    assert log.add("organism.played", "A", card="nostoc#1").replay().findings[0].rule == "evolve.event.normal-if-none"


def test_more_draws_than_cards_lose_the_game(begin: Begin) -> None:
    """If three cards are ordered and two are left, the two are drawn, and the player loses by deck-out."""
    own = card("flood", "event", "draw 3")
    log = begin(["flood", "microbe"], own=own + MICROBE)
    log.lines[1]["cards"] = log.lines[1]["cards"][:7]
    log.add("organism.played", "A", card="microbe").add("event.played", "A", card="flood")
    log.add("cards.drawn", "A", cards=["A:epulopiscium#1", "A:epulopiscium#2"], reason="effect")
    assert (log.table().winner, log.table().reason) == ("B", "deck-out")


def test_a_protected_host_is_not_removed(begin: Begin) -> None:
    """With `cannot be removed by event` the host stays in play, and the event is discarded all the same."""
    own = (
        MICROBE
        + card("anchor", "mutation", "always -> host cannot be removed by event")
        + card("purge", "event", "remove 1 organism")
    )
    log = begin(["microbe", "anchor", "purge"], own=own).add("organism.played", "A", card="microbe")
    log.add("mutation.played", "A", card="anchor", host="microbe").add("organism.photosynthesized", "A", card="microbe")
    log.add("event.played", "A", card="purge", target="microbe").add("turn.ended", "A")
    table = log.table()
    assert table.find("A:microbe").zone.name == "play:A"
    assert table.find("A:purge").zone.name == "discard:A"


def test_a_protected_host_is_not_stressed_by_an_attack(begin: Begin) -> None:
    """Thick Capsule protects its host from the stress of attacks, not of events."""
    own = MICROBE + card("biter", "organism", "action attack: stress 1 enemy organism")
    log = begin(["microbe", "thick-capsule"], ["biter", "phage-burst"], own=own).add(
        "organism.played", "A", card="microbe"
    )
    log.add("mutation.played", "A", card="thick-capsule", host="microbe").add("turn.ended", "A").turn("B", 1)
    log.add("organism.played", "B", card="biter").add("organism.attacked", "B", card="biter", target="A:microbe")
    log.add("phase.started", phase="end")
    assert log.card("A:microbe").stressed is False
    log.lines.pop()
    log.add("event.played", "B", card="phage-burst", target="A:microbe").add("phase.started", phase="end")
    assert log.card("A:microbe").stressed is True


def test_a_choice_may_be_left_out_where_the_card_says_up_to(begin: Begin) -> None:
    """`upto 1` allows no choice; without `upto` a choice is due if there is one to make."""
    own = MICROBE + card("maybe", "event", "stress upto 1 organism") + card("must", "event", "stress 1 organism")
    log = begin(["microbe", "maybe", "must"], own=own).add("organism.played", "A", card="microbe")
    log.add("organism.photosynthesized", "A", card="microbe")
    assert log.add("event.played", "A", card="maybe").broken() == []
    log.lines.pop()
    assert log.add("event.played", "A", card="must").broken() == ["event.choices"]


def test_manual_text_is_accepted_and_unverifiable(begin: Begin) -> None:
    """What a card with `manual` text does is accepted as the log has it, and reported as unverifiable."""
    own = MICROBE + card("riddle", "event", extra='manual = "Do what the table agrees on."')
    log = (
        begin(["microbe", "riddle"], own=own)
        .add("organism.played", "A", card="microbe")
        .add("event.played", "A", card="riddle")
    )
    log.add("phase.started", phase="end").add("dna.changed", "A", by=2, to=5)
    replay = log.replay()
    assert [(each.rule, each.kind) for each in replay.findings] == [("evolve.state.consequence", "unverifiable")]
    assert replay.table.players["A"].dna == 5


def test_an_effect_on_all_reaches_only_what_it_names(begin: Begin) -> None:
    """`all enemy stressed nonfood` leaves own, unstressed and food organisms alone."""
    own = (
        MICROBE
        + food(1)
        + card("wave", "event", "remove all enemy stressed nonfood")
        + card("poke", "event", "stress 1 organism")
    )
    log = begin(["microbe", "crumb"], ["microbe", "wave", "poke"], own=own)
    log.add("organism.played", "A", card="microbe").add("organism.played", "A", card="crumb").add(
        "turn.ended", "A"
    ).turn("B", 1)
    log.add("event.played", "B", card="poke", target="A:microbe").add("organism.played", "B", card="microbe")
    log.add("event.played", "B", card="wave").add("phase.started", phase="end")
    table = log.table()
    assert table.find("A:microbe").zone.name == "discard:A"
    assert [table.find(name).zone.name for name in ("A:crumb", "B:microbe")] == ["play:A", "play:B"]
