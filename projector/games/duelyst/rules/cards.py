"""The rules of playing cards: whose turn, from the hand, for mana, on which tile, at which target."""

from collections.abc import Callable
from typing import Any, Final

from msgspec import UNSET

from events.games import duelyst as ev
from events.names import card_of
from events.vocabulary import Event
from projector.games.duelyst.board import next_name
from projector.games.duelyst.naming import called, is_taken
from projector.games.duelyst.rules.answers import misnamed, told_by_people
from projector.games.duelyst.rules.setup import from_hand, known_cards
from projector.games.duelyst.schema import DuelystText
from projector.games.duelyst.selecting import candidates, fits, targeted
from projector.games.duelyst.state import BOARD, PARTS, SLOTS, SPELLS, Duelyst, DuelystCard
from projector.games.duelyst.tiles import NEAR, NEAR_OR_WALK, ON_BOARD, cost_of, is_structure, unit_called
from projector.kit.common_rules import unknown_among
from projector.model.phrases import as_ruled, name_of, tile_in_words
from projector.model.rules import NOT_APPLICABLE, AllPassed, Broken, Check, Verdict, all_passed, case, rule, stop

MINIONS: Final = frozenset({"minion", "token"})
ARTIFACTS: Final = frozenset({"artifact"})
PLAYS: Final[dict[type[Event], tuple[str, frozenset[str]]]] = {
    ev.MinionSummoned: ("summoned", MINIONS),
    ev.SpellCast: ("cast", SPELLS),
    ev.ArtifactEquipped: ("equipped", ARTIFACTS),
}
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


def ends_own_turn(table: Duelyst, event: ev.TurnEnded) -> AllPassed | None:
    """Return what is kept where the player on turn ends it."""
    return ON_TURN if table.active == event.player else None


# -- the card ---------------------------------------------------------------------------------------------------------


def _printed(table: Duelyst, name: str) -> DuelystText | None:
    """Return what is printed on a card that lies on the table, or None."""
    card = table.cards.get(name)
    return None if card is None else card.text


def as_printed(check: Callable[[Duelyst, Any, DuelystText], Verdict]) -> Check:
    """Return a check that is given what is printed on the card of a line; without that it has nothing to say."""

    def look(table: Duelyst, event: Any) -> Verdict:
        text = _printed(table, event.card)
        return NOT_APPLICABLE if text is None else check(table, event, text)

    return look


@case(known_cards)
def known_played(table: Duelyst, event: Any) -> Verdict:
    """The card that is played is in the card file."""
    return None if _printed(table, event.card) is not None else unknown_among(table, (event.card,))


@rule("duelyst.play.card-type", "Card types", "L24 L34 L42", "Minions are summoned, artifacts equipped, spells cast.")
def card_type(table: Duelyst, event: Any) -> Verdict:
    """The type of the card is one of those with which this is done."""
    text = _printed(table, event.card) or table.library.get(card_of(event.card))
    if text is None:
        return NOT_APPLICABLE
    verb, kinds = PLAYS[type(event)]
    if text.kind in kinds:
        return None
    return f"{called(table, event.card)} is {verb}, but its type is {text.kind.replace('-', ' ')}"


@rule("duelyst.cost.mana", "Player's turn overview", "L86", "The cost of a card must be there and is paid (implied).")
def mana(table: Duelyst, event: Any) -> Verdict:
    """The player has the mana that the card costs."""
    card, player = table.cards.get(event.card), table.players[event.player]
    if card is None or card.text is None:
        return NOT_APPLICABLE
    cost = cost_of(table, player.id, card)
    if cost <= player.mana:
        return None
    return Broken(f"{called(table, card.name)} costs {cost}, {player.name} has {player.mana} mana left", f"{cost} mana")


@rule("duelyst.ability.as-declared", "Card types", "", "A card does what its declared text says.")
@as_printed
def as_declared(_table: Duelyst, _event: Any, text: DuelystText) -> Verdict:
    """A text beyond the vocabulary is carried out by the people at the table."""
    return told_by_people(text) if text.manual else NOT_APPLICABLE


@rule(
    "duelyst.artifact.free-slot", "Artifact", "L21 L36", "An artifact is equipped to the own general, in a free slot."
)
def free_slot(table: Duelyst, event: ev.ArtifactEquipped) -> Verdict:
    """Fewer than three are worn, unless a fourth takes the place of the oldest (ruling `artifact_overflow`)."""
    worn = len(table.worn[event.player].cards)
    if worn < SLOTS or table.options["artifact_overflow"] == "replaces_oldest":
        return None
    why = as_ruled(table, "artifact_overflow")
    message = f"the general of {name_of(table, event.player)} wears {worn} artifacts already{why}"
    return Broken(message, f"at most {SLOTS}", because="duelyst.general.three-slots")


# -- tiles -------------------------------------------------------------------------------------------------------------


@rule("duelyst.setup.nine-by-five", "Board setup", "L54", "The board has 9 columns and 5 rows.")
def tile_on_board(_table: Duelyst, event: Any) -> Verdict:
    """The tile lies on the board."""
    return None if event.tile in ON_BOARD else no_such_tile(event.tile)


def no_such_tile(tile: Any) -> Broken:
    """Return that a tile does not lie on the board."""
    return Broken(f"there is no tile {tile_in_words(tile)}", "row a to e, column 1 to 9")


