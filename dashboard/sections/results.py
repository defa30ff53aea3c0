"""Games by their results, as cards: who played, the scores, who won, which cards were laid, when, and how it felt."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

import msgspec
import streamlit as st
from msgspec import UNSET

from tabletape.dashboard.html import rendered
from tabletape.dashboard.report.results import NO_END
from tabletape.events.importing.maps.results.ratings import FUN_OF_TEN, OF_TEN
from tabletape.events.vocabulary import tag_of
from tabletape.events.vocabulary.names import card_of, is_unseen
from tabletape.events.vocabulary.shared import FeedbackGiven, FirstPlayerChosen, GameStarted, NoteAdded, ResultRecorded
from tabletape.projector.archive.view import who_won
from tabletape.projector.datasets.rows.said_rows import said_in_words
from tabletape.projector.fold.replay import Replay
from tabletape.projector.fold.taken_back import standing
from tabletape.projector.model.amounts import counted, joined, often
from tabletape.projector.model.phrases import deck_called
from tabletape.projector.tabletop.as_moves import done_in
from tabletape.projector.tabletop.view import points_of

WORTH: Final = {
    "Who began": "whether it helps to begin",
    "The score of each player": "whether a game was close",
    "How long it took": "whether it is too long",
    "How much fun each player had, with the name": "whether only the winner liked it",
    "What was said": "which card or rule is unclear",
}
"""What a sheet of results can say of a game, and what one learns from it."""

Marks = list[tuple[FeedbackGiven, int | str]]

MOVES: Final = "The moves of one game, in a chat or with Keep a log: they show which rules are broken"
"""What no sheet of results can say."""


class SeatResult(msgspec.Struct, frozen=True):
    """How it went for a player: `played` are the deck and the team, `told` is the score or the place.

    `share` is that of the highest score, from 0 to 1; `cards` names those that were played, in their order.
    """

    name: str
    played: str
    told: str
    share: float
    won: bool
    cards: str = ""


class ResultCard(msgspec.Struct, frozen=True, kw_only=True):
    """A game as its card says it; `lacks` are the keys of `WORTH` that were not written down, `address` its replay."""

    answer: str
    facts: str
    seats: tuple[SeatResult, ...]
    felt: tuple[str, ...]
    lacks: frozenset[str]
    address: str = ""


def result_card(replay: Replay, day: str = "", address: str = "") -> ResultCard:
    """Return how a game went, as its result was written down or as it was kept, and on which day it began."""
    written_down = (each for each in replay.events if isinstance(each, ResultRecorded))
    result = next(written_down, None) or _kept(replay)
    called = _best_first(result, {seat: player.name for seat, player in replay.table.players.items()})
    started = next(each for each in replay.events if isinstance(each, GameStarted))
    decks = {seat.id: seat.deck or "" for seat in started.players}
    began = [called[each.player] for each in replay.events if isinstance(each, FirstPlayerChosen)]
    how_long = {"turn": result.turns, "round": result.rounds, "minute": result.minutes}
    lasted = [counted(round(value), word) for word, value in how_long.items() if value]
    said = [each for each in replay.events if isinstance(each, FeedbackGiven | NoteAdded)]
    written = {
        "Who began": began,
        "The score of each player": result.scores,
        "How long it took": lasted,
        "How much fun each player had, with the name": [each for each in said if getattr(each, "player", UNSET)],
        "What was said": said,
    }
    answer = _draw(result, called) or f"{who_won(replay)}{_margin(result, called)}."
    return ResultCard(
        answer=answer[:1].upper() + answer[1:],
        facts=", ".join([*filter(None, [day]), *(f"{name} began" for name in began), *lasted]),
        seats=tuple(_seats(result, called, decks, replay)),
        felt=tuple(_felt_of(said, called)),
        lacks=frozenset(what for what, there in written.items() if not there),
        address=address,
    )


def _kept(replay: Replay) -> ResultRecorded:
    """Return what a game came to that was kept line by line: the points that were counted, and the cards."""
    table = replay.table
    times = [each.at for each in replay.events if isinstance(each.at, datetime)]
    minutes = (times[-1] - times[0]).total_seconds() / 60 if times else 0
    cards: dict[str, list[str]] = defaultdict(list)
    for event in standing(replay.events, replay.seqs).values():
        if done_in(event) == "play" or tag_of(type(event)).startswith("move."):
            named = getattr(event, "cards", ()) or (getattr(event, "card", ""),)
            cards[getattr(event, "player", "")] += [card_of(each) for each in named if each and not is_unseen(each)]
    return ResultRecorded(
        winners=table.winners,
        reason=table.reason or NO_END,
        rounds=table.round or UNSET,
        minutes=minutes if round(minutes) else UNSET,
        scores=dict(table.outcome.scores or points_of(table)),
        cards={player: tuple(laid) for player, laid in cards.items()},
    )


def _draw(result: ResultRecorded, called: Mapping[str, str]) -> str:
    """Return that nobody has won, with the points where several have the most; nothing for another result."""
    if result.winners or result.cooperative is True or result.reason:
        return ""
    most = max(result.scores.values(), default=0)
    alike = [called[player] for player, score in result.scores.items() if score == most]
    return f"Draw: {joined(alike)}, {most:g} each." if len(alike) > 1 else "Draw."


def _order(result: ResultRecorded) -> int:
    """Return 1 where the most points won, -1 where the fewest did, and 0 where the scores do not say it."""
    won = [result.scores[each] for each in result.winners if each in result.scores]
    others = [score for player, score in result.scores.items() if player not in result.winners]
    if not (won and others):
        return 0
    return (min(won) > max(others)) - (max(won) < min(others))


def _margin(result: ResultRecorded, called: Mapping[str, str]) -> str:
    """Return by how much somebody won, or who had as many points; nothing where the scores do not say it."""
    if len(result.winners) != 1 or (own := result.scores.get(result.winners[0])) is None:
        return ""
    others = {player: score for player, score in result.scores.items() if player not in result.winners}
    if order := _order(result):
        next_best = max(others.values(), key=lambda score: order * score)
        return f" by {abs(own - next_best):g}, {own:g} to {next_best:g}"
    alike = [called[player] for player, score in others.items() if score == own]
    return f"; {joined(alike)} had {own:g} as well" if alike else ""


def _best_first(result: ResultRecorded, called: Mapping[str, str]) -> dict[str, str]:
    """Return the players, the best first where places or scores say who that is."""
    places, order = result.places or {}, _order(result) or 1

    def rank(player: str) -> tuple[float, float, bool]:
        score = -order * result.scores.get(player, 0)
        return places.get(player, len(called) + 1), score, player not in result.winners

    return {player: called[player] for player in sorted(called, key=rank)}


def _seats(
    result: ResultRecorded, called: Mapping[str, str], decks: Mapping[str, str], replay: Replay
) -> Iterator[SeatResult]:
    """Yield how it went for each player, and what they played."""
    places = result.places or {}
    teams = result.teams or {}
    most = max((abs(score) for score in result.scores.values()), default=0)
    for player in called:
        score = result.scores.get(player)
        place = f"place {places[player]}" if player in places else ""
        told = f"{score:g}" if score is not None else place
        played = ", ".join(filter(None, (deck_called(decks[player]), teams.get(player, ""))))
        share = max(0.0, score / most) if score is not None and most else 0.0
        laid = Counter(_card_called(replay, card) for card in result.cards.get(player, ()))
        cards = ", ".join(f"{name} ({often(times)})" if times > 1 else name for name, times in laid.items())
        yield SeatResult(called[player], played, told, share, player in result.winners, cards)


def _card_called(replay: Replay, card: str) -> str:
    text = replay.library.get(card)
    return getattr(text, "name", "") or card.replace("-", " ").title()


def _felt_of(said: Sequence[FeedbackGiven | NoteAdded], called: Mapping[str, str]) -> Iterator[str]:
    """Yield what was said of a game: the fun of players in one line for each scale, where that is all that they say."""
    of_all = [each for each in said if isinstance(each, FeedbackGiven)]
    given = [each for player in called for each in of_all if each.player == player]
    bare = [each for each in given if {each.fair, each.length, each.again, each.text} == {UNSET}]
    of_five: Marks = [(each, each.fun) for each in bare if each.fun and not each.answers]
    of_ten: Marks = [
        (each, each.answers[FUN_OF_TEN]) for each in bare if {*each.answers} == {FUN_OF_TEN} and not each.fun
    ]
    joined: list[FeedbackGiven] = []
    for scale, marks in ((5, of_five), (10, of_ten)):
        if len(marks) > 1:
            yield f"Fun, of {scale}: " + ", ".join(f"{called[each.player or '']} {mark}" for each, mark in marks)
            joined += [each for each, _ in marks]
    yield from filter(None, (_felt(each, called) for each in said if each not in joined))


def _to_ten(said: FeedbackGiven) -> Iterator[tuple[str, int | str]]:
    """Yield the marks to ten that somebody gave, which are no words, each with what it is for."""
    end = OF_TEN.format("")
    yield from ((key.removesuffix(end), given) for key, given in said.answers.items() if key.endswith(end))


def _felt(said: FeedbackGiven | NoteAdded, called: Mapping[str, str]) -> str:
    """Return what somebody said of a game, with who it was where that is known."""
    if isinstance(said, NoteAdded):
        return f"\u201c{said.text}\u201d"
    scales = [f"{word} {value} of 5" for word, value in (("fun", said.fun), ("fair", said.fair)) if value]
    length = {"right": "as long as it should be"}.get(said.length, said.length) if said.length else ""
    again = "" if said.again is UNSET else "again" if said.again else "not again"
    scales += [f"{name} {mark} of 10" for name, mark in _to_ten(said)]
    words = said_in_words(said, marks=False)
    told = ", ".join(filter(None, (*scales, length, again, words and f"\u201c{words}\u201d")))
    who = called.get(said.player, "") if said.player else ""
    return f"{who}: {told}" if who and told else told[:1].upper() + told[1:]


def show_results(results: Sequence[ResultCard], *, several: bool = True) -> None:
    """Show a card for each game; `several` have who won as their titles, a single one stands below that."""
    st.html(rendered("results", results=results, several=several))


def to_write_down(results: Sequence[ResultCard]) -> list[str]:
    """Return what nobody wrote down of these games, each with what one would learn from it."""
    lacked = [what for what in WORTH if all(what in each.lacks for each in results)]
    return [*(f"{what}: it shows {WORTH[what]}" for what in lacked), MOVES]
