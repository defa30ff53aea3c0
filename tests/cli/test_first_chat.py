"""`tabletape rules new`: how the lines of the chat are read, and what is asked about them."""

import errno
import os
import re
from pathlib import Path

import pytest

from tabletape.cli.terminal import first_chat
from tabletape.dashboard.own_game.chat import surveyed
from tabletape.dashboard.own_game.kinds import cards_in
from tabletape.dashboard.own_game.look import FirstLook, with_cards
from tabletape.events.importing.maps.proposing.surveying import survey_of
from tests.cli.conftest import Tabletape

QUAY = """[14/11/2026, 20:03:01] Nina: auction: pepper 4
[14/11/2026, 20:03:20] Tom: 2
[14/11/2026, 20:03:33] Jules: 3
[14/11/2026, 20:04:02] Tom: pass
[14/11/2026, 20:04:15] Jules: mine! pays 3 to Tom
[14/11/2026, 20:05:00] Tom: i sell silk 3 and silk 5, 4 coins
[14/11/2026, 20:05:41] Nina: sell pepper 7 + pepper 4 for 4
[14/11/2026, 20:06:18] Nina: pepper 4 is the best of all
[14/11/2026, 20:08:12] Tom: auction: wool 7
[14/11/2026, 20:08:30] Jules: bid 4
[14/11/2026, 20:08:55] Nina: I bid 5
[14/11/2026, 20:09:10] Jules: 6
[14/11/2026, 20:09:40] Nina: pass
[14/11/2026, 20:10:10] Jules: pays 6 to Tom
"""
QUAY_BOOK = """Thirty-five ware cards: five wares (Tea, Silk, Amber, Pepper, Wool), each numbered 1 to 7.
Each bid must be higher than the bid before it.
Once you have passed you are out.
The highest bidder pays the holder of the lantern.
Sell two or more cards of the same ware.
"""


def started(tabletape: Tabletape, folder: Path, files: tuple[str, str], *answers: str) -> str:
    """Begin a game with a chat and a rulebook and these answers, behind them Enter only; return what is said."""
    (folder / "evening.txt").write_text(files[0])
    (folder / "rulebook.txt").write_text(files[1])
    stdin = "\n".join((*answers, *[""] * 9)).encode()
    return tabletape("rules", "new", "quay", "evening.txt", "rulebook.txt", stdin=stdin).output


@pytest.mark.parametrize("bid", ["2", "0"])
def test_bids_payments_and_cards_with_numbers_are_read_with_their_numbers(
    tabletape: Tabletape, tmp_path: Path, bid: str
) -> None:
    """A list in brackets names the cards; what a line is read as is said, with the other lines that are read so."""
    moves, chat = "auction, pass, pay, sell, bid", QUAY.replace("Tom: 2\n", f"Tom: {bid}\n")
    said = started(tabletape, tmp_path, (chat, QUAY_BOOK), moves, "", "y", "", "l", f"2 bid {bid}", "8 t")
    assert "14 lines of Tom, Jules, Nina" in said
    assert "Kinds of cards: tea, silk, amber, pepper, wool, each with 1 to 7" in said
    assert re.findall(r"^ +(\d+)  \w+: ", said, re.MULTILINE) == ["5", "2", "8"]
    assert f"read as bid (number {bid}); read so too: lines 3, 12" in said
    assert "5  Jules: pays 3 to Tom | mine\n" in said
    assert "read as talk" in said
    assert "Read: 13 moves in 13 lines; 0 lines left open; 1 of talk." in said
    log = tabletape("log", "evening", "--jsonl").stdout
    assert re.findall(r'"number":(\d+)', log) == [bid, "3", "3", "4", "4", "4", "5", "6", "6"]
    assert "silk-3" in log
    assert "pepper-7" in log


