"""Holds real games of Hanabi against the co-operative example and against the package, by their first findings.

    python -m tests.benchmarks.hanabi_games FOLDER

The folder has the logs of HanabiData (github.com/yawgmoth/HanabiData), `game*.log`; none of them is kept here. A game
is written once as lines of each of the two, of which it is then said whether they find the same first.
"""

import ast
import json
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tabletape.cli.terminal.output import say
from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.open_games import look_in
from tabletape.projector.fold.folding import fold
from tabletape.projector.games import game
from tabletape.projector.model.game import Game

ROOT: Final = Path(__file__).parents[2]
COLOURS: Final = ("green", "yellow", "white", "blue", "red")
"""The colours by their numbers in the logs."""

COLOUR, RANK, PLAY, DISCARD = range(4)
HAND: Final = 5

_MOVE: Final = re.compile(r"MOVE: (\d) (\d) (\d|None) (\d|None) (\d|None) (\d|None)")
_HAND: Final = re.compile(r"\S+ (?:now )?has (.+)")
_LAID: Final = re.compile(r"\S+ (?:plays|discards) (\w+ \d)")

SAME: Final[Mapping[str, str]] = {
    "turn": "hanabi.turn.own",
    "clue.to": "hanabi.clue.another",
    "clue.tokens": "hanabi.clue.token",
    "clue.points": "hanabi.clue.cards",
    "discard.not-at-eight": "hanabi.discard.not-at-eight",
    "discard.card": "hanabi.card.from-hand",
    "play.card": "hanabi.card.from-hand",
    "discard.then": "hanabi.turn.draw",
    "play.then": "hanabi.turn.draw",
}
"""What the rules of the example are called in the package."""

Lines = list[dict[str, Any]]
Move = tuple[int, int, int | None, int | None, int | None, int | None]


def told(file: Path) -> tuple[list[str], list[tuple[Move, list[str], str]]]:
    """Return the deck behind the deal, and each move with the hand that is told behind it and the card that is laid."""
    deck, moves = list[str](), list[tuple[Move, list[str], str]]()
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("[(") and not deck:
            deck = [f"{COLOURS[colour]}-{rank}" for colour, rank in ast.literal_eval(line)]
        elif found := _MOVE.fullmatch(line.strip()):
            move: Any = tuple(None if each == "None" else int(each) for each in found.groups())
            moves.append((move, [], ""))
        elif moves and (found := _HAND.fullmatch(line.strip())):
            moves[-1][1].extend(card.replace(" ", "-") for card in found[1].split(", "))
        elif moves and (found := _LAID.match(line)):
            moves[-1] = (*moves[-1][:2], found[1].replace(" ", "-"))
    return deck, moves


def dealt(moves: list[tuple[Move, list[str], str]]) -> dict[int, list[str]]:
    """Return the opening hands: what is told of a hand first, with what was laid away and without what was drawn."""
    hands = dict[int, list[str]]()
    for (player, kind, place, to, _, _), hand, card in moves:
        whose = to if kind in {COLOUR, RANK} else player
        if whose is None or whose in hands or not hand:
            continue
        before = list(hand)
        if kind in {PLAY, DISCARD} and place is not None:
            before = [*hand[:place], card, *hand[place:]][:HAND]
        hands[whose] = before
    return hands


def lines_of(file: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what happened in a game, each line with its kind; copies of a card are numbered as they come."""
    deck, moves = told(file)
    hands, copies = dealt(moves), Counter[str]()

    def numbered(card: str) -> str:
        copies[card] += 1
        return f"{card}#{copies[card]}" if card[-1] != "5" else card

    if sorted(hands) != [0, 1] or any(len(hand) != HAND for hand in hands.values()) or len(deck) != 50 - 2 * HAND:
        return
    held = {player: [numbered(card) for card in hand] for player, hand in sorted(hands.items())}
    left = [numbered(card) for card in deck]
    for player, hand in held.items():
        yield "cards.drawn", {"player": "AB"[player], "cards": [*hand]}
    owes = -1
    for (player, kind, place, to, colour, rank), _, _ in moves:
        who = "AB"[player]
        if owes >= 0:
            yield "cards.drawn", {"player": "AB"[owes], "cards": held[owes][-1:]}
        owes = -1
        if kind in {COLOUR, RANK} and to is not None:
            about = {"colour": COLOURS[colour or 0]} if kind == COLOUR else {"rank": rank}
            yield "clue", {"player": who, "to": "AB"[to], **about}
        elif place is not None:
            yield "play" if kind == PLAY else "discard", {"player": who, "card": held[player].pop(place)}
            if left:
                held[player].append(left.pop(0))
                owes = player  # that the game ended with this move nothing says before the next one


def written(one: Game, file: Path, types: Mapping[str, str]) -> list[Event]:
    """Return a game as events of one of the two; none where its log does not say what was dealt."""
    head = {"type": "game.started", "game": one.slug, "edition": "2010", "id": file.stem}
    seats = [{"id": each, "name": each} for each in "AB"]
    lines = [{"type": types.get(kind, kind), **line} for kind, line in lines_of(file)]
    whole = [{**head, "players": seats, "rulings": {"empty_clues": "not_allowed"}}, *lines]
    return [one.vocabulary.decode(json.dumps(line)) for line in whole] if lines else []


def first_finding(one: Game, events: list[Event]) -> tuple[int, str] | None:
    """Return the line and the rule of the first finding of a game."""
    found = [each for each in fold(one, events).findings if each.kind in {"illegal", "missing", "mismatch"}]
    if not found:
        return None
    rule = found[0].rule
    return found[0].seq, SAME.get(rule.removeprefix("fireworks."), rule)


def compared(file: Path, sides: Sequence[tuple[Game, Mapping[str, str]]], counts: Counter[str]) -> None:
    """Count what the first findings of a game are in the package and in the file, and print those that differ."""
    events = [written(one, file, types) for one, types in sides]
    if not events[0]:
        counts["games without a deal"] += 1
        return
    of_package, of_file = (first_finding(one, each) for (one, _), each in zip(sides, events, strict=True))
    counts["games"] += 1
    counts["lines"] += len(events[0])
    counts["with a first finding of the package"] += of_package is not None
    counts["the same in the file"] += of_package is not None and of_package == of_file
    counts["none in the package, one in the file"] += of_package is None and of_file is not None
    if of_package is not None:
        counts[f"of the package by {of_package[1]}"] += 1
    if of_package != of_file:
        say(f"{file.name}: package {of_package}, file {of_file}")


def main() -> None:
    """Print how many first findings are the same, and which are not."""
    sys.path.insert(0, str(ROOT / "tests" / "hanabi_game"))
    from hanabi import GAME  # type: ignore[import-not-found]  # noqa: PLC0415 - it lives in a folder of the tests

    counts = Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "docs" / "own-games", Path(folder) / "games")
        look_in(Path(folder))
        moves = {"clue": "clue.given", "play": "card.played", "discard": "card.discarded"}
        sides = ((GAME, moves), (game("fireworks"), {each: f"move.{each}" for each in moves}))
        for file in sorted(Path(sys.argv[1]).glob("game*.log")):
            compared(file, sides, counts)
    for name, number in counts.items():
        say(f"{number:>9,} {name}")


if __name__ == "__main__":
    main()
