"""`tabletape rules new GAME CHAT RULEBOOK`: sentences of a rulebook accuse lines of a chat at once."""

import re
from pathlib import Path

import pytest

from tabletape.dashboard.own_game.besides import first_listed, own_game
from tabletape.dashboard.own_game.chat import surveyed
from tabletape.dashboard.own_game.cited import CiteSentence
from tabletape.dashboard.own_game.look import first_look
from tests.cli.conftest import Tabletape

PAGE = (Path(__file__).parents[2] / "docs" / "my-game.md").read_text(encoding="utf-8")
BLOCKS: dict[str, str] = dict(re.findall(r"```\w+ ([^\n`]+)\n(.*?)```", PAGE, re.DOTALL))
GAMES = Path(__file__).parents[1] / "recordings" / "own_games"
FINDING = re.compile(r"evening, line (\d+)  [^\n]*\n +(\w+): [^\n]*\((L[\d.-]+)\)$", re.MULTILINE)


TRADES = "21 trade a tulip for a rose with petra, trade a lily for a rose with petra"


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
    """The first finding comes after three answers and 500 words, and the file has its rule."""
    shown = BLOCKS["first"]
    answers = re.findall(r"^>(.*)$", shown, re.MULTILINE)
    said = begun(tabletape, tmp_path, "millpond", *(each.strip() for each in answers))
    wanted = [line.rstrip() for line in shown.splitlines()]
    assert [line.rstrip() for line in said.splitlines()][: len(wanted)] == wanted
    assert len(answers) == 3
    assert len(PAGE.partition("accuses evening, line")[0].split()) < 500
    assert "[move.play.needs.heron-cards-1]" in (tmp_path / "games" / "millpond.toml").read_text()
    assert "millpond.play.heron-cards-1" in tabletape("audit").stdout


@pytest.mark.parametrize(
    ("game", "answers", "found"),
    [
        ("kiln", ("", "", "7 fire red 5", "y", "13 fire white 1", "3", "", "y"),
         [(14, "illegal", "L16")]),
        ("pilz", ("", "", "21 koche 3 Fliegenpilze", "3", "y", "4", "y", "5", "y", "2", "1", "y"),
         [(9, "illegal", "L9"), (21, "illegal", "L10"), (10, "illegal", "L12"), (15, "illegal", "L8")]),
        ("moonfall", ("", "", "23 play sun 8", "2", "1", "y"),
         [(9, "illegal", "L7"), (13, "illegal", "L7")]),
        ("market", ("", "", "7", "y", "6", "y", "5", "y"),
         [(6, "illegal", "L15"), (19, "illegal", "L10"), (14, "illegal", "L14"), (14, "illegal", "L13.1")]),
        ("beacon", ("", "", "3", "1", "y", "4", "y", "2", "y"),
         [(16, "illegal", "L5"), (13, "illegal", "L4"), (16, "missing", "L4"), (17, "illegal", "L4")]),
        ("arena", ("", "", "48 t", "4", "y", "5", "y", "7", "y", "9", "y", "6", "attack: nothing", "y", "10", "y"),
         [(19, "illegal", "L13"), (44, "illegal", "L14"), (26, "illegal", "L16"), (37, "illegal", "L18"),
          (27, "illegal", "L15"), (44, "illegal", "L15")]),
        ("bakery", ("", "", "8 swap flour with Mia for sugar", "11 t", "50 t", "6", "y", "7", "2", "y", "8", "y",
                    "11", "y"),
         [(15, "illegal", "L15"), (10, "illegal", "L16"), (21, "illegal", "L17"), (34, "illegal", "L20")]),
        ("bazaar", ("", "", "1", "y", "2", "y", "3", "y", "4", "y", "5", "y"),
         [(23, "illegal", "L4"), (14, "illegal", "L5"), (9, "illegal", "L6"), (18, "illegal", "L7"),
          (9, "illegal", "L9"), (12, "illegal", "L9")]),
        ("orchard", ("", "", "15 talk", "16 take, plant 3 plums", "18 plant pear",
                     "3", "y", "4", "y", "5", "y", "7", "y", "8", "y", "9", "y"),
         [(18, "illegal", "L11"), (13, "illegal", "L14"), (16, "illegal", "L14"), (13, "illegal", "L15"),
          (14, "illegal", "L20")]),
        ("flowers", ("", "", "10 pick, pick", TRADES, "26 t", "1", "y", "2", "y", "3", "y", "4", "y", "5", "y",
                     "7", "y"),
         [(33, "missing", "L8"), (25, "illegal", "L11"), (15, "illegal", "L13"), (21, "illegal", "L15")]),
        ("tides", ("", "", "8 play crab 9", "y", "3", "y", "2", "1", "y"),
         [(13, "illegal", "L14"), (18, "illegal", "L11")]),
        ("tea", ("", "", "7", "y", "4", "y", "5", "", "y", "8", "y", "6", "y"),
         [(23, "illegal", "L14"), (21, "illegal", "L10"), (28, "illegal", "L12"), (35, "illegal", "L15")]),
        ("mothlight", ("", "", "y", "2", "y", "8", "y", "3", "15 t", "", "y", "10", "y", "y", "6", "", "y"),
         [(22, "illegal", "L24.3"), (14, "illegal", "L16.3"), (46, "illegal", "L26.2"), (42, "illegal", "L22.2")]),
        ("dig", ("", "", "y", "1 t", "24 rest", "29 rest", "2", "y", "4", "y", "5", "y", "8", "y"),
         [(23, "illegal", "L6"), (15, "illegal", "L9"), (20, "illegal", "L10"), (29, "illegal", "L16")]),
    ],
)  # fmt: skip
def test_sentences_of_games_of_very_different_kinds_accuse_their_lines(
    tabletape: Tabletape, tmp_path: Path, game: str, answers: tuple[str, ...], found: list[tuple[int, str, str]]
) -> None:
    """Tricks, hints, swaps, trades: each sentence shows the lines that break it, with its place, and no other."""
    assert accused(begun(tabletape, tmp_path, game, *answers)) == found
    again = tabletape("audit", "--format", "concise").stdout
    assert {cite for _, _, cite in found} <= {*re.findall(r"\bL[\d.]+", tabletape("rules", "check", game).stdout)}
    assert again.count("illegal") == sum(kind == "illegal" for _, kind, _ in found)


