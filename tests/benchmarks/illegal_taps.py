"""Count the taps and letters for what no rule allows: every decision of a recorded game that breaks a rule.

    python -m tests.benchmarks.illegal_taps [GAME …]

Games of a file (`docs/own-games`) have no recordings: there bots play, and instead of what one decides another card of
the hand is taken, or somebody else acts. Where a game has no rules (`tabletop`: logs that were only imported) nothing
is against them, so that each play counts, the first of each kind of line in each recorded file.
The game stands as it did before the line. What is on the screen is tapped, as little as will do, then the line in the
list; typed are the first letters of its words, until it is among what is offered. A line that names what does not lie
in sight, as a card of a deck or a lane that the game has not, can be typed and filled in, but not tapped.
"""

import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple, cast

import msgspec
from msgspec import UNSET

from tabletape.events.importing.import_files import import_paths
from tabletape.events.log import Log
from tabletape.events.vocabulary import Decision, Event, Vocabulary, fields_of, note_of, tag_of
from tabletape.events.vocabulary import choices_of as words_of_field
from tabletape.events.vocabulary.names import card_of, is_unseen
from tabletape.events.vocabulary.open_games import look_in
from tabletape.events.vocabulary.shared import DeckDeclared, GameStarted
from tabletape.projector.fold.folding import fold
from tabletape.projector.games import game, games
from tabletape.projector.model.areas import EVERYTHING
from tabletape.projector.model.deciding import Offer, hands_of, is_same
from tabletape.projector.scribing.anyway import with_those_under
from tabletape.projector.scribing.box import LITTLE_WORDS, words_of
from tabletape.projector.scribing.choices import Choice, choices_of
from tabletape.projector.scribing.screen import ViewerScreen
from tabletape.projector.scribing.screen_parts import Screen, ScreenOption
from tabletape.projector.scribing.scribe import Scribe
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.simulate import Plan, simulate
from tests.dashboard.breaking import Break, breaks

OWN = Path(__file__).parents[2] / "docs" / "own-games"
MAPPED = Path(__file__).parents[1] / "recordings" / "maps"
WITHOUT_RULES = "tabletop"
ENDINGS = {"game.ended", "result.recorded"}
"""How a game ended stands in a form, with its scores and places, and is no play."""

MOST_TAPS = 3
MOST_LETTERS = 8
TRIED_TAPS = 4
ANYTHING = "against the rules"
"""The button for what no rule allows, where nothing else is tapped first."""


class Effort(NamedTuple):
    """The taps and letters of a line, None where it is not offered, what of it is out of sight, the slowest ms."""

    taps: int | None
    letters: int | None
    hidden: list[str]
    slowest: float


def effort(broken: Break) -> Effort:
    """Return how much work a line is on the page, with the table as it was before."""
    with tempfile.TemporaryDirectory() as folder, Log.open(_workspace(folder), create=True) as log:
        bare = [msgspec.structs.replace(each, seq=UNSET) for each in broken.before]
        log.append(broken.game_id, bare, expected_last_seq=0)
        scribe = Scribe(log, broken.game_id)
        seen, slowest = ViewerScreen(scribe, EVERYTHING), 0.0
        (choice,) = choices_of(scribe.replay.table, [Offer(event=broken.line)])

        def look(**look: Any) -> Screen:
            nonlocal slowest
            start = time.process_time()
            screen = seen.screen(**look)
            slowest = max(slowest, 1000 * (time.process_time() - start))
            return screen

        types, table = scribe.replay.game.vocabulary, scribe.replay.table
        way = way_to(look, types, table, choice)
        words = [each for each in words_of(choice.words) if each not in LITTLE_WORDS]
        typed = (each for each in prefixes(words) if offered(types, table, look(typed=" ".join(each)), choice))
        letters = next((sum(map(len, each)) for each in typed), None)
        return Effort(
            None if way is None else len(way),
            letters,
            out_of_sight(look(), choice, printed_on(scribe, broken.line)),
            slowest,
        )


def _workspace(folder: str) -> Path:
    """Return where the log of a workspace with the games of files is."""
    shutil.copytree(OWN, Path(folder) / "games")
    return Path(folder) / "t.db"


