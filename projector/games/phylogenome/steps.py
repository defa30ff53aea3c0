"""What follows by itself: repairs and breaks, generations, the end of a turn, the next turn, the end of the game."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

from tabletape.events.games import phylogenome as ev
from tabletape.events.vocabulary import Consequence
from tabletape.projector.games.phylogenome import effects, state, tableau
from tabletape.projector.games.phylogenome.playable import are_unplayable
from tabletape.projector.games.phylogenome.scoring import AWARDS, is_open, points_of
from tabletape.projector.games.phylogenome.state import Owed, Phylo, PhyloCard, PhyloPlayer
from tabletape.projector.kit.adopting import as_written
from tabletape.projector.kit.ending import end
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.model.table import UNDECIDED_REASON

IDLE_TURNS: Final = 6
TIME_TO_REPAIR: Final = {"strict_end_of_turn": 0, "owner_next_turn": 1, "both_players_next_turn": 2}
"""The turns that have to pass before a broken Species is discarded (ruling `grace`)."""
TURN_DRAW: Final = "phylogenome.turn.draw-one"
ABILITY_DRAW: Final = "phylogenome.turn.start-abilities-first"


def settles(table: Phylo) -> str:
    """Take what follows by itself; return who may go on freely: the player on turn, where nothing is owed."""
    if table.disturbed:
        look_at_tableau(table)
    if table.ends_at_once:
        look_for_end(table)
    if table.owed or table.phase != state.ACTIONS:
        if table.over:
            return ""
        _next_owed(table)
        if table.owed or table.phase != state.ACTIONS:
            return ""
    return table.active


def look_at_tableau(table: Phylo) -> None:
    """Say what is repaired and what breaks, then who reaches or loses a generation."""
    table.disturbed = False
    tableau.look(table)
    if not table.recounted and not table.joined_only:
        return
    table.recounted = False
    for player in table.players.values():
        first, second = table.generations_counted(player)
        reached = 1 if first < state.NEEDED_SPECIES else 2 if second < state.NEEDED_SPECIES else 3
        if reached != player.counted:
            table.set(player, "counted", reached)
            if reached != player.generation:
                _reach(table, player, reached)


def _reach(table: Phylo, player: PhyloPlayer, reached: int) -> None:
    """Record that a player reaches or loses a generation."""
    more = reached - player.generation
    kind = "four-of-previous" if more > 0 else "lost-below-four"
    if abs(more) > 1:
        kind = "regained-at-once" if more > 0 else "falls-to-first"
    changed = ev.GenerationChanged(player=player.id, from_=player.generation, to=reached)
    table.set(player, "generation", reached)
    table.set(player, "highest", max(reached, player.highest))
    table.derive(changed, f"phylogenome.generation.{kind}")
    table.applied.append("phylogenome.generation.at-once")
    if reached < player.highest:
        table.applied.append("phylogenome.generation.species-stay")


def _next_owed(table: Phylo) -> None:
    """Strike what an empty deck cannot give or a full hand cannot hold, and say whether the actions may begin."""
    phase = state.ACTIONS
    for each in table.owed:
        deck = table.decks[each.player]
        empty = len(deck.cards) + deck.unseen <= 0
        if empty and table.options["deck_out"] == "reshuffle_discard" and each.line is not ev.CardKept:
            empty = not _reshuffle(table, table.players[each.player])
        if (empty or (table.hand_limit and table.number_to_draw(each) <= 0)) and each.line is not ev.CardKept:
            if empty and _loses(table, each):
                end_game(table, table.players[each.player].opponent, "deck-out", "phylogenome.end.deck-out")
                return
            due = table.owed
            left = () if len(due) == 1 and due[0] is each else tuple([other for other in due if other is not each])
            table.set(table, "owed", left)  # It may stand there twice.
        elif each.rule == TURN_DRAW:
            phase = state.DRAW
    table.enter_phase(phase)


def _reshuffle(table: Phylo, player: PhyloPlayer) -> bool:
    """Make a player's discard pile the deck (ruling `deck_out`); return whether there was one."""
    pile, deck = zone_of(table, "discard", player.id), table.decks[player.id]
    if not pile.size:
        return False
    for card in tuple(pile.cards):
        table.move(card, deck)
    table.count(deck, "unseen", pile.unseen)
    table.count(pile, "unseen", -pile.unseen)
    table.set(player, "shuffled", False)
    table.applied.append("phylogenome.end.deck-out")
    return True


