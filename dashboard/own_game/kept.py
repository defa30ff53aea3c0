"""A game that was kept in the scribe while its file named no move: what was done with cards in it becomes its moves.

The lines stay as they were written; a new revision of each game says them as moves, so that rules can look at them.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from tabletape.dashboard.own_game.file import DRAWN, SaidMove, move_table, with_changes, write_checked
from tabletape.dashboard.own_game.look import FirstLook
from tabletape.events.log import Log
from tabletape.events.log.revising import store_revision
from tabletape.events.log.rows import StoredGame
from tabletape.events.rules_file.cards import UNCOUNTED, properties_in
from tabletape.events.rules_file.scope import card_id
from tabletape.events.toml_text import toml_of
from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.names import card_of, is_unseen
from tabletape.events.vocabulary.open_games import games_of
from tabletape.events.vocabulary.tabletop import CardMoved, CardsDrawn
from tabletape.events.workspace_files import text_of
from tabletape.projector.fold.taken_back import standing
from tabletape.projector.tabletop.as_moves import DRAW, as_move, done_in

_PLACES: Final = {"table": ("table", "open"), "elsewhere": ("table", "open"), "discard": ("discard", "shared")}
"""Where a card is laid, as lines of every table say it: the zone of a file that this is, and whose it is."""

_SENTENCES: Final = {"play": "{player} plays[ {cards}]", "discard": "{player} discards[ {cards}]"}


class KeptGames(NamedTuple):
    """What was done in games that were kept, how often, with which kinds of cards, and what of that the file lacks."""

    times: Mapping[str, int]
    kinds: tuple[str, ...]
    lines: int = 0

    @property
    def look(self) -> FirstLook:
        """What is seen of the game, for a person to confirm."""
        return FirstLook((), self.times, {move: (move,) for move in self.times}, {}, self.kinds)


def kept_games(stored: Sequence[StoredGame], log: Log, text: str) -> KeptGames:
    """Return what stored games of a file's game say that is none of its moves; undone lines say nothing."""
    raw = toml_of(text)
    cards, moves = raw.get("cards", {}), raw.get("move", {})
    known = {card_id(kind) for kind in properties_in(cards).get("kind", ())}
    # Where more than a kind is printed on cards, or how many there are of each, nobody can add one by its name.
    is_whole = bool(cards.keys() - {"kind", "copies"}) or cards.get("copies", UNCOUNTED) != UNCOUNTED
    times, kinds, lines = Counter[str](), dict[str, None](), 0
    for each in stored:
        for event in _standing(log.events(each)):
            if not (done := done_in(event)):
                continue
            named = (event.cards or ()) if isinstance(event, CardsDrawn) else (getattr(event, "card", ""),)
            new = {card_of(card) for card in named if not is_unseen(card)} - known
            if done == DRAW or not new or not is_whole:
                times[done] += done not in moves
                kinds |= {card.replace("-", " "): None for card in sorted(new) if not is_whole}
                lines += done != DRAW and (bool(new) or done not in moves or as_move(each.game, event) is not event)
    return KeptGames({move: number for move, number in times.items() if number}, tuple(kinds), lines)


def _standing(events: Sequence[Event]) -> Iterator[Event]:
    """Yield the events that were not taken back."""
    yield from standing(events, [each.seq for each in events if isinstance(each.seq, int)]).values()


def name_moves(file: Path, look: FirstLook, stored: Sequence[StoredGame], log: Log) -> int:
    """Write what a person calls the moves and kinds of cards into the file of a game, and return how many lines say so.

    A game with such lines gets a new revision, in which they are lines of these moves. Raises `GameFileError` where the
    file could not be so, and then nothing is written, and `StaleAppendError` where somebody writes to a game meanwhile.
    """
    text = with_changes(text_of(file), _tables(toml_of(text_of(file)), look, _laid_in(stored, log)))
    games_of(file.name, file.stem, text)
    write_checked(file, text)
    return sum(_revised(each, log) for each in stored)


def _laid_in(stored: Sequence[StoredGame], log: Log) -> dict[str, tuple[str, str]]:
    """Return in which zone each thing that is done lays its card, where every line of it lays it in the same one."""
    zones: dict[str, set[tuple[str, str]]] = {}
    for event in (event for each in stored for event in _standing(log.events(each))):
        if (done := done_in(event)) and isinstance(event, CardMoved):
            zones.setdefault(done, set()).add(_PLACES[event.to])
    return {done: zone for done, (zone, *others) in zones.items() if not others}


def _tables(raw: Mapping[str, Any], look: FirstLook, laid: Mapping[str, tuple[str, str]]) -> dict[str, Any]:
    """Return the tables of the moves and the kinds of cards that a file has not; a move goes on laying as is `laid`."""
    cards = raw.get("cards", {})
    moves = {
        move: {"called": [*words], "owed": True, **DRAWN} if DRAW in words else _table(move, words)
        for move, words in look.called.items()
        if move not in raw.get("move", {})
    }
    zones: dict[str, str] = {}
    for move, table in moves.items():
        done = next((word for word in (move, *look.called[move]) if word in laid), "")
        if done and "does" not in table:
            zone, kind = laid[done]
            zones[zone], table["does"] = raw.get("zones", {}).get(zone, kind), [f"cards -> {zone}"]
    return {
        **({"zones": zones} if zones else {}),
        "cards": {"kind": [*cards.get("kind", ()), *look.cards], "copies": cards.get("copies", UNCOUNTED)},
        **({"move": moves} if moves else {}),
    }


def _table(move: str, words: Sequence[str]) -> dict[str, Any]:
    """Return the table of a move with cards of the hand, and its line as the table says it."""
    said = {"sentence": _SENTENCES[move]} if move in _SENTENCES else {}
    return {**said, **move_table(SaidMove(move, tuple(words), cards="!")).unwrap()}


def _revised(stored: StoredGame, log: Log) -> int:
    """Store a game with its lines as moves where it has such lines, and return how many these are."""
    events = log.events(stored)
    count = {id(event) for event in _standing(events)}
    told = [as_move(stored.game, event) if id(event) in count else event for event in events]
    changed = sum(one is not other for one, other in zip(events, told, strict=True))
    if changed:
        store_revision(log, stored, told, f"{stored.game_id} (kept: its moves are named)")
    return changed
