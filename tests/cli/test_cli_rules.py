"""`tabletape rules`, `coverage` and `compare`: the rulebook, and how the stored games keep it."""

import json
from pathlib import Path

from tests.cli.conftest import ONE_MISTAKE, Tabletape


def test_all_rules_are_listed_with_section_lines_and_how_they_are_checked(tabletape: Tabletape) -> None:
    """The list needs no log: it has every rule of a game with our sentence and its citation."""
    lines = tabletape("rules", "--game", "higher").stdout.splitlines()
    assert lines[0].startswith("Higher")
    assert "higher.card.from-hand" in lines[4]
    assert lines[4].split()[1:] == ["A", "card", "is", "played", "from", "the", "hand.", "Turns", "L2.2", "checked"]


def test_a_rule_is_explained_with_its_rate(evening: Path, tabletape: Tabletape) -> None:
    """One rule: sentence, citation, how it is checked, and how often the tables broke it, with interval."""
    assert evening.exists()
    lines = [line.strip() for line in tabletape("rules", "higher.card.from-hand").stdout.splitlines()]
    assert lines == [
        "higher.card.from-hand",
        "A card is played from the hand.",
        "Higher: Turns, L2.2",
        "checked: a finding can name it",
        "broken 25 % (1 of 4; 5-70 %) of the times it was at stake, in 1 of 1 game",
    ]


def test_rules_that_no_function_checks_say_why(evening: Path, tabletape: Tabletape) -> None:
    """A derived rule names the rule that reports it, an unchecked one the reason."""
    assert evening.exists()
    derived = tabletape("rules", "higher.trick.higher-card").stdout
    assert "is a finding of higher.state.consequence" in derived
    unchecked = tabletape("rules", "higher.shuffle.fair").stdout
    assert "No log shows whether a shuffle was fair." in unchecked
    assert "never at stake in 1 stored game" in unchecked
    assert "only in version second" in tabletape("rules", "higher.card.no-one").stdout


def test_a_rule_needs_no_log_to_be_explained(tabletape: Tabletape, tmp_path: Path) -> None:
    """Without a log there is nothing to count, and none is made."""
    result = tabletape("rules", "higher.card.from-hand")
    assert result.exit_code == 0
    assert "there is nothing to count" in result.stdout
    assert list(tmp_path.iterdir()) == []


def test_games_of_bots_are_never_counted_with_those_of_people(evening: Path, tabletape: Tabletape) -> None:
    """The rate is that of people, or with --bots that of bots."""
    assert evening.exists()
    tabletape("simulate", "higher", "--games", "3", "--import")
    people, bots = (
        json.loads(tabletape("rules", "higher.card.from-hand", "--json", *more).stdout) for more in ((), ("--bots",))
    )
    assert (people["games"], people["broken"]) == (1, 1)
    assert (bots["games"], bots["broken"]) == (3, 0)


def test_an_unknown_rule_is_answered_with_the_nearest(tabletape: Tabletape) -> None:
    """A mistyped id is an error with a suggestion; a ruling's key is an id too."""
    result = tabletape("rules", "higher.card.from-hnd")
    assert result.exit_code == 1
    assert "did you mean higher.card.from-hand?" in result.stderr
    assert "Who takes a trick of two equal cards?" in tabletape("rules", "ties").stdout


def test_an_unknown_rule_of_no_game_is_answered_with_a_few_of_all(tabletape: Tabletape) -> None:
    """A name that resembles none is answered with some rules, not with pages of them."""
    message = tabletape("rules", "qqqqqq").stderr
    assert "there is no rule or ruling called 'qqqqqq'; there are: crystal." in message
    assert message.count(",") == 10
    assert message.rstrip().endswith(" more")


def test_rulings_are_listed_with_options_default_and_reason(tabletape: Tabletape) -> None:
    """A ruling shows its question, all options, which is the default, which are not built, and why."""
    lines = [line.strip() for line in tabletape("rules", "--rulings", "--game", "higher").stdout.splitlines()]
    assert lines == [
        "ties  Higher",
        "Who takes a trick of two equal cards?",
        "first_card (default)  who played first",
        "second_card  who played second",
        "nobody (not built)  nobody",
        "because: The first card was there first.",
        "",
    ]
    (ruling,) = json.loads(tabletape("rules", "--rulings", "--game", "higher", "--json").stdout)
    assert [option["name"] for option in ruling["options"]] == ["first_card", "second_card", "nobody"]
    assert tabletape("rules", "--defects", "--game", "higher").stdout == ""


def test_coverage_lists_what_no_game_has_tried(evening: Path, tabletape: Tabletape) -> None:
    """Rules, events, cards and endings that no stored game has exercised are named."""
    assert evening.exists()
    found = json.loads(tabletape("coverage", "--json").stdout)["higher"]
    assert found["games"] == 1
    assert "higher.card.no-one" in found["rules"]["missing"]
    assert "higher.card.from-hand" not in found["rules"]["missing"]
    assert "higher.shuffle.fair" not in found["rules"]["missing"]
    assert "card.shown" in found["events"]["missing"]
    assert found["endings"]["missing"] == ["abandoned"]
    text = tabletape("coverage").stdout
    assert "endings: 1 of 2, not yet:" in text


