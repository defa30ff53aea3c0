"""What the file of a game says of drawing cards, judged where a chat says a draw."""

from pathlib import Path
from typing import Any

import pytest
import tomlkit

from tabletape.dashboard.own_game.asking import rule_said
from tabletape.dashboard.own_game.besides import own_game
from tabletape.dashboard.own_game.cited import CiteSentence
from tabletape.dashboard.own_game.file import with_changes
from tabletape.dashboard.own_game.game import FirstRule
from tabletape.events.vocabulary.open_games import look_in
from tests.projector.test_rules_file import drawn, folded, found, move

HEAD = """title = "Wells"
zones = { deck = "shared hidden", hand = "own", bed = "shared", heap = "shared" }
counters = { drew = { start = 0, each = true }, times = { start = 0, each = true } }
[move.plant]
fields.card = "card of hand"
does = ["card -> bed", "drew(all) = 0", "times = 0"]
[move.draw]
OWED
fields.FIELD
does = ["EFFECT"]
needs.two = { that = "MANY", says = "At most two cards are drawn in a turn.", cite = "L1" }
needs.twice = { that = "times < 2", says = "Nobody draws three times running.", cite = "L2" }
"""
EACH = {"FIELD": 'card = "card of deck"', "EFFECT": 'card -> hand", "drew(all) = if(it = player, drew(it) + 1, 0)'}
AT_ONCE = {
    "FIELD": 'cards = "cards of deck"',
    "EFFECT": 'cards -> hand", "times + 1", "drew(all) = if(it = player, drew(it) + size(cards), 0)',
}
CLEARING = {**AT_ONCE, "EFFECT": f'bed -> heap", "{AT_ONCE["EFFECT"]}'}
"""It clears what everybody sees as well."""

CARDS = """[cards]
kind = ["bean", "leek"]
copies = 40
"""
DEAL = """[deal]
zone = "hand"
count = 2
says = "Two cards each."
cite = "L3"
"""
TURN = """[turn]
actions = 1
says = "One thing a turn."
cite = "L4"
"""


def wells(folder: Path, how: dict[str, str], owed: str = "owed = true", more: str = "") -> None:
    """Put the file into the workspace, with a draw of each card by itself or of all of a line."""
    many = "drew < 2" if how is EACH else "drew + size(cards) <= 2"
    text = HEAD.replace("OWED", owed).replace("MANY", many)
    for word, said in how.items():
        text = text.replace(word, said)
    (folder / "games" / "wells.toml").write_text(text + more)
    look_in(folder)


def illegal(*lines: dict[str, Any]) -> list[tuple[int, str]]:
    """Return line and rule of what is accused in a log."""
    return [
        (seq, rule) for seq, rule, kind in found(folded("wells", *lines)) if kind == "illegal" and "twice" not in rule
    ]


@pytest.mark.parametrize("more", [CARDS, CARDS + DEAL.replace("2", "5")])
@pytest.mark.parametrize("number", [1, 2])
def test_first_draws_that_may_be_actions_accuse_nobody(own_games: Path, more: str, number: int) -> None:
    """Two draws, or one of two cards, may be a whole turn: whoever goes on then is not called out of turn."""
    wells(own_games, AT_ONCE, "free = false", f"{more}{TURN.replace('actions = 1', 'actions = 2')}")
    first = [drawn("A", count=number) for _ in range(3 - number)]
    lines = [*first, drawn("B", count=1), move("plant", "B", card="bean#1"), move("plant", "A", card="bean#2")]
    lines += [drawn("A", count=1), move("plant", "B", card="bean#3")]
    hard = {"illegal", "missing"}
    assert not [rule for _, rule, kind in found(folded("wells", *lines)) if kind in hard and "turn" in rule]
    lines += [drawn("B", count=1), drawn("B", count=1), move("plant", "B", card="bean#4")]
    assert [kind for _, rule, kind in found(folded("wells", *lines)) if kind in hard and "turn" in rule]


