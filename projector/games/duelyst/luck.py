"""The lines that luck writes in a simulated game, and how good a table looks to a greedy bot."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import msgspec

from events.games import duelyst as ev
from events.vocabulary import Event
from projector.games.duelyst.board import next_name
from projector.games.duelyst.chapters.mulligan import OPENING_HAND
from projector.games.duelyst.owed import enemy_minions, is_again, owed_now
from projector.games.duelyst.pets import choices_of
from projector.games.duelyst.state import GENERAL, Duelyst, DuelystPlayer, general_of
from projector.games.duelyst.tasks import Owed
from projector.games.duelyst.tiles import attack_of, distance, free_beside, own_units, unit_called
from projector.model.due import Asked, Due, draw_due, options_of
from projector.model.game import Dice

WON = 1000.0
"""What a won game is worth; far more than anything on the board."""


def due(table: Duelyst) -> list[Due]:
    """Return the lines that luck has to write now; those of the set-up in any order."""
    if table.over:
        return []
    if not table.turn:
        return list(_set_up(table))
    owed = owed_now(table)
    return [] if owed is None else DUE[owed.line](table, owed)


def _asking(line: type[Event], known: dict[str, Any], rule: str, options: tuple[Mapping[str, Any], ...]) -> Due:
    return Due(line=line, known=known, rule=rule, asked=Asked(kind="option", options=options))


def _set_up(table: Duelyst) -> Iterator[Due]:
    players = list(table.players.values())
    if not all(player.listed for player in players):
        return
    for player in players:
        if not player.shuffled:
            known = {"player": player.id, "reason": "setup"}
            yield Due(line=ev.DeckShuffled, known=known, rule="duelyst.setup.shuffle-decks")
        elif not player.opened:
            zone = table.decks[player.id].name
            yield draw_due(table, ev.CardsDrawn, zone, OPENING_HAND, "duelyst.setup.draw-five", player=player.id)
    if not table.chosen:
        ids = [player.id for player in players]
        options = options_of("player", ids[:1] if table.options["first_player"] == "first_seat" else ids)
        begins = _asking(ev.FirstPlayerChosen, {"method": "seat"}, "duelyst.setup.first-seat-begins", options)
        yield msgspec.structs.replace(begins, optional=True)


def _draw_due(table: Duelyst, owed: Owed) -> list[Due]:
    """Return the draw that is owed; a card that was put back is shuffled in after another one was drawn (ruling)."""
    zone = table.decks[owed.player].name
    found = draw_due(table, ev.CardsDrawn, zone, owed.count, owed.rule, player=owed.player)
    if not owed.besides or found.asked is None:
        return [found]
    asked = msgspec.structs.replace(found.asked, put_back=(owed.besides,), put_back_first=is_again(table))
    return [msgspec.structs.replace(found, asked=asked)]


def _token_due(table: Duelyst, owed: Owed) -> list[Due]:
    unit = unit_called(table, owed.beside)
    tiles = sorted(free_beside(table, unit.place if unit is not None else None))
    known = {"unit": next_name(table, owed.player, owed.card), "source": owed.source}
    return [_asking(ev.TokenSummoned, known, owed.rule, options_of("tile", tiles))]


def _target_due(table: Duelyst, owed: Owed) -> list[Due]:
    names = [unit.name for unit in enemy_minions(table, owed.player)]
    return [_asking(ev.TargetPicked, {"source": owed.source}, owed.rule, options_of("target", names))]


def _pet_due(table: Duelyst, owed: Owed) -> list[Due]:
    pet = unit_called(table, owed.source)
    if pet is None:
        return []
    permitted = sorted(choices_of(table, pet).permitted, key=str)
    options = tuple(
        {name: value for name, value in (("to", tile), ("target", target)) if value is not None}
        for tile, target in permitted
    )
    return [_asking(ev.PetActed, {"unit": pet.name}, owed.rule, options)]


DUE: Final[Mapping[type[Event], Callable[[Duelyst, Owed], list[Due]]]] = {
    ev.CardsDrawn: _draw_due,
    ev.TokenSummoned: _token_due,
    ev.TargetPicked: _target_due,
    ev.PetActed: _pet_due,
}


def fill_in_chance(_table: Duelyst, event: Event, dice: Dice) -> Event:
    """Return a mulligan with the cards that are drawn for it; the cards put back are shuffled in after that."""
    if not isinstance(event, ev.MulliganTaken) or not event.returned:
        return event
    drawn = dice.draw(event.player, len(event.returned))
    dice.shuffle(event.player, add=event.returned)
    return msgspec.structs.replace(event, drawn=drawn)


# -- value -------------------------------------------------------------------------------------------------------------


def value(table: Duelyst, player: str) -> float:
    """Return how good a table is for a player: the generals, what stands on the board and how near, cards and mana."""
    if table.over:
        return WON if table.winner == player else -WON if table.winner else 0.0
    side = table.players[player]
    return _strength(table, side) - _strength(table, table.players[side.opponent])


def _strength(table: Duelyst, side: DuelystPlayer) -> float:
    enemy = general_of(table, side.opponent)
    worth = 0.3 * table.hands[side.id].size + 0.5 * len(table.worn[side.id].cards)
    for unit in own_units(table, side.id):
        worth += unit.health * (1.0 if unit.text.kind == GENERAL else 0.6) + attack_of(table, unit)
        if enemy is not None and unit.text.kind != GENERAL:
            here: Any = unit.place
            goal: Any = enemy.place
            worth -= 0.1 * distance(here, goal)
    return worth
