"""What became of every card, read from the journal of the table: no game writes any of it.

What a zone is, a hand, a deck, a discard pile or out of the game, its role says; all places without a role are on the
table. A card is *played* when it leaves the hand to the table, or to the discard pile or out of the game by a decision
that plays it. The hand of a player who is put out of the game is no play: nobody chose it.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import chain, groupby
from typing import Any, Final

import msgspec

from tabletape.events.vocabulary import Decision, Event, tag_of
from tabletape.events.vocabulary.names import card_of, owner_of
from tabletape.projector.datasets.rows.timeline import Timeline
from tabletape.projector.fold.replay import Replay
from tabletape.projector.model.changes import Change
from tabletape.projector.model.things import Role, Zone

OTHER_VERBS: Final = frozenset({"replaced", "discarded", "returned", "cycled", "kept", "shown"})
"""Verbs of decisions that name a hand card without playing it."""


USED_CARD_FIELDS: Final = ("card", "into", "replacement", "mutations")
"""Fields of decisions that name hand cards in order to play them."""


_READ_FIELDS: Final = frozenset({"zone", "made", "unseen", "turn"})
"""The fields of whose changes the history of the cards is made."""


class CardHistory(msgspec.Struct, kw_only=True):
    """What became of one copy of a card. Turns are numbers of the table's turns.

    `since` is set while it is in hand; `taken`: it was there when it, or its player, was put out of the game.
    """

    card: str
    player: str
    in_deck: bool = False
    appeared: bool = False
    opening: bool = False
    mulliganed: bool = False
    drawn: int = 0
    played: int = 0
    discarded: int = 0
    put_back: int = 0
    stays: int = 0
    turns: int = 0
    first_turn: int | None = None
    first_played: int | None = None
    since: int | None = None
    taken: bool = False

    def enters(self, turn: int) -> None:
        """Come to the hand."""
        self.appeared = True
        self.stays += 1
        self.since = turn
        self.taken = False
        self.first_turn = turn if self.first_turn is None else self.first_turn

    def leaves(self, turn: int) -> None:
        """Leave the hand."""
        self.turns += turn - (turn if self.since is None else self.since)
        self.since = None

    def set_up(self) -> None:
        """Forget what was drawn and put away during the set-up: only the hand that play begins with counts."""
        self.opening = self.since is not None
        self.mulliganed = self.put_back + self.discarded > 0
        self.first_played = None
        self.stays = int(self.opening)
        self.drawn = self.played = self.discarded = self.put_back = self.turns = 0
        self.first_turn = self.since

    @property
    def is_left(self) -> bool:
        """Whether it was still in the hand at the end of the game, or of its player's part in it."""
        return self.since is not None or self.taken

    @property
    def is_dead(self) -> bool:
        """Whether it was in the hand, never played, and discarded or still there at the end."""
        return not self.played and (self.is_left or self.discarded > 0)


class Hands(msgspec.Struct, frozen=True):
    """What became of the cards: `copies` by their names on the table; players whose hand was not all named."""

    copies: dict[str, CardHistory]
    unknown: set[str]


@cache
def _using(kind: type[Event]) -> tuple[str, ...]:
    """Return the fields in which an event of a type names cards that it plays."""
    if not issubclass(kind, Decision) or tag_of(kind).rpartition(".")[2] in OTHER_VERBS:
        return ()
    return tuple(field for field in USED_CARD_FIELDS if field in kind.__struct_fields__)


def cards_used(event: Event) -> Iterator[tuple[str, str]]:
    """Return the cards that a decision would play if they are in a hand, each with the field that names it."""
    for field in _using(type(event)):
        value = getattr(event, field)
        if isinstance(value, str):
            yield field, value
        elif isinstance(value, tuple):
            yield from ((field, each) for each in value)


def hands_of(replay: Replay, timeline: Timeline, unwritten: Iterable[Event] = ()) -> Hands:
    """Follow every card through a replay; `unwritten` is what follows from its lines and nobody wrote down."""
    reader = _Reader(timeline.opening.turn)
    for step, changes in _changes_of_cards(replay, timeline):
        reader.read(replay.events[step], changes)
    for name in sources(chain((replay.events[step] for step in timeline.steps), unwritten)):
        card = card_of(name)
        if card in replay.library and name not in reader.hands.copies:
            reader.hands.copies[name] = CardHistory(card=card, player=owner_of(name), appeared=True)
    for copy in reader.hands.copies.values():
        if copy.since is not None:
            copy.turns += reader.turn - copy.since
    return reader.hands


