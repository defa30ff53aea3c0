"""What a map makes of a file, before anything is stored: its games in words, how much is understood, what is left."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import msgspec

from tabletape.events.importing.games.checks import UNKNOWN
from tabletape.events.importing.lines.text import MendsOfFile, written
from tabletape.events.importing.maps.fates import MOST_NAMED, LineFate, understood_of
from tabletape.events.importing.maps.map import Map
from tabletape.events.importing.maps.notation import FileReading, MappedLog
from tabletape.events.importing.maps.proposing.leftover import OpenRecord
from tabletape.events.importing.maps.results.ratings import FUN_OF_TEN
from tabletape.events.log.rows import QuarantinedLine
from tabletape.events.vocabulary import Event, tag_of

UNFIT = frozenset({"expectation", "no-players", "other-game"})
"""Codes of entries for whole games that a map does not read as it should."""


class Preview(NamedTuple):
    """The games that a map finds in a file, a line each; its lines, those left over, and what is wrong.

    `first` are the first events of the first game behind its beginning, each with its line.
    `lines` is 0 where the file holds results, which have no lines; `passed_over` of them a map skips, and `events` is
    how many come out of all of them. `tells`: of some game it is known who began, who won, or that there were turns;
    `useful`: something is known of a game but that lines are missing.
    `unread` lines are called harmless whatever they say, `fates` are those of all kinds. `remarks` say what became of
    the rest: columns and sheets that are not read, times that are left out. `ends` are the lines that end a game which
    several lines end: nothing tells its games apart. `open` is what a person can mend of it.
    `least` is the percentage that is understood of the game of which
    least is.
    """

    games: tuple[str, ...]
    lines: int
    left_over: int
    entries: tuple[QuarantinedLine, ...]
    first: tuple[str, ...] = ()
    passed_over: int = 0
    events: int = 0
    tells: bool = True
    useful: bool = True
    remarks: tuple[str, ...] = ()
    unread: int = 0
    fates: tuple[LineFate, ...] = ()
    ends: tuple[int, ...] = ()
    least: float = 0.0
    open: tuple[OpenRecord, ...] = ()

    @property
    def understood(self) -> float:
        """The percentage of the lines that are understood, of those that are not skipped."""
        return understood_of(self.lines, self.left_over + self.unread, self.passed_over) if self.lines else 100.0

    @property
    def read(self) -> int:
        """How many lines are read."""
        return self.lines - self.passed_over - self.left_over - self.unread

    @property
    def in_words(self) -> str:
        """How much of the lines is understood, skipped and left, and how many events come out, in a sentence."""
        rate = 100 * self.events / self.lines
        said = self.lines - self.passed_over
        return (
            f"{self.understood:.1f} % of {said:,} line{'' if said == 1 else 's'} understood, "
            f"{self.passed_over:,} of {self.lines:,} skipped; {rate:.0f} events for a hundred lines"
        )

    @property
    def ends_in_words(self) -> str:
        """What is wrong where several lines end one game, and the way on; empty where nothing is."""
        named = ", ".join(map(str, self.ends[:MOST_NAMED])) + (" ..." if len(self.ends) > MOST_NAMED else "")
        said = f"{len(self.ends)} lines end one game (lines {named})"
        way = "are they several games, say which line begins each (`starts` in the map); else say that they end none"
        return f"{said}: {way}" if self.ends else ""

    @property
    def is_well(self) -> bool:
        """Whether there is a game, every game is as the map expects, and ends once."""
        return bool(self.games) and not self.ends and not any(entry.code in UNFIT for entry in self.entries)


TELLING_EVENTS: Final = frozenset(
    {"turn.started", "turn.ended", "first-player.chosen", "game.ended", "player.conceded", "result.recorded"}
)
"""Events that a map has to find some of, or moves of the game's own file: else it does not read the game."""

ENDS: Final = frozenset({"game.ended", "result.recorded"})
"""Events of which a game has one."""

FIRST: Final = 10
"""How many events of the first game are shown."""


def preview(
    used: Map, content: bytes, cards: Mapping[str, str] | None, file: str, mends: MendsOfFile = MappingProxyType({})
) -> Preview:
    """Return what a map makes of a file; `cards` are those of its game (None: any name is one), `file` is its stem.

    `mends` are what somebody has said of single lines of it.

    Times without a zone are read as UTC, since nothing is stored. Raises `ForeignError` where the file is not of the
    map's shape, `ZoneError` for a zone that there is not.
    """
    log = MappedLog(file, used, content, FileReading(lambda _: cards, "UTC", file, mends))
    batches = [*log.events()]
    games = tuple(game_in_words([event for _, event in batch], used.written.edition) for batch in batches)
    lines = sum(game.records for game in log.games)
    left = sum(len(game.left_over) for game in log.games)
    first = tuple(f"line {line}: {_in_words(event)}" for line, event in (batches[0][1 : FIRST + 1] if batches else ()))
    events = [event for batch in batches for _, event in batch[1:]]
    tags = {tag_of(type(event)) for event in events}
    tells = not lines or bool(tags & TELLING_EVENTS) or any(tag.startswith("move.") for tag in tags)
    skipped = sum(game.fates.passed_over for game in log.games)
    useful = not lines or bool(tags - {"log.gap"})
    unread, came = sum(game.fates.unread for game in log.games), len(events)
    taken = dict.fromkeys(text for game in log.games for texts in game.taken.values() for text in texts)
    remarks = (*log.remarks, *taken)
    entries, fates, ends = tuple(log.entries), tuple(log.fates), next(filter(None, map(_ends_again, batches)), ())
    least = min((game.understood for game in log.games), default=0.0)
    of_lines = (games, lines, left, entries, first, skipped, came)
    return Preview(*of_lines, tells, useful, remarks, unread, fates, ends, least, tuple(log.open))


