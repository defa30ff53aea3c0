"""Lists of games and of findings, every row a way to the replay."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from itertools import compress, groupby, islice
from typing import Any, Final, TypeVar

import streamlit as st

from tabletape.dashboard.html import rendered
from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.report.document import Rows
from tabletape.dashboard.report.results import NO_END
from tabletape.dashboard.report.said import fun_by_name, said_about
from tabletape.dashboard.report.summary import NO_MOVES, NO_RULES, UNVERIFIABLE, UNWRITTEN
from tabletape.dashboard.report.writing import as_fragment
from tabletape.dashboard.rulebook.margins import TROUBLE, place_of
from tabletape.dashboard.site import Site, answered
from tabletape.events.vocabulary import vocabulary
from tabletape.events.vocabulary.open_games import open_games
from tabletape.projector.archive.card_versions import TODAY
from tabletape.projector.archive.pseudonyms import Names, renamed
from tabletape.projector.archive.view import ending_in_words
from tabletape.projector.games import game, title_of
from tabletape.projector.model.amounts import counted, day_said, joined, often
from tabletape.projector.model.phrases import with_rulings_said
from tabletape.projector.model.rules import HARD
from tabletape.projector.rulebooks.kept import cited_in

Row = Mapping[str, Any]

AnyRow = TypeVar("AnyRow", bound=Row)

NOBODY: Final[Names] = {}

PASSAGES: Final = 2
"""How many passages of the rulebook stand below a finding."""

LINES: Final = 10
"""How many rows are links of the page itself; the table has all."""

MORE: Final = 200
"""How many more findings are links on demand."""

NO_SENTENCE: Final = "a check of our own, which cites no sentence"
"""What is said of a rule that stands in no rulebook."""

VERSION: Final = "cards="
"""How a ruleset in words names the cards of another day."""

KINDS: Final = {UNVERIFIABLE: ":gray-badge[cannot be told] ", "info": ":gray-badge[remark] "}
"""Kinds of findings as they are shown in a line, beside mistakes, which need no word."""


def replay_address(site: Site, row: Row) -> dict[str, Any]:
    """Return the parameters of the address of a game's replay, at the event `seq` where the row has one.

    The replay reads the game by the ruleset of the row; where some games are of older cards, by these or by today's.
    """
    words = row.get("ruleset", "").split()
    rulings = [word for word in words if "=" in word and not word.startswith(VERSION)]
    edition = " ".join(word for word in words if "=" not in word)
    dated = any(VERSION in ruleset for ruleset in site.choice.counts)
    cards = TODAY if dated and not any(word.startswith(VERSION) for word in words) else ""
    return {
        "game": row["game_id"], "step": str(row.get("seq") or ""), "edition": edition, "ruling": rulings, "cards": cards
    }  # fmt: skip


def replay_url(site: Site, row: Row) -> str:
    """Return the address of a game's replay, relative to any page."""
    return site.url("replay", **replay_address(site, row))


def citation(row: Row) -> str:
    """Return where a rule stands: its section and lines."""
    lines = ", ".join(each.removeprefix("L") for each in (row["lines"] or "").split())
    return ", ".join(filter(None, (row["section"], lines and f"line{'s' * (', ' in lines)} {lines}")))


def place_said(site: Site, row: Row) -> tuple[str, str]:
    """Return where a rule stands, in words, and which sentence of the rulebook that is kept here that is (`129.2`).

    A text that is kept has its own lines, which all pages say: those of the text that a rule was written from are said
    where the rule has no place in it, or where none is kept.
    """
    if found := cited_in(site.workspace, row["game"], row["rule"], row.get("because", "")):
        book, sentence = found
        return ", ".join(filter(None, (row["section"], f"line {sentence.first}"))), place_of(book, sentence)
    return citation(row) or NO_SENTENCE, ""


