"""What was done in games kept in the scribe, on the page of their game: a person names it, and it becomes its moves."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import streamlit as st

from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.own_game.kept import KeptGames, kept_games, name_moves
from tabletape.dashboard.sections.answers import verdict
from tabletape.dashboard.sections.freshness import build_all
from tabletape.dashboard.sections.game_chats import named_by
from tabletape.dashboard.workspace import log_address
from tabletape.events.errors import TabletapeError
from tabletape.events.log import Log
from tabletape.events.log.rows import StoredGame
from tabletape.events.vocabulary.open_games import open_games
from tabletape.events.workspace_files import text_of
from tabletape.projector.model.amounts import counted

STAYS: Final = "What was written stays: a new revision of each game says these lines as moves."
"""What the button does to a log."""


def name_kept(file: Path, stored: Sequence[StoredGame], stamp: str) -> bool:
    """Offer to make moves of what was done with cards in stored games; return whether there is something of that."""
    if named := st.session_state.pop("moves named", ""):
        st.success(escaped(named), icon=":material/check:")
    kept = _kept(file.stem, log_address(), stamp, text_of(file))
    if not kept.lines:
        return False
    done = [f"{move} ({counted(times, 'time')})" for move, times in kept.times.items()]
    of_cards = f", with {counted(len(kept.kinds), 'kind')} of cards" * bool(kept.kinds)
    verdict(["Your log says what was done with cards: take that as moves, and rules can look at them."])
    st.text(f"Kept: {', '.join(done)}{of_cards}." if done else f"New cards: {', '.join(kept.kinds)}.")
    look = named_by(kept.look, kept=True)
    if look is not None and st.button("These are its moves", type="primary", icon=":material/check:", help=STAYS):
        try:
            with Log.open(log_address()) as log:
                lines = name_moves(file, look, stored, log)
        except TabletapeError as error:
            st.error(escaped(str(error)), icon=":material/error:")
            return True
        st.session_state["moves named"] = f"{counted(lines, 'line')} said as moves. {STAYS.partition(':')[0]}."
        build_all()
        st.rerun()
    return True


def cards_named(slug: str, stamp: str) -> list[str]:
    """Return the cards that the file of an own game or its logs name, as people call them."""
    described = open_games().get(slug)
    if described is None:
        return []
    kept = _kept(slug, log_address(), stamp, described.text)
    known = described.rules.cards if described.rules is not None else ()
    return [each.replace("-", " ").title() for each in (*known, *kept.kinds)]


@st.cache_data(show_spinner=False, max_entries=20)
def _kept(slug: str, db: str, stamp: str, text: str) -> KeptGames:  # noqa: ARG001 - it is remembered by `stamp`
    with Log.open(db) as log:
        return kept_games([each for each in log.games() if each.game == slug], log, text)
