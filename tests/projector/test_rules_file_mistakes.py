"""Mistakes in a rules file: each has its line, all are told at once, and none ends in a traceback or takes long."""

import re
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletape.events.rules_file import scope
from tabletape.events.rules_file.parser import WordScope, expression
from tabletape.events.rules_file.running import combined
from tabletape.events.rules_file.scope import reserved
from tabletape.events.rules_file.values import UNKNOWN, Node, WrongError, negated
from tabletape.events.vocabulary.open_games import OpenGame, read_games
from tabletape.events.workspace_files import GameFileError
from tabletape.projector.games import open_game

EXAMPLES = sorted((Path(__file__).parents[2] / "docs" / "own-games").glob("*.toml"))
FIREWORKS = next(file for file in EXAMPLES if file.stem == "fireworks").read_text()
SCOPE: WordScope = reserved({"rank": (1, 2), "suit": ("leaf", "bell")}, {})


def mistakes(folder: Path, text: str) -> list[str]:
    """Return what is wrong with a file, line by line, as `line[:column]: ...`."""
    file = folder / "mine.toml"
    file.write_text(text)
    with pytest.raises(GameFileError) as caught:
        read_games(file)
    return str(caught.value).replace(f"{file}:", "").split("\n")


PLANTED = [
    ("card.rank = size(", "card.rnak = size(", "did you mean `rank`?"),
    ("tokens < 8", "tokns < 8", "did you mean `tokens`?"),
    ("tokens < 8", "tokens == 8", "equal is one `=`"),
    ("tokens < 8", "tokens", "compare it with something"),
    ("tokens < 8", "card in discards", "write `any(discards where it."),
    ("tokens < 8", "card in hand", "write `any(hand where it."),
    ("tokens < 8", "discards = hand", "ask for what is printed on it, such as `it."),
    ('"score + 1"', '"scores + 1"', "did you mean `score`?"),
    ("card -> discards", "card -> discard", "did you mean `discards`?"),
    ('move = "draw"', 'move = "drow"', "did you mean `draw`?"),
    ("discard_at_eight = not_allowed", "discard_at_eight = no", "there is allowed, not_allowed"),
    ('cite = "L24", ', "", "say where the sentence stands"),
    ("shared per colour", "shraed per colour", "did you mean `shared`?"),
    ("shared per colour", "shared per color", "did you mean `colour`?"),
    ("costs = {", "cost = {", "did you mean `costs`?"),
    ('is = "other player"', 'is = "opponent"', "did you mean `other player`?"),
    ("fields.to = {", "fields.tokens = 'number 1 to 3'\nfields.to = {", "that is a zone or counter of this game"),
    ("[move.clue]", "[moves.clue]", "there is no `moves`"),
    ("strikes = 3", "strikes = 'three'", "never compared"),
    (
        "it.colour = colour or it.rank = rank",
        "it = top(discards)",
        "write `it.colour = top(discards).colour and it.rank",
    ),
    ('"red", "yellow"', '"red", "Réd"', "are both called `red-1`"),
    ("it.colour = colour or it.rank = rank", "it = red", "ask for what is printed on it: `.colour` behind the card"),
    (
        "actions = 1",
        'first = { move = "play", says = "Play.", cite = "L1" }',
        "write `owed = true` in [move.play]",
    ),
]


@pytest.mark.parametrize(("right", "wrong", "said"), PLANTED)
def test_a_usual_mistake_names_its_line_and_what_was_meant(tmp_path: Path, right: str, wrong: str, said: str) -> None:
    """The message has the line at which the mistake stands, and what was probably meant or has to be written."""
    text = FIREWORKS.replace(right, wrong, 1)
    line = text.count("\n", 0, FIREWORKS.index(right)) + 1
    (first, *_) = mistakes(tmp_path, text)
    assert said in first
    assert int(first.partition(":")[0]) == line


