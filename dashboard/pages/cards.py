"""Which cards win, which die in the hand, which nobody plays: `?card=…` shows one card by itself."""

from typing import Any, Final

import streamlit as st

from dashboard.answers import SHOWN, none_yet, numbers, rows_of, shares, show_table, title, with_label
from dashboard.charts import Part, draw, stacked
from dashboard.heading import heading
from dashboard.lists import game_lines
from dashboard.markdown_escape import escaped
from dashboard.questions import question
from dashboard.site import Site
from dashboard.statistics.intervals import difference_in_words, newcombe, share_in_words

WHY: Final = {
    "never_playable": "never playable",
    "too_late": "came too late",
    "never_chosen": "never chosen",
    "discarded": "discarded",
    "left_in_hand": "left in the hand",
}
"""Why a card did nothing, as the answer counts it and as the page says it."""

ENOUGH: Final = 5
"""A card that fewer sides have seen is not drawn; the table has it."""


def cards_page(site: Site) -> None:
    """Show what becomes of the cards, all of them or the one that the address names."""
    if not heading(site, "Cards"):
        return
    chosen = _choose(site)
    if chosen:
        _one(site, chosen)
        return
    _coverage(site)
    rows = rows_of(site, "cards")
    enough = [row for row in rows if row["seen_games"] >= ENOUGH]
    best = sorted(enough or rows, key=lambda row: (-row["seen_games"], row["card_name"]))
    shares(site, "cards", "card", label=_named, rows=_by_rate(best, "seen_rate"))
    st.caption("All cards, also copy by copy: in hand (GIH), never drawn (GNS), the difference (IWD).")
    show_table(site, site.ask("cards"), question("cards"))
    _dead(site)
    often = sorted(rows_of(site, "play-rate"), key=lambda row: -row["seen"])
    shares(site, "play-rate", "card", label=_named, rows=_by_rate(often, "play_rate"))
    _never(site)


def _choose(site: Site) -> str:
    """Ask for one card and return its id, or nothing for all of them."""
    names = {row["card"]: row["card_name"] or row["card"] for row in rows_of(site, "cards")}
    return (
        st.selectbox(
            "One card",
            sorted(names, key=lambda card: str(names[card])),
            index=None,
            key="card",
            bind="query-params",
            placeholder="All cards",
            width=360,
        )
        or ""
    )


def _named(row: dict[str, Any]) -> str:
    return str(row["card_name"] or row["card"])


def _by_rate(rows: list[dict[str, Any]], rate: str) -> list[dict[str, Any]]:
    """Return the rows of the cards that most games tell about, the best of them first."""
    cards = list(dict.fromkeys(row["card"] for row in rows))[:SHOWN]
    shown = [row for row in rows if row["card"] in cards]
    first = {row["card"]: row[rate] or 0.0 for row in reversed(shown)}
    return sorted(shown, key=lambda row: (-first[row["card"]], row["card"], row["among"]))


def _coverage(site: Site) -> None:
    for row in {row["among"]: row for row in rows_of(site, "cards")}.values():
        known = share_in_words(row["sides_known"], row["sides"])
        st.caption(
            escaped(with_label(row, f"Only sides whose hand is known at every moment count: {known} of all sides."))
        )


def _dead(site: Site) -> None:
    title("dead-cards")
    found = [row for row in rows_of(site, "dead-cards") if row["among"] in {"", "A"} and row["dead"]]
    worst = sorted(found, key=lambda row: (-row["dead"] / row["entered"], -row["entered"]))
    worst = [row for row in worst if row["entered"] >= ENOUGH][:SHOWN] or worst[:SHOWN]
    if not worst:
        none_yet()
    else:
        parts = [
            Part(_named(row), words, row[why] / row["entered"])
            for row in worst
            for why, words in WHY.items()
            if row[why]
        ]
        present = [words for words in WHY.values() if any(part.part == words for part in parts)]
        said = {_named(row): share_in_words(row["dead"], row["entered"]) + _blocked(row) for row in worst}
        draw(stacked, parts, present, said)
    if any(row["left_in_hand"] is not None and row["never_playable"] is None for row in found):
        st.caption("Why cards stayed in the hand is not known yet: `tabletape build --decision-load` finds it out.")
    numbers(site, "dead-cards")


def _blocked(row: dict[str, Any]) -> str:
    return f"; most often against {row['blocked_by']}" if row["blocked_by"] else ""


def _never(site: Site) -> None:
    st.subheader("Which cards has no table seen?", anchor="never-seen")
    rows = [row for row in site.ask("never-seen").to_pylist() if row["what"] == "card"]
    if rows:
        shown = [{"card": row["title"], "kind": row["detail"], "id": row["name"]} for row in rows]
        st.dataframe(shown, hide_index=True)
    else:
        st.text("Every card has left its deck at least once.")


def _one(site: Site, card: str) -> None:
    """Show what is known of one card, with its games."""
    wins = [row for row in rows_of(site, "cards") if row["card"] == card]
    dead = [row for row in rows_of(site, "dead-cards") if row["card"] == card]
    played = [row for row in rows_of(site, "play-rate") if row["card"] == card]
    st.header(escaped(_named(wins[0])), anchor=False, divider="gray")
    for row in wins:
        st.text(
            with_label(row, f"won by a side that had it in hand: {share_in_words(row['seen_wins'], row['seen_games'])}")
        )
        st.text(with_label(row, f"in hand, copy by copy: {share_in_words(row['gih_wins'], row['gih'])}"))
        st.text(with_label(row, f"never drawn: {share_in_words(row['gns_wins'], row['gns'])}"))
        if row["iwd"] is not None:
            improved = newcombe((row["gih_wins"], row["gih"]), (row["gns_wins"], row["gns"]))
            st.text(with_label(row, f"in hand compared with never drawn: {difference_in_words(improved)}"))
    for row in played:
        turns = f"; half of them left the hand within {row['turns_in_hand']:g} turns"
        st.text(with_label(row, f"played: {share_in_words(row['played'], row['seen'])}{turns}"))
    for row in dead:
        why = "".join(f", {row[key]} {words}" for key, words in WHY.items() if row[key])
        st.text(with_label(row, f"dead: {share_in_words(row['dead'], row['entered'])}{why}{_blocked(row)}"))
    st.subheader("Games in which it left its deck", anchor=False)
    game_lines(site, rows_of(site, "games", card=card))
    site.link("games", "All of them", icon=":material/list:", card=card)
