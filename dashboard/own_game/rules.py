"""The rules of a game's own file: what they accuse in the stored games, what no rule cites, and a new one tried out."""

from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from tabletape.dashboard.own_game.look import CiteSentence, sentences_of
from tabletape.dashboard.tape.choosing import counted_games
from tabletape.events.importing.origins import Origins
from tabletape.events.log import Log
from tabletape.events.log.schema import NoLogError
from tabletape.events.vocabulary.open_games import games_of
from tabletape.projector.archive.audit import Tally, audit, beside_moves, remarks_of, tallies
from tabletape.projector.archive.stored import import_options, workspace
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game, open_game
from tabletape.projector.model.amounts import counted
from tabletape.projector.model.game import Game
from tabletape.projector.model.rules import Rule
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


def tried_on(slug: str, text: str, log: Log, game_id: str) -> Replay:
    """Return a stored game of the game `slug` replayed by the rules of a text; nothing is stored.

    Raises `GameFileError` with every mistake of the text.
    """
    one = open_game(games_of(f"{slug}.toml", slug, text)[slug])
    lines = map(msgspec.json.encode, log.events(log.game(game_id)))
    return fold(one, [one.vocabulary.decode(line) for line in lines])


def own_rules_of(one: Game) -> list[Rule]:
    """Return the rules that the file of a game states, without those that every table has."""
    return [rule for rule in one.rules if rule.id.startswith(f"{one.slug}.")]


def tally_of(slug: str, db: str, *, bots: bool) -> Tally:
    """Return how often the stored games of a game, of people or of bots, kept and broke each rule."""
    try:
        with Log.open(db) as log:
            return tallies(audit(log, counted_games(log, slug, bots=bots))).get(slug, Tally())
    except NoLogError:
        return Tally()


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


def doubt_of(rule: str, tally: Tally) -> str:
    """Return in words what the counts say about a rule of a file."""
    games, of = tally.broken_in[rule], tally.games
    if games and of >= FEW_GAMES and games > OFTEN_SHARE * of:
        return f"accuses {games} of {of} games: perhaps it is not played so"
    if games:
        return f"accuses {games} of {counted(of, 'game')}"
    return "" if tally.kept[rule] + tally.broken[rule] or not of else f"never at stake{_why_not(rule, tally)}"


def _why_not(rule: str, tally: Tally) -> str:
    """Return why a rule of a move was held against nothing, where it is one."""
    slug, move, *_ = rule.split(".")
    if f"move.{move}" not in game(slug).vocabulary.types:
        return ""
    lines = tally.lines[f"move.{move}"]
    return (
        f": none of {counted(lines, 'line')} of {move}, `tabletape audit` says why"
        if lines
        else f": no line of the chats says {move}"
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
