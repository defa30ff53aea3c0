"""The rules of playing cards: whose turn, from the hand, for mana, on which tile, at which target."""

from typing import Any, Final

from msgspec import UNSET

from events.games import duelyst as ev
from events.names import card_of
from projector.games.duelyst.board import next_name
from projector.games.duelyst.naming import called, is_taken
from projector.games.duelyst.rules.answers import NOTHING, Judgements, misnamed, single, together, told_by_people
from projector.games.duelyst.rules.setup import from_hand, in_hand, known_cards
from projector.games.duelyst.selecting import candidates, fits, targeted
from projector.games.duelyst.state import BOARD, PARTS, SLOTS, SPELLS, Duelyst, DuelystCard, DuelystPlayer, DuelystText
from projector.games.duelyst.tiles import NEAR, NEAR_OR_WALK, ON_BOARD, cost_of, is_structure, unit_called
from projector.kit.common_rules import unknown_among
from projector.model.phrases import as_ruled, name_of, tile_in_words
from projector.model.rules import NOT_APPLICABLE, AllPassed, Broken, Verdict, all_passed, case, declare, rule

MINIONS: Final = frozenset({"minion", "token"})
ARTIFACTS: Final = frozenset({"artifact"})
KINDS: Final = {"summoned": MINIONS, "cast": SPELLS, "equipped": ARTIFACTS}
"""What is done with cards of which types."""


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


ON_TURN: Final = all_passed(active_player)


def judge_end(table: Duelyst, event: ev.TurnEnded) -> Judgements:
    """Check the end of a turn: the player on turn ends it."""
    return ON_TURN if event.player == table.active else ((active_player, active_player(table, event)),)


CARD_TYPE: Final = declare(
    "duelyst.play.card-type", "Card types", "L24 L34 L42", "Minions are summoned, artifacts equipped, spells cast."
)
MANA: Final = declare(
    "duelyst.cost.mana", "Player's turn overview", "L86", "The cost of a card must be there and is paid (implied)."
)
FREE_TILE: Final = declare("duelyst.summon.free-tile", "Minion, movement", "L26 L94", "The tile of summoning is empty.")
SPELL_TARGET: Final = declare(
    "duelyst.spell.target", "Spell", "L44", "The target of a spell is what its text asks for."
)
GAMBIT_TARGET: Final = declare(
    "duelyst.gambit.target", "Mech", "L241", "The target of an Opening Gambit is what the text asks for."
)
FREE_SLOT: Final = declare(
    "duelyst.artifact.free-slot", "Artifact", "L21 L36", "An artifact is equipped to the own general, in a free slot."
)
ABILITY: Final = declare("duelyst.ability.as-declared", "Card types", "", "A card does what its declared text says.")
NEAR_FRIENDLY: Final = declare(
    "duelyst.summon.near-friendly", "Minion", "L26 L27", "A minion is summoned within range of a friendly unit."
)


PLAYED: Final = all_passed(active_player, known_cards, CARD_TYPE, from_hand, MANA)
"""What a player keeps to who plays a known card."""


def summons_well(table: Duelyst, event: ev.MinionSummoned) -> AllPassed | None:
    """Return what is kept where a minion of the own hand that aims at nothing is summoned near a friendly unit."""
    card, name = table.cards.get(event.card), event.player
    if card is None or card.text is None or name != table.active or card.zone is not table.hands[name]:
        return None
    text, tile = card.text, event.tile
    if text.kind not in MINIONS or text.says.aims or text.manual or event.target is not UNSET:
        return None
    if tile not in ON_BOARD or tile in table.standing or cost_of(table, name, card) > table.players[name].mana:
        return None
    if "airdrop" in text.says.keywords:
        return LANDED
    return SUMMONED if is_near_friendly(table, name, tile) else None


def judge_minion(table: Duelyst, event: ev.MinionSummoned) -> Judgements:
    """Check a minion that is summoned: the card, the tile, the target of its Opening Gambit."""
    card = table.cards.get(event.card)
    if card is None or card.text is None:
        return together(_judge_unknown(table, event, "summoned"), _judge_site(table, event, is_free_to_land=True))
    played = _judge_card(table, event, card, "summoned")
    if card.text.kind not in MINIONS:
        return played
    says = card.text.says
    site = _judge_site(table, event, is_free_to_land="airdrop" in says.keywords)
    is_aimed = says.aims or event.target is not UNSET
    gambit = single(GAMBIT_TARGET, _gambit(table, event, card)) if is_aimed else NOTHING
    return together(played, site, gambit, _judge_text(card) if card.text.manual else NOTHING)


def judge_spell(table: Duelyst, event: ev.SpellCast) -> Judgements:
    """Check a spell that is cast: the card and its target, which is absent where the text asks for none."""
    card = table.cards.get(event.card)
    if card is None or card.text is None:
        return _judge_unknown(table, event, "cast")
    played = _judge_card(table, event, card, "cast")
    if card.text.kind not in SPELLS:
        return played
    return together(played, single(SPELL_TARGET, _aimed(table, event, card, "cast")), _judge_text(card))


