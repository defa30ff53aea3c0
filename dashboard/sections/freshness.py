"""Whether the datasets say what the log says, and bringing them up to date from a page."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

import streamlit as st

from tabletape.dashboard.decision_process import place_of, under_way
from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.site import Site, answered
from tabletape.dashboard.workspace import log_address
from tabletape.events.errors import TabletapeError
from tabletape.events.importing.maps.remembering import confirm, names_of, unconfirmed
from tabletape.events.importing.remapping import remap
from tabletape.events.log import Log
from tabletape.events.log.schema import NoLogError
from tabletape.events.vocabulary import known_games
from tabletape.projector.archive.stored import RulesetOverride, import_options, workspace_at
from tabletape.projector.datasets.freshness import Why, folder_of, why_outdated
from tabletape.projector.datasets.manifest import FOLDER, DatasetError, stamp_of
from tabletape.projector.datasets.plans import Request
from tabletape.projector.fold.detail import detail_of
from tabletape.projector.games import game
from tabletape.projector.model.amounts import counted

TAKEN_KEY: Final = "just taken"
"""Where the session keeps what an import has just taken, for the page that it opens to say once."""


QUICK: Final = 100
"""So many games are counted without a click: that takes a second or two."""

TRIED_KEY: Final = "counted by itself"
"""Where the session keeps what was counted without a click, so that it is not tried again and again."""


def count_few(site: Site) -> None:
    """Count what has changed of a few games, before anything of the page is made: a click is not lost by it.

    What cannot be counted is left to who asks for it, and is told why then.
    """
    with suppress(TabletapeError):
        if site.has_log and _is_quick(site.stamp, _outdated(log_address(), site.stamp)):
            build_all()
            site.stamp = stamp_of(site.folder)


def freshness(site: Site) -> int:
    """Say how many games the datasets do not have as the log has them, and offer to build them; return their number."""
    if not site.has_log:
        return 0
    if taken := st.session_state.pop(TAKEN_KEY, ""):
        st.success(escaped(taken), icon=":material/check:")
    if files := _unconfirmed(log_address(), site.stamp):
        _ask_whether_right(files)
    _name_begun(site)
    why = _outdated(log_address(), site.stamp)
    old = why.total()
    _left_open(site, old)
    if not old:
        return 0
    if under_way(place_of(site.workspace / FOLDER)):
        st.info("Games are being counted in the background; the newest ones join at the end.", icon=":material/update:")
        return old
    with st.container(horizontal=True, vertical_alignment="center"):
        st.warning(_old_in_words(why, shown=bool(site.stamp)), icon=":material/update:")
        if st.button("Bring up to date", type="primary", icon=":material/refresh:"):
            build_all()
            st.rerun()
    return old


def _name_begun(site: Site) -> None:
    """Name the logs in which nobody has made a move yet: they count nowhere, and can be gone on with."""
    if begun := _begun(log_address(), site.stamp, site):
        of_them = "has no move yet: it is" if begun == 1 else "have no move yet: they are"
        text = f"{counted(begun, 'begun log')} {of_them} not counted"
        st.page_link(site.pages["keep"], label=text, icon=":material/edit_note:")


@st.cache_data(show_spinner=False, ttl="10s", max_entries=8)
def _begun(address: str, stamp: str, _site: Site) -> int:
    told = {*answered(_site, "games", {"source": "all"})["game_id"].to_pylist()} if stamp else set()
    try:
        with Log.open(address) as log:
            known = known_games()  # A game whose file has mistakes, or is gone, cannot be read.
            others = [each for each in log.games() if each.game_id not in told and each.game in known]
            # Of many that are not counted it is said that they are not; to read them takes longer than the page.
            return sum(detail_of(events) == "begun" for _, events in log.each(others)) if len(others) <= QUICK else 0
    except NoLogError:
        return 0


def _is_quick(stamp: str, why: Counter[Why]) -> bool:
    """Return whether so few games changed that nobody has to be asked; what was tried once and stays is asked about."""
    tried = f"{stamp} {sorted(why.items())}"
    if not 0 < why.total() <= QUICK or st.session_state.get(TRIED_KEY) == tried:
        return False
    st.session_state[TRIED_KEY] = tried
    return True


def _ask_whether_right(files: Sequence[str]) -> None:
    """Ask whether files are read rightly of which nobody has looked at how they are, and note that they are."""
    with st.container(horizontal=True, vertical_alignment="center"):
        asked = f"Is it right who played, began and won? Nobody has confirmed how {names_of(files)} is read."
        st.warning(escaped(asked), icon=":material/help:")
        if st.button("It is right", icon=":material/check:"):
            folder = workspace_at(log_address())
            with Log.open(log_address()) as log:
                confirm(log, folder)
                remap(log, import_options(folder))
            build_all()
            st.rerun()


def _old_in_words(why: Counter[Why], *, shown: bool) -> str:
    """Say of which games the numbers on the page are not what the log says now; without numbers there are none."""
    if not shown:
        return f"{counted(why.total(), 'game')} in the log, not counted yet."
    told: dict[Why, str] = {
        "new": "not counted yet",
        "recorded": "went on after it was counted",
        "read": "counted by rules, cards or a program that have changed since",
    }
    said = ", ".join(f"{counted(why[each], 'game')} {words}" for each, words in told.items() if why[each])
    return f"Not up to date: {said}."


@st.fragment(run_every="60s")
def _left_open(site: Site, old: int) -> None:
    """Say on a page that was left open that there is more by now than when it was drawn, with `old` games to count."""
    try:
        is_as_drawn = stamp_of(site.folder) == site.stamp
    except DatasetError:  # they are being written, or were damaged: drawn anew the page says which
        is_as_drawn = False
    if is_as_drawn and _outdated(log_address(), site.stamp).total() == old:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.info("This page was drawn some time ago: the log has changed since.", icon=":material/history:")
        if st.button("Draw it anew", icon=":material/refresh:"):
            st.rerun()


@st.cache_data(show_spinner=False, ttl="10s", max_entries=8)
def _outdated(address: str, stamp: str) -> Counter[Why]:  # noqa: ARG001 - `stamp` is there to be remembered by
    try:
        with Log.open(address) as log:
            return why_outdated(log)
    except NoLogError:
        return Counter()


@st.cache_data(show_spinner=False, ttl="10s", max_entries=8)
def _unconfirmed(address: str, stamp: str) -> list[str]:  # noqa: ARG001 - `stamp` is there to be remembered by
    try:
        with Log.open(address) as log:
            return unconfirmed(log, workspace_at(address))
    except NoLogError:
        return []


def build_anew(site: Site) -> None:
    """Say why the datasets cannot be read, and offer to throw them away and build them from the log."""
    st.error("The numbers cannot be shown.", icon=":material/error:")
    st.text(site.problem)
    if site.has_log and st.button("Build them anew from the log", type="primary", icon=":material/refresh:"):
        _build(Request(fresh=True))
        st.rerun()


def build_all() -> None:
    """Bring the datasets up to date and show the progress; a count in the background does so itself at its end."""
    with Log.open(log_address()) as log:
        place = place_of(folder_of(log))
    if not under_way(place):
        _build(Request())


def build_by(slug: str, rulings: Mapping[str, str]) -> None:
    """Read all games of one game by other rulings too."""
    reading = RulesetOverride("", rulings)
    reading.require([game(slug)])
    _build(Request(reading=reading, game=slug))


def _build(asked: Request) -> None:
    from tabletape.projector.datasets.build import build  # noqa: PLC0415 - a page that shows what there is does not wait for it

    with Log.open(log_address()) as log:
        bar = st.progress(0.0, "Reading the games …")
        done = 0

        def progress(games: int, total: int) -> None:
            nonlocal done
            done += games
            bar.progress(done / total, f"Reading the games … {done} of {total}")

        build(log, asked, progress=progress)
        bar.empty()
    _outdated.clear()
    _unconfirmed.clear()
