"""How near players of Crystal Factions are to winning at the ends of turns, from the lines of full logs alone."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from tests.recounted.games import Line

ENOUGH = 50
HITPOINTS = 20


class TurnEnd(NamedTuple):
    """Whose turn it was, what everybody has in crystals at its end, and what damage each has done to others."""

    on_turn: str
    crystals: dict[str, int]
    dealt: Counter[str]

    def progress(self, player: str) -> float:
        """How near a player is to winning: all others together have so many hit points."""
        others = len(self.crystals) - 1
        return min(max(self.crystals[player] / ENOUGH, self.dealt[player] / (HITPOINTS * others)), 1.0)

    @property
    def leader(self) -> str:
        """Who is alone ahead; nobody if others are as near."""
        best = max(map(self.progress, self.crystals))
        ahead = [player for player in self.crystals if self.progress(player) == best]
        return ahead[0] if len(ahead) == 1 else ""

    def behind(self, player: str) -> float:
        """How far the best of the others is ahead of a player."""
        return max(map(self.progress, {*self.crystals} - {player})) - self.progress(player)

    @property
    def together(self) -> float:
        """The progress of all."""
        return sum(map(self.progress, self.crystals))


def turn_ends(lines: Iterable[Line]) -> Iterator[TurnEnd]:
    """Yield the ends of the turns of a game, as its lines tell them."""
    crystals, dealt, on_turn = dict[str, int](), Counter[str](), ""
    for kind, several in groupby(lines, lambda line: line["type"]):
        same = [*several]
        if kind == "attack.resolved":  # all who are left, together: whoever has the highest power has done the damage
            damage = sum(line["damage"] for line in same)
            dealt.update(dict.fromkeys((line["player"] for line in same if line["power"] == line["highest"]), damage))
        for line in same:
            player = line.get("player", "")
            if kind == "turn.started":
                if on_turn:
                    yield TurnEnd(on_turn, dict(crystals), Counter(dealt))
                on_turn = player
            if player:
                crystals[player] = line.get("crystals", crystals.get(player, 0))
            if kind == "damage.taken" and not line["source"].startswith(f"{player}:"):
                dealt[line["source"].partition(":")[0]] += line["amount"]
    yield TurnEnd(on_turn, crystals, dealt)
