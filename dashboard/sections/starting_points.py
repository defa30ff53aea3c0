"""How to begin without a log at hand: a sheet to fill in, a log kept at the table, samples to look around in."""

import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import streamlit as st

from tabletape.dashboard.sections.freshness import build_all
from tabletape.dashboard.site import Site
from tabletape.dashboard.workspace import log_address
from tabletape.events.log import Log
from tabletape.events.log.new import removed_if_empty
from tabletape.events.log.schema import NoLogError
from tabletape.events.templates.results_sheet import write_results_template
from tabletape.events.vocabulary.names import slug_of
from tabletape.events.vocabulary.open_games import TABLETOP, open_games
from tabletape.projector.archive.samples import import_samples
from tabletape.projector.archive.sheets import write_results_sheet, write_sheet
from tabletape.projector.archive.stored import workspace
from tabletape.projector.games import game, games, title_of

SHEET: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
"""The media type of a spreadsheet."""

SAMPLES_WARNING: Final = (
    "Samples go into this log, and a log keeps what it was given: keep your own playtests in another folder."
)


def ways_in(site: Site) -> None:
    """Lead to where games come from, on a page that has none yet."""
    st.page_link(site.pages["import"], label="**Import logs**: drop files into the page", icon=":material/upload_file:")
    st.page_link(site.pages["keep"], label="**Keep a log now**, while you play", icon=":material/edit_note:")


def starting_points(site: Site) -> None:
    """Offer a sheet for the chosen game, the scribe, and in an empty log the samples."""
    st.subheader("No log at hand?", anchor=False)
    st.page_link(site.pages["keep"], label="**Keep a log now**, while you play", icon=":material/edit_note:")
    if not site.choice.slug and _is_empty():
        _samples(site)
    _sheets(site)


def _sheets(site: Site) -> None:
    """Offer the sheets of a game that is asked for, a new one by its name; they are written when they are wanted."""
    slugs = [*(each for each in open_games() if each != TABLETOP.slug), *games()]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            "A sheet to fill in",
            slugs,
            index=slugs.index(site.choice.slug) if site.choice.slug in slugs else None,
            format_func=lambda each: title_of(each) if each in slugs else each,
            placeholder="Choose the game, or type its name",
            accept_new_options=True,
            key="sheet of",
            width=320,
        )
        if chosen in slugs:
            _sheet("Sheet for every move", f"{chosen}.xlsx", partial(write_sheet, game(chosen), site.workspace))
            _sheet("Sheet for results", f"{chosen}-results.xlsx", partial(write_results_sheet, game(chosen)))
        elif chosen:
            new = partial(write_results_template, game=chosen, edition="unknown")
            _sheet("Sheet for results", f"{slug_of(chosen)}-results.xlsx", new)
    st.caption(
        "Every move: a row for each thing that happened. Results: a row for each game, with its day, who played and "
        "who won. A sheet of your own with such columns will do as well: import it."
    )


def _sheet(label: str, name: str, write: Callable[[Path], None]) -> None:
    content = partial(_content, write)
    st.download_button(label, content, file_name=name, mime=SHEET, icon=":material/table:", on_click="ignore")


def _content(write: Callable[[Path], None]) -> bytes:
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "sheet.xlsx"
        write(file)
        return file.read_bytes()


def _samples(site: Site) -> None:
    """Offer to import the sample logs, and lead to what they tell."""
    if st.button("Try samples", icon=":material/casino:"):
        with (
            st.spinner("Importing sample games …"),
            removed_if_empty(log_address()),
            Log.open(log_address(), create=True) as log,
        ):
            import_samples(log, workspace(log))
        build_all()
        st.switch_page(site.pages["overview"])
    st.caption(SAMPLES_WARNING)


def _is_empty() -> bool:
    """Return whether the log holds no game."""
    try:
        with Log.open(log_address()) as log:
            return not log.games()
    except NoLogError:
        return True
