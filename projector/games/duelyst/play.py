"""What each decision and chance line does at the table, as far as it is physically possible."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
from msgspec import UNSET

from events.games import duelyst as ev
from events.names import owner_of
from events.vocabulary import Event
from projector.games.duelyst import board, opening, overdue
from projector.games.duelyst.board import UNKNOWN_HEALTH, activate_text, remove_dead
from projector.games.duelyst.bonds import bonds
from projector.games.duelyst.combat import attack
from projector.games.duelyst.damage import break_artifact, hurt
from projector.games.duelyst.effects import Tasks, leave_mech
from projector.games.duelyst.hands import burn, draw, put_back
from projector.games.duelyst.owed import first, hand_on, owed_as, pet_owed, summoned
from projector.games.duelyst.state import (
    BOARD,
    PARTS,
    SLOTS,
    SPELLS,
    UNITS,
    Doing,
    Duelyst,
    DuelystCard,
    DuelystPlayer,
    Owed,
    SpellDone,
)
from projector.games.duelyst.tiles import cost_of, has, is_commanded, is_granted, is_surrounded, unit_called
from projector.games.duelyst.turns import end_turn
from projector.kit.ending import early_ends
from projector.model.changes import Derived
from projector.model.due import number_of_cards
from projector.model.showing import show

Play = Callable[[Duelyst, Any], None]


def acting(play: Play) -> Play:
    """Begin a decision of the main phase: what luck has not written down by then is passed over."""

    def act(table: Duelyst, event: Any) -> None:
        name = event.player
        if table.owed or table.missed or name != table.active:
            _make_way(table, event)
            if table.over:
                return
        player = table.players[name]
        if player.progress >= PARTS and type(event) is not ev.MechSummoned:
            leave_mech(table, player)
        play(table, event)

    return act


def _make_way(table: Duelyst, event: Any) -> None:
    """Pass over what luck has not written down before a decision, and remember whose it is if it is out of turn."""
    if table.owed or table.missed or not table.turn:
        overdue.pass_over(table)
    if not table.over and event.player != table.active and type(event) is not ev.TurnEnded:
        table.set(table, "out_of_turn", event.player)


def of_luck(play: Play) -> Play:
    """Write what luck decides; what it should have written before is passed over."""

    def act(table: Duelyst, event: Any) -> None:
        if table.missed or (table.owed and owed_as(table, event) is None):
            overdue.go_on_without(table, event)
            if table.over:
                return
        play(table, event)

    return act


# -- cards between deck and hand ---------------------------------------------------------------------------------------


def _cards_drawn(table: Duelyst, event: ev.CardsDrawn) -> None:
    due = owed_as(table, event)
    if table.missed or (table.owed and due is None):
        overdue.go_on_without(table, event)
        if table.over:
            return
        due = owed_as(table, event)
    cards, drawn = event.cards or (), number_of_cards(event)
    draw(table, event.player, cards, drawn - len(cards))
    if not table.turn:
        table.set(table.players[event.player], "opened", True)
    elif table.options["hand_limit"] == "six_burn":
        burn(table, event.player, cards)
    if due is not None:
        hand_on(table, table.owed[1:])
        if drawn < due.count and table.decks[event.player].size <= 0:
            first(table, (msgspec.structs.replace(due, count=due.count - drawn),))
    elif table.missed and (late := overdue.late_draw(table, event)) is not None:
        overdue.make_up(table, late)


def _card_replaced(table: Duelyst, event: ev.CardReplaced) -> None:
    player = table.players[event.player]
    put_back(table, player.id, event.card)
    table.set(player, "replaced", True)
    rule, words = "duelyst.replace.another-card", "draws {cards} for the card that was put back"
    due = Owed(line=ev.CardsDrawn, player=player.id, rule=rule, words=words, count=1, besides=event.card)
    first(table, (due,))


# -- playing cards -----------------------------------------------------------------------------------------------------


def _pay(table: Duelyst, player: DuelystPlayer, amount: int, rule: str) -> None:
    if amount > 0:
        before = player.mana
        left = before - amount if before > amount else 0
        if before:
            table.journal.append((player, "mana", before, left))
            player.mana = left
        table.derived.append(Derived(ev.ManaPaid(player=player.id, amount=amount, mana=left), rule, len(table.journal)))


def _play_card(table: Duelyst, player: DuelystPlayer, name: str, kind: str) -> DuelystCard:
    """Take a card from the hand and pay for it; an unknown one is of the kind as which it is played."""
    hand = table.hands[player.id]
    card = table.cards.get(name)
    if card is None or card.zone is not hand:
        card = table.take(name, hand)
    board.require_text(table, card, kind)
    _pay(table, player, cost_of(table, player.id, card), "duelyst.cost.mana")
    if card.text.counts_as and not card.text.counts_as <= player.played:
        played = player.played | card.text.counts_as
        table.journal.append((player, "played", player.played, played))
        player.played = played
    return card


def _discard(table: Duelyst, card: DuelystCard) -> None:
    board.strip(table, card)
    table.move(card, table.graveyards[card.owner])


def _minion_summoned(table: Duelyst, event: ev.MinionSummoned) -> None:
    player = table.players[event.player]
    card = _play_card(table, player, event.card, "minion")
    if card.text.kind not in UNITS:
        _discard(table, card)
        return
    board.enter(table, card, event.tile)
    target = "" if event.target is UNSET else event.target
    follows = summoned(table, card, _gambits(table, card, target), played=True)
    if follows:
        first(table, follows)


def _gambits(table: Duelyst, card: DuelystCard, target: str) -> Tasks:
    """Return what a minion's Opening Gambits do, and its Bonds where another friendly unit of the tribe is there."""
    says = card.text.says
    if not says.effects:
        return ()
    gambits: Tasks = ()
    for effect in says.effects.get("opening-gambit", ()):
        gambits += (Doing(player=card.owner, source=card.name, effect=effect, rule=board.AS_DECLARED, target=target),)
    return gambits + bonds(table, card, target)


