"""`tabletape rulebook` and `compare --all`: the designer's own sentences, and what every reading would change."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tabletape.projector.comparing import every_reading
from tests.cli.conftest import Tabletape

RULES = Path(__file__).parents[1] / "sixth_game" / "rulebook.md"
HOSTILE = '\n\n<img src=x onerror="alert(1)"> [a](javascript:alert(1)) <script>alert(2)</script>\n'
SENTENCE = "A card is always played from the hand."


@pytest.fixture
def rules(evening: Path) -> Path:
    """Put the made-up rulebook of Higher, with hostile lines below it, beside the log of one game."""
    file = evening.with_name("my rules.md")
    file.write_text(RULES.read_text(encoding="utf-8") + HOSTILE, encoding="utf-8")
    return file


def test_a_rulebook_is_added_listed_and_removed(rules: Path, tabletape: Tabletape, tmp_path: Path) -> None:
    """The file is copied into the workspace, its cited sentences are counted, and it can be removed."""
    added = tabletape("rulebook", "add", "higher", rules.name)
    assert added.exit_code == 0
    assert "11 sentences of Higher, another text of this game" in added.stdout
    assert "cited sentences: 7 same; 7 of 7 rules and rulings that cite any have a place" in added.stdout
    assert (tmp_path / "rulebooks" / "higher.md").read_bytes() == rules.read_bytes()
    assert tabletape("rulebook", "list").stdout.splitlines()[1].split() == [
        "higher",
        "higher.md",
        "11",
        "all",
        "placed",
    ]
    assert (
        tabletape("rulebook", "add", "higher", str(RULES))
        .stdout.splitlines()[0]
        .endswith("the very text that the rules were written from")
    )
    assert tabletape("rulebook", "remove", "higher").exit_code == 0
    assert not list((tmp_path / "rulebooks").iterdir())
    assert "no rulebook of higher" in tabletape("rulebook", "remove", "higher").stderr


def test_rules_whose_sentence_is_not_found_are_named(rules: Path, tabletape: Tabletape) -> None:
    """If a cited sentence is not in the text the rules that cite it are named; a file of another kind is refused."""
    rules.write_text(RULES.read_text(encoding="utf-8").replace(SENTENCE, ""), encoding="utf-8")
    shown = tabletape("rulebook", "add", "higher", rules.name).stdout
    assert "not placed, or only in part: 2 rules and rulings" in shown
    assert re.search(r"higher\.card\.from-hand +L2\.2", shown)
    values = json.loads(tabletape("rulebook", "list", "--json").stdout)
    assert values[0]["not_placed"] == {
        "higher.card.from-hand": ["L2.2"],
        "higher.turn.alternate": ["L2 (in part)"],
    }
    rules.write_bytes(b"\0\0")
    refused = tabletape("rulebook", "add", "higher", rules.name)
    assert refused.exit_code == 1
    assert "neither text nor PDF; expected .md, .txt or .pdf" in refused.stderr
    assert tabletape("rulebook", "list").exit_code == 0


def test_findings_and_rules_show_the_sentence_with_a_line_around_it(rules: Path, tabletape: Tabletape) -> None:
    """Audit, rules ID and replay show the cited sentence, but only if the workspace has the rulebook."""
    for command in (["audit"], ["rules", "higher.card.from-hand"], ["replay", "g", "--step", "10"]):
        assert SENTENCE not in tabletape(*command).stdout
    tabletape("rulebook", "add", "higher", rules.name)
    for command in (["audit"], ["rules", "higher.card.from-hand"], ["replay", "g", "--step", "10"]):
        lines = [line.strip() for line in tabletape(*command).stdout.splitlines()]
        at = lines.index(f"│ {SENTENCE}")
        assert lines[at - 2 : at] == [
            "rulebook, line 2",
            "│ The players take turns, and each plays one card after the other.",
        ]
        assert lines[at + 1] == "│ Nobody may play the One in the second edition!"
    values = json.loads(tabletape("rules", "higher.card.from-hand", "--json").stdout)
    assert [each["text"] for each in values["rulebook"]] == [SENTENCE]


def test_the_margin_says_how_a_sentence_fared_at_the_tables(rules: Path, tabletape: Tabletape) -> None:
    """It shows trouble with its interval, what is not checked and why, and what was never exercised."""
    tabletape("rulebook", "add", "higher", rules.name)
    assert "No game is counted yet" in tabletape("rulebook", "show", "higher").stderr
    tabletape("build")
    by_place = {each["place"]: each for each in json.loads(tabletape("rulebook", "show", "higher", "--json").stdout)}
    assert by_place["2.2"]["trouble"] == 1
    margin = {each["rule"]: each["said"] for each in by_place["2.2"]["rules"]}
    assert margin == {
        "higher.card.from-hand": ["came up 3 times, with trouble in 1 of them, 33 % (likely 3 to 91 %): 1 broken"]
    }
    assert by_place["1.1"]["rules"][0]["said"] == ["not checked: No log shows whether a shuffle was fair."]
    assert by_place["2.3"]["rules"][0]["said"] == ["only in version second"]


def test_the_rulebook_is_one_file_for_its_author(rules: Path, tabletape: Tabletape, tmp_path: Path) -> None:
    """The file allows no script and no other source; hostile Markdown and HTML are text in it."""
    tabletape("rulebook", "add", "higher", rules.name)
    tabletape("build")
    assert tabletape("rulebook", "show", "higher", "--out", "author.html").exit_code == 0
    page = (tmp_path / "author.html").read_text(encoding="utf-8")
    assert "default-src 'none'; style-src 'sha256-" in page
    assert "&lt;script&gt;alert(2)&lt;/script&gt;" in page
    assert not re.search(r"<(script|img)|href=\"(?!#s)|style=|\son\w+=\"", page)
    assert "1 of them, 33 % (likely 3 to 91 %)" in page


def test_two_texts_are_compared_and_the_games_whose_verdicts_hang_on_it_named(
    rules: Path, tabletape: Tabletape
) -> None:
    """The comparison says what changed, which rules to read again, and in which games somebody broke them."""
    new = rules.with_name("new.md")
    new.write_text(
        rules.read_text(encoding="utf-8").replace("always played from", "often played from"), encoding="utf-8"
    )
    values: dict[str, Any] = json.loads(tabletape("rulebook", "diff", rules.name, new.name, "--json").stdout)
    assert values["game"] == "higher"
    assert [(each["what"], each["rules"]) for each in values["comparison"]["changes"]] == [
        ("reworded", ["higher.turn.alternate", "higher.card.from-hand"])
    ]
    assert (values["at_stake"], values["games"]) == (1, {"g": ["higher.card.from-hand"]})
    tabletape("rulebook", "add", "higher", rules.name)
    output = tabletape("rulebook", "diff", "higher", new.name).stdout
    assert "  - A card is always played from the hand.\n  + A card is often played from the hand." in output
    assert "To be read again, because a cited sentence has other words or is gone: 2 rules and 0 rulings" in output
    assert "These rules were at stake in 1 of 1 game." in output
    assert "Games in which a verdict or the winner hangs on these sentences (1)" in output


def test_a_sentence_that_says_something_else_is_named_and_no_ground(rules: Path, tabletape: Tabletape) -> None:
    """With "never" for "always" the words are nearly the same; it is said, and no finding quotes it as its reason."""
    grounds = tabletape("rulebook", "add", "higher", rules.name), tabletape("audit")
    assert SENTENCE in grounds[1].stdout
    text = rules.read_text(encoding="utf-8").replace("is always played from", "is never played from")
    rules.write_text(text, encoding="utf-8")
    added = tabletape("rulebook", "add", "higher", rules.name).stdout
    assert re.search(r"line 2 +altered +8\d% +higher\.turn\.alternate, higher\.card\.from-hand", added)
    assert "is never played" not in tabletape("audit").stdout
    shown = tabletape("rules", "higher.card.from-hand").stdout
    assert "is never played from the hand" in shown
    assert "the rule was written from another sentence" in shown


def test_the_rulebook_of_another_game_is_said_to_be_one(rules: Path, tabletape: Tabletape) -> None:
    """A text that has the sentences of another game is kept as asked, with a word about whose it seems to be."""
    added = tabletape("rulebook", "add", "splicers", rules.name)
    assert added.exit_code == 0
    assert "this looks like the rulebook of Higher" in added.stdout
    assert "Error" not in added.stderr
    assert "this looks like" not in tabletape("rulebook", "add", "higher", rules.name).stdout
    (named, right) = (
        json.loads(tabletape("rulebook", "add", each, rules.name, "--json").stdout) for each in ("splicers", "higher")
    )
    assert (named["looks_like"], right["looks_like"]) == ("higher", None)


@pytest.mark.parametrize("arguments", [["add", "higher"], ["show"], ["diff", "a.md"], ["list", "higher"]])
def test_an_incomplete_command_shows_its_usage(tabletape: Tabletape, arguments: list[str]) -> None:
    """The error of each action shows how it is written."""
    refused = tabletape("rulebook", *arguments)
    assert refused.exit_code == 1
    assert f"this is written `tabletape rulebook {arguments[0]}" in refused.stderr


# -- every reading -----------------------------------------------------------------------------------------------------


def test_every_reading_is_ranked_by_what_it_would_change(evening: Path, tabletape: Tabletape) -> None:
    """Each other built option is tried by itself; the result says in how many games it changes something."""
    assert evening.exists()
    values = json.loads(tabletape("compare", "--all", "--json").stdout)
    assert values["higher"]["games"] == 1
    (only,) = values["higher"]["readings"]
    assert (only["ruling"], only["option"], only["games"]) == ("ties", "second_card", 1)
    output = tabletape("compare", "--all").stdout
    assert output.startswith("Higher  1 game, each read 1 other way")
    refused = tabletape("compare", "--all", "--ruling", "ties=second_card")
    assert refused.exit_code == 1
    assert "leave --edition, --ruling and --cards out" in refused.stderr


def test_an_interrupted_comparison_keeps_its_results(
    evening: Path, tabletape: Tabletape, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C shows the results so far; the next run reads only the other games."""
    text = evening.read_text(encoding="utf-8")
    evening.write_text(text + text.replace('"id":"g"', '"id":"h"').replace('"id": "g"', '"id": "h"'), encoding="utf-8")
    tabletape("import", evening.name)
    read: list[str] = []
    whole = every_reading.readings_of

    def interrupted(log: Any, stored: Any, events: Any) -> Any:
        if read:
            raise KeyboardInterrupt
        read.append(stored.game_id)
        return whole(log, stored, events)

    monkeypatch.setattr(every_reading, "readings_of", interrupted)
    stopped = tabletape("compare", "--all", "--json")
    assert stopped.exit_code == 130
    assert "Stopped after 1 game of 2" in stopped.stderr
    assert json.loads(stopped.stdout)["higher"]["games"] == 1

    def noted(log: Any, stored: Any, events: Any) -> Any:
        read.append(stored.game_id)
        return whole(log, stored, events)

    monkeypatch.setattr(every_reading, "readings_of", noted)
    assert json.loads(tabletape("compare", "--all", "--json").stdout)["higher"]["games"] == 2
    assert sorted(read) == ["g", "h"]
