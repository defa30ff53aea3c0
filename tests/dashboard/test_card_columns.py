"""Sentences about what a list of the cards says of each, about moves that count together, and about what is over.

Each is read as it stands, and its rule is held against lines that break it and lines that do not.
"""

import json
from pathlib import Path
from typing import Any

import pytest
import tomlkit

from tabletape.dashboard.own_game.asking import rule_said
from tabletape.dashboard.own_game.besides import known_form, own_game
from tabletape.dashboard.own_game.chat import read_chat, surveyed
from tabletape.dashboard.own_game.cited import cite_sentence
from tabletape.dashboard.own_game.file import begin_file, with_changes
from tabletape.dashboard.own_game.game import FirstRule, OwnGame
from tabletape.dashboard.own_game.look import first_look, with_cards, with_moves
from tabletape.dashboard.own_game.offered import offers
from tabletape.dashboard.own_game.questions import RuleQuestion
from tabletape.dashboard.own_game.sentence_reader import read_sentence
from tabletape.dashboard.own_game.taught import read_plainly
from tabletape.events.vocabulary.open_games import games_of, look_in
from tabletape.projector.fold.folding import fold
from tabletape.projector.games import open_game
from tabletape.projector.model.rules import Finding

BOOK = (
    "Every ware has a colour, a price and a weight.",
    "Put a ware into your stall: that is storing.",
    "To store a ware, put it into your stall.",
    "An action is one of: buy a ware, sell a ware, or store a ware.",
    "Barley and millet together are called grains.",
    "Knocking: put a pepper face up in front of you.",
)
WARES = [
    {"kind": "barley", "colour": "yellow", "price": 2, "weight": 4},
    {"kind": "millet", "colour": "yellow", "price": 3, "weight": 3},
    {"kind": "pepper", "colour": "black", "price": 3, "weight": 2},
    {"kind": "clove", "colour": "black", "price": 4, "weight": 1},
    {"kind": "sumac", "colour": "red", "price": 1, "weight": 5},
]
CARDS = {"cards": "cards of hand"}
RAW: dict[str, Any] = {
    "title": "Lane",
    "zones": {"deck": "shared hidden", "hand": "own", "somewhere": "shared hidden"},
    "cards": {"list": WARES, "copies": "any"},
    "move": {
        "buy": {"fields": {"cards": "cards of somewhere", "number": "number 0 to 1000?"}},
        "store": {"fields": {"cards": "cards of hand?"}},
        "sell": {"fields": CARDS},
        "pay": {"fields": {"number": "number 0 to 1000?", "to": "player"}},
        "ring": {},
        "knock": {},
        "draw": {"owed": True, "fields": {"cards": "cards of deck"}, "does": ["cards -> hand"]},
    },
}
READ = {
    "A ware may not be of the same colour as the last ware in your stall.": (
        "store: the colour is not that of the last card on the own stall"
    ),
    "The ware you store must weigh less than the last ware in your stall.": (
        "store: the weight is lower than that of the last card on the own stall"
    ),
    "A ware you store must be cheaper than the last ware in your stall.": (
        "store: the price is lower than that of the last card on the own stall"
    ),
    "A ware with a weight of more than 4 cannot be sold.": "sell: the weight is at most 4",
    "Only wares with a weight of at least 3 may be sold.": "sell: the weight is at least 3",
    "A ware costs as many coins as its price.": "buy: what is paid is the price of the cards",
    "When you store a ware or sell a ware you must pay its price in coins.": (
        "pay: what is paid is the price of the cards of the store or sell before it"
    ),
    "You may not sell more than two wares in a turn.": "sell: at most 2 cards in a turn by the same player",
    "A grain may not be sold.": "sell: the kind is not grain",
    "On your turn you take up to two actions.": (
        "buy, store and sell together: at most twice in a turn by the same player"
    ),
    "You may never take more than two actions in a turn.": (
        "buy, store and sell together: at most twice in a turn by the same player"
    ),
    "After that you take one or two actions.": (
        "buy, store and sell together: at most twice in a turn by the same player"
    ),
    "You can never do the same action twice in one turn.": "buy: at most once in a turn by the same player",
    "Never buy and sell in the same turn.": "buy: not after the player has done sell in the same turn",
    "After the bell has been rung nobody may buy a ware.": "buy: not after somebody has done ring in the game",
    "Once somebody has knocked, nobody may sell any more.": "sell: not after somebody has done knock in the game",
    "After you have knocked you may not sell any more.": "sell: not after the player has done knock in the game",
    "After you sell something you may not buy in the same turn.": (
        "buy: not after the player has done sell in the same turn"
    ),
    "You may not sell before somebody has knocked.": "sell: only after somebody has done knock",
    "You pay to the player on your left, not to the bank.": "pay: only the next player is named",
    "A ware costs as many coins as its price, unless it is red.": (
        "buy: what is paid is the price of the cards, unless it is red"
    ),
    "A grain may not be of the same colour as the last grain in your stall.": (
        "store with grain: the colour is not that of the last card on the own stall"
    ),
    "After a pepper only a barley or a millet can be stored.": (
        "store: the kind is barley or millet, or not where pepper lies last on the own stall"
    ),
    "You may not knock in the first round.": "knock: the round is later than 1",
    "You must pay not to the right but to the left.": "pay: only the next player is named",
}
"""Sentences that are understood whole, and what the first of their moves has to be."""