PLAIN = [
    ('that = "score = 25"', "that = score = 25", "written between '...'"),
    ('that = "score = 25"', "that = \u201cscore = 25\u201d", "quotes have to be straight"),
    ('title = "Fireworks"', 'title = "Fireworks', "the quote at the end of a text is missing"),
    ("costs = { tokens = 1, says", "costs = { tokens = 1 says", "a comma is missing"),
    ("costs = { tokens = 1, says", "costs = { tokens = 1,\n says", "stands in one line"),
    ('does = ["card -> hand"]', 'does = ["card -> hand"', "] at the end of the list is missing"),
    ("players = [2, 5]", 'players = "2"', "such as `players = [2, 4]`"),
    ('does = ["card -> hand"]', 'does = "card -> hand"', "here stands a text between quotes, it has to be a list"),
    ('that = "score = 25"', 'that = "score less than 25"', "write `<` for `less than`"),
    ('that = "score = 25"', 'that = "score \u2265 25"', "write `>=` for `\u2265`"),
    ('that = "score = 25"', 'that = "score = 25 && 1 = 1"', "write `and` for `&&`"),
    ('that = "no(deck)"', 'that = "count(deck) = 0"', "write `size(` for `count(`"),
    ("card -> discards", "card \u2192 discards", "write `->` for `\u2192`"),
    ("tokens + 1 when", "tokens += 1 when", "write `tokens + 1` for `tokens +=`"),
    ("[move.clue]", "[moves.clue]", "did you mean `move`?"),
    ("players = [2, 5]", "players = [2, 5]\nscore = True", "`True` is written small"),
    ("[move.clue]", "[move.play]\n[move.play]", "[move.play] stands twice"),
]


@pytest.mark.parametrize(("right", "wrong", "said"), PLAIN)
def test_what_nobody_knows_who_cannot_program_is_said_in_plain_words(
    tmp_path: Path, right: str, wrong: str, said: str
) -> None:
    """No word of TOML's reader or of types: what has to be written, in the line where it stands."""
    text = FIREWORKS.replace(right, wrong, 1)
    first = next(each for each in mistakes(tmp_path, text) if said in each)
    line = FIREWORKS.count("\n", 0, FIREWORKS.index(right)) + 1
    assert line <= int(first.partition(":")[0]) <= line + wrong.count("\n")
    assert not re.search(r"`(array|object|str|int)\b|\$\.|regex", first)


def test_all_mistakes_of_a_file_are_told_at_once(tmp_path: Path) -> None:
    """Whoever has made three mistakes mends three at a time."""
    text = (
        FIREWORKS.replace("tokens < 8", "tokns < 8")
        .replace("strikes = 3", "strikes")
        .replace("card.rank = size", "card.r = size")
    )
    assert len(mistakes(tmp_path, text)) == 3


def test_a_mistake_in_an_expression_names_its_column(tmp_path: Path) -> None:
    """The column is that of the word in the line of the file."""
    text = FIREWORKS.replace("tokens < 8", "tokns < 8")
    place = re.match(r"(\d+):(\d+): ", mistakes(tmp_path, text)[0])
    assert place is not None
    assert text.splitlines()[int(place[1]) - 1][int(place[2]) - 1 :].startswith("tokns")


@settings(deadline=None, max_examples=150)
@given(seed=st.integers(0, 2**32), number=st.integers(0, len(EXAMPLES) - 1))
def test_no_damage_to_a_file_ends_in_a_traceback(
    tmp_path_factory: pytest.TempPathFactory, seed: int, number: int
) -> None:
    """Whatever stands in a file, it is a game or is refused with file and line."""
    file = tmp_path_factory.getbasetemp() / "damaged.toml"
    file.write_text(damaged(EXAMPLES[number].read_text(), Random(seed)))  # noqa: S311 - no secret
    described: list[OpenGame] = []
    refused = ""
    try:
        described += read_games(file).values()
    except GameFileError as error:
        refused = str(error)
    assert bool(described) != bool(refused)
    assert not refused or re.match(rf"{re.escape(str(file))}:\d+", refused)
    for each in described:
        assert open_game(each).rules


