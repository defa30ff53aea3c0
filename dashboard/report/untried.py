"""What no game has tried yet, in words: cards that nobody has seen, ways to end that never came, rules never tested."""

from collections.abc import Collection, Iterable, Iterator
from typing import Final

from tabletape.dashboard.report.choosing import Row
from tabletape.events.vocabulary import vocabulary
from tabletape.projector.archive.view import ending_in_words
from tabletape.projector.games import game
from tabletape.projector.model.rules import OUTSIDE

THINGS: Final = {
    "card": "Cards that nobody has seen",
    "keyword": "Keywords that nobody has used",
    "ending": "Ways to end that no game has taken",
    "rule": "Rules that no game has put to the test",
    "event": "Events that nobody has written down",
}
"""What an answer to `never-seen` names, in the order in which it is worth testing."""

EARLY_ENDS: Final = frozenset({"concession", "abandoned"})
"""Ways to end that nobody plays for."""

MAX_NAMES: Final = 4
"""How many names stand in a line."""


def untried(slug: str, rows: Iterable[Row], rulesets: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield what a game's tables have not tried, by the answer to `never-seen`: what it is, and which, a few of them.

    What stands in no rulebook is nothing to try: that somebody gives up, what a log may not say, or the events of any
    table where nobody has stated the rules; nor is a rule that none of the `rulesets` of the games has.
    """
    names: dict[str, list[str]] = {}
    for row in rows:
        if not _is_outside(slug, row, rulesets):
            names.setdefault(row["what"], []).append(_named(slug, row))
    for what, words in THINGS.items():
        if every := names.get(what):
            more = f" and {len(every) - MAX_NAMES} more" if len(every) > MAX_NAMES else ""
            said = "\u201c{}\u201d" if what == "rule" else "{}"
            some = ", ".join(said.format(each.rstrip(".")) for each in every[:MAX_NAMES])
            yield f"{words} ({len(every)})", some + more


def _is_outside(slug: str, row: Row, rulesets: Collection[str]) -> bool:
    if row["what"] == "event":
        return game(slug).rulebook.open
    if row["what"] != "rule":
        return row["what"] == "ending" and row["name"] in EARLY_ENDS
    known = game(slug).by_id.get(row["name"])
    is_of_book = known is None or (known.lines and known.section != OUTSIDE.name and any(map(known.is_of, rulesets)))
    return not is_of_book


def _named(slug: str, row: Row) -> str:
    if row["what"] == "ending":
        return ending_in_words(vocabulary(slug), row["name"])
    title = str(row["title"] or row["name"])
    if row["what"] == "keyword":
        return title.replace("-", " ")
    # What an event's fields are called is no matter of players.
    return title.partition("; `")[0] if row["what"] == "event" else title
