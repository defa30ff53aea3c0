"""Deck lists that break off: what is left of them, with what the log goes on to use, and cards that nobody knows.

A list can have touched only which cards its player has. Those that the log names are there, and below them lie cards
that nobody has seen: as many as never run out, or where the deck may run out as few as the log has drawn unseen.
"""

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from functools import partial
from itertools import product
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from tabletape.events.vocabulary import Consequence, Event, fields_of
from tabletape.events.vocabulary.names import card_of, is_unseen
from tabletape.events.vocabulary.shared import DeckDeclared, StateObserved
from tabletape.projector.fold.judge import Judge
from tabletape.projector.fold.lines import Lines
from tabletape.projector.fold.trial import Trial
from tabletape.projector.model.rules import Rule
from tabletape.projector.model.things import Zone

NEVER_OUT: Final = 99
"""Unseen cards of a deck that does not run out."""

FIRST_UNKNOWN: Final = 10_001
"""The number of the first of them."""

MAX_MOVED: Final = 4
"""Of how many cards of one line it is tried whether other copies of them explain it; of more it stays open."""

MAX_WAYS: Final = 40
"""In how many ways a line may go on that is carried out; of more it stays open what it said."""

DECK: Final = "cards"
"""The field of a deck list of which the rest may be lost: it does not say in which order they lie."""

Line = TypeVar("Line", bound=Event)


class PossibleList(NamedTuple):
    """What a lost line may have said, if anything, and how many cards besides, which nobody has seen, lie in the deck.

    `leaves_copies_open`: one name may mean several copies of a card. `is_told`: what is found behind it stands.
    """

    line: Event | None = None
    unseen: int = 0
    leaves_copies_open: bool = False
    is_told: bool = True


NOTHING: Final = PossibleList()
"""What a line said that touched nothing."""


