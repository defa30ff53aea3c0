"""The rules of active abilities, willpower and diminish: who may use them, what they cost, what has to follow."""

from typing import Any, Final

from msgspec import UNSET

from events.games import splicers as ev
from projector.games.splicers.abilities import Active
from projector.games.splicers.rules.choosing import (
    NOT_TWICE,
    Choice,
    ability_effect,
    ability_on_reveal,
    judge_choice,
)
from projector.games.splicers.rules.declaring import Judgement, declare
from projector.games.splicers.rules.playing import in_hand
from projector.games.splicers.rules.preparing import named, not_all_in
from projector.games.splicers.selecting import active_line, taken
from projector.games.splicers.state import ACTION, Splicers, SplicersCard, a_kind, in_play, name_of, title_of, zone_of
from projector.rules import NOT_AT_STAKE, Broken, CannotTell, Case, Rule, Verdict, case, rule

# -- who may use which ability -----------------------------------------------------------------------------------------


ABILITIES: Final = "Misc. Rules: Abilities"
OWN_CARDS: Final = declare("ability.own-cards", ABILITIES, "L132.7", "A player activates only abilities of own cards.")
FACE_UP: Final = declare(
    "ability.face-up-in-play", ABILITIES, "L132.8", "Abilities work only while the card is face up in play."
)
COLON: Final = declare("ability.colon", ABILITIES, "L132.3", "An active ability is written as cost, colon, effect.")
CONSUMES_ACTION: Final = declare(
    "ability.consumes-action", ABILITIES, "L132.6", "Besides its cost an active ability uses one action."
)
COST_PAID: Final = declare(
    "ability.cost-paid", ABILITIES, "L132.4", "The cost before the colon must be paid or no effect happens."
)
WILLPOWER_SHOW: Final = declare(
    "kw.willpower-show", "Advanced Keywords", "L189.1", "Willpower: show a ting from the own hand."
)


@rule(
    "splicers.ability.own-turn",
    "Misc. Rules: Abilities",
    "L132.5",
    "Active abilities are used only in the own turn of the action phase.",
)
def own_turn(table: Splicers, event: ev.AbilityUsed) -> Verdict:
    """The player is on turn."""
    if table.active == event.player and table.phase == ACTION:
        return None
    return f"{name_of(table, event.player)} uses an ability although it is not the own turn"


def judge_ability(table: Splicers, event: ev.AbilityUsed) -> list[Judgement]:
    """Look at the use of an ability: who uses it, the card, its owner and line, then the cost and what is chosen."""
    player = event.player
    is_turn = table.active == player and table.phase == ACTION
    turn = (own_turn, None if is_turn else own_turn(table, event))
    card = table.find(event.card)
    if card is None:
        return [turn, (in_hand, f"there is no card {event.card} on the table")]
    is_plain = card.owner == player and not card.host
    own = (OWN_CARDS, None if is_plain else _is_own(table, event, card))
    if not (card.face_up and in_play(card)):
        return [turn, own, (FACE_UP, _is_not_open(card))]
    line = active_line(table, card, event.ability)
    if line is None:
        return [turn, own, (FACE_UP, None), (COLON, _lacks_line(card, event))]
    said: list[Judgement] = [turn, own, (FACE_UP, None), (COLON, None)]
    if is_turn:
        if table.players[player].actions <= 0:
            return [*said, (CONSUMES_ACTION, _no_action_left(table, event))]
        said.append((CONSUMES_ACTION, None))
    if line.exhausts:
        said.append((NOT_TWICE, _can_be_exhausted(table, card) if card.exhausted or card.host else None))
    needs_look = line.costs_more or event.shown is not UNSET
    said.append((COST_PAID, _is_paid(table, event, card, line) if needs_look else None))
    if isinstance(event.shown, str):
        said.append((WILLPOWER_SHOW, _is_shown(table, event.shown, player)))
    return said + _judge_choices(table, event, card, line) if line.choosing else said


