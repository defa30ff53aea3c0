"""The audit: many stored games folded one after the other, what is found in each, and how often each rule was at stake.

A game that cannot be folded, or not to its end, says why; it never keeps the others from being audited.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

import msgspec
from msgspec import UNSET

from tabletape.events.log import Log
from tabletape.events.log.bodies import events_of
from tabletape.events.log.rows import StoredGame
from tabletape.events.log.schema import LogError
from tabletape.events.rules_file.lines import name_of
from tabletape.events.rules_file.stated import MoveRules, Rules
from tabletape.events.vocabulary import UnknownGameError, tag_of
from tabletape.events.vocabulary.event import Event
from tabletape.events.vocabulary.open_games import open_games
from tabletape.events.vocabulary.plugins import PluginFailedError
from tabletape.events.vocabulary.shared import FeedbackGiven, NoteAdded, ResultRecorded
from tabletape.projector.archive.stored import AS_PLAYED, RulesetOverride, replay
from tabletape.projector.fold.detail import detail_of, unread_lines
from tabletape.projector.fold.replay import Replay
from tabletape.projector.fold.traced import Traced
from tabletape.projector.model.amounts import counted
from tabletape.projector.model.rulebook import RulesetError
from tabletape.projector.model.rules import Finding
from tabletape.projector.model.sentences import event_in_words
from tabletape.projector.model.table import CannotFoldError
from tabletape.projector.parallel import packs_of, work_in_order, worth_processes
from tabletape.projector.tabletop.moment import Moment
from tabletape.projector.tabletop.state import Tabletop


class Audited(msgspec.Struct, frozen=True, kw_only=True):
    """A stored game and its replay; `stopped` says why there is none, or where it ends early."""

    stored: StoredGame
    replay: Replay | None
    stopped: str = ""

    @property
    def findings(self) -> list[Finding]:
        """What the audit has to say about the game, in the order of its events."""
        return self.replay.findings if self.replay else []


class Reported(msgspec.Struct, frozen=True, kw_only=True):
    """A finding for other programs: with its game, its event in words and its player's name beside their id."""

    game_id: str
    game: str
    seq: int
    rule: str
    kind: str
    player: str
    player_name: str
    message: str
    expected: str
    section: str
    lines: str
    because: str
    tainted: bool
    follows: int
    outcome: str
    type: str
    event: str


class AuditReport(msgspec.Struct, frozen=True, kw_only=True):
    """What an audit says about a stored game: how many events were folded, what was found, why it stopped if it did.

    `is_result`: only how the game went is known, so there is nothing to audit. `is_stated`: there is a rule that lines
    are held against; `unread` is how many lines of the log could not be read. `read_as` says what of an event was
    taken for another word at import, with the event in words. `unjudged` are sentences about rules of the game's own
    file that lines were not held against; `remarks` are those in such a game, by event. `held`: how many lines each
    rule of that file that has a sentence judged, and how many it could not.
    """

    stored: StoredGame
    events: int
    stopped: str
    is_result: bool
    findings: list[Reported]
    read_as: Mapping[int, tuple[str, str]]
    is_stated: bool = True
    unread: int = 0
    unjudged: Sequence[str] = ()
    remarks: Mapping[int, str] = {}
    held: Mapping[str, tuple[int, int]] = {}


MOST_BESIDE: Final = 2
"""So many rests of lines are shown at first."""

FIELDS: Final = tuple(name for name in Finding.__struct_fields__ if name != "went_on")


class Tally(msgspec.Struct, kw_only=True):
    """How often the rules of one game were kept and broken (by rule id), in how many games and events.

    `broken_in` counts the games with at least one violation of a rule, `lines` the events by their type.
    """

    games: int = 0
    events: int = 0
    kept: Counter[str] = msgspec.field(default_factory=Counter)
    broken: Counter[str] = msgspec.field(default_factory=Counter)
    broken_in: Counter[str] = msgspec.field(default_factory=Counter)
    lines: Counter[str] = msgspec.field(default_factory=Counter)


