"""Questions counted a second time by another program: from the lines of the logs alone, without the datasets.

What needs other games than those of bots (mistakes, words, teams, other rulesets) is counted in `tests/recounted`;
`ELSEWHERE` says where, for every question that is not counted here.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import beta as beta_function
from scipy.stats import beta

from tabletape.dashboard.questions import ask, question, questions
from tabletape.dashboard.questions.bots_apart import PLAIN_QUESTIONS as STANDING
from tabletape.dashboard.questions.bots_apart import ask_apart
from tabletape.dashboard.questions.exclusions import exclusions_in_words
from tabletape.events.log import Log
from tabletape.events.vocabulary import Event, tag_of
from tabletape.events.vocabulary.names import card_of
from tabletape.projector.datasets.build import build
from tabletape.projector.games import game
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.simulate import Plan, Simulated, simulate
from tests.written_games import ANN_WINS, BEN_WINS

TABLES: Final = (2, 3, 4)
GAMES: Final = 5
"""How many games each number of players plays."""


ELSEWHERE: Final = {
    "dashboard/test_leads_recounted.py": (
        "comeback", "lead-changes", "lock-in", "never-seen", "progress", "resource-curve", "snowball",
    ),
    "recounted/test_cards.py": ("card-effects", "keeping", "mulligans"),
    "recounted/test_people.py": ("feelings", "felt-with", "learning", "remarks"),
    "recounted/test_results.py": ("duplicates", "margins", "places", "scores", "teams", "together", "variants"),
    "recounted/test_rules.py": (
        "at-stake", "decision-load", "findings", "forced", "house-rules", "newcomers", "rules-by-experience",
        "rules-confusion",
    ),
    "recounted/test_tension.py": ("tension", "turning-points"),
    "recounted/test_times.py": ("downtime", "time-per-turn"),
    "recounted/test_versions.py": ("rulesets", "versions"),
}  # fmt: skip
"""Where other questions are counted a second time: those of rules by a referee of their own."""

PLAIN_QUESTIONS: Final = frozenset({"each-finding"})
"""Questions that count nothing: the rows of a dataset as they stand."""


@cache
def evenings() -> tuple[tuple[int, Simulated], ...]:
    """Return full logs of Crystal Factions among two, three and four players, each with their number."""
    one = game("crystal")
    return tuple(
        (players, msgspec.structs.replace(each, game_id=f"{each.game_id}-of-{players}"))
        for players in TABLES
        for each in simulate(one, one.cards, Plan(seed=32, bots=(Bot.RANDOM,) * players, full=True), GAMES)
    )


@pytest.fixture(params=["full", "sparse"], scope="module")
def answered(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the datasets of these games, with and without the consequences in their logs."""
    return stored(request.param, tmp_path_factory.mktemp("recounted"))


def stored(kind: str, folder: Path) -> Path:
    """Store these games in a folder, in full or sparse, and return their datasets."""
    with Log.open(folder / "tabletape.db", create=True) as log:
        for _, each in evenings():
            head = msgspec.structs.replace(each.events[0], id=each.game_id)
            events = [head, *each.events[1:]]
            kept = events if kind == "full" else [event for event in events if event.CLASS != "consequence"]
            log.append(each.game_id, kept, expected_last_seq=0)
        return build(log).folder


def rows(name: str, folder: Path) -> list[dict[str, Any]]:
    """Return the answer to a question about these games."""
    found: list[dict[str, Any]] = ask(name, folder, source="bots").to_pylist()
    return found


def lines(events: Iterable[Event], tag: str) -> list[Any]:
    """Return the lines of a type."""
    return [event for event in events if tag_of(type(event)) == tag]


def test_what_was_played_is_what_the_log_says_was_played(answered: Path) -> None:
    """Every play has its line: the hand of a player who is put out was not played, among three and four players too."""
    written = Counter(card_of(event.card) for _, each in evenings() for event in lines(each.events, "card.deployed"))
    counted = {row["card"]: row["played"] for row in rows("play-rate", answered)}
    assert any(lines(each.events, "player.eliminated") for players, each in evenings() if players > 2)
    assert {card: counted[card] for card in written} == dict(written)
    assert sum(counted.values()) == sum(written.values())