def _judge_choices(table: Splicers, event: ev.AbilityUsed, card: SplicersCard, line: Active) -> list[Judgement]:
    """Look at what is chosen for each effect of a line, in order."""
    cards = () if event.cards is UNSET else event.cards[line.cards_paid :]
    names = (event.target, *cards) if isinstance(event.target, str) else cards
    to = event.to if isinstance(event.to, str) else ""
    *earlier, last = line.choosing
    said: list[Judgement] = []
    for effect in earlier:
        number = taken(table, effect, names, event.player, card)
        said += judge_choice(Choice(table, event.player, card, effect, names[:number], to), ability_effect)
        names = names[number:]
    return said + judge_choice(Choice(table, event.player, card, last, names, to), ability_effect)


def _no_action_left(table: Splicers, event: ev.AbilityUsed) -> Broken:
    return Broken(f"{name_of(table, event.player)} has no action left in this turn", "1 action")


def _is_own(table: Splicers, event: ev.AbilityUsed, card: SplicersCard) -> Verdict:
    """The card is the player's own (or lies under an own host, by ruling)."""
    owner = card.owner
    if card.host and table.options["mutation_ability_user"] == "host_owner":
        owner = table.card(card.host).owner
    if owner == event.player:
        return None
    return Broken(f"{title_of(card)} is not a card of {name_of(table, event.player)}", name_of(table, owner))


def _is_not_open(card: SplicersCard) -> str:
    return f"{title_of(card)} lies face down" if in_play(card) else f"{title_of(card)} is not in play"


@case(FACE_UP)
def keywords_in_hand(table: Splicers, event: Any) -> Verdict:
    """Jumper and upgrade do not work in the hand (ruling `abilities_outside_play`)."""
    if table.options["abilities_outside_play"] == "keyword_exceptions":
        return NOT_AT_STAKE
    return f"{named(table, event.card)} is in the hand, where none of its abilities works"


def _lacks_line(card: SplicersCard, event: ev.AbilityUsed) -> Verdict:
    """The ability stands neither on the card nor does another card grant it."""
    if card.text is None:
        return CannotTell(f"nobody knows what {card.name} says", card.name, lambda text: _has(text, event.ability))
    if card.text.manual:
        return CannotTell(f"{card.text.name} does what only people can tell: {card.text.manual}")
    has = " or ".join(repr(line) for line in card.text.says.active)
    return Broken(f"{card.text.name} has no ability {event.ability!r}", has)


def _has(text: Any, ability: str) -> str | None:
    return None if ability in text.says.active else f"{text.name} has no ability {ability!r}"


# -- costs -------------------------------------------------------------------------------------------------------------


def _can_be_exhausted(table: Splicers, card: SplicersCard) -> Verdict:
    """A card that is exhausted as a cost was not exhausted, nor was its host."""
    if card.exhausted:
        return f"{title_of(card)} is exhausted already"
    if card.host and table.card(card.host).exhausted:
        return f"{title_of(table.card(card.host))}, the host of {title_of(card)}, is exhausted already"
    return None


def _is_paid(table: Splicers, event: ev.AbilityUsed, card: SplicersCard, line: Active) -> Verdict:
    """A ting is shown for willpower and only for it; tokens, cards and roaming are paid."""
    if line.willpower and event.shown is UNSET:
        return "no ting is shown for willpower"
    if event.shown is not UNSET and not line.willpower:
        return "a ting is shown, but the cost does not ask for one"
    if card.tokens < line.tokens:
        return Broken(f"{title_of(card)} has {card.tokens} token(s)", f"{line.tokens} tokens")
    if line.roam and not isinstance(event.to, str):
        return "the cost is to roam, but no biom is named"
    return _cards_paid(table, event, line) if line.discard or line.extinguish else None


def _cards_paid(table: Splicers, event: ev.AbilityUsed, line: Active) -> Verdict:
    cards = () if event.cards is UNSET else event.cards
    if len(cards) < line.cards_paid:
        return Broken(f"{len(cards)} card(s) are named for the cost", str(line.cards_paid))
    wrong = not_all_in(table, cards[: line.discard], zone_of(table, "hand", event.player))
    return f"{wrong} is not in the hand of {name_of(table, event.player)}" if wrong else None