def finding_lines(site: Site, rows: Iterable[Row], names: Names = NOBODY, about: str = "") -> None:
    """Show the first findings as links to their steps, one a line: kind, rule, what is wrong, where the rule stands.

    The others are shown on demand, `MORE` of them; the table has all. What follows from an earlier finding is only
    counted; the designer's own rulebook is quoted where a rule is first.
    With `names` pseudonyms stand for them, and nothing leads to the replay, which shows names. Of the rule that a page
    is `about` it has said all already.
    """
    quoted = {about}
    causes = [row for row in rows if not row["follows"]]
    played = [" on ".join(filter(None, each)) for each in _who_played(site, causes)]
    causes = [{"names": who, **row} for who, row in zip(played, causes, strict=True)]
    # What the log cannot tell of a rule it cannot tell in line after line.
    untold = dict.fromkeys(row["rule"] for row in causes if row["kind"] == UNVERIFIABLE and row["rule"] != about)
    alike = {rule: [row for row in causes if (row["kind"], row["rule"]) == (UNVERIFIABLE, rule)][1:] for rule in untold}
    folded = [row for rows_of_rule in alike.values() for row in rows_of_rule]
    causes = [row for row in causes if row not in folded]
    for words, some in (("", causes[:LINES]), ("more", causes[LINES:]), ("more that cannot be told", folded)):
        with st.expander(f"{len(some):,} {words}", icon=":material/list:") if words and some else nullcontext():
            for row in some[:MORE]:
                _finding_line(site, row, names, quoted, about)
            if len(some) > MORE:
                st.caption(f"and {len(some) - MORE:,} more")


def findings_apart(rows: Iterable[Row]) -> Iterator[tuple[str, list[Row]]]:
    """Yield the mistakes with a rule by what was wrong: it was broken, or a line that it asks for is not there."""
    wrong = [row for row in rows if row["kind"] in HARD]
    for kind, words in ((False, TROUBLE["broken"]), (True, TROUBLE["unwritten"])):
        if cases := [row for row in wrong if (row["kind"] == UNWRITTEN) is kind]:
            yield words, cases


def findings_in_words(rows: Iterable[Row]) -> str:
    """Say how many mistakes findings are, and of how many others nobody knows: of one line all that is wrong is one."""
    causes = [row for row in rows if not row["follows"]]
    wrong = [row for row in causes if row["kind"] in HARD]
    lines = {(row["game_id"], row.get("among"), row["seq"]): row["tainted"] for row in wrong}
    later = sum(lines.values())
    told = (
        (len(lines) - later, "mistake", ""),
        (later, "more after a mistake", "more after a mistake"),
        (len(causes) - len(wrong), "other remark" if wrong else "remark", ""),
    )
    return ", ".join(counted(number, *nouns) for number, *nouns in told if number) or "No mistakes"


def _who_played(site: Site, rows: Iterable[Row]) -> Iterator[tuple[str, str]]:
    """Yield of each row who played, and the day where it is known; the id of a game that is not counted yet."""
    ids = list(dict.fromkeys(row["game_id"] for row in rows))
    counted_games = answered(site, "games", {"source": "all", "games": ids}).to_pylist() if site.stamp and ids else []
    known = {row["game_id"]: row for row in counted_games}
    for row in rows:
        game_row = known.get(row["game_id"])
        day = day_said(game_row["began"]) if game_row and game_row["began"] else ""
        yield game_row["names"] if game_row else row["game_id"], day


def _finding_line(site: Site, row: Row, names: Names, quoted: set[str], about: str) -> None:
    """Show a finding with its place in the rulebook, and with what that says, unless its rule was `quoted` before."""
    followers = row.get("followers", 0)
    later = f" ({followers} later {'step follows' if followers == 1 else 'steps follow'} from it)" if followers else ""
    said = with_rulings_said(game(row["game"]).rulebook, row["message"])
    when = f"turn {row['turn']}" if row.get("turn") else f"step {row['seq']}"
    when = f"{row['among']}, {when}" if row.get("among") else when
    text = escaped(renamed(f"{row['names']}, {when}: {said}{later}", names))
    place, sentence = place_said(site, row)
    rule = game(row["game"]).by_id.get(row["rule"])
    if rule and rule.text.rstrip(".").casefold() not in said.casefold():  # What is wrong with it the rule says.
        place = f"{rule.text} {place}"
    in_line = "" if sentence or row["rule"] == about else f" :gray[{escaped(place)}]"
    _line(site, f"{KINDS.get(row['kind'], '')}{text}{in_line}", row, names)
    if sentence and row["rule"] != about:
        of = title_of(row["game"])
        site.link("rulebook", f":gray[{escaped(place)}]", ":material/menu_book:", of=of, sentence=sentence)
    quotes = site.quotes
    passages = () if row["rule"] in quoted else quotes.get(row["rule"]) or quotes.get(row["because"], ())
    quoted.add(row["rule"])
    for passage in passages[:PASSAGES]:
        st.caption(escaped(f"{passage.in_context} ({passage.place}{f', {passage.doubt}' if passage.doubt else ''})"))


