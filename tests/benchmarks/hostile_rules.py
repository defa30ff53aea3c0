"""Measure how long 10,000 lines take under rules that are written to be slow, in one game and in many.

    python -m tests.benchmarks.hostile_rules               20 files, in one game, in 50 and in 500
    python -m tests.benchmarks.hostile_rules --files 5     fewer
    python -m tests.benchmarks.hostile_rules --slowest 10  profile the slowest functions of the slowest file

No file and no log may take more than two seconds of processor time for 10,000 lines. Half of the files look through
lists in lists until their steps are used up; the others stay below that, and so are read as any game is.
"""

import argparse
import cProfile
import json
import pstats
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any, Final

from tabletape.cli.terminal.output import say
from tabletape.events.startup import collect_less_often
from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.open_games import game_file_problems, look_in
from tabletape.projector.fold.folding import fold
from tabletape.projector.games import game

LINES: Final = 10_000
BEGUN: Final = 3
"""The lines of a game before those that are odd."""

GAMES: Final = (1, 50, 500)
HEAD: Final = {
    "type": "game.started",
    "edition": "v1",
    "id": "one",
    "players": [{"id": each, "name": each} for each in "AB"],
}

ODD = """
title = "Odd"
[zones]
deck = "shared hidden"
hand = "own"
table = "shared"
[counters]
mana = {{ start = 5, each = true }}
[cards]
suit = ["leaf", "bell"]
rank = [1, 2, 3, 4, 5, 6, 7, 8]
copies = 4
[words]
score = "size(table where {word})"
{turn}
[move.lay]
{phase}
fields.card = "card of {source}"
needs.odd = {{ that = "{needs}", says = "A card is odd.", cite = "L1" }}
if = "{test}"
does = ["card -> table when {when}", "mana + size({zone})"]
else = ["hand where {word} -> table", "mana(all) + size(hand)"]
then = {{ move = "draw", times = 2, unless = "{owed}", says = "One draws.", cite = "L3" }}
[move.draw]
owed = true
fields.card = "card of deck"
does = ["card -> hand"]
[when.odd]
that = "{when}"
does = ["mana - 1"]
says = "It happens."
cite = "L2"
[end.odd]
that = "{end} and mana > 400"
turns = "size(players where size(hand(it)) > score)"
winner = "players where size(hand(it)) = max(players, size(hand(it)))"
says = "It ends."
cite = "L4"
[variant.other]
move.lay.needs.odd.that = "{other}"
"""
FIRST_AND_LAST = """actions = 2
fewer = true
first = { move = "draw", unless = "no(deck)", says = "One draws first.", cite = "L6" }
last = { move = "draw", unless = "size(hand where it.rank > 2) > 3", says = "One draws up.", cite = "L7" }"""
TURNS = tuple(
    f'[turn]\n{how}\nsays = "In turn."\ncite = "L5"' if how else ""
    for how in ("", FIRST_AND_LAST, "actions = 1", 'order = "left"', 'phases = ["early", "late"]')
)
"""Everybody at once, and in turn: by actions, by lines that end it, in phases."""


def odd(rng: Random, depth: int = 3) -> str:
    """Return a condition that looks through lists in lists so deep, at none for 0."""
    if not depth:
        return rng.choice(["mana > {}", "size(hand) > {}", "size(table) < {}"]).format(rng.randint(0, 60))
    zone = rng.choice(["table", "hand", "deck"])
    inner = odd(rng, depth - 1) if depth > 1 and rng.random() < 0.9 else f"it.rank > {rng.randint(0, 9)}"
    more = rng.choice(["", " and mana >= 0" * rng.randint(1, 3), " or it in hand", " or it.suit = bell"])
    about = rng.choice(["any({} where {})", "no({} where {})", "all({}, {})", "size({} where {}) > 2"])
    return about.format(zone, inner + more)