def _changes_of_cards(replay: Replay, timeline: Timeline) -> Iterator[tuple[int, list[Change]]]:
    """Yield the steps that counted with what the history of the cards is made of; most steps have nothing of it."""
    journal, ends = replay.table.journal, replay.journal_ends
    counted = set(timeline.steps)
    read = [index for index, (_, field, _, _) in enumerate(journal) if field in _READ_FIELDS]
    for step, indices in groupby(read, key=partial(bisect_right, ends)):
        if step in counted:
            yield step, [journal[index] for index in indices]


def sources(events: Iterable[Event]) -> set[str]:
    """Return the names of the cards that are written down as the source of what happened.

    Nothing else shows what never lies on the table, such as the spell that a general brings along.
    """
    return {source for event in events if isinstance(source := getattr(event, "source", None), str)}


class _Reader:
    """Reads a journal once, from its beginning."""

    def __init__(self, turn: int) -> None:
        self.turn = turn
        self.hands = Hands({}, set())
        self._sizes: dict[str, int] = {}
        self._named: dict[str, int] = {}

    def read(self, event: Event, changes: Sequence[Change]) -> None:
        """Read the changes of one step: those of cards, of how many are not seen, and of the turn."""
        self._named = {}
        # A line that says itself where a card goes does not play it to the discard pile: it discards it.
        played = set() if hasattr(event, "to") else {name for _, name in cards_used(event)}
        for thing, field, before, after in changes:
            if field == "unseen" and before > after and thing.role in {"hand", "deck"}:
                self._named[thing.owner] = self._named.get(thing.owner, 0) + before - after
        for thing, field, before, after in changes:
            if field == "zone":
                self._move(thing, before[0], after[0], played)
            elif field == "made" and after is not None:
                self._make(thing, after.zone)
            elif field == "unseen" and thing.role == "hand":
                self._sizes[thing.owner] = after
            elif field == "turn" and thing.n == 0:
                self._turn_to(after)
        self.hands.unknown.update(player for player, unseen in self._sizes.items() if unseen > 0)

    def _turn_to(self, turn: int) -> None:
        if self.turn == 0:
            for copy in self.hands.copies.values():
                copy.set_up()
        self.turn = turn

    def _copy(self, card: Any, player: str) -> CardHistory | None:
        """Return the record of a card; an unnamed card makes the hand an unknown one."""
        name = card_of(card.name)
        if not name:
            return None
        history = self.hands.copies.get(card.name)
        if history is None:
            history = self.hands.copies[card.name] = CardHistory(card=name, player=player)
        return history

    def _make(self, card: Any, zone: Zone) -> None:
        role = zone.role
        copy = self._copy(card, zone.owner or card.owner)
        if role == "hand":
            self._enter(copy, zone, from_deck=self._was_unseen(zone.owner))
        elif copy is not None and role == "deck":
            copy.in_deck = True
        elif copy is not None and role in {"", "out"}:
            copy.appeared = True

    def _was_unseen(self, player: str) -> bool:
        """Return whether a card that appears in this step is one of those that had not been named so far."""
        left = self._named.get(player, 0)
        self._named[player] = left - 1
        return left > 0

    def _move(self, card: Any, old: Zone, new: Zone, played: set[str]) -> None:
        if old is new:
            return
        before, after = old.role, new.role
        copy = self._copy(card, new.owner or card.owner)
        if copy is not None and before == "hand":
            self._leave(copy, after, played=card.name in played)
        if after == "hand":
            known = before == "deck" or (before == "nowhere" and self._was_unseen(new.owner))
            self._enter(copy, new, from_deck=known)
        elif copy is not None and after not in {"deck", "nowhere"}:
            copy.appeared = True

    def _enter(self, copy: CardHistory | None, hand: Zone, *, from_deck: bool) -> None:
        if copy is None:
            self.hands.unknown.add(hand.owner)
            return
        copy.player = hand.owner
        copy.drawn += from_deck
        copy.enters(self.turn)

    def _leave(self, copy: CardHistory, to: Role, *, played: bool) -> None:
        copy.leaves(self.turn)
        if not to or (to in {"discard", "out"} and played):
            copy.played += 1
            copy.first_played = self.turn if copy.first_played is None else copy.first_played
        elif to == "discard":
            copy.discarded += 1
        elif to == "out":
            copy.taken = True
        elif to == "deck":
            copy.put_back += 1


def by_card(hands: Hands) -> Iterator[tuple[tuple[str, str], list[tuple[str, CardHistory]]]]:
    """Return the copies by player and card, in order, each with its name on the table."""
    grouped: dict[tuple[str, str], list[tuple[str, CardHistory]]] = {}
    for name, copy in hands.copies.items():
        grouped.setdefault((copy.player, copy.card), []).append((name, copy))
    yield from sorted(grouped.items())
