"""Games of bots: every number is of one kind of them, and what all kinds say follows from their intervals."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tabletape.dashboard.markdown_escape import JOINER
from tabletape.dashboard.pages import pace
from tabletape.dashboard.questions import question
from tabletape.dashboard.questions.bots_apart import agreement_in_words, said_of_kinds, who_played
from tabletape.dashboard.rulebook.margins import RuleNote
from tabletape.dashboard.workspace import VARIABLE
from tabletape.events.log import Log
from tabletape.projector.datasets.build import build
from tabletape.projector.games import game
from tests.dashboard.asking import datasets, rows
from tests.dashboard.test_pages import open_page, page_text, without_errors
from tests.written_games import ANN_WINS, BEN_WINS, played

Store = Callable[..., Path]


@pytest.fixture
def two_kinds(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Six games of random bots, won by whoever began, six of greedy ones, won by the other, one of people."""
    for number in range(6):
        for kind, moves in (("Random", ANN_WINS), ("Greedy", BEN_WINS)):
            seats = [{"id": each, "name": f"{kind} bot {each}", "deck": each} for each in "AB"]
            store(f"bot-{kind}-{number}", *moves, players=seats, at=f"2026-05-0{number + 1}T10:00:00Z")
    place = store("g1", *ANN_WINS)
    with Log.open(place) as log:
        build(log)
    monkeypatch.setenv(VARIABLE, str(place))


@pytest.mark.parametrize("page", ["balance", "pace", "cards", "rules", "overview", "games"])
@pytest.mark.usefixtures("two_kinds")
def test_no_page_pools_kinds_of_bots(page: str) -> None:
    """Where random and greedy bots have played, every number is of one kind, and beside it stands what both say."""
    text = page_text(without_errors(open_page(page, source="bots"))).replace("\\", "").replace(JOINER, "")
    assert "Each counted for itself: random bots, greedy bots." in text
    assert "random bots: " in text
    assert "greedy bots: " in text
    if page == "balance":
        assert "What kinds of bots say of the win rate: depends on play: of 2 (-100 points a rung" in text
        both = page_text(without_errors(open_page(page, source="both")))
        assert "Each counted for itself: people, random bots, greedy bots." in both


@pytest.mark.parametrize(
    ("counts", "baseline", "said"),
    [
        (((70, 100), (73, 100), (89, 100)), 0.5, "agree"),
        (((58, 200), (142, 200)), 0.5, "depends on play"),
        (((77, 100), (43, 100)), 0.5, "depends on play"),
        (((12, 20), (8, 20)), 0.5, "open"),
        (((500, 1000), (510, 1000)), None, "agree"),
        (((50, 100), (51, 100)), None, "open"),
        (((20, 100), (60, 100)), None, "depends on play"),
        (((3, 4),), 0.5, None),
    ],
)
def test_what_kinds_of_bots_say_follows_from_their_intervals(
    counts: tuple[tuple[int, int], ...], baseline: float | None, said: str | None
) -> None:
    """Same side of the baseline: agree; clearly apart: it depends; of shares without one, surely near: agree."""
    name = "seats" if baseline else "together"
    kinds = [
        {"played_by": who, "wins": wins, "games": n, "win_rate": wins / n, "win_rate_effective": n}
        | {"baseline": baseline}
        for who, (wins, n) in zip(("random", "greedy", "search"), counts, strict=False)
    ]
    assert {row.get("bots_say") for row in said_of_kinds(question(name), kinds)} == {said}


def side(who: str, hits: int, n: int, baseline: float) -> dict[str, Any]:
    """Return a row of `decks` of a kind of bots."""
    return {
        "played_by": who, "value": "red", "wins": hits, "games": n, "win_rate": hits / n, "win_rate_effective": n,
        "baseline": baseline,
    }  # fmt: skip


def test_kinds_that_sat_at_other_tables_are_not_set_against_each_other() -> None:
    """Half of the games of two and a quarter of the games of four: each as if nothing mattered, so it is open."""
    asked = question("decks")
    rows = [side("random", 100, 200, 0.5), side("greedy", 50, 200, 0.25)]
    assert said_of_kinds(asked, rows) == [{"bots_say": "open"}] * 2
    above = [side("random", 150, 200, 0.5), side("greedy", 100, 200, 0.25)]
    assert {each["bots_say"] for each in said_of_kinds(asked, above)} == {"agree"}


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        (((0.55, 0.7), (0.72, 0.9)), "agree"),
        (((0.2, 0.4), (0.45, 0.6)), "depends on play"),
        (((0.4, 0.6), (0.5, 0.7)), "open"),
    ],
)
def test_strengths_agree_on_the_same_side_of_one_half(ends: tuple[tuple[float, float], ...], said: str) -> None:
    """Intervals of strengths are judged by one half; of a median, which has no such value, only what parts is said."""
    kinds = [
        {"played_by": who, "value": "red", "low": low, "high": high}
        for who, (low, high) in zip(("random", "greedy"), ends, strict=True)
    ]
    strengths = [each | {"strength": 0.5} for each in kinds]
    assert {each["bots_say"] for each in said_of_kinds(question("ratings"), strengths)} == {said}
    medians = said_of_kinds(question("length-unfinished"), kinds)
    apart = ends[0][1] < ends[1][0]
    assert medians == [{"bots_say": "depends on play"} if apart else {}] * 2


