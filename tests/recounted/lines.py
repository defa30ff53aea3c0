"""What the lines of a game say: who sat there, whose turn it was, when, what was taken back, who won."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from tests.recounted.games import Game, Line, taker

DOCS = Path(__file__).parents[2] / "docs" / "generated" / "events"
SAID = frozenset({"question.raised", "note.added", "feedback.given", "moment.marked"})
A_DECISION_A_TURN = frozenset({"whist", "market"})
REMARKS = SAID | {"play.taken-back", "result.recorded"}
ENDED = "game.ended"


@cache
def decisions_of(game: str) -> frozenset[str]:
    """Return the types of lines that the pages call decisions of players."""
    page = DOCS / f"{game}.md"
    if not page.exists():  # a file of rules has moves, and a table without rules whatever is written down
        moves = {"move.lay", "move.show", "move.buy", "move.sell", "move.pass", "turn.started"}
        return frozenset(moves | {"clue.given", "card.played", "card.discarded"})
    chapter = page.read_text(encoding="utf-8").partition("## Decisions")[2].partition("\n## ")[0]
    return frozenset(re.findall(r"^### `([a-z.-]+)`", chapter, re.MULTILINE))


class Turn(NamedTuple):
    """A turn: whose it was, and when it began and ended, as far as that was written down."""

    player: str
    began: float | None
    ended: float | None


def kind_of(row: dict[str, Any]) -> tuple[str, str]:
    """Return the game of a row of an answer and its ruleset, as lines tell it: an edition says its rulings."""
    return row["game"], row["ruleset"].removesuffix(" ties=second_card")


class Read:
    """A game as its lines tell it; numbers of lines begin with 1."""

    def __init__(self, lines: Game, sparse: Game) -> None:
        """Read the lines of a game in full, and without what follows."""
        self.lines, self.sparse = lines, sparse
        self.follow = {line["type"] for line in lines} - {line["type"] for line in sparse}
        head = lines[0]
        self.id, self.game = str(head["id"]), str(head["game"])
        self.edition = str(head["edition"])
        self.names = {seat["id"]: seat["name"] for seat in head["players"]}
        self.decks = {seat["id"]: seat.get("deck", "") for seat in head["players"]}

    @property
    def kind(self) -> tuple[str, str]:
        """The game and its ruleset: the edition, and what the table has chosen otherwise than usual."""
        chosen = self.lines[0].get("rulings", {}).items()
        return self.game, " ".join([self.edition, *(f"{name}={choice}" for name, choice in chosen)])

    @cached_property
    def standing(self) -> list[tuple[int, Line]]:
        """The lines that were not taken back, with their numbers."""
        found: list[tuple[int, Line]] = []
        for number, line in enumerate(self.lines, 1):
            if line["type"] == "play.taken-back":
                while found and found[-1][0] > line["to"]:
                    found.pop()
            else:
                found.append((number, line))
        return found

    @cached_property
    def played(self) -> list[tuple[int, Line]]:
        """Those of them that are more than words about the game."""
        return [(number, line) for number, line in self.standing if line["type"] not in REMARKS]

    @cached_property
    def result(self) -> Line | None:
        """The line that says how the game ended; of Whist and the market none does."""
        ends = (line for _, line in self.standing if line["type"] in {ENDED, "result.recorded"})
        return next(ends, None)

    @property
    def by_result(self) -> bool:
        """Whether nothing but the result is known."""
        return any(line["type"] == "result.recorded" for line in self.lines)

    @cached_property
    def over(self) -> bool:
        """Whether the game came to an end."""
        if self.game == "whist":
            return len([line for _, line in self.standing if line["type"] == "move.lay"]) == 52
        if self.game == "market":
            return True
        return self.result is not None and str(self.result.get("reason")) != "abandoned"

    @cached_property
    def winners(self) -> list[str]:
        """Who has won, alone or with others."""
        if self.game == "whist":
            return self._whist_winners()
        result = self.result or {}
        named = result.get("winners") or [each for each in [result.get("winner")] if each]
        teams = result.get("teams", {})
        won = {teams[each] for each in named if each in teams}
        return [each for each in self.names if each in named or teams.get(each, "") in won]

    def _whist_winners(self) -> list[str]:
        """Return the side that took more than six tricks; nobody before all cards are laid."""
        if not self.over:
            return []
        laid = [(line["player"], line["card"]) for _, line in self.standing if line["type"] == "move.lay"]
        tricks = [taker(dict(laid[place : place + 4])) for place in range(0, 52, 4)]
        side = "AC" if sum(each in "AC" for each in tricks) > len(tricks) / 2 else "BD"
        return [*side]

    @property
    def winner(self) -> str:
        """The only one who has won, against the others; empty where there is none."""
        cooperative = bool((self.result or {}).get("cooperative"))
        return self.winners[0] if len(self.winners) == 1 and not cooperative else ""

    @cached_property
    def beginner(self) -> str:
        """Who had the first turn; empty where nobody did."""
        return next((turn.player for turn in self.turns), "")

    def is_act(self, line: Line) -> bool:
        """Return whether a line is what somebody, or luck, did: no word about the game, and no consequence."""
        return line["type"] not in REMARKS | self.follow

    # -- times ----------------------------------------------------------------------------------------------------

    def time(self, line: Line) -> float | None:
        """Return when a line was written, in seconds."""
        return datetime.fromisoformat(line["at"]).timestamp() if "at" in line else None

    @cached_property
    def times(self) -> list[float]:
        """All times at which something was done in the game, not said about it."""
        found = (self.time(line) for line in self.lines if line["type"] not in SAID)
        return [each for each in found if each is not None]

    @property
    def started(self) -> float | None:
        """When the game began."""
        return min(self.times, default=None)

    @property
    def day(self) -> str:
        """The day (UTC) on which it began; empty where nobody knows."""
        return "" if self.started is None else f"{datetime.fromtimestamp(self.started, UTC):%Y-%m-%d}"

    @property
    def minutes(self) -> float | None:
        """From the first time to the last one; as the result says it where it is alone, or there are no two of them."""
        if len(self.times) > 1 and not self.by_result:
            return (max(self.times) - min(self.times)) / 60
        return (self.result or {}).get("minutes")

    def length(self, measure: str) -> float | None:
        """Return how long the game was, by a measure: decisions, rounds, turns or minutes."""
        if measure == "minutes":
            return self.minutes
        if self.by_result:
            return (self.result or {}).get(measure)
        return {"turns": len(self.turns), "rounds": self.rounds, "decisions": self.decisions}[measure] or None

    @property
    def rounds(self) -> int:
        """How many rounds were begun: lines say so, or they go round the table; Higher has one, Hanabi counts none."""
        if self.game == "hanabi":
            return 0
        if self.game in {"crystal", "splicers"}:
            return sum(line["type"] == "round.started" for _, line in self.standing)
        return 1 if self.game == "higher" else -(-len(self.turns) // len(self.names))

    @property
    def decisions(self) -> int:
        """How many decisions were made in turns; of Higher its first turn begins with the declared decks."""
        if self.game == "higher":
            return sum(line["type"] in {"card.played", "deck.declared"} for _, line in self.standing)
        begun = next((number for number, _ in self._begins()), 10**6)
        return sum(line["type"] in decisions_of(self.game) for number, line in self.standing if number > begun)

    @cached_property
    def turns(self) -> list[Turn]:
        """The turns in order."""
        begins = [*self._begins()]
        acts = [number for number, line in self.played if self.is_act(line)]
        if begins and begins[-1][0] >= acts[-1]:  # nobody did anything in it
            begins.pop()
        if not begins:
            return []
        times = {number: self.time(line) for number, line in self.played}
        last = max(times)
        edges = [number for number, _ in begins] + [last]
        players = [player for _, player in begins]
        return [Turn(player, times[a], times[b]) for player, (a, b) in zip(players, pairwise(edges), strict=True)]

    def _begins(self) -> Iterator[tuple[int, str]]:
        """Yield the line by which the turn before has ended, and whose turn begins behind it."""
        if self.game == "higher":
            yield 1, "A"
            yield from ((number, line["player"]) for number, line in self.played if line["type"] == "trick.taken")
        elif self.game == "hanabi":  # it begins with a turn, and who has played draws when the next one has it
            chosen = [
                (number, line["player"]) for number, line in self.played if line["type"] in decisions_of("hanabi")
            ]
            before = [1, *(number for number, _ in chosen)]
            yield from ((number, player) for number, (_, player) in zip(before, chosen, strict=False))
        elif self.game in A_DECISION_A_TURN:
            yield from (
                (before, line["player"])
                for (before, _), (_, line) in pairwise(self.played)
                if line["type"] in decisions_of(self.game)
            )
        else:
            yield from ((number, line["player"]) for number, line in self.played if line["type"] == "turn.started")
