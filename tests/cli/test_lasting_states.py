"""Lines of a chat that break rules about what lasts: who holds a thing that one player has, what is so for a while."""

import re
from pathlib import Path
from typing import Any

import pytest

from tabletape.dashboard.own_game.asking import rule_said
from tabletape.dashboard.own_game.besides import known_form, own_game
from tabletape.dashboard.own_game.cited import CiteSentence
from tabletape.dashboard.own_game.states import State, guessed_changes, state_limit, states_of
from tests.cli.conftest import Tabletape

NOBODYS = "At first the whistle hangs on its nail and belongs to nobody."
OPENS = "Only the player who has the whistle may open the sluice."
RESTS = "While the sluice is open, nobody may rest."
LOWER = "As long as the sluice is open, a card you play must have a lower number than the last card on the pile."
SHUTS = "Whoever holds the whistle may not shut."
BOOK = (
    "Sluice has otters, herons and pikes, each with the numbers 1 to 6.",
    "Everybody begins with four cards.",
    "On your turn you do one of these: play, open, shut or rest.",
    "Play one card onto the pile.",
    "Whoever plays a pike takes the whistle.",
    NOBODYS,
    OPENS,
    RESTS,
    LOWER,
    "When somebody plays a 6, the sluice is no longer open.",
    SHUTS,
    "Shut the sluice with both hands.",
)
EVENING = (
    *("Ann: plays otter 4", "Ben: plays pike 5, takes the whistle", "Cy: rests", "Ann: plays heron 5"),
    *("Ben: opens", "Cy: plays otter 3", "Ann: rests", "Ben: plays heron 6", "Cy: plays otter 2"),
    *("Ann: opens", "Ben: rests", "Cy: shuts", "Ann: plays pike 3", "Ben: rests"),
    *("Cy: plays heron 1", "Ann: opens", "Ben: plays otter 2", "Cy: shuts", "Ann: rests"),
    *("Ben: plays heron 4", "Cy: rests", "Ann: shuts"),
)


def told_of(
    tabletape: Tabletape,
    folder: Path,
    answers: tuple[str, ...],
    *,
    book: tuple[str, ...] = BOOK,
    evening: tuple[str, ...] = EVENING,
) -> list[tuple[int, str]]:
    """Return the lines of an evening of which an audit tells, and what it calls them.

    The rules are those that answers make of sentences of a rulebook.
    """
    (folder / "evening.txt").write_text("\n".join(evening), encoding="utf-8")
    (folder / "rulebook.txt").write_text("\n".join(book), encoding="utf-8")
    given = "\n".join(("", "", *answers, "", "")).encode()
    assert tabletape("rules", "new", "sluice", "evening.txt", "rulebook.txt", stdin=given).exit_code == 0
    told = re.findall(r"\(evening\.txt:(\d+)\)\n +(\w+)", tabletape("audit", "--all").stdout)
    return [(int(line), kind) for line, kind in told]


def test_a_thing_that_one_player_holds_and_what_is_so_for_a_while_are_watched_by_the_rulebooks_own_sentences(
    tabletape: Tabletape, tmp_path: Path
) -> None:
    """Six lines break the four sentences, and no other is accused; what ends by a card ends for the lines behind it."""
    answers = (OPENS, "", "y", RESTS, "shut: ends it", "y", LOWER, "", "y", SHUTS, "y")
    told = told_of(tabletape, tmp_path, answers)
    assert told == [(line, "illegal") for line in (7, 8, 10, 11, 17, 22)]


def test_a_verb_that_lines_say_beside_a_move_becomes_a_move_later_and_takes_the_thing(
    tabletape: Tabletape, tmp_path: Path
) -> None:
    """Till then nobody knows who has it; it is no action of a turn, and nothing is begun anew."""
    evening = ("Ann: plays pike 4", "Ben: plays otter 5, takes the whistle", "Cy: rests", "Ben: opens")
    told = told_of(tabletape, tmp_path, (OPENS, "", "y"), evening=(*evening, "Ann: opens"))
    assert told == [(4, "unverifiable"), (5, "unverifiable")]
    again = b"2 play otter 5, take the whistle\n\n"
    said = tabletape("rules", "new", "sluice", "evening.txt", stdin=again).stdout
    assert "read as play (cards otter-5), take; whistle is not used" in said
    turn = b"On your turn you do one of these: play, open, shut or rest.\ny\ny\n\n"
    assert tabletape("rules", "new", "sluice", "evening.txt", stdin=turn).exit_code == 0
    assert "[turn]" in (tmp_path / "games" / "sluice.toml").read_text(encoding="utf-8")
    assert "evening.txt:2)" not in tabletape("audit", "--all").stdout


def test_where_nobody_knows_who_holds_a_thing_or_what_a_move_does_to_it_nobody_is_accused(
    tabletape: Tabletape, tmp_path: Path
) -> None:
    """Whoever has not the whistle after a rest, or rests after somebody shut, may have been right."""
    told = told_of(tabletape, tmp_path, (OPENS, "rest: ?", "y", RESTS, "", "y"))
    assert [line for line, kind in told if kind == "illegal"] == [7, 11]
    assert [line for line, kind in told if kind == "unverifiable"] == [10, 14, 19, 21]


