"""My game: its file with the mistakes in it, how often each rule was kept and broken, and a new rule tried out."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import streamlit as st

from tabletape.dashboard.first_answers import NONE, UNSAID_EFFECT
from tabletape.dashboard.first_file import begin_file
from tabletape.dashboard.first_rule import FirstQuestion, file_of_new, questions, require_answer
from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.own_rules import NewRule, doubt_of, own_rules_of, tally_of, tried_on, uncited
from tabletape.dashboard.report.document import Bullets, Rows
from tabletape.dashboard.report.writing import as_fragment
from tabletape.dashboard.sections.answers import folded, verdict
from tabletape.dashboard.site import Site
from tabletape.dashboard.workspace import log_address
from tabletape.events.errors import RefusedError
from tabletape.events.log import Log
from tabletape.events.log.rows import StoredGame
from tabletape.events.log.schema import NoLogError
from tabletape.events.vocabulary.names import is_by_bots, slug_of
from tabletape.events.vocabulary.open_games import game_file_problems, games_of, look_in, open_games
from tabletape.events.whole_files import write_whole
from tabletape.events.workspace_files import GameFileError, stamp_of, text_of
from tabletape.projector.archive.audit import Tally
from tabletape.projector.games import game
from tabletape.projector.model.amounts import counted
from tabletape.projector.model.rules import Rule

SUCH: Final = {
    "copies": "e.g. 4",
    "cite": "e.g. L12, or p. 3",
    "cost": "e.g. 2 mana",
    "else": "e.g. 2 water",
    "cards": "e.g. knight, bishop",
    "deal": "e.g. 5",
}
"""Examples of what nobody can answer but who knows the game: no rule gets a citation that nobody has said."""

PROBLEM: Final = "my game: not begun"
"""Where the session keeps why no file was begun."""

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


def my_game_page(site: Site) -> None:
    """Show the file of an own game that is chosen, with all that is known of its rules."""
    st.title("My game", anchor=False)
    look_in(site.workspace)
    files = {file.stem: file for file in sorted((site.workspace / "games").glob("*.toml"))}
    if not files:
        st.text("Describe your game; then your rules are checked against your logs.")
        _begin(site.workspace)
        return
    if st.session_state.get("own") not in files:  # the game that was played most, of those the one changed last
        most = max(files, key=lambda each: (len(_games(each)), files[each].stat().st_mtime))
        asked = st.query_params.get("own", "")
        st.session_state["own"] = asked if asked in files else most
    slug = st.selectbox("Game", list(files), key="own", bind="query-params", width=320)
    if slug:
        _show(site, slug, files[slug])
    with folded("Create another game", opened=PROBLEM in st.session_state):
        _begin(site.workspace)


# -- a new file --------------------------------------------------------------------------------------------------------


def _begin(folder: Path) -> None:
    """Ask in words about a game, its name first, and write its file: all but the name may be left out."""
    name, text, *_ = next(questions({}))
    st.text_input(text, key=f"begin {name}", placeholder="e.g. Harvest")
    doing = st.container()  # It stands above what may be left out.
    with folded("Describe your game, as far as you like"):
        wrong = _describe()
    with doing:
        if problem := st.session_state.get(PROBLEM, ""):
            st.error("That begins no game yet.", icon=":material/error:")
            st.text(problem)
        if wrong:
            st.error(escaped(wrong), icon=":material/error:")
            return
        st.button("Create my game", type="primary", icon=":material/add:", on_click=_write_first, args=(folder,))


def _describe() -> str:
    """Ask what may be said of a game, and return why an answer cannot be used, empty where all can."""
    answers: dict[str, str] = {}
    for question in questions(answers):
        name, usual = question.name, _usual(question)
        answers[name] = _answer(question)
        if name == "title":
            continue
        label, key = question.text.strip(), _key_of(name, usual)
        if question.choices:
            options = list(question.choices)
            st.segmented_control(label.partition("? ")[0] + "?", options, default=usual, key=key, required=True)
        else:
            st.text_input(label, value="" if usual in NONE else usual, key=key, placeholder=_such(question))
        if answers[name] and (wrong := _wrong_in(name, answers)):
            return wrong
    return ""


def _such(question: FirstQuestion) -> str:
    """Return what stands in a box that is empty: an example of what nobody else can know, or what is taken."""
    return SUCH.get(question.name.rpartition(" ")[2], "") or question.usual


def _usual(question: FirstQuestion) -> str:
    """Return the answer that is taken where nobody gives one: what a move changes is then not said."""
    return question.usual or (UNSAID_EFFECT if question.name.endswith(" else") else "")


def _answer(question: FirstQuestion) -> str:
    """Return what was answered, or what is taken without an answer."""
    usual = _usual(question)
    return str(st.session_state.get(_key_of(question.name, usual)) or "").strip() or usual


def _wrong_in(name: str, answers: Mapping[str, str]) -> str:
    """Return why an answer cannot be used, empty where it can."""
    try:
        require_answer(name, answers)
    except RefusedError as error:
        return str(error)
    return ""


def _key_of(name: str, usual: str) -> str:
    """Return the key of an answer; a sentence is asked anew where what it says has changed."""
    return f"begin {name} {usual}" if name.endswith("says") else f"begin {name}"


def _write_first(folder: Path) -> None:
    """Write the file that the answers make, and show it; what is wrong with them is said in the next run."""
    st.session_state.pop(PROBLEM, None)
    answers: dict[str, str] = {}
    missing = []
    for question in questions(answers):
        name = question.name
        answers[name] = _answer(question)
        missing += [] if answers[name] else [question.text.strip()]
        if answers[name] and _wrong_in(name, answers):
            return  # The page says what is wrong below the answer.
    if missing:
        st.session_state[PROBLEM] = "Still without an answer: " + " ".join(dict.fromkeys(missing))
        return
    slug = slug_of(answers["title"])
    try:
        begin_file(file_of_new(folder, slug), answers)
    except (RefusedError, GameFileError) as error:
        st.session_state[PROBLEM] = str(error)
    else:
        st.session_state["own"] = slug


def _show(site: Site, slug: str, file: Path) -> None:
    text, stored = text_of(file), _games(slug)
    problem = game_file_problems().get(slug, "")
    if problem:
        st.error("The file has mistakes, so nothing is judged by it.", icon=":material/error:")
        st.text(problem.replace(str(file), file.name))
    elif slug in open_games() and own_rules_of(game(slug)):
        _counts(site, slug, file, stored)
        _new_rule(slug, file, text, stored)
    else:
        st.info("The file states no rules yet: the audit keeps books of what the log says.", icon=":material/draw:")
        _new_rule(slug, file, text, stored)
    with folded(f"The file games/{file.name}", opened=bool(problem)):
        st.code(text, language="toml", line_numbers=True, height=480)


# -- what the rules came to --------------------------------------------------------------------------------------------


def _counts(site: Site, slug: str, file: Path, stored: Sequence[StoredGame]) -> None:
    """Show how often each rule was kept and broken, in the games of people, else in those of bots."""
    stamp = f"{stamp_of(file)} {site.stamp} {sum(each.events for each in stored)}"
    bots = all(is_by_bots(each.game_id) for each in stored)
    tally = _tally(slug, log_address(), stamp, bots=bots)
    st.subheader("Kept and broken", anchor=False)
    of = f"{counted(tally.games, 'stored game')}{' of bots' if bots and tally.games else ''}"
    rules = sorted(own_rules_of(game(slug)), key=lambda each: (-tally.broken[each.id], -tally.kept[each.id]))
    told = [each for each in rules if tally.broken[each.id] or tally.kept[each.id]]
    broken = sum(bool(tally.broken[each.id]) for each in told)
    never = [each for each in rules if each not in told]
    said = f"In {of}: of {counted(len(rules), 'rule')} {broken} broken, {len(never)} never at stake."
    verdict([said if tally.games else "No game of it is stored yet, so nothing tells how its rules are kept."])
    if told:
        st.html(as_fragment(Rows(("The rule", "Broken", "Kept"), tuple(_row(each, tally) for each in told))))
    if never:
        with folded(f"Never at stake ({len(never)})"):
            reasons = (doubt_of(each.id, tally).removeprefix("never at stake") for each in never)
            lines = tuple(_cited(each) + why for each, why in zip(never, reasons, strict=True))
            st.html(as_fragment(Bullets(lines)))
    if sentences := uncited(site.workspace, slug):
        with st.expander(f"Sentences of the rulebook that no rule cites ({len(sentences)})"):
            st.text("\n".join(sentences))


def _row(rule: Rule, tally: Tally) -> tuple[str, str, str]:
    broken, doubt = tally.broken[rule.id], doubt_of(rule.id, tally)
    return _cited(rule), f"{broken}: {doubt}" if doubt else str(broken), str(tally.kept[rule.id])


def _cited(rule: Rule) -> str:
    """Return the sentence of a rule, with where it stands."""
    return f"{rule.text} ({rule.lines})" if rule.lines else rule.text


@st.cache_data(show_spinner=False, max_entries=20)
def _tally(slug: str, db: str, stamp: str, *, bots: bool) -> Tally:  # noqa: ARG001 - `stamp` is there to be remembered by
    return tally_of(slug, db, bots=bots)


def _games(slug: str) -> list[StoredGame]:
    """Return the stored games of a slug."""
    with suppress(NoLogError), Log.open(log_address()) as log:
        return [each for each in log.games() if each.game == slug]
    return []


# -- a new rule --------------------------------------------------------------------------------------------------------


def _new_rule(slug: str, file: Path, text: str, stored: Sequence[StoredGame]) -> None:
    """Ask for a rule, try it on a stored game, or write it behind the file."""
    st.subheader("A new rule", anchor=False)
    stated = open_games()[slug].rules if slug in open_games() else None
    games = {each.game_id: _in_words(each) for each in stored}
    with st.form("new rule", border=True):
        answers = {key: _asked(key, list(stated.moves) if stated else []) for key in FIELDS}
        if stated and stated.names:
            st.caption(escaped(f"What has to be so may name {', '.join(sorted(stated.names))}, and the move's fields."))
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


def _in_words(stored: StoredGame) -> str:
    """Return a game by its day and who played it."""
    day = f"{stored.started_at[:10]}, " if stored.started_at else ""
    return f"{day}{', '.join(seat.name or seat.id for seat in stored.players)}"


def _tried(slug: str, text: str, game_id: str, rule: str) -> None:
    """Show what a rule finds in a stored game."""
    with Log.open(log_address()) as log:
        judged = tried_on(slug, text, log, game_id)
        played = _in_words(log.game(game_id))
    mine = [each for each in judged if each.rule == rule]
    others = len(judged) - len(mine)
    beside = f" Beside it there {'is' if others == 1 else 'are'} {counted(others, 'finding')}." if others else ""
    st.text(f"In the game of {played} it finds {counted(len(mine), 'line')}.{beside} Nothing was stored.")
    if mine:
        rows = tuple((str(each.seq), each.message) for each in mine)
        st.html(as_fragment(Rows(("Event", "What is wrong"), rows)))
