"""What whoever keeps a log sees: the table, what is due, what may be decided, what was written last, what is wrong."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec import UNSET

from tabletape.events.vocabulary import SERVED, Event, tag_of
from tabletape.events.vocabulary.names import is_unseen
from tabletape.events.vocabulary.open_games import open_games
from tabletape.events.vocabulary.shared import GameStarted, NoteAdded, PlayTakenBack
from tabletape.events.vocabulary.tabletop import TurnStarted
from tabletape.projector.archive.concealing import without_hidden
from tabletape.projector.archive.frames import concealed
from tabletape.projector.archive.view import result_in_words, viewers
from tabletape.projector.fold.detail import noted_mistakes
from tabletape.projector.model.areas import EVERYTHING, Area, with_room
from tabletape.projector.model.deciding import Offer, as_it_was, decisions, next_unseen
from tabletape.projector.model.phrases import expected_in_words, with_rulings_said
from tabletape.projector.model.rules import Finding
from tabletape.projector.model.sentences import event_in_words
from tabletape.projector.model.table import Table
from tabletape.projector.scribing.anyway import Apart, anyway, apart, typed_anyway
from tabletape.projector.scribing.asking import cards_named, question_of
from tabletape.projector.scribing.box import MAX_FOUND, place_of, ranked, words_of
from tabletape.projector.scribing.choices import (
    MAX_LIST,
    Choice,
    Group,
    choices_of,
    drawn_after,
    in_steps,
    narrowed,
    put_back,
    puts_back,
)
from tabletape.projector.scribing.forms import NOT_AT_TABLE, words_of_event
from tabletape.projector.scribing.screen_parts import (
    Along,
    Screen,
    ScreenOption,
    ScreenQuestion,
    ShownFinding,
    WrittenLine,
)
from tabletape.projector.scribing.scribe import Scribe, last_play
from tabletape.projector.scribing.spoken import spoken
from tabletape.projector.scribing.turns import in_turn, turn_begun, turn_in_words, usual
from tabletape.projector.tabletop.view import points_of

MAX_LINES: Final = 8
"""How many of the lines written last are shown."""

MAX_STANDING: Final = 3
"""How many of those that stand."""

MAX_REPLY: Final = 100
"""Never more choices than this are sent at once."""


class ViewerScreen:
    """What one viewer sees of a game that is kept; what it takes long to find out is found out once for each state."""

    def __init__(self, scribe: Scribe, viewer: str) -> None:
        self._scribe = scribe
        self.viewer = viewer
        self._stamp = ""
        self._choices: list[Choice] = []
        self._standing: dict[int, Event] = {}
        self._unknown: frozenset[str] = frozenset()

    def _look(self) -> None:
        """Find out what may be decided, which lines stand, and which cards the viewer may not know."""
        table, stamp = self._scribe.replay.table, self._scribe.stored.fingerprint
        if self._stamp != stamp:
            self._standing = self._scribe.standing_lines()
            self._choices = self._decisions()
            cards = {} if self.viewer == EVERYTHING else table.cards
            self._unknown = frozenset(name for name, card in cards.items() if not table.knows(self.viewer, card))
            self._stamp = stamp

    def _decisions(self) -> list[Choice]:
        """Return the decisions that may be taken at the table as it is, in words."""
        game, table = self._scribe.replay.game, self._scribe.replay.table
        offered = {} if table.over else decisions(game, table, None if self.viewer == EVERYTHING else self.viewer)
        return choices_of(
            table, (offer for player in in_turn(game, table, offered, self._played) for offer in offered[player])
        )

    @property
    def _played(self) -> Sequence[Event]:
        """The lines that stand, in their order."""
        return [*self._standing.values()]

    @property
    def choices(self) -> list[Choice]:
        """All decisions that may be taken now, in words."""
        self._look()
        return self._choices

    def screen(
        self, taps: Sequence[str] = (), typed: str = "", begins: Event | None = None, *, whatever: bool = False
    ) -> Screen:
        """Return what is seen when some things were tapped and something stands in the box.

        With `begins` only the decisions are offered that go on from that one, with `whatever` also what no rule allows
        where nothing was tapped or typed.
        """
        self._look()
        scribe = self._scribe
        replay, table = scribe.replay, scribe.replay.table
        taps = [_whole(table, tap) for tap in taps]
        continuations = [] if begins is None else self._continuations(begins)
        # What it begins with goes without tapping.
        tapped = [*taps] if begins is None else [*choices_of(table, [Offer(event=begins)])[0].marks, *taps]
        choices = narrowed(self.choices if begins is None else continuations, tapped)
        meant = ranked(choices, typed) if tapped or typed.strip() else usual(replay.game, table, choices)
        shown = meant[:MAX_FOUND] if typed.strip() else self._in_steps(meant, tapped)
        areas = self._areas()
        asked = self._asked() if begins is None else ()
        apart = Apart() if begins is not None else self._anyway(taps, typed, areas, whatever=whatever)
        return Screen(
            game_id=scribe.stored.game_id,
            game=replay.game.slug,
            title=replay.game.title,
            seq=scribe.last_seq,
            stamp=scribe.stored.fingerprint,
            viewer=self.viewer,
            players=tuple((player.id, player.name) for player in table.players.values()),
            viewers=tuple(viewers(replay).items()),
            turn=turn_in_words(table),
            over=table.over,
            result=result_in_words(replay) if table.over else "",
            areas=areas,
            asked=asked,
            options=tuple(self._option(each, narrow=bool(taps or typed.strip())) for each in (*shown, *apart.free)),
            total=len(meant) + len(apart.free),
            forms=self._forms(typed),
            lines=tuple(map(self._written, replay.seqs[-MAX_LINES:], replay.events[-MAX_LINES:])),
            stands=self._stands(),
            taken_back=self._taken_back(),
            last_play=self._last_play(),
            findings=tuple(map(self._noticed, self._findings())),
            anyway=tuple(self._option(each, narrow=False) for each in apart.broken),
            unsure=tuple(self._option(each, narrow=False) for each in apart.open),
            undoes=self._words_of(scribe.undoes()),
            along=None if taps or typed.strip() or begins is not None else self._along(asked),
            redoes=self._redoes(),
            judged=replay.game.rulebook.stated,
            noted=tuple(noted_mistakes(self._standing.values())),
            points=points_of(table),
            may_end=not table.over and replay.game.slug in open_games(),
        )

    def _in_steps(self, meant: Sequence[Choice], tapped: Sequence[str]) -> Sequence[Choice | Group]:
        """Return choices as a list that can be read; what puts cards back by its cards, unless the lines are fewer."""
        table = self._scribe.replay.table
        back = [each for each in meant if puts_back(each)]
        if len(back) <= max(1, len({mark for each in back for mark in each.marks if mark in table.cards})):
            return in_steps(table, meant, tapped)[:MAX_REPLY]
        others = [each for each in meant if not puts_back(each)]
        return [*put_back(table, back, tapped), *in_steps(table, others, tapped)][:MAX_REPLY]

    def _along(self, asked: Sequence[ScreenQuestion]) -> Along | None:
        """Return the end of the turn with what comes after it, where it is all that can be done."""
        replay, ends = self._scribe.replay, self._scribe.replay.game.slips.turn_end
        table, only = replay.table, self.choices
        if ends is None or len(only) != 1 or type(only[0].event) is not ends.by or asked:
            return None
        end = only[0].event
        with as_it_was(table):
            replay.game.play[type(end)](table, end)
            replay.game.settle(table)
            choices = self._decisions()
            options = [self._option(each, narrow=False) for each in choices] if len(choices) <= MAX_LIST else []
            then = self._asked()
        if not then and not options:
            return None
        plain = tuple(each for each in options if not each.draws)
        return Along(line=as_line(end), words=only[0].words, asked=then, options=() if then else plain)

    def _anyway(self, taps: Sequence[str], typed: str, areas: Sequence[Area], *, whatever: bool) -> Apart:
        """Return what else was tapped or typed may mean, and how the rules stand to it."""
        replay = self._scribe.replay
        if taps or (whatever and not typed.strip()):
            return anyway(replay, areas, taps, self.choices, typed)
        if not typed.strip():
            return Apart()
        found = typed_anyway(replay, areas, self.choices, typed)
        legal = ranked(self.choices, typed)
        return found if any(found) else apart(spoken(replay.game, replay.table, typed, legal))

    def _words_of(self, lines: Sequence[Event]) -> str:
        return "; ".join(event_in_words(self._scribe.replay.table, each, self._unknown) for each in lines)

    def _areas(self) -> Sequence[Area]:
        replay = self._scribe.replay
        areas = [with_room(each) for each in replay.game.areas(replay.table, self.viewer)]
        return areas if self.viewer == EVERYTHING else concealed(areas, self._unknown, {})

    def _asked(self) -> tuple[ScreenQuestion, ...]:
        replay = self._scribe.replay
        if replay.table.over:
            return ()
        questions = [question_of(replay.table, due) for due in replay.game.due(replay.table)]
        return tuple(
            ScreenQuestion(
                number=number,
                question=msgspec.structs.replace(question, lines=()),
                lines=tuple(ScreenOption(words=words, line=as_line(line)) for words, line in question.lines),
            )
            for number, question in enumerate(questions)
        )

    def _option(self, each: Choice | Group, *, narrow: bool) -> ScreenOption:
        if isinstance(each, Group):
            return ScreenOption(words=each.words, mark=each.mark, count=each.count, chip=each.chip)
        table, game = self._scribe.replay.table, self._scribe.replay.game
        number = drawn_after(each.event)
        player = getattr(each.event, "player", "")
        decks = (zone for zone in table.zones.values() if zone.role == "deck" and zone.owner == player)
        there = (*(card.name for deck in decks for card in deck.cards), *getattr(each.event, "returned", ()))
        names = [name for name in there if not is_unseen(name)] if number else []
        begins = turn_begun(game, table, each.event, self._played)
        return ScreenOption(
            words=each.words,
            line=as_line(each.event),
            turn=None if begins is None else as_line(begins),
            turn_words="" if begins is None else event_in_words(table, begins),
            player=player,
            supposed=each.supposed,
            draws=number,
            cards=cards_named(table, names),
            goes_on=narrow and next(iter(game.shortlist.more(table, each.event)), None) is not None,
        )

    def _continuations(self, event: Event) -> list[Choice]:
        """Return the decisions that go on from one."""
        replay = self._scribe.replay
        return choices_of(replay.table, (Offer(event=each) for each in replay.game.shortlist.more(replay.table, event)))

    def _forms(self, typed: str) -> tuple[tuple[str, str], ...]:
        """Return the event types that are meant by what was typed, by name and in words."""
        letters = words_of(typed)
        tags = (tag for tag in self._scribe.replay.game.vocabulary.types if tag not in NOT_AT_TABLE)
        named = {tag: words_of_event(tag) for tag in tags} if letters else {}
        return tuple((tag, said) for tag, said in named.items() if place_of(letters, words_of(said)) is not None)

    def _stands(self) -> tuple[WrittenLine, ...]:
        """Return the last lines that stand, without the end of the game."""
        lines = [line for line in self._standing.items() if tag_of(type(line[1])) != "game.ended"]
        return tuple(self._written(*each) for each in lines[-MAX_STANDING:])

    def _taken_back(self) -> int:
        """Return how many lines were taken back behind the last that stands."""
        replay, last = self._scribe.replay, max(self._standing, default=0)
        behind = (event for seq, event in zip(replay.seqs, replay.events, strict=True) if seq > last)
        return sum(not isinstance(each, PlayTakenBack) for each in behind)

    def _redoes(self) -> str:
        """Return the first line that was undone last, without the turn that it began, and whether there are more."""
        lines = [each for each in self._scribe.redoable() if not isinstance(each, TurnStarted)]
        return self._words_of(lines[:1]) + " \u2026" * (len(lines) > 1)

    def _written(self, seq: int, event: Event) -> WrittenLine:
        return WrittenLine(
            seq=seq,
            words=event_in_words(self._scribe.replay.table, event, self._unknown),
            at="" if event.at is UNSET else event.at.isoformat(),
            standing=seq in self._standing or isinstance(event, PlayTakenBack),
        )

    def _last_play(self) -> WrittenLine | None:
        """Return the last line that was played and stands, whatever was noted since; None before the first."""
        event = self._standing.get(seq := last_play(self._standing))
        return None if event is None or isinstance(event, GameStarted) else self._written(seq, event)

    def _findings(self) -> list[Finding]:
        """Return what is wrong by the last line that people played and that still stands; all of it at the end.

        Before the end without what the table has noted since as its way to play: a note with the same rule.
        """
        replay = self._scribe.replay
        lines = self._standing
        if replay.table.over:
            return [finding for finding in replay.findings if finding.seq in lines]
        agreed = {event.rule: seq for seq, event in lines.items() if isinstance(event, NoteAdded) and event.rule}
        return [each for each in self._scribe.latest_findings() if agreed.get(each.rule, 0) < each.seq]

    def _noticed(self, finding: Finding) -> ShownFinding:
        """Return a finding as the viewer may read it, with the line that it is about."""
        replay, hidden = self._scribe.replay, self._unknown
        event = replay.events[replay.seqs.index(finding.seq)]

        def about() -> tuple[Table[Any, Any], str]:
            return replay.table, replay.game.vocabulary.encode(event).decode()

        message, expected = (
            without_hidden(text, hidden, replay.library, about)
            for text in (finding.message, expected_in_words(finding))
        )
        message = with_rulings_said(replay.game.rulebook, message)
        is_last = finding.seq == last_play(self._standing)
        return ShownFinding(
            finding=msgspec.structs.replace(finding, message=message, expected=expected),
            about="" if is_last else event_in_words(replay.table, event, hidden),
        )


def _whole(table: Table[Any, Any], tap: str) -> str:
    """Return a mark as it is; of the back of a card (`A:?`) the next free name of an unseen card."""
    return next_unseen(table, tap.removesuffix(":?")) if tap.endswith(":?") else tap


def as_line(event: Event) -> dict[str, Any]:
    """Return an event as the fields of a line of a log, without its number, its time and who sent it."""
    fields: dict[str, Any] = msgspec.to_builtins(event)
    said = {name: value for name, value in fields.items() if name not in {"seq", "at", *SERVED}}
    return {"type": tag_of(type(event)), **said}
