"""Cards have versions: a game is read by the card texts that it was recorded under, whatever the cards say today.

The log keeps the card files of each import. A game whose cards all say today what they said then is a game of today's
cards; one with a card that was changed since belongs to the version of its own files.
"""

import hashlib
import re
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import msgspec

from tabletape.events.log.bodies import Bodies
from tabletape.events.log.game_source import GameSource
from tabletape.events.log.rows import CardTexts, StoredGame
from tabletape.events.log.schema import LogError
from tabletape.events.workspace_files import lies_there, stamp_of, text_of
from tabletape.projector.games import game, package_of
from tabletape.projector.model.cards import CardError, Cards
from tabletape.projector.model.game import Game

TODAY: Final = "now"
"""How a reading says that games are to be read by today's cards."""

_ENTRY: Final = re.compile(r"\s*\[\[\s*(card|deck)\s*\]\]")
_WORD: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def texts_of(folder: Path, slug: str) -> CardTexts | None:
    """Return today's card files of a game as text, with the designer's own of a workspace; None without a built-in one.

    Raises `CardError` where the own file is not UTF-8.
    """
    own = own_file(folder, slug)
    return _texts_of(slug, own, stamp_of(own) if lies_there(own) else None)


@lru_cache(maxsize=64)
def _texts_of(slug: str, own: Path, changed_at: int | None) -> CardTexts | None:
    built_in = _built_in(slug)
    return CardTexts(built_in, read_text(own) if changed_at is not None else "") if built_in else None


@cache
def _built_in(slug: str) -> str:
    if game(slug).rulebook.open:
        return ""
    try:
        return files(package_of(slug)).joinpath("cards.toml").read_text(encoding="utf-8")
    except (ModuleNotFoundError, FileNotFoundError):
        return ""


def own_file(folder: Path, slug: str) -> Path:
    """Return where the designer's own cards of a game lie in a workspace."""
    return folder / "cards" / f"{slug}.toml"


def read_text(file: Path) -> str:
    """Return the text of a card file. Raises `CardError` where it cannot be read, or is not UTF-8."""
    try:
        return text_of(file)
    except OSError as error:
        raise CardError(f"{file}: {error.strerror}") from None


@lru_cache(maxsize=64)
def cards_from(slug: str, texts: CardTexts) -> Cards[Any]:
    """Return the cards of kept card files, as far as today's rules can read them.

    A card that they refuse, though it could be read once, is unknown to its games, and the others are not touched.
    Raises `CardError` where a file is none of cards at all.
    """
    one = game(slug)
    name = f"the kept cards of {one.title}"
    try:
        is_todays = texts.built_in == _built_in(slug)
        built_in = one.cards if is_todays else readable_cards(one, texts.built_in, name)[0]
        own, refused = readable_cards(one, texts.own, name)
    except CardError as error:
        raise CardError(f"{error}; read the games by today's cards: --cards {TODAY}") from None
    return built_in.plus(own).without(refused.keys() - own.library.keys())


def readable_cards(one: Game, source: str, name: str) -> tuple[Cards[Any], dict[str, str]]:
    """Return the cards of a file without the entries that today's rules refuse, and why, by the ids of those cards.

    Of two cards with one id the first is read, and what is wrong with a deck or a card without an id stands by itself.

    Raises `CardError` where the file is none of cards at all.
    """
    refused: dict[str, str] = {}
    while True:
        try:
            return one.read_cards(source, name), refused
        except CardError as error:
            if not error.line or (rest := _without_entry(source, error.line)) == source:
                raise
            source = rest
            refused[error.card or str(error)] = str(error)


def _without_entry(source: str, line: int) -> str:
    """Return a card file without the entry that has a line; all others stay in their lines."""
    lines = source.splitlines()
    starts = [number for number, text in enumerate(lines) if _ENTRY.match(text)]
    start = max((each for each in starts if each < line), default=len(lines))
    end = min((each for each in starts if each > start), default=len(lines))
    return "\n".join([*lines[:start], *[""] * (end - start), *lines[end:]])


def kept_cards(source: GameSource, stored: StoredGame) -> Cards[Any] | None:
    """Return the cards that a game was recorded under; None where none are kept. Raises as `cards_from`."""
    texts = source.card_texts(stored)
    return None if texts is None else cards_from(stored.game, texts)


def version_of(source: GameSource, stored: StoredGame, today: CardTexts | None) -> str:
    """Return eight digits that stand for the cards of a game; empty where they all say `today` what they said then.

    Only cards that the log of the game names count. Raises as `cards_from` does.
    """
    texts = source.card_texts(stored)
    if texts is None or today is None or texts == today:
        return ""
    changed = _changed(stored.game, texts, today)
    if not changed or not any(changed & _named(bodies) for _, bodies in source.bodies([stored])):
        return ""
    return hashlib.sha256(f"{texts.built_in}\n{texts.own}".encode()).hexdigest()[:8]


@lru_cache(maxsize=64)
def _changed(slug: str, then: CardTexts, today: CardTexts) -> frozenset[str]:
    """Return the ids of the cards that say something else today, nothing any more, or nothing that was read then."""
    before, now = (
        {id_: msgspec.json.encode(text) for id_, text in cards_from(slug, texts).library.items()}
        for texts in (then, today)
    )
    return frozenset(id_ for id_ in before.keys() | now.keys() if now.get(id_) != before.get(id_))


def _named(bodies: Bodies) -> set[str]:
    """Return all words of a log that could be the id of a card; none where it cannot be read."""
    if isinstance(bodies, LogError):
        return set()
    return {word for body in bodies for word in _WORD.findall(body)}
