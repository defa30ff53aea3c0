"""The rows of the datasets `findings` and `opportunities`: what is wrong, and how often each rule was at stake.

What follows from an earlier mistake says nothing about a rule. So incidents count *first hand*: before anything illegal
stands on the table, and not as what follows from another finding. A mistake that was taken back stands no longer.
"""

from collections import Counter, deque
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import msgspec

from tabletape.events.vocabulary import tag_of
from tabletape.events.vocabulary.shared import PlayTakenBack, QuestionRaised
from tabletape.projector.datasets.rows.game_context import GameContext, Row
from tabletape.projector.fold.compiled_rules import numbers_of
from tabletape.projector.fold.replay import Replay

TAINTING_KINDS: Final = frozenset({"illegal", "missing"})
"""Kinds of findings after which a table is no longer one that the rules allow."""

TROUBLE: Final = TAINTING_KINDS | {"mismatch", "drift"}
"""Kinds of findings that say that a rule was broken."""


class Incidents(msgspec.Struct, frozen=True):
    """What is wrong in a game, looked at from its beginning.

    `first_hand` says of each finding whether it is, `decisions` names the step (from 0) of the decision or chance line
    that it belongs to, `fair` says of each step whether the table was one that the rules allow when it began, and then
    whether it is at the end.
    """

    first_hand: list[bool]
    decisions: list[int]
    fair: list[bool]


def incidents_of(replay: Replay) -> Incidents:
    """Walk through the steps and the findings of a replay."""
    incidents = Incidents([], [], [])
    findings = deque(replay.findings)
    wrong: set[int] = set()
    standing: set[int] = set()
    decision = 0
    for step, (seq, event) in enumerate(zip(replay.seqs, replay.events, strict=True)):
        incidents.fair.append(not standing)
        if isinstance(event, PlayTakenBack):
            wrong, standing = ({each for each in seqs if each <= event.to} for seqs in (wrong, standing))
        if event.CLASS in {"decision", "chance"}:
            decision = step
        fair = not standing
        while findings and findings[0].seq <= seq:
            finding = findings.popleft()
            incidents.first_hand.append(fair and finding.follows not in wrong)
            incidents.decisions.append(decision)
            wrong.add(finding.seq)
            standing |= {finding.seq} if finding.kind in TAINTING_KINDS else set()
    incidents.fair.append(not standing)
    # What was found on the event that the replay stopped at belongs to no step.
    incidents.first_hand.extend(not standing and finding.follows not in wrong for finding in findings)
    incidents.decisions.extend(len(replay.events) for _ in findings)
    return incidents


def finding_rows(context: GameContext, incidents: Incidents) -> Iterator[Row]:
    """Return a row for every finding."""
    replay, rules = context.replay, context.replay.game.by_id
    steps = {seq: step for step, seq in enumerate(replay.seqs)}
    for finding, first_hand in zip(replay.findings, incidents.first_hand, strict=True):
        # What was found on the event that the replay stopped at belongs to no step.
        step = steps.get(finding.seq)
        yield (
            finding.seq,
            None if step is None else context.timeline.positions[step].turn,
            None if step is None else tag_of(type(replay.events[step])),
            finding.player or None,
            finding.rule,
            finding.kind,
            finding.message,
            finding.expected or None,
            rules[finding.rule].section,
            rules[finding.rule].lines,
            finding.because or None,
            finding.tainted,
            finding.follows or None,
            first_hand,
        )


def opportunity_rows(context: GameContext, incidents: Incidents) -> Iterator[Row]:
    """Return a row for every rule that was at stake, broken, asked about or taken back."""
    replay = context.replay
    own = [*zip(replay.findings, incidents.first_hand, incidents.decisions, strict=True)]
    broken = Counter(rule for rule, _ in {(each.rule, at) for each, mine, at in own if mine and each.kind in TROUBLE})
    later = Counter(each.rule for each, _, _ in own if each.kind in TROUBLE)
    unverifiable = Counter(each.rule for each, mine, _ in own if mine and each.kind == "unverifiable")
    questions = Counter(_named(replay, QuestionRaised))
    take_backs = Counter(_named(replay, PlayTakenBack))
    mentioned = later.keys() | unverifiable.keys() | questions.keys() | take_backs.keys()
    every = _kept(context, replay)
    fair = _kept_fairly(context, incidents, every)
    for rule in replay.game.rules:
        key = rule.id
        if every[rule.number] or key in mentioned:
            yield (
                key, fair[rule.number], broken[key], unverifiable[key], questions[key], take_backs[key],
                every[rule.number] - fair[rule.number], later[key] - broken[key],
            )  # fmt: skip


def _kept(context: GameContext, replay: Replay) -> list[int]:
    """Return how often each rule was kept, by its number; what nobody wrote down agrees with what the rules derive."""
    times_kept = [*replay.kept]
    rule = replay.game.consequences.rule
    if rule is not None:
        times_kept[rule.number] += len(context.unwritten)
    return times_kept


def _kept_fairly(context: GameContext, incidents: Incidents, every: list[int]) -> list[int]:
    """Return how often each rule was kept on a table that the rules allow: folded once more, stretch by stretch.

    `every` counts all the times that each rule was kept. What follows from a line that was wrong is not of a table that
    the rules allow any more: such a line is a stretch of its own.
    """
    replay = context.replay
    if all(incidents.fair):
        return every
    numbers, again = numbers_of(replay.game), Replay(replay.game, replay.ruleset, replay.library)
    again.within(replay.events)
    counts = Counter[int]()
    for begin, end in pairwise(_edges(incidents.fair)):
        before = again.kept
        known, applied = ([*again.table.derived], len(again.table.applied)) if begin else ([], 0)
        again.run(replay.events[begin:end])
        if end == len(replay.events):
            again.finish()
        if not incidents.fair[begin]:
            continue
        counts.update({number: now - then for number, (then, now) in enumerate(zip(before, again.kept, strict=True))})
        if not incidents.fair[end]:
            follow = [each.rule for each in again.table.derived if not any(each is other for other in known)]
            counts.subtract(map(numbers.__getitem__, [*follow, *again.table.applied[applied:]]))
    return [min(counts[number], most) for number, most in enumerate(every)]


def _edges(fair: list[bool]) -> list[int]:
    """Return the steps at which a stretch begins or ends: where a line is wrong, before and behind it."""
    changed = (step for step, (before, now) in enumerate(pairwise(fair), 1) if before != now)
    inside = {each for step in changed for each in (step, *([step - 1] if fair[step - 1] else []))}
    return sorted({0, *inside, len(fair) - 1})


def _named(replay: Replay, kind: type[QuestionRaised | PlayTakenBack]) -> Iterator[str]:
    """Return the rules that the questions or take-backs of a game name."""
    for event in replay.events:
        if isinstance(event, kind) and isinstance(event.rule, str):
            yield event.rule
