"""Set-up: the deck lists, the row of bioms, the opening hand, the first player."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from tabletape.events.games import splicers as ev
from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.names import copies
from tabletape.events.vocabulary.shared import Seat, TurnStarted
from tabletape.projector.games.splicers import board
from tabletape.projector.games.splicers.chapters import CARD_TYPES, GAME_OBJECTIVE, SET_UP
from tabletape.projector.games.splicers.naming import called
from tabletape.projector.games.splicers.schema import SplicersText
from tabletape.projector.games.splicers.state import Splicers, SplicersPlayer, tings_and_seeds
from tabletape.projector.kit import common_rules
from tabletape.projector.kit.moves import Move, move
from tabletape.projector.kit.seating import add_zones, seat_players, zone_of
from tabletape.projector.model import listed_cards
from tabletape.projector.model.amounts import how_many, pluralized
from tabletape.projector.model.cards import unknown_cards
from tabletape.projector.model.due import Asked, Due, draw_due, number_of_cards, option_due
from tabletape.projector.model.phrases import by_ruling, name_of
from tabletape.projector.model.rulebook import Ruleset
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken, Undecidable, Verdict, case, stop

players_two: Final = GAME_OBJECTIVE.rule(
    "splicers.players.two", "L32.1", "A game is one player against exactly one opponent.", rests_on="nothing"
)(common_rules.two_players)
GAME_STARTED: Final = Move(line=ev.GameStarted, needs=(players_two,))
LISTS: Final = common_rules.lacking(players_two, "listed", "declared a deck list", "deck.declared")


@CARD_TYPES.rule("splicers.card.types", "L48.1 L49.1 L50.1 L51.1 L52.1 L53.1")
def card_types(table: Splicers, event: ev.DeckDeclared) -> Verdict:
    """A card is a ting, mutation, event, biom or splicer."""
    named_cards = (event.splicer, *event.bioms, *event.cards)
    if table.library.keys() >= {*named_cards}:
        return None
    unknown = [card for card in named_cards if card not in table.library]
    return pluralized(unknown, "is no card of this game", "are no cards of this game")


@CARD_TYPES.rule("splicers.deck.min-size", "L55.1", rests_on="nothing")
def min_size(table: Splicers, event: ev.DeckDeclared) -> Verdict:
    """A deck list has at least 18 cards, splicer and bioms included."""
    size = len(event.cards) + len(event.bioms) + 1
    if table.options["deck_size_max"] == "eighteen" and size > 18:
        ruling = by_ruling(table, "deck_size_max")
        return Broken(f"the list of {name_of(table, event.player)} has {size} cards, not 18 {ruling}", "18")
    if size >= 18:
        return None
    return Broken(f"the list of {name_of(table, event.player)} has {size} cards, at least 18 are needed", "at least 18")


@CARD_TYPES.rule("splicers.deck.singleton", "L55.2", rests_on="nothing")
def singleton(table: Splicers, event: ev.DeckDeclared) -> Verdict:
    """No card occurs twice in a deck."""
    cards = (event.splicer, *event.bioms, *event.cards)
    twice = sorted({called(table, card) for card in cards if cards.count(card) > 1})
    return f"{pluralized(twice, 'is', 'are')} in the list of {name_of(table, event.player)} twice" if twice else None


def _of_kind(table: Splicers, cards: Sequence[str], kind: str) -> list[str]:
    """Return those of some cards that are printed as cards of a kind."""
    return [text.id for text in map(table.library.get, cards) if text is not None and text.kind == kind]


@CARD_TYPES.rule("splicers.deck.two-bioms", "L55.1", "The list contains two bioms.")
def two_bioms(table: Splicers, event: ev.DeckDeclared) -> Verdict:
    """Two bioms are named, and none is among the cards."""
    bioms = _of_kind(table, event.bioms, "biom")
    wrong = [called(table, card) for card in event.bioms if card not in bioms]
    if wrong:
        return pluralized(wrong, "is no biom", "are no bioms")
    if len(event.bioms) != 2 and not (len(event.bioms) > 2 and table.options["deck_biom_count"] == "at_least"):
        names = f"the list of {name_of(table, event.player)} names {how_many(len(event.bioms), 'biom')}"
        return Broken(f"{names}, not 2", "2")
    return _among_cards(table, event, "biom")


def _among_cards(table: Splicers, event: ev.DeckDeclared, kind: str) -> Verdict:
    """Return the verdict that cards of a kind are in the deck, which lie beside it."""
    stray, where = [called(table, card) for card in _of_kind(table, event.cards, kind)], "among the cards of the deck"
    return pluralized(stray, f"is a {kind} {where}", f"are {kind}s {where}") if stray else None


@CARD_TYPES.rule("splicers.deck.one-splicer", "L55.1", "The list contains one splicer.")
def one_splicer(table: Splicers, event: ev.DeckDeclared) -> Verdict:
    """A splicer is named, and none is among the cards."""
    if not _of_kind(table, (event.splicer,), "splicer"):
        return f"{called(table, event.splicer)} is no splicer"
    return _among_cards(table, event, "splicer")


def is_sound_list(table: Splicers, event: ev.DeckDeclared) -> bool:
    """Return whether nothing is wrong with a list, in one look at the kinds of its cards."""
    cards = (event.splicer, *event.bioms, *event.cards)
    player = table.players[event.player]
    in_size = len(cards) == 18 or (len(cards) > 18 and table.options["deck_size_max"] == "none")
    in_time = not (player.shuffled or player.listed or table.row)
    return in_size and in_time and len(event.bioms) == 2 and _are_of_right_kinds(table.library, cards)


@listed_cards.once_a_list
def _are_of_right_kinds(library: Mapping[str, SplicersText], cards: tuple[str, ...]) -> bool:
    """Return whether a splicer, two bioms and other cards that are neither are known, and none is there twice."""
    kinds = [text.kind for text in map(library.get, cards) if text is not None]
    is_known = len(kinds) == len(cards) == len({*cards})
    right = kinds[:3] == ["splicer", "biom", "biom"] and kinds.count("biom") == 2
    return is_known and right and kinds.count("splicer") == 1


shuffle_deck: Final = SET_UP.rule(
    "splicers.setup.shuffle-deck", "L39.1 L40.1", "Each player shuffles the own deck before play.", rests_on="nothing"
)(common_rules.shuffled_in_time)
shuffled_first: Final = case(shuffle_deck)(common_rules.drawn_from_shuffled)
shuffled_again: Final = case(shuffle_deck)(lambda _table, _event: NOT_APPLICABLE)


@case(shuffle_deck)
def listed_first(table: Splicers, event: ev.DeckDeclared) -> Verdict:
    """A list is declared once, before the deck is shuffled and the row is laid out."""
    player = table.players[event.player]
    if player.shuffled and not player.listed:
        return f"the list of {player.name} is declared after the deck was shuffled"
    if player.listed and event.bioms == player.bioms:
        laid = [biom for biom in event.bioms if f"{player.id}:{biom}" in table.cards]
        if again := common_rules.said_again(table, event, event.splicer, *laid):
            return again
    late = "the list is declared after the bioms were laid out" if table.row else None
    return common_rules.declared_once(table, event) or late


SHUFFLES: Final = common_rules.lacking(shuffle_deck, "shuffled", "shuffled the deck", "deck.shuffled")


def _brought_bioms(table: Splicers) -> tuple[str, ...]:
    """Return the bioms that the players have brought, as a log names them in the row."""
    brought = [(player.id, biom) for player in table.players.values() for biom in player.bioms]
    ids = [biom for _, biom in brought]
    return tuple(f"{player}:{biom}" if ids.count(biom) > 1 else biom for player, biom in brought)


@SET_UP.rule("splicers.setup.bioms-row", "L41.1")
def bioms_row(table: Splicers, event: ev.BiomsPlaced) -> Verdict:
    """All bioms of both players lie face up in one row between the players."""
    if table.row:
        return "the bioms are laid out a second time"
    if not all(player.listed for player in table.players.values()):
        return "the bioms are laid out before both lists are declared"
    expected = _brought_bioms(table)
    if sorted(event.row) == sorted(expected):
        return None
    unknown = unknown_cards([biom for player in table.players.values() for biom in player.bioms], table.library)
    if unknown:
        return Undecidable(unknown, once=True)
    return Broken(f"the row is {', '.join(event.row)}", f"each of {', '.join(expected)} once")


@case(bioms_row)
def row_laid_out(table: Splicers, event: Event) -> Verdict:
    """Nobody acts before the bioms are laid out."""
    return None if table.row else Broken("the bioms have not been laid out yet", "bioms.placed", "missing")


@SET_UP.rule("splicers.setup.opening-hand", "L42.1 L104.3", rests_on="nothing")
def opening_hand(table: Splicers, event: ev.CardsDrawn) -> Verdict:
    """The opening hand has as many cards as the own splicer prints."""
    number = start_cards(table, event.player)
    verdict = common_rules.opening_hand(table, event, number_of_cards(event) if number is None else number)
    return NOT_APPLICABLE if verdict is None and number is None else verdict


def start_cards(table: Splicers, player: str) -> int | None:
    """Return how many cards the splicer of a player prints for the opening hand; None where it is unknown."""
    splicer = table.find(table.players[player].splicer)
    number: int | None = None if splicer is None or splicer.text is None else splicer.text.start_cards
    return number


HANDS: Final = common_rules.lacking(opening_hand, "opened", "drawn the opening hand", "cards.drawn")
random_first: Final = SET_UP.rule(
    "splicers.setup.random-first", "L43.1", "The first player of round 1 is chosen at random.", rests_on="nothing"
)(common_rules.chosen_once)
first_is_chosen: Final = case(random_first)(common_rules.first_is_chosen)
STEPS: Final = (LISTS, row_laid_out, SHUFFLES, HANDS, first_is_chosen)
"""What round 1 needs, in order."""


LIST: Final = (card_types, listed_first, min_size, singleton, two_bioms, one_splicer)


@move(ev.DeckDeclared, stop(card_types), *LIST[1:], is_usual=is_sound_list, keeps=LIST)
def deck_declared(table: Splicers, event: ev.DeckDeclared) -> None:
    """Make the cards of a list: the splicer beside the deck, the bioms at hand, the rest in the deck."""
    player = table.players[event.player]
    table.set(player, "listed", True)
    table.make_all(copies(player.id, event.cards), table.zones[player.draws_from])
    splicer = f"{player.id}:{event.splicer}"
    if table.find(splicer) is None:
        board.activate_text(table, table.make(splicer, zone_of(table, "splicer", player.id), face_up=True))
        table.set(player, "splicer", splicer)
    table.set(player, "bioms", event.bioms)
    table.applied += ("splicers.setup.splicer-face-up", "splicers.setup.discard-empty")


@move(ev.BiomsPlaced, bioms_row)
def bioms_placed(table: Splicers, event: ev.BiomsPlaced) -> None:
    """Lay the row of bioms out; one that both players brought goes by its card's name."""
    brought: dict[str, str] = {}
    for player in table.players.values():
        for each in player.bioms:
            brought.setdefault(each, f"{player.id}:{each}")
    bioms: dict[str, str] = {}
    for place in dict.fromkeys(event.row):
        name = place if ":" in place else brought.get(place, place)
        biom = table.card(name)
        if biom.zone.name != "row":
            table.move(biom, table.zones["row"])
        table.set(biom, "face_up", True)
        table.set_place(biom, place)
        table.set(biom, "totals", (0,) * len(table.players))
        bioms[place] = name
    table.update(table, bioms=bioms, row=tuple(bioms))
    for biom in table.zones["row"].cards:
        board.activate_text(table, biom)
    for card in tings_and_seeds(table):
        table.set(card, "worth", 0)
        board.touch(table, card)


