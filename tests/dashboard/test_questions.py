"""The questions: each runs on no game, on one and on many; the numbers are those counted by hand."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest

from tabletape import dashboard
from tabletape.dashboard.questions import GROUPS, ask, question, questions, read_question
from tabletape.dashboard.questions.bots_apart import LADDER_COLUMNS
from tabletape.dashboard.questions.database import QuestionError
from tabletape.dashboard.questions.query_process import ask_sql
from tabletape.dashboard.sections.trouble import trouble_in_short
from tabletape.dashboard.statistics.intervals import wilson
from tabletape.dashboard.tape.answers import QuestionAnswer
from tabletape.dashboard.tape.records import cell_text
from tabletape.projector.archive.stored import RulesetOverride
from tabletape.projector.datasets.manifest import FILE
from tabletape.projector.datasets.proofs import sealed, unsealed
from tabletape.projector.games import game
from tests.dashboard.asking import datasets, rows
from tests.written_games import ANN_WINS, BEN_WINS, played

Store = Callable[..., Path]
NAMES = [each.name for each in questions()]


def test_every_question_has_an_answer_on_nothing_on_one_game_and_on_many(store: Store, tmp_path: Path) -> None:
    """An empty workspace gives no rows, and the same columns of the same types as games do."""
    nothing = {name: ask(name, tmp_path / "empty") for name in NAMES}
    assert {name for name, answer in nothing.items() if answer.num_rows} == set()
    folder = datasets(store("g1", *ANN_WINS))
    one = {name: ask(name, folder) for name in NAMES}
    store("g2", *BEN_WINS)
    store("g3", played("B", "two"))
    datasets(tmp_path / "tabletape.db", decision_load=True, reading=RulesetOverride("second", {}))
    many = {name: ask(name, folder) for name in NAMES}
    assert {name for name in NAMES if not nothing[name].schema.equals(one[name].schema)} == set()
    assert {name for name in NAMES if not one[name].schema.equals(many[name].schema)} == set()
    assert {name for name in NAMES if many[name].num_rows < one[name].num_rows} <= {"never-seen"}


def test_every_question_says_what_it_asks_and_what_its_columns_mean(evening: Path) -> None:
    """A question has a title with a question mark, a group and a definition, and explains only columns that it has.

    What kinds of bots say stands beside their rows alone.
    """
    for each in questions():
        assert each.title.endswith("?"), each.name
        assert each.group in GROUPS, each.name
        assert each.definition.endswith("."), each.name
        names = set(ask(each.name, evening).column_names)
        assert set(each.columns) <= {*names, *LADDER_COLUMNS}, each.name
        for share in (*each.shares, *each.shrunk):
            assert {share.name, share.hits, share.n} <= names, each.name


def test_every_question_stands_on_a_page() -> None:
    """A page asks it, a section that pages share, or the report of an evening: no answer is the terminal's alone."""
    rooms = (Path(dashboard.__file__).parent / room for room in ("pages", "sections", "report"))
    pages = "".join(file.read_text(encoding="utf-8") for room in rooms for file in room.glob("*.py"))
    assert [name for name in NAMES if f'"{name}"' not in pages] == []


def test_every_question_can_be_asked_about_some_games_only(evening: Path) -> None:
    """Every question accepts each filter, and a game that nobody played has no rows."""
    for name in NAMES:
        for filters in ({"clean": True}, {"source": "bots"}, {"source": "all"}, {"ruleset": "first"}):
            ask(name, evening, **filters)
        assert ask(name, evening, game="unheard-of").num_rows == 0, name


def test_a_share_comes_with_its_count_and_its_interval(evening: Path) -> None:
    """Ann began and won two of three decisive games of people; the interval is Wilson's."""
    (row,) = rows("first-player", evening)
    assert (row["wins"], row["games"], row["baseline"], row["players"]) == (2, 3, 0.5, 2)
    assert (row["win_rate"], row["win_rate_low"], row["win_rate_high"]) == (
        2 / 3,
        wilson(2, 3).low,
        wilson(2, 3).high,
    )


