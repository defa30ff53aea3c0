"""The beginning of a game that is kept: who plays what, by which reading of the rules, and the same table once more."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from itertools import chain, count, product
from string import ascii_lowercase
from typing import Any, Final

import msgspec

from tabletape.events.errors import TabletapeError
from tabletape.events.log import Log
from tabletape.events.log.rows import StoredGame
from tabletape.events.log.writing import BegunError, StaleAppendError
from tabletape.events.plans import planned
from tabletape.events.vocabulary import fields_of
from tabletape.events.vocabulary.names import is_by_bots
from tabletape.events.vocabulary.open_games import open_games
from tabletape.events.vocabulary.shared import DeckDeclared, GameStarted
from tabletape.projector.archive.card_versions import texts_of
from tabletape.projector.archive.stored import cards_of, workspace
from tabletape.projector.games import game
from tabletape.projector.model.cards import Cards, Deck
from tabletape.projector.model.game import Game
from tabletape.projector.model.suggestions import nearest

SEATS: Final = "ABCDEFGH"
PASTED_LINE: Final = re.compile(r"^\s*(?:(\d{1,2})\s*[x×]?\s+)?(.+?)(?:\s+[x×]\s*(\d{1,2}))?\s*$")  # noqa: RUF001 - as people write it
RECENT: Final = 12
"""How many of the lists that were played last are offered."""


class BeginningError(TabletapeError, ValueError):
    """A game that cannot begin so; the message says what is missing or wrong."""


class NewSeat(msgspec.Struct, frozen=True, kw_only=True):
    """A player who sits down: the name, and the deck: the id of a known list, or a pasted one, one card a line.

    In a game of one's own the deck may be any word: a role, a faction.
    """

    name: str
    deck: str = ""
    pasted: str = ""


@planned
class Beginning(msgspec.Struct, frozen=True, kw_only=True):
    """What is said before a game: which, by which text and rulings, and who plays, in the order of the seats."""

    game: str
    players: tuple[NewSeat, ...]
    edition: str = ""
    rulings: Mapping[str, str] = msgspec.field(default_factory=dict)


def begin(log: Log, beginning: Beginning, now: datetime | None = None, served: Mapping[str, str] | None = None) -> str:
    """Begin a game in a log and return its id: its head and the deck lists, with the cards of today.

    `served` are keys of the envelope that a service adds to each line; where a request with them has begun a game
    already, it is that one.

    Raises `UnknownGameError`, `RulesetError`, or `BeginningError` for players or decks that cannot be, and where those
    keys have begun another table.
    """
    one = game(beginning.game)
    at = (now or datetime.now(UTC).astimezone()).replace(microsecond=0)
    names = [seating.name.strip() for seating in beginning.players]
    if not names or not all(names) or len({*names}) < len(names):
        raise BeginningError("every player needs a name, and no two the same")
    if len(names) > len(SEATS):
        raise BeginningError(f"at most {len(SEATS)} players can sit at a table")
    listed = one.rulebook.editions[0].label
    edition = beginning.edition or listed
    # Nobody has listed the editions of a game of one's own.
    one.rulebook.ruleset(listed if one.slug in open_games() else edition, beginning.rulings)
    decks = decks_of(log, one.slug)
    lists = [_deck(one.slug, decks, seating, cards_of(workspace(log), one.slug)) for seating in beginning.players]
    cards = texts_of(workspace(log), one.slug)
    while True:
        game_id = _free_id(log, one.slug, at.date())
        lines = _opening(one, beginning, edition, game_id, lists)
        events = [one.vocabulary.convert({**line, "at": at.isoformat(), **(served or {})}) for line in lines]
        try:
            log.append(game_id, events, expected_last_seq=0, cards=cards)
        except StaleAppendError:  # Somebody else has begun a game by that id meanwhile.
            continue
        except BegunError as error:
            if _table_of(log.events(log.game(error.game_id))[0]) != _table_of(events[0]):
                raise BeginningError("another table was begun with this key: take a new key for a new table") from None
            return error.game_id
        return game_id


def _opening(
    one: Game, beginning: Beginning, edition: str, game_id: str, lists: Sequence[Deck | None]
) -> Iterator[dict[str, Any]]:
    """Yield `game.started` and the deck lists as lines of a log."""
    called = [deck.id if deck is not None else new.deck for new, deck in zip(beginning.players, lists, strict=True)]
    seats = [
        {"id": seat, "name": seating.name.strip()} | ({"deck": deck} if deck else {})
        for seat, seating, deck in zip(SEATS, beginning.players, called, strict=False)
    ]
    head = {"game": one.slug, "edition": edition, "id": game_id, "players": seats, "rulings": {**beginning.rulings}}
    yield {"type": "game.started", **head}
    declared = one.vocabulary.types.get("deck.declared")
    if declared is None:
        return
    known = {field.encode_name for field in fields_of(declared)}
    for seat, deck in zip(SEATS, lists, strict=False):
        if deck is not None:
            extra = {key: value for key, value in deck.extra.items() if key in known}
            yield {"type": "deck.declared", "player": seat, "cards": deck.cards, **extra}


def _table_of(head: Any) -> tuple[Any, ...]:
    """Return what a request to begin a game says of it."""
    return head.game, head.edition, head.players, head.rulings


def _free_id(log: Log, slug: str, today: date) -> str:
    """Return an id that no game of the log has: `splicers-2026-11-22-a`, `-b` and so on, behind `-z` `-aa`."""
    taken = {each.game_id for each in log.games()}
    words = (product(ascii_lowercase, repeat=letters) for letters in count(1))
    ids = (f"{slug}-{today.isoformat()}-{''.join(word)}" for word in chain.from_iterable(words))
    return next(name for name in ids if name not in taken)


# -- decks -------------------------------------------------------------------------------------------------------------


def decks_of(log: Log, slug: str) -> dict[str, Deck]:
    """Return the deck lists to choose from by their ids: those of the card files, and those that were played last."""
    decks = dict(cards_of(workspace(log), slug).decks)
    for stored, events in log.each(log.games(game=slug)[-RECENT:]):
        seats = {player.id: player for player in stored.players}
        for event in events[: 2 * len(seats) + 1]:
            seat = seats.get(event.player) if isinstance(event, DeckDeclared) else None
            if isinstance(event, DeckDeclared) and seat is not None:
                called = seat.deck or f"{stored.game_id}-{seat.id}"
                title = seat.deck or f"As {seat.name} played it"
                decks.setdefault(called, _played(event, called, title))
    return decks


def _played(event: DeckDeclared, called: str, title: str) -> Deck:
    values = msgspec.to_builtins(event)
    extra = {key: value for key, value in values.items() if key not in {"type", "player", "cards", "seq", "at", "note"}}
    return Deck(id=called, name=title, cards=event.cards, extra=extra)


def _deck(slug: str, decks: Mapping[str, Deck], seating: NewSeat, cards: Cards[Any]) -> Deck | None:
    """Return the deck list of a player; None in a game that knows no lists, and for a mere word in one's own."""
    if seating.pasted.strip():
        like = decks.get(seating.deck)
        return pasted_deck(seating.pasted, cards, f"{seating.name.strip()}'s list", like.extra if like else {})
    if seating.deck:
        if seating.deck not in decks and slug in open_games():
            return None
        if seating.deck not in decks:
            raise BeginningError(f"there is no deck {seating.deck!r}{_meant(seating.deck, decks)}")
        return decks[seating.deck]
    if decks:
        raise BeginningError(f"{seating.name} needs a deck: choose one, or paste a list")
    return None


