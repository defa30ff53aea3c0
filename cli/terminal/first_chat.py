"""The chat with which an own game begins, in the terminal: how its lines are read is asked where it is not certain."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Final

import tomlkit

from tabletape.cli.terminal.answers import Answers, answer_to
from tabletape.cli.terminal.line_kinds import say_apart
from tabletape.cli.terminal.output import complain, say
from tabletape.dashboard.own_game.card_list import CardList, read_card_list
from tabletape.dashboard.own_game.chat import ChatReading, read_again, read_chat, store, surveyed
from tabletape.dashboard.own_game.cited import CiteSentence
from tabletape.dashboard.own_game.doubts import with_draws_open
from tabletape.dashboard.own_game.file import begin_file, is_begun
from tabletape.dashboard.own_game.lines_of_nobody import with_lines_of_nobody
from tabletape.dashboard.own_game.look import FirstLook, first_look, with_cards, with_moves, with_silent
from tabletape.dashboard.own_game.offered import LineOffer, offers, told_of, with_offers, with_sure
from tabletape.dashboard.own_game.said_again import NO_MOVE, NOBODY_SAYS, said_again
from tabletape.dashboard.own_game.taught import answered, questions, read_plainly
from tabletape.dashboard.tape.tape import Tape
from tabletape.events.errors import RefusedError
from tabletape.events.importing.maps.finding import map_of_file, stem_of
from tabletape.events.importing.maps.map import SUFFIX, Map
from tabletape.events.importing.maps.remembering import maps_before
from tabletape.events.rules_file.cards import properties_in
from tabletape.events.whole_files import put_back, write_whole
from tabletape.events.workspace_files import text_of
from tabletape.projector.model.amounts import counted

_Ask = Callable[[str], str]
"""Asks somebody a question."""

_IF_RIGHT: Final = "Enter if right; else all of them with commas"


def take_chat(tape: Tape, file: Path, given: tuple[Path, Path | None], sentences: Sequence[CiteSentence]) -> None:
    """Read a chat by the file of its game, which is begun where there is none; a map beside the chat stays as it is.

    A list of the cards may come with the first chat. Raises `RefusedError` where that map is one of another game, for
    what is no chat and no list, and for a list behind the first chat.
    """
    chat, cards = given
    if cards and is_begun(file):
        raise RefusedError(f"games/{file.name} says what its cards are: change [cards] there, or move that file away")
    listed = read_card_list(_content(cards), str(cards)) if cards else None
    content, target = _content(chat), chat.with_name(stem_of(chat) + SUFFIX)
    if target.exists() and not file.exists():
        raise RefusedError(f"{target} is there already, and {file.stem} has no file: move that map away to begin anew")
    earlier = maps_before(chat, file.parent.parent, file.stem) if file.exists() else []
    if target.exists():
        _take_again(tape, file, (chat, content))
    else:
        answers, told = Answers(), (sentences, earlier, listed)
        answers.over(lambda: _take_new(tape, file, (chat, content), told, answers.to))
    say_apart([*earlier, map_of_file(target)])


def _take_again(tape: Tape, file: Path, given: tuple[Path, bytes]) -> None:
    """Take a chat by the map beside it, and ask about the lines that this leaves open."""
    chat, content = given
    target = chat.with_name(stem_of(chat) + SUFFIX)
    store(target, file.stem, chat, tape)
    reading = read_again(content, str(chat), text_of(target))
    if reading is not None:
        answers = Answers()
        after = answers.over(lambda: _with_lines(reading, file.parent.parent, answers.to))
        _keep(tape, file, chat, (reading, after))


def _take_new(
    tape: Tape,
    file: Path,
    given: tuple[Path, bytes],
    told: tuple[Sequence[CiteSentence], Sequence[Map], CardList | None],
    ask: _Ask,
) -> None:
    """Take a chat that has no map, by a rulebook and the maps of earlier chats, and write its map."""
    (chat, content), (sentences, earlier, listed) = given, told
    target = chat.with_name(stem_of(chat) + SUFFIX)
    seen, folder = surveyed(content, str(chat)), file.parent.parent
    look = first_look(seen, sentences, earlier, listed)
    say(f"{chat}: {seen.lines_in_words} of {', '.join(look.players)}")
    begun = not is_begun(file) or _is_begun_anew(file, earlier, ask)
    with put_back(file):
        if begun:
            begin_file(file, look := _confirmed(look, listed, ask), seen)
        read = read_chat(content, seen, look, file, earlier)
        reading = with_lines_of_nobody(_with_draws(read, folder, look, ask), folder, look.may)
        reading = _in_turn(_with_lines(reading, folder, ask), folder, ask)
        write_whole(target, reading.written)
    store(target, file.stem, chat, tape)
    say(f"Read: {reading.lines(folder).in_words}. Written: {f'games/{file.name}, ' if begun else ''}{target}")


def _with_draws(read: ChatReading, folder: Path, look: FirstLook, ask: _Ask) -> ChatReading:
    """Return a chat with the moves that are read plainly; whether bare draws are of one card each is asked once."""
    single = read_plainly(read, folder, look.may, {1})
    reading = with_draws_open(single, folder, look.drawn)
    bare = sorted(reading.lines(folder).open.keys() - single.lines(folder).open.keys())
    if not bare:
        return reading
    example = dict(read.seen.lines)[bare[0]].strip()
    lines = f"{counted(len(bare), 'line')} with a draw {'says' if len(bare) == 1 else 'say'} no number of cards"
    say(f"{lines}, such as {bare[0]}  {example}")
    while (answer := ask("Is that one card each time? y; Enter: nobody knows").casefold()) not in {"", "n"}:
        if answer in {"y", "yes", "1"}:
            return single
        complain(f"y or Enter, not {answer!r}")
    return reading


def _is_begun_anew(file: Path, earlier: Sequence[Map], ask: _Ask) -> bool:
    """Say by which file a chat is read; ask whether that is begun anew, where no other chat is read by it yet."""
    told = tomlkit.parse(text_of(file))
    named = (told.get("move", ()), properties_in(told.get("cards", {})).get("kind", ()))
    moves, kinds = (", ".join(map(str, each)) or "none" for each in named)
    say(f"games/{file.name} is there: moves {moves}; kinds of cards {kinds}")
    asked = "Enter goes on with it; `n` begins it anew, and what it says is gone"
    while not earlier and (answer := ask(asked).casefold()):
        if answer in {"n", "no"}:
            return True
        complain(f"n or Enter, not {answer!r}")
    return False


def _keep(tape: Tape, file: Path, chat: Path, readings: tuple[ChatReading, ChatReading]) -> None:
    """Keep a chat as it is read now, in place of the reading before, unless these are the same."""
    before, reading = readings
    if reading != before:
        order, target = reading.turn_order(file.parent.parent), chat.with_name(stem_of(chat) + SUFFIX)
        reading = reading.in_order(order or reading.seen.players)
        write_whole(target, reading.written)
        store(target, file.stem, chat, tape, revise=True)


def _in_turn(reading: ChatReading, folder: Path, ask: _Ask) -> ChatReading:
    """Return a chat with its players in the order of their turns, which is asked for where its moves do not say it."""
    order, asked = reading.turn_order(folder), reading.order_asked(folder)
    while asked and not order and (answer := ask(f"{asked} Enter: nobody knows")):
        order = reading.order_said(answer)
        if not order:
            complain(f"their names, such as {', '.join(reading.seen.players[1:])}, not {answer!r}")
    return reading.in_order(order or reading.seen.players)


def map_text_of(chat: Path) -> str:
    """Return the map beside a chat, empty where there is none."""
    target = chat.with_name(stem_of(chat) + SUFFIX)
    return text_of(target) if target.exists() else ""


def keep_map(tape: Tape, file: Path, chat: Path, text: str) -> None:
    """Read a chat again as its map said it before, and others as their game's file says it now."""
    target = chat.with_name(stem_of(chat) + SUFFIX)
    if text_of(target) != text:
        write_whole(target, text)
        store(target, file.stem, chat, tape, revise=True)
        tape.import_again()


