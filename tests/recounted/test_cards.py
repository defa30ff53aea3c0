"""Kept and mulliganed cards, counted again from the first hands, and what cards go with, by another method."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

from tests.recounted.intervals import assert_clumped
from tests.recounted.lines import Read

Rows = list[dict[str, Any]]
Asked = Callable[..., Rows]


def card_of(copy: str) -> str:
    """Return the card that a copy is of."""
    return copy.partition(":")[2].partition("#")[0]


BACK_TO_THE_HAND = {"card.returned", "card.added", "jumper.returned"}
"""Lines by which a card comes to its owner's hand that was drawn from no deck."""
DRAWN = {"cards.drawn", "starting-hand.drawn", "mulligan.taken"}


class Dealt(NamedTuple):
    """What a side of a decided game kept in its first hand, sent back, and had in hand in play."""

    read: Read
    player: str
    kept: Counter[str]
    back: Counter[str]
    seen: frozenset[str]

    @property
    def won(self) -> bool:
        """Whether it won."""
        return self.player == self.read.winner


def dealt(reads: list[Read], games: Collection[str] = ("duelyst", "evolve", "splicers", "higher")) -> Iterator[Dealt]:
    """Yield the first hands of all games that somebody won, of those in which hands are drawn and cards sent back."""
    for read in reads:
        for player in read.names if read.winner and read.game in games else ():
            yield _dealt(read, player)


def _dealt(read: Read, player: str) -> Dealt:
    hand, back, later, begun = list[str](), list[str](), list[str](), False
    for _, line in read.played:
        begun |= line["type"] in {"turn.started", "round.started"}
        if line["type"] in BACK_TO_THE_HAND and line["card"].startswith(f"{player}:"):
            later.append(line["card"])
        if line.get("player") != player:
            continue
        if line["type"] == "ability.used":  # Splicers: cards of the own discard pile
            later += line.get("cards", [])
        if line["type"] == "tings.spliced" and line["found"] and "biom" not in line:
            later.append(line["found"])
        if line["type"] not in DRAWN:
            continue
        came: list[str] = [*line.get("cards", []), *line.get("drawn", [])]
        gone = line.get("returned", [])
        if begun:
            later += came
        else:
            hand, back = [*(each for each in hand if each not in gone), *came], [*back, *gone]
    kept, gone_back = (Counter(map(card_of, each)) for each in (hand, back))
    return Dealt(read, player, kept, gone_back, frozenset(map(card_of, [*hand, *later])))


def test_first_hands_are_those_of_the_lines(asked: Asked, reads: list[Read]) -> None:
    """Copies kept and sent back, with those whose side won, by deck; the interval is one of things in games."""
    kept, back = (
        defaultdict[tuple[str, str, str], dict[str, list[int]]](lambda: defaultdict(lambda: [0, 0])) for _ in "ab"
    )
    for each in dealt(reads):
        for where, copies in ((kept, each.kept), (back, each.back)):
            for card, n in copies.items():
                of_game = where[each.read.game, each.read.decks[each.player], card][each.read.id]
                of_game[0] += n * each.won
                of_game[1] += n
    rows = {(row["game"], row["deck"], row["card"]): row for row in asked("mulligans")}
    assert rows.keys() == back.keys()
    for key, row in rows.items():
        for name, where in (("kept", kept), ("mulliganed", back)):
            games = [(h, n) for h, n in where[key].values()]
            assert (row[name] or 0, row[f"{name}_wins"] or 0) == (sum(n for _, n in games), sum(h for h, _ in games)), (
                key
            )
            assert_clumped(row, f"{name}_rate", games)
        assert row["baseline"] == 0.5


# -- what cards go with: the same distribution, drawn by a chain of Markov ---------------------------------------------

STEPS, WARM = 12_000, 2_000


class World(NamedTuple):
    """Sides of games of one ruleset: their cards, and everything else; who won, and where each game begins."""

    cards: list[str]
    effects: np.ndarray
    others: np.ndarray
    other_deviations: np.ndarray
    won: np.ndarray
    starts: np.ndarray

    def likely(self, b: np.ndarray) -> float:
        """Return the logarithm of how likely it is that those won who did, by what everything is worth."""
        worth = self.effects @ b[: len(self.cards)] + self.others @ b[len(self.cards) :]
        return float(worth[self.won].sum() - np.logaddexp.reduceat(worth, self.starts).sum())


def world(sides: list[Dealt], held: Callable[[Dealt, str], float], *more: Callable[[Dealt, str], float]) -> World:
    """Return games: what `held` says of cards, and decks, players, who began and `more` beside it."""
    cards = sorted({card for side in sides for card in (side.seen if not more else {*side.kept, *side.back})})
    decks = sorted({side.read.decks[side.player] for side in sides})
    names = sorted({side.read.names[side.player] for side in sides})
    seen = np.array([len(side.seen) for side in sides], float)
    spread = seen.std() or 1.0

    def other(side: Dealt) -> list[float]:
        known = [side.read.decks[side.player] == deck for deck in decks]
        known += [side.read.names[side.player] == name for name in names]
        found = [float(each) for each in (*known, side.player == side.read.beginner)]
        if more:
            return [*(said(side, card) for said in more for card in cards), *found]
        return [*found, (len(side.seen) - seen.mean()) / spread]

    effects, others = (
        np.array([of(side) for side in sides], float)
        for of in (lambda side: [held(side, card) for card in cards], other)
    )
    deviations = np.full(others.shape[1], 0.5)
    if not more:
        deviations[-1] = 3.0
    games = [side.read.id for side in sides]
    starts = np.array([games.index(each) for each in dict.fromkeys(games)])
    return World(cards, effects, others, deviations, np.array([side.won for side in sides]), starts)