def test_games_of_bots_are_not_mixed_with_those_of_people_unless_asked(evening: Path) -> None:
    """A question is about games of people by default, about those of bots or both on request."""
    counted = {source: rows("overview", evening, source=source)[0]["games"] for source in ("people", "bots", "all")}
    assert counted == {"people": 4, "bots": 1, "all": 5}
    with pytest.raises(QuestionError, match="people, bots, all"):
        ask("overview", evening, source="robots")  # type: ignore[arg-type]


def test_clean_leaves_games_with_an_illegal_event_out(evening: Path) -> None:
    """The game in which Ben played out of turn is left out, and the overview says how many are clean."""
    (row,) = rows("overview", evening)
    assert (row["games"], row["clean_games"], row["finished"], row["decisive"], row["illegal"]) == (4, 3, 3, 3, 1)
    assert [row["games"] for row in rows("overview", evening, clean=True)] == [3]


def test_never_seen_counts_clean_games_only_on_request(store: Store) -> None:
    """The only abandoned game is not clean: abandoning was tried in all games, but not in the clean ones."""
    store("g1", *ANN_WINS)
    folder = datasets(store("g2", played("B", "two"), {"type": "game.abandoned"}))
    tried, clean = ({row["name"] for row in rows("never-seen", folder, clean=clean)} for clean in (False, True))
    assert clean - tried == {"game.abandoned", "abandoned"}
    assert tried < clean


def test_the_list_of_games_has_players_winner_and_findings(evening: Path) -> None:
    """Every game is listed with its players, its winner, the number of illegal events and that of mistakes."""
    listed = {row["game_id"]: row for row in rows("games", evening)}
    assert {key: (row["names"], row["won_by"], row["illegal"], row["mistakes"]) for key, row in listed.items()} == {
        "g1": ("Ann, Ben", "Ann", 0, 0),
        "g2": ("Ann, Ben", "Ann", 0, 0),
        "g3": ("Ann, Ben", "Ben", 0, 0),
        "g4": ("Ann, Ben", None, 1, 1),
    }


def test_endings_lengths_and_leads_are_those_of_the_table(evening: Path) -> None:
    """All three finished games end by tricks after two turns; the first leader won each, and nobody came back."""
    (ending,) = rows("win-conditions", evening)
    assert (ending["reason"], ending["games"], ending["finished"], ending["share"]) == ("tricks", 3, 3, 1.0)
    turns = next(row for row in rows("game-length", evening) if row["measure"] == "turns")
    assert (turns["games"], turns["p10"], turns["median"], turns["p90"]) == (3, 2, 2, 2)
    assert {row["measure"] for row in rows("game-length-histogram", evening)} == {"rounds", "turns", "decisions"}
    assert [(row["lead_changes"], row["games"]) for row in rows("lead-changes", evening)] == [(0, 3)]
    assert [(row["games"], row["median"]) for row in rows("lock-in", evening)] == [(3, 0)]
    assert [(row["comebacks"], row["games"]) for row in rows("comeback", evening)] == [(0, 3)]
    assert [(row["wins"], row["games"]) for row in rows("snowball", evening)] == [(3, 3)]


def test_decks_are_counted_against_each_other_without_mirrors(evening: Path) -> None:
    """The low deck beat the high one in two of three games; the shrunk share is (2 + 5) / (3 + 10)."""
    low = next(row for row in rows("matchups", evening) if row["own"] == "low")
    assert (low["other"], low["wins"], low["games"], low["shrunk"]) == ("high", 2, 3, 7 / 13)
    strengths = rows("ratings", evening)
    assert [(row["value"], row["games"]) for row in strengths] == [("low", 3), ("high", 3)]
    assert strengths[0]["strength"] + strengths[1]["strength"] == pytest.approx(1)
    (pair,) = [row for row in rows("head-to-head", evening) if row["own"] == "low"]
    assert pair["low"] < 0.5 < pair["chance"] < pair["high"]
    assert {row["value"]: (row["wins"], row["games"]) for row in rows("decks", evening)} == {
        "low": (2, 3),
        "high": (1, 3),
    }


