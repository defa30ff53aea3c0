"""`tabletape mend`: what a log probably meant, and how that is stored."""

import json
from pathlib import Path
from typing import Any

import pytest

from tabletape.projector.mending.proposals import mend_all
from tests.cli.conftest import Tabletape

RECORDINGS = Path(__file__).parents[1] / "recordings"
FIRST_LINES = {
    "splicers": "0.2a",
    "evolve": "forum-draft",
    "phylogenome": "basic",
    "duelyst": "rulebook",
    "crystal": "2025",
}
"""The games with their editions, whose heads break a rule with the wrong number of players."""

HEAD = [
    {"type": "game.started", "game": "higher", "edition": "first", "id": "g", "rulings": {},
     "players": [{"id": "A", "name": "Ann"}, {"id": "B", "name": "Ben"}]},
    {"type": "deck.declared", "player": "A", "cards": ["one", "two", "four", "six"]},
    {"type": "deck.declared", "player": "B", "cards": ["one", "two", "four", "six"]},
    {"type": "cards.drawn", "player": "A", "cards": ["A:one", "A:four", "A:six"]},
    {"type": "cards.drawn", "player": "B", "cards": ["B:one", "B:two", "B:six"]},
]  # fmt: skip
TWICE = [("A", "four"), ("A", "four"), ("B", "two"), ("A", "six"), ("B", "one")]


EQUAL = [("A", "six"), ("B", "six"), ("A", "one"), ("B", "two")]
"""Of two equal cards the first one takes the trick here, so that Ann goes on."""


def write(file: Path, played: list[tuple[str, str]] = TWICE) -> Path:
    """Write a game with some plays; by default one of them was written down twice."""
    plays = [{"type": "card.played", "player": player, "card": f"{player}:{card}"} for player, card in played]
    file.write_text("".join(json.dumps(line) + "\n" for line in [*HEAD, *plays]), encoding="utf-8")
    return file


def test_the_slip_is_shown_with_the_findings_that_go_away(tmp_path: Path, tabletape: Tabletape) -> None:
    """Below a finding stands the slip that explains it."""
    tabletape("import", str(write(tmp_path / "evening.jsonl")))
    lines = tabletape("mend", "g").stdout.splitlines()
    assert lines[0] == "g  higher first"
    assert "1. Event 7 probably stands here twice: Ann: card played - Four" in " ".join(lines)
    assert "with it" in " ".join(lines)


def test_proposals_are_data_for_other_programs(tmp_path: Path, tabletape: Tabletape) -> None:
    """The json form is a list of games with their first finding and its proposals, the best first."""
    assert json.loads(tabletape("mend", "--json").stdout or "[]") == []
    tabletape("import", str(write(tmp_path / "evening.jsonl")))
    (game,) = json.loads(tabletape("mend", "--json").stdout)
    best, finding = game.pop("proposals")[0], game.pop("finding")
    assert game == {"game_id": "g", "may_be_played": True, "was_probably_played": False, "complete": True}
    assert (finding["seq"], finding["kind"]) == (7, "illegal")
    expected = {"seq": 7, "change": "delete", "events": [], "findings_after": 0}
    assert {key: best[key] for key in expected} == expected
    assert set(best) == {*expected, "findings_before", "ties", "text", "first", "last", "alternatives"}


def test_an_accepted_proposal_is_a_new_revision(tmp_path: Path, tabletape: Tabletape) -> None:
    """The mended game replaces the old one, which stays in the log; importing the file again changes nothing."""
    file = write(tmp_path / "evening.jsonl")
    tabletape("import", str(file))
    accepted = tabletape("mend", "g", "--accept", "1")
    assert accepted.exit_code == 0
    assert "stored as revision 2 of g" in accepted.stderr
    assert "no findings" in tabletape("audit").stdout
    (game,) = json.loads(tabletape("games", "--json").stdout)
    assert game["revision"] == 2
    assert "mended: Event 7 probably stands here twice" in game["file"]
    assert tabletape("verify").exit_code == 0
    assert "unchanged" in tabletape("import", str(file)).stdout
    assert "no findings" in tabletape("audit").stdout


def test_one_of_the_ways_of_a_proposal_can_be_accepted(tmp_path: Path, tabletape: Tabletape) -> None:
    """Ben lost the trick with one of two cards: one proposal names both, and `--way` takes one."""
    tabletape("import", str(write(tmp_path / "evening.jsonl", [("A", "four"), ("A", "six")])))
    best = json.loads(tabletape("mend", "--json").stdout)[0]["proposals"][0]
    assert best["change"] == "insert"
    cards = [event["card"] for (event,) in (best["events"], *best["alternatives"])]
    assert sorted(cards) == ["B:one", "B:two"]
    missing = tabletape("mend", "g", "--accept", "1", "--way", "3")
    assert missing.exit_code != 0
    assert "proposal 1 can be read in 2 ways: there is no 3" in missing.stderr
    accepted = tabletape("mend", "g", "--accept", "1", "--way", "2")
    assert accepted.exit_code == 0
    assert "(or:" in best["text"]
    assert "(or:" not in accepted.stdout
    assert cards[1] in tabletape("log", "g", "--json").stdout
    assert "no findings" in tabletape("audit").stdout


