"""Games of other kinds than the five, as packages of their own: follow suit, a common row with sets, all together."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tabletape.dashboard.questions import ask
from tabletape.dashboard.tape.checking import checked
from tabletape.events.importing import Options, import_paths
from tabletape.events.log import Log
from tabletape.events.vocabulary import vocabulary
from tabletape.events.vocabulary.open_games import look_in
from tabletape.projector.datasets.build import build
from tabletape.projector.datasets.freshness import folder_of, outdated
from tabletape.projector.datasets.plans import Request
from tabletape.projector.fold.folding import fold
from tabletape.projector.games import game
from tabletape.projector.model.rules import HARD
from tabletape.projector.selfplay.kinds import Bot
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
    with installed(slug, PACKAGES, tmp_path) as one:
        shared = 0
        for match in simulate(one, one.cards, Plan(seed=2, bots=(Bot.GREEDY, Bot.RANDOM, Bot.RANDOM)), 12):
            table = fold(one, match.events).table
            scores = table.outcome.scores
            assert {*table.winners} == {player for player, score in scores.items() if score == max(scores.values())}
            shared += len(table.winners) > 1
        assert shared


@pytest.mark.parametrize("slug", ["tricks", "market", "lanterns"])
def test_cards_that_are_written_without_their_numbers_accuse_nobody(slug: str, tmp_path: Path) -> None:
    """`clubs-2` is one of the copies of that card, wherever a line names it."""
    with installed(slug, PACKAGES, tmp_path) as one:
        for match in simulate(one, one.cards, Plan(seed=4, bots=(Bot.RANDOM, Bot.RANDOM)), 6):
            lines = [re.sub(rb"#\d+", b"", one.vocabulary.encode(event)) for event in match.events]
            replay = fold(one, [one.vocabulary.decode(line) for line in lines])
            assert (replay.stopped, [each.message for each in replay.findings if each.kind in HARD]) == (None, [])


@pytest.fixture(autouse=True)
def no_workspace_stays_open() -> Iterator[None]:
    """Know no games of a workspace any more behind each test."""
    yield
    look_in(Path(__file__).parent)


@pytest.mark.parametrize("slug", ["fireworks", "whist", "market", "lanterns"])
def test_a_game_without_programming_holds_the_same(slug: str, tmp_path: Path) -> None:
    """Four such games as files of a workspace, each with a recorded game in which a rule is broken."""
    (tmp_path / "games").mkdir()
    for folder in (PACKAGES / "files", PACKAGES.parents[1] / "docs" / "own-games"):
        for file in folder.glob(f"{slug}.toml"):
            (tmp_path / "games" / file.name).write_text(file.read_text())
    look_in(tmp_path)
    found = checked(slug, [PACKAGES / "recordings" / "files" / slug], games=1, players=4 if slug == "whist" else 2)
    assert [problem for each in found for problem in each.problems] == []
    assert len(found) == 11


def test_a_score_of_the_table_is_reached_together(tmp_path: Path) -> None:
    """All who have laid every lantern have won, with the points of the table and none of their own."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "lanterns.toml").write_text((PACKAGES / "files" / "lanterns.toml").read_text())
    look_in(tmp_path)
    lines = (PACKAGES / "recordings" / "files" / "lanterns" / "all-laid.jsonl").read_text().splitlines()
    with Log.open(tmp_path / "tabletape.db", create=True) as log:
        import_paths(log, [PACKAGES / "recordings" / "files" / "lanterns"], Options())
        build(log, Request())
        rows = ask("scores", folder_of(log)).to_pylist()
        assert [(row["whose"], row["scores"], row["highest"]) for row in rows] == [("the table", 1, 6)]
        (together,) = ask("together", folder_of(log)).to_pylist()
        assert (together["games"], together["wins"]) == (1, 1)
        assert outdated(log) == 0
    table = fold(game("lanterns"), [vocabulary("lanterns").decode(line) for line in lines]).table
    assert (table.winners, table.outcome.cooperative, table.outcome.score) == (("A", "B"), True, 6)
