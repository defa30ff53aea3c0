"""Measure how much work it is to keep a log with the scribe, and how fast the scribe answers.

    python tests/benchmarks/scribe_effort.py [--games 3] [--game NAME] [LOG.jsonl …]

Games of bots, or those of the given logs, are written line by line into a new log with the scribe's own functions, once
with all hands known and once with all hands hidden. Measured are: how often a legal decision is offered and a chance
event is due; how many taps a decision takes (a card first, then what is left to choose); how many letters have to be
typed, at the fewest, until the decision is the first one; and the milliseconds for a tap, from the write to the new
screen. A line that is not offered is written directly, as with the form of the scribe.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET
from rich.console import Console
from rich.table import Table as Printed

from tabletape.events.log import Log
from tabletape.events.vocabulary import Chance, Consequence, Event, Remark, vocabulary
from tabletape.events.vocabulary.names import unseen_cards
from tabletape.events.vocabulary.shared import DeckDeclared, GameStarted, PlayTakenBack
from tabletape.projector.games import game, games
from tabletape.projector.model.areas import EVERYTHING
from tabletape.projector.model.deciding import Offer, is_same
from tabletape.projector.model.due import covers
from tabletape.projector.model.phrases import tile_in_words
from tabletape.projector.scribing.box import ranked, words_of
from tabletape.projector.scribing.choices import Choice, Group, choices_of, in_steps, narrowed
from tabletape.projector.scribing.screen import ViewerScreen
from tabletape.projector.scribing.scribe import Scribe
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.simulate import Plan, simulate

CONSOLE = Console(width=120)
PUBLIC = ""
FIRST_FIVE = 5


class Effort:
    """The measurements over the matches of one game for one viewer."""

    def __init__(self) -> None:
        self.offered: list[bool] = []
        self.asked: list[bool] = []
        self.taps: list[int] = []
        self.longest = 0
        self.letters: list[int] = []
        self.early: list[bool] = []
        self.milliseconds: list[float] = []
        self.reloads: list[float] = []


def written(path: Path) -> Iterator[list[Event]]:
    """Yield the matches of a log."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    slug = msgspec.json.decode(lines[0])["game"]
    found: list[Event] = []
    for line in lines:
        event = vocabulary(slug).decode(line)
        if isinstance(event, GameStarted) and found:
            yield found
            found = []
        found.append(event)
    yield found


def played(slug: str, number: int) -> Iterator[list[Event]]:
    """Yield matches of a greedy and a random bot."""
    one = game(slug)
    for match in simulate(one, one.cards, Plan(seed=17, bots=(Bot.GREEDY, Bot.RANDOM), limit=400), number):
        yield match.events


def write_match(events: Sequence[Event], viewer: str, effort: Effort) -> None:
    """Write a match into a new log, as a person who sees the hands that `viewer` sees, and measure each line."""
    with tempfile.TemporaryDirectory() as folder, Log.open(Path(folder) / "t.db", create=True) as log:
        head, *rest = [msgspec.structs.replace(event, seq=UNSET) for event in events]
        if not isinstance(head, GameStarted):
            raise TypeError("a game begins with game.started")
        decks = [event for event in rest if isinstance(event, DeckDeclared)]
        log.append(head.id, [head, *decks], expected_last_seq=0)
        scribe = Scribe(log, head.id)
        viewer_screen = ViewerScreen(scribe, viewer)
        for event in rest:
            if not isinstance(event, DeckDeclared | Consequence | Remark | PlayTakenBack):
                is_offered = measure_line(scribe, viewer_screen, event, effort)
                start = time.perf_counter()
                scribe.write([event], scribe.last_seq)
                viewer_screen.screen()
                effort.milliseconds.append(1000 * (time.perf_counter() - start))
                found = scribe.brought()
                if is_offered or (is_offered is False and not any(each.kind == "illegal" for each in found)):
                    effort.offered.append(is_offered)
        start = time.perf_counter()
        ViewerScreen(Scribe(log, head.id), viewer).screen()
        effort.reloads.append(1000 * (time.perf_counter() - start))


