"""A rule that is not written yet, held against the stored games: which lines it accuses, which it cannot judge."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

from tabletape.dashboard.own_game.besides import own_game
from tabletape.dashboard.own_game.breaking import UNBREAKABLE, unbreakable
from tabletape.dashboard.own_game.chat import BESIDE_MOVES
from tabletape.dashboard.own_game.cited import CiteSentence
from tabletape.dashboard.own_game.file import with_changes
from tabletape.dashboard.own_game.game import FirstRule, OwnGame
from tabletape.dashboard.own_game.rules import own_rules_of, tried_on
from tabletape.events.importing.origins import Origins
from tabletape.events.log import Log
from tabletape.events.log.rows import StoredGame
from tabletape.events.rules_file.lines import name_of
from tabletape.events.rules_file.stated import Rules
from tabletape.events.toml_text import toml_of
from tabletape.events.vocabulary import Event, tag_of
from tabletape.events.vocabulary.open_games import games_of
from tabletape.events.vocabulary.shared import LogGap, NoteAdded
from tabletape.events.vocabulary.tabletop import CardsDrawn
from tabletape.projector.archive.stored import import_options, workspace
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import open_game
from tabletape.projector.model.amounts import counted
from tabletape.projector.model.game import Game
from tabletape.projector.model.rules import HARD, Finding
from tabletape.projector.model.sentences import event_in_words
from tabletape.projector.tabletop.as_moves import done_in

_MOST_ACCUSING: Final = 0.25
"""A rule that accuses a larger share of the lines that it judges is perhaps understood wrongly."""

_GOES_ON: Final = re.compile(r"(?P<who>[^:>]+[:>])\s*(?:and|und)\b", re.IGNORECASE)
"""So a line begins that may tell more of the move before it: `Ann: and take her fish`."""

_LED: Final = re.compile(
    r"\b(?:leads?|led|begins?|starts?) (?:to )?(?:the|a|each|every) (?:\w+ )?trick\b", re.IGNORECASE
)
"""So a rulebook tells of tricks, whose order is that of who has won the one before."""

_MOST_NAMED: Final = 8
_FEW: Final = 2
"""So many lines may break a rule whatever their share is."""


_MOST_UNREAD: Final = 60
"""Of more unread lines it is not found out which of them decide: all before a line may."""

_CALLED: Final = {"number": "a number", "cards": "a card", "back": "a card for it", "to": "to or with whom"}
"""What a line leaves out, in words."""

_Verdict = tuple[int, str]
"""The `seq` of a line that is accused, and the rule."""


class Accused(NamedTuple):
    """A line that a rule accuses, in the game and the line of its file where it stands, 0 if unknown.

    `said` is that line as it stands there. `goes_on`: it begins with `and` behind a line of its player.
    """

    stored: StoredGame
    line: int
    said: str
    finding: Finding
    goes_on: bool = False

    @property
    def why_open(self) -> str:
        """Why it cannot be judged."""
        return f"line {self.line or '?'}: {self.finding.message}"


class Waits(NamedTuple):
    """A line of a file that would break a rule which `says` something, if the lines `on`, not read, change nothing."""

    stored: StoredGame
    line: int
    says: str
    on: tuple[int, ...]

    @property
    def in_words(self) -> str:
        """What it waits for."""
        lines = f"line{'s' * (len(self.on) > 1)} {', '.join(map(str, self.on))}"
        return f"{self.stored.game_id}, line {self.line} would break it, unless {lines} changed that: not read"


class TriedRule(NamedTuple):
    """What a new rule finds in how many games, and what it leaves open.

    `besides` are the lines that other rules accuse with it, as it says what the moves do. `judged`: so many lines the
    rule was held against; `unread`: so many lines of these games nobody could read. `never`: no line that was tried
    breaks one of its conditions. `waits`: what would be accused but for unread lines; `silenced`: what other rules are
    not held against any more with it, in sentences. `why_none`: why no line was held against it, where none was.
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
    waits: tuple[Waits, ...] = ()
    silenced: tuple[str, ...] = ()
    why_none: str = ""

    @property
    def reach(self) -> str:
        """How far the trial reaches, for people: that it accuses nobody says little where few lines were judged."""
        if self.never:
            return f"As it is read, {UNBREAKABLE}."
        of = f" of {' and '.join(self.moves)}" if self.moves else ""
        if not self.judged:
            return f"No line{of} was judged{': ' * bool(self.why_none)}{self.why_none}.{self._besides}"
        judged = f"{counted(self.judged, 'line')}{of} {'were' if self.judged > 1 else 'was'} judged"
        unread = f", {counted(self.unread, 'line')} of the chat could not be read" if self.unread else ""
        return f"{judged}{unread}.{self._besides}"

    @property
    def is_illegal(self) -> bool:
        """Whether it accuses lines, each of what it does itself: not of what may stand in a line nobody wrote."""
        return bool(self.accused) and all(each.finding.kind == "illegal" for each in self.accused)

    @property
    def open_in_words(self) -> tuple[str, ...]:
        """What it would accuse but for unread lines, and what other rules are no longer held against with it."""
        return (*(each.in_words for each in self.waits), *(f"with it {said}" for said in self.silenced))

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