def _loses(table: Phylo, owed: Owed) -> bool:
    """Return whether a player who owes a draw from an empty deck has lost (ruling `deck_out`)."""
    if table.options["deck_out"] != "lose" or owed.line is not ev.CardsDrawn or not table.players[owed.player].listed:
        return False
    return owed.rule != TURN_DRAW or table.options["skip_draw"] == "mandatory"


# -- the begin and the end of a turn -----------------------------------------------------------------------------------


def begin_turn(table: Phylo, player: PhyloPlayer) -> None:
    """Begin a player's turn: abilities for its start, then the draw, then three actions."""
    table.begin_turn(player)
    table.derive(_turn_of(player.id), "phylogenome.turn.active-player")
    owed = _draw_of_turn(player.id)
    of_abilities: list[Owed] = []
    for card in table.zones[f"table:{player.id}"].cards:
        if card.text is not None and card.text.says.trigger == "start_of_turn":
            table.derive(ev.AbilityTriggered(player=player.id, card=card.name), ABILITY_DRAW)
            due = {"line": ev.CardsDrawn, "player": player.id, "rule": ABILITY_DRAW, "source": card.name}
            of_abilities += [Owed(**due, count=effect.n) for effect in card.text.says.effects]
    if of_abilities:
        owed = *of_abilities, *owed
    if table.missed:
        table.set(table, "missed", ())
    table.set(table, "owed", owed)


@lru_cache(maxsize=64)
def _turn_of(player: str) -> ev.TurnStarted:
    return ev.TurnStarted(player=player)


@lru_cache(maxsize=64)
def _draw_of_turn(player: str) -> tuple[Owed, ...]:
    return (Owed(line=ev.CardsDrawn, player=player, rule=TURN_DRAW, words="draws {cards} for the turn", count=1),)


def end_turn(table: Phylo, player: PhyloPlayer) -> None:
    """End a player's turn: what was not repaired in time is discarded, then the game may end."""
    actions = player.actions
    idle = table.idle + 1 if actions == state.TURN_ACTIONS else 0
    if idle != table.idle:
        table.set(table, "idle", idle)
    if actions:
        table.set(player, "actions", 0)
    table.applied += "phylogenome.turn.end-discards", "phylogenome.turn.step-order"
    if table.cut_off or table.clashing:
        _discard_broken(table)
    look_for_end(table)


def is_timely(table: Phylo, card: PhyloCard, event: ev.CardDiscarded) -> bool:
    """Return whether a discard that is written before the line that ends the turn is one of those that end it."""
    kind = tableau.FIELDS.get(event.reason)
    right = kind is not None and getattr(card, kind) > 0 and event.pile == card.controller
    return right and table.phase == state.ACTIONS and not table.owed and card in _late(table)


def clear(table: Phylo, event: ev.CardDiscarded) -> None:
    """Discard all that has to go at the end of the turn, of which one is written down before the turn is ended."""
    _discard_broken(table)
    same = [
        each for each in table.derived if isinstance(each.event, ev.CardDiscarded) and each.event.card == event.card
    ]
    table.derived = [each for each in table.derived if each not in same]
    table.enter_phase(state.CLEARED_STAGE)


def _discard_broken(table: Phylo) -> None:
    """Discard what is still cut off or incompatible and had its time (ruling `grace`), and what that cuts off (ruling).

    Under `strict_end_of_turn` nothing has time: what the discards break goes as well.
    """
    late = _late(table)
    if not late:
        return
    at_once = table.options["discard_cuts_off"] == "at_once"
    before = {*broken(table)} if at_once else set()
    while late:
        _discard_all(table, late)
        late = _late(table)
        if at_once and not late:
            late = [card for card in broken(table) if card.cut_off == table.turn and card not in before]


def _discard_all(table: Phylo, cards: Iterable[PhyloCard]) -> None:
    """Discard broken Species, then say what else breaks, and who loses a generation."""
    for card in cards:
        effects.discard(table, card, card.controller, _reason(table, card))
    look_at_tableau(table)


def broken(table: Phylo) -> list[PhyloCard]:
    """Return the Species in play that are cut off or incompatible, in the order in which they came into play."""
    species: list[PhyloCard] = table.zones[state.TABLEAU].cards
    if table.clashing:
        return [card for card in species if card.cut_off or card.clashing]
    return [card for card in species if card.cut_off] if table.cut_off else []


def _reason(table: Phylo, card: PhyloCard) -> str:
    """Return why a broken Species goes: for what had its time; what is wrong with it besides may have time left."""
    latest = table.turn - TIME_TO_REPAIR[table.options["grace"]]
    is_only_clashing = not card.cut_off or (card.cut_off > latest and 0 < card.clashing <= latest)
    return tableau.CLASHING_KIND if is_only_clashing else tableau.CUT_OFF