def _meant(word: str, known: Mapping[str, Any]) -> str:
    best = nearest(word, known)
    return f"; did you mean {best!r}?" if best else ""


def pasted_deck(text: str, cards: Cards[Any], name: str, extra: Mapping[str, Any]) -> Deck:
    """Return a deck list from text: a card a line, by name or id, with `2` or `2x` before or `x2` behind it.

    Raises `BeginningError` with the line that no card is named like.
    """
    by_name = {text.name.casefold(): key for key, text in cards.library.items()}
    by_name.update((key, key) for key in cards.library)
    listed: list[str] = []
    for number, line in enumerate(text.splitlines(), start=1):
        match = PASTED_LINE.match(line)
        if match is None or line.lstrip().startswith("#"):
            continue
        word = match[2].casefold()
        card = by_name.get(word) or by_name.get(word.replace(" ", "-"))
        if card is None:
            raise BeginningError(f"line {number} of {name}: there is no card {match[2]!r}{_meant(word, by_name)}")
        listed += [card] * int(match[1] or match[3] or 1)
    return Deck(id="pasted", name=name, cards=tuple(listed), extra=dict(extra))


# -- the same table again ----------------------------------------------------------------------------------------------


def still_kept(log: Log, games: Sequence[StoredGame]) -> list[StoredGame]:
    """Return those of some games that people keep here and that are not over, in their order."""
    kept = [each for each in games if each.file is None and not is_by_bots(each.game_id)]
    over = log.over(kept)
    return [each for each in kept if each.number not in over]


def last_table(log: Log, slug: str = "") -> Beginning | None:
    """Return the table of the game that people recorded last, of one game or of any; None where there is none."""
    recorded = reversed(log.games(game=slug or None))
    stored = next((each for each in recorded if not is_by_bots(each.game_id)), None)
    if stored is None:
        return None
    head = log.events(stored)[0]
    seats = head.players if isinstance(head, GameStarted) else ()
    decks = decks_of(log, stored.game)
    players = tuple(NewSeat(name=seat.name, deck=_deck_again(seat, stored, decks)) for seat in seats)
    return Beginning(game=stored.game, players=players, edition=stored.edition, rulings=stored.rulings)


def _deck_again(seat: Any, stored: StoredGame, decks: Mapping[str, Deck]) -> str:
    """Return the deck that a player is to have again: a list that there is, or in one's own game any word."""
    named = seat.deck if isinstance(seat.deck, str) else ""
    deck = named or f"{stored.game_id}-{seat.id}"
    return deck if deck in decks else named if stored.game in open_games() else ""
