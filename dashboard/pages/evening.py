"""The page of an evening: what it came to in a few lines, how it felt, what to try next, and the way to hand it on."""

import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

import msgspec
import streamlit as st

from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.report.choosing import UNDATED_DAY, Chosen, ReportError, choose
from tabletape.dashboard.report.document import Block, Bullets, Document, Heading, Paragraph
from tabletape.dashboard.report.evening import (
    Replays,
    evening_in_short,
    pseudonyms_of,
    replays_of,
    report,
    what_to_test,
    without_names_in,
)
from tabletape.dashboard.report.results import points_at_the_end
from tabletape.dashboard.report.writing import as_fragment, as_html
from tabletape.dashboard.sections.answers import folded
from tabletape.dashboard.sections.choice import UNSAID, one_of
from tabletape.dashboard.sections.freshness import build_anew, freshness
from tabletape.dashboard.sections.lists import (
    Row,
    finding_lines,
    findings_in_words,
    game_in_words,
    game_lines,
    newest_first,
)
from tabletape.dashboard.sections.results import ResultCard, result_card, show_results, to_write_down
from tabletape.dashboard.sections.starting_points import ways_in
from tabletape.dashboard.site import Site
from tabletape.dashboard.tape.sharing import export, share
from tabletape.dashboard.workspace import log_address
from tabletape.events.log import Log
from tabletape.events.vocabulary.open_games import open_games
from tabletape.projector.archive.pseudonyms import Names, renamed, without_names
from tabletape.projector.archive.stored import replay_of, workspace
from tabletape.projector.datasets.manifest import FOLDER
from tabletape.projector.games import game, title_of
from tabletape.projector.model.amounts import counted, day_said
from tabletape.projector.model.phrases import with_options_said
from tabletape.projector.rulebooks.kept import Quote

NEWEST: Final = 6
"""So many games of an evening are in sight at once."""

FIRST: Final = 3
"""So many things to try next are in sight at once."""

MAX_LISTED: Final = 60
"""So many more are a line each."""

MAX_SHARED: Final = 30
"""More games than these make a file that no phone opens quickly."""


def evening_page(site: Site) -> None:
    """Show the evening that the address names, or the newest one, of one game, with what can be handed on of it."""
    if site.problem:
        build_anew(site)
        return
    not_counted = freshness(site)
    days = _days(site)
    if not days:
        st.title("This evening", anchor=False)
        st.text("What an evening came to: who won, how it felt, what went wrong, and one file to send to the others.")
        if not not_counted:
            st.info("No game of people is here yet.", icon=":material/event:")
            ways_in(site)
        return
    day, hide = _picked([*days])
    slug = next(iter(days[day]))
    if len(days[day]) > 1:
        by_title = {title_of(each): each for each in days[day]}
        with st.container(width=340):
            slug = by_title[one_of("Game", "of", [*by_title])]
    if day == UNDATED_DAY:
        st.caption(
            "No day is known of these games: their logs say none, or not in which time zone. They may be of more than "
            "one evening."
        )
    try:
        chosen = _games_of(site.workspace / FOLDER, day, slug)
    except ReportError as error:
        st.info(escaped(str(error)))
        return
    texts = _written(log_address(), site.stamp, day, slug, hide=hide)
    st.html(texts.answer)
    _hand_on(chosen, texts, day, hide=hide)
    if told := [row for row in chosen.games if row["detail"] != "results"]:
        st.html(texts.short)
        _games(site, msgspec.structs.replace(chosen, games=_with_points(told, texts.points)), texts)
        st.html(texts.moments)
        _to_try("What to try next", texts.next)
    else:
        _results(texts)
        _to_try("What to write down next time", to_write_down(texts.results))
    if len(days) > 1 and not hide:
        with st.container(horizontal=True):
            for ruleset in dict.fromkeys(row["ruleset"] for row in chosen.games):
                words = "" if ruleset == UNSAID else f" {with_options_said(game(slug).rulebook, ruleset)}"
                label = escaped(f"{title_of(slug)}{words} over all evenings")
                site.link("overview", label, icon=":material/home:", of=title_of(slug), ruleset=ruleset)