def _spell_cast(table: Duelyst, event: ev.SpellCast) -> None:
    player = table.players[event.player]
    card = _play_card(table, player, event.card, "spell")
    _discard(table, card)
    table.applied.append("duelyst.spell.to-graveyard")
    if card.text.kind in SPELLS:
        effects = _cast(player.id, card.text, card.name, event)
        first(table, (*effects, SpellDone(player.id)))


def _cast(player: str, text: Any, source: str, event: Any) -> Tasks:
    """Return what a spell does, aimed as the event says."""
    target = "" if event.target is UNSET else event.target
    tile = getattr(event, "tile", UNSET) or None
    tasks: Tasks = ()
    for effect in text.says.effects.get("cast", ()):
        tasks += (Doing(player=player, source=source, effect=effect, rule=board.AS_DECLARED, target=target, tile=tile),)
    return tasks


def _artifact_equipped(table: Duelyst, event: ev.ArtifactEquipped) -> None:
    player = table.players[event.player]
    card = _play_card(table, player, event.card, "artifact")
    if card.text.kind != "artifact":
        _discard(table, card)
        return
    worn = table.worn[player.id]
    if len(worn.cards) >= SLOTS and table.options["artifact_overflow"] == "replaces_oldest":
        break_artifact(table, worn.cards[0], "duelyst.artifact.free-slot")
    is_copy = any(other.text is card.text for other in worn.cards)
    table.applied.append("duelyst.general.same-artifact-twice" if is_copy else "duelyst.general.three-slots")
    if card.place is not None:
        board.strip(table, card)
    table.move(card, worn)
    table.set(card, "durability", card.text.durability)


def _bloodbound_spell_cast(table: Duelyst, event: ev.BloodboundSpellCast) -> None:
    player = table.players[event.player]
    general = table.find(player.general)
    _pay(table, player, 1, "duelyst.bloodbound.one-mana")
    if player.bloodbound:
        table.count(player, "bloodbound", -1)
    text = table.library.get(general.text.bloodbound_spell) if general is not None else None
    if text is not None:
        first(table, _cast(player.id, text, f"{player.id}:{text.id}", event))


def _mech_summoned(table: Duelyst, event: ev.MechSummoned) -> None:
    player = table.players[event.player]
    unit = board.create(table, event.unit, event.tile)
    table.set(player, "progress", 0)
    table.derive(ev.BuildProgressed(player=player.id, progress=0), "duelyst.mech.progress-resets")
    first(table, summoned(table, unit))


# -- units -------------------------------------------------------------------------------------------------------------


def _unit_moved(table: Duelyst, event: ev.UnitMoved) -> None:
    unit = table.cards.get(event.unit)
    if unit is None or unit.place is None:
        return
    if "flying" in unit.keywords or (table.granting and is_granted(table, unit, "flying")):
        how = "surrounded-moves" if is_surrounded(table, unit) else "any-free-tile"
        table.applied.append(f"duelyst.flying.{how}")
    table.journal.append((unit, "moves", unit.moves, unit.moves + 1))
    unit.moves += 1
    board.step_on(table, unit, event.to)
    if event.to in table.globes:
        board.step_on_globe(table, unit, event.to, walking=True)


