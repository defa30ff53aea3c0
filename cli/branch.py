"""`tabletape branch`: bots go on from a step of a recorded game."""

from contextlib import suppress
from typing import Annotated

import msgspec
import typer

from tabletape.cli.terminal.options import DATABASE, AsJson, Database, Edition, Rulings
from tabletape.cli.terminal.output import print_json, print_rows, remark, say, watched
from tabletape.cli.terminal.searching import Iterations, Seconds, effort
from tabletape.dashboard.branching import Summary, play, side_by_side, summary_of
from tabletape.dashboard.tape.choosing import reading, require_bots
from tabletape.events.errors import RefusedError
from tabletape.events.log import Log
from tabletape.projector.archive.stored import replay_of
from tabletape.projector.games import game as game_called
from tabletape.projector.selfplay.branch import BranchError
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.simulate import Plan


def branch(  # noqa: PLR0913 - each parameter is an option of the command
    game: Annotated[str, typer.Argument(metavar="GAME", help="The id of a stored game.")],
    *,
    db: Database = DATABASE,
    step: Annotated[int, typer.Option(min=1, metavar="N", help="The event after which bots go on.")],
    games: Annotated[int, typer.Option(min=1, help="How often the rest is played.")] = 100,
    bot: Annotated[Bot, typer.Option(help="How all players decide from there on.")] = Bot.GREEDY,
    iterations: Iterations = None,
    seconds: Seconds = None,
    edition: Edition = "",
    ruling: Rulings = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same branches.")] = 1,
    processes: Annotated[
        int, typer.Option(min=0, metavar="N", help="How many processes to use; 0: one for each core.")
    ] = 0,
    json: AsJson = False,
) -> None:
    """Go on from a step of a recorded game: bots play the rest, again and again, under its rules or others.

    What the log names stays as it is; unnamed cards and the order of the decks are dealt by lot each
    time, but for cards that are known to lie under a deck. Branches are shown and not kept: they are no games, neither
    of people nor of bots. Ctrl-C stops it; what was played by then is shown.

    With another edition or ruling the rest is played by the recorded rules and by these, with the same dice, and both
    stand side by side.

    Example:
        tabletape branch autumn-1-07 --step 60
        tabletape branch autumn-1-07 --step 60 --ruling domination_threshold=more_than
    """
    with Log.open(db) as log:
        stored = log.game(game)
        one = game_called(stored.game)
        require_bots(one)
        how = reading(edition, ruling, [one], chosen=[stored])
        played = replay_of(log, game)
    plan = Plan(seed=seed, bots=(bot,), effort=effort(iterations, seconds), edition=how.edition, rulings=how.rulings)
    try:
        asked = side_by_side(played, step, plan)
    except BranchError as error:
        raise RefusedError(str(error)) from None
    with suppress(KeyboardInterrupt), watched("Playing", games) as progress:
        for _ in play(asked, games, processes=processes):
            progress(1)
    if not asked.number:
        remark("Nothing was played.")
    elif json:
        print_json(msgspec.to_builtins(summary_of(asked)))
    else:
        _print(summary_of(asked))


def _print(summary: Summary) -> None:
    say((summary.headline, "bold"))
    say()
    print_rows(list(summary.rows[0]), [list(row.values()) for row in summary.rows])
    say()
    for sentence in summary.sentences:
        say(sentence)