OPEN = (
    "A ware may not be of the same suit as the last ware in your stall.",
    "A ware you store must be prettier than the last ware in your stall.",
    "Wares with a weight of 3 or more may only be sold in the first round.",
    "A ware with a weight of 4 cannot be sold until somebody has knocked.",
    "You may not sell after you have bought.",
    "After somebody has knocked nobody may sell until somebody rings.",
    "After a barrel has been sold nobody may buy any more.",
    "A player who has more than nine coins pays the rest back.",
    "If you buy a ware, you must sell a ware in that turn.",
    "Wares may not be led until somebody has knocked.",
    "On your turn you buy one or two wares.",
    "You may pay the player on your left, and not the bank.",
)
"""Sentences of which no rule is made that leaves out, or turns round, what they say."""


def lane(*more: str) -> OwnGame:
    """Return the game with a rulebook that ends with these sentences."""
    said = [cite_sentence(text, f"L{line}") for line, text in enumerate((*BOOK, *more), 1)]
    return own_game(RAW, said, draws=True)._replace(order=("Ann", "Ben", "Cleo"))


def rule_of(text: str, more: tuple[str, ...] = ()) -> FirstRule:
    """Return the rule of a sentence, behind `more` of the rulebook, where what that says itself is answered."""
    own = lane(*more, text)
    sentence = own.sentences[-1]
    rule = rule_said(own, sentence, known_form(sentence, own), lambda question: question.usual)
    assert isinstance(rule, FirstRule), rule
    return rule


def found(text: str, *lines: tuple[Any, ...], more: tuple[str, ...] = ()) -> list[tuple[int, str]]:
    """Return the kinds of the findings of the rule of a sentence, each with the number of its line."""
    return [(each.seq - 1, each.kind) for each in findings(text, *lines, more=more)]


def findings(text: str, *lines: tuple[Any, ...], more: tuple[str, ...] = ()) -> list[Finding]:
    """Return what the rule of a sentence finds in the lines that are told."""
    file = with_changes(tomlkit.dumps(RAW), rule_of(text, more).changes)
    one = open_game(games_of("lane.toml", "lane", file)["lane"])
    seats = [{"id": each.casefold(), "name": each} for each in ("Ann", "Ben", "Cleo")]
    events: list[dict[str, Any]] = [
        {"type": "game.started", "game": "lane", "edition": "unknown", "id": "one", "players": seats}
    ]
    for who, move, *said in lines:
        type_ = {"gap": "log.gap", "draw": "cards.drawn"}.get(move, f"move.{move}")
        fields = {
            "cards" if isinstance(each, list) else "number" if isinstance(each, int) else "to": each for each in said
        }
        events.append({"type": type_, **({"lines": 1, "text": "?"} if move == "gap" else {"player": who}), **fields})
    replay = fold(one, [one.vocabulary.decode(json.dumps(each)) for each in events])
    assert replay.stopped is None
    return replay.findings


@pytest.mark.parametrize(("text", "read"), READ.items())
def test_a_sentence_is_read_whole(text: str, read: str) -> None:
    """Its columns, its moves and how long it holds come from the sentence, and its rule makes a file."""
    own = lane(text)
    each, *_ = read_sentence(own.sentences[-1], own)
    assert (each.composition.shown, each.left, each.is_part) == (read, "", False)
    assert games_of("lane.toml", "lane", with_changes(tomlkit.dumps(RAW), rule_of(text).changes))


