"""Which function does what a line says at the table, and what the showing of a card does."""

from collections.abc import Callable, Mapping
from typing import Any

from events.games import splicers as ev
from events.names import owner_of
from events.vocabulary import Event
from projector.games.splicers import acting, board, opening, rounds, triggers, using
from projector.games.splicers.state import Splicers
from projector.kit.ending import early_ends
from projector.model.showing import show


def card_shown(table: Splicers, event: ev.CardShown) -> None:
    """Name an unnamed card as what it turns out to be: one of the table, or of its owner's hidden hand."""
    if table.find(event.was) is None and (owner := table.players.get(owner_of(event.card))) is not None:
        card = show(table, event.was, event.card, table.zones[owner.hand])
    else:
        card = board.recognise(table, event.was, event.card)
    if card.zone.name[:4] in {"play", "hand"} or card.zone.name == "event":
        table.set(card, "known_to", table.everybody)
    triggers.touch(table, card)


PLAY: Mapping[type[Event], Callable[[Splicers, Any], None]] = {
    **early_ends(rounds.end_game, "splicers"),
    ev.DeckDeclared: opening.deck_declared,
    ev.BiomsPlaced: opening.bioms_placed,
    ev.DeckShuffled: opening.deck_shuffled,
    ev.CardsDrawn: opening.cards_drawn,
    ev.FirstPlayerChosen: opening.first_player_chosen,
    ev.MulliganTaken: opening.mulligan_taken,
    ev.SeedPlayed: acting.seed_played,
    ev.TingEvolved: acting.ting_evolved,
    ev.JumperPlayed: acting.jumper_played,
    ev.TingUpgraded: acting.ting_upgraded,
    ev.MutationPlayed: acting.mutation_played,
    ev.AbilityUsed: using.ability_used,
    ev.WillpowerAnswered: using.willpower_answered,
    ev.TingsSpliced: using.tings_spliced,
    ev.EventPlayed: acting.event_played,
    ev.TurnPassed: acting.turn_passed,
    ev.TurnEnded: acting.turn_ended,
    ev.EventRevealed: using.event_revealed,
    ev.TingReplaced: using.ting_replaced,
    ev.CardShown: card_shown,
}
