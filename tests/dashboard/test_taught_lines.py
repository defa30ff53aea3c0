"""The lines of a chat of an own game: which are read before anybody has said anything, which are asked about."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tabletape.dashboard.own_game.chat import ChatReading, read_again, read_chat, surveyed
from tabletape.dashboard.own_game.cited import CiteSentence, sentences_of
from tabletape.dashboard.own_game.file import begin_file
from tabletape.dashboard.own_game.look import first_look, with_cards, with_moves
from tabletape.dashboard.own_game.messages import in_full, said_by
from tabletape.dashboard.own_game.offered import offers, with_offers
from tabletape.dashboard.own_game.said_again import said_again
from tabletape.dashboard.own_game.taught import questions, read_plainly
from tabletape.events.vocabulary.open_games import look_in
from tabletape.projector.rulebooks.kept import read_file

BEGUN = ("Ines: I board silent 2", "Tomek: I call weeping 4", "Bruno: I haunt Ines with angry 3", "Bruno: I row")


class Chat(NamedTuple):
    """A chat that was read, in the folder of its game."""

    reading: ChatReading
    folder: Path

    def moves(self, reading: ChatReading | None = None) -> dict[str, str]:
        """Return what the lines behind the first are read as, by the line: empty for talk, `open` where it is open."""
        used = reading or self.reading
        read, told = used.lines(self.folder), {}
        for number, line in used.seen.lines[len(BEGUN) :]:
            said = (
                f"{each['event'].removeprefix('move.')} {' '.join(map(str, _flat(each)))}".strip()
                for each in read.moves.get(number, ())
            )
            told[line.partition(": ")[2]] = "open" if number in read.open else ", ".join(said)
        return told


def _flat(entry: Mapping[str, Any]) -> list[object]:
    """Return what a move names, one after another."""
    named = entry.get("with", {}).values()
    return [each for value in named for each in (value if isinstance(value, list | tuple) else (value,))]


def chat_of(folder: Path, *lines: str) -> Chat:
    """Return a chat of ghosts that board boats with some lines, of Ines, Tomek and Bruno in turn, or nobody's: `* `."""
    said = (*BEGUN, *(f"{('Ines', 'Tomek', 'Bruno')[at % 3]}: {line}".rpartition(": * ")[2]
                      for at, line in enumerate(lines)))  # fmt: skip
    content = "".join(f"27.11.26, 20:{at:02} - {line}\n" for at, line in enumerate(said)).encode()
    seen = surveyed(content, "chat.txt")
    look = with_moves(first_look(seen, []), "board, call, draw, haunt, row, whisper")
    assert look is not None
    file = folder / "games" / "ghosts.toml"
    look = with_cards(look, "weeping 1-11, silent 1-11, angry 1-11, laughing 1-11")
    assert look is not None
    begin_file(file, look, seen)
    look_in(folder)
    return Chat(read_plainly(read_chat(content, seen, look, file), folder), folder)


def test_a_line_that_begins_with_what_one_may_do_is_asked_about(tmp_path: Path) -> None:
    """A turn that is called talk would be missing, and accuse whoever goes on; questions and other talk stay talk."""
    (tmp_path / "games").mkdir()
    chat = chat_of(tmp_path, "leaves with 5 points", "what a night", "leave now?", "I row")
    read = read_plainly(chat.reading, tmp_path, {"leave"})
    told = {"leaves with 5 points": "open", "what a night": "", "leave now?": "", "I row": "row"}
    assert chat.moves(read) == told


def test_a_verb_of_the_table_that_is_no_move_yet_becomes_one(tmp_path: Path) -> None:
    """A card alone is laid: said again as `lay it` it is no `board`, whose rules would accuse it."""
    (tmp_path / "games").mkdir()
    chat = chat_of(tmp_path, "silent 5", "silent 6", "angry 3")
    said = said_again(chat.reading, len(BEGUN) + 1, "play silent 5", tmp_path)
    assert said is not None
    assert said.in_words == "read as play (cards silent-5)"
    assert [each.number - len(BEGUN) for each in said.near] == [2, 3]
    assert "[move.play]" in (tmp_path / "games" / "ghosts.toml").read_text()