def audit(
    log: Log, games: Iterable[StoredGame], reading: RulesetOverride = AS_PLAYED, *, traced: bool = False
) -> Iterator[Audited]:
    """Fold stored games under a reading of the rulebook, one after the other; only a few are in memory at a time."""
    for stored, bodies in log.bodies(games):
        try:
            replayed = replay(log, stored, events_of(stored, bodies), reading=reading, traced=traced)
        except (CannotFoldError, LogError, PluginFailedError, RulesetError, UnknownGameError) as error:
            yield Audited(stored=stored, replay=None, stopped=str(error))
            continue
        stopped = f"event {replayed.stopped.seq}: {replayed.stopped.reason}" if replayed.stopped else ""
        yield Audited(stored=stored, replay=replayed, stopped=stopped)


def reported(audited: Audited) -> list[Reported]:
    """Return the findings of an audited game for other programs.

    The event that a replay stopped at is not part of it, so a finding about that one has no words for it.
    """
    replayed, findings = audited.replay, audited.findings
    if replayed is None or not findings:
        return []
    events_by_seq = dict(zip(replayed.seqs, replayed.events, strict=True))
    names = {player.id: player.name for player in audited.stored.players}
    of_game = []
    for finding in findings:
        event = events_by_seq.get(finding.seq)
        of_game.append(
            Reported(
                game_id=audited.stored.game_id,
                game=audited.stored.game,
                player_name=names.get(finding.player, finding.player),
                type=tag_of(type(event)) if event else "",
                event=event_in_words(replayed.table, event) if event else "",
                outcome=finding.outcome,
                **{name: getattr(finding, name) for name in FIELDS},
            )
        )
    return of_game


def reports(
    log: Log, games: Sequence[StoredGame], reading: RulesetOverride = AS_PLAYED, processes: int = 0
) -> Iterator[AuditReport]:
    """Audit stored games and yield what is found in each, in their order, worked out in some processes.

    With 0 it is as many as pay: one for each core, or none but this one for a small log. The reports are the same
    whatever their number. Raises `LostProcessError` where one of them dies.
    """
    packs = packs_of(games)
    work = partial(_reports_of, reading=reading)
    for of_game in work_in_order(log, packs, work, processes or worth_processes(games)):
        yield from of_game


def _reports_of(log: Log, games: Sequence[StoredGame], reading: RulesetOverride) -> list[AuditReport]:
    """Return the reports of a pack of games."""
    return [_report_of(audited) for audited in audit(log, games, reading)]


def _report_of(audited: Audited) -> AuditReport:
    """Return the report of a game, of which nothing else is asked any more."""
    replayed = audited.replay
    unheld = _unheld(replayed) if replayed else []
    report = AuditReport(
        stored=audited.stored,
        events=len(replayed.events) if replayed else 0,
        stopped=audited.stopped,
        is_result=replayed is not None and detail_of(replayed.events) == "results",
        findings=reported(audited),
        read_as=_read_as(replayed) if replayed else {},
        is_stated=replayed is None or replayed.game.rulebook.stated,
        unread=unread_lines(replayed.events) if replayed else 0,
        unjudged=[each.said for each in unheld],
        remarks=_remarks(replayed) if replayed else {},
        held=_held(replayed, unheld) if replayed else {},
    )
    if replayed is not None and replayed.events:
        replayed.table.clear_away()
    return report


def _read_as(replayed: Replay) -> Mapping[int, tuple[str, str]]:
    """Return the events of which a word was taken for another one: each in words, and what was taken."""
    lines = zip(replayed.seqs, replayed.events, strict=True) if replayed.read_as else ()
    taken = replayed.read_as
    return {seq: (event_in_words(replayed.table, each), taken[seq]) for seq, each in lines if seq in taken}