@pytest.mark.parametrize(
    ("game", "answers", "found"),
    [
        ("flowers", (("", "", "10 pick, pick", TRADES, "26 t", "y", "y"),
                     ("5 pick, bind three tulips", "6 pick, pick", "20 pick, trade a daisy for a tulip with petra")),
         "13 L12"),
        ("tides", (("", "", "8 play crab 9", "y", "y", "y", "2", "1", "y"),
                   ("7 play gull 4", "y", "10 play anchor 3")), "16 L11"),
        ("dig", (("", "", "y", "1 t", "24 rest", "29 rest", "y", "y"), ("y", "3 grab a coin", "18 rest")), "16 L9"),
        ("tea", (("", "", "y", "y", "6", "", "y"), ("y",)), "9 L10, 12 L13"),
    ],
)  # fmt: skip
def test_the_second_evening_accuses_the_lines_that_broke_a_rule(
    tabletape: Tabletape, tmp_path: Path, game: str, answers: tuple[tuple[str, ...], tuple[str, ...]], found: str
) -> None:
    """The first evening's rules are held against a chat in other words: `picked two` may be two actions of a turn."""
    begun(tabletape, tmp_path, game, *answers[0])
    (tmp_path / "second.txt").write_text((GAMES / f"{game}-second.txt").read_text())
    tabletape("rules", "new", game, "second.txt", stdin="\n".join((*answers[1], *[""] * 9)).encode())
    told = tabletape("audit").stdout.partition("second  ")[2]
    wrong = re.findall(r"\(second\.txt:(\d+)\)\n +(?:illegal|missing) .*\n +\S+ - \w+, line ([\d.]+)", told)
    assert [f"{line} L{cited}" for line, cited in wrong] == found.split(", ")


