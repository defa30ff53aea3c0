"""The rulebook with its margin: `?order=…&show=…` chooses sentences, `?sentence=129.2` shows one by itself."""

from functools import partial
from typing import Final

import streamlit as st

from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.readings import readings_section, readings_stored
from tabletape.dashboard.rulebook.margins import Margin, Margins, Show, facts_of, margins_of
from tabletape.dashboard.rulebook.markup import Links, some_sentences, stylesheet, whole_text, without_sentence
from tabletape.dashboard.sections.answers import numbers, rows_of
from tabletape.dashboard.sections.heading import heading
from tabletape.dashboard.sections.lists import finding_lines, game_lines, replay_url
from tabletape.dashboard.site import Site
from tabletape.projector.model.amounts import counted
from tabletape.projector.rulebooks.kept import kept_rulebook
from tabletape.projector.rulebooks.text import RulebookFileError

IN_ADDRESS: Final = "query-params"

ORDERS: Final = ("as written", "by trouble")

SHOWN: Final[tuple[Show, ...]] = ("all", "trouble", "unclear", "not checked", "never exercised")

ABOUT: Final = (
    "The number is the line, and the way to all that is known about a sentence. The redder, the more trouble: "
    "decisions that broke a rule, questions and take-backs that name it, first hand. ● gave trouble, ○ was never "
    "exercised, - is not checked, ? is unclear."
)


def rulebook_page(site: Site) -> None:
    """Show the designer's own rulebook of the chosen game with what the tables made of each sentence."""
    if not heading(site, "Rulebook"):
        return
    margins = _margins(site)
    if margins is None:
        return
    chosen = margins.at(st.query_params.get("sentence", ""))
    if chosen is not None:
        _one(site, chosen)
    order, show = _choices()
    links = _links(site)
    if order == "by trouble":
        content = some_sentences(margins, (each for each in margins.by_trouble() if each.is_shown(show)), links)
    else:
        content = whole_text(margins, links, show)
    st.caption(ABOUT)
    shown = sum(each.is_shown(show) and (order != "by trouble" or each.trouble > 0) for each in margins.sentences)
    if shown:
        st.html(f"<style>{stylesheet()}</style>{content}")
    else:
        st.info("No sentence is left: show others.", icon=":material/filter_alt_off:")
    numbers(site, "at-stake")
    for title, lines in without_sentence(margins):
        if lines:
            with st.expander(f"{title} ({len(lines)})"):
                st.text("\n".join(lines))
    readings_section(site)


def _margins(site: Site) -> Margins | None:
    """Return the rulebook with its margin; None where the workspace has none, and a word on how to add one."""
    one = site.game
    try:
        book = kept_rulebook(site.workspace, one.slug)
    except RulebookFileError as error:
        st.error("The rulebook cannot be read.", icon=":material/error:")
        st.text(str(error))
        return None
    if book is None:
        st.info("The workspace has no rulebook of this game. It stays yours: add it with", icon=":material/menu_book:")
        st.code(f"tabletape rulebook add {one.slug} YOUR-RULEBOOK.md", language="sh")
        readings_section(site)
        return None
    return margins_of(one, book, facts_of(partial(rows_of, site), readings_stored(site), site.choice.ruleset))


def _choices() -> tuple[str, Show]:
    first, second = st.columns([1, 2])
    with first:
        order = st.segmented_control("Order", ORDERS, default=ORDERS[0], required=True, key="order", bind=IN_ADDRESS)
    with second:
        show = st.segmented_control("Sentences", SHOWN, default="all", required=True, key="show", bind=IN_ADDRESS)
    return order, show


def _links(site: Site) -> Links:
    """Return addresses of the dashboard; those of the page itself keep its order and choice."""
    here = {name: st.query_params[name] for name in ("order", "show") if name in st.query_params}
    return Links(
        sentence=lambda place: site.url("rulebook", **here, sentence=place),
        rule=lambda rule: site.url("rules", rule=rule),
        ruling=lambda key: site.url("rules", unclear=key),
        step=partial(replay_url, site),
    )


def _one(site: Site, margin: Margin) -> None:
    """Show a sentence with all that is known about it, and the ways to the games."""
    with st.container(border=True):
        st.text(margin.sentence.text)
        st.caption(escaped(f"{margin.sentence.section}, line {margin.sentence.first}"))
        if st.button("Close", key="close sentence", icon=":material/close:"):
            st.query_params.pop("sentence", None)
            st.rerun()
        for note in margin.rules:
            site.link("rules", escaped(note.rule.id), icon=":material/gavel:", rule=note.rule.id)
            st.text(f"{note.rule.text}\n{'; '.join(note.in_words())}")
        wanted = {note.rule.id for note in margin.rules}
        found = [row for row in rows_of(site, "each-finding") if wanted & {row["rule"], row["because"]}]
        if found:
            st.markdown(f"**Where it was broken ({len(found)})**")
            finding_lines(site, found)
        for unclear in margin.rulings:
            site.link("rules", escaped(unclear.ruling.key), icon=":material/help:", unclear=unclear.ruling.key)
            read_as = f"read as {unclear.read_as.name}: {unclear.read_as.text}"
            st.text("\n".join([unclear.ruling.question, read_as, *unclear.in_words()]))
            games = dict.fromkeys(game_id for each in unclear.weights for game_id, _ in each.proof)
            rows = [row for row in rows_of(site, "games") if row["game_id"] in games]
            if rows:
                st.caption(f"{counted(len(rows), 'game')} would be judged differently by another reading.")
                game_lines(site, rows)
