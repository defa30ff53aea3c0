"""The kinds of lines of a file on the page of imports: what they are read as, and what else somebody says they are."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import streamlit as st

from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.report.document import Rows
from tabletape.dashboard.report.writing import as_fragment
from tabletape.dashboard.sections.open_lines import fate_in_words
from tabletape.dashboard.workspace import log_address
from tabletape.events.importing.maps.proposing.survey import Survey
from tabletape.events.importing.maps.proposing.text import LineProposal, gap, proposals
from tabletape.events.vocabulary.open_games import TABLETOP, open_games
from tabletape.projector.archive.stored import known_of, workspace_at
from tabletape.projector.games import game
from tabletape.projector.model.amounts import counted

KINDS: Final = 40
"""How many kinds of lines are shown; the others are rare, and are left over."""

_SKIPPED: Final[Mapping[str, Any]] = {"skip": True}


def kinds_in(seen: Survey, slug: str) -> list[LineProposal]:
    """Return the kinds of lines of a file that is no sheet of results, those that are not read first."""
    if "columns" in seen.head:
        return []
    cards = known_of(workspace_at(log_address()), slug).names
    return sorted(proposals(seen, slug, tuple(cards)), key=lambda kind: not _is_unread(kind))


def unread_of(seen: Survey, kinds: Sequence[LineProposal]) -> int:
    """Return how many lines are of no kind of which it is known what it is."""
    return len(seen.lines) - sum(kind.lines for kind in kinds if not _is_unread(kind)) if kinds else 0


def _is_unread(kind: LineProposal) -> bool:
    return kind.entry.get("event") == "log.gap" or "harmless" in kind.entry


def what_are_these(seen: Survey, kinds: Sequence[LineProposal], slug: str, lines: int) -> None:
    """Say that most of the `lines` of a file are not read, why, and what can be done about it."""
    st.markdown(f"##### What are these lines? {unread_of(seen, kinds)} of {counted(lines, 'line')} cannot be read.")
    if slug in open_games():
        return
    title = escaped(game(slug).title)
    st.caption(
        f"In words a move lacks what the rules of {title} ask for: from where, at what cost. So it is kept as it was "
        f"said, and nobody is judged by it. On **Keep a log** a game is written down that is judged; one that is not "
        "named, or your own, is read from what its lines say: choose it above."
    )
    read = {kind.sentence for kind in kinds if not _is_unread(kind)}
    told = [kind for kind in proposals(seen, TABLETOP.slug) if kind.sentence not in read]
    rows = tuple((str(kind.lines), kind.example) for kind in told[:KINDS])
    st.html(as_fragment(Rows(("Lines", "For example"), rows)))


def accepted_of(kinds: Sequence[LineProposal], slug: str, key: str) -> list[tuple[str, Mapping[str, Any]]]:
    """Show kinds of lines with what they are read as; return the sentence of each with what it is said to mean."""
    kinds = kinds[:KINDS]
    if not kinds:
        return []
    rows = [
        {
            "right": True,
            "talk": "skip" in kind.entry,
            "read as": fate_in_words({"event": "not read"} if "harmless" in kind.entry else kind.entry),
            "lines": kind.lines,
            "for example": kind.example,
        }
        for kind in kinds
    ]
    st.caption(
        "Untick what is read wrongly: such lines are kept as they were said, and nobody is judged by them. Tick as "
        "talk what belongs to no game: it is passed over."
    )
    edited: list[dict[str, Any]] = st.data_editor(
        rows, key=f"map kinds {slug} {key}", hide_index=True, disabled=["read as", "lines", "for example"]
    )
    meant = [(kind.sentence, _entry(kind, row)) for kind, row in zip(kinds, edited, strict=True)]
    return [(sentence, entry) for sentence, entry in meant if "harmless" not in entry]


def _entry(kind: LineProposal, row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what a map says of a kind of lines, by what was ticked of it."""
    if not row["right"] or ("skip" in kind.entry and not row["talk"]):
        return gap("may be a move")
    return _SKIPPED if row["talk"] and "skip" not in kind.entry else kind.entry
