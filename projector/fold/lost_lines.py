"""Lines of the set-up that could not be read: carried out where what they say and what is due leave nothing open."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice, permutations, takewhile
from typing import Final

import msgspec

from tabletape.events.vocabulary import Decision, Event, fields_of
from tabletape.events.vocabulary.shared import CardsDrawn, DeckDeclared, LogGap
from tabletape.projector.fold.doubts import Doubts
from tabletape.projector.fold.judge import Judge
from tabletape.projector.fold.lines import Lines
from tabletape.projector.fold.lost_lists import MAX_WAYS, NOTHING, LostLists, PossibleList, line_of
from tabletape.projector.fold.set_up_behind import Kind, SetUpBehind, touches_nothing
from tabletape.projector.fold.trial import Trial
from tabletape.projector.model.due import Asked, Due

TAG: Final = re.compile(r"\b[a-z]+(?:-[a-z]+)*\.[a-z]+(?:-[a-z]+)*\b")
"""What may be the type of a line of which the rest cannot be read."""

NAMED: Final = re.compile(r'"([^":#]+:[^":#]+)"')
"""A card that a line names without the number of its copy."""

WHOLE: Final = r"""(?<![^\s"\[,]){}:[^",\s\]\\]+(?=[",\]\\])"""
"""A card of a player whose name does not break off, also where a quotation mark is missing."""


class LostLines:
    """What lost lines of the set-up did at the table of a judge."""

    def __init__(self, lines: Lines, judge: Judge, doubts: Doubts) -> None:
        self._lines, self._judge = lines, judge
        self._trial = Trial(lines, judge)
        self._lists = LostLists(lines, judge, self._trial)
        self._behind = SetUpBehind(lines, judge, doubts, self._trial)

    def carry_out(self, gap: LogGap, number: int) -> tuple[int, bool]:
        """Carry out what lost lines did; return in how many ways that may be, 0 where their words leave it open.

        Behind that it says whether what is found behind them stands. Of several ways it is that with a number from 1
        on, and none where that is 0. What follows by itself follows all the same, and a shuffle leaves nothing behind
        but a deck in another order.
        """
        types = self._judge.game.vocabulary.types
        kinds = [types[tag] for tag in TAG.findall(gap.text) if tag in types]
        if self._leaves_copies_open(gap.text) or len(kinds) > gap.lines:
            return 0, False
        if gap.lines == 1:
            return self._carry_out_one(self._of_one(gap.text, kinds), number)
        named = self._named(gap.text)
        for kind in kinds if len(kinds) == gap.lines else ():
            ways = [] if self._may_go_on(kind, gap.text) else self._ways(kind, gap.text, named, is_alone=False)
            if len(ways) != 1:
                return 0, False
            self._lists.carry_out(ways[0])
        return (1, True) if len(kinds) == gap.lines else (0, False)

    def _of_one(self, text: str, kinds: Sequence[Kind]) -> Sequence[PossibleList]:
        """Return what a single line may have said: by its type, or where that leaves it open what the set-up lacks."""
        ways: Sequence[PossibleList] = []
        if kinds and not self._may_go_on(kinds[0], text):
            ways = self._ways(kinds[0], text, self._named(text), is_alone=True)
        return ways or self._lacking(text, kinds)

    def _carry_out_one(self, ways: Sequence[PossibleList], number: int) -> tuple[int, bool]:
        """Carry out what a line may have said, where it is one thing or that with a number; return how many it is."""
        if not any(each.is_told for each in ways) or len(ways) > MAX_WAYS:
            return 0, False
        if len(ways) > 1 and not number:
            return len(ways), False
        taken = ways[number - 1 if len(ways) > 1 else 0]
        self._lists.carry_out(taken)
        return len(ways), taken.is_told

    def _ways(self, kind: Kind, text: str, whose: Sequence[str], *, is_alone: bool) -> Sequence[PossibleList]:
        """Return what a line of one of some players may have said: mostly one thing."""
        if touches_nothing(kind):
            return [NOTHING]
        done = self._due(kind, whose)
        if not done and is_alone:
            done = self._said(kind, text, whose)
        if hands := done[: None if is_alone else 1] or self._whole_hands(kind, whose):
            return [*map(PossibleList, hands)]
        if is_alone and issubclass(kind, DeckDeclared):
            return self._lists.ways(kind, text)
        return [*map(PossibleList, islice(self._open_ways(kind, text, whose), MAX_WAYS + 1))]

    def _lacking(self, text: str, kinds: Sequence[Kind]) -> list[PossibleList]:
        """Return what a line may have said, of any type or of one: what is due or may be decided, or nothing.

        What is found stands only where the rest of the set-up is right with it. Where the set-up lacks something else
        as well, it is left open.
        """
        wanted = self._behind.wanted()
        if wanted is None:
            return []
        ways, named = list[PossibleList](), self._named(text)
        for key, due in {**wanted, **self._behind.possible()}.items():
            kind, player = key
            if (kinds and kind not in kinds) or (player and player not in named):
                continue
            found = self._of_wanted(kind, text, [player] if player else named, due)
            if found is None and key in wanted:
                return []
            ways += found or ()
        ways += [PossibleList(each) for each in self._behind.first_plays() if type(each) in (kinds or (type(each),))]
        ways += [] if kinds else [NOTHING]  # the last: where as much is wrong without what is lacking, it was that
        right = (self._behind.is_right(partial(self._lists.carry_out, each)) for each in ways)
        return [each._replace(is_told=is_right) for each, is_right in zip(ways, right, strict=True)]

    def _of_wanted(self, kind: Kind, text: str, whose: Sequence[str], due: Due | None) -> list[PossibleList] | None:
        """Return what a line may have said of which it is known that it may be lacking; None where that is open."""
        if due is None or (due.asked is not None and due.asked.kind != "option"):
            return [*self._ways(kind, text, whose, is_alone=True)] or None
        lines = [due.event(**option) for option in due.asked.options] if due.asked else [due.event()]
        return [PossibleList(each) for each in lines if self._trial.is_right(each)] or None

    def _open_ways(self, kind: Kind, text: str, whose: Sequence[str]) -> Iterator[Event]:
        """Yield what a line may have said of which the rest is lost: names in each order, cards of several decks."""
        due = self._dues(kind, whose)
        if len(due) != 1 or (asked := due[0].asked) is None:
            yield from self._returned(kind, text, whose)
        elif asked.kind == "option":
            yield from (due[0].event(**option) for option in asked.options)
        elif asked.kind == "order":
            said = sorted(
                (each for each in asked.names if f'"{each}"' in text), key=lambda each: text.index(f'"{each}"')
            )
            for rest in permutations(each for each in asked.names if each not in said):
                yield due[0].event(**{asked.field: (*said, *rest)})
        elif asked.kind == "cards":
            named = re.findall(WHOLE.format(re.escape(due[0].player)), text)
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

    def _returned(self, kind: Kind, text: str, whose: Sequence[str]) -> Iterator[Event]:
        """Yield the decisions about a hand with the cards that a text names, where any cards may be put back."""
        game, table = self._judge.game, self._judge.table
        for player in whose if issubclass(kind, Decision) else ():
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
        events, here = self._lines.log, self._lines.here
        before = [*takewhile(lambda each: type(each) is kind, reversed(events[:here]))]
        beside = [*before, *takewhile(lambda each: type(each) is kind, events[here + 1 :])]
        drawn, named = {getattr(each, "player", "") for each in beside}, self._named(text)
        return drawn.issuperset(named) or (bool(before) and len(named) > 1)

    def _dues(self, kind: Kind, whose: Sequence[str]) -> list[Due]:
        """Return what is due of a type, of some players or of nobody."""
        due = self._judge.game.due(self._judge.table)
        return [each for each in due if each.line is kind and (not each.player or each.player in whose)]

    def _due(self, kind: Kind, whose: Sequence[str]) -> list[Event]:
        """Return what is due: a deal of cards that nobody has named, or the option of the player who is named.

        Behind that come those of others: the name may be wrong.
        """
        due = self._dues(kind, whose)
        if len(due) != 1 or (asked := due[0].asked) is None:
            return []
        if (deal := due[0].unnamed()) is not None:
            return [deal]
        options = sorted(asked.options, key=lambda option: option.get("player", "") not in whose)
        is_one = sum(option.get("player", "") in whose for option in options) == 1
        return [due[0].event(**option) for option in options] if is_one else []

    def _said(self, kind: Kind, text: str, whose: Sequence[str]) -> list[Event]:
        """Return a line as its words say it, without keys that it cannot have; none where it breaks a rule that way.

        Whose it is may be what is wrong in it: then it is the line of the one player of whom it would be right.
        """
        try:
            said = msgspec.json.decode(text[text.find("{") :])
        except msgspec.DecodeError:
            return []
        if not isinstance(said, dict):
            return []
        names = {field.encode_name for field in fields_of(kind)}
        known = {name: value for name, value in said.items() if name in names}
        if issubclass(kind, DeckDeclared):
            whose = self._lists.lacking(whose)
        lines = [line for player in whose if (line := line_of(kind, {**known, "player": player})) is not None]
        right = [line for line in lines if self._trial.is_right(line)]
        return right if len(right) == 1 else []

    def _whole_hands(self, kind: Kind, whose: Sequence[str]) -> list[Event]:
        """Return mulligans of a whole hand: behind one nobody knows what is in the hand, as behind any other.

        Of a player who may only keep the hand it is that. Where the cards do not come into the deck, they are seen not
        to be in the hand: then it is no such line.
        """
        whole = [line for player in whose if (line := self._hand_put_back(kind, player)) is not None]
        return [each for each in whole if self._is_in_deck_behind(each)]

    def _is_in_deck_behind(self, mulligan: Event) -> bool:
        table, returned = self._judge.table, getattr(mulligan, "returned", ())
        with self._trial.tried():
            self._trial.carry_out(mulligan)
            return all(card.zone.role == "deck" for name in returned if (card := table.find(name)) is not None)

    def _hand_put_back(self, kind: Kind, player: str) -> Event | None:
        """Return the decision of a type that puts all cards of the hand back, or the only one that is legal, if any."""
        game, table = self._judge.game, self._judge.table
        hand = next((zone.size for zone in table.zones.values() if (zone.owner, zone.role) == (player, "hand")), 0)
        legal = game.legal(table, player) if issubclass(kind, Decision) and hand else ()
        offers = [each for each in legal if type(each) is kind and hasattr(each, "returned")]
        whole = [each for each in offers if len(getattr(each, "returned", ())) == hand]
        return whole[-1] if whole else offers[0] if len(offers) == 1 else None

    def _named(self, text: str) -> list[str]:
        """Return the players whom a text names, or all where it names none."""
        players = self._judge.table.players
        return [each for each in players if f'"{each}"' in text or f'"{each}:' in text] or [*players]
