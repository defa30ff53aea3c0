"""Go on from here: bots play the rest of a recorded game from one of its steps, a branch that is no game of the log.

What the log has named stays as it is; cards that nobody has named are dealt by lot from those of the deck list whose
place is unknown, and the order of the decks is anew in each branch.
"""

from collections.abc import Iterator
from random import Random
from typing import Any

from msgspec import structs

from events.names import BOTS
from projector.fold.replay import Replay
from projector.model.cards import Cards
from projector.model.game import Game
from projector.model.table import Table
from projector.selfplay.search import DealtDice
from projector.selfplay.simulate import Match, Plan, Simulated


class BranchError(Exception):
    """A step from which nobody can go on; the message says why."""


def branches(played: Replay, step: int, plan: Plan, number: int) -> Iterator[Simulated]:
    """Play the rest of a game `number` times from the table after event `step` (from 1), each time by other dice.

    All seats are played by the first bot of the plan; `rulings` and `edition` of the plan are laid over those of the
    game from its beginning on. The ids begin like those of all bots, and go on with `branch`. Raises `BranchError`
    where the game has no such step or is over there, `RulesetError` for an impossible ruling.
    """
    if not 1 <= step <= len(played.events):
        raise BranchError(f"there is no step {step}: this game has steps 1 to {len(played.events)}")
    for each in range(1, number + 1):
        branch = _Branch(played, step, plan, each)
        if branch.replay.stopped is not None:
            raise BranchError(f"this game cannot be followed to step {step}: {branch.replay.stopped.reason}")
        if branch.replay.table.over:
            raise BranchError(f"the game is over at step {step}")
        yield branch.play()


class _Branch(Match):
    """The rest of a recorded game as it is played."""

    def __init__(self, played: Replay, step: int, plan: Plan, number: int) -> None:
        head: Any = played.events[0]
        self._game = played.game
        self._id = f"{BOTS}branch-{head.id}-{step}-{plan.seed}-{number}"
        self._cards = Cards(played.library, {})
        rulings = {**played.ruleset.options, **plan.rulings}
        self._ruleset = played.game.rulebook.ruleset(plan.edition or played.ruleset.edition, rulings)
        self.replay = Replay(played.game, self._ruleset, played.library).run(played.events[:step])
        self._plan = structs.replace(plan, limit=step + plan.limit)
        luck = Random(self._id)  # noqa: S311 - the same branch for the same seed
        self._bots = dict.fromkeys(self.replay.table.players, plan.bots[0])
        if self.replay.stopped is None:
            deal_unseen(self._game, self.replay.table, luck)
            self.replay.journal_ends[-1] = len(self.replay.table.journal)
        self._dice = DealtDice(self._game, self.replay.table, luck)


def deal_unseen(game: Game, table: Table[Any, Any], luck: Random) -> None:
    """Name the cards that nobody has named, by lot: each is one of its owner's whose place is not known."""
    under = {name for player in table.players for name in game.under_deck(table, player)}
    for zone in table.zones.values():
        if zone.unseen <= 0 or not zone.owner:
            continue
        homes = [each for each in table.zones.values() if each.owner == zone.owner and each.unseen < 0]
        names = [card.name for home in homes for card in home.cards if card.name not in under]
        for name in luck.sample(names, min(zone.unseen, len(names))):
            table.take(name, zone)
