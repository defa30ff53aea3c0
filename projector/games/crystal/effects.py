"""What card text does, effect by effect, in the order in which it is written."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from tabletape.events.games import crystal as ev
from tabletape.projector.games.crystal import board
from tabletape.projector.games.crystal.abilities import CHOSEN_QUANTITY, Effect, verb
from tabletape.projector.games.crystal.state import LANE, Crystal, CrystalCard, CrystalPlayer, Owed, lane_meant


class Doing(msgspec.Struct, frozen=True):
    """A card that does something now: whose, which card, the rule that says when, and what was chosen for it."""

    player: CrystalPlayer
    card: CrystalCard
    rule: str
    choice: ev.CardDeployed | None = None

    def says(self, table: Crystal, line: type[Any], **fields: Any) -> None:
        """Derive what a line says of an effect of the card."""
        table.derive(line(**fields, source=self.card.name), self.rule)


def carry_out(table: Crystal, doing: Doing, effects: tuple[Effect, ...]) -> None:
    """Do what a card says, in the written order."""
    table.applied.append("crystal.ability.once")
    for effect in effects:
        if not effect.condition or holds(table, doing.player, effect.condition):
            verb.does[effect.verb](table, doing, effect)


def holds(table: Crystal, player: CrystalPlayer, condition: str) -> bool:
    """Return whether the condition of an effect holds for a player."""
    if condition == "dealt-damage":
        return player.dealt_now
    return any(token.startswith(f"{condition} ") for token in player.tokens)


def happening(table: Crystal, player: CrystalPlayer, effects: Sequence[Effect]) -> list[Effect]:
    """Return those of some effects that happen, as far as their conditions tell before the first of them is done.

    A token that one of them lays on an own lane is there for the later ones.
    """
    now: list[Effect] = []
    for effect in effects:
        laid = [each.word for each in now if each.verb == "token" and each.who == "self"]
        if not effect.condition or effect.condition in laid or holds(table, player, effect.condition):
            now.append(effect)
    return now


def chosen_opponent(table: Crystal, player: str, choice: ev.CardDeployed | None) -> CrystalPlayer | None:
    """Return the opponent that a card is played against: the named one, the owner of the target, or the only one."""
    if choice is None:
        return None
    opponents = {other.id: other for other in table.living_opponents(player)}
    if choice.opponent is not UNSET:
        return opponents.get(choice.opponent)
    if len(opponents) == 1:
        return next(iter(opponents.values()))
    target = table.find(choice.target) if choice.target is not UNSET else None
    return opponents.get(target.zone.owner) if target is not None else None


def _players(table: Crystal, doing: Doing, who: str) -> list[CrystalPlayer]:
    if who == "self":
        return [doing.player]
    if who == "each-opponent":
        return table.living_opponents(doing.player.id)
    opponent = chosen_opponent(table, doing.player.id, doing.choice)
    return [] if opponent is None else [opponent]


# -- verbs -------------------------------------------------------------------------------------------------------------


@verb("gain {n} crystals", makes=ev.CrystalsGained)
def _gain(table: Crystal, doing: Doing, effect: Effect) -> None:
    """Gain crystals."""
    player = doing.player
    table.count(player, "crystals", effect.n)
    doing.says(table, ev.CrystalsGained, player=player.id, amount=effect.n, crystals=player.crystals)


@verb("lose {n} crystals {who:player}", makes=ev.CrystalsLost)
def _lose(table: Crystal, doing: Doing, effect: Effect) -> None:
    """Lose crystals, never below none."""
    for player in _players(table, doing, effect.who):
        lost = -board.change_crystals(table, player, -effect.n)
        doing.says(table, ev.CrystalsLost, player=player.id, amount=lost, crystals=player.crystals)


@verb("heal {n}", makes=ev.HitpointsGained)
def _heal(table: Crystal, doing: Doing, effect: Effect) -> None:
    """Gain hit points."""
    player = doing.player
    number = board.heal(table, player, effect.n)
    doing.says(table, ev.HitpointsGained, player=player.id, amount=number, hitpoints=player.hitpoints)


@verb("damage {n} {who:player}", makes=ev.DamageTaken)
def _damage(table: Crystal, doing: Doing, effect: Effect) -> None:
    """Deal damage, which is prevented first where a ruling says so."""
    for player in _players(table, doing, effect.who):
        prevented = min(player.shield, effect.n)
        table.count(player, "shield", -prevented)
        table.count(player, "prevented", -prevented)
        damage = effect.n - prevented
        table.count(player, "hitpoints", -damage)
        if player is not doing.player:
            table.count(doing.player, "dealt", damage)
        doing.says(table, ev.DamageTaken, player=player.id, amount=damage, hitpoints=player.hitpoints)


@verb("power {lane} {n:change}", makes=ev.PowerRaised)
def _power(table: Crystal, doing: Doing, effect: Effect) -> None:
    """Raise the power of an own lane until the end of the round."""
    board.raise_power(table, doing.player, effect.lane, effect.n)
    doing.says(table, ev.PowerRaised, player=doing.player.id, lane=effect.lane, amount=effect.n)


@verb("prevent {n}", makes=ev.PreventionAdded)
def _prevent(table: Crystal, doing: Doing, effect: Effect) -> None:
    """Prevent damage in this round's comparison of attacks, by rulings also damage by cards."""
    board.prevent(table, doing.player, effect.n)
    doing.says(table, ev.PreventionAdded, player=doing.player.id, amount=effect.n)