def test_what_one_kind_never_does_has_a_row_of_none() -> None:
    """Random bots end all games by one reason and greedy ones by another: both reasons depend on play."""
    rows = [
        {"game": "g", "ruleset": "r", "played_by": who, "reason": reason, "games": 40, "finished": 40, "share": 1.0}
        | {"share_effective": 40.0, "among": f"{who} bots", "letter": ""}
        for who, reason in (("random", "health"), ("greedy", "deck"))
    ]
    said = agreement_in_words(question("win-conditions"), rows)
    assert said.startswith("What kinds of bots say of the share: depends on play: health")
    assert said.endswith("Of 2 rows fewer than 0.1 would depend on play by luck.")


def test_only_the_clean_games_say_who_played(store: Store) -> None:
    """Where every game of greedy bots has a mistake in it, clean games are of random ones alone."""
    for kind, moves in (("Random", ANN_WINS), ("Greedy", [played("B", "two")])):
        seats = [{"id": each, "name": f"{kind} bot {each}", "deck": each} for each in "AB"]
        place = store(f"bot-{kind}", *moves, players=seats)
    folder = datasets(place)
    assert who_played(folder, {"source": "bots"}) == ("random", "greedy")
    assert who_played(folder, {"source": "bots", "clean": True}) == ("random",)


@pytest.mark.usefixtures("two_kinds")
def test_what_differs_between_rulesets_is_of_one_kind_each() -> None:
    """Parted at a day, the differences of random and of greedy bots stand each under their name."""
    app = without_errors(open_page("balance", source="bots", split="2026-05-03"))
    heads = [each.value for each in app.markdown if "before and since" in each.value]
    assert [each.strip("*").partition("\\:")[0] for each in heads] == ["random bots", "greedy bots"]


@pytest.mark.usefixtures("two_kinds")
def test_a_narrowed_list_is_counted_as_it_is_narrowed() -> None:
    """The games of Ann alone, of people and bots: the sentence counts the game that is listed."""
    text = page_text(without_errors(open_page("games", source="both", player="Ann"))).replace("\\", "")
    assert "1 game" in text
    assert "0 games" not in text


def test_a_rule_in_the_margin_counts_the_trouble_of_all_who_played_by_the_first_ruleset() -> None:
    """Two of people and three of random bots by A, and one by B: five."""
    rows = tuple(
        {"ruleset": ruleset, "letter": letter, "trouble": trouble}
        for ruleset, letter, trouble in (("r", "A", 2), ("r", "A", 3), ("s", "B", 1))
    )
    rule = game("crystal").rules[0]
    note = RuleNote(rule=rule, rows=rows, examples=(), counted=True, elsewhere=False, doubt="", lines="")
    assert note.trouble == 5
    assert msgspec.structs.replace(note, rows=rows[2:]).trouble == 0


def test_each_game_counts_as_often_as_any_other_in_the_course_of_leads() -> None:
    """A game of forty turns and one of two have a lead in each part, the last of which is that of their end."""
    turns = {"long": [0.01 * turn for turn in range(1, 41)], "short": [0.1, 0.9]}
    course = ({"game_id": one, "ahead": ahead} for one, leads in turns.items() for ahead in leads)
    drawn = [*pace.by_parts(course)]
    for one, leads in turns.items():
        mine = {row["part"]: row["ahead"] for row in drawn if row["game_id"] == one}
        assert (len(mine), mine[1.0], mine[0.5]) == (pace.PARTS, leads[-1], leads[len(leads) // 2 - 1])


@pytest.mark.parametrize(
    ("games", "said"), [(6, "48.5 (6 games, all of them 45 to 52)"), (10, "48.5 (10 games, eight of ten 45 to 52)")]
)
def test_fewer_than_ten_games_have_no_eight_of_ten(games: int, said: str) -> None:
    """Between two games the median is a half, and all of few games lie between the ends that are said."""
    row = {"median": 48.5, "p10": 45.0, "p90": 52.0, "games": games, "players": 2, "among": ""}
    words = pace.games_as_dot(row, [45.0, 52.0] * (games // 2)).words
    assert words.replace("\N{NO-BREAK SPACE}", " ") == said
    assert "45\N{NO-BREAK SPACE}to\N{NO-BREAK SPACE}52" in words


def test_what_a_lead_is_worth_is_fitted_on_those_who_are_asked_about(store: Store) -> None:
    """Of a game of people and three of bots, each says that its own 29 or 27 are missing."""
    for number in range(3):
        seats = [{"id": each, "name": f"Random bot {each}", "deck": each} for each in "AB"]
        store(f"bot-{number}", *ANN_WINS, players=seats)
    folder = datasets(store("g1", *ANN_WINS))
    told = [rows("tension", folder, source=source) for source in ("people", "bots")]
    assert [[(row["games"], row["missing"]) for row in each] for each in told] == [[(1, 29)], [(3, 27)]]