@rule("duelyst.summon.free-tile", "Minion, movement", "L26 L94", "The tile of summoning is empty.")
def free_tile(table: Duelyst, event: ev.MinionSummoned | ev.MechSummoned) -> Verdict:
    """No unit stands there."""
    unit = table.standing.get(event.tile)
    return None if unit is None else is_taken(table, event.tile, unit)


@rule("duelyst.summon.near-friendly", "Minion", "L26 L27", "A minion is summoned within range of a friendly unit.")
@as_printed
def near_friendly(table: Duelyst, event: ev.MinionSummoned, text: DuelystText) -> Verdict:
    """An own unit is within range (ruling `summon_range`) unless the card is free to land anywhere (airdrop)."""
    if "airdrop" in text.says.keywords:
        return NOT_APPLICABLE
    if is_near_friendly(table, event.player, event.tile):
        return None
    message = f"no unit of {name_of(table, event.player)} is within range of {tile_in_words(event.tile)}"
    return message + as_ruled(table, "summon_range")


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


@rule("duelyst.gambit.target", "Mech", "L241", "The target of an Opening Gambit is what the text asks for.")
@as_printed
def gambit_target(table: Duelyst, event: ev.MinionSummoned, text: DuelystText) -> Verdict:
    """It fits the text; it may be absent where the text says so or nothing fits (ruling `empty_gambit`)."""
    ability = targeted(text, "opening-gambit")
    if ability is None or ability.target is None or event.target is not UNSET:
        return _aimed(table, event, text, "opening-gambit")
    there = candidates(table, ability.target, event.player, event.tile)
    if not there and table.options["empty_gambit"] == "forbidden":
        return f"nothing on the board fits the Opening Gambit of {text.name}{as_ruled(table, 'empty_gambit')}"
    if ability.target.optional or not there:
        return None
    return f"{text.name} is summoned without a target for its Opening Gambit"


@rule("duelyst.spell.target", "Spell", "L44", "The target of a spell is what its text asks for.")
@as_printed
def spell_target(table: Duelyst, event: ev.SpellCast, text: DuelystText) -> Verdict:
    """It fits the text, and is absent where the text asks for none."""
    return _aimed(table, event, text, "cast")


def _aimed(table: Duelyst, event: Any, text: DuelystText, trigger: str) -> Verdict:
    """Check the target of a card that is played."""
    ability = targeted(text, trigger)
    if ability is None or ability.target is None:
        if event.target is UNSET:
            return NOT_APPLICABLE
        return f"{text.name} asks for no target, {called(table, event.target)} is named"
    if event.target is UNSET:
        return f"{text.name} is played without a target"
    unit = unit_called(table, event.target)
    if unit is not None and fits(table, ability.target, event.player, getattr(event, "tile", None), unit):
        return None
    return f"{called(table, event.target)} is no target for {text.name}: {why_no_target(table, text, unit)}"


def why_no_target(table: Duelyst, text: DuelystText, unit: DuelystCard | None) -> str:
    """Return what a card asks for; of a Structure that would gain attack, that it cannot (ruling `structure_buff`)."""
    is_strengthened = any(ability.target.is_strengthened for ability in text.says.aims.values() if ability.target)
    if unit is None or not is_strengthened or not is_structure(unit):
        return text.text
    return f"a Structure gains no attack{as_ruled(table, 'structure_buff')}"


# -- playing a card ----------------------------------------------------------------------------------------------------

OF_A_CARD: Final = (active_player, known_played, from_hand, stop(card_type), mana)
OF_A_MINION: Final = (
    *OF_A_CARD,
    gambit_target,
    as_declared,
    stop(tile_on_board),
    stop(free_tile),
    near_friendly,
)
OF_A_SPELL: Final = (*OF_A_CARD, spell_target, as_declared)
OF_AN_ARTIFACT: Final = (*OF_A_CARD, free_slot, as_declared)
LANDED: Final = (*OF_A_CARD[:3], card_type, mana, tile_on_board, free_tile)
ANYWHERE: Final = (all_passed(*LANDED), all_passed(*LANDED, gambit_target))
NEARBY: Final = (all_passed(*LANDED, near_friendly), all_passed(*LANDED, near_friendly, gambit_target))
"""What a player keeps to who summons a minion anywhere, or near a friendly unit: one that aims at nothing, or does."""


def summons_well(table: Duelyst, event: ev.MinionSummoned) -> AllPassed | None:
    """Return what is kept where a minion of the own hand is summoned near a friendly unit, and aims as it is to."""
    card, name = table.cards.get(event.card), event.player
    if card is None or card.text is None or name != table.active or card.zone is not table.hands[name]:
        return None
    text, tile = card.text, event.tile
    if text.kind not in MINIONS or text.manual or tile not in ON_BOARD or tile in table.standing:
        return None
    if cost_of(table, name, card) > table.players[name].mana:
        return None
    kept = ANYWHERE if "airdrop" in text.says.keywords else NEARBY if is_near_friendly(table, name, tile) else None
    if kept is None:
        return None
    is_aimed = text.says.aims or event.target is not UNSET
    verdict = gambit_target.check(table, event) if is_aimed else NOT_APPLICABLE
    return kept[1] if verdict is None else kept[0] if verdict is NOT_APPLICABLE else None


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
    message = f"the MECHAZ0R! build of {player.name} stands at {player.progress}, {PARTS} parts are needed{why}"
    return Broken(message, f"{PARTS} parts")


@case(known_cards)
def known_mech(table: Duelyst, event: ev.MechSummoned) -> Verdict:
    """It has the next free number."""
    name = next_name(table, event.player, "mechaz0r")
    return None if event.unit == name else misnamed(event.unit, name)
