"""Text from a log in Markdown: every letter stays, and no sign means anything."""

import re

import pytest

from tabletape.dashboard.markdown_escape import JOINER, escaped
from tests.dashboard.test_pages import HOSTILE


@pytest.mark.parametrize(
    "name", [*HOSTILE, "a_b*c", "1. x", "# x", "- x", "`x`", "~~x~~", "&lt;", "back\\slash", "|a|"]
)
def test_escaping_keeps_every_letter_and_escapes_every_sign(name: str) -> None:
    """Without backslashes and joiners the escaped text is the original; every special sign has a backslash."""
    text = escaped(name)
    assert re.sub(r"\\(.)", r"\1", text).replace(JOINER, "") == name
    assert not re.search(r"(?<!\\)[!-/:-@\[\]-`{-~]", re.sub(r"\\\\", "", text).replace(JOINER, ""))


@pytest.mark.parametrize("text", ["www.x.org", "http://x.org", "a@x.org", ":smile:", "a -> b", "a -- b", "wait..."])
def test_texts_that_renderers_replace_beyond_markdown_are_split(text: str) -> None:
    """Addresses, emoji and arrows get an invisible joiner between their signs; names of games and rules do not."""
    assert JOINER in escaped(text)
    assert JOINER not in escaped("splicers-3-x00001 splicers.evolve.ting-only")
