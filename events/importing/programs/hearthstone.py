"""Hearthstone: `Power.log`, and the XML of HSReplay that is made of it.

Both hold everything that the program does with everything on the table, tag by tag. Read is who plays, who begins, each
turn, each card that is played or used, and the end; the rest is counted. A card is called by its id, which is the same
in all languages and in both kinds of files. Copies are told apart by the entities of the program.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from tabletape.events.importing.lines.words import slug_of
from tabletape.events.importing.maps.fates import NOT_READ, SKIPPED, LineFate
from tabletape.events.importing.programs.hearthstone_files import LogStep, power_log, replay_xml

Line = tuple[int | str, Mapping[str, Any]]

PLACEHOLDER: Final = "UNKNOWN HUMAN PLAYER"
"""What a log calls a player whose name the program does not know yet."""

FACE_DOWN: Final = "a card played face down, which the log does not name"

SEAT_OF: Final = {"1": "A", "2": "B"}
"""The seats by the numbers that the program gives the players."""

TOLD: Final = frozenset({"CURRENT_PLAYER", "FIRST_PLAYER", "PLAYSTATE"})
"""The tags that only players have: a name that has one is that of a player."""

OTHER_GAMES: Final = ("BATTLEGROUNDS", "MERCENARIES")
"""Games of the same program that are no duels: their log names two players, whoever plays."""


def read(content: bytes) -> Iterator[Line | LineFate] | None:
    """Return the lines of the games of a file, and what of it is not read; None for a file without such a game."""
    steps = power_log(content)
    steps = replay_xml(content) if steps is None else steps
    found = [*_lines(steps)] if steps is not None else []
    return iter(found) if any(not isinstance(each, LineFate) for each in found) else None


def _lines(steps: Iterator[LogStep]) -> Iterator[Line | LineFate]:
    duels: list[Duel] = []
    duel, unread = None, Counter[str]()
    first: dict[str, LogStep] = {}
    for step in steps:
        if step.what == "game" and not (duel is not None and duel.continues(step)):
            duels.append(duel := Duel(step))
        elif duel is None or not duel.take(step):
            unread[step.kind] += 1
            first.setdefault(step.kind, step)
    for each in duels:
        yield from each.ended()
        unread[FACE_DOWN] += len(each.hidden)
        for hidden in each.hidden[:1]:
            first.setdefault(FACE_DOWN, hidden)
    for kind, lines in (+unread).most_common():
        step = first[kind]
        fate = SKIPPED if step.what == "skipped" else NOT_READ
        yield LineFate(lines, kind, fate, step.place if isinstance(step.place, int) else 0, kind)


class Duel:
    """A game between two players, as the steps of its log tell it.

    The log calls a player by a number or by a name, and does not always say which name is whose number: who is meant is
    known at the end.
    """

    def __init__(self, head: LogStep) -> None:
        self._head = head
        self._lines: list[tuple[int | str, str, Mapping[str, Any]]] = []
        self._names: dict[str, str] = {}
        self._called: dict[str, str] = {}
        self._seats: dict[str, str] = {}
        self._unknown: dict[str, None] = {}
        self._cards: dict[str, str] = {}
        self._copies: dict[str, str] = {}
        self._copies_of: Counter[str] = Counter()
        self._owner: dict[str, str] = {}
        self._zone: dict[str, str] = {}
        self._table = ""
        self._current = self._before = self._first = ""
        self._open: LogStep | None = None
        self.hidden: list[LogStep] = []
        self._results: dict[str, str] = {}
        self._end: int | str = head.place
        self._is_duel = True

    def continues(self, head: LogStep) -> bool:
        """Return whether a game that the log creates is this one again, after a lost connection."""
        return bool(head.value) and head.entity == self._head.entity and not self._results

    def take(self, step: LogStep) -> bool:
        """Take what a step says; return whether it says anything that is read."""
        taker = getattr(self, f"_take_{step.what}", None)
        return taker is not None and taker(step) is not False

    # -- who is who ----------------------------------------------------------------------------------------------------

    def _take_table(self, step: LogStep) -> None:
        self._table = step.entity

    def _take_mode(self, step: LogStep) -> None:
        self._is_duel = not any(word in step.value for word in OTHER_GAMES)

    def _take_player(self, step: LogStep) -> None:
        if step.name in SEAT_OF:
            self._seats[step.entity] = SEAT_OF[step.name]
            self._call(step.entity, step.value)

    def _take_name(self, step: LogStep) -> None:
        for entity in (each for each, seat in self._seats.items() if seat == SEAT_OF.get(step.name)):
            self._call(entity, step.value)

    def _call(self, entity: str, name: str) -> None:
        if name and name != PLACEHOLDER:
            self._names.setdefault(entity, name)
            self._called[name] = entity
            self._unknown.pop(name, None)

    def _meant(self, step: LogStep) -> str:
        """Return whom a tag is about: the number of an entity, or a name of which nothing says so far whose it is."""
        said = step.entity
        if said.isdecimal() or said == "GameEntity":
            return self._table if said == "GameEntity" else said
        if said in self._called:
            return self._called[said]
        unnamed = [each for each in self._seats if each not in self._names]
        meant = unnamed[0] if len(unnamed) == 1 else self._deduced(step)
        if said == PLACEHOLDER or step.name not in TOLD:
            return meant
        if meant in self._seats:
            self._call(meant, said)
        else:
            self._unknown[said] = None
        return meant or said

    def _deduced(self, step: LogStep) -> str:
        """Return who has a tag that only one player can have: on turn, first; empty where nothing says it."""
        meant = ""
        if step.name == "FIRST_PLAYER" and step.value == "1":
            meant = self._first
        elif step.name == "CURRENT_PLAYER":
            others = [each for each in self._seats if each != self._before] if self._before in self._seats else []
            meant = self._current or (others[0] if others and step.value == "1" else "")
        return meant if meant in self._seats else ""

    # -- tags ----------------------------------------------------------------------------------------------------------

    def _take_tag(self, step: LogStep) -> bool:
        handler = getattr(self, f"_tag_{step.name.lower()}", None)
        return handler is not None and bool(handler(self._meant(step), step))

    def _tag_zone(self, entity: str, step: LogStep) -> None:
        self._zone[entity] = step.value

    def _tag_controller(self, entity: str, step: LogStep) -> None:
        self._owner[entity] = SEAT_OF.get(step.value, "")

    def _tag_current_player(self, who: str, step: LogStep) -> bool:
        if step.value == "1" and who:
            self._current = who
        elif step.value == "0" and who == self._current:
            self._before, self._current = self._current, ""
        return bool(who)

    def _tag_first_player(self, who: str, step: LogStep) -> bool:
        if step.value != "1" or not who or self._first:
            return False
        self._first = who
        self._say(step, who, {"type": "first-player.chosen"})
        return True

    def _tag_step(self, entity: str, step: LogStep) -> bool:
        begins = entity == self._table and step.value == "MAIN_READY" and bool(self._current)
        if begins:
            self._say(step, self._current, {"type": "turn.started"})
        return begins

    def _tag_playstate(self, who: str, step: LogStep) -> bool:
        if not who or step.value not in {"WON", "LOST", "TIED", "CONCEDED"}:
            return False
        if step.value == "CONCEDED":
            self._say(step, who, {"type": "player.conceded"})
        self._results[who], self._end = step.value, step.place
        return True

    # -- cards ---------------------------------------------------------------------------------------------------------

    def _take_card(self, step: LogStep) -> bool:
        """Learn which card an entity is; it is news where it was played with its face down."""
        if step.name:
            self._cards[step.entity] = step.name
        if self._open is None or self._open.entity != step.entity or not step.name:
            return False
        self._play(self._open, step.name)
        self._open = None
        return True

    def _take_play(self, step: LogStep) -> bool:
        """Take a card that is played; one that lies face down is named by what is shown next."""
        card = step.name or self._cards.get(step.entity, "")
        self._close()
        self._open = None if card else step
        if card:
            self._play(step, card)
        return True

    def _play(self, step: LogStep, card: str) -> None:
        """Say that a card is played from the hand, or that one on the table is used."""
        entity, seat = step.entity, step.seat or self._owner.get(step.entity, "")
        whose = next((each for each, its in self._seats.items() if its == seat), "")
        if self._current in self._unknown and whose:
            self._call(whose, self._current)  # Only who is on turn plays.
        if entity not in self._copies:
            named = f"{seat}:{slug_of(card)}"
            self._copies_of[named] += 1
            self._copies[entity] = f"{named}#{self._copies_of[named]}" if self._copies_of[named] > 1 else named
        if (step.value or self._zone.get(entity)) == "HAND":
            line = {"type": "card.moved", "card": self._copies[entity], "from": "hand", "to": "table"}
        else:
            line = {"type": "card.used", "card": self._copies[entity]}
        if whose:
            self._say(step, whose, line)

    # -- the end -------------------------------------------------------------------------------------------------------

    def _say(self, step: LogStep, who: str, line: Mapping[str, Any]) -> None:
        self._lines.append((step.place, who, line))

    def _close(self) -> None:
        """Give up waiting for what names a card that was played face down."""
        self.hidden += [self._open] if self._open is not None else []
        self._open = None

    def ended(self) -> Iterator[Line]:
        """Return the lines of the game, its head first; none of one that is no duel, or that has no turn and no end."""
        self._close()
        seats = self._seated()
        decision = self._decision({seats[who]: result for who, result in self._results.items() if who in seats})
        has_turns = any(line["type"] == "turn.started" for _, _, line in self._lines)
        if len(self._seats) < 2 or not self._is_duel or not (has_turns or decision):
            return
        names = {seat: name for name, seat in seats.items() if not name.isdecimal()}
        names |= {seat: self._names[entity] for entity, seat in self._seats.items() if entity in self._names}
        players = [{"id": seat, "name": names.get(seat, f"Player {seat}")} for seat in sorted(self._seats.values())]
        told = hashlib.sha256(f"{self._head.name} {self._head.entity}".encode()).hexdigest()[:8]
        head = {"type": "game.started", "game": "tabletop", "edition": "hearthstone", "id": f"hearthstone-{told}"}
        yield self._head.place, {**head, "players": players}
        for place, who, line in self._lines:
            if who in seats:
                yield place, {"type": line["type"], "player": seats[who], **line}
        yield from decision

    def _seated(self) -> Mapping[str, str]:
        """Return the seats by numbers and names.

        Two names that nothing ties to the numbers are two players as well: what is said by number is left out then.
        """
        unknown = list(self._unknown)
        if len(unknown) == len(self._seats) and not self._names:
            return dict(zip(unknown, sorted(self._seats.values()), strict=True))
        return self._seats | {name: self._seats[entity] for name, entity in self._called.items()}

    def _decision(self, results: Mapping[str, str]) -> list[Line]:
        """Return the line that ends the game, by what became of each seat; nothing where that does not say who won."""
        won = sorted(seat for seat, result in results.items() if result == "WON")
        if won:
            winner: Mapping[str, Any] = {"winner": won[0]} if len(won) == 1 else {"winners": won}
            return [(self._end, {"type": "game.ended", **winner, "reason": "won"})]
        if len(results) == len(self._seats) and set(results.values()) == {"TIED"}:
            return [(self._end, {"type": "game.ended", "winner": None, "reason": "draw"})]
        return []