def show_read(file: Path, chat: Path) -> None:
    """Show what each line of a chat is read as that is read."""
    if (reading := _reading_of(chat)) is None:
        _complain_changed(chat)
        return
    for (first, *others), said in answered(reading, file.parent.parent).items():
        say(f"{first:>5}  ", (said, "dim"), _so_are(others))
    say("  The number of a line that is read wrongly, and the same in plain words, corrects it: `6 talk`")


def unread_texts(file: Path, chat: Path) -> Mapping[int, str]:
    """Return the lines of a chat that may be moves and are not read, by their numbers."""
    reading = _reading_of(chat)
    return reading.lines(file.parent.parent).open if reading is not None else {}


def show_open(file: Path, chat: Path, hang: Mapping[int, Collection[int]]) -> None:
    """Show the lines of a chat that may be moves and are not read, and how to say them; those of one shape together.

    Those on which it hangs whether another line is accused come first, with these lines.
    """
    if (reading := _reading_of(chat)) is None:
        _complain_changed(chat)
        return
    texts, shapes = reading.lines(file.parent.parent).open, questions(reading, file.parent.parent)
    for first, *others in sorted(shapes, key=lambda lines: hang.keys().isdisjoint(lines)):
        decided = sorted({line for each in (first, *others) for line in hang.get(each, ())})
        on_it = (
            f"  decides whether {_named(decided)} {'breaks' if len(decided) < 2 else 'break'} a rule" if decided else ""
        )
        say(f"{first:>5}  ", (texts[first].strip(), "dim"), _so_are(others), on_it)
    if hang.keys().isdisjoint(texts):
        say("  No accusation hangs on any of them.")
    say("  Say one by its number and plain words, for all like it: `6 play 2 reeds`, `6 comes out`, `6 talk` (`6 t`)")


def _named(lines: Sequence[int]) -> str:
    return f"line{'s' * (len(lines) > 1)} {', '.join(map(str, lines))}"


def _reading_of(chat: Path) -> ChatReading | None:
    """Return a chat as its map reads it, None where one of them has been changed by hand."""
    target = chat.with_name(stem_of(chat) + SUFFIX)
    return read_again(_content(chat), str(chat), text_of(target))


