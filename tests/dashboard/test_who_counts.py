"""Which games and findings count: no consequences of earlier mistakes, no abandoned games; exclusions are named."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tabletape.dashboard.questions import ask, question, questions
from tabletape.dashboard.questions.exclusions import CONDITIONS, Counted, counted_games, exclusions_in_words
from tabletape.projector.datasets.columns import OWN_SCHEMAS
from tabletape.projector.datasets.rows.game_rows import rows_of_game
from tabletape.projector.datasets.rows.timeline import Walk, timeline_of
from tabletape.projector.fold.folding import fold
from tabletape.projector.games import game
from tabletape.projector.selfplay.simulate import Plan, simulate
from tests.dashboard.asking import datasets
from tests.written_games import ANN_WINS, BEN_WINS, played

Store = Callable[..., Path]

RULE = "higher.turn.alternate"


def confusion(folder: Path) -> dict[str, Any]:
    """Return the row of the rule of turns in the question about trouble."""
    (row,) = (row for row in ask("rules-confusion", folder).to_pylist() if row["rule"] == RULE)
    return dict(row)


def test_consequences_of_a_mistake_are_not_counted_as_mistakes(store: Store) -> None:
    """After Ben has played out of turn, two more findings are follow-ups, and are counted as such only."""
    row = confusion(datasets(store("g", played("B", "two"), played("B", "three"), played("A", "four"))))
    assert (row["broken"], row["trouble"], row["opportunities"]) == (1, 1, 1)
    assert row["follow_ups"] == 2


def test_a_game_that_was_wrong_from_its_first_line_does_not_count_for_later_rules(store: Store) -> None:
    """It is not among the games in which they were at stake, and does not change their intervals."""
    store("g1", *ANN_WINS)
    before = {row["rule"]: row for row in ask("at-stake", datasets(store("g2", *BEN_WINS))).to_pylist()}
    folder = datasets(store("g3", played("B", "two"), played("A", "four"), played("A", "six"), played("B", "three")))
    after = {row["rule"]: row for row in ask("at-stake", folder).to_pylist()}
    assert {rule for rule in before if after[rule] != before[rule]} == {RULE}
    assert (before[RULE]["games"], after[RULE]["games"]) == (2, 3)


def test_a_mistake_that_was_taken_back_has_no_follow_ups(store: Store) -> None:
    """After the table has taken the play back, opportunities and new mistakes count again."""
    lines = [played("B", "two"), {"type": "play.taken-back", "to": 5}, played("A", "four"), played("A", "six")]
    row = confusion(datasets(store("g", *lines)))
    assert (row["broken"], row["opportunities"], row["follow_ups"]) == (2, 3, 0)


def test_an_abandoned_game_is_not_finished(store: Store) -> None:
    """Its ending counts as tried, but the game is not counted as finished."""
    store("g1", *ANN_WINS)
    folder = datasets(store("g2", played("A", "four"), {"type": "game.abandoned"}))
    (row,) = ask("overview", folder).to_pylist()
    assert (row["games"], row["finished"], row["decisive"]) == (2, 1, 1)
    assert [row["reason"] for row in ask("win-conditions", folder).to_pylist()] == ["tricks"]
    assert "abandoned" not in {row["name"] for row in ask("never-seen", folder).to_pylist()}


def test_every_question_says_which_games_it_leaves_out(store: Store) -> None:
    """One game did not finish; of the three that count Ben won one in which A erred, and two are the same."""
    store("g1", *ANN_WINS)
    store("g2", *ANN_WINS)
    store("g3", played("B", "five"), *BEN_WINS)
    folder = datasets(store("g4", played("A", "four")))
    sentence = exclusions_in_words(question("first-player"), folder)
    assert sentence.startswith("3 of 4 games: 1 did not finish. 1 of these 3 had a mistake: 100 % (2 of 2; ")
    assert sentence.endswith("Counted twice, because the same game has several ids: g1 = g2.")
    assert [row["ids"] for row in ask("duplicates", folder).to_pylist()] == ["g1, g2"]


@pytest.mark.parametrize(
    ("duplicates", "expected"),
    [
        ([("a", "b"), ("c", "d")], "Counted twice, because the same game has several ids: a = b, and 1 more game."),
        ([tuple("abcde")], "Counted several times, because the same game has several ids: a = b = c = 2 others."),
    ],
)
def test_few_of_many_ids_of_a_game_are_named(duplicates: list[tuple[str, ...]], expected: str) -> None:
    """For a game that was imported a hundred times the sentence does not list a hundred ids."""
    assert Counted(games=9, counted=9, left_out={}, mistaken=0, twice=tuple(duplicates)).in_words().endswith(expected)


def test_the_sentence_names_the_number_of_games_that_count(store: Store) -> None:
    """The number in the sentence is the n of the answer."""
    store("g1", *ANN_WINS)
    store("g3", *BEN_WINS)
    folder = datasets(store("g4", played("A", "four")))
    for name, n in (("first-player", "games"), ("win-conditions", "finished"), ("matchups", "games")):
        found = counted_games(question(name), folder)
        assert found is not None
        assert {row[n] for row in ask(name, folder).to_pylist()} == {found.counted}, name


def test_a_winner_counts_even_if_the_game_was_abandoned(store: Store) -> None:
    """The winner is known, so all questions about winners count the game, and none reports it as left out."""
    folder = datasets(store("g", *ANN_WINS[:2], {"type": "game.ended", "winner": "A", "reason": "abandoned"}))
    (row,) = ask("overview", folder).to_pylist()
    assert (row["finished"], row["decisive"]) == (0, 1)
    assert {each["games"] for each in ask("card-effects", folder).to_pylist()} == {1}
    for name in ("first-player", "cards", "card-effects", "keeping", "ratings", "matchups"):
        found = counted_games(question(name), folder)
        assert found is not None
        assert (found.counted, found.left_out) == (1, {}), name


def test_every_condition_that_a_question_names_is_known() -> None:
    """The requirements of each question are among the conditions, so that its exclusions can be explained."""
    assert {name for asked in questions() for name in asked.counts} <= CONDITIONS.keys()


def test_the_first_points_of_a_game_are_no_total_deficit() -> None:
    """If progress is a share of all points, a deficit counts after a fifth of them, as a part of all of them."""
    one = game("phylogenome")
    count = one.scoreboard.points_and_totals
    assert count is not None
    deepest = []
    for match in (each for each in simulate(one, one.cards, Plan(seed=5), 6) if each.winner):
        replay = fold(one, match.events)
        timeline = timeline_of(replay)
        walk = Walk(replay, timeline)
        points = [sum(count(walk.to(turn.step, turn.length), turn.player)[0].values()) for turn in timeline.turns]
        (row,) = rows_of_game(replay).rows["games"]
        found = dict(zip(OWN_SCHEMAS["games"].names, row, strict=True))["deepest_deficit"]
        gaps = [row[6] for row in rows_of_game(replay).rows["turns"] if row[2] == match.winner]
        assert len(gaps) == len(points)
        under_way = [(gap, sum_of) for gap, sum_of in zip(gaps, points, strict=True) if sum_of >= 0.2 * points[-1]]
        counted = [-gap * min(sum_of / points[-1], 1) for gap, sum_of in under_way]
        assert found == max(0.0, *counted)
        deepest.append((found, max(0.0, *(-gap for gap in gaps))))
    assert any(found < naive for found, naive in deepest)


def test_shares_of_wins_have_a_baseline(store: Store) -> None:
    """By luck alone each of two players wins one half."""
    store("g1", *ANN_WINS)
    folder = datasets(store("g2", *BEN_WINS))
    lucky = (
        "first-player",
        "seats",
        "players",
        "decks",
        "cards",
        "mulligans",
        "matchups",
        "snowball",
        "stopping",
        "tempo",
    )
    for name in lucky:
        assert {row["baseline"] for row in ask(name, folder).to_pylist() if row["baseline"] is not None} <= {0.5}, name
