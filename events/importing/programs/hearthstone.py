"""Hearthstone: `Power.log`, and the XML of HSReplay that is made of it.

Both hold everything that the program does with everything on the table, tag by tag. Read is who plays, who begins, each
turn, each card that is played or used, and the end; the rest is counted. A card is called by its id, which is the same
in all languages and in both kinds of files. Copies are told apart by the entities of the program.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from tabletape.events.importing.maps.documents.trees import ForeignError
from tabletape.events.importing.maps.fates import MOST_NAMED, NOT_READ_FATE, SKIPPED_FATE, LineFate
from tabletape.events.importing.programs import ReadLine
from tabletape.events.importing.programs.hearthstone_files import LogStep, power_log, replay_xml
from tabletape.events.vocabulary.names import slug_of

PLACEHOLDER: Final = "UNKNOWN HUMAN PLAYER"
"""What a log calls a player whose name the program does not know yet."""

FACE_DOWN: Final = "a card played face down, which the log does not name"

NO_DUEL: Final = "a game that is no duel"

UNTOLD_GAME: Final = "a game without a turn, and without who begins or an end"

SHARED_NAME: Final = "a game of two players of one name, which its lines do not tell apart"

NOBODYS: Final = "what the log says of a card or a player without saying whose it is"

OPENING: Final = 8
"""How many lines of a game tell it from others where the log has no time."""

SEAT_OF: Final = {"1": "A", "2": "B"}
"""The seats by the numbers that the program gives the players."""

PLAYER_TAGS: Final = frozenset({"CURRENT_PLAYER", "FIRST_PLAYER", "PLAYSTATE"})
"""The tags that only players have: a name that has one is that of a player."""

OTHER_GAMES: Final = ("BATTLEGROUNDS", "MERCENARIES")
"""Games of the same program that are no duels: their log names two players, whoever plays."""


def read(content: bytes) -> Iterator[ReadLine | LineFate] | None:
    """Return the lines of the games of a file, and what of it is not read; None for a file of another kind.

    Raises `ForeignError` for a file of this kind without a game between two players.
    """
    steps = power_log(content)
    steps = replay_xml(content) if steps is None else steps
    lines = [*_lines(steps)] if steps is not None else []
    if lines and all(isinstance(each, LineFate) for each in lines):
        named = ", ".join(f"{each[0]} x {each[1]}" for each in lines[:MOST_NAMED])
        raise ForeignError(f"it holds no game between two players that can be told: {named}")
    return iter(lines) if lines else None


def _lines(steps: Iterator[LogStep]) -> Iterator[ReadLine | LineFate]:
    duels: list[Duel] = []
    duel, unread = None, Counter[str]()
    first: dict[str, LogStep] = {}
    for step in steps:
        if step.what == "game" and not (duel is not None and duel.continues(step)):
            duels.append(duel := Duel(step))
        elif duel is not None and duel.take(step):
            duel.taken += 1
        else:
            unread[step.kind] += 1
            first.setdefault(step.kind, step)
    ids = Counter[str]()
    for each in duels:
        each.close()
        if why := each.unread():
            unread[why] += 1 + each.taken
            first.setdefault(why, each.head)
            continue
        ids[each.id] += 1
        yield from each.ended(ids[each.id])
        for kind, step in each.left_out:
            unread[kind] += 1
            first.setdefault(kind, step)
    for kind, lines in (+unread).most_common():
        step = first[kind]
        fate = SKIPPED_FATE if step.what == "skipped" else NOT_READ_FATE
        yield LineFate(lines, kind, fate, step.place if isinstance(step.place, int) else 0, kind)


class Duel:
    """A game between two players, as the steps of its log tell it.

    The log calls a player by a number or by a name, and does not always say which name is whose number: who is meant is
    known at the end.
    """

    def __init__(self, head: LogStep) -> None:
        self.head = head
        self.taken = 0
        self._lines: list[tuple[LogStep, str, Mapping[str, Any]]] = []
        self._names: dict[str, str] = {}
        self._shared: set[str] = set()
        self._meant_by_name: set[str] = set()
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
        self.left_out: list[tuple[str, LogStep]] = []
        self._results: dict[str, LogStep] = {}
        self._is_duel = True

    def continues(self, head: LogStep) -> bool:
        """Return whether a game that the log creates is this one again, after a lost connection."""
        return bool(head.value) and head.entity == self.head.entity and not self._results

    def take(self, step: LogStep) -> bool:
        """Take what a step says; return whether it says anything that is read."""
        taker = getattr(self, f"_take_{step.what}", None)
        try:
            return taker is not None and taker(step) is not False
        except Exception as error:
            error.add_note(f"at line {step.place}" if isinstance(step.place, int) else f"at {step.place}")
            raise

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
            if self._called.setdefault(name, entity) != entity:
                self._shared.add(name)
            self._unknown.pop(name, None)

    def _meant(self, step: LogStep) -> str:
        """Return whom a tag is about: the number of an entity, or a name of which nothing says so far whose it is."""
        said = step.entity
        if said.isdecimal() or said == "GameEntity":
            return self._table if said == "GameEntity" else said
        if said in self._shared:
            return ""
        if said in self._called:
            self._meant_by_name.add(said)
            return self._called[said]
        unnamed = [each for each in self._seats if each not in self._names]
        meant = unnamed[0] if len(unnamed) == 1 else self._deduced(step)
        if said == PLACEHOLDER or step.name not in PLAYER_TAGS:
            return meant
        if meant in self._seats:
            self._call(meant, said)
            self._meant_by_name.add(said)
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
        self._results[who] = step
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
        self.close()
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
        else:
            self.left_out.append((NOBODYS, step))

    # -- the end -------------------------------------------------------------------------------------------------------

    def _say(self, step: LogStep, who: str, line: Mapping[str, Any]) -> None:
        self._lines.append((step, who, line))

    def close(self) -> None:
        """Count a card that was played face down, and that nothing has named."""
        self.left_out += [(FACE_DOWN, self._open)] if self._open is not None else []
        self._open = None

    @property
    def id(self) -> str:
        """What tells the game from others: its players and its time, or how it begins where the log has no time."""
        opening = "" if self.head.name else repr([(who, line) for _, who, line in self._lines[:OPENING]])
        told = hashlib.sha256(f"{self.head.name} {self.head.entity}{opening}".encode()).hexdigest()[:8]
        return f"hearthstone-{told}"

    def unread(self) -> str:
        """Return why nothing of the game is read, empty where it is."""
        if len(self._seats) < 2 or not self._is_duel:
            return NO_DUEL
        if self._shared & self._meant_by_name:
            return SHARED_NAME
        has_turns = any(line["type"] == "turn.started" for _, _, line in self._lines)
        # In other games of the program, as Mercenaries, nobody begins.
        return "" if has_turns or (self._first and self._decision(self._seated())) else UNTOLD_GAME

    def ended(self, number: int) -> Iterator[ReadLine]:
        """Return the lines of the game, its head first; `number` counts those of a file that nothing tells apart."""
        seats = self._seated()
        names = {seat: name for name, seat in seats.items() if not name.isdecimal()}
        names |= {seat: self._names[entity] for entity, seat in self._seats.items() if entity in self._names}
        players = [{"id": seat, "name": names.get(seat, f"Player {seat}")} for seat in sorted(self._seats.values())]
        head = {"type": "game.started", "game": "tabletop", "edition": "hearthstone"}
        yield self.head.place, {**head, "id": self.id if number == 1 else f"{self.id}-{number}", "players": players}
        for step, who, line in self._lines:
            if who in seats:
                yield step.place, {"type": line["type"], "player": seats[who], **line}
            else:
                self.left_out.append((NOBODYS, step))
        self.left_out += [(NOBODYS, step) for who, step in self._results.items() if who not in seats]
        yield from self._decision(seats)

    def _seated(self) -> Mapping[str, str]:
        """Return the seats by numbers and names.

        Two names that nothing ties to the numbers are two players as well: what is said by number is left out then.
        """
        unknown = list(self._unknown)
        if len(unknown) == len(self._seats) and not self._names:
            return dict(zip(unknown, sorted(self._seats.values()), strict=True))
        return self._seats | {name: self._seats[entity] for name, entity in self._called.items()}

    def _decision(self, seats: Mapping[str, str]) -> list[ReadLine]:
        """Return the line that ends the game, by what became of each seat; nothing where that does not say who won."""
        results = {seats[who]: step.value for who, step in self._results.items() if who in seats}
        end = next((step.place for step in reversed(self._results.values())), self.head.place)
        won = sorted(seat for seat, result in results.items() if result == "WON")
        if won:
            winner: Mapping[str, Any] = {"winner": won[0]} if len(won) == 1 else {"winners": won}
            return [(end, {"type": "game.ended", **winner, "reason": "won"})]
        if len(results) == len(self._seats) and set(results.values()) == {"TIED"}:
            return [(end, {"type": "game.ended", "winner": None, "reason": "draw"})]
        return []