@pytest.mark.parametrize("how", [EACH, AT_ONCE])
@pytest.mark.parametrize("owed", ["owed = true", "free = true"])
@pytest.mark.parametrize("more", ["", CARDS, CARDS + DEAL.replace("2", "5")])
def test_a_draw_of_too_many_cards_is_found_and_drawn_all_the_same(
    own_games: Path, how: dict[str, str], owed: str, more: str
) -> None:
    """Three cards in one line, or in two, are one too many; the line with too many accuses none behind it."""
    wells(own_games, how, owed, more)
    deal = [drawn(each, count=5) for each in "AB"]
    lines = [*deal, move("plant", "A", card="bean#1"), drawn("B", count=2), move("plant", "A", card="bean#2")]
    assert illegal(*lines) == []
    lines += [drawn("B", count=3), move("plant", "A", card="bean#3"), drawn("B", count=2)]
    assert illegal(*lines) == [(8, "wells.draw.two")]
    assert folded("wells", *lines).table.zones["B/hand"].size == 12
    assert illegal(*lines[:5], drawn("B", count=2), drawn("B", count=1)) == [(9, "wells.draw.two")]


def test_what_may_be_the_first_hand_is_no_draw_that_a_rule_speaks_of(own_games: Path) -> None:
    """Nobody has said how many cards are dealt: five at first are none too many, and no draw before the next turn is.

    What they count is not known either, so a draw behind them is open until somebody else was on turn.
    """
    wells(own_games, EACH)
    lines = [drawn("B", count=5), drawn("A", count=5), drawn("A", count=2), move("plant", "B", card="bean#1")]
    assert found(folded("wells", *lines[:3])) == []
    assert illegal(*lines, drawn("A", count=3)) == [(7, "wells.draw.two")]
    assert {kind for _, _, kind in found(folded("wells", *lines[:2], drawn("A", count=2)))} <= {"unverifiable"}


@pytest.mark.parametrize("how", [AT_ONCE, CLEARING])
def test_a_draw_that_is_the_action_of_a_turn_is_one_however_many_cards_it_is(
    own_games: Path, how: dict[str, str]
) -> None:
    """Two cards in one line are one draw: then the next player is on turn, and two draws of one player are two."""
    wells(own_games, how, "free = false", CARDS + DEAL + TURN)
    deal = [drawn(each, count=2) for each in "AB"]
    assert found(folded("wells", *deal, drawn("A", count=2), drawn("B", count=2), drawn("A", count=1))) == []
    twice = [*deal, drawn("A", count=1), drawn("B", count=1), drawn("A", count=1), drawn("B", count=1)]
    assert found(folded("wells", *twice)) == []
    third = [*twice, drawn("A", count=1)]
    assert found(folded("wells", *third)) == [(9, "wells.draw.twice", "illegal")]


def test_the_size_of_a_hand_is_looked_at_whenever_a_card_is_drawn(own_games: Path) -> None:
    """The third card of a line is one too many where the hand held three of five."""
    text = HEAD.replace("MANY", "size(hand) < 5").replace("OWED", "owed = true")
    for word, said in EACH.items():
        text = text.replace(word, said)
    (own_games / "games" / "wells.toml").write_text(text + CARDS + DEAL.replace("2", "3"))
    look_in(own_games)
    deal = [drawn(each, count=3) for each in "AB"]
    assert found(folded("wells", *deal, drawn("A", count=2), drawn("B", count=2))) == []
    replay = folded("wells", *deal, drawn("A", count=3))
    assert found(replay) == [(5, "wells.draw.two", "illegal")]
    assert replay.table.zones["deck"].size == 80 - 9


BROOK = """title = "Brook"
[zones]
deck = "shared hidden"
hand = "own"
[move.lay]
fields.cards = "cards of hand"
[move.draw]
owed = true
fields.cards = "cards of deck"
does = ["cards -> hand"]
"""
DRAWS = {
    "You may draw at most two cards in your turn.": {
        "A2 B A2": [],
        "A3 B A2": [4],
        "A2 A1 B": [5],
        "B A2 A2 B A2 B A1 A1": [6],
    },
    "Nobody draws twice in a row.": {"A2 A A2": [], "A2 B A2": [6]},
    "Nobody draws in two turns running.": {"A2 A1 B A": [], "A2 B A2": [6]},
    "Nobody draws more than four cards in a game.": {"B A2 B A2": [], "B A2 B A3": [7]},
    "Nobody lays twice in a row.": {"A2 A": [], "A2 A1 A A": [7]},
}
"""Rules, and logs of who draws so many cards or lays one, each with the lines that break it."""


