"""How the table of Evolve is drawn, its progress and its totals."""

from collections.abc import Callable
from typing import Any

from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game
from tabletape.projector.model.areas import Area
from tabletape.projector.model.phrases import changes_in_words

GAME = game("evolve")
Begin = Callable[..., Any]


def areas_by_name(log: Any, viewer: str) -> dict[str, Area]:
    """Return the areas that a viewer sees, by their names; what waits on the stack stays there."""
    replay = Replay(log.game, log.game.rulebook.ruleset("forum-draft"), log.library).run(log.events)
    return {area.name: area for area in GAME.areas(replay.table, viewer)}


def log_with_fed_organism(begin: Begin) -> Any:
    """Return a log in which Ann's organism has eaten in the first turn."""
    log = begin(["prochlorococcus", "micrococcus-film", "efficient-uptake", "nutrient-pulse"])
    log.add("organism.played", "A", card="prochlorococcus").add("organism.played", "A", card="micrococcus-film")
    log.add("food.consumed", "A", card="prochlorococcus", food="micrococcus-film")
    return log.add("turn.ended", "A").turn("B", 1).add("surplus.discarded", "B", card="nostoc#1")


def test_organisms_lie_with_their_energy(begin: Begin) -> None:
    """An organism shows its energy and limit, its phylum and tier; food shows its energy; a stressed card is turned."""
    cards = areas_by_name(log_with_fed_organism(begin), "A")["play:A"].cards
    assert [(card.title, card.value, card.exhausted) for card in cards] == [
        ("Prochlorococcus marinus", "2/3", False),
        ("Micrococcus luteus Film", "2", True),
    ]
    assert cards[0].marks == ("Cyanobacteriota 1",)
    assert cards[1].marks == ("food", "stressed")


def test_mutations_lie_under_their_host(begin: Begin) -> None:
    """A mutation is drawn under its host."""
    log = begin(["prochlorococcus", "thick-capsule"]).add("organism.played", "A", card="prochlorococcus")
    log.add("mutation.played", "A", card="thick-capsule", host="prochlorococcus").add("phase.started", phase="end")
    (organism,) = areas_by_name(log, "")["play:A"].cards
    assert [card.title for card in organism.under] == ["Thick Capsule"]


def test_open_actions_and_events_are_drawn_on_a_stack(begin: Begin) -> None:
    """The stack shows the event first, and then the action that it answers."""
    log = begin(["prochlorococcus", "nutrient-pulse"]).add("organism.played", "A", card="prochlorococcus")
    log.add("organism.photosynthesized", "A", card="prochlorococcus")
    log.add("event.played", "A", card="nutrient-pulse", target="prochlorococcus")
    stack = areas_by_name(log, "")["stack"].cards
    assert [(card.title, card.marks) for card in stack] == [
        ("Nutrient Pulse on Prochlorococcus marinus", ("event",)),
        ("Prochlorococcus marinus", ("photosynthesize",)),
    ]


def test_a_hand_is_shown_to_its_owner_alone(begin: Begin) -> None:
    """The other player sees backs, and the areas of the viewer are the nearest."""
    log = log_with_fed_organism(begin)
    for_ann, for_ben = areas_by_name(log, "A"), areas_by_name(log, "B")
    assert {card.title for card in for_ann["hand:A"].cards} == {
        "Efficient Uptake",
        "Nutrient Pulse",
        "Nostoc punctiforme",
    }
    assert {(card.title, card.face_up) for card in for_ben["hand:A"].cards} == {("card of Ann", False)}
    assert for_ann["hand:A"].line > for_ann["hand:B"].line
    assert for_ben["hand:B"].line > for_ben["hand:A"].line


def test_totals_are_the_declared_ones(begin: Begin) -> None:
    """The totals of a player have the declared names, in their order."""
    table: Any = log_with_fed_organism(begin).table()
    assert GAME.scoreboard.totals(table, "A") == {
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
    assert tuple(GAME.scoreboard.totals(table, "A")) == GAME.scoreboard.total_names


def test_progress_grows_with_tier_and_energy(begin: Begin) -> None:
    """Each tier is a third of the way, and the energy toward the next tier counts in part."""
    table: Any = log_with_fed_organism(begin).table()
    assert GAME.scoreboard.progress(table, "A") == (0 + 2 / 3) / 3
    assert GAME.scoreboard.progress(table, "B") == 0


def test_the_phylum_of_a_deck_is_its_most_frequent_one(begin: Begin) -> None:
    """It is the dimension by which decks are compared."""
    assert GAME.scoreboard.dimensions(begin().table(), "A") == {"phylum": "Bacillota"}


def test_a_step_lists_visible_changes_only(begin: Begin) -> None:
    """The changes of a step leave out internal fields, such as who may still play an event."""
    log = begin(["prochlorococcus", "efficient-uptake"]).add("organism.played", "A", card="prochlorococcus")
    replay = log.add("mutation.played", "A", card="efficient-uptake", host="prochlorococcus").replay()
    assert changes_in_words(replay.table, replay.changes(len(replay.events) - 1)) == (
        "Prochlorococcus marinus: stack to Ann's play",
        "Efficient Uptake: Ann's hand to stack",
        "Efficient Uptake: turned face up",
        "Ann: MP 3 to 2",
        "Efficient Uptake: stack to attached",
        "Efficient Uptake: on Prochlorococcus marinus",
    )