def test_what_is_understood_wholly_is_proposed_together(tabletape: Tabletape, tmp_path: Path) -> None:
    """Each stands there with its lines, and some of them can be taken by their numbers."""
    lines = ("7 fire red 5", "y", "13 fire white 1")
    said = begun(tabletape, tmp_path, "kiln", "", "", *lines, "2, 6")
    assert "Read: 26 moves in 26 lines; 0 lines left open; 6 of talk." in said
    assert "   31  Tess: sell white | that's 12 ... I win\n" in said
    offered = said.partition("Understood wholly")[2].partition("Which are meant so?")[0]
    assert re.findall(r"^ +(\d) .*\n.*\n +(.*?),? line (\d+)", offered, re.MULTILINE) == [
        ("2", "accuses evening", "16"),
        ("1", "accuses evening", "28"),
        ("6", "evening", "26"),
    ]
    assert "line 26 would break it, unless line 21 changed that: not read" in offered
    assert re.findall(
        r"^  6  accuses evening, line 26 ", said, re.MULTILINE
    )  # behind the answer, and nothing else again
    assert said.count("\u201cYou may not sell twice in a row.\u201d") == 1
    assert "2 sentences written into games/kiln.toml" in said
    file = (tmp_path / "games" / "kiln.toml").read_text()
    assert ("[turn]" in file, "[move.dig.needs" in file, "[move.sell.needs" in file) == (False, True, True)


def test_a_turn_that_is_told_in_two_lines_is_asked_about(tabletape: Tabletape, tmp_path: Path) -> None:
    """What begins with `and` may belong to the line before: its rule is not recommended, and that is said."""
    (tmp_path / "evening.txt").write_text(
        "Ann: draw 2\nBen: play blue 2\nAnn: play red 3\nBen: draw 2\nAnn: play red 5\nAnn: and play red 6\n"
        "Ben: play blue 4\nAnn: draw 2\nBen: play blue 5\n"
    )
    (tmp_path / "rulebook.txt").write_text(
        "# Reeds\n\nThe cards are red and blue, each numbered 1 to 10.\n\n"
        "On your turn you do exactly one thing: draw or play.\n\nPlay: lay one card from your hand.\n"
    )
    said = tabletape("rules", "new", "reeds", "evening.txt", "rulebook.txt", stdin=b"\n\n1\n\n\n").stdout
    offered = said.partition("Understood wholly")[2].partition("Which are meant so?")[0]
    assert re.findall(r"^ +(\d)  ", offered, re.MULTILINE) == ["2"]
    assert "line 6  Ann: and play red 6" in said
    assert "perhaps it is one move with the line before it: then say with `c` that one of the two is talk" in said


@pytest.mark.parametrize("game", ["millpond", "moonfall", "beacon", "bazaar"])
def test_enter_alone_accuses_nobody(tabletape: Tabletape, tmp_path: Path, game: str) -> None:
    """What nobody has confirmed is no rule: the chat is read, and the file accuses nobody."""
    assert accused(begun(tabletape, tmp_path, game)) == []
    assert "no findings" in tabletape("audit").stdout
    # A sentence that is tried and not confirmed is shown, and stays open.
    tried = tabletape("rules", "new", game, stdin=b"2\n" + b"\n" * 9)
    assert "Left open: nobody is accused." in tried.stdout
    assert "no findings" in tabletape("audit").stdout


def test_a_sentence_that_says_more_than_its_form_is_left_open(tabletape: Tabletape, tmp_path: Path) -> None:
    """What it says besides is named; only who says so has it read without that."""
    unless = "Cherries are never planted together with anything else unless the deck is empty."
    said = begun(tabletape, tmp_path, "orchard", "", "", unless, "")
    assert "Which of these does it say?" in said
    assert "Left open: nobody is accused." in said
    assert "needs" not in (tmp_path / "games" / "orchard.toml").read_text()