def test_copies_that_were_never_played_are_dead(answered: Path) -> None:
    """What is left of the copies seen is dead: nothing in this game takes a card from the hand but its play."""
    played = {each["card"]: each for each in rows("play-rate", answered)}
    for row in rows("dead-cards", answered):
        assert row["dead"] == played[row["card"]]["seen"] - played[row["card"]]["played"]


def test_lengths_are_those_of_equal_numbers_of_players(answered: Path) -> None:
    """The median of the decisions after start and decks is that of the lines, for each number of players by itself."""
    found = {(row["measure"], row["players"]): row for row in rows("game-length", answered)}
    for players in TABLES:
        mine = [each for size, each in evenings() if size == players]
        decided = [sum(event.CLASS == "decision" for event in each.events) - 1 - players for each in mine]
        assert found["decisions", players]["median"] == median(decided)
        assert found["decisions", players]["games"] == len(mine) == GAMES
    histogram = Counter(row["players"] for row in rows("game-length-histogram", answered) if row["measure"] == "turns")
    assert set(histogram) == set(TABLES)
    for name in ("comeback", "lock-in", "tension", "length-unfinished"):
        assert {row["players"] for row in rows(name, answered)} == set(TABLES)


def test_wins_are_those_that_the_last_lines_name(answered: Path) -> None:
    """Seats and beginners won as often as the lines say, by number of players."""
    won: Counter[tuple[int, int]] = Counter()
    for players, each in evenings():
        seats = [seat.id for seat in each.events[0].players]  # type: ignore[attr-defined]  # it is a start
        if each.winner:
            won[players, seats.index(each.winner) + 1] += 1
    found = {(row["players"], row["seat"]): row["wins"] for row in rows("seats", answered)}
    assert {key: found[key] for key in won} == dict(won)
    assert sum(found.values()) == sum(won.values())


# -- sides, as the lines tell them -------------------------------------------------------------------------------------


class Side(NamedTuple):
    """What the lines of a game tell of one of its players; `hand` are all cards that came to it."""

    game: str
    players: int
    name: str
    deck: str
    faction: str
    seat: str
    first: bool
    won: bool
    opening: list[str]
    hand: list[str]
    left: list[str]
    turns_played: dict[str, int]


@cache
def sides() -> tuple[Side, ...]:
    """Return the sides of all games."""
    return tuple(side for players, each in evenings() for side in _sides(players, each))


def _sides(players: int, played: Simulated) -> Iterable[Side]:
    (ended,) = lines(played.events, "game.ended")
    (beginner,) = {event.player for event in lines(played.events, "first-player.chosen")}
    for place, seat in enumerate(played.events[0].players, 1):  # type: ignore[attr-defined]  # it is a start
        mine = [event for event in played.events if getattr(event, "player", "") == seat.id]
        (deck,) = lines(mine, "deck.declared")
        opening = [card_of(card) for event in lines(mine, "starting-hand.drawn") for card in event.cards]
        hand = opening + [card_of(card) for event in lines(mine, "cards.drawn") for card in event.cards]
        turn, turns_played = 0, dict[str, int]()
        for event in mine:
            turn += tag_of(type(event)) == "turn.started"
            if tag_of(type(event)) == "card.deployed":
                turns_played.setdefault(card_of(event.card), turn)  # type: ignore[attr-defined]  # it is a play
        left = list((Counter([*deck.cards, *deck.basic]) - Counter(hand)).elements())
        yield Side(
            played.game_id, players, seat.name, seat.deck, deck.faction, str(place), beginner == seat.id,
            ended.winner == seat.id, opening, hand, left, turns_played,
        )  # fmt: skip


def wilson_by_its_formula(hits: int, n: int) -> tuple[float, float]:
    """Return the ends of Wilson's interval as the roots of (p - hits/n)² = z² p (1 - p) / n."""
    z = 1.959963984540054
    roots = np.roots([1 + z * z / n, -2 * hits / n - z * z / n, (hits / n) ** 2])
    return max(min(roots), 0.0), min(max(roots), 1.0)


