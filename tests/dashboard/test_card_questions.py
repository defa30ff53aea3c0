"""Effects and tempo of cards, variety, days: numbers counted by hand, or simulations with a known truth."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pytest

from tabletape.dashboard.questions import ask
from tabletape.dashboard.questions.database import QuestionError
from tabletape.dashboard.questions.lab import LabEffect, lab_in_words, read_lab
from tabletape.dashboard.questions.methods.adjusted import answer as adjusted
from tabletape.dashboard.questions.methods.card_effects import answer as effects
from tabletape.dashboard.questions.methods.keeping import answer as worth_of_keeping
from tabletape.dashboard.questions.methods.keeping import estimated as told_of_keeping
from tabletape.events.log import Log
from tabletape.projector.datasets.build import build
from tests.benchmarks.card_effects import FEW, LAB, OF_CARDS, WORLDS, run, with_lab
from tests.written_games import ANN_WINS, BEN_WINS, played

Store = Callable[..., Path]


def rows(place: Path, name: str, **filters: Any) -> list[dict[str, Any]]:
    """Build the datasets of a log and return the answer to a question as rows."""
    with Log.open(place) as log:
        found: list[dict[str, Any]] = ask(name, build(log).folder, **filters).to_pylist()
        return found


def test_a_card_is_played_in_the_players_own_turn(store: Store) -> None:
    """Ann played Six in her second turn, Ben in his first, and both won: the median turn is 1.5."""
    store("g1", *ANN_WINS)
    found = [row for row in rows(store("g2", *BEN_WINS), "tempo") if row["card"] == "six"]
    assert [(row["own_turn"], row["sides"], row["wins"]) for row in found] == [(1, 1, 1), (2, 1, 1)]
    assert {(row["median_turn"], row["baseline"]) for row in found} == {(1.5, 0.5)}


def test_cards_of_unfinished_games_have_no_tempo(store: Store) -> None:
    """Ann's Four was played in three games, two of which were decided; Ben's Two in these two, and won one."""
    store("g1", *ANN_WINS)
    store("g2", *BEN_WINS)
    found = [row for row in rows(store("g3", played("A", "four")), "tempo") if row["card"] in {"two", "four"}]
    assert [(row["card"], row["sides"], row["wins"]) for row in found] == [("four", 2, 1), ("two", 2, 1)]


def test_variety_is_that_of_as_many_equally_likely_types(store: Store) -> None:
    """One start, two decks and four cards are as varied as 7 / 2^(10/7) = 2.6 types; one taken back is not."""
    lines = [played("A", "four"), {"type": "play.taken-back", "to": 5}, *BEN_WINS]
    (row,) = rows(store("g", *lines), "variety")
    assert (row["decisions"], row["types"]) == (7, 3)
    assert row["kinds_in_effect"] == pytest.approx(7 / 2 ** (10 / 7), abs=1e-6)


def test_games_can_be_filtered_by_their_day(store: Store) -> None:
    """`since` and `before` select games by the day on which they began; a game without a date is in neither."""
    store("g1", *ANN_WINS, at="2026-05-01T23:59:00Z")
    store("g2", *ANN_WINS, at="2026-05-02T00:00:00Z")
    place = store("g3", *BEN_WINS)
    assert {row["game_id"] for row in rows(place, "games", since="2026-05-02")} == {"g2"}
    assert {row["game_id"] for row in rows(place, "games", before="2026-05-02")} == {"g1"}
    assert len(rows(place, "games")) == 3


def test_a_day_splits_the_games_of_one_ruleset(store: Store) -> None:
    """Ann, who began, won every game before the day and none since: B, the later games, has 100 points fewer."""
    for number in range(4):
        store(f"old{number}", *ANN_WINS, at=f"2026-05-0{number + 1}T10:00:00Z")
        place = store(f"new{number}", *BEN_WINS, at=f"2026-06-0{number + 1}T10:00:00Z")
    assert rows(place, "versions") == []
    first = next(row for row in rows(place, "versions", split="2026-06-01") if row["measure"] == "first player")
    assert (first["ruleset_a"], first["ruleset_b"]) == ("first, before 2026-06-01", "first, since 2026-06-01")
    assert (first["wins_a"], first["games_a"], first["wins_b"], first["games_b"]) == (4, 4, 0, 4)
    assert first["difference"] == -100
    assert -100 <= first["low"] < first["high"] < 0
    assert (first["days_a"], first["days_b"], first["days_in_both"]) == (4, 4, 0)


# -- effects -----------------------------------------------------------------------------------------------------------


def hands(rng: np.random.Generator, games: int) -> pa.Table:
    """Return random sides that hold half of twelve cards, none of which has an effect."""
    cards = [f"card-{number:02}" for number in range(12)]
    sides = []
    for number in range(games):
        winner = rng.choice(["A", "B"])
        for player in "AB":
            held = [card for card in cards if rng.random() < 0.5]
            sides.append(
                {"game": "higher", "ruleset": "first", "ruleset_id": "1", "game_id": f"g{number:04}", "player": player,
                 "deck": "one", "name": player, "first": player == "A", "won": player == winner, "hand_known": True,
                 "cards": held, "card_names": held}
            )  # fmt: skip
    return pa.Table.from_pylist(sides)


@pytest.mark.parametrize(("games", "runs"), [(40, 12), (400, 12)])
def test_the_number_of_cards_that_stand_out_by_luck_is_right(games: int, runs: int) -> None:
    """Of twelve cards without effect as many stand out as the answer predicts: far fewer than 5 %, at any time."""
    rng = np.random.default_rng(games)
    answers = [effects(hands(rng, games)).to_pylist() for _ in range(runs)]
    found = sum(row["stands_out"] for rows in answers for row in rows)
    expected = sum(rows[0]["by_luck"] for rows in answers)
    assert abs(found - expected) <= 3 * np.sqrt(expected) + 1
    assert expected / runs < 0.3


def test_cards_that_winners_only_see_more_of_are_worth_nothing() -> None:
    """Who wins draws up to three cards more, whichever: on average over all cards the effect is nothing."""
    found = run("no effects, winners see more", games=100, runs=8)
    assert abs(found["mean effect (points)"][0]) < 0.2
    assert abs(found["mean by the games alone (points)"][0]) < 0.5


@pytest.mark.parametrize(("world", "games"), [*((world, 20) for world in WORLDS), ("deviation 0.6", 100)])
def test_intervals_of_effects_hold_the_truth_however_large_effects_are(world: str, games: int) -> None:
    """92 to 97 % of the intervals of all cards hold the effect, shown or not, from no effects to a few large ones."""
    held, error = run(world, games=games, runs=24)["held by 95 %"]
    assert 0.92 <= held <= 0.97
    assert error < 0.02


@pytest.mark.parametrize("promise", OF_CARDS)
def test_what_is_said_of_cards_is_true_as_often_as_it_says(promise: str) -> None:
    """80 % intervals, the chance to help, to be among the three highest, and to stand out by luck, in a known world."""
    assert OF_CARDS[promise](_many_runs(is_empty=promise == "cards_that_stand_out"))


@cache
def _many_runs(*, is_empty: bool) -> dict[str, tuple[float, float]]:
    return run("no effects, winners see more" if is_empty else "deviation 0.3", games=100, runs=FEW)


def test_an_interval_that_the_games_hardly_narrowed_is_not_shown() -> None:
    """After three games an interval would be what was thought before: none is shown, and no card stands out."""
    for row in effects(hands(np.random.default_rng(1), 3)).to_pylist():
        assert row["narrowed"] < 0.2
        assert (row["low"], row["high_80"], row["stands_out"]) == (None, None, False)


def test_a_strong_card_is_held_by_its_interval_and_comes_to_the_top() -> None:
    """One card of 19 points among cards that do nothing is held as often as promised, and likely at the top."""
    found = run("a lone card of 19 points", games=150, runs=30)
    assert 0.92 <= found["the strong card held by 95 %"][0] <= 0.98
    assert found["P(top 3) of the strong card, at least"][0] > 2 * 3 / 32
    assert found["P(top 3) of the strong card, at most"][0] > 5 * 3 / 32


# -- keeping -----------------------------------------------------------------------------------------------------------


OF_BOTS = LabEffect("higher", "card-00", 0.2, 0.02, 300, ("greedy",))
"""Bots say that the first card is worth twenty points."""


def test_what_bots_say_goes_into_the_effect_and_not_into_the_interval() -> None:
    """The effect, its rank and the chance to help begin with it; what games alone say, and who stands out, stays."""
    sides = hands(np.random.default_rng(5), 60)
    plain, aided = ({row["card"]: row for row in effects(sides, lab).to_pylist()} for lab in ((), (OF_BOTS,)))
    card, other = aided["card-00"], aided["card-01"]
    for name in ("alone", "low", "high", "low_80", "high_80", "narrowed", "stands_out", "tested", "by_luck"):
        assert [row[name] for row in aided.values()] == [plain[each][name] for each in aided]
    assert card["effect"] > card["unaided"] + 0.01
    assert card["unaided"] == plain["card-00"]["effect"]
    assert card["helps"] > plain["card-00"]["helps"]
    assert (card["lab"], card["lab_pairs"]) == (0.2, 300)
    assert card["rank"] < plain["card-00"]["rank"]
    assert (other["lab"], other["lab_pairs"]) == (None, None)
    assert other["helps"] == pytest.approx(plain["card-01"]["helps"])
    assert not {"lab", "unaided"} & plain["card-01"].keys()


def test_bots_of_another_game_or_of_a_card_that_nobody_held_say_nothing() -> None:
    """Effects are what they are without bots, and it is said that these games say nothing of the card."""
    sides = hands(np.random.default_rng(5), 30)
    strangers = [msgspec.structs.replace(OF_BOTS, game="crystal"), msgspec.structs.replace(OF_BOTS, card="nothing")]
    plain, aided = (effects(sides, lab).to_pylist() for lab in ((), strangers))
    assert [row["effect"] for row in aided] == [row["effect"] for row in plain]
    (said,) = lab_in_words(strangers[1:], ["card-00"])
    assert said == "Of nothing these games say nothing, so what bots say of it is not used."
    (said,) = lab_in_words([OF_BOTS], ["card-00"])
    assert said.startswith(
        "Before the first game bots were asked: card-00 +20.0 points \u00b1 3.9 (300 pairs of greedy"
    )
    assert "The interval, what these games say alone and what stands out are of these games alone" in said


@pytest.mark.parametrize("bots", LAB)
def test_intervals_hold_the_truth_whether_bots_are_right_or_not(bots: str) -> None:
    """92 to 97 % of intervals do, be bots right, partly or wholly wrong; right ones make the effect better known."""
    found = {words: mean for words, (mean, _) in with_lab(bots, games=60, runs=16).items()}
    assert 0.92 <= found["held by the interval, 95 %"] <= 0.97
    assert found["held by what is thought, with bots"] >= 0.9
    nearer = found["error (points), without"] - found["error (points), with bots"]
    assert nearer > 0.3 if bots == "right" else nearer > -6


def test_kinds_of_bots_that_differ_make_it_less_sure() -> None:
    """Two kinds that say the same are surer than one; of two that contradict each other little is left."""
    told = '{"game": "g", "bot": "%s", "without": "c", "at_play": {"n": 100, "mean": %s, "low": -0.2, "high": 0.0}}'
    one, both, apart = (
        read_lab([("f", f"[{','.join(told % each for each in kinds)}]".encode())])[0]
        for kinds in ([("greedy", -0.1)], [("greedy", -0.1), ("random", -0.1)], [("greedy", -0.3), ("random", 0.1)])
    )
    assert (one.effect, both.effect, apart.effect) == pytest.approx((0.1, 0.1, 0.1))
    assert both.error < one.error < 0.2 <= apart.error
    assert (both.pairs, both.bots) == (200, ("greedy", "random"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "it should be what `tabletape whatif GAME --without CARD --json` prints"),
        (b'{"found": 1}', "Expected `array`, got `object`"),
        (b"\xff", "file.json: "),
        (b"[]", "says of no single card what it is worth to bots"),
        (b'[{"game": "g", "bot": "greedy", "without": "", "at_play": null}]', "says of no single card"),
        (b'[{"game": "g", "bot": "greedy", "without": "six", "at_play": null}]', "in no pair of greedy bots was six"),
    ],
)
def test_a_file_that_says_nothing_of_a_card_is_refused(content: bytes, message: str) -> None:
    """It says which file, what is wrong with it, and what it should be."""
    with pytest.raises(QuestionError, match=re.escape(message)):
        read_lab([("file.json", content)])


def openings(rng: np.random.Generator, games: int, worth: float, strong: float) -> pa.Table:
    """Return random sides: each kept its card or sent it back; a strong deck keeps it more often than a weak one."""
    sides = []
    for number in range(games):
        mine = []
        for player in "AB":
            deck = str(rng.choice(["strong", "weak"]))
            kept = bool(rng.random() < (0.8 if deck == "strong" else 0.3))
            mine.append((player, deck, kept, worth * kept + (strong if deck == "strong" else 0.0)))
        odds = 1 / (1 + np.exp(mine[1][3] - mine[0][3]))
        winner = "A" if rng.random() < odds else "B"
        sides += [
            {"game": "higher", "ruleset": "first", "ruleset_id": "1", "game_id": f"g{number:04}", "player": player,
             "deck": deck, "name": player, "first": player == "A", "won": player == winner, "hand_known": True,
             "cards": ["six"], "card_names": ["Six"], "kept": [kept], "mulliganed": [not kept]}
            for player, deck, kept, _ in mine
        ]  # fmt: skip
    return pa.Table.from_pylist(sides)


def test_a_strong_deck_does_not_make_keeping_look_good() -> None:
    """If only the deck decides, the sides that kept win far more often, but the estimated effect of keeping is zero."""
    sides = openings(np.random.default_rng(1), 3000, worth=0.0, strong=1.0)
    (row,) = worth_of_keeping(sides).to_pylist()
    assert row["low"] < 0 < row["high"]
    assert abs(row["effect"]) < 0.04
    assert not row["stands_out"]


def test_the_worth_of_keeping_is_found() -> None:
    """If keeping adds 0.6 to the logit, an effect of about 15 points is found, with hardly any doubt."""
    sides = openings(np.random.default_rng(2), 3000, worth=0.6, strong=0.5)
    (row,) = worth_of_keeping(sides).to_pylist()
    assert row["low"] < 1 / (1 + np.exp(-0.6)) - 0.5 < row["high"]
    assert (row["stands_out"], row["helps"] > 0.999) == (True, True)


def test_intervals_of_keeping_cover_what_they_promise() -> None:
    """92 to 97 % of the intervals of 40 games hold what keeping is worth, be that nothing, ten points or 23."""
    rng, held = np.random.default_rng(40), []
    for number in range(150):
        worth = (0.0, 0.4, 1.0)[number % 3]
        found = told_of_keeping(openings(rng, 40, worth, strong=rng.normal(0, 0.5)))
        assert found is not None
        low, high = (found[2].alone.quantile(level)[0] for level in (0.025, 0.975))
        held.append(low <= worth <= high)
    assert 0.92 <= np.mean(held) <= 0.97


# -- players -----------------------------------------------------------------------------------------------------------


def played_unevenly(rng: np.random.Generator, games: int, skill: dict[str, float]) -> pa.Table:
    """Return sides of two of some players; the strongest mostly has the deck "loud", which is worth nothing."""
    best, sides = max(skill, key=lambda each: skill[each]), []
    for number in range(games):
        names = [str(each) for each in rng.choice(list(skill), 2, replace=False)]
        winner = 0 if rng.random() < 1 / (1 + np.exp(skill[names[1]] - skill[names[0]])) else 1
        for seat, name in enumerate(names):
            deck = "loud" if rng.random() < (0.8 if name == best else 0.2) else "quiet"
            sides.append(
                {"game": "higher", "ruleset": "first", "ruleset_id": "1", "game_id": f"g{number:04}",
                 "player": "AB"[seat], "name": name, "deck": deck, "seat": str(seat + 1), "first": seat == 0,
                 "won": seat == winner}
            )  # fmt: skip
    return pa.Table.from_pylist(sides)


def test_the_deck_of_a_strong_player_is_not_taken_for_a_strong_deck() -> None:
    """The loud deck wins far more than half of its games, all of it Ann's doing: adjusted, it is worth nothing."""
    sides = played_unevenly(np.random.default_rng(3), 600, {"Ann": 0.9, "Ben": -0.3, "Cat": -0.3, "Dan": -0.3})
    raw = [row["won"] for row in sides.to_pylist() if row["deck"] == "loud"]
    assert np.mean(raw) > 0.55
    found = {(row["measure"], row["value"]): row for row in adjusted(sides).to_pylist()}
    assert found["deck", "loud"]["low"] < 0.5 < found["deck", "loud"]["high"]
    assert found["player", "Ann"]["low"] > 0.5
    assert found["first player", ""]["low"] < 0.5 < found["first player", ""]["high"]


