"""The tape: a workspace (log, cards, datasets) as one object, for notebooks, scripts and the commands."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from tabletape.dashboard.tape.choosing import HowRead, concerned_by, reading, require_game, stored_games
from tabletape.dashboard.tape.games import FindingList, GameList, TapeGame
from tabletape.events.errors import RefusedError
from tabletape.events.log import Log
from tabletape.events.log.new import removed_if_empty
from tabletape.events.log.schema import DEFAULT_FILE, WAIT, address, file_of
from tabletape.projector.archive.stored import AS_PLAYED, RulesetOverride, replay, workspace_at

if TYPE_CHECKING:
    from typing import Unpack

    import pyarrow as pa

    from tabletape.dashboard.questions import Filters
    from tabletape.dashboard.tape.answers import DatasetFolder, QuestionAnswer
    from tabletape.dashboard.tape.importing import ImportOptions
    from tabletape.dashboard.tape.mending import GameMending
    from tabletape.dashboard.tape.records import Records
    from tabletape.dashboard.tape.simulating import Planned
    from tabletape.events.importing import ImportReport
    from tabletape.events.log.rows import StoredGame
    from tabletape.projector.archive.audit import AuditReport
    from tabletape.projector.datasets.build import Built
    from tabletape.projector.selfplay.simulate import Simulated

Asked = Iterable[str | TapeGame] | None
"""Which games are asked about: some by their ids or as objects, or None for all."""


class Tape:
    """A workspace: the log at a path or a database URL, and the cards and datasets that lie beside it.

    Use it in a `with` statement, or close it. A log that does not exist yet is begun by what writes to it first.
    """

    def __init__(self, place: str | Path = DEFAULT_FILE, *, wait: float = WAIT) -> None:
        self.place = str(place)
        self.workspace = workspace_at(self.place)
        self._wait = wait
        self._log: Log | None = None
        self._closed = False
        file = file_of(address(self.place))
        if file is not None and file.exists() and file.stat().st_size:
            self._log = Log.open(self.place, wait=wait)
        elif file is not None and not file.absolute().parent.is_dir():
            raise RefusedError(f"there is no folder {file.absolute().parent}, so no log can begin in it")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<tape {self.place}{', closed' if self._closed else ''}>"

    def close(self) -> None:
        """Release the log; the tape cannot be used any more."""
        if self._log is not None:
            self._log.close()
        self._log, self._closed = None, True

    @property
    def log(self) -> Log:
        """The log itself. Raises `NoLogError` where none has begun, `RefusedError` where the tape is closed."""
        self._require_open()
        if self._log is None:
            self._log = Log.open(self.place, wait=self._wait)
        return self._log

    def _require_open(self) -> None:
        if self._closed:
            raise RefusedError(f"this tape is closed: tabletape.open({self.place!r}) opens it again")

    @contextmanager
    def _writable(self) -> Iterator[Log]:
        """Open the log for what writes to it; one that begins here goes again where nothing can be stored."""
        self._require_open()
        if self._log is not None:
            yield self._log
            return
        with removed_if_empty(self.place):
            log = Log.open(self.place, create=True, wait=self._wait)
            try:
                yield log
            except BaseException:
                log.close()
                raise
            self._log = log

    # -- files in ------------------------------------------------------------------------------------------------------

    def import_files(self, *files: str | Path, **options: "Unpack[ImportOptions]") -> "ImportReport":
        """Import log files and folders; what is wrong with a file or a line is in the report, never an exception.

        The options are those of `tabletape import` (see `events.importing.Options`): `dry_run`, `strict`, `revise`,
        `format`, `map` (a file), `zone` (which the workspace remembers), `any_size`. A game is taken whole or not at
        all, and the same file again changes nothing. Raises `RefusedError` for an unknown option, `LogError` where the
        log cannot be written.
        """
        from tabletape.dashboard.tape import importing  # noqa: PLC0415 - who only asks does not wait for it

        self._require_open()
        names = [str(each) for each in files]
        if not names:
            raise RefusedError("name the files to import, or --remap alone for those that are kept")
        rehearsal = importing.is_rehearsal(self.place, names, dry_run=bool(options.get("dry_run")))
        opened = (lambda: Log.open(importing.MEMORY_ADDRESS, create=True)) if rehearsal else self._writable
        return importing.import_files(opened, self.workspace, names, options)

    def import_again(self, **options: "Unpack[ImportOptions]") -> "ImportReport":
        """Read the kept files of other programs again, by the maps as they are now. Takes the options of an import."""
        from tabletape.dashboard.tape.importing import options_of  # noqa: PLC0415 - who only asks does not wait for it
        from tabletape.events.importing.remapping import remap  # noqa: PLC0415 - the same

        return remap(self.log, options_of(self.workspace, options))

    # -- games ---------------------------------------------------------------------------------------------------------

    def games(self, asked: Asked = None, *, game: str = "") -> GameList:
        """Return stored games, each in its latest revision: all, those of one `game`, or those with some ids.

        Raises `UnknownGameIdError` for an id that is not in the log, `RefusedError` for a game that nobody knows.
        """
        return GameList(TapeGame(self, each) for each in self._stored(asked, game))

    def game(self, game_id: str) -> TapeGame:
        """Return a stored game by its id. Raises `UnknownGameIdError`, with the nearest one, where there is none."""
        return TapeGame(self, self.log.game(game_id))

    def _stored(self, asked: Asked, game: str) -> "list[StoredGame]":
        if asked is None:
            return stored_games(self.log, None, game)
        if isinstance(asked, str):
            asked = [asked]
        ids = [each.game_id if isinstance(each, TapeGame) else each for each in asked]
        return stored_games(self.log, ids, game) if ids else []

    # -- the audit -----------------------------------------------------------------------------------------------------

    def audit(
        self, asked: Asked = None, *, game: str = "", processes: int = 1, **how: "Unpack[HowRead]"
    ) -> FindingList:
        """Hold every event of stored games against the rulebook, and return what was found, with citation.

        `edition`, `rulings` (`{"key": "option"}`) and `cards="now"` read the games otherwise than their tables did.
        More than one of `processes` needs a script with `if __name__ == "__main__":`. Raises as `games` does, and
        `RulesetError` for an impossible reading.
        """
        games = self.games(asked, game=game)
        return FindingList(tuple(self.reports(games, self.reading(games, game, **how), processes)))

    def reports(
        self, games: Iterable[TapeGame], how: RulesetOverride | None = None, processes: int = 1
    ) -> "Iterator[AuditReport]":
        """Yield what an audit finds in each of some games, as soon as it is known. Raises as `audit` does."""
        from tabletape.projector.archive.audit import reports  # noqa: PLC0415 - who lists games folds none

        return reports(self.log, [each.stored for each in games], how or AS_PLAYED, processes)

    def reading(self, games: Iterable[TapeGame], game: str = "", **how: "Unpack[HowRead]") -> RulesetOverride:
        """Return the reading that is asked for of some games. Raises `RulesetError` where none can be read so."""
        if not any(how.values()):
            return AS_PLAYED
        chosen = [each.stored for each in games]
        concerned, cards = concerned_by(chosen, game), how.get("cards", "")
        return reading(how.get("edition", ""), how.get("rulings"), concerned, cards, chosen=chosen)

    # -- the datasets --------------------------------------------------------------------------------------------------

    def build(
        self, *, game: str = "", fresh: bool = False, decision_load: bool = False, **how: "Unpack[HowRead]"
    ) -> "Built":
        """Bring the datasets up to date with the log; only games that changed are looked at.

        With `edition`, `rulings` or `cards` the games of `game` stand in them once more, read otherwise. Raises
        `DatasetError` where they cannot be written or somebody else builds them.
        """
        from tabletape.projector.datasets.build import build  # noqa: PLC0415 - who lists games builds none
        from tabletape.projector.datasets.pack_builder import alone  # noqa: PLC0415 - the same
        from tabletape.projector.datasets.plans import Request  # noqa: PLC0415 - the same

        require_game(game)
        asked = Request(reading=self.reading([], game, **how), game=game, decision_load=decision_load, fresh=fresh)
        return build(self.log, asked, engine=alone)

    @property
    def datasets(self) -> "DatasetFolder":
        """The datasets as they are, which may say less than the log: `build` brings them up to date."""
        from tabletape.dashboard.tape.answers import DatasetFolder  # noqa: PLC0415 - it loads DuckDB
        from tabletape.projector.datasets.freshness import folder_of  # noqa: PLC0415 - it loads Arrow

        return DatasetFolder(folder_of(self.log), self.log)

    def ask(self, name: str, *, build: bool = True, **filters: "Unpack[Filters]") -> "QuestionAnswer":
        """Answer a question of the catalogue: `tape.ask("first-player", game="splicers")`.

        The datasets are brought up to date first, unless `build=False`. The filters choose the games: `game`,
        `ruleset`, `source` (`people`, `bots`, `all`), `clean`, `since`, `before` and those of
        `dashboard.questions.Filters`. Raises `QuestionError` for an unknown question, with the nearest one, and
        `RefusedError` for an unknown game or ruleset.
        """
        self._fresh(build=build)
        return self.datasets.ask(name, **filters)

    def sql(self, query: str, *, build: bool = True, seconds: float = 30.0) -> "pa.Table":
        """Answer one `SELECT` (DuckDB's) over the datasets as an Arrow table; nothing else can be read or written.

        Raises `QuestionError` where the SQL does not work, takes too long or has too many rows.
        """
        self._fresh(build=build)
        return self.datasets.sql(query, seconds=seconds)

    def _fresh(self, *, build: bool) -> None:
        if build and self.datasets.outdated:
            self.build()

    # -- bots, slips, files out ----------------------------------------------------------------------------------------

    def simulate(
        self, game: str, games: int = 10, *, store: bool = True, **plan: "Unpack[Planned]"
    ) -> "Records[Simulated]":
        """Play games of bots by the rules, and store them unless `store=False`; the same seed gives the same games.

        A plan says `seed`, `players`, `bots` (`random`, `greedy`, `search`; seat by seat), `decks`, `edition`,
        `rulings`, `full`, `limit`. Raises `RefusedError` for an unknown game or bot, and where the log has another game
        of the same id; `SimulationError` where the rules allow no such game.
        """
        from tabletape.dashboard.tape import simulating  # noqa: PLC0415 - it loads the bots
        from tabletape.dashboard.tape.records import Records  # noqa: PLC0415 - the same
        from tabletape.projector.archive.card_versions import texts_of  # noqa: PLC0415 - the same
        from tabletape.projector.selfplay.many import played  # noqa: PLC0415 - the same

        self._require_open()
        matches = list(played(self.workspace, game, simulating.planned(game, **plan), games, processes=1))
        if store:
            with self._writable() as log:
                texts = texts_of(self.workspace, game)
                for match in matches:
                    if simulating.keep(log, match, texts) == "refused":
                        raise RefusedError(
                            f"{match.game_id} is stored already and went another way: choose another seed"
                        )
        return Records(matches, simulating.row_of, simulating.COLUMNS)

    def mend(self, asked: Asked = None, *, game: str = "", **how: "Unpack[HowRead]") -> "Iterator[GameMending]":
        """Yield, for each game in which something is wrong, what its log probably meant. Raises as `mending` does."""
        games = self.games(asked, game=game)
        read = self.reading(games, game, **how)
        mendings = (self.mending(each, read) for each in games)
        return (each for each in mendings if each is not None)

    def mending(self, game: TapeGame, how: RulesetOverride = AS_PLAYED) -> "GameMending | None":
        """Return what explains the things that are wrong in a game; None where nothing is. Raises as `audit` does."""
        from tabletape.dashboard.tape.mending import GameMending  # noqa: PLC0415 - who lists games mends none
        from tabletape.projector.model.rules import HARD  # noqa: PLC0415 - the same

        replayed = replay(self.log, game.stored, game.events, reading=how)
        if not any(finding.kind in HARD for finding in replayed.findings):
            return None
        return GameMending(self.log, game, replayed)

    def share(
        self,
        asked: Asked,
        file: str | Path = "evening.html",
        *,
        viewer: str = "everything",
        anonymous: bool = False,
        step: int | None = None,
    ) -> Path:
        """Write games into one HTML file with the replay's board, which opens in any browser; return the file.

        What `viewer` (a player, or `public`) may not know is not in it; `anonymous` leaves out the names. It opens at
        event `step` of the first game. Raises `RefusedError` where there is no game, event or player like that.
        """
        from tabletape.dashboard.tape.sharing import share  # noqa: PLC0415 - who lists games writes none

        share(self.log, self._stored(asked, ""), Path(file), viewer, hide=anonymous, step=step)
        return Path(file)

    def export(self, asked: Asked, file: str | Path, form: str, *, game: str = "", anonymous: bool = False) -> Path:
        """Write games for another program: as `xlsx`, `text`, `bgstats`, `ocel` or `xes`; return the file.

        `anonymous` leaves out the names. Raises `RefusedError` for another form, and for a game without rules here.
        """
        from tabletape.dashboard.tape.sharing import export  # noqa: PLC0415 - who lists games writes none

        export(self.log, self._stored(asked, game), Path(file), form, hide=anonymous)
        return Path(file)


def open_tape(place: str | Path = DEFAULT_FILE, *, wait: float = WAIT) -> Tape:
    """Open the workspace of a log: a SQLite file, whose folder it is, or a database URL (`postgresql://…`).

    Where there is no log yet, the first import begins one; the file is not made before. Who writes waits `wait` seconds
    for others. Raises `LogError` for what is no log or of another version, `RefusedError` where its folder is missing.
    """
    return Tape(place, wait=wait)
