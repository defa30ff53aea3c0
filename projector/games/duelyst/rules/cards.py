"""The rules of playing cards: whose turn, from the hand, for mana, on which tile, at which target."""

from typing import Any, Final

from msgspec import UNSET

from events.games import duelyst as ev
from projector.games.duelyst.board import next_name
from projector.games.duelyst.rules.setup import known_cards
from projector.games.duelyst.state import (
    BOARD,
    PARTS,
    SLOTS,
    SPELLS,
    Duelyst,
    DuelystCard,
    called,
    general_of,
    name_of,
    zone_of,
)
from projector.games.duelyst.targets import fitting, targeted
from projector.games.duelyst.tiles import AROUND, ON_BOARD, TWO_AWAY, cost_of, distance, unit_on
from projector.rules import NOT_AT_STAKE, Broken, Verdict, case, rule

MINIONS: Final = frozenset({"minion", "token"})
ARTIFACTS: Final = frozenset({"artifact"})
NEAR: Final = {tile: frozenset(tiles) for tile, tiles in AROUND.items()}
NEAR_OR_WALK: Final = {tile: frozenset(tiles + TWO_AWAY[tile]) for tile, tiles in AROUND.items()}


@rule(
    "duelyst.turn.active-player",
    "Player's turn overview",
    "L83-L88",
    "In the main phase the player on turn replaces, casts, plays, moves and attacks in any order.",
)
def active_player(table: Duelyst, event: Any) -> Verdict:
    """The player is the one on turn."""
    if event.player == table.active:
        return None
    return Broken(f"it is not the turn of {name_of(table, event.player)}", f"{name_of(table, table.active)} is on turn")


@rule("duelyst.play.card-type", "Card types", "L24 L34 L42", "Minions are summoned, artifacts equipped, spells cast.")
def is_minion(table: Duelyst, event: ev.MinionSummoned) -> Verdict:
    """A minion is summoned."""
    return _of_kind(table, event.card, MINIONS, "summoned")


@case(is_minion)
def is_spell(table: Duelyst, event: ev.SpellCast) -> Verdict:
    """A spell is cast."""
    return _of_kind(table, event.card, SPELLS, "cast")


@case(is_minion)
def is_artifact(table: Duelyst, event: ev.ArtifactEquipped) -> Verdict:
    """An artifact is equipped."""
    return _of_kind(table, event.card, ARTIFACTS, "equipped")


def _of_kind(table: Duelyst, card: str, kinds: frozenset[str], verb: str) -> Verdict:
    found = table.cards.get(card)
    if found is None or found.text is None:
        return NOT_AT_STAKE
    if found.text.kind in kinds:
        return None
    return f"{called(table, card)} is {verb}, but its type is {found.text.kind}"


@rule("duelyst.cost.mana", "Player's turn overview", "L86", "The cost of a card must be there and is paid (implied).")
def mana(table: Duelyst, event: Any) -> Verdict:
    """The mana left covers the cost after changes."""
    card = table.cards.get(event.card)
    if card is None or card.text is None:
        return NOT_AT_STAKE
    player = table.players[event.player]
    cost = cost_of(table, player.id, card)
    if cost <= player.mana:
        return None
    return Broken(
        f"{called(table, event.card)} costs {cost}, {player.name} has {player.mana} mana left", f"{cost} mana"
    )


# -- tiles -------------------------------------------------------------------------------------------------------------


@rule("duelyst.setup.nine-by-five", "Board setup", "L54", "The board has 9 columns and 5 rows.")
def tile_on_board(_table: Duelyst, event: Any) -> Verdict:
    """The tile lies on the board."""
    return _on_board(event.tile)


@case(tile_on_board)
def target_tile_on_board(_table: Duelyst, event: ev.BloodboundSpellCast) -> Verdict:
    """The tile lies on the board."""
    return NOT_AT_STAKE if event.tile is UNSET else _on_board(event.tile)


def _on_board(tile: Any) -> Verdict:
    return None if tile in ON_BOARD else Broken(f"there is no tile {list(tile)}", "row 1 to 5, column 1 to 9")


