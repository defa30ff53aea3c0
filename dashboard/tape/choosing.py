"""What is asked for by its name: stored games, kinds of games, and a reading of the rulebook."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypedDict

from tabletape.events.errors import RefusedError
from tabletape.events.log import Log
from tabletape.events.log.rows import StoredGame
from tabletape.events.vocabulary import game_problems, known_games
from tabletape.events.vocabulary.names import is_by_bots
from tabletape.events.vocabulary.open_games import open_games
from tabletape.projector.archive.card_versions import TODAY
from tabletape.projector.archive.stored import RulesetOverride
from tabletape.projector.games import game, games
from tabletape.projector.model.game import Game
from tabletape.projector.model.suggestions import unknown

Rulings = Mapping[str, str] | Sequence[str] | None
"""Rulings by their keys, or each written `key=option`."""


class HowRead(TypedDict, total=False):
    """How games are read otherwise than their tables did: by an edition, by rulings, by the cards of `now`."""

    edition: str
    rulings: Rulings
    cards: str


def chosen_games(name: str) -> list[Game]:
    """Return the game of a name, or all games where it is empty. Raises `RefusedError` where there is none."""
    return [chosen_game(name)] if name else [game(slug) for slug in games()]


def chosen_game(name: str) -> Game:
    """Return the game of a name. Raises `RefusedError` where there is none."""
    require_game(name)
    return game(name)


def require_game(name: str) -> None:
    """Raise `RefusedError` where no game has a name that is not empty; the game itself is not loaded."""
    if name and name not in known_games():
        raise RefusedError(game_problems().get(name) or unknown("game", name, known_games()))


def require_bots(one: Game) -> None:
    """Raise `RefusedError` where bots cannot play a game (`why_no_bots`)."""
    if why := why_no_bots(one):
        raise RefusedError(why)


def why_no_bots(one: Game) -> str:
    """Return why bots cannot play a game, empty where they can: by rules, to an end that one of them says."""
    described = open_games().get(one.slug)
    if one.rulebook.open:
        return f"{one.title} has no rules that bots could play by; its logs are imported, audited and counted"
    if described is None or described.rules is None or described.rules.ends:
        return ""
    stated = "`[end.NAME]` in its file does, or a sentence on My game"
    return f"bots play by rules to the end, and no sentence says how {one.title} ends: {stated}"


def reading(  # noqa: PLR0913 - what is asked, and of which games
    edition: str,
    rulings: Rulings,
    concerned: Sequence[Game],
    cards: str = "",
    *,
    new: bool = False,
    chosen: Sequence[StoredGame] = (),
) -> RulesetOverride:
    """Return the reading that an edition, rulings and cards ask for, of the games that it concerns.

    For `new` games rulings may also be variants, which a table chooses. An edition that all `chosen` games name is one.

    Raises `RefusedError` for a ruling that is not written `key=option` and for cards of any day but today's,
    `RulesetError` for a ruling that no game has.
    """
    if cards not in {"", TODAY}:
        raise RefusedError(f"games are read by the cards that they were recorded under, or by --cards {TODAY}")
    asked = RulesetOverride(edition, dict(rulings) if isinstance(rulings, Mapping) else _pairs(rulings or ()), cards)
    named = {each.edition for each in chosen}
    asked.require(concerned, new=new, written=named if len(named) == 1 else ())
    return asked


def _pairs(rulings: Sequence[str]) -> dict[str, str]:
    """Return rulings that are each written `key=option`."""
    pairs = {}
    for each in rulings:
        key, equals, option = (part.strip() for part in each.partition("="))
        if not (key and equals and option):
            raise RefusedError(f"a ruling is written KEY=OPTION, not {each!r}; `tabletape rules --rulings` lists them")
        pairs[key] = option
    return pairs


def concerned_by(chosen: Sequence[StoredGame], name: str = "") -> list[Game]:
    """Return the kinds of some stored games; where there are none, the game of a name, or all."""
    slugs = {each.game for each in chosen} & {*known_games()}
    return [game(slug) for slug in sorted(slugs)] or chosen_games(name)


def counted_games(log: Log, name: str, *, bots: bool) -> list[StoredGame]:
    """Return the stored games of people, or those of bots; all, or those of one game. Raises as `stored_games` does."""
    return [each for each in stored_games(log, None, name) if is_by_bots(each.game_id) == bots]


def stored_games(log: Log, ids: Sequence[str] | None, name: str) -> list[StoredGame]:
    """Return the stored games with the given ids, or all (of one game), each in its latest revision.

    Raises `UnknownGameIdError` for an id that is not in the log, `RefusedError` for a file in place of an id.
    """
    require_game(name)
    if not ids:
        return log.games(game=name or None)
    stored = {each.game_id: each for each in log.games(ids=ids)}
    for each in ids:
        if each in stored:
            continue
        if Path(each).exists():
            raise RefusedError(f"{each} is a file, not a stored game: `tabletape import {each}` first, then ask again")
        log.game(each)
    return [stored[each] for each in dict.fromkeys(ids) if not name or stored[each].game == name]
