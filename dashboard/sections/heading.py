"""What stands at the top of every page: what it is about, which games it counts and which it leaves out."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

import streamlit as st

from tabletape.dashboard.charts.rows import PARTS
from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.sections.choice import UNSAID, GameChoice, called_apart, edition_of
from tabletape.dashboard.site import Site
from tabletape.projector.games import title_of
from tabletape.projector.model.amounts import counted
from tabletape.projector.model.phrases import with_options_said

LONG: Final = 40
"""A title of more letters is a sentence, which is set smaller."""

SOURCE_WORDS: Final = {"people": "of people", "bots": "of bots", "all": "of people and bots"}


def heading(site: Site, title: str, one: str = "") -> bool:
    """Show the top of a page about the chosen game; return whether there is any game to tell about.

    A page about `one` thing, a card or a rule, has that as its title.
    """
    head = escaped(one) or f"{title}: {escaped(title_of(site.choice.slug))}"
    (st.header if len(one) > LONG else st.title)(head, anchor=False)
    games = 0
    for number, (letter, ruleset) in enumerate(site.choice.rulesets):
        games_counted, by_result = (
            _games(site, site.choice.filters(beside=number == 1), of) for of in ("games", "by_result")
        )
        games += games_counted
        left_out = "; ".join(_left_out(site, games_counted, beside=number == 1))
        # That people played says something beside bots alone.
        has_bots = any(counts.get("bots") for counts in site.choice.counts.values())
        words = counted(games_counted, "game") + (f" of {title_of(site.choice.slug)}" if one else "")
        words += f" {SOURCE_WORDS[site.choice.source]}" if has_bots else ""
        version = with_options_said(site.game.rulebook, ruleset).replace(" \u201c", ", played so: \u201c", 1)
        words += f", version {version}" if ruleset != UNSAID else ""
        of = "" if by_result == games_counted else f"of {by_result} "
        words += f"; {of}only the result is known." if by_result else "."
        words += f" Left out: {left_out}." if left_out else ""
        st.text((f"{letter}: " if letter and site.choice.called(letter) == letter else "") + words)
    if site.choice.beside:
        alone = f"{edition_of(site.choice.ruleset)} alone"
        st.button(escaped(alone), type="tertiary", icon=":material/arrow_back:", on_click=_alone)
    else:
        _ways_to_others(site)
    parts = list(site.parts())
    st.session_state[PARTS] = [part.label for part in parts]
    played = dict.fromkeys(part.label.rpartition(", ")[2] for part in parts if part.played_by)
    if played:
        st.text(f"Each counted for itself: {', '.join(played)}.")
    if site.choice.beside and _same_games(site):
        st.caption(
            "Both are the same games, read twice. The intervals take them for different games, so they are too "
            "wide: “What does another reading of the rules change?” on the page Balance goes game by game."
        )
    if not games:
        st.info(_instead(site.choice), icon=":material/filter_alt_off:")
    return bool(games)


def _games(site: Site, filters: Mapping[str, Any], of: str = "games") -> int:
    """Count the games that filters leave, or those `of` one kind: `by_result`, `partial`."""
    return sum(site.ask("overview", **filters)[of].to_pylist())


def _same_games(site: Site) -> bool:
    """Return whether A and B have games in common."""
    answers = (site.ask("games", **site.choice.filters(beside=beside)) for beside in (False, True))
    mine, others = (set(each["game_id"].to_pylist()) for each in answers)
    return bool(mine & others)


def _alone() -> None:
    """Take away what the games are compared with."""
    st.session_state["beside"] = None
    st.query_params.pop("beside", None)


def _ways_to_others(site: Site) -> None:
    """Lead to the games that were played by another ruleset alone, to both beside each other, and to all replays."""
    mine = {*site.ask("games")["game_id"].to_pylist()}
    every = site.ask("games", ruleset="").select(["game_id", "ruleset", "detail"]).to_pylist()
    others = Counter(row["ruleset"] for row in every if row["game_id"] not in mine)
    if not others:
        return
    names = called_apart(site.game.rulebook, [*dict.fromkeys([site.choice.ruleset, *others])])
    with st.container(horizontal=True):
        for ruleset, number in others.items():
            words = escaped(f"{names[ruleset]}, {counted(number, 'game')}")
            site.link(site.here, words, ":material/history:", ruleset=ruleset)
        for ruleset in others if len(others) == 1 else ():
            site.link(site.here, "Both, side by side", ":material/compare_arrows:", beside=ruleset)
        if moved := [row["game_id"] for row in every if row["detail"] != "results"]:
            which = "any of them" if len(moved) == len(every) else f"the {counted(len(moved), 'game')} with moves"
            one = {"game": moved[0]} if len(moved) == 1 else {"of": title_of(site.choice.slug)}
            site.link("replay", f"Replay {which}", ":material/play_circle:", **one)


def _left_out(site: Site, games_counted: int, *, beside: bool) -> Iterator[str]:
    """Say which games of the ruleset are not counted, and why."""
    filters = site.choice.filters(beside=beside)
    counts = site.choice.counts.get(filters["ruleset"], {})
    for source in ("people", "bots"):
        if filters["source"] not in {source, "all"} and counts.get(source):
            yield f"{counted(counts[source], 'game')} {SOURCE_WORDS[source]}"
    every = {**filters, "clean": False}
    untold = sum(_games(site, every, of) for of in ("by_result", "partial")) if filters["clean"] else 0
    unclean = _games(site, every) - games_counted - untold
    if unclean:
        yield f"{counted(unclean, 'game')} with a mistake"
    if untold:
        yield f"{counted(untold, 'game')} whose log does not tell every action"
    without = sum(counts.get(each, 0) for each in _sources(filters["source"])) - games_counted - unclean - untold
    if without:
        yield f"{counted(without, 'game')} without these decks"


def _sources(source: str) -> tuple[str, ...]:
    return ("people", "bots") if source == "all" else (source,)


def _instead(choice: GameChoice) -> str:
    """Say what to choose where nothing is left."""
    counts = choice.counts.get(choice.ruleset, {})
    if choice.source == "people" and counts.get("bots"):
        bots = counted(counts["bots"], "game")
        return f"No game of people is left. There are {bots} of bots: choose “Played by: bots” in the sidebar."
    return "The filters of the sidebar leave no game: take some of them away."
