"""`tabletape branch`: bots go on from a step of a recorded game."""

from collections import Counter
from typing import Annotated

import typer

from cli.options import DATABASE, Database, Edition, Rulings, reading
from cli.output import RefusedError, say, watched
from dashboard.statistics.intervals import share_in_words
from events.log import Log
from projector.model.game import game as game_called
from projector.reading.archive import replay_of
from projector.selfplay.bots import Bot
from projector.selfplay.branch import BranchError, branches
from projector.selfplay.simulate import Plan, Simulated


def branch(  # noqa: PLR0913 - each parameter is an option of the command
    game: Annotated[str, typer.Argument(metavar="GAME", help="The id of a stored game.")],
    *,
    db: Database = DATABASE,
    step: Annotated[int, typer.Option(min=1, metavar="N", help="The event after which bots go on.")],
    games: Annotated[int, typer.Option(min=1, help="How often the rest is played.")] = 100,
    bot: Annotated[Bot, typer.Option(help="How all players decide from there on.")] = Bot.GREEDY,
    edition: Edition = "",
    ruling: Rulings = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same branches.")] = 1,
) -> None:
    """Go on from a step of a recorded game: bots play the rest, again and again, under its rules or others.

    What the log names stays as it is; cards that nobody has named and the order of the decks are dealt by lot each
    time. Branches are told and not kept: they are no games, neither of people nor of bots.

    Example:
        tabletape branch splicers-autumn-07 --step 60
        tabletape branch splicers-autumn-07 --step 60 --ruling domination_threshold=more_than
    """
    with Log.open(db) as log:
        stored = log.game(game)
        how = reading(edition, ruling, [game_called(stored.game)])
        played = replay_of(log, game)
    plan = Plan(seed=seed, bots=(bot,), edition=how.edition, rulings=how.rulings)
    found: list[Simulated] = []
    try:
        with watched("Playing", games) as progress:
            for match in branches(played, step, plan, games):
                found.append(match)
                progress(1)
    except BranchError as error:
        raise RefusedError(str(error)) from None
    winners = Counter(match.winner for match in found)
    say((f"From step {step} of {game}, the rest played {len(found):,} times by {bot} bots:", "bold"))
    for seat in played.table.players.values():
        say(f"  {seat.name} won {share_in_words(winners[seat.id], len(found))}")
    if winners[""]:
        say(f"  nobody won {share_in_words(winners[''], len(found))}")
    unfinished = [match.abandoned for match in found if match.abandoned]
    if unfinished:
        say(f"  {len(unfinished):,} of these did not end, the first one so: {unfinished[0]}")
