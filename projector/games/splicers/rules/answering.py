"""The rules of what an ability asks for: an answer to willpower, a ting in place of another one, a shuffled deck."""

from typing import Final

from msgspec import UNSET

from events.games import splicers as ev
from projector.games.splicers.naming import all_in, called, not_in, not_named, title
from projector.games.splicers.rules.playing import in_hand, of_kind
from projector.games.splicers.selecting import answer_suffices, printed, to_be_lower_than
from projector.games.splicers.state import Splicers, SplicersCard
from projector.kit.seating import zone_of
from projector.model.amounts import joined
from projector.model.phrases import by_ruling, name_of
from projector.model.rules import NOT_APPLICABLE, Broken, Rule, Undecidable, Verdict, case, rule

# -- willpower and diminish --------------------------------------------------------------------------------------------


@rule(
    "splicers.kw.willpower-answer",
    "Advanced Keywords",
    "L189.1",
    "The opponent may show tings from hand whose printed dominance adds up to more.",
)
def willpower_asked(table: Splicers, event: ev.WillpowerAnswered) -> Verdict:
    """An answer is asked of this player."""
    owed = table.owed
    name = name_of(table, event.player)
    if owed is None or owed.line is not ev.WillpowerAnswered:
        return f"{name} answers willpower although nobody has used it"
    return None if owed.player == event.player else Broken(f"{name} answers the own willpower", owed.player)


@case(willpower_asked)
def answer_from_hand(table: Splicers, event: ev.WillpowerAnswered) -> Verdict:
    """What is shown are different tings of the own hand."""
    wrong = all_in(table, event.shown, zone_of(table, "hand", event.player))
    kinds = (of_kind(table, name, "ting") for name in event.shown)
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


@rule(
    "splicers.kw.diminish-target", "Advanced Keywords", "L187.1", "Diminish picks a ting; its owner has to replace it."
)
def diminish_target(table: Splicers, event: ev.TingReplaced) -> Verdict:
    """The owner replaces the ting that diminish has chosen."""
    owed = table.owed
    if owed is None or owed.line is not ev.TingReplaced:
        return f"{called(table, event.card)} is replaced although nothing diminishes it"
    if owed.player != event.player:
        name = name_of(table, owed.player)
        return Broken(f"{name_of(table, event.player)} replaces a ting of {name}", name)
    if owed.source == event.card:
        return None
    return Broken(f"{called(table, event.card)} is replaced", called(table, owed.source))


@rule(
    "splicers.kw.diminish-search",
    "Advanced Keywords",
    "L187.1",
    "The replacement is a ting from that player's deck or discard pile.",
)
def replaced_if_possible(table: Splicers, event: ev.TingReplaced) -> Verdict:
    """Nothing comes in its place only if there is no lower ting."""
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
        found = discarded or [title(table, card) for card in deck.cards if _may_replace(table, card, value)]
        gone = called(table, event.card)
        return Broken(f"no ting replaces {gone} although there is a lower one", joined(found, "or"))
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
    return of_kind(table, event.replacement, "ting")


@rule("splicers.kw.diminish-lower", "Advanced Keywords", "L187.1", "The replacement has a lower printed dominance.")
def diminish_lower(table: Splicers, event: ev.TingReplaced) -> Verdict:
    """What comes is printed lower than what goes."""
    if event.replacement is None:
        return NOT_APPLICABLE
    old, new = to_be_lower_than(table, event.card), printed(table, event.replacement)
    if old is None or new is None:
        return Undecidable("the log does not name both tings")
    if new < old:
        return None
    message = f"{called(table, event.replacement)} ({new}) replaces {called(table, event.card)} ({old})"
    return Broken(message, f"less than {old}")


@case(in_hand)
def comes_from_there(table: Splicers, event: ev.TingReplaced) -> Verdict:
    """The replacement comes from where the line says."""
    if event.replacement is None:
        return NOT_APPLICABLE
    if event.from_ is UNSET:
        return "the line does not say where the new ting was found"
    zone = zone_of(table, event.from_, event.player)
    return None if table.may_be_in(event.replacement, zone) else not_in(table, event.replacement, zone)


# -- shuffling ---------------------------------------------------------------------------------------------------------


def _shuffle(id: str, section: str, lines: str, text: str) -> Rule:  # noqa: A002 - the rulebook's word for it
    return rule(id, section, lines, text)(_not_shuffled)


def _not_shuffled(table: Splicers, event: ev.DeckShuffled) -> Verdict:
    if table.owed is not None and table.owed.line is ev.DeckShuffled:
        return None
    return f"the deck is shuffled because of a {event.reason}, but there was none before"


SPLICE_SHUFFLE: Final = _shuffle(
    "splicers.splice.shuffle",
    "Misc. Rules: Genes & Splicing",
    "L140.4",
    "The deck is shuffled when the splice is finished.",
)
MOULDER: Final = _shuffle("splicers.kw.moulder", "Keywords: Common", "L168.1", "Moulder shuffles a card into the deck.")
DIMINISH_SHUFFLE: Final = _shuffle(
    "splicers.kw.diminish-shuffle", "Advanced Keywords", "L187.1", "The deck is shuffled afterwards."
)
SHUFFLES: Final = {"splice": SPLICE_SHUFFLE, "moulder": MOULDER, "diminish": DIMINISH_SHUFFLE}
