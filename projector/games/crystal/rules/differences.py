"""How a written consequence differs from the derived one, or why the rules make nothing like it, in words."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from msgspec import UNSET

from events.games import crystal as ev
from events.vocabulary import Consequence, fields_of
from projector.fold.consequence_match import is_same
from projector.games.crystal import board, phases
from projector.games.crystal.abilities import TRIGGERS, Effect
from projector.games.crystal.ending import ENOUGH
from projector.games.crystal.naming import called, in_words, joined, name_of, owned
from projector.games.crystal.state import DEPLOY, LANE, OVER, SETUP, Crystal, CrystalCard, living
from projector.model.amounts import how_many
from projector.model.phrases import by_ruling
from projector.model.rules import Broken
from projector.model.sentences import sentence

VERBS: Final[Mapping[type[Consequence], str]] = {
    ev.CrystalsGained: "gain",
    ev.CrystalsLost: "lose",
    ev.HitpointsGained: "heal",
    ev.DamageTaken: "damage",
    ev.PowerRaised: "power",
    ev.PreventionAdded: "prevent",
    ev.TokenPlaced: "token",
    ev.CardDestroyed: "destroy",
    ev.CardMoved: "move",
}
"""For each line that an ability makes, the verb of the card text that makes it."""

IN_WORDS: Final[Mapping[str, str]] = {
    "amount": "an amount of {}",
    "damage": "{} damage",
    "power": "a power of {}",
    "highest": "a highest power of {}",
    "prevented": "{} prevented",
    "count": "{} there",
    "token": "a {} token",
    "lane": "the {} lane",
    "round": "round {}",
    "phase": "the phase {}",
    "winner": "a win of {}",
    "reason": "the reason {}",
    "source": "by {}",
}
"""How a sentence names the value of a field; of other fields the value speaks for itself."""

COUNTED: Final[Mapping[str, str]] = {"crystals": "crystal", "hitpoints": "hit point"}
"""What is counted by a field."""


# -- another line than the derived one ---------------------------------------------------------------------------------


def differing(table: Crystal, event: Any, expected: Any) -> Broken:
    """Say in which fields a line differs from the derived one, and what stands there by the rules."""
    names = [field.name for field in fields_of(type(event)) if _differs(event, expected, field.name)]
    due = _values(table, expected, names)
    reason = "".join(_reasons(table, expected, names))
    return Broken(f"the log says: {sentence(table, event)}; the rules make it {due}{reason}", due)


def _differs(event: Any, expected: Any, name: str) -> bool:
    written = getattr(event, name)
    return written is not UNSET and not is_same(written, getattr(expected, name))


def _values(table: Crystal, event: Any, names: list[str]) -> str:
    return joined(_value(table, name, getattr(event, name)) for name in names)


def _value(table: Crystal, name: str, value: Any) -> str:
    if name in COUNTED:
        return how_many(value, COUNTED[name])
    return IN_WORDS.get(name, "{}").format(_named(table, value))


def _named(table: Crystal, value: Any) -> str:
    return owned(table, value) if isinstance(value, str) and ":" in value else in_words(table, value)


def _reasons(table: Crystal, expected: Any, names: list[str]) -> Iterator[str]:
    """Yield the sum behind a derived total, where attacks are compared, and the rulings that it rests on."""
    if isinstance(expected, ev.AttackResolved) and {"damage", "hitpoints"} & {*names}:
        yield f": {expected.power} against {expected.highest}"
        if expected.prevented:
            yield f", {expected.prevented} prevented, {by_ruling(table, 'prevention')}"
    if type(expected) in POWERS and {"power", "limit"} & {*names}:
        lane = LANE[POWERS[type(expected)]]
        if board.is_at_floor(table, table.players[expected.player], lane):
            yield f", {by_ruling(table, 'base_floor')}"
    for key, options in DECIDING.get(type(expected), {}).items():
        if table.options[key] in options:
            yield f", {by_ruling(table, key)}"


POWERS: Final[Mapping[type[Consequence], str]] = {
    ev.AttackResolved: "attack",
    ev.MiningResolved: "mining",
    ev.TechLimitSet: "tech",
}
"""The lane whose power a line gives."""

DECIDING: Final[Mapping[type[Consequence], Mapping[str, tuple[str, ...]]]] = {
    ev.DamageTaken: {"prevention_reach": ("any_damage",), "mining_prevention": ("ability_damage",)},
    ev.TechLimitSet: {"tech_limit_time": ("start_of_round",)},
    ev.GameEnded: {"tie_break": ("always", "never")},
}
"""The options of rulings that decide about a line."""


# -- a line that the rules do not make ---------------------------------------------------------------------------------


def nothing_like_it(table: Crystal, event: Any) -> Broken:
    """Say why the rules make no such line now."""
    reason = _of_ability(table, event) if type(event) in VERBS else REASONS[type(event)](table, event)
    due = next((each.event for each in table.derived if type(each.event) is type(event)), None)
    if due is None or isinstance(event, ev.PhaseStarted):
        return Broken(reason, "no such line")
    what = sentence(table, due)
    return Broken(f"{reason}; due is: {what}", what)


def said_again(table: Crystal, event: Any) -> Broken | None:
    """Return that something is so already, where a line that is not due says only that; it changes nothing."""
    already = _already_so(table, event)
    return Broken(already, "no second line", "info") if already else None


def _already_so(table: Crystal, event: Any) -> str:
    if isinstance(event, ev.GameEnded) and table.over and (event.winner or "") == table.winner:
        is_same = event.reason in {table.reason, "concession" if table.conceding else ""}
        return f"the game is over already ({table.reason})" if is_same else ""
    if isinstance(event, ev.RoundStarted) and event.round == table.round:
        return f"round {event.round} has begun already"
    if isinstance(event, ev.PhaseStarted) and _has_begun(table, event):
        return f"the phase {event.phase} has begun already"
    if isinstance(event, ev.TurnStarted) and event.player == table.active:
        return f"{name_of(table, event.player)} is deploying already"
    if isinstance(event, ev.PriorityPassed) and event.to == table.priority:
        return f"{name_of(table, event.to)} has the token already"
    return _total_said_again(table, event)


def _has_begun(table: Crystal, event: ev.PhaseStarted) -> bool:
    """Return whether a phase has begun in this round, as far as the log has come in what it has still to say of it."""
    order = list(phases.STARTED)
    due = next((each.event.phase for each in table.derived if isinstance(each.event, ev.PhaseStarted)), "")
    if due:
        return order.index(event.phase) < order.index(due)
    last = _last_phase(table)
    return last in order and order.index(event.phase) <= order.index(last)


def _last_phase(table: Crystal) -> str:
    """Return the phase, or the one in which the game has ended."""
    if table.phase != OVER:
        return table.phase
    return next(
        (before for _, field, before, after in reversed(table.journal) if (field, after) == ("phase", OVER)), ""
    )


def _total_said_again(table: Crystal, event: Any) -> str:
    player = table.players.get(getattr(event, "player", ""))
    if player is None:
        return ""
    if isinstance(event, ev.PlayerEliminated) and not player.living:
        return f"{player.name} is out already"
    if (
        isinstance(event, ev.TechLimitSet)
        and table.limited
        and (table.active, player.tech_limit) == (player.id, event.limit)
    ):
        return f"the tech limit of {player.name} is {event.limit} already"
    if isinstance(event, ev.SupplySet) and table.phase == SETUP and player.listed:
        same = (player.hitpoints, player.crystals) == (event.hitpoints, event.crystals)
        return f"the supply of {player.name} is set already" if same else ""
    return ""


def _of_ability(table: Crystal, event: Any) -> str:
    source = table.find(event.source)
    line = f"{sentence(table, event)}, which is not due"
    if source is None or source.text is None:
        return f"{line}: no card on the table is called {event.source}"
    title, verb = owned(table, source.name), VERBS[type(event)]
    if not does(source, verb):
        says = f"says only: {source.text.text}" if source.text.text else "has no text"
        return f"{line}: {title} does nothing of the kind, it {says}"
    if not source.since:
        return f"{line}: {title} has not been played"
    return f"{line}: {_why_not_now(table, source, next(_moments(source, verb)))}"


def _why_not_now(table: Crystal, source: CrystalCard, when: str) -> str:
    """Return why a card that was played does now nothing of what it does at some moment."""
    title = owned(table, source.name)
    if when in phases.THIS_TURN and table.options["turn_word"] == "deploy_turn":
        return f"the turn in which {title} was played is over, {by_ruling(table, 'turn_word')}"
    if source.since == table.round:
        return f"{title} does so once, {MOMENTS[when]}; that is not now, or is done already"
    if when == "start-of-next-round" and source.since == table.round - 1 and table.phase == DEPLOY:
        return f"what {title} does at the start of round {table.round} is done already"
    return f"{title} was played in round {source.since}, an ability happens once, and this is round {table.round}"


MOMENTS: Final[Mapping[str, str]] = {
    "static": "while it is paid",
    "when-played": "as it is played",
    "attack-phase": "in the attack phase",
    "mining-phase": "in the mining phase",
    "end-of-turn": "at the end of the turn",
    "start-of-next-round": "at the start of the next round",
}


def _moments(card: CrystalCard, verb: str) -> Iterator[str]:
    return (trigger for trigger in TRIGGERS if has_verb(card.text.says.on(trigger), verb))


def does(card: CrystalCard, verb: str) -> bool:
    """Return whether a card's text has a verb."""
    return any(_moments(card, verb))


