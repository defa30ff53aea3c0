"""Go on from here: bots play the rest of a recorded game from one of its steps, a branch that is no game of the log.

What the log has named stays as it is; unnamed cards are dealt by lot from those of the deck list whose
place is unknown, and the order of the decks is anew in each branch, but for cards that are known to lie under them.
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final

import msgspec
from msgspec import structs

from tabletape.events.errors import TabletapeError
from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.names import BOTS
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game
from tabletape.projector.model.cards import Cards
from tabletape.projector.model.game import Game
from tabletape.projector.model.table import Table
from tabletape.projector.parallel import in_processes
from tabletape.projector.selfplay.search import DealtDice
from tabletape.projector.selfplay.simulate import Match, Plan, Simulated

BRANCHES_A_TASK: Final = 5
"""Branches that a process plays at a time."""


class BranchError(TabletapeError):
    """A step from which nobody can go on; the message says why."""


class Stem(msgspec.Struct, frozen=True):
    """What all branches of a game share: its recorded lines up to a step, its cards, and how the rest is played."""

    slug: str
    events: tuple[Event, ...]
    library: Mapping[str, Any]
    plan: Plan


def stem_of(played: Replay, step: int, plan: Plan) -> Stem:
    """Return what the branches of a game from event `step` (from 1) on share.

    All seats are played by the first bot of the plan; `rulings` and `edition` of the plan are laid over those of the
    game from its beginning on. Raises `BranchError` where the game has no such step, is over there, or does not say
    which cards are in a deck, `RulesetError` for an impossible ruling.
    """
    if not 1 <= step <= len(played.events):
        raise BranchError(f"there is no step {step}: this game has steps 1 to {len(played.events)}")
    rulings = {**played.ruleset.options, **plan.rulings}
    laid_over = structs.replace(plan, rulings=rulings, edition=plan.edition or played.ruleset.edition)
    stem = Stem(played.game.slug, tuple(played.events[:step]), played.library, laid_over)
    first = Branch(played.game, stem, 1).replay
    if first.stopped is not None:
        raise BranchError(f"this game cannot be followed to step {step}: {first.stopped.reason}")
    if first.table.over:
        raise BranchError(f"the game is over at step {step}")
    unlisted = [
        zone.owner for zone in first.table.zones.values() if zone.role == "deck" and (zone.size < 0 or zone.unseen > 0)
    ]
    if unlisted:
        whose = first.table.players[unlisted[0]].name
        raise BranchError(
            f"the log does not say which cards are in the deck of {whose}, so bots cannot draw from it; a line "
            "deck.declared would"
        )
    return stem


def branches(stems: Sequence[Stem], number: int, *, processes: int = 1) -> Iterator[tuple[Simulated, ...]]:
    """Play the rest of a game `number` times, each time by other dice; yield the branch of each stem, in their order.

    The n-th branches of all stems have the same dice. Their ids begin like those of all bots, and go on with `branch`.
    `processes` 0 takes all cores; a caller that stops early has what came until then.
    """
    chunks = [
        (tuple(stems), range(at, min(at + BRANCHES_A_TASK, number + 1))) for at in range(1, number + 1, BRANCHES_A_TASK)
    ]
    for of_chunk in in_processes(_play_chunk, chunks, 1 if len(chunks) == 1 else processes):
        yield from of_chunk


def _play_chunk(chunk: tuple[tuple[Stem, ...], range]) -> list[tuple[Simulated, ...]]:
    stems, numbers = chunk
    return [tuple(Branch(game(stem.slug), stem, number).play() for stem in stems) for number in numbers]


class Branch(Match):
    """The rest of a recorded game as it is played."""

    def __init__(self, one: Game, stem: Stem, number: int) -> None:
        head: Any = stem.events[0]
        step, plan = len(stem.events), stem.plan
        self._game = one
        self._id = f"{BOTS}branch-{head.id}-{step}-{plan.seed}-{number}"
        self._cards = Cards(stem.library, {})
        self._ruleset = one.rulebook.ruleset_of_log(plan.edition, plan.rulings)
        luck = Random(self._id)  # noqa: S311 - the same branch for the same seed
        self.replay = Replay(one, self._ruleset, stem.library).run(stem.events)
        self._plan = structs.replace(plan, limit=step + plan.limit)
        table = self.replay.table
        self._bots = dict.fromkeys(table.players, plan.bots[0])
        if self.replay.stopped is None:
            deal_unseen(one, table, luck)
            self.replay.journal_ends[-1] = len(table.journal)
        self._dice = DealtDice(one, table, luck)


def deal_unseen(one: Game, table: Table[Any, Any], luck: Random) -> None:
    """Name the unnamed cards, by lot: each is one of its owner's whose place is not known."""
    under = {name for player in table.players for name in one.bots.under_deck(table, player)}
    for zone in table.zones.values():
        if zone.unseen <= 0 or not zone.owner:
            continue
        homes = [each for each in table.zones.values() if each.owner == zone.owner and each.unseen < 0]
        names = [card.name for home in homes for card in home.cards if card.name not in under]
        for name in luck.sample(names, min(zone.unseen, len(names))):
            table.take(name, zone)
