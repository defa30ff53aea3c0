"""The frame around every page: the list of pages, the filters, and plain words for whatever goes wrong."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib.resources import files
from typing import Any, Final

import streamlit as st

from dashboard.choice import Choice, choose
from dashboard.database import QuestionError
from dashboard.freshness import build_anew, freshness
from dashboard.markdown_escape import escaped
from dashboard.pages.balance import balance_page
from dashboard.pages.cards import cards_page
from dashboard.pages.games import games_page
from dashboard.pages.import_logs import import_page
from dashboard.pages.keep import keep_page
from dashboard.pages.overview import overview_page
from dashboard.pages.pace import pace_page
from dashboard.pages.replay import replay_page
from dashboard.pages.rulebook import rulebook_page
from dashboard.pages.rules import rules_page
from dashboard.pages.what_if import what_if_page
from dashboard.site import Site, answered, site_of
from dashboard.welcome import welcome
from events.log_schema import LogError
from events.vocabulary import plugin_problems
from projector.datasets.manifest import DatasetError
from projector.model.cards import CardError
from projector.model.rulebook import RulesetError

COUNTING: Final[dict[str, tuple[str, str, Callable[[Site], None]]]] = {
    "overview": ("Overview", ":material/home:", overview_page),
    "balance": ("Balance", ":material/balance:", balance_page),
    "pace": ("Pace", ":material/timeline:", pace_page),
    "cards": ("Cards", ":material/playing_cards:", cards_page),
    "rules": ("Rules", ":material/gavel:", rules_page),
    "rulebook": ("Rulebook", ":material/menu_book:", rulebook_page),
    "games": ("Games", ":material/list:", games_page),
}
"""The pages that count games: address, title, sign, and what shows them."""

REPLAY: Final = "replay"
"""The page of one game: filters beside it would name another one than it shows."""

WHAT_IF: Final = "what-if"
"""The page on which bots play: it counts no game of the log."""

LOGGER: Final = logging.getLogger("tabletape")


def show() -> None:
    """Show the page that the address names, of the log that TABLETAPE_DB names."""
    st.set_page_config(page_title="Tabletape", page_icon=_icon(), layout="wide")
    st.html(f"<style>{_file('pages.css')}</style>")
    site = site_of()
    page = st.navigation(_pages(site), expanded=True)
    for problem in plugin_problems().values():
        st.warning(f"Left out: {escaped(problem)}.")
    try:
        if page.url_path not in {REPLAY, WHAT_IF}:
            site.choice = _chosen(site, of_mistakes=page.url_path in {"rules", "rulebook"})
    except (DatasetError, QuestionError) as error:
        site.problem = str(error)
    page.run()


def _icon() -> str:
    """Return the sign of the browser's tab; Streamlit would fetch its own from another computer."""
    return _file("entry/icon.svg")


def _file(name: str) -> str:
    return files("dashboard").joinpath(name).read_text(encoding="utf-8")


def _pages(site: Site) -> list[Any]:
    """Return all pages, and let the site know them for its links."""
    for name, (title, icon, show) in COUNTING.items():
        page = partial(_counting, site, show)
        site.pages[name] = st.Page(page, title=title, icon=icon, url_path=name, default=name == "overview")
    replay = partial(_plainly, replay_page)
    handing_in = partial(_plainly, partial(import_page, site))
    asking = partial(_plainly, partial(what_if_page, site))
    site.pages[WHAT_IF] = st.Page(asking, title="What if", icon=":material/science:", url_path=WHAT_IF)
    site.pages["replay"] = st.Page(replay, title="Replay", icon=":material/play_circle:", url_path="replay")
    keeping = partial(_plainly, keep_page)
    site.pages["keep"] = st.Page(keeping, title="Keep a log", icon=":material/edit_note:", url_path="keep")
    site.pages["import"] = st.Page(handing_in, title="Import", icon=":material/upload_file:", url_path="import")
    return list(site.pages.values())


def _counting(site: Site, show: Callable[[Site], None]) -> None:
    """Show a page that counts games, or how to begin where there are none."""
    with plainly():
        if site.problem:
            build_anew(site.problem)
            return
        old = freshness(site)
        if site.choice.slug:
            show(site)
        elif not old:
            welcome(site)


def _plainly(show: Callable[[], None]) -> None:
    with plainly():
        show()


@contextmanager
def plainly() -> Iterator[None]:
    """Say in words what goes wrong; a page never shows a traceback."""
    try:
        yield
    except (LogError, DatasetError, QuestionError, RulesetError, CardError) as error:
        st.error("This cannot be shown.", icon=":material/error:")
        st.text(str(error))
    except Exception as error:
        LOGGER.exception("a page could not be shown")
        st.error("Tabletape has made a mistake of its own. Your log is as it was.", icon=":material/bug_report:")
        st.text(f"{type(error).__name__}: {error}")


def _chosen(site: Site, *, of_mistakes: bool) -> Choice:
    """Show the filters and give what is chosen; nothing where there are no games in the datasets."""
    rows: list[dict[str, Any]] = []
    for source in ("people", "bots"):
        rows += [{**row, "source": source} for row in answered(site, "overview", {"source": source}).to_pylist()]
    if not rows:
        return Choice()
    decks: dict[str, list[str]] = {}
    for row in answered(site, "decks", {"source": "all"}).to_pylist():
        known = decks.setdefault(row["game"], [])
        if row["dimension"] == "deck" and row["value"] not in known:
            known.append(row["value"])
    return choose(rows, decks, of_mistakes=of_mistakes)
