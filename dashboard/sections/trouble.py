"""Which rules give trouble: broken, asked about, taken back; as a chart and in a sentence."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal

from tabletape.dashboard.charts.rows import Dot, Label, draw_dots
from tabletape.dashboard.report.summary import NO_RULES
from tabletape.dashboard.rulebook.margins import TROUBLE
from tabletape.dashboard.sections.answers import share_of_row, with_label
from tabletape.dashboard.site import Site
from tabletape.projector.model.amounts import counted, joined, often

Row = Mapping[str, Any]

Order = Literal["most trouble", "most broken", "most asked about", "largest share"]

BY: Final[Mapping[Order, Sequence[str]]] = {
    "most trouble": tuple(TROUBLE),
    "most broken": ("broken",),
    "most asked about": ("questions",),
    "largest share": ("trouble_rate",),
}
"""By the sum of which columns of `rules-confusion` each order goes, the largest first."""

HOW_DRAWN: Final = (
    "The dot: of all plays that the rule is about, the share in which it was broken, left unwritten, asked about or "
    "taken back; what came after an earlier mistake of the same game is left out. "
    "The line holds the truth in 95 of a hundred cases: it stays wide where many plays come from few games, which are "
    "alike in themselves."
)


def in_order(rows: Iterable[Row], order: Order) -> list[Row]:
    """Return rules that gave trouble in an order, without those that have nothing of what it goes by."""
    return sorted((row for row in rows if _times(row, order)), key=lambda row: -_times(row, order))


def _times(row: Row, order: Order = "most trouble") -> float:
    return float(sum(row[part] for part in BY[order]))


def draw_trouble(site: Site, rows: Sequence[Row]) -> None:
    """Show how often rules gave trouble, in the order of the rows; each leads to its page."""
    draw_dots([_dot(site, row) for row in rows], share=True)


def _dot(site: Site, row: Row) -> Dot:
    share, low, high = (row[f"trouble_rate{end}"] for end in ("", "_low", "_high"))
    # What the rows are ordered by comes first.
    kinds = tuple((part, f"{row[part]} {words}") for part, words in TROUBLE.items() if row[part])
    words = with_label(row, share_of_row("rules-confusion", row))
    return Dot(rule_label(site, row), share, low, high, words, row["among"], kinds=kinds)


def rule_label(site: Site, row: Row) -> Label:
    """Return the name of a rule in a chart: its sentence, and the way to its page."""
    known = site.game.by_id.get(row["rule"])
    link = site.url("rules", rule=row["rule"])
    return Label(known.text, link=link) if known else Label(row["rule"], "no rule of today", link)


def trouble_in_short(site: Site, rows: Sequence[Row], letter: str) -> str:
    """Say which rule gave most trouble in the games under one ruleset, and what trouble."""
    mine = in_order((row for row in rows if row["among"] == letter), "most trouble")
    if not mine:
        return "No rule has given any trouble yet." if site.game.rulebook.stated else NO_RULES
    first, *others = mine
    alike = sum(_times(row) == _times(first) for row in others)
    how = joined(f"{words} {often(first[part])}" for part, words in TROUBLE.items() if first[part])
    also = f", as much as {counted(alike, 'other rule')}" if alike else ""
    games = f"in the {counted(first['games'], 'game')} in which it came up"
    return f"Most trouble{also}: “{rule_label(site, first).text.rstrip('.')}”. It was {how} {games}."
