"""The rules of a game's own file: what they accuse in the stored games, and what of the rulebook no rule cites."""

from typing import Final

from tabletape.cli.terminal.output import print_json, print_rows, remark, say
from tabletape.dashboard.own_game.rules import (
    RuleTally,
    cited_rules,
    doubt_of,
    in_sum,
    own_rules_of,
    rules_tallied,
    uncited,
)
from tabletape.events.errors import RefusedError
from tabletape.events.vocabulary import game_problems
from tabletape.events.vocabulary.open_games import open_games
from tabletape.events.workspace_files import GameFileError
from tabletape.projector.archive.stored import workspace_at
from tabletape.projector.games import game
from tabletape.projector.model.amounts import counted
from tabletape.projector.model.game import Game
from tabletape.projector.rulebooks.kept import kept_rulebook

MOST_ACCUSED: Final = 3
"""So many lines are shown of each rule."""


def check(slug: str, db: str, *, bots: bool, json: bool) -> None:
    """Print how often each rule was kept and broken, by which lines, and which sentences of the rulebook no rule cites.

    Raises `RefusedError` for a game without such a file, with all mistakes of a file that has some.
    """
    folder = workspace_at(db)
    if slug in game_problems():
        raise GameFileError(game_problems()[slug])
    if slug not in open_games():
        raise RefusedError(
            f"{slug} has no file of its own in {folder / 'games'}: `tabletape rules new {slug}` writes one"
        )
    one, told = game(slug), rules_tallied(slug, db, bots=bots)
    tally, accused = told.tally, told.accused
    open_sentences = uncited(folder, slug)
    if json:
        values = [
            {
                "rule": each.id,
                "kept": tally.kept[each.id],
                "broken": tally.broken[each.id],
                "broken_in_games": tally.broken_in[each.id],
                "unbreakable": each.id in told.never,
                "accused": [{"where": where, "line": line} for where, line in accused.get(each.id, ())],
            }
            for each in own_rules_of(one)
        ]
        sentences = [f"{each.cite} {each.own}" for each in open_sentences]
        print_json({"game": slug, "games": tally.games, "rules": values, "uncited": sentences})
        return
    _print_rules(one, told)
    if open_sentences:
        say("Sentences of the rulebook that no rule cites:")
        for number, each in enumerate(open_sentences, 1):
            say(f"{number:>4}  {each.cite} {each.own}")
        remark(f"`tabletape rules check {slug} NUMBER` makes a rule of one of these")
    elif kept_rulebook(folder, slug) is None:
        remark(f"`tabletape rulebook add {slug} FILE` shows which sentences of the rulebook no rule cites yet")


def _print_rules(one: Game, told: RuleTally) -> None:
    """Print the rules that have a sentence with their counts, which lines each accuses, and why some were not asked."""
    tally, accused = told.tally, told.accused
    rules = cited_rules(one, tally)
    say((one.title, "bold"), f"  games/{one.slug}.toml, {counted(tally.games, 'stored game')}: {in_sum(one, tally)}")
    rows = ([each.id, each.text, each.lines, str(tally.kept[each.id]), str(tally.broken[each.id])] for each in rules)
    print_rows(["rule", "says", "lines", "kept", "broken"], rows)
    for each in rules:
        if doubt := doubt_of(each, told):
            is_broken = each.id in accused
            say((each.id, "bold"), f" {'broken ' * is_broken}{doubt}{':' * is_broken}")
        for where, line in accused.get(each.id, ())[:MOST_ACCUSED]:
            say(f"  {where}  {line}")
        if (more := len(accused.get(each.id, ())) - MOST_ACCUSED) > 0:
            say(f"  and {more} more: `tabletape audit` shows them")
    checks = [each for each in own_rules_of(one) if each not in rules]
    if times := sum(tally.kept[each.id] for each in checks):
        say(f"Where cards lie and who is named has no sentence in the file, and was right {counted(times, 'time')}.")