FIRST_PLAYER_CHOSEN: Final = Move(line=ev.FirstPlayerChosen, needs=(random_first,), does=common_rules.note_first)


def due_in_setup(table: Splicers) -> Iterator[Due]:
    """Yield what is due once both lists are known: the row, each player's shuffle or opening hand, who begins."""
    if not all(player.listed for player in table.players.values()):
        return
    if not table.row:
        asked = Asked(kind="order", field="row", names=_brought_bioms(table))
        yield Due(line=ev.BiomsPlaced, known={}, rule=bioms_row.id, asked=asked)
    for player in table.players.values():
        if not player.shuffled:
            yield Due(line=ev.DeckShuffled, known={"player": player.id, "reason": "setup"}, rule=shuffle_deck.id)
        elif not player.opened:
            yield due_draw(table, player.id, start_cards(table, player.id) or 0, "opening-hand", opening_hand.id)
    if not table.first:
        yield option_due(ev.FirstPlayerChosen, "player", table.seating, random_first.id, method="die")


def due_draw(table: Splicers, player: str, count: int, reason: str, rule_id: str) -> Due:
    """Return what is due: a player draws so many cards of the own deck, for a reason and by a rule."""
    deck = table.players[player].draws_from
    return draw_due(table, ev.CardsDrawn, deck, count, rule_id, player=player, reason=reason)


