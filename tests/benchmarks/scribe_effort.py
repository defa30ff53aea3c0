"""How much work it is to keep a log with the scribe, and how long it takes to answer.

    python tests/benchmarks/scribe_effort.py [--games 3] [--game NAME] [LOG.jsonl …]

Games of bots, or those of the logs that are named, are written line by line into a new log with the scribe's own
functions, as somebody would who knows what happened: once with all hands known, once with all hidden. Counted are, over
the legal decisions and the lines of luck: whether they were offered or asked for; how many taps it takes to write a
decision (a card first, then what is left); how many letters until it stands first, at the fewest; and the milliseconds
for a tap from the write to the new screen. A line that was not offered is written with a form, as at a table.
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

from events.log import Log
from events.names import unseen_cards
from events.shared import DeckDeclared, GameStarted, PlayTakenBack
from events.vocabulary import Chance, Consequence, Event, Remark, vocabulary
from projector.games import game, games
from projector.kit.areas import EVERYTHING
from projector.model.deciding import Offer, is_same
from projector.model.due import covers
from projector.model.phrases import tile_in_words
from projector.scribing.box import ranked, words_of
from projector.scribing.choices import Choice, Group, choices_of, in_steps, narrowed
from projector.scribing.screen import ViewerScreen
from projector.scribing.scribe import Scribe
from projector.selfplay.simulate import Bot, Plan, simulate

CONSOLE = Console(width=120)
PUBLIC = ""
FIRST_FIVE = 5


class Effort:
    """What was counted over the games of one game, as one viewer."""

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
    """Yield the games of a log."""
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
    """Yield games of bots, one random and one greedy."""
    one = game(slug)
    for match in simulate(one, one.cards, Plan(seed=17, bots=(Bot.GREEDY, Bot.RANDOM), limit=400), number):
        yield match.events


def keep(events: Sequence[Event], viewer: str, effort: Effort) -> None:
    """Write a game into a new log as somebody who sees the hands that `viewer` sees would."""
    with tempfile.TemporaryDirectory() as folder, Log.open(Path(folder) / "t.db", create=True) as log:
        head, *rest = [msgspec.structs.replace(event, seq=UNSET) for event in events]
        if not isinstance(head, GameStarted):
            raise TypeError("a game begins with game.started")
        decks = [event for event in rest if isinstance(event, DeckDeclared)]
        log.append(head.id, [head, *decks], expected_last_seq=0)
        scribe = Scribe(log, head.id)
        eyes = ViewerScreen(scribe, viewer)
        for event in rest:
            if not isinstance(event, DeckDeclared | Consequence | Remark | PlayTakenBack):
                is_offered = look(scribe, eyes, event, effort)
                start = time.perf_counter()
                found = scribe.write([event], scribe.last_seq)
                eyes.screen()
                effort.milliseconds.append(1000 * (time.perf_counter() - start))
                if is_offered or (is_offered is False and not any(each.kind == "illegal" for each in found)):
                    effort.offered.append(is_offered)
        start = time.perf_counter()
        ViewerScreen(Scribe(log, head.id), viewer).screen()
        effort.reloads.append(1000 * (time.perf_counter() - start))


def look(scribe: Scribe, eyes: ViewerScreen, event: Any, effort: Effort) -> bool | None:
    """Count what it takes to write an event that comes next; return whether a decision was offered."""
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
    wanted = without_names(event) if eyes.choices and scribe_hides(eyes) else event
    meant = next((choice for choice in eyes.choices if is_same(table, choice.event, wanted)), None)
    if meant is not None:
        effort.taps.append(taps_for(scribe, eyes.choices, meant, effort))
    else:
        ways = [*begun_with(scribe, eyes.choices, event)]
        meant = ways[0][0] if ways else None
        effort.taps += [min(taps_for_two(scribe, eyes.choices, way, effort) for way in ways)] if ways else []
    if meant is not None:
        fewest, early = letters_for(eyes.choices, meant)
        effort.letters.append(fewest)
        effort.early.append(early)
    return meant is not None


def scribe_hides(eyes: ViewerScreen) -> bool:
    """Return whether the hands are hidden."""
    return eyes.viewer == PUBLIC


def without_names(event: Any) -> Any:
    """Return a mulligan with the cards that are put back as cards that nobody has seen."""
    if not hasattr(event, "returned"):
        return event
    return msgspec.structs.replace(event, returned=unseen_cards(event.player, len(event.returned)))


Way = tuple[Choice, Choice, list[Choice]]


def begun_with(scribe: Scribe, choices: list[Choice], event: Event) -> Iterator[Way]:
    """Yield the choices from which a decision goes on, each with that decision, and all that go on from it."""
    replay, table = scribe.replay, scribe.replay.table
    (whole,) = choices_of(table, [Offer(event=event)])
    for begins in choices:
        if {*begins.marks} < {*whole.marks}:
            more = choices_of(table, (Offer(event=each) for each in replay.game.more(table, begins.event)))
            yield from ((begins, each, more) for each in more if is_same(table, each.event, event))


def taps_for_two(scribe: Scribe, choices: list[Choice], way: Way, effort: Effort) -> int:
    """Return how many taps a decision takes that goes on from another one, which is the first in `way`.

    To go on, `and another` is tapped beside the first, or where nothing else is left at once what comes second; there a
    tap on a free cell that leaves one decision writes it.
    """
    begins, meant, more = way
    first = taps_for(scribe, choices, begins, effort, begun=())
    is_left = len(narrowed(choices, begins.marks[1:first])) == 1
    return first - is_left + taps_for(scribe, more, meant, effort, begun=begins.marks)


def taps_for(
    scribe: Scribe, choices: list[Choice], meant: Choice, effort: Effort, begun: tuple[str, ...] | None = None
) -> int:
    """Return how many taps it takes: a card on the board first, unless the list shows the decision at once.

    `begun` are the marks of the decision that it goes on from.
    """
    table = scribe.replay.table
    taken: list[str] = [*(begun or ())]
    left = narrowed(choices, taken) if taken else ranked(choices, "")
    areas = scribe.replay.game.areas(table, EVERYTHING)
    drawn = {f"{cell.place[0]},{cell.place[1]}" for area in areas for cell in area.cells if cell.place}
    drawn |= {area.place for area in areas}
    on_board = [mark for mark in meant.marks[1:] if mark in table.cards or mark in drawn]
    for number in range(6):
        shown = in_steps(table, left, taken)
        effort.longest = max(effort.longest, len(shown))
        if begun and number and len(left) == 1 and taken[-1] in drawn:
            return number
        if meant in shown and (number or begun is None):
            return number + 1
        left_over = [mark for mark in meant.marks if mark not in taken]
        rows = [f"{mark.partition(',')[0]}," for mark in left_over if "," in mark]
        groups = [each.mark for each in shown if isinstance(each, Group)]
        group = next((mark for mark in [*left_over, *rows] if mark in groups), "")
        free = [mark for mark in on_board if mark not in taken]
        taken.append(free[0] if free else group or meant.marks[0])
        left = narrowed(choices, taken)
    return 9


def letters_for(choices: list[Choice], meant: Choice) -> tuple[int, bool]:
    """Return the fewest letters, of one or two words, until the decision stands first, and whether it is early.

    Early: among the first five after two letters each of the first two words that name what it is about.
    """
    words = words_of(meant.words)
    best = 99
    found = lambda typed: next((n for n, each in enumerate(ranked(choices, typed)) if each is meant), 99)  # noqa: E731
    queries = [word[:size] for word in words for size in range(1, len(word) + 1)]
    pairs = [f"{a[:n]} {b[:m]}" for a, b in combinations(words, 2) for n in (1, 2, 3, 4) for m in (1, 2, 3, 4)]
    triples = [f"{a[:n]} {b[:m]} {c[:2]}" for a, b, c in combinations(words, 3) for n in (1, 2, 3) for m in (1, 2, 3)]
    for query in sorted({*queries, *pairs, *triples}, key=lambda each: (len(each.replace(" ", "")), each)):
        if len(query.replace(" ", "")) >= best:
            break
        if found(query) == 0:
            best = len(query.replace(" ", ""))
    named = [word for mark in meant.marks[1:] for word in words_for(mark) if word in words][:3] or words[:2]
    return best, found(" ".join(word[:2] for word in sorted(named, key=words.index))) < FIRST_FIVE


def words_for(mark: str) -> list[str]:
    """Return the first word of a card, or those of a place, as a sentence has them."""
    if "," in mark and mark.replace(",", "").replace("-", "").isdigit():
        tile = tuple(int(each) for each in mark.split(","))
        return [tile_in_words(tile), *map(str, tile)]
    return [*words_of(mark.rpartition(":")[2])[:1]]


# -- printing ----------------------------------------------------------------------------------------------------------


def share(found: list[bool]) -> str:
    """Return a share with its numbers."""
    return f"{sum(found) / len(found):.1%} ({sum(found)} of {len(found)})" if found else ""


def at(found: Sequence[float], part: float) -> float:
    """Return the value at a part of the sorted values."""
    return sorted(found)[min(int(len(found) * part), len(found) - 1)] if found else 0


def main() -> None:
    """Print a row for each game and viewer."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--game", default="")
    parser.add_argument("logs", nargs="*", type=Path)
    asked = parser.parse_args()
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
    for slug in [asked.game] if asked.game else games():
        for viewer, hands in ((EVERYTHING, "open"), (PUBLIC, "hidden")):
            effort = Effort()
            logs = [each for path in asked.logs for each in list(written(path))[: asked.games]]
            mine = [each for each in logs if getattr(each[0], "game", "") == slug]
            for events in mine if asked.logs else played(slug, asked.games):
                keep(events, viewer, effort)
            table.add_row(*row(slug, hands, effort))
    CONSOLE.print(table)


def row(slug: str, hands: str, effort: Effort) -> tuple[str, ...]:
    """Return the numbers of one game."""
    taps = [at(effort.taps, part) for part in (0.5, 0.9, 1)]
    letters = [at(effort.letters, part) for part in (0.5, 0.9, 0.995)]
    tap = [at(effort.milliseconds, part) for part in (0.5, 0.95, 1)]
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
