"""What differs between the games of two versions, or between those before and since a day of a change."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from statistics import mean, median
from typing import Any, Final

import numpy as np
import streamlit as st

from tabletape.dashboard.charts.rows import Dot, draw_dots
from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.questions import question
from tabletape.dashboard.report.results import mistakes_said
from tabletape.dashboard.report.said import fun_by_game, fun_said, said_about
from tabletape.dashboard.report.summary import most_won
from tabletape.dashboard.sections.answers import Rows, folded, numbers, rows_of, verdict, with_label
from tabletape.dashboard.sections.choice import UNSAID
from tabletape.dashboard.sections.in_short import (
    DECK,
    FEWEST,
    SAID_MEASURES,
    called,
    of_players,
    sentence,
    shares_of_wins,
)
from tabletape.dashboard.site import Site
from tabletape.dashboard.statistics.comparison import middle_difference
from tabletape.dashboard.statistics.intervals import NO_BREAK, newcombe, percent
from tabletape.projector.model.amounts import day_said, how_many, joined, middle
from tabletape.projector.model.phrases import with_options_said

STRICT: Final = 0.01
"""What luck makes less often than this is taken for a difference, as that of shares is by their 99 % interval."""

PARTED: Final = ("before", "since")
"""How the games are called that a day parts."""


def show_versions(site: Site) -> None:
    """Show what differs between the newest or chosen version and each other, or between games around a day."""
    pairs = [*_pairs(site)]
    if not pairs:
        _by_day(site)
        return
    for among, names, rows, sides in pairs:
        older, newer = names.values()
        _compared(site, rows, sides, (f"{newer} against {older}", f"with {newer}", among))
        drawn = "decks" if any(row["measure"] == "deck" for row in rows) else "first-player"
        for ruleset, said in reversed(names.items()):
            if (words := site.exclusions(drawn, ruleset=ruleset)) and not words.startswith(tuple(site.said_above)):
                st.caption(escaped(f"Who wins, {said}: {words}"))
    numbers(site, "versions", ruleset="", split="")
    with folded("Split by a day instead", opened="split" in st.query_params):
        _by_day(site)


def changed_since(site: Site, *, in_length: bool = False) -> Iterator[tuple[bool, str]]:
    """Yield what differs between the chosen version and each older one, or the one beside it, as a clause.

    Before it stands whether something surely does. Only how long games are and how much fun counts if `in_length`.
    """
    for among, names, rows, _ in _pairs(site):
        older, newer = names
        if newer == site.choice.ruleset and site.choice.beside in {"", older}:
            mine = [row for row in rows if row["wins_a"] is None or not in_length]
            is_clear = any(map(_is_clear, _apart(mine)))
            yield is_clear, with_label({"among": among}, f"since {names[older]}, {_verdict(mine)}")


def set_beside(site: Site, *, in_length: bool = False) -> None:
    """Show first what differs between two versions that are set beside each other: that is why somebody does so."""
    if site.choice.beside:
        verdict(sentence(words) for _, words in changed_since(site, in_length=in_length))


def _pairs(site: Site) -> Iterator[tuple[str, dict[str, str], Rows, dict[str, Rows]]]:
    """Yield the chosen or newest version beside each other: whose games, both in words, what differs, the games."""
    rows = rows_of(site, "versions", ruleset="", split="")
    compared = site.choice.ruleset or (rows and rows[-1]["ruleset_b"])
    played = rows_of(site, "games", ruleset="")
    for (among, a, b), of_pair in groupby(rows, key=lambda row: (row["among"], row["ruleset_a"], row["ruleset_b"])):
        if compared in {a, b}:
            names = {each: _said(site, each) for each in (a, b)}
            lengths = [row for row in of_pair if row["wins_a"] is None]
            mine = [row for row in played if row["among"] == among]
            sides = {said: [row for row in mine if row["ruleset"] == of] for of, said in names.items()}
            yield among, names, [*_wins(site, among, (a, b)), *_fun(site, sides), *lengths], sides


def _wins(site: Site, among: str, versions: tuple[str, str]) -> Iterator[dict[str, Any]]:
    """Yield who wins more or less often in the second of two `versions` than in the first, as Balance has it.

    Numbers of players count together, as there: what few games with each would say stands in the table below.
    """
    (part,) = (each for each in site.parts(ruleset="") if each.label == among)

    def asked(name: str) -> Rows:
        return [{**row, "among": of} for of in versions for row in site.ask(name, part, ruleset=of).to_pylist()]

    how = question("decks").shares[0]
    rows = shares_of_wins(site, DECK, asked)
    older, newer = (
        {(row["measure"], row["value"], row.get("players")): row for row in rows if row["among"] == of}
        for of in versions
    )
    for a, b in ((older[key], row) for key, row in newer.items() if key in older):
        difference = newcombe(how.effective(b), how.effective(a))
        ends = {"difference": difference.value, "low": difference.low, "high": difference.high}
        counts = {"wins_a": a["wins"], "games_a": a["games"], "wins_b": b["wins"], "games_b": b["games"]}
        yield b | counts | {name: 100 * end for name, end in ends.items()} | {"evidence": difference.words}


def _fun(site: Site, sides: Mapping[str, Rows]) -> Iterator[dict[str, Any]]:
    """Yield how much more fun the games of the second side are on average than those of the first, if both say so."""
    games = [row for mine in sides.values() for row in mine]
    told = said_about(games, site.folder).feedback
    for scale in [*fun_by_game(games, told)][:1]:
        fun = [fun_by_game(mine, told).get(scale, []) for mine in sides.values()]
        if all(fun):
            low, high = middle_difference(fun[0], fun[1], middle=np.mean)[1] or (None, None)
            yield {
                "measure": "fun", "how": f" of {scale} on average", "wins_a": None, "low": low, "high": high,
                "games_a": len(fun[0]), "games_b": len(fun[1]), "middle_a": mean(fun[0]), "middle_b": mean(fun[1]),
            }  # fmt: skip


def _said(site: Site, ruleset: str) -> str:
    """Return a version in words, without the day that parts its games."""
    name = ruleset.partition(", ")[0]
    edition, quote, options = with_options_said(site.game.rulebook, name).partition(" \u201c")
    words = f"{edition} (read as{quote}{options})" if quote else edition
    return "the version that is not said" if name == UNSAID else words


def _by_day(site: Site) -> None:
    """Ask for a day, and show what differs between the games of each version before and since it."""
    day = st.date_input("The day on which something changed", None, key="split", bind="query-params", width=260)
    if not day:
        st.text("Name a day, and the games before it are compared with those since.")
        return
    asked: dict[str, Any] = {"ruleset": "", "split": day.isoformat()}
    rows = rows_of(site, "versions", **asked)
    games = [row for row in rows_of(site, "games", ruleset="") if row["began"]]
    is_since = [str(row["began"]) >= day.isoformat() for row in games]
    sides = {
        when: [row for row, since in zip(games, is_since, strict=True) if since == later]
        for when, later in zip(PARTED, (False, True), strict=True)
    }
    for (among, a, b), of_pair in groupby(rows, key=lambda row: (row["among"], row["ruleset_a"], row["ruleset_b"])):
        # What differs between two versions as well is no matter of the day.
        if (version := a.partition(", ")[0]) == b.partition(", ")[0]:
            before = "Before" if version == UNSAID else f"{_said(site, version)}, before"
            mine = {when: [row for row in side if row["ruleset"] == version] for when, side in sides.items()}
            _compared(
                site, [*of_pair, *_fun(site, mine)], {}, (f"{before} and since {day_said(day)}", PARTED[1], among)
            )
    side_by_side(site, sides)
    if not games:
        st.text("No game has a date.")
    numbers(site, "versions", **asked)


def _compared(site: Site, every: Rows, sides: Mapping[str, Rows], said: tuple[str, str, str]) -> None:
    """Show whether anything differs, the games of both `sides`, what who wins does, and how long games are and were.

    What is said is a title, in which games of the two something is more, and whose games these are.
    """
    title, later, among = said
    rows = [row for row in every if min(row["games_a"], row["games_b"]) >= FEWEST]
    head = f"{title}, {_verdict(every)}."
    st.markdown(f"**{escaped(with_label({'among': among}, head))}**")
    side_by_side(site, sides)
    marks = [_difference(every, row) for row in rows if row["wins_a"] is not None]
    if marks:
        draw_dots(marks, share=False, axis=f"percentage points more {later}")
    if lengths := [_length(every, row) for row in rows if row["wins_a"] is None and row not in _apart(rows)]:
        st.text("\n".join(lengths))
    if rows and len(rows) < len(every):
        st.caption(f"Left out: what fewer than {FEWEST} games on a side say.")
    days = [{row["began"].date() for row in mine if row["began"]} for mine in sides.values()]
    if days and all(days) and not set.intersection(*days):
        st.caption("No day has games of both: their evenings and players differ as well.")


def _verdict(every: Rows) -> str:
    """Say which numbers differ between two sides and how much, and which may still do so by luck."""
    rows = [row for row in every if min(row["games_a"], row["games_b"]) >= FEWEST]
    if not rows:
        return f"fewer than {FEWEST} games on a side, so nothing is compared"
    apart = _apart(rows)
    clear = [_told(every, row) for row in apart if _is_clear(row)]
    watched = [_told(every, row) for row in apart if not _is_clear(row)]
    said = [joined(clear)] if clear else []
    said += [f"to watch: {joined(watched)}, which may still be luck"] if watched else []
    return "; ".join(said) or f"nothing is shown to differ{_farthest(every, rows)}"


def _farthest(every: Rows, rows: Rows) -> str:
    """Return which share of wins lies farthest apart, where none is shown to differ; how long games are without any."""
    shares = [row for row in rows if row["wins_a"] is not None]
    if not shares:
        said = {row["measure"]: row for row in rows}
        length = _length(every, next((said[each] for each in SAID_MEASURES if each in said), rows[0]))
        return f"; {length[:1].lower()}{length[1:]}"
    most = max(shares, key=lambda row: abs(row["difference"]))
    return f"; farthest apart: {_told(every, most)}" if most["difference"] else ""


def _apart(rows: Rows) -> Rows:
    """Return the numbers of whose difference the interval leaves out zero."""
    return [row for row in rows if row["low"] is not None and not row["low"] <= 0 <= row["high"]]


def _is_clear(row: dict[str, Any]) -> bool:
    """Return whether luck hardly makes such a difference; what few people felt is never so sure."""
    return bool(row["evidence"] == "clear" if "evidence" in row else row.get("by_luck", 1.0) < STRICT)


def _told(rows: Rows, row: dict[str, Any]) -> str:
    """Return what a number is and was, within a sentence."""
    if row["wins_a"] is not None:
        return (
            f"{called(rows, row)} won {row['wins_b']} of {row['games_b']}, before {row['wins_a']} of {row['games_a']}"
        )
    now, before, low, high = _numbers(row)
    way = "rose" if row["middle_b"] > row["middle_a"] else "fell"
    what = _named(rows, row) + row.get("how", "")
    return f"{what} {way} from {before} to {now} (likely by {low if low == high else f'{low} to {high}'})"


def side_by_side(site: Site, sides: Mapping[str, Rows]) -> None:
    """Show for each number of players the games of two sides, by their names."""
    games = [row for mine in sides.values() for row in mine]
    told = said_about(games, site.folder).feedback
    table = [
        {"players": str(players)}
        | {name: _came_to([row for row in mine if row["players"] == players], told) for name, mine in sides.items()}
        for players in sorted({row["players"] for row in games})
    ]
    if table:
        st.table(table, hide_index=True)


def _came_to(games: Rows, told: Sequence[Mapping[str, Any]]) -> str:
    """Say how many games there are, how long they take, who won how often, how much fun they were, and who erred."""
    over = [row for row in games if row["over"]]
    minutes = [row["minutes"] for row in over if row["minutes"] is not None]
    fun = fun_said(games, told)
    which = f"of the {len(minutes)} {'timed' if len(minutes) < len(over) else 'finished'} " * (
        len(minutes) < len(games)
    )
    takes = f"half {which}take at most " if len(minutes) > 1 else which
    said = [how_many(len(games), "game")]
    said += [f"{takes}{middle(median(minutes), len(minutes))} minutes"] if minutes else []
    said += [most_won(games), f"fun {fun}" if fun else "", mistakes_said(games)]
    return ", ".join(filter(None, said))


def _named(rows: Rows, row: dict[str, Any]) -> str:
    """Return what differs: a share of wins, or a length; with how many players only where these are several."""
    return called(rows, row) if row["wins_a"] is not None else f"{row['measure']}{of_players(rows, row)}"


def _difference(rows: Rows, row: dict[str, Any]) -> Dot:
    """Return the difference of a share between A and B as a dot: both shares, and its interval."""
    points, low, high = (row[name] for name in ("difference", "low", "high"))
    now, before = (
        f"{percent(row[won] / row[games])} % ({row[won]}{NO_BREAK}of{NO_BREAK}{row[games]})"
        for won, games in (("wins_b", "games_b"), ("wins_a", "games_a"))
    )
    words = f"{now}, was {before}; likely {round(low):+d} to {round(high):+d}"
    return Dot(sentence(called(rows, row)).removesuffix("."), points, low, high, words, even=0.0)


def _length(rows: Rows, row: dict[str, Any]) -> str:
    """Return how long finished games are in B, and were in A; of few games no interval is known."""
    told = "too few games to tell from luck"
    now, before, *ends = _numbers(row)
    if ends:
        near, far = ("more" if end > 0 else "fewer" for end in sorted((row["low"], row["high"]), key=abs))
        told = f"likely {ends[0]}{'' if near == far else f' {near}'} to {ends[1]} {far}"
    what = _named(rows, row).capitalize() + row.get("how", "")
    return f"{what}: {now}, was {before} ({told})"


def _numbers(row: dict[str, Any]) -> list[str]:
    """Return a length or mark in B and in A, and the ends of what lies between them, the near one first, if known."""
    said = "{:.1f}".format if row["measure"] == "fun" else middle
    digits = 1 if row["measure"] == "fun" else 3  # a mark is never finer
    ends = [] if row["low"] is None else sorted((abs(row["low"]), abs(row["high"])))
    return [*(said(row[end]) for end in ("middle_b", "middle_a")), *(middle(round(end, digits)) for end in ends)]