def _is_shown(table: Splicers, name: str, player: str) -> Verdict:
    """What is shown for willpower is a ting of the own hand."""
    if not table.may_be_in(name, zone_of(table, "hand", player)):
        return f"{named(table, name)} is not in the hand of {name_of(table, player)}"
    return _is_ting(table, name)


def _is_ting(table: Splicers, name: str) -> Verdict:
    card = table.find(name)
    if card is None or card.text is None:
        return CannotTell(f"nobody knows what {name} is", name, _no_ting)
    return _no_ting(card.text)


def _no_ting(text: Any) -> str | None:
    return None if text.kind == "ting" else f"{text.name} is {a_kind(text.kind)}, not a ting"


# -- what the effects ask for ------------------------------------------------------------------------------------------


def chosen_for_event(table: Splicers, event: ev.EventRevealed) -> list[Judgement]:
    """Look at what is chosen for an event that is turned over (if it does anything, by ruling)."""
    card = table.find(event.card)
    if card is None or card.text is None or table.options["abilities_outside_play"] == "strict":
        return []
    names = (event.target,) if isinstance(event.target, str) else ()
    said: list[Judgement] = []
    for effect in card.text.says.reveal:
        if effect.is_chosen:
            said += judge_choice(Choice(table, event.player, card, effect, names), ability_on_reveal)
    return said


DOMINATING: Final = declare(
    "kw.dominating", "Keywords: Common", "L163.1", '"Dominating" in card text uses the definition of domination.'
)


@case(DOMINATING)
def drawn_without_dominating(table: Splicers, event: ev.CardsDrawn) -> Verdict:
    """Nobody draws for an ability whose condition did not hold."""
    return f"{name_of(table, event.player)} draws although the condition of the ability does not hold"


def ability_draw(table: Splicers, event: ev.CardsDrawn) -> Rule | Case:
    """Say which rule decides about a draw of an ability."""
    if table.awaited is None and table.lately == ("failed", event.player):
        return drawn_without_dominating
    return ability_effect


# -- willpower and diminish --------------------------------------------------------------------------------------------


@rule(
    "splicers.kw.willpower-answer",
    "Advanced Keywords",
    "L189.1",
    "The opponent may show tings from hand whose printed dominance adds up to more.",
)
def willpower_asked(table: Splicers, event: ev.WillpowerAnswered) -> Verdict:
    """An answer is asked of this player."""
    awaited = table.awaited
    name = name_of(table, event.player)
    if awaited is None or awaited.line is not ev.WillpowerAnswered:
        return f"{name} answers willpower although nobody has used it"
    return None if awaited.player == event.player else Broken(f"{name} answers the own willpower", awaited.player)


@case(willpower_asked)
def answer_from_hand(table: Splicers, event: ev.WillpowerAnswered) -> Verdict:
    """What is shown are different tings of the own hand."""
    wrong = not_all_in(table, event.shown, zone_of(table, "hand", event.player))
    if wrong:
        return f"{wrong} is not in the hand of {name_of(table, event.player)}"
    for name in event.shown:
        verdict = _is_ting(table, name)
        if verdict is not None:
            return verdict
    return None


@case(willpower_asked)
def answer_is_larger(table: Splicers, event: ev.WillpowerAnswered) -> Verdict:
    """The printed sum of the answer is larger than what was shown."""
    if not event.shown or table.awaited is None:
        return NOT_AT_STAKE
    values = [_printed(table, name) for name in (*event.shown, table.awaited.card)]
    if None in values:
        return CannotTell("the log does not name all tings that are shown")
    *answer, asked = [value or 0 for value in values]
    if sum(answer) > asked or (sum(answer) == asked and table.options["willpower_tie"] == "enough"):
        return None
    return Broken(f"the tings shown have a printed sum of {sum(answer)}", f"more than {asked}")


def _printed(table: Splicers, name: str) -> int | None:
    card = table.find(name) if name else None
    return (card.text.dominance or 0) if card is not None and card.text is not None else None


