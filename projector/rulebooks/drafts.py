"""What a designer means to do with sentences of the rulebook: new wordings and decisions, kept beside its file.

They lie in `rulebooks/<game>.drafts.jsonl`, a line each; a later line about the same sentence counts instead of the
earlier one, which stays.
"""

from pathlib import Path
from typing import Final

import msgspec

from tabletape.events.plans import planned
from tabletape.events.whole_files import add_line, made_folder
from tabletape.events.workspace_files import text_of
from tabletape.projector.rulebooks.kept import FOLDER
from tabletape.projector.rulebooks.text import MOST_BYTES, RulebookFileError, words_of

SUFFIX: Final = ".drafts.jsonl"


@planned
class Draft(msgspec.Struct, frozen=True):
    """A sentence as it stood, the wording that may come in its place, and what was decided about it."""

    sentence: str
    wording: str = ""
    decision: str = ""

    def __bool__(self) -> bool:
        """Whether anything is said."""
        return bool(self.wording or self.decision)


def keep_draft(folder: Path, slug: str, draft: Draft) -> None:
    """Keep a draft in a workspace. Raises `OSError`, which names the file, where it cannot be written."""
    file = folder / FOLDER / f"{slug}{SUFFIX}"
    with made_folder(file.parent):
        add_line(file, msgspec.json.encode(draft).decode())


def drafts_of(folder: Path, slug: str) -> dict[tuple[str, ...], Draft]:
    """Return the drafts of a game's rulebook by the words of their sentences, in the order in which they came.

    Raises `RulebookFileError`, with file and line, for what is no draft.
    """
    file = folder / FOLDER / f"{slug}{SUFFIX}"
    if not file.exists():
        return {}
    drafts: dict[tuple[str, ...], Draft] = {}
    try:
        lines = text_of(file, MOST_BYTES).splitlines()
    except OSError as error:
        raise RulebookFileError(f"{file}: {error.strerror}") from None
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                draft = msgspec.json.decode(line, type=Draft)
            except msgspec.MsgspecError as error:
                raise RulebookFileError(f"{file}:{number}: {error}; expected a draft of a sentence") from None
            drafts[words_of(draft.sentence)] = draft
    return {words: draft for words, draft in drafts.items() if draft}
