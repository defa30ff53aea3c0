"""The kinds of lines of a file on the page of imports: what they are read as, and what else somebody says they are."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import streamlit as st

from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.sections.open_lines import fate_in_words
from tabletape.dashboard.workspace import log_address
from tabletape.events.importing.maps.proposing.survey import Survey
from tabletape.events.importing.maps.proposing.text import LineProposal, gap, proposals
from tabletape.events.vocabulary.open_games import open_games
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


def what_are_these(unread: int, lines: int, slug: str, keeping: Any) -> None:
    """Say that most `lines` of a file are not read, why, and what can be done; `keeping` is the page of the scribe."""
    not_read = f"{unread} of {counted(lines, 'line')} cannot be read."
    if slug in open_games():
        st.markdown(f"##### What are these lines? {not_read}")
        return
    st.markdown(f"##### Who played and who won can be taken from this chat, and not its moves: {not_read}")
    st.markdown(
        f"The rules of {escaped(game(slug).title)} ask of each move where its card comes from and what it costs, and "
        "people do not write that. The lines stay in the log as they were said, and nobody is judged by them."
    )
    label = "**Keep a log** of the next game: each move is judged while you play"
    st.page_link(keeping, label=label, icon=":material/edit_note:")


def accepted_of(kinds: Sequence[LineProposal], slug: str, key: str) -> list[tuple[str, Mapping[str, Any]]]:
    """Show kinds of lines with what they are read as; return the sentence of each with what it is said to mean."""
    kinds = kinds[:KINDS]
    if not kinds:
        return []
    bare = [kind for kind in kinds if kind.meant and not kind.is_slip]
    if bare:
        acts = [fate_in_words({"event": each["event"]}) for each in (bare[0].meant, *bare[0].meant.get("also", ()))]
        lines = counted(sum(kind.lines for kind in bare), "line names", "lines name")
        asked = f"{lines} a card and no move, such as \u201c{bare[0].example}\u201d: {', then '.join(acts)}"
        if st.checkbox(escaped(asked), key=f"bare cards {slug} {key}"):
            kinds = [kind._replace(entry=kind.meant) if kind in bare else kind for kind in kinds]
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
