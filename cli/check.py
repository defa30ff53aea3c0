"""`tabletape check`: what must hold for every game, checked on one that somebody has written."""

from pathlib import Path
from typing import Annotated

import typer

from tabletape.cli.terminal.options import DATABASE, AsJson, Database
from tabletape.cli.terminal.output import print_json, remark, say, watched
from tabletape.dashboard.tape.checking import Checked, checked
from tabletape.projector.archive.stored import workspace_at


def check(  # noqa: PLR0913 - each parameter is an option of the command
    game: Annotated[str, typer.Argument(metavar="GAME", help="The name of a game: your own, a plug-in, splicers …")],
    recordings: Annotated[
        list[Path] | None,
        typer.Argument(metavar="RECORDINGS", help="Recorded games: a folder or files .jsonl, with what is expected."),
    ] = None,
    *,
    games: Annotated[int, typer.Option(min=0, help="How many games of random bots to check it with.")] = 3,
    players: Annotated[
        int | None, typer.Option(min=1, help="How many bots sit at the table; two, where so many may play.")
    ] = None,
    db: Database = DATABASE,
    json: AsJson = False,
) -> None:
    """Check a game: what must hold for every game, on games of bots and on recorded ones, in words.

    A recorded game is a log `x.jsonl`; where `x.expected.json` lies beside it (`tabletape audit --as-expected` writes
    it), its findings and its end have to be those. One that begins as another beside it has `{"begins": "y", "lines":
    12}` in place of the first 12 lines. A game without rules, a file in `games/`, has no bots: it is checked on
    recordings. The exit code is 1 where something does not hold.

    Example:
        tabletape check ladder
        tabletape check ladder recordings/
    """
    workspace_at(db)  # its games are known from here on
    with watched("Checking", None) as progress:
        sentences = checked(game, recordings or (), games=games, players=players or 0, progress=progress)
    if json:
        print_json([{"holds": one.holds, "problems": [each._asdict() for each in one.problems]} for one in sentences])
    else:
        _print(sentences)
    if any(one.problems for one in sentences):
        raise typer.Exit(1)


def _print(sentences: list[Checked]) -> None:
    for one in sentences:
        say(("✗ " if one.problems else "✓ ", "red" if one.problems else "green"), one.holds)
        for each in one.problems[:MOST]:
            say(f"    {each.where}: {each.instead}")
        if len(one.problems) > MOST:
            say(f"    and {len(one.problems) - MOST} more")
    wrong = sum(bool(one.problems) for one in sentences)
    verb = "does" if wrong == 1 else "do"
    remark(f"{len(sentences)} sentences, {f'{wrong} of which {verb} not hold' if wrong else 'all of which hold'}.")


MOST = 3
"""How many problems with one sentence are printed."""
