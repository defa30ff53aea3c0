"""What every other reading of the rulebook would change, ranked: the errata list with the games that prove it."""

from typing import Any, Final

import streamlit as st

from tabletape.dashboard.sections.answers import rows_of
from tabletape.dashboard.sections.lists import replay_url
from tabletape.dashboard.site import Site
from tabletape.dashboard.workspace import log_address
from tabletape.events.log import Log
from tabletape.projector.comparing.every_reading import (
    FOLDER,
    GameReadings,
    Weight,
    kept_readings,
    read_every_way,
    weights,
)
from tabletape.projector.model.amounts import counted

PROOFS: Final = 3
"""How many games are a link beside a reading."""


def readings_stored(site: Site) -> dict[str, GameReadings]:
    """Return what is kept about the games of the chosen game under every reading, by game id."""
    if not site.has_log:
        return {}
    file = site.workspace / FOLDER / f"{site.choice.slug}.jsonl"
    state = file.stat() if file.is_file() else None
    stamp = f"{state.st_mtime_ns} {state.st_size}" if state else ""
    readings: dict[str, GameReadings] = _stored(log_address(), site.choice.slug, f"{site.stamp} {stamp}")
    return readings


@st.cache_data(show_spinner=False, ttl="60s", max_entries=16)
def _stored(address: str, slug: str, stamp: str) -> dict[str, GameReadings]:  # noqa: ARG001 - see `site.answered`
    with Log.open(address) as log:
        return kept_readings(log, log.games(game=slug))


def readings_section(site: Site) -> None:
    """Show the readings ranked by what they would change in the chosen games, and offer to read what has not been.

    Without the log no game can be read.
    """
    if not site.has_log:
        return
    st.subheader("What would every other reading change?", anchor="readings")
    games = dict.fromkeys(row["game_id"] for row in rows_of(site, "games"))
    stored = readings_stored(site)
    read = [stored[each] for each in games if each in stored]
    st.text(
        f"{len(read)} of {counted(len(games), 'game')} read by each option of each ruling, one at a time. The more "
        "winners and verdicts another reading changes, the more the sentence needs a word of its author."
    )
    if len(read) < len(games) and st.button(
        f"Read {counted(len(games) - len(read), 'game')} every way", icon=":material/compare_arrows:", key="every way"
    ):
        _read(site, [each for each in games if each not in stored])
        st.rerun()
    changing = [each for each in weights(read) if each.changed]
    if changing:
        columns = {f"game {number}": st.column_config.LinkColumn(display_text=r"game=([^&]*)") for number in (1, 2, 3)}
        columns["about it"] = st.column_config.LinkColumn(display_text="ruling")
        st.dataframe([_row(site, each) for each in changing], hide_index=True, column_config=columns)
    silent = sum(not each.changed for each in weights(read))
    if silent:
        st.caption(f"{counted(silent, 'other reading')} would change nothing in these games.")


def _row(site: Site, weight: Weight) -> dict[str, Any]:
    reading = f"{weight.ruling}={weight.option}"
    proofs = {
        f"game {number}": replay_url(
            site, {"game_id": game_id, "seq": seq, "ruleset": f"{weight.ruling}={weight.option}"}
        )
        for number, (game_id, seq) in enumerate(weight.proof[:PROOFS], 1)
    }
    return {
        "reading": reading,
        "about it": site.url("rules", unclear=weight.ruling),
        "another winner": weight.winners,
        "another ending": weight.endings,
        "games that change": weight.changed,
        "of": weight.games,
        "verdicts": weight.verdicts,
        **proofs,
    }


def _read(site: Site, wanted: list[str]) -> None:
    """Read games every way, saying how far it is; what is read is kept, also when the reader stops it."""
    st.button("Stop; what is read is kept", key="stop reading", icon=":material/stop_circle:")
    bar = st.progress(0.0, "Reading the games …")
    done = 0

    def progress(games: int) -> None:
        nonlocal done
        done += games
        bar.progress(min(done / len(wanted), 1.0), f"Reading the games … {done} of {len(wanted)}")

    with Log.open(log_address()) as log:
        chosen = [each for each in log.games(game=site.choice.slug) if each.game_id in set(wanted)]
        read_every_way(log, chosen, progress, processes=1)
