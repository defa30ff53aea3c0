"""What happens to units and artifacts: they enter, take damage, die and leave. No rule is looked at here."""

from collections.abc import Iterable
from typing import Any, Final

from tabletape.events.games import duelyst as ev
from tabletape.events.vocabulary.names import card_of, is_unseen, owner_of
from tabletape.projector.games.duelyst import state
from tabletape.projector.games.duelyst.abilities import Effect
from tabletape.projector.games.duelyst.schema import stand_in
from tabletape.projector.games.duelyst.state import GENERAL, Duelyst, DuelystCard, Tile
from tabletape.projector.games.duelyst.tasks import Doing
from tabletape.projector.games.duelyst.tiles import is_granted
from tabletape.projector.kit.ending import end
from tabletape.projector.model.changes import Derived
from tabletape.projector.model.table import NOWHERE
from tabletape.projector.model.things import Card, Zone

AS_DECLARED: Final = "duelyst.ability.as-declared"
STAYS: Final = frozenset({"created"})
NEW_CARD: Final = DuelystCard(name="", owner="", zone=Zone(name=""))
NEW_FIELDS: Final[dict[str, Any]] = {
    field: getattr(NEW_CARD, field)
    for field in NEW_CARD.__struct_fields__
    if field == "exhausted" or field not in STAYS.union(Card.__struct_fields__)
}
"""What a card is like that is neither on the board nor worn: as it was made, but for what `STAYS`."""


def doings(
    player: str, source: str, effects: Iterable[Effect], rule: str = AS_DECLARED, aim: tuple[str, Any] = ("", None)
) -> tuple[Doing, ...]:
    """Return effects of a card as tasks; `aim` are the unit and the tile at which they are aimed."""
    target, tile = aim
    tasks: tuple[Doing, ...] = ()
    for effect in effects:
        tasks += (Doing(player=player, source=source, effect=effect, rule=rule, target=target, tile=tile),)
    return tasks


# -- entering ----------------------------------------------------------------------------------------------------------


def require_text(table: Duelyst, card: DuelystCard, kind: str) -> None:
    """Make sure that a card says something; an unknown one says only of which kind it is."""
    if card.text is None:
        table.set(card, "text", stand_in(card_of(card.name) or card.name, kind))


def next_name(table: Duelyst, owner: str, card: str) -> str:
    """Return the name of the next copy of a card that the game creates; it has a number always."""
    cards = table.cards
    first = f"{owner}:{card}"
    number = table.numbers.get(first, 1)
    if number == 1 and first in cards:
        number = 2
    while (name := f"{first}#{number}") in cards:
        number += 1
    table.numbers[first] = number
    return name


def enter(table: Duelyst, unit: DuelystCard, tile: Tile) -> None:
    """Put a card onto a tile of the board; it enters exhausted, and takes the globe there."""
    strip(table, unit)
    says = unit.text.says
    table.move(unit, table.zones[state.BOARD])
    table.set(unit, "place", tile)
    table.standing.setdefault(tile, unit)
    keywords = says.keywords
    if says.build and table.options["while_building"] == "nothing":
        keywords = frozenset()
    if keywords:
        table.set(unit, "keywords", keywords)
        if "ephemeral" in keywords:
            table.set(unit, "ephemeral", True)
    table.set(unit, "exhausted", True)
    if says.build:
        table.set(unit, "building", says.build)
    _is_there(table, unit, tile)


def is_owned(table: Duelyst, name: str) -> bool:
    """Return whether a card has an owner at the table: one of nobody cannot be there."""
    return owner_of(name) in table.players


def create(table: Duelyst, name: str, tile: Tile) -> DuelystCard:
    """Put a unit that the game creates onto a tile of the board; one that exists already comes from where it is."""
    unit = table.find(name)
    if unit is None:
        unit = table.make(name, table.zones[NOWHERE], created=True)
    require_text(table, unit, "token")
    enter(table, unit, tile)
    return unit