def test_a_game_without_a_rulebook_has_rules_in_own_words(tabletape: Tabletape, tmp_path: Path) -> None:
    """A sentence that stands in no rulebook is kept; how many lines it was held against stands beside `nobody`."""
    (tmp_path / "evening.txt").write_text(BLOCKS["evening.txt"])
    stdin = "\n".join(("", "", "1", "A pike is always played alone.", "", "y", *[""] * 5))
    said = tabletape("rules", "new", "millpond", "evening.txt", stdin=stdin.encode()).output
    assert "Kinds of cards: reed, heron, frog, pike\n" in said  # by what the chat says behind its moves
    assert "There is no rulebook: write the sentence itself." in said
    assert "or one in your own words; `c`: a line is read wrongly; Enter: none" in said
    assert "the sentence in your own words, not 1" in said
    assert re.findall(r"evening, line (\d+)", said) == ["6"]
    assert "1 line of play was judged." in said  # the others play no pike
    assert 'cite = "own words"' in (tmp_path / "games" / "millpond.toml").read_text()
    two = "Play two or more cards of the same kind.\n\ny\n\n"
    said = tabletape("rules", "new", "millpond", stdin=two.encode()).stdout
    assert "read as: play: at least 2 cards at once, and at once only cards of one kind" in said
    assert "play.needs.cards-2-kinds-1" in (tmp_path / "games" / "millpond.toml").read_text()


@pytest.mark.parametrize(
    ("game", "kinds", "numbers"),
    [
        ("bazaar", "pepper saffron silk", ()),
        ("beacon", "blue green red", ()),
        ("market", "lamp silk spice tea", ()),
        ("moonfall", "moon star sun", (1, 9)),
        ("orchard", "apple cherry pear plum", ()),
    ],
)
def test_a_chat_says_the_kinds_of_its_cards_itself(game: str, kinds: str, numbers: tuple[int, ...]) -> None:
    """Where no rulebook lists them, they are what stands behind the moves again and again, and nothing else is."""
    content = (GAMES / f"{game}-evening.txt").read_bytes()
    look = first_look(surveyed(content, "evening.txt"), [])
    assert (sorted(look.cards), look.numbers) == (kinds.split(), numbers)


def test_a_permission_is_nothing_to_watch(tabletape: Tabletape, tmp_path: Path) -> None:
    """What is allowed becomes no ban, and where no form is known all sentences are listed."""
    (tmp_path / "evening.txt").write_text(BLOCKS["evening.txt"])
    (tmp_path / "rulebook.txt").write_text("3.1 Be kind to each other.\n3.2 Exception: Heron may be played alone.\n")
    stdin = "\n".join(("", "reed, frog, pike, heron", "2", *[""] * 5)).encode()
    said = tabletape("rules", "new", "millpond", "evening.txt", "rulebook.txt", stdin=stdin).output
    assert "No sentence is understood here." in said
    assert "  2  3.2 Exception: Heron may be played alone." in said
    assert "it allows something, which no line can break" in said


def test_sentences_about_moves_and_cards_are_listed_at_first() -> None:
    """What has to be and names a move or a card stands in the short list too, behind what has a known form."""
    said = (
        "A game for three ferrymen.",
        "Shuffle all the cards.",
        "Rows have to be long when at least four ghosts sit there.",
        "After that, a ghost that boards must be older than the last ghost in the boat.",
        "You cannot haunt an empty boat.",
        "A lantern must be lit.",
        "The boat must be tidy.",
        "Nobody may ever board twice in a row.",
    )
    raw = {
        "move": {each: {"fields": {"cards": "cards?"}} for each in ("board", "haunt")},
        "cards": {"kind": ["lantern"]},
    }
    game = own_game(raw, [CiteSentence(each, f"L{line}") for line, each in enumerate(said)], draws=False)
    assert [each.cite for each in first_listed(game, 12)] == ["L7", "L3", "L4", "L5"]
    assert [each.cite for each in first_listed(game, 2)] == ["L7", "L3"]


def test_what_cannot_be_judged_names_the_line_that_could_not_be_read(tabletape: Tabletape, tmp_path: Path) -> None:
    """The line that would be accused is named, and each on which that hangs; such a line is asked about by itself."""
    said = [
        "I play reed",
        "I play frog",
        "frog comes to the pond, reed too",
        "I wait",
        "I wait",
        "I play reed",
        "I wait",
    ]
    chat = "".join(f"14.11.26, 20:0{at} - {('Nina', 'Tom')[at % 2]}: {line}\n" for at, line in enumerate(said))
    (tmp_path / "evening.txt").write_text(chat.replace("20:04 - Nina", "20:04 - Tom"))
    (tmp_path / "book.txt").write_text("You may play or wait.\nNobody may wait twice in a row.\n")
    answers = ("play, wait", "reed, frog", "Nobody may wait twice in a row.", "y", "t", *[""] * 5)
    made = tabletape("rules", "new", "pond", "evening.txt", "book.txt", stdin="\n".join(answers).encode()).stdout
    before, _, behind = made.partition("Written into games/pond.toml")
    assert "line 5 would break it, unless line 3 changed that: not read" in before
    assert "    3  Nina: frog comes to the pond, reed too\nWhat is done there?" in behind
    assert accused(behind) == [(5, "illegal", "L2")]