@rule(
    "splicers.kw.diminish-target",
    "Advanced Keywords",
    "L187.1",
    "Diminish picks a ting; its owner has to replace it.",
)
def diminish_target(table: Splicers, event: ev.TingReplaced) -> Verdict:
    """The owner replaces the ting that diminish has chosen."""
    awaited = table.awaited
    if awaited is None or awaited.line is not ev.TingReplaced:
        return f"{named(table, event.card)} is replaced although nothing diminishes it"
    if awaited.player != event.player:
        name = name_of(table, awaited.player)
        return Broken(f"{name_of(table, event.player)} replaces a ting of {name}", name)
    if awaited.card == event.card:
        return None
    return Broken(f"{named(table, event.card)} is replaced", named(table, awaited.card))


@rule(
    "splicers.kw.diminish-search",
    "Advanced Keywords",
    "L187.1",
    "The replacement is a ting from that player's deck or discard pile.",
)
def replaced_if_possible(table: Splicers, event: ev.TingReplaced) -> Verdict:
    """Nothing comes in its place only if there is no lower ting."""
    if event.replacement is not None:
        return NOT_AT_STAKE
    value = _printed(table, event.card)
    if value is None:
        return CannotTell(f"nobody knows what {event.card} is")
    deck = zone_of(table, "deck", event.player)
    lower = [_lower(card, value) for card in deck.cards]
    discarded = [title_of(card) for card in zone_of(table, "discard", event.player).cards if _lower(card, value)]
    if discarded or sum(lower) > -deck.unseen:
        found = discarded or [title_of(card) for card in deck.cards if _lower(card, value)]
        return Broken("no ting replaces it although there is a lower one", f"one of {', '.join(found)}")
    return CannotTell("the deck may hold a lower ting, the log does not say") if any(lower) else None


def _lower(card: SplicersCard, value: int) -> bool:
    return card.text is not None and card.text.kind == "ting" and (card.text.dominance or 0) < value


@case(replaced_if_possible)
def replacement_is_own_ting(table: Splicers, event: ev.TingReplaced) -> Verdict:
    """What comes is a ting of the own deck or discard pile."""
    if event.replacement is None:
        return NOT_AT_STAKE
    zones = [zone_of(table, kind, event.player) for kind in ("deck", "discard")]
    if not any(table.may_be_in(event.replacement, zone) for zone in zones):
        name = name_of(table, event.player)
        return f"{named(table, event.replacement)} is neither in the deck nor in the discard pile of {name}"
    return _is_ting(table, event.replacement)


@rule("splicers.kw.diminish-lower", "Advanced Keywords", "L187.1", "The replacement has a lower printed dominance.")
def diminish_lower(table: Splicers, event: ev.TingReplaced) -> Verdict:
    """What comes is printed lower than what goes."""
    if event.replacement is None:
        return NOT_AT_STAKE
    old, new = _printed(table, event.card), _printed(table, event.replacement)
    if old is None or new is None:
        return CannotTell("the log does not name both tings")
    if new < old:
        return None
    message = f"{named(table, event.replacement)} ({new}) replaces {named(table, event.card)} ({old})"
    return Broken(message, f"less than {old}")


@case(in_hand)
def comes_from_there(table: Splicers, event: ev.TingReplaced) -> Verdict:
    """The replacement comes from where the line says."""
    if event.replacement is None:
        return NOT_AT_STAKE
    if event.from_ is UNSET:
        return "the line does not say where the new ting was found"
    if table.may_be_in(event.replacement, zone_of(table, event.from_, event.player)):
        return None
    where = "deck" if event.from_ == "deck" else "discard pile"
    return f"{named(table, event.replacement)} does not lie in the {where}"


# -- shuffling ---------------------------------------------------------------------------------------------------------


def _shuffle(id: str, section: str, lines: str, text: str) -> Rule:  # noqa: A002 - the rulebook's word for it
    return rule(id, section, lines, text)(_not_shuffled)


def _not_shuffled(table: Splicers, event: ev.DeckShuffled) -> Verdict:
    if table.awaited is not None and table.awaited.line is ev.DeckShuffled:
        return None
    return f"the deck is shuffled after {event.reason}, but nothing of the kind has happened"


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