READ = {
    "weeping 7 boards": "board weeping-7",
    "and then silent 3 boards": "board silent-3",
    "hahaha. I board laughing 5": "board laughing-5",
    "oh nice. I haunt Bruno with angry 10": "haunt angry-10 Bruno",
    "back. I row too": "row",
    "hm no. I whisper again": "whisper",
    "lol, I board angry 8": "board angry-8",
}
"""Lines that say a move and nothing else, and what they are read as."""

OPEN = (
    "weeping 1 gets into my boat",
    "angry 5 into my boat",
    "I call the lauhging 9",
    "I borad silent 8",
    "no. I board angry 4",
    "wait. I board weeping 2",
    "sorry, I board weeping 9",
    "hadn't meant that. I board weeping 10",
    "I don't board angry 5",
    "I cannot board silent 6",
    "I would board weeping 3",
    "should I board laughing 7?",
    "if I could. I board angry 11",
    "silent 9 boards next turn if you row",
    "Bruno should board silent 10",
    "next time. silent 11 boards?",
    "I board angry 9?",
    "wer ist dran",
    "draw, angry 6! i call silent 2",
)
"""Lines that may be moves, and say more or less than one: nobody has said yet what they are."""


def test_a_line_is_read_only_where_it_says_a_move_and_nothing_else(tmp_path: Path) -> None:
    """A cry before it and the card before its verb do not hinder; a doubt, a question or a slip of typing does."""
    moves = chat_of(tmp_path, *READ, *OPEN).moves()
    assert {line: moves[line] for line in READ} == READ
    assert {line: moves[line] for line in OPEN if moves[line] not in {"", "open"}} == {}


def test_a_name_that_begins_a_longer_word_says_nothing() -> None:
    """Ann is not who writes as Anna, and of two names the longer one speaks."""
    assert said_by("Anna: I row", ("Ann", "Bo")) == ("", "Anna: I row")
    assert said_by("Ann Lee: I row ", ("Ann", "Ann Lee")) == ("Ann Lee", "I row")


def test_slips_and_what_stands_beside_a_move_are_asked_about_once(tmp_path: Path) -> None:
    """No slip is read in silence, and no line with a doubt in it is among those that one `y` reads."""
    chat = chat_of(tmp_path, *READ, *OPEN, "I board weeping 6 behind the light", "I row. four ghosts are across")
    found = offers(chat.reading, tmp_path)
    assert [each.shown.partition(": ")[2] for each in found] == [
        "I call the laughing 9  (lauhging: laughing?)",
        "I board silent 8  (borad: board?)",
        "I board weeping 6 | behind the light",
        "I row |. four ghosts are across",
    ]
    some = with_offers(chat.reading, found, str(found[1].number))
    assert chat.moves(some)["I borad silent 8"] == "board silent-8"
    assert chat.moves(some)["I call the lauhging 9"] == "open"
    assert with_offers(chat.reading, found, "") == chat.reading
    assert len(with_offers(chat.reading, found, "y").lines(tmp_path).open) == len(chat.reading.lines(tmp_path).open) - 4


TAUGHT = "angry 5 into my boat"
SAME = {
    "laughing 8 into my boat": "board laughing-8",
    "the weeping 9 in the boat again": "board weeping-9",
    "haha. silent 1 into my boat :)": "board silent-1",
}
NEAR = ("weeping 1 gets into my boat", "laughing 9 goes into my boat, that's four")
OTHER = (
    "angry 7 not into my boat",
    "angry 8 into Bruno's boat",
    "angry 9 into your boat",
    "angry 10 into my boat?",
    "weeping 2 and weeping 3 into my boat",
    "weeping 5 would go into my boat",
    "I call silent 6 into my boat",
    "silent 7 from my boat",
    "2 more into the boat, silent 8",
)


