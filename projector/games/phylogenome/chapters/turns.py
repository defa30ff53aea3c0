"""Turns: who is on turn, how many actions a turn has, how a card is exchanged with one, and how a turn ends."""

from collections.abc import Iterable, Iterator
from typing import Final

from tabletape.events.games import phylogenome as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.phylogenome import effects, state
from tabletape.projector.games.phylogenome.chapters import GAME_BEGINS, WHAT_IS_IT, drawing
from tabletape.projector.games.phylogenome.chapters.cards import doubt, known_card, may_lie_in, named_hand
from tabletape.projector.games.phylogenome.naming import not_in_hand
from tabletape.projector.games.phylogenome.state import Owed, Phylo, PhyloPlayer, is_species
from tabletape.projector.games.phylogenome.steps import ABILITY_DRAW, TURN_DRAW, begin_turn, end_turn
from tabletape.projector.kit.adopting import as_written
from tabletape.projector.kit.consequence import consequence
from tabletape.projector.kit.moves import Move, move
from tabletape.projector.kit.owed import go_on_undrawn, missing
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.model.amounts import how_many
from tabletape.projector.model.phrases import by_ruling, name_of
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken, Judgement, Rule, Verdict, case, group_check


@WHAT_IS_IT.rule("phylogenome.turn.active-player", "L11.2")
def active_player(table: Phylo, event: ev.EventPlayed | ev.SpeciesMoved | ev.SpeciesPlayed | ev.TurnEnded) -> Verdict:
    """The players take turns; only the one on turn acts."""
    if table.active == event.player:
        return None
    due = name_of(table, table.active)
    return Broken(f"{name_of(table, event.player)} acts in the turn of {due}", due)


TURN_DRAWS: Final = frozenset({ABILITY_DRAW, TURN_DRAW})


def owed_first(table: Phylo, event: Event) -> Judgement | None:
    """Return the rule by which luck owes something first, unless this is the line or it may be left out (ruling)."""
    due = table.owed[0]
    if due.line is ev.CardKept and isinstance(event, ev.CardKept):
        return None
    if table.options["skip_draw"] == "optional":
        due = next((each for each in table.owed if each.rule != TURN_DRAW), due)
        if due.rule == TURN_DRAW:
            return None
    because = "phylogenome.turn.step-order" if due.rule in TURN_DRAWS else ""
    rule: Rule = drawing.OWING_CASES[due.rule].rule
    allowed = doubt(table, rule, event)
    return rule, missing(table, due, event, because) if allowed is None else allowed.verdict


def judge_turn(table: Phylo, event: Event) -> Iterable[Judgement]:
    """Judge whose turn it is; in the turn of the other player it may also be that luck owes something first."""
    verdict: Verdict = active_player(table, event)
    owed = owed_first(table, event) if verdict is not None and table.owed else None
    return ((active_player, verdict), owed) if owed else ((active_player, verdict),)


TURN: Final = group_check(judge_turn)
"""Whose turn it is, where one look could not tell that it is the player's own."""


@GAME_BEGINS.rule("phylogenome.turn.three-actions", "L77")
def three_actions(table: Phylo, event: ev.EventPlayed | ev.SpeciesMoved | ev.SpeciesPlayed) -> Verdict:
    """Up to three actions, repeated as you like."""
    if table.active != event.player:
        return NOT_APPLICABLE
    if table.players[event.player].actions > 0:
        return None
    return Broken(
        f"{name_of(table, event.player)} has no action left in this turn", f"{state.TURN_ACTIONS} actions a turn"
    )


def go_on_without(table: Phylo, player: str) -> None:
    """Go on although something else was due: a game that was not begun begins, luck owes nothing any more."""
    table.TURN.begin(table, player)
    if table.owed and table.active == player:
        for due in table.owed:
            if due.line is ev.CardsDrawn:
                go_on_undrawn(table, due, table.number_to_draw(due))
        table.set(table, "owed", ())


def act(table: Phylo, player: str) -> None:
    """Use an action up."""
    if table.active != player or table.owed:
        go_on_without(table, player)
    if table.active == player:
        table.count(table.players[player], "actions", -1)


# -- exchanging a card -------------------------------------------------------------------------------------------------

EXCHANGE_DRAW: Final = 3
"""Cards that are drawn for one that is exchanged."""


@GAME_BEGINS.rule("phylogenome.cycle.one-from-hand", "L78")
def one_from_hand(table: Phylo, event: ev.CardsCycled) -> Verdict:
    """The exchange discards one card of the hand."""
    if not may_lie_in(table, event.discarded, table.hands[event.player]):
        return not_in_hand(table, event.discarded, event.player)
    if table.options["cycle_card"] == "species_only":
        card = table.find(event.discarded)
        if card is not None and card.text is not None and card.text.kind == state.EVENT:
            message = f"{card.text.name} is exchanged, which is an Event ({by_ruling(table, 'cycle_card')})"
            return Broken(message, "a Species")
    return None