@pytest.mark.parametrize("text", OPEN)
def test_a_sentence_that_says_more_or_else_is_left_open(text: str) -> None:
    """Enter writes nothing of it."""
    own = lane(text)
    sentence = own.sentences[-1]
    assert not isinstance(rule_said(own, sentence, known_form(sentence, own), lambda _: ""), FirstRule)


ACTIONS = "You may never take more than two actions in a turn."
PRICE = "When you sell a ware you must pay its price in coins."
BELL = "After the bell has been rung nobody may sell."


@pytest.mark.parametrize(
    ("text", "lines", "findings"),
    [
        (ACTIONS, [("ann", "buy", ["clove"]), ("ann", "sell", ["clove"]), ("ann", "store", ["sumac"])],
         [(3, "illegal")]),
        (ACTIONS, [("ann", "buy", ["clove"]), ("ann", "pay", 4, "ben"), ("ann", "sell", ["clove"])], []),
        (ACTIONS, [("ann", "buy", ["clove"]), ("ann", "sell", ["clove"]), ("ben", "draw", ["clove"]),
                   ("ann", "sell", ["sumac"])], []),
        (ACTIONS, [("ann", "buy", ["clove"]), ("ann", "sell", ["clove"]), ("", "gap"), ("ann", "sell", ["sumac"])],
         [(4, "unverifiable")]),
        (ACTIONS, [("ann", "draw", ["clove"]), ("ann", "buy", ["clove"]), ("ann", "sell", ["clove"]),
                   ("ben", "draw", ["sumac"]), ("ann", "draw", ["sumac"]), ("ann", "sell", ["sumac"])], []),
        (ACTIONS, [("ann", "draw", ["clove"]), ("ann", "buy", ["clove"]), ("ann", "sell", ["clove"]),
                   ("ann", "store", ["clove"])], [(4, "illegal")]),
        ("You may not knock in the first round.",
         [("ann", "sell", ["clove"]), ("ann", "knock"), ("ben", "sell", ["clove"]), ("ann", "knock")],
         [(2, "illegal")]),
        ("Whoever knocks may not sell on their next turn.",
         [("ann", "knock"), ("ann", "sell", ["clove"]), ("ben", "buy", ["clove"]), ("ann", "buy", ["clove"]),
          ("ben", "buy", ["clove"]), ("ann", "sell", ["clove"])], []),
        ("Whoever knocks may not sell on their next turn.",
         [("ann", "knock"), ("ben", "sell", ["clove"]), ("ann", "sell", ["clove"])], [(3, "illegal")]),
        ("You may not knock on two of your turns in a row.",
         [("ann", "knock"), ("ann", "knock"), ("ben", "buy", ["clove"]), ("ann", "knock"), ("ben", "buy", ["clove"]),
          ("ann", "buy", ["clove"]), ("ben", "buy", ["clove"]), ("ann", "knock")], [(4, "illegal")]),
        ("After you sell something you may not buy in the same turn.",
         [("ann", "sell", ["clove"]), ("ben", "draw", ["sumac"]), ("ann", "buy", ["clove"])], []),
        (PRICE, [("ann", "sell", ["clove"]), ("ann", "pay", 3, "ben")], [(2, "illegal")]),
        (PRICE, [("ann", "sell", ["clove"]), ("ann", "pay", 4, "ben"), ("ann", "pay", 1, "cleo")], []),
        (PRICE, [("ann", "sell", ["clove", "sumac"]), ("ann", "pay", 5, "ben")], []),
        (PRICE, [("ann", "sell", ["clove"]), ("ann", "draw", ["sumac"]), ("ann", "pay", 1, "ben")], []),
        (PRICE, [("ann", "sell", ["clove"]), ("ben", "pay", 1, "ann"), ("ann", "pay", 4, "ben")], []),
        (BELL, [("ann", "sell", ["clove"]), ("ann", "ring"), ("ben", "sell", ["clove"])], [(3, "illegal")]),
        (BELL, [("ann", "sell", ["clove"]), ("ben", "sell", ["clove"]), ("", "gap"), ("ben", "sell", ["clove"])],
         []),
        ("A ware with a weight of more than 4 cannot be sold.",
         [("ann", "sell", ["clove"]), ("ann", "sell", ["clove", "sumac"])], [(2, "illegal")]),
        ("A ware costs as many coins as its price.",
         [("ann", "buy", ["clove"], 4), ("ann", "buy", ["clove"]), ("ann", "buy", ["clove", "sumac"], 5),
          ("ben", "buy", ["clove"], 5)], [(4, "illegal")]),
        ("A ware may not be of the same colour as the last ware in your stall.",
         [("ann", "store", ["clove"]), ("ben", "store", ["pepper"]), ("ann", "store", ["pepper"])], [(3, "illegal")]),
        ("A ware may not be of the same colour as the last ware in your stall.",
         [("ann", "store", ["clove"]), ("ann", "store"), ("ann", "store", ["pepper"])],
         [(2, "unverifiable"), (3, "unverifiable")]),
    ],
)  # fmt: skip
def test_a_rule_accuses_who_breaks_it_and_nobody_else(
    text: str, lines: list[tuple[Any, ...]], findings: list[tuple[int, str]]
) -> None:
    """What others do, what stands between, and what nobody could read accuses no innocent."""
    assert found(text, *lines) == findings