def test_an_answer_teaches_the_shape_of_its_line_and_no_more(tmp_path: Path) -> None:
    """Lines that differ in cards and small words are read so; what adds a word is asked, what adds a doubt is not."""
    chat = chat_of(tmp_path, TAUGHT, *SAME, *NEAR, *OTHER)
    before, number = chat.moves(), len(BEGUN) + 1
    said = said_again(chat.reading, number, "board angry 5", tmp_path)
    assert said is not None
    assert said.in_words == "read as board (cards angry-5); read so too: lines 6, 7, 8"
    assert [each.shown.partition(": ")[2].partition(": read as board (cards ")[0] for each in said.near] == [*NEAR]
    assert said.near[0].shown.endswith("weeping 1 gets into my boat: read as board (cards weeping-1)")
    after = chat.moves(said.reading)
    assert {line: after[line] for line in (TAUGHT, *SAME)} == {TAUGHT: "board angry-5", **SAME}
    assert {line: after[line] for line in (*NEAR, *OTHER)} == {line: before[line] for line in (*NEAR, *OTHER)}
    both = chat.moves(with_offers(said.reading, said.near, "y"))
    assert [both[line] for line in NEAR] == ["board weeping-1", "board laughing-9"]


@pytest.mark.parametrize("words", ["board weeping 5", "dance"])
def test_what_an_answer_says_beyond_its_line_holds_for_that_line_alone(tmp_path: Path, words: str) -> None:
    """A card that the line does not name is none of the others' either."""
    chat = chat_of(tmp_path, "into my boat it goes, angry 5", "into my boat it goes, angry 6")
    said = said_again(chat.reading, len(BEGUN) + 1, words, tmp_path)
    assert (said is None) == (words == "dance")
    assert said is None or (said.also, said.near) == ((), ())


def test_cards_that_nobody_moves_come_out_and_are_not_lost(tmp_path: Path) -> None:
    """They lie in the display, which the game's file names then; it is the action of nobody's turn."""
    chat = chat_of(
        tmp_path, "laughing 8 comes to the pier", "silent 5 comes to the pier", "silent 4 comes off the pier"
    )
    assert questions(chat.reading, tmp_path) == [(5, 6), (7,)]
    said = said_again(chat.reading, 5, "comes out", tmp_path)
    assert said is not None
    assert said.in_words == "read as comes-out (cards laughing-8); read so too: line 6"
    assert said.near == ()
    text = (tmp_path / "games" / "ghosts.toml").read_text()
    assert 'display = "shared"' in text
    assert '[move.comes-out]\nowed = true\ndoes = ["cards -> display"]' in text


SHORT = ("4 on red", "5 on blue", "6 on red, it sails", "7 on blue", "still 7", "8 on red and that is it", "9 on blue")


def test_what_nobody_says_is_done_by_whom_it_names(tmp_path: Path) -> None:
    """It is offered where it says no more; else who answers names him, or he is the only one in the line."""
    told, both = "* five ghosts, Tomek rows the boat", "* so Bruno and Ines look, dark"
    chat = chat_of(tmp_path, *["I row"] * 6, told, both, "* last boat, Bruno rows at 3")
    assert [each.shown for each in offers(chat.reading, tmp_path)] == ["Tomek: rows | the boat"]
    for number, words, who in ((11, "row", "Tomek"), (13, "row", "Bruno"), (12, "Ines rows", "Ines")):
        said = said_again(chat.reading, number, words, tmp_path)
        assert said is not None, words
        assert said.reading.accepted[0][1] == {"event": "move.row", "with": {"player": who}}
    assert said_again(chat.reading, 12, "row", tmp_path) is None, "two are named"


def test_a_move_names_what_its_answered_line_does(tmp_path: Path) -> None:
    """Rules can speak of the card and the player from then on, also where no line of the move was known to say them."""
    chat = chat_of(tmp_path, *["I row"] * 6, "row weeping 3 to Bruno, he sighs")
    said = said_again(chat.reading, 11, "row weeping 3 to Bruno", tmp_path)
    assert said is not None
    assert said.words.startswith("row (cards weeping-3; to Bruno)")
    assert "cards of somewhere?" in (tmp_path / "games" / "ghosts.toml").read_text()


