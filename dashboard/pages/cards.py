"""Which cards win, which die in the hand, which nobody plays: `?card=…` shows one card by itself."""

from collections.abc import Iterator
from functools import partial
from operator import itemgetter
from typing import Any, Final

import streamlit as st

from tabletape.dashboard.charts.rows import Dot, draw_dots
from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.sections.answers import (
    folded,
    none_yet,
    numbers,
    rows_of,
    table_for_each,
    title,
    verdict,
    with_label,
)
from tabletape.dashboard.sections.choice import picked_one
from tabletape.dashboard.sections.decision_count import decision_count
from tabletape.dashboard.sections.heading import heading
from tabletape.dashboard.sections.in_short import MIN_SIDES, is_weighed, sentence, standing_out
from tabletape.dashboard.sections.kept_moves import cards_named
from tabletape.dashboard.sections.one_card import (
    NO_WORD_BELOW,
    card_called,
    coverage,
    dead_dot,
    effect_in_words,
    linked_card,
    one_card,
)
from tabletape.dashboard.sections.shares import Shares, apart_in_words, shares, shown
from tabletape.dashboard.site import Site
from tabletape.projector.model.amounts import counted, joined

ALL_KEY: Final = "all cards"
"""Where the session keeps that all cards are shown."""

NO_CARDS: Final = "There are no cards in these logs."

DRAWS_TELL: Final = (
    "Which card helps can be told where each draw names its card, from the first hand on: type \u201cKim draws "
    "Camel\u201d in the scribe, or import the chat of an online table."
)
"""How hands come to be known."""

ENDS: Final = 5
"""So many of the best and of the worst cards are shown before all of them are."""


def cards_page(site: Site) -> None:
    """Show what becomes of the cards, all of them or the one that the address names."""
    names = {row["card"]: card_called(row) for row in rows_of(site, "cards")}
    if not heading(site, "Cards", names.get(st.query_params.get("card", ""), "")):
        return
    if not any(rows_of(site, name) for name in ("cards", "play-rate", "dead-cards")):
        cards = cards_named(site.choice.slug, site.stamp)
        named = f"The logs name {joined(cards)}, but not all that was in a hand." if cards else NO_CARDS
        verdict([f"{'No card can be judged yet. ' if cards else ''}{named} {DRAWS_TELL}"])
        site.link("keep", "Keep a log at the next game", icon=":material/edit_note:")
        site.link("import", "Import a log with moves", icon=":material/upload_file:")
        return
    answer = st.container()  # The answer and its picture stand above the choice of a card.
    is_one = st.query_params.get("card") in names
    chosen = picked_one("Another card" if is_one else "One card", "card", names, placeholder="All cards", width=360)
    with answer:
        if chosen:
            one_card(site, chosen)
            return
        how = Shares("cards", "card")
        verdict(_in_short(site), apart_in_words(site, how.differences(rows_of(site, "cards"), card_called)))
        weighed = is_weighed(rows_of(site, "card-effects"))
        (_effects if weighed else _in_hand)(site)
    with folded("Who wins with them in hand" if weighed else "With the deck, the player and who began allowed for"):
        (_in_hand if weighed else _effects)(site)
    with folded("Which cards die in the hand"):
        _dead(site)
    with folded("Which are played, when, and which are kept"):
        _played(site)
        _tables(site)


def _in_hand(site: Site) -> None:
    """Show how often each card was held by the side that won, with its interval."""
    rows = rows_of(site, "cards")
    enough = [row for row in rows if row["seen_games"] >= MIN_SIDES]
    best = sorted(enough or rows, key=lambda row: (-row["seen_games"], row["card_name"]))
    shown, counts, above = _ends(_by_rate(best, "seen_rate"), len({row["card"] for row in rows}))
    shares(site, "cards", "card", label=partial(linked_card, site, above=above), rows=shown, counts=counts)
    if len({row["card"] for row in best}) > 2 * ENDS:
        st.toggle("All cards in the chart", key=ALL_KEY)
    coverage(rows_of(site, "cards"))


def _ends(rows: list[dict[str, Any]], there_are: int) -> tuple[list[dict[str, Any]], str, dict[str, str]]:
    """Return the rows of the cards at both ends, or of all on demand, what is shown, and the headings above cards."""
    cards, above = list(dict.fromkeys(row["card"] for row in rows)), dict[str, str]()
    if not st.session_state.get(ALL_KEY) and len(cards) > 2 * ENDS:
        cards = [*cards[:ENDS], *cards[-ENDS:]]
        of = with_label(rows[0], f"the {ENDS} that won")
        above = {cards[0]: sentence(f"{of} most so far")[:-1], cards[ENDS]: sentence(f"{of} least so far")[:-1]}
    counts = "How often sides that had the card in hand won."
    if len(cards) < there_are:
        counts += (
            f" Picked for how they came out, these {len(cards)} of {there_are} cards look more different than they are."
        )
    return [row for row in rows if row["card"] in cards], counts, above