def test_several_moves_that_somebody_chooses_may_be_counted_together() -> None:
    """Two of them may be what one does in a turn, though each may be done twice."""
    own = lane("Nobody may be greedy.")
    answers = {"move": "buy, sell, knock", "what": "how often it is done"}

    def ask(question: RuleQuestion) -> str:
        told = next((each for each in question.choices if "together" in each), "")
        return f"{told}\t2" if question.name == "detail" else answers.get(question.name, question.usual)

    rule = rule_said(own, own.sentences[-1], None, ask)
    assert isinstance(rule, FirstRule)
    assert rule.words == "buy, sell and knock together: at most twice in a turn by the same player"
    assert {move for move, table in rule.changes["move"].items() if "needs" in table} == {"buy", "sell", "knock"}


def test_cards_that_are_laid_with_each_other_are_two_of_one_line(tmp_path: Path) -> None:
    """Whoever takes one with another does something else with that: nobody knows what, so it stays open."""
    (tmp_path / "games").mkdir()
    said = (
        "Mara: I play a fox",
        "Ben: I take an owl",
        "Mara: plays the fox with the crow",
        "Ben: takes a fox with a crow",
    )
    content = "".join(f"27.11.26, 20:{at:02} - {line}\n" for at, line in enumerate(said)).encode()
    seen = surveyed(content, "chat.txt")
    look = with_moves(first_look(seen, []), "play, take")
    look = with_cards(look, "fox, crow, owl") if look else None
    assert look is not None
    begin_file(tmp_path / "games" / "forest.toml", look, seen)
    look_in(tmp_path)
    chat = read_plainly(read_chat(content, seen, look, tmp_path / "games" / "forest.toml"), tmp_path)
    assert [(each.number, each.shown) for each in offers(chat, tmp_path)] == [
        (3, "Mara: plays the fox and the crow  (with: and?)")
    ]


def test_whoever_draws_first_begins_another_turn() -> None:
    """Also where nobody has written down what the others did meanwhile."""
    first = "At the start of your turn you must draw one card."
    lines = [
        ("ann", "draw", ["clove"]),
        ("ann", "buy", ["clove"]),
        ("ann", "sell", ["clove"]),
        ("ann", "draw", ["sumac"]),
    ]
    assert found(ACTIONS, *lines, ("ann", "sell", ["sumac"]), more=(first,)) == []
    assert found(ACTIONS, *lines, ("ann", "sell", ["sumac"])) == [(5, "illegal")]


@pytest.mark.parametrize(
    ("text", "lines", "said"),
    [
        ("You may not knock in the first round.", [("ann", "knock")], "it is Ann's 1st turn; more than 1 is needed."),
        ("Whoever knocks may not sell on their next turn.",
         [("ann", "knock"), ("ben", "ring"), ("ann", "sell", ["clove"])], "Ann has done knock in the turn before."),
        ("You may not knock on two of your turns in a row.",
         [("ann", "knock"), ("ben", "ring"), ("ann", "knock")],
         "it is the 2nd turn in a row with a knock by Ann; at most 1 is allowed."),
        (ACTIONS, [("ann", "buy", ["clove"]), ("ann", "sell", ["clove"]), ("ann", "store", ["sumac"])],
         "it is Ann's 3rd buy or store or sell in this turn; at most 2 are allowed."),
    ],
)  # fmt: skip
def test_a_finding_says_what_was_counted(text: str, lines: list[tuple[Any, ...]], said: str) -> None:
    """And nothing of how it was counted."""
    (one,) = findings(text, *lines)
    assert one.message == f"{text} Here {said}"
