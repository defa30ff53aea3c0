"""Self-play: bots play whole games by the legal decisions of a game, with real hidden decks and a seeded die.

The bots see only what `game.legal` offers and what `game.bots.value` makes of a table; the order of the decks is held
by the dice alone. The same plan gives the same bytes. A simulated game is recognised by its id,
`bot-<game>-<seed>-<n>`.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import UNSET

from tabletape.events.errors import TabletapeError
from tabletape.events.vocabulary import Consequence, Event, fields_of
from tabletape.events.vocabulary.names import BOTS, copies
from tabletape.events.vocabulary.open_games import open_games
from tabletape.events.vocabulary.shared import DeckDeclared
from tabletape.projector.fold.replay import Replay
from tabletape.projector.model.cards import Cards, Deck
from tabletape.projector.model.dice import chance
from tabletape.projector.model.game import Game
from tabletape.projector.model.rules import Finding
from tabletape.projector.model.suggestions import unknown
from tabletape.projector.selfplay.bots import Decider, decide
from tabletape.projector.selfplay.dice import SeededDice
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.restriction import NOTHING, Restriction
from tabletape.projector.selfplay.search import USUAL, SearchEffort

SEATS = "ABCDEFGH"
ATTEMPTS = 200
"""How many choices of decks are tried before the rulebook is taken to allow none of them."""


class SimulationError(TabletapeError):
    """A game that cannot be played as planned; the message says why."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """How to play: `bots` and `decks` (ids) stand in the order of the seats; missing decks are chosen by luck.

    `effort` says how long bots search that do, `restrictions` what those of some seats may not do. `full` also writes
    down what follows from each line. A game that has `limit` lines is abandoned.
    """

    seed: int = 1
    bots: tuple[Bot, ...] = (Bot.RANDOM, Bot.RANDOM)
    decks: tuple[str, ...] = ()
    edition: str = ""
    rulings: Mapping[str, str] = msgspec.field(default_factory=dict)
    effort: SearchEffort = USUAL
    restrictions: Mapping[str, Restriction] = msgspec.field(default_factory=dict)
    full: bool = False
    limit: int = 5000


class Simulated(msgspec.Struct, frozen=True, kw_only=True):
    """A simulated game: its events, numbered and without times, and how it went.

    `abandoned` says why it was stopped before its end, `findings` what the audit says about it: it should say nothing.
    """

    game_id: str
    events: list[Event]
    winners: tuple[str, ...]
    reason: str
    abandoned: str
    findings: list[Finding]

    @property
    def winner(self) -> str:
        """The only winner; empty where nobody has won, or several have."""
        return self.winners[0] if len(self.winners) == 1 else ""


def simulate(game: Game, cards: Cards[Any], plan: Plan, games: int) -> Iterator[Simulated]:
    """Play games one after the other; game n of a plan is the same whatever `games` is.

    `cards` are those of the game and the designer's own. Raises `SimulationError` for an unknown deck, a number of
    players that the game does not allow, or where no choice of decks is legal; `RulesetError` for an edition or ruling
    that the game does not have.
    """
    for number in range(1, games + 1):
        yield Match(game, cards, plan, number).play()


def usual_seats(game: Game) -> int:
    """Return how many bots sit at a table where nobody says it: two, where so many may."""
    fewest, most = game.players
    return min(max(2, fewest), most)


def require_seats(game: Game, number: int) -> None:
    """Raise `SimulationError` where so many may not play, by what the game's file says."""
    fewest, most = game.players
    if not fewest <= number <= most:
        who = str(fewest) if fewest == most else f"{fewest} to {most}"
        raise SimulationError(f"{game.title} is for {who} players, as its file says (`players`), not for {number}")


