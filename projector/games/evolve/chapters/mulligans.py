"""Mulligans: the free one for a hand without organisms, and the ordinary one (L206, L207)."""

from functools import partial
from typing import Final

import msgspec

from tabletape.events.games import evolve as ev
from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.names import unseen_cards
from tabletape.projector.games.evolve import changes
from tabletape.projector.games.evolve.chapters import STARTING, setup
from tabletape.projector.games.evolve.chapters.cards import card_location
from tabletape.projector.games.evolve.schema import EvolveText
from tabletape.projector.games.evolve.state import SETUP, Evolve, mixes_returned_only
from tabletape.projector.kit.card_verdicts import does
from tabletape.projector.kit.moves import move
from tabletape.projector.model.amounts import how_many
from tabletape.projector.model.dice import Dice
from tabletape.projector.model.due import number_of_cards
from tabletape.projector.model.phrases import as_ruled
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken, Undecidable, Verdict, case, stop


def _keeps(event: ev.MulliganTaken) -> bool:
    """Return whether the line says only that a hand is kept: nothing is returned and nothing is drawn."""
    return not event.free and not event.returned and not number_of_cards(event, "drawn")


KEEPING: Final = "mulligan_after_keeping"


def _first_that_forbids(table: Evolve, *reasons: tuple[object, str, str, str]) -> str | None:
    """Return the first reason that is so and by whose ruling, which has an option, it forbids what is said of it."""
    forbids = ((key, words) for is_so, key, option, words in reasons if is_so and table.options[key] == option)
    return next((f"{words}{as_ruled(table, key)}" for key, words in forbids), None)


@STARTING.rule("evolve.mulligan.setup-only", "L206.1 L206.2", rests_on="nothing")
def mulligan_in_setup(table: Evolve, event: ev.MulliganTaken) -> Verdict:
    """Mulligans happen before the first turn (inferred)."""
    return None if table.phase == SETUP else does(table, event, "takes a mulligan after the game has begun")


@case(mulligan_in_setup)
def first_player_decides_first(table: Evolve, event: ev.MulliganTaken) -> Verdict:
    """Mulligans are decided in any order, or the first player's before the other's (ruling `mulligan_order`)."""
    if table.options["mulligan_order"] != "first_player_first" or event.player != table.first:
        return NOT_APPLICABLE
    other = table.players.get(table.players[event.player].opponent)
    if other is None or not (other.kept or other.mulligans or other.free_mulligans):
        return None
    return does(table, event, f"decides about a mulligan after {other.name}", "mulligan_order")


@case(setup.hand_five)
def hand_before_mulligan(table: Evolve, event: ev.MulliganTaken) -> Verdict:
    """A mulligan needs a hand."""
    if table.players[event.player].opened:
        return None
    return Broken(does(table, event, "takes a mulligan without an opening hand"), "cards.drawn", "missing")


@STARTING.rule("evolve.mulligan.free-not-after-claim", "L206.2", rests_on="nothing")
def free_not_after_claim(table: Evolve, event: ev.MulliganTaken) -> Verdict:
    """Not after a mulligan was claimed."""
    player = table.players[event.player]
    if not event.free:
        return NOT_APPLICABLE
    claims = f"{player.name} claims a free mulligan"
    return _first_that_forbids(
        table,
        (player.kept, KEEPING, "hand_stays", f"{claims} after keeping the hand"),
        (player.free_mulligans, "free_mulligan_repeat", "once", f"{player.name} claims a second free mulligan"),
        (player.mulligans, "paid_then_free", "forbidden", f"{claims} after the ordinary one"),
    )


def is_whole_hand(table: Evolve, event: ev.MulliganTaken) -> bool:
    """Return whether a mulligan returns the whole hand and nothing else."""
    hand, returned = table.zones[table.players[event.player].hand], event.returned
    are_all = hand.size == len(returned) == len(set(returned))
    return are_all and all(table.may_be_in(each, hand) for each in returned)


@STARTING.rule("evolve.mulligan.free-reveal", "L206.2", rests_on="nothing")
def free_reveal(table: Evolve, event: ev.MulliganTaken) -> Verdict:
    """The hand is revealed."""
    if not event.free:
        return NOT_APPLICABLE
    return _returns_hand(table, event, "{} shows {} for the free mulligan")