LAYS = {
    "You may not lay a pike two turns in a row.": {
        "Ae A1 Bp Ap B1 Ae A1 B1 Ap Bp": [],
        "Ap A1 Be B1 A1 Ap": [8],
        "Ap Ap Be Ae Be Ap Bp": [],
    },
    "Nobody lays a pike twice in a row.": {"Ae Ap Be Ae Ap": [], "Ae Ap Be Ap": [6], "Ap Ae Ap": []},
    "Nobody may lay a pike more than once in the game.": {"Ae Ae Ap Bp": [], "Ap Be Ae Ap": [6]},
}
"""Rules about a kind of card, and logs of who lays an eel or a pike, or draws a card."""


COUNTED = {
    "You may not lay a pike two turns in a row.": "it is the 2nd turn in a row with a lay of pike by A",
    "Nobody lays a pike twice in a row.": "it is A's 2nd lay of pike in a row",
    "Nobody may lay a pike more than once in the game.": "it is A's 2nd lay of pike in the game",
}
"""What their findings count, in words."""


@pytest.mark.parametrize("text", LAYS)
def test_a_rule_about_a_kind_of_card_counts_the_lines_with_that_kind(own_games: Path, text: str) -> None:
    """Who has laid eels before, and lays the first pike, has laid one pike; a turn of eels is between two others.

    The rule says nothing of eels: it is neither kept nor broken by them. A finding says its number in words.
    """
    cards = """[cards]
kind = ["eel", "pike"]
copies = 20
"""
    watch(own_games, BROOK + cards, text)
    for log, wrong in LAYS[text].items():
        kinds = {"e": "eel", "p": "pike"}
        lines = [drawn(each[0], count=1) if each[1] == "1" else lay(each[0], kinds[each[1]]) for each in log.split()]
        assert illegal_in("brook", *lines) == wrong, log
        replay = folded("brook", *lines)
        assert [each.message for each in replay.findings] == [
            f"{text} Here {COUNTED[text]}; at most 1 is allowed."
        ] * len(wrong)
        (rule,) = (each for each in replay.game.rules if each.lines)
        assert replay.kept[rule.number] + replay.broken[rule.number] == log.count("p")


def watch(folder: Path, text: str, sentence: str) -> None:
    """Put a file with the rule of a sentence into the workspace, as it is read."""
    cited = CiteSentence(sentence, "L1", "")
    rule = rule_said(own_game(tomlkit.parse(text), [cited], draws=True), cited, None, lambda each: each.usual)
    assert isinstance(rule, FirstRule)
    (folder / "games" / "brook.toml").write_text(with_changes(text, rule.changes))
    look_in(folder)


def illegal_in(slug: str, *lines: dict[str, Any]) -> list[int]:
    """Return the lines that are accused in a log."""
    return [seq for seq, _, kind in found(folded(slug, *lines)) if kind == "illegal"]


@pytest.mark.parametrize("text", DRAWS)
def test_a_rule_about_drawing_finds_the_draws_that_break_it(own_games: Path, text: str) -> None:
    """The lines of a draw count as one, its cards each by themselves; a turn is over when somebody else has moved."""
    watch(own_games, BROOK, text)
    for log, wrong in DRAWS[text].items():
        lines = [drawn(each[0], count=int(each[1])) if each[1:] else lay(each) for each in log.split()]
        assert illegal_in("brook", lay("A"), *lines) == wrong, log


def lay(player: str, card: str = "pike") -> dict[str, Any]:
    """Return the line of a card that is laid."""
    return move("lay", player, cards=[card])


def test_a_card_beyond_those_of_the_file_is_told_by_their_number(own_games: Path) -> None:
    """Three eels are laid and the file has two: nobody is told that the third one lies among the others."""
    cards = '[cards]\nkind = ["eel", "pike"]\ncopies = 2\n'
    (own_games / "games" / "brook.toml").write_text(
        BROOK.replace('"cards of hand"', '"cards of hand"\ndoes = ["cards -> pond"]').replace(
            "[move.lay]", 'pond = "shared"\n[move.lay]'
        )
        + cards
    )
    look_in(own_games)
    (finding,) = folded("brook", lay("A", "eel"), lay("B", "eel"), lay("A", "eel"), lay("B")).findings
    assert "one more Eel than the 2 of the file" in finding.message
