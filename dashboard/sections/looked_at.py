"""What becomes of a file that a map reads, before it is stored: its games, what is asked about it, what is not read."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import streamlit as st

from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.sections.map_steps import content_of
from tabletape.dashboard.sections.open_lines import UNREAD, show_fates, show_lines
from tabletape.dashboard.sections.who_won import ask_of_rows, mends_said
from tabletape.dashboard.workspace import log_address
from tabletape.events.importing import FileReport
from tabletape.events.importing.maps.documents.foreign import sheet_of
from tabletape.events.importing.maps.finding import fitting_map, shipped_maps, stem_of
from tabletape.events.importing.maps.map import map_name
from tabletape.events.importing.maps.proposing.leftover import OpenRecord
from tabletape.events.importing.maps.proposing.preview import preview
from tabletape.projector.archive.stored import known_of, workspace_at

MAX_SHOWN: Final = 50
"""How many games of a file and lines in quarantine are shown; the log has all of them."""


def looked_at(file: Any, report: FileReport) -> bool:
    """Show what would become of a file that a map reads; return whether somebody says that it is to be stored."""
    asked, games = _rows_asked(file, report)
    said = report.problem.message if report.problem else ""
    if asked or mends_said(file.file_id):
        said = f"{games} of {games + len(asked)} games are read, and nothing is stored yet"
    st.markdown(f"##### {escaped(said)}.")
    ask_of_rows(asked, file.file_id)
    stored = st.button("Import these games", key=f"take {file.file_id}", type="primary")
    known = {*mends_said(file.file_id), *((each.line, each.raw) for each in asked)}
    unread = [each for each in report.entries if (each.line, each.raw) not in known]
    if unread:
        st.markdown(f"**{UNREAD}**; they are kept aside:")
        show_lines(unread[:MAX_SHOWN])
    show_fates(report.fates)
    st.caption(escaped(_read_by(report.format)))
    return stored


def _rows_asked(file: Any, report: FileReport) -> tuple[Sequence[OpenRecord], int]:
    """Return the rows of a sheet of which nobody says who won, and how many games it has besides."""
    if not any(each.code == "no-result" for each in report.entries):
        return (), 0
    folder, content, name = workspace_at(log_address()), sheet_of(content_of(file)), Path(report.name)
    used = fitting_map(name, content, folder)
    if used is None:
        return (), 0
    shown = preview(used, content, known_of(folder, used.written.game).ids, stem_of(name), mends_said(file.file_id))
    return [each for each in shown.open if each.winners], len(shown.games)


def _read_by(form: str) -> str:
    """Say what a file is read by: a reader, a map that comes with Tabletape, or what somebody has said before."""
    kind, name = form.split()[:2]  # Behind them: the version of a map, the zone.
    shipped = any(map_name(Path(each.name)) == name for each in shipped_maps())
    said_before = kind == "map" and not shipped
    return f"Read as it is remembered in {name}." if said_before else f"Read by the {kind} {name} as it is."
