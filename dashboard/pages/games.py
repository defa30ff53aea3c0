"""All games, and all findings in them: the way from a number to the steps behind it."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

import streamlit as st

from tabletape.dashboard.report.results import mistakes_said
from tabletape.dashboard.report.summary import ended_in_words, has_moves, most_won
from tabletape.dashboard.sections.answers import (
    FEELINGS,
    MAX_LISTED,
    Rows,
    feelings,
    folded,
    numbers,
    rows_of,
    verdict,
    with_label,
)
from tabletape.dashboard.sections.choice import picked_one
from tabletape.dashboard.sections.heading import heading
from tabletape.dashboard.sections.lists import (
    finding_lines,
    findings_in_words,
    game_table,
    newest_first,
    remark_lines,
)
from tabletape.dashboard.site import Site
from tabletape.projector.archive.stored import usable_cards
from tabletape.projector.archive.view import ending_in_words
from tabletape.projector.model.amounts import counted, day_said
from tabletape.projector.model.phrases import deck_called

NEWEST: Final = 40
"""How many games are a row each before all of them are."""

FIRST_SAID: Final = 20
"""So many remarks are in sight at once."""


def games_page(site: Site) -> None:
    """Show the chosen games, narrowed by what the address or the reader says, and what was found in them."""
    if not heading(site, "Games"):
        return
    answer = st.container()  # It stands above what narrows it.
    narrowed = _narrow(site)
    rows = newest_first(rows_of(site, "games", **narrowed))
    if not rows:
        st.info("No game is left: take some of the filters away.", icon=":material/filter_alt_off:")
        return
    with answer:
        verdict(_in_short(site, rows, narrowed))
    found, said = _found(site, narrowed), rows_of(site, "remarks", **narrowed)
    told: dict[str, Callable[[], None]] = {counted(len(rows), "game"): partial(_listed, site, rows, narrowed)}
    if said or any(rows_of(site, each, **narrowed) for each in FEELINGS):
        played = {row["game_id"]: row for row in rows}
        told[f"What was said ({len(said)})"] = partial(_said, site, said, narrowed, played)
    if found:
        place = {row["game_id"]: number for number, row in enumerate(rows)}
        found.sort(key=lambda row: (place.get(row["game_id"], len(place)), row["seq"]))
        told[findings_in_words(found)] = partial(_judged, site, found, narrowed)
    for tab, show in zip(st.tabs(list(told)) if len(told) > 1 else [st.container()], told.values(), strict=True):
        with tab:
            show()


def _listed(site: Site, rows: Rows, narrowed: Mapping[str, str]) -> None:
    most = MAX_LISTED if len(rows) > NEWEST and st.toggle("Show all", key="all games") else NEWEST
    if len(rows) > most:
        st.caption(f"The newest {most:,} of {len(rows):,} games.")
    game_table(site, rows[:most])
    numbers(site, "games", **narrowed)


def _judged(site: Site, found: Rows, narrowed: Mapping[str, str]) -> None:
    finding_lines(site, found)
    numbers(site, "each-finding", **narrowed)


def _in_short(site: Site, rows: Rows, narrowed: dict[str, str]) -> Iterator[str]:
    """Say when these games were played, how many came to an end, and in how many something was not allowed."""
    for part in site.parts(**narrowed):
        mine = [row for row in rows if row["among"] == part.label]
        days = [day_said(each) for each in sorted({row["began"].date() for row in mine if row["began"]})]
        when = f", {f'{days[0]} to {days[-1]}' if len(days) > 1 else f'of {days[0]}'}" if days else ""
        told = ended_in_words(mine)
        judged = site.game.rulebook.stated and has_moves(mine)
        if not judged and (most := most_won(mine)):
            told = most
        mistakes = f", {wrong}" if (wrong := mistakes_said(mine)) else ""
        said = f"{counted(len(mine), 'game')}{when}: {told}{mistakes}."
        yield with_label({"among": part.label}, said)


def _narrow(site: Site) -> dict[str, str]:
    """Show the filters of the list; every choice stands in the address."""
    troubled = [row["rule"] for row in rows_of(site, "at-stake") if row["trouble"]]
    choices: dict[str, tuple[str, dict[str, str]]] = {
        "reason": (
            "Ended by",
            {
                row["reason"]: ending_in_words(site.game.vocabulary, row["reason"]) or "how is not said"
                for row in rows_of(site, "win-conditions")
                if row["reason"]
            },
        ),
        "deck": ("With", {row["value"]: deck_called(row["value"]) for row in rows_of(site, "decks")}),
        "card": ("Card in a hand", {row["card"]: row["card_name"] or row["card"] for row in rows_of(site, "cards")}),
        "broken": ("Trouble with", {rule: site.game.by_id[rule].text for rule in troubled if rule in site.game.by_id}),
        "player": ("Player", {row["name"]: row["name"] for row in rows_of(site, "players")}),
    }
    choices = {key: each for key, each in choices.items() if len(each[1]) > 1 or key in st.query_params}
    narrowed: dict[str, str] = {}
    if not choices:
        return narrowed
    with folded("Filter", opened=any(key in st.query_params for key in choices)):
        for place, (key, (label, words)) in zip(st.columns(len(choices)), choices.items(), strict=True):
            with place:
                picked = picked_one(label, key, words, placeholder="any")
            if picked:
                narrowed["rule" if key == "broken" else key] = picked
    return narrowed


def _found(site: Site, narrowed: dict[str, str]) -> Rows:
    """Return what was found in the games; of a rule only what is about it."""
    found = rows_of(site, "each-finding", **narrowed)
    rule = narrowed.get("rule")
    return [row for row in found if rule in {None, row["rule"], row["because"]}]


# -- what was said -----------------------------------------------------------------------------------------------------


def _said(site: Site, said: Rows, narrowed: Mapping[str, str], games: Mapping[str, dict[str, Any]]) -> None:
    """Show what people said in their words, searched by words, and how the games felt, with who said so."""
    asked = st.text_input("Search", key="words", bind="query-params", placeholder="words, a card, a rule, a name")
    cards = usable_cards(site.workspace, site.choice.slug)[0].library
    called = {key: card.name for key, card in cards.items()}
    told = ({**row, "card_called": called.get(row["card"], row["card"])} for row in said if row["game_id"] in games)
    remarks = newest_first({**row, "about": _about(site, row)} for row in told)
    if heard := [each for each in remarks if _has(each, (asked or "").casefold().split())]:
        remark_lines(site, heard, FIRST_SAID)
    else:
        st.text("Nothing that was said has all these words." if said else "Nobody has said anything yet.")
    feelings(site, **narrowed)


def _about(site: Site, row: dict[str, Any]) -> str:
    """Return the rule that a remark is about, in words, and of which games it is where these are in parts."""
    rule = row["rule"] or row["broken"] or ""
    known = site.game.by_id.get(rule)
    return "; ".join(filter(None, (known.text.rstrip(".") if known else rule, row["among"])))


def _has(remark: Mapping[str, Any], words: list[str]) -> bool:
    """Return whether a remark has all words: in its text, its rule and card, or who said it, not who else played."""
    told = ("text", "who", "what", "felt", "about", "card", "card_called")
    text = " ".join(str(remark[each] or "") for each in told).casefold()
    return all(word in text for word in words)
