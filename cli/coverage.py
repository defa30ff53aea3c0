"""`tabletape coverage`: what no stored game has tried yet."""

from tabletape.cli.terminal.options import DATABASE, AsJson, Bots, Database, OneGame, readable_games
from tabletape.cli.terminal.output import print_json, remark, say, watched
from tabletape.dashboard.tape.choosing import chosen_games, counted_games
from tabletape.events.log import Log
from tabletape.projector.archive.audit import audit
from tabletape.projector.archive.stored import cards_of, workspace
from tabletape.projector.datasets.coverage import Coverage
from tabletape.projector.fold.traced import Traced
from tabletape.projector.model.amounts import counted
from tabletape.projector.model.cards import CardError


def coverage(*, db: Database = DATABASE, game: OneGame = "", bots: Bots = False, json: AsJson = False) -> None:
    """Show what to test next: the rules, events, cards, keywords and endings that no stored game has exercised.

    A rule is exercised when it was at stake, a card when it was drawn, played, used or laid out from the beginning, an
    ending when a game ended so.
    Without --game the games that are stored are looked at; a game that has no stored games yet is asked for by name.

    Example:
        tabletape coverage --game splicers
    """
    with Log.open(db) as log:
        chosen = readable_games(counted_games(log, game, bots=bots))
        slugs = [game] if game else sorted({each.game for each in chosen})
        coverages: dict[str, Coverage] = {}
        for one in (one for slug in slugs for one in chosen_games(slug)):
            try:
                coverages[one.slug] = Coverage(one, cards_of(workspace(log), one.slug).library)
            except CardError as error:
                remark(f"Left out: {error}.", style="yellow")
        chosen = [each for each in chosen if each.game in coverages]
        with watched("Looking", len(chosen)) as progress:
            for each in audit(log, chosen, traced=True):
                if isinstance(each.replay, Traced):
                    coverages[each.stored.game].take(each.replay)
                progress(1)
    if json:
        print_json({slug: _values(covered) for slug, covered in coverages.items()})
        return
    for covered in coverages.values():
        _print(covered)
    if not coverages:
        say("No games are stored, so nothing has been tried: `tabletape import` takes logs in.")


def _values(coverage: Coverage) -> dict[str, object]:
    parts = {name: {"there_are": len(part.there_are), "missing": part.missing} for name, part in coverage.parts()}
    return {"games": coverage.games, **parts}


def _print(coverage: Coverage) -> None:
    say((coverage.game.title, "bold"), f"  {counted(coverage.games, 'game')}")
    for name, part in coverage.parts():
        total = len(part.there_are)
        if not total:
            continue
        say("  ", (f"{name}: {total - len(part.missing)} of {total}", "bold"), ", not yet:" if part.missing else "")
        for each in part.missing:
            say(f"    {each}")
    say()
