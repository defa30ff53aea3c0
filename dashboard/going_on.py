"""Go on from here: bots play the rest of the game that the replay page shows, and the page says who won."""

from collections import Counter
from typing import Final

import streamlit as st

from dashboard.markdown_escape import escaped
from dashboard.statistics.intervals import share_in_words
from events.log import Log
from events.log_rows import Game as StoredGame
from projector.fold.replay import Replay
from projector.reading.archive import Reading, replay_of
from projector.selfplay.bots import Bot
from projector.selfplay.branch import BranchError, branches
from projector.selfplay.simulate import Plan

MOST: Final = 1000
"""So many times the rest is played at most."""


def going_on_section(log: Log, stored: StoredGame, step: int | None, reading: Reading) -> None:
    """Offer to play the rest of a game from a step, under the reading that the page shows."""
    with st.expander("Go on from here: bots play the rest", icon=":material/alt_route:"):
        st.caption("Branches are told and not kept. Cards that nobody has named are dealt by lot each time.")
        place, number, who = st.columns(3)
        here = place.number_input("From step", min_value=1, max_value=stored.events, value=step or stored.events)
        times = number.number_input("Times", min_value=1, max_value=MOST, value=50)
        bot = Bot(who.selectbox("Bots", [str(each) for each in Bot], index=list(Bot).index(Bot.GREEDY)))
        if st.button("Play the rest", icon=":material/play_arrow:"):
            plan = Plan(bots=(bot,), edition=reading.edition, rulings=reading.rulings)
            _play(replay_of(log, stored.game_id), int(here), int(times), plan)


def _play(played: Replay, step: int, times: int, plan: Plan) -> None:
    winners: Counter[str] = Counter()
    unfinished = 0
    bar = st.progress(0.0, text="Playing the rest")
    st.button("Stop", icon=":material/stop:", key="stop going on")
    try:
        for match in branches(played, step, plan, times):
            winners[match.winner] += 1
            unfinished += bool(match.abandoned)
            bar.progress(winners.total() / times, text=f"{winners.total()} of {times}")
    except BranchError as error:
        st.text(str(error))
        return
    st.markdown(f"**Branch from step {step}, played {winners.total()} times by {plan.bots[0]} bots**")
    for seat in played.table.players.values():
        st.markdown(escaped(f"{seat.name} won {share_in_words(winners[seat.id], winners.total())}"))
    if winners[""]:
        st.text(f"nobody won {share_in_words(winners[''], winners.total())}")
    if unfinished:
        st.text(f"{unfinished} of these did not end.")