def _picked(days: list[str]) -> tuple[str, bool]:
    """Ask for one of the evenings, the newest first, and whether names are left out; the address keeps both."""
    named = st.query_params.get("day", "")
    day = named if named in days else days[0]
    titles = {days[0]: "This evening", UNDATED_DAY: "Games without a date"}
    told = "" if len(days) > 1 or day == UNDATED_DAY else f": {_day_said(day)}"  # of several the choice says which
    st.title(f"{titles.get(day, 'An earlier evening')}{told}", anchor=False)
    with st.container(horizontal=True, vertical_alignment="center"):
        picked = day
        if len(days) > 1:
            picked = st.selectbox("Evening", days, days.index(day), _day_said, label_visibility="collapsed", width=220)
        hide = st.toggle("Without names", key="anonymous", bind="query-params", help=ANONYMOUS)
    if picked != day:
        st.query_params["day"] = picked
        st.rerun()
    return day, hide


def _day_said(day: str) -> str:
    return day if day == UNDATED_DAY else day_said(date.fromisoformat(day))


def _results(texts: "EveningTexts") -> None:
    """Show the games of one's own, and all of which only results were written down: a card each."""
    if texts.results:
        show_results(texts.results[:NEWEST])
    if older := texts.results[NEWEST:]:
        with folded(counted(len(older), "more game")):
            show_results(older)


def _games(site: Site, chosen: Chosen, texts: "EveningTexts") -> None:
    """Show the games of an evening of which moves are known, the newest first, and what was wrong in them."""
    if not all(game(row["game"]).rulebook.stated for row in chosen.games):
        st.page_link(site.pages["my-game"], label="**My game**: state the first rule", icon=":material/draw:")
    st.subheader("The games", anchor=False)
    if any(row["game"] not in open_games() for row in chosen.games):
        _lines(site, newest_first(chosen.games), texts.names)
    _results(texts)
    if wrong := _wrong(site, chosen):
        with st.expander(findings_in_words(wrong), icon=":material/fact_check:"):
            finding_lines(site, wrong, texts.names)


def _lines(site: Site, newest: Sequence[Row], names: Names) -> None:
    """List games as lines, the newest in sight."""
    game_lines(site, newest[:NEWEST], NEWEST, names, of_one_day=True)
    if older := newest[NEWEST:]:
        with st.expander(f"{counted(len(older), 'more game')}", icon=":material/list:"):
            game_lines(site, older, MAX_LISTED, names, of_one_day=True)
            if len(older) > MAX_LISTED:
                site.link("replay", f"All {counted(len(newest), 'game')}", icon=":material/list:")


def _to_try(title: str, lines: Sequence[str]) -> None:
    """Show what to do next time: a few lines in sight, the others on demand."""
    first = FIRST if len(lines) > FIRST + 1 else len(lines)  # A single one is not worth a click.
    shown, more = ("\n".join(f"* {escaped(line)}" for line in some) for some in (lines[:first], lines[first:]))
    if shown:
        st.subheader(title, anchor=False)
        st.markdown(shown)
    if more:
        with st.expander(f"{len(lines) - first} more", icon=":material/explore:"):
            st.markdown(more)


def _wrong(site: Site, chosen: Chosen) -> list[Row]:
    """Return what was found in the games of an evening, as their tables read them, whatever the sidebar chooses."""
    played = {(row["game_id"], row["ruleset"]): row["names"] for row in chosen.games}
    rows = site.ask("each-finding", game="", ruleset="", source="all", clean=False, decks=()).to_pylist()
    keys = [(row["game_id"], row["ruleset"]) for row in rows]
    return [{**row, "names": played[key]} for row, key in zip(rows, keys, strict=True) if key in played]


