"""What is read off a table: totals, which a log may give (`state.observed`), progress, worth, and how it is drawn."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from tabletape.events.games import duelyst as ev
from tabletape.projector.games.duelyst.state import BOARD, GENERAL, PARTS, SPELLS, Duelyst, DuelystCard, DuelystPlayer
from tabletape.projector.games.duelyst.tiles import TILES, attack_of, distance, has, is_exhausted, own_units
from tabletape.projector.games.duelyst.turn import RULES_BY_ID
from tabletape.projector.kit.memo import Memo
from tabletape.projector.kit.totals import Total, counter, read_totals, size
from tabletape.projector.model.areas import EVERYTHING, Area, Cell, Shown, back_of, shown, zone_area
from tabletape.projector.model.game import Drift
from tabletape.projector.model.phrases import name_of

SHOWN_KEYWORDS = ("provoke", "ranged", "flying", "rush", "celerity", "frenzy", "forcefield")
"""Keywords that are shown on a unit."""

OBSERVED: Final = RULES_BY_ID["duelyst.state.observed"]


def _attack(table: Duelyst, player: DuelystPlayer) -> int:
    general = table.general_of(player.id)
    return 0 if general is None else attack_of(table, general)


def _health(table: Duelyst, player: DuelystPlayer) -> int:
    general = table.general_of(player.id)
    return 0 if general is None else general.health


def _hurt(table: Duelyst, player: DuelystPlayer, by: int) -> None:
    """Change the health of a general by what it has suffered."""
    if (general := table.general_of(player.id)) is not None:
        table.count(general, "damage", -by)


READABLE_TOTALS: Final[Mapping[str, Total]] = {
    "turn": counter("the number of own turns of {}", "turns"),
    "mana": counter("the mana of {}", "mana"),
    "capacity": counter("the mana capacity of {}", "capacity"),
    "hand": size("hand"),
    "deck": size("deck"),
    "graveyard": size("graveyard"),
    "health": Total("the health of the general of {}", _health, _hurt),
    "attack": Total("the attack of the general of {}", _attack),
    "artifacts": Total("the number of artifacts of {}", lambda table, player: table.worn[player.id].size),
    "units": Total("the number of units of {}", lambda table, player: len(own_units(table, player.id))),
    "progress": counter("the MECHAZ0R! build of {}", "progress"),
}
"""What can be read off the table for a player."""
KEPT: Final = ("mana", "capacity", "health", "attack", "hand", "deck", "graveyard", "units", "artifacts", "progress")
TOTALS: Final = {name: READABLE_TOTALS[name].value for name in KEPT}


def observe(table: Duelyst, event: ev.StateObserved) -> Iterator[Drift]:
    """Return the totals that were read off beside what the log makes them."""
    if event.player is msgspec.UNSET and event.units is not msgspec.UNSET:
        yield Drift(OBSERVED, "the number of units on the board", len(table.units), event.units)
    for player, field, each in read_totals(OBSERVED, READABLE_TOTALS, table, event):
        because = _forgotten(table, player, field, each.folded - each.seen) if each.seen < each.folded else ""
        yield msgspec.structs.replace(each, because=because)


def _forgotten(table: Duelyst, player: DuelystPlayer, field: str, missing: int) -> str:
    """Return the rule that the table seems to have left out where a total was read as less than it is, or nothing."""
    if field == "graveyard":
        last = [card.text for card in table.graveyards[player.id].cards[-missing:]]
        are_spells = all(text is not None and text.kind in SPELLS for text in last)
        return "duelyst.spell.to-graveyard" if are_spells else ""
    if field in {"artifacts", "attack"}:
        worn = [card.text for card in table.worn[player.id].cards]
        return "duelyst.general.same-artifact-twice" if len(set(worn)) < len(worn) else ""
    return ""


# -- drawing -----------------------------------------------------------------------------------------------------------


def areas(table: Duelyst, viewer: str) -> list[Area]:
    """Return the table as a viewer sees it: far hand, what the far player wears, the board, and the near player's."""
    turn = f"Turn {table.turn}: {name_of(table, table.active)}" if table.active else ""
    drawn = [Area(name=BOARD, title="Board", shape="grid", line=2, cells=tuple(_cells(table)), caption=turn)]
    for player in table.players.values():
        edge, inner = ((4, 3), (0, 1))[player.seat]
        drawn.append(_hand(table, player, viewer, edge))
        drawn.append(_artifacts(table, player, inner))
        drawn.extend(_pile(table, player, kind, edge) for kind in ("deck", "graveyard"))
    return drawn


