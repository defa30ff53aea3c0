"""The question which game a file is of: one that is known, or a new one of one's own, of which only the name is."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.own_game.file import begin_named, called, file_of_new
from tabletape.dashboard.workspace import log_address
from tabletape.events.errors import RefusedError
from tabletape.events.importing.files.sources import NotALogError
from tabletape.events.importing.lines.words import plain
from tabletape.events.importing.maps.documents.foreign import sheet_of
from tabletape.events.importing.maps.documents.trees import ForeignError
from tabletape.events.importing.maps.proposing.surveying import survey_of
from tabletape.events.vocabulary import known_games
from tabletape.events.vocabulary.names import slug_of
from tabletape.events.vocabulary.open_games import TABLETOP, open_games
from tabletape.events.workspace_files import GameFileError
from tabletape.projector.archive.stored import workspace_at
from tabletape.projector.games import game, title_of


def names_no_known_game(content: bytes) -> bool:
    """Return whether a file is a sheet of results that names no game, or one of which nobody knows anything here."""
    try:
        seen = survey_of(sheet_of(content))
    except (ForeignError, NotALogError):
        return False
    known = {slug_of(name) for slug in known_games() for name in (slug, game(slug).title)}
    return "columns" in seen.head and len(seen.games) < 2 and known.isdisjoint(map(slug_of, seen.games))


def asked_game(key: str, played: Sequence[str], top: str, details: Any, *, is_sheet: bool) -> tuple[str, str, str]:
    """Ask which game was played, those of the workspace first, and, in `details`, in which version; return its title.

    No answer is taken for granted but that of the file itself, where it names the one that was `played`, or begins its
    first line, `top`, with the title. The one that it names may be new; one within that line is proposed. A new one
    is begun here, that of a sheet when its games are imported.
    """
    own = [each for each in open_games() if each != TABLETOP.slug]
    slugs = [*own, TABLETOP.slug, *(each for each in known_games() if each not in {*own, TABLETOP.slug})]
    said = [each for each in slugs if [plain(name) for name in played] in ([plain(each)], [plain(game(each).title)])]
    titles = {each: f" {plain(game(each).title)} " for each in slugs if each != TABLETOP.slug}
    said = said or [each for each, title in titles.items() if f" {top} ".startswith(title)]
    new = [played[0]] if len(played) == 1 and not said else []
    within = [each for each, title in titles.items() if title in f" {top} "]
    options, likely = [*new, *slugs], said or new or within
    slug = (details if said else st).selectbox(
        "**Which game is it?**",
        options,
        index=options.index(likely[0]) if len(likely) == 1 else None,
        format_func=lambda each: _title_of(each, slugs),
        placeholder="Choose the game, or type the name of yours",
        accept_new_options=True,
        key=f"map game {key}",
    )
    if played and not said:
        st.caption(escaped(f"The file itself names {', '.join(played)}."))
    title = " ".join((slug or "").split())
    if slug and slug not in slugs:
        slug = called(slug) or begun_here(slug, key, now=not is_sheet)
    edition = details.text_input("Its version, if it has one", key=f"map edition {key}") if slug else ""
    return slug or "", edition.strip(), title_of(slug) if slug in known_games() else title


def _title_of(each: str, slugs: Sequence[str]) -> str:
    """Return the title of one of some games; what somebody has typed is one already."""
    if each == TABLETOP.slug:
        return "A game that is not named (Tabletop)"
    return game(each).title if each in slugs else each


def begun_here(name: str, key: str, *, now: bool) -> str:
    """Return what the log calls, or will call, a game; one that is new and begun `now` is none until somebody does."""
    folder = workspace_at(log_address())
    try:
        file = file_of_new(folder, slug_of(name), fresh=True)
        if not now:
            return file.stem
        label = f"Begin the game {escaped(name)}"
        if st.button(label, key=f"map begin {key}", type="primary", icon=":material/add:"):
            begin_named(folder, name)
            st.rerun()
    except (RefusedError, GameFileError) as error:
        st.error(escaped(str(error)))
    return ""
