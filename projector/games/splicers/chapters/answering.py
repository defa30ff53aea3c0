"""What an ability asks for: an answer to willpower, a ting in the place of one that diminish has chosen."""

from collections.abc import Iterator
from functools import partial
from itertools import combinations
from typing import Any, Final

from msgspec import UNSET

from tabletape.events.games import splicers as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.splicers import board
from tabletape.projector.games.splicers.chapters import ADVANCED_KEYWORDS, WRITTEN, cards
from tabletape.projector.games.splicers.chapters.evolving import came_evolved, no_abomination
from tabletape.projector.games.splicers.effects import owe_shuffle, to_discard_pile
from tabletape.projector.games.splicers.naming import all_in, called, not_in, not_named, title
from tabletape.projector.games.splicers.selecting import answer_suffices, lines_of, printed, to_be_lower_than
from tabletape.projector.games.splicers.state import Doing, Owed, Splicers, SplicersCard
from tabletape.projector.kit.moves import move
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.model.amounts import joined
from tabletape.projector.model.game import RuleVerdict
from tabletape.projector.model.phrases import by_ruling, name_of
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken, Undecidable, Verdict, case, stop


@ADVANCED_KEYWORDS.rule("splicers.kw.willpower-show", "L189.1", rests_on="cards")
def willpower_show(table: Splicers, event: ev.AbilityUsed) -> Verdict:
    """Willpower: show a ting from the own hand."""
    name = str(event.shown)
    wrong = all_in(table, (name,), zone_of(table, "hand", event.player))
    return cards.of_kind(table, name, "ting") if wrong is None else wrong


def tings_in_hand(table: Splicers, player: str) -> list[SplicersCard]:
    """Return the tings that certainly are in a hand."""
    return [card for card in cards.named_hand(table, player) if card.text.kind == "ting"]


@ADVANCED_KEYWORDS.rule("splicers.kw.willpower-answer", "L189.1", rests_on="cards")
def willpower_asked(table: Splicers, event: ev.WillpowerAnswered) -> Verdict:
    """The opponent may show tings from hand whose printed dominance adds up to more."""
    owed = table.owed
    name = name_of(table, event.player)
    if owed is None or owed.line is not ev.WillpowerAnswered:
        return f"{name} answers willpower although nobody has used it"
    return None if owed.player == event.player else Broken(f"{name} answers the own willpower", owed.player)


@case(willpower_asked)
def answer_from_hand(table: Splicers, event: ev.WillpowerAnswered) -> Verdict:
    """What is shown are different tings of the own hand."""
    wrong = all_in(table, event.shown, zone_of(table, "hand", event.player))
    kinds = (cards.of_kind(table, name, "ting") for name in event.shown)
    return wrong or next((verdict for verdict in kinds if verdict is not None), None)


@case(willpower_asked)
def answer_is_larger(table: Splicers, event: ev.WillpowerAnswered) -> Verdict:
    """The printed sum of the answer is larger than what was shown."""
    if not event.shown or table.owed is None:
        return NOT_APPLICABLE
    values = [printed(table, name) for name in (*event.shown, table.owed.source)]
    if None in values:
        return Undecidable("the log does not name all tings that are shown")
    *answer, asked = [value or 0 for value in values]
    if answer_suffices(table, sum(answer), asked):
        return None
    shown, due = f"what is shown has a printed sum of {sum(answer)}", f"more than {asked}"
    if sum(answer) < asked:
        return Broken(f"{shown}, {due} is needed", due)
    ruling = by_ruling(table, "willpower_tie")
    return Broken(f"{shown}, as much as {called(table, table.owed.source)}; {ruling} that is not enough", due, "info")


WILLPOWER_EFFECT: Final = WRITTEN["splicers.kw.willpower-effect"]


def ask_opponent(table: Splicers, event: ev.AbilityUsed, doing: Doing) -> None:
    """Show a ting, and let the effects wait for the opponent's answer."""
    shown, asked = event.shown if isinstance(event.shown, str) else "", table.players[event.player].opponent
    if shown:
        table.set(table.take(shown, zone_of(table, "hand", event.player)), "known_to", table.everybody)
    rule, words = willpower_asked.id, "answers willpower"
    owed = Owed(line=ev.WillpowerAnswered, player=asked, rule=rule, words=words, source=shown)
    table.set(table, "owed", owed)
    table.set(table, "agenda", (doing, *table.agenda))


def _refund(table: Splicers, doing: Doing) -> None:
    """Refund the cost of an ability that willpower has stopped: the card is unexhausted, its tokens come back."""
    card = table.card(doing.source)
    line = next((line for line in lines_of(table, card) if line.effects == doing.effects), None)
    if line is None:
        return
    if line.exhausts:
        board.turn_sideways(table, table.card(card.host) if card.host else card, exhausted=False)
    board.change_tokens(table, card, line.tokens, "splicers.ability.cost-paid")


