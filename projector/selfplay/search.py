"""A bot that searches: information-set Monte Carlo tree search over `legal`, on the table itself, and undo.

Each iteration deals the cards anew that the player cannot see, goes down the tree of what may be decided under that
deal, adds one decision, plays on to the end of a turn (or of as many as the game plans ahead) and asks `value` how
that looks. Decisions of others are told apart by what the player would see of them: the card that is shown, not the
copy that was dealt for it.

After Cowling, Powley and Whitehouse, *Information Set Monte Carlo Tree Search*, IEEE Transactions on Computational
Intelligence and AI in Games 4 (2012), with decisions added in the order in which they look good after one step, and few
of them at first.
"""

from collections.abc import Hashable, Iterator, Sequence
from math import exp, inf, log, sqrt
from random import Random
from statistics import fmean, pstdev
from time import monotonic
from typing import Any, Final

import msgspec

from tabletape.events.vocabulary import Event
from tabletape.projector.model.dice import Dice, chance
from tabletape.projector.model.game import Game
from tabletape.projector.selfplay.dealing import dealt_anew, worths_after, worths_of
from tabletape.projector.selfplay.dice import SeededDice
from tabletape.projector.selfplay.restriction import NOTHING, Restriction
from tabletape.projector.selfplay.trying import MAX_DECISIONS, AnyTable, TryOut, take, worth_now

EXPLORATION: Final = 0.5
"""How much a decision that was tried less often is preferred; rewards lie between 0 and 1."""
FIRST_DECISIONS: Final = 8
"""Decisions at the root that are tried before any is tried twice: those that look best after one step."""
DEEPER: Final = 24
"""Decisions that are looked at below the root, where the game can pick some without making all of them."""
WON: Final = 900.0
"""A worth above this is a game that is won; what lies on the table is worth far less."""
TELLING_ITERATIONS: Final = 12
"""Iterations that tell how the worths of later turns lie, before any of them counts."""
FURTHEST: Final = 24
"""Lines after which an iteration ends anyway."""


class SearchEffort(msgspec.Struct, frozen=True, kw_only=True):
    """How long a decision is searched for: so many iterations, or, where `seconds` are given, so long by the clock.

    With neither the game says how many. By the clock the same seed does not give the same game.
    """

    iterations: int | None = None
    seconds: float = 0.0

    def left(self, usual: int) -> Iterator[float]:
        """Yield before each iteration how many are left with it, infinite by the clock; at least once.

        `usual` are the iterations where nobody says how many.
        """
        if not self.seconds:
            yield from range(self.iterations or usual, 0, -1)
            return
        end = monotonic() + self.seconds
        yield inf
        while monotonic() < end:
            yield inf


USUAL: Final = SearchEffort()