def measure_line(scribe: Scribe, viewer_screen: ViewerScreen, event: Any, effort: Effort) -> bool | None:
    """Measure what it takes to write the next event; return whether it was offered, or None for no decision."""
    table, one = scribe.replay.table, scribe.replay.game
    if any(covers(due, event) for due in one.due(table)):
        if isinstance(event, Chance):
            effort.asked.append(True)
        return None
    if isinstance(event, Chance):
        effort.asked.append(False)
        return None
    if event.ANY_TIME:
        return None
    wanted = without_names(event) if viewer_screen.choices and hands_are_hidden(viewer_screen) else event
    choice = next((each for each in viewer_screen.choices if is_same(table, each.event, wanted)), None)
    if choice is not None:
        effort.taps.append(taps_for(scribe, viewer_screen.choices, choice, effort))
    else:
        continuations = [*continuations_of(scribe, viewer_screen.choices, event)]
        choice = continuations[0][0] if continuations else None
        effort.taps += (
            [min(taps_for_two(scribe, viewer_screen.choices, continuation, effort) for continuation in continuations)]
            if continuations
            else []
        )
    if choice is not None:
        fewest, early = letters_for(viewer_screen.choices, choice)
        effort.letters.append(fewest)
        effort.early.append(early)
    return choice is not None


def hands_are_hidden(viewer_screen: ViewerScreen) -> bool:
    """Return whether the hands are hidden."""
    return viewer_screen.viewer == PUBLIC


def without_names(event: Any) -> Any:
    """Return a mulligan with unseen cards in place of the returned ones; all other events stay as they are."""
    if not hasattr(event, "returned"):
        return event
    return msgspec.structs.replace(event, returned=unseen_cards(event.player, len(event.returned)))


Continuation = tuple[Choice, Choice, list[Choice]]


def continuations_of(scribe: Scribe, choices: list[Choice], event: Event) -> Iterator[Continuation]:
    """Yield the choices that a decision continues, each with that decision and all choices that continue it."""
    replay, table = scribe.replay, scribe.replay.table
    (whole,) = choices_of(table, [Offer(event=event)])
    for first_choice in choices:
        if {*first_choice.marks} < {*whole.marks}:
            more = choices_of(
                table, (Offer(event=each) for each in replay.game.shortlist.more(table, first_choice.event))
            )
            yield from ((first_choice, each, more) for each in more if is_same(table, each.event, event))


def taps_for_two(scribe: Scribe, choices: list[Choice], continuation: Continuation, effort: Effort) -> int:
    """Return how many taps a decision takes that continues another one, the first in `continuation`.

    To continue, `and another` is tapped beside the first decision, or the second one if no other choice is left.
    For the second one a tap on a free cell that leaves one decision writes it.
    """
    first_choice, choice, more = continuation
    first = taps_for(scribe, choices, first_choice, effort, continued=())
    is_left = len(narrowed(choices, first_choice.marks[1:first])) == 1
    return first - is_left + taps_for(scribe, more, choice, effort, continued=first_choice.marks)


def taps_for(
    scribe: Scribe, choices: list[Choice], choice: Choice, effort: Effort, continued: tuple[str, ...] | None = None
) -> int:
    """Return how many taps a decision takes: first a card on the board, unless the list shows the decision at once.

    `continued` are the marks of the decision that it continues.
    """
    table = scribe.replay.table
    taken: list[str] = [*(continued or ())]
    left = narrowed(choices, taken) if taken else ranked(choices, "")
    areas = scribe.replay.game.areas(table, EVERYTHING)
    drawn = {f"{cell.place[0]},{cell.place[1]}" for area in areas for cell in area.cells if cell.place}
    drawn |= {area.place for area in areas}
    on_board = [mark for mark in choice.marks[1:] if mark in table.cards or mark in drawn]
    for number in range(6):
        shown = in_steps(table, left, taken)
        effort.longest = max(effort.longest, len(shown))
        if continued and number and len(left) == 1 and taken[-1] in drawn:
            return number
        if choice in shown and (number or continued is None):
            return number + 1
        left_over = [mark for mark in choice.marks if mark not in taken]
        rows = [f"{mark.partition(',')[0]}," for mark in left_over if "," in mark]
        groups = [each.mark for each in shown if isinstance(each, Group)]
        group = next((mark for mark in [*left_over, *rows] if mark in groups), "")
        free = [mark for mark in on_board if mark not in taken]
        taken.append(free[0] if free else group or choice.marks[0])
        left = narrowed(choices, taken)
    return 9


