"""A hundred revokes planted in games of the file of Whist: each is found in its line, and nothing else is."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tabletape.events.vocabulary import vocabulary
from tabletape.events.vocabulary.open_games import look_in
from tabletape.projector.fold.folding import fold
from tabletape.projector.games import game

EXAMPLE = Path(__file__).parents[2] / "docs" / "own-games" / "whist.toml"
SUITS = ("clubs", "diamonds", "hearts", "spades")
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace")


@pytest.fixture(autouse=True)
def workspace(tmp_path: Path) -> Iterator[None]:
    """Make a workspace with the file of Whist."""
    (tmp_path / "games").mkdir()
    shutil.copy(EXAMPLE, tmp_path / "games")
    look_in(tmp_path)
    yield
    look_in(Path(__file__).parent)


def played(luck: Random, *, hidden: bool) -> tuple[list[dict[str, Any]], int]:
    """Return a game that follows suit but once, and the number of that line."""
    deck = [f"{suit}-{rank}" for suit in SUITS for rank in RANKS]
    luck.shuffle(deck)
    hands = {player: deck[at * 13 : at * 13 + 13] for at, player in enumerate("ABCD")}
    seats = [{"id": each, "name": each} for each in hands]
    lines: list[dict[str, Any]] = [
        {"type": "game.started", "game": "whist", "edition": "v1", "id": "one", "players": seats, "rulings": {}},
        *(
            {"type": "cards.drawn", "player": player} | ({"count": 13} if hidden else {"cards": hand[:]})
            for player, hand in hands.items()
        ),
        {"type": "first-player.chosen", "player": "A"},
    ]
    revoked, wanted, leader = 0, luck.randint(9, 42), 0
    for _ in range(13):
        laid: list[tuple[int, str]] = []
        for player in ((leader + step) % 4 for step in range(4)):
            hand, led = hands["ABCD"[player]], laid[0][1].partition("-")[0] if laid else ""
            following = [card for card in hand if card.startswith(led)]
            others = [card for card in hand if not card.startswith(led)]
            revokes = not revoked and len(lines) >= wanted and bool(following and others)
            card = luck.choice(others if revokes else following or hand)
            hand.remove(card)
            laid.append((player, card))
            lines.append({"type": "move.lay", "player": "ABCD"[player], "card": card})
            revoked = len(lines) if revokes else revoked
        leader = max(laid, key=lambda each: worth(each[1], laid[0][1]))[0]
    return lines, revoked


def worth(card: str, first: str) -> tuple[bool, bool, int]:
    """Return what a card is worth in a trick: trumps, then the suit that was led, then by rank."""
    suit, _, rank = card.partition("-")
    return suit == "hearts", suit == first.partition("-")[0], RANKS.index(rank)


@pytest.mark.parametrize("hidden", [False, True])
def test_each_of_a_hundred_revokes_is_found_in_its_line_and_nothing_else(*, hidden: bool) -> None:
    """With hidden hands it is open until the suit comes out: the line itself, folded alone, accuses nobody."""
    decode = vocabulary("whist").decode
    for seed in range(100):
        lines, revoked = played(Random(seed), hidden=hidden)  # noqa: S311 - the same game for the same seed
        events = [decode(json.dumps(line)) for line in lines]
        found = [(each.seq, each.rule, each.kind) for each in fold(game("whist"), events).findings]
        assert found == ([(revoked, "whist.lay.follow", "illegal")] if revoked else [])
        kinds = {each.kind for each in fold(game("whist"), events[:revoked]).findings} if revoked else set()
        assert kinds <= ({"unverifiable"} if hidden else {"illegal"})
