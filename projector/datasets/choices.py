"""What players could have done: the number of legal decisions, cards that could be played, rules that stood against it.

This costs many times what the fold costs, so it is done only where a build is asked for it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from events.vocabulary import Decision, Event
from projector.datasets.course import Course, Walk, player_of
from projector.datasets.hands import plays_from_hand, role_of
from projector.fold import Replay
from projector.table import Table


class Choices(msgspec.Struct, frozen=True):
    """`legal` counts the legal decisions by step, `playable` names the cards that could be played at least once.

    `blocked` counts for other cards of a hand the rules that stood against playing them.
    """

    legal: dict[int, int]
    playable: set[str]
    blocked: dict[str, Counter[str]]


def choices_of(replay: Replay, course: Course) -> Choices:
    """Look at every decision of a replay that was not taken back."""
    found = Choices({}, set(), {})
    trial = _Trial(replay)
    walk = Walk(replay, course)
    asked: tuple[int, str] = (-1, "")
    for step in course.steps:
        event = replay.events[step]
        player = player_of(event)
        if not isinstance(event, Decision) or player is None:
            continue
        table = walk.before(step)
        if player not in replay.game.actors(table):
            continue
        legal = replay.game.legal(table, player)
        found.legal[step] = len(legal)
        found.playable.update(filter(None, map(plays_from_hand, legal)))
        if (table.turn, player) != asked:
            asked = (table.turn, player)
            trial.explain(table, player, legal, found.blocked)
    return found


class _Trial(Replay):
    """Finds the rule that stands against playing a card, by putting it in the place of one that can be played.

    It makes the tests of the fold on a table that it is handed, and plays nothing.
    """

    def __init__(self, replay: Replay) -> None:
        super().__init__(replay.game, replay.ruleset, replay.library)
        self._recorded = [event for event in replay.events if plays_from_hand(event)]

    def explain(
        self, table: Table[Any, Any], player: str, legal: Iterable[Event], blocked: dict[str, Counter[str]]
    ) -> None:
        """Count the rules against the cards in a player's hand that are in none of the legal decisions."""
        plays = [event for event in legal if plays_from_hand(event)]
        open_to = {plays_from_hand(event) for event in plays}
        mine = [event for event in self._recorded if player_of(event) == player]
        self.table = table
        for card in _hand(table, player):
            if card.text is not None and card.name not in open_to:
                rule = self._against(card, [*plays, *mine])
                if rule:
                    blocked.setdefault(card.name, Counter())[rule] += 1

    def _against(self, card: Any, patterns: Iterable[Event]) -> str:
        """Give the first rule that would be broken if this card were played as another of its kind, or nothing."""
        for pattern in patterns:
            other = self.table.find(plays_from_hand(pattern))
            if other is not None and other.text is not None and other.text.kind == card.text.kind:
                return self._first_broken(msgspec.structs.replace(pattern, card=card.name))
        return ""

    def _first_broken(self, event: Event) -> str:
        self._found.clear()
        self._waiting.clear()
        gated = self.game.gate(self.table, event)
        if gated is None:
            self._judge(self._rows.get(type(event), ()), event)
        else:
            self._note(gated.rule, gated.verdict, event)
        return self._found[0].rule if self._found else ""


def _hand(table: Table[Any, Any], player: str) -> Iterator[Any]:
    for zone in table.zones.values():
        if zone.owner == player and role_of(zone) == "hand":
            yield from zone.cards