def judge_artifact(table: Duelyst, event: ev.ArtifactEquipped) -> Judgements:
    """Check an artifact that is equipped: the card, and whether a slot is free.

    Fewer than three are worn, unless a fourth takes the place of the oldest (ruling `artifact_overflow`).
    """
    worn = len(table.worn[event.player].cards)
    is_free = worn < SLOTS or table.options["artifact_overflow"] == "replaces_oldest"
    slot = single(FREE_SLOT, None if is_free else _overloaded(table, event, worn))
    card = table.cards.get(event.card)
    if card is None or card.text is None:
        return together(_judge_unknown(table, event, "equipped"), slot)
    played = _judge_card(table, event, card, "equipped")
    return together(played, slot, _judge_text(card)) if card.text.kind in ARTIFACTS else played


def _overloaded(table: Duelyst, event: ev.ArtifactEquipped, worn: int) -> Verdict:
    why = as_ruled(table, "artifact_overflow")
    message = f"the general of {name_of(table, event.player)} wears {worn} artifacts already{why}"
    return Broken(message, f"at most {SLOTS}", because="duelyst.general.three-slots")


def _judge_text(card: DuelystCard) -> Judgements:
    """Return that a text beyond the vocabulary is carried out by the people at the table."""
    if not card.text.manual:
        return NOTHING
    return ((ABILITY, told_by_people(card.text)),)


def _judge_unknown(table: Duelyst, event: Any, verb: str) -> Judgements:
    """Check a card that is not on the table under this name: of most of these nobody knows what is printed on them."""
    names = (event.card,)
    text = table.library.get(card_of(event.card))
    kind = NOT_APPLICABLE if text is None or text.kind in KINDS[verb] else _other_kind(table, event.card, verb, text)
    active = (active_player, active_player(table, event))
    held = (from_hand, in_hand(table, event.player, names))
    return active, (known_cards, unknown_among(table, names)), (CARD_TYPE, kind), held


def _other_kind(table: Duelyst, card: str, verb: str, text: DuelystText) -> str:
    return f"{called(table, card)} is {verb}, but its type is {text.kind.replace('-', ' ')}"


def _judge_card(table: Duelyst, event: Any, card: DuelystCard, verb: str) -> Judgements:
    """Check a card that is played in the own turn: of the right type, in the hand, paid for.

    What a card of another type costs is not asked.
    """
    player = table.players[event.player]
    is_right = card.text.kind in KINDS[verb]
    is_held = card.zone is table.hands[player.id]
    cost = cost_of(table, player.id, card)
    if is_right and is_held and cost <= player.mana and player.id == table.active:
        return PLAYED
    active = (active_player, active_player(table, event))
    held = (from_hand, None if is_held else in_hand(table, player.id, (event.card,)))
    if not is_right:
        return active, (known_cards, None), (CARD_TYPE, _other_kind(table, card.name, verb, card.text)), held
    return (
        active,
        (known_cards, None),
        (CARD_TYPE, None),
        held,
        (MANA, None if cost <= player.mana else _too_dear(table, card, cost, player)),
    )


def _too_dear(table: Duelyst, card: DuelystCard, cost: int, player: DuelystPlayer) -> Verdict:
    message = f"{called(table, card.name)} costs {cost}, {player.name} has {player.mana} mana left"
    return Broken(message, f"{cost} mana")


def _judge_site(table: Duelyst, event: ev.MinionSummoned, *, is_free_to_land: bool) -> Judgements:
    """Check the tile of a summoning; the first thing that is wrong with it is reported alone.

    An own unit is within range (ruling `summon_range`) unless the card is free to land anywhere (airdrop).
    """
    tile = event.tile
    if tile not in ON_BOARD:
        return ((tile_on_board, no_such_tile(tile)),)
    other = table.standing.get(tile)
    if other is not None:
        return (tile_on_board, None), (FREE_TILE, is_taken(table, tile, other))
    if is_free_to_land:
        return ANYWHERE
    if is_near_friendly(table, event.player, tile):
        return NEARBY
    told = f"no unit of {name_of(table, event.player)} is within range of {tile_in_words(tile)}"
    return *ANYWHERE, (NEAR_FRIENDLY, told + as_ruled(table, "summon_range"))


# -- tiles -------------------------------------------------------------------------------------------------------------


@rule("duelyst.setup.nine-by-five", "Board setup", "L54", "The board has 9 columns and 5 rows.")
def tile_on_board(_table: Duelyst, event: Any) -> Verdict:
    """The tile lies on the board."""
    return None if event.tile in ON_BOARD else no_such_tile(event.tile)


