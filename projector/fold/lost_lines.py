"""Lines of the set-up that could not be read: carried out where what they say and what is due leave nothing open."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice, permutations, takewhile
from typing import Final

import msgspec

from tabletape.events.vocabulary import Consequence, Decision, Event, fields_of, tag_of
from tabletape.events.vocabulary.shared import CardsDrawn, DeckDeclared, DeckShuffled, LogGap
from tabletape.projector.fold.judge import Judge
from tabletape.projector.fold.lines import Lines
from tabletape.projector.fold.lost_lists import MAX_WAYS, LostLists, PossibleList, line_of
from tabletape.projector.fold.trial import Trial
from tabletape.projector.model.due import Asked

TAG: Final = re.compile(r"\b[a-z]+(?:-[a-z]+)*\.[a-z]+(?:-[a-z]+)*\b")
"""What may be the type of a line of which the rest cannot be read."""

NAMED: Final = re.compile(r'"([^":#]+:[^":#]+)"')
"""A card that a line names without the number of its copy."""

Kind = type[Event]


class LostLines:
    """What lost lines of the set-up did at the table of a judge."""

    def __init__(self, lines: Lines, judge: Judge) -> None:
        self._lines, self._judge = lines, judge
        self._trial = Trial(lines, judge)
        self._lists = LostLists(lines, judge, self._trial)

    def carry_out(self, gap: LogGap, number: int) -> int:
        """Carry out what lost lines did; return in how many ways that may be, 0 where their words leave it open.

        Of several ways it is that with a number from 1 on, and none where that is 0. What follows by itself follows all
        the same, and a shuffle leaves nothing behind but a deck in another order.
        """
        types = self._judge.game.vocabulary.types
        kinds = [types[tag] for tag in TAG.findall(gap.text) if tag in types]
        if len(kinds) != gap.lines or self._leaves_copies_open(gap.text):
            return 0
        most = 1
        for kind in kinds:
            if issubclass(kind, Consequence | DeckShuffled) or tag_of(kind) == "deck.cut":
                continue
            if self._may_go_on(kind, gap.text):
                return 0
            ways = self._ways(kind, gap.text, is_alone=gap.lines == 1)
            if not ways or len(ways) > MAX_WAYS or (len(ways) > 1 and gap.lines > 1):
                return 0
            most = len(ways)
            if most == 1 or number:
                self._lists.carry_out(ways[number - 1 if most > 1 else 0])
        return most

    def _ways(self, kind: Kind, text: str, *, is_alone: bool) -> Sequence[PossibleList]:
        """Return what a line may have said: mostly one thing."""
        done = self._due(kind, text)
        if done is None and is_alone:
            done = self._said(kind, text)
        done = done or self._whole_hand(kind, text)
        if done is not None:
            return [PossibleList(done)]
        if is_alone and issubclass(kind, DeckDeclared):
            return self._lists.ways(kind, text)
        return [*map(PossibleList, islice(self._open_ways(kind, text), MAX_WAYS + 1))]

    def _open_ways(self, kind: Kind, text: str) -> Iterator[Event]:
        """Yield what a line may have said of which the rest is lost: names in each order, cards of several decks."""
        due = [each for each in self._judge.game.due(self._judge.table) if each.line is kind]
        due = [each for each in due if each.player in self._named(text)] or due
        if len(due) != 1 or (asked := due[0].asked) is None:
            yield from self._returned(kind, text)
        elif asked.kind == "order":
            said = sorted(
                (each for each in asked.names if f'"{each}"' in text), key=lambda each: text.index(f'"{each}"')
            )
            for rest in permutations(each for each in asked.names if each not in said):
                yield due[0].event(**{asked.field: (*said, *rest)})
        elif asked.kind == "cards":
            named = re.findall(rf'"({re.escape(due[0].player)}:[^"]+)"', text)
            for cards in self._dealt(asked, due[0].player, named):
                yield due[0].event(**{asked.field: cards})

    def _dealt(self, asked: Asked, player: str, named: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """Yield the cards of a deal that goes on from some: from an open deck the first ones, of others any."""
        zones = [self._judge.table.zones[each] for each in asked.zones]
        top = [card.name for zone in zones if zone.seen_by == "all" for card in zone.cards if card.name not in named]
        for number in range(asked.most - len(named), max(asked.least - len(named), 0) - 1, -1):
            for first in range(min(number, len(top)) + 1):
                unseen = (f"{player}:?{each}" for each in range(1, number - first + 1))
                yield (*named, *top[:first], *unseen)

    def _returned(self, kind: Kind, text: str) -> Iterator[Event]:
        """Yield the decisions about a hand with the cards that a text names, where any cards may be put back."""
        game, table = self._judge.game, self._judge.table
        for player in self._named(text) if issubclass(kind, Decision) else ():
            hand = [zone for zone in table.zones.values() if (zone.owner, zone.role) == (player, "hand")]
            offers = [each for each in game.legal(table, player) if type(each) is kind]
            back = [{*getattr(each, "returned", ())} for each in offers]
            said = {card.name for zone in hand for card in zone.cards if f'"{card.name}"' in text}
            if len({*map(frozenset, back)}) == 2 ** sum(zone.size for zone in hand):
                yield from (each for each, cards in zip(offers, back, strict=True) if said <= cards)

    def _leaves_copies_open(self, text: str) -> bool:
        """Return whether a line names a card and not which copy of it: behind it any line may mean another copy."""
        several = {name.partition("#")[0] for name in self._judge.table.cards if "#" in name}
        return not several.isdisjoint(NAMED.findall(text))

    def _may_go_on(self, kind: Kind, text: str) -> bool:
        """Return whether a draw may be a part of one beside it, and not all that is due."""
        if not issubclass(kind, CardsDrawn):
            return False
        events, here = self._lines.events, self._lines.here
        before = [*takewhile(lambda each: type(each) is kind, reversed(events[:here]))]
        beside = [*before, *takewhile(lambda each: type(each) is kind, events[here + 1 :])]
        drawn, named = {getattr(each, "player", "") for each in beside}, self._named(text)
        return drawn.issuperset(named) or (bool(before) and len(named) > 1)

    def _due(self, kind: Kind, text: str) -> Event | None:
        """Return what is due: a deal of cards that nobody has named, or the option with which the log goes on."""
        due = [each for each in self._judge.game.due(self._judge.table) if each.line is kind]
        due = [each for each in due if each.player in self._named(text)] or due
        if len(due) != 1 or (asked := due[0].asked) is None:
            return None
        return due[0].unnamed() or self._trial.gone_on_from(due[0].event(**option) for option in asked.options)

    def _said(self, kind: Kind, text: str) -> Event | None:
        """Return a line as its words say it, without keys that it cannot have; None where it breaks a rule that way.

        Whose it is may be what is wrong in it: then it is the line of the one player of whom it would be right.
        """
        try:
            said = msgspec.json.decode(text[text.find("{") :])
        except msgspec.DecodeError:
            return None
        if not isinstance(said, dict):
            return None
        names = {field.encode_name for field in fields_of(kind)}
        known = {name: value for name, value in said.items() if name in names}
        lines = [
            line for player in self._named(text) if (line := line_of(kind, {**known, "player": player})) is not None
        ]
        right = [line for line in lines if self._trial.is_right(line)]
        return right[0] if len(right) == 1 else None

    def _whole_hand(self, kind: Kind, text: str) -> Event | None:
        """Return the mulligan of a whole hand: behind it nobody knows what is in the hand, as behind any other.

        Where the cards do not come into the deck, they are seen not to be in the hand: then it is no such line.
        """
        whole = [line for player in self._named(text) if (line := self._hand_put_back(kind, player)) is not None]
        done = self._trial.gone_on_from(whole) if len(whole) > 1 else next(iter(whole), None)
        return done if done is not None and self._is_in_deck_behind(done) else None

    def _is_in_deck_behind(self, mulligan: Event) -> bool:
        table, returned = self._judge.table, getattr(mulligan, "returned", ())
        with self._trial.tried():
            self._trial.carry_out(mulligan)
            return all(card.zone.role == "deck" for name in returned if (card := table.find(name)) is not None)

    def _hand_put_back(self, kind: Kind, player: str) -> Event | None:
        """Return the decision of a type, legal for a player, that puts all cards of the hand back, if there is one."""
        game, table = self._judge.game, self._judge.table
        hand = next((zone.size for zone in table.zones.values() if (zone.owner, zone.role) == (player, "hand")), 0)
        offers = game.legal(table, player) if issubclass(kind, Decision) and hand else ()
        whole = [each for each in offers if type(each) is kind and len(getattr(each, "returned", ())) == hand]
        return whole[-1] if whole else None

    def _named(self, text: str) -> list[str]:
        """Return the players whom a text names, or all where it names none."""
        players = self._judge.table.players
        return [each for each in players if f'"{each}"' in text or f'"{each}:' in text] or [*players]