def test_a_proposal_under_another_ruling_is_the_one_that_is_accepted(tmp_path: Path, tabletape: Tabletape) -> None:
    """A log without findings under the table's own ruling has a proposal under another one, which `--accept` takes."""
    tabletape("import", str(write(tmp_path / "evening.jsonl", EQUAL)))
    other = ("--ruling", "ties=second_card")
    assert json.loads(tabletape("mend", "g", "--json").stdout) == []
    refused = tabletape("mend", "g", "--accept", "1")
    assert refused.exit_code != 0
    assert "there is nothing wrong" in refused.stderr
    best = json.loads(tabletape("mend", "g", "--json", *other).stdout)[0]["proposals"][0]
    accepted = tabletape("mend", "g", "--accept", "1", *other)
    assert accepted.exit_code == 0
    assert " ".join(accepted.stdout.split()) == best["text"]
    assert "no findings" in tabletape("audit", *other).stdout


def test_what_cannot_be_accepted_is_refused(tmp_path: Path, tabletape: Tabletape) -> None:
    """A proposal that does not exist, or no game named, is an error that says what there is."""
    tabletape("import", str(write(tmp_path / "evening.jsonl")))
    missing = tabletape("mend", "g", "--accept", "99")
    assert missing.exit_code != 0
    assert "g has no proposal 99: there" in missing.stderr
    no_game = tabletape("mend", "--accept", "1")
    assert no_game.exit_code != 0
    assert "name it" in no_game.stderr


def test_a_log_without_findings_has_nothing_to_mend(tmp_path: Path, tabletape: Tabletape) -> None:
    """The output is a sentence, not an empty list."""
    file = tmp_path / "clean.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in HEAD), encoding="utf-8")
    tabletape("import", str(file))
    assert tabletape("mend").stdout == "Nothing is wrong in these games.\n"


def test_a_first_line_that_is_wrong_has_no_slip_and_stops_no_other_game(tmp_path: Path, tabletape: Tabletape) -> None:
    """For a first line that breaks a rule nothing is proposed, and the games behind it are mended."""
    for slug, edition in FIRST_LINES.items():
        seats = [{"id": each, "name": each * 3} for each in ("ABC" if slug != "crystal" else "A")]
        line = {"type": "game.started", "game": slug, "edition": edition, "id": slug, "players": seats, "rulings": {}}
        (tmp_path / f"{slug}.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
        assert tabletape("import", f"{slug}.jsonl").exit_code == 0
    tabletape("import", str(write(tmp_path / "last.jsonl")))
    mended = tabletape("mend")
    assert mended.exit_code == 0
    assert mended.stdout.count("no slip found: it was probably played that way") == len(FIRST_LINES)
    assert "1. Event 7 probably stands here twice" in mended.stdout
    looked_at = {each["game_id"]: each for each in json.loads(tabletape("mend", "--json").stdout)}
    assert [each for each, found in looked_at.items() if found["proposals"]] == ["g"]
    assert {each for each, found in looked_at.items() if found["was_probably_played"]} == {*FIRST_LINES}


def test_a_game_that_cannot_be_looked_at_stops_no_other(
    tmp_path: Path, tabletape: Tabletape, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is named with what is wrong, the command fails at the end, and the next game is mended."""
    for game_id in ("broken", "g"):
        file = write(tmp_path / f"{game_id}.jsonl")
        file.write_text(file.read_text(encoding="utf-8").replace('"id": "g"', f'"id": "{game_id}"'), encoding="utf-8")
        tabletape("import", file.name)

    def breaking(game_id: str, *rest: Any, **more: Any) -> Any:
        if game_id == "broken":
            raise ZeroDivisionError("division by zero")
        return mend_all(game_id, *rest, **more)

    monkeypatch.setattr("tabletape.dashboard.tape.mending.mend_all", breaking)
    mended = tabletape("mend")
    assert mended.exit_code == 1
    assert "broken: Tabletape has made a mistake of its own (ZeroDivisionError: division by zero)" in mended.stderr
    assert "1. Event 7 probably stands here twice" in mended.stdout


def test_a_duty_that_was_not_done_is_not_explained_with_certainty(tmp_path: Path, tabletape: Tabletape) -> None:
    """A shuffle may be missing in the log or at the table: both are said, also as data."""
    lines = (RECORDINGS / "splicers/splice-shuffle.jsonl").read_text(encoding="utf-8")
    (tmp_path / "g.jsonl").write_text(lines, encoding="utf-8")
    tabletape("import", "g.jsonl")
    assert "this is probably missing" in tabletape("mend").stdout
    assert "or it was played that way, against the rule" in tabletape("mend").stdout
    assert {each["may_be_played"] for each in json.loads(tabletape("mend", "--json").stdout)} == {True}
