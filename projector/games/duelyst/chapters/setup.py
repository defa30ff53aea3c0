"""Board setup: the players, their decks and generals, who begins, cards without a name, and what ends a game."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from tabletape.events.games import duelyst as ev
from tabletape.events.vocabulary.names import card_of, copies, is_unseen, owner_of
from tabletape.events.vocabulary.shared import Seat
from tabletape.projector.games.duelyst import board, state
from tabletape.projector.games.duelyst.chapters import BEGINNING, BOARD_SETUP, GENERAL_CARD, UNCOVERED, WIN_CONDITION
from tabletape.projector.games.duelyst.owed import first
from tabletape.projector.games.duelyst.schema import UNKNOWN_HEALTH
from tabletape.projector.games.duelyst.state import Duelyst, DuelystPlayer, Tile
from tabletape.projector.games.duelyst.tiles import BOARD_TILES
from tabletape.projector.kit import common_rules
from tabletape.projector.kit.consequence import follows, resting_on, why_not
from tabletape.projector.kit.ending import NOT_ENDED_REASONS, early_ends
from tabletape.projector.kit.moves import Move, move
from tabletape.projector.kit.seating import add_zones, seat_players
from tabletape.projector.model import listed_cards, showing
from tabletape.projector.model.amounts import counted, pluralized
from tabletape.projector.model.cards import unknown_cards
from tabletape.projector.model.phrases import as_ruled, name_of, tile_in_words
from tabletape.projector.model.rulebook import Ruleset
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken, Undecidable, Verdict, case

DECK: Final = 39
"""The cards of a deck without its general, where the table plays with the usual rules for decks."""
COPIES: Final = 3
PLAYABLE: Final = frozenset({"minion", "spell", "artifact"})
HOME: Final = ((3, 1), (3, 9))
"""The tiles of the two generals, in the order of the seats."""

two_players: Final = BOARD_SETUP.rule("duelyst.setup.two-players", "L56-L58", "Two players.", rests_on="nothing")(
    common_rules.two_players
)

GAME_STARTED: Final = Move(line=ev.GameStarted, needs=(two_players,))

MOVES: Final = early_ends(board.end_game, "duelyst")

nothing_after_end: Final = WIN_CONDITION.rule(
    "duelyst.end.nothing-after-end", "L50", "After the end nothing more is played (implied).", rests_on="nothing"
)(common_rules.nothing_after(ev.GameEnded))


@BOARD_SETUP.rule("duelyst.setup.nine-by-five", "L54", rests_on="nothing")
def tile_on_board(_table: Duelyst, event: ev.BloodboundSpellCast | ev.MechSummoned | ev.MinionSummoned) -> Verdict:
    """The board has 9 columns and 5 rows."""
    return None if event.tile in BOARD_TILES else no_such_tile(event.tile)


def no_such_tile(tile: Any) -> Broken:
    """Return the verdict that a tile does not lie on the board."""
    return Broken(f"there is no tile {tile_in_words(tile)}", "row a to e, column 1 to 9")


# -- decks -------------------------------------------------------------------------------------------------------------


@BEGINNING.rule("duelyst.deck.declared-once", "", rests_on="nothing")
def declared_once(table: Duelyst, event: ev.DeckDeclared) -> Verdict:
    """Each player has one deck list and one general, known before the first draw (implied)."""
    return common_rules.declared_once(table, event, event.general)


@case(declared_once)
def declared_before_shuffling(table: Duelyst, event: ev.DeckShuffled) -> Verdict:
    """The list is known before the deck is shuffled."""
    return None if table.players[event.player].listed else common_rules.shuffled_in_time(table, event)


@listed_cards.once_a_list
def _generals_among(library: Mapping[str, Any], cards: tuple[str, ...]) -> set[str]:
    return {card for card in cards if card in library and library[card].kind == state.GENERAL}


@GENERAL_CARD.rule("duelyst.general.always-on-board", "L19")
def general_on_board(table: Duelyst, event: ev.DeckDeclared) -> Verdict:
    """A general is always on the board."""
    general = table.library.get(event.general)
    if general is not None and general.kind != state.GENERAL:
        return f"{general.name} is named as the general, but its type is {general.kind}"
    stray = _generals_among(table.library, event.cards)
    return f"{_names_are(table, stray)} in the deck; a general is always on the board" if stray else None


@UNCOVERED.rule(
    "duelyst.deck.agreed-rules",
    "",
    "Building a deck is not covered; 40 cards with the general, three of each at most, own faction and neutral are"
    " outside facts.",
    rests_on="nothing",
)
def agreed_rules(table: Duelyst, event: ev.DeckDeclared) -> Verdict:
    """Only with the ruling `deck_rules: forty_of_three`."""
    if table.options["deck_rules"] == "none":
        return NOT_APPLICABLE
    why = as_ruled(table, "deck_rules")
    if len(event.cards) != DECK:
        whose, size = name_of(table, event.player), counted(len(event.cards), "card")
        return Broken(f"the deck of {whose} has {size} besides the general, not {DECK}{why}", str(DECK))
    many = {card for card, times in Counter(event.cards).items() if times > COPIES}
    if many:
        return f"{_names_are(table, many)} in the deck more than {COPIES} times{why}"
    general = table.library.get(event.general)
    own = "" if general is None else general.faction
    texts = [table.library[card] for card in set(event.cards) if card in table.library]
    strange = {text.id for text in texts if own and text.faction not in {"neutral", own}}
    if strange:
        return f"{_names_are(table, strange)} neither neutral nor {own}{why}"
    tokens = {text.id for text in texts if text.kind not in PLAYABLE}
    return f"{_names_are(table, tokens)} not allowed in a deck{why}" if tokens else None


def _names_are(table: Duelyst, cards: set[str]) -> str:
    """Return the names of cards with the verb for one or for several."""
    names = sorted(str(table.library[card].name) if card in table.library else card for card in cards)
    return pluralized(names, "is", "are")


@UNCOVERED.rule("duelyst.state.known-card", "")
def known_cards(table: Duelyst, event: ev.DeckDeclared) -> Verdict:
    """A log names cards that exist, and the next free number for a unit that is created."""
    if event.general in table.library and listed_cards.are_known(table.library, event.cards):
        return None
    unknown = {event.general, *event.cards}.difference(table.library)
    known = {card_of(name) for name, card in table.cards.items() if card.text is None}
    new = sorted(unknown - known)
    return Undecidable(unknown_cards(new, table.library)) if new else NOT_APPLICABLE


def is_unknown(table: Duelyst, name: str) -> bool:
    """Return whether a name is that of a card which the card file does not have."""
    return card_of(name) not in table.library and not is_unseen(name)


@move(ev.DeckDeclared, declared_once, known_cards, general_on_board, agreed_rules)
def deck_declared(table: Duelyst, event: ev.DeckDeclared) -> None:
    """Make the cards of a list; the general enters the board at its home."""
    player = table.players[event.player]
    if player.listed:
        return
    table.set(player, "listed", True)
    deck = table.decks[player.id]
    known = table.make_all(copies(player.id, event.cards), deck)
    table.count(deck, "unseen", len(known))
    general = table.card(f"{player.id}:{event.general}")
    board.require_text(table, general, state.GENERAL)
    if general.text.kind != state.GENERAL:
        return
    tile = HOME[player.seat]
    board.enter(table, general, tile)
    table.set(general, "exhausted", False)
    table.set(player, "general", general.name)
    placed = ev.GeneralPlaced(player=player.id, unit=general.name, tile=tile)
    table.derive(placed, "duelyst.setup.generals-placed")


@BEGINNING.rule("duelyst.setup.shuffle-decks", "", rests_on="nothing")
def shuffle_decks(table: Duelyst, event: ev.DeckShuffled) -> Verdict:
    """Decks are shuffled before cards are drawn (implied)."""
    player = table.players[event.player]
    if not player.listed:
        return NOT_APPLICABLE
    if event.reason != "setup" or not player.shuffled or player.opened:
        return None
    return Broken(f"{player.name} shuffles the deck again before a card is drawn; once is enough", kind="info")


@move(ev.DeckShuffled, declared_before_shuffling, shuffle_decks)
def deck_shuffled(table: Duelyst, event: ev.DeckShuffled) -> None:
    """Note that a deck is shuffled."""
    table.set(table.players[event.player], "shuffled", True)


# -- who begins --------------------------------------------------------------------------------------------------------


@BOARD_SETUP.rule("duelyst.setup.first-seat-begins", "L56-L58", rests_on="nothing")
def first_seat_begins(table: Duelyst, event: ev.FirstPlayerChosen) -> Verdict:
    """The first player begins (implied by the numbers)."""
    first = table.first if table.turn else next(iter(table.players))
    if event.player == first or (not table.turn and table.options["first_player"] == "recorded"):
        return None
    who, other = name_of(table, event.player), name_of(table, first)
    if table.turn:
        return Broken(f"{who} is to begin, but {other} has begun", f"{other} begins")
    return Broken(f"{who} is to begin, not the first seat{as_ruled(table, 'first_player')}", f"{other} begins")


@move(ev.FirstPlayerChosen, first_seat_begins)
def first_player_chosen(table: Duelyst, event: ev.FirstPlayerChosen) -> None:
    """Note who begins."""
    table.update(table, first=event.player, chosen=True)


# -- cards without a name ----------------------------------------------------------------------------------------------

one_identity: Final = UNCOVERED.rule(
    "duelyst.state.single-identity", "", common_rules.SINGLE_IDENTITY, rests_on="nothing"
)(common_rules.shown_as_one_card)

known_shown: Final = case(known_cards)(common_rules.known_shown)


@move(ev.CardShown, known_shown, one_identity)
def _card_shown(table: Duelyst, event: ev.CardShown) -> None:
    """Name an unnamed card; a unit is what is printed on it from now on."""
    owner, unnamed = owner_of(event.card), table.cards.get(event.was)
    if owner not in table.players or table.cards.get(event.card) is unnamed is not None:
        return
    card = showing.show(table, event.was, event.card, table.hands[owner])
    if (
        unnamed is not None
        and card.zone.name == state.BOARD
        and card.text is not None
        and card.text.kind in state.UNITS
    ):
        if card.damage > UNKNOWN_HEALTH // 2:  # What the log said of its health was so.
            left = UNKNOWN_HEALTH - card.damage
            table.set(card, "damage", max(card.text.health - left, 0))
        table.set(card, "keywords", card.keywords | card.text.says.keywords)
        table.reckon()
        board.activate_text(table, card)
        first(table, board.remove_dead(table, (card,)))


# -- what follows, as a log writes it ----------------------------------------------------------------------------------

GENERAL_PLACED: Final = follows(ev.GeneralPlaced, rule="duelyst.setup.generals-placed")


@why_not(ev.GlobePlaced)
def _why_no_globe(table: Duelyst, _event: ev.GlobePlaced) -> tuple[str, str]:
    tiles = " ".join(tile_in_words(tile) for tile in globe_tiles(table))
    return "duelyst.setup.three-globes", f"the globes lie on {tiles}{as_ruled(table, 'globe_tiles')}"


@why_not(ev.GameEnded, behind=resting_on("both_generals_die", "duelyst.win.both-generals-die"))
def _why_no_end(table: Duelyst, event: ev.GameEnded) -> tuple[str, str]:
    if event.reason in NOT_ENDED_REASONS:
        return f"duelyst.end.{event.reason}", NOT_ENDED_REASONS[event.reason]
    if event.reason == "empty-deck":
        return "duelyst.deck.empty-draw", f"an empty deck ends no game here{as_ruled(table, 'empty_deck')}"
    alive = [general for player in table.players if (general := table.general_of(player)) is not None]
    message = " and ".join(f"the health of {table.called(general.name)} is {general.health}" for general in alive)
    is_one = event.reason == "general-killed"
    return "duelyst.win.kill-general" if is_one else "duelyst.win.both-generals-die", message


# -- the table before a game -------------------------------------------------------------------------------------------


def opening(seats: Sequence[Seat], ruleset: Ruleset, library: Mapping[str, Any]) -> Duelyst:
    """Lay the table out: the board with its globes, the two players with their zones."""
    table = Duelyst(options=ruleset.options, library=library)
    table.units = table.add_zone(state.BOARD).cards
    table.add_zone(state.REMOVED_ZONE)
    ids = list(dict.fromkeys(seat.id for seat in seats))[:2]
    for player in seat_players(table, [seat for seat in seats if seat.id in ids], DuelystPlayer):
        name = player.id
        has_bonus = player.seat == 1 and ruleset.options["second_player_bonus"] == "one_capacity"
        player.capacity = has_bonus + (player.seat + 1) * (ruleset.options["start_capacity"] == "digital")
        table.decks[name], table.hands[name] = add_zones(table, name, "deck", "hand")
        table.graveyards[name] = table.add_zone(f"graveyard:{name}", owner=name, role="discard")
        table.worn[name] = table.add_zone(f"artifacts:{name}", owner=name)
    table.first = ids[0] if ids else ""
    table.globes = globe_tiles(table)
    for tile in table.globes:
        table.derive(ev.GlobePlaced(tile=tile), "duelyst.setup.three-globes")
    return table


def globe_tiles(table: Duelyst) -> tuple[Tile, ...]:
    """Return the tiles on which mana globes are placed, in the order of the rulebook."""
    listed = table.options["globe_tiles"] == "listed"
    return ((1, 5), (3, 6)) if listed else ((1, 5), (5, 5), (3, 6))
