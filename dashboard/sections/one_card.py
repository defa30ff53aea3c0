"""One card by itself: how often it won, was played and did nothing, what is printed on it, its games."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec
import streamlit as st

from tabletape.dashboard.charts.rows import Dot, Label, draw_dots
from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.questions import question, select
from tabletape.dashboard.questions.methods.card_effects import MIN_GAMES as ENOUGH_GAMES
from tabletape.dashboard.sections.answers import folded, rows_of, share_of_row, verdict, with_label
from tabletape.dashboard.sections.lists import newest_first, replay_address
from tabletape.dashboard.sections.printed_card import versions
from tabletape.dashboard.sections.shares import reading_of_a_chart
from tabletape.dashboard.site import Site
from tabletape.dashboard.statistics.intervals import difference_in_words, newcombe, percent
from tabletape.dashboard.workspace import log_address
from tabletape.events.log import Log
from tabletape.projector.archive.stored import cards_of
from tabletape.projector.model.amounts import counted, day_said, joined

WHY: Final = {
    "never_playable": "never playable",
    "too_late": "came too late",
    "never_chosen": "never chosen",
    "discarded": "discarded",
    "left_in_hand": "left in the hand",
}
"""Why a card did nothing, as the answer counts it and as the page says it."""

RATE: Final = {"seen_rate": "Won, of the sides with it in hand"}
"""How often sides won that had one card, and how that is said: each side counts once."""

COPIES: Final = {
    "gih_rate": "won: copies in hand",
    "oh_rate": "won: copies in the opening hand",
    "gd_rate": "won: copies drawn later",
    "gns_rate": "won: copies never drawn",
}
"""The same by copies, which compare those drawn with those never drawn."""

PLAYED: Final = {"play_rate": "Played, of its copies in a hand"}
"""How often one card was played, and how that is said."""

DEAD: Final = "Never used, of its copies in a hand"
"""What is said of a card that stayed in hands."""

OTHERS: Final = {"people": "bots", "bots": "people"}
"""Whose games stand beside those that are chosen."""

HELD: Final = """\
SELECT card, game_id, ruleset, name, played > 0 AS played
FROM cards JOIN (SELECT game_id, ruleset_id, player, name, seat FROM seats) USING (game_id, ruleset_id, player)
WHERE seen > 0
ORDER BY seat"""
"""Who had which card in hand, and whether they played it."""

VERBS: Final = {"played": True, "held": False}
"""What is said of who played a card, and of who only had it in hand."""

GAMES: Final = 5
"""How many of its games are shown."""

NOTHING_ABOVE: Final[Mapping[str, str]] = {}

NO_WORD_BELOW: Final = ENOUGH_GAMES
"""Of cards that fewer games have seen the adjusted effect is not shown."""


def one_card(site: Site, card: str) -> None:
    """Show what is known of one card, with its games."""
    wins = [row for row in rows_of(site, "cards") if row["card"] == card]
    dead = [row for row in rows_of(site, "dead-cards") if row["card"] == card]
    played = [row for row in rows_of(site, "play-rate") if row["card"] == card]
    verdict(with_label(row, _in_short(row)) for row in wins if row["seen_games"] and row["baseline"])
    _printed(site, card)
    _keywords(site, card)
    # Where all of them were played, none was left over: that is one fact.
    every = bool(played) and all(row["play_rate"] == 1 for row in played)
    became = [] if every else [msgspec.structs.replace(dead_dot(site, row), label=DEAD) for row in dead]
    marks = [*_rates(wins, RATE, "cards"), *_rates(played, PLAYED, "play-rate"), *became]
    draw_dots(marks, share=True)
    reading_of_a_chart(marks)
    coverage(wins)
    site.link(
        "what-if", "What if this card had other numbers?", icon=":material/science:", card=card, of=site.game.title
    )
    _beside(site, card)
    _newest(site, card)
    with folded("Drawn or never drawn, and with the deck, the player and who began allowed for"):
        draw_dots([*_rates(wins, COPIES, "cards")], share=True)
        st.caption(
            "Here each copy counts that was drawn, above each side once: a side with two copies is two here, and one "
            "that came to the hand in another way is none."
        )
        for part in site.parts():
            if words := site.exclusions("cards", part):
                st.caption(escaped(with_label({"among": part.label}, f"Who won: {words}")))
        _allowed_for(site, card, wins)


def _newest(site: Site, card: str) -> None:
    """Show the newest games in which somebody had the card in hand: who, and who won."""
    rows = newest_first(rows_of(site, "games", card=card))
    st.subheader("Newest games with it in hand", anchor=False)
    held = select(HELD, site.folder, (), games=[row["game_id"] for row in rows[:GAMES]], source="all").to_pylist()
    for row in rows[:GAMES]:
        mine = {
            each["name"]: each["played"]
            for each in held
            if (each["card"], each["game_id"], each["ruleset"]) == (card, row["game_id"], row["ruleset"])
        }
        day = f"{day_said(row['began'])}, " if row["began"] else ""
        label = escaped(f"{day}{row['names']}: {had_it(mine, row['won_by'])}")
        site.link("replay", label, icon=":material/play_circle:", **replay_address(site, row))
    if len(rows) > GAMES:
        every = len(rows_of(site, "games"))
        site.link("games", f"All {len(rows)} of {counted(every, 'game')}", icon=":material/list:", card=card)


def had_it(played: Mapping[str, bool], won_by: str | None) -> str:
    """Return who had a card in hand in a game, whether they `played` it, and who won."""
    if won_by and [won_by] == [*played]:
        return f"{won_by} {'played' if played[won_by] else 'held'} it and won"
    had = {verb: [name for name, used in played.items() if used is is_used] for verb, is_used in VERBS.items()}
    said = [f"{joined(names)} {verb} it" for verb, names in had.items() if names] or ["in no hand that is known"]
    return "; ".join([*said, f"{won_by or 'nobody'} won"])


def _in_short(row: dict[str, Any]) -> str:
    """Say whether a card is shown to be too strong or too weak."""
    if row["seen_rate_low"] <= row["baseline"] <= row["seen_rate_high"]:
        return "It is not shown to be too strong or too weak yet."
    more = "more" if row["seen_rate"] > row["baseline"] else "less"
    return f"Sides that had it won {more} than an even share. Of many cards some do so by luck."


def _rates(rows: Iterable[dict[str, Any]], rates: Mapping[str, str], name: str) -> Iterator[Dot]:
    """Yield the rates of one card that are known: no copy may have gone that way, or none can in this game."""
    for row in rows:
        for share, what in rates.items():
            if row[share] is not None:
                words = with_label(row, share_of_row(name, row, share))
                even = row["baseline"] or None if share in RATE else None
                ends = row[f"{share}_low"], row[f"{share}_high"]
                yield Dot(what, row[share], *ends, words, row["among"], even=even)


def _allowed_for(site: Site, card: str, wins: Iterable[dict[str, Any]]) -> None:
    """Say what a card goes with when more is allowed for than who had it in hand."""
    for row in rows_of(site, "card-effects"):
        if row["card"] == card and row["games"] >= NO_WORD_BELOW:
            st.text(with_label(row, effect_in_words(row)))
    for row in wins:
        if row["iwd"] is not None:
            in_hand, never = (
                each.effective(row) for each in question("cards").shares if each.name in {"gih_rate", "gns_rate"}
            )
            improved = newcombe(in_hand, never)
            st.text(with_label(row, f"in hand compared with never drawn: {difference_in_words(improved)}"))
    st.caption(f"No word about a card that fewer than {NO_WORD_BELOW} games have seen.")


def _beside(site: Site, card: str) -> None:
    """Show what bots do with a card beside people, or people beside bots, where their games are left out above."""
    other = OTHERS.get(site.choice.source)
    for name, word in (("play-rate", "played"), ("dead-cards", "dead")) if other else ():
        for row in rows_of(site, name, source=other):
            if row["card"] == card:
                st.text(with_label(row, f"{word}, in games of {other}: {share_of_row(name, row)}"))


def _printed(site: Site, card: str) -> None:
    """Show what is printed on the card, in every version that games were played by: the log has these."""
    if not site.has_log:
        return
    with Log.open(log_address()) as log:
        printings = versions(log, site.workspace, site.choice.slug, card)
    for version in printings:
        played = f"{counted(version.people, 'game')} of people, {version.bots} of bots, of all versions"
        before = "" if version.today else f"Before ({played}): "
        st.text(f"{before}{version.printed}")
        if version.text:
            st.markdown(f"*{escaped(version.text)}*")
        if version.today and len(printings) > 1:
            st.caption(f"So it is today: {played}.")


def _keywords(site: Site, card: str) -> None:
    """Say what the rulebook's keywords on a card mean, where a section of it is about keywords."""
    cards = cards_of(site.workspace, site.choice.slug)
    for word in cards.keywords(cards.library[card]) if card in cards.library else ():
        named = re.compile(rf"\.{re.escape(word)}\b")
        rules = [rule for id_, rule in site.game.by_id.items() if "Keyword" in rule.section and named.search(id_)]
        if rules:
            told = " ".join(rule.text for rule in rules).removeprefix(f"{word.capitalize()}: ")
            st.caption(escaped(f"{word.capitalize()}: {told}"))


