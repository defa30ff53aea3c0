"""The rulebook with its margin: `?order=…&show=…` chooses sentences, `?sentence=129.2` shows one by itself."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final, get_args

import streamlit as st

from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.readings import readings_section, readings_stored
from tabletape.dashboard.report.summary import has_moves
from tabletape.dashboard.rulebook.answer import in_short
from tabletape.dashboard.rulebook.margins import Margin, Margins, Show, facts_of, margins_of
from tabletape.dashboard.rulebook.markup import (
    Links,
    at_a_glance,
    rulebook_file,
    side_by_side,
    some_sentences,
    stylesheet,
    to_do,
    whole_text,
    without_sentence,
)
from tabletape.dashboard.sections.answers import folded, numbers, rows_of, verdict
from tabletape.dashboard.sections.heading import heading
from tabletape.dashboard.sections.lists import (
    NOBODY,
    finding_lines,
    findings_apart,
    game_lines,
    remark_lines,
    replay_url,
)
from tabletape.dashboard.sections.without_names import names_left_out
from tabletape.dashboard.site import Site
from tabletape.projector.archive.pseudonyms import renamed, renamed_in
from tabletape.projector.model.amounts import counted
from tabletape.projector.rulebooks.changes import text_changes
from tabletape.projector.rulebooks.drafts import Draft, drafts_of, keep_draft
from tabletape.projector.rulebooks.kept import SUFFIXES, keep, keep_our_wording, kept_rulebook, remove
from tabletape.projector.rulebooks.placing import PlacedRulebook
from tabletape.projector.rulebooks.text import MOST_BYTES, RulebookFileError, read_rulebook_text

QUERY_PARAMETERS: Final = "query-params"

ORDERS: Final = ("as written", "by trouble")

VIEWS: Final[tuple[Show, ...]] = get_args(Show)

LAST_TAKEN: Final = "rulebook: last taken"
"""Where the session keeps which upload was taken: it stays in its box."""

WORST: Final = 3
"""How many of the most troubled sentences stand at the top."""

SHORT: Final = 40
"""A text of no more sentences is shown as it is, with its margin, in place of those."""

LEGEND: Final[Mapping[Show, str]] = {
    "all": "The number is the line, and the way to all that is known about a sentence.",
    "trouble": "The redder, the more trouble: decisions that broke a rule, questions and take-backs that name it, "
    "first hand; ● marks the rule that gave it.",
    "never exercised": "○ was never exercised.",
    "not checked": "- is not checked.",
}
"""What the marks mean, by the sentences that bear them."""

THEN: Final = "Then each of its sentences stands with how often it was broken, and what the players asked about it."
"""What a rulebook is good for in a game of which rules are stated."""

BEFORE: Final = "Then its sentences can be watched: which were broken, in which game."
"""What it is good for before."""


def rulebook_page(site: Site) -> None:
    """Show the designer's own rulebook of the chosen game with what the tables made of each sentence."""
    if not heading(site, "Rulebook"):
        return
    margins = _margins(site)
    if margins is None:
        return
    drafts = _drafts(site)
    st.html(f"<style>{stylesheet()}</style>")
    links = _links(site)
    chosen = margins.at(st.query_params.get("sentence", ""))
    if chosen is not None:
        _one(site, chosen, drafts.get(chosen.sentence.words))
    moved = has_moves(rows_of(site, "games"))
    verdict([in_short(margins, moved=moved)])
    if not site.game.rulebook.stated and site.has_log:
        _way_to_watch(site)
    st.html(at_a_glance(margins, links))
    redder = ": the redder, the more trouble" if margins.by_trouble() else ""
    st.caption(f"A mark for each sentence of the text, in its order{redder}. A click leads to it.")
    if len(margins.sentences) <= SHORT:
        _text(site, margins, links)
    else:
        if worst := margins.by_trouble()[:WORST]:
            st.subheader("The most trouble", anchor=False)
            st.html(some_sentences(margins, worst, links))
        with folded(
            "The whole text, and what happened with each sentence",
            opened=bool({"order", "show", "section"} & {*st.query_params}),
        ):
            _text(site, margins, links)
    with folded("Other wordings of a sentence, and what was decided"):
        _kept_drafts(site, margins, drafts)
    if site.has_log:
        with folded("Another text of this rulebook, beside this one"):
            _other_text(site, margins)
        with folded("Send the text with what stands beside it, or take another file"):
            _file(site, margins)
    for title, lines in without_sentence(margins):
        if lines:
            with st.expander(f"{title} ({len(lines)})"):
                st.text("\n".join(lines))
    _other_readings(site)


