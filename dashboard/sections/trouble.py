"""Which rules give trouble: broken, asked about, taken back; as a chart and in a sentence."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal

from tabletape.dashboard.charts.rows import Dot, Label, draw_dots
from tabletape.dashboard.report.summary import NO_RULES
from tabletape.dashboard.rulebook.margins import TROUBLE
from tabletape.dashboard.sections.answers import share_of_row
from tabletape.dashboard.site import Site
from tabletape.projector.model.amounts import as_often, counted

Row = Mapping[str, Any]

Order = Literal["surest first", "most broken", "most asked about"]

BY: Final[Mapping[Order, str]] = {
    "surest first": "trouble_rate_low",
    "most broken": "broken",
    "most asked about": "questions",
}
"""By which column of `rules-confusion` each order goes, the largest first."""

NONE: Final[Mapping[Order, str]] = {
    "surest first": "No rule has given any trouble here.",
    "most broken": "No rule was broken here.",
    "most asked about": "Nobody asked about a rule here.",
}
"""What is said where an order has no rule."""

HOW_DRAWN: Final = (
    "The dot: of all plays that the rule is about, how many gave trouble (those after an earlier mistake left aside). "
    "The line holds the truth in 95 of a hundred cases."
)


def in_order(rows: Iterable[Row], order: Order) -> list[Row]:
    """Return rules that gave trouble in an order, without those that have nothing of what it goes by."""
    return sorted((row for row in rows if row[BY[order]]), key=lambda row: -row[BY[order]])


def draw_trouble(site: Site, rows: Sequence[Row]) -> None:
    """Show how often rules gave trouble, in the order of the rows; each leads to its page."""
    draw_dots([_dot(site, row) for row in rows], share=True)


def _dot(site: Site, row: Row) -> Dot:
    share, low, high = (row[f"trouble_rate{end}"] for end in ("", "_low", "_high"))
    parts = [f"{row[part]} {words}" for part, words in TROUBLE.items() if row[part]]
    words = f"{share_of_row('rules-confusion', row)}: {', '.join(parts)}"
    return Dot(rule_label(site, row), share, low, high, words, row["among"])


def rule_label(site: Site, row: Row) -> Label:
    """Return the name of a rule in a chart: its sentence, and the way to its page."""
    known = site.game.by_id.get(row["rule"])
    link = site.url("rules", rule=row["rule"])
    return Label(known.text, link=link) if known else Label(row["rule"], "no rule of today", link)


def trouble_in_short(site: Site, rows: Sequence[Row], letter: str) -> str:
    """Say which rule was broken most often and which was asked about most often, of the games under one ruleset."""
    mine = [row for row in rows if row["among"] == letter]
    if not mine:
        return "No rule has given any trouble yet." if site.game.rulebook.stated else NO_RULES
    said = []
    for part, words in (("broken", "Most often broken"), ("questions", "Most asked about")):
        most = max(mine, key=lambda row: row[part])
        if most[part]:
            often = f"{counted(most[part], 'time')} in the {counted(most['games'], 'game')} that it came up in"
            others = as_often(sum(row[part] == most[part] for row in mine))
            said.append(f"{words}{others}: “{rule_label(site, most).text}” ({often}).")
    return (
        " ".join(said) or f"Of {counted(len(mine), 'rule')} something was taken back; none was broken or asked about."
    )