def _complain_changed(chat: Path) -> None:
    target = chat.with_name(stem_of(chat) + SUFFIX)
    complain(
        f"{chat} is not as {target} was written for it: one of them has been changed by hand. Correct the line in the "
        "map, or move that away and begin again"
    )


def _so_are(others: Sequence[int]) -> str:
    return f"  (so are {', '.join(map(str, others))})" if others else ""


def _content(chat: Path) -> bytes:
    try:
        return chat.read_bytes()
    except OSError as error:
        raise RefusedError(f"{chat} cannot be read: {error.strerror or error}") from None


def _confirmed(look: FirstLook, listed: CardList | None, ask: _Ask) -> FirstLook:
    """Ask whether these are the moves and the cards; Enter takes them. The cards of a list are said."""
    said = ", ".join(f"{move} ({times} x)" for move, times in look.moves.items())
    also = f"; said often as well: {', '.join(f'{word} ({times} x)' for word, times in look.perhaps.items())}"
    say(f"Moves: {said or 'none found'}{also if look.perhaps else ''}")
    while True:
        answer = ask("Enter if right; else all of them with commas, and `play = put` where two words are one move")
        named = with_moves(look, answer or ", ".join(look.moves))
        if named is not None:
            break
        complain("a word for each move, as the chat says it, such as play, draw = take, pass")
    if listed:
        say(f"Of the list: {listed.in_words}")
        return _with_silent(named, ask)
    return _with_silent(_with_kinds(named, ask), ask)


def _with_silent(look: FirstLook, ask: _Ask) -> FirstLook:
    """Ask once which move the lines are that name a card and none; without an answer they stay open."""
    while look.silent and (answer := ask(f"{look.silent_asked}? Such as play; Enter: nobody knows")):
        if (named := with_silent(look, answer)) is not None:
            return named
        complain(f"a word for the move, such as play, not {answer!r}")
    return look


def _with_kinds(named: FirstLook, ask: _Ask) -> FirstLook:
    """Ask whether these are the kinds of cards; Enter takes them."""
    say(f"Kinds of cards: {named.cards_in_words}")
    while answer := ask(f"{_IF_RIGHT}, `-` for none"):
        with_kinds = with_cards(named, answer)
        if with_kinds is not None:
            say(f"Understood: {with_kinds.cards_in_words}")
            return with_kinds
        complain(f"a word for each kind, such as tea 1-7, silk 1-7, lantern, not {answer!r}")
    return named


def _with_lines(reading: ChatReading, folder: Path, ask: _Ask) -> ChatReading:
    """Read the lines that are moves but for a part, and ask about those that may be; the others wait for a rule."""
    reading, sure = with_sure(reading, folder)
    if sure:
        say(told_of(sure))
        say(f"{sure[0].number:>5}  {sure[0].shown}")
    title = "These lines may be moves with something beside them:"
    return _with_offers(reading, offers(reading, folder), title, ask)


def _with_offers(reading: ChatReading, found: Sequence[LineOffer], title: str, ask: _Ask) -> ChatReading:
    """Show lines that are read so if somebody says it, and ask once about all of them."""
    if not found:
        return reading
    say(title)
    for each in found:
        say(f"{each.number:>5}  {each.shown}")
    numbers = {str(each.number) for each in found}
    asked = "y: all are read so, what stands beside | stays a note; or only some, by their numbers; Enter: none"
    while answer := ask(asked):
        if answer.casefold() in {"y", "yes"} or {*re.split(r"[\s,]+", answer.strip(", "))} <= numbers:
            return with_offers(reading, found, answer)
        complain(f"y, numbers such as {found[0].number}, or Enter, not {answer!r}; what a line says is asked next")
    return reading


def say_line(tape: Tape, file: Path, chat: Path, answer: str, asked_of: set[int]) -> bool:
    """Take what somebody says of a line, `6 talk`: say what it is read as, ask about others like it, and keep it.

    Return whether it was understood. About the lines in `asked_of` nothing is asked any more.
    """
    if (reading := _reading_of(chat)) is None:
        _complain_changed(chat)
        return False
    number, _, words = answer.partition(" ")
    folder, texts, written = file.parent.parent, dict(reading.seen.lines), text_of(file)
    said = said_again(reading, int(number), words.strip(), folder) if int(number) in texts else None
    if said is None:
        is_said = int(number) in texts and reading.speaker(texts[int(number)])[0]
        complain(f"{NO_MOVE if is_said else NOBODY_SAYS}: {words!r}")
        return False
    say(f"  {said.in_words}")
    asked_of.add(int(number))
    near = [each for each in said.near if each.number not in asked_of]
    asked_of |= {each.number for each in near}
    after = _with_offers(said.reading, near, f"Are these {said.words.partition(' ')[0].rstrip(';')}, too?", answer_to)
    say(f"  Read: {after.lines(folder).in_words}.")
    _keep(tape, file, chat, (reading, after))
    if text_of(file) != written:
        tape.import_again()  # The words of a new move may stand in other chats.
    return True
