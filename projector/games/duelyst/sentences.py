"""Consequences and what luck owes in sentences, for findings; cards are told with whose they are."""

from typing import Any, Final

from msgspec import UNSET

from events.games import duelyst as ev
from events.vocabulary import Consequence, fields_of
from projector.games.duelyst.state import DrawDue, Due, Duelyst, PetDue, TokenDue, called, name_of
from projector.model.sentences import event_in_words

SENTENCES: Final[dict[type[Consequence], str]] = {
    ev.TurnStarted: "the turn of {player} begins",
    ev.GeneralPlaced: "{unit} is placed on {tile}",
    ev.GlobePlaced: "a mana globe is placed on {tile}",
    ev.GlobeCollected: "{unit} takes the mana globe on {tile}, and {player} has {mana} mana",
    ev.ManaRefilled: "{player} has a capacity of {capacity} and {mana} mana",
    ev.ManaPaid: "{player} pays {amount} mana and has {mana} left",
    ev.BloodboundSpellReadied: "the bloodbound spell of {player} becomes available",
    ev.DamageDealt: "{source} deals {amount} damage to {unit}, whose health is {health} then",
    ev.DamagePrevented: "{amount} damage of {source} to {unit} is prevented",
    ev.UnitHealed: "{source} heals {unit} by {amount} to a health of {health}",
    ev.UnitChanged: "{source} makes {unit} {attack}/{health}",
    ev.UnitStunned: "{source} stuns {unit}",
    ev.UnitDispelled: "{source} dispels {unit}",
    ev.UnitFreed: "{source} frees {unit} from being Ephemeral",
    ev.UnitTeleported: "{source} puts {unit} on {tile}",
    ev.UnitFinished: "{unit} is finished",
    ev.UnitDied: "{unit} dies",
    ev.TokenAppeared: "{source} makes {unit} appear on {tile}",
    ev.TokenVanished: "{unit} vanishes",
    ev.ArtifactWorn: "{card} is worn down to a durability of {durability}",
    ev.ArtifactBroken: "{card} breaks",
    ev.CardReturned: "{card} returns to the hand of {player}",
    ev.CardAdded: "{card} comes into the hand of {player}",
    ev.BuildProgressed: "the MECHAZ0R! build of {player} stands at {progress}",
    ev.StrikeBackSuspended: "the units of {player} do not strike back this turn",
}


def in_a_sentence(table: Duelyst, event: Consequence) -> str:
    """Return what a consequence says, as a sentence without its full stop."""
    if isinstance(event, ev.GameEnded):
        how = event.reason.replace("-", " ")
        return f"{name_of(table, event.winner)} wins ({how})" if event.winner else f"nobody wins ({how})"
    sentence = SENTENCES.get(type(event))
    if sentence is None:
        return event_in_words(table, event)
    values = {field.name: _value(table, field.name, getattr(event, field.name)) for field in fields_of(type(event))}
    return sentence.format(**values)


def _value(table: Duelyst, field: str, value: Any) -> Any:
    if value is UNSET:
        return "something"
    if field in {"player", "winner"}:
        return name_of(table, value)
    return called(table, value) if isinstance(value, str) else list(value) if isinstance(value, tuple) else value


def differences(table: Duelyst, event: Consequence, expected: Consequence) -> str:
    """Return in which fields a written consequence differs from the derived one, with what these should say."""
    found = []
    for field in fields_of(type(event)):
        written, derived = getattr(event, field.name), getattr(expected, field.name)
        if written is not UNSET and written != derived:
            due = "nobody" if derived is None else _value(table, field.name, derived)
            found.append(f"{field.name.replace('_', ' ')} {due}")
    return ", ".join(found)


def owed_in_words(table: Duelyst, due: Due) -> str:
    """Return that a line which luck owes has not been written yet."""
    if isinstance(due, DrawDue):
        why = {"end": "at the end of the turn", "replace": "for the card put back", "ability": "for a card text"}
        return f"{name_of(table, due.player)} has not drawn {why[due.why]} yet"
    if isinstance(due, PetDue):
        return f"{called(table, due.unit)} has not acted yet"
    if isinstance(due, TokenDue):
        return f"the token of {called(table, due.source)} has not been summoned yet"
    return f"the target of {called(table, due.source)} has not been picked yet"