def _other_readings(site: Site) -> None:
    """Offer to read the games by every other option, where a sentence of the game can be read in two ways."""
    if site.game.rulebook.rulings:
        with folded("What would every other reading change?"):
            readings_section(site)


def _way_to_watch(site: Site) -> None:
    """Lead to the page that makes a rule of a sentence."""
    st.page_link(site.pages["my-game"], label="**Watch a sentence** (My game)", icon=":material/draw:")


def _text(site: Site, margins: Margins, links: Links) -> None:
    """Show the whole text, or what is chosen of it, with its margin."""
    order, show, section = _choices(margins)
    st.caption(
        " ".join(said for borne, said in LEGEND.items() if any(each.is_shown(borne) for each in margins.sentences))
    )
    ordered = margins.by_trouble() if order == "by trouble" else margins.sentences
    shown = [each for each in ordered if each.is_shown(show) and section in {None, each.sentence.section}]
    if not shown:
        st.info("No sentence is left: show others.", icon=":material/filter_alt_off:")
    elif order == "by trouble" or section:
        st.html(some_sentences(margins, shown, links))
    else:
        st.html(whole_text(margins, links, show))
    numbers(site, "at-stake")


def _margins(site: Site, names: Mapping[str, str] = NOBODY) -> Margins | None:
    """Return the rulebook with its margin; None where the workspace has none, and the way to add one."""
    one = site.game
    try:
        book = kept_rulebook(site.workspace, one.slug)
    except RulebookFileError as error:
        st.error("The rulebook cannot be read.", icon=":material/error:")
        st.text(str(error))
        book = None
    if book is None:
        stated = any(rule.lines for rule in one.rules)
        st.subheader("No rulebook of this game is here yet", anchor=False)
        if site.has_log:
            st.text(f"Drop it here: Markdown, text or PDF. {THEN if stated else BEFORE} It stays in the workspace.")
            _upload(site, "Your rulebook")
            if not stated:
                _way_to_watch(site)
            if stated and st.button("No text at hand? See the rules in our words", icon=":material/menu_book:"):
                keep_our_wording(site.workspace, one.slug)
                st.rerun()
        if stated:
            site.link("rules", "Until then: what the tables made of each rule", icon=":material/gavel:")
        _other_readings(site)
        return None

    def answer(name: str) -> list[dict[str, Any]]:
        rows = rows_of(site, name)
        # The games are only looked up.
        return rows if name == "games" or not names else renamed_in(rows, names)

    return margins_of(one, book, facts_of(answer, readings_stored(site), site.choice.ruleset))


def _handed_in(label: str, key: str) -> Any:
    """Ask for a rulebook, and return the file; None while there is none."""
    return st.file_uploader(label, [each[1:] for each in SUFFIXES], key=key, max_upload_size=MOST_BYTES >> 20)


def _upload(site: Site, label: str) -> None:
    """Take a rulebook into the workspace, and show the page anew."""
    file = _handed_in(label, "rulebook file")
    if file is None or file.file_id == st.session_state.get(LAST_TAKEN):
        return
    book = _taken(site, file.name, file.getvalue())
    if book is None:
        return
    placed = sum(bool(each.placements) for each in book.rules.values())
    sentences = counted(len(book.text.sentences) - len(book.text.titles), "sentence")
    rules = counted(len(book.rules), "rule")
    st.session_state[LAST_TAKEN] = file.file_id
    st.toast(escaped(f"{file.name}: {sentences}; {placed} of {rules} found in it."), icon=":material/check:")
    st.rerun()