def _unit_attacked(table: Duelyst, event: ev.UnitAttacked) -> None:
    unit = table.cards.get(event.unit)
    target = table.cards.get(event.target)
    if unit is None or target is None or unit is target or unit.place is None or target.place is None:
        return
    follows = attack(table, unit, target)
    if follows:
        first(table, follows)


def _pet_acted(table: Duelyst, event: ev.PetActed) -> None:
    acts = pet_owed(table, event.unit)
    if acts is not None:
        overdue.strike_pet_off(table, acts)
    unit = unit_called(table, event.unit)
    if unit is None:
        return
    if not is_commanded(table, unit):
        table.applied.append("duelyst.pet.not-controlled")
    if unit.keywords or table.granting:
        for keyword in ("ranged", "flying"):
            if has(table, unit, keyword):
                table.applied.append(f"duelyst.pet.{keyword}")
    if event.to is not UNSET:
        table.applied.append("duelyst.pet.shortest-path")
        board.step_on(table, unit, event.to)
        board.step_on_globe(table, unit, event.to, walking=True)
    target = None if event.target is UNSET else unit_called(table, event.target)
    if target is not None and target is not unit:
        first(table, attack(table, unit, target))


# -- luck --------------------------------------------------------------------------------------------------------------


def _token_summoned(table: Duelyst, event: ev.TokenSummoned) -> None:
    if owed_as(table, event) is None:
        overdue.bring_forward(table, event)
    if owed_as(table, event) is not None:
        hand_on(table, table.owed[1:])
    unit = board.create(table, event.unit, event.tile)
    first(table, summoned(table, unit))


def _target_picked(table: Duelyst, event: ev.TargetPicked) -> None:
    due = owed_as(table, event)
    if due is None:
        return
    target = unit_called(table, event.target)
    hand_on(table, table.owed[1:])
    if target is not None:
        hurt(table, target, due.damage, due.source, due.rule)
        first(table, board.remove_dead(table, (target,)))


# -- the end -----------------------------------------------------------------------------------------------------------


def _turn_ended(table: Duelyst, event: ev.TurnEnded) -> None:
    """End a turn; a stray line of somebody who is not on turn, and has not acted either, ends nothing."""
    if event.player not in {table.active, table.out_of_turn}:
        return
    hand_on(table, end_turn(table, event.player) + table.owed)


FREELY: Final[Mapping[type[Event], Play]] = {
    ev.CardReplaced: _card_replaced,
    ev.MinionSummoned: _minion_summoned,
    ev.SpellCast: _spell_cast,
    ev.ArtifactEquipped: _artifact_equipped,
    ev.BloodboundSpellCast: _bloodbound_spell_cast,
    ev.MechSummoned: _mech_summoned,
    ev.UnitMoved: _unit_moved,
    ev.UnitAttacked: _unit_attacked,
    ev.TurnEnded: _turn_ended,
}
"""The decisions of the main phase, of a player on turn whom luck owes nothing."""


def _card_shown(table: Duelyst, event: ev.CardShown) -> None:
    """Name an unnamed card; a unit is what is printed on it from now on."""
    owner, unnamed = owner_of(event.card), table.cards.get(event.was)
    if owner not in table.players or table.cards.get(event.card) is unnamed is not None:
        return
    card = show(table, event.was, event.card, table.hands[owner])
    if unnamed is not None and card.zone.name == BOARD and card.text is not None and card.text.kind in UNITS:
        _become(table, card)


def _become(table: Duelyst, unit: DuelystCard) -> None:
    """Make a unit of the board what is printed on it; what the log said of its health was so."""
    if unit.damage > UNKNOWN_HEALTH // 2:
        left = UNKNOWN_HEALTH - unit.damage
        table.set(unit, "damage", max(unit.text.health - left, 0))
    table.set(unit, "keywords", unit.keywords | unit.text.says.keywords)
    table.reckon()
    activate_text(table, unit)
    first(table, remove_dead(table, (unit,)))


PLAY: Final[Mapping[type[Event], Play]] = {
    **early_ends(board.end_game, "duelyst"),
    ev.DeckDeclared: opening.deck_declared,
    ev.DeckShuffled: opening.deck_shuffled,
    ev.FirstPlayerChosen: opening.first_player_chosen,
    ev.MulliganTaken: opening.mulligan_taken,
    ev.CardsDrawn: _cards_drawn,
    ev.CardShown: _card_shown,
    **{kind: acting(play) for kind, play in FREELY.items()},
    ev.PetActed: of_luck(_pet_acted),
    ev.TokenSummoned: of_luck(_token_summoned),
    ev.TargetPicked: of_luck(_target_picked),
}
