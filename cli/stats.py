"""`tabletape stats`: what the playtests tell, question by question."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tabletape.cli.terminal.options import DATABASE, AsJson, Database, Datasets, OneGame, require_game
from tabletape.cli.terminal.output import print_json, print_rows, remark, say
from tabletape.cli.terminal.rows import AsCsv, cell_text, print_csv
from tabletape.dashboard.questions import Filters, Question, ask, question, questions
from tabletape.dashboard.questions.exclusions import exclusions_in_words
from tabletape.dashboard.statistics.intervals import games_needed, percent
from tabletape.events.errors import RefusedError
from tabletape.events.log import Log
from tabletape.projector.datasets.freshness import folder_of, outdated
from tabletape.projector.datasets.manifest import Folder, named_folder
from tabletape.projector.model.amounts import counted
from tabletape.projector.model.suggestions import unknown

if TYPE_CHECKING:
    import pyarrow as pa

GAMES_FOR_TEN_POINTS = games_needed(0.1)
"""Games after which a share is known within ten points."""

DAY: Final = "%Y-%m-%d"


def stats(  # noqa: PLR0913 - each parameter is an option of the command
    name: Annotated[
        str, typer.Argument(metavar="[QUESTION]", help="The name of a question (default: list them).")
    ] = "",
    *,
    db: Database = DATABASE,
    datasets: Datasets = "",
    game: OneGame = "",
    ruleset: Annotated[
        str,
        typer.Option("--ruleset", metavar="RULESET", help="Only games under this ruleset (default: each by itself)."),
    ] = "",
    clean: Annotated[bool, typer.Option("--clean", help="Only games in which nobody did anything illegal.")] = False,
    bots: Annotated[bool, typer.Option("--bots", help="Simulated games in place of people's.")] = False,
    since: Annotated[
        datetime | None,
        typer.Option("--since", formats=[DAY], metavar="DAY", help="Only games begun on this day (UTC) or later."),
    ] = None,
    before: Annotated[
        datetime | None,
        typer.Option("--before", formats=[DAY], metavar="DAY", help="Only games begun before this day (UTC)."),
    ] = None,
    split: Annotated[
        datetime | None,
        typer.Option(
            "--split", formats=[DAY], metavar="DAY", help="versions: compare games before this day with those since."
        ),
    ] = None,
    json: AsJson = False,
    csv: AsCsv = False,
) -> None:
    """Answer a question about the playtests; without one, list the questions.

    Every percentage comes with its count and its 95 % interval. The answers come from the datasets: `tabletape build`
    brings them up to date. With --datasets they are those of a folder or an address, and no log is needed.

    Example:
        tabletape stats
        tabletape stats first-player --game splicers
        tabletape stats dead-cards --clean --csv > dead.csv
        tabletape stats versions --split 2026-05-01
        tabletape stats first-player --datasets s3://bucket/study
    """
    if not name:
        _list(json=json)
        return
    asked = question(name)
    if clean and "clean" not in asked.parameters:
        raise RefusedError(f"{name} is asked of all games, also of those with something illegal: leave out --clean")
    if split and "split" not in asked.parameters:
        raise RefusedError(f"{name} compares nothing, so no day can part its games: leave out --split, or use --since")
    require_game(game)
    filters = Filters(
        game=game, ruleset=ruleset, clean=clean, source="bots" if bots else "people",
        since=_day(since), before=_day(before), split=_day(split),
    )  # fmt: skip
    folder, old = _folder(db, datasets)
    _require_ruleset(folder, filters)
    answer = ask(name, folder, **filters)
    if json:
        print_json(answer.to_pylist())
    elif csv:
        print_csv(answer)
    else:
        _print(asked, answer)
        _print_counted(asked, folder, filters)
    if old:
        remark(f"{counted(old, 'new or changed game')} since the last build: `tabletape build`", "yellow")
    _print_left_out(folder, filters, rows=answer.num_rows)


def _folder(db: str, datasets: str) -> tuple[Folder, int]:
    """Return the folder of the datasets, and how many games of the log they lack; none where they stand alone."""
    if datasets:
        return named_folder(datasets), 0
    with Log.open(db) as log:
        return folder_of(log), outdated(log)


def _day(chosen: datetime | None) -> str:
    return chosen.strftime(DAY) if chosen else ""


def _list(*, json: bool) -> None:
    if json:
        print_json([{"question": each.name, "asks": each.title, "definition": each.definition} for each in questions()])
        return
    print_rows(["question", "asks", "about"], ([each.name, each.title, each.group] for each in questions()))
    remark("`tabletape stats QUESTION` answers one; `tabletape sql` asks your own")


def _require_ruleset(folder: Folder, filters: Filters) -> None:
    """Refuse a ruleset that no game of the datasets was read by."""
    wanted = filters["ruleset"]
    known = {row["ruleset_id"]: row["ruleset"] for row in ask("overview", folder, source="all").to_pylist()}
    if wanted and wanted not in {*known, *known.values()}:
        raise RefusedError(unknown("ruleset in the datasets", wanted, sorted(known.values())))


def _print(asked: Question, answer: "pa.Table") -> None:
    say((asked.title, "bold"))
    remark(asked.definition)
    say()
    if not answer.num_rows:
        say("No game in the datasets has the answer.")
        return
    shares = {share.name: share for share in asked.shares}
    hidden = {column for share in asked.shares for column in share.hidden}
    columns = [column for column in answer.column_names if column not in hidden]
    rows = []
    for row in answer.to_pylist():
        for name in (*asked.percents, *(share.name for share in asked.shrunk)):
            row[name] = None if row[name] is None else f"{percent(row[name])} %"
        for each in shares.values():
            row[each.name] = each.in_words(row)
        rows.append([cell_text(row[column]) for column in columns])
    print_rows([column.replace("_", " ") for column in columns], rows)
    few = min((n for share in asked.shares for n in answer[share.n].to_pylist() if n), default=GAMES_FOR_TEN_POINTS)
    if few < GAMES_FOR_TEN_POINTS:
        remark(
            f"A share is known within ten points after about {GAMES_FOR_TEN_POINTS} games, "
            f"within five after {games_needed(0.05)}."
        )


def _print_counted(asked: Question, folder: Folder, filters: Filters) -> None:
    """Say how many of the games the question counts, and why not the others."""
    words = exclusions_in_words(asked, folder, **filters)
    if words:
        remark(words)


def _print_left_out(folder: Folder, filters: Filters, *, rows: int) -> None:
    """Say which games were not asked about."""
    unclean_too: Filters = {**filters, "clean": False}
    of_everybody: Filters = {**unclean_too, "source": "all"}
    any_day: Filters = {**unclean_too, "since": "", "before": ""}
    everything, mine, always = (
        ask("overview", folder, **each).to_pylist() for each in (of_everybody, unclean_too, any_day)
    )
    others, other_days = (
        sum(row["games"] for row in more) - sum(row["games"] for row in mine) for more in (everything, always)
    )
    if other_days:
        remark(f"Left out: {counted(other_days, 'game')} of other days, or without a date.")
    if others:
        remark(f"Left out: {counted(others, 'game')} of {'people' if filters['source'] == 'bots' else 'bots'}.")
    if filters["clean"]:
        unclean = sum(row["games"] - row["clean_games"] for row in mine)
        if unclean:
            remark(f"Left out: {counted(unclean, 'game')} in which somebody did something illegal.")
    if not (everything or always or rows):
        remark(
            "The datasets are empty: `tabletape import` takes logs in, `tabletape build` builds the datasets.", "yellow"
        )
