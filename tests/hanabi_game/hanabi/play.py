"""Hanabi in the order of its rules: what each line needs, what it does, and when the game is over."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from msgspec import UNSET

from hanabi.events import CardDiscarded, CardPlayed, ClueGiven
from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.shared import GameDecided
from tabletape.projector.kit.ending import end
from tabletape.projector.kit.moves import Move
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.kit.small_game import all_copies, drawn_up, in_own_hand, left_of, own_turn
from tabletape.projector.model import telling
from tabletape.projector.model.rules import Section, Undecidable, Verdict, stop
from tabletape.projector.model.table import Table
from tabletape.projector.model.things import CardText, Player

TOKENS: Final = 8
MISTAKES: Final = 3
LAST: Final = 5


class Firework(CardText, frozen=True, kw_only=True, eq=False):
    """A card with a colour and a rank."""

    colour: str
    rank: int
    copies: int


class Hanabi(Table[telling.ToldCard, Player], eq=False, kw_only=True):
    """The table: clue tokens, mistakes, and the turns after the last card (-1: it is there)."""

    CARD = telling.ToldCard

    tokens: int = TOKENS
    mistakes: int = 0
    turns_left: int = -1


def begins(table: Hanabi) -> None:
    """Lay out the deck, without the sixth colour where the table plays with five."""
    six = table.options["colours"] == "six"
    used = {name: text for name, text in table.library.items() if six or text.colour != "multi"}
    table.make_all(all_copies(used), table.zones["deck"])


def hand(table: Hanabi) -> int:
    """Return how many cards each player holds."""
    return 5 if len(table.players) < 4 else 4


def reached(table: Hanabi) -> Counter[str]:
    """Return how far each firework is."""
    return Counter(card.text.colour for card in table.zones["fireworks"].cards if card.text is not None)


# -- turns -------------------------------------------------------------------------------------------------------------

TURNS: Final = Section("Turns")
DISCARDING: Final = Section("Discarding")
CLUES: Final = Section("Clues")

own = TURNS.rule("hanabi.turn.own", "L2", "Players take turns, to the left.")(own_turn)
draws = TURNS.rule("hanabi.turn.draw", "L3", "Whoever has played or discarded draws a card.")(drawn_up(hand))
from_hand = TURNS.rule("hanabi.card.from-hand", "L4", "A card is played or discarded from the own hand.")(in_own_hand)


@DISCARDING.rule("hanabi.discard.not-at-eight", "L5", "Nobody discards while all clue tokens lie ready.")
def not_at_eight(table: Hanabi, _event: Any) -> Verdict:
    """A token has to be missing."""
    return f"all {TOKENS} clue tokens lie ready" if table.tokens == TOKENS else None


@CLUES.rule("hanabi.clue.token", "L6", "A clue costs a token.")
def token(table: Hanabi, _event: Any) -> Verdict:
    """A token has to lie ready."""
    return None if table.tokens else "no clue token lies ready"


@CLUES.rule("hanabi.clue.another", "L7", "A clue is given to another player.")
def another(_table: Hanabi, event: ClueGiven) -> Verdict:
    """Nobody is told about the own hand."""
    return "the clue is given to oneself" if event.player == event.to else None


@CLUES.rule("hanabi.clue.cards", "L8", "A clue points to all cards of a colour or a rank, and to no other.")
def points_to(table: Hanabi, event: ClueGiven) -> Verdict:
    """The cards that are named are those, and there is one unless the ruling `empty_clues` allows none."""
    held = zone_of(table, "hand", event.to)
    if held.unseen or any(card.text is None for card in held.cards):
        return Undecidable("a card of the hand is unknown")
    meant = [card.name for card in held.cards if _says(event)(card)]
    if not meant and table.options["empty_clues"] == "not_allowed":
        return "the clue points to no card"
    named = {card.name for each in event.cards or () if (card := table.find(each)) is not None}
    return None if event.cards is UNSET or named == {*meant} else "the clue points to other cards"


def _says(event: ClueGiven) -> Any:
    field = "rank" if event.colour is UNSET else "colour"
    return lambda card: getattr(card.text, field) == getattr(event, field)


def _goes_on(table: Hanabi, player: str) -> None:
    if not table.zones["deck"].size:
        left = table.turns_left if table.turns_left >= 0 else len(table.players)
        table.set(table, "turns_left", max(left - 1, 0))
    table.next_turn(left_of(table, player))


def _played(table: Hanabi, event: CardPlayed) -> None:
    card = table.take(event.card, zone_of(table, "hand", event.player))
    if card.text is not None and reached(table)[card.text.colour] == card.text.rank - 1:
        table.move(card, table.zones["fireworks"])
        table.set(table, "tokens", min(table.tokens + (card.text.rank == LAST), TOKENS))
    else:
        table.move(card, table.zones["discard"])
        table.count(table, "mistakes", 1)
    _goes_on(table, event.player)


def _discarded(table: Hanabi, event: CardDiscarded) -> None:
    table.move(table.take(event.card, zone_of(table, "hand", event.player)), table.zones["discard"])
    table.set(table, "tokens", min(table.tokens + 1, TOKENS))
    _goes_on(table, event.player)


def _told(table: Hanabi, event: ClueGiven) -> None:
    field = "rank" if event.colour is UNSET else "colour"
    telling.tell(table, zone_of(table, "hand", event.to).cards, field, getattr(event, field))
    table.set(table, "tokens", max(table.tokens - 1, 0))
    _goes_on(table, event.player)


def _clues(table: Hanabi, player: str) -> Iterator[Event]:
    for to in table.players:
        texts = [card.text for card in zone_of(table, "hand", to).cards if card.text is not None and to != player]
        yield from (ClueGiven(player=player, to=to, colour=each) for each in sorted({text.colour for text in texts}))
        yield from (ClueGiven(player=player, to=to, rank=each) for each in sorted({text.rank for text in texts}))


MOVES = (
    Move(line=CardPlayed, needs=(stop(own), draws, from_hand), does=_played),
    Move(line=CardDiscarded, needs=(stop(own), draws, not_at_eight, from_hand), does=_discarded),
    Move(line=ClueGiven, needs=(stop(own), draws, token, another, points_to), does=_told, offers=_clues),
)


# -- the end -----------------------------------------------------------------------------------------------------------


def settle(table: Hanabi) -> None:
    """End the game: every firework is complete, the third mistake, or the last round is over."""
    points = len(table.zones["fireworks"].cards)
    complete = points == LAST * (6 if table.options["colours"] == "six" else 5)
    lost = table.mistakes >= MISTAKES
    if complete or lost or not table.turns_left:
        reason = "third-mistake" if lost else "all-laid" if complete else "last-round"
        score = 0 if lost and table.options["third_mistake"] == "none" else points
        winners = tuple(table.players) if complete else ()
        end(table, GameDecided(winners=winners, cooperative=True, score=score, reason=reason), f"hanabi.end.{reason}")


# -- how good a table looks --------------------------------------------------------------------------------------------


def value(table: Hanabi, _player: str) -> float:
    """Return the points, those that can still be had, tokens, and how sure players are of what they can play."""
    now, gone = reached(table), Counter(card.text.id for card in table.zones["discard"].cards if card.text)
    seen = gone + Counter(card.text.id for card in table.zones["fireworks"].cards)
    kinds = [text for text in table.library.values() if table.options["colours"] == "six" or text.colour != "multi"]
    left = [(text, text.copies - seen[text.id], text.rank == now[text.colour] + 1) for text in kinds]
    lost = {text.colour: LAST + 1 - text.rank for text in reversed(kinds) if gone[text.id] == text.copies}
    worth = sum(now.values()) + 0.3 * (len(kinds) - sum(now.values()) - sum(lost.values()))
    worth += 0.06 * table.tokens - 0.4 * table.mistakes**2
    for zone in table.zones.values():
        for card in zone.cards if zone.role == "hand" else ():
            if card.told:
                fitting = [(number, fits) for text, number, fits in left if telling.fits(card, text)]
                sure = sum(n for n, fits in fitting if fits) / max(sum(n for n, _ in fitting), 1)
                fits_now = card.text is not None and card.text.rank == now[card.text.colour] + 1
                worth += 0.4 * sure if fits_now else -0.4 * max(sure - 0.3, 0)
    return float(worth)
