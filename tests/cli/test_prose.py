"""Logs that are told in paragraphs, several sentences in a line, and those that say whose turn it is above them."""

from pathlib import Path
from typing import Final

import pytest

from tabletape.events.importing.maps.documents.prose import is_prose, numbered_lines, places_of
from tabletape.events.importing.maps.proposing.phrases import tells_more
from tests.cli.conftest import Tabletape

ORCHARD: Final = """Orchard test, 3 Nov. Players: Lena, Tom and Ruth. Lena starts.

Turn 1: Lena plays the Apple Tree and pays 2 coins. Tom draws two cards. Ruth plays the Scarecrow on Tom.
Turn 2: Lena draws a card, then plays the Beehive. Tom plays the Pear Tree for 3 coins; he's out of money now.
We all thought the Scarecrow was too strong. Tom: "I can't do anything!"
Turn 3: Tom discards the Ladder and draws 2. Then Ruth steals the Beehive from Lena, who is not amused.
Turn 4: Lena buys the Cider Press (4 coins). Tom passes again. Ruth sells 2 honey and plays the Wasp Nest.
Turn 5: Lena passes, Tom plays the Ladder and Ruth passes.
Turn 6: Both Lena and Tom draw a card. Lena plays the Apple Tree.
Final score: Lena 14, Tom 9, Ruth 12. Lena wins!
"""
FOXES: Final = """Marta played the Fox and took 2 coins. Pim drew two cards and passed.
Marta bought the Mill for 3 coins. Pim played the Badger on Marta's Fox.
Marta passed. Pim played the Heron and took 4 coins. Marta wins.
"""


def test_each_sentence_of_a_paragraph_is_read(tabletape: Tabletape, tmp_path: Path) -> None:
    """What each player did is theirs, also where several are told of in one sentence, and the place is a sentence's."""
    (tmp_path / "evening.txt").write_text(ORCHARD)
    said = tabletape("rules", "new", "orchard", "evening.txt", stdin=b"\n\n\n\n").output
    assert "evening.txt: 26 sentences (each is a line here) of Lena, Tom, Ruth\n" in said
    assert "Kinds of cards: apple tree, scarecrow, beehive, pear tree, wasp nest, ladder, cider press\n" in said
    log = tabletape("log", "evening").stdout
    for player, told, place in (
        ("B", '"count":2', "line 3, sentence 3"),
        ("C", '"cards":["scarecrow"],"to":"B"', "line 3, sentence 4"),
        ("C", '"cards":["wasp-nest"]', "line 7, sentence 4"),
        ("B", '"cards":["ladder"]', "line 8, sentence 2"),
    ):
        (line,) = (each for each in log.splitlines() if told in each and each.endswith(f"evening.txt: {place}"))
        assert f" {player} " in line
    assert "Then Ruth steals the Beehive" in next(each for each in log.splitlines() if "line 6, sentence 3" in each)


def test_a_rule_names_the_sentence_that_breaks_it(tabletape: Tabletape, tmp_path: Path) -> None:
    """The line that is shown is the sentence, not the paragraph, and the audit says where it stands."""
    (tmp_path / "evening.txt").write_text(ORCHARD)
    (tmp_path / "rules.txt").write_text("You may draw at most one card at a time.\n")
    said = tabletape("rules", "new", "orchard", "evening.txt", "rules.txt", stdin=b"\n\n1\ny\n\n").output
    assert "evening, line 7  Tom draws two cards.\n" in said
    findings = tabletape("audit").stdout
    assert "Tom draws 2 cards  (evening.txt: line 3, sentence 3)" in findings
    assert "Tom draws 2 cards  (evening.txt: line 6, sentence 2)" in findings


def test_the_next_evening_is_read_by_the_same_map(tabletape: Tabletape, tmp_path: Path) -> None:
    """What is left over is said with its line and its sentence, and a second time nothing is new."""
    (tmp_path / "evening.txt").write_text(ORCHARD)
    tabletape("rules", "new", "orchard", "evening.txt", stdin=b"\n\n\n\n")
    (tmp_path / "next.txt").write_text(
        "Turn 1: Tom draws two cards. Ruth juggles.\nTurn 2: Tom passes again. Lena wins!\n"
    )
    said = tabletape("import", "next.txt").output
    assert "line 1, sentence 3: 1 line like `{player} juggles.`" in said
    assert "next.txt: line 2, sentence 2" in tabletape("log", "next").stdout
    assert "1 unchanged" in tabletape("import", "next.txt").output


def test_no_card_is_called_like_what_is_done_with_it(tabletape: Tabletape, tmp_path: Path) -> None:
    """At a table of which no cards are known a line that says more than a card is left open."""
    (tmp_path / "evening.txt").write_text(FOXES)
    said = tabletape("map", "evening.txt", "--propose").output
    assert "'Fox and took 2 coins' says more than which card it is" in said
    assert "'Badger on' says more than which card it is" in said
    tabletape("import", "evening.txt")
    assert '"card":' not in tabletape("log", "evening", "--jsonl").stdout


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("Fox and took 2 coins", True),
        ("Fox, then plays the Owl", True),
        ("Fox and passed", True),
        ("Badger on", True),
        ("den Fuchs und nimmt 2 Münzen", True),
        ("die Eule ab und zieht", True),
        ("le Renard et passe", True),
        ("Wolf und Schaf", False),
        ("Fox and Hound", False),
        ("Sword and shield", False),
        ("King and the Fool", False),
        ("Hit and run", False),
        ("fox and hens", False),
    ],
)
def test_a_name_with_an_and_is_a_name(name: str, *, more: bool) -> None:
    """Only what is done behind it makes it more."""
    assert tells_more(name) is more