ON_TILE: Final = all_passed(tile_on_board)
LANDED: Final = all_passed(active_player, known_cards, CARD_TYPE, from_hand, MANA, tile_on_board, FREE_TILE)
SUMMONED: Final = all_passed(*(rule for rule, _ in LANDED), NEAR_FRIENDLY)
"""What a player keeps to who summons a minion that aims at nothing, anywhere or near a friendly unit."""
ANYWHERE: Final = all_passed(tile_on_board, FREE_TILE)
"""What a minion keeps to that is summoned on a free tile."""
NEARBY: Final = all_passed(tile_on_board, FREE_TILE, NEAR_FRIENDLY)


def no_such_tile(tile: Any) -> Broken:
    """Return that a tile does not lie on the board."""
    return Broken(f"there is no tile {tile_in_words(tile)}", "row a to e, column 1 to 9")


@case(FREE_TILE)
def free_tile(table: Duelyst, event: ev.MechSummoned) -> Verdict:
    """No unit stands there."""
    unit = table.standing.get(event.tile)
    return None if unit is None else is_taken(table, event.tile, unit)


def is_near_friendly(table: Duelyst, player: str, tile: Any) -> bool:
    """Return whether an own unit is within range of a tile."""
    near = (NEAR_OR_WALK if table.options["summon_range"] == "movement_range" else NEAR).get(tile)
    if near is not None:
        for unit in table.zones[BOARD].cards:
            if unit.owner == player and unit.place in near:
                return True
    return False


def tiles_near_friendly(table: Duelyst, player: str) -> frozenset[Any]:
    """Return the tiles within range of an own unit."""
    near = NEAR_OR_WALK if table.options["summon_range"] == "movement_range" else NEAR
    # To be near is mutual: the tiles from which a unit's is near are those near the unit's.
    return frozenset().union(*(near.get(unit.place, ()) for unit in table.zones[BOARD].cards if unit.owner == player))


# -- targets -----------------------------------------------------------------------------------------------------------


def _gambit(table: Duelyst, event: ev.MinionSummoned, card: DuelystCard) -> Verdict:
    """Check the target of an Opening Gambit.

    It fits the text; it may be absent where the text says so or nothing fits (ruling `empty_gambit`).
    """
    ability = targeted(card.text, "opening-gambit")
    if ability is None or ability.target is None or event.target is not UNSET:
        return _aimed(table, event, card, "opening-gambit")
    there = candidates(table, ability.target, event.player, event.tile)
    if not there and table.options["empty_gambit"] == "forbidden":
        return f"nothing on the board fits the Opening Gambit of {card.text.name}{as_ruled(table, 'empty_gambit')}"
    if ability.target.optional or not there:
        return None
    return f"{card.text.name} is summoned without a target for its Opening Gambit"


def _aimed(table: Duelyst, event: Any, card: DuelystCard, trigger: str) -> Verdict:
    """Check the target of a card that is played."""
    ability = targeted(card.text, trigger)
    if ability is None or ability.target is None:
        if event.target is UNSET:
            return NOT_APPLICABLE
        return f"{card.text.name} asks for no target, {called(table, event.target)} is named"
    if event.target is UNSET:
        return f"{card.text.name} is played without a target"
    unit = unit_called(table, event.target)
    if unit is not None and fits(table, ability.target, event.player, getattr(event, "tile", None), unit):
        return None
    return f"{called(table, event.target)} is no target for {card.text.name}: {why_no_target(table, card.text, unit)}"


def why_no_target(table: Duelyst, text: DuelystText, unit: DuelystCard | None) -> str:
    """Return what a card asks for; of a Structure that would gain attack, that it cannot (ruling `structure_buff`)."""
    is_strengthened = any(ability.target.is_strengthened for ability in text.says.aims.values() if ability.target)
    if unit is None or not is_strengthened or not is_structure(unit):
        return text.text
    return f"a Structure gains no attack{as_ruled(table, 'structure_buff')}"


# -- replacing, MECHAZ0R! ----------------------------------------------------------------------------------------------


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
    return f"{player.name} replaces a second card in this turn{as_ruled(table, 'replace')}"


@rule("duelyst.mech.free-after-five", "Mech", "L242 L243", "After five of them MECHAZ0R! may be summoned for free.")
def free_after_five(table: Duelyst, event: ev.MechSummoned) -> Verdict:
    """The progress is five."""
    player = table.players[event.player]
    if player.progress >= PARTS:
        return None
    why = as_ruled(table, "mech_pending") if table.options["mech_pending"] != "kept_until_used" else ""
    told = f"the MECHAZ0R! build of {player.name} stands at {player.progress}, {PARTS} parts are needed{why}"
    return Broken(told, f"{PARTS} parts")


@case(known_cards)
def known_mech(table: Duelyst, event: ev.MechSummoned) -> Verdict:
    """It has the next free number."""
    name = next_name(table, event.player, "mechaz0r")
    return None if event.unit == name else misnamed(event.unit, name)