def test_who_holds_a_thing_at_first_is_unknown_where_the_rulebook_does_not_say_it(
    tabletape: Tabletape, tmp_path: Path
) -> None:
    """Before somebody takes it, nobody is accused; from then on it is known."""
    book = tuple(each for each in BOOK if each != NOBODYS)
    evening = (
        "Ann: opens",
        "Ben: rests",
        "Ann: plays otter 1",
        "Ben: plays pike 5",
        "Ann: opens",
    )
    told = told_of(tabletape, tmp_path, (OPENS, "", "y"), book=book, evening=evening)
    assert told == [(1, "unverifiable"), (5, "illegal")]


RAW: dict[str, Any] = {
    "title": "Court",
    "zones": {"deck": "shared hidden", "hand": "own"},
    "cards": {"kind": ["fool", "queen"], "number": [1, 2, 3], "copies": "any"},
    "move": {"play": {"fields": {"cards": "cards of hand?"}}, "bow": {}, "pass": {"fields": {"to": "player"}}},
}


def court(*sentences: str) -> Any:
    """Return a game whose rulebook has these sentences."""
    said = [CiteSentence(text, f"L{line}") for line, text in enumerate(sentences, 1)]
    return own_game(RAW, said, draws=False)


@pytest.mark.parametrize(
    ("sentence", "changes"),
    [
        ("Whoever plays a queen takes the crown.", {"play": "takes it with queen"}),
        ("You take the crown when you bow.", {"bow": "takes it"}),
        ("Whoever plays the most queens takes the crown.", {"play": "?"}),
        ("Whoever has lost takes the crown.", {"play": "?", "bow": "?", "pass": "?"}),
        ("Bow: take the crown. Pass: hand the crown to somebody.", {"bow": "takes it", "pass": "?"}),
    ],
)
def test_what_a_rulebook_tells_unclearly_of_who_takes_a_thing_is_unknown(
    sentence: str, changes: dict[str, str]
) -> None:
    """Only a move, alone or with one card, is said to take it; of other sentences a person is asked."""
    own = court("Whoever has the crown may not bow.", *re.findall(r"[^.]+\.", sentence))
    guessed = guessed_changes(own, State("crown"))
    assert {move: effect for move, effect in guessed.items() if effect != "nothing"} == changes


@pytest.mark.parametrize(
    ("sentence", "rule"),
    [
        ("Whoever has the crown may not bow.", "bow: not while the player holds the crown"),
        ("You may only bow if you hold the crown.", "bow: only while the player holds the crown"),
        ("You may not bow unless you hold the crown.", "bow: only while the player holds the crown"),
        ("If you have the crown, you may play two cards.", ""),
        ("If you have the crown, you may bow once more.", ""),
        ("The player who holds the crown at the end loses two points.", ""),
        ("If you hold the crown you may not bow twice.", ""),
        ("While you hold the crown you may only bow.", ""),
        ("You may not bow to the player who has the crown.", ""),
        ("If somebody has the crown, nobody may bow.", ""),
        ("You may not bow if another player has the crown.", ""),
    ],
)
def test_a_sentence_about_a_thing_that_is_held_is_a_rule_only_where_nothing_else_is_said(
    sentence: str, rule: str
) -> None:
    """What somebody may do more is forbidden to nobody, and what is denied of a part is not denied of the whole."""
    own = court("Whoever plays a queen takes the crown.", "Whoever has the crown is king.", sentence)
    assert states_of(own) == (State("crown"),)
    limit = state_limit(own.sentences[-1], own)
    assert (limit.shown if limit is not None else "") == rule


def test_nobody_else_speaks_of_who_holds_what_the_sentence_before_it_names() -> None:
    """Alone it says nothing that a line could break."""
    own = court("Whoever plays a queen takes the crown.", "If you hold the crown, you may bow.", "Nobody else may bow.")
    limit = state_limit(own.sentences[-1], own)
    assert limit is not None
    assert limit.shown == "bow: only while the player holds the crown"
    said = rule_said(own, own.sentences[-1], known_form(own.sentences[-1], own), lambda question: question.usual)
    assert not isinstance(said, str)
    assert said.changes["move"]["bow"]["needs"]["crown-held"]["that"] == "crown_held = 1"
    assert "crown_held(all) = 0 when no(cards) and unsaid > 0" in said.changes["move"]["play"]["does"]


NEXT = (
    "Sluice has otters, herons and pikes, each with the numbers 1 to 6.",
    "On your turn you do one of these: play, open, shut or rest.",
    "Whoever opened may not rest on their next turn.",
)
OPENED = (
    *("Ann: opens", "Ben: rests", "Cy: plays otter 3", "Ann: rests", "Ben: opens", "Cy: shuts", "Ann: rests"),
    *("Ben: shuts", "Cy: opens", "Ann: plays pike 2", "Ben: rests", "Cy: plays pike 3", "Ann: shuts", "Ben: shuts"),
    *("Cy: rests", "Ann: opens", "Ben: rests", "Cy: shuts", "Ann: draws 2", "Ann: rests"),
)


def test_what_is_not_done_in_the_next_turn_is_held_against_that_turn_alone(
    tabletape: Tabletape, tmp_path: Path
) -> None:
    """A turn later it is allowed again; what is no move of a turn, such as a draw behind one, begins none."""
    told = told_of(tabletape, tmp_path, (NEXT[2], "y"), book=NEXT, evening=OPENED)
    assert told == [(4, "illegal"), (20, "illegal")]
