"""What is judged outside the rows: lines that come too early or too late, and observed totals."""

from collections.abc import Callable, Iterator
from typing import Any, Final

from msgspec import UNSET

from events.games import duelyst as ev
from projector.games.duelyst.agenda import due_now
from projector.games.duelyst.book import BY_ID
from projector.games.duelyst.doubt import unchecked_text
from projector.games.duelyst.hands import drawn_by
from projector.games.duelyst.naming import owed_in_words
from projector.games.duelyst.overdue import overdue
from projector.games.duelyst.state import BOARD, SPELLS, Duelyst, DuelystPlayer, general_of
from projector.games.duelyst.tiles import attack_of, own_units
from projector.model.game import Drift, RuleVerdict
from projector.model.rules import Broken

ANY_TIME: Final = frozenset({ev.PlayerConceded, ev.GameAbandoned, ev.DeckShuffled})
LUCK: Final = frozenset({ev.CardsDrawn, ev.PetActed, ev.TokenSummoned, ev.TargetPicked})
SET_UP: Final = frozenset({ev.DeckDeclared, ev.FirstPlayerChosen, ev.CardsDrawn, ev.MulliganTaken})


def _ruled(rule: str, message: str, expected: str = "", kind: Any = "illegal") -> RuleVerdict:
    return RuleVerdict(BY_ID[rule], Broken(message, expected, kind))


# -- the gate ----------------------------------------------------------------------------------------------------------


def gate(table: Duelyst, event: Any) -> RuleVerdict | None:
    """Return whether a decision or chance line may come now at all."""
    player = getattr(event, "player", None)
    if player is not None and player not in table.players:
        message = f"{player} does not sit at this table ({' and '.join(table.players)} do)"
        return RuleVerdict(BY_ID["duelyst.setup.two-players"], Broken(message), played=False)
    kind = type(event)
    if table.over:
        return _after_the_end(table, event)
    if (table.turn and not table.agenda) or kind in ANY_TIME:
        return None
    if not table.turn:
        return _in_set_up(table, event)
    due = overdue(table, event) if kind in LUCK else due_now(table)
    return None if due is None else _ruled(due.rule, owed_in_words(table, due), kind="missing")


def _after_the_end(table: Duelyst, event: Any) -> RuleVerdict | None:
    """Return that the game is over; that nothing was drawn may be written down where the game ended by that."""
    if isinstance(event, ev.CardsDrawn) and table.reason == "empty-deck" and not drawn_by(event):
        return None
    told = f"the game is over: {table.players[table.winner].name} has won" if table.winner else "the game is over"
    return RuleVerdict(BY_ID["duelyst.end.nothing-after-end"], Broken(told), played=False)


def _in_set_up(table: Duelyst, event: Any) -> RuleVerdict | None:
    """Return whether a line may come before the first turn."""
    players = list(table.players.values())
    if type(event) in SET_UP:
        if isinstance(event, ev.MulliganTaken) and not table.players[event.player].opened:
            players = [table.players[event.player]]
        else:
            return None
    for player in players:
        if not player.listed:
            rule, words = "duelyst.deck.declared-once", "declared a deck list"
        elif not player.opened:
            rule, words = "duelyst.setup.draw-five", "drawn the opening hand"
        elif not player.mulliganed and table.options["mulligan"] != "none":
            rule, words = "duelyst.setup.one-mulligan", "taken or declined the mulligan"
        else:
            continue
        return _ruled(rule, f"{player.name} has not {words} yet", kind="missing")
    return None


# -- observed totals ---------------------------------------------------------------------------------------------------


def _health(table: Duelyst, player: DuelystPlayer) -> int:
    general = general_of(table, player.id)
    return 0 if general is None else general.health


def _attack(table: Duelyst, player: DuelystPlayer) -> int:
    general = general_of(table, player.id)
    return 0 if general is None else attack_of(table, general)


TOTALS: Final[dict[str, Callable[[Duelyst, DuelystPlayer], int]]] = {
    "turn": lambda _table, player: player.turns,
    "mana": lambda _table, player: player.mana,
    "capacity": lambda _table, player: player.capacity,
    "hand": lambda table, player: table.hands[player.id].size,
    "deck": lambda table, player: table.decks[player.id].size,
    "graveyard": lambda table, player: table.graveyards[player.id].size,
    "health": _health,
    "attack": _attack,
    "artifacts": lambda table, player: table.worn[player.id].size,
    "units": lambda table, player: len(own_units(table, player.id)),
    "progress": lambda _table, player: player.progress,
}
"""The totals that can be read off the table for a player."""

LABELS: Final = {
    "turn": "the number of own turns of {}",
    "mana": "the mana of {}",
    "capacity": "the mana capacity of {}",
    "hand": "the size of the hand of {}",
    "deck": "the size of the deck of {}",
    "graveyard": "the size of the graveyard of {}",
    "health": "the health of the general of {}",
    "attack": "the attack of the general of {}",
    "artifacts": "the number of artifacts of {}",
    "units": "the number of units of {}",
    "progress": "the MECHAZ0R! build of {}",
}
"""What the totals of a player are called."""

COUNTERS: Final = frozenset({"mana", "capacity", "progress"})
"""Totals that are counters of the player: the fold takes an observed value over."""


def observe(table: Duelyst, event: Any) -> Iterator[Drift]:
    """Return the totals that were read off beside what the log makes them."""
    rule = BY_ID["duelyst.state.observed"]
    if event.player is UNSET:
        units = len(table.zones[BOARD].cards)
        if event.units is not UNSET:
            doubt = unchecked_text(table, []) if event.units != units else None
            yield Drift(rule, "the number of units on the board", units, event.units, doubt=doubt)
        return
    player = table.players.get(event.player)
    if player is None:
        return
    for field, total in TOTALS.items():
        seen = getattr(event, field)
        if seen is not UNSET:
            folded = total(table, player)
            because = _forgotten(table, player, field, folded - seen) if seen < folded else ""
            doubt = unchecked_text(table, []) if seen != folded else None
            adopt = _adopt(table, player, field, seen)
            yield Drift(rule, LABELS[field].format(player.name), folded, seen, adopt, because, doubt)


def _forgotten(table: Duelyst, player: DuelystPlayer, field: str, missing: int) -> str:
    """Return the rule that the table seems to have left out where a total was read as less than it is, or nothing."""
    if field == "graveyard":
        last = table.graveyards[player.id].cards[-missing:]
        return "duelyst.spell.to-graveyard" if all(_is_spell(card) for card in last) else ""
    if field in {"artifacts", "attack"}:
        worn = [card.text for card in table.worn[player.id].cards]
        return "duelyst.general.same-artifact-twice" if len(set(worn)) < len(worn) else ""
    return ""


def _is_spell(card: Any) -> bool:
    return card.text is not None and card.text.kind in SPELLS


def _adopt(table: Duelyst, player: DuelystPlayer, field: str, seen: int) -> Callable[[], object] | None:
    """Return what makes an observed value the fold's, where that is possible."""
    if field == "turn":
        return lambda: table.set(player, "turns", seen)
    if field in COUNTERS:
        return lambda: table.set(player, field, seen)
    general = general_of(table, player.id)
    if field == "health" and general is not None:
        return lambda: table.count(general, "damage", general.health - seen)
    return None
