"""Stored games as replays: the log, the designer's own cards that lie beside it, and how the rulebook is to be read.

The workspace is the folder of the log (the working folder where the log lives on a server). A designer's own cards lie
there as `cards/<game>.toml`, in the form of the built-in `cards.toml`, and are laid over the built-in ones.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from tabletape.events.importing import Known, Options
from tabletape.events.log import Log
from tabletape.events.log.game_source import GameSource
from tabletape.events.log.rows import StoredGame
from tabletape.events.log.schema import address, file_of
from tabletape.events.time_zone import zone_of
from tabletape.events.vocabulary import Event, Vocabulary, fields_of, note_of
from tabletape.events.vocabulary.open_games import look_in, open_games
from tabletape.events.workspace_files import lies_there, stamp_of
from tabletape.projector.archive.card_versions import TODAY, kept_cards, own_file, read_text, readable_cards, texts_of
from tabletape.projector.games import built_in_games, game, games, package_of, title_of
from tabletape.projector.model.cards import CardError, Cards, require_known
from tabletape.projector.model.game import Game
from tabletape.projector.model.rulebook import RulesetError
from tabletape.projector.model.suggestions import unknown

if TYPE_CHECKING:
    from tabletape.projector.fold.replay import Replay


class RulesetOverride(msgspec.Struct, frozen=True):
    """How to read games: an edition and rulings laid over what their logs say; empty: as their tables read them.

    `cards` is `now` to read games by today's cards, and empty for those that they were recorded under.
    """

    edition: str = ""
    rulings: Mapping[str, str] = msgspec.field(default_factory=dict)
    cards: str = ""

    def of(self, one: Game) -> "RulesetOverride":
        """Return what concerns one game: another game's edition and rulings are left out."""
        labels = one.rulebook.labels
        rulings = {key: option for key, option in self.rulings.items() if key in one.rulebook.by_key}
        return RulesetOverride(self.edition if self.edition in labels else "", rulings, self.cards)

    def require(self, games: Sequence[Game], *, new: bool = False, written: Collection[str] = ()) -> None:
        """Raise `RulesetError` unless the edition, each ruling and its option belong to one of the games.

        What a table chooses can be asked for in `new` games alone. `written` are editions that logs name: by the one
        of its own log each game can be read, whether its rulebook lists it or not.
        """
        for one in games:
            mine = self.of(one)
            one.rulebook.ruleset(mine.edition or one.rulebook.editions[0].label, mine.rulings)
            for key in mine.rulings.keys() & one.rulebook.chosen if not new else ():
                said = "a table chooses that before a game, so the log says it, and no other reading changes it"
                raise RulesetError(f"{key} is a variant of {one.title}: {said}")
        keys = dict.fromkeys(key for one in games for key in one.rulebook.by_key)
        for key in self.rulings:
            if key not in keys:
                raise RulesetError(unknown("ruling", key, keys))
        labels = dict.fromkeys(each.label for one in games for each in one.rulebook.editions)
        labels |= dict.fromkeys(written)
        if self.edition and self.edition not in labels:
            raise RulesetError(unknown("edition", self.edition, labels))


AS_PLAYED = RulesetOverride()
"""Every game as its own table read the rulebook."""


def workspace(source: GameSource) -> Path:
    """Return the folder that games, the designer's own cards and the datasets share."""
    return source.workspace


def workspace_at(url: str | Path) -> Path:
    """Return the workspace of the log at a file name or database URL, whether it exists yet or not.

    Its games without rules are known from here on.
    """
    folder = _folder(file_of(address(url)))
    look_in(folder)
    return folder


def _folder(file: Path | None) -> Path:
    return Path.cwd() if file is None else file.absolute().parent


def cards_of(folder: Path, slug: str) -> Cards[Any]:
    """Return the cards of a game: the built-in ones and over them those of `cards/<game>.toml` in a workspace.

    Raises `CardError` with file, line and card where the designer's own cannot be read.
    """
    built_in: Cards[Any] = game(slug).cards
    file = own_file(folder, slug)
    return built_in.plus(_own_cards(file, slug, stamp_of(file))) if lies_there(file) else built_in


def usable_cards(folder: Path, slug: str) -> tuple[Cards[Any], tuple[str, ...]]:
    """Return the cards of a game as `cards_of` without those that today's rules refuse, and what is wrong with these.

    Raises `CardError` where the designer's own file is none of cards at all.
    """
    try:
        return cards_of(folder, slug), ()
    except CardError as error:
        one, file = game(slug), own_file(folder, slug)
        own, refused = readable_cards(one, read_text(file), str(file))
        cards = one.cards.plus(own).without(refused.keys() - own.library.keys())
        return cards, tuple(refused.values()) or (str(error),)


