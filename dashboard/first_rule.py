"""The file of an own game begun: a few questions in words, and the file with a first rule that the answers make."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import tomlkit

from tabletape.events.errors import RefusedError
from tabletape.events.importing.lines.words import slug_of
from tabletape.events.vocabulary import games
from tabletape.events.vocabulary.open_games import games_of
from tabletape.events.whole_files import whole

NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
"""What a game is called in the log."""

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


NAMED: Final = {"another": "other player", "other": "other player", "any": "player", "a": "player", "nobody": ""}
"""The fields that are meant by the first word of whom one names."""

PLAYERS: Final = re.compile(r"(\d+)\s*(?:(?:-|\u2013|to)\s*(\d+))?")
COST: Final = re.compile(r"(\d+)\s+(.+)")


def file_of_new(folder: Path, slug: str) -> Path:
    """Return where the file of a new game goes.

    Raises `RefusedError` where there is one, or the name is none of a new game.
    """
    if not NAME.fullmatch(slug) or slug in games():
        meant = slug_of(slug)
        such = f": `tabletape rules new {meant}`" if meant != slug and NAME.fullmatch(meant) else ""
        raise RefusedError(
            f"{slug} is no name for a new game: small letters, digits and hyphens, and none that there is{such}"
        )
    file = folder / "games" / f"{slug}.toml"
    if file.exists():
        raise RefusedError(f"{file} is there already: add a rule to it, and see `tabletape rules check {slug}`")
    return file


def require_answer(name: str, answers: Mapping[str, str]) -> None:
    """Raise `RefusedError` where the answer called `name` cannot be used, with what it has to be.

    `answers` are those so far, this one among them.
    """
    said = answers[name].strip()
    if name == "players":
        low, high = _seats(said)
        if not 0 < low <= high:
            raise RefusedError(f"how many play is the fewest and then the most, such as 2-4, not {said!r}")
    elif name == "move" and len(re.split(r"\W+|_", said)) > 1:
        raise RefusedError(
            f"one word for one move, not {said!r}: begin with one, the others are written into the file as [move.NAME]"
        )
    elif name in {"from", "to"} and word_of(said) == word_of(answers["move"]):
        raise RefusedError(f"a place of cards is not called like the move {said!r}: such as hand, or table")
    elif name == "named":
        _named(said)
    elif name == "cost":
        _cost(said)
    elif not said:
        raise RefusedError("an answer is needed here")


def begin_file(file: Path, answers: Mapping[str, str]) -> None:
    """Write the file that answers make, which is read before it is there.

    Raises `GameFileError` where the answers make none that can be read.
    """
    text = written(answers)
    games_of(file.name, file.stem, text)
    file.parent.mkdir(parents=True, exist_ok=True)
    with whole(file) as part:
        part.write_text(text, encoding="utf-8")


def written(answers: Mapping[str, str]) -> str:
    """Return the file that answers make. Raises `RefusedError` for an answer that may mean something else."""
    for name in answers:
        require_answer(name, answers)
    low, high = _seats(answers["players"])
    move, source = word_of(answers["move"]), word_of(answers["from"])
    stated = f"says = {_quoted(answers['says'])}, cite = {_quoted(answers['cite'])}"
    lines = [f"title = {_quoted(answers['title'])}", f"players = [{low}, {high}]", ""]
    zones = [("deck", "hidden"), ("hand", "own"), ("table", "open"), ("discard", "open")]
    used = [source, word_of(answers.get("to", "table"))] if source != "nothing" else []
    zones += [(each, "open") for each in dict.fromkeys(used) if each not in dict(zones)]
    lines += ["[zones]", *(f'{name} = "{seen}"' for name, seen in zones), ""]
    amount, counter = _cost(answers["cost"])
    if counter:
        lines += ["[counters]", f"{counter} = {{ each = true }}    # start = 0 where everybody begins with that", ""]
    lines += [f"[move.{move}]"]
    named = _named(answers["named"])
    if source != "nothing":
        lines += [f'fields.card = {{ is = "card of {source}"{"" if counter or named else f", {stated}"} }}']
    if named:
        lines += [f'fields.to = {{ is = "{named}"{"" if counter else f", {stated}"} }}']
    if not (counter or named or source != "nothing"):
        lines += [f"# {answers['says']} ({answers['cite']})", "# That is a rule once it says what has to be so:"]
        lines += [f'# needs.first = {{ that = "round > 1", {stated} }}']
    if counter:
        lines += [f"costs = {{ {counter} = {amount}, {stated} }}"]
    does = f'"card -> {word_of(answers.get("to", "table"))}"' if source != "nothing" else ""
    return "\n".join([*lines, f"does = [{does}]", ""])


def _seats(said: str) -> tuple[int, int]:
    """Return how many play, at least and at most."""
    met = PLAYERS.fullmatch(said.strip())
    if met is None:
        raise RefusedError(f"how many play is a number or two, such as 2-4, not {said!r}")
    return int(met[1]), int(met[2] or met[1])


def _named(said: str) -> str:
    """Return the field for whom one names; empty for nobody."""
    word = (said.split() or ["nobody"])[0]
    if word not in NAMED:
        raise RefusedError(f"one names another player, any player or nobody, not {said!r}")
    return NAMED[word]


def _cost(said: str) -> tuple[int, str]:
    """Return how much of which counter `2 mana` is; no counter for nothing."""
    if said.strip() in {"", "nothing"}:
        return 0, ""
    met = COST.fullmatch(said.strip())
    if met is None:
        raise RefusedError(f"a cost is a number and what it is of, such as 2 mana, or nothing; not {said!r}")
    return int(met[1]), word_of(met[2])


def word_of(said: str) -> str:
    """Return a word as a file names things: small letters, and lines between them."""
    kept = "".join(each if each.isascii() and each.isalnum() else " " for each in said.lower())
    return "_".join(kept.split()) or "play"


def _quoted(said: str) -> str:
    return tomlkit.item(" ".join(said.split())).as_string()
