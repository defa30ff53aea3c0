"""`tabletape rules new GAME CHAT RULEBOOK`: sentences of a rulebook accuse lines of a chat at once."""

import re
from pathlib import Path

import pytest

from tests.cli.conftest import Tabletape

PAGE = (Path(__file__).parents[2] / "docs" / "my-game.md").read_text(encoding="utf-8")
BLOCKS: dict[str, str] = dict(re.findall(r"```\w+ ([^\n`]+)\n(.*?)```", PAGE, re.DOTALL))
GAMES = Path(__file__).parents[1] / "recordings" / "own_games"
FINDING = re.compile(r"evening, line (\d+)  [^\n]*\n +(\w+): [^\n]*\((L[\d.-]+)\)$", re.MULTILINE)


def begun(tabletape: Tabletape, folder: Path, game: str, *answers: str) -> str:
    """Begin a recorded game of people with these answers, behind them Enter only; return what is said."""
    (folder / "evening.txt").write_text(
        (GAMES / f"{game}-evening.txt").read_text() if game != "millpond" else BLOCKS["evening.txt"]
    )
    (folder / "rulebook.txt").write_text(
        (GAMES / f"{game}-rulebook.txt").read_text() if game != "millpond" else BLOCKS["rulebook.txt"]
    )
    made = tabletape(
        "rules", "new", game, "evening.txt", "rulebook.txt", stdin="\n".join((*answers, *[""] * 9)).encode()
    )
    assert made.exit_code == 0, made.output
    return made.stdout


def accused(said: str) -> list[tuple[int, str, str]]:
    """Return the lines that are accused, each with the kind of its finding and the place of the sentence."""
    return [(int(line), kind, cite) for line, kind, cite in FINDING.findall(said)]


def test_the_page_shows_what_is_said_and_is_short(tabletape: Tabletape, tmp_path: Path) -> None:
    """The first finding comes after four answers and 500 words, and the file has its rule."""
    shown = BLOCKS["first"]
    answers = re.findall(r"^>(.*)$", shown, re.MULTILINE)
    said = begun(tabletape, tmp_path, "millpond", *(each.strip() for each in answers))
    wanted = [line.rstrip() for line in shown.splitlines()]
    assert [line.rstrip() for line in said.splitlines()][: len(wanted)] == wanted
    assert len(answers) == 4
    assert len(PAGE.partition("That is the first finding")[0].split()) <= 500
    assert "[move.play.needs.heron-alone]" in (tmp_path / "games" / "millpond.toml").read_text()
    assert "millpond.play.heron-alone" in tabletape("audit").stdout


@pytest.mark.parametrize(
    ("game", "answers", "found"),
    [
        ("millpond", ("", "", "5", "y"), [(9, "missing", "L4")]),
        ("moonfall", ("", "", "9 play sun 1", "23 play sun 8", "", "2", "1", "y"),
         [(9, "illegal", "L7"), (13, "illegal", "L7")]),
        ("market", ("", "", "y", "6", "y", "5", "y", "4", "y"),
         [(6, "illegal", "L15"), (19, "illegal", "L10"), (14, "illegal", "L14"), (14, "illegal", "L13.1")]),
        ("beacon", ("", "", "17 hint lena red", "", "3", "y", "4", "y", "2", "y"),
         [(16, "illegal", "L5"), (13, "illegal", "L4"), (16, "missing", "L4"), (17, "illegal", "L4")]),
        ("bazaar", ("", "", "1", "y", "2", "y", "3", "y", "4", "y", "5", "y"),
         [(23, "illegal", "L4"), (14, "illegal", "L5"), (9, "illegal", "L6"), (18, "illegal", "L7"),
          (9, "illegal", "L9"), (12, "illegal", "L9")]),
        ("orchard", ("", "", "y", "15 talk", "16 take, plant 3 plums", "18 plant pear", "",
                     "3", "y", "4", "y", "y", "5", "y", "7", "y", "8", "y", "9", "y"),
         [(16, "illegal", "L14"), (13, "illegal", "L15"), (14, "illegal", "L20")]),
    ],
)  # fmt: skip
def test_sentences_of_games_of_very_different_kinds_accuse_their_lines(
    tabletape: Tabletape, tmp_path: Path, game: str, answers: tuple[str, ...], found: list[tuple[int, str, str]]
) -> None:
    """Tricks, hints, swaps, trades: each sentence shows the lines that break it, with its place, and no other."""
    assert accused(begun(tabletape, tmp_path, game, *answers)) == found
    again = tabletape("audit", "--format", "concise").stdout
    assert {cite for _, _, cite in found} <= {*re.findall(r"\bL[\d.]+", tabletape("rules", "check", game).stdout)}
    assert again.count("illegal") == sum(kind == "illegal" for _, kind, _ in found) - (game == "beacon")


