"""Setup (L8 to L23): players, factions and decks, shuffle and cut, the token, and what cards without a name are."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from tabletape.events.games import crystal as ev
from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.names import card_of, copies, owner_of
from tabletape.events.vocabulary.shared import Seat
from tabletape.projector.games.crystal import board
from tabletape.projector.games.crystal.abilities import LANES
from tabletape.projector.games.crystal.chapters import SET_UP, STARTING_HAND, WRITTEN
from tabletape.projector.games.crystal.schema import FACTION, START_CRYSTALS, START_HITPOINTS, CrystalText
from tabletape.projector.games.crystal.state import BASIC, Crystal, CrystalPlayer
from tabletape.projector.kit import common_rules
from tabletape.projector.kit.consequence import consequence
from tabletape.projector.kit.moves import Move, move
from tabletape.projector.kit.outline import SETUP
from tabletape.projector.kit.seating import add_zones, seat_players, zone_of
from tabletape.projector.model import listed_cards, showing
from tabletape.projector.model.amounts import joined, pluralized
from tabletape.projector.model.cards import unknown_cards
from tabletape.projector.model.due import Due, option_due
from tabletape.projector.model.phrases import by_ruling, name_of, named
from tabletape.projector.model.rulebook import Ruleset
from tabletape.projector.model.rules import NOT_APPLICABLE, OUTSIDE, Broken, Undecidable, Verdict, case, select_rule
from tabletape.projector.model.sentences import clause
from tabletape.projector.model.suggestions import unknown

MORE_FLIPS: Final = frozenset({"winner_stays", "second_counts"})
"""Options of rulings by which one flip is not enough."""


def opening(seats: Sequence[Seat], ruleset: Ruleset, library: Mapping[str, Any]) -> Crystal:
    """Lay the table out: the players with their zones."""
    table = Crystal(options=ruleset.options, library=library)
    faction, basic = table.decks.setdefault(FACTION, {}), table.decks.setdefault(BASIC, {})
    for player in seat_players(table, seats, CrystalPlayer):
        name = player.id
        faction[name] = table.add_zone(f"{FACTION}:deck:{name}", owner=name, role="deck", seen_by="nobody")
        basic[name] = table.add_zone(f"{BASIC}:deck:{name}", owner=name, role="deck")
        table.hands[name], _, *lanes = add_zones(table, name, "hand", "base", *LANES)
        for lane, zone in zip(LANES, lanes, strict=True):
            table.lanes.setdefault(lane, {})[name] = zone
        table.add_zone(f"discard:{name}", owner=name)
        table.add_zone(f"out:{name}", owner=name, role="out", seen_by="owner")
    table.everyone = frozenset(table.players)
    return table


@SET_UP.rule("crystal.setup.two-or-more-players", "L4 L56.3", rests_on="nothing")
def two_or_more(table: Crystal, event: ev.GameStarted) -> Verdict:
    """Two or more players."""
    if len(event.players) > 1 and len(table.players) == len(event.players):
        return None
    return common_rules.wrong_seats(table, event, "two or more players, each with one seat")


GAME_STARTED: Final = Move(line=ev.GameStarted, needs=(two_or_more,))

# -- factions and decks ------------------------------------------------------------------------------------------------


@OUTSIDE.rule("crystal.state.known-card", "", rests_on="printed")
def known_list(table: Crystal, event: ev.DeckDeclared) -> Verdict:
    """A log names cards and factions that exist."""
    library, strange = table.library, []
    text = library.get(event.faction)
    if text is None or text.kind != FACTION:
        factions = [text.id for text in library.values() if text.kind == FACTION]
        strange.append(unknown("faction", event.faction, factions))
    if not (listed_cards.are_known(library, event.cards) and listed_cards.are_known(library, event.basic)):
        strange.append(unknown_cards((*event.cards, *event.basic), library))
    return Undecidable(", ".join(strange), once=True) if strange else None


@SET_UP.rule("crystal.setup.faction", "L10", rests_on="printed")
def faction(table: Crystal, event: ev.DeckDeclared) -> Verdict:
    """Each player chooses a faction and takes its base cards, faction deck, basic deck and tokens."""
    player = table.players[event.player]
    if player.listed:
        lying = (card for card in table.cards.values() if card.owner == player.id and card.zone.name[:4] == "base")
        base = [card_of(card.name) for card in lying]
        again = common_rules.said_again(table, event, *event.basic, *base) if event.faction == player.faction else None
        return again or f"{player.name} declares a second deck list"
    if event.faction not in table.library:
        return NOT_APPLICABLE
    for cards, deck, belongs_to in ((event.cards, FACTION, event.faction), (event.basic, BASIC, BASIC)):
        strange = _strangers(table, cards, belongs_to)
        if strange:
            home = f"cards of {named(table, event.faction)}" if deck == FACTION else "basic cards"
            names = pluralized([named(table, card) for card in strange], "does not belong", "do not belong")
            message = f"{names} in the {deck} deck of {player.name}, {by_ruling(table, 'deck_rules')}"
            return Broken(message, home)
    return None


@listed_cards.once_a_list
def _homes(library: Mapping[str, CrystalText], cards: tuple[str, ...]) -> frozenset[str]:
    """Return what the cards of a list belong to: factions, or `basic`; the factions' own cards to `faction`.

    The empty string stands for cards that the card file does not have.
    """
    texts = [library.get(card) for card in cards]
    return frozenset("" if text is None else FACTION if text.kind == FACTION else text.faction for text in texts)


def _strangers(table: Crystal, cards: tuple[str, ...], belongs_to: str) -> list[str]:
    """Return the cards that cannot be in a deck of a faction, or in one of basic cards (ruling `deck_rules`)."""
    if _homes(table.library, cards) <= {belongs_to}:
        return []
    texts = [table.library[card] for card in dict.fromkeys(cards) if card in table.library]
    mixed = table.options["deck_rules"] == "any"
    return [text.id for text in texts if text.kind == FACTION or not (mixed or text.faction == belongs_to)]


all_declared: Final = common_rules.lacking(
    faction, "listed", "declared faction and decks", "deck.declared", Crystal.living
)
SUPPLY: Final = WRITTEN["crystal.setup.supply"]


@move(ev.DeckDeclared, known_list, faction)
def deck_declared(table: Crystal, event: ev.DeckDeclared) -> None:
    """Make the cards of both decks and the base cards, and set the supply."""
    player = table.players[event.player]
    if player.listed:
        return
    table.update(player, listed=True, faction=event.faction)
    named = copies(player.id, (*event.cards, *event.basic))
    for deck, cards in ((FACTION, named[: len(event.cards)]), (BASIC, named[len(event.cards) :])):
        table.make_all(cards, table.deck_of(deck, player.id))
    _set_supply(table, player)


def _set_supply(table: Crystal, player: CrystalPlayer) -> None:
    text = table.library.get(player.faction)
    hitpoints, crystals = START_HITPOINTS, START_CRYSTALS
    if text is not None and text.kind == FACTION:
        hitpoints, crystals = text.hitpoints, text.crystals
        base = table.card(f"{player.id}:{text.id}")
        board.withdraw(table, base)
        table.move(base, zone_of(table, "base", player.id))
        table.set(base, "face_up", True)
        table.set(player, "base", text.values)
        for index in range(3):
            board.update_totals(table, player, index)
    else:
        table.update(table, uncheckable=table.uncheckable or f"{player.id}:{player.faction}")
    table.update(player, hitpoints=hitpoints, crystals=crystals)
    line = ev.SupplySet(player=player.id, hitpoints=player.hitpoints, crystals=player.crystals)
    table.derive(line, SUPPLY.id)
    table.applied.append("crystal.setup.three-base-cards")


def _is_supply(table: Crystal, event: ev.SupplySet) -> bool:
    player = table.players[event.player]
    same = (player.hitpoints, player.crystals) == (event.hitpoints, event.crystals)
    return table.phase == SETUP and player.listed and same


def _why_no_supply(table: Crystal, event: ev.SupplySet) -> str:
    player = table.players[event.player]
    return f"{player.name} has {'a supply already' if player.listed else 'declared no faction yet'}"


@consequence(ev.SupplySet, rule=SUPPLY, why=_why_no_supply, is_so=_is_supply)
def adopt_supply(table: Crystal, event: ev.SupplySet, _expected: object) -> None:
    """Begin with what is written."""
    table.update(table.players[event.player], hitpoints=event.hitpoints, crystals=event.crystals)


# -- the order of the set-up -------------------------------------------------------------------------------------------


@SET_UP.rule("crystal.setup.order", "L10-L30", rests_on="nothing")
def in_listed_order(table: Crystal, event: Event) -> Verdict:
    """The set-up takes its steps in the order of the list (in one reading of it)."""
    if table.options["setup_order"] == "any" or table.phase != SETUP:
        return NOT_APPLICABLE
    waiting = waits_for(table, type(event))
    return f"{clause(table, event)} before {waiting}, {by_ruling(table, 'setup_order')}" if waiting else None


def waits_for(table: Crystal, line: type[Event]) -> str:
    """Return what a line of the set-up has to wait for by the ruling `setup_order`; empty where it may come now."""
    if table.options["setup_order"] == "any":
        return ""
    players = table.living()
    if not all(player.listed for player in players):
        return "all decks are declared"
    if line in {ev.FirstPlayerChosen, ev.StartingHandDrawn} and not all(player.cut for player in players):
        return "all faction decks are shuffled and cut"
    first_flips = flips_needed(table) // (2 if table.options["second_flip"] == "second_counts" else 1)
    return "the token is flipped" if line is ev.StartingHandDrawn and len(table.flips) < first_flips else ""


def flips_needed(table: Crystal) -> int:
    """Return how many flips decide who has priority first (rulings `first_priority` and `second_flip`)."""
    flips = max(len(table.players) - 1, 1) if table.options["first_priority"] == "winner_stays" else 1
    return 2 * flips if table.options["second_flip"] == "second_counts" else flips


def rivals(table: Crystal) -> tuple[str, ...]:
    """Return who may win the next flip: anybody, or the winner of the last one and the next player (ruling)."""
    ids = tuple(table.players)
    if table.options["first_priority"] != "winner_stays":
        return ids
    number = len(table.flips) % max(len(ids) - 1, 1)
    return (table.flips[-1] if number else ids[0], ids[(number + 1) % len(ids)])


# -- shuffling and cutting ---------------------------------------------------------------------------------------------


@SET_UP.rule("crystal.setup.shuffle-and-cut", "L19", rests_on="nothing")
def shuffled_in_time(table: Crystal, event: ev.DeckShuffled) -> Verdict:
    """Faction decks are shuffled and cut by one another."""
    verdict = common_rules.shuffled_in_time(table, event)
    if verdict is None and event.by == event.player and table.options["shuffled_by"] == "another_player":
        name = name_of(table, event.player)
        message = f"{name}'s own faction deck is shuffled by {name}, {by_ruling(table, 'shuffled_by')}"
        return Broken(message, "another player")
    return verdict


@case(shuffled_in_time)
def cut_by_another(table: Crystal, event: ev.DeckCut) -> Verdict:
    """A deck is cut by another player, after it is shuffled and before the first card is drawn."""
    player = table.players[event.player]
    if event.by == event.player or event.by not in table.players:
        who = f"{player.name} alone" if event.by == event.player else f"{event.by}, who does not sit at this table"
        return Broken(f"the faction deck of {player.name} is cut by {who}", "another player")
    if not player.shuffled:
        return f"the faction deck of {player.name} is cut before it was shuffled"
    return f"the faction deck of {player.name} is cut after cards were drawn from it" if player.opened else None


@move(ev.DeckShuffled, shuffled_in_time, in_listed_order)
def deck_shuffled(table: Crystal, event: ev.DeckShuffled) -> None:
    """Note that a deck is shuffled; its order is never known. Whoever shuffles has to let cut again."""
    player = table.players[event.player]
    table.update(player, shuffled=True, reshuffled=player.cut or player.reshuffled, cut=False)


@move(ev.DeckCut, cut_by_another, in_listed_order)
def deck_cut(table: Crystal, event: ev.DeckCut) -> None:
    """Note that a deck is cut; that nobody has shuffled it before is found with this line, once."""
    player = table.players[event.player]
    table.update(player, cut=True, shuffled=True)


# -- the token ---------------------------------------------------------------------------------------------------------


@SET_UP.rule("crystal.setup.priority-flip", "L23.1 L23.2", rests_on="nothing")
def flip(table: Crystal, event: ev.FirstPlayerChosen) -> Verdict:
    """The token, or a fair coin, decides who has priority first and keeps the token."""
    if table.phase != SETUP:
        return "the token is flipped for the first round although the game has begun"
    may_win = rivals(table)
    if event.player in may_win:
        return None
    names, ruling = [name_of(table, player) for player in may_win], by_ruling(table, "first_priority")
    message = f"{name_of(table, event.player)} wins a flip between {joined(names)}, {ruling}"
    return Broken(message, joined(names, "or"))


@case(flip)
def flipped(table: Crystal, event: Event) -> Verdict:
    """Nobody plays before it is decided who has priority."""
    needed, message = flips_needed(table), "nobody has flipped for priority yet"
    if len(table.flips) >= needed:
        return None
    if table.flips:
        rulings = [key for key in ("first_priority", "second_flip") if table.options[key] in MORE_FLIPS]
        why = joined(by_ruling(table, key) for key in rulings)
        message = f"the token was flipped {len(table.flips)} of {needed} times, {why}"
    return Broken(message, "first-player.chosen", "missing")


@STARTING_HAND.rule("crystal.hand.one-flip", "L30.1 L30.2", rests_on="nothing")
def one_flip(table: Crystal, event: ev.FirstPlayerChosen) -> Verdict:
    """The starting-hand section flips the token again; it is the same decision."""
    holder, winner = name_of(table, table.flips[-1]), name_of(table, event.player)
    message = f"{winner} wins another flip although {holder} has priority already, {by_ruling(table, 'second_flip')}"
    return Broken(message, holder)


@move(
    ev.FirstPlayerChosen,
    select_rule(lambda table, _event: one_flip if len(table.flips) >= flips_needed(table) else flip),
    in_listed_order,
)
def first_player_chosen(table: Crystal, event: ev.FirstPlayerChosen) -> None:
    """Note who has won the flip."""
    if table.phase == SETUP and len(table.flips) < flips_needed(table):
        table.set(table, "flips", (*table.flips, event.player))


def take_token(table: Crystal, first: str) -> None:
    """Hand the token to whoever is first."""
    table.set(table, "priority", first)
    table.applied.append(one_flip.id)


# -- what luck owes ----------------------------------------------------------------------------------------------------


def due_in_setup(table: Crystal) -> Iterator[Due]:
    """Yield the shuffles, cuts and flips that luck has to write now."""
    players = table.living()
    for player in players:
        known = {"player": player.id, "deck": FACTION}
        if not player.shuffled:
            yield Due(line=ev.DeckShuffled, known={**known, "reason": "setup"}, rule=shuffled_in_time.id)
        elif not player.cut:
            others = [other.id for other in players if other is not player]
            yield option_due(ev.DeckCut, "by", others, shuffled_in_time.id, **known)
    if flipped.check(table, None) is not None and not waits_for(table, ev.FirstPlayerChosen):
        yield option_due(ev.FirstPlayerChosen, "player", rivals(table), flip.id, method="token")


# -- cards that a log names --------------------------------------------------------------------------------------------


@case(known_list)
def known_cards(table: Crystal, event: Event) -> Verdict:
    """The cards that are drawn, played or shown are in the card file, or were declared and reported then."""
    return common_rules.unknown_among(table, common_rules.names_in(event, ("card", "cards")))


one_identity: Final = OUTSIDE.rule(
    "crystal.state.single-identity", "", common_rules.SINGLE_IDENTITY, rests_on="nothing"
)(common_rules.shown_as_one_card)


@move(ev.CardShown, known_cards, one_identity)
def card_shown(table: Crystal, event: ev.CardShown) -> None:
    """Name an unnamed card; one that is deployed counts in its lane from now on.

    What it cost and did as it was played is not made up for: nobody knew it then, so totals since are not judged.
    """
    owner, unnamed = owner_of(event.card), table.cards.get(event.was)
    if owner not in table.players or table.cards.get(event.card) is unnamed is not None:
        return
    hand = table.hand_of(owner)
    card = showing.show(table, event.was, event.card, hand if hand.unseen > 0 else zone_of(table, "out", owner))
    if unnamed is not None and unnamed is not card and card.lane:
        board.count_card(table, card, card.lane)