def _is_there(table: Duelyst, unit: DuelystCard, tile: Tile) -> None:
    """Do what follows when a unit enters: what it says, the rule by which it is exhausted or not, the globe there."""
    text = unit.text
    if text.heeded or unit.keywords:
        activate_text(table, unit)
    if text.kind != GENERAL:
        has_rush = "rush" in unit.keywords or (bool(table.granting) and is_granted(table, unit, "rush"))
        if has_rush and table.options["rush_change"] != "as_it_is_now":
            table.set(unit, "exhausted", False)
        table.applied.append("duelyst.rush.acts-at-once" if has_rush else "duelyst.summon.enters-exhausted")
    if tile in table.globes:
        step_on_globe(table, unit, tile)


def activate_text(table: Duelyst, unit: DuelystCard) -> None:
    """Note what a unit says about others, what it does when others do something, whom it provokes."""
    for field in unit.text.heeded:
        table.set(table, field, (*getattr(table, field), unit.name))
    if "provoke" in unit.keywords:
        table.set(table, "provoking", (*table.provoking, unit.name))


def finish_building(table: Duelyst, unit: DuelystCard) -> None:
    """Finish a unit that was being built; it counts as entering now (rulings `while_building`, `finished_acts`)."""
    table.move(unit, table.zones[state.BOARD])
    table.reckon()
    forget(table, unit)
    if not unit.dispelled and table.options["while_building"] == "nothing":
        table.set(unit, "keywords", unit.keywords | unit.text.says.keywords)
    if table.options["finished_acts"] == "next_turn":
        table.set(unit, "exhausted", True)
    activate_text(table, unit)
    if unit.dispelled:
        silence(table, unit)
    table.derive(ev.UnitFinished(unit=unit.name), "duelyst.structure.while-building")


def provoke(table: Duelyst) -> None:
    """Note which units have provoke by themselves, after a keyword was given to some."""
    provoking = tuple(unit.name for unit in table.units if "provoke" in unit.keywords)
    table.set(table, "provoking", provoking)


def silence(table: Duelyst, unit: DuelystCard) -> None:
    """Stop looking at what a unit says, asking it, and being provoked by it."""
    _strike_off(table, unit, [field for field in unit.text.heeded if field != state.TIMED_UNITS])


def forget(table: Duelyst, unit: DuelystCard) -> None:
    """Stop looking at a unit that leaves its place in the order of entering."""
    _strike_off(table, unit, unit.text.heeded)


def _strike_off(table: Duelyst, unit: DuelystCard, fields: Iterable[str]) -> None:
    for field in (*fields, "provoking"):
        names = getattr(table, field)
        if unit.name in names:
            at = names.index(unit.name)
            table.change(table, field, names, names[:at] + names[at + 1 :])


def step_off(table: Duelyst, unit: DuelystCard) -> None:
    """Take a unit of the board off its tile."""
    before = unit.place
    table.set(unit, "place", None)
    if len(table.standing) < len(table.units):
        table.reckon()  # A wrong line has put several units onto a tile.
    else:
        del table.standing[before]


def step_on_globe(table: Duelyst, unit: DuelystCard, tile: Tile, *, walking: bool = False) -> None:
    """Take the mana globe on a tile, if there is one: one mana for the player on turn, nothing for the other.

    The rulings `globe_effect` and `globe_collected_by` may read it otherwise.
    """
    effect = table.options["globe_effect"] if tile in table.globes else "nothing"
    if effect == "nothing" or not (walking or table.options["globe_collected_by"] == "entering"):
        return
    table.set(table, "globes", tuple(each for each in table.globes if each != tile))
    player = table.players.get(unit.owner)
    if player is not None and unit.owner == table.active:
        if effect == "one_mana_this_turn":
            table.count(player, "mana", 1)
        elif player.capacity < state.MAXIMUM:
            table.count(player, "capacity", 1)
        collected = ev.GlobeCollected(player=player.id, unit=unit.name, tile=tile, mana=player.mana)
        table.derive(collected, "duelyst.mana.globe")


# -- damage ------------------------------------------------------------------------------------------------------------


