"""Events: what one needs and costs, whom it means, what becomes of it, and which cards one shows of the deck."""

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import Any, Final

import msgspec
from msgspec import UNSET

from tabletape.events.games import phylogenome as ev
from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.names import is_unseen
from tabletape.projector.games.phylogenome import effects, state
from tabletape.projector.games.phylogenome.abilities import ParsedText
from tabletape.projector.games.phylogenome.chapters import EVENT_CARD, GAME_BEGINS, cards, drawing
from tabletape.projector.games.phylogenome.chapters.compatibility import fits_spot
from tabletape.projector.games.phylogenome.chapters.moving import destinations
from tabletape.projector.games.phylogenome.chapters.turns import TURN, act, active_player, go_on_without, three_actions
from tabletape.projector.games.phylogenome.naming import called, not_in_hand, where_is
from tabletape.projector.games.phylogenome.playable import spots_now
from tabletape.projector.games.phylogenome.schema import PhyloText
from tabletape.projector.games.phylogenome.state import Owed, Phylo, PhyloCard, is_event, is_species
from tabletape.projector.games.phylogenome.steps import adopted
from tabletape.projector.kit import common_rules
from tabletape.projector.kit.card_verdicts import as_printed
from tabletape.projector.kit.consequence import follows
from tabletape.projector.kit.moves import move
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.model.amounts import how_many
from tabletape.projector.model.due import number_of_cards
from tabletape.projector.model.phrases import by_ruling, name_of
from tabletape.projector.model.rules import Judgement, case, group_check, judgement_of, stop
from tabletape.projector.model.verdicts import NOT_APPLICABLE, Broken, Verdict


@GAME_BEGINS.rule("phylogenome.turn.one-event", "L77")
def one_event(table: Phylo, event: ev.EventPlayed) -> Verdict:
    """One Event a turn at most."""
    if table.active != event.player:
        return NOT_APPLICABLE
    return f"{name_of(table, event.player)} plays a second Event in this turn" if table.event_played else None


@EVENT_CARD.rule("phylogenome.event.used-once", "L23.2")
def used_once(table: Phylo, event: ev.EventPlayed) -> Verdict:
    """An Event is used once."""
    card = table.find(event.card)
    is_used = card is not None and card.zone.name[:8] == "discard:"
    return f"{called(table, event.card)} has been used; {where_is(table, event.card)}" if is_used else None


@EVENT_CARD.rule("phylogenome.event.requirement", "L30.1")
@as_printed
def requirement(table: Phylo, event: ev.EventPlayed, text: PhyloText) -> Verdict:
    """What an Event asks for (Species facing you, a card of your hand) must be there and be paid."""
    says, player = text.says, table.players[event.player]
    paid = () if event.paid is UNSET else event.paid
    if player.species < says.species:
        message = f"{text.name} needs {says.species} Species facing {player.name}, there are {player.species}"
        return Broken(message, f"{says.species} Species")
    if len(paid) != says.pays or (paid and len(set(paid)) != len(paid)):
        number = how_many(len(set(paid)), "card") if paid else "no card"
        return Broken(f"{text.name} is paid with {number} of the hand", how_many(says.pays, "card"))
    for name in paid:
        if name == event.card:
            return f"{text.name} is paid with itself"
        if not cards.may_lie_in(table, name, table.hands[player.id]):
            return f"a card is paid that cannot be: {not_in_hand(table, name, player.id)}"
    return None


@EVENT_CARD.rule("phylogenome.event.target", "L30.1 L81")
@as_printed
def target(table: Phylo, event: ev.EventPlayed, text: PhyloText) -> Verdict:
    """Targets satisfy the card."""
    moves = text.says.moves
    if (event.cell is UNSET) == moves:
        without = "without the cell to which it moves a Species" if moves else "with a cell, but moves no Species"
        return Broken(f"{text.name} is played {without}", "a cell" if moves else "no cell")
    wrong = _wrong_target(table, event, text)
    if wrong:
        return Broken(wrong, _wanted(table, event.player, text.says))
    if event.cell is UNSET or event.target is UNSET or common_rules.is_unknown(table, event.target):
        return None
    wrong = fits_spot(table, table.card(event.target), event.cell)
    return f"{called(table, event.target)} is moved to no compatible spot: {wrong}" if wrong else None


def _wanted(table: Phylo, player: str, says: ParsedText) -> str:
    """Return which target a card asks for."""
    mine, theirs = name_of(table, player), name_of(table, table.players[player].opponent)
    faces = {"self": f" that faces {mine}", "opponent": f" that faces {theirs}"}.get(says.facing, "")
    kinds = {
        "none": "no target",
        "species": f"a Species in play{faces}",
        "event_in_play": "an Event in play",
        "card": f"a Species in the discard pile of {mine}",
    }
    return kinds[says.target]


FITTING_TARGETS: Final[Mapping[str, Callable[[Phylo, PhyloCard, str], bool]]] = {
    "species": lambda _table, card, _player: card.zone.name == state.TABLEAU,
    "event_in_play": lambda _table, card, _player: is_event(card) and card.zone.name != state.TABLEAU and card.in_play,
    "card": lambda table, card, player: is_species(card) and card.zone is zone_of(table, "discard", player),
}
"""Whether a card may be a target of each kind."""


