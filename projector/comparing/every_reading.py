"""Stored games under each other reading of each unclear sentence, one at a time, and what that changes.

A flip is one ruling read by another option than the game's own, all others left as they are. What has been read is
kept in the workspace (`.tabletape/readings/<game>.jsonl`, a line a game), so that a run that was stopped goes on, and
only games that changed are read again.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from tabletape.events.log import Log
from tabletape.events.log.rows import StoredGame
from tabletape.events.log.schema import LogError
from tabletape.events.plans import planned
from tabletape.events.vocabulary import Event, UnknownGameError
from tabletape.events.whole_files import add_line, made_folder, write_whole
from tabletape.projector.archive.card_versions import kept_cards
from tabletape.projector.archive.stored import cards_of, workspace
from tabletape.projector.comparing.ruleset_comparison import ComparedOutcome, outcome_of
from tabletape.projector.datasets.origin import code_of
from tabletape.projector.fold.folding import fold_under, ruleset_of
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game
from tabletape.projector.model.cards import CardError
from tabletape.projector.model.rulebook import Ruleset, RulesetError
from tabletape.projector.model.rules import Finding
from tabletape.projector.model.table import CannotFoldError
from tabletape.projector.parallel import WORTH_PROCESSES, work_in_order

FOLDER: Final = Path(".tabletape") / "readings"
"""Where the results lie in a workspace."""

FORM: Final = 1
"""Changes with what a line of the results holds."""

PACK: Final = 8
"""How many games a process takes at once; what was done is kept after each pack."""

USUAL_FLIPS: Final = 40
"""About how many times each game is read."""


class Flip(msgspec.Struct, frozen=True, kw_only=True):
    """A game under one other option of one ruling, where that changes anything.

    `gone` and `new` count the findings that only one of the two readings has; `seq` is the first event with one.
    """

    ruling: str
    option: str
    before: ComparedOutcome
    after: ComparedOutcome
    gone: int
    new: int
    seq: int = 0

    @property
    def other_winner(self) -> bool:
        """Whether somebody else wins, or nobody."""
        return (self.before.winner, self.before.over) != (self.after.winner, self.after.over)


@planned
class GameReadings(msgspec.Struct, frozen=True, kw_only=True):
    """A game under all flips: `tried` says which (`key=option`), `flips` those that change something.

    `refused` are readings that cannot stand beside the game's others; `stopped` says why the game cannot be read.
    """

    game_id: str
    stamp: str
    tried: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    flips: tuple[Flip, ...] = ()
    stopped: str = ""


class Weight(msgspec.Struct, frozen=True, kw_only=True):
    """How much an option of a ruling would change: in `games` it was tried, in `changed` it makes a difference.

    `winners` and `endings` count the games that somebody else wins or that end otherwise, `verdicts` the findings that
    go or come; `proof` are games with the first event that differs (0: only the ending does), the weightiest first.
    """

    ruling: str
    option: str
    games: int
    changed: int
    winners: int
    endings: int
    verdicts: int
    proof: tuple[tuple[str, int], ...] = ()


# -- reading a game ----------------------------------------------------------------------------------------------------


def readings_of(log: Log, stored: StoredGame, events: Sequence[Event]) -> GameReadings:
    """Read a game as its table did and by every other built option of every ruling."""
    stamp = stamp_of(log, stored)
    try:
        one = game(stored.game)
        cards = kept_cards(log, stored)
        library = (cards_of(workspace(log), stored.game) if cards is None else cards).library
        own = ruleset_of(one, stored.edition, stored.rulings, rulings={})
        before = fold_under(one, own, events, library)
    except (CannotFoldError, CardError, LogError, RulesetError, UnknownGameError) as error:
        return GameReadings(game_id=stored.game_id, stamp=stamp, stopped=str(error))
    tried, refused, flips = [], [], []
    for key, option, ruleset in _others(stored, own):
        if ruleset is None:
            refused.append(f"{key}={option}")
            continue
        tried.append(f"{key}={option}")
        flip = _flip(before, fold_under(one, ruleset, events, library), key, option)
        if flip is not None:
            flips.append(flip)
    return GameReadings(
        game_id=stored.game_id, stamp=stamp, tried=tuple(tried), refused=tuple(refused), flips=tuple(flips)
    )


def _others(stored: StoredGame, own: Ruleset) -> Iterator[tuple[str, str, Ruleset | None]]:
    """Return every other built option of every ruling with its ruleset; None where it cannot stand beside the rest."""
    one = game(stored.game)
    for ruling in one.rulebook.rulings:
        for option in ruling.options:
            if option.built and option.name != own.options[ruling.key]:
                flipped = {ruling.key: option.name}
                try:
                    yield ruling.key, option.name, ruleset_of(one, stored.edition, stored.rulings, rulings=flipped)
                except RulesetError:
                    yield ruling.key, option.name, None


def _flip(before: Replay, after: Replay, key: str, option: str) -> Flip | None:
    mine, theirs = ({_content(each): each.seq for each in replay.findings} for replay in (before, after))
    gone, new = mine.keys() - theirs.keys(), theirs.keys() - mine.keys()
    outcomes = outcome_of(before), outcome_of(after)
    if not gone and not new and outcomes[0] == outcomes[1]:
        return None
    first = min((*(mine[each] for each in gone), *(theirs[each] for each in new)), default=0)
    return Flip(
        ruling=key, option=option, before=outcomes[0], after=outcomes[1], gone=len(gone), new=len(new), seq=first
    )


def _content(finding: Finding) -> tuple[Any, ...]:
    """Return what a finding says, whether or not an earlier mistake may be behind it."""
    return finding.seq, finding.rule, finding.kind, finding.player, finding.message, finding.expected, finding.because


# -- many games --------------------------------------------------------------------------------------------------------


def stamp_of(log: Log, stored: StoredGame) -> str:
    """Return what changes when the game, the rules or the cards do."""
    return f"{FORM} {stored.fingerprint} {stored.last_seq} {code_of(workspace(log), stored.game)}"


def kept_readings(log: Log, games: Iterable[StoredGame]) -> dict[str, GameReadings]:
    """Return what is kept about stored games and still holds, by game id."""
    wanted = {each.game_id: stamp_of(log, each) for each in games_with_rulings(games)}
    slugs = {each.game for each in games}
    readings: dict[str, GameReadings] = {}
    for slug in slugs:
        for each in _lines(workspace(log) / FOLDER / f"{slug}.jsonl"):
            if wanted.get(each.game_id) == each.stamp:
                readings[each.game_id] = each
    return readings


def games_with_rulings(games: Iterable[StoredGame]) -> list[StoredGame]:
    """Return the games of which the rulebook can be read in more than one way."""
    several = []
    for each in games:
        try:
            if game(each.game).rulebook.rulings:
                several.append(each)
        except UnknownGameError:
            continue  # A game of which the rules are not there is read by nobody.
    return several


def _lines(file: Path) -> Iterator[GameReadings]:
    try:
        lines = file.read_bytes().splitlines()
    except FileNotFoundError:
        return
    for line in lines:
        try:
            yield msgspec.json.decode(line, type=GameReadings)
        except msgspec.DecodeError:
            continue  # A line that was cut off when a run died is read anew.


def read_every_way(
    log: Log, games: Sequence[StoredGame], progress: Callable[[int], object] = lambda _games: None, processes: int = 0
) -> dict[str, GameReadings]:
    """Read stored games every way, those that are kept already not again; `progress` is called with how many were done.

    `processes`: 0 takes as many as there are cores, where there is enough to do. What was done is kept, however this
    ends.
    """
    chosen = games_with_rulings(games)
    for slug in {each.game for each in chosen}:
        _tidy(workspace(log) / FOLDER / f"{slug}.jsonl")
    readings = kept_readings(log, chosen)
    progress(len(readings))
    todo = [each for each in chosen if each.game_id not in readings]
    for done in _read(log, todo, processes):
        _keep(workspace(log), {each.game_id: each for each in todo}, done)
        readings.update({each.game_id: each for each in done})
        progress(len(done))
    return readings


def _read(log: Log, todo: Sequence[StoredGame], processes: int) -> Iterator[list[GameReadings]]:
    events = sum(each.events for each in todo)
    number = processes or ((os.cpu_count() or 1) if events * USUAL_FLIPS >= WORTH_PROCESSES else 1)
    size = PACK if number > 1 else 1
    packs = [todo[start : start + size] for start in range(0, len(todo), size)]
    return work_in_order(log, packs, _readings_of_all, number)


def _readings_of_all(log: Log, pack: Sequence[StoredGame]) -> list[GameReadings]:
    return [readings_of(log, stored, events) for stored, events in log.each(pack)]


def _keep(folder: Path, stored: Mapping[str, StoredGame], done: Sequence[GameReadings]) -> None:
    lines: dict[str, list[str]] = {}
    for each in done:
        lines.setdefault(stored[each.game_id].game, []).append(msgspec.json.encode(each).decode())
    with made_folder(folder / FOLDER):
        for slug, some in lines.items():
            add_line(folder / FOLDER / f"{slug}.jsonl", "\n".join(some))


def _tidy(file: Path) -> None:
    """Write a file of results anew where most of its lines have been replaced by later ones."""
    every = list(_lines(file))
    last = {each.game_id: each for each in every}
    if len(every) > 2 * len(last):
        write_whole(file, b"".join(msgspec.json.encode(each) + b"\n" for each in last.values()))


# -- what it comes to --------------------------------------------------------------------------------------------------


def games_read_otherwise(
    readings: Mapping[str, GameReadings], rulings: Iterable[str]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Return the games that another option of one of some rulings changes, with these rulings."""
    wanted = set(rulings)
    for game_id, read in readings.items():
        changing = tuple(dict.fromkeys(flip.ruling for flip in read.flips if flip.ruling in wanted))
        if changing:
            yield game_id, changing