def has_verb(effects: tuple[Effect, ...], verb: str) -> bool:
    """Return whether one of some effects has a verb."""
    return any(effect.verb == verb for effect in effects)


def _where(table: Crystal) -> str:
    """Return where the game stands: `it is round 2, and Ann is deploying`."""
    if table.phase == SETUP:
        return "the set-up is not done"
    if table.active:
        return f"it is round {table.round}, and {name_of(table, table.active)} is deploying"
    return f"it is round {table.round}, {table.phase.replace('-', ' ')}"


def _supply(table: Crystal, event: ev.SupplySet) -> str:
    player = table.players.get(event.player)
    if player is not None and player.listed:
        return f"the supply of {player.name} is set a second time"
    return f"the supply of {name_of(table, event.player)} is set before a faction is declared"


def _limit(table: Crystal, event: ev.TechLimitSet) -> str:
    name = name_of(table, event.player)
    if table.active != event.player:
        return f"the tech limit of {name} is set although {_where(table)}"
    limit = table.players[event.player].tech_limit
    return f"the tech limit of {name} becomes {event.limit}; it is set already, to {limit}, and no card changes it now"


def _paid(table: Crystal, event: ev.CrystalsPaid) -> str:
    name, amount, refused = name_of(table, event.player), event.amount, table.refused
    if refused is not None and refused.player == event.player:
        there_are = table.players[event.player].crystals
        return f"{name} pays {amount} for {called(table, refused.card)}, having {how_many(there_are, 'crystal')}"
    return f"{name} pays {amount}, but no card of {name} is to be paid; {_where(table)}"


