"""`tabletape rules`: what the rulebook says, how it is checked, and how the tables keep to it."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from tabletape.cli.terminal.arguments import option
from tabletape.cli.terminal.findings import passage_lines
from tabletape.cli.terminal.options import DATABASE, AsJson, Bots, Database, OneGame
from tabletape.cli.terminal.output import print_json, print_rows, remark, say, watched
from tabletape.dashboard.own_game.rules import rules_tallied
from tabletape.dashboard.statistics.intervals import share_in_words
from tabletape.dashboard.tape.choosing import chosen_games, counted_games
from tabletape.events.errors import RefusedError
from tabletape.events.log import Log
from tabletape.events.log.schema import NoLogError
from tabletape.events.vocabulary import known_games
from tabletape.events.vocabulary.open_games import TABLETOP
from tabletape.projector.archive.audit import Tally
from tabletape.projector.archive.stored import RulesetOverride, workspace_at
from tabletape.projector.comparing.ruleset_comparison import (
    EditionComparison,
    RulesetComparison,
    editions_compared,
    reread,
)
from tabletape.projector.games import game
from tabletape.projector.model.amounts import counted
from tabletape.projector.model.game import Game
from tabletape.projector.model.rulebook import Ruling, Variant
from tabletape.projector.model.rules import Rule
from tabletape.projector.model.suggestions import unknown
from tabletape.projector.rulebooks.kept import passages_of

HOW = {
    "checked": "checked: a finding can name it",
    "derived": "derived: the fold carries it out; a log that says otherwise is a finding of {reported_as}",
    "unchecked": "not checked: no log can show it",
}


def rules(  # noqa: PLR0913 - each parameter is an option of the command
    name: Annotated[
        str, typer.Argument(metavar="ID|check|new", help="The id of a rule, the key of a ruling, check or new.")
    ] = "",
    of: Annotated[str, typer.Argument(metavar="GAME", help="The own game that is checked, or that is new.")] = "",
    chat: Annotated[
        Path | None,
        typer.Argument(
            metavar="CHAT|NUMBER", help="The chat of an evening, as text; of `check` the number of a sentence."
        ),
    ] = None,
    rulebook: Annotated[
        Path | None, typer.Argument(metavar="RULEBOOK", help="Of a new game: its rules, as text.")
    ] = None,
    *,
    cards: Annotated[
        Path | None,
        typer.Option("--card-list", metavar="FILE", help="Of a new game: its cards, a sheet with one a row."),
    ] = None,
    db: Database = DATABASE,
    game: OneGame = "",
    rulings: Annotated[bool, option("--rulings", "List the rulings in place of the rules.")] = False,
    bots: Bots = False,
    defects: Annotated[bool, option("--defects", "List only what is a mistake of the rulebook.")] = False,
    between: Annotated[
        tuple[str, str] | None,
        typer.Option(metavar="EDITION EDITION", help="Say what differs between two editions of a rulebook."),
    ] = None,
    json: AsJson = False,
) -> None:
    """Explain the rules: our sentence, where it stands in the rulebook, how it is checked.

    With an ID also how often the stored games put the rule at stake and broke it. A ruling is the reading of an unclear
    sentence: it has named options, a default and a reason; some are plain mistakes of the rulebook (defects).

    --between names the rules and rulings that differ between two editions, and the stored games that tell them apart:
    those in which the same log has other findings, or another ending, by one edition than by the other.

    `check GAME` says of the rules in a game's own file (games/GAME.toml) how often the stored games kept and broke
    each, and which sentences of the rulebook no rule cites; `check GAME NUMBER` makes a rule of one of these.

    `new GAME CHAT RULEBOOK` reads both, asks which sentence is watched first, shows the lines of the chat that break
    it, and writes the game's file; called again, it goes on. --card-list names the cards where each has a name of its
    own, with their types and the numbers on them. Without a chat `new GAME` begins the file by its name
    alone, for a sheet of results.

    Example:
        tabletape rules --game splicers
        tabletape rules new harvest evening.txt rulebook.txt
        tabletape rules check harvest
        tabletape rules splicers.evolve.unexhausted
        tabletape rules --rulings --defects
        tabletape rules --between 0.2a-2016-08-27 0.2a
    """
    if name in {"check", "new"}:
        _own((name, of, chat, rulebook, cards), db, bots=bots, json=json)
        return
    if cards:
        raise RefusedError("--card-list belongs to `new GAME CHAT`: it says what the cards of a new game are called")
    if of:
        raise RefusedError(f"`{of}` stands behind an id: only `check GAME` and `new GAME` take a game")
    games = chosen_games(game or _game_of(name))
    if between:
        _compare_editions(games, between, db, bots=bots, json=json)
    elif name:
        _explain(name, games, db, bots=bots, json=json)
    elif rulings or defects:
        _list_rulings(
            [
                (one, each)
                for one in games
                for each in one.rulebook.by_key.values()
                if not defects or (isinstance(each, Ruling) and each.defect)
            ],
            json=json,
        )
    else:
        _list_rules(games, json=json)


def _own(asked: tuple[str, str, Path | None, Path | None, Path | None], db: str, *, bots: bool, json: bool) -> None:
    """Check the file of an own game, or begin one and go on with it."""
    from tabletape.cli.terminal import own_rules  # noqa: PLC0415 - a rule's page does not need it

    what, slug, chat, rulebook, cards = asked
    if not slug:
        raise RefusedError(f"name the game: `tabletape rules {what} GAME`")
    if what == "check" and chat is None:
        own_rules.check(slug, db, bots=bots, json=json)
        return
    from tabletape.cli.terminal import first_rule  # noqa: PLC0415 - it loads the readers of chats

    if what == "check":
        first_rule.make_rule(slug, db, str(chat))
        return
    first_rule.new(slug, db, first_rule.Given(chat, rulebook, cards))


def _game_of(name: str) -> str:
    """Return the game whose rule a name would be; nothing where it is no rule's: then all games are asked."""
    slug = name.partition(".")[0]
    return slug if slug != name and slug in known_games() else ""


