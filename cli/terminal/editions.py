"""Two editions of a rulebook beside each other: what differs, and which stored games tell them apart."""

from collections.abc import Sequence

from tabletape.cli.terminal.output import print_json, print_rows, say, watched
from tabletape.dashboard.tape.choosing import counted_games
from tabletape.events.errors import RefusedError
from tabletape.events.log import Log
from tabletape.events.log.schema import NoLogError
from tabletape.projector.archive.stored import RulesetOverride
from tabletape.projector.comparing.ruleset_comparison import (
    EditionComparison,
    RulesetComparison,
    editions_compared,
    reread,
)
from tabletape.projector.model.amounts import counted
from tabletape.projector.model.game import Game
from tabletape.projector.model.suggestions import unknown


def compare_editions(games: Sequence[Game], labels: tuple[str, str], db: str, *, bots: bool, json: bool) -> None:
    """Print what differs between two editions, for each game that has both. Raises `RefusedError` where none has."""
    both = [one for one in games if set(labels) <= one.rulebook.labels]
    if not both:
        raise RefusedError(_why_none(games, labels))
    comparisons = [(one, editions_compared(one, *labels), _distinguishing(one, labels, db, bots=bots)) for one in both]
    if json:
        print_json([{"comparison": compared, "games": distinguishing} for _, compared, distinguishing in comparisons])
        return
    for one, compared, distinguishing in comparisons:
        _print_comparison(one, compared)
        _print_games(distinguishing)


def _why_none(games: Sequence[Game], labels: tuple[str, str]) -> str:
    known = [each.label for one in games for each in one.rulebook.editions]
    for label in labels:
        if label not in known:
            return unknown("edition", label, known)
    return f"{labels[0]} and {labels[1]} are editions of different games"


def _distinguishing(one: Game, labels: tuple[str, str], db: str, *, bots: bool) -> list[RulesetComparison]:
    """Return the stored games that are read otherwise by the second edition than by the first."""
    first, second = (RulesetOverride(label) for label in labels)
    try:
        with Log.open(db) as log:
            chosen = counted_games(log, one.slug, bots=bots)
            changed = []
            with watched("Reading twice", len(chosen)) as progress:
                for each in reread(log, chosen, second, first):
                    progress(1)
                    changed += [each] if each.changed else []
            return changed
    except NoLogError:
        return []


def _print_comparison(one: Game, compared: EditionComparison) -> None:
    say((one.title, "bold"), f"  {compared.first} and {compared.second}")
    for label, rules in ((compared.first, compared.only_first), (compared.second, compared.only_second)):
        for rule in rules:
            say(f"  only in {label}: ", (rule, "bold"), f"  {one.by_id[rule].text}")
    for key, before, after in compared.rulings:
        say("  ", (key, "bold"), f": {before} in {compared.first}, {after} in {compared.second}")
        say("    ", (one.rulebook.by_key[key].question, "dim"))
    if not (compared.only_first or compared.only_second or compared.rulings):
        say("  no rule and no ruling differs")


def _print_games(distinguishing: Sequence[RulesetComparison]) -> None:
    if not distinguishing:
        say("  no stored game tells them apart")
        say()
        return
    say(f"  {counted(len(distinguishing), 'stored game tells', 'stored games tell')} them apart:")
    rows = (
        [each.game_id, str(each.before), str(each.after), len(each.gone), len(each.new), _first(each)]
        for each in distinguishing
    )
    print_rows(["game", "ends by the first", "by the second", "findings gone", "new", "first at event"], rows)
    say()


def _first(each: RulesetComparison) -> str:
    return str(min((finding.seq for finding in (*each.gone, *each.new)), default=""))