def letters_for(choices: list[Choice], choice: Choice) -> tuple[int, bool]:
    """Return the fewest letters until the decision is the first one, and whether it is early.

    Early: among the first five after two letters of each of the first words that name its cards and places.
    """
    words = words_of(choice.words)
    best = 99

    def found(typed: str) -> int:
        return next((n for n, each in enumerate(ranked(choices, typed)) if each is choice), 99)

    queries = [word[:size] for word in words for size in range(1, len(word) + 1)]
    pairs = [f"{a[:n]} {b[:m]}" for a, b in combinations(words, 2) for n in (1, 2, 3, 4) for m in (1, 2, 3, 4)]
    triples = [f"{a[:n]} {b[:m]} {c[:2]}" for a, b, c in combinations(words, 3) for n in (1, 2, 3) for m in (1, 2, 3)]
    for query in sorted({*queries, *pairs, *triples}, key=lambda each: (len(each.replace(" ", "")), each)):
        if len(query.replace(" ", "")) >= best:
            break
        if found(query) == 0:
            best = len(query.replace(" ", ""))
    named = [word for mark in choice.marks[1:] for word in words_for(mark) if word in words][:3] or words[:2]
    return best, found(" ".join(word[:2] for word in sorted(named, key=words.index))) < FIRST_FIVE


def words_for(mark: str) -> list[str]:
    """Return the first word of a card, or the words of a place, as they are in sentences."""
    if "," in mark and mark.replace(",", "").replace("-", "").isdigit():
        tile = tuple(int(each) for each in mark.split(","))
        return [tile_in_words(tile), *map(str, tile)]
    return [*words_of(mark.rpartition(":")[2])[:1]]


# -- printing ----------------------------------------------------------------------------------------------------------


def share(found: list[bool]) -> str:
    """Return a share in per cent, with its numbers."""
    return f"{sum(found) / len(found):.1%} ({sum(found)} of {len(found)})" if found else ""


def quantile(found: Sequence[float], part: float) -> float:
    """Return a quantile of some values."""
    return sorted(found)[min(int(len(found) * part), len(found) - 1)] if found else 0


def main() -> None:
    """Measure, and print a row for each game and viewer."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--game", default="")
    parser.add_argument("logs", nargs="*", type=Path)
    arguments = parser.parse_args()
    columns = (
        "game",
        "hands",
        "offered",
        "asked",
        "taps 50/90/max",
        "letters 50/90/99.5",
        "early",
        "tap ms 50/95/max",
        "reload ms",
    )
    table = Printed(*columns)
    for slug in [arguments.game] if arguments.game else games():
        for viewer, hands in ((EVERYTHING, "open"), (PUBLIC, "hidden")):
            effort = Effort()
            logs = [each for path in arguments.logs for each in list(written(path))[: arguments.games]]
            matches = [each for each in logs if getattr(each[0], "game", "") == slug]
            for events in matches if arguments.logs else played(slug, arguments.games):
                write_match(events, viewer, effort)
            table.add_row(*row(slug, hands, effort))
    CONSOLE.print(table)


def row(slug: str, hands: str, effort: Effort) -> tuple[str, ...]:
    """Return the cells of the row of a game."""
    taps = [quantile(effort.taps, part) for part in (0.5, 0.9, 1)]
    letters = [quantile(effort.letters, part) for part in (0.5, 0.9, 0.995)]
    tap = [quantile(effort.milliseconds, part) for part in (0.5, 0.95, 1)]
    return (
        slug,
        hands,
        share(effort.offered),
        share(effort.asked),
        " / ".join(f"{each:.0f}" for each in taps),
        " / ".join(f"{each:.0f}" for each in letters),
        share(effort.early),
        " / ".join(f"{each:.0f}" for each in tap),
        f"{statistics.median(effort.reloads):.0f}" if effort.reloads else "",
    )


if __name__ == "__main__":
    main()