def test_what_other_rules_accuse_is_said_apart(tabletape: Tabletape, tmp_path: Path) -> None:
    """A third reed of two is no finding of the rule that is tried, whose lines are counted alone."""
    said = ["I play reed", "I play reed", "I wait", "I play reed", "I wait", "I play frog"]
    chat = "".join(f"14.11.26, 20:0{at} - {('Nina', 'Tom')[at % 2]}: {line}\n" for at, line in enumerate(said))
    (tmp_path / "evening.txt").write_text(chat)
    (tmp_path / "book.txt").write_text("You may play or wait.\nNobody may wait twice in a row.\n")
    tabletape("rules", "new", "pond", "evening.txt", "book.txt", stdin=b"play, wait\nreed, frog\n\n\n\n\n")
    file = tmp_path / "games" / "pond.toml"
    file.write_text(file.read_text().replace('copies = "any"', "copies = 2"))
    made = tabletape("rules", "new", "pond", stdin=b"1\n\n\n\n").stdout
    assert "In 1 game it accuses 1 line:\n    evening, line 5  14.11.26, 20:04 - Nina: I wait\n" in made
    assert "other rules accuse 1 line; the first is line 4: Play: the card" in made
    assert "one more Reed than the 2 of the file" in made


def test_a_line_is_shown_in_the_words_of_its_own_evening(tabletape: Tabletape, tmp_path: Path) -> None:
    """The second evening has another line of that number."""
    evenings = {"evening": ("I wait", "I play reed"), "second": ("I play frog", "I play reed")}
    for name, (often, last) in evenings.items():
        said = [often] * 4 + [last] * 6
        lines = (f"14.11.26, 20:0{at} - {('Nina', 'Tom')[at % 2]}: {line}\n" for at, line in enumerate(said))
        (tmp_path / f"{name}.txt").write_text("".join(lines))
    (tmp_path / "book.txt").write_text("You may play or wait.\nNobody may wait twice in a row.\n")
    tabletape("rules", "new", "pond", "evening.txt", "book.txt", stdin=b"play, wait\nreed, frog\n\n\n\n\n")
    made = tabletape("rules", "new", "pond", "second.txt", stdin=b"1\n\n\n\n").stdout
    assert "In 2 games it accuses 2 lines:\n    evening, line 3  14.11.26, 20:02 - Nina: I wait\n" in made


def test_it_is_gone_on_with_what_was_begun(tabletape: Tabletape, tmp_path: Path) -> None:
    """The same command shows the sentences that are left, and what a person has written into the file stays there."""
    begun(tabletape, tmp_path, "millpond", "", "", "4", "y")
    file = tmp_path / "games" / "millpond.toml"
    file.write_text(f"# mine\n{file.read_text()}")
    again = tabletape("rules", "new", "millpond", stdin=b"a\n3\ny\n\n").stdout
    assert "4  At the end of a turn" in again
    assert "heron is always" not in again.partition("Another sentence")[0]
    assert file.read_text().startswith("# mine\n")
    assert "actions = 1" in file.read_text()
    assert "needs.heron-cards-1" in file.read_text()


def test_what_the_rules_accuse_is_said_behind_a_correction(tabletape: Tabletape, tmp_path: Path) -> None:
    """The line is read otherwise, and so the rule breaks elsewhere, or no more; an empty chat is called so."""
    begun(tabletape, tmp_path, "millpond", "", "", "4", "y")
    said = tabletape("rules", "new", "millpond", "evening.txt", stdin=b"c\n10 draw, play reed\n\n\n").stdout
    assert re.findall(r"The rules of the file accuse (.*)", said) == ["1 line:"]
    assert "no longer accused: evening, line 10  02.10.26, 19:11 - Mara: draw, play reed and heron\n" in said
    (tmp_path / "empty.txt").write_text(" \n")
    assert "empty.txt is empty" in tabletape("rules", "new", "millpond", "empty.txt").output