def test_cards_are_counted_by_side_and_by_copy(evening: Path) -> None:
    """Six was in both hands of every decisive game, Five in none: it is never seen."""
    cards = {row["card"]: row for row in rows("cards", evening)}
    six, five = cards["six"], cards["five"]
    assert (six["seen_wins"], six["seen_games"], six["gih_wins"], six["gih"], six["gns"]) == (3, 6, 3, 6, 0)
    assert (five["seen_games"], five["gns_wins"], five["gns"], five["iwd"]) == (0, 3, 6, None)
    assert (six["sides_known"], six["sides"]) == (6, 6)


def test_dead_cards_say_why(evening: Path) -> None:
    """Ann's One was in hand to the end of two games and could have been played: never chosen."""
    one = next(row for row in rows("dead-cards", evening) if row["card"] == "one")
    assert [one[key] for key in ("entered", "dead", "discarded", "never_playable", "too_late", "never_chosen")] == [
        3, 2, 0, 0, 0, 2,
    ]  # fmt: skip
    assert one["left_in_hand"] is None
    rate = next(row for row in rows("play-rate", evening) if row["card"] == "one")
    assert (rate["played"], rate["seen"], rate["turns_in_hand"]) == (1, 3, 2)


def test_what_was_never_tried_is_named(evening: Path) -> None:
    """Five never left a deck, no card was named later, no game was abandoned; One was played."""
    missing = {(row["what"], row["name"]) for row in rows("never-seen", evening)}
    assert {("card", "five"), ("event", "card.shown"), ("ending", "abandoned")} <= missing
    assert ("card", "one") not in missing
    assert ("rule", "higher.shuffle.fair") not in missing


def test_what_was_never_tried_leaves_out_remarks_and_is_plain_text(evening: Path) -> None:
    """A gap, a note or a question needs no test; quotation marks replace the backticks of the documentation."""
    missing = rows("never-seen", evening)
    assert not {row["name"] for row in missing} & {"log.gap", "note.added", "question.raised", "play.taken-back"}
    shown = next(row for row in missing if row["name"] == "card.shown")
    assert shown["title"] == 'A card that the log could not name so far becomes known; "was" is the name that it had.'
    assert not [row for row in missing if "`" in (row["title"] or "")]


def test_a_sum_in_the_users_own_sql_is_a_number(evening: Path) -> None:
    """Sums of integers are integers, also those that DuckDB returns as 128-bit integers."""
    (row,) = ask_sql(
        "SELECT sum(decisions) AS decisions, sum(count) AS n FROM games, range(2) AS t(count)", evening
    ).table.to_pylist()
    assert all(isinstance(value, int) for value in row.values())


def test_two_editions_are_compared_by_what_both_have(store: Store) -> None:
    """The first player won all games of A, the first edition, and none of B: B has 100 points fewer."""
    for number in range(4):
        store(f"a{number}", *ANN_WINS)
        store(f"b{number}", *BEN_WINS, edition="second")
    found = {(row["measure"], row["value"]): row for row in rows("versions", datasets(store("a9", *ANN_WINS)))}
    first = found["first player", ""]
    assert (first["wins_a"], first["games_a"], first["wins_b"], first["games_b"]) == (5, 5, 0, 4)
    assert (first["difference"], first["larger_in_b"] < 0.1, first["by_luck"] < 0.05) == (-100, True, True)
    assert (found["deck", "high"]["difference"], found["deck", "high"]["unit"]) == (100, "points")
    assert found["turns", "median"]["difference"] == 0


