"""`tabletape rules new`: a chat and a rulebook are read, a sentence is chosen, and its rule accuses lines at once.

Every Enter is safe: nothing that was guessed becomes a rule before somebody has said that it is meant so.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import typer

from tabletape.cli.terminal.output import complain, remark, say
from tabletape.dashboard.own_game.asking import NOBODY, rule_said
from tabletape.dashboard.own_game.besides import first_listed, is_understood, known_form
from tabletape.dashboard.own_game.chat import ChatReading, read_again, read_chat, store, surveyed
from tabletape.dashboard.own_game.composed_tables import EFFECTS
from tabletape.dashboard.own_game.composing import BLANK
from tabletape.dashboard.own_game.file import begin_file, begin_named, file_of_new, is_begun, write_checked
from tabletape.dashboard.own_game.forms import OWN_WORDS
from tabletape.dashboard.own_game.game import FirstRule
from tabletape.dashboard.own_game.look import CiteSentence, FirstLook, first_look, sentences_of, with_cards, with_moves
from tabletape.dashboard.own_game.questions import YES, RuleQuestion
from tabletape.dashboard.own_game.taught import (
    NO_MOVE,
    LineOffer,
    answered,
    offers,
    questions,
    read_plainly,
    said_again,
    with_offers,
)
from tabletape.dashboard.own_game.trial import Accused, game_of, trial_of
from tabletape.dashboard.tape.tape import Tape, open_tape
from tabletape.events.errors import RefusedError
from tabletape.events.importing.maps.documents import trees
from tabletape.events.importing.maps.finding import stem_of
from tabletape.events.importing.maps.map import SUFFIX
from tabletape.events.vocabulary import game_problems
from tabletape.events.whole_files import put_back, write_whole
from tabletape.events.workspace_files import GameFileError, text_of
from tabletape.projector.archive.stored import workspace_at
from tabletape.projector.model.amounts import counted
from tabletape.projector.rulebooks.kept import add, kept_rulebook, read_file

MOST_SHOWN: Final = 12
"""So many shapes of lines that cannot be read are shown."""

SHOWN: Final = 90
"""So much of a sentence is shown in a list."""

MOST_LISTED: Final = 12
"""So many sentences are listed at first."""

MOST_ACCUSED: Final = 8


class Given(NamedTuple):
    """The files of a new game: the chat and the rulebook, neither where it is not named."""

    chat: Path | None = None
    rulebook: Path | None = None


def new(slug: str, db: str, given: Given) -> None:
    """Read a chat and a rulebook, begin the file of their game, and ask for its first rules.

    A file that is there is gone on with. Raises `RefusedError` where nothing can be begun.
    """
    folder = workspace_at(db)
    file = file_of_new(folder, slug)
    if slug in game_problems():
        raise GameFileError(game_problems()[slug])
    book = read_file(given.rulebook) if given.rulebook else None
    with open_tape(db) as tape:
        if given.chat is not None:
            _take_chat(tape, file, given.chat, sentences_of(book))
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
        kept = kept_rulebook(folder, slug)
        _ask_rules(tape, file, sentences_of(kept.text if kept else None), given.chat)


# -- the chat ----------------------------------------------------------------------------------------------------------


def _take_chat(tape: Tape, file: Path, chat: Path, sentences: Sequence[CiteSentence]) -> None:
    """Read a chat by the file of its game, which is begun where there is none; a map beside the chat stays as it is.

    Raises `RefusedError` where that map is one of another game, and for what is no chat.
    """
    content, target = _content(chat), chat.with_name(stem_of(chat) + SUFFIX)
    if target.exists() and file.exists():
        store(target, file.stem, chat, tape)
        reading = read_again(content, str(chat), text_of(target))
        if reading is None:
            return
        _keep(tape, file, chat, (reading, _with_lines(reading, file.parent.parent)))
        return
    if target.exists():
        raise RefusedError(f"{target} is there already, and {file.stem} has no file: move that map away to begin anew")
    seen, folder = surveyed(content, str(chat)), file.parent.parent
    look = first_look(seen, sentences)
    say(f"{chat}: {counted(len(seen.lines), 'line')} of {', '.join(look.players)}")
    begun = not is_begun(file)
    with put_back(file):
        if begun:
            begin_file(file, look := _confirmed(look), seen)
        reading = read_plainly(read_chat(content, seen, look, file), folder)
        reading = _in_turn(_with_lines(reading, folder), folder)
        write_whole(target, reading.written)
    store(target, file.stem, chat, tape)
    say(f"Read: {reading.lines(folder).in_words}. Written: {f'games/{file.name}, ' if begun else ''}{target}")


def _keep(tape: Tape, file: Path, chat: Path, readings: tuple[ChatReading, ChatReading]) -> None:
    """Keep a chat as it is read now, in place of the reading before, unless these are the same."""
    before, reading = readings
    if reading != before:
        reading, target = _in_turn(reading, file.parent.parent), chat.with_name(stem_of(chat) + SUFFIX)
        write_whole(target, reading.written)
        store(target, file.stem, chat, tape, revise=True)


def _in_turn(reading: ChatReading, folder: Path) -> ChatReading:
    """Return a chat with its players in the order of their turns, which is asked for where its moves do not say it."""
    order, (first, *others) = reading.turn_order(folder), reading.seen.players
    asked = f"Who comes after {first}: {' or '.join(others)}?{' All in their order, with commas.' * (len(others) > 2)}"
    while not order and len(others) > 1:
        answer = _answer(f"{asked} Enter: nobody knows, taken as {', '.join(others)}")
        low = [each.strip().casefold() for each in answer.split(",") if each.strip()]
        named = [each for word in low for each in others if each.casefold() == word]
        left = [each for each in others if each not in named]
        if len({*named}) == len(low) and (not low or len(left) < 2):
            order = (first, *named, *left)
        else:
            complain(f"their names, such as {', '.join(others)}, not {answer!r}")
    return reading.in_order(order or reading.seen.players)


def _correct(tape: Tape, file: Path, chat: Path) -> None:
    """Show what each line of a chat is read as, and take what somebody says of one that is read wrongly."""
    target, folder = chat.with_name(stem_of(chat) + SUFFIX), file.parent.parent
    reading = read_again(_content(chat), str(chat), text_of(target))
    if reading is None:
        complain(f"{target} has been changed by hand, and stays as it is: correct the line there")
        return
    for (first, *others), said in answered(reading, folder).items():
        say(f"{first:>5}  ", (said, "dim"), _so_are(others))
    _keep(
        tape,
        file,
        chat,
        (reading, _with_said(reading, folder, "all others are right", tuple(dict(reading.seen.lines)))),
    )


def _so_are(others: Sequence[int]) -> str:
    return f"  (so are {', '.join(map(str, others))})" if others else ""


def _content(chat: Path) -> bytes:
    try:
        return chat.read_bytes()
    except OSError as error:
        raise RefusedError(f"{chat} cannot be read: {error.strerror or error}") from None


def _lines_of(chat: Path) -> list[str]:
    """Return the lines of a chat as they are shown beside findings; none where only its map says what it is in."""
    try:
        return trees.text_of(_content(chat)).splitlines()
    except trees.ForeignError:
        return []


def _confirmed(look: FirstLook) -> FirstLook:
    """Ask whether these are the moves and the cards; Enter takes them."""
    said = ", ".join(f"{move} ({times} x)" for move, times in look.moves.items())
    also = f"; said often as well: {', '.join(f'{word} ({times} x)' for word, times in look.perhaps.items())}"
    say(f"Moves: {said or 'none found'}{also if look.perhaps else ''}")
    while True:
        answer = _answer("Enter if right; else all of them with commas, and `play = put` where two words are one move")
        named = with_moves(look, answer or ", ".join(look.moves))
        if named is not None:
            break
        complain("a word for each move, as the chat says it, such as play, draw = take, pass")
    say(f"Kinds of cards: {look.cards_in_words}")
    while answer := _answer("Enter if right; else all of them with commas, `-` for none"):
        with_kinds = with_cards(named, answer)
        if with_kinds is not None:
            say(f"Understood: {with_kinds.cards_in_words}")
            return with_kinds
        complain(f"a word for each kind, such as tea 1-7, silk 1-7, lantern, not {answer!r}")
    return named


def _with_lines(reading: ChatReading, folder: Path) -> ChatReading:
    """Ask what the lines are that may be moves and are not read: first about those that are moves but for a part."""
    title = "These lines are moves with something beside them, or with a slip of typing:"
    return _with_unread(_with_offers(reading, offers(reading, folder), title), folder)


def _with_offers(reading: ChatReading, found: Sequence[LineOffer], title: str) -> ChatReading:
    """Show lines that are read so if somebody says it, and ask once about all of them."""
    if not found:
        return reading
    say(title)
    for each in found:
        say(f"{each.number:>5}  {each.shown}")
    asked = "y reads them so, and keeps what stands beside | as a note; some of the numbers read these; Enter: none"
    return with_offers(reading, found, _answer(asked))


def _with_unread(reading: ChatReading, folder: Path) -> ChatReading:
    """Show the lines that may be moves and cannot be read, some shapes at a time, and take what somebody says."""
    shown: set[int] = set()
    while pages := [each for each in questions(reading, folder) if shown.isdisjoint(each)]:
        say("And these:" if shown else "These lines may be moves, and are not read; an answer holds for all like it:")
        texts = reading.lines(folder).open
        for first, *others in pages[:MOST_SHOWN]:
            say(f"{first:>5}  ", (texts[first].strip(), "dim"), _so_are(others))
            shown |= {first, *others}
        more = len(pages) - MOST_SHOWN
        reading = _with_said(
            reading, folder, f"the next {min(more, MOST_SHOWN)}" if more > 0 else "all others stay open"
        )
    return reading


def _with_said(reading: ChatReading, folder: Path, enter: str, among: Sequence[int] = ()) -> ChatReading:
    """Take what somebody says of lines, until Enter, and say what each is read as, and which others are.

    They are the open ones, as long as there are any, where it is not said `among` which.
    """
    while still := among or tuple(reading.lines(folder).open):
        asked = "Its number and the same in plain words: `6 play 2 reeds`, `6 comes out`, `6 talk` (`6 t`); Enter: "
        answer = _answer(asked + enter)
        if not answer:
            break
        number, _, words = answer.partition(" ")
        if number not in map(str, dict(reading.seen.lines)) or not words.strip():
            complain(f"the number of a line and behind it what it says, such as `{still[0]} talk`, not {answer!r}")
            continue
        said = said_again(reading, int(number), words.strip(), folder)
        if said is None:
            complain(f"{NO_MOVE}: {words!r}")
            continue
        say(f"  {said.in_words}")
        reading = _with_offers(said.reading, said.near, f"Are these {said.words.partition(' ')[0]}, too?")
    return reading


# -- rules -------------------------------------------------------------------------------------------------------------


def _ask_rules(tape: Tape, file: Path, sentences: Sequence[CiteSentence], chat: Path | None) -> None:
    """Ask for sentences one after another until there is none; `c` corrects how the lines of a chat are read."""
    lines, correct = (_lines_of(chat), " `c`: a line is read wrongly;") if chat else ([], "")
    which = f"Which sentence shall be watched first? A number, or your own words;{correct} Enter: none"
    listed = _list(tape, file, sentences)
    while True:
        answer = _answer(which)
        which = f"Another sentence? A number, or your own words;{correct} Enter ends"
        if not answer:
            break
        if chat and answer.casefold() == "c":
            _correct(tape, file, chat)
            continue
        if answer.casefold() == "a":
            listed = _listed(sentences)
            continue
        sentence = _chosen(answer, listed)
        if sentence is not None:
            _ask_rule(tape, file, (sentences, sentence), lines)
    remark(f"`tabletape audit` shows every finding again, `tabletape rules check {file.stem}` what each rule came to")


def _list(tape: Tape, file: Path, sentences: Sequence[CiteSentence]) -> list[CiteSentence]:
    """Show the sentences to choose from at first, by numbers; all of them where the rulebook has none of these."""
    game = game_of(file.stem, text_of(file), sentences, tape.log)
    first = first_listed(game, MOST_LISTED)
    if not any(is_understood(each, game) for each in first):
        say("No sentence is understood here." if sentences else "There is no rulebook: write the sentence itself.")
    listed = _listed(first or sentences)
    if len(listed) < len(sentences):
        say(f"  a  all {len(sentences)} sentences")
    return listed


def _listed(sentences: Sequence[CiteSentence]) -> list[CiteSentence]:
    for number, each in enumerate(sentences, 1):
        text = each.text if len(each.text) <= SHOWN else f"{each.text[:SHOWN].rpartition(' ')[0]} ..."
        say(f"{number:>3}  {text}")
    return [*sentences]


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
    place = _answer("Where does that stand? Such as p. 3; Enter: in no rulebook")
    return CiteSentence(answer, place or OWN_WORDS)


def _ask_rule(tape: Tape, file: Path, about: tuple[Sequence[CiteSentence], CiteSentence], lines: Sequence[str]) -> None:
    """Ask what a sentence leaves open, and write what somebody says is meant so."""
    sentences, sentence = about
    game = game_of(file.stem, text_of(file), sentences, tape.log)
    rule = rule_said(game, sentence, known_form(sentence, game), _answer_to)
    if not isinstance(rule, FirstRule):
        say(f"  Left open: {rule or NOBODY}.")
    else:
        _try(tape, file, (sentence, rule), lines)


def _try(tape: Tape, file: Path, said: tuple[CiteSentence, FirstRule], lines: Sequence[str]) -> None:
    """Show what a rule accuses, and write it where somebody says that it is meant so."""
    sentence, rule = said
    try:
        trial = trial_of(file.stem, text_of(file), rule, tape.log)
    except GameFileError as error:
        complain(str(error))
        return
    say("  ", (f"\u201c{sentence.text}\u201d ({sentence.cite})", "italic"))
    say(f"  read as: {rule.words}")
    for each in rule.taken:
        say(f"  taken for that: {each}")
    if trial.accused or trial.judged:
        _show(trial.accused, lines, f"  In {counted(trial.games, 'game')} it accuses ")
    say(f"  {trial.reach}")
    if trial.open:
        say(f"  {counted(len(trial.open), 'line')} cannot be judged: {trial.open[0].why_open(lines)}")
    if _is_yes("Is it meant so? y writes it; Enter leaves it open"):
        write_checked(file, trial.text)
        say(f"  Written into games/{file.name}")
    else:
        say(f"  Left open: {NOBODY}.")


def _show(accused: Sequence[Accused], lines: Sequence[str], before: str) -> None:
    say(f"{before}{counted(len(accused), 'line') if accused else 'nobody'}{':' if accused else '.'}")
    for each in accused[:MOST_ACCUSED]:
        said = f"  {lines[each.line - 1].strip()}" if 0 < each.line <= len(lines) else ""
        say("    ", (f"{each.stored.game_id}, line {each.line or '?'}{said}", "bold"))
        place = f" ({each.finding.lines})" if each.finding.lines else ""
        say(f"      {each.finding.kind}: {each.finding.message}{place}")
    if len(accused) > MOST_ACCUSED:
        say(f"    and {len(accused) - MOST_ACCUSED} more")


def _answer_to(question: RuleQuestion) -> str:
    """Return what somebody answers; what the sentence says itself is not asked."""
    for line in question.told:
        say(f"  {line}")
    if question.usual:
        return question.usual
    if question.choices == YES:
        return "y" if _is_yes(f"{question.text}? y; Enter leaves it open") else ""
    if question.name == "effects":
        return _answer(f"Enter if right; else such as `{question.choices[0]}`: {', '.join(EFFECTS)} (nobody knows)")
    if question.choices and question.name != "draws":
        return _by_number(question)
    which = f": {', '.join(question.choices)}" if question.choices else ""
    return _answer(f"  {question.text}{which}? Enter: {question.unsaid}").casefold()


def _by_number(question: RuleQuestion) -> str:
    """Return one of many choices by its number or its words; what fills its blank stands behind the number: `2 3`."""
    say(f"  {question.text}?")
    for number, each in enumerate(question.choices, 1):
        say(f"  {number:>2}  {each}")
    blank = any(BLANK.search(each) for each in question.choices)
    how = "A number, and what belongs into the brackets behind it, such as `2 3`" if blank else "A number"
    answer = _answer(f"{how}; Enter: none of them, {question.unsaid}").casefold()
    at, _, filled = answer.partition(" ")
    if not (at.isascii() and at.isdigit() and 0 < int(at) <= len(question.choices)):
        return answer if answer in question.choices else ""
    return f"{question.choices[int(at) - 1]}\t{filled.strip()}" if filled else question.choices[int(at) - 1]


def _is_yes(question: str) -> bool:
    return _answer(question).casefold().startswith("y")


def _answer(question: str) -> str:
    """Return what somebody answers, empty for Enter and where the answers are over."""
    return str(typer.prompt(f"{question}\n>", default="", show_default=False, prompt_suffix=" ")).strip()