def _resolved(table: Crystal, event: Any) -> str:
    player = table.players.get(event.player)
    why = f"{player.name} is out" if player is not None and not player.living else _where(table)
    return f"{sentence(table, event)}, which is not due: {why}"


def _passed(table: Crystal, event: ev.PriorityPassed) -> str:
    holder = name_of(table, table.priority) if table.priority else "nobody yet"
    return f"the token goes to {name_of(table, event.to)} although no round ends; it is with {holder}"


def _eliminated(table: Crystal, event: ev.PlayerEliminated) -> str:
    player = table.players.get(event.player)
    if player is None:
        return f"{event.player} is out, but does not sit at this table"
    if player.hitpoints <= 0:
        return f"{player.name} is out before the end of the attack phase, {by_ruling(table, 'hitpoint_check')}"
    return f"{player.name} is out although {player.name} has {how_many(player.hitpoints, 'hit point')} left"


def _ended(table: Crystal, event: ev.GameEnded) -> str:
    players = living(table)
    winner = name_of(table, event.winner) if event.winner is not None else "nobody"
    what = f"the game ends ({event.reason}, winner: {winner})"
    if event.reason == "crystals":
        have = ", ".join(f"{player.name} {player.crystals}" for player in players)
        return f"{what} although nobody wins with {ENOUGH} crystals now ({have}; {by_ruling(table, 'crystal_check')})"
    if event.reason == "abandoned":
        return f"{what} although nobody has stopped it"
    if event.reason == "concession":
        return f"{what} although nobody has just given up"
    return f"{what} although {joined(player.name for player in players)} are still in it"


REASONS: Final[Mapping[type[Consequence], Callable[[Crystal, Any], str]]] = {
    ev.RoundStarted: lambda table, event: f"round {event.round} begins although {_where(table)}",
    ev.PhaseStarted: lambda table, event: f"the phase {event.phase} begins although {_where(table)}",
    ev.TurnStarted: lambda table, event: f"{name_of(table, event.player)} begins to deploy although {_where(table)}",
    ev.SupplySet: _supply,
    ev.PriorityPassed: _passed,
    ev.TechLimitSet: _limit,
    ev.CrystalsPaid: _paid,
    ev.AttackResolved: _resolved,
    ev.MiningResolved: _resolved,
    ev.PlayerEliminated: _eliminated,
    ev.GameEnded: _ended,
}