def way_to(look: Callable[..., Screen], types: Vocabulary, table: Any, choice: Choice) -> list[str] | None:
    """Return what is tapped, the line itself last by its words, None where that is more than is tried.

    Tapped is what is on the screen and belongs to the line: its cards and places, a group of lines, the button for
    what no rule allows.
    """
    ways = [([ANYTHING], look(whatever=True))]
    ways += [([mark], look(taps=(mark,))) for mark in sorted(tappable(look(), choice))]
    for _ in range(TRIED_TAPS):
        found = next(([*way, words] for way, screen in ways if (words := offered(types, table, screen, choice))), None)
        if found is not None:
            return found
        longer = [[*way, mark] for way, screen in ways for mark in sorted(tappable(screen, choice)) if mark not in way]
        ways = [(way, look(taps=tuple(each for each in way if each != ANYTHING))) for way in longer]
    return None


def out_of_sight(screen: Screen, choice: Choice, printed: set[str]) -> list[str]:
    """Return what a line names that lies nowhere on the table: a card of a deck, a cell of no board, a lane of no game.

    `printed` are the texts of its card. Nobody can tap it; such lines come from logs that are written elsewhere.
    """
    fields = fields_of(type(choice.event))
    words = {word for field in fields for word in words_of_field(field.type)} | {name for name, _ in screen.players}
    named = {getattr(choice.event, each.name) for each in fields if note_of(each.type, "made of")}
    luck = {mark for name in choice.event.ASKED_AFTER for mark in marks_in(getattr(choice.event, name))}
    mine = {f"{mark.partition('?')[0]}?" if is_unseen(mark) else mark for mark in choice.marks[1:]}
    return sorted(mine - tappable(screen, choice) - words - named - printed - luck)


def printed_on(scribe: Scribe, line: Any) -> set[str]:
    """Return what the card of a line says, in the words that a log writes."""
    card = scribe.replay.library.get(card_of(getattr(line, "card", "") or ""))
    notes = [note for field in fields_of(type(line)) if (note := note_of(field.type, "printed in"))]
    return {text for note in notes for text in getattr(getattr(card, "says", None), note, ())}


def marks_in(value: Any) -> tuple[str, ...]:
    """Return the names in a value of a field."""
    return (value,) if isinstance(value, str) else value if isinstance(value, tuple) else ()


def tappable(screen: Screen, choice: Choice) -> set[str]:
    """Return what of a line can be tapped on a screen: cards, backs and places of the table, and groups of lines."""
    tops = [card for area in screen.areas for card in (*area.cards, *(cell.card for cell in area.cells if cell.card))]
    names = {card.name for top in tops for card in with_those_under(top)}
    places = {area.place for area in screen.areas} | {
        f"{x},{y}" for area in screen.areas for x, y in (cell.place for cell in area.cells if cell.place)
    }
    hands = [area for area in screen.areas if area.shape == "hand"]
    backs = {f"{area.owner}:?" for area in hands if area.count > sum(bool(card.name) for card in area.cards)}
    mine = {f"{mark.partition('?')[0]}?" if is_unseen(mark) else mark for mark in choice.marks[1:]}
    groups = {each.mark for each in (*screen.options, *screen.unsure, *screen.anyway) if each.mark}
    rows = {f"{mark.partition(',')[0]}," for mark in choice.marks if "," in mark}
    return (mine & (names | places | backs)) | (groups & {*choice.marks, *rows})


def offered(types: Vocabulary, table: Any, screen: Screen, choice: Choice) -> str:
    """Return the words of a line where it is in the list, legal or not, empty otherwise; luck fills in more later."""

    def is_it(each: ScreenOption) -> bool:
        mine = each.words == choice.words
        return mine or bool(
            choice.event.ASKED_AFTER and is_same(table, types.convert(dict(each.line or {})), choice.event)
        )

    lines = (each for each in (*screen.options, *screen.unsure, *screen.anyway) if each.line is not None)
    return next((each.words for each in lines if is_it(each)), "")


def prefixes(words: Sequence[str]) -> Iterator[list[str]]:
    """Yield ways to type words: up to three of them in order, by two, then three letters each."""
    for long in (2, 3, 4):
        for number in (1, 2, 3):
            for some in combinations(words[1:], number):
                yield [each[:long] for each in some]


