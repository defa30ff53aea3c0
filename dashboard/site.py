"""What every page gets: the choice of the sidebar, answers from the datasets, and links to the other pages."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlencode

import msgspec
import pyarrow as pa
import streamlit as st

from tabletape.dashboard.questions import Filters, question
from tabletape.dashboard.questions.bots_apart import ask_apart, only, who_played
from tabletape.dashboard.questions.exclusions import exclusions_in_words
from tabletape.dashboard.questions.share_columns import Share
from tabletape.dashboard.sections.choice import GameChoice
from tabletape.dashboard.workspace import datasets_address, log_address
from tabletape.projector.archive.stored import workspace_at
from tabletape.projector.datasets.manifest import FOLDER, DatasetError, Folder, folder_at, name_of, stamp_of
from tabletape.projector.games import game
from tabletape.projector.model.game import Game
from tabletape.projector.model.phrases import with_options_said
from tabletape.projector.rulebooks.kept import Passage, quotes


class PartOfGames(msgspec.Struct, frozen=True):
    """Games that a page counts for themselves: of a ruleset (A, B), played by people or by a kind of bots.

    `label` says what tells them from the other parts, and is empty where there is one; `heading` is that with the
    ruleset in words.
    """

    label: str
    letter: str
    heading: str
    played_by: str
    filters: Mapping[str, Any]


class Site(msgspec.Struct, kw_only=True):
    """The dashboard as a page sees it; `stamp` changes whenever the datasets do.

    `workspace` is the folder of the log, the designer's own cards and rulebooks; `has_log` says whether the datasets
    are those of the log, or named by themselves. `problem` says why they cannot be read at all, `here` which page is
    shown, and `said_above` which games it has said to be left out: that is said once.
    """

    folder: Folder
    workspace: Path
    stamp: str = ""
    has_log: bool = True
    problem: str = ""
    choice: GameChoice = msgspec.field(default_factory=GameChoice)
    here: str = ""
    pages: dict[str, Any] = msgspec.field(default_factory=dict)
    said_above: set[str] = msgspec.field(default_factory=set)

    @property
    def game(self) -> Game:
        """The rules of the chosen game."""
        return game(self.choice.slug)

    @property
    def quotes(self) -> dict[str, tuple[Passage, ...]]:
        """What the designer's rulebooks say of each rule, by its id."""
        return quotes(self.workspace)

    def parts(self, **more: Any) -> Iterator[PartOfGames]:
        """Yield the parts of the chosen games that are counted each for itself; `more` are filters.

        Those of A and of B, and where bots have played, those of people and of each kind of bots.
        """
        # A question that is asked about all rulesets says the same beside A and beside B.
        rulesets = (("", ""),) if more.get("ruleset") == "" else self.choice.rulesets
        for number, (letter, ruleset) in enumerate(rulesets):
            filters = cast("Filters", {**self.choice.filters(beside=number == 1), **more})
            played: tuple[str, ...] = _played(name_of(self.folder), self.stamp, filters)
            for who in played if len(played) > 1 else ("",):
                words = f"{who} bots" if who not in {"", "people"} else who
                label = ", ".join(filter(None, (self.choice.called(letter), words)))
                said = with_options_said(self.game.rulebook, ruleset)
                heading = label and (
                    max(label, said, key=len) if said[: len(label)] == label[: len(said)] else f"{label}: {said}"
                )
                yield PartOfGames(label, letter, heading, who, {**filters, **(only(who) if who else {})})

    def ask(self, name: str, part: PartOfGames | None = None, **more: Any) -> pa.Table:
        """Answer a question about the chosen games, or about a part of them; `more` are filters."""
        return answered(self, name, {**(part.filters if part else self.choice.filters()), **more})

    def exclusions(self, name: str, part: PartOfGames | None = None, *, also: str = "", **more: Any) -> str:
        """Return which of the chosen games a question leaves out, or of a part of them, as sentences, if any.

        `more` are filters.
        `also` names a condition that holds besides for what is shown of the answer.
        """
        filters = cast("Filters", {**(part.filters if part else self.choice.filters()), **more})
        words: str = _excluded(name, also, name_of(self.folder), self.stamp, filters)
        return words

    def address(self, **more: Any) -> dict[str, Any]:
        """Return the parameters of an address that shows the same games; empty ones are left out."""
        return {**self.choice.address(), **{key: value for key, value in more.items() if value}}

    def url(self, page: str, **more: Any) -> str:
        """Return the address of a page that shows the same games, relative to any other page."""
        return f"{page}?{urlencode(self.address(**more), doseq=True)}"

    def link(self, page: str, label: str, icon: str | None = None, **more: Any) -> None:
        """Show a link to a page that shows the same games; `label` is Markdown.

        What the sidebar says stays in the address by itself.
        """
        asked = {key: value for key, value in more.items() if value}
        st.page_link(self.pages[page], label=label, icon=icon, query_params=asked)


def site_of(address: str | None = None) -> Site:
    """Return the site of a log, or of the datasets that are named without one; without a choice yet."""
    workspace = workspace_at(address or log_address())
    named = "" if address else datasets_address()
    site = Site(folder=folder_at(named) if named else workspace / FOLDER, workspace=workspace, has_log=not named)
    try:
        site.stamp = stamp_of(site.folder)
    except DatasetError as error:
        site.problem = str(error)
    return site


def answered(site: Site, name: str, filters: Mapping[str, Any]) -> pa.Table:
    """Answer a question; the answer is remembered for as long as the datasets stay as they are."""
    table: pa.Table = _answered(name, name_of(site.folder), site.stamp, cast("Filters", dict(filters)))
    return table


@st.cache_data(show_spinner=False, max_entries=2000)
def _excluded(name: str, also: str, folder: str, stamp: str, filters: Filters) -> str:  # noqa: ARG001 - see `_answered`
    asked = question(name)
    asked = msgspec.structs.replace(asked, counts=(*asked.counts, *([also] if also else [])))
    return exclusions_in_words(asked, folder_at(folder), also_all=False, words=Share.said, **filters)


@st.cache_data(show_spinner=False, max_entries=2000)
def _answered(name: str, folder: str, stamp: str, filters: Filters) -> pa.Table:  # noqa: ARG001 - `stamp` is there to be remembered by
    return ask_apart(name, folder_at(folder), **filters)


@st.cache_data(show_spinner=False, max_entries=200)
def _played(folder: str, stamp: str, filters: Filters) -> tuple[str, ...]:  # noqa: ARG001 - see `_answered`
    return who_played(folder_at(folder), filters)