def _returns_hand(table: Evolve, event: ev.MulliganTaken, does: str, ruling: str = "") -> Verdict:
    """Return whether a mulligan returns the whole hand; `does` has places for the player and for what it returns."""
    if is_whole_hand(table, event):
        return None
    player = table.players[event.player]
    hand = table.zones[player.hand]
    strange = next((each for each in event.returned if not table.may_be_in(each, hand)), "")
    returned = how_many(len(event.returned), "card") + (f" (of which {strange} is not in the hand)" if strange else "")
    return Broken(f"{does.format(player.name, returned)}, not the whole hand of {hand.size}{ruling}", "the whole hand")


@STARTING.rule("evolve.mulligan.free-condition", "L206.2", rests_on="nothing")
def free_condition(table: Evolve, event: ev.MulliganTaken) -> Verdict:
    """A hand without non-food organisms allows a free mulligan."""
    if not event.free or not is_whole_hand(table, event):
        return NOT_APPLICABLE
    for name in event.returned:
        card = table.find(name)
        if card is None or card.text is None:
            return Undecidable(f"nobody knows which card {name} is", name, _is_no_nonfood)
        if (verdict := _is_no_nonfood(card.text)) is not None:
            return verdict
    return None


def _is_no_nonfood(text: EvolveText) -> str | None:
    nonfood = text.kind == "organism" and not text.food
    return f"the hand holds {text.name}, a non-food organism, and so allows no free mulligan" if nonfood else None


@STARTING.rule("evolve.mulligan.free-bottom", "L206.2", rests_on="nothing")
def free_bottom(table: Evolve, event: ev.MulliganTaken) -> Verdict:
    """Those cards go to the bottom of the deck (no shuffle stated)."""
    if not event.free:
        return NOT_APPLICABLE
    shuffles = table.options["free_mulligan_shuffle"] == "shuffle"
    if event.shuffled == shuffles:
        return None
    shuffled = f"{'does not shuffle' if shuffles else 'shuffles'} in the free mulligan"
    return does(table, event, shuffled, "free_mulligan_shuffle")


@STARTING.rule("evolve.mulligan.one", "L207.1", rests_on="nothing")
def mulligan_one(table: Evolve, event: ev.MulliganTaken) -> Verdict:
    """One ordinary mulligan per player, independent of the free one."""
    if event.free:
        return NOT_APPLICABLE
    player = table.players[event.player]
    if _keeps(event):
        again = Broken(f"{player.name} has kept the hand already", "", "info")
        return again if player.kept else NOT_APPLICABLE
    takes = f"{player.name} takes"
    forbidden = _first_that_forbids(
        table,
        (player.kept, KEEPING, "hand_stays", f"{takes} a mulligan after keeping the hand"),
        (player.free_mulligans, "free_then_paid", "forbidden", f"{takes} an ordinary mulligan after the free one"),
    )
    return forbidden or (f"{takes} a second ordinary mulligan" if player.mulligans else None)


@STARTING.rule("evolve.mulligan.whole-hand", "L207.2", rests_on="nothing")
def mulligan_whole_hand(table: Evolve, event: ev.MulliganTaken) -> Verdict:
    """The ordinary mulligan exchanges the whole hand."""
    if event.free or _keeps(event) or table.options["mulligan_partial"] == "any_number":
        return NOT_APPLICABLE
    return _returns_hand(table, event, "{} returns {}", as_ruled(table, "mulligan_partial"))


@STARTING.rule("evolve.mulligan.shuffle", "L207.2", rests_on="nothing")
def mulligan_shuffle(table: Evolve, event: ev.MulliganTaken) -> Verdict:
    """The ordinary mulligan puts the cards on the bottom and shuffles the deck."""
    if event.free or _keeps(event):
        return NOT_APPLICABLE
    return None if event.shuffled else does(table, event, "does not shuffle in the ordinary mulligan")