def offer_answers(table: Splicers, player: str) -> Iterator[Event]:
    """Yield no answer, and every answer that shows no more tings than it has to."""
    yield ev.WillpowerAnswered(player=player, shown=())
    asked = table.find(table.owed.source) if table.owed is not None else None
    if asked is None or asked.text is None:
        return
    needed = (asked.text.dominance or 0) + (table.options["willpower_tie"] == "not_enough")
    tings = tings_in_hand(table, player)
    for size in range(1, len(tings) + 1):
        for shown in combinations(tings, size):
            values = [card.text.dominance or 0 for card in shown]
            if needed <= sum(values) < needed + min(values):
                yield ev.WillpowerAnswered(player=player, shown=tuple(card.name for card in shown))


@move(ev.WillpowerAnswered, stop(willpower_asked), answer_from_hand, answer_is_larger, offers=offer_answers)
def willpower_answered(table: Splicers, event: ev.WillpowerAnswered) -> None:
    """Show the answer; where the opponent shows something the table has let the effect be.

    That goes for too small an answer, too, which breaks a rule; an equal one breaks none, and is in vain (ruling).
    """
    for name in event.shown:
        card = table.take(name, zone_of(table, "hand", event.player))
        table.set(card, "known_to", table.everybody)
    if table.options["willpower_cards_after"] == "discarded" and table.owed is not None:
        for name in (*event.shown, *filter(None, (table.owed.source,))):
            to_discard_pile(table, table.card(name))
    asked = printed(table, table.owed.source) if table.owed is not None else None
    values = [printed(table, name) for name in event.shown]
    answer = None if None in values else sum(each or 0 for each in values)
    may_suffice = answer is None or asked is None or answer_suffices(table, answer, asked)
    stops = bool(event.shown) and (may_suffice or answer != asked)
    note = "answered" if may_suffice else "answered in vain"
    if table.owed is not None and table.owed.line is ev.WillpowerAnswered:
        table.set(table, "owed", None)
        table.applied.append("splicers.kw.willpower-effect")
        if stops:
            if table.options["willpower_lost"] == "refunded":
                _refund(table, table.agenda[0])
            table.update(table, agenda=table.agenda[1:], last_note=(note, event.player))


@ADVANCED_KEYWORDS.rule("splicers.kw.diminish-target", "L187.1", rests_on="cards")
def diminish_target(table: Splicers, event: ev.TingReplaced) -> Verdict:
    """Diminish picks a ting; its owner has to replace it."""
    owed = table.owed
    if owed is None or owed.line is not ev.TingReplaced:
        return f"{called(table, event.card)} is replaced although nothing diminishes it"
    if owed.player != event.player:
        name = name_of(table, owed.player)
        return Broken(f"{name_of(table, event.player)} replaces a ting of {name}", name)
    if owed.source == event.card:
        return None
    return Broken(f"{called(table, event.card)} is replaced", called(table, owed.source))


@ADVANCED_KEYWORDS.rule("splicers.kw.diminish-search", "L187.1", rests_on="cards")
def replaced_if_possible(table: Splicers, event: ev.TingReplaced) -> Verdict:
    """The replacement is a ting from that player's deck or discard pile."""
    if event.replacement is not None:
        return NOT_APPLICABLE
    if table.options["diminish_search_hidden"] == "always_allowed":
        return None
    value = to_be_lower_than(table, event.card)
    if value is None:
        return not_named(event.card)
    deck = zone_of(table, "deck", event.player)
    lower = [_may_replace(table, card, value) for card in deck.cards]
    pile = zone_of(table, "discard", event.player).cards
    discarded = [title(table, card) for card in pile if _may_replace(table, card, value)]
    if discarded or sum(lower) > -deck.unseen:
        lower_tings = discarded or [title(table, card) for card in deck.cards if _may_replace(table, card, value)]
        gone = called(table, event.card)
        return Broken(f"no ting replaces {gone} although there is a lower one", joined(lower_tings, "or"))
    return Undecidable("the deck may hold a lower ting, the log does not say") if any(lower) else None


def _may_replace(table: Splicers, card: SplicersCard, value: int) -> bool:
    """Return whether a card is a ting that is printed lower, and may enter face up (ruling `abomination_entry`)."""
    if card.text is None or card.text.kind != "ting" or (card.text.dominance or 0) >= value:
        return False
    return "abomination" not in card.text.says.keywords or table.options["abomination_entry"] == "other_ways_allowed"


@case(replaced_if_possible)
def replacement_is_own_ting(table: Splicers, event: ev.TingReplaced) -> Verdict:
    """What comes is a ting of the own deck or discard pile."""
    if event.replacement is None:
        return NOT_APPLICABLE
    zones = [zone_of(table, kind, event.player) for kind in ("deck", "discard")]
    if not any(table.may_be_in(event.replacement, zone) for zone in zones):
        name = name_of(table, event.player)
        return f"{called(table, event.replacement)} is neither in the deck nor in the discard pile of {name}"
    return cards.of_kind(table, event.replacement, "ting")