class Match:
    """One game as it is played; `replay` is how far it has come."""

    def __init__(self, game: Game, cards: Cards[Any], plan: Plan, number: int) -> None:
        require_seats(game, len(plan.bots))
        self._game = game
        self._plan = plan
        self._cards = cards
        self._id = f"{BOTS}{game.slug}-{plan.seed}-{number}"
        self._dice = SeededDice(self._id)
        self._ruleset = game.rulebook.ruleset(plan.edition or game.rulebook.editions[0].label, plan.rulings)
        self._bots = dict(zip(SEATS, plan.bots, strict=False))
        self.replay = self._laid_out()

    def play(self) -> Simulated:
        """Play to the end."""
        replay = self.replay
        abandoned = ""
        while not (replay.table.over or abandoned):
            event = self._next()
            if event is None and self._is_over_by_itself():
                break
            if event is None:
                abandoned = f"nobody can do anything after event {len(replay.events)}"
            elif len(replay.events) >= self._plan.limit:
                abandoned = f"not over after {len(replay.events)} events{self._without_cards()}"
            else:
                self._write(event)
            if replay.stopped:
                abandoned = f"event {replay.stopped.seq} could not be folded: {replay.stopped.reason}"
        if abandoned and not replay.stopped:
            self._write(self._event("game.abandoned"))
        replay.finish()
        return Simulated(
            game_id=self._id,
            events=replay.events,
            winners=replay.table.winners,
            reason=replay.table.reason,
            abandoned=abandoned,
            findings=replay.findings,
        )

    def _without_cards(self) -> str:
        """Return what is wrong where the bots have had no cards: the game's file names none and its moves take some."""
        described = open_games().get(self._game.slug)
        moves = described.rules.moves.values() if described is not None and described.rules is not None else ()
        takes_cards = any(field.source is not None for move in moves for field in move.fields)
        if self._game.cards.library or not takes_cards:
            return ""
        return "; the game's file names no cards (`[cards]`), so there are none to play with"

    def _is_over_by_itself(self) -> bool:
        """Take what follows by itself where nobody can do anything; return whether that ends the game."""
        self.replay.finish()
        if self._plan.full:
            self._write_derived()
        return self.replay.table.over

    # -- the set-up ------------------------------------------------------------------------------------------------

    def _laid_out(self) -> Replay:
        """Seat the bots with decks that the rulebook allows, and lay the table out."""
        complaint = ""
        is_chosen = len(self._plan.decks) >= len(self._bots)  # then to try again would be to try the same
        for _ in range(1 if is_chosen else ATTEMPTS):
            lines = self._set_up()
            trial = self._fresh().run(lines)
            if not trial.findings and not trial.stopped:
                self.replay = self._fresh()
                for line in lines:
                    self._write(line)
                return self.replay
            complaint = trial.stopped.reason if trial.stopped else trial.findings[0].message
        title = self._game.title
        raise SimulationError(f"{title} cannot be set up for {len(self._bots)} players with these decks: {complaint}")

    def _fresh(self) -> Replay:
        return Replay(self._game, self._ruleset, self._cards.library)

    def _set_up(self) -> list[Event]:
        """Return `game.started` and the deck lists, with the decks of the plan and chosen ones for the other seats."""
        decks = dict(zip(self._bots, self._chosen_decks(), strict=False))
        seats = [
            {"id": seat, "name": f"{bot.capitalize()} bot {seat}"} | ({"deck": decks[seat].id} if seat in decks else {})
            for seat, bot in self._bots.items()
        ]
        head = self._event(
            "game.started",
            game=self._game.slug,
            edition=self._ruleset.edition,
            id=self._id,
            players=seats,
            rulings=dict(self._plan.rulings),
        )
        return [head, *(self._declaration(seat, deck) for seat, deck in decks.items())]

    def _event(self, tag: str, **fields: Any) -> Event:
        return self._game.vocabulary.convert({"type": tag, **fields})

    def _chosen_decks(self) -> list[Deck]:
        lists = self._cards.decks
        for name in self._plan.decks:
            if name not in lists:
                raise SimulationError(unknown("deck", name, lists))
        named = [lists[name] for name in self._plan.decks]
        rest = [deck for deck in lists.values() if deck not in named]
        return [*named, *self._dice.sample(rest or named, len(self._bots) - len(named))] if lists else []

    def _declaration(self, seat: str, deck: Deck) -> Event:
        """Return a deck list as its player declares it, with what the game keeps beside it."""
        declared = self._game.vocabulary.types["deck.declared"]
        known = {field.encode_name for field in fields_of(declared)}
        extra = {key: value for key, value in deck.extra.items() if key in known}
        return self._event("deck.declared", player=seat, cards=deck.cards, **extra)

    # -- the game --------------------------------------------------------------------------------------------------

    def _next(self) -> Event | None:
        """Return the line that luck or a player writes next, or nothing where nobody can do anything."""
        game, table = self._game, self.replay.table
        event = chance(game.due(table), table, self._dice)
        if event is not None:
            return event
        for player in game.actors(table):
            may_not = self._plan.restrictions.get(player, NOTHING)
            chosen = decide(game, table, player, Decider(self._bots[player], self._plan.effort, may_not), self._dice)
            if chosen is not None:
                return game.bots.fill_in_chance(table, chosen, self._dice)
        return None

    def _write(self, event: Event) -> None:
        """Write a line, and in a full log what the rules make of it."""
        replay = self.replay
        if self._plan.full and self._game.before is not None and replay.events:
            self._game.before(replay.table, event)
            self._write_derived()
        replay.run([msgspec.structs.replace(event, seq=len(replay.events) + 1)])
        if isinstance(event, DeckDeclared):
            self._dice.shuffle(event.player, add=copies(event.player, event.cards))
        if self._plan.full and not replay.stopped:
            self._write_derived()

    def _write_derived(self) -> None:
        replay = self.replay
        cause = next((seq for seq, each in self._latest_first() if not isinstance(each, Consequence)), UNSET)
        for each in list(replay.table.derived):
            replay.run([msgspec.structs.replace(each.event, seq=len(replay.events) + 1, cause=cause)])

    def _latest_first(self) -> Iterator[tuple[int, Event]]:
        """Return the events written so far, the last one first."""
        return zip(reversed(self.replay.seqs), reversed(self.replay.events), strict=True)
