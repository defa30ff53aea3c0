"""`tabletape simulate`: bots play whole games, and what they did becomes a log."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from tabletape.cli.terminal.arguments import option
from tabletape.cli.terminal.options import DATABASE, Database, Edition, Rulings
from tabletape.cli.terminal.output import complain, remark, tally, watched
from tabletape.cli.terminal.searching import Iterations, Seconds, effort
from tabletape.dashboard.tape.simulating import keep, planned
from tabletape.events.errors import RefusedError
from tabletape.events.log import Log
from tabletape.events.log.new import removed_if_empty
from tabletape.events.log.rows import as_lines
from tabletape.events.whole_files import whole
from tabletape.projector.archive.card_versions import texts_of
from tabletape.projector.archive.stored import workspace, workspace_at
from tabletape.projector.model.amounts import counted
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.many import played
from tabletape.projector.selfplay.simulate import SEATS, Simulated


def simulate(  # noqa: PLR0913 - each parameter is an option of the command
    game: Annotated[str, typer.Argument(metavar="GAME", help="The name of a game: splicers, evolve …")],
    *,
    db: Database = DATABASE,
    games: Annotated[int, typer.Option(min=1, help="How many games to play.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same games, byte by byte.")] = 1,
    players: Annotated[
        int | None,
        typer.Option(min=1, max=len(SEATS), help="How many players sit at the table; two, where so many may play."),
    ] = None,
    bot: Annotated[
        list[Bot], typer.Option(help="How the players decide, seat by seat; the last one goes for the rest too.")
    ] = [Bot.RANDOM],  # noqa: B006 - Typer copies the default
    deck: Annotated[
        list[str] | None, typer.Option(help="Deck lists, seat by seat; chosen by luck where none is given.")
    ] = None,
    iterations: Iterations = None,
    seconds: Seconds = None,
    edition: Edition = "",
    ruling: Rulings = None,
    full: Annotated[bool, option("--full", "Also write down what the rules make of each line.")] = False,
    limit: Annotated[int, typer.Option(min=10, help="Abandon a game after this many events.")] = 5000,
    processes: Annotated[
        int, typer.Option(min=0, metavar="N", help="How many processes to use; 0: one for each core.")
    ] = 1,
    out: Annotated[Path | None, option("--out FILE", "Write the log to a file.")] = None,
    into_log: Annotated[bool, option("--import", "Put the games into the log straight away.")] = False,
) -> None:
    """Play games with bots, by the rules and with real hidden decks, and write their log.

    The log goes to standard output, unless --out or --import says otherwise. Games of bots are told apart from those of
    people by their ids, which begin with `bot-`. A game that does not end is abandoned and reported.

    Example:
        tabletape simulate splicers --games 100 --seed 7 --import
        tabletape simulate splicers --bot greedy --bot random --out bots.jsonl
        tabletape simulate crystal --bot search --bot greedy --iterations 200
    """
    if out and into_log:
        raise RefusedError("--out and --import are two ways for one log: give one of them")
    plan = planned(
        game,
        seed=seed,
        players=players or 0,
        bots=bot,
        decks=deck or (),
        effort=effort(iterations, seconds),
        edition=edition,
        rulings=ruling,
        full=full,
        limit=limit,
    )
    counts = _Tally()
    with (
        _sink(game, out, db if into_log else "") as keep_match,
        watched("Playing", games, printing=not (out or into_log)) as progress,
    ):
        for match in played(workspace_at(db), game, plan, games, processes=processes):
            counts.take(match, keep_match(match))
            progress(1)
    counts.print()
    if counts.wrong:
        raise typer.Exit(1)


class _Tally:
    """What is said about the games when they are over."""

    def __init__(self) -> None:
        self.games = 0
        self.events = 0
        self.wrong = False
        self.endings: Counter[str] = Counter()
        self.kept: Counter[str] = Counter()

    def take(self, match: Simulated, state: str) -> None:
        """Count a game; complain at once where something is wrong with it."""
        self.games += 1
        self.events += len(match.events)
        self.kept[state] += 1
        who = " and ".join(match.winners) or "nobody"
        self.endings[f"{who} won ({match.reason or 'not finished'})"] += 1
        if match.abandoned:
            remark(f"{match.game_id} was abandoned: {match.abandoned}", "yellow")
        if match.findings:
            first = match.findings[0]
            complain(f"{match.game_id}, event {first.seq}: a legal decision breaks {first.rule}: {first.message}")
        if state == "refused":
            complain(f"{match.game_id} is stored already and went another way: choose another --seed")
        self.wrong = self.wrong or bool(match.findings) or state == "refused"

    def print(self) -> None:
        """Say what the games come to."""
        endings = "; ".join(f"{ending}: {number}" for ending, number in self.endings.most_common())
        remark(f"{counted(self.games, 'game')}, {counted(self.events, 'event')}. {endings}")
        if "written" not in self.kept:
            remark(f"In the log: {tally(self.kept)}")
        if self.kept["new"]:
            remark("Next: `tabletape build`, then `tabletape stats --bots`.")


@contextmanager
def _sink(slug: str, out: Path | None, db: str) -> Iterator[Callable[[Simulated], str]]:
    """Return what keeps a game: in a file, which appears only when it is whole, in the log, or on standard output."""
    if db:
        with removed_if_empty(db), Log.open(db, create=True) as log:
            texts = texts_of(workspace(log), slug)
            yield lambda match: keep(log, match, texts)
    elif out:
        with whole(out) as part, part.open("wb") as file:
            yield lambda match: _write(file, match)
    else:
        yield lambda match: _write(sys.stdout.buffer, match)


def _write(file: BinaryIO, match: Simulated) -> str:
    file.write(as_lines(match.events))
    return "written"
