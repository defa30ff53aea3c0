"""`tabletape stats`: what the playtests tell, question by question."""

from datetime import datetime
from pathlib import Path
from typing import Annotated, Final

import typer

from tabletape.cli.terminal.arguments import option
from tabletape.cli.terminal.options import DATABASE, AsCsv, AsJson, Database, Datasets, OneGame
from tabletape.cli.terminal.output import print_json, print_rows, remark, say, write
from tabletape.dashboard.questions import Filters, questions
from tabletape.dashboard.questions.lab import read_lab
from tabletape.dashboard.spreadsheet import csv_of
from tabletape.dashboard.statistics.intervals import games_needed
from tabletape.dashboard.tape.answers import NO_ANSWER, QuestionAnswer, opened_datasets
from tabletape.projector.model.amounts import counted

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
        str, option("--ruleset RULESET", "Only games under this ruleset (default: each by itself).")
    ] = "",
    clean: Annotated[bool, option("--clean", "Only games without a mistake.")] = False,
    bots: Annotated[bool, option("--bots", "Simulated games in place of people's.")] = False,
    since: Annotated[
        datetime | None, option("--since DAY", "Only games begun on this day or later.", formats=[DAY])
    ] = None,
    before: Annotated[
        datetime | None, option("--before DAY", "Only games begun before this day.", formats=[DAY])
    ] = None,
    split: Annotated[
        datetime | None,
        option("--split DAY", "versions: compare games before this day with those since.", formats=[DAY]),
    ] = None,
    lab: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            exists=True,
            dir_okay=False,
            help="card-effects: begin with what bots say of a card, by the JSON of `whatif --without`; repeatable.",
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
        tabletape stats card-effects --lab trooper.json
    """
    if not name:
        _list(json=json)
        return
    filters = Filters(
        game=game, ruleset=ruleset, clean=clean, source="bots" if bots else "people",
        since=_day(since), before=_day(before), split=_day(split),
        lab=read_lab((str(file), file.read_bytes()) for file in lab or ()),
    )  # fmt: skip
    with opened_datasets(db, datasets) as opened:
        answer, old, open_maps = opened.ask(name, **filters), opened.outdated, opened.unconfirmed
    if json:
        print_json(answer.rows)
    elif csv:
        write(csv_of(answer.table))
    else:
        _print(answer)
    if old:
        remark(f"{counted(old, 'new or changed game')} since the last build: `tabletape build`", "yellow")
    if open_maps:
        remark(open_maps, "yellow")
    for words in answer.left_out():
        remark(words)
    if answer.is_of_nothing:
        remark(
            "The datasets are empty: `tabletape import` takes logs in, `tabletape build` builds the datasets.", "yellow"
        )


def _day(chosen: datetime | None) -> str:
    return chosen.strftime(DAY) if chosen else ""


def _list(*, json: bool) -> None:
    if json:
        print_json([{"question": each.name, "asks": each.title, "definition": each.definition} for each in questions()])
        return
    print_rows(["question", "asks", "about"], ([each.name, each.title, each.group] for each in questions()))
    remark("`tabletape stats QUESTION` answers one; `tabletape sql` asks your own")


def _print(answer: QuestionAnswer) -> None:
    say((answer.question.title, "bold"))
    remark(answer.question.definition)
    say()
    _print_rows(answer)
    for words in answer.notes:
        remark(words)


def _print_rows(answer: QuestionAnswer) -> None:
    if not len(answer):
        say(NO_ANSWER)
        return
    print_rows(*answer.worded())
    every = (n for share in answer.question.shares for n in answer.table[share.n].to_pylist() if n)
    if min(every, default=GAMES_FOR_TEN_POINTS) < GAMES_FOR_TEN_POINTS:
        remark(
            f"A share is known within ten points after about {GAMES_FOR_TEN_POINTS} games, "
            f"within five after {games_needed(0.05)}."
        )
