"""Which function does what a line says at the table."""

from collections.abc import Callable, Mapping
from typing import Any

from events.games import splicers as ev
from events.vocabulary import Event
from projector.games.splicers import acting, opening, rounds, using
from projector.games.splicers.state import Splicers


def player_conceded(table: Splicers, event: ev.PlayerConceded) -> None:
    """Carry out a concession."""
    if not table.over:
        rounds.end_game(table, table.players[event.player].opponent, "concession", "splicers.end.concession")


def game_abandoned(table: Splicers, event: ev.GameAbandoned) -> None:
    """End an abandoned game; nobody has won."""
    if not table.over:
        rounds.end_game(table, "", "abandoned", "splicers.end.abandoned")


PLAY: Mapping[type[Event], Callable[[Splicers, Any], None]] = {
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
    ev.CardShown: opening.card_shown,
    ev.PlayerConceded: player_conceded,
    ev.GameAbandoned: game_abandoned,
}