def drawn(of: World, seed: int) -> np.ndarray:
    """Return draws of the effects, one in fifty of which may be large, the others of a deviation that the games tell.

    Effects given their deviations are drawn by elliptical slices, the deviations given the effects one by one.
    Source: I. Murray, R. P. Adams, D. J. C. MacKay, Elliptical slice sampling (2010).
    """
    rng = np.random.default_rng(seed)
    scales = np.geomspace(0.05, 1.2, 7)
    before = -((np.log(scales / 0.25) / 1.2) ** 2) / 2
    k = len(of.cards)
    large, scale, b = np.zeros(k, bool), 0.25, np.zeros(k + of.others.shape[1])
    likely = of.likely(b)
    found = []
    for step in range(STEPS):
        deviation = np.concatenate([np.where(large, 1.0, scale), of.other_deviations])
        other, level = rng.normal(0, deviation), likely + np.log(rng.random())
        angle = rng.uniform(0, 2 * np.pi)
        low, high = angle - 2 * np.pi, angle
        while True:
            tried = b * np.cos(angle) + other * np.sin(angle)
            likely = of.likely(tried)
            if likely > level:
                break
            low, high = (angle, high) if angle < 0 else (low, angle)
            angle = rng.uniform(low, high)
        b = tried
        small = 0.98 * np.exp(-((b[:k] / scale) ** 2) / 2) / scale
        large = rng.random(k) < 0.02 * np.exp(-(b[:k] ** 2) / 2) / (0.02 * np.exp(-(b[:k] ** 2) / 2) + small)
        fits = [
            before[i] - ((b[:k][~large] / s) ** 2).sum() / 2 - (~large).sum() * np.log(s) for i, s in enumerate(scales)
        ]
        chance = np.exp(np.array(fits) - max(fits))
        scale = rng.choice(scales, p=chance / chance.sum())
        if step >= WARM:
            found.append(b[:k])
    return np.array(found)


def points(effects: np.ndarray) -> np.ndarray:
    """Return effects as shares won at one half."""
    found: np.ndarray = 1 / (1 + np.exp(-effects)) - 0.5
    return found


def of(reads: list[Read], game: str) -> list[Dealt]:
    """Return the sides of a game, in its first edition alone."""
    return [side for side in dealt(reads, [game]) if side.read.edition != "second"]


@pytest.mark.parametrize("game", ["crystal", "higher", "duelyst", "evolve", "splicers"])
def test_cards_go_with_winning_as_much_as_a_chain_of_markov_says(asked: Asked, reads: list[Read], game: str) -> None:
    """Games that tell of each card, and its effect weighed with how large effects mostly are."""
    sides = of(reads, game)
    draws = drawn(told := world(sides, lambda side, card: float(card in side.seen)), 1)
    rows = {row["card"]: row for row in asked("card-effects") if row["game"] == game and "second" not in row["ruleset"]}
    assert [*sorted(rows)] == told.cards
    for place, card in enumerate(told.cards):
        row, games = rows[card], len({side.read.id for side in sides if card in side.seen})
        assert row["games"] == games
        assert row["effect"] == pytest.approx(points(draws[:, place]).mean(), abs=0.025), card
        assert row["helps"] == pytest.approx((draws[:, place] > 0).mean(), abs=0.08), card
        assert row["tested"] == sum(each["games"] >= 10 for each in rows.values())
        assert not row["stands_out"] or (games >= 10 and min(row["helps"], 1 - row["helps"]) < 0.025)
        assert (row["low"] is None) == (row["narrowed"] < 0.2)


def test_keeping_is_worth_as_much_as_a_chain_of_markov_says(asked: Asked, reads: list[Read]) -> None:
    """A card kept against the same card sent back: the games of each, and the effect."""
    for game in ("duelyst", "evolve", "splicers"):
        sides = of(reads, game)
        draws = drawn(
            told := world(
                sides,
                lambda side, card: ((card in side.kept) - float(card in side.back)) / 2,
                lambda side, card: float(card in side.kept) + float(card in side.back),
            ),
            2,
        )
        rows = {row["card"]: row for row in asked("keeping") if row["game"] == game}
        counts = {
            card: tuple(
                len({side.read.id for side in sides if card in getattr(side, kind)}) for kind in ("kept", "back")
            )
            for card in told.cards
        }
        assert rows.keys() == {card for card, games in counts.items() if all(games)}
        for card, row in rows.items():
            assert (row["kept_games"], row["mulliganed_games"]) == counts[card]
            assert row["effect"] == pytest.approx(points(draws[:, told.cards.index(card)]).mean(), abs=0.025), card
