"""The chat with which an own game begins, in the terminal: how its lines are read is asked where it is not certain."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import tomlkit
import typer

from tabletape.cli.terminal.line_kinds import say_apart
from tabletape.cli.terminal.output import complain, say
from tabletape.dashboard.own_game.chat import ChatReading, read_again, read_chat, store, surveyed
from tabletape.dashboard.own_game.file import begin_file, is_begun
from tabletape.dashboard.own_game.look import CiteSentence, FirstLook, first_look, with_cards, with_moves
from tabletape.dashboard.own_game.offered import LineOffer, offers, with_offers
from tabletape.dashboard.own_game.taught import (
    NO_MOVE,
    NOBODY_SAYS,
    answered,
    questions,
    read_plainly,
    said_again,
)
from tabletape.dashboard.tape.tape import Tape
from tabletape.events.errors import RefusedError
from tabletape.events.importing.maps.finding import map_of_file, stem_of
from tabletape.events.importing.maps.map import SUFFIX, Map
from tabletape.events.importing.maps.remembering import maps_before
from tabletape.events.whole_files import put_back, write_whole
from tabletape.events.workspace_files import text_of
from tabletape.projector.model.amounts import counted

MOST_SHOWN: Final = 12
"""So many shapes of lines that cannot be read are shown."""

_IF_RIGHT: Final = "Enter if right; else all of them with commas"


def take_chat(tape: Tape, file: Path, chat: Path, sentences: Sequence[CiteSentence]) -> None:
    """Read a chat by the file of its game, which is begun where there is none; a map beside the chat stays as it is.

    Raises `RefusedError` where that map is one of another game, and for what is no chat.
    """
    content, target = _content(chat), chat.with_name(stem_of(chat) + SUFFIX)
    if target.exists() and not file.exists():
        raise RefusedError(f"{target} is there already, and {file.stem} has no file: move that map away to begin anew")
    earlier = maps_before(chat, file.parent.parent, file.stem) if file.exists() else []
    if target.exists():
        _take_again(tape, file, (chat, content))
    else:
        _take_new(tape, file, (chat, content), (sentences, earlier))
    say_apart([*earlier, map_of_file(target)])


def _take_again(tape: Tape, file: Path, given: tuple[Path, bytes]) -> None:
    """Take a chat by the map beside it, and ask about the lines that this leaves open."""
    chat, content = given
    target = chat.with_name(stem_of(chat) + SUFFIX)
    store(target, file.stem, chat, tape)
    reading = read_again(content, str(chat), text_of(target))
    if reading is not None:
        _keep(tape, file, chat, (reading, _with_lines(reading, file.parent.parent)))


def _take_new(
    tape: Tape, file: Path, given: tuple[Path, bytes], told: tuple[Sequence[CiteSentence], Sequence[Map]]
) -> None:
    """Take a chat that has no map, by a rulebook and the maps of earlier chats, and write its map."""
    (chat, content), (sentences, earlier) = given, told
    target = chat.with_name(stem_of(chat) + SUFFIX)
    seen, folder = surveyed(content, str(chat)), file.parent.parent
    look = first_look(seen, sentences, earlier)
    say(f"{chat}: {counted(len(seen.lines), 'line')} of {', '.join(look.players)}")
    begun = not is_begun(file) or _is_begun_anew(file, earlier)
    with put_back(file):
        if begun:
            begin_file(file, look := _confirmed(look), seen)
        read = read_chat(content, seen, look, file, earlier)
        reading = read_plainly(read, folder, look.may, look.drawn)
        reading = _in_turn(_with_lines(reading, folder), folder)
        write_whole(target, reading.written)
    store(target, file.stem, chat, tape)
    say(f"Read: {reading.lines(folder).in_words}. Written: {f'games/{file.name}, ' if begun else ''}{target}")


def _is_begun_anew(file: Path, earlier: Sequence[Map]) -> bool:
    """Say by which file a chat is read; ask whether that is begun anew, where no other chat is read by it yet."""
    told = tomlkit.parse(text_of(file))
    moves, kinds = (
        ", ".join(map(str, each)) or "none" for each in (told.get("move", ()), told.get("cards", {}).get("kind", ()))
    )
    say(f"games/{file.name} is there: moves {moves}; kinds of cards {kinds}")
    asked = "Enter goes on with it; `n` begins it anew, and what it says is gone"
    while not earlier and (answer := answer_to(asked).casefold()):
        if answer in {"n", "no"}:
            return True
        complain(f"n or Enter, not {answer!r}")
    return False


def _keep(tape: Tape, file: Path, chat: Path, readings: tuple[ChatReading, ChatReading]) -> None:
    """Keep a chat as it is read now, in place of the reading before, unless these are the same."""
    before, reading = readings
    if reading != before:
        reading, target = _in_turn(reading, file.parent.parent), chat.with_name(stem_of(chat) + SUFFIX)
        write_whole(target, reading.written)
        store(target, file.stem, chat, tape, revise=True)


def _in_turn(reading: ChatReading, folder: Path) -> ChatReading:
    """Return a chat with its players in the order of their turns, which is asked for where its moves do not say it."""
    order, asked = reading.turn_order(folder), reading.order_asked(folder)
    while asked and not order and (answer := answer_to(f"{asked} Enter: nobody knows")):
        order = reading.order_said(answer)
        if not order:
            complain(f"their names, such as {', '.join(reading.seen.players[1:])}, not {answer!r}")
    return reading.in_order(order or reading.seen.players)


def correct_lines(tape: Tape, file: Path, chat: Path) -> None:
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


def _confirmed(look: FirstLook) -> FirstLook:
    """Ask whether these are the moves and the cards; Enter takes them."""
    said = ", ".join(f"{move} ({times} x)" for move, times in look.moves.items())
    also = f"; said often as well: {', '.join(f'{word} ({times} x)' for word, times in look.perhaps.items())}"
    say(f"Moves: {said or 'none found'}{also if look.perhaps else ''}")
    while True:
        answer = answer_to(
            "Enter if right; else all of them with commas, and `play = put` where two words are one move"
        )
        named = with_moves(look, answer or ", ".join(look.moves))
        if named is not None:
            break
        complain("a word for each move, as the chat says it, such as play, draw = take, pass")
    say(f"Kinds of cards: {look.cards_in_words}")
    while answer := answer_to(f"{_IF_RIGHT}, `-` for none"):
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
    numbers = {str(each.number) for each in found}
    asked = "y: all are read so, what stands beside | stays a note; or only some, by their numbers; Enter: none"
    while answer := answer_to(asked):
        if answer.casefold() in {"y", "yes"} or {*re.split(r"[\s,]+", answer.strip(", "))} <= numbers:
            return with_offers(reading, found, answer)
        complain(f"y, numbers such as {found[0].number}, or Enter, not {answer!r}; what a line says is asked next")
    return reading


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
    asked_of: set[int] = set()
    while still := among or tuple(reading.lines(folder).open):
        asked = "Its number and the same in plain words: `6 play 2 reeds`, `6 comes out`, `6 talk` (`6 t`); Enter: "
        answer = answer_to(asked + enter)
        if not answer:
            break
        number, _, words = answer.partition(" ")
        if number not in map(str, dict(reading.seen.lines)) or not words.strip():
            complain(f"the number of a line and behind it what it says, such as `{still[0]} talk`, not {answer!r}")
            continue
        said = said_again(reading, int(number), words.strip(), folder)
        if said is None:
            texts = dict(reading.seen.lines)
            is_said = reading.speaker(texts[int(number)])[0]
            complain(f"{NO_MOVE if is_said else NOBODY_SAYS}: {words!r}")
            continue
        say(f"  {said.in_words}")
        asked_of.add(int(number))
        near = [each for each in said.near if each.number not in asked_of]
        asked_of |= {each.number for each in near}
        reading = _with_offers(said.reading, near, f"Are these {said.words.partition(' ')[0]}, too?")
    return reading


def answer_to(question: str) -> str:
    """Return what somebody answers, empty for Enter and where the answers are over."""
    return str(typer.prompt(f"{question}\n>", default="", show_default=False, prompt_suffix=" ")).strip()