class LostLists:
    """The deck lists that lost lines may have been, at the table of a judge."""

    def __init__(self, lines: Lines, judge: Judge, trial: Trial) -> None:
        self._lines, self._judge, self._trial = lines, judge, trial

    def ways(self, kind: type[DeckDeclared], text: str) -> list[PossibleList]:
        """Return all lists of which a text is left, as far as the log tells them apart; none where too much is open."""
        said, cut = salvaged(text)
        if DECK not in said:
            said, cut = {**said, DECK: []}, DECK
        player = self._owner(said)
        if not player or cut not in {"", DECK}:
            return []
        used = self._used(player)
        found: list[PossibleList] = []
        for line in self._lines_of(kind, {**said, "player": player}, used):
            is_open = self._leaves_copies_open(line, used)
            whole = self._with_used(line, used) if cut else line
            numbers = (NEVER_OUT, *range(self._never_named(player) + 1)) if cut else (0,)
            found += [PossibleList(whole, number, is_open) for number in numbers]
        return found if len(found) <= MAX_WAYS else []

    def carry_out(self, way: PossibleList) -> None:
        """Do what a line said; below the cards of a list lie those that nobody has seen."""
        if way.line is not None:
            self._trial.carry_out(way.line)
        table, listed = self._judge.table, way.line
        if not isinstance(listed, DeckDeclared):
            return
        self._judge.know_in_part(partial(self._explains, listed.player, way.leaves_copies_open))
        if way.unseen:
            decks = [each for each in table.zones.values() if (each.owner, each.role) == (listed.player, "deck")]
            first = (each for each in decks for card in each.cards if card_of(card.name) in listed.cards)
            table.make_all(unseen_names(listed.player, way.unseen), next(first, decks[0]))

    def _explains(self, player: str, is_open: bool, rule: Rule, event: Event) -> bool:  # noqa: FBT001 - bound as it is
        """Return whether the rest of a list may be why a line is wrong, which names a card that only stands there.

        Where one name may mean several copies, that may be one of which no other line tells: it lies where nobody has
        seen all cards. Then it explains what is not wrong with it there.
        """
        table, named = self._judge.table, self._names(event, player)
        if not table.cards.keys() >= {*named}:
            return True
        cards = [table.cards[name] for name in named if is_open and "#" not in name]
        if isinstance(event, Consequence):
            return bool(cards) and any(
                is_unseen(name) for each in table.derived for name in self._names(each.event, player)
            )
        hidden = [zone for zone in table.zones.values() if zone.owner == player and _hides_cards(zone)]
        return len(cards) > MAX_MOVED or any(
            self._is_right_with(dict(zip(cards, zones, strict=True)), rule, event)
            for zones in [*product((None, *hidden), repeat=len(cards))][1:]
        )

    def _names(self, event: Event, player: str) -> list[str]:
        """Return the cards of a player that a line names."""
        return re.findall(rf'"({re.escape(player)}:[^"]+)"', self._judge.game.vocabulary.encode(event).decode())

    def _is_right_with(self, lie: Mapping[Any, Zone | None], rule: Rule, event: Event) -> bool:
        """Return whether a line does not break a rule where some cards lie in other zones."""
        with self._trial.tried():
            for card, zone in lie.items():
                if zone is not None and zone is not card.zone:
                    self._judge.table.move(card, zone)
            against = self._trial.against(event)
            return against is None or rule.id not in against

    def lacking(self, players: Iterable[str]) -> list[str]:
        """Return those of some players whose list no line of the log declares."""
        declared = {each.player for each in each_list(self._lines.log)}
        return [each for each in players if each not in declared]

    def _owner(self, said: Mapping[str, Any]) -> str:
        """Return whose list it is, of those of whom no other line declares one: who is named, or the only one."""
        left = self.lacking(self._judge.table.players)
        named = [each for each in left if each == said.get("player", each)]
        return named[0] if len(named) == 1 else ""

    def _used(self, player: str) -> dict[str, int]:
        """Return the cards of a player that the log names, each with its highest number, 0 where it has none.

        What a line brings of itself is first named by a consequence, and what only causes one lies in no deck.
        """
        game, library, named = self._judge.game, self._judge.table.library, set[str]()
        used: dict[str, int] = {}
        for event in self._lines.log:
            said = game.vocabulary.encode(event).decode()
            for name, card, number in re.findall(rf'(?<!"source":)"({re.escape(player)}:([^"#:?]+)(?:#(\d+))?)"', said):
                is_made = card in library and library[card].kind in game.cards.makes
                if not (name in named or is_made or isinstance(event, Consequence)):
                    used[card] = max(used.get(card, 0), int(number or 0))
                named.add(name)
        return used

    def _lines_of(self, kind: type[DeckDeclared], said: Mapping[str, Any], used: Container[str]) -> list[DeckDeclared]:
        """Return a line as its words say it; where what lies beside the deck is lost, with each that breaks no more."""
        fields = {field.encode_name: field for field in fields_of(kind)}
        known = {name: value for name, value in said.items() if name in fields}
        lost = [name for name, field in fields.items() if field.required and name not in known]
        beside = [self._beside(name, used) for name in lost]
        written = [{**known, **dict(zip(lost, each, strict=True))} for each in product(*beside)]
        lines = [line for each in written if (line := line_of(kind, each)) is not None]
        broken = [self._trial.broken_by(line) for line in lines]
        least = min((len(rules) for rules in broken if rules is not None), default=0)
        return [line for line, rules in zip(lines, broken, strict=True) if rules is not None and len(rules) == least]

    def _beside(self, field: str, used: Container[str]) -> list[Any]:
        """Return what may lie beside a deck: a card of the kind that the others have there, first one that is used.

        Of several cards they are those of the others, such that the log names and none of their lists does, or none.
        """
        library, lists = self._judge.table.library, [*each_list(self._lines.log)]
        others = [value for each in lists if (value := getattr(each, field, None))]
        if not others or isinstance(others[0], str):
            kinds = {library[each].kind for each in others if each in library}
            fitting = [card for card, text in library.items() if text.kind in kinds or not kinds]
            return [card for card in fitting if card in used] or fitting
        kinds = {library[each].kind for cards in others for each in cards if each in library}
        said = {card for each in lists for card in _cards_of(each)}
        log = "".join(self._judge.game.vocabulary.encode(each).decode() for each in self._lines.log)
        named = (card for card in library if f'"{card}"' in log and card not in said)
        own = tuple(card for card in named if library[card].kind in kinds)
        return [*dict.fromkeys((own, *others, ()))]

    def _with_used(self, line: DeckDeclared, used: Mapping[str, int]) -> DeckDeclared:
        """Return a list with the cards that the log uses, as far as they can be in the deck."""
        listed = Counter(line.cards)
        for card, number in used.items():
            more = (card,) * max(0, (max(2, number) if number else 1) - listed[card])
            longer = msgspec.structs.replace(line, cards=(*line.cards, *more))
            if more and self._breaks_no_more(longer, line):
                line = longer
        return line

    def _leaves_copies_open(self, line: DeckDeclared, used: Mapping[str, int]) -> bool:
        """Return whether the log may mean several copies of a card by one name.

        A log that numbers copies numbers all of them. In one without numbers a card may be there twice, unless a rule
        forbids that.
        """
        listed = Counter(line.cards)
        if any(not number and listed[card] > 1 for card, number in used.items()):
            return True
        if any(used.values()) or not used:
            return False
        card = next(iter(used))
        once, twice = (msgspec.structs.replace(line, cards=(card,) * number) for number in (1, 2))
        return self._breaks_no_more(twice, once)

    def _breaks_no_more(self, line: DeckDeclared, other: DeckDeclared) -> bool:
        """Return whether a list breaks no rule that another one keeps."""
        broken, before = map(self._trial.broken_by, (line, other))
        return broken is not None and before is not None and broken <= before

    def _never_named(self, player: str) -> int:
        """Return how many cards of a deck that may have run out, or whose size was read, no line names at most."""
        mine = [each for each in self._lines.log if getattr(each, "player", "") == player]
        counted = [number for each in mine if type(number := getattr(each, "count", 0)) is int]
        names = {name for each in mine for name in getattr(each, "cards", None) or () if is_unseen(name)}
        sizes = [size for each in mine if isinstance(each, StateObserved) for size in _deck_sizes(each)]
        return sum(counted) + len(names) + max(sizes, default=0)


