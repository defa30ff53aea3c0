"""The words that players and keepers read on phones, in their language: one catalogue for each (gettext's form)."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

import msgspec

USUAL: Final = "en"
"""The language of the words in the pages themselves."""

TOLD_SENTENCES: Final = (
    "every player needs a name, and no two the same",
    "at most {number} players can sit at a table",
    "{name} needs a deck: choose one, or paste a list",
    "there is no deck {deck}; did you mean {other}?",
    "there is no deck {deck}",
    "line {number} of {name}: there is no card {card}; did you mean {other}?",
    "line {number} of {name}: there is no card {card}",
    "nothing has been written since the game was set up",
    "the game cannot go back to line {number}: it does not count any more, or is the last",
    "nothing was undone last",
    "the game's package has failed",
    "the game of {package} has failed ({reason}); mend or uninstall it",
    "one of {number} lines is asked for, not cards: write that line",
    "all of {names} stand in the order, each once",
    "there is no question {number}: {other} are asked, the first is 0",
    "no cards are drawn for {line}: write that line",
    "there is no game of this id",
    "the game cannot go back to line {number}: it has no such line",
    "the key of the forms cannot be kept beside the log: see to its folder",
    "{number} cards are drawn, not {other}",
    "there is no other {card} there",
    "there is no {card} there",
    "this is no answer to the form",
    "nothing is answered",
    "nobody called {name} sat at this table",
    "the text has {number} letters; at most {most} are taken",
    "this answers a question that is not asked (any more): open the form again",
    "this form is closed: ask for its address once more",
    "this form was answered too often just now; send it again in a moment",
    "the game {game} is not kept here",
    "this finding is not there any more",
    "Too many wrong addresses; wait a minute.",
    "There is nothing at this address.",
    "The answer was {status}.",
    "Put the token behind # in the address, and open it anew.",
    "{player} draws up to {number} cards from the {where}: which?",
    "{player} draws {number} cards from the {where}: which?",
    "{player} draws 1 card from the {where}: which?",
    "{player} looks at {number} cards from the {where}: which?",
    "{player} looks at 1 card from the {where}: which?",
    "{done}: in which order?",
)
"""What the server says to a phone, in English: refusals and questions, with holes; the first that fits is meant."""

_ENTRY: Final = re.compile(r'^msgid ((?:"(?:[^"\\]|\\.)*"\s*)+)msgstr ((?:"(?:[^"\\]|\\.)*"\s*)+)', re.MULTILINE)
_QUOTED_TEXT: Final = re.compile(r'"(?:[^"\\]|\\.)*"')


@cache
def languages() -> Mapping[str, Mapping[str, str]]:
    """Return what each word of the pages is in each language that there is a catalogue of."""
    folder = files("tabletape.dashboard").joinpath("scribe", "words")
    catalogues = [each for each in folder.iterdir() if each.name.endswith(".po")]
    return {each.name.removesuffix(".po"): dict(_words(each.read_text(encoding="utf-8"))) for each in catalogues}


def _words(text: str) -> Iterator[tuple[str, str]]:
    for said, meant in _ENTRY.findall(text):
        one, other = (
            "".join(msgspec.json.decode(part, type=str) for part in _QUOTED_TEXT.findall(each))
            for each in (said, meant)
        )
        if one and other:
            yield one, other


def words_in(language: str) -> Mapping[str, str]:
    """Return the words of a language by the English ones; none for English and a language without a catalogue."""
    return languages().get(language, {})


def words_for(accepted: str) -> dict[str, Any]:
    """Return the words of the language that a browser would like best, its name, and those that there are.

    With them comes what the server itself says (`TOLD_SENTENCES`), for the page to find it again.
    """
    language = language_for(accepted)
    known = sorted((USUAL, *languages()))
    words = words_in(language)
    return {"language": language, "languages": known, "words": words, "told": TOLD_SENTENCES if words else ()}


def language_for(accepted: str) -> str:
    """Return the language that a browser would like best (`Accept-Language`), of those that there are."""
    wishes = []
    for number, each in enumerate(accepted.split(",")[:20]):
        name, _, weight = each.partition(";q=")
        try:
            wishes.append((-float(weight or 1), number, name.strip().lower().partition("-")[0]))
        except ValueError:
            continue
    return next((name for _, _, name in sorted(wishes) if name == USUAL or name in languages()), USUAL)