def test_a_small_chance_is_not_said_to_be_none() -> None:
    """A chance of three in ten thousand that luck alone makes a difference is below one percent, and not 0 %."""
    row = dict.fromkeys(question("versions").percents) | {"by_luck": 0.0003, "larger_in_b": 0.999}
    table = pa.table({name: pa.array([value], pa.float64()) for name, value in row.items()})
    headings, (cells,) = QuestionAnswer(question("versions"), table, Path(), {}).worded()
    said = dict(zip(headings, cells, strict=True))
    assert (said["by luck"], said["larger in b"]) == ("<1 %", ">99 %")
    assert [cell_text(number) for number in (0.0003, 0.0, 1e-17, 12.346)] == ["0.0003", "0", "0", "12.35"]


def test_decks_of_two_versions_are_compared_among_equal_numbers_of_players(store: Store) -> None:
    """A deck that won half of its two-player games in A and a quarter of its four-player games in B is not weaker."""
    for number in range(4):
        for size, edition in ((2, "first"), (4, "first"), (4, "second")):
            seats = [{"id": each, "name": each, "deck": f"deck of {each}"} for each in "ABCD"[:size]]
            result = {"type": "result.recorded", "winners": ["ABCD"[number % size]]}
            place = store(f"{edition}-{size}-{number}", result, drawn=[], players=seats, edition=edition)
    found = {row["value"]: row for row in rows("versions", datasets(place)) if row["measure"] == "deck"}
    assert set(found) == {f"deck of {each}" for each in "ABCD"}
    assert {row["players"] for row in found.values()} == {4}
    assert {(row["wins_a"], row["games_a"], row["difference"]) for row in found.values()} == {(1, 4, 0)}


def test_lengths_that_a_result_does_not_have_are_not_counted(store: Store) -> None:
    """Of a game of which only the result and its seven turns are known, the histogram has the turns alone."""
    place = store("r", {"type": "result.recorded", "winners": ["A"], "turns": 7}, drawn=[])
    assert [(row["measure"], row["length"]) for row in rows("game-length-histogram", datasets(place))] == [("turns", 7)]


def test_rules_give_trouble_in_three_ways(store: Store) -> None:
    """Broken, asked about and taken back are counted separately and in sum, out of the times a rule was at stake."""
    rule = "higher.turn.alternate"
    lines = [
        played("B", "two"),
        {"type": "play.taken-back", "to": 5, "rule": rule},
        {"type": "note.added", "text": "why?"},
        *ANN_WINS,
    ]
    (row,) = rows("rules-confusion", datasets(store("g", *lines)))
    assert [row[key] for key in ("rule", "broken", "take_backs", "questions", "trouble", "opportunities")] == [
        rule, 1, 1, 0, 2, 5,
    ]  # fmt: skip


def test_a_rule_that_most_tables_break_may_be_a_house_rule(store: Store) -> None:
    """A rule that was broken in two of three games and never taken back is listed; in one of two games it is not."""
    store("g1", *ANN_WINS)
    place = store("g2", played("B", "two"))
    assert rows("house-rules", datasets(place)) == []
    store("g3", played("B", "six"))
    (row,) = rows("house-rules", datasets(place))
    assert (row["rule"], row["games_broken"], row["games"]) == ("higher.turn.alternate", 2, 3)


def test_findings_lead_to_an_example(store: Store) -> None:
    """Findings are counted by rule and kind, in all and without those that follow from others, with an example."""
    place = store("g1", played("B", "two"), played("B", "three"))
    (row,) = rows("findings", datasets(place))[:1]
    assert [row[key] for key in ("rule", "findings", "first_hand", "games", "example_game", "example_seq")] == [
        "higher.turn.alternate", 2, 1, 1, "g1", 6,
    ]  # fmt: skip


def test_times_are_answered_only_where_they_were_written_down(store: Store) -> None:
    """Turns with times have a median; a game without times adds no row."""
    times = [{"at": f"2026-05-01T19:{minute:02}:00Z"} for minute in (1, 3, 4, 9)]
    place = store("g", *(line | at for line, at in zip(ANN_WINS, times, strict=True)), at="2026-05-01T19:00:00Z")
    (row,) = rows("time-per-turn", datasets(place))
    assert (row["turns"], row["games"], row["median"]) == (2, 1, 270)
    (row,) = rows("downtime", datasets(place))
    assert (row["waits"], row["median"]) == (1, 0)
    place = store("h", *ANN_WINS)
    assert rows("time-per-turn", datasets(place))[0]["games"] == 1