class JudgedLines(NamedTuple):
    """Which lines the rules of a game accuse, which they would but for unread lines, and which stay `open`."""

    accused: tuple[Accused, ...] = ()
    waits: tuple[Waits, ...] = ()
    open: tuple[Accused, ...] = ()

    @property
    def hang(self) -> Mapping[int, Collection[int]]:
        """The unread lines that decide something, each with the lines that it decides whether to accuse."""
        hang: dict[int, set[int]] = {}
        for one in self.waits:
            for at in one.on:
                hang.setdefault(at, set()).add(one.line)
        return hang


class _Looked(NamedTuple):
    """A stored game as one reading of a game's file replays it, with the lines of its file by number and by event."""

    stored: StoredGame
    replay: Replay
    lines: Mapping[int, int]
    written: Mapping[int, str]

    def accused(self, found: Finding) -> Accused:
        """Return a finding with its line, as it stands in the file; in words where no person wrote it."""
        line = self.lines.get(found.seq, 0)
        said = self.written.get(line, "").strip()
        if said.startswith("{") or not said:
            said = event_in_words(self.replay.table, self.replay.events[self.replay.seqs.index(found.seq)])
        begun = _GOES_ON.match(said)
        goes_on = begun is not None and self.written.get(line - 1, "").strip().startswith(begun["who"])
        return Accused(self.stored, line, said, found, goes_on)

    def waits(self, rules: Collection[str]) -> Iterator[Waits]:
        """Yield what some rules would accuse but for unread lines."""
        for (seq, rule), gaps in _deciding(self.replay, rules).items():
            on = tuple(self.lines.get(each, 0) for each in gaps)
            yield Waits(self.stored, self.lines.get(seq, 0), self.replay.game.by_id[rule].text, on)


def trial_of(slug: str, text: str, rule: FirstRule, log: Log) -> TriedRule:
    """Return what a file with a new rule finds in the stored games; nothing is stored.

    Raises `GameFileError` where the rule cannot be written so.
    """
    after = with_changes(text, rule.changes)
    stored = [each for each in log.games() if each.game == slug]
    described = games_of(f"{slug}.toml", slug, after)[slug]
    before, then = open_game(games_of(f"{slug}.toml", slug, text)[slug]), open_game(described)
    texts = {one.id: one.text for one in before.rules}
    own = {one.id for one in then.rules if one.lines and texts.get(one.id) != one.text}
    looked, earlier = _looked_at(then, log, stored), [tried_on(before, log, each.game_id) for each in stored]
    new = [each for one, old in zip(looked, earlier, strict=True) for each in _new_in(one, old)]
    told = [one.replay.events for one in looked]
    wrong = [each for each in new if each.finding.kind in HARD]
    accused, besides = (tuple(each for each in wrong if (each.finding.rule in own) is mine) for mine in (True, False))
    still_open = tuple(each for each in new if each.finding.kind not in HARD)
    judged = sum(_judged(one.replay, own) for one in looked)
    never = bool(judged and not accused and not still_open and _is_unbreakable(slug, after, told, own))
    return TriedRule(
        after,
        sum(any(map(_is_judged, events)) for events in told) or len(stored),
        accused,
        besides,
        still_open,
        judged,
        sum(event.lines for events in told for event in events if isinstance(event, LogGap)),
        tuple(move for move, said in rule.changes.get("move", {}).items() if "needs" in said),
        never,
        tuple(each for one in looked for each in one.waits(own)),
        tuple(_silenced(looked, earlier, {one.id for one in own_rules_of(before) if one.lines} - own)),
        "" if judged or described.rules is None else _why_none(described.rules, told, own),
    )


