"""`tabletape rules new`: a chat and a rulebook are read, a sentence is chosen, and its rule accuses lines at once.

Every Enter is safe: nothing that was guessed becomes a rule before somebody has said that it is meant so.
"""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import tomlkit

from tabletape.cli.terminal.first_chat import (
    answer_to,
    has_moves,
    open_lines,
    say_line,
    show_open,
    show_read,
    take_chat,
)
from tabletape.cli.terminal.output import complain, remark, say
from tabletape.dashboard.own_game.asking import NOBODY, rule_composed, rule_said
from tabletape.dashboard.own_game.besides import but_for_numbers, first_listed, is_understood, is_watched, known_form
from tabletape.dashboard.own_game.cited import CiteSentence, cite_sentence, sentences_of
from tabletape.dashboard.own_game.composing import BLANK
from tabletape.dashboard.own_game.file import begin_named, file_of_new, write_checked
from tabletape.dashboard.own_game.forms import OWN_WORDS
from tabletape.dashboard.own_game.game import FirstRule
from tabletape.dashboard.own_game.messages import WORD
from tabletape.dashboard.own_game.place_effects import EFFECTS_TOLD
from tabletape.dashboard.own_game.questions import YES, RuleQuestion, effects_said
from tabletape.dashboard.own_game.rules import own_rules_of, uncited
from tabletape.dashboard.own_game.trial import Accused, TriedRule, found_in, game_of, trial_of
from tabletape.dashboard.own_game.whole import understood_wholly
from tabletape.dashboard.tape.tape import Tape, open_tape
from tabletape.events.errors import RefusedError, TabletapeError
from tabletape.events.vocabulary import game_problems
from tabletape.events.workspace_files import GameFileError, text_of
from tabletape.projector.archive.stored import workspace_at
from tabletape.projector.games import game
from tabletape.projector.model.amounts import counted
from tabletape.projector.rulebooks.kept import add, kept_file, kept_rulebook, read_file

SHOWN: Final = 90
"""So much of a sentence is shown in a list."""

MOST_LISTED: Final = 12
"""So many sentences are listed at first."""

MOST_ACCUSED: Final = 8
_SAYS_LINE: Final = re.compile(r"\d+ [^\d\s]")
"""The number of a line, and what it says."""


_SAYS_TALK: Final = re.compile(r"\d+ (?:t|talk|comes out|out)", re.IGNORECASE)
"""What is said of a line, and answers no question."""


class LineSaidError(TabletapeError):
    """What somebody says of a line of the chat in place of an answer to a question about a sentence."""


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
        if given.chat is not None:
            _say_found(tape, file, given.chat)
        _ask_rules(tape, file, sentences, given.chat)


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
        _ask_rule(tape, file, sentences_of(kept.text if kept else None), found[int(number) - 1])


def _ask_rules(tape: Tape, file: Path, sentences: Sequence[CiteSentence], chat: Path | None) -> None:
    """Ask for sentences one after another until there is none, and take what is said of lines of the chat."""
    listed, shown = _list(tape, file, sentences)
    which, enter, asked_of = "Which sentence shall be watched first", "Enter: none", set[int]()
    while answer := answer_to(f"{which}? A number, or your own words{_beside(file, chat)}; {enter}"):
        which, enter = "Another sentence", "Enter ends"
        if chat and _SAYS_LINE.match(answer):
            say_line(tape, file, chat, answer, asked_of)
            _say_found(tape, file, chat)
            if not open_lines(file, chat):
                listed, shown = _list(tape, file, sentences)
        elif chat and answer.casefold() in {"c", "l"}:
            (show_read if answer.casefold() == "c" else show_open)(file, chat)
        elif answer.casefold() == "y":
            _ask_all(tape, file, sentences, listed)
        elif answer.casefold() == "a":
            _show_sentences(listed[shown:], shown, tomlkit.parse(text_of(file)))
        elif (sentence := _chosen(answer, listed)) is not None:
            _ask_rule(tape, file, sentences, sentence, chat)
    remark(f"`tabletape audit` shows every finding again, `tabletape rules check {file.stem}` what each rule came to")


def _beside(file: Path, chat: Path | None) -> str:
    """Return what may be answered about the lines of a chat, and how many of them are not read."""
    unread = open_lines(file, chat) if chat else 0
    not_read = f"; `l`: {counted(unread, 'line')} that may be a move and {'is' if unread == 1 else 'are'} not read"
    return f"{not_read * bool(unread)}{'; `c`: a line is read wrongly' if chat else ''}"