def test_few_games_of_a_player_are_pulled_to_one_half() -> None:
    """Who won both games of an evening is no champion: the interval is about as wide as before, and says so."""
    sides = played_unevenly(np.random.default_rng(4), 2, {"Ann": 9.0, "Ben": 0.0})
    found = {(row["measure"], row["value"]): row for row in adjusted(sides).to_pylist()}
    assert 0.5 < found["player", "Ann"]["strength"] < 0.65
    assert found["player", "Ann"]["narrowed"] < 0.2


@pytest.mark.parametrize("games", [10, 60])
def test_intervals_of_strengths_hold_the_truth(games: int) -> None:
    """Strengths drawn from the prior lie in their 95 % intervals in 93 to 97 % of cases, over 300 evenings."""
    rng, held = np.random.default_rng(games), []
    for _ in range(300):
        skill = {name: float(rng.normal(0, 0.5)) for name in ("Ann", "Ben", "Cat", "Dan")}
        for row in adjusted(played_unevenly(rng, games, skill)).to_pylist():
            if row["measure"] == "player":
                true = skill[row["value"]] - np.mean(list(skill.values()))
                held.append(row["low"] <= 1 / (1 + np.exp(-true)) <= row["high"])
    assert 0.93 <= np.mean(held) <= 0.97