def test_a_move_of_an_answer_that_is_not_read_is_said(tmp_path: Path) -> None:
    """`Board silent 2 to Bruno whisper` is read as one move: that the other one is left out is not passed over."""
    chat = chat_of(tmp_path, *["I row"] * 6, "board silent 2, whisper to Bruno")
    said = said_again(chat.reading, 11, "board silent 2 to Bruno whisper", tmp_path)
    assert said is not None
    assert said.words == "board (cards silent-2; to Bruno); whisper is not used"


def test_a_number_in_a_shape_that_comes_often_is_no_talk_in_silence(tmp_path: Path) -> None:
    """It is asked about, too, where it is no card; what an answer leaves out of it is said."""
    chat = chat_of(tmp_path, *SHORT, "I row 2 on red")
    still = [line.partition(": ")[2] for line in chat.reading.lines(tmp_path).open.values()]
    assert still == [line for line in SHORT if line != "still 7"]
    said = said_again(chat.reading, len(BEGUN) + 1, "row 4 on red", tmp_path)
    assert said is not None
    assert said.in_words == "read as row (number 4); red is not used"
    assert [each.number for each in said.near] == [6, 7, 8, 10, 11]
    again = said_again(with_offers(said.reading, said.near, "y"), 6, "talk", tmp_path)
    assert again is not None
    assert 6 in again.reading.lines(tmp_path).talk


def test_words_of_the_line_itself_may_stand_behind_the_move_of_an_answer(tmp_path: Path) -> None:
    """`row the boat` is `row` where the line says so, too; another word is none of its own."""
    chat = chat_of(tmp_path, "row row the boat, home it goes")
    for words in ("row the boat", "row the boat, home"):
        said = said_again(chat.reading, len(BEGUN) + 1, words, tmp_path)
        assert said is not None, words
        assert said.words.partition(";")[0] == "row"
        assert ("; boat and home are not used" in said.words) == ("home" in words)
    for words in ("row the ferry", "row angry 3"):
        assert said_again(chat.reading, len(BEGUN) + 1, words, tmp_path) is None


def test_a_word_that_nobody_says_of_what_he_does_is_no_move() -> None:
    """`Order is me` and `well played` propose no move; `well, I play` does."""
    said = ("order is me, Bo", "well played", "well, I board 4", "i board 5", "i board 6", "i draw two")
    content = "".join(f"1/2/26, 20:0{n} - {('Ann', 'Bo')[n % 2]}: {line}\n" for n, line in enumerate(said)).encode()
    assert [*first_look(surveyed(content, "chat.txt"), sentences_of(None)).moves] == ["draw"]


def test_a_verb_with_a_number_or_a_small_word_behind_it_is_a_move_and_no_card(tmp_path: Path) -> None:
    """`Bo pledges 4` and `Bo drops out` are moves where a chat tells what players do, and `wins` is no slip of wine."""
    bids = ("pledges 1", "pledges 4", "drops out", "wins lot 1 for 4", "loads wine", "loads wine", "loads fish")
    more = ("loads fish", "drops out", "pledges 2", "pledges 5", "pledges 6", "drops out", "wins lot 2 for 6")
    told = (*bids, *more, "pledges 3", "wins lot 3 for 3")
    content = "".join(f"{('Ann', 'Bo')[at % 2]} {each}\n" for at, each in enumerate(told)).encode()
    (tmp_path / "rules.txt").write_text("Nobody may pledge more than 12.\n\nWhoever has dropped out may not load.\n")
    seen = surveyed(content, "harbour.txt")
    look = first_look(seen, sentences_of(read_file(tmp_path / "rules.txt")))
    assert (look.cards, look.numbers) == (("wine", "fish"), ())
    assert {*look.moves} >= {"pledge", "drop"}
    named = with_moves(look, "pledge, drop, load")
    assert named is not None
    file = tmp_path / "games" / "harbour.toml"
    begin_file(file, named, seen)
    reading = read_plainly(read_chat(content, seen, named, file), tmp_path)
    assert [*reading.lines(tmp_path).open] == [4, 14, 16]
    assert reading.lines(tmp_path).meant(2) == "pledge (number 4)"
    assert reading.lines(tmp_path).meant(3) == "drop"
    assert offers(reading, tmp_path) == ()
    said = said_again(reading, 4, "pledge 4", tmp_path)
    assert said is not None
    assert said.words == "pledge (number 4); its 1 is left out"
    said = said_again(reading, 4, "pledge wine 4", tmp_path)
    assert said is None or "wine is not used" in said.words