def _wrong_target(table: Phylo, event: ev.EventPlayed, text: PhyloText) -> str:
    """Return what is wrong with a target, or nothing."""
    asks_for, facing = text.says.target, text.says.facing
    if event.target is UNSET or asks_for == "none":
        with_or_without = "without" if event.target is UNSET else "with"
        wrong = (event.target is UNSET) == (asks_for != "none")
        return f"{text.name} is played {with_or_without} a target" if wrong else ""
    name = event.target
    aimed_at = table.find(name)
    if aimed_at is None:
        return "" if common_rules.is_unknown(table, name) else f"{called(table, name)} is not at this table"
    if not FITTING_TARGETS[asks_for](table, aimed_at, event.player):
        kind = "a Species" if is_species(aimed_at) else "an Event"
        where = where_is(table, name).removeprefix("it ")
        return f"the target of {text.name}, {called(table, name)}, is {kind} and {where}"
    faces = "self" if aimed_at.controller == event.player else "opponent"
    if asks_for == "species" and facing not in {"any", faces}:
        return f"the target of {text.name}, {called(table, name)}, faces {name_of(table, aimed_at.controller)}"
    return ""


def is_too_short(table: Phylo, player: str, says: ParsedText) -> bool:
    """Return whether a deck has fewer cards than an Event draws or looks at when it is played (ruling)."""
    if table.options["event_short_draw"] != "forbidden" or says.trigger != "on_play":
        return False
    asked = max((each.n for each in says.effects if each.verb in {"draw", "look_at_deck"}), default=0)
    return table.decks[player].size < asked


@case(cards.AS_DECLARED)
@as_printed
def deck_has_enough(table: Phylo, event: ev.EventPlayed, text: PhyloText) -> Verdict:
    """The deck has as many cards as an Event draws or looks at, if the ruling `event_short_draw` asks for them."""
    if table.options["event_short_draw"] != "forbidden":
        return NOT_APPLICABLE
    if not is_too_short(table, event.player, text.says):
        return None
    left = how_many(table.decks[event.player].size, "card")
    by = by_ruling(table, "event_short_draw")
    return Broken(f"{text.name} is played with {left} left in the deck ({by})", "as many cards as it draws")


def plays_well(table: Phylo, event: ev.EventPlayed) -> bool:
    """Return whether nothing is wrong with an Event that is played, nor with what it needs."""
    card = table.cards.get(event.card)
    player = table.players[event.player]
    return not (
        card is None
        or table.active != player.id
        or player.actions <= 0
        or table.event_played
        or card.zone is not table.hands[player.id]
        or not is_event(card)
        or requirement.check(table, event) is not None
        or target.check(table, event) is not None
        or deck_has_enough.check(table, event) is not NOT_APPLICABLE
    )


def judge_at_hand(table: Phylo, event: ev.EventPlayed) -> Iterator[Judgement]:
    """Judge where an Event comes from: one that has been used is in no hand."""
    used = judgement_of(used_once, table, event)
    yield used
    if used[1] is None:
        yield judgement_of(cards.from_hand, table, event)


# -- what is offered ---------------------------------------------------------------------------------------------------


def _each_way(table: Phylo, player: str, card: PhyloCard, hand: list[PhyloCard]) -> Iterator[Event]:
    """Return the ways to play an Event: with each target, each free cell and each payment."""
    for played in event_plays(table, player, card, hand):
        if card.text.says.moves:
            moved = table.card(str(played.target))
            for cell in destinations(table, moved, spots_now(table, moved.controller)):
                yield msgspec.structs.replace(played, cell=cell)
        else:
            yield played


def event_plays(table: Phylo, player: str, card: PhyloCard, hand: list[PhyloCard]) -> Iterator[ev.EventPlayed]:
    """Return the ways to play an Event with each target and each payment; the cell of one that moves is left out."""
    says = card.text.says
    if table.players[player].species < says.species or is_too_short(table, player, says):
        return
    others = [other.name for other in hand if other is not card]
    payments: list[Any] = [*combinations(others, says.pays)] if says.pays else [msgspec.UNSET]
    for paid in payments:
        for target in _targets(table, player, card):
            yield ev.EventPlayed(player=player, card=card.name, target=target, paid=paid)


def _targets(table: Phylo, player: str, card: PhyloCard) -> Iterator[Any]:
    says = card.text.says
    if says.target == "none":
        yield msgspec.UNSET
    elif says.target == "species":
        for other in table.zones[state.TABLEAU].cards:
            if says.facing == "any" or (other.controller == player) == (says.facing == "self"):
                yield other.name
    elif says.target == "card":
        yield from (other.name for other in zone_of(table, "discard", player).cards if is_species(other))
    else:
        lying = [table.zones[state.BENEATH], *(zone_of(table, "table", each) for each in table.players)]
        yield from (other.name for zone in lying for other in zone.cards if is_event(other))


