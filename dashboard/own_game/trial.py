"""A rule that is not written yet, held against the stored games: which lines it accuses, which it cannot judge."""

from collections.abc import Sequence
from typing import NamedTuple

from tabletape.dashboard.own_game.file import with_changes
from tabletape.dashboard.own_game.forms import own_game
from tabletape.dashboard.own_game.game import FirstRule, OwnGame
from tabletape.dashboard.own_game.look import CiteSentence
from tabletape.dashboard.own_game.rules import tried_on
from tabletape.events.importing.origins import Origins
from tabletape.events.log import Log
from tabletape.events.log.rows import StoredGame
from tabletape.events.toml_text import toml_of
from tabletape.events.vocabulary.tabletop import CardsDrawn
from tabletape.projector.archive.stored import import_options, workspace
from tabletape.projector.model.rules import Finding

ACCUSING = frozenset({"illegal", "missing", "mismatch", "drift"})


class Accused(NamedTuple):
    """A line that a rule accuses, in the game and the line of its file where it stands, 0 if unknown."""

    stored: StoredGame
    line: int
    finding: Finding


class TriedRule(NamedTuple):
    """What a file with a new rule finds that it did not find before, in how many games, and what it leaves open."""

    text: str
    games: int
    accused: tuple[Accused, ...]
    open: tuple[Accused, ...]


def trial_of(slug: str, text: str, rule: FirstRule, log: Log) -> TriedRule:
    """Return what a file with a new rule finds in the stored games; nothing is stored.

    Raises `GameFileError` where the rule cannot be written so.
    """
    after = with_changes(text, rule.changes)
    stored = [each for each in log.games() if each.game == slug]
    origins = Origins(log, import_options(workspace(log)))
    new: list[Accused] = []
    for each in stored:
        before = {(found.seq, found.rule) for found in tried_on(slug, text, log, each.game_id)}
        lines = origins.lines(each)
        findings = tried_on(slug, after, log, each.game_id)
        new += [
            Accused(each, lines.get(found.seq, 0), found) for found in findings if (found.seq, found.rule) not in before
        ]
    accused = tuple(each for each in new if each.finding.kind in ACCUSING)
    return TriedRule(after, len(stored), accused, tuple(each for each in new if each.finding.kind not in ACCUSING))


def game_of(slug: str, text: str, sentences: Sequence[CiteSentence], log: Log) -> OwnGame:
    """Return a game as its file and its stored games say it, with the sentences of its rulebook."""
    stored = (each for each in log.games() if each.game == slug)
    draws = any(type(event) is CardsDrawn for each in stored for event in log.events(each))
    return own_game(toml_of(text), sentences, draws=draws)
