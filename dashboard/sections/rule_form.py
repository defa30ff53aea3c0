"""A rule of an own game written by hand: asked for in a form, tried on a stored game, or written behind the file."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import streamlit as st

from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.own_game.composition import of_kind
from tabletape.dashboard.own_game.rules import NewRule
from tabletape.dashboard.own_game.trial import found_in
from tabletape.dashboard.report.document import Rows
from tabletape.dashboard.report.writing import as_fragment
from tabletape.dashboard.workspace import log_address
from tabletape.events.log import Log
from tabletape.events.log.rows import StoredGame
from tabletape.events.rules_file.stated import Rules
from tabletape.events.vocabulary.names import slug_of
from tabletape.events.vocabulary.open_games import SOMEWHERE, games_of, open_games
from tabletape.events.whole_files import write_whole
from tabletape.events.workspace_files import GameFileError
from tabletape.projector.model.amounts import counted

_MISTAKE: Final = re.compile(r"[^:]*:(?P<line>\d+)(?::\d+)?: (?:\[move\.[^\]]*?(?:\.(?P<key>that|says|cite))?\] )?")
"""Where a mistake stands: the line of the file, and the key of the rule."""

FIELDS: Final = {
    "says": ("The sentence of the rulebook, in your own words", "e.g. With eight tokens nobody discards."),
    "cite": ("Where it stands", "e.g. L17, or p. 4"),
    "move": ("At which move it has to be kept", "its name in the file, such as lay"),
    "that": ("What has to be so then", "e.g. tokens < 8"),
    "name": ("A short name, if you like", "e.g. not-at-eight"),
}
"""What is asked of a new rule: title, and an example."""

NAMED: Final = 4
"""A rule without a short name is called by so many words of its sentence."""


def rule_form(slug: str, file: Path, text: str, stored: Sequence[StoredGame]) -> None:
    """Ask for a rule, try it on a stored game, or write it behind the file."""
    st.subheader("A new rule", anchor=False)
    stated = open_games()[slug].rules if slug in open_games() else None
    games = {each.game_id: game_in_words(each) for each in stored}
    with st.form("new rule", border=True):
        answers = {key: _asked(key, list(stated.moves) if stated else []) for key in FIELDS}
        if stated and stated.names:
            st.caption(f"What has to be so {_may_say(stated)}")
        tried = st.selectbox("Try it on the game", list(games), format_func=lambda each: games[each], key="tried")
        first, second = st.columns(2)
        trying = first.form_submit_button("Try it: nothing is stored", icon=":material/search:", disabled=not tried)
        adding = second.form_submit_button("Write it into the file", icon=":material/add:")
    named = answers["name"] or "-".join(slug_of(answers["says"]).split("-")[:NAMED])
    rule = NewRule(**{**answers, "name": named})
    if not (trying or adding):
        return
    after = text.rstrip() + "\n" + rule.written
    try:
        games_of(file.name, slug, after)
    except GameFileError as error:
        st.error("That is no rule yet.", icon=":material/error:")
        st.text(_in_form(str(error), after.count("\n") - rule.written.count("\n") + 1))
        return
    st.code(rule.written.strip(), language="toml")
    if trying and tried:
        _tried(slug, after, tried, f"{slug}.{rule.move}.{rule.name}")
        return
    write_whole(file, after)
    st.success("Written at the end of the file.", icon=":material/check:")
    if st.button("Go on"):
        st.rerun()


def _may_say(stated: Rules) -> str:
    """Return what a condition may be written of, with examples of this game, as Markdown."""
    fields = {field.name for move in stated.moves.values() for field in move.fields}
    kinds = stated.properties.get("kind", ())[:1] if "cards" in fields else ()
    such = {"at most one card at once": "size(cards) <= 1"} if "cards" in fields else {}
    such |= {f"no {kind}": f"no(cards where {of_kind(kind, {})})" for kind in kinds}
    such |= {"at most five cards in the hand": "size(hand) <= 5"} if "hand" in stated.zones else {}
    examples = "".join(f"`{written}` ({escaped(said)}), " for said, written in such.items())
    names = escaped(", ".join(sorted(stated.names - {SOMEWHERE})))
    return f"is written so: {examples}and may name {names}, and the move's fields."


def _in_form(problem: str, last: int) -> str:
    """Return mistakes with the field of the form of each that is behind the `last` line of the file."""
    told = []
    for mistake in problem.split("\n"):
        place = _MISTAKE.match(mistake)
        inside = place is not None and int(place["line"]) > last
        field = FIELDS.get(place["key"] or "name", FIELDS["name"])[0] if place else ""
        told.append(f"{field}: {mistake[place.end() :]}" if place and inside else mistake)
    return "\n".join(told)


def _asked(key: str, moves: Sequence[str]) -> str:
    """Ask for a part of a new rule; the moves of the file are offered."""
    title, such = FIELDS[key]
    if key == "move" and moves:
        return st.selectbox(title, moves, index=None, placeholder="Choose a move", key=key) or ""
    return st.text_input(title, placeholder=such, key=key).strip()


def game_in_words(stored: StoredGame) -> str:
    """Return a game by its day and who played it."""
    day = f"{stored.started_at[:10]}, " if stored.started_at else ""
    return f"{day}{', '.join(seat.name or seat.id for seat in stored.players)}"


def _tried(slug: str, text: str, game_id: str, rule: str) -> None:
    """Show which lines of a stored game a rule accuses, by their numbers in its file, and which it leaves open."""
    with Log.open(log_address()) as log:
        stored = log.game(game_id)
        found = found_in(slug, text, log, [stored])
    accused, still_open = ([each for each in some if each.finding.rule == rule] for some in (found.accused, found.open))
    others = len(found.accused) - len(accused)
    beside = f" Beside it there {'is' if others == 1 else 'are'} {counted(others, 'finding')}." if others else ""
    left = f" {counted(len(still_open), 'line')} cannot be judged." if still_open else ""
    lines = counted(len(accused), "line")
    st.text(f"In the game of {game_in_words(stored)} it finds {lines}.{left}{beside} Nothing was stored.")
    if accused or still_open:
        rows = tuple((str(each.line or "?"), each.said, each.finding.message) for each in (*accused, *still_open))
        st.html(as_fragment(Rows(("Line", "It says", "What is wrong, or open"), rows)))