def _why_none(rules: Rules, games: Sequence[Sequence[Event]], own: Collection[str]) -> str:
    """Return why no line of some games was held against some rules: there is none, or none says what they look at."""
    for move in rules.moves.values():
        needs = [each for each in move.needs if each.id in own]
        words = {move.name, *move.called}
        lines = [each for told in games for each in told if (name_of(each) or done_in(each)) in words]
        if needs and not lines:
            return f"no line is read as {move.name}"
        asked = {name for need in needs for part in (need.node, need.of) if part is not None for name in part.fields}
        unsaid = [_CALLED.get(name, name) for name in sorted(asked) if not any(getattr(e, name, None) for e in lines)]
        if unsaid:
            return f"no line of {move.name} says {' or '.join(unsaid)}"
        if needs and all(each.of is not None for each in needs):
            return f"no line of {move.name} is one of which it says something"
    return "nothing is known yet to compare with"


def _looked_at(one: Game, log: Log, games: Iterable[StoredGame]) -> list[_Looked]:
    """Return stored games as a game replays them."""
    origins = Origins(log, import_options(workspace(log)))
    return [_Looked(each, tried_on(one, log, each.game_id), origins.lines(each), origins.texts(each)) for each in games]


def _new_in(one: _Looked, old: Replay) -> Iterator[Accused]:
    """Yield what is found in a game that was not found before."""
    before = {(found.seq, found.rule) for found in old.findings}
    yield from (one.accused(found) for found in one.replay.findings if (found.seq, found.rule) not in before)


def _silenced(looked: Sequence[_Looked], earlier: Sequence[Replay], rules: Collection[str]) -> Iterator[str]:
    """Yield, for each of some rules that is held against fewer lines than before, how many, and who goes free."""
    for rule in sorted(rules):
        before, after, freed = 0, 0, list[int]()
        for one, old in zip(looked, earlier, strict=True):
            before += _verdicts(old, {rule}).get(rule, 0)
            after += _verdicts(one.replay, {rule}).get(rule, 0)
            still = {found.seq for found in one.replay.findings if found.kind in HARD}
            was = {found.seq for found in old.findings if found.kind in HARD and found.rule == rule}
            freed += sorted(one.lines.get(seq, 0) for seq in was - still)
        if after < before:
            lines = f"; line{'s' * (len(freed) > 1)} {', '.join(map(str, freed))} would go free" if freed else ""
            says = earlier[0].game.by_id[rule].text
            yield f"{before - after} of {counted(before, 'line')} no longer held against \u201c{says}\u201d{lines}"


def _is_judged(event: Event) -> bool:
    """Return whether a rule may look at a line: a result alone says no move."""
    return isinstance(event, CardsDrawn) or bool(name_of(event))


