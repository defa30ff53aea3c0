"""`tabletape compare`: what another reading of the rulebook would change."""

from cli.options import (
    DATABASE,
    AsJson,
    Cards,
    Database,
    Edition,
    GameIds,
    OneGame,
    Rulings,
    chosen_games,
    reading,
    stored_games,
)
from cli.output import RefusedError, counted, print_json, say, watched
from events.log import Log
from projector.model.game import game as game_called
from projector.reading.ruleset_comparison import RulesetComparison, reread


def compare(  # noqa: PLR0913 - each parameter is an option of the command
    games: GameIds = None,
    *,
    db: Database = DATABASE,
    game: OneGame = "",
    edition: Edition = "",
    ruling: Rulings = None,
    cards: Cards = "",
    json: AsJson = False,
) -> None:
    """Show what another edition or ruling would change: which games' winners and findings differ, and how.

    Every game is read as its own table read the rulebook, and once more by the edition and rulings given here. The log
    stays as it is. The exit code is 0 whether anything changes or not.

    Example:
        tabletape compare --ruling domination_threshold=more_than
        tabletape compare --game splicers --edition 0.2a-2016-08-27
    """
    if not (edition or ruling):
        raise RefusedError("say what to compare with: --edition EDITION or --ruling KEY=OPTION")
    with Log.open(db) as log:
        chosen = stored_games(log, games, game)
        concerned = [game_called(each) for each in {one.game for one in chosen}] or chosen_games(game)
        how = reading(edition, ruling, concerned, cards)
        with watched("Reading twice", len(chosen)) as progress:
            found = []
            for each in reread(log, chosen, how):
                progress(1)
                found.append(each)
    changed = [each for each in found if each.changed]
    if json:
        print_json({"games": len(found), "changed": changed})
        return
    winners = sum(each.before != each.after for each in changed)
    gone, new = (sum(len(getattr(each, side)) for each in changed) for side in ("gone", "new"))
    say(
        f"{counted(len(found), 'game')} read twice: {len(changed)} of them change, {winners} in how they end; "
        f"{counted(gone, 'finding')} would go, {new} would come"
    )
    for each in changed:
        _tell(each)


def _tell(game: RulesetComparison) -> None:
    ending = f"{game.before} → {game.after}" if game.before != game.after else f"still {game.after}"
    say()
    say((game.game_id, "bold"), f"  {ending}")
    for sign, style, findings in (("-", "red", game.gone), ("+", "green", game.new)):
        for each in findings:
            say("  ", (f"{sign} {each.seq:>4}  {each.kind} {each.rule}", style), f"  {each.message}")
