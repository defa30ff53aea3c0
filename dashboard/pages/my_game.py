"""My game: its file with the mistakes in it, how often each rule was kept and broken, and a new rule tried out."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import streamlit as st

from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.own_game.asking import NAMES_NO_MOVE, NOBODY, rule_said
from tabletape.dashboard.own_game.besides import known_form
from tabletape.dashboard.own_game.cited import CiteSentence, cite_sentence, sentences_of
from tabletape.dashboard.own_game.file import write_checked
from tabletape.dashboard.own_game.forms import OWN_WORDS
from tabletape.dashboard.own_game.game import FirstRule, OwnGame
from tabletape.dashboard.own_game.place_effects import EFFECTS_TOLD, NOTHING, UNKNOWN
from tabletape.dashboard.own_game.questions import YES, EffectsSaid, RuleQuestion
from tabletape.dashboard.own_game.rules import own_rules_of
from tabletape.dashboard.own_game.trial import Accused, JudgedLines, TriedRule, found_in, game_of, games_in, trial_of
from tabletape.dashboard.own_game.whole import WholeRule, understood_wholly
from tabletape.dashboard.report.document import Bullets, Rows
from tabletape.dashboard.report.summary import NO_MOVES, has_moves
from tabletape.dashboard.report.writing import as_fragment
from tabletape.dashboard.sections.answers import folded, verdict
from tabletape.dashboard.sections.chat_lines import chat_read, offer_back, open_lines, remember
from tabletape.dashboard.sections.freshness import build_all, freshness
from tabletape.dashboard.sections.game_chats import begin, differences, next_chat, offer_example
from tabletape.dashboard.sections.kept_moves import name_kept
from tabletape.dashboard.sections.map_steps import BROUGHT
from tabletape.dashboard.sections.rule_counts import beside, rests_of_lines, rule_counts
from tabletape.dashboard.sections.rule_form import game_in_words, rule_form
from tabletape.dashboard.site import Site, answered
from tabletape.dashboard.workspace import log_address
from tabletape.events.log import Log
from tabletape.events.log.rows import StoredGame
from tabletape.events.log.schema import NoLogError
from tabletape.events.vocabulary.open_games import game_file_problems, look_in, open_games
from tabletape.events.workspace_files import GameFileError, stamp_of, text_of
from tabletape.projector.games import game
from tabletape.projector.model.amounts import counted
from tabletape.projector.rulebooks.kept import kept_rulebook

MOVES_COME: Final = (
    "A game that you keep in the scribe brings them: type what each player does, as in \u201cKim plays Camel\u201d. So "
    "does the chat of an evening in which the players wrote what they did, a line a move."
)
"""How a game comes to moves at which a rule can look."""

SENTENCE: Final = "e.g. Whoever is on turn draws a card first."
"""A sentence as a rulebook has them."""


def my_game_page(site: Site) -> None:
    """Show the file of an own game that is chosen, with all that is known of its rules."""
    place = st.empty()
    place.title("My game", anchor=False)
    freshness(site)
    look_in(site.workspace)
    files = {file.stem: file for file in sorted((site.workspace / "games").glob("*.toml"))}
    if not files:
        st.text(
            "A chat in which the players wrote what they did, a line a move, as in “Ann: I play the 7 of tea”, and "
            "your rulebook are enough: you choose a sentence of the rulebook, and see which lines break it."
        )
        st.page_link(site.pages["import"], label="Only results? **Import** takes a sheet", icon=":material/table:")
        offer_example()
        begin(site.workspace)
        return
    if brought := BROUGHT in st.session_state:
        begin(site.workspace)
    if (begun := st.session_state.pop("begun", "")) in files:
        st.session_state["own"] = begun
    if st.session_state.get("own") not in files:  # the game that was played most, of those the one changed last
        most = max(files, key=lambda each: (len(_games(each)), files[each].stat().st_mtime))
        asked = st.query_params.get("own", "")
        st.session_state["own"] = asked if asked in files else most
    slug = next(iter(files))
    if len(files) > 1:
        slug = st.selectbox("Game", list(files), format_func=_title, key="own", bind="query-params", width=320)
    if slug:
        place.title(f"My game: {escaped(_title(slug))}", anchor=False)
        _show(site, slug, files[slug])
    if not brought:
        with folded("Create another game"):
            begin(site.workspace)


def _title(slug: str) -> str:
    """Return the title of a game; its short name where its file has mistakes."""
    return game(slug).title if slug in open_games() else slug


def _show(site: Site, slug: str, file: Path) -> None:
    text, stored = text_of(file), _games(slug)
    problem = game_file_problems().get(slug, "")
    if problem:
        st.error("The file has mistakes, so nothing is judged by it.", icon=":material/error:")
        st.text(problem.replace(str(file), file.name))
    else:
        for each in differences(site.workspace, slug):
            st.warning(escaped(each), icon=":material/difference:")
        played = _with_moves(site, stored)
        if stored and not played:
            by_result = counted(len(stored), "game")
            verdict([f"{by_result}, by result only. {NO_MOVES}"])
            st.text(MOVES_COME)
            st.page_link(site.pages["keep"], label="**Keep a log** of the next game", icon=":material/edit_note:")
            next_chat(file, (), first=True)
            site.link("games", "**Games**: who won, and what else the results tell", of=_title(slug))
        else:
            _show_moves(site, slug, file, stored, played)
    with folded(f"The file games/{file.name}", opened=bool(problem)):
        st.code(text, language="toml", line_numbers=True, height=480)


def _with_moves(site: Site, stored: Sequence[StoredGame]) -> list[StoredGame]:
    """Return those of the stored games of which more than the result is known, as far as they are counted yet."""
    if not (stored and site.stamp):
        return [*stored]
    rows = answered(site, "games", {"source": "all", "games": [each.game_id for each in stored]}).to_pylist()
    of_results = {row["game_id"] for row in rows if not has_moves([row])}
    return [each for each in stored if each.game_id not in of_results]


def _show_moves(site: Site, slug: str, file: Path, stored: Sequence[StoredGame], played: Sequence[StoredGame]) -> None:
    """Show what the rules came to, how the chat is read, and the ways to a further rule."""
    stamp = f"{stamp_of(file)} {site.stamp} {[each.fingerprint for each in stored]}"
    book = kept_rulebook(site.workspace, slug)
    sentences = sentences_of(book.text if book else None)
    own, left = _own_game(slug, log_address(), stamp, text_of(file), sentences) if stored else (None, [])
    is_kept = name_kept(file, stored, stamp)
    is_blind = own is not None and not own.moves and (is_kept or not (own.draws and own.has_turns))
    if slug in open_games() and any(rule.lines for rule in own_rules_of(game(slug))):
        rule_counts(site, slug, stamp, stored)
    elif is_blind and not is_kept:
        verdict([f"No sentence can be watched yet: {NAMES_NO_MOVE}."])
        st.text(MOVES_COME)
    elif not is_kept:
        verdict(["No sentence is watched yet."])
    offer_back(file)
    if own is not None and not is_blind:
        _watch(own, file, stamp, left)
    taken, *of_chat = st.session_state.get("chat", ("",))
    read = of_chat if taken == slug else chat_read(site.workspace, slug)
    if read:
        name, reading = read
        found = _found(slug, log_address(), stamp, text_of(file), Path(name).name)
        open_lines(file, name, reading, found.hang)
    rests_of_lines(beside(slug, log_address(), stamp))
    next_chat(file, sentences, first=is_blind and not is_kept)
    if book is None:
        site.link("rulebook", "**Rulebook**: hand it in, and its sentences can be chosen here", of=_title(slug))
    if own is not None and own.moves:
        with folded("Write a rule by hand"):
            rule_form(slug, file, text_of(file), played)


def _games(slug: str) -> list[StoredGame]:
    """Return the stored games of a slug."""
    with suppress(NoLogError), Log.open(log_address()) as log:
        return [each for each in log.games() if each.game == slug]
    return []


# -- a sentence is watched ---------------------------------------------------------------------------------------------


def _watch(own: OwnGame, file: Path, stamp: str, left: list[CiteSentence]) -> None:
    """Ask which sentence of those `left` shall be watched, and show what its rule accuses before it is written."""
    st.subheader("Watch a sentence", anchor=False)
    if written := st.session_state.pop("watched", ""):
        st.success(escaped(f"Written: {written}"), icon=":material/check:")
        st.session_state.update({"sentence": None, "own sentence": ""})
    _together(file, stamp, [*own.sentences])
    which = "Which sentence of the rulebook?"
    sentence = st.selectbox(which, left, None, lambda each: each.own, key="sentence") if left else None
    if sentence is None:
        label = "Or a sentence in your own words" if left else "A sentence of its rules, in your own words"
        words = st.text_input(label, key="own sentence", placeholder=SENTENCE).strip()
        if not words:
            return
        sentence = cite_sentence(words, st.text_input("Where it stands, if in a rulebook").strip() or OWN_WORDS)
    of = f"{sentence.cite} {sentence.text}"
    rule = rule_said(own, sentence, known_form(sentence, own), lambda question: _answer_to(question, of))
    if not isinstance(rule, FirstRule):
        st.caption(escaped(f"Left open: {rule or NOBODY}."))
        return
    try:
        trial = _trial(file.stem, log_address(), stamp, text_of(file), rule)
    except GameFileError as error:
        st.text(str(error))
        return
    st.text(f"Read as: {rule.words}.")
    if rule.taken:
        st.text("Taken for that:")
        st.html(as_fragment(Bullets(rule.taken)))
    _accused(trial)
    if st.button("It is meant so: write it into the file", type="primary", icon=":material/add:"):
        _write(file, trial.text, sentence.own)


def _together(file: Path, stamp: str, sentences: list[CiteSentence]) -> None:
    """Propose the sentences that are understood wholly, each with the lines that it accuses; write those chosen."""
    slug, text = file.stem, text_of(file)
    whole = _whole(slug, log_address(), stamp, text, tuple(sentences))
    if not whole:
        return
    with st.form("together", border=True):
        st.text("These sentences are understood wholly:")
        for each in sorted(whole, key=lambda one: (not one.trial.is_illegal, not one.trial.accused)):
            lines = (*dict.fromkeys(_accusing_line(one) for one in each.trial.accused), *each.trial.open_in_words)
            st.text("\n    ".join((each.sentence.own, f"read as {each.rule.words}", *each.rule.taken, *lines)))
        names = [each.sentence.own for each in whole]
        chosen = st.multiselect(
            "Which of these are meant so?", names, [each.sentence.own for each in whole if each.is_sure]
        )
        writing = st.form_submit_button("Watch these", icon=":material/add:")
    if writing and chosen:
        meant = [each.sentence for each in whole if each.sentence.own in chosen]
        with Log.open(log_address()) as log:
            whole = understood_wholly(slug, text, sentences, log, meant)
        _write(file, whole[-1].trial.text, " ".join(each.sentence.own for each in whole))


def _write(file: Path, text: str, what: str) -> None:
    """Write the file of a game, which says `what` from now on, and show it anew."""
    before = text_of(file)
    write_checked(file, text)
    remember(file, what, before)
    st.session_state["watched"] = what
    build_all()
    st.rerun()


def _accusing_line(accused: Accused) -> str:
    """Return which line of which file is accused, with its words."""
    return f"accuses {_place_of(accused)}: {accused.said}"


def _place_of(accused: Accused) -> str:
    """Return where an accused line stands; what was kept in the scribe stands in no file."""
    if not accused.line:
        return f"a line of the game of {game_in_words(accused.stored)}"
    return f"{accused.stored.game_id}, line {accused.line}"


@st.cache_data(show_spinner=False, max_entries=20)
def _found(slug: str, db: str, stamp: str, text: str, chat: str) -> JudgedLines:  # noqa: ARG001 - it is remembered by `stamp`
    """Return what the rules of a file accuse in a chat, and what unread lines decide; nothing where it has mistakes."""
    with Log.open(db) as log:
        return found_in(slug, text, log, games_in(log, slug, chat)) if slug in open_games() else JudgedLines()


@st.cache_data(show_spinner="Reading the rulebook …", max_entries=20)
def _whole(
    slug: str,
    db: str,
    stamp: str,  # noqa: ARG001 - as above
    text: str,
    sentences: tuple[CiteSentence, ...],
) -> tuple[WholeRule, ...]:
    with Log.open(db) as log:
        return understood_wholly(slug, text, sentences, log)


@st.cache_data(show_spinner=False, max_entries=20)
def _own_game(
    slug: str,
    db: str,
    stamp: str,  # noqa: ARG001 - as above
    text: str,
    sentences: list[CiteSentence],
) -> tuple[OwnGame, list[CiteSentence]]:
    """Return a game, and the sentences of its rulebook that are not watched yet, or not all that they say."""
    with Log.open(db) as log:
        own = game_of(slug, text, sentences, log)
    cited = {rule.lines for rule in own_rules_of(game(slug))}
    return own, [each for each in sentences if each.cite not in cited]


@st.cache_data(show_spinner="Trying the rule …", max_entries=20)
def _trial(slug: str, db: str, stamp: str, text: str, rule: FirstRule) -> TriedRule:  # noqa: ARG001 - as above
    with Log.open(db) as log:
        return trial_of(slug, text, rule, log)


def _answer_to(question: RuleQuestion, of: str) -> str:
    """Ask a question in the way that suits its answers."""
    for line in question.told:
        (st.warning if question.choices == YES and line == question.told[-1] else st.caption)(escaped(line))
    choices, key = question.choices, f"{question.text} {of}"
    if choices == YES:
        return "y" if st.checkbox(question.text, key=key) else ""
    label = f"{escaped(question.text)}?"
    if question.name == "effects":
        return _effects_said(question)
    if question.several:
        usual_ones = [question.usual] if question.usual else []
        return ", ".join(st.multiselect(label, choices, usual_ones, key=key, placeholder=question.unsaid.capitalize()))
    if choices:
        usual = choices.index(question.usual) if question.usual in choices else None
        return st.selectbox(label, choices, usual, key=key, placeholder=question.unsaid.capitalize()) or ""
    if question.name in {"number", "value"}:  # What the sentence says itself is not asked.
        return question.usual or str(st.number_input(label, 0, 1000, 0, key=key) or "")
    return st.text_input(label, question.usual, key=key, placeholder=question.unsaid.capitalize()).strip().casefold()


def _effects_said(question: RuleQuestion) -> str:
    """Ask what moves do; what was said of a place before, of whichever sentence, is proposed."""
    effects = st.session_state.setdefault("effects", {}).setdefault(st.session_state.get("own", ""), EffectsSaid())
    asked, place = effects.proposing(question), question.text.removeprefix("The ")
    effects.keep(asked, ", ".join(_effect_said(each, place, question.text, question.among) for each in asked.choices))
    return str(effects.answer(question))


def _effect_said(choice: str, place: str, key: str, among: Sequence[str]) -> str:
    """Ask what a move does to the cards of a place, or to what players own: `draw: nothing` is proposed."""
    move, _, proposed = choice.partition(": ")
    told = {each: EFFECTS_TOLD.get(each, each).format(place=place) for each in dict.fromkeys((*among, proposed))}
    told |= {NOTHING: "changes nothing there", UNKNOWN: "nobody knows"}
    at = [*told].index(proposed)
    return f"{move}: {st.selectbox(escaped(move), [*told], at, told.__getitem__, key=f'{move} {key}', width=400)}"


def _accused(trial: TriedRule) -> None:
    """Show which lines of the stored games a rule that is tried accuses."""
    of = counted(trial.games, "game")
    if trial.hardly_meant:
        st.text(trial.hardly_meant)
    elif trial.accused or trial.judged:
        st.text(f"In {of} it accuses {counted(len(trial.accused), 'line') if trial.accused else 'nobody'}.")
    if trial.accused and not trial.hardly_meant:
        rows = tuple((_place_of(each), each.said, each.finding.message) for each in trial.accused)
        st.html(as_fragment(Rows(("Where", "The line", "What is wrong"), rows)))
    st.text("\n".join((trial.reach, *trial.open_in_words)))
    if trial.open and not trial.waits:
        st.caption(escaped(f"{counted(len(trial.open), 'line')} cannot be judged: {trial.open[0].why_open}"))
