"""What players could have done: the number of legal decisions, cards that could be played, rules that stood against it.

This costs many times what the fold costs, so it is done only where a build is asked for it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import Any

import msgspec

from tabletape.events.vocabulary import Decision, Event
from tabletape.projector.datasets.rows.card_history import cards_used
from tabletape.projector.datasets.rows.timeline import Timeline, Walk, player_of
from tabletape.projector.fold.judge import Judge
from tabletape.projector.fold.replay import Replay
from tabletape.projector.model.deciding import as_it_was
from tabletape.projector.model.table import Table


class OpenChoices(msgspec.Struct, frozen=True):
    """What a replay's players could have done.

    `legal` counts the legal decisions by step; `held` names the cards that were in hand when their player decided
    something, `playable` those of them that could be played then; `blocked` counts for the others the rules against it.
    """

    legal: dict[int, int]
    held: set[str]
    playable: set[str]
    blocked: dict[str, Counter[str]]


class Play(msgspec.Struct, frozen=True):
    """A decision that plays a card from a hand, and the field that names the card."""

    event: Event
    field: str
    card: str

    def with_card(self, name: str) -> Event:
        """Return the same decision with another card in its place."""
        value = getattr(self.event, self.field)
        other = tuple(name if each == self.card else each for each in value) if isinstance(value, tuple) else name
        return msgspec.structs.replace(self.event, **{self.field: other})


def choices_of(replay: Replay, timeline: Timeline) -> OpenChoices:
    """Check every decision of a replay that was not taken back."""
    choices = OpenChoices({}, set(), set(), {})
    trial = _Trial(replay, timeline)
    walk = Walk(replay, timeline)
    for step in timeline.steps:
        event = replay.events[step]
        player = player_of(event)
        if not isinstance(event, Decision) or player is None:
            continue
        table = walk.before(step)
        if player not in replay.game.actors(table):
            continue
        legal = replay.game.legal(table, player)
        choices.legal[step] = len(legal)
        if table.turn:
            trial.look(table, player, legal, choices)
    return choices


def never_playable(replay: Replay, timeline: Timeline, names: AbstractSet[str]) -> set[str]:
    """Return those of some cards that were in hand at decisions of their player, and could be played at none of them.

    Only decisions with one of them in the hand are checked, so this costs little where they are few.
    """
    held: set[str] = set()
    playable: set[str] = set()
    walk = Walk(replay, timeline)
    for step in timeline.steps if names else ():
        event = replay.events[step]
        player = player_of(event)
        if not isinstance(event, Decision) or player is None:
            continue
        table = walk.before(step)
        mine = {card.name for card in _hand(table, player)} & names - playable
        if table.turn and mine and player in replay.game.actors(table):
            held |= mine
            playable |= mine & {name for each in replay.game.legal(table, player) for _, name in cards_used(each)}
    return held - playable


class _Trial(Judge):
    """Finds the rule that stands against playing a card, by putting it in place of one that was or can be played.

    It makes the tests of the fold on a table that it is handed, and plays nothing.
    """

    def __init__(self, replay: Replay, timeline: Timeline) -> None:
        super().__init__(replay.game)
        self._recorded = [play for step in timeline.steps for play in _plays(replay, step)]

    def look(self, table: Table[Any, Any], player: str, legal: Iterable[Event], choices: OpenChoices) -> None:
        """Check every card in a player's hand: whether it can be played, and if not, what stands against it."""
        self.table = table
        hand = {card.name: card for card in _hand(table, player)}
        plays = [Play(event, field, name) for event in legal for field, name in cards_used(event) if name in hand]
        playable = {play.card for play in plays}
        patterns = [*plays, *(play for play in self._recorded if player_of(play.event) == player)]
        choices.held.update(hand)
        choices.playable.update(playable)
        for name, card in hand.items():
            rule = "" if name in playable or card.text is None else self._against(card, patterns)
            if rule:
                choices.blocked.setdefault(name, Counter())[rule] += 1

    def _against(self, card: Any, patterns: Iterable[Play]) -> str:
        """Return the first rule that would be broken if this card were played as another of its kind, or nothing."""
        for play in patterns:
            other = self.table.find(play.card)
            if other is not None and other.text is not None and other.text.kind == card.text.kind:
                # A line may decide what stood open on the table, already where it is only looked at.
                with as_it_was(self.table):
                    return self._first_broken(play.with_card(card.name))
        return ""

    def _first_broken(self, event: Event) -> str:
        self.forget_verdicts()
        gated = self.game.gate(self.table, event)
        if gated is None:
            self.judge(self.rows.get(type(event), ()), event)
        else:
            self.note(gated.rule, gated.verdict, event)
        return self.found[0].rule if self.found else ""


def _plays(replay: Replay, step: int) -> Iterator[Play]:
    """Return the cards that a step played from a hand."""
    used = {name: field for field, name in cards_used(replay.events[step])}
    if not used:
        return
    for thing, field, before, _ in replay.changes(step):
        if field == "zone" and thing.name in used and before[0].role == "hand":
            yield Play(replay.events[step], used[thing.name], thing.name)


def _hand(table: Table[Any, Any], player: str) -> Iterator[Any]:
    for zone in table.zones.values():
        if zone.owner == player and zone.role == "hand":
            yield from zone.cards