@STARTING.rule("evolve.mulligan.redraw-five", "L206.2 L207.2", rests_on="nothing")
def redraw_five(table: Evolve, event: ev.MulliganTaken) -> Verdict:
    """Five new cards are drawn."""
    if _keeps(event):
        return NOT_APPLICABLE
    wanted = len(event.returned) if table.options["mulligan_partial"] == "any_number" and not event.free else 5
    number = number_of_cards(event, "drawn")
    if number == wanted:
        return None
    draws = f"draws {how_many(number, 'new card')} instead of {wanted}"
    return Broken(does(table, event, draws), how_many(wanted, "card"))


@case(card_location)
def redrawn_in_deck(table: Evolve, event: ev.MulliganTaken) -> Verdict:
    """Cards drawn in a mulligan come from the own deck, where the returned ones have been put."""
    if not event.drawn or not event.returned or not is_whole_hand(table, event):
        return NOT_APPLICABLE
    return setup.drawn_from_deck(table, table.players[event.player], event.drawn, event.returned)


@case(free_bottom)
def redraw_leaves_bottom(table: Evolve, event: ev.MulliganTaken) -> Verdict:
    """The returned cards are not drawn again at once, unless the deck was shuffled or is too small.

    That they alone were shuffled makes no difference (ruling `mulligan_bottom_then_shuffle`).
    """
    is_deck_mixed = event.shuffled and not mixes_returned_only(table, event)
    if not event.drawn or is_deck_mixed or not is_whole_hand(table, event):
        return NOT_APPLICABLE
    player = table.players[event.player]
    loose = (*player.loose, *event.returned) if event.shuffled else player.loose
    return setup.bottom_in_order(table, player, event.drawn, (*player.bottom, *event.returned), loose)


def fill_in_chance(table: Evolve, event: Event, dice: Dice) -> Event:
    """Return a decision with what luck adds to it: the cards that a mulligan draws."""
    if not isinstance(event, ev.MulliganTaken) or not event.returned:
        return event
    if event.shuffled and not mixes_returned_only(table, event):
        dice.shuffle(event.player, add=event.returned)
    else:
        mixed = dice.sample(event.returned, len(event.returned)) if event.shuffled else reversed(event.returned)
        dice.put_under(event.player, mixed)
    drawn = dice.draw(event.player, len(event.returned))
    return msgspec.structs.replace(event, drawn=drawn, count=msgspec.UNSET)


def possible_mulligans(table: Evolve, player: str) -> list[Event]:
    """Return the mulligans a player might take, and keeping the hand; the cards drawn are left to luck."""
    mine = table.players[player]
    if mine.kept or not mine.opened:
        return []
    held = table.zones[mine.hand]
    hand = (*(card.name for card in held.cards), *unseen_cards(player, held.unseen))
    new = partial(ev.MulliganTaken, player=player, returned=hand, count=len(hand))
    return [
        ev.MulliganTaken(player=player, free=False, returned=(), drawn=(), shuffled=False),
        new(free=True, shuffled=table.options["free_mulligan_shuffle"] == "shuffle"),
        new(free=False, shuffled=True),
    ]


@move(
    ev.MulliganTaken,
    *(stop(mulligan_in_setup), stop(hand_before_mulligan), first_player_decides_first),
    *(free_not_after_claim, free_reveal, free_condition, free_bottom),
    *(mulligan_one, mulligan_whole_hand, mulligan_shuffle, redraw_five),
    *(stop(redrawn_in_deck), redraw_leaves_bottom),
    offers=possible_mulligans,
)
def take_mulligan(table: Evolve, event: ev.MulliganTaken) -> None:
    """Put cards of the hand under the deck, shuffle it if they say so, and draw anew."""
    player = table.players[event.player]
    deck, hand = table.zones[player.deck_zone], table.zones[player.hand]
    returned = [table.take(name, hand) for name in event.returned]
    for card in returned:
        table.move(card, deck)
        if event.free:
            table.set(card, "known_to", frozenset(table.players))
    if event.shuffled and not mixes_returned_only(table, event):
        setup.forget_bottom(table, player)
    else:
        names = [card.name for card in returned]
        table.set(player, "bottom", (*player.bottom, *names))
        if event.shuffled:
            table.set(player, "loose", player.loose.union(names))
    changes.draw(table, player, event.drawn or (), event.count or 0)
    if event.free:
        table.count(player, "free_mulligans", 1)
    elif event.returned or event.drawn or event.count:
        table.count(player, "mulligans", 1)
    else:
        table.set(player, "kept", True)