def slips(slug: str) -> Iterator[Break]:
    """Yield for each rule of a game's file a line that breaks it: bots play, but with another card or player."""
    one, seen = game(slug), set()
    for seed in range(1, 4):
        (match,) = simulate(one, one.cards, Plan(seed=seed, bots=(Bot.RANDOM,) * one.players[0], limit=60), 1)
        events = [msgspec.structs.replace(each, seq=number) for number, each in enumerate(match.events, 1)]
        for place, event in enumerate(events):
            for line in _otherwise(fold(one, events[:place]).table, event) if place > 1 and is_play(event) else ():
                found = [each for each in fold(one, [*events[:place], line]).findings if each.seq == line.seq]
                rules = [each.rule for each in found if each.kind == "illegal"]
                if len(rules) == 1 and rules[0] not in seen:
                    seen.add(rules[0])
                    head = msgspec.structs.replace(cast("GameStarted", events[0]), id=f"{slug}-{seed}-{place}")
                    yield Break(head.id, [head, *events[1:place]], line, rules[0])


def without_rules() -> Iterator[Break]:
    """Yield the first play of each type in each game without rules that a map has read."""
    with tempfile.TemporaryDirectory() as folder, Log.open(Path(folder) / "t.db", create=True) as log:
        import_paths(log, sorted(MAPPED.iterdir()))
        for stored in log.games():
            events, seen = log.events(stored), set[type[Event]]()
            for place, event in enumerate(events if stored.game == WITHOUT_RULES else ()):
                if place and is_play(event) and tag_of(type(event)) not in ENDINGS and type(event) not in seen:
                    seen.add(type(event))
                    yield Break(stored.game_id, events[:place], event, tag_of(type(event)))


def _otherwise(table: Any, event: Any) -> Iterator[Any]:
    """Yield a decision by each other player, and with each other card of the hand."""
    for other in table.players:
        if other != event.player:
            yield msgspec.structs.replace(event, player=other)
    hand = [card.name for zone in hands_of(table, event.player) for card in zone.cards]
    for name in (each.name for each in fields_of(type(event)) if getattr(event, each.name) in hand):
        yield from (msgspec.structs.replace(event, **{name: card}) for card in hand if card != getattr(event, name))


def is_play(line: Event) -> bool:
    """Return whether a line is a decision at the table, and no list that was declared before."""
    return isinstance(line, Decision) and not isinstance(line, DeckDeclared) and not line.ANY_TIME


def main() -> None:
    """Print a line for each game, and each line of a log that takes more than it should."""
    own = [each.stem for each in sorted(OWN.glob("*.toml"))]
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(OWN, Path(folder) / "games")
        look_in(Path(folder))
        for slug in sys.argv[1:] or (*games(), *own, WITHOUT_RULES):
            if slug == WITHOUT_RULES:
                some = without_rules()
            else:
                some = slips(slug) if slug in own else (each for each in breaks(slug) if is_play(each.line))
            print_efforts(slug, [*some])


def print_efforts(slug: str, some: Sequence[Break]) -> None:
    """Print a line for a game, and each line of a log that takes more than it should."""
    if some:
        found = [(each, effort(each)) for each in some]
        there = [each for _, each in found if each.taps or not each.hidden]
        taps = [each.taps for each in there if each.taps is not None]
        short = sum(each.letters is not None and each.letters <= MOST_LETTERS for _, each in found)
        slowest = max(each.slowest for _, each in found)
        sys.stdout.write(
            f"{slug}: {sum(each <= MOST_TAPS for each in taps)} of {len(there)} in {MOST_TAPS} taps "
            f"(median {median(taps) if taps else '-'}), {short} of {len(found)} in {MOST_LETTERS} letters; "
            f"{len(found) - len(there)} name what is not in sight; slowest {slowest:.0f} ms of processor time\n"
        )
        for broken, each in found:
            if each.hidden and each.taps is None:
                sys.stdout.write(f"    {broken.game_id} ({broken.rule}): out of sight: {', '.join(each.hidden)}\n")
            elif each.taps is None or each.taps > MOST_TAPS:
                sys.stdout.write(f"    {broken.game_id} ({broken.rule}): {each.taps} taps, {each.letters} letters\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
