"""The words that players and keepers read on phones, in their language: one catalogue for each (gettext's form)."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

import msgspec

USUAL: Final = "en"
"""The language of the words in the pages themselves."""

_ENTRY: Final = re.compile(r'^msgid ((?:"(?:[^"\\]|\\.)*"\s*)+)msgstr ((?:"(?:[^"\\]|\\.)*"\s*)+)', re.MULTILINE)
_QUOTED: Final = re.compile(r'"(?:[^"\\]|\\.)*"')


@cache
def languages() -> Mapping[str, Mapping[str, str]]:
    """Return what each word of the pages is in each language that there is a catalogue of."""
    folder = files("tabletape.dashboard").joinpath("scribe", "words")
    catalogues = [each for each in folder.iterdir() if each.name.endswith(".po")]
    return {each.name.removesuffix(".po"): dict(_words(each.read_text(encoding="utf-8"))) for each in catalogues}


def _words(text: str) -> Iterator[tuple[str, str]]:
    for said, meant in _ENTRY.findall(text):
        one, other = (
            "".join(msgspec.json.decode(part, type=str) for part in _QUOTED.findall(each)) for each in (said, meant)
        )
        if one and other:
            yield one, other


def words_for(accepted: str) -> dict[str, Any]:
    """Return the words of the language that a browser would like best, its name, and those that there are."""
    language = language_for(accepted)
    known = sorted((USUAL, *languages()))
    return {"language": language, "languages": known, "words": {} if language == USUAL else languages()[language]}


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
