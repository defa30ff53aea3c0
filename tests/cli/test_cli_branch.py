"""`tabletape branch`: bots go on from a step of a recorded game, and nothing of that is stored."""

from collections.abc import Sequence
from typing import Any

import pytest

from tabletape.events.vocabulary import tag_of
from tabletape.events.vocabulary.shared import DeckDeclared
from tabletape.projector.fold.folding import fold
from tabletape.projector.games import game, games
from tabletape.projector.selfplay.branch import Branch, BranchError, branches, stem_of
from tabletape.projector.selfplay.simulate import Plan, simulate
from tests.cli.conftest import Tabletape


def test_the_rest_is_played_again_and_again_and_not_kept(tabletape: Tabletape) -> None:
    """Shares of wins with their intervals are shown for both players; the log does not change."""
    tabletape("simulate", "crystal", "--games", "1", "--import")
    before = tabletape("log").stdout
    result = tabletape("branch", "bot-crystal-1-1", "--step", "30", "--games", "8", "--bot", "random")
    assert result.exit_code == 0
    assert result.stdout.startswith("Branch of bot-crystal-1-1 from step 30: the rest played 8 times by random bots")
    assert "Random bot A won " in result.stdout
    assert "Random bot B won " in result.stdout
    assert "A branch is no game" in result.stdout
    assert tabletape("log").stdout == before


@pytest.mark.parametrize(("step", "message"), [("4000", "there is no step 4000"), ("1000000", "steps 1 to")])
def test_a_step_that_is_not_there_is_refused(tabletape: Tabletape, step: str, message: str) -> None:
    """The message says which steps there are."""
    tabletape("simulate", "crystal", "--games", "1", "--import")
    result = tabletape("branch", "bot-crystal-1-1", "--step", step)
    assert result.exit_code == 1
    assert message in result.stderr


@pytest.mark.parametrize("slug", games())
def test_a_branch_begins_as_recorded_and_breaks_no_rule(slug: str) -> None:
    """The lines up to the step are those of the log; what bots add is legal, and the branches differ."""
    one = game(slug)
    (match,) = simulate(one, one.cards, Plan(seed=3, limit=80), 1)
    played = fold(one, match.events)
    step = min(40, len(match.events) // 2)
    found = [each for (each,) in branches([stem_of(played, step, Plan(seed=1, limit=60))], 2)]
    for each in found:
        assert each.events[:step] == match.events[:step]
        assert each.game_id.startswith("bot-branch-")
        assert each.findings == []
    assert found[0].events[step:] != found[1].events[step:]


def test_another_ruling_is_played_beside_the_recorded_one(tabletape: Tabletape) -> None:
    """Both columns stand side by side with the paired difference; a ruling that changes nothing has none."""
    tabletape("simulate", "crystal", "--games", "1", "--import")
    asked = ("branch", "bot-crystal-1-1", "--step", "12", "--games", "6", "--bot", "random", "--ruling")
    result = tabletape(*asked, "first_priority=winner_stays")
    assert result.exit_code == 0, result.stderr
    columns = ["measure", "as recorded", "changed", "difference"]
    heading = next(line for line in result.stdout.splitlines() if line.startswith("measure"))
    assert [each for each in columns if each in heading] == columns
    won = [line for line in result.stdout.splitlines() if " won " in line]
    assert len(won) == 2
    assert all(" 0.0 points (" in line for line in won)
    usual = tabletape(*asked, "draw_mandatory=mandatory").stdout
    assert "as recorded" in usual
    assert "difference" not in usual


def test_several_processes_play_the_same_branches() -> None:
    """The branches, their order and those of the changed rules are the same from two processes as from one."""
    one = game("crystal")
    (match,) = simulate(one, one.cards, Plan(seed=3), 1)
    played = fold(one, match.events)
    stems = [stem_of(played, 20, Plan(rulings=each)) for each in ({}, {"draw_mandatory": "optional"})]
    assert list(branches(stems, 12, processes=2)) == list(branches(stems, 12, processes=1))


def test_a_game_without_deck_lists_cannot_be_branched() -> None:
    """From an unknown deck bots would draw nothing, which would decide games; the error names the deck."""
    one = game("crystal")
    (match,) = simulate(one, one.cards, Plan(seed=3), 1)
    without_decks = [each for each in match.events if not isinstance(each, DeckDeclared)]
    with pytest.raises(BranchError, match="which cards are in the deck of Random bot A"):
        stem_of(fold(one, without_decks), 12, Plan())


@pytest.mark.parametrize(
    ("slug", "ruling", "line"),
    [
        ("evolve", {"mulligan_bottom_then_shuffle": "returned_cards_only"}, "mulligan.taken"),
        ("splicers", {"mulligan_destination": "deck_bottom"}, "mulligan.taken"),
        ("phylogenome", {}, "card.kept"),
    ],
)
def test_cards_that_are_known_to_lie_under_a_deck_are_drawn_last(slug: str, ruling: dict[str, str], line: str) -> None:
    """In each branch they lie below all other cards of the deck, whatever order these have."""
    one = game(slug)
    seen = 0
    for match in simulate(one, one.cards, Plan(seed=8, limit=180, rulings=ruling), 4):
        played = fold(one, match.events)
        event: Any
        for step, event in enumerate(match.events[:-1], 1):
            under = put_under(match.events[:step]) if tag_of(type(event)) == line else set()
            if not under:
                continue
            decks = [Branch(one, stem_of(played, step, Plan()), each)._dice.draw(event.player, 99) for each in (1, 2)]
            assert all(set(deck[-len(under) :]) == under for deck in decks)
            assert decks[0] != decks[1] or len(decks[0]) == len(under)
            seen += 1
    assert seen


def put_under(events: Sequence[Any]) -> set[str]:
    """Return the cards that the last of these lines put under a deck: those of a mulligan, or those not kept."""
    if tag_of(type(events[-1])) == "mulligan.taken":
        return set(events[-1].returned)
    looked_at = next(each for each in reversed(events) if tag_of(type(each)) == "cards.looked-at")
    return set(looked_at.cards) - {events[-1].card}