@rule("duelyst.summon.free-tile", "Minion, movement", "L26 L94", "The tile of summoning is empty.")
def free_tile(table: Duelyst, event: Any) -> Verdict:
    """No unit stands there."""
    unit = unit_on(table, event.tile)
    return None if unit is None else f"{called(table, unit.name)} stands on {list(event.tile)}"


@rule(
    "duelyst.summon.near-friendly",
    "Minion",
    "L26 L27",
    "A minion is summoned within range of a friendly unit.",
)
def near_friendly(table: Duelyst, event: ev.MinionSummoned) -> Verdict:
    """An own unit is within range (ruling `summon_range`); airdrop is free."""
    card = table.cards.get(event.card)
    if card is None or card.text is None or "airdrop" in card.text.says.keywords:
        return NOT_AT_STAKE
    if is_near_friendly(table, event.player, event.tile):
        return None
    return f"no unit of {name_of(table, event.player)} is within range of {list(event.tile)}"


def is_near_friendly(table: Duelyst, player: str, tile: Any) -> bool:
    """Tell whether an own unit is within range of a tile."""
    near = (NEAR_OR_WALK if table.options["summon_range"] == "movement_range" else NEAR).get(tile)
    own = [unit.place for unit in table.zones[BOARD].cards if unit.owner == player]
    return near is not None and not near.isdisjoint(own)


# -- targets -----------------------------------------------------------------------------------------------------------


@rule("duelyst.spell.target", "Spell", "L44", "The target of a spell is what its text asks for.")
def spell_target(table: Duelyst, event: ev.SpellCast) -> Verdict:
    """The target fits the text; it is absent where the text asks for none."""
    card = table.cards.get(event.card)
    if card is None or card.text is None:
        return NOT_AT_STAKE
    return _aimed(table, event, card, "cast")


@rule("duelyst.gambit.target", "Mech", "L241", "The target of an Opening Gambit is what the text asks for.")
def gambit_target(table: Duelyst, event: ev.MinionSummoned) -> Verdict:
    """The target fits the text; it may be absent where the text says so or nothing fits (ruling `empty_gambit`)."""
    card = table.cards.get(event.card)
    if card is None or card.text is None or (event.target is UNSET and not card.text.says.abilities):
        return NOT_AT_STAKE
    ability = targeted(card.text, "opening-gambit")
    if ability is None or ability.target is None or event.target is not UNSET:
        return _aimed(table, event, card, "opening-gambit")
    fits = fitting(table, ability.target, event.player, event.tile)
    if not fits and table.options["empty_gambit"] == "forbidden":
        return f"nothing on the board fits the Opening Gambit of {card.text.name}"
    if ability.target.optional or not fits:
        return None
    return f"{card.text.name} is summoned without a target for its Opening Gambit"


def _aimed(table: Duelyst, event: Any, card: DuelystCard, trigger: str) -> Verdict:
    """Look at the target of a card that is played."""
    ability = targeted(card.text, trigger)
    if ability is None or ability.target is None:
        if event.target is UNSET:
            return NOT_AT_STAKE
        return f"{card.text.name} asks for no target, {called(table, event.target)} is named"
    fits = fitting(table, ability.target, event.player, getattr(event, "tile", None))
    if event.target is UNSET:
        return f"{card.text.name} is played without a target"
    if any(unit.name == event.target for unit in fits):
        return None
    return f"{called(table, event.target)} is no target for {card.text.name}: {card.text.text}"


