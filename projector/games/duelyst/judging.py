"""What is judged outside the rows: lines that come too early or too late, written consequences, observed totals."""

from collections.abc import Callable, Iterator
from typing import Any, Final

from msgspec import UNSET

from events.games import duelyst as ev
from events.vocabulary import Event
from projector.games.duelyst.agenda import due_now
from projector.games.duelyst.board import AS_DECLARED
from projector.games.duelyst.book import BY_ID
from projector.games.duelyst.doubt import unchecked_text
from projector.games.duelyst.hands import drawn_by
from projector.games.duelyst.overdue import beginning_of, overdue, take_as_derived
from projector.games.duelyst.rules.answers import by_ruling
from projector.games.duelyst.state import (
    BOARD,
    GENERAL,
    MAXIMUM,
    SPELLS,
    DrawDue,
    Due,
    Duelyst,
    DuelystPlayer,
    PetDue,
    TokenDue,
    called_fully,
    general_of,
    name_of,
)
from projector.games.duelyst.tiles import attack_of, has, is_structure, own_units, touches, unit_called
from projector.model.game import Drift, RuleVerdict
from projector.model.phrases import event_in_words
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
    return None if due is None else _ruled(due.rule, _owed_in_words(table, due), kind="missing")


def _after_the_end(table: Duelyst, event: Any) -> RuleVerdict | None:
    """Return that the game is over; that nothing was drawn may be written down where the game ended by that."""
    if isinstance(event, ev.CardsDrawn) and table.reason == "empty-deck" and not drawn_by(event):
        return None
    return RuleVerdict(BY_ID["duelyst.end.nothing-after-end"], Broken("the game is over"), played=False)


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


def _owed_in_words(table: Duelyst, due: Due) -> str:
    if isinstance(due, DrawDue):
        why = {"end": "at the end of the turn", "replace": "for the card put back", "ability": "for a card text"}
        return f"{name_of(table, due.player)} has not drawn {why[due.why]} yet"
    if isinstance(due, PetDue):
        return f"{called_fully(table, due.unit)} has not acted yet"
    if isinstance(due, TokenDue):
        return f"the token of {called_fully(table, due.source)} has not been summoned yet"
    return f"the target of {called_fully(table, due.source)} has not been picked yet"


# -- written consequences ----------------------------------------------------------------------------------------------


def explain_mismatch(table: Duelyst, event: Any, expected: Any) -> RuleVerdict:
    """Say which rule a written consequence breaks."""
    if expected is None and (due := overdue(table, event)) is not None:
        return _ruled(due.rule, _owed_in_words(table, due), kind="missing")
    due = due_now(table)
    if expected is None and due is not None and beginning_of(table, event) is not None:
        why = by_ruling(table, "trigger_order")
        return _ruled(due.rule, f"{event_in_words(table, event)} stands too early{why}", _owed_in_words(table, due))
    says = event_in_words(table, event)
    if expected is not None:
        return _ruled(_contradicted(table, event, expected), f"the log says {says}", event_in_words(table, expected))
    rule = UNEXPECTED[type(event)]
    return _ruled(
        rule if isinstance(rule, str) else rule(table, event), f"the log says {says}; nothing brings it about"
    )


def _contradicted(table: Duelyst, event: Any, expected: Any) -> str:
    """Return the rule that says what the log says otherwise."""
    rule = next(each.rule for each in table.derived if each.event is expected)
    if isinstance(event, ev.ManaRefilled):
        return _refilled(event, expected, rule)
    if isinstance(event, ev.UnitChanged):
        unit = unit_called(table, event.unit)
        if unit is not None and is_structure(unit) and event.attack > expected.attack:
            return "duelyst.structure.no-attack-gain"
    if isinstance(event, ev.TokenAppeared) and (event.tile, event.source) == (expected.tile, expected.source):
        return "duelyst.state.known-card"
    return rule


def _refilled(event: ev.ManaRefilled, expected: ev.ManaRefilled, rule: str) -> str:
    if event.capacity == expected.capacity:
        return "duelyst.mana.refilled"
    return "duelyst.mana.capacity-nine" if event.capacity > MAXIMUM else rule


def _damage(table: Duelyst, event: ev.DamageDealt) -> str:
    """Return the rule that a damage breaks which nothing brings about."""
    if not table.fight or event.source not in table.fight:
        return AS_DECLARED
    attacker, defender = (unit_called(table, name) for name in table.fight)
    if event.source == table.fight[0]:
        return "duelyst.combat.attacker-first" if event.unit == table.fight[1] else "duelyst.attack.one-target"
    if attacker is None or defender is None or touches(attacker.place, defender.place):
        return "duelyst.combat.strike-back"
    is_ranged = has(table, defender, "ranged")
    return "duelyst.combat.strike-back" if is_ranged else "duelyst.combat.strike-back-range"


def _paid(_table: Duelyst, event: ev.ManaPaid) -> str:
    return "duelyst.mech.free-after-five" if not event.amount else "duelyst.cost.mana"


