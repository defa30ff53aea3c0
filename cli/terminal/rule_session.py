"""One session about the rules of an own game: its sentences by numbers that stay, and what was said and shown."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import tomlkit

from tabletape.cli.terminal.answers import OR_BACK, TakenBackError, answer_to
from tabletape.cli.terminal.first_chat import keep_map, map_text_of, say_line, show_open, unread_texts
from tabletape.cli.terminal.output import complain, say
from tabletape.cli.terminal.rule_answers import SAYS_LINE
from tabletape.dashboard.own_game.besides import first_listed, is_understood, is_watched
from tabletape.dashboard.own_game.cited import CiteSentence
from tabletape.dashboard.own_game.file import write_checked
from tabletape.dashboard.own_game.questions import EffectsSaid
from tabletape.dashboard.own_game.rules import own_rules_of
from tabletape.dashboard.own_game.trial import Accused, JudgedLines, Waits, found_in, game_of, games_in
from tabletape.dashboard.own_game.whole import WholeRule, understood_wholly
from tabletape.dashboard.tape.tape import Tape
from tabletape.events.workspace_files import text_of
from tabletape.projector.games import game
from tabletape.projector.model.amounts import counted

SHOWN: Final = 90
"""So much of a sentence is shown in a list."""

MOST_LISTED: Final = 12
"""So many sentences are listed at once."""

MOST_ACCUSED: Final = 8


class _Before(NamedTuple):
    """What the files said before something was written, what that was, and which lines had been asked about."""

    written: str
    game: str
    map: str
    asked_of: frozenset[int]


class RuleSession:
    """What is asked about the sentences of a rulebook, and about the lines of a chat that decide what they accuse."""

    def __init__(self, tape: Tape, file: Path, sentences: Sequence[CiteSentence], chat: Path | None = None) -> None:
        """Number the sentences, those to choose from at first before the others: so they are called to the end."""
        self.tape, self.file, self.sentences, self.chat = tape, file, sentences, chat
        self.effects, self.asked_of = EffectsSaid(), set[int]()
        own = game_of(file.stem, self.text, sentences, tape.log)
        first = first_listed(own, MOST_LISTED)
        self.listed = [*dict.fromkeys((*first, *sentences))]
        watched = all(is_watched(tomlkit.parse(self.text), each) for each in sentences)
        self.is_understood = watched or any(is_understood(each, own) for each in first)
        self._pages = [self.listed[: len(first)] or self.listed, self.listed[len(first) :] if first else []]
        self.offered, self._left = list[CiteSentence](), set[CiteSentence]()
        self._shown: Mapping[CiteSentence, tuple[tuple[int, ...], tuple[Waits, ...], tuple[str, ...]]] = {}
        self._accused = dict[tuple[str, int, str], Accused]()
        self._before = list[_Before]()

    @property
    def text(self) -> str:
        """The file of the game as it is now."""
        return text_of(self.file)

    # -- what is written, and taken back -------------------------------------------------------------------------------

    def write(self, text: str, what: str) -> None:
        """Write the file of the game, as it says `what` from now on."""
        self._remember(what)
        write_checked(self.file, text)

    def _remember(self, what: str) -> None:
        now = map_text_of(self.chat) if self.chat else ""
        self._before.append(_Before(what, self.text, now, frozenset(self.asked_of)))

    @property
    def or_back(self) -> str:
        """That what was written last can be taken back, where something was."""
        return OR_BACK * bool(self._before)

    def take_back(self) -> None:
        """Take back what was written last: rules, or how a line is read; complain where nothing was."""
        if not self._before:
            complain("nothing was written yet that could be taken back")
            return
        before = self._before.pop()
        self.asked_of = {*before.asked_of}
        write_checked(self.file, before.game)
        if self.chat:
            keep_map(self.tape, self.file, self.chat, before.map)
        say(f"  Taken back: {before.written}")

    def number(self, sentence: CiteSentence) -> int:
        """Return by which number a sentence of the rulebook is called."""
        return self.listed.index(sentence) + 1

    # -- sentences -----------------------------------------------------------------------------------------------------

    def show_sentences(self) -> None:
        """Show the sentences to choose from that are not watched yet, and the next time the others."""
        written = tomlkit.parse(self.text)
        now, later = ([each for each in page if not is_watched(written, each)] for page in self._pages)
        if not (now or later):
            say("Every sentence is watched." if self.listed else "There is no rulebook: write the sentence itself.")
        for each in now:
            say(f"{self.number(each):>3}  {short(each.own)}")
        if later:
            say(f"  a  {counted(len(later), 'other sentence')}")
        self._pages.reverse()

    def whole(self, meant: Sequence[CiteSentence] = ()) -> tuple[WholeRule, ...]:
        """Return the sentences that are understood wholly, or those of them that are `meant`, each on those before."""
        in_order = sorted(meant, key=self.number)
        return understood_wholly(self.file.stem, self.text, self.sentences, self.tape.log, in_order)

    def show_whole(self, *, again: bool = False) -> bool:
        """Show the sentences that are understood wholly, with what each accuses: what is new of that, or all `again`.

        Those come first that surely accuse. All but those that were left open are `offered`; return whether any is new.
        """
        whole = sorted(self.whole(), key=lambda each: (not each.trial.is_illegal, not each.trial.accused))
        now = {each.sentence: (each.lines, each.trial.waits, each.trial.silenced) for each in whole}
        new = [each for each in whole if again or self._shown.get(each.sentence) != now[each.sentence]]
        self._left = set() if again else self._left
        if again or any(each.sentence not in self._shown for each in new):
            say("Understood wholly, if it is meant so:")
        for each in new:
            self._show_whole(each, is_known=not again and each.sentence in self._shown)
        self._shown, self.offered = now, [each for each in now if each not in self._left]
        return bool(new)

    def _show_whole(self, each: WholeRule, *, is_known: bool) -> None:
        number = f"{self.number(each.sentence):>3}  "
        if not is_known:
            say(number, (f"\u201c{each.sentence.own}\u201d", "italic"))
            say(f"     read as: {'; '.join((each.rule.words, *map(short, each.rule.taken)))}")
            number = "     "
        for one in dict.fromkeys(f"{place_of(one)}  {one.said}" for one in each.trial.accused):
            say(f"{number}accuses ", (one, "bold"))
            number = "     "
        for said in each.trial.open_in_words:
            say(f"     {said}")

    def take_offered(self, meant: Sequence[CiteSentence]) -> None:
        """Offer no longer what is left open of what was offered."""
        self._left |= {*self.offered}.difference(meant)
        self.offered = []

    # -- lines ---------------------------------------------------------------------------------------------------------

    def take_line(self, answer: str) -> bool:
        """Take what somebody says of a line of the chat; return whether it was understood."""
        if self.chat is None:
            return False
        self._remember(f"line {answer}")
        try:
            is_said = say_line(self.tape, self.file, self.chat, answer, self.asked_of)
        except TakenBackError:
            is_said = False
        if not is_said:
            self._before.pop()
        return is_said

    def found(self) -> JudgedLines:
        """Return what the rules of the file accuse in the chat, and what unread lines leave open of that."""
        if self.chat is None or not any(rule.lines for rule in own_rules_of(game(self.file.stem))):
            return JudgedLines()
        games = games_in(self.tape.log, self.file.stem, self.chat.name)
        return found_in(self.file.stem, self.text, self.tape.log, games)

    def say_found(self, *, is_told: bool = False) -> None:
        """Say what the rules accuse that they did not before, and what they do no longer; then ask what decides more.

        What `is_told` already is not said again.
        """
        found = self.found()
        while True:
            now = {(each.stored.game_id, each.line, each.finding.rule): each for each in found.accused}
            gone = [each for key, each in self._accused.items() if key not in now]
            before = "Now they also accuse " if self._accused else "The rules of the file accuse "
            new = [each for key, each in now.items() if key not in self._accused]
            self._accused = now
            if new and not is_told:
                show_accused(new, before)
            for each in gone:
                say(f"  no longer accused: {place_of(each)}  {each.said}")
            try:
                if not self._ask_deciding(found.waits):
                    return
            except TakenBackError:
                self.take_back()
            found, is_told = self.found(), False

    def _ask_deciding(self, waits: Sequence[Waits]) -> bool:
        """Ask what the next unread line says on which it hangs whether another is accused; return whether it was said.

        Each is asked about once.
        """
        texts = unread_texts(self.file, self.chat) if self.chat and waits else {}
        for one in waits:
            for at in (each for each in one.on if each in texts and each not in self.asked_of):
                say(f"  \u201c{one.says}\u201d: {one.in_words}:")
                say(f"{at:>5}  ", (texts[at].strip(), "dim"))
                asked = "What is done there? In plain words, such as `draw 2`; `t`: talk; Enter: nobody knows"
                while answer := answer_to(f"{asked}{self.or_back}"):
                    if self.take_line(answer if SAYS_LINE.match(answer) else f"{at} {answer}"):
                        return True
                self.asked_of.add(at)
        return False

    def show_open(self) -> None:
        """Show the unread lines, those that decide something first."""
        if (chat := self.chat) is not None:
            offered = (one for _, waits, _ in self._shown.values() for one in waits)
            here = (one for one in offered if Path(one.stored.file or "").name == chat.name)
            show_open(self.file, chat, JudgedLines(waits=(*self.found().waits, *here)).hang)


def show_accused(accused: Sequence[Accused], before: str) -> None:
    """Show lines that are accused, each with its finding."""
    say(f"{before}{counted(len(accused), 'line') if accused else 'nobody'}{':' if accused else '.'}")
    for each in accused[:MOST_ACCUSED]:
        say("    ", (f"{place_of(each)}  {each.said}".rstrip(), "bold"))
        place = f" ({each.finding.lines})" if each.finding.lines else ""
        say(f"      {each.finding.kind}: {each.finding.message}{place}")
        if each.goes_on:
            say("      perhaps it is one move with the line before it: then say with `c` that one of the two is talk")
    if len(accused) > MOST_ACCUSED:
        say(f"    and {len(accused) - MOST_ACCUSED} more")


def place_of(accused: Accused) -> str:
    """Return in which game, by the name of its chat, and in which line of that somebody is accused."""
    return f"{accused.stored.game_id}, line {accused.line or '?'}"


def short(text: str) -> str:
    """Return a sentence as it is shown in a list."""
    return text if len(text) <= SHOWN else f"{text[:SHOWN].rpartition(' ')[0]} ..."