def _taken(site: Site, name: str, content: bytes) -> PlacedRulebook | None:
    """Take a file into the workspace as the rulebook; None where it cannot be, which is said."""
    try:
        return keep(site.workspace, site.choice.slug, name, content)
    except (RulebookFileError, OSError) as error:
        st.error("It was not taken; what was there is as it was.", icon=":material/error:")
        st.text(str(error))
        return None


def _drafts(site: Site) -> dict[tuple[str, ...], Draft]:
    try:
        return drafts_of(site.workspace, site.choice.slug)
    except RulebookFileError as error:
        st.error("The drafts cannot be read.", icon=":material/error:")
        st.text(str(error))
        return {}


def _choices(margins: Margins) -> tuple[str, Show, str | None]:
    sections = list(dict.fromkeys(each.sentence.section for each in margins.sentences if each.sentence.section))
    first, second = st.columns([1, 2])
    with first:
        order = st.segmented_control(
            "Order", ORDERS, default=ORDERS[0], required=True, key="order", bind=QUERY_PARAMETERS
        )
    with second:
        section = (
            st.selectbox(
                "Section", sections, index=None, key="section", bind=QUERY_PARAMETERS, placeholder="The whole text"
            )
            if sections
            else None
        )
    filled = [each for each in VIEWS if any(margin.is_shown(each) for margin in margins.said)]
    if {*filled} <= {"all", "without a rule"}:  # the margin is empty
        return order, "all", section
    show = st.pills("Sentences", VIEWS, default="all", required=True, key="show", bind=QUERY_PARAMETERS)
    return order, show, section


def _links(site: Site) -> Links:
    """Return addresses of the dashboard; those of the page itself keep its order and choice."""
    here = {name: st.query_params[name] for name in ("order", "show") if name in st.query_params}
    return Links(
        sentence=lambda place: site.url("rulebook", **here, sentence=place),
        rule=lambda rule: site.url("rules", rule=rule),
        ruling=lambda key: site.url("rules", unclear=key),
        step=partial(replay_url, site),
    )


def _one(site: Site, margin: Margin, draft: Draft | None) -> None:
    """Show a sentence with all that is known about it, the ways to the games, and place for a draft and a decision."""
    with st.container(border=True):
        st.text(margin.sentence.text)
        st.caption(escaped(", ".join(filter(None, (margin.sentence.section, f"line {margin.sentence.first}")))))
        if st.button("Close", key="close sentence", icon=":material/close:"):
            st.query_params.pop("sentence", None)
            st.rerun()
        remark_lines(site, margin.said)
        for note in margin.rules:
            site.link("rules", escaped(note.rule.text), icon=":material/gavel:", rule=note.rule.id)
            st.text("; ".join(note.in_words()))
        wanted = {note.rule.id for note in margin.rules}
        rows = [row for row in rows_of(site, "each-finding") if wanted & {row["rule"], row["because"]}]
        for words, cases in findings_apart(row for row in rows if not row["follows"]):
            st.markdown(f"**Where it was {words} ({len(cases)})**")
            finding_lines(site, cases)
        for unclear in margin.rulings:
            site.link("rules", escaped(unclear.question), icon=":material/help:", unclear=unclear.ruling.key)
            st.text("\n".join([f"read as: {unclear.read_as.text}", *unclear.in_words()]))
            games = dict.fromkeys(game_id for each in unclear.weights for game_id, _ in each.proof)
            rows = [row for row in rows_of(site, "games") if row["game_id"] in games]
            if rows:
                st.caption(f"{counted(len(rows), 'game')} would be judged differently by another reading.")
                game_lines(site, rows)
        if site.has_log:
            _to_write(site, margin, draft or Draft(margin.sentence.text))


# -- what is written beside it -----------------------------------------------------------------------------------------


def _to_write(site: Site, margin: Margin, draft: Draft) -> None:
    """Take another wording of a sentence, and what was decided about it."""
    with st.form(f"draft {margin.place}", border=False):
        wording = st.text_area("Draft: what it may say instead", draft.wording, max_chars=5_000)
        decision = st.text_area("Decision: what was decided, and why", draft.decision, max_chars=5_000)
        asked = st.form_submit_button("Keep", icon=":material/save:")
    if asked:
        try:
            keep_draft(site.workspace, site.choice.slug, Draft(margin.sentence.text, wording.strip(), decision.strip()))
        except OSError as error:
            st.error(f"It was not kept: {escaped(str(error))}")
            return
        st.rerun()