@ADVANCED_KEYWORDS.rule("splicers.kw.diminish-lower", "L187.1")
def diminish_lower(table: Splicers, event: ev.TingReplaced) -> Verdict:
    """The replacement has a lower printed dominance."""
    if event.replacement is None:
        return NOT_APPLICABLE
    old, new = to_be_lower_than(table, event.card), printed(table, event.replacement)
    if old is None or new is None:
        return Undecidable("the log does not name both tings")
    if new < old:
        return None
    message = f"{called(table, event.replacement)} ({new}) replaces {called(table, event.card)} ({old})"
    return Broken(message, f"less than {old}")


@case(cards.in_hand)
def comes_from_there(table: Splicers, event: ev.TingReplaced) -> Verdict:
    """The replacement comes from where the line says."""
    if event.replacement is None:
        return NOT_APPLICABLE
    if event.from_ is UNSET:
        return "the line does not say where the new ting was found"
    zone = zone_of(table, event.from_, event.player)
    return None if table.may_be_in(event.replacement, zone) else not_in(table, event.replacement, zone)


def _remove_old(table: Splicers, old: SplicersCard) -> None:
    """Take the replaced ting out of play: to the discard pile, or by ruling into the deck or to the hand."""
    where = table.options["diminish_old_card"]
    if where == "deck":
        board.moulder(table, old, old.owner)
    elif where == "hand":
        board.return_to_hand(table, old, "bounce", "splicers.kw.bounce")
    else:
        board.discard(table, old, "diminish", "splicers.kw.diminish-target")


def offer_replacements(table: Splicers, player: str) -> Iterator[Event]:
    """Yield each ting that may come in the place of one, and nothing."""
    old = table.owed.source if table.owed is not None else ""
    replace = partial(ev.TingReplaced, player=player, card=old)
    for where in ("deck", "discard"):
        for card in zone_of(table, where, player).cards:
            if card.text is not None and card.text.kind == "ting":
                yield replace(replacement=card.name, from_=where)
    yield replace(replacement=None)


@move(
    ev.TingReplaced,
    stop(diminish_target),
    replaced_if_possible,
    stop(replacement_is_own_ting),
    diminish_lower,
    comes_from_there,
    no_abomination,
    offers=offer_replacements,
)
def ting_replaced(table: Splicers, event: ev.TingReplaced) -> None:
    """Discard the ting that diminish has chosen and let the new one take its place; the deck is shuffled next."""
    old = table.card(event.card)
    if event.replacement is not None and old.place is not None and old.zone.name[:4] == "play":
        place, sideways = old.place, old.exhausted
        owner = old.owner
        _remove_old(table, old)
        new = table.take(event.replacement, zone_of(table, "deck" if event.from_ == "deck" else "discard", owner))
        enters = table.options["diminish_enter"]
        board.enter(table, new, place, exhausted=sideways if enters == "like_old_card" else enters == "exhausted")
        came_evolved(table, new)
    elif event.replacement is None and table.options["diminish_fail"] == "ting_discarded" and old.place is not None:
        board.discard(table, old, "diminish", "splicers.kw.diminish-target")
    if table.owed is None or table.owed.line is not ev.TingReplaced:
        return
    untouched = event.from_ == "discard" and table.options["diminish_old_card"] != "deck"
    if untouched and table.options["diminish_shuffle"] == "after_deck_search":
        table.set(table, "owed", None)
    else:
        owe_shuffle(table, event.player, "splicers.kw.diminish-shuffle", "diminish")


# -- a discard that is written -----------------------------------------------------------------------------------------


def _is_answered(table: Splicers, event: ev.CardDiscarded) -> bool:
    return event.reason == "extinguish" and table.last_note[0] == "answered"


DISCARDED_CARD: Final = cards.unlike(
    ev.CardDiscarded,
    rule=lambda table, event, _expected: WILLPOWER_EFFECT if _is_answered(table, event) else cards.CONSEQUENCE,
    why=lambda table, event: "willpower was answered" if _is_answered(table, event) else "",
    adopt=cards.puts_away("discard"),
    because=cards.by_reason(
        {
            "host-gone": "splicers.mutation.lost-on-devolve",
            "extinguish": "splicers.kw.extinguish",
            "crunch": "splicers.kw.crunch",
            "event-done": "splicers.event.discard-after",
            "season-over": "splicers.kw.season-replaced",
        }
    ),
)
EFFECTS: Final = (ev.CardDiscarded, ev.DominanceChanged, ev.TokensChanged, ev.CardReturned, ev.ActionsGained)
"""What abilities do."""


def after_an_answer(
    table: Splicers, event: ev.BiomRotated | ev.RoundCounted | ev.RoundStarted, expected: Any
) -> RuleVerdict | None:
    """Return the acquittal of what comes of an answer in vain, or of a backup that was declined; else None."""
    done = (*EFFECTS, ev.CardExhausted, ev.TingDevolved, ev.CardMouldered)
    if expected is None and table.last_note[0] == "answered in vain" and isinstance(event, done):
        return RuleVerdict(WILLPOWER_EFFECT, None)
    is_declined = isinstance(event, ev.CardDiscarded) and board.declined_backup(table, event.card) is not None
    return RuleVerdict(cards.CONSEQUENCE, None) if is_declined else None