def tallies(games: Iterable[Audited]) -> Mapping[str, Tally]:
    """Count for each game (by slug) how often its rules were kept and broken."""
    by_game: dict[str, Tally] = {}
    for audited in games:
        tally = by_game.setdefault(audited.stored.game, Tally())
        replayed = audited.replay
        if replayed is None:
            continue
        tally.games += 1
        tally.events += len(replayed.events)
        tally.lines.update(tag_of(type(each)) for each in replayed.events)
        for rule, times_kept, broken in zip(replayed.game.rules, replayed.kept, replayed.broken, strict=True):
            tally.kept[rule.id] += times_kept
            tally.broken[rule.id] += broken
            tally.broken_in[rule.id] += bool(broken)
    return by_game


class AtStake(NamedTuple):
    """A stored game in which some rules were at stake, and those of them that somebody broke in it."""

    game_id: str
    broken: tuple[str, ...]


def games_at_stake(log: Log, games: Iterable[StoredGame], rules: Iterable[str]) -> Iterator[AtStake]:
    """Return the stored games in which one of some rules was at stake."""
    wanted = set(rules)
    for each in audit(log, games):
        if each.replay is None:
            continue
        counts = zip(each.replay.game.rules, each.replay.kept, each.replay.broken, strict=True)
        at_stake = [
            (rule.id, broken) for rule, times_kept, broken in counts if rule.id in wanted and times_kept + broken
        ]
        if at_stake:
            yield AtStake(each.stored.game_id, tuple(rule for rule, broken in at_stake if broken))


# -- what was not judged -----------------------------------------------------------------------------------------------


class _Unheld(NamedTuple):
    """How many lines of a move some rules were not held against, and why, in a sentence."""

    lines: Mapping[str, int]
    said: str


def _unheld(replay: Replay) -> list[_Unheld]:
    """Return which rules of the game's own file lines were not held against; none of any other game."""
    described = open_games().get(replay.game.slug)
    rules = described.rules if described is not None else None
    if rules is None:
        return []
    lines: dict[str, list[int]] = {}
    for seq, event in zip(replay.seqs, replay.events, strict=True):
        lines.setdefault(name_of(event), []).append(seq)
    moves = [move for name, move in rules.moves.items() if name in lines]
    if all(_times(replay, rule) >= len(lines[move.name]) for move in moves for rule in _rules_of(move)):
        return []
    traced = Traced(replay.game, replay.ruleset, replay.library, replay.misread)
    traced.run(replay.events)
    return [each for move in moves for each in _of_move(rules, move, lines[move.name], traced)]


def _held(replay: Replay, unheld: Sequence[_Unheld]) -> Mapping[str, tuple[int, int]]:
    """Return how many lines each rule with a sentence in the game's own file judged, and how many it could not."""
    if replay.game.slug not in open_games():
        return {}
    rules = zip(replay.game.rules, replay.kept, replay.broken, strict=True)
    left = Counter(each.rule for each in replay.findings if each.kind == "unverifiable")
    for each in unheld:
        left.update(each.lines)
    mine = (each for each in rules if each[0].lines and each[0].id.startswith(f"{replay.game.slug}."))
    return {one.id: (kept + broken, left[one.id]) for one, kept, broken in mine}


def _remarks(replay: Replay) -> Mapping[int, str]:
    """Return the remarks in a game with a file of its own, by event."""
    if replay.game.slug not in open_games():
        return {}
    return remarks_of(zip(replay.seqs, replay.events, strict=True))


def remarks_of(events: Iterable[tuple[int, Event]]) -> Mapping[int, str]:
    """Return the remarks among events, which come with their `seq`; what a sheet says beside a result is none."""
    remarks: dict[int, str] = {}
    beside_result = False
    for seq, event in events:
        is_remark = isinstance(event, NoteAdded)
        beside_result = isinstance(event, ResultRecorded | FeedbackGiven) or (beside_result and is_remark)
        if isinstance(event, NoteAdded) and event.writer is UNSET and not beside_result:
            remarks[seq] = event.text
    return remarks


