"""The frame around every page: the list of pages, the filters, and plain words for whatever goes wrong."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from typing import Any, Final

import streamlit as st

from tabletape.dashboard.html import own_text
from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.questions.database import QuestionError
from tabletape.dashboard.sections.choice import GameChoice, choose, keep_choice
from tabletape.dashboard.sections.freshness import build_anew, count_few, freshness
from tabletape.dashboard.sections.starting_points import starting_points
from tabletape.dashboard.site import Site, answered, site_of
from tabletape.dashboard.workspace import log_address
from tabletape.events.errors import TabletapeError
from tabletape.events.vocabulary import game_problems
from tabletape.projector.datasets.manifest import DatasetError
from tabletape.projector.games import games, title_of
from tabletape.projector.model.phrases import deck_called

COUNTING_PAGES: Final = {
    "overview": ("Overview", ":material/home:"),
    "balance": ("Balance", ":material/balance:"),
    "pace": ("Pace", ":material/timeline:"),
    "cards": ("Cards", ":material/playing_cards:"),
    "rules": ("Rules", ":material/gavel:"),
    "rulebook": ("Rulebook", ":material/menu_book:"),
    "games": ("Games", ":material/list:"),
}
"""The pages that count games: address (and module), title, sign. Beside any other page filters would change nothing."""

FIRST: Final = "overview"
"""The page that is shown where the address names none."""

WHAT_IF: Final = "what-if"
"""The page on which bots play."""

MY_GAME: Final = "my-game"
"""The page of a game's own file."""

EVENING: Final = "evening"
"""The page of an evening: all games of a day."""

LOGGER: Final = logging.getLogger("tabletape")


def show() -> None:
    """Show the page that the address names, of the log that TABLETAPE_DB names."""
    st.set_page_config(page_title="Tabletape", page_icon=own_text("entry", "icon.svg"), layout="wide")
    st.html(f"<style>{own_text('pages.css')}</style>")
    site = site_of()
    page = st.navigation(_pages(site), expanded=True)
    if page.url_path == FIRST:
        st.switch_page(site.pages[FIRST], query_params={key: st.query_params.get_all(key) for key in st.query_params})
    if page.url_path in {"", EVENING, MY_GAME, *COUNTING_PAGES} and not site.problem:
        with st.empty():  # It has its place also where there is nothing to count: what is below stays where it is.
            count_few(site)
    for problem in game_problems().values():
        st.warning(f"Left out: {escaped(problem)}.")
    try:
        if not site.problem:
            counts = page.url_path in {"", *COUNTING_PAGES}
            site.here = page.url_path or FIRST
            if not counts:
                keep_choice()
            site.choice = _chosen(site, of_mistakes=page.url_path in {"rules", "rulebook"}) if counts else _most(site)
    except (DatasetError, QuestionError) as error:
        site.problem = str(error)
    page.run()


def _pages(site: Site) -> list[Any]:
    """Return all pages, and let the site know them for its links."""
    evening = partial(_of_the_log, site, partial(_page(EVENING), site))
    site.pages[EVENING] = st.Page(evening, title="This evening", icon=":material/nightlight:", url_path=EVENING)
    for name, (title, icon) in COUNTING_PAGES.items():
        page = partial(_counting, site, _page(name))
        first = name == FIRST
        # Streamlit shows its first page at "/" alone, and keeps its name from others: that one leads there.
        address = "first" if first else name
        site.pages[name] = st.Page(page, title=title, icon=icon, url_path=address, default=first)
    replay = partial(_of_the_log, site, partial(_page("replay"), site))
    handing_in = partial(_of_the_log, site, partial(_page("import", "import_logs"), site))
    asking = partial(_plainly, partial(_page("what_if"), site))
    site.pages[WHAT_IF] = st.Page(asking, title="What if", icon=":material/science:", url_path=WHAT_IF)
    writing = partial(_of_the_log, site, partial(_page("my_game"), site))
    site.pages[MY_GAME] = st.Page(writing, title="My game", icon=":material/draw:", url_path=MY_GAME)
    site.pages["replay"] = st.Page(replay, title="Replay", icon=":material/play_circle:", url_path="replay")
    keeping = partial(_of_the_log, site, partial(_page("keep"), site))
    site.pages["keep"] = st.Page(keeping, title="Keep a log", icon=":material/edit_note:", url_path="keep")
    site.pages["import"] = st.Page(handing_in, title="Import", icon=":material/upload_file:", url_path="import")
    by_name = st.Page(partial(_counting, site, _page(FIRST)), title="Overview", url_path=FIRST, visibility="hidden")
    return [*site.pages.values(), by_name]


