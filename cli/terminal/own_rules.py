"""The rules of a game's own file: what they accuse in the stored games, and what of the rulebook no rule cites."""

from tabletape.cli.terminal.output import print_json, print_rows, remark, say
from tabletape.dashboard.own_game.rules import doubt_of, own_rules_of, tally_of, uncited
from tabletape.events.errors import RefusedError
from tabletape.events.vocabulary import game_problems
from tabletape.events.vocabulary.open_games import open_games
from tabletape.events.workspace_files import GameFileError
from tabletape.projector.archive.stored import workspace_at
from tabletape.projector.games import game
from tabletape.projector.model.amounts import counted
from tabletape.projector.rulebooks.kept import kept_rulebook


def check(slug: str, db: str, *, bots: bool, json: bool) -> None:
    """Print how often each rule of a file was kept and broken, and which sentences of the rulebook no rule cites.

    Raises `RefusedError` for a game without such a file, with all mistakes of a file that has some.
    """
    folder = workspace_at(db)
    if slug in game_problems():
        raise GameFileError(game_problems()[slug])
    if slug not in open_games():
        raise RefusedError(
            f"{slug} has no file of its own in {folder / 'games'}: `tabletape rules new {slug}` writes one"
        )
    one, tally = game(slug), tally_of(slug, db, bots=bots)
    own = own_rules_of(one)
    rows = [(rule, tally.kept[rule.id], tally.broken[rule.id], tally.broken_in[rule.id]) for rule in own]
    open_sentences = uncited(folder, slug)
    if json:
        values = [{"rule": r.id, "kept": k, "broken": b, "broken_in_games": g} for r, k, b, g in rows]
        print_json(
            {
                "game": slug,
                "games": tally.games,
                "rules": values,
                "uncited": [f"{each.cite} {each.own}" for each in open_sentences],
            }
        )
        return
    say(
        (one.title, "bold"),
        f"  {counted(len(own), 'rule')} in games/{slug}.toml, {counted(tally.games, 'stored game')}",
    )
    print_rows(
        ["rule", "says", "lines", "kept", "broken", ""],
        ([r.id, r.text, r.lines, str(k), str(b), doubt_of(r.id, tally)] for r, k, b, _ in rows),
    )
    if open_sentences:
        say("Sentences of the rulebook that no rule cites:")
        for number, each in enumerate(open_sentences, 1):
            say(f"{number:>4}  {each.cite} {each.own}")
        remark(f"`tabletape rules check {slug} NUMBER` makes a rule of one of these")
    elif kept_rulebook(folder, slug) is None:
        remark(f"`tabletape rulebook add {slug} FILE` shows which sentences of the rulebook no rule cites yet")
