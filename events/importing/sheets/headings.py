"""The names of columns in other languages: a translated heading row is understood, and `template` writes it."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from tabletape.events.vocabulary.names import slug_of

WHO_AND_WHAT: Final = ("type", "player")
"""Without these two columns a translated row is not taken for the head of a log."""


@cache
def languages(names: str = "headings.toml") -> Mapping[str, Mapping[str, str]]:
    """Return the names of fields by language (`de`) and field."""
    text = files("tabletape.events.importing.sheets").joinpath(names).read_text(encoding="utf-8")
    document: dict[str, dict[str, str]] = tomllib.loads(text)
    return document


def results_languages() -> Mapping[str, Mapping[str, str]]:
    """Return the names of the columns of the sheet for results by language (`de`) and English name."""
    return languages("results_headings.toml")


def results_named(row: Sequence[str]) -> Sequence[str]:
    """Return a heading row in English where it has all columns of the sheet for results in another language.

    A sheet of somebody's own has some of these words at most, and may mean something else by them.
    """
    slugs = [slug_of(cell) for cell in row]
    for words in results_languages().values():
        named = {slug_of(word): name for name, word in words.items()}
        if named.keys() <= {*slugs}:
            return [named.get(slug, cell) for slug, cell in zip(slugs, row, strict=True)]
    return row


def heading(field: str, language: str) -> str:
    """Return the name of a field in a language; the field itself where it has none there."""
    return languages().get(language, {}).get(field, field)


def fields_named(row: Iterable[object]) -> list[str]:
    """Return the fields that the cells of a heading row name, in English or wholly in one other language.

    Accents may be left out or written in another way (`edicion`), as programs do that know no others.
    Names that no language has stay as they are, in small letters.
    """
    names = [str(cell).strip().casefold() for cell in row]
    if "type" in names:
        return names
    for words in languages().values():
        fields = {slug_of(word): field for field, word in words.items()}
        named = [fields.get(slug_of(name), name) for name in names]
        if set(WHO_AND_WHAT) <= set(named):
            return named
    return names