def _page(name: str, module: str = "") -> Callable[..., None]:
    """Return what shows a page. Its module is loaded when it is shown: nobody waits for what other pages need."""

    def shown(*site: Site) -> None:
        getattr(import_module(f"tabletape.dashboard.pages.{module or name}"), f"{name}_page")(*site)

    return shown


def _counting(site: Site, show: Callable[[Site], None]) -> None:
    """Show a page that counts games, or how to begin where there are none."""
    with plainly():
        if site.problem:
            build_anew(site)
            return
        old = freshness(site)
        if site.choice.slug:
            show(site)
        elif not site.has_log:
            st.info(f"There is no game in the datasets at {escaped(str(site.folder))}.", icon=":material/database:")
        elif not old:
            welcome(site)


def _of_the_log(site: Site, show: Callable[[], None]) -> None:
    """Show a page that needs the log, or say that only datasets are here."""
    if site.has_log:
        _plainly(show)
        return
    st.info("Only datasets are shown here, and this page needs the log.", icon=":material/database:")
    st.text(f"The datasets lie at {site.folder}.")
    st.markdown(
        "What they count is on the other pages; to replay games, to import logs or to keep one, open the dashboard "
        "where the log is: `tabletape serve` without `--datasets`."
    )


def _plainly(show: Callable[[], None]) -> None:
    with plainly():
        show()


@contextmanager
def plainly() -> Iterator[None]:
    """Say in words what goes wrong; a page never shows a traceback."""
    try:
        yield
    except TabletapeError as error:
        st.error("This cannot be shown.", icon=":material/error:")
        st.text(str(error))
    except Exception as error:
        LOGGER.exception("a page could not be shown")
        st.error("Tabletape has made a mistake of its own. Your log is as it was.", icon=":material/bug_report:")
        st.text(f"{type(error).__name__}: {error}")


def _most(site: Site) -> GameChoice:
    """Return the game that was played most, where nothing is asked."""
    rows = answered(site, "overview", {"source": "all"}).to_pylist()
    return GameChoice(slug=max(rows, key=lambda row: row["games"])["game"]) if rows else GameChoice()


def _chosen(site: Site, *, of_mistakes: bool) -> GameChoice:
    """Show the filters and give what is chosen; nothing where there are no games in the datasets."""
    rows: list[dict[str, Any]] = []
    for source in ("people", "bots"):
        rows += [{**row, "source": source} for row in answered(site, "overview", {"source": source}).to_pylist()]
    if not rows:
        return GameChoice()
    decks: dict[str, dict[str, str]] = {}
    for row in answered(site, "decks", {"source": "all"}).to_pylist():
        if row["dimension"] == "deck":
            decks.setdefault(row["game"], {})[row["value"]] = deck_called(row["value"])
    return choose(rows, decks, of_mistakes=of_mistakes)


def welcome(site: Site) -> None:
    """Say what Tabletape does and how to begin."""
    st.title("Nothing has been recorded yet", anchor=False)
    st.text(
        "Tabletape takes the logs of your playtests, plays every game again step by step, holds each step against the "
        "rulebook, and counts what the games tell."
    )
    st.page_link(site.pages["import"], label="**Import logs**: drop files into the page", icon=":material/upload_file:")
    starting_points(site)
    st.caption(f"Games that Tabletape knows: {', '.join(title_of(slug) for slug in games())}.")
    st.text(f"The log of this page: {log_address()}")
