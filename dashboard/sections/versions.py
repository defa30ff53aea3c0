"""What differs between the games of two versions, or between those before and since a day of a change."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from statistics import mean, median
from typing import Any, Final

import numpy as np
import streamlit as st

from tabletape.dashboard.charts.rows import Dot, draw_dots
from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.questions import question, select
from tabletape.dashboard.report.results import mistaken
from tabletape.dashboard.report.said import fun_by_game, fun_said, said_about
from tabletape.dashboard.sections.answers import Rows, folded, numbers, rows_of, verdict, with_label
from tabletape.dashboard.sections.choice import UNSAID, called_apart
from tabletape.dashboard.sections.in_short import (
    DECK,
    FEWEST,
    PLAYERS,
    SAID_MEASURES,
    called,
    of_players,
    sentence,
    shares_of_wins,
)
from tabletape.dashboard.site import Site
from tabletape.dashboard.statistics.comparison import middle_difference
from tabletape.dashboard.statistics.intervals import NO_BREAK, newcombe, percent
from tabletape.projector.model.amounts import counted, day_said, joined, middle, tenths

STRICT: Final = 0.01
"""What luck makes less often than this is taken for a difference, as that of shares is by their 99 % interval."""

PARTED: Final = ("before", "since")
"""How the games are called that a day parts."""

DECIDED: Final = "SELECT game_id, ruleset, name, won FROM seats WHERE decisive ORDER BY seat, player"
"""Who sat in the games that somebody won, and whether they did."""


def show_versions(site: Site) -> None:
    """Show what differs between the newest or chosen version and each other, or between games around a day."""
    pairs = [*_pairs(site)]
    if not pairs:
        _by_day(site)
        return
    for among, names, rows, sides in pairs:
        older, newer = names.values()
        _compared(site, rows, sides, (f"{newer} against {older}", f"with {newer}", among))
        told = {row["measure"] for row in rows}
        drawn = "decks" if "deck" in told else "players" if "player" in told else "first-player"
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
            names = _called(site, (a, b))
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

    rows = shares_of_wins(site, DECK, asked)
    how = question("decks" if rows else "players").shares[0]
    if not rows:
        rows = [row | {"measure": "player", "games": row["decisive"]} for row in asked("players") if row["decisive"]]
    older, newer = ({(row["measure"], called(rows, row)): row for row in rows if row["among"] == of} for of in versions)
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


def _called(site: Site, rulesets: Sequence[str]) -> dict[str, str]:
    """Return what versions are called within a sentence."""
    names = called_apart(site.game.rulebook, rulesets)
    return {each: "the version that is not said" if each == UNSAID else said for each, said in names.items()}


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
    names = _called(site, [*dict.fromkeys(row["ruleset_a"].partition(", ")[0] for row in rows)])
    for (among, a, b), of_pair in groupby(rows, key=lambda row: (row["among"], row["ruleset_a"], row["ruleset_b"])):
        # What differs between two versions as well is no matter of the day.
        if (version := a.partition(", ")[0]) == b.partition(", ")[0]:
            before = "Before" if version == UNSAID else f"{names[version]}, before"
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
    head, stop, more = f"{title}, {_verdict(every)}.".partition(". ")
    st.markdown(f"**{escaped(with_label({'among': among}, head + stop.strip()))}** {escaped(more)}")
    side_by_side(site, sides)
    marks = [_difference(every, row) for row in rows if row["wins_a"] is not None]
    if marks:
        draw_dots(marks, share=False, axis=f"percentage points more {later}")
    if rows and len(rows) < len(every):
        st.caption(f"Left out: what fewer than {FEWEST} games on a side say.")
    days = [{row["began"].date() for row in mine if row["began"]} for mine in sides.values()]
    if days and all(days) and not set.intersection(*days):
        st.caption("No day has games of both: their evenings and players differ as well.")


def _verdict(every: Rows) -> str:
    """Say which numbers differ between two sides and how much; which may still do so by luck; and who wins."""
    rows = [row for row in every if min(row["games_a"], row["games_b"]) >= FEWEST]
    if not rows:
        return f"fewer than {FEWEST} games on a side, so nothing is compared"
    apart = _apart(rows)
    clear = [_told(every, row) for row in apart if _is_clear(row)]
    watched = [_told(every, row) for row in apart if not _is_clear(row)]
    surely = " for sure" if watched else ""
    said = [joined(clear) if clear else f"nothing is shown to differ{surely}"]
    said += [f"To watch, which may still be luck: {joined(watched)}"] if watched else []
    return ". ".join([*said, *_farthest(every, rows)])


def _farthest(every: Rows, rows: Rows) -> Iterator[str]:
    """Yield which share of wins lies farthest apart, where none is shown to differ; how long games are without any."""
    shares, apart = [row for row in rows if row["wins_a"] is not None], _apart(rows)
    if not (shares or apart):
        said = {row["measure"]: row for row in rows}
        length = _told(every, next((said[each] for each in SAID_MEASURES if each in said), rows[0]))
        yield f"{length[:1].upper()}{length[1:]}"
    elif shares and not any(row in apart for row in shares):
        most = max(shares, key=lambda row: abs(row["difference"]))
        whose = "Farthest apart" if not apart else "Who wins is not shown to differ; farthest apart"
        if most["difference"]:
            yield f"{whose}: {_told(every, most)}"


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
    now, before, *ends = _numbers(row)
    way = "rose" if row["middle_b"] > row["middle_a"] else "fell" if row["middle_b"] < row["middle_a"] else "stayed:"
    likely = "too few games to tell from luck"
    if ends:
        near, far = ("more" if end > 0 else "fewer" for end in sorted((row["low"], row["high"]), key=abs))
        likely = f"likely {ends[0]} {near} to {ends[1]} {far}"
    if ends and near == far:
        likely = f"likely by {' to '.join(dict.fromkeys(ends))}"
    return f"{row['measure']}{of_players(rows, row)} {way} from {before} to {now}{row.get('how', '')} ({likely})"


def side_by_side(site: Site, sides: Mapping[str, Rows]) -> None:
    """Show the games of some sides, by their names, for each number of players: a line for each measure."""
    games = [row for mine in sides.values() for row in mine]
    told = said_about(games, site.folder).feedback
    ids = [row["game_id"] for row in games]
    seats = select(DECIDED, site.folder, (), games=ids, source="all").to_pylist() if ids else []
    for players in sorted({row["players"] for row in games}):
        mine = {name: [row for row in side if row["players"] == players] for name, side in sides.items()}
        won = {name: _seats_of(side, seats) for name, side in mine.items()}
        most = Counter(seat["name"] for side in won.values() for seat in side).most_common(PLAYERS)
        first = [name for name, _ in most]
        came_to = {name: _came_to(side, told) | _wins_of(side, won[name], first) for name, side in mine.items()}
        lines = dict.fromkeys(what for each in came_to.values() for what in each)
        head = counted(players, "player")
        table = [{head: what} | {name: each.get(what, "") for name, each in came_to.items()} for what in lines]
        st.table(table, hide_index=True)


def _seats_of(games: Rows, seats: Rows) -> Rows:
    """Return the seats of games that somebody won."""
    keys = {(row["game_id"], row["ruleset"]) for row in games}
    return [seat for seat in seats if (seat["game_id"], seat["ruleset"]) in keys]


def _came_to(games: Rows, told: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return how many games there are and ended, how long these took, how much fun it was, in how many one erred."""
    over = [row for row in games if row["over"]]
    minutes = [row["minutes"] for row in over if row["minutes"] is not None]
    takes = "half take at most " if len(minutes) > 1 else ""
    of = f" ({counted(len(minutes), 'game')})" if len(minutes) < len(games) else ""
    every = {
        "Games": f"{len(games)}{f', {len(over)} of them finished' if len(over) < len(games) else ''}",
        "Minutes": f"{takes}{middle(median(minutes), len(minutes))}{of}" if minutes else "",
        "Fun": fun_said(games, told),
        "With a mistake": mistaken(games),
    }
    return {what: said for what, said in every.items() if said}


