"""What if cards or rulings were different: pairs of games of bots that differ in nothing else.

Both games of a pair have the same id, dice and decks; of two pairs in a row the second one has the seats swapped, and
where that changes nothing (both have the same deck, or none) dice of its own: else it would be the same pair again. The
side that is looked at holds the first of the changed cards; where no side holds it alone (a ruling, a card of every
deck), it is the player who begins. Without a change both games of each pair are the same game.

Restricted play changes nothing of the rules: in the second game the bot of the side that is looked at may not play some
cards, or not take some decisions (see `restriction`). What that side loses is what these are worth to it, also where
every deck has them.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec

from tabletape.events.vocabulary.open_games import OpenGame, open_games, with_numbers
from tabletape.projector.archive.stored import cards_of
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game, open_game
from tabletape.projector.model.cards import Cards
from tabletape.projector.model.game import Game
from tabletape.projector.model.sentences import sentence
from tabletape.projector.parallel import in_processes
from tabletape.projector.selfplay.card_change import CardChange, CardChangeError, FileNumber, changed
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.outcomes import Played, outcome
from tabletape.projector.selfplay.restriction import NOTHING, Restriction
from tabletape.projector.selfplay.search import USUAL, SearchEffort
from tabletape.projector.selfplay.simulate import Match, Plan, SimulationError, usual_seats

PAIRS_A_TASK: Final = 4
"""Pairs that a process plays at a time."""


class Experiment(msgspec.Struct, frozen=True, kw_only=True):
    """What is tried out: changes of cards, of rulings, of both or of nothing, or a restriction of one of two bots.

    `folder` is the workspace whose cards are played; `rulings` and `edition` hold for both games of a pair, and
    `changed_rulings` are laid over them in the second one, in which the file of an own game has other `numbers`.
    """

    folder: Path
    game: str
    changes: tuple[CardChange, ...] = ()
    changed_rulings: Mapping[str, str] = msgspec.field(default_factory=dict)
    numbers: tuple[FileNumber, ...] = ()
    edition: str = ""
    rulings: Mapping[str, str] = msgspec.field(default_factory=dict)
    restriction: Restriction = NOTHING
    bot: Bot = Bot.GREEDY
    effort: SearchEffort = USUAL
    seed: int = 1
    limit: int = 2000

    @property
    def cards(self) -> tuple[str, ...]:
        """The ids of the changed or forbidden cards, in the order in which they were named."""
        return tuple(dict.fromkeys([*self.restriction.cards, *(change.card for change in self.changes)]))


class Parting(msgspec.Struct, frozen=True, kw_only=True):
    """The first step at which the two games of a pair differ, and what was done there in each."""

    step: int
    turn: int
    before: str
    after: str


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """Two games that differ in the change alone; `parting` only where `difference` is not 0, `side` empty: who begins.

    `altered`: the change made some step, or the end, another one. Where it never did, it was not at play.
    """

    number: int
    side: str
    decks: tuple[str, ...]
    before: Played
    after: Played
    altered: bool = True
    parting: Parting | None = None

    @property
    def difference(self) -> float:
        """By how many games the side that is looked at won more with the change: -1, 0 or 1.

        Where all play together it is by how much more they reach.
        """
        if self.before.score is not None and self.after.score is not None:
            return self.after.score - self.before.score
        return float(self.after.won) - float(self.before.won)

    @property
    def is_together(self) -> bool:
        """Whether all win or lose together, and what they reach is a score."""
        return self.before.score is not None


def pairs(experiment: Experiment, number: int, *, processes: int = 0) -> Iterator[Pair]:
    """Play pairs of games, in the order of their numbers; a caller that stops early has what came until then.

    Raises `CardChangeError` where the change is impossible or no deck holds the card, `GameFileError` where the file
    has no such number, `SimulationError` where the decks cannot be set up, `RulesetError` for an impossible ruling.
    """
    _seats(experiment, 0)  # what is wrong is said before processes are started
    one = _games(experiment.game, experiment.numbers)[0]
    one.rulebook.ruleset(
        experiment.edition or one.rulebook.editions[0].label, experiment.rulings, experiment.changed_rulings
    )
    chunks = [(experiment, range(at, min(at + PAIRS_A_TASK, number))) for at in range(0, number, PAIRS_A_TASK)]
    for of_chunk in in_processes(_play_chunk, chunks, 1 if number <= PAIRS_A_TASK else processes):
        yield from of_chunk


def _play_chunk(chunk: tuple[Experiment, range]) -> list[Pair]:
    experiment, numbers = chunk
    return [play_pair(experiment, number) for number in numbers]


def _plan(experiment: Experiment, decks: tuple[str, ...]) -> Plan:
    """Return how the game is played as it is."""
    return Plan(
        seed=experiment.seed,
        bots=(experiment.bot,) * usual_seats(game(experiment.game)),
        effort=experiment.effort,
        decks=decks,
        edition=experiment.edition,
        rulings=experiment.rulings,
        limit=experiment.limit,
    )


def play_pair(experiment: Experiment, number: int) -> Pair:
    """Play the pair of a number: the game as it is, and the same one with the change."""
    decks, side = _seats(experiment, number)
    as_it_is, changed = _cards(experiment.folder, experiment.game, experiment.changes)
    plan = _plan(experiment, decks)
    other = msgspec.structs.replace(
        plan,
        rulings={**experiment.rulings, **experiment.changed_rulings},
        restrictions={side: experiment.restriction} if experiment.restriction else {},
    )
    one, other_game = _games(experiment.game, experiment.numbers)
    # Swapping equal decks changes nothing: with the same dice the second pair would be the first one again.
    game_number = number + 1 if decks == decks[::-1] else number // 2 + 1
    if experiment.numbers:
        changed = other_game.cards
    before, after = Match(one, as_it_is, plan, game_number), Match(other_game, changed, other, game_number)
    before.play()
    after.play()
    pair = Pair(
        number=number + 1,
        side=side,
        decks=decks,
        before=outcome(before.replay, side, experiment.cards),
        after=outcome(after.replay, side, experiment.cards),
        altered=_is_altered(before.replay, after.replay),
    )
    if not pair.difference:
        return pair
    return msgspec.structs.replace(pair, parting=_parting(before.replay, after.replay))


def _games(slug: str, numbers: tuple[FileNumber, ...]) -> tuple[Game, Game]:
    """Return a game as it is, and with other numbers in its file."""
    one = game(slug)
    return one, _with_numbers(open_games()[slug], numbers) if numbers else one


@lru_cache(maxsize=4)
def _with_numbers(described: OpenGame, numbers: tuple[FileNumber, ...]) -> Game:
    return open_game(with_numbers(described, {each.path: (each.number, each.relative) for each in numbers}))


@lru_cache(maxsize=4)
def _cards(folder: Path, slug: str, changes: tuple[CardChange, ...]) -> tuple[Cards[Any], Cards[Any]]:
    cards = cards_of(folder, slug)
    return cards, changed(cards, changes)


def _seats(experiment: Experiment, number: int) -> tuple[tuple[str, ...], str]:
    """Return the decks of a pair in the order of the seats, and the seat that is looked at (none: who begins).

    A restriction is of the seat that holds the first card; where all decks do, or none is named, the seats take turns.
    """
    lists = _cards(experiment.folder, experiment.game, experiment.changes)[0].decks
    decks = _playable(experiment.folder, experiment.game, experiment.edition, tuple(experiment.rulings.items()))
    for card in experiment.cards if lists else ():  # without deck lists all play with all cards of the game
        if not any(lists[deck].brings(card) for deck in decks):
            raise CardChangeError(f"no deck list holds {card}, so no bot would play it; add a deck with it")
    holding = [deck for deck in decks if any(lists[deck].brings(card) for card in experiment.cards[:1])]
    others = [deck for deck in decks if deck not in holding]
    # The same decks in both pairs that share their dice.
    luck = Random(f"{experiment.game}-{experiment.seed}-{number // 2}")  # noqa: S311 - the same pair for the same seed
    if holding and others:
        held, other = luck.choice(holding), luck.choice(others)
        return ((held, other), "A") if number % 2 == 0 else ((other, held), "B")
    drawn = luck.sample(decks, min(2, len(decks)))
    two = tuple((drawn * 2)[:2])
    side = "AB"[number % min(2, usual_seats(game(experiment.game)))] if experiment.restriction else ""
    return (two if number % 2 == 0 else two[::-1]), side


@lru_cache(maxsize=4)
def _playable(folder: Path, slug: str, edition: str, rulings: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """Return the deck lists that the rulebook lets play against themselves; some samples are only parts of a deck."""
    cards = cards_of(folder, slug)
    playable = []
    for deck in cards.decks:
        with suppress(SimulationError):
            Match(game(slug), cards, Plan(decks=(deck, deck), edition=edition, rulings=dict(rulings)), 1)
            playable.append(deck)
    return tuple(playable)


def _is_altered(before: Replay, after: Replay) -> bool:
    """Return whether two games differ in more than the rulings that they begin with: in a line, or in their end."""
    ends = [(each.table.winners, each.table.reason, each.table.over) for each in (before, after)]
    return before.events[1:] != after.events[1:] or ends[0] != ends[1]


def _parting(before: Replay, after: Replay) -> Parting:
    """Return where two games of a pair part: another line, or the end of one of them."""
    lines = zip_longest(before.events, after.events)
    differing = (step for step, (one, other) in enumerate(lines) if step and one != other)
    step = next(differing, len(before.events))  # the same lines may end otherwise under another ruling
    return Parting(
        step=step + 1,
        turn=before.at(step - 1).turn,
        before=_step_in_words(before, step),
        after=_step_in_words(after, step),
    )


def _step_in_words(replay: Replay, step: int) -> str:
    if step < len(replay.events):
        return sentence(replay.table, replay.events[step])
    who = " and ".join(replay.table.winners) or "nobody"
    return f"the game is over ({replay.table.reason}; {who} won)"
