"""Minion: summoned on a free tile near a friendly unit, with its Opening Gambit."""

from collections.abc import Iterator
from typing import Any, Final

from msgspec import UNSET

from tabletape.events.games import duelyst as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.duelyst import board, tiles
from tabletape.projector.games.duelyst.chapters import CARD_TYPES, MINION_CARD, MINION_MOVEMENT, cards
from tabletape.projector.games.duelyst.chapters.setup import tile_on_board
from tabletape.projector.games.duelyst.effects import bonds
from tabletape.projector.games.duelyst.owed import first, summoned
from tabletape.projector.games.duelyst.schema import DuelystText
from tabletape.projector.games.duelyst.state import GENERAL, UNITS, Duelyst, DuelystCard
from tabletape.projector.games.duelyst.tasks import Tasks
from tabletape.projector.kit.adopting import as_written
from tabletape.projector.kit.card_verdicts import as_printed
from tabletape.projector.kit.consequence import consequence
from tabletape.projector.kit.moves import move
from tabletape.projector.model.phrases import as_ruled, name_of, tile_in_words
from tabletape.projector.model.rules import NOT_APPLICABLE, AllPassed, Verdict, all_passed, stop, usually


@MINION_MOVEMENT.rule("duelyst.summon.free-tile", "L26 L94")
def free_tile(table: Duelyst, event: ev.MinionSummoned | ev.MechSummoned) -> Verdict:
    """The tile of summoning is empty."""
    unit = table.standing.get(event.tile)
    return None if unit is None else table.is_taken(event.tile, unit)


@MINION_CARD.rule("duelyst.summon.near-friendly", "L26 L27", "A minion is summoned within range of a friendly unit.")
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
    near = (tiles.NEAR_OR_WALK if table.options["summon_range"] == "movement_range" else tiles.NEAR).get(tile)
    if near is not None:
        for unit in table.units:
            if unit.owner == player and unit.place in near:
                return True
    return False


@CARD_TYPES.rule("duelyst.gambit.target", "", "The target of an Opening Gambit is what the text asks for.")
@as_printed
def gambit_target(table: Duelyst, event: ev.MinionSummoned, text: DuelystText) -> Verdict:
    """It fits the text; it may be absent where the text says so or nothing fits (ruling `empty_gambit`)."""
    ability = tiles.targeted(text, "opening-gambit")
    if ability is None or ability.target is None or event.target is not UNSET:
        return cards.aimed(table, event, text, "opening-gambit", event.tile)
    there = tiles.candidates(table, ability.target, event.player, event.tile)
    if not there and table.options["empty_gambit"] == "forbidden":
        return f"nothing on the board fits the Opening Gambit of {text.name}{as_ruled(table, 'empty_gambit')}"
    if ability.target.optional or not there:
        return None
    return f"{text.name} is summoned without a target for its Opening Gambit"


NEEDS: Final = (
    *cards.CARD_TESTS,
    gambit_target,
    cards.as_declared,
    stop(tile_on_board),
    stop(free_tile),
    near_friendly,
)
LANDING_TESTS: Final = (*cards.CARD_TESTS[:3], cards.card_type, cards.mana, tile_on_board, free_tile)
ANYWHERE: Final = (all_passed(*LANDING_TESTS), all_passed(*LANDING_TESTS, gambit_target))
NEARBY: Final = (all_passed(*LANDING_TESTS, near_friendly), all_passed(*LANDING_TESTS, near_friendly, gambit_target))
"""What a player keeps to who summons a minion anywhere, or near a friendly unit: one that aims at nothing, or does."""


def summons_well(table: Duelyst, event: ev.MinionSummoned) -> AllPassed | None:
    """Return what is kept where a minion of the own hand is summoned near a friendly unit, and aims as it is to."""
    card, name = table.cards.get(event.card), event.player
    if card is None or card.text is None or name != table.active or card.zone is not table.hands[name]:
        return None
    text, tile = card.text, event.tile
    if text.kind not in cards.MINIONS or text.manual or tile not in tiles.BOARD_TILES or tile in table.standing:
        return None
    if tiles.cost_of(table, name, card) > table.players[name].mana:
        return None
    all_kept = ANYWHERE if "airdrop" in text.says.keywords else NEARBY if is_near_friendly(table, name, tile) else None
    if all_kept is None:
        return None
    is_aimed = text.says.aims or event.target is not UNSET
    verdict = gambit_target.check(table, event) if is_aimed else NOT_APPLICABLE
    return all_kept[1] if verdict is None else all_kept[0] if verdict is NOT_APPLICABLE else None


def _gambits(table: Duelyst, card: DuelystCard, target: str) -> Tasks:
    """Return what a minion's Opening Gambits do, and its Bonds where another friendly unit of the tribe is there."""
    says = card.text.says
    if not says.effects:
        return ()
    gambits = board.doings(
        card.owner, card.name, says.effects.get("opening-gambit", ()), board.AS_DECLARED, (target, None)
    )
    return gambits + bonds(table, card, target)


def _summonings(table: Duelyst, player: str) -> Iterator[Event]:
    near = tiles.NEAR_OR_WALK if table.options["summon_range"] == "movement_range" else tiles.NEAR
    # To be near is mutual: the tiles from which a unit's is near are those near the unit's.
    nearby = frozenset[Any]().union(*(near.get(unit.place, ()) for unit in table.units if unit.owner == player))
    for card in cards.playable(table, player, cards.MINIONS):
        ability, anywhere = tiles.targeted(card.text, "opening-gambit"), "airdrop" in card.text.says.keywords
        for tile in tiles.TILES:
            if (anywhere or tile in nearby) and tile not in table.standing:
                for target in cards.targets_offered(table, player, ability, tile):
                    yield ev.MinionSummoned(player=player, card=card.name, tile=tile, target=target)


@move(ev.MinionSummoned, usually(summons_well, *NEEDS), offers=_summonings)
def _summon(table: Duelyst, event: ev.MinionSummoned) -> None:
    if not board.is_owned(table, event.card):
        return
    player = table.players[event.player]
    card = cards.play_card(table, player, event.card, "minion")
    if card.text.kind not in UNITS:
        cards.discard(table, card)
        return
    board.enter(table, card, event.tile)
    target = "" if event.target is UNSET else event.target
    follows = summoned(table, card, _gambits(table, card, target), played=True)
    if follows:
        first(table, follows)


def _why_not_dead(table: Duelyst, event: ev.UnitDied) -> tuple[str, str]:
    card, unit = table.find(event.unit), table.unit_called(event.unit)
    is_general = card is not None and card.text is not None and card.text.kind == GENERAL
    rule = "duelyst.general.death-loses" if is_general else "duelyst.minion.dies-to-graveyard"
    return rule, "it is not on the board" if unit is None else f"its health is {unit.health}"


@consequence(ev.UnitDied, why=_why_not_dead)
def adopt_death(table: Duelyst, event: ev.UnitDied, expected: ev.UnitDied | None) -> None:
    """Take a unit off the board that has died, as it is written."""
    unit = table.unit_called(event.unit)
    if expected is None and unit is not None:
        with as_written(table, event):
            first(table, board.resolve_deaths(table, [unit]))
