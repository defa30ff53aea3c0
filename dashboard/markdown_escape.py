"""Text from logs as text: whatever a name looks like, a page shows its letters and nothing else."""

import re
from typing import Final

JOINER: Final = "\N{WORD JOINER}"
"""Invisible, without width; it parts what a renderer would read as one sign although it is escaped."""

_PUNCTUATION: Final = re.compile(r"([!-/:-@\[-`{-~])")
_SPACES: Final = re.compile(r"\s+")

_BACKTICKED: Final = re.compile(r"\\`(.+?)\\`")
_ESCAPE: Final = re.compile(rf"\\(.)|{JOINER}")

_READ_AS_ONE: Final = re.compile(r"(?<=[:@])(?=\S)|(?<=[-<>=.])(?=[-<>=.])|(?<=www)(?=\.)", re.IGNORECASE)


def escaped(text: object) -> str:
    """Return text as Markdown that shows exactly this text on one line, for titles, labels and captions.

    Every punctuation mark is escaped. What renderers look for behind Markdown's back (addresses to link, `:smile:`,
    arrows) is parted by an invisible joiner; names of games and rules stay without one, so that they can be copied.
    """
    line = _READ_AS_ONE.sub(JOINER, _SPACES.sub(" ", str(text)).strip())
    return _PUNCTUATION.sub(r"\\\1", line)


def with_code(text: str) -> str:
    """Return our own text as Markdown that shows its words in backticks as code, and all else as `escaped` does."""
    return _BACKTICKED.sub(lambda code: "`" + _ESCAPE.sub(r"\1", code[1]) + "`", escaped(text))