def found_in(slug: str, text: str, log: Log, games: Iterable[StoredGame]) -> JudgedLines:
    """Return which lines of stored games the rules of a game accuse, and what the log leaves open."""
    one = open_game(games_of(f"{slug}.toml", slug, text)[slug])
    looked = _looked_at(one, log, games)
    own = {each.id for each in own_rules_of(one) if each.lines}
    found = [one.accused(each) for one in looked for each in one.replay.findings]
    accused, still_open = (
        tuple(each for each in found if (each.finding.kind in HARD) is hard) for hard in (True, False)
    )
    return JudgedLines(accused, tuple(waits for each in looked for waits in each.waits(own)), still_open)


def games_in(log: Log, slug: str, file: str) -> list[StoredGame]:
    """Return the stored games of a game that came from a file of this name."""
    return [each for each in log.games() if each.game == slug and Path(each.file or "").name == file]


def _deciding(tried: Replay, rules: Collection[str]) -> Mapping[_Verdict, tuple[int, ...]]:
    """Return what some rules of a replayed game would accuse if unread lines did nothing, with those that decide it.

    Lines are named by their `seq`. The game is folded as if nothing had happened in unread lines, and again with each
    of them as it is: what is accused only without one hangs on it. What is missing before a line is not accused: an
    unread line may be just that.
    """
    gaps = [seq for seq, event in zip(tried.seqs, tried.events, strict=True) if isinstance(event, LogGap)]
    if not gaps:
        return {}
    would = _accused(tried, rules, ()) - {(each.seq, each.rule) for each in tried.findings if each.kind == "illegal"}
    few = gaps if would and len(gaps) <= _MOST_UNREAD else []
    hang = {gap: would - _accused(tried, rules, {gap}) for gap in few}
    alone = {gap for gap, lines in hang.items() if lines}
    sure = _accused(tried, rules, {*gaps} - alone) if alone else set()
    return {
        each: tuple(gap for gap in gaps if (each in hang[gap] if each in sure else gap < each[0]))
        for each in sorted(would)
    }


def _accused(tried: Replay, rules: Collection[str], unread: Collection[int]) -> set[_Verdict]:
    """Return what is accused where all unread lines but some are talk."""
    events = [_as_talk(each) if seq not in unread else each for seq, each in zip(tried.seqs, tried.events, strict=True)]
    found = fold(tried.game, events).findings
    return {(each.seq, each.rule) for each in found if each.kind == "illegal" and each.rule in rules}


def _as_talk(event: Event) -> Event:
    return NoteAdded(seq=event.seq, text=event.text) if isinstance(event, LogGap) else event


def _is_unbreakable(slug: str, text: str, games: Sequence[Sequence[Event]], own: Collection[str]) -> bool:
    """Return whether no line could break one of some rules of a file that break in none of the games."""
    described = games_of(f"{slug}.toml", slug, text)[slug]
    return bool(unbreakable(open_game(described), described.rules, games, own))


def _verdicts(tried: Replay, own: Collection[str]) -> dict[str, int]:
    """Return how often each of some rules was judged."""
    rules = zip(tried.game.rules, tried.kept, tried.broken, strict=True)
    return {one.id: kept + broken for one, kept, broken in rules if one.id in own}


def _judged(tried: Replay, own: Collection[str]) -> int:
    """Return how many lines some rules were held against: of several rules of a move each line counts once."""
    by_move: dict[str, int] = {}
    for rule, times in _verdicts(tried, own).items():
        move = rule.split(".")[1]
        by_move[move] = max(times, by_move.get(move, 0))
    return sum(by_move.values())


def game_of(slug: str, text: str, sentences: Sequence[CiteSentence], log: Log) -> OwnGame:
    """Return a game as its file and its stored games say it, with the sentences of its rulebook."""
    stored = [each for each in log.games() if each.game == slug]
    events = [[*log.events(each)] for each in stored]
    draws = any(type(event) is CardsDrawn for told in events for event in told)
    beside = tuple(dict.fromkeys(each for told in events for each in _beside_moves(told)))
    orders = {tuple(seat.name for seat in each.players) for each in stored}
    is_borne_out = not any(_LED.search(each.text) for each in sentences)
    is_borne_out = is_borne_out and all(_follows_its_order(each, log) for each in stored)
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