@verb("tech-limit {n:change}")
def _tech_limit(table: Crystal, doing: Doing, effect: Effect) -> None:
    """Raise the tech limit."""
    table.count(doing.player, "tech_limit", effect.n)
    table.derive(ev.TechLimitSet(player=doing.player.id, limit=doing.player.tech_limit), doing.rule)


@verb("draw {n} from {word:deck}")
def _draw(table: Crystal, doing: Doing, effect: Effect) -> None:
    """Draw from a deck, as many cards as there are; luck writes down which."""
    player, rule = doing.player.id, "crystal.play.resolve-first"
    owed = Owed(line=ev.CardsDrawn, player=player, rule=rule, source=doing.card.name, deck=effect.word)
    table.set(table, "owed", (*table.owed, *(owed,) * effect.n))
    board.drop_impossible_draws(table, player)


def _leave_open(table: Crystal, doing: Doing, lane: Any) -> None:
    """Know that nobody can check what follows from a card for which a lane is named, and none is called so."""
    if lane is not UNSET:
        table.update(table, uncheckable=table.uncheckable or doing.card.name, unchecked_round=table.round)


@verb("token {word:token} {who:player} {lane:aimed lane} {n or 1}", makes=ev.TokenPlaced)
def _token(table: Crystal, doing: Doing, effect: Effect) -> None:
    """Put tokens on a lane."""
    lane: Any = effect.lane
    if lane == CHOSEN_QUANTITY:
        lane = lane_meant(doing.choice.target_lane) if doing.choice is not None else UNSET
    if lane not in LANE:
        _leave_open(table, doing, lane)
        return
    for player in _players(table, doing, effect.who):
        count = board.lay_token(table, player, lane, effect.word, effect.n)
        doing.says(table, ev.TokenPlaced, player=player.id, lane=lane, token=effect.word, count=count)
        table.applied.append("crystal.token.by-card")


def _target(table: Crystal, doing: Doing) -> CrystalCard | None:
    """Return the deployed card that was chosen."""
    choice = doing.choice
    card = table.find(choice.target) if choice is not None and choice.target is not UNSET else None
    return card if card is not None and card.lane else None


@verb("destroy {who:opponent} {lane} upto {n}", makes=ev.CardDestroyed)
def _destroy(table: Crystal, doing: Doing, effect: Effect) -> None:
    """Destroy a card of that lane with a printed value of at most so much there."""
    card = _target(table, doing)
    if card is not None:
        board.put_away(table, card)
        doing.says(table, ev.CardDestroyed, card=card.name)


@verb("move {word:which}", makes=ev.CardMoved)
def _move(table: Crystal, doing: Doing, effect: Effect) -> None:
    """Move an own card to another lane, one that was deployed earlier or any."""
    card = _target(table, doing)
    lane: Any = lane_meant(doing.choice.to_lane) if doing.choice is not None else UNSET
    if lane not in LANE:
        _leave_open(table, doing, lane)
    elif card is not None:
        board.enter(table, card, card.zone.owner, lane)
        doing.says(table, ev.CardMoved, card=card.name, lane=lane)


@verb("cost {n:change}", "requirement {n:change}")
def _nothing(table: Crystal, doing: Doing, effect: Effect) -> None:
    """Lower what a card costs or requires: a static line counts while the card is paid."""