def test_shares_of_wins_are_those_of_the_lines(answered: Path) -> None:
    """Beginners, players and endings: hits, n and interval, for each number of players."""
    for row in rows("first-player", answered):
        first = [side.won for side in sides() if side.first and side.players == row["players"]]
        assert (row["wins"], row["games"]) == (sum(first), len(first))
        assert (row["win_rate_low"], row["win_rate_high"]) == pytest.approx(
            wilson_by_its_formula(sum(first), len(first))
        )
    for row in rows("players", answered):
        mine = [side for side in sides() if side.name == row["name"]]
        assert (row["wins"], row["games"]) == (sum(side.won for side in mine), len(mine))
        assert row["baseline"] == pytest.approx(np.mean([1 / side.players for side in mine]), abs=1e-6)
    reasons = Counter((players, lines(each.events, "game.ended")[0].reason) for players, each in evenings())
    ended = {(row["players"], row["reason"]): row for row in rows("win-conditions", answered)}
    assert {key: row["games"] for key, row in ended.items()} == reasons
    of = Counter(players for players, _ in evenings())
    assert {players: row["finished"] for (players, _), row in ended.items()} == of
    (row,) = rows("overview", answered)
    assert (row["games"], row["finished"]) == (len(evenings()), len(evenings()))


def test_every_game_is_listed_with_its_lengths(answered: Path) -> None:
    """Turns and rounds are as many as were begun, and the winner is the one that the last line names."""
    listed = {row["game_id"]: row for row in rows("games", answered)}
    assert len(listed) == len(evenings())
    for _, each in evenings():
        row = listed[each.game_id]
        assert row["turns"] == len(lines(each.events, "turn.started"))
        assert row["rounds"] == len(lines(each.events, "round.started"))
        assert (row["winner"], row["reason"]) == (each.winner, lines(each.events, "game.ended")[0].reason)


def different(kind: str) -> list[Side]:
    """Return the sides of games in which not all have the same deck, or the same faction."""
    found: dict[str, list[Side]] = {}
    for side in sides():
        found.setdefault(side.game, []).append(side)
    return [side for of_game in found.values() if len({getattr(s, kind) for s in of_game}) > 1 for side in of_game]


def luck_game_by_game(wins: int, games: Iterable[tuple[int, int]]) -> float:
    """Return the chance of no likelier number of wins, game by game: so many of so many players have what wins."""
    likely = {0: Fraction(1)}
    for sides_with_it, players in games:
        chance = Fraction(sides_with_it, players)
        before, likely = likely, dict[int, Fraction]()
        for won, chance_of_it in before.items():
            likely[won] = likely.get(won, Fraction(0)) + chance_of_it * (1 - chance)
            likely[won + 1] = likely.get(won + 1, Fraction(0)) + chance_of_it * chance
    return float(sum(each for each in likely.values() if each <= likely[wins]))


def test_decks_and_their_pairs_win_as_often_as_the_lines_say(answered: Path) -> None:
    """A deck counts a seat at a time, a pair of decks a game at a time, and games of equal decks in neither."""
    for row in rows("decks", answered):
        mine = [side for side in different(row["dimension"]) if getattr(side, row["dimension"]) == row["value"]]
        assert (row["wins"], row["games"]) == (sum(side.won for side in mine), len(mine))
        assert row["baseline"] == pytest.approx(np.mean([1 / side.players for side in mine]), abs=1e-6)
        of_games = [(len([*each]), players) for (_, players), each in groupby(mine, attrgetter("game", "players"))]
        assert row["by_luck"] == pytest.approx(luck_game_by_game(row["wins"], of_games), abs=1e-6)
    for row in rows("matchups", answered):
        kind = row["dimension"]
        won = Counter(getattr(side, kind) for side in different(kind) if side.won)
        assert set(won) <= {row["own"], row["other"]}
        assert (row["wins"], row["games"]) == (won[row["own"]], won.total())
        assert row["shrunk"] == pytest.approx((row["wins"] + 5) / (row["games"] + 10))


