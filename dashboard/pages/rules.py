"""Which rules give trouble, and what the rulebook says: `?rule=…` shows one rule by itself."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

import streamlit as st

from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.report.results import mistakes_said
from tabletape.dashboard.report.summary import NO_MOVES, NO_RULES, has_moves
from tabletape.dashboard.rulebook.margins import TROUBLE, asked_by, in_force
from tabletape.dashboard.sections.answers import (
    folded,
    none_yet,
    numbers,
    rows_of,
    share_of_row,
    table_for_each,
    title,
    verdict,
    with_label,
)
from tabletape.dashboard.sections.choice import picked_one
from tabletape.dashboard.sections.freshness import build_by
from tabletape.dashboard.sections.heading import heading
from tabletape.dashboard.sections.in_short import sentence
from tabletape.dashboard.sections.lists import (
    finding_lines,
    findings_apart,
    newest_first,
    place_said,
    remark_lines,
)
from tabletape.dashboard.sections.shares import Shares, apart_in_words, shares
from tabletape.dashboard.sections.trouble import (
    BY,
    HOW_DRAWN,
    draw_trouble,
    in_order,
    rule_label,
    trouble_in_short,
)
from tabletape.dashboard.site import Site
from tabletape.dashboard.statistics.intervals import NO_BREAK
from tabletape.projector.model.amounts import counted, joined, often
from tabletape.projector.model.game import Game
from tabletape.projector.model.rulebook import Ruling
from tabletape.projector.model.rules import HARD, Rule
from tabletape.projector.rulebooks.kept import Passage, passages_of

FIRST_SAID: Final = 5
"""So many remarks are in sight at once where there is nothing else."""

MAX_DRAWN: Final = 8
"""How many rules are drawn; the table has all."""

HOW: Final = {
    "checked": "checked in every game",
    "derived": "the replay carries it out by itself",
    "unchecked": "no log can show it",
}
"""How a rule is checked."""


def rules_page(site: Site) -> None:
    """Show the rules of the chosen game as the tables play them, all of them or the one that the address names."""
    one = site.game
    asked = one.by_id.get(st.query_params.get("rule", ""))
    if not heading(site, "Rules", asked.text.removesuffix(".") if asked else ""):
        return
    if asked:
        _one(site, asked)
        site.link("rules", "All rules", icon=":material/arrow_back:")
        return
    moved = has_moves(rows_of(site, "games"))
    if not moved or not (one.rulebook.stated or rows_of(site, "findings")):
        _unjudged(site, NO_RULES if moved else NO_MOVES)
        return
    answer = st.container()  # It stands above the choice of a rule.
    sentences = {rule: one.by_id[rule].text for rule in one.by_id}
    if picked_one("One rule", "rule", sentences, placeholder="All rules", width=520):
        st.rerun()
    with answer:
        troubled = {row["rule"] for row in rows_of(site, "rules-confusion")}
        verdict(_in_short(site), _apart(site, [row for row in rows_of(site, "at-stake") if row["rule"] in troubled]))
        if rows_of(site, "rules-confusion"):
            _trouble(site)
        else:
            _said(site)
    _on_demand(site, one)


def _on_demand(site: Site, one: Game) -> None:
    """Show what is read below the answer and its picture."""
    if rows_of(site, "newcomers"):
        with folded("Do newcomers break them more often?"):
            for name in ("rules-by-experience", "newcomers"):
                table_for_each(site, name)
    if rows_of(site, "house-rules"):
        with folded("Rules that most tables play otherwise"):
            _house_rules(site)
    if later := [*_later(site)]:
        with folded("Rules broken only after an earlier mistake"):
            for words in later:
                st.text(words)
    with folded("What no game has tried yet"):
        _never(site)
    if one.rulebook.rulings:
        with folded("Sentences that can be read in two ways", opened="unclear" in st.query_params):
            _rulings(site, one)
    cited = sum(bool(rule.lines) for rule in one.rules)  # what cites no sentence is a check of our own
    checks = f"{len(one.rules) - cited} checks that cite no sentence" if cited < len(one.rules) else ""
    with folded(" and ".join(filter(None, (f"All {counted(cited, 'rule')}" if cited else "", checks)))):
        _all(site, one)


def _unjudged(site: Site, why: str) -> None:
    """Say why nothing was held against a rule, what people said all the same, newest first, and how to learn more."""
    verdict([why])
    _said(site)
    st.subheader("To learn which rules give trouble", anchor=False)
    if site.has_log:
        if why == NO_MOVES:
            st.page_link(site.pages["import"], label="**Import** a chat with the moves", icon=":material/upload_file:")
            st.page_link(site.pages["keep"], label="or **keep a log** of the next game", icon=":material/edit_note:")
        else:
            st.page_link(site.pages["my-game"], label="**My game**: state the first rule", icon=":material/draw:")


def _said(site: Site) -> None:
    """Show what people said, the newest first."""
    if said := newest_first(rows_of(site, "remarks")):
        st.subheader(f"What was said ({len(said)})", anchor=False)
        remark_lines(site, said, FIRST_SAID)


def _in_short(site: Site) -> Iterator[str]:
    """Say which rule was broken and asked about most, and in how many games there was a mistake."""
    games, trouble = rows_of(site, "games"), rows_of(site, "rules-confusion")
    for part in site.parts():
        mine = [row for row in games if row["among"] == part.label]
        wrong = mistakes_said(mine)
        said = f" {sentence(wrong)}" if wrong else ""
        asked = _asked(
            site, part.label, in_order((row for row in trouble if row["among"] == part.label), "most trouble")
        )
        yield with_label({"among": part.label}, trouble_in_short(site, trouble, part.label) + asked + said)


def _asked(site: Site, among: str, rows: Sequence[Mapping[str, Any]]) -> str:
    """Return what players asked most often about the first of some rules, in games of one part."""
    about = ("question", rows[0]["rule"] if rows else "", among)
    asked = (row for row in rows_of(site, "remarks") if (row["what"], row["rule"], row["among"]) == about)
    said = Counter(row["text"] for row in asked if row["text"]).most_common(1)
    return "".join(f" Players asked about it: “{text}” ({often(times)})." for text, times in said)


def _trouble(site: Site) -> None:
    title("rules-confusion")
    rows = rows_of(site, "rules-confusion")
    order = st.segmented_control(
        "Order", list(BY), default="most trouble", required=True, key="order", bind="query-params"
    )
    if ordered := in_order(rows, order):
        rules = list(dict.fromkeys(row["rule"] for row in ordered))
        told = {(row["rule"], row["among"]) for row in ordered}
        # Where a rule gave no trouble in one of two versions, how often it was at stake there stands beside the other.
        others = rows_of(site, "at-stake") if site.choice.beside else []
        ordered += [row for row in others if row["rule"] in rules and (row["rule"], row["among"]) not in told]
        drawn = [row for row in ordered if row["rule"] in rules[:MAX_DRAWN]]
        draw_trouble(site, drawn)
        _absent(site, drawn)
        if len(rules) > MAX_DRAWN:
            st.caption(f"The first {MAX_DRAWN} of the {len(rules)} rules that gave trouble.")
    else:
        st.text("No rule gave such trouble here.")
    st.caption(HOW_DRAWN)
    numbers(site, "rules-confusion")


def _absent(site: Site, drawn: Sequence[Mapping[str, Any]]) -> None:
    """Say of rules that are drawn for one of two versions only that no game of the other put them to the test."""
    sentences = {row["rule"]: f"“{str(rule_label(site, row)).removesuffix('.')}”" for row in drawn}
    there = {(row["rule"], row["among"]) for row in drawn}
    for part in site.parts():
        if none := [said for rule, said in sentences.items() if (rule, part.label) not in there]:
            st.caption(escaped(f"Came up in no game of {part.label}: {joined(none)}."))


def _apart(site: Site, rows: Sequence[dict[str, Any]]) -> str:
    """Say how much more often rules gave trouble under one of two versions, by their sentences."""
    how = Shares("at-stake", "rule")
    return apart_in_words(site, how.differences(rows, lambda row: f"“{rule_label(site, row)}”".replace(".”", "”")))


def _later(site: Site) -> Iterator[str]:
    """Yield the rules that were broken only after an earlier mistake of a game, which count in nothing above."""
    later: dict[str, list[str]] = {}
    for row in rows_of(site, "at-stake"):
        if row["follow_ups"] and not row["trouble"]:
            words = f"{str(rule_label(site, row)).removesuffix('.')} ({counted(row['follow_ups'], 'time')})"
            later.setdefault(row["among"], []).append(words)
    for among, rules in later.items():
        yield with_label({"among": among}, f"{'; '.join(rules)}.")


def _house_rules(site: Site) -> None:
    none = "No rule was broken in most of the games in which it was at stake."
    shares(site, "house-rules", "rule", label=partial(rule_label, site), none=none)


def _never(site: Site) -> None:
    title("never-seen")
    every = site.ask("never-seen").to_pylist()
    rows = [row for row in every if _can_be_tried(site, row)]
    if not rows:
        st.text("Everything has been tried at least once.")
    else:
        shown = [{"what": row["what"], "in words": row["title"] or row["name"].replace("-", " ")} for row in rows]
        st.dataframe(sorted(shown, key=lambda row: (row["what"] != "rule", row["what"])), hide_index=True)
    numbers(site, "never-seen")


def _can_be_tried(site: Site, row: Mapping[str, Any]) -> bool:
    """Return whether games under the chosen ruleset could try what nobody has: they may not have a rule at all."""
    rule = site.game.by_id.get(row["name"]) if row["what"] == "rule" else None
    return rule is None or rule.is_of(site.choice.ruleset)


# -- the rulebook ------------------------------------------------------------------------------------------------------


def _rulings(site: Site, one: Game) -> None:
    """Show every unclear sentence of the rulebook with its readings, its own mistakes first."""
    st.subheader("Where is the rulebook unclear?", anchor="rulings")
    rulings = sorted(one.rulebook.rulings, key=lambda each: not each.defect)
    mistakes = sum(each.defect for each in rulings)
    st.text(
        f"{counted(len(rulings), 'question')} about unclear sentences, each answered in one way, by its ruling. "
        f"{mistakes} are about sentences that stand against another or are plainly wrong, and should be mended."
    )
    questions = {ruling.key: asked_by(ruling) for ruling in rulings}
    chosen = picked_one("One of them", "unclear", questions, placeholder="Choose one", width=520)
    if chosen:
        _ruling(site, next(ruling for ruling in rulings if ruling.key == chosen))


def _ruling(site: Site, ruling: Ruling) -> None:
    """Show a ruling with its options; another reading can be tried on the games that are there."""
    with st.container(border=True):
        st.text(asked_by(ruling))
        st.caption(escaped(ruling.reason))
        for passage in passages_of(site.workspace, site.choice.slug, [ruling.key]):
            _passage(passage)
        for option in ruling.options:
            usual = " (the usual one)" if option.name == ruling.default else ""
            built = "" if option.built else " (known, but not built)"
            read = [letter for letter, ruleset in site.choice.rulesets if in_force(ruling, ruleset) == option.name]
            here = f"; games are read so {' and '.join(read)}".rstrip() * bool(read)
            st.text(f"• {option.text}{usual}{built}{here}")
        others = [each for each in ruling.options if each.built and each.name != ruling.default]
        for option in others if site.has_log else ():
            label = escaped(f"Read all games by “{option.text}” too")
            if st.button(label, key=f"try {ruling.key} {option.name}", icon=":material/compare_arrows:"):
                build_by(site.choice.slug, {ruling.key: option.name})
                st.rerun()
        if others and site.has_log:
            st.caption("Its games are then counted a second time: choose it under “Compare with” in the sidebar.")


def _all(site: Site, one: Game) -> None:
    title("at-stake")
    counts: dict[str, Counter[str]] = {}
    for row in rows_of(site, "at-stake"):
        if row["letter"] in {"", "A"}:
            told = {name: number for name, number in row.items() if isinstance(number, int)}
            counts.setdefault(row["rule"], Counter()).update(told)
    shown = []
    for rule in one.rules:
        row = counts.get(rule.id, Counter[str]())
        shown.append(
            {
                "the rule": rule.text,
                "about it": site.url("rules", rule=rule.id),
                "where": place_said(site, _row_of(site, rule))[0],
                "how it is checked": HOW[rule.how],
                "at stake": row.get("opportunities", 0),
                "broken": row.get("broken", 0),
                "left unwritten": row.get("unwritten", 0),
                "asked about": row.get("questions", 0),
                "taken back": row.get("take_backs", 0),
                "its id": rule.id,
            }
        )
    columns = {
        "the rule": st.column_config.TextColumn(width="large"),
        "about it": st.column_config.LinkColumn(display_text="rule"),
    }
    if any(part.played_by for part in site.parts()):
        st.caption("All players together; the table below has each for itself.")
    st.dataframe(shown, hide_index=True, column_config=columns)
    numbers(site, "at-stake")


def _one(site: Site, rule: Rule) -> None:
    """Show one rule: what trouble it gave, where it stands, what was asked about it, and every case."""
    rows = [row for row in rows_of(site, "at-stake") if row["rule"] == rule.id]
    if not rows:
        none_yet("No chosen game has put it at stake.")
    verdict((with_label(row, _in_sum(row)) for row in rows), _apart(site, rows))
    _where(site, rule)
    said = [row for row in rows_of(site, "remarks") if row["text"] and row["rule"] == rule.id]
    if said:
        st.subheader(f"What was said about it ({len(said)})", anchor=False)
        remark_lines(site, said)
    of_it = [row for row in rows_of(site, "each-finding") if rule.id in {row["rule"], row["because"]}]
    causes = [row for row in of_it if not row["follows"]]
    for words, cases in findings_apart(causes):
        st.subheader(f"Where it was {words} ({len(cases)})", anchor=False)
        if later := sum(not row["first_hand"] for row in cases):
            st.caption(f"{later} of them after an earlier mistake of the same game: these count in nothing above.")
        finding_lines(site, cases, about=rule.id)
    if untold := [row for row in causes if row["kind"] not in HARD]:
        with folded(f"Where the log cannot tell ({len(untold)})"):
            finding_lines(site, untold, about=rule.id)
    if of_it:
        site.link("games", "The games in which it gave trouble", icon=":material/list:", broken=rule.id)


def _in_sum(row: Mapping[str, Any]) -> str:
    """Say how often a rule gave trouble, of how many plays that it is about, and of how many the log cannot tell."""
    parts = joined(f"{words} {often(row[part])}" for part, words in TROUBLE.items() if row[part])
    times, _, share = share_of_row("at-stake", row).partition(f",{NO_BREAK}")
    sum_of = f"It gave trouble in {times} plays that it is about, {share}: it was {parts}."
    if not any(row[part] for part in TROUBLE):
        sum_of = f"No trouble in {counted(row['opportunities'], 'play')} that it is about."
    return f"{sum_of} Of {row['unverifiable']:,} the log cannot tell." if row["unverifiable"] else sum_of


def _where(site: Site, rule: Rule) -> None:
    """Say where a rule stands, in the rulebook that is kept here or else in the text that it was written from."""
    place, sentence = place_said(site, _row_of(site, rule))
    source = (
        rule.section if sentence else f"{place} of the text that the rule was written from" if rule.lines else place
    )
    st.caption(
        escaped(f"{'. '.join(filter(None, (source, HOW[rule.how].capitalize(), rule.reason.removesuffix('.'))))}.")
    )
    if rule.editions:
        st.caption(escaped(f"Only in {', '.join(rule.editions)}."))
    for passage in site.quotes.get(rule.id, ()):
        _passage(passage)
    if sentence:
        words = f"Read it in the rulebook, {place.rpartition(', ')[2]}"
        site.link("rulebook", words, icon=":material/menu_book:", sentence=sentence)


def _row_of(site: Site, rule: Rule) -> Mapping[str, Any]:
    """Return a rule as a row that says its place."""
    return {"game": site.choice.slug, "rule": rule.id, "section": rule.section, "lines": rule.lines}


def _passage(passage: Passage) -> None:
    """Show what the designer's own rulebook says, with the sentence before and the one after."""
    with st.container(border=True):
        if passage.before:
            st.caption(escaped(passage.before))
        st.text(passage.text)
        if passage.after:
            st.caption(escaped(passage.after))
        st.caption(escaped(f"Your rulebook, {passage.place}" + (f" ({passage.doubt})" if passage.doubt else "")))