@rule("duelyst.bloodbound.target", "Bloodbound Spell", "L150", "Its target is what the text asks for.")
def bloodbound_target(table: Duelyst, event: ev.BloodboundSpellCast) -> Verdict:
    """Target and tile fit the text."""
    general = general_of(table, event.player)
    text = table.library.get(general.text.bloodbound_spell) if general is not None else None
    if text is None:
        return NOT_AT_STAKE
    ability = targeted(text, "cast")
    if ability is None or ability.target is None:
        if event.target is UNSET and event.tile is UNSET:
            return NOT_AT_STAKE
        return f"{text.name} asks for no target and no tile"
    fits = fitting(table, ability.target, event.player, None)
    unit = next((each for each in fits if each.name == event.target), None)
    if unit is None:
        named = "nothing" if event.target is UNSET else called(table, event.target)
        return f"{named} is no target for {text.name}: {text.text}"
    far = next((effect.n for effect in ability.effects if effect.verb == "teleport"), 0)
    return _teleported(table, event, unit, far)


def _teleported(table: Duelyst, event: ev.BloodboundSpellCast, unit: DuelystCard, far: int) -> Verdict:
    if not far:
        return None if event.tile is UNSET else "a tile is named, but the spell puts nobody anywhere"
    if event.tile is UNSET:
        return "no tile is named"
    other = unit_on(table, event.tile)
    if other is not None:
        return f"{called(table, other.name)} stands on {list(event.tile)}"
    here: Any = unit.place
    steps = distance(here, event.tile)
    return None if steps <= far else Broken(f"{list(event.tile)} is {steps} tiles away", f"at most {far}")


# -- bloodbound spell, artifacts, replacing, MECHAZ0R! -----------------------------------------------------------------


@rule(
    "duelyst.bloodbound.available",
    "Bloodbound Spell",
    "L85 L150 L151",
    "It can be used only while it is available.",
)
def bloodbound_available(table: Duelyst, event: ev.BloodboundSpellCast) -> Verdict:
    """Readied and not used since."""
    player = table.players[event.player]
    if player.bloodbound:
        return None
    return f"the bloodbound spell of {player.name} is not available in own turn {player.turns}"


@rule("duelyst.bloodbound.one-mana", "Bloodbound Spell", "L150", "A bloodbound spell costs one mana.")
def bloodbound_mana(table: Duelyst, event: ev.BloodboundSpellCast) -> Verdict:
    """One mana is there."""
    player = table.players[event.player]
    return None if player.mana >= 1 else Broken(f"{player.name} has no mana left", "1 mana")


@rule(
    "duelyst.artifact.free-slot",
    "Artifact",
    "L21 L36",
    "An artifact is equipped to the own general, in a free slot.",
)
def free_slot(table: Duelyst, event: ev.ArtifactEquipped) -> Verdict:
    """Fewer than three are worn, unless a fourth takes the place of the oldest (ruling `artifact_overflow`)."""
    worn = len(zone_of(table, "artifacts", event.player).cards)
    if worn < SLOTS or table.options["artifact_overflow"] == "replaces_oldest":
        return None
    message = f"the general of {name_of(table, event.player)} wears {worn} artifacts already"
    return Broken(message, f"at most {SLOTS}", because="duelyst.general.three-slots")


@rule(
    "duelyst.replace.once-per-turn",
    "Player's turn overview",
    "L84",
    "One card of the hand may be replaced in a turn (the text has the singular).",
)
def replace_once(table: Duelyst, event: ev.CardReplaced) -> Verdict:
    """At most one a turn (ruling `replace`)."""
    player = table.players[event.player]
    if not player.replaced or table.options["replace"] == "unlimited":
        return None
    return f"{player.name} replaces a second card in this turn"


@rule(
    "duelyst.mech.free-after-five",
    "Mech",
    "L242 L243",
    "After five of them MECHAZ0R! may be summoned for free.",
)
def free_after_five(table: Duelyst, event: ev.MechSummoned) -> Verdict:
    """The progress is five."""
    player = table.players[event.player]
    if player.progress >= PARTS:
        return None
    return Broken(f"the MECHAZ0R! build of {player.name} stands at {player.progress}", f"{PARTS} parts")


@case(known_cards)
def known_mech(table: Duelyst, event: ev.MechSummoned) -> Verdict:
    """It has the next free number."""
    name = next_name(table, event.player, "mechaz0r")
    return None if event.unit == name else Broken(f"the new unit is called {event.unit}", name)