def _wins_of(games: Rows, seats: Rows, first: Sequence[str]) -> dict[str, str]:
    """Return how many of the games that somebody won each of the `first` players won, and all others together."""
    won = {f"{name} won": [seat["won"] for seat in seats if seat["name"] == name] for name in first}
    won["All others won"] = [seat["won"] for seat in seats if seat["name"] not in first]
    over = sum(bool(row["over"]) for row in games)
    nobody = over - len({seat["game_id"] for seat in seats})
    told = {who: f"{sum(each)} of {len(each)}" for who, each in won.items() if each}
    return told | ({"Nobody won": f"{nobody} of {over}"} if nobody else {})


def _difference(rows: Rows, row: dict[str, Any]) -> Dot:
    """Return the difference of a share between A and B as a dot: both shares, and its interval."""
    points, low, high = (row[name] for name in ("difference", "low", "high"))
    now, before = (
        f"{percent(row[won] / row[games])} % ({row[won]}{NO_BREAK}of{NO_BREAK}{row[games]})"
        for won, games in (("wins_b", "games_b"), ("wins_a", "games_a"))
    )
    words = f"{now}, was {before}; likely {round(low):+d} to {round(high):+d}"
    return Dot(sentence(called(rows, row)).removesuffix("."), points, low, high, words, even=0.0)


def _numbers(row: dict[str, Any]) -> list[str]:
    """Return a length or mark in B and in A, and the ends of what lies between them, the near one first, if known."""
    said = tenths if row["measure"] == "fun" else middle
    digits = 1 if row["measure"] == "fun" else 3  # a mark is never finer
    ends = [] if row["low"] is None else sorted((abs(row["low"]), abs(row["high"])))
    return [*(said(row[end]) for end in ("middle_b", "middle_a")), *(middle(round(end, digits)) for end in ends)]