def _days(site: Site) -> dict[str, list[str]]:
    """Return what was played, most first, on each day, the newest first, then what stands for games without one.

    Of what was played as often that with more mistakes comes first: of that there is more to tell.
    """
    rows = site.ask("games", game="", ruleset="", source="people", clean=False, decks=()).to_pylist()
    played = defaultdict[str, dict[str, list[int]]](lambda: defaultdict(list))
    for row in sorted(rows, key=lambda row: str(row["began"] or ""), reverse=True):
        played[f"{row['began']:%Y-%m-%d}" if row["began"] else UNDATED_DAY][row["game"]].append(row["mistakes"] or 0)
    return {
        day: sorted(games, key=lambda slug: (-len(games[slug]), -sum(games[slug]), title_of(slug)))
        for day, games in played.items()
    }


def _games_of(datasets: Path, day: str, slug: str) -> Chosen:
    """Return the games of a day of `_days` that are of one kind. Raises `ReportError` where none of them is left."""
    return choose(datasets, evening=UNDATED_DAY if day == UNDATED_DAY else date.fromisoformat(day), game=slug)


class EveningTexts(msgspec.Struct, frozen=True):
    """An evening in a sentence and in short, its moments, what to try next, its report, that as text, the pseudonyms.

    `results` are its games of one's own, and those of which nothing else is known; `title` and `paragraphs` are the
    evening in short for a file that is sent; `points` are those at the end of games that points have decided.
    """

    title: str
    paragraphs: tuple[str, ...]
    answer: str
    short: str
    moments: str
    next: tuple[str, ...]
    results: tuple[ResultCard, ...]
    report: Document
    text: str
    names: dict[str, str]
    points: dict[str, str]


@st.cache_data(show_spinner="Reading the evening …", max_entries=8)
def _written(url: str, stamp: str, day: str, slug: str, *, hide: bool) -> EveningTexts:  # noqa: ARG001 - `stamp` is there to be remembered by
    with Log.open(url) as log:
        folder = workspace(log)
        datasets = folder / FOLDER
        chosen = _games_of(datasets, day, slug)
        unread: list[str] = []
        names = pseudonyms_of(log, chosen) if hide else {}
        replays = replays_of(log, chosen, unread.append, names)
        results = tuple(_results_of(log, chosen, replays, names))
        short = [*evening_in_short(chosen, replays, datasets)]
        whole = report(chosen, replays, datasets, partial(Quote, folder), short)
    said = Document(chosen.title, (*short, *(Paragraph(each, quiet=True) for each in unread)))
    told = without_names_in(said, names)
    points = {id_: words for id_, replay in replays.items() if (words := points_at_the_end(replay))}
    first = next((nth for nth, block in enumerate(told.blocks) if isinstance(block, Heading)), len(told.blocks))
    return EveningTexts(
        title=told.title,
        paragraphs=tuple(_paragraphs(told.blocks[:first])),
        answer=as_fragment(*told.blocks[:1]),
        short=as_fragment(*told.blocks[1:first]),
        # A replay shows names, so nothing leads to it where they are left out.
        moments=as_fragment(*told.blocks[first:], folded=True),
        next=tuple(_paragraphs(what_to_test(slug, datasets))),
        results=results,
        report=without_names_in(whole, names),
        text=renamed(_to_paste(told, _with_points(chosen.games, points)), names),
        names=names,
        points=points,
    )


def _results_of(log: Log, chosen: Chosen, replays: Replays, names: Names) -> Iterator[ResultCard]:
    """Yield the games that are shown by their results, the newest first; with `names` nothing leads to a replay."""
    for row in newest_first(chosen.games):
        id_ = row["game_id"]
        if row["detail"] == "results":
            replay = replay_of(log, id_)
            replay = without_names(log.game(id_), replay, names)[1] if names else replay
        elif row["game"] in open_games() and id_ in replays:
            replay = replays[id_]
        else:
            continue
        wrong = counted(row["mistakes"], "mistake") if row["mistakes"] else ""
        card = result_card(replay, wrong, "" if names else f"replay?{urlencode({'game': id_})}")
        # What was said of the only game of an evening with moves stands under *How it felt*.
        is_said = len(chosen.games) == 1 and row["detail"] != "results"
        yield msgspec.structs.replace(card, felt=()) if is_said else card


