"""The button that has legal decisions counted in the background, and how far that is."""

from pathlib import Path

import streamlit as st

from tabletape.dashboard.decision_process import Count, last, place_of, start, stop, under_way
from tabletape.dashboard.site import Site
from tabletape.projector.datasets.manifest import FOLDER


def decision_count(site: Site, unknown: str, button: str) -> None:
    """Offer to count the legal decisions of the chosen game, or show how far that is.

    `unknown` says what is not known without them, `button` what the button does. Without the log there is none.
    """
    if not site.has_log:
        st.text(unknown)
        return
    place = place_of(site.workspace / FOLDER)
    with st.container(border=True):
        if under_way(place):
            _progress(place)
            return
        st.text(unknown)
        before = last(place)
        if before and before.problem:
            st.warning("The last count broke off.", icon=":material/error:")
            st.text(before.problem)
        if st.button(button, icon=":material/hourglass_top:", key=f"count {button}"):
            start(place, site.choice.slug)
            st.rerun()
        st.caption(
            "Every game is played again, and what could have been done is counted: a few seconds a game. It goes on in "
            "the background; you can leave this page."
        )


@st.fragment(run_every="2s")
def _progress(place: Path) -> None:
    """Show how far a count is, and stop it on demand; what is below is shown anew when it has ended."""
    count = under_way(place)
    if count is None:
        st.rerun(scope="app")
    st.progress(count.done / count.total if count.total else 0.0, _in_words(count))
    if st.button("Stop counting", icon=":material/stop:", key="stop counting"):
        stop(place)
        st.caption("It is being stopped; the numbers stay as they were.")


def _in_words(count: Count) -> str:
    of = f"{count.done:,} of {count.total:,} games" if count.total else "starting"
    return f"Counting what could have been done: {of}. You can leave this page."