def effect_in_words(row: dict[str, Any]) -> str:
    """Say an effect, what the games alone say of it with their interval, and its rank."""
    games = counted(row["games"], "game")
    if row["low"] is None:
        return f"{games} hardly narrowed it; {_rank(row)}"
    low, alone, high, effect = (row[name] * 100 for name in ("low", "alone", "high", "effect"))
    return f"{effect:+.0f} points ({games} alone: {alone:+.0f}, {low:+.0f} to {high:+.0f}), {_rank(row)}"


def _rank(row: dict[str, Any]) -> str:
    """Say which rank an effect has: that tells more than a wide interval."""
    low, high = (percent(row[name]) for name in ("top_3_low", "top_3_high"))
    return f"rank {row['rank']}, among the top 3 in {low}{f' to {high}' if high != low else ''} % of the cases"


def coverage(rows: Iterable[dict[str, Any]]) -> None:
    """Say for each part of the games of how many sides the hand is known at every moment, where not of all."""
    for row in {row["among"]: row for row in rows}.values():
        if row["sides_known"] < row["sides"]:
            known = f"{row['sides_known']} of {row['sides']}"
            st.caption(escaped(with_label(row, f"Only sides whose hand is known at every moment count: {known}.")))


def card_called(row: dict[str, Any]) -> str:
    """Return the name of a card, its id where it has none."""
    return str(row["card_name"] or row["card"])


def linked_card(site: Site, row: dict[str, Any], above: Mapping[str, str] = NOTHING_ABOVE) -> Label:
    """Return the name of a card in a chart, which leads to its page, below what stands `above` it by its id."""
    return Label(card_called(row), link=site.url("cards", card=row["card"]), above=above.get(row["card"], ""))


def dead_dot(site: Site, row: dict[str, Any]) -> Dot:
    """Return how often a card did nothing as a dot with its interval, and why."""
    share, low, high = (row[f"dead_rate{end}"] for end in ("", "_low", "_high"))
    why = "".join(f", {row[key]} {words}" for key, words in WHY.items() if row[key])
    rule = site.game.by_id.get(row["blocked_by"])
    against = f"; most often against \u201c{rule.text}\u201d" if rule else ""
    words = with_label(row, f"{share_of_row('dead-cards', row)}{why}{against}")
    return Dot(linked_card(site, row), share, low, high, words, row["among"])
