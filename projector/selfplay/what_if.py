"""What if a card or a ruling were otherwise: pairs of games of bots that differ in nothing else.

Both games of a pair have the same id, dice and decks; of two pairs in a row the second one has the seats swapped. The
side that is looked at holds the changed card; where no side holds it alone (a ruling, a card of every deck), it is the
player who begins. Without a change both games of each pair are the same game.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec

from events.log import Log
from events.names import is_by_bots
from projector.datasets.card_history import hands_of
from projector.datasets.timeline import timeline_of
from projector.fold.detail import detail_of
from projector.fold.replay import Replay
from projector.model.cards import Cards
from projector.model.game import game
from projector.model.sentences import sentence
from projector.reading.archive import cards_of, replay
from projector.selfplay.bots import Bot
from projector.selfplay.card_change import CardChange, CardChangeError
from projector.selfplay.processes import in_processes
from projector.selfplay.simulate import Match, Plan, SimulationError

CHUNK: Final = 4
"""Pairs that a process plays at a time."""


PEOPLE: Final = 200
"""So many games of people are set beside those of bots, the last ones."""


class Experiment(msgspec.Struct, frozen=True, kw_only=True):
    """What is tried out: a change of a card, of rulings, of both or of nothing, in games between two equal bots.

    `folder` is the workspace whose cards are played; `rulings` and `edition` hold for both games of a pair, and
    `changed_rulings` are laid over them in the second one.
    """

    folder: Path
    game: str
    change: CardChange | None = None
    changed_rulings: Mapping[str, str] = msgspec.field(default_factory=dict)
    edition: str = ""
    rulings: Mapping[str, str] = msgspec.field(default_factory=dict)
    bot: Bot = Bot.GREEDY
    seed: int = 1
    limit: int = 2000

    @property
    def card(self) -> str:
        """The id of the changed card; empty where none is changed."""
        return self.change.card if self.change else ""


class Use(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a card's copies: how many were in a hand, were played from it, and were dead there."""

    seen: int = 0
    played: int = 0
    dead: int = 0


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """How a game went for the side that is looked at: `won` is 1, 0, or a half where nobody won."""

    won: float
    first_won: float
    turns: int
    decisions: int
    finished: bool
    use: Use


class Parting(msgspec.Struct, frozen=True, kw_only=True):
    """The first step at which the two games of a pair differ, and what was done there in each."""

    step: int
    turn: int
    before: str
    after: str


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """Two games that differ in the change alone; `parting` only where the winners differ, `side` empty: who begins."""

    number: int
    side: str
    decks: tuple[str, ...]
    before: Played
    after: Played
    parting: Parting | None = None

    @property
    def difference(self) -> float:
        """By how much the side that is looked at won more with the change: -1, 0, 1, or a half."""
        return self.after.won - self.before.won


def pairs(experiment: Experiment, number: int, *, processes: int = 0) -> Iterator[Pair]:
    """Play pairs of games, in the order of their numbers; who stops asking has what came until then.

    Raises `CardChangeError` where the change is impossible or no deck holds the card, `SimulationError` where the decks
    cannot be set up, `RulesetError` for an impossible ruling.
    """
    _seats(experiment, 0)  # what is wrong is said before processes are started
    one = game(experiment.game)
    one.rulebook.ruleset(
        experiment.edition or one.rulebook.editions[0].label, experiment.rulings, experiment.changed_rulings
    )
    chunks = [(experiment, range(at, min(at + CHUNK, number))) for at in range(0, number, CHUNK)]
    for found in in_processes(_play_chunk, chunks, 1 if number <= CHUNK else processes):
        yield from found


def _play_chunk(chunk: tuple[Experiment, range]) -> list[Pair]:
    experiment, numbers = chunk
    return [play_pair(experiment, number) for number in numbers]


