"""Raw logs of evenings, as lines of JSON: written here in plain Python, or by bots of the command.

Nothing but numpy, and the command that is asked, is used here: who counts these lines again knows nothing else.
"""

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import numpy as np

Line = dict[str, Any]
Game = list[Line]
Command = Callable[..., str]
Rng = np.random.Generator

PEOPLE: Final = ("Ann", "Ben", "Cem", "Dora", "Eve", "Finn", "Gus", "Hal", "Ida", "Jo")
NUMBERS: Final = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
SUITS: Final = ("clubs", "diamonds", "hearts", "spades")
RANKS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace")
BOTS: Final[dict[tuple[str, int, str], int]] = {
    ("crystal", 2, ""): 34, ("crystal", 3, ""): 10, ("crystal", 4, ""): 6, ("duelyst", 2, ""): 6, ("evolve", 2, ""): 12,
    ("phylogenome", 2, ""): 2, ("splicers", 2, ""): 10, ("market", 2, ""): 4, ("market", 3, ""): 4,
    ("market", 4, ""): 4, ("hanabi", 2, ""): 4, ("hanabi", 3, ""): 4, ("hanabi", 4, "colours=six"): 4,
    ("hanabi", 2, "colours=six"): 3,
}  # fmt: skip
"""How many games of which kind the command plays, by what rulings, which then are games of people here."""

FOLLOW: Final = {"higher": ("trick.taken", "game.ended")}
"""Lines of games that are written here which only say what the rules make of others."""


def at(evening: int, minute: float) -> str:
    """Return a time of an evening of May and the night after it."""
    return (
        f"{datetime(2026, 5, 1 + evening, 18, tzinfo=UTC) + timedelta(seconds=round(60 * minute)):%Y-%m-%dT%H:%M:%SZ}"
    )


def seated(names: Iterable[str], decks: Sequence[str] = ()) -> list[Line]:
    """Return who sits at a table, with what deck."""
    seats = [{"id": seat, "name": each} for seat, each in zip("ABCD", names, strict=False)]
    return [seat | ({"deck": decks[place]} if decks else {}) for place, seat in enumerate(seats)]


def timed(game: Game, evening: int | None, rng: Rng, follow: Collection[str] = (), forgetful: float = 0.1) -> Game:
    """Write down when each line was written; some are forgotten, and what follows from a line was written with it."""
    if evening is None:
        return game
    minute, found, last = float(rng.integers(0, 90)), [], dict[str, str]()
    for place, line in enumerate(game):
        if line["type"] not in follow:
            minute += float(rng.uniform(0.1, 1.5))
            last = {} if place and rng.random() < forgetful else {"at": at(evening, minute)}
        found.append(line | last)
    return found


def said(rng: Rng, players: int, most: int = 5) -> Iterator[Line]:
    """Yield what the players of a game say about it in the end, some of them twice, and one whom nobody knows."""
    for player in "ABCD"[:players]:
        for _ in range(int(rng.choice([0, 1, 1, 1, 2]))):
            felt = {"fun": int(rng.integers(1, most + 1)), "fair": int(rng.integers(1, 6))}
            kept = {name: points for name, points in felt.items() if rng.random() < 0.8}
            yield {"type": "feedback.given", "player": player, **kept, "text": f"said {rng.integers(100)}"}
    if rng.random() < 0.2:
        yield {"type": "feedback.given", "fun": int(rng.integers(1, 6))}


def sparse(game: Game, follow: Collection[str]) -> Game:
    """Return a game without what follows; a take-back goes to the line that is left of those before."""
    left, places = [], []
    for line in game:
        if line["type"] not in follow:
            left.append(line)
        places.append(len(left))
    return [line | {"to": places[line["to"] - 1]} if line["type"] == "play.taken-back" else line for line in left]


# -- Higher: two players lay numbered cards, the higher one takes the trick, two tricks win ----------------------------