def _in_short(site: Site) -> Iterator[str]:
    """Say which cards stand out, and which may."""
    effects = rows_of(site, "card-effects")
    for part in site.parts():
        mine = [row for row in effects if row["among"] == part.label]
        tested = sum(row["games"] >= NO_WORD_BELOW for row in mine)
        text = f"too few games to judge a card: no card was in a hand in {NO_WORD_BELOW} of them yet"
        text = sentence(standing_out(mine) or text)
        if tested and not any(row["stands_out"] for row in mine):
            was = f"{counted(tested, 'card')} {'was' if tested == 1 else 'were'}"
            text += f" {was} in a hand in {NO_WORD_BELOW} games or more; so few games may still be luck."
        yield with_label({"among": part.label}, text)


def _effects(site: Site) -> None:
    """Show which cards go with winning when the deck, the player, who began and the cards seen are allowed for."""
    title("card-effects")
    effects = rows_of(site, "card-effects")
    tested = [row for row in effects if row["games"] >= NO_WORD_BELOW]
    if not tested:
        none_yet(f"No card has been in hand in {NO_WORD_BELOW} games yet, which is where a word about it begins.")
        numbers(site, "card-effects")
        return
    told = shown(tested, itemgetter("card"))
    drawable = [row for row in told if row["low"] is not None]
    first = {row["card"]: row["effect"] for row in reversed(drawable)}
    by_effect = sorted(drawable, key=lambda row: -first[row["card"]])
    marks = [_effect(site, row) for row in by_effect]
    if marks:
        draw_dots(marks, share=False, axis="points, at one half")
        st.caption(
            "What these games alone say of each card; a line holds the truth in 80 (thick) or 95 of a hundred cases. "
            "The effect in words is weighed with how large effects mostly are. It goes with winning, which is no "
            "cause: What if plays without the card."
        )
    hardly = [row for row in told if row["low"] is None]
    if hardly and not marks:
        none_yet("There are too few games yet to tell the effect of any card from luck.")
    if hardly:
        with st.expander(f"{counted(len(hardly), 'card')} of which these games say hardly anything yet"):
            named = (f"{card_called(row)} ({counted(row['games'], 'game')})" for row in hardly)
            st.text(", ".join(map(with_label, hardly, named)))
    _outstanding(tested)
    numbers(site, "card-effects")


def _outstanding(tested: list[dict[str, Any]]) -> None:
    """Say how many cards stand out, and how many would by luck."""
    for row in {row["among"]: row for row in tested}.values():
        outstanding = sum(each["stands_out"] for each in tested if each["among"] == row["among"])
        by_luck = f"about {row['by_luck']:.1f}" if row["by_luck"] >= 0.1 else "fewer than 0.1"
        text = f"Of {row['tested']} cards {outstanding} stand out; {by_luck} would if no card mattered."
        st.caption(escaped(with_label(row, text)))


def _effect(site: Site, row: dict[str, Any]) -> Dot:
    """Return what the games alone say of a card, in points, as a dot with its interval."""
    low, low_80, points, high_80, high = (
        round(row[name] * 100, 1) for name in ("low", "low_80", "alone", "high_80", "high")
    )
    words = with_label(row, effect_in_words(row))
    return Dot(linked_card(site, row), points, low, high, words, row["among"], (low_80, high_80), even=0.0)


def _played(site: Site) -> None:
    """Show how often cards were played, the least played first; of those that always were only how many they are."""
    rows = rows_of(site, "play-rate")
    missed = {row["card"] for row in rows if row["play_rate"] is not None and row["play_rate"] < 1}
    often = sorted((row for row in rows if row["card"] in missed), key=lambda row: -row["seen"])
    always = counted(len({row["card"] for row in rows} - missed), "card")
    text = f"Of the copies that came to a hand; {always} {'was' if always == '1 card' else 'were'} played each time."
    by_rate = _by_rate(often, "play_rate")[::-1]
    shares(site, "play-rate", "card", label=partial(linked_card, site), rows=by_rate, counts=text, none=text)


def _tables(site: Site) -> None:
    """Show when cards are played, and which are kept, as tables: there are too many rows for a chart."""
    for name in ("tempo", "mulligans", "keeping"):
        table_for_each(site, name)


def _by_rate(rows: list[dict[str, Any]], rate: str) -> list[dict[str, Any]]:
    """Return the rows of the cards that most games tell about, the best of them first."""
    most = shown(rows, itemgetter("card"))
    first = {row["card"]: row[rate] or 0.0 for row in reversed(most)}
    return sorted(most, key=lambda row: (-first[row["card"]], row["card"], row["among"]))


def _dead(site: Site) -> None:
    dead = [row for row in rows_of(site, "dead-cards") if row["dead"]]
    worst = sorted(dead, key=lambda row: (-row["dead_rate_low"], -row["entered"], row["card"]))
    worst = [row for row in worst if row["entered"] >= MIN_SIDES] or worst
    title("dead-cards")
    if worst:
        draw_dots([dead_dot(site, row) for row in shown(worst, itemgetter("card"))], share=True)
        st.caption("Of the copies that came to a hand; the card whose interval begins highest stands first.")
    else:
        none_yet()
    if any(row["left_in_hand"] is not None and row["never_playable"] is None for row in dead):
        decision_count(
            site,
            "Why these cards stayed in the hand is not known yet: whether they could never be played, came too late, "
            "or were not chosen.",
            "Find out why cards die",
        )
    numbers(site, "dead-cards")