def test_what_players_do_in_each_round_is_what_the_lines_say(answered: Path) -> None:
    """Decisions by number of players, round and type, and how varied they are in the phase of deploying."""
    done: Counter[tuple[int, int, str]] = Counter()
    for players, each in evenings():
        number = 0
        for event in each.events:
            number += tag_of(type(event)) == "round.started"
            # The line that begins the first round is written before the line that says so.
            done[players, max(number, 1), tag_of(type(event))] += event.CLASS == "decision"
    wanted = {key: n for key, n in done.items() if n and key[-1] not in {"game.started", "deck.declared"}}
    mix = rows("action-mix", answered)
    assert {(row["players"], row["round"], row["type"]): row["decisions"] for row in mix} == wanted
    of_types = Counter[str]()
    for (*_, kind), n in wanted.items():
        of_types[kind] += n
    shares = np.array(list(of_types.values())) / of_types.total()
    (row,) = rows("variety", answered)
    assert row["kinds_in_effect"] == pytest.approx(2 ** -(shares * np.log2(shares)).sum(), abs=1e-6)


def test_cards_are_seen_drawn_and_played_as_the_lines_say(answered: Path) -> None:
    """Copies in the first hand, drawn later and never drawn, by who won, and the turn of the first play."""
    for row in rows("cards", answered):
        card, mine = row["card"], different("deck")
        held = [side for side in mine if card in side.hand]
        assert (row["seen_wins"], row["seen_games"]) == (sum(side.won for side in held), len(held))
        for share, copies in {
            "oh": [(side.opening.count(card), side.won) for side in mine],
            "gd": [(side.hand.count(card) - side.opening.count(card), side.won) for side in mine],
            "gns": [(side.left.count(card), side.won) for side in mine],
        }.items():
            assert row[share] == sum(n for n, _ in copies)
            assert row[f"{share}_wins"] == sum(n for n, won in copies if won)
    for row in rows("tempo", answered):
        turns = [(side.turns_played[row["card"]], side.won) for side in sides() if row["card"] in side.turns_played]
        then = [won for turn, won in turns if min(turn, 4) == row["own_turn"]]
        assert (row["sides"], row["wins"]) == (len(then), sum(then))
        assert row["median_turn"] == median(turn for turn, _ in turns)


def test_strengths_are_where_the_likelihood_and_the_prior_are_highest(answered: Path) -> None:
    """A general search for the maximum, from the lines, comes to the strengths of `adjusted` and of `ratings`."""
    mine = different("deck")
    for name, of, terms in (
        ("ratings", mine, {"value": "deck", "name": "name"}),
        ("adjusted", list(sides()), {"player": "name", "deck": "deck", "seat": "seat"}),
    ):
        values = [(term, value) for term, field in terms.items() for value in sorted({getattr(s, field) for s in of})]
        rows_of_terms = np.array(
            [[getattr(s, terms[term]) == value for term, value in values] + [s.first] for s in of], float
        )
        by_game = [[n for n, s in enumerate(of) if s.game == game] for game in dict.fromkeys(s.game for s in of)]

        def unlikely(
            b: np.ndarray, x: np.ndarray = rows_of_terms, games: list[list[int]] = by_game, of: list[Side] = of
        ) -> float:
            worth = x @ b
            lost = (np.logaddexp.reduce(worth[g]) - worth[next(n for n in g if of[n].won)] for g in games)
            return float(sum(lost) + (b @ b) / (2 * 0.5**2))

        best = minimize(unlikely, np.zeros(len(values) + 1), method="BFGS", options={"gtol": 1e-7}).x
        for row in rows(name, answered):
            term = "value" if name == "ratings" else row["measure"]
            alike = [n for n, (kind, _) in enumerate(values) if kind == term]
            if (name == "ratings" and row["dimension"] != "deck") or not alike:
                continue
            worth = best[values.index((term, row["value"]))] - best[alike].mean()
            assert row["strength"] == pytest.approx(1 / (1 + np.exp(-worth)), abs=1e-4)
        for row in rows("head-to-head", answered) if name == "ratings" else ():
            if row["dimension"] == "deck":
                own, other = (best[values.index(("value", row[side]))] for side in ("own", "other"))
                assert row["chance"] == pytest.approx(1 / (1 + np.exp(other - own)), abs=1e-4)