def hurt(table: Duelyst, unit: DuelystCard, amount: int, source: str, rule: str) -> int:
    """Deal damage to a unit: first what prevents it, then the damage, then the wear of a general's artifacts.

    `source` is the name of the unit or spell, `rule` what lets it happen. Returns the damage that was really dealt.
    Deaths come later (see `remove_dead`).
    """
    text = unit.text
    worn = table.worn[unit.owner].cards if text.kind == GENERAL else ()
    if amount > 0 and (worn or unit.keywords or table.granting or text.says.immune_to_generals):
        amount = _after_prevention(table, unit, amount, source)
    if amount <= 0:
        return 0
    table.count(unit, "damage", amount)
    health = text.health + unit.health_change - unit.damage
    dealt = ev.DamageDealt(unit=unit.name, amount=amount, health=health, source=source)
    table.derived.append(Derived(dealt, rule, len(table.journal)))
    if worn:
        _wear(table, list(worn), amount)
    return amount


def _after_prevention(table: Duelyst, unit: DuelystCard, amount: int, source: str) -> int:
    """Return the damage that is left after immunity, forcefield and artifacts."""
    if not unit.dispelled and unit.text.says.immune_to_generals:
        striker = table.cards.get(source)
        if striker is not None and striker.place is not None and striker.text.kind == GENERAL:
            return _prevent(table, unit, amount, amount, source)
    has_field = "forcefield" in unit.keywords or (table.granting and is_granted(table, unit, "forcefield"))
    if has_field and not unit.shielded:
        table.set(unit, "shielded", True)
        return _prevent(table, unit, amount, amount, source)
    if unit.text.kind == GENERAL:
        for artifact in table.worn[unit.owner].cards:
            can = min(artifact.text.says.absorbs - artifact.absorbed, amount)
            if can > 0:
                table.count(artifact, "absorbed", can)
                amount = _prevent(table, unit, amount, can, source)
    return amount


def _prevent(table: Duelyst, unit: DuelystCard, amount: int, prevented: int, source: str) -> int:
    table.derive(ev.DamagePrevented(unit=unit.name, amount=prevented, source=source), AS_DECLARED)
    return amount - prevented


def _wear(table: Duelyst, artifacts: list[DuelystCard], amount: int) -> None:
    """Wear the artifacts of a general that was hurt, in the order of equipping (ruling `artifact_damage`)."""
    worn = amount if table.options["artifact_damage"] == "per_point" else 1
    for artifact in artifacts:
        table.set(artifact, "durability", max(artifact.durability - worn, 0))
        is_first = artifact.durability + worn == artifact.text.durability
        rule = "duelyst.artifact.durability-three" if is_first else "duelyst.artifact.wears-with-general"
        table.derive(ev.ArtifactWorn(card=artifact.name, durability=artifact.durability), rule)
        if not artifact.durability:
            break_artifact(table, artifact, "duelyst.artifact.breaks-at-zero")


def break_artifact(table: Duelyst, artifact: DuelystCard, rule: str) -> None:
    """Put an artifact into the graveyard of its player."""
    strip(table, artifact)
    table.move(artifact, table.graveyards[artifact.owner])
    table.derive(ev.ArtifactBroken(card=artifact.name), rule)


# -- leaving -----------------------------------------------------------------------------------------------------------


def strip(table: Duelyst, card: DuelystCard) -> None:
    """Make a card as it is that is neither on the board nor worn; one in a hand or a deck is so, and one just made."""
    if card.zone.role in {"hand", "deck", "nowhere"}:
        return
    if card.place is not None:
        forget(table, card)
        step_off(table, card)
    for field, value in NEW_FIELDS.items():
        if getattr(card, field) != value:
            table.set(card, field, value)


def leave(table: Duelyst, unit: DuelystCard, zone: Zone) -> None:
    """Take a unit off the board."""
    if unit.text.heeded or unit.keywords:
        forget(table, unit)
    step_off(table, unit)
    table.move(unit, zone)