def test_a_sparse_log_exercises_the_events_that_follow_from_it(evening: Path, tabletape: Tabletape) -> None:
    """A derived consequence counts as exercised even if the log leaves it out."""
    lines = ONE_MISTAKE.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if "trick.taken" not in line and "game.ended" not in line]
    evening.write_text("".join(kept), encoding="utf-8")
    tabletape("import", evening.name, "--db", "sparse.db")
    missing = json.loads(tabletape("coverage", "--db", "sparse.db", "--json").stdout)["higher"]["events"]["missing"]
    assert not {"trick.taken", "game.ended"} & set(missing)


def test_coverage_can_be_asked_for_a_game_without_logs(evening: Path, tabletape: Tabletape) -> None:
    """For a game that nobody has recorded yet everything is listed as not tried."""
    assert evening.exists()
    tabletape("db", "upgrade", "--db", "empty.db")
    assert "No games are stored" in tabletape("coverage", "--db", "empty.db").stdout
    assert "cards: 0 of 6, not yet:" in tabletape("coverage", "--db", "empty.db", "--game", "higher").stdout


def test_coverage_asks_for_the_designer_s_own_cards_too(evening: Path, tabletape: Tabletape) -> None:
    """A new card that nobody has drawn yet is the first thing to test."""
    folder = evening.parent / "cards"
    folder.mkdir()
    (folder / "higher.toml").write_text('[[card]]\nid = "seven"\nname = "Seven"\nkind = "number"\nvalue = 7\n')
    assert "seven" in json.loads(tabletape("coverage", "--json").stdout)["higher"]["cards"]["missing"]


def test_compare_shows_which_findings_another_edition_brings(evening: Path, tabletape: Tabletape) -> None:
    """The same log under the second edition has one more finding; nothing else changes."""
    assert evening.exists()
    lines = tabletape("compare", "--edition", "second").stdout.splitlines()
    assert lines[0] == "1 game read twice: 1 of them change, 0 in how they end; 0 findings would go, 1 would come"
    assert lines[2] == "g  still Ann (tricks)"
    assert lines[3].startswith("  +   11  illegal higher.card.no-one")


def test_compare_shows_which_winners_another_ruling_changes(tabletape: Tabletape) -> None:
    """Two equal cards: the other ruling gives the trick to the other player."""
    tie = ONE_MISTAKE.read_text(encoding="utf-8").splitlines()[:5]
    tie += [
        '{"type": "card.played", "player": "A", "card": "A:four"}',
        '{"type": "card.played", "player": "B", "card": "B:four"}',
    ]
    tie += [
        '{"type": "card.played", "player": "A", "card": "A:six"}',
        '{"type": "card.played", "player": "B", "card": "B:six"}',
    ]
    tabletape("import", "-", stdin="\n".join(tie).encode())
    data = json.loads(tabletape("compare", "--ruling", "ties=second_card", "--json").stdout)
    (game,) = data["changed"]
    assert (game["before"]["winner"], game["after"]["winner"]) == ("Ann", "Ben")
    assert [finding["rule"] for finding in game["new"]] == ["higher.turn.alternate"]
    assert "g  Ann (tricks) → Ben (tricks)" in tabletape("compare", "--ruling", "ties=second_card").stdout


def test_compare_needs_something_to_compare_with(evening: Path, tabletape: Tabletape) -> None:
    """Without an edition or ruling there is nothing to compare."""
    assert evening.exists()
    result = tabletape("compare")
    assert result.exit_code == 1
    assert "--edition EDITION or --ruling KEY=OPTION" in result.stderr


def test_two_editions_are_set_beside_each_other(evening: Path, tabletape: Tabletape) -> None:
    """Which rules and rulings differ, and which stored games tell the two apart."""
    assert evening.exists()
    lines = [line.strip() for line in tabletape("rules", "--between", "first", "second").stdout.splitlines()]
    assert lines[:4] == [
        "Higher  first and second",
        "only in second: higher.card.no-one  The One may not be played.",
        "ties: first_card in first, second_card in second",
        "Who takes a trick of two equal cards?",
    ]
    assert lines[4] == "1 stored game tells them apart:"
    (values,) = json.loads(tabletape("rules", "--between", "first", "second", "--json").stdout)
    (game,) = values["games"]
    assert [(each["seq"], each["rule"]) for each in game["new"]] == [(11, "higher.card.no-one")]
    assert game["gone"] == []


def test_editions_that_no_game_has_are_refused(tabletape: Tabletape) -> None:
    """For a mistyped edition the nearest one is suggested; two editions of different games are refused."""
    assert "did you mean second?" in tabletape("rules", "--between", "first", "secnd").stderr
    assert "editions of different games" in tabletape("rules", "--between", "first", "0.2a").stderr