@case(drawing.draw_three)
def deck_has_three(table: Phylo, event: ev.CardsCycled) -> Verdict:
    """The deck has three cards for an exchange, if the ruling `short_draw` asks for them."""
    if table.options["short_draw"] != "forbidden":
        return NOT_APPLICABLE
    size = zone_of(table, "deck", event.player).size
    if size >= EXCHANGE_DRAW:
        return None
    left, by = how_many(size, "card"), by_ruling(table, "short_draw")
    return Broken(f"a card is exchanged with {left} left in the deck ({by})", "three cards")


def exchanges_well(table: Phylo, event: ev.CardsCycled) -> bool:
    """Return whether nothing is wrong with an exchange of cards."""
    card = table.cards.get(event.discarded)
    player = table.players[event.player]
    return (
        card is not None
        and card.zone is table.hands[player.id]
        and table.active == player.id
        and player.actions > 0
        and table.options["cycle_card"] == "any"
        and table.options["short_draw"] != "forbidden"
    )


def offer_exchanges(table: Phylo, player: str) -> Iterator[Event]:
    """Yield each exchange of a card of the hand."""
    if table.options["short_draw"] != "forbidden" or zone_of(table, "deck", player).size >= EXCHANGE_DRAW:
        only = table.options["cycle_card"] == "species_only"
        for card in named_hand(table, player):
            if is_species(card) or not only:
                yield ev.CardsCycled(player=player, discarded=card.name)


@move(
    ev.CardsCycled,
    TURN,
    known_card,
    three_actions,
    one_from_hand,
    deck_has_three,
    is_usual=exchanges_well,
    keeps=(active_player, known_card, three_actions, one_from_hand),
    offers=offer_exchanges,
)
def cards_cycled(table: Phylo, event: ev.CardsCycled) -> None:
    """Discard a hand card; three cards are due."""
    player = event.player
    act(table, player)
    card = table.take(event.discarded, zone_of(table, "hand", player))
    if not card.in_play:
        effects.discard(table, card, player, "cycled")
    words = "draws {cards} for the exchange"
    due = Owed(line=ev.CardsDrawn, player=player, rule=drawing.EXCHANGE, words=words, count=EXCHANGE_DRAW)
    table.set(table, "owed", (*table.owed, due))


# -- the end of a turn -------------------------------------------------------------------------------------------------


def has_just_begun(table: Phylo) -> bool:
    """Return whether nothing has happened yet in a turn that followed another one."""
    if not table.active:
        return False
    player = table.players[table.active]
    drawn = table.phase != state.DRAW and table.decks[player.id].size > 0
    return table.turn > 1 and player.actions == state.TURN_ACTIONS and not table.event_played and not drawn


def judge_end(table: Phylo, event: ev.TurnEnded) -> Iterable[Judgement]:
    """Judge the end of a turn: the player on turn ends it; that an ended turn is ended is said twice, and no more."""
    if table.active != event.player and has_just_begun(table):
        message = f"the turn of {name_of(table, event.player)} has ended already; this line says it again"
        return ((active_player, Broken(message, "", "info")),)
    return judge_turn(table, event)


def leave_turn(table: Phylo, player: PhyloPlayer) -> None:
    """End a player's turn, in which luck owes nothing any more."""
    if table.owed:
        go_on_without(table, player.id)
    end_turn(table, player)


def _why_no_turn(table: Phylo, _event: ev.TurnStarted) -> str:
    who = name_of(table, table.active)
    return f"it is the turn of {who}, which nobody has ended" if table.active else "none is due"


@consequence(ev.TurnStarted, rule=active_player, why=_why_no_turn)
def adopt_turn(table: Phylo, event: ev.TurnStarted, expected: ev.TurnStarted | None) -> None:
    """Begin the turn that is written."""
    if table.phase in {state.DRAW, state.ACTIONS} and table.active != event.player:
        if expected is not None:
            table.count(table, "turn", -1)
        if table.active:
            table.set(table.players[table.active], "actions", 0)
        with as_written(table, event):
            begin_turn(table, table.players[event.player])


TURN_ENDED: Final = Move(
    line=ev.TurnEnded,
    needs=(group_check(judge_end),),
    is_usual=lambda table, event: table.active == event.player,
    keeps=(active_player,),
    offers=lambda _table, player: (ev.TurnEnded(player=player),),
)