def remark_lines(site: Site, rows: Sequence[Row], most: int = 0) -> None:
    """Show what was said at tables, each as the way to the step that it is about, with the game in which it was said.

    What was said in the same words stands once, with how often and in which games. Behind it stands what a row is
    `about`, behind its game a card (`card_called`). Of more than `most`, where it is given, the others are on demand.
    """
    alike: dict[str, list[tuple[str, Row]]] = {}
    for (names, day), row in zip(_who_played(site, rows), rows, strict=True):
        alike.setdefault(_in_quotes(row), []).append((", ".join(filter(None, (joined(names.split(", ")), day))), row))
    every = list(alike.items())
    first = most if 0 < most < len(every) - 1 else len(every)  # A single one is not worth a click.
    for said, cases in every[:first]:
        _remark_line(site, said, cases)
    if rest := every[first:]:
        with st.expander(f"{len(rest):,} more", icon=":material/list:"):
            for said, cases in rest:
                _remark_line(site, said, cases)


def _in_quotes(row: Row) -> str:
    """Return the words of a remark, and how a moment felt that was marked."""
    felt, words = row.get("felt"), " ".join((row["text"] or "").split())
    return escaped(": ".join(filter(None, (f"felt {felt}" if felt else "", f"\u201c{words}\u201d" if words else ""))))


def _remark_line(site: Site, said: str, cases: Sequence[tuple[str, Row]]) -> None:
    """Show a remark with its game; of several in which it was made each is a way to it, on a line below."""
    about = "; ".join(dict.fromkeys(row["about"] for _, row in cases if row.get("about")))
    more = f" :gray[{escaped(about)}]" if about else ""
    ways = [(_case(played, row), {**row, "seq": row["on"] or row["seq"]}) for played, row in cases]
    if len(cases) > 1:
        st.markdown(f"{said} **{often(len(cases))}**{more}")
        st.html(rendered("cases", cases=[(way, replay_url(site, row)) for way, row in ways]))
        return
    for way, row in ways:
        label = f"{said}{more} :gray[({escaped(way)})]"
        site.link("replay", label, icon=":material/format_quote:", **replay_address(site, row))


def _case(played: str, row: Row) -> str:
    """Return in which game something was said, by whom and about which card, as far as that is known."""
    who = f"{row['who']}, " if row["who"] else ""
    return f"{who}in the game of {'; '.join(filter(None, (played, row.get('card_called'))))}"


def nothing_found(games: Iterable[tuple[str, str]]) -> None:
    """Say that the audit has found nothing in games, each with its detail, or that there was nothing to audit."""
    moved = [slug for slug, detail in games if detail != "results"]
    if judged := sum(game(slug).rulebook.stated for slug in moved):
        st.success(f"The audit has found nothing in {counted(judged, 'game')}.", icon=":material/check:")
    else:
        st.info(NO_RULES if moved else NO_MOVES)