def test_curves_mix_and_load_are_counted_by_turn_and_round(evening: Path) -> None:
    """Tricks grow with a player's turns, the mix has all decisions of a round, the load counts legal decisions."""
    curve = {(row["own_turn"], row["sides"], row["median"]) for row in rows("resource-curve", evening, clean=True)}
    assert curve == {(1, 4, 1), (2, 2, 2)}
    mix = rows("action-mix", evening, clean=True)
    assert {(row["type"], row["decisions"], row["all_decisions"]) for row in mix} == {
        ("card.played", 12, 18),
        ("deck.declared", 6, 18),
    }
    (load,) = rows("decision-load", evening, clean=True)
    assert (load["decisions"], load["forced"], load["median"]) == (12, 0, 2)
    beside = [(row["source"], row["decisions"], row["forced"]) for row in rows("forced", evening, source="all")]
    assert beside == [("people", 12, 0), ("bots", 4, 0)]


def test_two_rulesets_are_shown_side_by_side(store: Store) -> None:
    """The same log read by another edition, in which the One may not be played, has a row of its own."""
    store("g1", *ANN_WINS)
    folder = datasets(store("g2", *BEN_WINS), reading=RulesetOverride("second", {}))
    (row,) = rows("rulesets", folder)
    assert (row["ruleset_a"], row["games"], row["illegal_a"], row["illegal_b"]) == ("first", 2, 0, 1)
    first, second = rows("first-player", folder)
    assert first["ruleset"] == "first"
    assert rows("first-player", folder, ruleset=second["ruleset"]) == [second]
    with_id = {row["ruleset"]: row["ruleset_id"] for row in rows("overview", folder)}
    assert rows("first-player", folder, ruleset=with_id["first"]) == [first]


def test_one_game_can_be_followed(evening: Path) -> None:
    """The progress of one game can be selected by its id."""
    assert {row["game_id"] for row in rows("progress", evening, game_id="g1")} == {"g1"}
    assert len(rows("progress", evening, game_id="g1")) == 4


def test_a_question_that_does_not_exist_is_refused_with_the_nearest() -> None:
    """The error has a suggestion for a misspelt name, and the list for an unknown one."""
    with pytest.raises(QuestionError, match="did you mean 'first-player'"):
        question("frist-player")
    with pytest.raises(QuestionError, match=r"there are: .*overview"):
        question("qqqq")


def test_a_question_without_a_definition_is_refused() -> None:
    """A file without a definition is a mistake of ours; the error names the file."""
    with pytest.raises(ValueError, match=r"sql/bare\.sql needs"):
        read_question("bare", "-- What?\nSELECT 1")


def test_datasets_of_another_version_are_refused_with_the_way_out(evening: Path) -> None:
    """Files with other columns are not read: the error names the command that rebuilds them."""
    manifest = evening / FILE
    content, _ = unsealed(manifest.read_bytes())
    manifest.write_bytes(sealed(content.replace(b'"schema":"', b'"schema":"0')))
    with pytest.raises(QuestionError, match="tabletape build"):
        ask("overview", evening)


def test_a_rule_that_others_equal_is_not_called_the_one_that_was_broken_most() -> None:
    """Two rules were broken twice each and one once: the page names the first, and that another is as often."""
    rules = ("higher.turn.alternate", "higher.hand.own", "higher.end.all-tricks")
    rows = [
        {"among": "", "rule": rule, "broken": broken, "unwritten": 0, "questions": 0, "take_backs": 0, "games": 3}
        for rule, broken in zip(rules, (2, 2, 1), strict=True)
    ]
    site: Any = SimpleNamespace(game=game("splicers"), url=lambda *_, **__: "")
    assert trouble_in_short(site, rows, "") == (
        "Most trouble, as much as 1 other rule: “higher.turn.alternate”. It was broken twice in the 3 games in which "
        "it came up."
    )
