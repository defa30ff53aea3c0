"""`tabletape compare`: what another reading of the rulebook would change."""

from typing import Annotated

import typer

from tabletape.cli.terminal.arguments import option
from tabletape.cli.terminal.options import (
    DATABASE,
    AsJson,
    Bots,
    Cards,
    Database,
    Edition,
    GameIds,
    OneGame,
    Processes,
    Rulings,
)
from tabletape.cli.terminal.output import INTERRUPTED_CODE, print_json, print_rows, remark, say, watched
from tabletape.dashboard.tape.choosing import concerned_by, counted_games, reading, stored_games
from tabletape.events.errors import RefusedError
from tabletape.events.log import Log
from tabletape.events.log.rows import StoredGame
from tabletape.projector.comparing.every_reading import (
    GameReadings,
    Weight,
    games_with_rulings,
    kept_readings,
    read_every_way,
    weights,
)
from tabletape.projector.comparing.ruleset_comparison import RulesetComparison, reread
from tabletape.projector.games import game as game_called
from tabletape.projector.model.amounts import counted

PROOFS = 3
"""How many games are named as proof of what a reading changes."""


def compare(  # noqa: PLR0913 - each parameter is an option of the command
    games: GameIds = None,
    *,
    db: Database = DATABASE,
    game: OneGame = "",
    edition: Edition = "",
    ruling: Rulings = None,
    cards: Cards = "",
    every: Annotated[
        bool, option("--all", "Try every other option of every ruling, one at a time, and rank what they change.")
    ] = False,
    processes: Processes = 0,
    bots: Bots = False,
    json: AsJson = False,
) -> None:
    """Show what another edition or ruling would change: which games' winners and findings differ, and how.

    Every game is read as its own table read the rulebook, and once more by the edition and rulings given here. The log
    stays as it is. The exit code is 0 whether anything changes or not.

    With --all each game is read by every other option of every ruling, all others left as they are; the rulings are
    ranked by the winners, endings and verdicts that they would change, with games that prove it. Of games that are not
    named, those of people are counted. It is what --processes and --bots are for. Ctrl-C stops it: what was read is
    kept, and the next run goes on from there.

    Example:
        tabletape compare --ruling domination_threshold=more_than
        tabletape compare --game splicers --edition 0.2a-2016-08-27
        tabletape compare --game splicers --all
    """
    if every and (edition or ruling or cards):
        raise RefusedError("--all tries every ruling by itself: leave --edition, --ruling and --cards out")
    if not (every or edition or ruling):
        raise RefusedError(
            "say what to compare with: --edition EDITION or --ruling KEY=OPTION, or --all for every ruling"
        )
    with Log.open(db) as log:
        if every:
            chosen = stored_games(log, games, game) if games else counted_games(log, game, bots=bots)
            _compare_all(log, chosen, processes, json=json)
            return
        chosen = stored_games(log, games, game)
        how = reading(edition, ruling, concerned_by(chosen, game), cards, chosen=chosen)
        with watched("Reading twice", len(chosen)) as progress:
            comparisons = []
            for each in reread(log, chosen, how):
                progress(1)
                comparisons.append(each)
    changed = [each for each in comparisons if each.changed]
    if json:
        print_json({"games": len(comparisons), "changed": changed})
        return
    winners = sum(each.before != each.after for each in changed)
    gone, new = (sum(len(getattr(each, side)) for each in changed) for side in ("gone", "new"))
    say(
        f"{counted(len(comparisons), 'game')} read twice: {len(changed)} of them change, {winners} in how they end; "
        f"{counted(gone, 'finding')} would go, {new} would come"
    )
    for each in changed:
        _print(each)


def _print(game: RulesetComparison) -> None:
    ending = f"{game.before} → {game.after}" if game.before != game.after else f"still {game.after}"
    say()
    say((game.game_id, "bold"), f"  {ending}")
    for sign, style, findings in (("-", "red", game.gone), ("+", "green", game.new)):
        for each in findings:
            say("  ", (f"{sign} {each.seq:>4}  {each.kind} {each.rule}", style), f"  {each.message}")


# -- every reading -----------------------------------------------------------------------------------------------------


def _compare_all(log: Log, chosen: list[StoredGame], processes: int, *, json: bool) -> None:
    chosen = games_with_rulings(chosen)
    stopped = False
    with watched("Reading every way", len(chosen)) as progress:
        try:
            comparisons = read_every_way(log, chosen, progress, processes)
        except KeyboardInterrupt:
            comparisons, stopped = kept_readings(log, chosen), True
    by_game: dict[str, list[GameReadings]] = {}
    for each in chosen:
        if each.game_id in comparisons:
            by_game.setdefault(each.game, []).append(comparisons[each.game_id])
    if json:
        print_json({slug: {"games": len(mine), "readings": weights(mine)} for slug, mine in by_game.items()})
    else:
        for slug, mine in by_game.items():
            _rank(slug, mine)
    if stopped:
        remark(
            f"Stopped after {counted(len(comparisons), 'game')} of {len(chosen)}; the same command goes on from there."
        )
        raise typer.Exit(INTERRUPTED_CODE)


def _rank(slug: str, mine: list[GameReadings]) -> None:
    ranked = weights(mine)
    changing = [each for each in ranked if each.changed]
    say((game_called(slug).title, "bold"), f"  {counted(len(mine), 'game')}, each read {len(ranked)} other ways")
    if changing:
        print_rows(
            ["reading", "other winner", "other ending", "games that change", "of", "verdicts", "such as"],
            (
                [
                    f"{each.ruling}={each.option}", each.winners, each.endings, each.changed, each.games,
                    each.verdicts, _proof(each),
                ]
                for each in changing
            ),
        )  # fmt: skip
    silent = [f"{each.ruling}={each.option}" for each in ranked if not each.changed]
    if silent:
        say((f"{counted(len(silent), 'reading')} would change nothing in these games: {', '.join(silent)}", "dim"))
    refused = sorted({name for each in mine for name in each.refused})
    if refused:
        say((f"not beside the other rulings of these games: {', '.join(refused)}", "dim"))
    stopped = [each.game_id for each in mine if each.stopped]
    if stopped:
        say((f"{counted(len(stopped), 'game')} cannot be read: {', '.join(stopped[:PROOFS])}", "yellow"))
    say()


def _proof(weight: Weight) -> str:
    named = [f"{game_id}:{seq}" if seq else game_id for game_id, seq in weight.proof[:PROOFS]]
    more = len(weight.proof) - len(named)
    return ", ".join(named) + (f" and {more} more" if more else "")