def odd_line(rng: Random, cards: list[str], turn: str) -> dict[str, Any]:
    """Return a line of the odd game, or one that every table has."""
    player, card = rng.choice("AB"), rng.choice([*cards, "leaf-1", "?1"])
    ends = [{"type": "turn.ended", "player": player}] if "[turn]" in turn else []
    return rng.choice(
        [
            *[{"type": "move.lay", "player": player, "card": card}] * 6,
            *ends,
            *[{"type": "move.next-phase", "player": player}] * ("phases" in turn),
            {"type": "cards.drawn", "player": player, "count": rng.randint(1, 3)},
            {"type": "card.moved", "player": player, "card": card, "from": "table", "to": rng.choice(["hand", "deck"])},
            {"type": "counter.changed", "player": player, "counter": "mana", "by": rng.randint(-3, 3)},
            {"type": "state.observed", "player": player, "counters": {"mana": 5}, "zones": {"hand": 7}},
        ]
    )


def odd_file(rng: Random, depth: int = 3) -> tuple[str, str]:
    """Return a file whose conditions look so deep through lists in lists, and its table of turns."""
    parts = {part: odd(rng, depth) for part in ("needs", "when", "test", "owed", "end", "other")}
    source = rng.choice(
        ["hand", "hand where it.rank > 2", f"hand where {odd(rng, min(depth, 2))}"] if depth else ["hand"]
    )
    turn = rng.choice(TURNS)
    phase = rng.choice(['phase = "late"', "times = 1"]) if "phases" in turn else ""
    zone = rng.choice(["hand", "table"])
    return ODD.format(**parts, source=source, word=odd(rng, min(depth, 1)), zone=zone, turn=turn, phase=phase), turn


def odd_log(rng: Random, turn: str, lines: int) -> list[dict[str, Any]]:
    """Return a deal, open or hidden, and lines of the odd game in any order."""
    cards = [f"{suit}-{rank}#{copy}" for copy in range(1, 5) for suit in ("leaf", "bell") for rank in range(1, 9)]
    deal = {"cards": cards[:40]} if rng.random() < 0.5 else {"count": 40}
    return [{"type": "cards.drawn", "player": "A", **deal}, *(odd_line(rng, cards, turn) for _ in range(lines))]


def odd_games(seed: int, games: int) -> list[list[Event]]:
    """Return games of one file that have the lines together; an even seed looks deep, an odd one does not."""
    rng = Random(seed)  # noqa: S311 - the same file for the same seed
    text, turn = odd_file(rng, 0 if seed % 2 else 3)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "games").mkdir()
        (Path(folder) / "games" / "odd.toml").write_text(text)
        look_in(Path(folder))
    if problems := game_file_problems():
        raise SystemExit(str(problems))
    begun = [{**HEAD, "game": "odd"}, {"type": "first-player.chosen", "player": "A"}]
    decode = game("odd").vocabulary.decode
    return [
        [decode(json.dumps(line)) for line in (*begun, *odd_log(rng, turn, LINES // games - BEGUN))]
        for _ in range(games)
    ]


def measured(seed: int, games: int) -> tuple[float, int, int]:
    """Return the processor time that the games of a file take, their findings, and in how many its rules took long."""
    logs, one, found, long = odd_games(seed, games), game("odd"), 0, 0
    began = time.process_time()
    for log in logs:
        replay = fold(one, log)
        found += len(replay.findings)
        long += replay.table.took_too_long
        replay.table.clear_away()
    return time.process_time() - began, found, long


def main() -> None:
    """Print the time of each file, and profile the slowest where that is asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--files", type=int, default=20)
    parser.add_argument("--slowest", type=int, default=0)
    arguments = parser.parse_args()
    collect_less_often()  # as every command does
    slowest = (0.0, 0, 0)
    for games in GAMES:
        for seed in range(arguments.files):
            seconds, found, long = measured(seed, games)
            slowest = max(slowest, (seconds, seed, games))
            say(f"{seconds:6.2f} s  file {seed}, {games} games, {found} findings, {long} games took too long")
    seconds, seed, games = slowest
    say(f"{seconds:6.2f} s  the slowest: file {seed}, {games} games")
    if arguments.slowest:
        profile = cProfile.Profile()
        profile.runcall(measured, seed, games)
        pstats.Stats(profile).sort_stats("tottime").print_stats(arguments.slowest)


if __name__ == "__main__":
    main()