def test_the_verbs_of_a_german_list_are_moves(tmp_path: Path) -> None:
    """Of `Pflanzen` in the rulebook somebody says `ich pflanze` in the chat; a card of the list is no move."""
    said = ("ich pflanze Salbei 3", "Minze 4 in mein Beet", "ich pflanze Salbei 5", "ich schenke Jonas Minze 7")
    lines = [f"{('Mara', 'Jonas')[at % 2]}: {line}" for at, line in enumerate(said)]
    content = "".join(f"27.11.26, 20:{at:02} - {line}\n" for at, line in enumerate(lines * 2)).encode()
    book = ("Du tust eines von diesen Dingen:", "Pflanzen: lege eine Karte in dein Beet.", "Schenken: gib eine Karte.")
    (tmp_path / "rules.txt").write_text("\n\n".join(book), encoding="utf-8")
    look = first_look(surveyed(content, "chat.txt"), sentences_of(read_file(tmp_path / "rules.txt")))
    assert {*look.moves} >= {"pflanze", "schenke"}
    assert not {"salbei", "minze"} & {*look.moves, *look.perhaps}


def test_a_chat_is_read_again_by_its_map_as_long_as_nobody_has_changed_it(tmp_path: Path) -> None:
    """The open lines are there again, and a map that was written by hand is left as it is."""
    chat = chat_of(tmp_path, TAUGHT, *NEAR)
    again = read_again(chat.reading.content, "chat.txt", chat.reading.written)
    assert again is not None
    assert again.lines(tmp_path) == chat.reading.lines(tmp_path)
    assert read_again(chat.reading.content, "chat.txt", f"# mine\n{chat.reading.written}") is None


def test_what_stands_above_the_first_move_is_talk_unless_it_names_a_card(tmp_path: Path) -> None:
    """A title that was left open hid every line behind it; one that lays a card out still may."""
    above = (
        "Boards, Friday at Ann's",
        "Ghosts - second try",
        "29.11.2026",
        "five cards each",
        "angry 3 lies in the boat",
    )
    said = [f"{who}: I board {card}" for who, card in (("Ann", "silent 2"), ("Ben", "silent 4"), ("Ann", "angry 5"))]
    four = "Ben: I board angry 6, angry 7, angry 8 and angry 9, four coins"
    text = "\n".join([*above, *said, four, *said, *said])
    content = text.encode()
    seen = surveyed(content, "chat.txt")
    look = with_moves(first_look(seen, []), "board")
    assert look is not None
    file = tmp_path / "games" / "boards.toml"
    look = with_cards(look, "silent 1-11, angry 1-11")
    assert look is not None
    begin_file(file, look, seen)
    look_in(tmp_path)
    read = read_plainly(read_chat(content, seen, look, file), tmp_path).lines(tmp_path)
    assert [*read.open] == [5]
    assert read.in_words == "10 moves in 10 lines; 1 line left open; 3 of talk, 3 of it above the first move"


def test_a_slip_in_a_move_that_names_no_card_is_no_talk_in_silence(tmp_path: Path) -> None:
    """`whsiper` is asked about as a slip with a card is; other talk, and a question, stay talk."""
    chat = chat_of(tmp_path, "whsiper", "what a night", "whspier?")
    told = {"whsiper": "open", "what a night": "", "whspier?": ""}
    assert chat.moves() == told
    (found,) = offers(chat.reading, tmp_path)
    assert found.shown == "Ines: whisper  (whsiper: whisper?)"
    assert chat.moves(with_offers(chat.reading, (found,), "y"))["whsiper"] == "whisper"