def _list_rules(games: Iterable[Game], *, json: bool) -> None:
    if json:
        print_json([_rule_values(one, rule) for one in games for rule in one.rules])
        return
    for one in games:
        say((one.title, "bold"), f"  {one.rulebook.source}")
        print_rows(
            ["rule", "says", "section", "lines", "how"],
            ([rule.id, rule.text, rule.section, rule.lines, rule.how] for rule in one.rules),
        )
        say()


def _rule_values(game: Game, rule: Rule) -> dict[str, Any]:
    fields = msgspec.structs.asdict(rule)
    return {"game": game.slug, **{key: fields[key] for key in fields if key not in {"check", "number"}}}


def _list_rulings(listed: list[tuple[Game, Ruling | Variant]], *, json: bool, folder: Path | None = None) -> None:
    """Print rulings, with what the rulebook in a workspace `folder` says there where one is given."""
    if json:
        print_json([{"game": one.slug, **msgspec.to_builtins(ruling)} for one, ruling in listed])
        return
    for one, ruling in listed:
        _print_ruling(one, ruling)
        for line in passage_lines(passages_of(folder, one.slug, [ruling.key]) if folder else ()):
            say("  ", line)
        say()
    variants = sum(isinstance(each, Variant) for _, each in listed)
    chosen = f" and {counted(variants, 'variant')}" if variants else ""
    remark(f"{counted(len(listed) - variants, 'ruling')}{chosen}")


def _print_ruling(game: Game, ruling: Ruling | Variant) -> None:
    defect = "  a mistake of the rulebook" if isinstance(ruling, Ruling) and ruling.defect else ""
    say((ruling.key, "bold"), f"  {game.title}", (defect, "red"))
    say(f"  {ruling.question}")
    for number, each in enumerate(ruling.options):
        mark = " (default)" if number == 0 else "" if each.built else " (not built)"
        say("    ", (each.name, "cyan"), f"{mark}  {each.text}")
    reason = f"because: {ruling.reason}" if isinstance(ruling, Ruling) else "a table chooses it before a game"
    say("  ", (reason, "dim"))


def _explain(name: str, games: list[Game], db: str, *, bots: bool, json: bool) -> None:
    games = [*games, *([] if any(one.rulebook.open for one in games) else [game(TABLETOP.slug)])]
    for one in games:
        if name in one.by_id:
            _explain_rule(
                one, one.by_id[name], rules_tallied(one.slug, db, bots=bots).tally, workspace_at(db), json=json
            )
            return
    named = [(one, one.rulebook.by_key[name]) for one in games if name in one.rulebook.by_key]
    if not named:
        # A rule's id begins with its game: what is near in another game was not meant.
        meant = [one for one in games if one.slug == name.partition(".")[0]]
        known = [
            *(each for one in meant or games for each in one.by_id),
            *(each for one in games if not meant for each in one.rulebook.by_key),
        ]
        raise RefusedError(unknown("rule or ruling", name, known))
    _list_rulings(named, json=json, folder=workspace_at(db))


def _explain_rule(game: Game, rule: Rule, tally: Tally, folder: Path, *, json: bool) -> None:
    passages = passages_of(folder, game.slug, [rule.id])
    kept_times, broken = tally.kept[rule.id], tally.broken[rule.id]
    if json:
        counts = {
            "games": tally.games,
            "kept": kept_times,
            "broken": broken,
            "broken_in_games": tally.broken_in[rule.id],
        }
        print_json({**_rule_values(game, rule), **counts, "rulebook": passages})
        return
    say((rule.id, "bold"))
    say(f"  {rule.text}")
    say(f"  {game.title}: {rule.citation or 'a check of Tabletape, not a sentence of the rulebook'}")
    for line in passage_lines(passages):
        say("  ", line)
    say(f"  {HOW[rule.how].format(reported_as=rule.reported_as)}")
    if rule.reason:
        say("  ", (f"because: {rule.reason}", "dim"))
    if rule.editions:
        say(f"  only in version {', '.join(rule.editions)}")
    say(f"  {_rate(rule, tally)}")


def _rate(rule: Rule, tally: Tally) -> str:
    if not tally.games:
        return "no games of this kind are stored, so there is nothing to count"
    kept_times, broken = tally.kept[rule.id], tally.broken[rule.id]
    if not kept_times + broken:
        return f"never at stake in {counted(tally.games, 'stored game')}"
    share = share_in_words(broken, kept_times + broken)
    return (
        f"broken {share} of the times it was at stake, in {tally.broken_in[rule.id]} of {counted(tally.games, 'game')}"
    )


# -- two editions ------------------------------------------------------------------------------------------------------


def _compare_editions(games: Sequence[Game], labels: tuple[str, str], db: str, *, bots: bool, json: bool) -> None:
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