def tricks() -> Iterator[Game]:
    """Yield games of Higher in two editions: with mistakes, take-backs, questions, and such as nobody finished."""
    rng = np.random.default_rng(41)
    for number in range(64):
        edition = "second" if number % 4 == 3 else "first"
        names = rng.choice(PEOPLE, 2, replace=False).tolist()
        seats = seated(names, rng.choice(["low", "high", "odd"], 2).tolist())
        start = {
            "type": "game.started", "game": "higher", "id": f"higher-{number:02}", "edition": edition, "rulings": {},
            "players": seats,
        }  # fmt: skip
        game = [start, *_laid(rng, edition)]
        game += said(rng, 2)
        game = timed(game, None if number % 10 == 9 else number // 7, rng, FOLLOW["higher"])
        yield game
    yield [game[0] | {"id": "higher-twice"}, *game[1:]]


def _laid(rng: Rng, edition: str) -> Game:
    """Return the lines of a game after its first, as two careless players lay cards."""
    hands = {player: rng.choice([*NUMBERS], 4, replace=False).tolist() for player in "AB"}
    found: Game = [{"type": "deck.declared", "player": player, "cards": [*NUMBERS]} for player in "AB"]
    found += [
        {"type": "cards.drawn", "player": player, "cards": [f"{player}:{card}" for card in hand]}
        for player, hand in hands.items()
    ]
    table: dict[str, Any] = {"active": "A", "trick": [], "taken": Counter(), "left": hands}
    while max(table["taken"].values(), default=0) < 2 and table["left"][table["active"]]:
        if rng.random() < 0.02:
            return [*found, *([{"type": "game.abandoned"}] if rng.random() < 0.5 else [])]
        before = table | {"trick": [*table["trick"]], "taken": Counter(table["taken"])}
        before["left"] = {player: [*hand] for player, hand in table["left"].items()}
        number, luck = len(found) + 1, rng.random()
        found += _laid_once(rng, edition, table, luck)
        if rng.random() < 0.1:
            rule = {"rule": str(rng.choice(["higher.turn.alternate", "higher.card.from-hand"]))}
            named = rule if rng.random() < 0.6 else {}
            found.append({"type": "question.raised", "player": "B", "text": f"Why {number}?", **named})
        if rng.random() < (0.5 if luck < 0.12 else 0.04):
            named = {"rule": "higher.turn.alternate"} if rng.random() < 0.5 else {}
            found.append({"type": "play.taken-back", "to": number, **named})
            table = before
    return found


def _laid_once(rng: Rng, edition: str, table: dict[str, Any], luck: float) -> Iterator[Line]:
    """Yield a card that is laid, one time in eight wrongly, and what follows."""
    player = table["active"]
    if luck < 0.06:
        player = "B" if player == "A" else "A"
    hand = table["left"][player]
    others = [card for card in NUMBERS if card not in hand and f"{player}:{card}" not in table["trick"]]
    wrong = 0.06 <= luck < 0.1 or not hand
    card = str(rng.choice(others if wrong else hand))
    table["left"][player] = [each for each in hand if each != card]
    table["trick"].append(f"{player}:{card}")
    table["active"] = "B" if player == "A" else "A"
    yield {"type": "card.played", "player": player, "card": f"{player}:{card}"}
    if len(table["trick"]) == 2:
        (first, one), (second, two) = (each.split(":") for each in table["trick"])
        ahead = NUMBERS[one] - NUMBERS[two] or (1 if edition == "first" else -1)
        taker = first if ahead > 0 else second
        table["taken"][taker] += 1
        table["trick"], table["active"] = [], taker
        yield {"type": "trick.taken", "player": taker}
        if table["taken"][taker] == 2:
            yield {"type": "game.ended", "winner": taker, "reason": "tricks"}


# -- Whist, by the rules file among the pages --------------------------------------------------------------------------


def whist() -> Iterator[Game]:
    """Yield games of Whist, in every second of which somebody revokes once; some take it back."""
    rng = np.random.default_rng(7)
    for number in range(12):
        dealt = rng.permutation([f"{suit}-{rank}" for suit in SUITS for rank in RANKS]).reshape(4, 13)
        hands = {seat: cards.tolist() for seat, cards in zip("ABCD", dealt, strict=True)}
        names = rng.choice(PEOPLE, 4, replace=False).tolist()
        start = {"type": "game.started", "game": "whist", "id": f"whist-{number:02}", "edition": "v1"}
        game: Game = [start | {"players": seated(names)}]
        game += [{"type": "cards.drawn", "player": seat, "cards": [*hand]} for seat, hand in hands.items()]
        leads = str(rng.choice([*"ABCD"]))
        game.append({"type": "first-player.chosen", "player": leads})
        revoke = int(rng.integers(4, 40)) if number % 2 else 99
        taken_back = number % 4 == 3
        game += _hand(rng, hands, leads, revoke, taken_back=taken_back)
        yield timed([*game, *said(rng, 4)], 12 + number // 4, rng, forgetful=0.02)


def _hand(rng: Rng, hands: dict[str, list[str]], leads: str, revoke: int, *, taken_back: bool) -> Iterator[Line]:
    """Yield a hand of thirteen tricks; from the line `revoke` on the first who can revoke does so."""
    last, revoked = 6, False
    for _ in range(13):
        trick = dict[str, str]()
        for player in "ABCDABC"["ABCD".index(leads) :][:4]:
            led = next(iter(trick.values())).split("-")[0] if trick else ""
            follow = [card for card in hands[player] if card.startswith(led)] or hands[player]
            others = [card for card in hands[player] if card not in follow]
            if last >= revoke and others and not revoked:
                revoked = True
                wrong = str(rng.choice(others))
                if taken_back:
                    yield {"type": "move.lay", "player": player, "card": wrong}
                    yield {"type": "play.taken-back", "to": last, "rule": "whist.lay.follow"}
                    last += 2
                else:
                    follow = [wrong]
            trick[player] = str(rng.choice(follow))
            hands[player].remove(trick[player])
            last += 1
            yield {"type": "move.lay", "player": player, "card": trick[player]}
        leads = taker(trick)


def taker(trick: dict[str, str], trump: str = "hearts") -> str:
    """Return who takes a trick of Whist: the highest trump, or else the highest card of the suit led."""
    led = next(iter(trick.values())).split("-")[0]
    worth = {
        player: (suit == trump, suit == led, RANKS.index(rank))
        for player, (suit, rank) in ((player, card.split("-")) for player, card in trick.items())
    }
    return max(worth, key=lambda player: worth[player])


# -- results, with points, places, teams, and games that are played together -------------------------------------------


def results() -> Iterator[Game]:
    """Yield games of a game without rules: every action with a line, or the result alone; of two to four players."""
    rng = np.random.default_rng(5)
    for number in range(72):
        players = 2 + number % 3
        names = rng.choice(PEOPLE, players, replace=False).tolist()
        decks = rng.choice(["red", "blue", "green"], players).tolist()
        start = {
            "type": "game.started", "game": "berries", "id": f"berries-{number:02}",
            "edition": "v1" if number % 2 else "v2", "players": seated(names, decks),
        }  # fmt: skip
        ending = _ending(rng, "ABCD"[:players], number)
        evening = None if number % 9 == 8 else 20 + number % 8
        if number % 4 == 0:
            known = {"turns": int(rng.integers(8, 30)), "minutes": int(rng.integers(20, 90))}
            winners = [ending.pop("winner")] if ending.get("winner") else ending.pop("winners", [])
            ending.pop("winner", None)
            result = {"type": "result.recorded", **ending, "winners": winners, **(known if rng.random() < 0.7 else {})}
            yield timed([start, result], evening, rng, forgetful=0)
            continue
        turns = [{"type": "turn.started", "player": "ABCD"[turn % players]} for turn in range(int(rng.integers(4, 16)))]
        end = [] if number % 7 == 6 else [{"type": "game.ended", **ending}]
        yield timed([start, *turns, *end, *said(rng, players)], evening, rng)


def _ending(rng: Rng, players: str, number: int) -> Line:
    """Return how a game ends, in one of eight ways."""
    points = {player: int(rng.integers(-3, 40)) for player in players}
    ways = {0: _together, 1: _drawn, 2: _teams, 3: _fewest, 4: _race, 5: _some_points}
    way = ways.get(number % 8, _most)
    return (_most if way is _teams and len(players) < 3 else way)(rng, points)


def _together(rng: Rng, points: dict[str, int]) -> Line:
    score, winners = int(rng.integers(5, 30)), [*points] if rng.random() < 0.5 else []
    return {"reason": "together", "winners": winners, "cooperative": True, "score": score}


def _drawn(_rng: Rng, _points: dict[str, int]) -> Line:
    return {"reason": "drawn", "winner": None}


def _teams(rng: Rng, points: dict[str, int]) -> Line:
    teams = {player: ("Red", "Blue")[place % 2] for place, player in enumerate(points)}
    of_team = {team: int(rng.integers(0, 40)) for team in ("Red", "Blue")}
    shared = {player: of_team[team] for player, team in teams.items()}
    known = shared if rng.random() < 0.7 else points
    return {"reason": "points", "winner": str(rng.choice([*points])), "teams": teams, "scores": known}


def _fewest(_rng: Rng, points: dict[str, int]) -> Line:
    return {"reason": "fewest", "winner": min(points, key=lambda player: points[player]), "scores": points}


def _race(rng: Rng, points: dict[str, int]) -> Line:
    places = dict(zip(points, map(int, rng.permutation(len(points)) + 1), strict=True))
    return {"reason": "race", "winner": min(places, key=lambda player: places[player]), "places": places}


def _some_points(rng: Rng, points: dict[str, int]) -> Line:
    return {"reason": "points", "winner": str(rng.choice([*points])), "scores": dict([*points.items()][1:])}


def _most(_rng: Rng, points: dict[str, int]) -> Line:
    best = [player for player in points if points[player] == max(points.values())]
    return {"reason": "points", "scores": points} | ({"winners": best} if len(best) > 1 else {"winner": best[0]})


# -- games of bots, as people would have played them -------------------------------------------------------------------


def by_bots(command: Command, folder: Path) -> Iterator[tuple[Game, Game]]:
    """Yield games that the command has played, in full and without what follows, with people at the table."""
    rng = np.random.default_rng(11)
    for nth, ((name, players, ruling), number) in enumerate(BOTS.items()):
        chosen = ["--ruling", ruling] if ruling else []
        full, bare = (_simulated(command, folder, name, players, number, *chosen, *more) for more in (["--full"], []))
        follow = {line["type"] for game in full for line in game} - {line["type"] for game in bare for line in game}
        for place, game in enumerate(full):
            names = rng.choice(PEOPLE, players, replace=False).tolist()
            seats = [seat | {"name": each} for seat, each in zip(game[0]["players"], names, strict=True)]
            lines = [game[0] | {"id": f"{name}-{players}-{nth:02}-{place:02}", "players": seats}, *game[1:]]
            if place % 8 == 7:  # nobody finished it
                lines = lines[: int(len(lines) * 0.6)]
            lines = [*timed(lines, place % 6, rng, follow, forgetful=0.05), *said(rng, players, 3)]
            yield lines, sparse(lines, follow)


def _simulated(command: Command, folder: Path, name: str, players: int, number: int, *more: str) -> list[Game]:
    file = folder / "bots.jsonl"
    asked = ("--players", players, "--games", number, "--seed", 5, "--out", file)
    command("simulate", name, *map(str, asked), *more)
    games: list[Game] = []
    for text in file.read_text(encoding="utf-8").splitlines():
        line = {key: value for key, value in json.loads(text).items() if key not in {"seq", "cause"}}
        if line["type"] == "game.started":
            games.append([])
        games[-1].append(line)
    return games


def evenings(command: Command, folder: Path) -> Iterator[tuple[Game, Game]]:
    """Yield every game, in full and without what only follows from other lines."""
    for game in (*tricks(), *whist(), *results()):
        yield game, sparse(game, FOLLOW.get(game[0]["game"], ()))
    yield from by_bots(command, folder)
