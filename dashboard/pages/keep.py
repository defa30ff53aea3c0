"""The page that leads to the scribe, which keeps the log of a game while it is played."""

from typing import Final

import streamlit as st

SCRIBE: Final = "/scribe"
"""Where the scribe answers beside the dashboard."""


def keep_page() -> None:
    """Show the way to the scribe, here and on a phone."""
    st.title("Keep a log", anchor=False)
    st.text(
        "The scribe keeps the log of a game while you play it: it asks for what luck and hidden cards say, offers what "
        "may be decided, and takes anything else. Every tap is in the log at once."
    )
    st.link_button("Keep a log now", f"{SCRIBE}/", icon=":material/edit_note:", type="primary")
    st.text("On a phone in the same network, behind a code:")
    st.code("tabletape scribe --lan", language="shell")