def _kept_drafts(site: Site, margins: Margins, drafts: dict[tuple[str, ...], Draft]) -> None:
    """Show what was drafted and decided, and offer it as Markdown with the trouble that the sentences gave."""
    lines = {each.sentence.words: each.sentence.first for each in margins.sentences}
    rows: list[dict[str, Any]] = [
        {
            "line": lines.get(words),
            "sentence": draft.sentence,
            "draft": draft.wording,
            "decision": draft.decision,
        }
        for words, draft in drafts.items()
    ]
    if rows:
        st.dataframe(rows, hide_index=True, placeholder="no longer in the text")
    else:
        st.text("Choose a sentence by its line in the text: there is place for another wording and for a decision.")
    name = f"{margins.game.slug}-rulebook.md"
    names = names_left_out(site, "names in drafts")
    st.download_button(
        "All of it as Markdown", partial(_to_do, margins, drafts, names), name, "text/markdown",
        icon=":material/download:", on_click="ignore",
        help="Each sentence that gave trouble, was asked about, or has a draft or a decision.",
    )  # fmt: skip


def _to_do(margins: Margins, drafts: Mapping[tuple[str, ...], Draft], names: Mapping[str, str]) -> str:
    return renamed(to_do(margins, drafts), names)


def _other_text(site: Site, margins: Margins) -> None:
    """Show which sentences another text words otherwise, with the trouble that the kept ones gave."""
    file = _handed_in("Another text", "other text")
    if file is None:
        return
    try:
        compared = text_changes(site.game, margins.book.text, read_rulebook_text(file.name, file.getvalue()))
    except RulebookFileError as error:
        st.error("It cannot be read as a rulebook.", icon=":material/error:")
        st.text(str(error))
        return
    trouble = {note.rule.id: note.trouble for each in margins.sentences for note in each.rules}
    counts = [
        f"{sum(each.what == what for each in compared.changes)} {what}"
        for what in ("reworded", "removed", "new", "moved")
    ]
    again, gave = counted(len(compared.rules), "rule"), sum(trouble.get(rule, 0) for rule in compared.rules)
    differ = f"{counted(compared.same, 'sentence')} the same, {', '.join(counts)}."
    verdict([f"{differ} {again} to be read again, which gave trouble {counted(gave, 'time')} under the old words."])
    st.caption(escaped(f"Left: {compared.old}, which is kept. Right: {compared.new}."))
    st.html(side_by_side(compared, trouble))
    keeps = st.button("Keep this text in its place", key="keep other", icon=":material/save:")
    if keeps and _taken(site, file.name, file.getvalue()) is not None:
        st.rerun()


def _file(site: Site, margins: Margins) -> None:
    """Offer the text with its margin as one page to send, another file in its place, and to take it out."""
    made = partial(_as_page, site, names_left_out(site, "names in page"))
    st.download_button(
        "The text with its margin, as one page", made, f"{margins.game.slug}-rulebook.html", "text/html",
        icon=":material/send:", on_click="ignore",
    )  # fmt: skip
    _upload(site, f"Another file in place of {margins.book.text.name}")
    if st.button("Take the rulebook out of the workspace", key="remove rulebook", icon=":material/delete:"):
        try:
            remove(site.workspace, site.choice.slug)
        except OSError as error:
            st.error(f"It is still there: {escaped(str(error))}")
            return
        st.rerun()


def _as_page(site: Site, names: Mapping[str, str]) -> str:
    margins = _margins(site, names)
    if margins is None:
        return ""
    games = counted(len(rows_of(site, "games")), "game")
    text = margins.book.text
    return rulebook_file(
        margins, [f"{text.name}, {counted(len(margins.said), 'sentence')}; {games} under {site.choice.ruleset}."]
    )