def test_the_file_of_a_game_is_written_with_its_map_or_not_at_all(
    tabletape: Tabletape, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk leaves no half of it behind, nor its folder, and the same answers begin it later."""

    def full(file: Path, _: str) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(file))

    with monkeypatch.context() as patched:
        patched.setattr(first_chat, "write_whole", full)
        said = started(tabletape, tmp_path, (QUAY, "Nobody sells.\nNobody bids.\n"), "sell, bid", "Silk 1-7")
    assert os.strerror(errno.ENOSPC) in said
    assert not (tmp_path / "games").exists()
    assert not [*tmp_path.glob("*.map.toml")]
    started(tabletape, tmp_path, (QUAY, "Nobody sells.\nNobody bids.\n"), "sell, bid", "Silk 1-7, Pepper 1-7")
    assert (tmp_path / "evening.map.toml").exists()
    written = (tmp_path / "games" / "quay.toml").read_text()
    assert 'kind = ["silk", "pepper"]\nnumber = [1, 2, 3, 4, 5, 6, 7]' in written


KINDS = FirstLook((), {}, {}, {}, ("red", "blue", "scissors", "calm"))


@pytest.mark.parametrize(
    "look",
    [
        KINDS,
        KINDS._replace(numbers=(1, 8)),
        KINDS._replace(numbers=(1, 8), bare=("scissors", "calm")),
        KINDS._replace(copies=(6,) * 4),
        KINDS._replace(copies=(6, 5, 4, 3)),
    ],
)
def test_kinds_are_understood_as_they_are_shown(look: FirstLook) -> None:
    """Whoever answers in the words of the program loses no kind, and no card gets a number that it does not have."""
    assert with_cards(KINDS, look.cards_in_words) == look
    assert with_cards(look, look.cards_in_words) == look
    assert with_cards(look, "-") == look._replace(cards=(), copies=(), bare=())


@pytest.mark.parametrize("answer", ["red, blue, 3", "red; (blue)", "red, blue, each of 7"])
def test_an_answer_of_which_a_part_names_no_kind_is_asked_again(answer: str) -> None:
    """Nothing of it is passed over without a word."""
    assert with_cards(KINDS, answer) is None


def test_a_sentence_that_goes_on_behind_its_kinds_adds_none() -> None:
    """Neither the word *kinds* before them nor the *is* behind them is one."""
    rulebook = "Forty cards in four kinds, bread, tart, bun and pie, and each kind is numbered 1 to 10."
    said = ["bake tart 3", "my oven is broken", "sell bread 2 and bun 4", "bake pie 1"]
    assert cards_in(rulebook, said) == ("bread", "tart", "bun", "pie")


def test_a_kind_without_a_number_stands_among_others_with_one(tabletape: Tabletape, tmp_path: Path) -> None:
    """What was understood is said, and the card is one that lines name and rules look at: it has no number."""
    chat = QUAY.replace("Nina: pass\n", "Nina: sell lantern\n")
    kinds = "silk, pepper, each with 1 to 7, and lantern"
    said = started(tabletape, tmp_path, (chat, "Nobody sells.\nNobody bids.\n"), "sell, bid", kinds)
    assert "Understood: silk, pepper, each with 1 to 7; lantern without a number" in said
    assert 'bare = ["lantern"]' in (tmp_path / "games" / "quay.toml").read_text()
    assert '"cards":["lantern"]' in tabletape("log", "evening", "--jsonl").stdout


def test_what_may_be_said_in_jest_is_asked_about(tabletape: Tabletape, tmp_path: Path) -> None:
    """Whoever gives up and goes on has given up nothing; what everybody begins with lays no card out."""
    dealt = "[14/11/2026, 20:00:00] Tom joined\neverybody gets 5 cards\n"
    said = started(tabletape, tmp_path, (dealt + QUAY + "[14/11/2026, 21:10:00] Tom: I give up\n", QUAY_BOOK), "")
    assert "I give up" not in said.partition("Read:")[0]
    assert '"player.conceded"' in tabletape("log", "evening", "--jsonl").stdout
    jest = QUAY.replace("Tom: pass\n", "Tom: I give up :)\n")
    (tmp_path / "jest.txt").write_text(jest)
    again = tabletape("rules", "new", "quay", "jest.txt", stdin=b"l\n" + b"\n" * 9)
    assert "Tom: I give up :)" in again.stdout.partition("Read:")[2]
    assert '"player.conceded"' not in tabletape("log", "jest", "--jsonl").stdout


def test_all_lines_that_may_be_moves_are_shown_to_whoever_asks(tabletape: Tabletape, tmp_path: Path) -> None:
    """They are counted, and wait until somebody says them: no sentence waits for them."""
    unread = "".join(
        f"[14/11/2026, 21:{at}:00] {'Tom' if at % 2 else 'Nina'}: hm{'m' * at} silk {at % 7 + 1}\n"
        for at in range(10, 27)
    )
    said = started(tabletape, tmp_path, (QUAY + unread, QUAY_BOOK), "auction, pass, pay, sell, bid", "", "", "l")
    assert {*range(15, 32)} <= {int(number) for number in re.findall(r"^ +(\d+)  \w+: ", said, re.MULTILINE)}
    assert "21 lines left open" in said
    assert "`l`: 21 lines not read" in said


def test_no_part_of_a_german_line_is_lost_in_silence(tabletape: Tabletape, tmp_path: Path) -> None:
    """A line that draws and lays is both; where a part of it is not understood, the line is left open."""
    lines = (
        "Nina: ziehe eine Karte, lege zwei Seide",
        "Tom: ziehe 1, lege Tee und Bernstein",
        "Nina: ziehe, lege Pfeffer und Pfeffer",
        "Tom: ziehe 2, stibitze Bernstein von Nina",
        "Nina: zieht 1, Tee daneben",
        "Tom: ziehe, lege Tee",
    )
    chat = "".join(f"14.11.26, 20:0{at} - {line}\n" for at, line in enumerate(lines))
    book = "Es gibt Tee, Seide, Bernstein und Pfeffer.\nBernstein wird immer allein gelegt.\n"
    said = started(tabletape, tmp_path, (chat, book), "lege", "", "l")
    assert re.findall(r"^ +(\d+)  \w+: ", said, re.MULTILINE) == ["4", "5"]
    assert "Read: 8 moves in 4 lines; 2 lines left open; 0 of talk." in said
    assert '"cards":["tee","bernstein"]' in tabletape("log", "evening", "--jsonl").stdout


def test_the_order_of_the_turns_is_that_of_the_lines_as_they_are_answered(tabletape: Tabletape, tmp_path: Path) -> None:
    """A line that an answer makes a move counts for it; where too few are read, the order is asked for, not taken."""
    round_of = ("Ines: I board silent {n}", "Tomek: angry {n} into my boat", "Bruno: I board laughing {n}")
    said = "".join(f"1/2/26, 20:0{n} - {line.format(n=n)}\n" for n in (1, 2, 3) for line in round_of)
    said += "1/2/26, 20:09 - Tomek: I board angry 9\n"
    (tmp_path / "evening.txt").write_text(said)
    (tmp_path / "rules.txt").write_text("Ghosts\n\nOn your turn you may board one ghost.\n")
    kinds = ("board", "silent 1-9, angry 1-9, laughing 1-9")
    asked = "Who comes after Ines: Bruno or Tomek?"
    for game, answers in (("ghosts", ("", "2 board angry 1", "")), ("boats", ("tom", "Tomek"))):
        stdin = "\n".join((*kinds, *answers, "", "")).encode()
        used = tabletape("rules", "new", game, "evening.txt", "rules.txt", stdin=stdin)
        assert used.stdout.count(asked) == (1 if game == "ghosts" else 2), used.output
        assert ("their names, such as Bruno, Tomek, not 'tom'" in used.output) == (game == "boats")
        written = tmp_path / "evening.map.toml"
        assert re.findall(r"^(\w+) = \{\}$", written.read_text(), re.MULTILINE) == ["Ines", "Tomek", "Bruno"]
        written.unlink()


OVEN = """Ann: bake tart 1, draw
Ben: bake bun 1, draw
Ann: bake tart 2, draw
Ben: bake bun 2, draw
Ann: sell tart 1 and tart 2, two coins
Ben: sell bun 1 and bun 2, two coins
Ann: bake tart 3, draw
"""
OVEN_BOOK = "On your turn you do one thing: bake or sell.\nYou bake a card.\nYou sell two cards.\n"


def clocked(chat: str) -> str:
    """Return a chat with the time before each line, as a messenger writes it."""
    return "".join(f"26.11.26, 19:{at:02} - {line}\n" for at, line in enumerate(chat.splitlines(), 10))


def test_a_later_chat_of_a_game_is_read_as_its_first_was_answered(tabletape: Tabletape, tmp_path: Path) -> None:
    """A draw that a rule has made a move of since stays what it was; where two maps differ, that is said."""
    answers = ("bake, draw, sell", "tart 1-9, bun 1-9", "1", "n", "y")
    said = started(tabletape, tmp_path, (clocked(OVEN), OVEN_BOOK), *answers)
    assert "taken for that: a draw is none of these" in said
    for name in ("second", "third"):
        (tmp_path / f"{name}.txt").write_text(clocked(OVEN + "Ben: I bake bun 3 and draw\n"))
    again = tabletape("rules", "new", "quay", "second.txt", stdin=b"\n\n\n").output
    assert "games/quay.toml is there: moves bake, draw, sell; kinds of cards tart, bun" in again
    assert "differently" not in again
    proposed = tabletape("map", "third.txt", "--game", "quay", "--propose").output
    assert "sentences mean here what they mean there" in proposed
    for name in ("second", "third"):
        written = (tmp_path / f"{name}.map.toml").read_text()
        assert "cards.drawn" in written
        assert "move.draw" not in written
    assert "It is the turn of" not in tabletape("audit").output
    (tmp_path / "third.map.toml").unlink()
    other = (
        (tmp_path / "second.map.toml")
        .read_text()
        .replace('"cards.drawn"', '"note.added"')
        .replace("count = 1", 'text = "d"')
    )
    (tmp_path / "second.map.toml").write_text(other)
    differs = tabletape("rules", "new", "quay", "second.txt", stdin=b"\n").output
    assert "second.map.toml read `{player}: bake {cards1}, draw` differently" in differs


def test_a_list_of_cards_behind_a_verb_is_one_of_the_cards_of_that_move(tabletape: Tabletape, tmp_path: Path) -> None:
    """Its first card is not taken alone; what names more cards than the list has is asked about."""
    lists = "Ben: sell bun 1, bun 2, bun 3 and bun 4, four coins\nAnn: sell tart 3, tart 4\n"
    chat = clocked(OVEN + lists + "Ben: sell bun 5, then bun 6, two coins\n")
    said = started(tabletape, tmp_path, (chat, OVEN_BOOK), "bake, draw, sell", "tart 1-9, bun 1-9", "l")
    assert "   10  Ben: sell bun 5" in said
    log = tabletape("log", "evening", "--jsonl").stdout
    assert '"cards":["bun-1","bun-2","bun-3","bun-4"]' in log
    assert '"cards":["tart-3","tart-4"]' in log
    assert '"cards":["bun-5"]' not in log
    assert set(re.findall(r'"text":"([^"]*coins)"', log)) == {"two coins", "four coins"}


def test_what_an_interrupted_start_has_left_is_named_and_may_be_begun_anew(
    tabletape: Tabletape, tmp_path: Path
) -> None:
    """A file without a chat is gone on with only where somebody says so."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "quay.toml").write_text('title = "Quay"\n[move.trade]\n')
    said = started(tabletape, tmp_path, (clocked(OVEN), OVEN_BOOK), "n", "bake, draw, sell", "tart 1-9, bun 1-9")
    assert "games/quay.toml is there: moves trade; kinds of cards none" in said
    assert "0 lines left open" in said
    written = (tmp_path / "games" / "quay.toml").read_text()
    assert "[move.sell" in written
    assert "trade" not in written


def test_whoever_takes_the_file_of_a_game_away_begins_it_anew(tabletape: Tabletape, tmp_path: Path) -> None:
    """The rulebook that is kept of it may stay; a chat that was mended meanwhile is named beside its map."""
    started(tabletape, tmp_path, (QUAY, QUAY_BOOK), "auction, pass, pay, sell, bid")
    without_times = re.sub(r"^\[.*?\] ", "", QUAY, flags=re.MULTILINE)
    said = started(tabletape, tmp_path, (without_times, QUAY_BOOK), "2 bid 2")
    assert "evening.txt is not as evening.map.toml was written for it" in said
    for file in ("games/quay.toml", "evening.map.toml"):
        (tmp_path / file).unlink()
    said = started(tabletape, tmp_path, (QUAY, QUAY_BOOK), "auction, pass, pay, sell, bid")
    assert "14 lines of Tom, Jules, Nina" in said


def test_what_somebody_says_is_a_chat_is_read_as_one_however_little_is_said_in_it() -> None:
    """Most of its lines are said by nobody, and have a comma where its first line has one, as the rows of a sheet."""
    acts = ["bids 3, gets silk, tip to Tom", "passes", "plays silk 3"]
    said = [f"{who}: {act}" for act in acts for who in ("Nina", "Tom", "Jules")]
    told = [f"the ship brings wool {number}, all cheer, tip to Tom" for number in range(1, 13)]
    text = "\n".join(["quay, second evening, Nina starts", *said, *told]).encode()
    assert survey_of(text).head["shape"] == "rows"
    assert surveyed(text, "evening.txt").players == ("Nina", "Tom", "Jules")


CANYON = """Ann: plays fox
Ben: plays owl
Ann: echoes
Ben: plays fox
Ann: draws {number}
Ben: draws 1
Ann: plays owl
"""


def test_a_move_that_one_chat_begins_is_looked_for_in_the_others(tabletape: Tabletape, tmp_path: Path) -> None:
    """What was talk there may be that move: it is open, and findings still say in which line they stand."""
    for name, number in (("one", 2), ("two", 1)):
        (tmp_path / f"{name}.txt").write_text(CANYON.format(number=number))
    (tmp_path / "rules.txt").write_text("You may draw at most one card at a time.\n")
    tabletape("rules", "new", "canyon", "one.txt", "rules.txt", stdin=b"play, draw\n\ny\n\n")
    assert "Ann draws 2 cards  (one.txt:5)" in tabletape("audit").stdout
    said = tabletape("rules", "new", "canyon", "two.txt", "rules.txt", stdin=b"3 echo\n\n\n").output
    assert "read as echo" in said
    assert "Ann draws 2 cards  (one.txt:5)" in tabletape("audit").stdout
    assert '"lines":1,"text":"Ann: echoes"' in tabletape("log", "one").stdout


def test_where_every_sentence_is_watched_none_is_said_not_to_be_understood(
    tabletape: Tabletape, tmp_path: Path
) -> None:
    """There is none left to be read."""
    (tmp_path / "one.txt").write_text(CANYON.format(number=1))
    (tmp_path / "rules.txt").write_text("You may draw at most one card at a time.\n")
    tabletape("rules", "new", "canyon", "one.txt", "rules.txt", stdin=b"play, draw\n\ny\n\n")
    said = tabletape("rules", "new", "canyon", "one.txt", "rules.txt", stdin=b"\n").output
    assert "Every sentence is watched." in said
    assert "No sentence is understood" not in said


COMPACT = """Ann: Fox, +2 coins
Ben: Owl -1
Ann: Bear +1
Ben: Fox, +2 coins
Ann: Owl -1
Ben: pass
Ann: haha nice
"""


def test_lines_that_name_a_card_and_no_move_are_asked_about_once(tabletape: Tabletape, tmp_path: Path) -> None:
    """What comes of the card stays a note; the chat of another evening is read so without a question."""
    (tmp_path / "evening.txt").write_text(COMPACT)
    (tmp_path / "sunday.txt").write_text(COMPACT.replace("Ben: pass", "Ben: Bear, +1 coin"))
    (tmp_path / "rules.txt").write_text("Fox\n\nThe deck has foxes, owls and bears, eight of each.\n")
    new = ("rules", "new", "fox")
    said = tabletape(*new, "evening.txt", "rules.txt", stdin=b"pass\n\nbad word\nplay\n\n").output
    asked = "5 lines name a card and no move, such as `1  Ann: Fox, +2 coins`. Which move is that, in a word?"
    assert said.count(asked) == 2
    assert "a word for the move, such as play, not 'bad word'" in said
    assert "Read: 6 moves in 6 lines; 0 lines left open; 1 of talk" in said
    assert "+2 coins" in tabletape("log", "evening").stdout
    again = tabletape(*new, "sunday.txt", stdin=b"\n\n").output
    assert "Which move is that" not in again
    assert "Read: 6 moves in 6 lines; 0 lines left open; 1 of talk" in again


def test_lines_that_name_a_card_and_no_move_stay_open_where_nobody_knows_it(
    tabletape: Tabletape, tmp_path: Path
) -> None:
    """Enter guesses nothing."""
    (tmp_path / "evening.txt").write_text(COMPACT)
    (tmp_path / "rules.txt").write_text("Fox\n\nThe deck has foxes, owls and bears, eight of each.\n")
    said = tabletape("rules", "new", "fox", "evening.txt", "rules.txt", stdin=b"pass\n\n\n\n").output
    assert "Read: 1 move in 1 line; 5 lines left open; 1 of talk" in said