def _say_found(tape: Tape, file: Path, chat: Path) -> None:
    """Say which lines of a chat the rules of its game accuse, where there are any."""
    if any(rule.lines for rule in own_rules_of(game(file.stem))) and has_moves(file, chat):
        _show(found_in(file.stem, text_of(file), tape.log, chat.name), "The rules of the file accuse ")


def _list(tape: Tape, file: Path, sentences: Sequence[CiteSentence]) -> tuple[list[CiteSentence], int]:
    """Show the sentences to choose from at first; return all in the order of their numbers, and how many are shown."""
    game = game_of(file.stem, text_of(file), sentences, tape.log)
    first = first_listed(game, MOST_LISTED)
    if not any(is_understood(each, game) for each in first):
        say("No sentence is understood here." if sentences else "There is no rulebook: write the sentence itself.")
    listed = [*dict.fromkeys((*first, *sentences))]
    shown = len(first) or len(listed)
    _show_sentences(listed[:shown], 0, game.raw)
    if shown < len(listed):
        say(f"  a  {counted(len(listed) - shown, 'other sentence')}")
    whole = understood_wholly(file.stem, text_of(file), sentences, tape.log)
    if whole:
        numbers = ", ".join(str(listed.index(each.sentence) + 1) for each in whole)
        accused = sorted({line for each in whole for line in each.lines})
        told = f"line{'s' * (len(accused) > 1)} {', '.join(map(str, accused))}" if accused else "nobody"
        they = " together: understood wholly, they accuse" if len(whole) > 1 else ": understood wholly, it accuses"
        say(f"  y  {numbers}{they} {told}")
    for each in whole:
        if each.trial.waiting and not each.lines:
            say(f"     {listed.index(each.sentence) + 1} waits for lines that are not read: line {each.trial.waiting}")
    return listed, shown


def _show_sentences(sentences: Sequence[CiteSentence], before: int, written: Mapping[str, Any]) -> None:
    for number, each in enumerate(sentences, before + 1):
        say(f"{number:>3}  {_short(each.own)}{'  (watched already)' * is_watched(written, each)}")


def _short(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN].rpartition(' ')[0]} ..."


def _ask_all(tape: Tape, file: Path, sentences: Sequence[CiteSentence], listed: Sequence[CiteSentence]) -> None:
    """Show all sentences that are understood wholly, each with what it accuses, and write those that are meant so.

    They are numbered as they are listed among all sentences.
    """
    slug, text = file.stem, text_of(file)
    numbers = {each: str(at) for at, each in enumerate(listed, 1)}
    whole = understood_wholly(slug, text, sentences, tape.log)
    if not whole:
        complain("no sentence is understood wholly that is not watched yet: a number chooses one")
        return
    for each in whole:
        say(f"{numbers[each.sentence]:>3}  ", (f"\u201c{each.sentence.own}\u201d", "italic"))
        say(f"     read as: {'; '.join((each.rule.words, *map(_short, each.rule.taken)))}")
        for said in dict.fromkeys(f"line {one.line or '?'}  {one.said}" for one in each.trial.accused):
            say("     accuses ", (said, "bold"))
    asked = "Are these meant so? y writes all; or write only some, by their numbers; Enter leaves them open"
    among = {numbers[each.sentence]: each.sentence for each in whole}
    while (chosen := re.split(r"[\s,]+", answer_to(asked).casefold().strip(", "))) != ["y"]:
        if chosen == [""] or among.keys() >= {*chosen}:
            meant = [among[each] for each in among if each in chosen]
            whole = understood_wholly(slug, text, sentences, tape.log, meant) if meant else ()
            break
        complain(f"y, numbers among {', '.join(among)}, or Enter, not {' '.join(chosen)!r}")
    if not whole:
        say(f"  Left open: {NOBODY}.")
        return
    write_checked(file, whole[-1].trial.text)
    say(f"  {counted(len(whole), 'sentence')} written into games/{file.name}")


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


