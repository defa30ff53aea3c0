"""The rules of a game's own file: what they accuse in the stored games, and what of the rulebook no rule cites."""

from pathlib import Path
from typing import Final

import msgspec
import typer

from tabletape.cli.terminal.output import complain, print_json, print_rows, remark, say
from tabletape.dashboard.first_file import begin_file
from tabletape.dashboard.first_rule import FirstQuestion, file_of_new, questions, require_answer
from tabletape.dashboard.own_rules import doubt_of, own_rules_of, tally_of, uncited
from tabletape.events.errors import RefusedError
from tabletape.events.vocabulary import game_problems
from tabletape.events.vocabulary.open_games import open_games
from tabletape.events.whole_files import made_folder, write_whole
from tabletape.events.workspace_files import GameFileError
from tabletape.projector.archive.stored import workspace_at
from tabletape.projector.games import game
from tabletape.projector.model.amounts import counted
from tabletape.projector.rulebooks.kept import kept_rulebook

HAND_GUIDE: Final = "docs/my-game.md"


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
        print_json({"game": slug, "games": tally.games, "rules": values, "uncited": open_sentences})
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
        for sentence in open_sentences:
            say(f"  {sentence}")
    elif kept_rulebook(folder, slug) is None:
        remark(f"`tabletape rulebook add {slug} FILE` shows which sentences of the rulebook no rule cites yet")


# -- a new file --------------------------------------------------------------------------------------------------------


def new(slug: str, db: str) -> None:
    """Ask in words about a game, and write its file; a file that is there is left as it is.

    Answers that make no file yet, since somebody stopped, are offered the next time.

    Raises `RefusedError` where there is one, `GameFileError` where the answers make none.
    """
    file = file_of_new(workspace_at(db), slug)
    kept, answers = file.with_suffix(".answers"), dict[str, str]()
    before = {"title": slug.replace("-", " ").title(), **_kept(kept)}
    try:
        for question in questions(answers):
            _ask(question._replace(usual=before.get(question.name, question.usual)), answers)
        begin_file(file, answers)
    except (typer.Abort, GameFileError):
        with made_folder(kept.parent):
            write_whole(kept, msgspec.json.encode(before | answers).decode())
        remark(f"No file is written yet: `tabletape rules new {slug}` offers these answers again")
        raise
    kept.unlink(missing_ok=True)
    say(f"Written: {file}")
    remark(
        f"Next: `tabletape map CHAT.txt --game {slug}` reads the chat of an evening by it, then `tabletape import "
        f"CHAT.txt` and `tabletape audit`. Further rules are written into the file: {HAND_GUIDE}"
    )


def _kept(file: Path) -> dict[str, str]:
    """Return the answers that were given before somebody stopped; none where nobody did."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=dict[str, str])
    except FileNotFoundError:
        return {}
    except msgspec.DecodeError as error:
        raise RefusedError(f"{file} holds no answers: {error}; delete it to begin anew") from None


def _ask(question: FirstQuestion, answers: dict[str, str]) -> None:
    """Ask until there is an answer that can be used, and say each time what was wrong with it."""
    while True:
        answers[question.name] = str(typer.prompt(question.text, default=question.usual or None))
        try:
            require_answer(question.name, answers)
        except RefusedError as error:
            del answers[question.name]
            complain(str(error))
        else:
            return
