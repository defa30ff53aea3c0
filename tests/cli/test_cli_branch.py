"""`tabletape branch`: bots go on from a step of a recorded game, and nothing of it is kept."""

import pytest

from projector.fold.folding import fold
from projector.model.game import Game, game, games
from projector.selfplay.branch import branches
from projector.selfplay.simulate import Plan, simulate
from tests.cli.conftest import Tabletape


def test_the_rest_is_played_again_and_again_and_not_kept(tabletape: Tabletape) -> None:
    """Shares of wins with their intervals are told for both players; the log has the games that it had."""
    tabletape("simulate", "crystal", "--games", "1", "--import")
    before = tabletape("log").stdout
    result = tabletape("branch", "bot-crystal-1-1", "--step", "30", "--games", "8", "--bot", "random")
    assert result.exit_code == 0
    assert "the rest played 8 times by random bots" in result.stdout
    assert "Random bot A won " in result.stdout
    assert "Random bot B won " in result.stdout
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
    """The lines up to the step are those of the log; what bots add is legal, and each branch goes its own way."""
    one: Game = game(slug)
    (match,) = simulate(one, one.cards, Plan(seed=3, limit=80), 1)
    played = fold(one, match.events)
    step = min(40, len(match.events) // 2)
    found = list(branches(played, step, Plan(seed=1, limit=60), 2))
    for each in found:
        assert each.events[:step] == match.events[:step]
        assert each.game_id.startswith("bot-branch-")
        assert each.findings == []
    assert found[0].events[step:] != found[1].events[step:]