def test_a_move_that_is_called_otherwise_in_its_file_is_named(tabletape: Tabletape, tmp_path: Path) -> None:
    """The games that have it are read no more, and that is no fault of the log."""
    begun(tabletape, tmp_path, "millpond", "", "", "4", "y")
    file = tmp_path / "games" / "millpond.toml"
    file.write_text(file.read_text().replace("[move.play", "[move.lay"))
    said = tabletape("audit").output
    assert "has the move play, which games/millpond.toml does not have: call it so there again" in " ".join(
        said.split()
    )


def test_a_line_that_was_read_wrongly_is_corrected_with_all_like_it(tabletape: Tabletape, tmp_path: Path) -> None:
    """The choice shows what each line is read as; an answer goes for all of its shape, and another one in its place."""
    said = begun(
        tabletape, tmp_path, "millpond", "", "", "c", "40 talk", "12 swap", "12 play reed, frog", "12 talk", "", "", ""
    )
    assert "    2  Mara: draw, play 2 reeds: read as draw (count 1), play (cards reed, reed)  (so are 6, 11)" in said
    assert "   12  Mara: I win, 7 to 6: read as talk" in said
    assert "read as play (cards reed, frog); its 7 and 6 are left out\n" in said
    assert "read as talk\n" in said
    before = (tmp_path / "evening.map.toml").read_bytes()
    again = tabletape("rules", "new", "millpond", "evening.txt", stdin=b"c\n2 play 2 reeds\n\n\n").stdout
    assert "read as play (cards reed, reed); read so too: lines 6, 11" in again
    assert (tmp_path / "evening.map.toml").read_bytes() != before
    log = tabletape("log", "evening", "--jsonl").stdout
    assert (log.count('"cards.drawn"'), log.count('"move.play"')) == (5, 7)


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
    for game, said in (
        ("millpond", "Which are meant so?"),
        ("other", "saturday.map.toml is there already, and other has"),
    ):
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
        "a number from 1 to 6, ",
    ]
    assert accused(made.stdout) == [(10, "illegal", "L5")]
    assert 'called = ["put"]' in (tmp_path / "games" / "millpond.toml").read_text()
    assert '"type":"move.play"' in tabletape("log", "evening", "--jsonl").stdout


def test_a_sentence_that_is_not_understood_is_composed_or_left_open(tabletape: Tabletape, tmp_path: Path) -> None:
    """Whoever composes it says in three answers which move, what of it, and how; each Enter leaves it open."""
    composed = ("", "", "Few cards are played together, or so.", "p. 1", "1", "1 1", "y")
    said = begun(tabletape, tmp_path, "millpond", *composed)
    assert "   1  how many cards at once, and which\n" in said.partition("What has to be so")[2]
    assert "read as: play: at most 1 card at once" in said
    assert "4 lines would break it, such as 2, 6, 10, 11: it is hardly meant so." in said
    assert 'cite = "p. 1"' in (tmp_path / "games" / "millpond.toml").read_text()
    left = tabletape("rules", "new", "millpond", stdin=b"Whoever laughs has lost the game.\np. 2\n\n\n").stdout
    assert "Left open: nobody is accused." in left


def test_a_number_is_no_yes_and_a_rule_that_is_written_says_so(tabletape: Tabletape, tmp_path: Path) -> None:
    """What is neither yes nor Enter is asked again; who chooses a written rule again is not told that it is open."""
    alone = "A pike is always played alone."
    said = begun(tabletape, tmp_path, "millpond", "", "", alone, "L9", "3", "y", alone, "L9")
    assert said.count("Is it meant so?") == 2
    assert said.count("Written into games/millpond.toml already, and stays so") == 1
    assert "needs.pike-cards-1" in (tmp_path / "games" / "millpond.toml").read_text()
    composed = "Somebody plays a frog with care."
    said = tabletape("rules", "new", "millpond", stdin=f"{composed}\n\n77\n\n".encode()).output
    assert "or Enter, not '77'" in said