def beside_moves(remarks: Mapping[int, str], places: Mapping[int, str]) -> list[str]:
    """Return the remarks that stand in one line of a file with what was read before them: words and place."""
    return [
        f"\u201c{text}\u201d ({places[seq]})"
        for seq, text in remarks.items()
        if seq in places and places.get(seq - 1) == places[seq]
    ]


def beside_in_words(beside: Sequence[str], *, every: bool = False) -> str:
    """Return how many rests of lines were kept as remarks, with two of them or `every` one."""
    shown = beside if every else beside[:MOST_BESIDE]
    more = f" and {len(beside) - len(shown)} more" if len(beside) > len(shown) else ""
    rests = counted(len(beside), "rest of a line, kept as a remark", "rests of lines, kept as remarks")
    return f"{rests}: {', '.join(shown)}{more}"


def _rules_of(move: MoveRules) -> list[str]:
    """Return the rules that every line of a move is held against, whatever the rulings and whichever cards it names."""
    stated = (*(field.rule for field in move.fields), *move.needs)
    return [each.id for each in stated if each.ruling is None and each.of is None]


def _times(replay: Replay, rule: str) -> int:
    """Return how often a rule was looked at, as far as it was kept, broken or left open."""
    number = replay.game.by_id[rule].number
    return replay.kept[number] + sum(each.rule == rule for each in replay.findings)


def _of_move(rules: Rules, move: MoveRules, lines: Sequence[int], traced: Traced) -> Iterator[_Unheld]:
    """Yield what the lines of a move were not held against, for each reason once; with the first what only some are."""
    missed: dict[tuple[int, ...], list[str]] = {}
    for rule in _rules_of(move):
        seqs = tuple(seq for seq in lines if rule not in {each.id for each, _ in traced.verdicts.get(seq, ())})
        if seqs and not (len(seqs) < len(lines) and all(_is_wrong(traced, seq) for seq in seqs)):
            missed.setdefault(seqs, []).append(rule)
    some = _only_about(rules, move, {seq for seqs in missed for seq in seqs}, traced)
    for seqs, whole in missed.items():
        from_on = "from event {} on" if lines[lines.index(seqs[0]) :] == [*seqs] and len(seqs) > 1 else "at event {}"
        why = _why(seqs[0], traced)
        which = f"{len(seqs)} of {counted(len(lines), 'line')} `{move.name}`"
        said = f"{from_on.format(seqs[0])} {which} not held against {', '.join(whole)}, because {why}"
        yield _Unheld({**some, **dict.fromkeys(whole, len(seqs))}, said)
        some = {}


def _only_about(rules: Rules, move: MoveRules, seqs: Collection[int], traced: Traced) -> Mapping[str, int]:
    """Return how many of some lines of a move the rules are about, and not held against, that are only about some."""
    left, table = Counter[str](), traced.table
    needs = [each for each in move.needs if each.of is not None]
    for seq, event in zip(traced.seqs, traced.events, strict=True) if needs else ():
        if seq in seqs and isinstance(table, Tabletop):
            moment = Moment(rules, table, getattr(event, "player", ""))
            moment.read(move, event, frozenset())
            judged = {rule.id for rule, _ in traced.verdicts.get(seq, ())}
            left.update(
                each.id
                for each in needs
                if each.of and each.id not in judged and (each.of.reads or each.of.run(moment) is not False)
            )
    return left


def _is_wrong(traced: Traced, seq: int) -> bool:
    """Return whether something is found at a line for sure, which says enough of it."""
    return any(each.seq == seq and each.kind != "unverifiable" for each in traced.findings)


def _why(seq: int, traced: Traced) -> str:
    """Return why a line was held against nothing more."""
    before = [rule for rule, verdict in traced.verdicts.get(seq, ()) if verdict is not None]
    if before:
        return f"{before[0].id} comes first, and is not sure to be kept there"
    return "there is nothing to compare with" if seq in traced.verdicts else "nothing is known of the table there"
