"""`tabletape audit`: every event of the stored games held against the rulebook."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import partial
from typing import Annotated, Literal

import msgspec
import typer

from tabletape.cli.terminal.arguments import option
from tabletape.cli.terminal.findings import print_finding
from tabletape.cli.terminal.options import DATABASE, Cards, Database, Edition, GameIds, OneGame, Processes, Rulings
from tabletape.cli.terminal.origins import EventPlaces
from tabletape.cli.terminal.output import and_more, print_json, print_jsonl, remark, say, tally, watched
from tabletape.dashboard.tape.tape import open_tape
from tabletape.events.errors import RefusedError
from tabletape.events.log import Log
from tabletape.events.log.rows import StoredGame
from tabletape.events.vocabulary.open_games import open_games
from tabletape.projector.archive.audit import MOST_BESIDE, AuditReport, Reported, beside_in_words, beside_moves
from tabletape.projector.archive.audit import audit as audited
from tabletape.projector.archive.recordings import as_expected
from tabletape.projector.archive.stored import RulesetOverride, workspace
from tabletape.projector.model.amounts import counted
from tabletape.projector.rulebooks.kept import Quote

Format = Literal["full", "concise", "json", "jsonl", "sarif"]
Wrong = StrEnum("Wrong", ["illegal", "missing", "mismatch", "drift", "unverifiable", "info", "any", "never"])
"""What `--fail-on` knows: the kinds of finding, whatever there is, nothing."""


def audit(  # noqa: PLR0913 - each parameter is an option of the command
    games: GameIds = None,
    *,
    db: Database = DATABASE,
    game: OneGame = "",
    edition: Edition = "",
    ruling: Rulings = None,
    cards: Cards = "",
    form: Annotated[
        Format,
        option(
            "--format",
            "full: by game, with citations; concise: a finding a line; json, jsonl, sarif: for other programs.",
        ),
    ] = "full",
    every: Annotated[
        bool, option("--all", "In the full form, show what follows from an earlier finding, and all rests of lines.")
    ] = False,
    expected: Annotated[
        bool,
        option(
            "--as-expected", "Print what is found in one game as the expected.json of a recorded game; see the docs."
        ),
    ] = False,
    processes: Processes = 0,
    fail_on: Annotated[
        list[Wrong],
        typer.Option(help="Exit with 1 where there is a finding of this kind; may be given repeatedly."),
    ] = [Wrong.never],  # noqa: B006 - Typer copies the default
) -> None:
    """Audit stored games: hold every event against the rulebook and say which rule it breaks, with citation.

    Kinds of finding: illegal (not allowed), missing (something that has to come next does not), mismatch (a written
    consequence differs from what the rules make of it), drift (an observed total differs), unverifiable (the log
    cannot tell), info.

    One slip often makes many later lines look wrong. A finding that may only follow from an earlier one names its
    event ("follows"); the full form counts such findings below the one that they follow from, and shows them with
    --all; of an own game it shows those that break another rule. Data also says of each finding whether it comes after
    the first illegal event of its game ("tainted").

    The exit code is 0 whatever is found, unless --fail-on asks for more. `--fail-on any` also counts a game whose
    replay had to stop.

    Example:
        tabletape audit
        tabletape audit --game splicers --ruling domination_threshold=more_than
        tabletape audit --format sarif --fail-on illegal --fail-on missing > findings.sarif
    """
    with open_tape(db) as tape:
        chosen = tape.games(games or None, game=game)
        how = tape.reading(chosen, game, edition=edition, rulings=ruling, cards=cards)
        if expected:
            _print_expected(tape.log, [each.stored for each in chosen], how)
            return
        with watched("Auditing", len(chosen), printing=True) as progress:
            summary = AuditSummary()
            print_findings = partial(_full, every=every) if form == "full" else PRINTERS[form]
            print_findings(summary.counting(tape.reports(chosen, how, processes), progress), tape.log)
    (say if form == "full" else remark)(str(summary))
    if (
        form == "full"
        and not summary.kinds
        and (own := sorted({each.stored.game for each in chosen} & {*open_games()}))
    ):
        remark(
            f"Next: `tabletape rules check {own[0]}` says which rules were at stake; a further sentence of the "
            f"rulebook goes into games/{own[0]}.toml"
        )
    if summary.matches(fail_on):
        raise typer.Exit(1)


class AuditSummary:
    """What an audit comes to."""

    def __init__(self) -> None:
        self.games = 0
        self.events = 0
        self.without = 0
        self.results = 0
        self.unstated = 0
        self.idle = 0
        self.unread = 0
        self.stopped = 0
        self._began = time.monotonic()
        self.following = 0
        self.kinds: Counter[str] = Counter()
        self._held: Counter[str] = Counter()
        self._left: Counter[str] = Counter()

    def counting(self, games: Iterable[AuditReport], progress: Callable[[int], object]) -> Iterable[AuditReport]:
        """Return the games on, and count them."""
        for each in games:
            self.games += 1
            self.events += each.events
            self.kinds.update(finding.kind for finding in each.findings)
            self.following += sum(bool(finding.follows) for finding in each.findings)
            self.stopped += bool(each.stopped)
            self.results += each.is_result
            self.unread += each.unread
            if not (each.findings or each.stopped or each.is_result):
                is_idle = bool(each.held) and not any(lines for lines, _ in each.held.values())
                self.without += each.is_stated and not is_idle
                self.unstated += not each.is_stated
                self.idle += each.is_stated and is_idle
            self._held.update({rule: lines for rule, (lines, _) in each.held.items()})
            self._left.update({rule: left for rule, (_, left) in each.held.items()})
            progress(1)
            yield each

    def matches(self, kinds: Iterable[str]) -> bool:
        """Return whether there is anything that a person asked to fail on."""
        anything = bool(self.kinds or self.stopped)
        return any(anything if kind == "any" else self.kinds[kind] for kind in kinds)

    def __str__(self) -> str:
        nothing = "no findings" if self.without or not self.unstated else "no findings in the book-keeping"
        findings_in_words = tally(dict(self.kinds.most_common())) or nothing
        following = f" ({self.following} of them may follow from an earlier one)" if self.following else ""
        stopped = f", {counted(self.stopped, 'game')} could not be replayed to the end" if self.stopped else ""
        results = f", {counted(self.results, 'result')} with nothing to audit" if self.results else ""
        unstated = (
            f", {counted(self.unstated, 'game')} of which no rule is stated: nothing was held against one"
            if self.unstated
            else ""
        )
        unstated += f", {counted(self.idle, 'game')} of which no rule could judge a line" if self.idle else ""
        unread = f"; {counted(self.unread, 'line')} of the log could not be read" if self.unread else ""
        seconds = time.monotonic() - self._began
        return (
            f"{counted(self.games, 'game')}, {counted(self.events, 'event')} in {seconds:.1f} s: {findings_in_words}"
            f"{following}; {counted(self.without, 'game')} without findings{results}{stopped}{unstated}{unread}"
            f"{self._reach}"
        )

    @property
    def _reach(self) -> str:
        """How many lines the rules of own games judged, those first that could not judge all; empty where none is."""
        rules = sorted(self._held, key=lambda rule: (not self._left[rule], bool(self._held[rule]), rule))
        part = [
            f"{rule} {self._held[rule]} of {self._held[rule] + self._left[rule]}" for rule in rules if self._left[rule]
        ]
        none = [rule for rule in rules if not self._left[rule] and not self._held[rule]]
        whole = [rule for rule in rules if not self._left[rule] and self._held[rule]]
        times = sum(self._held[rule] for rule in whole)
        said = [f"{len(whole)} judged all {counted(times, 'line')} that they are about"] if whole else []
        said += [f"only some lines were judged by {', '.join(part)}"] if part else []
        said += [f"none by {', '.join(none)}"] if none else []
        return f". Of {counted(len(rules), 'rule')} of own games {'; '.join(said)}" if said else ""


def _full(games: Iterable[AuditReport], log: Log, *, every: bool = False) -> None:
    folder, places = workspace(log), EventPlaces(log)
    for each in games:
        findings, stored = each.findings, each.stored
        stands = _stands(each, places)
        not_judged = _not_judged(each, stands, every=every)
        if not (findings or each.stopped or each.read_as or not_judged):
            continue
        players = ", ".join(player.name for player in stored.players)
        say((stored.game_id, "bold"), f"  {stored.game} {stored.edition}, {players}")
        shown = [finding for finding in findings if every or not finding.follows or _is_of_another(finding, findings)]
        for number, finding in enumerate(shown):
            if not number or shown[number - 1].seq != finding.seq:
                say(f"  {finding.seq:>4}  {finding.event}", (_standing(stands, finding), "dim"))
            print_finding(finding, Quote(folder, stored.game))
            if not every and finding.seq not in {later.seq for later in shown[number + 1 :]}:
                hidden = {later.seq for later in findings if later.follows == finding.seq and later not in shown}
                _print_following(sorted(hidden))
        for seq, (event, taken) in each.read_as.items():
            say(f"  {seq:>4}  {event}", ("  (as it was read at import)", "dim"))
            say("        ", taken)
        for text in not_judged:
            say("  not judged: ", (text, "dim"))
        if each.stopped:
            say("        ", ("replay stopped", "bold red"), f" at {each.stopped}")
        say()


def _not_judged(report: AuditReport, stands: Mapping[int, str], *, every: bool = True) -> list[str]:
    """Return in words what lines were not held against, and which rests of lines were kept as remarks."""
    beside = beside_moves(report.remarks, stands)
    hint = " (--all shows them)" if not every and len(beside) > MOST_BESIDE else ""
    return [*report.unjudged, *[f"{beside_in_words(beside, every=every)}{hint}"] * bool(beside)]


def _standing(places: Mapping[int, str], finding: Reported) -> str:
    """Return where the event of a finding stands in the file that it came from, where that is shown."""
    return f"  ({places[finding.seq]})" if finding.seq in places else ""


def _is_of_another(finding: Reported, findings: Sequence[Reported]) -> bool:
    """Return whether a finding breaks another rule of an own game than what it may follow from: it is not counted."""
    of_cause = {each.rule for each in findings if each.seq == finding.follows}
    return finding.game in open_games() and finding.rule not in of_cause


def _print_following(lines: Sequence[int]) -> None:
    if lines:
        what = f"{counted(len(lines), 'later line')} may follow from this"
        say("          ", (f"{what}: {and_more(lines)} (--all shows what is found there)", "dim"))


def _concise(games: Iterable[AuditReport], log: Log) -> None:
    places = EventPlaces(log)
    for each in games:
        stands = _stands(each, places)
        for finding in each.findings:
            doubt = f" (may follow from {finding.follows})" if finding.follows else ""
            words = f"{finding.kind} {finding.rule} {finding.message}{doubt}{_standing(stands, finding)}"
            say(f"{finding.game_id}:{finding.seq}: {words}")
        for seq, (_, taken) in each.read_as.items():
            say(f"{each.stored.game_id}:{seq}: read at import: {taken}")
        for text in _not_judged(each, stands):
            say(f"{each.stored.game_id}: not judged: {text}")
        if each.stopped:
            say(f"{each.stored.game_id}: stopped at {each.stopped}")


def _json(games: Iterable[AuditReport], log: Log) -> None:
    places = EventPlaces(log)
    print_json(
        [
            {
                "game_id": each.stored.game_id,
                "game": each.stored.game,
                "edition": each.stored.edition,
                "events": each.events,
                "stopped": each.stopped,
                "findings": _findings(each, places),
                **({"read_as": {seq: taken for seq, (_, taken) in each.read_as.items()}} if each.read_as else {}),
                **({"unjudged": not_judged} if (not_judged := _not_judged(each, _stands(each, places))) else {}),
            }
            for each in games
        ]
    )


def _jsonl(games: Iterable[AuditReport], log: Log) -> None:
    places = EventPlaces(log)
    print_jsonl(finding for each in games for finding in _findings(each, places))


def _stands(report: AuditReport, places: EventPlaces) -> Mapping[int, str]:
    """Return where events stand that something is said of; nothing is read where nothing is."""
    return places.of(report.stored) if report.findings or report.remarks else {}


def _findings(report: AuditReport, places: EventPlaces) -> Sequence[Reported | dict[str, object]]:
    """Return the findings of a game as data, with where their events stand in a file of another program."""
    stands = _stands(report, places)
    if not stands:
        return report.findings
    return [{**msgspec.structs.asdict(each), "origin": stands.get(each.seq)} for each in report.findings]


def _sarif(games: Iterable[AuditReport], log: Log) -> None:
    from tabletape.cli.terminal import sarif  # noqa: PLC0415 - it names the lines of the imported files, so it loads all their readers

    print_json(sarif.report(games, log))


def _print_expected(log: Log, chosen: Sequence[StoredGame], how: RulesetOverride) -> None:
    if len(chosen) != 1:
        raise RefusedError(f"--as-expected is for one game, not {len(chosen)}: name it")
    (reading,) = audited(log, chosen, how)
    if reading.replay is None:
        raise RefusedError(f"{reading.stored.game_id} cannot be folded: {reading.stopped}")
    ruleset = {"edition": how.edition, "rulings": dict(how.rulings)}
    asked = {"ruleset": {name: each for name, each in ruleset.items() if each}} if any(ruleset.values()) else {}
    print_json({**asked, **as_expected(reading.replay)})


PRINTERS: dict[Format, Callable[[Iterable[AuditReport], Log], None]] = {
    "full": _full,
    "concise": _concise,
    "json": _json,
    "jsonl": _jsonl,
    "sarif": _sarif,
}