def _ask_rule(
    tape: Tape, file: Path, sentences: Sequence[CiteSentence], sentence: CiteSentence, chat: Path | None = None
) -> None:
    """Ask what a sentence leaves open, show what its rule accuses, and write what somebody says is meant so.

    Where a line waits for others that are not read, these may be said first.
    """
    say("  ", (f"\u201c{sentence.own}\u201d ({sentence.cite})", "italic"))
    answers, is_composed = dict[RuleQuestion, str](), False
    while True:
        try:
            rule = _rule_said(tape, file, (sentences, sentence), answers, is_composed=is_composed)
        except LineSaidError as said:
            if chat:
                say_line(tape, file, chat, str(said), set())
                continue
            complain("there is no chat here of which a line may be said again")
            return
        if not isinstance(rule, FirstRule):
            say(f"  Left open: {rule or NOBODY}.")
            return
        if (trial := _tried(tape, file, rule)) is None:
            return
        _tell(rule, trial)
        answer = _meant(file, trial, chat)
        if chat and _SAYS_LINE.match(answer):
            say_line(tape, file, chat, answer, set())
        elif answer[:1] == "o":
            answers, is_composed = {}, True
        elif answer[:1] == "y":
            write_checked(file, trial.text)
            say(f"  Written into games/{file.name}")
            return
        else:
            say(f"  Left open: {NOBODY}.")
            return


def _rule_said(
    tape: Tape,
    file: Path,
    said: tuple[Sequence[CiteSentence], CiteSentence],
    answers: dict[RuleQuestion, str],
    *,
    is_composed: bool,
) -> FirstRule | str:
    """Return the rule of a sentence of a rulebook, by answers that were given and others; else why there is none."""
    (sentences, sentence), ask = said, partial(_answer_of, answers=answers)
    game = game_of(file.stem, text_of(file), sentences, tape.log)
    return (
        rule_composed(game, sentence, ask)
        if is_composed
        else rule_said(game, sentence, known_form(sentence, game), ask)
    )


def _meant(file: Path, trial: TriedRule, chat: Path | None) -> str:
    """Return whether a rule is meant so, `y`, or otherwise, `o`, or what a line says that a verdict waits for."""
    asked = "Is it meant so? y writes it; o: it says something else; Enter leaves it open"
    if chat and trial.waiting and not trial.accused:
        say(f"  Line {trial.waiting} waits for these, which are not read:")
        show_open(file, chat, before=trial.waiting)
    while (answer := answer_to(asked).casefold()) and answer[0] not in "yno":
        if chat and _SAYS_LINE.match(answer):
            break
        complain(f"y, o{', the number of a line and what it says' * bool(chat)} or Enter, not {answer!r}")
    return answer


def _tried(tape: Tape, file: Path, rule: FirstRule) -> TriedRule | None:
    """Return what a rule finds; None, and that is said, where it cannot be written, or is written already."""
    try:
        trial = trial_of(file.stem, text_of(file), rule, tape.log)
    except GameFileError as error:
        complain(str(error))
        return None
    if trial.text == text_of(file):
        say(f"  read as: {rule.words}")
        say(f"  Written into games/{file.name} already, and stays so")
        return None
    return trial


def _tell(rule: FirstRule, trial: TriedRule) -> None:
    """Show how a sentence is read, what is taken for granted for that, and what its rule finds."""
    say(f"  read as: {rule.words}")
    for each in rule.taken:
        say(f"  taken for that: {each}")
    if trial.hardly_meant:
        say(f"  {trial.hardly_meant}")
    elif trial.accused or trial.judged:
        _show(trial.accused, f"  In {counted(trial.games, 'game')} it accuses ")
    say(f"  {trial.reach}")
    if trial.open:
        say(f"  {counted(len(trial.open), 'line')} cannot be judged: {trial.open[0].why_open}")


def _show(accused: Sequence[Accused], before: str) -> None:
    say(f"{before}{counted(len(accused), 'line') if accused else 'nobody'}{':' if accused else '.'}")
    for each in accused[:MOST_ACCUSED]:
        say("    ", (f"{each.stored.game_id}, line {each.line or '?'}  {each.said}".rstrip(), "bold"))
        place = f" ({each.finding.lines})" if each.finding.lines else ""
        say(f"      {each.finding.kind}: {each.finding.message}{place}")
        if each.goes_on:
            say("      perhaps it is one move with the line before it: then say with `c` that one of the two is talk")
    if len(accused) > MOST_ACCUSED:
        say(f"    and {len(accused) - MOST_ACCUSED} more")