def play_pair(experiment: Experiment, number: int) -> Pair:
    """Play the pair of a number: the game as it is, and the same one with the change."""
    decks, side = _seats(experiment, number)
    as_it_is, changed = _cards(experiment.folder, experiment.game, experiment.change)
    plan = Plan(
        seed=experiment.seed,
        bots=(experiment.bot,) * 2,
        decks=decks,
        edition=experiment.edition,
        rulings=experiment.rulings,
        limit=experiment.limit,
    )
    other = msgspec.structs.replace(plan, rulings={**experiment.rulings, **experiment.changed_rulings})
    one = game(experiment.game)
    before = Match(one, as_it_is, plan, number // 2 + 1)
    after = Match(one, changed, other, number // 2 + 1)
    before.play()
    after.play()
    pair = Pair(
        number=number + 1,
        side=side,
        decks=decks,
        before=_played(before.replay, side, experiment.card),
        after=_played(after.replay, side, experiment.card),
    )
    if not pair.difference:
        return pair
    return msgspec.structs.replace(pair, parting=_parting(before.replay, after.replay))


@lru_cache(maxsize=4)
def _cards(folder: Path, slug: str, change: CardChange | None) -> tuple[Cards[Any], Cards[Any]]:
    cards = cards_of(folder, slug)
    return cards, change.made(cards) if change else cards


def _seats(experiment: Experiment, number: int) -> tuple[tuple[str, ...], str]:
    """Return the decks of a pair in the order of the seats, and the seat that is looked at (none: who begins)."""
    lists = _cards(experiment.folder, experiment.game, experiment.change)[0].decks
    decks = _playable(experiment.folder, experiment.game, experiment.edition, tuple(experiment.rulings.items()))
    holding = [deck for deck in decks if experiment.card in lists[deck].cards]
    others = [deck for deck in decks if deck not in holding]
    if experiment.card and not holding:
        raise CardChangeError(f"no deck list holds {experiment.card}, so no bot would play it; add a deck with it")
    # The same decks in both pairs that share their dice.
    luck = Random(f"{experiment.game}-{experiment.seed}-{number // 2}")  # noqa: S311 - the same pair for the same seed
    if experiment.card and others:
        held, other = luck.choice(holding), luck.choice(others)
        return ((held, other), "A") if number % 2 == 0 else ((other, held), "B")
    drawn = luck.sample(decks, min(2, len(decks)))
    two = tuple((drawn * 2)[:2])
    return (two if number % 2 == 0 else two[::-1]), ""


@lru_cache(maxsize=4)
def _playable(folder: Path, slug: str, edition: str, rulings: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """Return the deck lists that the rulebook lets play against themselves; some samples are only parts of a deck."""
    cards = cards_of(folder, slug)
    found = []
    for deck in cards.decks:
        with suppress(SimulationError):
            Match(game(slug), cards, Plan(decks=(deck, deck), edition=edition, rulings=dict(rulings)), 1)
            found.append(deck)
    return tuple(found)


def _played(replay: Replay, side: str, card: str) -> Played:
    timeline = timeline_of(replay)
    first = timeline.turns[0].player if timeline.turns else ""
    winner = replay.table.winner
    return Played(
        won=_won(winner, side or first),
        first_won=_won(winner, first),
        turns=len(timeline.turns),
        decisions=len(timeline.steps),
        finished=replay.table.over,
        use=use_of(replay, card, side),
    )


def _won(winner: str, player: str) -> float:
    return 0.5 if not winner else float(winner == player)


def use_of(replay: Replay, card: str, player: str = "") -> Use:
    """Return what became of the copies of a card, of one player or of all."""
    if not card:
        return Use()
    hands = hands_of(replay, timeline_of(replay))
    copies = [each for each in hands.copies.values() if each.card == card and player in {"", each.player}]
    return Use(
        seen=sum(each.appeared for each in copies),
        played=sum(each.played > 0 for each in copies),
        dead=sum(each.is_dead for each in copies),
    )


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
    return f"the game is over ({replay.table.reason}; {replay.table.winner or 'nobody'} won)"


def played_by_people(log: Log, slug: str, card: str) -> list[Played]:
    """Return how the last games of people went, for who began: to set them beside those of bots."""
    stored = [each for each in log.games(game=slug) if not is_by_bots(each.game_id)][-PEOPLE:]
    folded = (replay(log, each, events) for each, events in log.each(stored))
    return [_played(each, "", card) for each in folded if each.stopped is None and detail_of(each.events) != "results"]
