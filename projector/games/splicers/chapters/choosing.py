"""The rules of what may be chosen for an effect: as many cards as the text asks for, and a biom to roam to."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

import msgspec

from tabletape.events.games import splicers as ev
from tabletape.projector.games.splicers import dominance
from tabletape.projector.games.splicers.abilities import Effect, Selection
from tabletape.projector.games.splicers.chapters import ABILITIES, COMMON_KEYWORDS, REQUIREMENTS, TING_KEYWORDS, picking
from tabletape.projector.games.splicers.chapters.cards import in_hand
from tabletape.projector.games.splicers.naming import all_in, called, title
from tabletape.projector.games.splicers.selecting import candidates, fits, genes_of
from tabletape.projector.games.splicers.state import Splicers, SplicersCard, place_of, tings_and_seeds
from tabletape.projector.kit.owed import what_is_owed
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.model.amounts import how_many, joined
from tabletape.projector.model.due import number_of_cards
from tabletape.projector.model.phrases import by_ruling, name_of
from tabletape.projector.model.rules import Case, Check, Judgement, Rule, case, check_in_order, stop
from tabletape.projector.model.things import Zone
from tabletape.projector.model.verdicts import NOT_APPLICABLE, Broken, Verdict, is_broken


class EffectChoice(msgspec.Struct, frozen=True, gc=False):
    """What a line chooses for an effect of the card `source`: the cards `names`, or the biom `to`."""

    table: Splicers
    player: str
    source: SplicersCard
    effect: Effect
    names: tuple[str, ...]
    to: str = ""


@ABILITIES.rule("splicers.ability.effect", "L132.4", rests_on="cards")
def ability_effect(table: Splicers, event: ev.CardsDrawn) -> Verdict:
    """With its cost paid, what stands behind the colon happens, completely and at once."""
    owed = table.owed
    name = name_of(table, event.player)
    if owed is None:
        return f"{name} draws for an ability although no card that was used makes anybody draw now"
    if owed.player != event.player:
        return Broken(f"{name} draws for an ability of {name_of(table, owed.player)}", name_of(table, owed.player))
    number = number_of_cards(event)
    if 0 < number <= owed.count:
        return None
    return Broken(f"{name} {what_is_owed(table, owed, number)}, not {owed.count}", how_many(owed.count, "card"))


is_of_kind: Final = case(ability_effect)(picking.is_of_kind)


def possible(table: Splicers, player: str, effect: Effect, source: SplicersCard) -> list[str]:
    """Return what may be chosen for an effect: names of cards, or bioms for roam."""
    if effect.verb == "roam":
        card = _roaming(table, source)
        return [place for place in table.row if place != card.place and _may_roam(table, card, place)]
    if effect.verb == "discard":
        return [card.name for card in zone_of(table, "hand", player).cards]
    if effect.verb == "revive":
        return [card.name for pile in _piles(table, player) for card in pile.cards]
    tests: tuple[Rule | Case, ...]
    if effect.verb in _TESTS:  # which are about tings at the same biom
        here = place_of(table, source)
        cards = [card for card in tings_and_seeds(table) if card.face_up and card.place == here]
        tests = _TESTS[effect.verb]
    else:
        cards = candidates(table, effect.cards or Selection(noun="ting"), player, source)
        tests = (_TEST_BESIDES[effect.verb],) if effect.verb in _TEST_BESIDES else ()
    picks = [picking.Pick(player, card, effect, source) for card in cards]
    return [pick.card.name for pick in picks if all(test.check(table, pick) is None for test in tests)]


def _roaming(table: Splicers, source: SplicersCard) -> SplicersCard:
    """Return the card that roams by a text: its own card, or the host of that."""
    return table.card(source.host) if source.host else source


def _may_roam(table: Splicers, card: SplicersCard, place: str) -> bool:
    return _is_near_enough(table, card, place) and not _lacking_there(table, card, place)


def _lacking_there(table: Splicers, card: SplicersCard, place: str) -> str:
    """Return what a card would lack at a biom to which it roams; by ruling only what the biom asks for."""
    if table.options["req_roam_both"] == "biom_only":
        return dominance.lacks_gene(table, genes_of(table, card), place)
    return dominance.unmet(table, card, place)


def _is_near_enough(table: Splicers, card: SplicersCard, place: str) -> bool:
    """Return whether a biom is a neighbour in the row, where roam goes no farther (ruling)."""
    if table.options["roam_adjacent"] == "any_biom" or card.place not in table.row:
        return True
    return abs(table.row.index(card.place) - table.row.index(place)) == 1


def _piles(table: Splicers, player: str) -> list[Zone]:
    """Return the discard piles from which a player revives: the own one, or any (ruling `revive_pile`)."""
    players = (player,) if table.options["revive_pile"] == "own" else table.seating
    return [zone_of(table, "discard", each) for each in players]


_TESTS: Final[dict[str, tuple[Rule, ...]]] = {
    "hunt": (picking.is_prey, picking.does_not_evade, picking.is_weaker),
    "graze": (picking.is_plant, picking.is_unexhausted),
}
"""What is looked at for verbs that ask for a card without saying which."""
_TEST_BESIDES: Final[dict[str, Rule | Case]] = {
    "crunch": picking.is_crunchable,
    "probe": picking.is_hidden,
    "exhaust": picking.is_unexhausted,
}
"""What is looked at besides the words of the text."""


@COMMON_KEYWORDS.rule("splicers.kw.revive", "L165.1", rests_on="cards")
def revived(table: Splicers, choice: EffectChoice) -> Verdict:
    """Revive brings a discarded card back to the hand."""
    if not choice.names:
        return NOT_APPLICABLE
    piles = _piles(table, choice.player)
    if len(piles) > 1:
        gone = [called(table, name) for name in choice.names if not any(table.may_be_in(name, pile) for pile in piles)]
        return f"{gone[0]} is in no discard pile" if gone else None
    return all_in(table, choice.names, piles[0])


@TING_KEYWORDS.rule("splicers.kw.roam", "L177.1", rests_on="cards")
def roams(table: Splicers, choice: EffectChoice) -> Verdict:
    """Roam moves the card to another biom if that is allowed."""
    card, place = _roaming(table, choice.source), choice.to
    if place not in table.bioms:
        return Broken(f"there is no biom {place} in the row", ", ".join(table.row))
    if card.place == place:
        return f"{title(table, card)} is at that biom already"
    if _is_near_enough(table, card, place):
        return None
    ruling = by_ruling(table, "roam_adjacent")
    return f"{called(table, place)} is no neighbour of the biom of {title(table, card)}, as due {ruling}"


@REQUIREMENTS.rule("splicers.req.roam-blocked", "L143.4", rests_on="cards")
def roam_blocked(table: Splicers, choice: EffectChoice) -> Verdict:
    """Roam may not go to a biom where a requirement would be unmet."""
    card = _roaming(table, choice.source)
    lacking = _lacking_there(table, card, choice.to)
    return f"{title(table, card)} cannot roam to {called(table, choice.to)}: {lacking}" if lacking else None


def judge_choice(choice: EffectChoice, of: Rule) -> list[Judgement]:
    """Check what was chosen for an effect: at each card up to the first mistake, then whether enough was chosen.

    `of` is the rule that asks for a choice: that of abilities, or that of events.
    """
    verb = choice.effect.verb
    if verb == "revive":
        judged = [(revived, revived.check(choice.table, choice))]
        if is_broken(judged[0][1]):
            return judged
    elif verb == "roam":
        judged = check_in_order((stop(roams), roam_blocked), choice.table, choice) if choice.to else []
    else:
        judged = _judge_cards(choice)
    judged.append((of, _is_made(choice, of)))
    return judged


def is_valid_choice(table: Splicers, event: ev.AbilityUsed, source: SplicersCard, choosing: tuple[Effect, ...]) -> bool:
    """Return whether one biom or one card is chosen, and it is as the text says, so that nothing is wrong with it."""
    effect, player = choosing[0], event.player
    if len(choosing) > 1:
        return False
    if effect.verb == "roam":
        place = event.to if isinstance(event.to, str) else ""
        return place in table.bioms and place != source.place and _may_roam(table, source, place)
    cards = event.cards
    name: Any = event.target
    if cards is not msgspec.UNSET:
        name = cards[0] if len(cards) == 1 and name is msgspec.UNSET else None
    card = table.cards.get(name) if isinstance(name, str) and effect.quantity == 1 else None
    if card is None or card.renamed_to:
        return False
    if effect.text_decides and effect.cards is not None:
        return fits(table, effect.cards, card, player, source)
    if effect.verb == "revive":
        return card.zone in _piles(table, player)
    return _is_right_pick(table, picking.Pick(player, card, effect, source))


def _is_right_pick(table: Splicers, pick: picking.Pick) -> bool:
    for _, check in checks_of(pick.effect):  # noqa: SIM110 - `all` would have to be given a generator
        if check(table, pick) is not None:
            return False
    return True


def is_nothing_to_choose(
    table: Splicers, event: ev.AbilityUsed, source: SplicersCard, choosing: tuple[Effect, ...]
) -> bool:
    """Return whether nothing is chosen for the one effect that asks for it, and nothing could be, or has to be."""
    if len(choosing) > 1 or event.cards or isinstance(event.target, str) or isinstance(event.to, str):
        return False
    return _is_made(EffectChoice(table, event.player, source, choosing[0], (), ""), ability_effect) is None


def rules_of(effect: Effect) -> tuple[Rule, ...]:
    """Return the rules about what is chosen for an effect of an ability, where one biom or one card is chosen."""
    if effect.verb in _OWN_RULES:
        return (*_OWN_RULES[effect.verb], ability_effect)
    return (*(of for of, _ in checks_of(effect)), ability_effect)


_OWN_RULES: Final = {"roam": (roams, roam_blocked), "revive": (revived,)}


def _judge_cards(choice: EffectChoice) -> list[Judgement]:
    table = choice.table
    judged: list[Judgement] = []
    for name in choice.names:
        card = table.find(name)
        if card is None:
            return [*judged, (in_hand, f"there is no card {called(table, name)} on the table")]
        pick = picking.Pick(choice.player, card, choice.effect, choice.source)
        for of, check in checks_of(choice.effect):
            verdict = check(table, pick)
            judged.append((of, verdict))
            if verdict is not None and is_broken(verdict):
                return judged
    return judged


@lru_cache(maxsize=4096)
def checks_of(effect: Effect) -> tuple[tuple[Rule, Check], ...]:
    """Return what is looked at for a chosen card, in order, each with its rule; only what the text asks for."""
    return tuple((test.rule if isinstance(test, Case) else test, test.check) for test in _tests_of(effect))


def _tests_of(effect: Effect) -> Iterator[Rule | Case]:
    wanted = effect.cards
    if wanted is None:
        yield from _TESTS.get(effect.verb, ())
        return
    yield from (picking.is_no_splicer, picking.is_in_place)
    if wanted.noun in picking.TINGS_AND_SEEDS:
        yield picking.is_right_side_up
    if wanted.whose:
        yield picking.is_enemy if wanted.whose == "enemy" else picking.is_friendly
    if wanted.near:
        yield picking.is_close if wanted.near == "close" else picking.is_distant
    if wanted.type or wanted.turned:
        yield is_of_kind
    if effect.verb in _TEST_BESIDES:
        yield _TEST_BESIDES[effect.verb]


def _is_made(choice: EffectChoice, of: Rule) -> Verdict:
    """Something is chosen where there is something, and as many cards as the text says."""
    effect = choice.effect
    wanted = effect.quantity or 1
    number = len(choice.names) if effect.verb != "roam" else int(choice.to != "")
    if number == wanted:
        return None
    if number > wanted:
        source = title(choice.table, choice.source)
        return Broken(f"{number} cards are chosen for {effect.verb} of {source}, not {wanted}", str(wanted))
    may = effect.verb == "hunt" or effect.may or (effect.cards is not None and effect.cards.upto)
    forbidden = of is ability_effect and not number and choice.table.options["noop_ability"] == "forbidden"
    if may and not forbidden:
        return None
    options = possible(choice.table, choice.player, effect, choice.source)
    left = [name for name in options if name not in choice.names]
    if left and not may:
        could = joined([called(choice.table, each) for each in left], "or")
        return Broken(f"nothing is chosen for {effect.verb} of {title(choice.table, choice.source)}", could)
    if forbidden and not left:
        name, ruling = title(choice.table, choice.source), by_ruling(choice.table, "noop_ability")
        return f"{name} is used although there is nothing to choose for {effect.verb}, which is forbidden {ruling}"
    return None
