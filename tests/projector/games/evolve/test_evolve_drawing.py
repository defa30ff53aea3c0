"""How the table of Evolve is drawn and counted."""

from collections.abc import Callable
from typing import Any

from projector.games import game
from projector.model.game import Area
from projector.model.phrases import changes_in_words

GAME = game("evolve")
Begin = Callable[..., Any]


def drawn(log: Any, viewer: str) -> dict[str, Area]:
    """Return the areas by name, with what is open still waiting."""
    from projector.fold.replay import Replay  # noqa: PLC0415 - only this reads a log without its end

    replay = Replay(log.game, log.game.rulebook.ruleset("forum-draft"), log.library).run(log.events)
    return {area.name: area for area in GAME.areas(replay.table, viewer)}


def fed(begin: Begin) -> Any:
    """Write a game in which Ann's organism has eaten and carries a mutation."""
    log = begin(["prochlorococcus", "micrococcus-film", "efficient-uptake", "nutrient-pulse"])
    log.add("organism.played", "A", card="prochlorococcus").add("organism.played", "A", card="micrococcus-film")
    log.add("food.consumed", "A", card="prochlorococcus", food="micrococcus-film")
    return log.add("turn.ended", "A").turn("B", 1).add("surplus.discarded", "B", card="nostoc#1")


def test_organisms_lie_with_their_energy(begin: Begin) -> None:
    """Energy of the limit, phylum and tier, food with its energy, stress as a turned card."""
    cards = drawn(fed(begin), "A")["play:A"].cards
    assert [(card.title, card.value, card.exhausted) for card in cards] == [
        ("Prochlorococcus marinus", "2/3", False),
        ("Micrococcus luteus Film", "2", True),
    ]
    assert cards[0].marks == ("Cyanobacteriota 1",)
    assert cards[1].marks == ("food", "stressed")


def test_mutations_lie_under_their_host(begin: Begin) -> None:
    """A mutation is drawn beneath the organism that carries it."""
    log = begin(["prochlorococcus", "thick-capsule"]).add("organism.played", "A", card="prochlorococcus")
    log.add("mutation.played", "A", card="thick-capsule", host="prochlorococcus").add("phase.started", phase="end")
    (organism,) = drawn(log, "")["play:A"].cards
    assert [card.title for card in organism.under] == ["Thick Capsule"]


def test_what_is_open_waits_in_an_area_of_its_own(begin: Begin) -> None:
    """The event that answers comes first, then the action it answers."""
    log = begin(["prochlorococcus", "nutrient-pulse"]).add("organism.played", "A", card="prochlorococcus")
    log.add("organism.photosynthesized", "A", card="prochlorococcus")
    log.add("event.played", "A", card="nutrient-pulse", target="prochlorococcus")
    waiting = drawn(log, "")["stack"].cards
    assert [(card.title, card.marks) for card in waiting] == [
        ("Nutrient Pulse on Prochlorococcus marinus", ("event",)),
        ("Prochlorococcus marinus", ("photosynthesize",)),
    ]


def test_a_hand_is_shown_to_its_owner_alone(begin: Begin) -> None:
    """Others see backs, and the near player is the one who looks."""
    log = fed(begin)
    mine, others = drawn(log, "A"), drawn(log, "B")
    assert {card.title for card in mine["hand:A"].cards} == {"Efficient Uptake", "Nutrient Pulse", "Nostoc punctiforme"}
    assert {(card.title, card.face_up) for card in others["hand:A"].cards} == {("card of Ann", False)}
    assert mine["hand:A"].line > mine["hand:B"].line
    assert others["hand:B"].line > others["hand:A"].line


def test_the_numbers_of_a_turn(begin: Begin) -> None:
    """DNA, MP, energy and what lies in play."""
    table: Any = fed(begin).table()
    assert GAME.totals(table, "A") == {
        "tier": 1,
        "organisms": 1,
        "food": 1,
        "energy": 2,
        "dna": 2,
        "mp": 1,
        "starvation": 1,
        "hand": 3,
        "deck": 6,
    }
    assert tuple(GAME.totals(table, "A")) == GAME.total_names


def test_progress_grows_with_tier_and_energy(begin: Begin) -> None:
    """A third of the way for each tier, and the energy toward the next."""
    table: Any = fed(begin).table()
    assert GAME.progress(table, "A") == (0 + 2 / 3) / 3
    assert GAME.progress(table, "B") == 0


def test_the_phylum_of_a_list_is_the_commonest_one(begin: Begin) -> None:
    """It is the dimension by which lists are compared."""
    assert GAME.dimensions(begin().table(), "A") == {"phylum": "Bacillota"}


def test_a_step_tells_what_people_see_change(begin: Begin) -> None:
    """What only the fold needs to remember, such as who may still play an event, is not told."""
    log = begin(["prochlorococcus", "efficient-uptake"]).add("organism.played", "A", card="prochlorococcus")
    replay = log.add("mutation.played", "A", card="efficient-uptake", host="prochlorococcus").replay()
    assert changes_in_words(replay.table, replay.changes(len(replay.events) - 1)) == (
        "Prochlorococcus marinus: stack to Ann's play",
        "Efficient Uptake: Ann's hand to stack",
        "Efficient Uptake: turned face up",
        "Ann: mp 3 to 2",
        "Efficient Uptake: stack to attached",
        "Efficient Uptake: on Prochlorococcus marinus",
    )
