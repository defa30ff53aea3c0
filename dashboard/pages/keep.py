"""The page that leads to the scribe, which keeps the log of a game while it is played, here and on a phone."""

import socket
from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

import segno
import streamlit as st

from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.own_game.file import called
from tabletape.dashboard.sections.answers import verdict
from tabletape.dashboard.sections.which_game import begun_here
from tabletape.dashboard.service.desk import Desk
from tabletape.dashboard.service.lock import new_code
from tabletape.dashboard.service.server import on_the_network, own_address, server
from tabletape.dashboard.workspace import SCRIBE, log_address
from tabletape.events.log import Log
from tabletape.events.log.rows import StoredGame
from tabletape.events.log.schema import NoLogError
from tabletape.events.vocabulary.names import is_by_bots
from tabletape.events.vocabulary.open_games import open_games
from tabletape.projector.games import title_of
from tabletape.projector.scribing.beginning import still_kept

if TYPE_CHECKING:
    from tabletape.dashboard.site import Site

KNOWN: Final = (
    "The scribe, as this page for the table is called, asks for what is due and says what is against a rule, where the "
    "rules are known or My game states them. Any other game is cards and counters on a table."
)
OWN: Final = (
    "The scribe, as this page for the table is called, takes only the result of {}, if you like: who won, the points, "
    "the fun. Or every move; then what My game states of its rules is held against each."
)
"""What the scribe does in a game of one's own."""

EXAMPLE: Final = "its name, e.g. Salt Road"

GOING_ON: Final = 3
"""So many games that are not over can be gone on with from here; the scribe has more."""

EVERYWHERE: Final = "0.0.0.0"  # noqa: S104 - only on request, behind a code
PORT: Final = 8511
"""Where phones are answered, if it is free."""


def keep_page(site: "Site") -> None:
    """Show what the scribe does, and the way to it, here and on a phone."""
    st.title("Keep a log", anchor=False)
    verdict(["While you play, tap what happens, or type its first letters: it is in the log at once."])
    games, going_on = _played(site)
    told = st.container()  # It is about the game that is named below.
    for each in going_on[:GOING_ON]:
        players = ", ".join(seat.name or seat.id for seat in each.players)
        words = f"Go on with {escaped(title_of(each.game))}: {escaped(players)}"
        st.link_button(words, f"{SCRIBE}/?{urlencode({'game': each.game_id})}", icon=":material/play_arrow:")
    name = st.text_input("A game of your own that is new here", key="new game", placeholder=EXAMPLE, width=340).strip()
    slug = called(name) if name else next((each.game for each in games), site.choice.slug)
    slug = slug or (begun_here(name, "keep", now=True) if name else "")
    told.text(OWN.format(title_of(slug)) if slug in open_games() else KNOWN)
    if slug or not name:
        words, new = (f"of {title_of(slug)}", f"?{urlencode({'new': slug})}") if slug else ("now", "")
        st.link_button(f"Keep a log {escaped(words)}", f"{SCRIBE}/{new}", icon=":material/edit_note:", type="primary")
    with st.container(key="other-device"):  # Whoever reads this on a phone has the button above.
        _on_a_phone()


def _played(site: "Site") -> tuple[list[StoredGame], list[StoredGame]]:
    """Return the games of people, and those of them that were begun here and are not over, the newest first."""
    if not site.has_log:
        return [], []
    with suppress(NoLogError), Log.open(log_address()) as log:
        games = sorted((each for each in log.games() if not is_by_bots(each.game_id)), key=_age, reverse=True)
        return games, still_kept(log, games)
    return [], []  # The first game that is kept begins the log.


def _age(stored: StoredGame) -> tuple[str, int]:
    return stored.recorded_at, stored.number


def _on_a_phone() -> None:
    """Show the code for a phone, once somebody lets phones in."""
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
