"""The rules of a game's own file: what they accuse in the stored games, what no rule cites, and a new one tried out."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from tabletape.dashboard.own_game.breaking import UNBREAKABLE, unbreakable
from tabletape.dashboard.own_game.cited import CiteSentence, sentences_of
from tabletape.dashboard.tape.choosing import counted_games
from tabletape.events.importing.origins import Origins
from tabletape.events.log import Log
from tabletape.events.log.schema import NoLogError
from tabletape.events.vocabulary.open_games import open_games
from tabletape.projector.archive.audit import Audited, Tally, audit, beside_moves, remarks_of, reported, tallies
from tabletape.projector.archive.stored import import_options, workspace
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game
from tabletape.projector.model.amounts import counted
from tabletape.projector.model.game import Game
from tabletape.projector.model.rules import HARD, Rule
from tabletape.projector.rulebooks.kept import kept_rulebook
from tabletape.projector.rulebooks.placing import citations

OFTEN_SHARE: Final = 0.25
"""A rule that accuses more than this share of the games is perhaps not played so."""

FEW_GAMES: Final = 4
"""Of fewer games nothing is said."""


class NewRule(NamedTuple):
    """A rule that is not in the file yet: what a move needs, with its sentence and where that stands."""

    move: str
    name: str
    that: str
    says: str
    cite: str

    @property
    def written(self) -> str:
        """The rule as it stands at the end of a file."""
        values = ((key, msgspec.json.encode(getattr(self, key)).decode()) for key in ("that", "says", "cite"))
        return f"\n[move.{self.move}.needs.{self.name}]\n" + "".join(f"{key} = {value}\n" for key, value in values)


def tried_on(one: Game, log: Log, game_id: str) -> Replay:
    """Return a stored game replayed by the rules of a game; nothing is stored."""
    lines = map(msgspec.json.encode, log.events(log.game(game_id)))
    return fold(one, [one.vocabulary.decode(line) for line in lines])


def own_rules_of(one: Game) -> list[Rule]:
    """Return the rules that the file of a game states, without those that every table has."""
    return [rule for rule in one.rules if rule.id.startswith(f"{one.slug}.")]


class RuleTally(NamedTuple):
    """What the stored games say of the rules of a file: counts, the lines that each accuses, and which no line breaks.

    Such a line is its place and the line in words: `evening, line 9` and `Jonas: play Frog`.
    """

    tally: Tally
    accused: Mapping[str, Sequence[tuple[str, str]]] = {}
    never: frozenset[str] = frozenset()


def rules_tallied(slug: str, db: str, *, bots: bool) -> RuleTally:
    """Return how often the stored games of a game, of people or of bots, kept and broke each rule, and where."""
    accused: dict[str, list[tuple[str, str]]] = {}
    try:
        with Log.open(db) as log:
            origins = Origins(log, import_options(workspace(log)))
            chosen = counted_games(log, slug, bots=bots)
            tally = tallies(_told(audit(log, chosen), origins, accused)).get(slug, Tally())
            kept = [each for each, times in tally.kept.items() if times and not tally.broken[each]]
            described = open_games().get(slug)
            rules = described.rules if kept and described is not None else None
            games = [[*events] for _, events in log.each(chosen)] if rules else []
            never = unbreakable(game(slug), rules, games, kept) if rules else frozenset[str]()
            for each in never:  # that is no proof that it was kept
                del tally.kept[each]
            return RuleTally(tally, accused, never)
    except NoLogError:
        return RuleTally(Tally())


def _told(games: Iterable[Audited], origins: Origins, accused: dict[str, list[tuple[str, str]]]) -> Iterator[Audited]:
    """Pass games on, and note of each which lines its rules accuse."""
    for each in games:
        wrong = [found for found in reported(each) if found.kind in HARD]
        lines = origins.lines(each.stored) if wrong else {}
        for found in wrong:
            where = f"line {lines[found.seq]}" if found.seq in lines else f"event {found.seq}"
            accused.setdefault(found.rule, []).append((f"{each.stored.game_id}, {where}", found.event))
        yield each


def beside_of(slug: str, db: str) -> list[str]:
    """Return the rests of lines that were kept as remarks in the stored games of a game: words, game and line."""
    beside: list[str] = []
    with suppress(NoLogError), Log.open(db) as log:
        origins = Origins(log, import_options(workspace(log)))
        for stored, events in log.each(each for each in log.games() if each.game == slug):
            if remarks := remarks_of((each.seq, each) for each in events if isinstance(each.seq, int)):
                lines = origins.lines(stored)
                beside += beside_moves(remarks, {seq: f"{stored.game_id}, line {line}" for seq, line in lines.items()})
    return beside


def cited_rules(one: Game, tally: Tally) -> list[Rule]:
    """Return the rules of a file that have a sentence of the rulebook, or that somebody broke, the most broken first.

    What follows from the shape of a move, such as where its card comes from, has no sentence.
    """
    rules = (each for each in own_rules_of(one) if each.lines or tally.broken[each.id])
    return sorted(rules, key=lambda each: (-tally.broken[each.id], -tally.kept[each.id]))


def in_sum(one: Game, tally: Tally) -> str:
    """Return in one sentence how many rules of a file were broken, kept, or never at stake, and how often."""
    rules = cited_rules(one, tally)
    broken = [each for each in rules if tally.broken[each.id]]
    never = sum(not tally.broken[each.id] + tally.kept[each.id] for each in rules)
    lines = counted(sum(tally.broken[each.id] for each in broken), "line")
    accused = f" ({lines})" if broken else ""
    sentences = {each.lines for each in rules}
    said = f", said by {counted(len(sentences), 'sentence')}," if all(sentences) and len(sentences) < len(rules) else ""
    unseen = f", {never} never at stake" if never else ""
    return (
        f"of {counted(len(rules), 'rule')}{said} {len(broken)} broken{accused}, "
        f"{len(rules) - len(broken) - never} always kept{unseen}"
    )


def doubt_of(rule: Rule, told: RuleTally) -> str:
    """Return in words what the counts say about a rule of a file."""
    if rule.id in told.never:
        return UNBREAKABLE
    tally = told.tally
    games, of = tally.broken_in[rule.id], tally.games
    if games and of >= FEW_GAMES and games > OFTEN_SHARE * of:
        return f"in {games} of {of} games: perhaps it is not played so"
    if games:
        return f"in {games} of {counted(of, 'game')}"
    return "" if tally.kept[rule.id] + tally.broken[rule.id] or not of else f"never at stake: {_why_not(rule, tally)}"


def _why_not(rule: Rule, tally: Tally) -> str:
    """Return why a rule was held against nothing, and what can be done."""
    slug, move, *_ = rule.id.split(".")
    if rule.how == "derived":
        return "what it says has happened in no game"
    if f"move.{move}" not in game(slug).vocabulary.types:
        return "no line was of that kind"
    if lines := tally.lines[f"move.{move}"]:
        return f"in none of the {counted(lines, 'line')} with {move} could it be told; `tabletape audit` says why"
    return (
        f"no line of the games says {move}, so it accuses nobody. Do the chats say it in another word? "
        f'`called = ["that word"]` under [move.{move}], and `tabletape import --remap`. Does nobody write it down? '
        "Then leave the rule: it does no harm"
    )


def uncited(folder: Path, slug: str) -> list[CiteSentence]:
    """Return the sentences of the rulebook in a workspace that no rule cites, in their order."""
    book = kept_rulebook(folder, slug)
    if book is None:
        return []
    cited = {number for each in book.rules.values() for number in each.sentences}
    for rule in game(slug).rules:
        for _, first, last, piece in citations(rule.lines):
            cited |= {number for line in range(first, last + 1) for number in book.text.at(line, piece)}
    left = {(each.first, each.text) for each in book.text.sentences if each.number not in cited}
    return [each for each in sentences_of(book.text) if (each.first, each.own) in left]
