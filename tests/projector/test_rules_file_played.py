"""Games that a file describes, played: bots, the scribe, and what each may know of hidden cards."""

from math import inf
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from tabletape.events.log import Log
from tabletape.events.vocabulary import Decision
from tabletape.events.vocabulary.shared import LogGap
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game
from tabletape.projector.model.areas import EVERYTHING
from tabletape.projector.model.deciding import is_same
from tabletape.projector.model.rules import HARD
from tabletape.projector.model.telling import in_words
from tabletape.projector.scribing.beginning import Beginning, NewSeat, begin
from tabletape.projector.scribing.screen import ViewerScreen
from tabletape.projector.scribing.scribe import Scribe
from tabletape.projector.selfplay.dealing import worths_after
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.simulate import Simulated
from tests.projector.decisions import misjudged
from tests.projector.test_rules_file import FIREWORKS, SEATS, drawn, folded, move, play
from tests.projector.test_scribing import next_line
from tests.unreadable import UNREADABLE, opening, unreadable

pytestmark = pytest.mark.usefixtures("own_games")


# -- bots --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", SEATS)
@settings(deadline=None, max_examples=6)
@given(seed=st.integers(0, 10_000))
def test_bots_play_every_example_to_its_end_without_a_finding(slug: str, seed: int) -> None:
    """What is offered and what is judged are one text: whatever bots choose has no finding."""
    match = play(slug, seed)
    assert (match.findings, match.abandoned) == ([], "")
    assert fold(game(slug), match.events).findings == []


@pytest.mark.parametrize("slug", SEATS)
def test_every_move_of_a_game_was_offered(slug: str) -> None:
    """A line of a game without findings is among the offers at its place; a bot takes none for another one's worth."""
    match, one = play(slug, 7), game(slug)
    replay = Replay(one, one.rulebook.ruleset("unknown"))
    for event in match.events[:120]:
        if isinstance(event, Decision) and type(event).__name__ != "FirstPlayerChosen" and replay.events:
            player: str = getattr(event, "player", "")
            offered = [] if one.shortlist.offers is None else one.shortlist.offers(replay.table, player)
            assert any(is_same(replay.table, event, each) for each in offered), event
            assert misjudged(one, replay.table, player, one.legal(replay.table, player)) == []
        replay.run([event])


# -- the scribe --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", SEATS)
@settings(deadline=None, max_examples=2)
@given(seed=st.integers(0, 500))
def test_every_example_is_kept_in_the_scribe_without_a_broken_rule(slug: str, seed: int, own_games: Path) -> None:
    """A log of lines that were asked for or offered, with seen and unseen cards, has no broken rule."""
    rng = Random(seed)  # noqa: S311 - the same game for the same seed
    with Log.open(own_games / "kept.db", create=True) as log:
        seats = tuple(NewSeat(name=name) for name in ("Ann", "Ben", "Cem", "Dee")[: SEATS[slug]])
        scribe = Scribe(log, begin(log, Beginning(game=slug, players=seats)))
        view = ViewerScreen(scribe, EVERYTHING)
        for _ in range(40):
            event = next_line(scribe, view, rng)
            if event is None or scribe.replay.table.over:
                break
            scribe.write([event], scribe.last_seq)
        assert scribe.last_seq > 8
        assert [each for each in scribe.replay.findings if each.kind in {"illegal", "missing"}] == []


HANDS = (
    ("red-1#1", "red-1#2", "red-2#1", "blue-5", "white-3#1"),
    ("red-4#1", "red-4#2", "red-2#1", "blue-5", "red-5"),
)
"""Two hands that their player cannot tell apart."""


def test_what_a_viewer_is_offered_does_not_change_with_the_hidden_hand() -> None:
    """Whoever cannot see the own hand is offered its places, whatever lies there."""
    offered = []
    for hand in HANDS:
        replay = folded("fireworks", drawn("A", *hand), FIREWORKS[1])
        offered.append(replay.game.legal(replay.table, "A"))
    assert offered[0] == offered[1]
    assert {getattr(each, "card", "") for each in offered[0]} == {"", *(f"?{place}" for place in range(1, 6))}