def each_list(events: Iterable[Event]) -> Iterator[DeckDeclared]:
    """Yield the deck lists of a log."""
    return (each for each in events if isinstance(each, DeckDeclared))


def _cards_of(listed: DeckDeclared) -> Iterator[str]:
    """Yield the cards of a list and what lies beside its deck."""
    for value in (getattr(listed, field.name) for field in fields_of(type(listed))):
        yield from (value,) if isinstance(value, str) else value if isinstance(value, tuple) else ()


def unseen_names(player: str, number: int) -> tuple[str, ...]:
    """Name cards of a player that no line can mean: the numbers of those that it has not seen begin at 1."""
    return tuple(f"{player}:?{FIRST_UNKNOWN + each}" for each in range(number))


def _hides_cards(zone: Zone) -> bool:
    return bool(zone.unseen) or any(is_unseen(each.name) for each in zone.cards)


def _deck_sizes(read: StateObserved) -> list[int]:
    said = ((field.name, getattr(read, field.name)) for field in fields_of(type(read)))
    return [size for name, size in said if name.endswith("deck") and type(size) is int]


def salvaged(text: str) -> tuple[dict[str, Any], str]:
    """Return what the fields of an object say that breaks off, and which of them is a list that goes on.

    What is whole was not broken off: it says nothing here.
    """
    closers, ends, quoted = [""], [], False
    for at, sign in enumerate(text):
        if sign == '"' and not text[:at].endswith("\\"):
            quoted = not quoted
        elif not quoted and sign in "{[":
            closers.append("}" if sign == "{" else "]")
            ends.append((at + 1, [*closers]))
        elif not quoted and sign in "]}":
            closers.pop()
            ends.append((at + 1, [*closers]))
        elif not quoted and sign == ",":
            ends.append((at, [*closers]))
    if not ends or len(closers) == 1:
        return {DECK: []}, DECK
    end, left = ends[-1]
    try:
        said = msgspec.json.decode(text[text.index("{") : end] + "".join(reversed(left)))
    except (msgspec.DecodeError, ValueError):
        return {}, ""
    return said, [*said][-1] if len(left) > 2 and said else ""


def line_of(kind: type[Line], fields: Mapping[str, Any]) -> Line | None:
    """Return the line of a type with some fields, None where it is none."""
    try:
        return msgspec.convert(fields, kind)
    except msgspec.ValidationError:
        return None
