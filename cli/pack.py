"""`tabletape pack`: games as Parquet, for more of them than a log on one computer takes."""

import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from tabletape.cli.import_ import print_report
from tabletape.cli.terminal.arguments import option
from tabletape.cli.terminal.options import DATABASE, Database, OneGame
from tabletape.cli.terminal.output import complain, remark, say, watched
from tabletape.dashboard.tape.choosing import chosen_game, require_bots, stored_games
from tabletape.events.errors import RefusedError
from tabletape.events.importing import import_paths
from tabletape.events.log import Log
from tabletape.events.log.rows import StoredGame
from tabletape.events.log.schema import LogError
from tabletape.projector.archive.card_versions import texts_of
from tabletape.projector.archive.stored import import_options, workspace_at
from tabletape.projector.datasets.game_packs import PackWriter, as_stored
from tabletape.projector.model.amounts import counted
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.many import played
from tabletape.projector.selfplay.simulate import Plan


def pack(  # noqa: PLR0913 - each parameter is an option of the command
    out: Annotated[str, typer.Argument(metavar="FOLDER|URL", help="A new folder: a path, s3://…, hdfs://…")],
    files: Annotated[
        list[str] | None, typer.Argument(metavar="FILE", help="Log files or folders (default: the games of the log).")
    ] = None,
    *,
    db: Database = DATABASE,
    game: OneGame = "",
    bots: Annotated[int, option("--bots N", "Let bots play this many games of --game, and pack these.", min=0)] = 0,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same games of bots.")] = 1,
    bot: Annotated[Bot, typer.Option(help="How the bots decide.")] = Bot.RANDOM,
    full: Annotated[bool, option("--full", "Bots also write down what the rules make of each line.")] = False,
) -> None:
    """Write games into packs: Parquet files of raw events, which `tabletape build --packs` makes datasets of.

    The games are those of the log, those of log files (read as `import` reads them, and stored nowhere else), or new
    ones of bots, played on all cores. Packs may lie wherever pyarrow reaches: in a folder, in an S3 bucket, on HDFS.

    The exit code is 1 where a game, a file or a line could not be taken.

    Example:
        tabletape pack /data/packs
        tabletape pack s3://bucket/evenings evenings/
        tabletape pack /data/bots --game splicers --bots 100000
    """
    if bots and (files or not game):
        raise RefusedError("--bots plays one game, named by --game, in place of reading files")
    if bots:
        left_out = _pack_bots(out, db, game, Plan(seed=seed, bots=(bot, bot), full=full), bots)
    else:
        with _log(db, files or []) as (log, is_clean):
            left_out = _pack_log(out, log, stored_games(log, None, game)) or not is_clean
    remark(f"Next: `tabletape build --packs {shlex.quote(out)} --db NEW/tabletape.db`")
    if left_out:
        raise typer.Exit(1)


def _pack_bots(out: str, db: str, slug: str, plan: Plan, games: int) -> bool:
    """Pack games that bots play now; return whether one of them broke a rule."""
    folder, wrong = workspace_at(db), False
    require_bots(chosen_game(slug))
    texts = texts_of(folder, slug)
    with PackWriter(out) as writer, watched("Playing", games) as progress:
        for match in played(folder, slug, plan, games, processes=0):
            writer.add(*as_stored(match.events), texts)
            wrong = wrong or bool(match.findings)
            progress(1)
    _print_packed(out, writer)
    return wrong


def _pack_log(out: str, log: Log, games: Sequence[StoredGame]) -> bool:
    """Pack games of a log; return whether one could not be read."""
    wrong = False
    with PackWriter(out) as writer, watched("Packing", len(games)) as progress:
        for stored, bodies in log.bodies(games):
            if isinstance(bodies, LogError):
                complain(f"left out: {stored.game_id}: {bodies}")
                wrong = True
            else:
                writer.add(stored, bodies, log.card_texts(stored), log.changed_lines(stored))
            progress(1)
    _print_packed(out, writer)
    return wrong


def _print_packed(out: str, writer: PackWriter) -> None:
    say(f"{counted(writer.games, 'game')} ({counted(writer.events, 'event')}) in {out}")


@contextmanager
def _log(db: str, files: Sequence[str]) -> Iterator[tuple[Log, bool]]:
    """Open the log, or one that is made of files and thrown away; also return whether all of them could be read."""
    if not files:
        with Log.open(db) as log:
            yield log, True
        return
    options = import_options(workspace_at(db))
    with TemporaryDirectory() as folder, Log.open(Path(folder) / "tabletape.db", create=True) as log:
        report = import_paths(log, files, options)
        if not report.clean:
            print_report(report, only_results=False)
        yield log, report.clean