def game_lines(
    site: Site, rows: Iterable[Row], most: int = LINES, names: Names = NOBODY, *, of_one_day: bool = False
) -> None:
    """Show games as links to their replays, one a line, `of_one_day` without it; for `names` see `finding_lines`."""
    shown = list(islice(rows, most))
    kinds = len({row["game"] for row in shown})
    for day, of_day in groupby(shown, lambda row: day_said(row["began"]) if row["began"] else "without a date"):
        if not of_one_day:
            st.caption(f"**{day}**")
        for row in of_day:
            what = f"{title_of(row['game'])}, " if kinds > 1 else ""
            text = escaped(renamed(what + game_in_words(row), names))
            mistakes = f" :red-badge[{counted(row['mistakes'], 'mistake')}]" if row["mistakes"] else ""
            _line(site, text + mistakes, row, names)


def newest_first(rows: Iterable[AnyRow]) -> list[AnyRow]:
    """Return games or what is theirs with the newest first, those without a day last.

    Of one time the last one of a sheet, whose games are numbered, is the newest: the tenth came after the ninth.
    """

    def age(row: AnyRow) -> tuple[str, int, str, int]:
        return str(row["began"] or ""), len(row["game_id"]), row["game_id"], row.get("seq", 0)

    return sorted(rows, key=age, reverse=True)


def game_table(site: Site, rows: Iterable[Row]) -> None:
    """Show games as a table, a row each that leads to its replay; what no game knows has no column."""
    shown = list(rows)
    own = [row for row in shown if row["detail"] == "results" or row["game"] in open_games()]
    said = said_about(own, site.folder)
    words = defaultdict[str, list[str]](list)
    for row in said.remarks:
        words[row["game_id"]] += [row["text"]] if row["text"] else []
    felt = [(fun_by_name(row, said.feedback), "; ".join(words[row["game_id"]])) for row in shown]
    cells = [(*_cells(row), *each) for row, each in zip(shown, felt, strict=True)]
    told = [any(each) for each in zip(*cells, strict=True)]
    table = Rows(
        tuple(
            compress(("Game", "Version", "Day", "Won by", "How", "Turns", "Minutes", "Mistakes", "Fun", "Said"), told)
        ),
        tuple(tuple(compress(row, told)) for row in cells),
        tuple(replay_url(site, row) for row in shown),
    )
    st.html(as_fragment(table))


def _cells(row: Row) -> Iterator[str]:
    """Yield who played, of which part of the games, when, who won, how it ended, how long it took, and the mistakes."""
    yield _who(row)
    yield row.get("among", "")
    yield day_said(row["began"]) if row["began"] else ""
    reason = ending_in_words(vocabulary(row["game"]), row["reason"])
    yield row["won_by"] or ({"draw": "nobody, a draw"}.get(_nobody(row), _nobody(row)) if row["over"] else "")
    yield reason or ("" if row["over"] else NO_END)
    yield str(row["turns"] or "")
    yield str(round(row["minutes"])) if row["minutes"] and row["minutes"] >= 1 else ""
    yield str(row["mistakes"] or "")


def _who(row: Row) -> str:
    """Return who played, with what and with how many points, where the row has them."""
    if row.get("scores"):
        return re.sub(r" (?=-?\d)", "\u00a0", row["scores"])  # a score stands beside its name
    return str(row["names"])


def _nobody(row: Row) -> str:
    """Return how a game went that nobody has won."""
    return ("lost" if row["cooperative"] else "draw") if row["over"] else NO_END


def game_in_words(row: Row) -> str:
    """Return who played, with scores where only the result is known, who won and how, and how long it took."""
    reason = ending_in_words(vocabulary(row["game"]), row["reason"])
    how = f" ({', '.join(filter(None, (reason, row.get('points'))))})" if reason else ""
    ended = f"{row['won_by']} won{how}" if row["won_by"] else reason or _nobody(row)
    turns = f", {counted(row['turns'], 'turn')}" if row["turns"] else ""
    minutes = f", {counted(round(row['minutes']), 'minute')}" if row["minutes"] and row["minutes"] >= 1 else ""
    return f"{_who(row)}: {ended}{turns}{minutes}"


def _line(site: Site, label: str, row: Row, names: Names) -> None:
    if names:
        st.markdown(label)
    else:
        icon = ":material/scoreboard:" if row.get("detail") == "results" else None  # It has no steps to play.
        site.link("replay", label, icon, **replay_address(site, row))