def _readied(table: Duelyst, event: ev.BloodboundSpellReadied) -> str:
    player = table.players.get(event.player)
    is_kept = player is not None and player.bloodbound > 0 and table.active == event.player
    return "duelyst.bloodbound.may-be-kept" if is_kept else "duelyst.bloodbound.schedule"


def _vanished(table: Duelyst, event: ev.TokenVanished) -> str:
    unit = unit_called(table, event.unit)
    was_freed = unit is not None and not unit.ephemeral and "ephemeral" in unit.text.says.keywords
    return "duelyst.dervish.freed-for-good" if was_freed else "duelyst.dervish.vanishes"


def _died(table: Duelyst, event: ev.UnitDied) -> str:
    unit = table.find(event.unit)
    is_general = unit is not None and unit.text is not None and unit.text.kind == GENERAL
    return "duelyst.general.death-loses" if is_general else "duelyst.minion.dies-to-graveyard"


def _returned(table: Duelyst, event: ev.CardReturned) -> str:
    unit = table.find(event.card)
    is_general = unit is not None and unit.text is not None and unit.text.kind == GENERAL
    return "duelyst.general.always-on-board" if is_general else AS_DECLARED


def _changed(table: Duelyst, event: ev.UnitChanged) -> str:
    unit = unit_called(table, event.unit)
    gains = unit is not None and is_structure(unit) and event.attack > attack_of(table, unit)
    return "duelyst.structure.no-attack-gain" if gains else AS_DECLARED


def _progressed(table: Duelyst, event: ev.BuildProgressed) -> str:
    player = table.players.get(event.player)
    is_less = player is not None and event.progress < player.progress
    return "duelyst.mech.progress-not-dispelled" if is_less else "duelyst.mech.progress"


def _added(table: Duelyst, _event: ev.CardAdded) -> str:
    is_misnamed = any(isinstance(each.event, ev.CardAdded) for each in table.derived)
    return "duelyst.state.known-card" if is_misnamed else "duelyst.bond.arcanyst"


def _ended(_table: Duelyst, event: ev.GameEnded) -> str:
    return {
        "general-killed": "duelyst.win.kill-general",
        "both-generals-killed": "duelyst.win.both-generals-die",
        "concession": "duelyst.end.concession",
        "abandoned": "duelyst.end.abandoned",
        "empty-deck": "duelyst.deck.empty-draw",
    }[event.reason]


UNEXPECTED: Final[dict[type[Event], str | Callable[[Duelyst, Any], str]]] = {
    ev.TurnStarted: "duelyst.turn.three-phases",
    ev.GameEnded: _ended,
    ev.GeneralPlaced: "duelyst.setup.generals-placed",
    ev.GlobePlaced: "duelyst.setup.three-globes",
    ev.GlobeCollected: "duelyst.mana.globe",
    ev.ManaRefilled: "duelyst.mana.refilled",
    ev.ManaPaid: _paid,
    ev.BloodboundSpellReadied: _readied,
    ev.DamageDealt: _damage,
    ev.DamagePrevented: AS_DECLARED,
    ev.UnitHealed: AS_DECLARED,
    ev.UnitChanged: _changed,
    ev.UnitStunned: AS_DECLARED,
    ev.UnitDispelled: AS_DECLARED,
    ev.UnitFreed: "duelyst.dervish.only-dunecaster-frees",
    ev.UnitTeleported: AS_DECLARED,
    ev.UnitFinished: "duelyst.structure.while-building",
    ev.UnitDied: _died,
    ev.TokenAppeared: AS_DECLARED,
    ev.TokenVanished: _vanished,
    ev.ArtifactWorn: "duelyst.artifact.wears-with-general",
    ev.ArtifactBroken: "duelyst.artifact.breaks-at-zero",
    ev.CardReturned: _returned,
    ev.CardAdded: _added,
    ev.BuildProgressed: _progressed,
    ev.StrikeBackSuspended: "duelyst.bond.golem",
}


def _enforce(table: Duelyst, event: Any, expected: Any) -> None:
    """Go on from a consequence before which luck should have written a line."""
    if expected is None and due_now(table) is not None:
        take_as_derived(table, event)


ENFORCE: Final[dict[type[Any], Callable[[Duelyst, Any, Any], None]]] = dict.fromkeys(UNEXPECTED, _enforce)


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

COUNTERS: Final = frozenset({"mana", "capacity", "progress"})
"""Totals that are counters of the player: the fold takes an observed value over."""


def observe(table: Duelyst, event: Any) -> Iterator[Drift]:
    """Return the totals that were read off beside what the log makes them."""
    rule = BY_ID["duelyst.state.observed"]
    if event.player is UNSET:
        units = len(table.zones[BOARD].cards)
        if event.units is not UNSET:
            doubt = unchecked_text(table, []) if event.units != units else None
            yield Drift(rule, "units on the board", units, event.units, doubt=doubt)
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
            yield Drift(rule, f"{field} of {player.name}", folded, seen, adopt, because, doubt)


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
