"""The rules of a game's own file: what they accuse in the stored games, and what of the rulebook no rule cites."""

import re
from typing import Any, Final

import typer

from tabletape.cli.terminal.output import print_json, print_rows, remark, say
from tabletape.dashboard.own_rules import doubt_of, own_rules_of, tally_of, uncited
from tabletape.events.errors import RefusedError
from tabletape.events.importing.lines.words import slug_of
from tabletape.events.vocabulary import game_problems, games
from tabletape.events.vocabulary.open_games import open_games
from tabletape.events.whole_files import whole
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
        raise RefusedError(game_problems()[slug])
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
        ([r.id, r.text, r.lines, str(k), str(b), doubt_of(k, b, g, tally.games)] for r, k, b, g in rows),
    )
    if open_sentences:
        say("Sentences of the rulebook that no rule cites:")
        for sentence in open_sentences:
            say(f"  {sentence}")
    elif kept_rulebook(folder, slug) is None:
        remark(f"`tabletape rulebook add {slug} FILE` shows which sentences of the rulebook no rule cites yet")


# -- a new file --------------------------------------------------------------------------------------------------------

ASKED: Final[tuple[tuple[str, str, str], ...]] = (
    ("title", "What is the game called?", ""),
    ("players", "How many play, at least and at most?", "2-4"),
    ("move", "What does one do in a turn? One word, such as play, lay, clue", "play"),
    ("from", "Where does the card come from that one {move}s? hand, table, or nothing where it takes no card", "hand"),
    ("to", "Where does it go?", "table"),
    ("named", "Whom does one name in it? another player, any player, or nobody", "nobody"),
    ("cost", "What does it cost? Such as 2 mana, or nothing", "nothing"),
    ("says", "Which sentence of the rulebook is that? In your own words", "A card is played from the own hand."),
    ("cite", "Where does the sentence stand? Such as L12 or p. 3", "p. 1"),
)
"""What is asked for a new file: the name of the answer, the question, the usual answer."""


NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
"""What a game is called in the log."""

NAMED: Final = {"another": "other player", "other": "other player", "any": "player", "a": "player"}
"""The fields that are meant by the first word of whom one names."""


def new(slug: str, db: str) -> None:
    """Ask in words about a game, and write its file; a file that is there is left as it is.

    Raises `RefusedError` where there is one, or the answers make none.
    """
    if not NAME.fullmatch(slug) or slug in games():
        meant = slug_of(slug)
        such = f": `tabletape rules new {meant}`" if meant != slug and NAME.fullmatch(meant) else ""
        raise RefusedError(
            f"{slug} is no name for a new game: small letters, digits and hyphens, and none that there is{such}"
        )
    file = workspace_at(db) / "games" / f"{slug}.toml"
    if file.exists():
        raise RefusedError(f"{file} is there already: add a rule to it, and see `tabletape rules check {slug}`")
    answers: dict[str, str] = {}
    for name, question, usual in ASKED:
        if name == "to" and answers["from"] == "nothing":
            continue
        answers[name] = str(typer.prompt(question.format(**answers), default=usual or slug.replace("-", " ").title()))
    file.parent.mkdir(parents=True, exist_ok=True)
    with whole(file) as part:
        part.write_text(written(answers), encoding="utf-8")
    say(f"Written: {file}")
    remark(f"`tabletape rules check {slug}` tries it; a line of the log is `move.{_word(answers['move'])}`")


def written(answers: dict[str, str]) -> str:
    """Return the file that answers make."""
    few, _, many = answers["players"].replace(" ", "").partition("-")
    low = int(few) if few.isdigit() else 2
    high = int(many) if many.isdigit() else low
    move, source = _word(answers["move"]), _word(answers["from"])
    stated = f"says = {_quoted(answers['says'])}, cite = {_quoted(answers['cite'])}"
    lines = [f"title = {_quoted(answers['title'])}", f"players = [{low}, {high}]", ""]
    zones = [("deck", "hidden"), ("hand", "own"), ("table", "open"), ("discard", "open")]
    used = [source, _word(answers.get("to", "table"))] if source != "nothing" else []
    zones += [(each, "open") for each in dict.fromkeys(used) if each not in dict(zones)]
    lines += ["[zones]", *(f'{name} = "{seen}"' for name, seen in zones), ""]
    amount, counter = _cost(answers["cost"])
    if counter:
        lines += ["[counters]", f"{counter} = {{ each = true }}    # start = 0 where everybody begins with that", ""]
    lines += [f"[move.{move}]"]
    named = NAMED.get(answers["named"].split()[0] if answers["named"].strip() else "", "")
    if source != "nothing":
        lines += [f'fields.card = {{ is = "card of {source}"{"" if counter or named else f", {stated}"} }}']
    if named:
        lines += [f'fields.to = {{ is = "{named}"{"" if counter else f", {stated}"} }}']
    if not (counter or named or source != "nothing"):
        lines += [f"# {answers['says']} ({answers['cite']})", "# That is a rule once it says what has to be so:"]
        lines += [f'# needs.first = {{ that = "round > 1", {stated} }}']
    if counter:
        lines += [f"costs = {{ {counter} = {amount}, {stated} }}"]
    does = f'"card -> {_word(answers.get("to", "table"))}"' if source != "nothing" else ""
    return "\n".join([*lines, f"does = [{does}]", ""])


def _cost(said: str) -> tuple[int, str]:
    """Return how much of which counter `2 mana` is; no counter for nothing."""
    words = said.split()
    if len(words) > 1 and words[0].isdigit():
        return int(words[0]), _word(" ".join(words[1:])).replace("-", "_")
    return 0, ""


def _word(said: str) -> str:
    """Return a word as a file names things: small letters, and lines between them."""
    kept = "".join(each if each.isascii() and each.isalnum() else " " for each in said.lower())
    return "_".join(kept.split()) or "play"


def _quoted(said: str) -> Any:
    return '"' + said.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'
