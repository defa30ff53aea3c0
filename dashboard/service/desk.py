"""The games that are being kept at one desk: each folded once, and written to by one hand at a time."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from threading import RLock
from typing import Any, Final

import msgspec

from tabletape.dashboard.scribe.catalogue import USUAL, words_in
from tabletape.dashboard.service.form_codes import FormCodes
from tabletape.events.errors import TabletapeError
from tabletape.events.importing.games.checks import UNKNOWN
from tabletape.events.importing.maps.results.ratings import FUN_OF_TEN
from tabletape.events.log import Log
from tabletape.events.log.rows import StoredGame
from tabletape.events.log.schema import LogError
from tabletape.events.vocabulary import known_games, tag_of
from tabletape.events.vocabulary.names import is_by_bots
from tabletape.events.vocabulary.open_games import open_games
from tabletape.events.vocabulary.plugins import PluginFailedError
from tabletape.events.vocabulary.shared import FeedbackGiven
from tabletape.projector.archive.stored import cards_of, replay, workspace
from tabletape.projector.archive.view import View
from tabletape.projector.fold.detail import detail_of
from tabletape.projector.fold.traced import Traced
from tabletape.projector.games import game
from tabletape.projector.model.cards import CardError
from tabletape.projector.model.languages import spoken
from tabletape.projector.model.phrases import deck_called
from tabletape.projector.scribing.beginning import Beginning, begin, decks_of, last_table
from tabletape.projector.scribing.forms import line_of
from tabletape.projector.scribing.screen import ViewerScreen
from tabletape.projector.scribing.screen_parts import Screen
from tabletape.projector.scribing.scribe import Scribe

LATELY: Final = 5
"""So many of the newest games say whether no more than results is kept of them, where some were only begun."""

RATED: Final = 100
"""So many of the newest games of people say out of how much the fun of a game is told."""

MAX_AT_ONCE: Final = 200
"""How many games stay folded; the one that came first goes first, and is folded again when it is asked for."""


class NotAtThisDeskError(TabletapeError):
    """A game that this desk may not show."""


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """What a screen is narrowed by: things that were tapped, letters, and the line that a decision is to go on from.

    `whatever`: also what no rule allows is wanted. `language`: in which events are put into words.
    """

    taps: tuple[str, ...] = ()
    typed: str = ""
    begins: Mapping[str, Any] = msgspec.field(default_factory=dict)
    whatever: bool = False
    language: str = USUAL


class GameAtDesk(msgspec.Struct):
    """A game at the desk, whose lock is held by whoever looks at it or writes.

    `views` has by its fingerprint the state that was last shown step by step to who may not know everything.
    """

    scribe: Scribe
    lock: Any = msgspec.field(default_factory=RLock)
    screens: dict[tuple[str, str], ViewerScreen] = msgspec.field(default_factory=dict)
    views: dict[str, View] = msgspec.field(default_factory=dict)


class Desk:
    """The games of a log that may be kept here: all of them, or with `only` those named and those begun here."""

    def __init__(self, log: Log, only: Sequence[str] | None = None) -> None:
        self.log = log
        self._only = None if only is None else set(only)
        self._kept: dict[str, GameAtDesk] = {}
        self._folding: dict[str, Any] = {}
        self._lock = RLock()
        self._forms = FormCodes(workspace(log))

    @property
    def is_whole(self) -> bool:
        """Whether everything that is in the log may be seen here."""
        return self._only is None

    # -- games -----------------------------------------------------------------------------------------------------

    def games(self, only: str = "") -> list[StoredGame]:
        """Return the games that may be kept here, or the one that has an id, the newest first."""
        games = self.log.games(ids=[only] if only else None if self._only is None else [*self._only])
        return [each for each in reversed(games) if self._may_keep(each.game_id)]

    def begin(self, beginning: Beginning, served: Mapping[str, str] | None = None) -> str:
        """Begin a game and return its id. Raises what `projector.scribing.beginning.begin` raises.

        `served` is what a service adds to its lines; where a request with that key has begun one already, it is that.
        """
        game_id = begin(self.log, beginning, served=served)
        if self._only is not None:
            self._only.add(game_id)
        with suppress(PluginFailedError), self.kept(game_id):  # Its first line comes soon, and finds it folded.
            return game_id
        return game_id

    def to_begin_with(self) -> dict[str, Any]:
        """Return what a game can begin with: games, their editions, rulings and decks, and the last table.

        Where only some games may be seen the decks are those of the card files, and the last table one of theirs.
        """
        games = [_about(slug) | {"decks": self._decks(slug)} for slug in known_games()]
        return {"games": [each | self._versions(each["slug"]) for each in games], "last": self._last()}

    def _versions(self, slug: str) -> dict[str, Any]:
        """Return the editions of a game whose text nobody has listed: those that were played, the newest first.

        `results` says whether of the game that was played last no more than its result was written down, `roles` are
        what its players played.
        """
        if slug not in open_games():
            return {}
        played = sorted(self.log.games(game=slug), key=lambda each: each.started_at or "", reverse=True)
        known = [each.edition for each in played if each.edition != UNKNOWN]
        details = (detail_of(events) for _, events in self.log.each(played[:LATELY]))
        results = next((each for each in details if each != "begun"), "") == "results"
        roles = sorted({seat.deck for each in played for seat in each.players if seat.deck})
        told = {"editions": [*dict.fromkeys(known)] or [UNKNOWN], "results": results, "roles": roles}
        return {**told, "open": True, "fun": self.fun_scale(slug)}

    def fun_scale(self, slug: str) -> int:
        """Return out of how much most marks in the logs of a game say its fun, 10 or 5; it is 5 where there is none."""
        played = [each for each in self.log.games(game=slug) if not is_by_bots(each.game_id)]
        written = (bodies for _, bodies in self.log.bodies(played[-RATED:]) if not isinstance(bodies, LogError))
        lines = (line for bodies in written for line in bodies if f'"{tag_of(FeedbackGiven)}"' in line)
        given = [*map(msgspec.json.decode, lines)]
        of_ten = sum(FUN_OF_TEN in each.get("answers", {}) for each in given)
        return 10 if of_ten > sum("fun" in each for each in given) else 5

    def _decks(self, slug: str) -> list[tuple[str, str]]:
        try:
            decks = decks_of(self.log, slug) if self._only is None else cards_of(workspace(self.log), slug).decks
        except CardError:
            return []  # Who begins such a game is told what is wrong with its cards; the others go on.
        return [(deck.id, deck_called(deck.name)) for deck in decks.values()]

    def _last(self) -> Beginning | None:
        if self._only is None:
            return last_table(self.log)
        mine = self.games()
        return last_table(self.log, mine[0].game) if mine and self.log.games(game=mine[0].game)[-1] == mine[0] else None

    def form_code(self, game_id: str) -> str:
        """Return the code of a game's form for its players. Raises `NotAtThisDeskError`, or `UnknownGameIdError`."""
        return self._forms.code(self.stored(game_id).game_id)

    def is_form(self, code: str) -> bool:
        """Return whether a game's form has this code."""
        game_id = self._forms.game(code)
        return game_id is not None and self._may_keep(game_id)

    def game_of_form(self, code: str) -> str:
        """Return the game whose form has this code. Raises `NotAtThisDeskError` where none has."""
        game_id = self._forms.game(code)
        if game_id is None:
            raise NotAtThisDeskError("this form is closed: ask for its address once more")
        return game_id

    @contextmanager
    def kept(self, game_id: str) -> Iterator[GameAtDesk]:
        """Hold a game as the log has it now. Raises `NotAtThisDeskError`, `UnknownGameIdError`."""
        self._require(game_id)
        held = self._kept.get(game_id) or self._folded(game_id)
        with held.lock:
            held.scribe.catch_up()
            yield held

    def _folded(self, game_id: str) -> GameAtDesk:
        """Return a game that was not held, folded by one of those who ask for it; other games do not wait."""
        with self._lock:
            folding = self._folding.setdefault(game_id, RLock())
        with folding:
            try:
                held = self._kept.get(game_id) or GameAtDesk(Scribe(self.log, game_id))
                with self._lock:
                    self._kept[game_id] = held
                    if len(self._kept) > MAX_AT_ONCE:
                        del self._kept[next(iter(self._kept))]
            finally:
                with self._lock:
                    self._folding.pop(game_id, None)
        return held

    def view(self, held: GameAtDesk) -> View:
        """Return a game that is held, step by step, for viewers who may not know everything."""
        stored, events = held.scribe.stored, held.scribe.replay.events
        if stored.fingerprint not in held.views:
            replayed = replay(self.log, stored, events, traced=True)
            if not isinstance(replayed, Traced):
                raise TypeError("a traced replay was asked for")
            held.views = {stored.fingerprint: View(replayed)}
        return held.views[stored.fingerprint]

    # -- one game --------------------------------------------------------------------------------------------------

    def screen_of(self, held: GameAtDesk, viewer: str, look: Look | None = None) -> Screen:
        """Return what a viewer sees of a game that is held (see `projector.scribing.screen`)."""
        look = look or Look()
        screen = held.screens.setdefault((viewer, look.language), ViewerScreen(held.scribe, viewer))
        begins = line_of(held.scribe.replay.game.vocabulary, look.begins) if look.begins else None
        with spoken(words_in(look.language)):
            return screen.screen(look.taps, look.typed, begins, whatever=look.whatever)

    def stored(self, game_id: str) -> StoredGame:
        """Return a game as it is stored now. Raises `NotAtThisDeskError`, `UnknownGameIdError`."""
        self._require(game_id)
        return self.log.game(game_id)

    def _may_keep(self, game_id: str) -> bool:
        return self._only is None or game_id in self._only

    def _require(self, game_id: str) -> None:
        if not self._may_keep(game_id):
            raise NotAtThisDeskError(f"the game {game_id!r} is not kept here")

    def stamp(self, game_id: str) -> str:
        """Return what changes when a game does. Raises `NotAtThisDeskError`, `UnknownGameIdError`."""
        self._require(game_id)
        return self.log.fingerprints([game_id]).get(game_id) or self.stored(game_id).fingerprint

    def stamps(self, ids: Sequence[str]) -> dict[str, str]:
        """Return the stamps of some games."""
        return self.log.fingerprints(ids)


def _about(slug: str) -> dict[str, Any]:
    one = game(slug)
    return {
        "slug": slug,
        "title": one.title,
        "editions": [e.label for e in one.rulebook.editions],
        "rulings": [
            {
                "key": ruling.key,
                "question": ruling.question,
                "default": ruling.default,
                "options": [(option.name, option.text) for option in ruling.options if option.built],
            }
            for ruling in one.rulebook.by_key.values()
        ],
    }
