"""A rule that is not written yet, held against the stored games: which lines it accuses, which it cannot judge."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

from tabletape.dashboard.own_game.besides import own_game
from tabletape.dashboard.own_game.breaking import UNBREAKABLE, unbreakable
from tabletape.dashboard.own_game.chat import BESIDE_MOVES
from tabletape.dashboard.own_game.cited import CiteSentence
from tabletape.dashboard.own_game.file import with_changes
from tabletape.dashboard.own_game.game import FirstRule, OwnGame
from tabletape.dashboard.own_game.rules import tried_on
from tabletape.events.importing.mapped import kept_log
from tabletape.events.importing.origins import Origins
from tabletape.events.log import Log
from tabletape.events.log.rows import StoredGame
from tabletape.events.rules_file.lines import name_of
from tabletape.events.toml_text import toml_of
from tabletape.events.vocabulary import Event, tag_of
from tabletape.events.vocabulary.open_games import games_of
from tabletape.events.vocabulary.shared import LogGap, NoteAdded
from tabletape.events.vocabulary.tabletop import CardsDrawn
from tabletape.projector.archive.stored import import_options, workspace
from tabletape.projector.fold.judge import GAP_BEFORE
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import open_game
from tabletape.projector.model.amounts import counted
from tabletape.projector.model.rules import HARD, Finding
from tabletape.projector.model.sentences import event_in_words

_MOST_ACCUSING: Final = 0.25
"""A rule that accuses a larger share of the lines that it judges is perhaps understood wrongly."""

_GOES_ON: Final = re.compile(r"(?P<who>[^:>]+[:>])\s*(?:and|und)\b", re.IGNORECASE)
"""So a line begins that may tell more of the move before it: `Ann: and take her fish`."""

_MOST_NAMED: Final = 8
_FEW: Final = 2
"""So many lines may break a rule whatever their share is."""


class Accused(NamedTuple):
    """A line that a rule accuses, in the game and the line of its file where it stands, 0 if unknown.

    `said` is that line as it stands there. `first_unread`: the first line of the file that could not be read, with its
    number, where such lines may explain it; empty if none. `goes_on`: it begins with `and` behind a line of its player.
    """

    stored: StoredGame
    line: int
    said: str
    finding: Finding
    first_unread: str = ""
    goes_on: bool = False

    @property
    def why_open(self) -> str:
        """Why it cannot be judged: of several lines that were not read, the first."""
        which = f"; the first of them is {self.first_unread}" if self.first_unread else ""
        return f"line {self.line or '?'}: {self.finding.message}{which}"


class TriedRule(NamedTuple):
    """What a new rule finds in how many games, and what it leaves open.

    `besides` are the lines that other rules accuse with it, as it says what the moves do. `judged`: so many lines the
    rule was held against; `unread`: so many lines of these games nobody could read. `never`: no line that was tried
    breaks one of its conditions.
    """

    text: str
    games: int
    accused: tuple[Accused, ...]
    besides: tuple[Accused, ...]
    open: tuple[Accused, ...]
    judged: int
    unread: int
    moves: tuple[str, ...]
    never: bool = False

    @property
    def reach(self) -> str:
        """How far the trial reaches, for people: that it accuses nobody says little where few lines were judged."""
        if self.never:
            return f"As it is read, {UNBREAKABLE}."
        of = f" of {' and '.join(self.moves)}" if self.moves else ""
        lines = counted(self.judged, "line") if self.judged else "No line"
        judged = f"{lines}{of} {'were' if self.judged > 1 else 'was'} judged"
        unread = f", {counted(self.unread, 'line')} of the chat could not be read" if self.unread else ""
        return f"{judged}{unread or '; no line is left unread'}.{self._besides}"

    @property
    def waiting(self) -> int:
        """The first line that cannot be judged because lines before it are not read; 0 where there is none."""
        return min((each.line for each in self.open if each.first_unread and each.line), default=0)

    @property
    def hardly_meant(self) -> str:
        """What is said in place of the lines that break it, where these are too many; empty where they are few."""
        lines = ", ".join(map(str, sorted({each.line for each in self.accused})[:_MOST_NAMED]))
        many = f"{counted(len(self.accused), 'line')} would break it, such as {lines}: it is hardly meant so."
        return many if self.judged and not self.accuses_few else ""

    @property
    def accuses_few(self) -> bool:
        """Whether it accuses no more lines than a rule that is understood."""
        return len(self.accused) <= max(_FEW, _MOST_ACCUSING * self.judged)

    @property
    def _besides(self) -> str:
        first = self.besides[0].why_open if self.besides else ""
        lines = counted(len(self.besides), "line")
        return f" Now that it is said what moves do, other rules accuse {lines}; the first is {first}" if first else ""


def trial_of(slug: str, text: str, rule: FirstRule, log: Log) -> TriedRule:
    """Return what a file with a new rule finds in the stored games; nothing is stored.

    Raises `GameFileError` where the rule cannot be written so.
    """
    after = with_changes(text, rule.changes)
    stored = [each for each in log.games() if each.game == slug]
    # A file may hold many games.
    origins, lines_of = Origins(log, import_options(workspace(log))), cache(partial(_lines_of, log))
    new: list[Accused] = []
    own = set[str]()
    judged = unread = 0
    told = list[list[Event]]()
    for each in stored:
        old, tried = (tried_on(slug, one, log, each.game_id) for one in (text, after))
        before = {(found.seq, found.rule) for found in old.findings}
        lines, written = origins.lines(each), lines_of(each.file or "")
        gaps = (seq for seq, event in zip(tried.seqs, tried.events, strict=True) if isinstance(event, LogGap))
        gap = lines.get(next(gaps, 0), 0)
        first_unread = f"line {gap}: {written.get(gap, '')}".rstrip(": ") if gap else ""
        new += [
            _accused((each, tried), (line, written), found, first_unread * found.message.endswith(GAP_BEFORE))
            for found in tried.findings
            if (found.seq, found.rule) not in before
            for line in (lines.get(found.seq, 0),)
        ]
        texts = {one.id: one.text for one in old.game.rules}
        own |= {one.id for one in tried.game.rules if one.lines and texts.get(one.id) != one.text}
        judged += max(_verdicts(tried, own), default=0)
        told.append(tried.events)
        unread += sum(event.lines for event in tried.events if isinstance(event, LogGap))
    wrong = [each for each in new if each.finding.kind in HARD]
    accused, besides = (tuple(each for each in wrong if (each.finding.rule in own) is mine) for mine in (True, False))
    still_open = tuple(each for each in new if each.finding.kind not in HARD)
    moves = tuple(move for move, said in rule.changes.get("move", {}).items() if "needs" in said)
    never = bool(judged and not accused and not still_open and _is_unbreakable(slug, after, told, own))
    games = sum(any(map(_is_judged, events)) for events in told) or len(stored)
    return TriedRule(after, games, accused, besides, still_open, judged, unread, moves, never)


def _is_judged(event: Event) -> bool:
    """Return whether a rule may look at a line: a result alone says no move."""
    return isinstance(event, CardsDrawn) or bool(name_of(event))


def found_in(slug: str, text: str, log: Log, file: str) -> tuple[Accused, ...]:
    """Return which lines of a file of the log the rules of a game accuse."""
    found = list[Accused]()
    for each in (each for each in log.games() if each.game == slug and Path(each.file or "").name == file):
        tried, lines = tried_on(slug, text, log, each.game_id), Origins(log, import_options(workspace(log))).lines(each)
        written = _lines_of(log, each.file or "")
        at = ((lines.get(one.seq, 0), one) for one in tried.findings if one.kind in HARD)
        found += [_accused((each, tried), (line, written), one) for line, one in at]
    return tuple(found)


def _accused(
    played: tuple[StoredGame, Replay], where: tuple[int, Mapping[int, str]], found: Finding, unread: str = ""
) -> Accused:
    """Return a line of a file that is accused, where it stands among its lines; in words where no person wrote it."""
    (stored, replay), (line, written) = played, where
    said = written.get(line, "")
    if said.startswith("{") or not said:
        said = event_in_words(replay.table, replay.events[replay.seqs.index(found.seq)])
    begun = _GOES_ON.match(said)
    goes_on = begun is not None and written.get(line - 1, "").startswith(begun["who"])
    return Accused(stored, line, said, found, unread, goes_on)


def _is_unbreakable(slug: str, text: str, games: Sequence[Sequence[Event]], own: Collection[str]) -> bool:
    """Return whether no line could break one of some rules of a file that break in none of the games."""
    described = games_of(f"{slug}.toml", slug, text)[slug]
    return bool(unbreakable(open_game(described), described.rules, games, own))


def _lines_of(log: Log, name: str) -> dict[int, str]:
    """Return the lines of a file that games were read from by a map, by their numbers; there are none of others."""
    arrival = next((each for each in log.arrivals() if each.name == name and each.format.startswith("map ")), None)
    read = kept_log(log, arrival, import_options(workspace(log)), {}) if arrival else None
    return {number: line.strip() for number, line in read.lines().items()} if read else {}


def _verdicts(tried: Replay, own: Collection[str]) -> Iterator[int]:
    """Yield how often each of some rules was judged."""
    for one, kept, broken in zip(tried.game.rules, tried.kept, tried.broken, strict=True):
        if one.id in own:
            yield kept + broken


def game_of(slug: str, text: str, sentences: Sequence[CiteSentence], log: Log) -> OwnGame:
    """Return a game as its file and its stored games say it, with the sentences of its rulebook."""
    stored = [each for each in log.games() if each.game == slug]
    events = [[*log.events(each)] for each in stored]
    draws = any(type(event) is CardsDrawn for told in events for event in told)
    beside = tuple(dict.fromkeys(each for told in events for each in _beside_moves(told)))
    orders = {tuple(seat.name for seat in each.players) for each in stored}
    is_borne_out = all(_follows_its_order(each, log) for each in stored)
    order = orders.pop() if len(orders) == 1 else ()
    own = own_game(toml_of(text), sentences, draws=draws)
    return own._replace(order=order, has_turns=is_borne_out, beside=beside)


def _beside_moves(events: Sequence[Event]) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Yield the remarks of a game behind a move, with that move and its cards."""
    done, cards = "", tuple[str, ...]()
    for event in events:
        if isinstance(event, NoteAdded) and done:
            yield done, cards, event.text
        elif move := name_of(event):
            done, cards = move, tuple(map(str, getattr(event, "cards", ()) or ("",)))
        elif not isinstance(event, CardsDrawn):
            done = ""


def _follows_its_order(stored: StoredGame, log: Log) -> bool:
    """Return whether the players of a game mostly follow each other in the order of their seats.

    Where they do not, the order of their turns is another, or many lines are not read.
    """
    seats = [seat.id for seat in stored.players]
    doers = [
        "" if isinstance(event, LogGap) else getattr(event, "player", "") or ""
        for event in log.events(stored)
        if isinstance(event, LogGap) or tag_of(type(event)) not in BESIDE_MOVES
    ]
    steps = [(one, other) for one, other in pairwise(doers) if one in seats and other in seats and one != other]
    told = sum(seats[(seats.index(one) + 1) % len(seats)] == other for one, other in steps)
    return 3 * told >= 2 * len(steps)
