"""What a log probably meant: below a replay, the slip behind its first finding, with both boards."""

from typing import Final

import streamlit as st

from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.replay.component import board_json, replay_board
from tabletape.events.log import Log
from tabletape.events.log.revising import store_revision
from tabletape.events.log.rows import StoredGame
from tabletape.projector.archive.frames import frames
from tabletape.projector.archive.stored import replay_of
from tabletape.projector.fold.folding import fold_under
from tabletape.projector.fold.traced import Traced
from tabletape.projector.games import game
from tabletape.projector.mending.proposals import Mending, Proposal, mend, mended, numbered_events
from tabletape.projector.model.amounts import counted
from tabletape.projector.model.phrases import with_rulings_said
from tabletape.projector.model.rules import HARD

MAX_SHOWN: Final = 5
"""Proposals to choose from."""


def mending_section(log: Log, stored: StoredGame, stamp: str) -> None:
    """Offer to search the slip behind the first finding of a game, show the table as it would be, and store that."""
    if not _wrong(str(log.url), stored.game_id, stamp):
        return
    st.markdown("##### What was probably meant")
    if not st.toggle("Look for the slip behind the first mistake", key=f"mend {stored.game_id}"):
        st.caption("Tries what log keepers get wrong: a line twice, two swapped, a wrong word, one forgotten.")
        return
    mending = _mending(str(log.url), stored.game_id, stamp)
    if mending is None:
        return
    said = with_rulings_said(game(stored.game).rulebook, mending.finding.message)
    st.text(f"Step {mending.finding.seq}: {said}")
    if not mending.proposals:
        played = " It was probably played that way." if mending.was_probably_played else ""
        st.info(f"No slip was found: no single edit of the log explains this.{played}")
        return
    _choose(log, stored, mending)


def _choose(log: Log, stored: StoredGame, mending: Mending) -> None:
    shown = mending.proposals[:MAX_SHOWN]
    chosen = st.radio("Which is it?", shown, format_func=_as_line, key=f"proposal {stored.game_id}")
    way = _way_of(chosen, f"way {stored.game_id}")
    if mending.proposals[0].ties:
        many = mending.proposals[0].ties + 1
        st.caption(f"{many} proposals explain this equally well: the log cannot tell which.")
    if mending.may_be_played:
        st.caption("Or it was played that way, against the rule: then leave it is.")
    if not mending.complete:
        st.caption("Not everything was tried.")
    st.caption("The table as it would be:")
    replay_board(_mended_board(mending, chosen, way), step=chosen.seq, aside=True, key=f"mended {stored.game_id}")
    if st.button("Store this as a new revision", type="primary", icon=":material/build:"):
        events = numbered_events(mended(mending.replay, chosen, way))
        store_revision(log, stored, events, f"{stored.file or stored.game_id} (mended: {chosen.texts[way]})")
        st.rerun()


def _way_of(proposal: Proposal, key: str) -> int:
    """Return which of the things that a proposal may say is chosen: the first, unless there are several."""
    texts = proposal.texts
    if len(texts) == 1:
        return 0
    st.caption(f"{len(texts)} ways explain this equally well: the log cannot tell which.")
    chosen: int = st.selectbox("In which way?", range(len(texts)), format_func=lambda each: texts[each], key=key)
    return chosen


def _as_line(proposal: Proposal) -> str:
    gone = counted(proposal.findings_before - proposal.findings_after, "finding")
    return escaped(f"{proposal.text} ({gone} less)")


def _mended_board(mending: Mending, proposal: Proposal, way: int) -> str:
    replay = mended(mending.replay, proposal, way)
    traced = fold_under(replay.game, replay.ruleset, replay.events, replay.library, traced=True)
    if not isinstance(traced, Traced):
        raise TypeError("a traced replay was asked for")
    return board_json(frames(traced))


@st.cache_data(max_entries=64, show_spinner=False)
def _wrong(url: str, game_id: str, stamp: str) -> bool:  # noqa: ARG001 - `stamp` is there to be remembered by
    with Log.open(url) as log:
        return any(each.kind in HARD for each in replay_of(log, game_id).findings)


@st.cache_resource(max_entries=16, show_spinner="Looking for the slip …")
def _mending(url: str, game_id: str, stamp: str) -> Mending | None:  # noqa: ARG001 - `stamp` is there to be remembered by
    with Log.open(url) as log:
        return mend(game_id, replay_of(log, game_id))