def _late(table: Phylo) -> list[PhyloCard]:
    """Return the broken Species that have to go at the end of this turn (ruling `grace`)."""
    grace = table.options["grace"]
    latest = table.turn - TIME_TO_REPAIR[grace]
    late = [card for card in broken(table) if 0 < card.cut_off <= latest or 0 < card.clashing <= latest]
    return [card for card in late if card.controller == table.active] if grace == "owner_next_turn" else late


# -- the end of the game -----------------------------------------------------------------------------------------------


def is_depleted(table: Phylo, player: PhyloPlayer) -> bool:
    """Return whether a player has certainly no Species left (ruling `end_trigger`).

    The cards of a hand that nobody has named are still among the named ones of the deck.
    """
    if not player.listed:
        return False
    deck, hand = table.decks[player.id], table.hands[player.id]
    trigger = table.options["end_trigger"]
    if trigger == "no_playable":
        return are_unplayable(table, [*hand.cards, *deck.cards], player.id)
    only_deck = trigger == "deck_only"
    in_hand = 0 if only_deck else len(hand.cards) + hand.unseen
    if len(deck.cards) + deck.unseen + in_hand <= 0:
        return True
    card: PhyloCard
    for pile in (deck,) if only_deck else (hand, deck):
        for card in pile.cards:
            if card.text is None or card.text.kind == state.SPECIES:
                return False
    return True


def may_end_with_turn(table: Phylo) -> bool:
    """Return whether the game may end at the end of this turn, or by the draw of the next one (rulings)."""
    is_open = table.options["stall_guard"] == "score_after_six_idle_turns" or table.options["deck_out"] == "lose"
    return is_open or all(is_depleted(table, player) for player in table.players.values())


def look_for_end(table: Phylo) -> None:
    """End the game when both players have used up their Species (or when nobody acts any more, ruling)."""
    if table.idle < IDLE_TURNS or table.options["stall_guard"] != "score_after_six_idle_turns":
        for player in table.players.values():
            if not is_depleted(table, player):
                return
    if table.options["unfixed_at_end"] == "discarded":
        while unfixed := broken(table):
            _discard_all(table, unfixed)
    points = points_of(table)
    for counted in points.values():
        table.derive(counted, "phylogenome.points.species")
    table.applied += [f"phylogenome.points.{rule}" for rule in COUNTED_PARTS]
    if any(zone_of(table, kind, player).size for player in table.players for kind in ("hand", "deck")):
        table.applied.append("phylogenome.end.events-ignored")
    if is_open(table, points):
        end_game(table, "", "points", "phylogenome.end.species-depleted")
        table.set(table, "reason", UNDECIDED_REASON)
    else:
        end_game(table, winner_of(table, points), "points", "phylogenome.end.species-depleted")


COUNTED_PARTS: Final = ("events-beneath", "technology", "special-by-comparison", *AWARDS)


def winner_of(table: Phylo, points: Mapping[str, ev.PointsCounted]) -> str:
    """Return who has most points; of equals what the ruling `final_tie` says, or nobody."""
    tie = table.options["final_tie"]
    ranks = {}
    for name, counted in points.items():
        then = {"more_species": table.players[name].species, "more_technology": counted.technology}.get(tie, 0)
        ranks[name] = counted.total, then
    best = max(ranks.values())
    winners = [name for name, rank in ranks.items() if rank == best]
    totals = [rank[0] for rank in ranks.values()]
    equal = totals.count(best[0]) > 1
    table.applied.append("phylogenome.win.equal-points" if equal else "phylogenome.win.most-points")
    return winners[0] if len(winners) == 1 else ""


def end_game(table: Phylo, winner: str, reason: str, rule: str) -> None:
    """End the game; nobody acts any more."""
    table.applied.append("phylogenome.end.nothing-after-end")
    ended = ev.GameEnded(winner=winner or None, reason=reason)  # type: ignore[arg-type]  # one of the endings
    end(table, ended, rule, phase=state.OVER, active="", owed=())


def adopted(apply: Callable[[Phylo, Any], None]) -> Callable[[Phylo, Any, Any], None]:
    """Return what does a written line as the rules do, and then what follows in the tableau."""

    def adopt(table: Phylo, event: Consequence, _expected: Any) -> None:
        with as_written(table, event):
            apply(table, event)
        if table.disturbed:
            look_at_tableau(table)

    return adopt