def test_a_greedy_bot_does_better_than_a_random_one_by_what_it_may_know() -> None:
    """It tries its own hidden cards on deals that fit what it was told, and does not throw away what is to be made."""
    scores = {bot: [score_of(play("fireworks", seed, bot)) for seed in range(1, 4)] for bot in (Bot.RANDOM, Bot.GREEDY)}
    assert sum(scores[Bot.GREEDY]) >= 2 * sum(scores[Bot.RANDOM]), scores
    worths, looked = [], []
    for hand in HANDS:
        replay = folded("fireworks", drawn("A", *hand), FIREWORKS[1])
        legal = replay.game.legal(replay.table, "A")
        worths.append(worths_after(replay.game, replay.table, "A", legal))
        looked.append(worths_after(replay.game, replay.table, "A", legal, only_best=True))
    assert worths[0] == worths[1]
    assert looked[0] == looked[1]
    assert sum(worth > -inf for worth in looked[0]) <= (len(legal) + 7) // 8


def score_of(match: Simulated) -> float:
    """Return what the table has scored."""
    table: Any = fold(game("fireworks"), match.events).table
    return float(table.counters["score"])


def test_what_a_line_tells_of_hidden_cards_is_known_to_all() -> None:
    """A clue makes known of each card of the hand whether it has the colour."""
    table = folded("fireworks", *FIREWORKS, move("clue", "B", to="A", colour="red")).table
    assert [in_words(card) for card in table.zones["A/hand"].cards] == [("red",)] * 3 + [("not red",)] * 2
    drawn_area = next(area for area in game("fireworks").areas(table, "A") if area.name == "A/hand")
    assert [card.marks for card in drawn_area.cards] == [("red",)] * 3 + [("not red",)] * 2


@pytest.mark.parametrize("slug", SEATS)
@settings(deadline=None, max_examples=8)
@given(
    seed=st.integers(0, 5), places=st.lists(st.tuples(st.floats(0, 0.99), st.integers(1, 6)), min_size=1, max_size=3)
)
def test_lines_that_cannot_be_read_accuse_nobody_of_a_right_game(
    slug: str, seed: int, places: list[tuple[float, int]]
) -> None:
    """Whatever they have changed, and however many there are: what is judged behind them hangs on none of it."""
    lines: list[Any] = [msgspec.structs.replace(each, seq=UNSET, cause=UNSET) for each in play(slug, seed).events]
    for part, lost in places:
        at = 1 + int(part * (len(lines) - 1))
        lines[at : at + lost] = [LogGap(lines=lost, text="and so on")]
    assert [each for each in fold(game(slug), lines).findings if each.kind in HARD] == []


@pytest.mark.parametrize("slug", ["battler", "whist"])
def test_a_play_again_is_named_although_a_line_of_the_set_up_cannot_be_read(slug: str) -> None:
    """It was what the set-up lacks, or what it was is over: a whole turn in order lies between.

    Where tricks decide whose turn it is, nobody knows that of who began.
    """
    one = game(slug)
    right = tuple(msgspec.structs.replace(each, seq=UNSET, cause=UNSET) for each in play(slug, 3).events)
    at = next(at for at in range(len(right) // 2, len(right)) if isinstance(right[at], Decision))
    lines = (*right[: at + 1], *right[at:])
    (wrong,) = {found.seq for found in fold(one, lines).findings if found.kind in HARD and not found.follows}
    for kind, place in opening(slug, lines).items():
        for why in UNREADABLE:
            found = fold(one, unreadable(slug, lines, place, why)).findings
            is_open = slug == "whist" and kind.__name__ == "FirstPlayerChosen" and why == "no word of it"
            assert {each.seq for each in found if each.kind in HARD and not each.follows} == (
                set() if is_open else {wrong}
            )