def damaged(text: str, luck: Random) -> str:
    """Return a text with a few letters or lines lost, changed, doubled or moved."""
    for _ in range(luck.randint(1, 4)):
        at = luck.randrange(len(text))
        there = luck.randrange(len(text))
        some = luck.randint(1, 20)
        how = luck.randrange(4)
        if how == 0:
            text = text[:at] + text[at + some :]
        elif how == 1:
            text = text[:at] + luck.choice("()[]{}=.,'\"->+*09az \n#?") + text[at + 1 :]
        elif how == 2:
            text = text[:at] + text[there : there + some] + text[at:]
        else:
            lines = text.split("\n")
            lines.insert(luck.randrange(len(lines)), lines.pop(luck.randrange(len(lines))))
            text = "\n".join(lines)
    return text


@settings(deadline=None, max_examples=300)
@given(text=st.text(alphabet="()<>=!+-*.,' 019itanyrkplesuwho", max_size=60))
def test_no_expression_ends_in_a_traceback(text: str) -> None:
    """Any text is an expression or a mistake in words."""
    assert is_read_or_refused(text)


@pytest.mark.parametrize("text", ["(" * 390, "not " * 90 + "1 = 1", "1" + " + 1" * 99, "- " * 199 + "1", "a" * 401])
def test_deep_and_long_expressions_are_refused_or_read(text: str) -> None:
    """Brackets in brackets end in a message, not in Python's limit."""
    assert is_read_or_refused(text)


def is_read_or_refused(text: str) -> bool:
    """Return whether a text is an expression, or a mistake in words."""
    try:
        return bool(expression(text, SCOPE).kind)
    except WrongError as error:
        return bool(str(error))


def test_words_that_double_each_other_are_refused(tmp_path: Path) -> None:
    """Sixty words that each use the one above twice would never end."""
    words = ['w0 = "1 + 1"', *(f'w{n} = "w{n - 1} + w{n - 1}"' for n in range(1, 60))]
    text = 'title = "Doubling"\n[words]\n' + "\n".join(words)
    assert "too long with the words that it uses" in mistakes(tmp_path, text)[0]


def test_a_long_chain_of_words_is_read_about_as_often_as_it_has_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A word is written out where it is used only as long as it is short; else hundreds of them would take minutes."""
    read: list[str] = []

    def counted(text: str, *more: Any) -> Node:
        read.append(text)
        return expression(text, *more)

    monkeypatch.setattr(scope, "expression", counted)
    words = ['"w0(player)" = "size(hand(player))"']
    words += [f'"w{n}(player)" = "w{n - 1}(player) + 1"' for n in range(1, 400)]
    (tmp_path / "mine.toml").write_text('title = "Chain"\nzones.hand = "own"\n[words]\n' + "\n".join(words))
    read_games(tmp_path / "mine.toml")
    assert 400 <= len(read) < 800


@given(truths=st.lists(st.sampled_from([True, False, UNKNOWN]), min_size=1, max_size=4))
def test_what_is_unknown_decides_nothing_that_it_would_not_decide_either_way(truths: list[object]) -> None:
    """A condition of unknown parts has the value that it has whatever they are, and is unknown where that differs."""
    asked = tuple((lambda _t, value=value: value) for value in truths)
    for so, plain in ((False, all), (True, any)):
        values = ([True, False] if each is UNKNOWN else [each] for each in truths)
        outcomes = {plain(each) for each in product(*values)}
        assert combined(asked, so=so)(None) is (outcomes.pop() if len(outcomes) == 1 else UNKNOWN)
    for one in truths:
        assert negated(one) is (UNKNOWN if one is UNKNOWN else not one)