def return_to_hand(table: Duelyst, unit: DuelystCard, rule: str) -> None:
    """Move a unit to its owner's hand; one that the game has created vanishes instead, a general stays."""
    if unit.text.kind == GENERAL:
        return
    if unit.created:
        vanish(table, unit, rule)
        return
    strip(table, unit)
    table.move(unit, table.hands[unit.owner])
    table.derive(ev.CardReturned(player=unit.owner, card=unit.name), rule)


def vanish(table: Duelyst, unit: DuelystCard, rule: str) -> None:
    """Take a token out of the game; it does not die."""
    leave(table, unit, table.zones[state.REMOVED_ZONE])
    table.derive(ev.TokenVanished(unit=unit.name), rule)


def remove_dead(table: Duelyst, units: Iterable[DuelystCard]) -> tuple[Doing, ...]:
    """Remove those of the units that have no health left, together, in the order in which they entered.

    Returns their Dying Wishes. A dead general ends the game.
    """
    dead = []
    for unit in units:
        if unit.text.health + unit.health_change <= unit.damage and unit.place is not None:
            dead.append(unit)  # noqa: PERF401 - there are one or two
    return resolve_deaths(table, dead) if dead else ()


def resolve_deaths(table: Duelyst, dead: list[DuelystCard]) -> tuple[Doing, ...]:
    """Remove units that die together; return their Dying Wishes."""
    if len(dead) > 1:
        dead = [unit for unit in table.units if unit in dead]
    wishes: tuple[Doing, ...] = ()
    fallen = []
    ruling = table.options["token_graveyard"]
    for unit in dead:
        text, is_general = unit.text, unit.text.kind == GENERAL
        if "dying-wish" in text.says.effects and not unit.dispelled:
            wishes += doings(unit.owner, unit.name, text.says.effects["dying-wish"], aim=("", unit.place))
        if is_general:
            fallen.append(unit.owner)
        is_lost = text.kind == "token" and ruling == "no"
        leave(table, unit, table.zones[state.REMOVED_ZONE] if is_lost else table.graveyards[unit.owner])
        rule = "duelyst.general.death-loses" if is_general else "duelyst.minion.dies-to-graveyard"
        table.derive(ev.UnitDied(unit=unit.name), rule)
    if fallen:
        _end_by_death(table, fallen)
        return ()
    return wishes


# -- deck and hand -----------------------------------------------------------------------------------------------------


def draw(table: Duelyst, player: str, names: Iterable[str], count: int) -> None:
    """Move cards from the deck to the hand; an unnamed one is one of the unseen ones."""
    deck, hand = table.decks[player], table.hands[player]
    strangers = []
    for name in names:
        card = table.cards.get(name)
        if card is not None and card.zone is deck:
            table.move(card, hand)
        elif is_unseen(name):
            count += 1
        else:
            if card is not None:
                strip(table, card)
            strangers.append(name)
    if strangers or count:
        table.draw(strangers, count, deck, hand)


def put_back(table: Duelyst, player: str, name: str) -> None:
    """Move a card from the hand to the deck; an unnamed one is one of the unseen ones."""
    deck, hand = table.decks[player], table.hands[player]
    if is_unseen(name):
        table.count(hand, "unseen", -1)
        table.count(deck, "unseen", 1)
        return
    card = table.take(name, hand)
    strip(table, card)
    table.move(card, deck)


# -- the end -----------------------------------------------------------------------------------------------------------


def _end_by_death(table: Duelyst, fallen: list[str]) -> None:
    """End the game because one or both generals have died (ruling `both_generals_die`)."""
    if len(fallen) == 1:
        end_game(table, table.players[fallen[0]].opponent, "general-killed", "duelyst.win.kill-general")
        return
    other = table.players[table.active].opponent if table.active else ""
    winners = {"draw": "", "active_player_wins": table.active, "active_player_loses": other}
    winner = winners[table.options["both_generals_die"]]
    end_game(table, winner, "both-generals-killed", "duelyst.win.both-generals-die")


def end_game(table: Duelyst, winner: str, reason: Any, rule: str) -> None:
    """End the game; nobody wins where `winner` is empty."""
    table.applied.append("duelyst.end.nothing-after-end")
    end(table, ev.GameEnded(winner=winner or None, reason=reason), rule)
