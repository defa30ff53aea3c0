"""The words in the cells of results (`words.toml`)."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files


@cache
def _tables() -> Mapping[str, Sequence[str]]:
    folder = files("tabletape.events.importing.maps.results")
    return tomllib.loads(folder.joinpath("words.toml").read_text(encoding="utf-8"))


def words(*names: str) -> frozenset[str]:
    """Return the words of some tables, `draw` and `nobody`, in small letters."""
    return frozenset(word for name in names for word in _tables()[name])
