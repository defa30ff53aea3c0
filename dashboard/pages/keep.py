"""The page that leads to the scribe, which keeps the log of a game while it is played, here and on a phone."""

import socket
from threading import Thread
from typing import Final

import segno
import streamlit as st

from tabletape.dashboard.service.desk import Desk
from tabletape.dashboard.service.lock import new_code
from tabletape.dashboard.service.server import on_the_network, own_address, server
from tabletape.dashboard.workspace import log_address
from tabletape.events.log import Log

SCRIBE: Final = "/scribe"
"""Where the scribe answers beside the dashboard."""

EVERYWHERE: Final = "0.0.0.0"  # noqa: S104 - only on request, behind a code
PORT: Final = 8511
"""Where phones are answered, if it is free."""


def keep_page() -> None:
    """Show the way to the scribe, here and on a phone."""
    st.title("Keep a log", anchor=False)
    st.text(
        "The scribe keeps the log while you play: it asks what was drawn, shuffled or rolled, offers what a player may "
        "do, and takes anything else that happened. Every tap is in the log at once. It keeps the games that come with "
        "their rules, any other as cards and counters on a table, and your own once its file is begun on My game."
    )
    st.link_button("Keep a log now", f"{SCRIBE}/", icon=":material/edit_note:", type="primary")
    st.subheader("On a phone in the same network", anchor=False)
    if st.session_state.get("phones") or st.button("Let phones in", icon=":material/qr_code_2:"):
        st.session_state["phones"] = True
        address = _phones(log_address())
        st.image(segno.make(address, micro=False).svg_inline(scale=6, border=3, light="white"), width=260)
        st.code(address, language=None, wrap_lines=True)
        st.caption(
            "Whoever has this address can see and write the games begun there, and nothing else, until the dashboard "
            "is stopped."
        )
    else:
        st.text("You get a code to scan. Until then no other device can reach this log.")


@st.cache_resource(show_spinner=False)
def _phones(database: str) -> str:
    """Serve the scribe to the local network behind a new code, as long as this program runs; return its address."""
    log = Log.open(database, create=True)
    try:
        listening = socket.create_server((EVERYWHERE, PORT))
    except OSError:  # something else answers there
        listening = socket.create_server((EVERYWHERE, 0))
    code, own, port = new_code(), own_address(), listening.getsockname()[1]
    answering = server(on_the_network(Desk(log, only=()), code, own), EVERYWHERE, port)
    Thread(target=answering.run, kwargs={"sockets": [listening]}, daemon=True).start()
    return f"http://{own}:{port}/{code}/"
