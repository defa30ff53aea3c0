"""Whole evenings of playtests of every game, as they were handed in; only where `../shared` has them."""

from collections.abc import Callable

import pytest

from tabletape.events.vocabulary import Consequence, Event
from tabletape.projector.fold.folding import fold
from tabletape.projector.games import game, games

Evening = Callable[[str, str], list[list[Event]]]

MISTAKES = [
    "card.three-types",
    "compat.event-forbids",
    "compat.generation-limit",
    "compat.genome-scale",
    "cycle.draw-three",
    "cycle.one-from-hand",
    "deck.recommended-size",
    "discard.event-pile",
    "discard.species-pile",
    "draw.from-own-deck",
    "draw.only-when-due",
    "end.nothing-after-end",
    "end.species-depleted",
    "event.as-declared",
    "event.beneath-stays",
    "event.requirement",
    "event.table-stays",
    "event.target",
    "event.used-once",
    "fix.discard-unfixed",
]
"""What somebody did wrong in each game of PhyloGenome on the third evening, seen by hand."""

every_game = pytest.mark.parametrize("slug", games())


@every_game
@pytest.mark.parametrize("name", ["evening-1.jsonl", "evening-2-full.jsonl"])
def test_an_evening_without_mistakes_has_no_findings(slug: str, name: str, evening: Evening) -> None:
    """Nobody broke a rule, what is written down is what the rules derive, and every game comes to its end."""
    for events in evening(slug, name):
        replay = fold(game(slug), events)
        assert replay.stopped is None
        assert replay.findings == []
        assert replay.table.over


@every_game
def test_the_full_evening_without_its_consequences_ends_the_same(slug: str, evening: Evening) -> None:
    """The last table of a full log is that of the same log with decisions and chance alone."""
    for events in evening(slug, "evening-2-full.jsonl"):
        sparse = [event for event in events if not isinstance(event, Consequence)]
        assert fold(game(slug), sparse).table.state() == fold(game(slug), events).table.state()


@every_game
def test_every_mistake_of_the_third_evening_is_found(slug: str, evening: Evening) -> None:
    """Each game has its mistake, and no mistake stops a replay."""
    for events in evening(slug, "evening-3-with-mistakes.jsonl"):
        replay = fold(game(slug), events)
        assert replay.stopped is None
        assert replay.findings


@every_game
def test_lost_lines_stop_nothing(slug: str, evening: Evening) -> None:
    """Where lines could not be read the replay goes on to the end."""
    for events in evening(slug, "evening-5-spoiled.jsonl"):
        assert fold(game(slug), events).stopped is None


@pytest.mark.parametrize("slug", ["duelyst", "splicers"])
def test_each_game_of_the_third_evening_has_one_mistake(slug: str, evening: Evening) -> None:
    """Findings that are not tainted stand on one line."""
    for events in evening(slug, "evening-3-with-mistakes.jsonl"):
        findings = fold(game(slug), events).findings
        assert len({finding.seq for finding in findings if not finding.tainted}) == 1, (events[0], findings)


def test_each_mistake_of_the_third_evening_of_phylogenome_is_the_one_that_somebody_made(evening: Evening) -> None:
    """The first finding of each game is that mistake."""
    replays = [fold(game("phylogenome"), events) for events in evening("phylogenome", "evening-3-with-mistakes.jsonl")]
    assert [replay.findings[0].rule.removeprefix("phylogenome.") for replay in replays] == MISTAKES


def test_few_findings_follow_from_a_mistake_in_crystal(evening: Evening) -> None:
    """A game with one mistake has few findings."""
    for events in evening("crystal", "evening-3-with-mistakes.jsonl"):
        assert 1 <= len(fold(game("crystal"), events).findings) <= 5


def test_lost_lines_do_not_keep_a_game_of_crystal_from_its_end(evening: Evening) -> None:
    """Where lines could not be read the game is over all the same."""
    for events in evening("crystal", "evening-5-spoiled.jsonl"):
        assert fold(game("crystal"), events).table.over


def test_lost_lines_make_no_finding_in_evolve(evening: Evening) -> None:
    """What could not be read changes nothing that the rules look at."""
    for events in evening("evolve", "evening-5-spoiled.jsonl"):
        assert fold(game("evolve"), events).findings == []