LAYS_DOWN: Final = frozenset({"0.2a-2016-08-27"})
"""The editions whose text has a found card played at once."""


def opening(seats: Sequence[Seat], ruleset: Ruleset, library: Mapping[str, Any]) -> Splicers:
    """Lay the table out: the players with their zones, and the places between them."""
    options = ruleset.options
    table = Splicers(options=options, library=library, ends_itself=options["turn_end"] == "automatic")
    table.keeps_found = options["splice_destination"] == "hand" and ruleset.edition in LAYS_DOWN
    for player in seat_players(table, seats, SplicersPlayer):
        player.begins = TurnStarted(player=player.id)
        deck, hand, _ = add_zones(table, player.id, "deck", "hand", "discard")
        side = table.add_zone(f"play:{player.id}", owner=player.id, seen_by="owner")
        player.draws_from, player.hand, player.side = deck.name, hand.name, side.name
        table.add_zone(f"splicer:{player.id}", owner=player.id)
    table.seating = tuple(table.players)
    table.everybody = frozenset(table.seating)
    table.sides = tuple([player.side for player in table.players.values()])
    table.readied_zones = (*table.sides, "mutations", "row", *[f"splicer:{player}" for player in table.seating])
    table.add_zone("row")
    table.add_zone("mutations")
    table.add_zone("event", seen_by="owner")
    table.add_zone("season")
    return table
