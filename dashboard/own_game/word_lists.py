"""The lists of words by which chats and rulebooks of new games are read (`word_lists.toml`)."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def word_list(name: str) -> frozenset[str]:
    """Return the words of a list, with those of the lists that it names."""
    text = _lists()[name]
    return frozenset(re.sub(r"\{\w+\}", "", text).split()).union(*map(word_list, re.findall(r"\{(\w+)\}", text)))


@cache
def _lists() -> dict[str, Any]:
    return tomllib.loads(files("tabletape.dashboard.own_game").joinpath("word_lists.toml").read_text(encoding="utf-8"))