def weights(readings: Iterable[GameReadings]) -> list[Weight]:
    """Rank the options by how many winners, endings and verdicts they would change; those that change nothing last."""
    tried: dict[str, int] = {}
    flips: dict[str, list[tuple[str, Flip]]] = {}
    for each in readings:
        for name in each.tried:
            tried[name] = tried.get(name, 0) + 1
        for flip in each.flips:
            flips.setdefault(f"{flip.ruling}={flip.option}", []).append((each.game_id, flip))
    weighed = [_weight(name, games, flips.get(name, [])) for name, games in tried.items()]
    return sorted(weighed, key=lambda each: (-each.winners, -each.endings, -each.changed, -each.verdicts))


def _weight(name: str, games: int, flips: Sequence[tuple[str, Flip]]) -> Weight:
    ruling, _, option = name.partition("=")
    ordered = sorted(flips, key=lambda each: (not each[1].other_winner, each[1].before == each[1].after, each[0]))
    return Weight(
        ruling=ruling,
        option=option,
        games=games,
        changed=len(flips),
        winners=sum(flip.other_winner for _, flip in flips),
        endings=sum(flip.before != flip.after for _, flip in flips),
        verdicts=sum(flip.gone + flip.new for _, flip in flips),
        proof=tuple((game_id, flip.seq) for game_id, flip in ordered),
    )