# -- looking at the deck -----------------------------------------------------------------------------------------------


@case(cards.AS_DECLARED)
def looks_when_due(table: Phylo, event: ev.CardsLookedAt) -> Verdict:
    """A look at the own deck is due, and as many cards are looked at as the Event says."""
    if owed_as(table, event) is not None:
        return drawing.as_many(table, event)
    name = name_of(table, event.player)
    return f"{name} looks at the deck although no Event says so" if number_of_cards(event) else NOT_APPLICABLE


@case(cards.AS_DECLARED)
def keeps_what_was_seen(table: Phylo, event: ev.CardKept) -> Verdict:
    """What is kept is one of the cards that were looked at."""
    due, player = owed_as(table, event), name_of(table, event.player)
    if due is None:
        return f"{player} keeps {called(table, event.card)} although no cards were looked at"
    deck = zone_of(table, "deck", event.player)
    seen = not due.cards or event.card in due.cards or any(map(is_unseen, due.cards))
    if not seen or not cards.may_lie_in(table, event.card, deck):
        listed = ", ".join(called(table, name) for name in due.cards)
        expected = f"one of {listed}" if listed else "a card of the deck"
        return Broken(f"{player} keeps {called(table, event.card)}, which was not looked at", expected)
    return None


def owed_as(table: Phylo, event: ev.CardsLookedAt | ev.CardKept) -> Owed | None:
    """Return what luck owes now if it is this look or the choice of this card, or None."""
    due = table.owed[0] if table.owed else None
    return due if due is not None and due.line is type(event) and due.player == event.player else None


KEEPS: Final = "keeps a card for {source}"


@move(ev.CardsLookedAt, cards.known_card, drawing.from_own_deck, looks_when_due)
def cards_looked_at(table: Phylo, event: ev.CardsLookedAt) -> None:
    """Show a player the top cards of the deck; what is kept of them is due."""
    names = () if event.cards is UNSET else event.cards or ()
    for name in names:
        card = table.find(name)
        if card is not None and card.zone.seen_by == "nobody":
            table.set(card, "known_to", card.known_to | {event.player})
    if (looked := owed_as(table, event)) is not None:
        due = msgspec.structs.replace(looked, line=ev.CardKept, words=KEEPS, cards=names)
        number = min(due.keep, zone_of(table, "deck", event.player).size)
        table.set(table, "owed", (due,) * number + table.owed[1:])


def offer_kept(table: Phylo, player: str) -> list[Event]:
    """Return each of the cards that were looked at."""
    return [ev.CardKept(player=player, card=name) for name in table.owed[0].cards]


@move(ev.CardKept, cards.known_card, keeps_what_was_seen, offers=offer_kept)
def card_kept(table: Phylo, event: ev.CardKept) -> None:
    """Take a card that was looked at into the hand; the others go under the deck."""
    deck, hand = zone_of(table, "deck", event.player), zone_of(table, "hand", event.player)
    if is_unseen(event.card):
        table.draw((), 1, deck, hand)
    elif not drawing.lies_in_play(table, event.card):
        table.draw((event.card,), 0, deck, hand)
    if owed_as(table, event) is not None:
        table.set(table, "owed", table.owed[1:])
    else:
        go_on_without(table, event.player)


def offer_events(table: Phylo, player: str) -> Iterator[Event]:
    """Yield each way to play an Event of the hand, as long as this turn has had none."""
    hand = [] if table.event_played else cards.named_hand(table, player)
    for card in hand:
        if card.text.kind == state.EVENT:
            yield from _each_way(table, player, card, hand)


@move(
    ev.EventPlayed,
    *(TURN, cards.known_card, stop(cards.plays_event), three_actions, one_event, group_check(judge_at_hand)),
    *(requirement, target, deck_has_enough),
    is_usual=plays_well,
    keeps=(
        *(active_player, cards.known_card, cards.plays_event, three_actions, one_event, used_once, cards.from_hand),
        *(requirement, target),
    ),
    offers=offer_events,
)
def event_played(table: Phylo, event: ev.EventPlayed) -> None:
    """Carry an Event out."""
    act(table, event.player)
    if table.active == event.player:
        table.set(table, "event_played", True)
    card = table.take(event.card, zone_of(table, "hand", event.player))
    if is_species(card):
        return
    if card.text is None:  # nobody can name it, so it lies on the table
        table.set(table, "unchecked", card.name)
        if not card.in_play:
            table.move(card, zone_of(table, "table", event.player))
        return
    if card.text.manual:
        acts_on = card.text.duration != "momentary"
        table.update(table, unchecked=card.name, unchecked_until=table.turn + acts_on)
    effects.carry_out(table, card, event)


RECOVERED_CARD: Final = follows(
    ev.CardRecovered,
    rule=cards.AS_DECLARED,
    why=lambda table, event: where_is(table, event.card),
    adopt=adopted(effects.recover),
)
FORBIDDEN_PLAY: Final = follows(
    ev.PlayForbidden, rule=cards.AS_DECLARED, why="no Event has just done that", adopt=adopted(effects.forbid)
)
