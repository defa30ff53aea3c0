"""Stored games, and what an audit found in them, as lists of typed objects."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, get_type_hints

from tabletape.dashboard.tape.choosing import Rulings, reading
from tabletape.dashboard.tape.records import Records
from tabletape.events.log.rows import StoredGame
from tabletape.projector.archive.stored import replay
from tabletape.projector.games import game as game_called
from tabletape.projector.model.areas import EVERYTHING

if TYPE_CHECKING:
    from tabletape.dashboard.tape.replaying import TapeReplay
    from tabletape.dashboard.tape.tape import Tape
    from tabletape.events.vocabulary import Event
    from tabletape.projector.archive.audit import AuditReport

GAME_COLUMNS: Final[Mapping[str, type]] = {
    "game_id": str,
    "revision": int,
    "game": str,
    "edition": str,
    "players": list,
    "rulings": list,
    "started_at": str,
    "recorded_at": str,
    "event_count": int,
    "file": str,
}


class TapeGame:
    """A stored game of a tape; `stored` is its row in the log, with players and rulings."""

    def __init__(self, tape: "Tape", stored: StoredGame) -> None:
        self._tape = tape
        self.stored = stored

    def __repr__(self) -> str:
        players = ", ".join(self.players)
        return f"<game {self.game_id}: {self.game} {self.edition}, {players}, {self.event_count} events>"

    @property
    def game_id(self) -> str:
        """The id of the game."""
        return self.stored.game_id

    @property
    def game(self) -> str:
        """What was played: `splicers`, `evolve` and so on."""
        return self.stored.game

    @property
    def edition(self) -> str:
        """The edition of the rulebook that was played by."""
        return self.stored.edition

    @property
    def revision(self) -> int:
        """Which writing of the game this is; 1 for one that nobody has revised."""
        return self.stored.revision

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players, in the order of their seats."""
        return tuple(player.name for player in self.stored.players)

    @property
    def event_count(self) -> int:
        """How many events the log has of the game."""
        return self.stored.events

    @cached_property
    def events(self) -> "list[Event]":
        """The events of the game, in order."""
        return self._tape.log.events(self.stored)

    def replay(
        self, *, edition: str = "", rulings: Rulings = None, cards: str = "", viewer: str = EVERYTHING
    ) -> "TapeReplay":
        """Fold the game and return its steps; `viewer` (a player or `public`) sees only what they may know.

        Without edition and rulings it is read as its own table read it, without `cards="now"` by the cards that it was
        recorded under. Raises `RulesetError` for an impossible reading, `CannotFoldError` for a game without a table.
        """
        from tabletape.dashboard.tape.replaying import TapeReplay  # noqa: PLC0415 - who lists games folds none
        from tabletape.projector.fold.traced import Traced  # noqa: PLC0415 - the same
        from tabletape.projector.rulebooks.kept import Quote  # noqa: PLC0415 - the same

        how = reading(edition, rulings, [game_called(self.game)], cards, chosen=[self.stored])
        folded = replay(self._tape.log, self.stored, self.events, reading=how, traced=True)
        if not isinstance(folded, Traced):
            raise TypeError("a replay that is looked at has to be traced")
        return TapeReplay(folded, Quote(self._tape.workspace, self.game), viewer)

    def row(self) -> dict[str, Any]:
        """Return the game as a row of a table."""
        known = {name: getattr(self.stored, name) for name in ("started_at", "recorded_at", "file")}
        own = {name: getattr(self, name) for name in ("game_id", "revision", "game", "edition", "event_count")}
        rulings = [f"{key}={option}" for key, option in self.stored.rulings.items()]
        return {**own, **known, "players": list(self.players), "rulings": rulings}


class GameList(Records[TapeGame]):
    """Stored games; as a table one a row."""

    def __init__(self, games: Iterable[TapeGame]) -> None:
        super().__init__(games, TapeGame.row, GAME_COLUMNS)


class FindingList(Records[Any]):
    """What an audit found, in the order of games and events; as a table one finding a row, with its citation.

    `reports` has a report for each game that was audited, also for those in which nothing was found, and says of each
    whether its replay had to stop.
    """

    def __init__(self, reports: Sequence["AuditReport"]) -> None:
        import msgspec  # noqa: PLC0415 - the list of games needs none of it

        from tabletape.projector.archive.audit import Reported  # noqa: PLC0415 - the same

        columns = {name: kind for name, kind in get_type_hints(Reported).items() if name in Reported.__struct_fields__}
        super().__init__((each for report in reports for each in report.findings), msgspec.structs.asdict, columns)
        self.reports = tuple(reports)

    @property
    def stopped(self) -> dict[str, str]:
        """Why the replays that could not go to the end had to stop, by the ids of their games."""
        return {each.stored.game_id: each.stopped for each in self.reports if each.stopped}

    def _repr_html_(self) -> str:
        """Show the findings in a notebook: where, what, and the place in the rulebook."""
        from tabletape.dashboard.tape.records import MAX_WIDTH, table_html  # noqa: PLC0415 - only a notebook needs it

        rows = [
            [
                f"{each.game_id}, {each.seq}",
                each.event,
                each.kind,
                f"{each.message}; expected: {each.expected}" if each.expected else each.message,
                f"{each.rule} - {', '.join(part for part in (each.section, each.lines) if part)}",
            ]
            for each in self[:MAX_WIDTH]
        ]
        stopped = [f"The replay of {game} stopped at {why}" for game, why in self.stopped.items()]
        return table_html(["event", "what happened", "kind", "what is wrong", "rule"], rows, len(self), stopped)