def test_a_draw_without_a_number_is_open_where_it_may_be_more_than_one(tmp_path: Path) -> None:
    """Another line draws two, or the rulebook says so: that it was one would be made up."""
    few = chat_of(tmp_path, "I draw", "I draw a card", "I draw 1")
    assert few.moves()["I draw"] == "draw" or few.moves()["I draw"].endswith("1")
    for drawn in ({2}, {1, 2}):
        more = read_plainly(few.reading, tmp_path, drawn=drawn)
        assert few.moves(more)["I draw"] == "open"
    assert few.moves(more)["I draw a card"] == few.moves()["I draw a card"] != "open"
    chat = chat_of(tmp_path, "I draw", "I draw a card", "I draw 2")
    assert [chat.moves()[each] == "open" for each in ("I draw", "I draw a card", "I draw 2")] == [True, False, False]


@pytest.mark.parametrize(
    ("rule", "drawn"),
    [
        ("If you draw, you take two cards from the deck.", {2}),
        ("Draw one card. Take three cards of another player.", {1}),
        ("You may draw a card.", {1}),
        ("Pick: take one card from the deck.", {1}),
        ("Row or haunt.", set[int]()),
    ],
)
def test_a_rulebook_says_how_many_cards_are_drawn(rule: str, drawn: set[int]) -> None:
    """Only what it says of a draw counts."""
    look = first_look(surveyed("\n".join(BEGUN).encode(), "chat.txt"), [CiteSentence(rule, "L1")])
    assert look.drawn == drawn


def test_that_place_is_the_one_which_the_same_player_named_last(tmp_path: Path) -> None:
    """Ann is not Anna, whose name begins like hers."""
    (tmp_path / "games").mkdir()
    said = ("Ann: plays Oolong at table 1", "Anna: plays Assam at table 3", "Ann: plays Assam at that table")
    content = "".join(f"27.11.26, 20:{at:02} - {line}\n" for at, line in enumerate((*said[:2], *said))).encode()
    seen = surveyed(content, "chat.txt")
    moved = with_moves(first_look(seen, []), "play")
    look = with_cards(moved, "oolong, assam") if moved is not None else None
    assert look is not None
    begin_file(file := tmp_path / "games" / "tea.toml", look, seen)
    look_in(tmp_path)
    (offer,) = offers(read_plainly(read_chat(content, seen, look, file), tmp_path), tmp_path)
    assert (offer.number, offer.shown) == (5, "Ann: plays Assam at table 1  (that table: table 1?)")


def test_lines_that_are_said_again_in_the_same_words_leave_the_map_as_nobody_changed_it(tmp_path: Path) -> None:
    """The second answer is laid beside the first, which was read from the map: the same meaning is written once."""
    (tmp_path / "games").mkdir()
    chat = chat_of(tmp_path, "bord silent 5 then", "oh bord silent 5 !!")
    first, second = len(BEGUN) + 1, len(BEGUN) + 2
    said = said_again(chat.reading, first, "board silent 5", tmp_path)
    assert said is not None
    kept = read_again(chat.reading.content, "chat.txt", said.reading.written)
    assert kept is not None
    again = said_again(kept, second, "board silent 5", tmp_path)
    assert again is not None
    assert read_again(chat.reading.content, "chat.txt", again.reading.written) is not None


def test_a_letter_is_short_for_the_only_numbered_place_that_begins_with_it() -> None:
    """`h1` is hive 1; of two places with that letter, and of a letter of none, nobody knows."""
    assert in_full("plant clover 5 h1, open H2", {"hive"}) == "plant clover 5 hive 1, open hive 2"
    assert in_full("plant at h1", {"hive", "house"}) == "plant at h1"
    assert in_full("score 3x2, s4", {"hive"}) == "score 3x2, s4"
