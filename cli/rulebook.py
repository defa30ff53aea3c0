"""`tabletape rulebook`: the designer's own rulebook in the workspace, and what the tables made of its sentences."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer

from tabletape.cli.terminal.arguments import option
from tabletape.cli.terminal.options import DATABASE, AsJson, Bots, Database, OneGame
from tabletape.cli.terminal.output import print_json, print_rows, remark, say, tally, write
from tabletape.dashboard.questions import Filters, ask
from tabletape.dashboard.rulebook.margins import Facts, Margin, Margins, facts_of, margins_of
from tabletape.dashboard.rulebook.markup import rulebook_file, without_sentence
from tabletape.dashboard.tape.choosing import chosen_game, stored_games
from tabletape.events.errors import RefusedError
from tabletape.events.log import Log
from tabletape.events.log.schema import NoLogError
from tabletape.events.vocabulary import known_games
from tabletape.events.whole_files import write_whole
from tabletape.projector.archive.audit import AtStake, games_at_stake
from tabletape.projector.archive.stored import workspace_at
from tabletape.projector.comparing.every_reading import games_read_otherwise, kept_readings
from tabletape.projector.datasets.manifest import FOLDER
from tabletape.projector.games import game, games
from tabletape.projector.model.amounts import counted
from tabletape.projector.model.game import Game
from tabletape.projector.model.suggestions import unknown
from tabletape.projector.rulebooks import kept
from tabletape.projector.rulebooks.anchors import anchors_of, written
from tabletape.projector.rulebooks.changes import TextComparison, text_changes
from tabletape.projector.rulebooks.placing import How, PlacedRulebook, placed
from tabletape.projector.rulebooks.text import RulebookFileError, RulebookText

Action = Literal["add", "show", "diff", "list", "remove", "anchors"]

FORMS = {
    "add": "tabletape rulebook add GAME FILE",
    "show": "tabletape rulebook show GAME [--out FILE.html]",
    "diff": "tabletape rulebook diff OLD NEW",
    "list": "tabletape rulebook list",
    "remove": "tabletape rulebook remove GAME",
    "anchors": "tabletape rulebook anchors FILE",
}
"""How each action is written."""

PLACEMENTS = ("same", "moved", "reworded", "altered", "by wording")
"""How a cited sentence may have been found."""

CHANGES = ("reworded", "removed", "new", "moved")
"""What may have become of a sentence."""


def rulebook(  # noqa: PLR0913 - each parameter is an option of the command
    action: Annotated[Action, typer.Argument(help="What to do; see below.")],
    names: Annotated[list[str] | None, typer.Argument(metavar="GAME|FILE", help="What to do it with.")] = None,
    *,
    db: Database = DATABASE,
    game: OneGame = "",
    out: Annotated[Path | None, option("--out FILE", "With show: write one HTML file for the author.")] = None,
    ruleset: Annotated[
        str, option("--ruleset RULESET", "With show: only games under this ruleset (default: the usual).")
    ] = "",
    bots: Bots = False,
    json: AsJson = False,
) -> None:
    """Keep your own rulebook beside the log, and see its sentences where a rule cites them.

    `add` copies a rulebook (Markdown, text, PDF) into the workspace, as `rulebooks/<game>`, and finds in it the
    sentences that the rules cite; what could not be placed is said. From then on findings, `rules ID`, the replay and
    the page Rulebook show the sentence itself. The file stays yours: Tabletape ships no rulebook.

    `show` prints every sentence with what the tables made of it, or writes one HTML file. `diff` says which sentences
    differ between two texts (a file, or a game for the one that is kept), which rules and rulings rest on them, and
    in which stored games a verdict or a winner hangs on them. `anchors` prints what a new game keeps beside its rules
    to know its text by.

    Example:
        tabletape rulebook add splicers rules-0.2a.md
        tabletape rulebook show splicers --out rulebook.html
        tabletape rulebook diff splicers rules-0.3.md
    """
    folder = workspace_at(db)
    given = names or []
    expected = {"add": 2, "show": 1, "diff": 2, "list": 0, "remove": 1, "anchors": 1}[action]
    if len(given) != expected:
        raise RefusedError(f"this is written `{FORMS[action]}`")
    if action == "add":
        _add(folder, chosen_game(given[0]), Path(given[1]), json=json)
    elif action == "show":
        one = chosen_game(given[0])
        asked: Filters = {"game": one.slug, "ruleset": ruleset, "source": "bots" if bots else "people"}
        _show(*_margins(db, _kept(folder, one), asked), out, json=json)
    elif action == "diff":
        _diff(db, folder, given, game, json=json)
    elif action == "list":
        _list(folder, json=json)
    elif action == "remove":
        _remove(folder, chosen_game(given[0]))
    else:
        write("".join(f"{line}\n" for line in written(anchors_of(kept.read_file(Path(given[0]))))))


# -- the file in the workspace -----------------------------------------------------------------------------------------


def _add(folder: Path, one: Game, file: Path, *, json: bool) -> None:
    book = kept.add(folder, one.slug, file)
    other = _game_of(book.text)
    if other is one or other is None or _with_place(placed(other, book.text)) <= _with_place(book):
        other = None
    if json:
        print_json({**_values(one, book), "looks_like": other.slug if other else None})
        return
    kind = "the very text that the rules were written from" if book.written_from else "another text of this game"
    say(f"{file}: {counted(len(book.text.sentences), 'sentence')} of {one.title}, {kind}")
    cited = [*book.rules.values(), *book.rulings.values()]
    ways = [how for _, how in {(each.sentence, each.how) for one_cited in cited for each in one_cited.placements}]
    counts = ", ".join(f"{ways.count(how)} {how}" for how in PLACEMENTS if how in ways) or "none was found"
    say(f"cited sentences: {counts}; {_with_place(book)} of {len(cited)} rules and rulings that cite any have a place")
    _print_reworded(book)
    if book.missing:
        missing = counted(len(book.missing), "rule or ruling", "rules and rulings")
        say((f"not placed, or only in part: {missing}", "yellow"))
        print_rows(["cited by", "places"], ([name, " ".join(places)] for name, places in book.missing.items()))
    if other is not None:
        out = f"`tabletape rulebook remove {one.slug}` takes it out"
        say((f"this looks like the rulebook of {other.title}; {out}", "yellow"))
    remark(
        f"Next: `tabletape rulebook show {one.slug} --out {one.slug}.html`; findings show its sentences from now on."
    )


def _print_reworded(book: PlacedRulebook) -> None:
    """Print the cited sentences that are not those that the rules were written from, word by word."""
    cited_by: dict[tuple[int, How, float], list[str]] = {}
    for name, cited in {**book.rules, **book.rulings}.items():
        for each in cited.placements:
            if each.how in kept.DOUBTS:
                cited_by.setdefault((each.sentence, each.how, each.certainty), []).append(name)
    if cited_by:
        say(("not word by word what the rules were written from", "yellow"))
        rows = (
            [f"line {book.text.sentences[number].first}", how, f"{share:.0%}", ", ".join(names)]
            for (number, how, share), names in sorted(cited_by.items())
        )
        print_rows(["sentence", "how", "alike", "cited by"], rows)


def _with_place(book: PlacedRulebook) -> int:
    return sum(bool(each.placements) for each in (*book.rules.values(), *book.rulings.values()))


def _values(one: Game, book: PlacedRulebook) -> dict[str, object]:
    return {
        "game": one.slug,
        "file": book.text.name,
        "sha256": book.text.sha256,
        "sentences": len(book.text.sentences),
        "written_from": book.written_from,
        "not_placed": book.missing,
    }


def _list(folder: Path, *, json: bool) -> None:
    rows: list[dict[str, object]] = []
    for slug in known_games():
        file = kept.kept_file(folder, slug)
        if file is None:
            continue
        try:
            book = kept.kept_rulebook(folder, slug)
        except RulebookFileError as error:
            rows.append({"game": slug, "file": file.name, "problem": str(error)})
        else:
            rows += [_values(game(slug), book)] if book else []
    if json:
        print_json(rows)
    elif not rows:
        say("no rulebook is kept here; `tabletape rulebook add GAME FILE` keeps one")
    else:
        cells = ([each["game"], each["file"], each.get("sentences", ""), _state(each)] for each in rows)
        print_rows(["game", "file", "sentences", "what is cited"], cells)


def _state(values: dict[str, object]) -> str:
    if "problem" in values:
        return str(values["problem"])
    missing = values["not_placed"]
    return f"not placed, or only in part: {len(missing)}" if isinstance(missing, dict) and missing else "all placed"


def _remove(folder: Path, one: Game) -> None:
    if not kept.remove(folder, one.slug):
        raise RefusedError(f"no rulebook of {one.slug} is kept here")
    say(f"the rulebook of {one.title} is taken out; its findings cite section and lines again")


# -- its margin --------------------------------------------------------------------------------------------------------


def _margins(db: str, book: PlacedRulebook, asked: Filters) -> tuple[Margins, str]:
    """Put what the stored games made of it beside a rulebook; return it with the ruleset that they were played by."""
    one = game(asked["game"])
    datasets = workspace_at(db) / FOLDER
    counts = {row["ruleset"]: row["games"] for row in ask("overview", datasets, **asked).to_pylist()}
    wanted = asked.get("ruleset", "")
    if wanted and wanted not in counts:
        raise RefusedError(unknown("ruleset in the datasets", wanted, sorted(counts)))
    ruleset = wanted or max(counts, key=lambda each: counts[each], default="")
    if not ruleset:
        return margins_of(one, book, Facts()), ""
    with Log.open(db) as log:
        read = kept_readings(log, log.games(game=one.slug))
    of_ruleset: Filters = {**asked, "ruleset": ruleset}
    facts = facts_of(lambda name: ask(name, datasets, **of_ruleset).to_pylist(), read, ruleset)
    return margins_of(one, book, facts), f"{counted(counts[ruleset], 'game')} under {ruleset}"


def _kept(folder: Path, one: Game) -> PlacedRulebook:
    book = kept.kept_rulebook(folder, one.slug)
    if book is None:
        raise RefusedError(
            f"no rulebook of {one.slug} is kept here: `tabletape rulebook add {one.slug} FILE` keeps one"
        )
    return book


def _show(margins: Margins, games_in_words: str, out: Path | None, *, json: bool) -> None:
    if out is not None:
        write_whole(out, rulebook_file(margins, _about(margins, games_in_words)))
        say(f"{out}: {counted(len(margins.sentences), 'sentence')}, {out.stat().st_size // 1000 + 1} kB")
    elif json:
        print_json([_margin_values(each) for each in margins.sentences])
    else:
        for line in _about(margins, games_in_words):
            remark(line)
        for each in margins.sentences:
            say((f"L{each.place:<6}", "dim"), " " + each.sentence.text)
            for note in each.rules:
                say("         ", (f"{note.rule.id}: {'; '.join(note.in_words())}", "red" if note.trouble else "dim"))
            for unclear in each.rulings:
                say("         ", ("; ".join([f"unclear: {unclear.ruling.key}", *unclear.in_words()]), "cyan"))
        for title, lines in without_sentence(margins):
            if lines:
                say()
                say((title, "bold"))
            for line in lines:
                say("  ", line)


def _about(margins: Margins, games_in_words: str) -> list[str]:
    """Return what a margin rests on, in a few sentences."""
    text = margins.book.text
    never = len({note.rule.id for each in margins.sentences for note in each.rules if note.never})
    lines = [f"{text.name}, {counted(len(text.sentences), 'sentence')}; the number before each is its line."]
    if not margins.counted:
        return [*lines, "No game is counted yet: `tabletape build` puts what the tables made of it into the margin."]
    lines.append(
        f"{games_in_words}. Trouble: decisions that broke a rule, questions and take-backs that name it, first hand; "
        f"a share has its 95 % interval. Never exercised by any game: {counted(never, 'rule')}."
    )
    return lines if margins.weighed else [*lines, "`tabletape compare --all` adds what other readings would change."]


def _margin_values(margin: Margin) -> dict[str, object]:
    return {
        "place": margin.place,
        "section": margin.sentence.section,
        "text": margin.sentence.text,
        "trouble": margin.trouble,
        "rules": [{"rule": each.rule.id, "doubt": each.doubt, "said": each.in_words()} for each in margin.rules],
        "rulings": [{"ruling": each.ruling.key, "said": each.in_words()} for each in margin.rulings],
    }


# -- two texts ---------------------------------------------------------------------------------------------------------


def _diff(db: str, folder: Path, given: list[str], named: str, *, json: bool) -> None:
    one, old, new = _texts(folder, given, named)
    compared = text_changes(one, old, new)
    at_stake: list[AtStake] = []
    by_ruling: dict[str, tuple[str, ...]] = {}
    games_there = unread = 0
    try:
        with Log.open(db) as log:
            stored = stored_games(log, None, one.slug)
            games_there = len(stored)
            at_stake = [*games_at_stake(log, stored, compared.rules)]
            read = kept_readings(log, stored) if compared.rulings else {}
            by_ruling = dict(games_read_otherwise(read, compared.rulings))
            unread = len(stored) - len(read) if compared.rulings else 0
    except NoLogError:
        pass  # without games there are none that tell the texts apart
    if json:
        broken = {each.game_id: each.broken for each in at_stake if each.broken}
        values = {"at_stake": len(at_stake), "games": broken, "games_by_ruling": by_ruling}
        print_json({"game": one.slug, "comparison": compared, **values})
        return
    _print_comparison(one, compared)
    if compared.rules and games_there:
        say(f"These rules were at stake in {len(at_stake)} of {counted(games_there, 'game')}.")
    _print_differing(at_stake, by_ruling)
    if unread:
        way = f"`tabletape compare --game {one.slug} --all`"
        remark(
            f"Whether rulings change them is not known of {counted(unread, 'game')} yet: {way} reads them every way."
        )


def _print_differing(at_stake: Sequence[AtStake], by_ruling: Mapping[str, tuple[str, ...]]) -> None:
    """Print the games whose verdict or winner hangs on the sentences that differ."""
    broken = {each.game_id: each.broken for each in at_stake if each.broken}
    differing = dict.fromkeys((*broken, *by_ruling))
    if differing:
        say()
        say((f"Games in which a verdict or the winner hangs on these sentences ({len(differing)})", "bold"))
        rows = ([each, ", ".join(broken.get(each, ())), ", ".join(by_ruling.get(each, ()))] for each in differing)
        print_rows(["game", "rules broken in it", "rulings that change it"], rows)


def _print_comparison(one: Game, comparison: TextComparison) -> None:
    counts = {what: sum(each.what == what for each in comparison.changes) for what in CHANGES}
    say(
        f"{one.title}: {comparison.old} and {comparison.new}: "
        f"{comparison.same} sentences the same, {tally(counts) or 'no other'}"
    )
    for each in comparison.changes:
        line = f"L{each.line}" if each.line else f"L{each.other_line}"
        say()
        say((f"{each.what} {line}", "bold"), f" (now L{each.other_line})" if each.line and each.other_line else "")
        if each.before:
            say("  - ", (each.before, "red" if each.what != "moved" else "dim"))
        if each.after and each.what != "moved":
            say("  + ", (each.after, "green"))
        if each.rules:
            say("    rules: ", ", ".join(each.rules))
        if each.rulings:
            say("    rulings: ", ", ".join(each.rulings))
    say()
    rules, rulings = counted(len(comparison.rules), "rule"), counted(len(comparison.rulings), "ruling")
    say(f"To be read again, because a cited sentence has other words or is gone: {rules} and {rulings}")


def _texts(folder: Path, given: list[str], named: str) -> tuple[Game, RulebookText, RulebookText]:
    """Return the two texts that are named, and the game that they are about.

    A game's name stands for its kept rulebook. Without one and without --game it is the game whose cited sentences are
    in the older text.
    """
    known = [chosen_game(each) for each in given if each in known_games()]
    old, new = (
        _kept(folder, game(each)).text if each in known_games() else kept.read_file(Path(each)) for each in given
    )
    if known or named:
        return (chosen_game(named) if named else known[0]), old, new
    best = _game_of(old)
    if best is None:
        raise RefusedError(f"{given[0]} is the rulebook of no game that Tabletape knows; --game NAME says which")
    return best, old, new


def _game_of(text: RulebookText) -> Game | None:
    """Return the game of whose cited sentences a text has most; None where it has those of none."""
    counts = [(_with_place(placed(game(slug), text)), slug) for slug in games()]
    most, slug = max(counts, default=(0, ""))
    return game(slug) if most else None