@pytest.mark.parametrize("game", ["millpond", "moonfall", "beacon", "bazaar"])
def test_enter_alone_accuses_nobody(tabletape: Tabletape, tmp_path: Path, game: str) -> None:
    """What nobody has confirmed is no rule: the chat is read, and the file accuses nobody."""
    assert accused(begun(tabletape, tmp_path, game)) == []
    assert "no findings" in tabletape("audit").stdout
    # A sentence that is tried and not confirmed is shown, and stays open.
    tried = tabletape("rules", "new", game, "evening.txt", stdin=b"2\n" + b"\n" * 9)
    assert "Left open: nobody is accused." in tried.stdout
    assert "no findings" in tabletape("audit").stdout


def test_a_sentence_that_says_more_than_its_form_is_left_open(tabletape: Tabletape, tmp_path: Path) -> None:
    """What it says besides is named; only who says so has it read without that."""
    said = begun(tabletape, tmp_path, "orchard", "", "", "", "", "4")
    assert "It says more, which no form holds: \u201cbut they must be of the same fruit\u201d" in said
    assert "Left open: nobody is accused." in said
    assert "needs" not in (tmp_path / "games" / "orchard.toml").read_text()


def test_it_is_gone_on_with_what_was_begun(tabletape: Tabletape, tmp_path: Path) -> None:
    """The same command shows the sentences that are left, and what a person has written into the file stays there."""
    begun(tabletape, tmp_path, "millpond", "", "", "4", "y")
    file = tmp_path / "games" / "millpond.toml"
    file.write_text(f"# mine\n{file.read_text()}")
    again = tabletape("rules", "new", "millpond", stdin=b"3\ny\n\n").stdout
    assert "4  At the end of a turn" in again
    assert "heron is always" not in again.partition("Which sentence")[0]
    assert file.read_text().startswith("# mine\n")
    assert "actions = 1" in file.read_text()
    assert "needs.heron-alone" in file.read_text()


def test_a_second_evening_is_read_by_the_same_file(tabletape: Tabletape, tmp_path: Path) -> None:
    """Its moves are asked about no more; a map that lies beside a chat stays as it is, and is one of its game."""
    begun(tabletape, tmp_path, "millpond", "", "", "4", "y")
    (tmp_path / "saturday.txt").write_text(BLOCKS["evening.txt"].replace("play 2 reeds", "play reed and heron"))
    second = tabletape("rules", "new", "millpond", "saturday.txt", stdin=b"\n")
    assert "Moves:" not in second.stdout
    assert re.findall(r"\((\w+\.txt:\d+)\)", tabletape("audit").stdout) == [
        "evening.txt:10",
        "saturday.txt:2",
        "saturday.txt:10",
    ]
    before = (tmp_path / "saturday.map.toml").read_bytes()
    for game, said in (("millpond", "Which sentence"), ("other", "saturday.map.toml is there already, and other has")):
        again = tabletape("rules", "new", game, "saturday.txt", stdin=b"\n")
        assert said in again.output
    (tmp_path / "games" / "other.toml").write_text('title = "Other"\n')
    assert "as the game millpond" in tabletape("rules", "new", "other", "saturday.txt", stdin=b"\n").output
    assert (tmp_path / "saturday.map.toml").read_bytes() == before


def test_an_answer_that_cannot_be_used_is_asked_again(tabletape: Tabletape, tmp_path: Path) -> None:
    """Each slip says what was expected, and nothing that was answered before it is lost."""
    answers = ("put down a card, rest", "draw, play = put, swap", "", "one", "99", "4", "y")
    (tmp_path / "evening.txt").write_text(BLOCKS["evening.txt"].replace("play a heron", "put a heron"))
    (tmp_path / "rulebook.txt").write_text(BLOCKS["rulebook.txt"])
    stdin = "\n".join((*answers, *[""] * 5)).encode()
    made = tabletape("rules", "new", "millpond", "evening.txt", "rulebook.txt", stdin=stdin)
    assert [line.partition("Error: ")[2][:22] for line in made.stderr.splitlines() if "Error" in line] == [
        "a word for each move, ",
        "a number, or the sente",
        "a number from 1 to 5, ",
    ]
    assert accused(made.stdout) == [(10, "illegal", "L5")]
    assert 'called = ["put"]' in (tmp_path / "games" / "millpond.toml").read_text()
    assert '"type":"move.play"' in tabletape("log", "evening", "--jsonl").stdout


def test_a_sentence_without_a_form_is_one_of_a_list_or_left_open(tabletape: Tabletape, tmp_path: Path) -> None:
    """Whoever chooses what it says is asked for the move and the number that it leaves open."""
    chosen = ("", "", "Few cards are played together, or so.", "p. 1", "10", "1", "y")
    said = begun(tabletape, tmp_path, "millpond", *chosen)
    assert "read as: play: cards at once, at most: 1" in said
    assert re.findall(r"evening, line (\d+)", said) == ["2", "6", "10", "11"]
    assert 'cite = "p. 1"' in (tmp_path / "games" / "millpond.toml").read_text()
    left = tabletape("rules", "new", "millpond", stdin=b"Whoever laughs has lost the game.\np. 2\n\n\n").stdout
    assert "Left open: nobody is accused." in left