def _answer_of(question: RuleQuestion, answers: dict[RuleQuestion, str]) -> str:
    """Return what somebody answers, or has answered to the same choices; what the sentence says itself is not asked."""
    key = question._replace(told=())
    if key not in answers:
        for line in question.told:
            say(f"  {line}")
        answers[key] = question.usual or _asked(question)
    return answers[key]


def _reply(asked: str, most: int = 0) -> str:
    """Return an answer; what is said of a line is raised, also where the number is above those that may be chosen."""
    answer = answer_to(asked)
    if _SAYS_TALK.fullmatch(answer) or (_SAYS_LINE.match(answer) and int(answer.split()[0]) > most > 0):
        raise LineSaidError(answer)
    return answer


def _asked(question: RuleQuestion) -> str:
    if question.choices == YES:
        return "y" if _is_yes(f"{question.text}? y; Enter: {question.unsaid}") else ""
    if question.name == "effects":
        return _effects(question)
    if question.choices and question.name != "draws":
        return _by_number(question)
    which = f": {', '.join(question.choices)}" if question.choices else ""
    return _reply(f"  {question.text}{which}? Enter: {question.unsaid}").casefold()


def _effects(question: RuleQuestion) -> str:
    """Ask whether it is right what moves do; what says no move with one of the effects is asked again."""
    for each in question.choices:
        say(f"    {each}")
    place = question.text.removeprefix("The ")
    told = [f"{each} ({said.format(place=place)})" for each, said in EFFECTS_TOLD.items() if each in question.among]
    stock = ["gains 2", "pays 1", "pays 2 for a fox and 3 for a witch"] if "pays" in question.among else []
    with_card = next((each for each in question.among if " with " in each), "")
    meant = told or stock or [*(each for each in question.among[1:3]), *filter(None, [with_card])]
    asked = f"Enter if right; else such as `{question.choices[0]}`: nothing, {', '.join(meant)}, ? (nobody knows)"
    moves = [each.partition(":")[0] for each in question.choices]
    while (answer := _reply(asked)).casefold() not in {"", "y", "yes"}:
        said = effects_said(answer, moves)
        priced = () if told else [each for each in said.values() if re.match(r"pays (?:\d+|\w+) for ", each)]
        if said and {*said.values()}.difference(priced) <= {*question.among}:
            break
        complain(f"one of {', '.join(moves)}, a colon, and one of {', '.join(question.among)}, not {answer!r}")
    return answer


def _by_number(question: RuleQuestion) -> str:
    """Return one of many choices by its number or its words; what fills its blank stands behind the number: `2 3`."""
    say(f"  {question.text}?")
    for number, each in enumerate(question.choices, 1):
        say(f"  {number:>2}  {each}")
    blank = any(BLANK.search(each) for each in question.choices)
    how = "A number, and what belongs into the brackets behind it, such as `2 3`" if blank else "A number"
    how = "A number, or several with commas, or `all`" if question.several else how
    while True:
        answer = _reply(f"{how}; Enter: none of them, {question.unsaid}", len(question.choices)).casefold()
        at, _, filled = answer.partition(" ")
        if not answer or answer in question.choices:
            return answer
        chosen = re.split(r"[,\s]+", answer)
        named = {
            **dict(zip(map(str, range(1, len(question.choices) + 1)), question.choices, strict=True)),
            **{each: each for each in question.choices},
        }
        if question.several and (answer == "all" or named.keys() >= {*chosen}):
            return ", ".join(question.choices if answer == "all" else (named[each] for each in chosen))
        if at.isascii() and at.isdigit() and 0 < int(at) <= len(question.choices):
            break
        complain(f"a number from 1 to {len(question.choices)}, or Enter, not {answer!r}")
    return f"{question.choices[int(at) - 1]}\t{filled.strip()}" if filled else question.choices[int(at) - 1]


def _is_yes(question: str) -> bool:
    """Return whether somebody says yes."""
    return _one_of(question, "yn") == "y"


def _one_of(question: str, letters: str) -> str:
    """Return the letter with which an answer begins, empty for Enter; what is none of these is asked about again."""
    while (answer := _reply(question).casefold()) and answer[0] not in letters:
        complain(f"{', '.join(letters.replace('n', ''))} or Enter, not {answer!r}")
    return answer[:1]