def test_stopping_says_what_the_beta_distribution_says(answered: Path) -> None:
    """The chance of being fair is a difference of two Beta distributions, the e-value a ratio of two likelihoods."""
    every = rows("stopping", answered)
    for row in [each for each in every if each["measure"] == "first player"]:
        base, hits, missed = row["baseline"], row["wins"], row["games"] - row["wins"]
        after = beta(10 * base + hits, 10 * (1 - base) + missed)
        ends = [odds / (1 + odds) for odds in (base / (1 - base) / 1.5, base / (1 - base) * 1.5)]
        assert row["fair"] == pytest.approx(after.cdf(ends[1]) - after.cdf(ends[0]))
        mixed = beta_function(10 * base + hits, 10 * (1 - base) + missed) / beta_function(10 * base, 10 * (1 - base))
        assert row["e_value"] == pytest.approx(mixed / (base**hits * (1 - base) ** missed))
        assert row["family_e_value"] == pytest.approx(np.mean([each["e_value"] for each in every]))


def test_every_question_is_counted_a_second_time() -> None:
    """Each question is asked in this file, or in the one that is named for it."""
    here = Path(__file__)
    for file, named in ELSEWHERE.items():
        text = here.parents[1].joinpath(file).read_text(encoding="utf-8")
        assert [name for name in named if f'"{name}"' not in text] == []
    counted = {name for named in ELSEWHERE.values() for name in named} | PLAIN_QUESTIONS
    text = here.read_text(encoding="utf-8")
    asked = {name for name in re.findall(r'"([a-z-]+)"', text.partition("def evenings()")[2]) if name not in counted}
    assert {each.name for each in questions()} - asked == counted


def test_kinds_of_bots_that_disagree_are_not_pooled(store: Callable[..., Path]) -> None:
    """Random bots that begin win all games and greedy ones none: it depends on play; a mixed game is of no kind.

    Each kind has a row of its own in every question about who wins. The deck that won all is likely the strongest, but
    that may be the player who held it: not clear.
    """
    begins = {"random": "A", "greedy": "B"}
    for number in range(12):
        for kind, winner in begins.items():
            seats = [{"id": each, "name": f"{kind.capitalize()} bot {each}", "deck": each} for each in "AB"]
            store(f"bot-{kind}-{number}", *(ANN_WINS if winner == "A" else BEN_WINS), players=seats)
    mixed = [{"id": "A", "name": "Random bot A"}, {"id": "B", "name": "Greedy bot B"}]
    with Log.open(store("bot-mixed", *ANN_WINS, players=mixed)) as log:
        folder = build(log).folder
    ladder = ask_apart("bots-ladder", folder, source="bots").to_pylist()
    found = [row for row in ladder if row["measure"] == "first player"]
    assert [(row["played_by"], row["wins"], row["games"], row["bots_say"]) for row in found] == [
        ("random", 12, 12, "depends on play"),
        ("greedy", 0, 12, "depends on play"),
    ]
    assert ask("bots-ladder", folder).num_rows == 0
    first = {row["played_by"]: row for row in ask_apart("first-player", folder, source="bots").to_pylist()}
    assert {who: (row["wins"], row["games"]) for who, row in first.items()} == {
        "random": (12, 12), "greedy": (0, 12), "mixed": (1, 1),
    }  # fmt: skip
    assert [first[who]["bots_say"] for who in first] == ["depends on play", "depends on play", None]
    assert "played_by" not in ask_apart("first-player", folder, source="bots", bots="greedy").column_names
    (trend,) = {(row["trend"], row["trend_low"], row["trend_high"] < -0.5) for row in found}
    assert trend == (-1, -1, True)
    best = ask("ratings", folder, source="bots", bots="random").to_pylist()[0]
    assert (best["value"], best["strongest"] > 0.8, best["clear"]) == ("A", True, False)
    for each in questions():
        if each.name not in STANDING and (answer := ask_apart(each.name, folder, source="bots")).num_rows:
            assert {*answer["played_by"].to_pylist()} <= {"random", "greedy", "mixed"}, each.name
    pooled = exclusions_in_words(question("first-player"), folder, source="bots")
    assert "kinds of bots disagree about 3 of 3 shares of wins" in pooled
    apart = exclusions_in_words(question("first-player"), folder, apart=True, source="bots")
    assert apart.endswith("(bots-ladder), each is counted for itself here.")
    assert "bots" not in exclusions_in_words(question("first-player"), folder)
    store("g1", *ANN_WINS)
    with Log.open(store("g2", *BEN_WINS)) as log:
        both = ask_apart("first-player", build(log).folder, source="all").to_pylist()
    assert next((row["played_by"], row["wins"], row["games"]) for row in both) == ("people", 1, 2)
    assert len(both) == 4