def _paragraphs(blocks: Iterable[Block]) -> Iterator[str]:
    """Yield the sentences of blocks that are words; the quiet ones explain tables."""
    for block in blocks:
        if isinstance(block, Paragraph) and not block.quiet:
            yield block.text
        elif isinstance(block, Bullets):
            yield from block.lines


def _with_points(games: Sequence[Row], points: Mapping[str, str]) -> list[Row]:
    return [{**row, "points": points.get(row["game_id"], "")} for row in games]


def _to_paste(told: Document, played: Sequence[Row]) -> str:
    """Return an evening as lines for a chat: what it came to, each game with its scores, how it felt."""
    games = map(game_in_words, newest_first(played))
    first, *others = _paragraphs(told.blocks)
    return "\n".join([told.title, "", first, *games, *([""] if others else []), *others])


def _hand_on(chosen: Chosen, texts: EveningTexts, day: str, *, hide: bool) -> None:
    """Offer the evening to those who were not there: the boards in one file, a page for paper, and words to paste."""
    boards = (row for row in chosen.games if row["detail"] != "results")
    # The file opens with its first game: one with a mistake, if there is one.
    ids = [row["game_id"] for row in sorted(boards, key=lambda row: not row["mistakes"])][:MAX_SHARED]
    named = day.replace(" ", "-")
    # Results alone have no boards: what there is to send of them is the report.
    page = partial(as_html, texts.report)
    send, what = (partial(_shared, ids, texts, hide=hide), SEND) if ids else (page, SEND_RESULTS)
    with st.container(horizontal=True, gap="xsmall"):
        st.download_button(
            "Send", send, f"evening-{named}.html", "text/html", icon=":material/send:", help=what, type="primary",
            on_click="ignore",
        )  # fmt: skip
        prints = st.button("Print", icon=":material/print:", help=PRINT)
        with st.popover("Copy"):
            st.code(texts.text, language=None, wrap_lines=True)
        with st.popover("Export"):
            for form, (words, name) in EXPORTS.items():
                made = partial(_exported, [row["game_id"] for row in chosen.games], form, hide=hide)
                st.download_button(words, made, f"evening-{named}.{name}", key=f"export {form}", on_click="ignore")
            st.download_button(
                "The report, as a page to read", page, f"report-{named}.html", "text/html", on_click="ignore"
            )
    if prints:
        st.iframe(as_html(texts.report, "print()"), height=1)


EXPORTS: Final = {
    "xlsx": ("A workbook with games, seats, cards and findings", "xlsx"),
    "text": ("A transcript: a line an event", "txt"),
    "bgstats": ("Results for BG Stats", "json"),
    "ocel": ("Events for process mining (OCEL)", "ocel.json"),
    "xes": ("Events for process mining (XES)", "xes"),
}
"""What an evening is exported as: what it is called on the page, and the end of the file's name."""

ANONYMOUS: Final = "Player 1, Player 2 … for the names: here, and in whatever is sent, printed, copied or exported."

SEND: Final = (
    "One file with the boards of all games, which opens on any phone without Tabletape and without a network. The "
    "browser saves it: send it as you send a picture."
)
SEND_RESULTS: Final = "The report in one file, which opens on any phone. Results alone have no boards."
PRINT: Final = "The report on paper: opens the print of the browser."


def _shared(ids: Sequence[str], texts: EveningTexts, *, hide: bool) -> bytes:
    with Log.open(log_address()) as log, tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "evening.html"
        share(log, [log.game(id_) for id_ in ids], file, hide=hide, told=(texts.title, texts.paragraphs))
        return file.read_bytes()


def _exported(ids: Sequence[str], form: str, *, hide: bool) -> bytes:
    with Log.open(log_address()) as log, tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "evening"
        export(log, [log.game(id_) for id_ in ids], file, form, hide=hide)
        return file.read_bytes()
