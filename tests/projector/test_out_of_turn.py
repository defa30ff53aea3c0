"""Lines out of turn under a game's file: which of them is wrong, and that nothing behind it is."""

from pathlib import Path

import pytest

from tabletape.events.vocabulary.open_games import look_in
from tabletape.projector.model.rules import HARD, Finding
from tests.projector.test_rules_file import drawn, folded, move

COUNTED = """title = "Pegs"
zones = { deck = "shared hidden", hand = "own" }
cards = { kind = ["red", "blue"], copies = "any" }
deal = { zone = "hand", count = 3, says = "Three each.", cite = "L1" }
[move.peg]
does = []
[move.draw]
free = false
owed = false
fields.cards = "cards of deck"
does = ["cards -> hand"]
[turn]
actions = ACTIONS
says = "So many actions."
cite = "L3"
"""


THIRD = "B has taken 2 actions in this turn already; this is the 3rd."
LOST = "Unless that is wrong, a line of"


def found_in(own_games: Path, actions: str, lines: str, players: str) -> list[Finding]:
    """Return what is found under a number of actions: a capital letter is a peg of that player, a small one a draw."""
    name = f"pegs-{actions[0]}"
    (own_games / "games" / f"{name}.toml").write_text(COUNTED.replace("ACTIONS", actions))
    look_in(own_games)
    done = [drawn(c.upper(), count=1) if c.islower() else move("peg", c) for c in lines.replace(" ", "")]
    return folded(name, *done, players=players).findings


@pytest.mark.parametrize(
    ("actions", "players", "lines", "accused"),
    [
        ("2", "ABC", "AA bb CC Aa bb", []),
        ("2", "ABC", "AA Bbb CC aa Bb CC", [(5, "illegal", THIRD)]),
        ("2", "ABC", "AA BBB cc aa BB", [(5, "illegal", THIRD)]),
        ("2", "ABC", "AA BBBB CC AA", [(5, "illegal", THIRD)]),
        ("2", "ABC", "aa bb cc a BB CC aA", [(8, "missing", f"A has taken 1 action of 2. {LOST} A")]),
        ("2", "ABC", "aa bb cc AA CC aA BB", [(9, "missing", f"turn of B, not of C. {LOST} B")]),
        ("2", "ABC", "aa bb cc A C a bb CC", [(8, "illegal", "turn of A, not of C: A has taken 1 action of 2")]),
        ("2", "ABC", "aa bb cc A B a bB CC AA", [(8, "missing", "turn of A, not of B: A has taken 1 action of 2")]),
        ("2", "ABC", "aa bb cc BB AA CC AA BB", [(7, "missing", "turn of A, not of B. Unless that is wrong")]),
        ("2", "AB", "aa bb AAA BB AA", [(7, "missing", f"3rd. {LOST} B is missing")]),
        ("2", "AB", "aa bb AA AA BB AA", [(7, "missing", f"3rd. {LOST} B is missing")]),
        ("2", "AB", "aa bb A BB AA BB", [(6, "missing", "A has taken 1 action of 2")]),
        ("1", "ABC", "A B b C A", [(3, "illegal", "B has taken 1 action in this turn already; this is the 2nd")]),
        ("1", "ABCD", "A B D C D A", [(3, "missing", "It is the turn of C, not of D")]),
        ("1", "ABCD", "A B D A B C", [(3, "missing", "It is the turn of C, not of D")]),
        ("2", "ABC", "AA B CC AA BB", [(4, "unverifiable", "The log writes no draws of B")]),
        ("3\nfewer = true", "ABC", "AA B CCCC A B", [(7, "illegal", "C has taken 3 actions in this turn already")]),
        ("3\nfewer = true", "AB", "AAAA BB", [(4, "unverifiable", "unless B has done nothing in a turn between")]),
    ],
)
def test_one_line_out_of_turn_is_one_mistake(
    own_games: Path, actions: str, players: str, lines: str, accused: list[tuple[int, str, str]]
) -> None:
    """It is said which line is wrong, and of nothing behind it."""
    findings = found_in(own_games, actions, lines, players)
    assert [(each.seq - 2, each.kind) for each in findings] == [(at, kind) for at, kind, _ in accused]
    assert all(said in each.message for each, (_, _, said) in zip(findings, accused, strict=True))


@pytest.mark.parametrize(
    ("lines", "wrong"),
    [
        ("aa bb cc a BB CC AA BBB CC", [(8, 0), (16, 0)]),
        ("aa bb cc a BB CCC AA", [(8, 0), (12, 0)]),
        ("aa bb cc a B CC AA", [(8, 0), (9, 8)]),
    ],
)
def test_behind_a_whole_turn_in_order_a_mistake_about_turns_is_another_one(
    own_games: Path, lines: str, wrong: list[tuple[int, int]]
) -> None:
    """A is short of an action; what is wrong right behind it may follow from that, a turn later it does not."""
    findings = [each for each in found_in(own_games, "2", lines, "ABC") if each.kind in HARD]
    assert [(each.seq - 2, max(each.follows - 2, 0)) for each in findings] == wrong