def _printed(words: Vocabulary, library: Mapping[str, Any]) -> Mapping[str, frozenset[str]]:
    """Return what stands on the cards of a library for each field of a vocabulary that is marked with it."""
    marks = {note_of(field.type, "printed in") for each in words.types.values() for field in fields_of(each)}
    texts = {mark: [getattr(card.says, mark) for card in library.values()] for mark in marks - {None}}
    return {mark: frozenset(line for lines in each for line in lines) for mark, each in texts.items()}


def known_of(folder: Path, slug: str) -> Known:
    """Return the cards, rulings and editions of a game that an import checks names against, with a workspace's cards.

    A card of the workspace that today's rules refuse is unknown to its games, and the others are not touched. Raises
    `UnknownGameError` where there are no rules for the game, `CardError` where its file is none of cards at all.
    """
    one = game(slug)
    rulebook = one.rulebook
    rulings = {key: tuple(option.name for option in each.options) for key, each in rulebook.by_key.items()}
    editions = tuple(edition.label for edition in rulebook.editions) if rulebook.source else ()
    if not one.cards.library:
        return Known(None, rulings, editions)
    cards, refused = usable_cards(folder, slug)
    library = cards.library
    names = {card.name: key for key, card in library.items()}
    made = frozenset(key for key, card in library.items() if card.kind in one.cards.makes)
    printed = _printed(one.vocabulary, library)
    return Known(library.keys(), rulings, editions, texts_of(folder, slug), names, printed, made, refused)


def sources_of(folder: Path, slug: str) -> tuple[Path, ...]:
    """Return the files that `known_of` reads a game from, without loading it; none for a game that does not live here.

    As long as they are the same, the same is known of the game.
    """
    spec = find_spec(package_of(slug)) if slug in built_in_games() else None
    if spec is None or spec.origin is None:
        return ()
    home, ours = Path(spec.origin).parent, Path(__file__).parent
    sources = [*home.rglob("*.py"), *home.rglob("*.toml"), *(ours.parent / "model").glob("*.py"), *ours.glob("*.py")]
    return tuple(sorted(each for each in (*sources, own_file(folder, slug)) if each.is_file()))


def import_options(folder: Path) -> Options:
    """Return the options of an import that a workspace says: the cards and maps that lie there, its games, its zone.

    Raises `LogError` where the file with the zone cannot be read.
    """
    return Options(
        known=partial(known_of, folder),
        sources=partial(sources_of, folder),
        workspace=folder,
        titles=titles(),
        zone=zone_of(folder),
    )


def titles() -> dict[str, str]:
    """Return the slugs of all games by their titles, in small letters: a log may name its game by either."""
    return {title_of(slug).casefold(): slug for slug in (*games(), *open_games())}


@cache
def _own_cards(file: Path, slug: str, _changed_at: int) -> Cards[Any]:
    """Read a designer's own cards, once for as long as the file does not change."""
    source = read_text(file)
    one = game(slug)
    own = one.read_cards(source, str(file))
    require_known(own, one.cards.plus(own), source, str(file))
    return own


def replay_of(
    log: Log, game_id: str, *, reading: RulesetOverride = AS_PLAYED, traced: bool = False, revision: int | None = None
) -> "Replay":
    """Fold a stored game. Raises `UnknownGameIdError` where there is none, `RulesetError` for an impossible reading."""
    stored = log.game(game_id, revision)
    return replay(log, stored, log.events(stored), reading=reading, traced=traced)


def replay(
    source: GameSource,
    stored: StoredGame,
    events: Sequence[Event],
    *,
    reading: RulesetOverride = AS_PLAYED,
    traced: bool = False,
) -> "Replay":
    """Fold the events of a stored game with the cards that it was recorded under, or with those of today.

    Raises `CardError` where the kept cards cannot be read.
    """
    one = game(stored.game)
    mine = reading.of(one)
    kept_texts = None if mine.cards == TODAY else kept_cards(source, stored)
    from tabletape.projector.fold.folding import fold  # noqa: PLC0415 - who only asks for cards does not wait for the fold

    library = (cards_of(workspace(source), stored.game) if kept_texts is None else kept_texts).library
    replayed = fold(one, events, edition=mine.edition, rulings=mine.rulings, library=library, traced=traced)
    if changed := source.changed_lines(stored):
        replayed.read_as = changed
    return replayed


def replays(
    log: Log, games: Iterable[StoredGame], *, reading: RulesetOverride = AS_PLAYED
) -> Iterator[tuple[StoredGame, "Replay"]]:
    """Fold many games, one after the other; only one is in memory at a time."""
    for stored, events in log.each(games):
        yield stored, replay(log, stored, events, reading=reading)
