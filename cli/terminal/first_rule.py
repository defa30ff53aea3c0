"""`tabletape rules new`: a chat and a rulebook are read, a sentence is chosen, and its rule accuses lines at once.

Every Enter is safe: nothing that was guessed becomes a rule before somebody has said that it is meant so.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tabletape.cli.terminal.answers import TakenBackError, answer_to
from tabletape.cli.terminal.first_chat import show_read, take_chat, unread_texts
from tabletape.cli.terminal.output import complain, remark, say
from tabletape.cli.terminal.rule_answers import SAYS_LINE
from tabletape.cli.terminal.rule_session import RuleSession
from tabletape.cli.terminal.tried_rule import ask_rule
from tabletape.dashboard.own_game.asking import NOBODY
from tabletape.dashboard.own_game.besides import but_for_numbers
from tabletape.dashboard.own_game.cited import CiteSentence, cite_sentence, sentences_of
from tabletape.dashboard.own_game.file import begin_named, file_of_new
from tabletape.dashboard.own_game.forms import OWN_WORDS
from tabletape.dashboard.own_game.messages import WORD
from tabletape.dashboard.own_game.rules import uncited
from tabletape.dashboard.tape.tape import open_tape
from tabletape.events.errors import RefusedError
from tabletape.events.vocabulary import game_problems
from tabletape.events.workspace_files import GameFileError
from tabletape.projector.archive.stored import workspace_at
from tabletape.projector.model.amounts import counted
from tabletape.projector.rulebooks.kept import add, kept_file, kept_rulebook, read_file


class Given(NamedTuple):
    """The files of a new game: the chat, the rulebook and a list of the cards, none where it is not named."""

    chat: Path | None = None
    rulebook: Path | None = None
    cards: Path | None = None


def new(slug: str, db: str, given: Given) -> None:
    """Read a chat and a rulebook, begin the file of their game, and ask for its first rules.

    A file that is there is gone on with. Raises `RefusedError` where nothing can be begun.
    """
    folder = workspace_at(db)
    file = file_of_new(folder, slug)
    if slug in game_problems():
        raise GameFileError(game_problems()[slug])
    source = given.rulebook or kept_file(folder, slug)
    sentences = sentences_of(read_file(source) if source else None)
    with open_tape(db) as tape:
        if given.chat is not None:
            take_chat(tape, file, (given.chat, given.cards), sentences)
        elif not file.exists():
            begin_named(folder, slug.replace("-", " ").title())
            say(f"games/{file.name}: begun, without a rule")
            remark(
                f"Next: `tabletape map FILE --game {slug}` reads a sheet of results, `tabletape rules new {slug} "
                "evening.txt rulebook.txt` a chat, with the rulebook if there is one."
            )
            return
        if given.rulebook:
            add(folder, slug, given.rulebook)
        _ask_rules(RuleSession(tape, file, sentences, given.chat))


def make_rule(slug: str, db: str, number: str) -> None:
    """Ask for the rule of a sentence that no rule cites, by its number among these.

    Raises `RefusedError` where there is no such sentence.
    """
    folder = workspace_at(db)
    found, kept = uncited(folder, slug), kept_rulebook(folder, slug)
    if not (number.isascii() and number.isdigit() and 0 < int(number) <= len(found)):
        raise RefusedError(
            f"{number} is no number of a sentence that no rule of {slug} cites: `tabletape rules check {slug}` has them"
        )
    with open_tape(db) as tape:
        file = folder / "games" / f"{slug}.toml"
        ask_rule(RuleSession(tape, file, sentences_of(kept.text if kept else None)), found[int(number) - 1])


def _ask_rules(session: RuleSession) -> None:
    """Ask for sentences one after another until there is none, and take what is said of lines of the chat."""
    session.say_found()
    asked, enter = "Which are meant so? `y`: all; else their numbers, or a sentence", "Enter: none"
    if not session.show_whole():
        if not session.is_understood and session.sentences:
            say("No sentence is understood here.")
        session.show_sentences()
        asked = "Which sentence shall be watched first? A number, or one"
    while True:
        try:
            if not (answer := answer_to(f"{asked} in your own words{_beside(session)}; {enter}")):
                break
            _take(session, answer)
        except TakenBackError:
            session.take_back()
            session.say_found()
            session.show_whole()
        asked, enter = "Another sentence? A number, or one", "Enter ends"
    name = session.file.stem
    remark(f"`tabletape audit` shows every finding again, `tabletape rules check {name}` what each rule came to")


def _take(session: RuleSession, answer: str) -> None:
    """Take what somebody answers: what a line says, sentences that are meant, or one to ask about."""
    if session.chat and (SAYS_LINE.match(answer) or answer.casefold() in {"c", "l"}):
        _take_of_lines(session, session.chat, answer)
    elif answer.casefold() == "a":
        session.show_sentences()
    elif answer.casefold() in {"y", "yes"}:
        _write_whole(session, session.offered)
    elif meant := _several(answer, session):
        _write_whole(session, meant)
    elif (sentence := _chosen(answer, session.listed)) is not None and ask_rule(session, sentence):
        session.say_found(is_told=True)


def _take_of_lines(session: RuleSession, chat: Path, answer: str) -> None:
    """Show how lines are read, which are not, or take what somebody says of one, with what that changes."""
    if answer.casefold() == "c":
        show_read(session.file, chat)
    elif answer.casefold() == "l":
        session.show_open()
    else:
        session.take_line(answer)
        session.say_found()
        session.show_whole()


def _beside(session: RuleSession) -> str:
    """Return what else may be answered: other sentences, lines that are not read or read wrongly."""
    unread = len(unread_texts(session.file, session.chat)) if session.chat else 0
    more = "; `a`: more sentences" * bool(session.sentences)
    lines = f"; `l`: {counted(unread, 'line')} not read" * bool(unread)
    return f"{more}{lines}{'; `c`: a line is read wrongly' * bool(session.chat)}{session.or_back}"


def _several(answer: str, session: RuleSession) -> list[CiteSentence]:
    """Return the sentences of `1, 4` that are offered; none where the answer says no numbers of these."""
    numbers = re.split(r"[\s,]+", answer.strip(", "))
    offered = {str(session.number(each)): each for each in session.offered}
    return [offered[each] for each in numbers] if len(numbers) > 1 and offered.keys() >= {*numbers} else []


def _write_whole(session: RuleSession, meant: Sequence[CiteSentence]) -> None:
    """Write sentences that were shown as understood wholly, and show others; where none is, show what is so now."""
    if not meant:
        if not session.show_whole(again=True):
            complain("no sentence is understood wholly that is not watched yet: a number chooses one")
        return
    session.take_offered(meant)
    if not (whole := session.whole(meant)):
        say(f"  Left open: {NOBODY}.")
        return
    session.write(whole[-1].trial.text, counted(len(whole), "sentence"))
    say(f"  {counted(len(whole), 'sentence')} written into games/{session.file.name}")
    session.say_found()
    session.show_sentences()


def _chosen(answer: str, listed: Sequence[CiteSentence]) -> CiteSentence | None:
    """Return the sentence that is chosen by its number, or written down with the place where it stands."""
    if answer.isascii() and answer.isdigit():
        if 0 < int(answer) <= len(listed):
            return listed[int(answer) - 1]
        numbers = f"a number from 1 to {len(listed)}, or the" if listed else "the"
        complain(f"{numbers} sentence in your own words, not {answer}")
        return None
    if len(answer.split()) < 3:
        complain("a number, or the sentence in your own words")
        return None
    said = [WORD.findall(each.own.casefold()) for each in listed]
    if (words := WORD.findall(answer.casefold())) in said:
        return listed[said.index(words)]
    if (like := but_for_numbers(answer, listed)) is not None:
        complain(f"the rulebook has it with other numbers: \u201c{like.own}\u201d ({like.cite})")
    place = answer_to("Where does that stand? Such as p. 3; Enter: in no rulebook")
    return cite_sentence(answer if answer[-1] in ".!?" else f"{answer}.", place or OWN_WORDS)