class SearchNode:
    """What may be decided after some decisions: how often each was possible, was taken, and what it came to."""

    __slots__ = ("children", "possible", "reward", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.possible = 0
        self.reward = 0.0
        self.children: dict[Hashable, SearchNode] = {}

    def bound(self) -> float:
        """Return the upper confidence bound of the mean reward, by how often this was possible."""
        return self.reward / self.visits + EXPLORATION * sqrt(log(self.possible) / self.visits)


class Scale(msgspec.Struct, frozen=True):
    """How a table's worth becomes a reward: a half in the middle of those that were seen, by how far they spread."""

    middle: float
    spread: float

    def reward(self, worth: float) -> float:
        """Return a reward between 0 and 1; only a game that is won or lost comes to one of these."""
        if abs(worth) >= WON:
            return float(worth > 0)
        far = (worth - self.middle) / (self.spread or 1.0)
        return 0.02 + 0.96 / (1 + exp(-max(min(far, 30.0), -30.0)))


def spread(worths: Sequence[float]) -> float:
    """Return how far worths lie apart, those of decided games left aside."""
    undecided = [worth for worth in worths if abs(worth) < WON]
    return pstdev(undecided) if undecided else 0.0


def search(  # noqa: PLR0913 - who decides about what, how long, and what is forbidden
    game: Game,
    table: AnyTable,
    player: str,
    dice: Dice,
    effort: SearchEffort = USUAL,
    *,
    restriction: Restriction = NOTHING,
) -> Event | None:
    """Return the decision of a player that most iterations took; the table is left as it was.

    What a `restriction` forbids the player does not do, and does not plan to do.
    """
    legal = restriction.offered(game, table, player, dice, MAX_DECISIONS)
    if len(legal) < 2:
        return legal[0] if legal else None
    luck = Random(dice.choose(range(2**32)))  # noqa: S311 - the same game for the same seed
    return _Search(game, table, player, (legal, restriction), luck).best(effort)


class DealtDice(SeededDice):
    """Dice of one iteration: a deck is what lies in it on the table, in a new random order but for its known bottom."""

    def __init__(self, game: Game, table: AnyTable, luck: Random) -> None:
        super().__init__("")
        self._random = luck
        self._game = game
        self._table = table

    def _deck(self, player: str, deck: str) -> list[str]:
        known = self._decks.get((player, deck))
        if known is None:
            zones = self._table.zones.values()
            mine = [zone for zone in zones if zone.owner == player and (player or zone.name == deck)]
            lying = [zone for zone in mine if zone.role == "deck" and zone.seen_by != "all"]
            # In an order of its own: how the cards lie on the table is not to be seen.
            names = [card.name for card in sorted((card for zone in lying for card in zone.cards), key=_as_printed)]
            under = [name for name in self._game.bots.under_deck(self._table, player) if name in names]
            above = [name for name in names if name not in under]
            self._random.shuffle(above)
            known = self._decks[player, deck] = [*reversed(under), *above]
        return known


def _as_printed(card: Any) -> tuple[str, str]:
    return card.text.id if card.text is not None else "", card.name


class _Search:
    """One decision that is searched for."""

    def __init__(
        self, game: Game, table: AnyTable, player: str, offers: tuple[Sequence[Event], Restriction], luck: Random
    ) -> None:
        self._game, self._table, self._player, self._luck = game, table, player, luck
        legal, self._restriction = offers
        worths = worths_after(game, table, player, legal)
        order = sorted(range(len(legal)), key=lambda each: -worths[each])
        self._legal = [legal[each] for each in order]
        self._root = SearchNode()
        self._waiting: list[tuple[list[tuple[SearchNode, str]], float]] = []
        # Worths at the end of the turn lie near those after one step; those of later turns tell how they lie.
        near = [worths[each] for each in order[:FIRST_DECISIONS]]
        self._scale = None if game.bots.foresight else Scale(near[0], 2 * spread(near))
        self._dealt: dict[str, str] = {}

    def best(self, effort: SearchEffort) -> Event:
        """Return the decision that most iterations took; of several the one that came to more.

        No more iterations are made than tell it: those that are left may be too few for any other one.
        """
        for left in effort.left(self._game.bots.iterations):
            if self._is_settled(left):
                break
            with dealt_anew(self._table, self._player, self._luck) as dealt, TryOut(self._table):
                self._dealt = {card.name: card.text.id for card in dealt}
                self._iterate()
        children = self._root.children
        return max(
            (event for event in self._legal if event in children),
            key=lambda event: (children[event].visits, children[event].reward),
        )

    def _is_settled(self, left: float) -> bool:
        """Return whether one decision was taken so often that none can be taken as often any more."""
        if self._root.visits <= left:
            return False
        visits = sorted((child.visits for child in self._root.children.values()), reverse=True)
        return visits[0] > (visits[1] if len(visits) > 1 else 0) + left

    def _iterate(self) -> None:
        """Go down the tree, add a decision, play on to the end of a turn, and remember what it came to."""
        table, dice = self._table, DealtDice(self._game, self._table, self._luck)
        node, path, ends = self._root, [(self._root, self._player)], -1
        for _ in range(FURTHEST):
            if table.over or 0 <= ends < table.turn:
                break
            by_luck = chance(self._game.due(table), table, dice)
            if by_luck is not None:
                take(self._game, table, by_luck)
                continue
            actor, options = self._options(
                dice, self._game.bots.looked_at if ends >= 0 else DEEPER, at_root=node is self._root
            )
            if not options:
                break
            if ends >= 0:
                event = self._look_ahead(actor, options)
            else:
                event, child, is_new = self._descend(node, actor, options)
                path.append((child, actor))
                node = child
                ends = table.turn + self._game.bots.foresight if is_new else -1
            take(self._game, table, self._game.bots.fill_in_chance(table, event, dice))
        for visited, _ in path:
            visited.visits += 1
        self._waiting.append((path, worth_now(self._game, table, self._player)))
        self._pass_on()

    def _pass_on(self) -> None:
        """Pass on to the nodes what iterations came to, once enough of them say how worths lie."""
        if self._scale is None:
            if len(self._waiting) < TELLING_ITERATIONS:
                return
            worths = [worth for _, worth in self._waiting if abs(worth) < WON]
            self._scale = Scale(fmean(worths) if worths else 0.0, spread(worths))
        for path, worth in self._waiting:
            reward = self._scale.reward(worth)
            for visited, actor in path:
                visited.reward += reward if actor == self._player else 1 - reward
        self._waiting.clear()

    def _options(self, dice: Dice, most: int, *, at_root: bool) -> tuple[str, Sequence[Event]]:
        """Return who decides next, and what that player may decide under this deal; `most` where the game can pick."""
        if at_root:
            return self._player, self._legal
        for actor in self._game.actors(self._table):
            may_not = self._restriction if actor == self._player else NOTHING
            options = may_not.offered(self._game, self._table, actor, dice, most)
            if options:
                return actor, options
        return "", ()

    def _descend(self, node: SearchNode, actor: str, options: Sequence[Event]) -> tuple[Event, SearchNode, bool]:
        """Return the decision to take at a node, what follows it, and whether it is a new one."""
        keys = [self._key(event, actor) for event in options]
        known = [place for place, key in enumerate(keys) if key in node.children]
        wide = max(FIRST_DECISIONS if node is self._root else 1, int(sqrt(2 * node.visits)))
        if len(known) < min(wide, len(options)):
            new = [place for place, key in enumerate(keys) if key not in node.children]
            place = new[0] if node is self._root else options.index(self._look_ahead(actor, [options[n] for n in new]))
            child = node.children[keys[place]] = SearchNode()
            child.possible = 1
            return options[place], child, True
        for place in known:
            node.children[keys[place]].possible += 1
        place = max(known, key=lambda each: node.children[keys[each]].bound())
        return options[place], node.children[keys[place]], False

    def _look_ahead(self, actor: str, options: Sequence[Event]) -> Event:
        """Return the best looking of as many decisions, drawn by lot, as the game wants looked at."""
        most = self._game.bots.looked_at
        some = options if len(options) <= most else self._luck.sample(options, most)
        if len(some) == 1:
            return some[0]
        worths = worths_of(self._game, self._table, actor, some, only_best=True)
        return some[worths.index(max(worths))]

    def _key(self, event: Event, actor: str) -> Hashable:
        """Return what the player sees of a decision: which card another plays, not the copy that was dealt for it."""
        return event if actor == self._player else (type(event), *self._seen(msgspec.structs.astuple(event)))

    def _seen(self, values: Sequence[Any]) -> Iterator[Hashable]:
        for value in values:
            if isinstance(value, tuple):
                yield tuple(self._seen(value))
            else:
                yield self._dealt.get(value, value) if isinstance(value, str) else value
