"""What the rules of an own game came to: how often each was kept and broken, by which lines, and what was left out."""

from collections.abc import Mapping, Sequence
from typing import Final

import streamlit as st

from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.own_game.rules import RuleTally, beside_of, cited_rules, doubt_of, in_sum, rules_tallied
from tabletape.dashboard.report.document import Bullets, Rows
from tabletape.dashboard.report.writing import as_fragment
from tabletape.dashboard.sections.answers import folded, verdict
from tabletape.dashboard.sections.rule_form import game_in_words
from tabletape.dashboard.site import Site, answered
from tabletape.dashboard.workspace import log_address
from tabletape.events.log.rows import StoredGame
from tabletape.events.vocabulary.names import is_by_bots
from tabletape.projector.archive.audit import MOST_BESIDE, beside_in_words
from tabletape.projector.games import game
from tabletape.projector.model.amounts import counted
from tabletape.projector.model.rules import Rule

MOST_LINKED: Final = 3
"""So many games lead to their replay."""

MOST_ACCUSED: Final = 100
"""So many lines are shown."""

REPLAY_ICON: Final = ":material/play_circle:"

EVERY_LINE: Final = (
    "Every line counts here that a rule was held against; Rules, Rulebook and Overview leave out what comes after an "
    "earlier mistake of the same game."
)
"""How the pages count, where their numbers differ."""


def rule_counts(site: Site, slug: str, stamp: str, stored: Sequence[StoredGame]) -> None:
    """Show how often each rule was kept and broken, in the games of people, else in those of bots."""
    bots = all(is_by_bots(each.game_id) for each in stored)
    checked = _checked(slug, log_address(), stamp, bots=bots)
    tally, accused = checked.tally, checked.accused
    played = (
        answered(site, "games", {"game": slug, "source": "bots" if bots else "people"}).to_pylist()
        if site.stamp
        else []
    )
    bare = sum(row["detail"] == "results" for row in played)
    of = f"{counted(tally.games - bare, 'stored game')}{' of bots' if bots and tally.games else ''}"
    of += f" whose moves are known (of {counted(bare, 'more', 'more')} only the result is)" if bare else ""
    rules = cited_rules(game(slug), tally)
    told = [each for each in rules if tally.broken[each.id] or tally.kept[each.id]]
    never = [each for each in rules if each not in told]
    said = f"In {of}: {in_sum(game(slug), tally)}."
    verdict([said if tally.games else "No game of it is stored yet, so nothing tells how its rules are kept."])
    st.subheader("Kept and broken", anchor=False)
    if told:
        rows = tuple(
            (_cited(each, told), str(tally.kept[each.id]), str(tally.broken[each.id]), doubt_of(each, checked))
            for each in told
        )
        st.html(as_fragment(Rows(("The rule", "Kept", "Broken", "Games"), rows)))
        _accusing(told, accused)
        st.caption(EVERY_LINE)
        broken = {
            game_id for each in told for where, _ in accused.get(each.id, ()) for game_id in [where.split(",")[0]]
        }
        for each in [each for each in stored if each.game_id in broken][:MOST_LINKED]:
            site.link("replay", escaped(f"{game_in_words(each)}: the first mistake"), REPLAY_ICON, game=each.game_id)
    if never:
        with folded(f"Never at stake ({len(never)})"):
            reasons = (doubt_of(each, checked).removeprefix("never at stake: ") for each in never)
            lines = tuple(
                f"{_cited(each, never)}{f': {why}' * bool(why)}" for each, why in zip(never, reasons, strict=True)
            )
            st.html(as_fragment(Bullets(lines)))


def _accusing(rules: Sequence[Rule], accused: Mapping[str, Sequence[tuple[str, str]]]) -> None:
    """Show on demand which lines break which rule."""
    rows = tuple((where, line, rule.text) for rule in rules for where, line in accused.get(rule.id, ()))
    if rows:
        with folded(f"The lines that break them ({len(rows)})"):
            st.html(as_fragment(Rows(("Where", "The line", "The rule"), rows[:MOST_ACCUSED])))


def _cited(rule: Rule, among: Sequence[Rule]) -> str:
    """Return the sentence of a rule, with where it stands, and its move where others have the same sentence."""
    is_shared = sum(each.text == rule.text for each in among) > 1
    return f"{f'{rule.section}: ' * is_shared}{rule.text}{f' ({rule.lines})' * bool(rule.lines)}"


@st.cache_data(show_spinner=False, max_entries=20)
def _checked(slug: str, db: str, stamp: str, *, bots: bool) -> RuleTally:  # noqa: ARG001 - it is remembered by `stamp`
    return rules_tallied(slug, db, bots=bots)


@st.cache_data(show_spinner=False, max_entries=20)
def beside(slug: str, db: str, stamp: str) -> list[str]:  # noqa: ARG001 - it is remembered by `stamp`
    """Return the rests of lines that were kept as remarks."""
    return beside_of(slug, db)


def rests_of_lines(rests: Sequence[str]) -> None:
    """Show which rests of lines were kept as remarks: two of them, the others on demand."""
    if rests:
        st.text(f"Not judged: {beside_in_words(rests)}.")
    if len(rests) > MOST_BESIDE:
        with folded(f"All rests of lines ({len(rests)})"):
            st.text("\n".join(rests))