def _ends_again(game: Sequence[tuple[int, Event]]) -> tuple[int, ...]:
    """Return the lines that end a game, where several do."""
    lines = tuple(dict.fromkeys(line for line, event in game if tag_of(type(event)) in ENDS))
    return lines if len(lines) > 1 else ()


def _in_words(event: Event) -> str:
    """Return an event with its fields; its number and its time are left out."""
    fields = msgspec.to_builtins(event)
    shown = {name: each for name, each in fields.items() if name not in {"type", "seq", "at"} and each not in ({}, [])}
    return f"{fields['type']}  {written(shown)}"


def game_in_words(events: Sequence[Event], edition: str = UNKNOWN) -> str:
    """Return a game in a line: who played, who began, how many turns, who won; of a result scores, length and day.

    Its edition stands there where it is not the one that is said of the whole file.
    """
    head: Any = events[0]
    names = {seat.id: seat.name for seat in head.players}
    by_type: list[tuple[str, Any]] = [(tag_of(type(event)), event) for event in events]
    turns, over = ([event.player for tag, event in by_type if tag == f"turn.{each}"] for each in ("started", "ended"))
    rounds = sum(tag == "round.started" for tag, _ in by_type)
    results = [event for tag, event in by_type if tag == "result.recorded"]
    ended = [event for tag, event in by_type if tag == "game.ended"]
    ends = [[event.winner] if event.winner else [*(getattr(event, "winners", None) or ())] for event in ended] + [
        event.winners for event in results
    ]
    conceded = {event.player for tag, event in by_type if tag == "player.conceded"}
    if not ends and conceded and len(names.keys() - conceded) == 1:
        ends = [[*(names.keys() - conceded)]]
    won = [names[winner] for winner in ends[-1] if winner] if ends else []
    first = next((event.player for tag, event in by_type if tag == "first-player.chosen"), turns[0] if turns else "")
    # A result without a winner is a draw.
    unwon = ("lost together" if results[-1].cooperative is True else "a draw") if results else "no winner"
    scores = results[-1].scores if results else {}
    scored = ", ".join(f"{names[each]} {score:.10g}" for each, score in scores.items())
    best = {scores[each] for each in ends[-1] if each in scores} if ends else set()
    tied = [names[each] for each, score in scores.items() if score in best]
    scored += f" ({' and '.join(tied)} are tied)" if len(best) == 1 and len(tied) > len(won) else ""
    parts = [
        f"{head.id}: {', '.join(names.values())}",
        f"{names[first]} began" if first else "nobody is said to have begun",
        *(
            []
            if (results or rounds) and not turns
            else [f"{_turns_in_words(turns or over, names)}{' ended' * bool(over and not turns)}"]
        ),
        *(["1 round" if rounds == 1 else f"{rounds} rounds"] if rounds else []),
        f"{' and '.join(won)} won" if won else unwon,
        *filter(None, [scored, ", ".join(f"{each.name}: {each.deck}" for each in head.players if each.deck)]),
        *(f"{each.minutes:g} min" for each in results[-1:] if each.minutes is not msgspec.UNSET),
        *(_felt(by_type, names) if results else []),
        *([f"version {head.edition}"] if results and head.edition not in {edition, UNKNOWN} else []),
        *([f"dated {head.at:%Y-%m-%d}"] if results and head.at else []),
        f"{len(events):,} events",
    ]
    return "; ".join(parts)


def _felt(by_type: Sequence[tuple[str, Any]], names: Mapping[str, str]) -> Iterator[str]:
    """Yield how much fun a game was, and whose word that is where it is known, and what was said of it."""
    for tag, event in by_type:
        if tag == "feedback.given" and event.fun is not msgspec.UNSET:
            yield f"{names[event.player]}: fun {event.fun}" if event.player else f"fun {event.fun}"
        if tag == "feedback.given" and (mark := (event.answers or {}).get(FUN_OF_TEN)):
            yield f"{names[event.player]}: fun {mark} of 10" if event.player else f"fun {mark} of 10"
        if tag in {"feedback.given", "note.added"} and event.text:
            yield f"\u201c{event.text}\u201d"


def _turns_in_words(turns: Sequence[str], names: Mapping[str, str]) -> str:
    """Return how many turns there were, and how many of them each player had: 16 turns, 8 each."""
    each = {player: turns.count(player) for player in names}
    total = "1 turn" if len(turns) == 1 else f"{len(turns)} turns"
    if len(turns) < 2 or sum(each.values()) < len(turns):
        return total
    if len({*each.values()}) == 1:
        return f"{total}, {each[turns[0]]} each"
    return f"{total} ({', '.join(f'{names[player]} {count}' for player, count in each.items())})"
