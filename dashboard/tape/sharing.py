"""Games written for others: one HTML file with the board, or a file for another program."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tabletape.dashboard.tape.replaying import chosen_viewer
from tabletape.events.errors import RefusedError
from tabletape.events.log import Log
from tabletape.events.log.rows import StoredGame
from tabletape.events.vocabulary import known_games
from tabletape.events.whole_files import write_whole
from tabletape.projector.archive.frames import frames
from tabletape.projector.archive.pseudonyms import pseudonyms, renamed, without_names
from tabletape.projector.archive.stored import replay, replays
from tabletape.projector.archive.view import View
from tabletape.projector.exporting.exports import bgstats, in_json, ocel
from tabletape.projector.exporting.transcript import transcript
from tabletape.projector.exporting.workbook import TooManyRowsError, workbook
from tabletape.projector.exporting.xes import xes
from tabletape.projector.fold.traced import Traced
from tabletape.projector.games import game as game_called
from tabletape.projector.model.amounts import counted
from tabletape.projector.model.areas import EVERYTHING
from tabletape.projector.model.suggestions import unknown

FORMS: Final[Mapping[str, Callable[[Iterable[Any]], Any]]] = {
    "bgstats": lambda played: in_json(bgstats(played)),
    "ocel": lambda played: in_json(ocel(played)),
    "xes": xes,
    "xlsx": workbook,
    "text": transcript,
}
"""What a game can be exported as."""


def export(log: Log, games: Sequence[StoredGame], file: Path, form: str, *, hide: bool = False) -> None:
    """Write games to a file for another program, in one of `FORMS`; with `hide` the names are `Player 1` and so on.

    Raises `RefusedError` for any other, for a game without rules here, and where a workbook has no room for all rows.
    """
    if form not in FORMS:
        raise RefusedError(unknown("form of an export", form, FORMS))
    for each in games:
        if each.game not in known_games():
            raise RefusedError(f"{each.game_id} is a game of {each.game}, for which no rules are installed here")
    try:
        played = replays(log, games)
        if hide:
            names = pseudonyms(games)
            played = (without_names(*each, names) for each in played)
        write_whole(file, FORMS[form](played))
    except TooManyRowsError as error:
        raise RefusedError(f"{file}: {error}") from error


def share(  # noqa: PLR0913 - what a file for others may be
    log: Log,
    games: Sequence[StoredGame],
    file: Path,
    viewer: str = EVERYTHING,
    *,
    hide: bool = False,
    step: int | None = None,
    told: tuple[str, Sequence[str]] = ("", ()),
) -> None:
    """Write games into one HTML file with the board, which opens anywhere and asks no network.

    Of what `viewer` may not know nothing is in the file; with `hide` the names are `Player 1` and so on. It opens at
    event `step` of the first game. `told` are a title and paragraphs about all of them, for above the board. Raises
    `RefusedError` where no game is given, it has no such event, or nobody of that name sits at a table.
    """
    from tabletape.dashboard.sharing.page import shared_page  # noqa: PLC0415 - an export does not wait for the pages

    if not games:
        raise RefusedError("name at least one game: `tabletape games` lists them")
    last = games[0].last_seq
    if step is not None and not 1 <= step <= last:
        raise RefusedError(f"{games[0].game_id} has no event {step}: its events are 1 to {last}")
    names = pseudonyms(games) if hide else {}
    titles = _titles(games, names)
    boards = [
        (called, renamed(each.game_id, names), _board(log, each, viewer, names))
        for called, each in zip(titles, games, strict=True)
    ]
    title = boards[0][0] if len(boards) == 1 else f"{counted(len(boards), 'game')} from Tabletape"
    write_whole(file, shared_page(told[0] or title, boards, step, told[1]))


def _titles(games: Sequence[StoredGame], names: Mapping[str, str]) -> list[str]:
    """Return what games are called: who played what, and the id of one that others are called as, too."""
    seats = ["" if names else f": {', '.join(player.name for player in each.players)}" for each in games]
    called = [f"{game_called(each.game).title}{who}" for each, who in zip(games, seats, strict=True)]
    alike = Counter(called)
    return [
        f"{title} ({renamed(each.game_id, names)})" if alike[title] > 1 else title
        for title, each in zip(called, games, strict=True)
    ]


def _board(log: Log, stored: StoredGame, viewer: str, names: Mapping[str, str]) -> str:
    from tabletape.dashboard.replay.component import board_json  # noqa: PLC0415 - it loads Streamlit

    replayed = replay(log, stored, log.events(stored), traced=True)
    if names:
        _, replayed = without_names(stored, replayed, names)
    if not isinstance(replayed, Traced):
        raise TypeError("a traced replay was asked for")
    if viewer == EVERYTHING:
        return board_json(frames(replayed))
    return board_json(frames(replayed, chosen_viewer(View(replayed), viewer)))
