"""Where the events of games stand that came out of files of other programs: shown wherever such a game is looked at."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from tabletape.events.log import Log
from tabletape.events.log.rows import StoredGame
from tabletape.projector.archive.stored import import_options, workspace

if TYPE_CHECKING:
    from tabletape.events.importing.origins import Origins

LARGEST: Final = 4 << 20
"""The file of a game is read once more to find the lines; one of more bytes would keep a person waiting."""


class EventPlaces:
    """The places of events in files of other programs; nothing is read before a game of such a file is asked for."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._mapped: frozenset[str] | None = None
        self._origins: Origins | None = None

    def of(self, game: StoredGame) -> Mapping[int, str]:
        """Return where each event of a game stands, by its `seq`: `friday.txt:17`, `plays.json: plays[3]`.

        Empty for a game that came in a format of our own, or in a large file (SARIF names its lines).
        """
        if self._mapped is None:
            arrivals = [each for each in self._log.arrivals() if each.format.startswith(("map ", "reader "))]
            self._mapped = frozenset(each.name for each in arrivals if each.file.size <= LARGEST)
        if game.file not in self._mapped:
            return {}
        if self._origins is None:
            from tabletape.events.importing.origins import Origins  # noqa: PLC0415 - it loads the readers of all files

            self._origins = Origins(self._log, import_options(workspace(self._log)))
        return self._origins.places(game)
