"""Lines of the set-up that could not be read: carried out where what they say and what is due leave nothing open."""

import re
from typing import Any, Final

import msgspec

from tabletape.events.vocabulary import Consequence, Decision, Event, fields_of, tag_of
from tabletape.events.vocabulary.shared import CardsDrawn, DeckShuffled, LogGap
from tabletape.projector.fold.judge import Judge
from tabletape.projector.fold.lines import Lines
from tabletape.projector.fold.trial import Trial

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

    def carry_out(self, gap: LogGap) -> bool:
        """Carry out what lost lines did; return whether their types and words leave nothing of it open.

        What follows by itself follows all the same, and a shuffle leaves nothing behind but a deck in another order.
        """
        types = self._judge.game.vocabulary.types
        kinds = [types[tag] for tag in TAG.findall(gap.text) if tag in types]
        if len(kinds) != gap.lines or self._leaves_copies_open(gap.text):
            return False
        for kind in kinds:
            if issubclass(kind, Consequence | DeckShuffled) or tag_of(kind) == "deck.cut":
                continue
            if self._may_go_on(kind, gap.text):
                return False
            done = self._due(kind, gap.text)
            if done is None and gap.lines == 1:
                done = self._said(kind, gap.text)
            done = done or self._whole_hand(kind, gap.text)
            if done is None:
                return False
            self._trial.carry_out(done)
        return True

    def _leaves_copies_open(self, text: str) -> bool:
        """Return whether a line names a card and not which copy of it: behind it any line may mean another copy."""
        several = {name.partition("#")[0] for name in self._judge.table.cards if "#" in name}
        return not several.isdisjoint(NAMED.findall(text))

    def _may_go_on(self, kind: Kind, text: str) -> bool:
        """Return whether a draw that names nobody may be the rest of the one before it, and not what is due."""
        before = self._lines.events[self._lines.here - 1]
        is_draw = issubclass(kind, CardsDrawn) and type(before) is kind
        return is_draw and not any(f'"{each}"' in text for each in self._judge.table.players)

    def _due(self, kind: Kind, text: str) -> Event | None:
        """Return what is due of a type: a deal of cards that nobody has named; of options, with which the log goes on.

        Names that stand in some order are said in the order in which the text has them.
        """
        due = [each for each in self._judge.game.due(self._judge.table) if each.line is kind]
        due = [each for each in due if each.player in self._named(text)] or due
        if len(due) != 1 or (asked := due[0].asked) is None:
            return None
        if asked.kind == "order" and all(text.count(name) == 1 for name in asked.names):
            return due[0].event(**{asked.field: tuple(sorted(asked.names, key=text.index))})
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
        lines = [line for player in self._named(text) if (line := _line(kind, {**known, "player": player})) is not None]
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


def _line(kind: Kind, fields: dict[str, Any]) -> Event | None:
    try:
        return msgspec.convert(fields, kind)
    except msgspec.ValidationError:
        return None
