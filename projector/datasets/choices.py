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
    """What a replay's players could have done.

    `legal` counts the legal decisions by step; `held` names the cards that were in hand when their player decided
    something, `playable` those of them that could be played then; `blocked` counts for the others the rules against it.
    """

    legal: dict[int, int]
    held: set[str]
    playable: set[str]
    blocked: dict[str, Counter[str]]


def choices_of(replay: Replay, course: Course) -> Choices:
    """Look at every decision of a replay that was not taken back."""
    found = Choices({}, set(), set(), {})
    trial = _Trial(replay, course)
    walk = Walk(replay, course)
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
        if table.turn:
            trial.look(table, player, legal, found)
    return found


class _Trial(Replay):
    """Finds the rule that stands against playing a card, by putting it in the place of one that was or can be played.

    It makes the tests of the fold on a table that it is handed, and plays nothing.
    """

    def __init__(self, replay: Replay, course: Course) -> None:
        super().__init__(replay.game, replay.ruleset, replay.library)
        self._recorded = [replay.events[step] for step in course.steps if _came_from_hand(replay, step)]

    def look(self, table: Table[Any, Any], player: str, legal: Iterable[Event], found: Choices) -> None:
        """Look at every card in a player's hand: whether it can be played, and if not, what stands against it."""
        self.table = table
        hand = {card.name: card for card in _hand(table, player)}
        plays = [event for event in legal if plays_from_hand(event) in hand]
        playable = {plays_from_hand(event) for event in plays}
        patterns = [*plays, *(event for event in self._recorded if player_of(event) == player)]
        found.held.update(hand)
        found.playable.update(playable)
        for name, card in hand.items():
            rule = "" if name in playable or card.text is None else self._against(card, patterns)
            if rule:
                found.blocked.setdefault(name, Counter())[rule] += 1

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


def _came_from_hand(replay: Replay, step: int) -> bool:
    """Tell whether a step played the card that it names from a hand."""
    name = plays_from_hand(replay.events[step])
    return bool(name) and any(
        field == "zone" and thing.name == name and role_of(before[0]) == "hand"
        for thing, field, before, _ in replay.changes(step)
    )


def _hand(table: Table[Any, Any], player: str) -> Iterator[Any]:
    for zone in table.zones.values():
        if zone.owner == player and role_of(zone) == "hand":
            yield from zone.cards