@pytest.mark.parametrize(
    ("line", "sentences"),
    [
        ("Ann draws. Ben plays 2. Cy stays", ["Ann draws.", "Ben plays 2.", "Cy stays"]),
        ("Round 3: Ann draws.", ["Round 3:", "Ann draws."]),
        ("12. Ann draws. Ben passes", ["12. Ann draws.", "Ben passes"]),
        ('Ann says "wow!" Ben leaves; Cy stays; ok', ['Ann says "wow!"', "Ben leaves", "Cy stays; ok"]),
        ("J. Smith plays Dr. No vs. Ann", ["J. Smith plays Dr. No vs. Ann"]),
        ("Ann draws... and plays", ["Ann draws... and plays"]),
        ("Évan joue. Édith passe.", ["Évan joue.", "Édith passe."]),
        ("", [""]),
        ("  ...", ["  ..."]),
    ],
)
def test_a_line_is_parted_into_its_sentences(line: str, sentences: list[str]) -> None:
    """At full stops before capitals, behind a heading with a number; not at words that are written short."""
    assert [*numbered_lines([line], prose=True).values()] == sentences


def test_sentences_are_counted_through_all_lines() -> None:
    """Numbers go on from line to line, and each knows its line; a line of one sentence is called by its line alone."""
    lines = ["Ann draws. Ben draws.", "", "Ann plays."]
    assert numbered_lines(lines, prose=True) == {1: "Ann draws.", 2: "Ben draws.", 3: "", 4: "Ann plays."}
    assert places_of(lines) == {1: "line 1, sentence 1", 2: "line 1, sentence 2", 3: "line 2", 4: "line 3"}
    assert numbered_lines(lines, prose=False) == {1: lines[0], 2: "", 3: "Ann plays."}


def test_what_players_say_is_no_prose() -> None:
    """Who says a line may say several sentences; a log with a line a move may have a remark behind one of them."""
    said = ["Ann: I draw. Ben laughs", "Ben: I play 2. Ann sighs", "Ann: pass. Ben wins"]
    assert not is_prose(said, ("Ann", "Ben"))
    moves = [*["Ann draws", "Ben draws"] * 6, "Ann plays. Ben laughs", "Ben plays"]
    assert not is_prose(moves, ("Ann", "Ben"))
    assert is_prose(["Ann draws. Ben plays.", "Ben draws. Ann plays."], ("Ann", "Ben"))
    assert not is_prose(["Ann draws. Ben plays.", "Ben draws. Ann plays."], ())


DONE: Final = (
    *(
        ("Marta", "plays Fox, takes 2 coins"),
        ("Pim", "draws 2 cards"),
        ("Jo", "plays Heron"),
        ("Marta", "draws a card"),
    ),
    *(("Pim", "plays Badger on Marta"), ("Jo", "passes"), ("Marta", "plays Owl"), ("Pim", "draws 2 cards")),
    ("Jo", "plays Fox on Pim"),
)


@pytest.mark.parametrize(
    "form",
    [
        *("Turn {n} - {who}\n{text}", "Round {n}: {who}\n{text}", "{who}'s turn:\n{text}", "Zug {n} ({who})\n{text}"),
        *("T{n} ({who}): {text}", "Turn {n} \u2013 {who}: {text}", "{who}'s turn: {text}"),
    ],
)
def test_what_is_done_in_a_turn_is_done_by_whose_turn_it_is(tabletape: Tabletape, tmp_path: Path, form: str) -> None:
    """The turn stands above what is done, or before it in the same line; nobody else is called so."""
    lines = [form.format(n=1 + place // 3, who=who, text=text) for place, (who, text) in enumerate(DONE)]
    (tmp_path / "evening.txt").write_text("\n".join([*lines, "Pim wins with 14"]))
    said = tabletape("rules", "new", "woods", "evening.txt", stdin=b"\n\n\n\n").output
    assert " of Marta, Pim, Jo\n" in said
    assert "Kinds of cards: fox, heron, badger, owl\n" in said
    log = tabletape("log", "evening", "--jsonl").stdout
    for told in ('"cards":["heron"],"player":"C"', '"cards":["fox"],"player":"C"', '"count":2,"player":"B"'):
        assert told in log


def test_headings_of_turns_over_lines_with_names_are_none_of_who_says_them(
    tabletape: Tabletape, tmp_path: Path
) -> None:
    """Where each line names who does it the heading says no more."""
    lines = [f"{who}'s turn\n{who} {text}" for who, text in DONE]
    (tmp_path / "evening.txt").write_text("\n".join([*lines, "Pim wins with 14"]))
    tabletape("rules", "new", "woods", "evening.txt", stdin=b"\n\n\n\n")
    assert "headings" not in (tmp_path / "evening.map.toml").read_text()
    assert '"cards":["fox"],"player":"C"' in tabletape("log", "evening", "--jsonl").stdout