def _cells(table: Duelyst) -> Iterator[Cell]:
    """Yield the tiles; where several units stand on one, against the rules, the last lies on the others."""
    units: dict[Any, list[DuelystCard]] = {}
    for unit in table.units:
        units.setdefault(unit.place, []).append(unit)
    for tile in (*TILES, *(place for place in units if place not in TILES)):
        here = [_unit(table, each) for each in reversed(units.get(tile, []))]
        card = msgspec.structs.replace(here[0], under=tuple(here[1:])) if here else None
        yield Cell(row=tile[0], column=tile[1], place=tile, card=card, mark="globe" if tile in table.globes else "")


def _unit(table: Duelyst, unit: DuelystCard) -> Shown:
    marks = [keyword for keyword in SHOWN_KEYWORDS if has(table, unit, keyword)]
    marks += [f"build {unit.building}"] if unit.building else []
    marks += [word for word in ("stunned", "dispelled", "ephemeral") if getattr(unit, word)]
    value = f"{attack_of(table, unit)}/{unit.health}" if unit.text.id in table.library else "?/?"
    return shown(unit, value, marks, exhausted=is_exhausted(table, unit))


def _hand(table: Duelyst, player: DuelystPlayer, viewer: str, line: int) -> Area:
    zone = table.hands[player.id]
    cards = [_card(table, card) for card in zone.cards] if viewer in {player.id, EVERYTHING} else []
    spell = f"bloodbound spell ready{' ' + str(player.bloodbound) if player.bloodbound > 1 else ''}"
    words = [f"mana {player.mana} of {player.capacity}", *([spell] if player.bloodbound else [])]
    words += [f"MECHAZ0R! {player.progress} of {PARTS}"] if player.progress else []
    return zone_area(zone, f"{player.name}'s hand", cards, (line, 0), shape="hand", caption=", ".join(words))


def _card(table: Duelyst, card: DuelystCard) -> Shown:
    text = card.text
    if text is None:
        return back_of(table, card)
    body = f"{text.attack}/{text.health}" if text.kind in {GENERAL, "minion", "token"} else text.kind
    return shown(card, text.cost, (body,))


def _artifacts(table: Duelyst, player: DuelystPlayer, line: int) -> Area:
    zone = table.worn[player.id]
    general = table.general_of(player.id)
    caption = "" if general is None else f"{general.text.name}: {attack_of(table, general)}/{general.health}"
    cards = [shown(card, card.durability) for card in zone.cards]
    return zone_area(zone, f"{player.name}'s artifacts", cards, (line, 0), caption=caption)


def _pile(table: Duelyst, player: DuelystPlayer, kind: str, line: int) -> Area:
    zone = table.zones[f"{kind}:{player.id}"]
    cards = [_card(table, card) for card in zone.cards[-1:]] if kind == "graveyard" else []
    return zone_area(zone, f"{player.name}'s {kind}", cards, (line, 1 if kind == "deck" else 2), shape="pile")


def progress(table: Duelyst, player: str) -> float:
    """Return the share of the enemy general's health that is gone, between 0 and 1."""
    side = table.players[player]
    enemy = table.players.get(side.opponent)
    general = table.find(enemy.general) if enemy is not None and enemy.general else None
    if general is None or general.text.health <= 0:
        return 0.0
    left = general.health if general.zone.name == BOARD else 0
    return float(min(max((general.text.health - left) / general.text.health, 0.0), 1.0))


def dimensions(table: Duelyst, player: str) -> dict[str, str]:
    """Return the columns of a seat: faction and general."""
    general = table.find(table.players[player].general)
    text = None if general is None else general.text
    return {"faction": "" if text is None else text.faction, "general": "" if text is None else text.id}


# -- how good a table looks --------------------------------------------------------------------------------------------


HAND_WORTH: Final = 0.3
"""What a card in the hand is worth."""
MINION: Final = 0.6
"""What the health of a minion is worth; that of a general is worth 1, and so is all attack."""
NEARER: Final = 0.1
"""What it is worth that a minion stands a tile nearer to the other general."""
AWAY: Final = Memo(lambda goal: Memo(lambda tile: NEARER * distance(tile, goal)))
"""What it costs to stand away from a tile, by that tile and one's own."""


def value(table: Duelyst, player: str) -> float:
    """Return how good a table is for a player: the generals, what stands on the board and how near, cards and mana."""
    other = table.players[player].opponent
    generals = {player: table.general_of(other), other: table.general_of(player)}
    away = {each: None if enemy is None else AWAY[enemy.place] for each, enemy in generals.items()}
    worth = {each: HAND_WORTH * table.hands[each].size + 0.5 * len(table.worn[each].cards) for each in generals}
    for unit in table.units:
        text, owner = unit.text, unit.owner
        health = text.health + unit.health_change - unit.damage
        if text.kind == GENERAL:
            worth[owner] += health + attack_of(table, unit)
            continue
        worth[owner] += MINION * health + attack_of(table, unit)
        farther = away[owner]
        if farther is not None:
            worth[owner] -= farther[unit.place]
    return worth[player] - worth[other]
