"""Go on from a step: bots play the rest of the game that the replay page shows, and the page says who won."""

from typing import Final

import streamlit as st

from tabletape.dashboard.branching import Branches, play, side_by_side, summary_of
from tabletape.dashboard.markdown_escape import escaped
from tabletape.events.log import Log
from tabletape.events.log.rows import StoredGame
from tabletape.projector.archive.stored import RulesetOverride, replay_of
from tabletape.projector.fold.replay import Replay
from tabletape.projector.selfplay.branch import BranchError
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.simulate import Plan

MAX_BRANCHES: Final = 1000
"""How many times the rest is played at most."""

PLAYED_KEY: Final = "going on: played"
"""Where the session keeps what was played."""

Question = tuple[str, int, Plan]
"""The game, the step from which the rest is played, and how."""


def branch_section(log: Log, stored: StoredGame, step: int | None, reading: RulesetOverride) -> None:
    """Offer to play the rest of a game from a step, as it was recorded and beside it under the reading of the page."""
    with st.expander("Go on from a step: bots play the rest", icon=":material/alt_route:"):
        st.caption(
            "Branches are shown and not kept. Cards that nobody has named are dealt by lot each time. Read by another "
            "version or ruling, the rest is played by the recorded rules and by these, side by side."
        )
        place, number, who = st.columns(3)
        last = max(1, stored.events - (stored.number in log.over([stored])))  # Behind the end nothing is left to play.
        here = place.number_input("From step", min_value=1, max_value=last, value=min(step or last, last))
        times = number.number_input("Times", min_value=1, max_value=MAX_BRANCHES, value=50)
        bot = Bot(who.selectbox("Bots", [str(each) for each in Bot], index=list(Bot).index(Bot.GREEDY)))
        plan = Plan(bots=(bot,), edition=reading.edition, rulings=reading.rulings)
        question = (stored.game_id, int(here), plan)
        if st.button("Play the rest", icon=":material/play_arrow:"):
            _play(replay_of(log, stored.game_id), int(times), question)
        played: tuple[Question, Branches] | None = st.session_state.get(PLAYED_KEY)
        if played is not None and played[0] == question and played[1].number:
            summary = summary_of(played[1])
            st.markdown(f"**{escaped(summary.headline)}**")
            st.dataframe([dict(row) for row in summary.rows], hide_index=True)
            for sentence in summary.sentences:
                st.text(sentence)


def _play(played: Replay, times: int, question: Question) -> None:
    _, step, plan = question
    try:
        asked = side_by_side(played, step, plan)
    except BranchError as error:
        st.text(str(error))
        return
    st.session_state[PLAYED_KEY] = (question, asked)
    place = st.empty()
    with place.container():
        bar = st.progress(0.0, text="Playing the rest")
        st.button("Stop", icon=":material/stop:", key="stop going on", help="What was played by then is shown.")
    for done in play(asked, times):
        bar.progress(done / times, text=f"{done} of {times}")
    place.empty()
