"""The audit: many stored games folded one after the other, what is found in each, and how often each rule was at stake.

A game that cannot be folded, or not to its end, says why; it never keeps the others from being audited.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from time import perf_counter
from typing import Final

import msgspec

from events.log import Log
from events.log_rows import Game as StoredGame
from events.log_schema import LogError
from events.vocabulary import UnknownGameError, tag_of
from projector.fold.replay import Replay
from projector.model.rulebook import RulesetError
from projector.model.rules import Finding
from projector.model.sentences import event_in_words
from projector.model.table import CannotFoldError
from projector.reading.archive import AS_PLAYED, Reading, replay


class Audited(msgspec.Struct, frozen=True, kw_only=True):
    """A stored game and its replay; `stopped` says why there is none, or where it ends early. `seconds` it took."""

    stored: StoredGame
    replay: Replay | None
    stopped: str = ""
    seconds: float = 0.0

    @property
    def findings(self) -> list[Finding]:
        """What the audit has to say about the game, in the order of its events."""
        return self.replay.findings if self.replay else []


class Reported(msgspec.Struct, frozen=True, kw_only=True):
    """A finding as it leaves the house: with its game, its event in words and its player's name beside their id."""

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


FIELDS: Final = tuple(name for name in Finding.__struct_fields__ if name != "went_on")


class Tally(msgspec.Struct, kw_only=True):
    """How often the rules of one game were kept and broken (by rule id), in how many games and events.

    `broken_in` counts the games with at least one violation of a rule.
    """

    games: int = 0
    events: int = 0
    kept: Counter[str] = msgspec.field(default_factory=Counter)
    broken: Counter[str] = msgspec.field(default_factory=Counter)
    broken_in: Counter[str] = msgspec.field(default_factory=Counter)


def audit(
    log: Log, games: Iterable[StoredGame], reading: Reading = AS_PLAYED, *, traced: bool = False
) -> Iterator[Audited]:
    """Fold stored games under a reading of the rulebook, one after the other; only one is in memory at a time."""
    for stored in games:
        begun = perf_counter()
        try:
            replayed = replay(log, stored, log.events(stored), reading=reading, traced=traced)
        except (CannotFoldError, LogError, RulesetError, UnknownGameError) as error:
            yield Audited(stored=stored, replay=None, stopped=str(error), seconds=perf_counter() - begun)
            continue
        stopped = f"event {replayed.stopped.seq}: {replayed.stopped.reason}" if replayed.stopped else ""
        yield Audited(stored=stored, replay=replayed, stopped=stopped, seconds=perf_counter() - begun)


def reported(audited: Audited) -> list[Reported]:
    """Return the findings of an audited game as they leave the house.

    The event that a replay stopped at is not part of it, so a finding about that one has no words for it.
    """
    replayed = audited.replay
    if replayed is None:
        return []
    told = dict(zip(replayed.seqs, replayed.events, strict=True))
    names = {player.id: player.name for player in audited.stored.players}
    found = []
    for finding in replayed.findings:
        event = told.get(finding.seq)
        found.append(
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
    return found


def tallies(games: Iterable[Audited]) -> Mapping[str, Tally]:
    """Count for each game (by slug) how often its rules were kept and broken."""
    found: dict[str, Tally] = {}
    for audited in games:
        tally = found.setdefault(audited.stored.game, Tally())
        replayed = audited.replay
        if replayed is None:
            continue
        tally.games += 1
        tally.events += len(replayed.events)
        for rule, kept, broken in zip(replayed.game.rules, replayed.kept, replayed.broken, strict=True):
            tally.kept[rule.id] += kept
            tally.broken[rule.id] += broken
            tally.broken_in[rule.id] += bool(broken)
    return found
