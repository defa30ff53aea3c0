"""The page of an evening: what it came to in a few lines, how it felt, what to try next, and the way to hand it on."""

import tempfile
from collections.abc import Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, Final

import streamlit as st

from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.report.choosing import Chosen, ReportError, choose
from tabletape.dashboard.report.document import Document, Paragraph
from tabletape.dashboard.report.evening import evening_in_short, replays_of, report, what_to_test
from tabletape.dashboard.report.writing import as_fragment, as_html, as_markdown
from tabletape.dashboard.sections.freshness import build_anew, freshness
from tabletape.dashboard.sections.lists import game_lines
from tabletape.dashboard.site import Site
from tabletape.dashboard.tape.sharing import share
from tabletape.dashboard.workspace import log_address
from tabletape.events.log import Log
from tabletape.projector.archive.stored import workspace
from tabletape.projector.datasets.manifest import FOLDER
from tabletape.projector.rulebooks.kept import quote_from

MAX_SHARED: Final = 30
"""More games than these make a file that no phone opens quickly."""


def evening_page(site: Site) -> None:
    """Show the evening that the address names, or the newest one, with what can be handed on of it."""
    if site.problem:
        build_anew(site)
        return
    freshness(site)
    days = _days(site)
    if not days:
        st.title("This evening", anchor=False)
        st.info("No game of people with a date is here yet: import a log, or keep one.", icon=":material/event:")
        return
    named = st.query_params.get("day", "")
    day = named if named in days else days[0]
    st.title(f"{'This evening' if day == days[0] else 'The evening'}: {day}", anchor=False)
    picked = st.selectbox("Evening", days, index=days.index(day), label_visibility="collapsed")
    if picked != day:
        st.query_params["day"] = picked
        st.rerun()
    try:
        chosen = choose(site.workspace / FOLDER, evening=date.fromisoformat(day))
    except ReportError as error:
        st.info(escaped(str(error)))
        return
    found = _written(log_address(), site.stamp, day)
    _hand_on(chosen, found, day)
    st.html(found["short"])
    st.subheader("The games", anchor=False)
    game_lines(site, sorted(chosen.games, key=lambda row: str(row["started_at"]), reverse=True))
    with st.expander("What to try next", icon=":material/explore:"):
        st.html(found["next"])


def _days(site: Site) -> list[str]:
    """Return the days on which people played, the newest first."""
    rows = site.ask("games", game="", ruleset="", source="people", clean=False, decks=()).to_pylist()
    return sorted({f"{row['started_at']:%Y-%m-%d}" for row in rows if row["started_at"]}, reverse=True)


@st.cache_data(show_spinner="Reading the evening …", max_entries=8)
def _written(url: str, stamp: str, day: str) -> dict[str, str]:  # noqa: ARG001 - `stamp` is there to be remembered by
    """Return an evening in short, what to try next, and its report as a page and as text."""
    with Log.open(url) as log:
        folder = workspace(log)
        datasets = folder / FOLDER
        chosen = choose(datasets, evening=date.fromisoformat(day))
        unread: list[str] = []
        replays = replays_of(log, chosen, unread.append)
        whole = report(chosen, replays, datasets, partial(quote_from, folder))
        short = [*evening_in_short(chosen, replays, datasets)]
    in_words = Document(chosen.title, tuple(short))
    return {
        "short": as_fragment(*short, *(Paragraph(each, quiet=True) for each in unread)),
        "next": as_fragment(*what_to_test(chosen, datasets)),
        "page": as_html(whole),
        "text": as_markdown(in_words),
    }


def _hand_on(chosen: Chosen, found: dict[str, str], day: str) -> None:
    """Offer the evening to those who were not there: the boards in one file, a page for paper, and words to paste."""
    ids = [row["game_id"] for row in chosen.games if row["detail"] != "results"][:MAX_SHARED]
    with st.container(horizontal=True):
        if ids:
            send = partial(_shared, ids)
            st.download_button(
                "Send", send, f"evening-{day}.html", "text/html", icon=":material/send:", help=SEND, on_click="ignore"
            )
        st.download_button(
            "Print", found["page"], f"report-{day}.html", "text/html", icon=":material/print:", help=PRINT,
            on_click="ignore",
        )  # fmt: skip
        with st.popover("Copy as text", icon=":material/content_copy:"):
            st.code(found["text"], language=None, wrap_lines=True)


SEND: Final = "One file with the boards of all games, which opens on any phone without Tabletape and without a network."
PRINT: Final = "The report as a page: open it and print it."


def _shared(ids: Sequence[str]) -> Any:
    with Log.open(log_address()) as log, tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "evening.html"
        share(log, [log.game(id_) for id_ in ids], file)
        return file.read_bytes()
