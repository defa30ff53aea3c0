"""Games of other kinds than the five, as packages of their own: follow suit, a common row with sets, all together."""

from pathlib import Path

import pytest

from tabletape.dashboard.tape.checking import checked
from tabletape.projector.fold.folding import fold
from tabletape.projector.selfplay.bots import Bot
from tabletape.projector.selfplay.simulate import Plan, simulate
from tests.installed import installed

PACKAGES = Path(__file__).parents[1] / "small_games"


@pytest.mark.parametrize("slug", ["tricks", "market", "lanterns"])
@pytest.mark.parametrize("players", [2, 4])
def test_all_that_must_hold_for_every_game_holds(slug: str, players: int, tmp_path: Path) -> None:
    """Nothing is found by `check`, on games of bots and on the recorded ones, which hold what breaks each rule."""
    with installed(slug, PACKAGES, tmp_path):
        found = checked(slug, [PACKAGES / "recordings" / slug], games=3, players=players)
        assert [problem for each in found for problem in each.problems] == []


@pytest.mark.parametrize("slug", ["tricks", "market"])
def test_whoever_has_the_most_wins_and_equal_players_share_it(slug: str, tmp_path: Path) -> None:
    """The end names all who have the most, with the points of each."""
    with installed(slug, PACKAGES, tmp_path) as game:
        shared = 0
        for match in simulate(game, game.cards, Plan(seed=2, bots=(Bot.GREEDY, Bot.RANDOM, Bot.RANDOM)), 12):
            table = fold(game, match.events).table
            scores = table.outcome.scores
            assert {*table.winners} == {player for player, score in scores.items() if score == max(scores.values())}
            shared += len(table.winners) > 1
        assert shared
